/* The serial line, on the host, too: a 16550 behind I/O ports or in memory, 8 data bits, no parity,
 * 1 stop bit, no flow control. "PC16550D Universal Asynchronous Receiver/Transmitter with FIFOs".
 */
#ifndef BOOT_SERIAL_SERIAL_H
#define BOOT_SERIAL_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serial_place.h"

struct serial_rate {
    uint32_t wanted;   /* bits a second; 0: the UART keeps its divisor, or gets that of 115200 */
    uint32_t firmware; /* what the firmware says that it has set; 0: it does not say */
};

/* Looks for a UART and sets it up. The registers are first read, and written only if they can be
 * those of a UART. A clock that is unknown is concluded from the divisor that the firmware has set
 * and the rate that it states; without that the divisor stays. A FIFO that is on stays as it is,
 * since its setup can only be written. False: there is no UART, and nothing is changed. */
bool serial_start(const struct serial_place *place, const struct serial_rate *rate);
/* The rate of the UART, for people; 0: unknown. */
uint32_t serial_baud(void);
/* Whether CTS, DSR or DCD was set when the line was started: someone is at its other end. A cable
 * of three wires leaves all of them clear, so clear proves nothing. */
bool serial_hears(void);
/* Sends characters, and returns how many the transmitter took before it had no room for so many
 * microseconds; 0: it is looked at once. What it did not take may be sent later. A UART that nobody
 * answered for a while is set up again when it is back. */
size_t serial_send(const char *text, size_t length, uint64_t patience_us);
/* For how long a line that works has no room at most. */
uint64_t serial_timeout_us(void);
/* After serial_send took less: why, in words. */
const char *serial_trouble(void);
/* Waits until the last bit is out, but no longer. False: it is not. */
bool serial_drain(uint64_t patience_us);

/* Waits for no longer than a line that works takes, and puts every register back that serial_start
 * wrote. Nothing is sent from here on. */
void serial_end(void);

#endif
