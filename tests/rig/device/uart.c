/* The register file of a 16550A, as "PC16550D Universal Asynchronous Receiver/Transmitter with
 * FIFOs" describes it. The transmitter is infinitely fast: LSR always says empty. */
#include "uart.h"

#include <string.h>

#define LCR_DLAB        0x80u
#define LSR_THRE_TEMT   0x60u
#define LSR_DATA_READY  0x01u
#define LSR_OVERRUN     0x02u
#define MCR_OUT2        0x08u
#define MCR_LOOP        0x10u
#define MSR_RING        0x40u
#define MSR_CTS_DSR_DCD 0xb0u
#define FCR_ENABLE      0x01u
#define IIR_NONE        0x01u
#define IIR_MODEM       0x00u
#define IIR_THRE        0x02u
#define IIR_DATA        0x04u
#define IIR_LINE        0x06u
#define IIR_FIFOS       0xc0u
#define IER_DATA        0x01u
#define IER_THRE        0x02u
#define IER_LINE        0x04u
#define IER_MODEM       0x08u
#define GARBLED_BIT     0x04u
#define NONSENSE        0xffu /* what a terminal makes of a byte at another rate */

enum uart_register {
    DATA,
    INTERRUPT,
    FIFO,
    LINE_CONTROL,
    MODEM_CONTROL,
    LINE_STATUS,
    MODEM_STATUS,
    SCRATCH
};

/* A receiver samples in the middle of a bit, and the tenth bit of a character must still be met: at
 * most half a bit in ten. */
#define RATE_TOLERANCE 20u /* one in so many */

void uart_new(struct uart *uart, FILE *out, enum serial_fault fault, uint32_t clock_hz, bool wired)
{
    memset(uart, 0, sizeof(*uart));
    uart->out = out;
    uart->fault = fault;
    uart->clock_hz = clock_hz;
    uart->wired = wired;
    uart->divisor = 12; /* 9600 baud on a PC: a rate that nobody meant */
    uart->line_control = 0x03;
    uart->emptied = true;
    uart->modem_seen = wired ? MSR_CTS_DSR_DCD : 0;
}

void uart_set_rate(struct uart *uart)
{
    uart->divisor = (uint16_t)((uart->clock_hz / 16 + TERMINAL_RATE / 2) / TERMINAL_RATE);
}

static bool is_understood(const struct uart *uart)
{
    const uint32_t divisor = uart->divisor ? uart->divisor : 1,
                   rate = uart->clock_hz / 16 / divisor;
    const uint32_t off = rate > TERMINAL_RATE ? rate - TERMINAL_RATE : TERMINAL_RATE - rate;

    return off <= TERMINAL_RATE / RATE_TOLERANCE;
}

static uint8_t modem_status(const struct uart *uart)
{
    unsigned mcr = uart->modem_control;

    if (!(mcr & MCR_LOOP))
        return uart->wired ? MSR_CTS_DSR_DCD : 0;
    /* In loop-back RTS feeds CTS, DTR feeds DSR, OUT1 feeds RI and OUT2 feeds DCD. */
    return (uint8_t)((mcr & 0x02) << 3 | (mcr & 0x01) << 5 | (mcr & 0x0c) << 4);
}

/* Delta bits of CTS, DSR and DCD, and the trailing edge of RI. */
static void look_at_modem(struct uart *uart)
{
    unsigned now = modem_status(uart), was = uart->modem_seen, changed = now ^ was;

    if (!(was & MSR_RING) || now & MSR_RING)
        changed &= ~MSR_RING;
    uart->modem_changed |= (uint8_t)(changed >> 4);
    uart->modem_seen = (uint8_t)now;
}

