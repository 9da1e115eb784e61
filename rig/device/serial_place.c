#include "serial_place.h"

#include "uart.h"

#define CLOCK_16 24000000u
#define CLOCK_32 48000000u
#define LPSS_100 100000000u
#define LPSS_120 120000000u

unsigned serial_width(enum serial_place place)
{
    if (place == SERIAL_MMIO32 || serial_is_lpss(place))
        return 4;
    return place == SERIAL_MMIO16 ? 2 : 1;
}

uint32_t serial_clock(enum serial_place place)
{
    switch (place) {
    case SERIAL_MMIO16:
        return CLOCK_16;
    case SERIAL_MMIO32:
        return CLOCK_32;
    case SERIAL_LPSS_100:
        return LPSS_100;
    case SERIAL_LPSS_120:
        return LPSS_120;
    default:
        return UART_PC_CLOCK;
    }
}

bool serial_is_memory(enum serial_place place)
{
    return place == SERIAL_MMIO8 || place == SERIAL_MMIO16 || place == SERIAL_MMIO32 ||
           place == SERIAL_PCI_MEMORY || serial_is_lpss(place);
}

bool serial_is_pci(enum serial_place place)
{
    return place == SERIAL_PCI || place == SERIAL_PCI_MEMORY || serial_is_lpss(place);
}

bool serial_is_lpss(enum serial_place place)
{
    return place == SERIAL_LPSS_100 || place == SERIAL_LPSS_120;
}

uint64_t serial_base(const struct serial_line *line)
{
    if (!serial_is_memory(line->place) || line->state == STATE_UNASSIGNED)
        return 0;
    return line->state == STATE_HIGH       ? UART_HIGH_BASE
           : line->state == STATE_UNMAPPED ? UART_FAR_BASE
                                           : UART_MEMORY_BASE;
}

uint16_t serial_port(enum serial_place place)
{
    static const uint16_t ports[] = {[SERIAL_COM1] = UART_PORT,
                                     [SERIAL_COM2] = UART_PORT_2,
                                     [SERIAL_COM3] = UART_PORT_3,
                                     [SERIAL_COM4] = UART_PORT_4,
                                     [SERIAL_PCI] = UART_PCI_PORT};

    return place <= SERIAL_COM4 || place == SERIAL_PCI ? ports[place] : 0;
}

uint64_t serial_wrong_base(enum serial_table table)
{
    switch (table) {
    case TABLE_LOST:
        return UART_LOST_BASE;
    case TABLE_MEMORY:
        return UART_RAM_BASE;
    case TABLE_EDGE:
        return UART_EDGE_BASE;
    default:
        return 0;
    }
}

bool serial_names_memory(enum serial_table table)
{
    return table == TABLE_MEMORY || table == TABLE_EDGE;
}
