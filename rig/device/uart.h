/* A 16550A. Every byte sent goes to a host file, unless the line is faulty. When it leaves, the
 * divisor must make the rate of the terminal at its other end, or nonsense arrives. Nothing is
 * received except in loop-back mode.
 *
 * Bytes leave at once unless the line is paced. Then a byte takes its start bit, eight bits and its
 * stop bit, bytes that the FIFO has no room for are lost, and so is what has not left when the
 * machine ends. The interrupt for an empty transmitter is raised when a register is accessed, not
 * earlier. */
#ifndef RIG_DEVICE_UART_H
#define RIG_DEVICE_UART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "fault/point.h"

#define UART_PORT   0x3f8u /* COM1 */
#define UART_PORT_2 0x2f8u /* COM2 */
#define UART_PORT_3 0x3e8u /* COM3 */
#define UART_PORT_4 0x2e8u /* COM4 */

#define UART_PC_CLOCK 1843200u /* Hz, of the UARTs of a PC */
#define TERMINAL_RATE 115200u  /* bits a second */
#define UART_FIFO     16u      /* characters that the transmitter's FIFO takes */

/* What can be wrong with the line: one bit of one byte in SERIAL_FAULT_EVERY is inverted, or that
 * byte is lost. */
enum serial_fault { SERIAL_SOUND, SERIAL_GARBLE, SERIAL_DROP };
#define SERIAL_FAULT_EVERY 1999u

/* The registers that keep what is written. */
struct uart_settings {
    uint8_t interrupt_enable, fifo_control, line_control, modem_control, scratch;
    uint16_t divisor;
};

struct uart {
    FILE *out;
    uint32_t clock_hz;
    bool wired;                      /* the other end asserts CTS, DSR and DCD */
    struct uart_settings set, found; /* now, and as the firmware left them */
    uint8_t shifted;                 /* the byte on its way out, while `shifting` */
    bool shifting;
    bool seen;  /* and the line status said so once */
    bool paced; /* in place of these two: characters leave at the rate of the divisor */
    uint8_t waiting[UART_FIFO + 1]; /* the first is in the shift register */
    unsigned waiting_count;
    uint64_t now, out_at; /* periods of the clock: the last access; when the first is out */
    uint8_t looped;       /* the byte received in loop-back mode, while `looped_ready` */
    uint8_t looped_ready;
    bool overrun;       /* a received byte was lost because the byte before had not been read */
    bool emptied;       /* the holding register became empty, and no interrupt identified it yet */
    uint8_t modem_seen; /* the modem inputs at the last look at them */
    uint8_t modem_changed; /* the delta bits of the modem status */
    enum serial_fault fault;
    uint64_t sent;
    struct points *points; /* bytes are counted there, and some are to fail; or NULL */
    uint64_t clock;        /* with points: ticks, at the last access */
    uint64_t stalled;      /* until this tick the transmitter is not ready */
    uint64_t stalls_at;    /* where chance says when: behind this byte; 0: it has not said yet */
    uint64_t chance;       /* the state of its random numbers */
    unsigned held;         /* bytes that it took since then: it has room for those of its FIFO */
};

/* `out` may be NULL: what is sent is dropped. */
void uart_new(struct uart *uart, FILE *out, enum serial_fault fault, uint32_t clock_hz, bool wired);
/* All registers as after a reset: the manual's "Summary of Registers". A byte on its way is lost.
 */
void uart_reset(struct uart *uart);
/* What firmware does that uses the line as its console: sets the terminal's rate, switches FIFOs
 * and modem outputs on. */
void uart_use(struct uart *uart);
/* A line for each register of the UART `name` that does not hold what the firmware left. */
void uart_report(const struct uart *uart, const char *name, FILE *out);
uint8_t uart_read(struct uart *uart, unsigned offset); /* offset 0..7 */
void uart_write(struct uart *uart, unsigned offset, uint8_t value);
/* A paced line at `now`, periods of the UART's clock: what is out by then has left. */
void uart_turn(struct uart *uart, uint64_t now);
/* The run is over: what is on its way out leaves, unless the line is paced. */
void uart_end(struct uart *uart);
/* Whether the interrupt line is asserted. */
bool uart_asks(const struct uart *uart);

#endif