/* "Interrupt Identification Register": the most urgent source that is enabled. */
static unsigned source(const struct uart *uart)
{
    unsigned enabled = uart->interrupt_enable;

    if (enabled & IER_LINE && uart->overrun)
        return IIR_LINE;
    if (enabled & IER_DATA && uart->looped_ready)
        return IIR_DATA;
    if (enabled & IER_THRE && uart->emptied)
        return IIR_THRE;
    return enabled & IER_MODEM && uart->modem_changed ? IIR_MODEM : IIR_NONE;
}

/* On a PC, OUT2 gates the interrupt pin. */
bool uart_asks(const struct uart *uart)
{
    return uart->modem_control & MCR_OUT2 && source(uart) != IIR_NONE;
}

static uint8_t identify(struct uart *uart)
{
    unsigned what = source(uart);

    if (what == IIR_THRE) /* the read ends this interrupt */
        uart->emptied = false;
    return (uint8_t)(what | (uart->fifo_control & FCR_ENABLE ? IIR_FIFOS : 0));
}

static uint8_t line_status(struct uart *uart)
{
    unsigned status = LSR_THRE_TEMT | (uart->looped_ready ? LSR_DATA_READY : 0) |
                      (uart->overrun ? LSR_OVERRUN : 0);

    uart->overrun = false;
    return (uint8_t)status;
}

uint8_t uart_read(struct uart *uart, unsigned offset)
{
    bool latch = uart->line_control & LCR_DLAB;
    uint8_t changed;

    switch ((enum uart_register)offset) {
    case DATA:
        if (latch)
            return (uint8_t)uart->divisor;
        uart->looped_ready = 0;
        return uart->looped;
    case INTERRUPT:
        return latch ? (uint8_t)(uart->divisor >> 8) : uart->interrupt_enable;
    case FIFO:
        return identify(uart);
    case LINE_CONTROL:
        return uart->line_control;
    case MODEM_CONTROL:
        return uart->modem_control;
    case LINE_STATUS:
        return line_status(uart);
    case MODEM_STATUS:
        changed = uart->modem_changed;
        uart->modem_changed = 0;
        return modem_status(uart) | changed;
    case SCRATCH:
        return uart->scratch;
    }
    return 0xff;
}

static void transmit(struct uart *uart, uint8_t value)
{
    bool hit = uart->fault != SERIAL_SOUND && ++uart->sent % SERIAL_FAULT_EVERY == 0;

    if (uart->out == NULL || (hit && uart->fault == SERIAL_DROP))
        return;
    if (!is_understood(uart))
        value = NONSENSE;
    fputc(hit ? value ^ GARBLED_BIT : value, uart->out);
}

static void send(struct uart *uart, uint8_t value)
{
    uart->emptied = true; /* the transmitter is infinitely fast */
    if (uart->modem_control & MCR_LOOP) {
        uart->overrun |= uart->looped_ready;
        uart->looped = value;
        uart->looped_ready = 1;
    } else {
        transmit(uart, value);
    }
}

void uart_write(struct uart *uart, unsigned offset, uint8_t value)
{
    bool latch = uart->line_control & LCR_DLAB;

    switch ((enum uart_register)offset) {
    case DATA:
        if (latch)
            uart->divisor = (uint16_t)((uart->divisor & 0xff00) | value);
        else
            send(uart, value);
        break;
    case INTERRUPT:
        if (latch)
            uart->divisor = (uint16_t)((uart->divisor & 0x00ff) | value << 8);
        else {
            /* Enabling the transmitter's interrupt raises it at once. */
            uart->emptied |= value & ~uart->interrupt_enable & IER_THRE;
            uart->interrupt_enable = value & 0x0f;
        }
        break;
    case FIFO:
        uart->fifo_control = value;
        break;
    case LINE_CONTROL:
        uart->line_control = value;
        break;
    case MODEM_CONTROL:
        uart->modem_control = value & 0x1f;
        look_at_modem(uart);
        break;
    case LINE_STATUS:
    case MODEM_STATUS:
        break; /* read only */
    case SCRATCH:
        uart->scratch = value;
        break;
    }
}
