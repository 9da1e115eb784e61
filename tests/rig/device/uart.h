/* A 16550A. What is sent goes to the host file byte for byte, unless the line is faulty; nothing is
 * ever received but what is sent in loop-back. */
#ifndef RIG_UART_H
#define RIG_UART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "machine/fault.h"

#define UART_PORT   0x3f8u /* COM1 */
#define UART_PORT_2 0x2f8u /* COM2 */

struct uart {
    FILE *out;
    uint8_t interrupt_enable, fifo_control, line_control, modem_control, scratch;
    uint16_t divisor;
    uint8_t looped; /* a byte sent in loop-back mode waits here */
    uint8_t looped_ready;
    bool overrun; /* one was lost because nobody read it */
    bool emptied; /* the holding register became empty, and nobody has been told */
    uint8_t modem_seen, modem_changed; /* inputs when the modem status was last looked at */
    enum serial_fault fault;
    uint64_t sent;
};

/* `out` may be NULL: nobody listens. */
void uart_new(struct uart *uart, FILE *out, enum serial_fault fault);
uint8_t uart_read(struct uart *uart, unsigned offset); /* offset 0..7 */
void uart_write(struct uart *uart, unsigned offset, uint8_t value);
bool uart_asks(const struct uart *uart); /* its interrupt line */

#endif
