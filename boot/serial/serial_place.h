/* Where the eight registers of a UART are. */
#ifndef BOOT_SERIAL_SERIAL_PLACE_H
#define BOOT_SERIAL_SERIAL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#define SERIAL_REGISTERS 8u
/* Hz of a PC's UARTs: 115200 baud with a divisor of 1. */
#define SERIAL_PC_CLOCK 1843200u

struct serial_place {
    uint64_t address;  /* of the first register: an I/O port, or one in memory */
    uint32_t clock_hz; /* before the division by 16; 0: unknown */
    bool memory;       /* registers in memory, not behind I/O ports */
    uint8_t width;     /* bytes of an access: 1, 2 or 4; behind ports 1 */
    uint8_t stride;    /* bytes from one register to the next, at least `width` */
};

/* A UART of a PC, behind eight I/O ports from `port` on. */
static inline struct serial_place serial_place_port(uint16_t port)
{
    return (struct serial_place){
        .address = port, .clock_hz = SERIAL_PC_CLOCK, .width = 1, .stride = 1};
}

#endif
