/* The serial line: a 16550 behind I/O ports, 8 data bits, no parity, 1 stop bit, no flow
 * control. */
#ifndef BOOT_SERIAL_H
#define BOOT_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Looks for a UART at `port` and sets it up. baud 0: the divisor it has stays, 115200 when it
 * has none. */
bool serial_start(uint16_t port, uint32_t baud);
/* The rate it runs at, for people. */
uint32_t serial_baud(void);
/* Sends a line, which comes without its end, and CR LF. False once the transmitter was found stuck;
 * nothing is sent any more then. */
bool serial_send(const char *line, size_t length);
/* Waits until the last bit is out, within a deadline. */
void serial_drain(void);

#endif
