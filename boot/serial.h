/* The serial line: a 16550 behind I/O ports, 8 data bits, no parity, 1 stop bit, no flow
 * control. */
#ifndef BOOT_SERIAL_H
#define BOOT_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Looks for a UART at `port` and sets it up. baud 0: the UART keeps its divisor, or gets that of
 * 115200 when it has none. False: there is no UART. */
bool serial_start(uint16_t port, uint32_t baud);
/* The rate of the UART, for people. */
uint32_t serial_baud(void);
/* Sends `length` characters, then CR LF. False: the transmitter is stuck, and nothing will be sent
 * any more. */
bool serial_send(const char *line, size_t length);
/* Waits until the last bit is out, but no longer than a full transmitter takes. */
void serial_drain(void);

#endif
