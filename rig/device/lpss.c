#include "lpss.h"

#define CLOCKS       0x200u
#define RESETS       0x204u
#define CAPABILITIES 0x2fcu

#define CLOCK_ON      1u
#define CLOCK_RATIO   0x7ffffffeu
#define CLOCK_TAKE    (1u << 31)
#define RESETS_UART   3u
#define RESETS_KEPT   7u
#define TYPE_UART     (1u << 4)
#define UART_BYTES    0x20u
#define RATIO_M(bits) ((bits) >> 1 & 0x7fff)
#define RATIO_N(bits) ((bits) >> 16 & 0x7fff)

/* 1843200 Hz from 120 MHz, and nearly that from 100 MHz: what coreboot sets. */
#define RATIO_120 (0xc35u << 16 | 0x30u << 1)
#define RATIO_100 (0x7fffu << 16 | 0x25au << 1)

/* The divider's rule for N = 0 is not known: no clock. */
static void set_clock(const struct lpss *lpss, struct uart *uart)
{
    const uint64_t m = RATIO_M(lpss->set.ratio), n = RATIO_N(lpss->set.ratio);

    uart->clock_hz = lpss->set.clocks & CLOCK_ON && n ? (uint32_t)(lpss->input_hz * m / n) : 0;
}

static bool is_running(const struct lpss *lpss)
{
    return (lpss->set.resets & RESETS_UART) == RESETS_UART;
}

void lpss_lose(struct lpss *lpss, struct uart *uart)
{
    lpss->set = (struct lpss_registers){0};
    uart_reset(uart);
    set_clock(lpss, uart);
}

void lpss_reset(struct lpss *lpss, struct uart *uart, uint32_t input_hz)
{
    *lpss = (struct lpss){.input_hz = input_hz};
    lpss_lose(lpss, uart);
    uart->found = uart->set;
}

void lpss_use(struct lpss *lpss, struct uart *uart)
{
    lpss->set.ratio = lpss->input_hz == 120000000u ? RATIO_120 : RATIO_100;
    lpss->set.clocks = lpss->set.ratio | CLOCK_ON;
    lpss->set.resets = RESETS_UART;
    lpss->found = lpss->set;
    set_clock(lpss, uart);
    uart_use(uart);
}

uint64_t lpss_read(const struct lpss *lpss, struct uart *uart, uint64_t offset, unsigned size)
{
    if (size != 4 || offset % 4)
        return UINT64_MAX;
    if (offset < UART_BYTES)
        return is_running(lpss) ? uart_read(uart, (unsigned)offset / 4) : 0;
    switch (offset) {
    case CLOCKS:
        return lpss->set.clocks;
    case RESETS:
        return lpss->set.resets;
    case CAPABILITIES:
        return TYPE_UART;
    default:
        return 0;
    }
}

static void write_clocks(struct lpss *lpss, struct uart *uart, uint32_t value)
{
    lpss->set.clocks = value;
    if (value & CLOCK_TAKE)
        lpss->set.ratio = value & CLOCK_RATIO;
    set_clock(lpss, uart);
}

void lpss_write(struct lpss *lpss, struct uart *uart, uint64_t offset, unsigned size,
                uint64_t value)
{
    if (size != 4 || offset % 4)
        return;
    if (offset < UART_BYTES && is_running(lpss)) {
        uart_write(uart, (unsigned)offset / 4, (uint8_t)value);
    } else if (offset == CLOCKS) {
        write_clocks(lpss, uart, (uint32_t)value);
    } else if (offset == RESETS) {
        lpss->set.resets = (uint32_t)value & RESETS_KEPT;
        if (!is_running(lpss))
            uart_reset(uart);
    }
}

static void report(const char *what, unsigned was, unsigned is, FILE *out)
{
    if (was != is)
        fprintf(out, "rig: the LPSS: %s held 0x%x and is left with 0x%x\n", what, was, is);
}

void lpss_report(const struct lpss *lpss, FILE *out)
{
    report("CLOCKS", lpss->found.clocks, lpss->set.clocks, out);
    report("the divider", lpss->found.ratio, lpss->set.ratio, out);
    report("RESETS", lpss->found.resets, lpss->set.resets, out);
}
