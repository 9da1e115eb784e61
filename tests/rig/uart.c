/* The register file of a 16550A, as "PC16550D Universal Asynchronous Receiver/Transmitter with
 * FIFOs" describes it. The transmitter is infinitely fast: LSR always says empty. */
#include "uart.h"

#include <stdbool.h>
#include <string.h>

#define LCR_DLAB        0x80u
#define LSR_THRE_TEMT   0x60u
#define LSR_DATA_READY  0x01u
#define MCR_LOOP        0x10u
#define MSR_CTS_DSR_DCD 0xb0u
#define FCR_ENABLE      0x01u
#define IIR_NONE        0x01u
#define IIR_THRE        0x02u
#define IIR_FIFOS       0xc0u
#define IER_THRE        0x02u
#define GARBLED_BIT     0x04u

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

void uart_new(struct uart *uart, FILE *out, enum serial_fault fault)
{
    memset(uart, 0, sizeof *uart);
    uart->out = out;
    uart->fault = fault;
    uart->divisor = 12; /* 9600 baud, what firmware leaves behind */
    uart->line_control = 0x03;
}

static uint8_t modem_status(const struct uart *uart)
{
    unsigned mcr = uart->modem_control;

    if (!(mcr & MCR_LOOP))
        return MSR_CTS_DSR_DCD;
    /* In loop-back RTS feeds CTS, DTR feeds DSR, OUT1 feeds RI and OUT2 feeds DCD. */
    return (uint8_t)((mcr & 0x02) << 3 | (mcr & 0x01) << 5 | (mcr & 0x0c) << 4);
}

uint8_t uart_read(struct uart *uart, unsigned offset)
{
    bool latch = uart->line_control & LCR_DLAB;

    switch ((enum uart_register)offset) {
    case DATA:
        if (latch)
            return (uint8_t)uart->divisor;
        uart->looped_ready = 0;
        return uart->looped;
    case INTERRUPT:
        return latch ? (uint8_t)(uart->divisor >> 8) : uart->interrupt_enable;
    case FIFO:
        return (uint8_t)((uart->interrupt_enable & IER_THRE ? IIR_THRE : IIR_NONE) |
                         (uart->fifo_control & FCR_ENABLE ? IIR_FIFOS : 0));
    case LINE_CONTROL:
        return uart->line_control;
    case MODEM_CONTROL:
        return uart->modem_control;
    case LINE_STATUS:
        return (uint8_t)(LSR_THRE_TEMT | (uart->looped_ready ? LSR_DATA_READY : 0));
    case MODEM_STATUS:
        return modem_status(uart);
    case SCRATCH:
        return uart->scratch;
    }
    return 0xff;
}

/* Onto the line, which may be a bad one. */
static void transmit(struct uart *uart, uint8_t value)
{
    bool hit = uart->fault != SERIAL_SOUND && ++uart->sent % SERIAL_FAULT_EVERY == 0;

    if (!uart->out || (hit && uart->fault == SERIAL_DROP))
        return;
    fputc(hit ? value ^ GARBLED_BIT : value, uart->out);
}

static void send(struct uart *uart, uint8_t value)
{
    if (uart->modem_control & MCR_LOOP) {
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
        else
            uart->interrupt_enable = value & 0x0f;
        break;
    case FIFO:
        uart->fifo_control = value;
        break;
    case LINE_CONTROL:
        uart->line_control = value;
        break;
    case MODEM_CONTROL:
        uart->modem_control = value & 0x1f;
        break;
    case LINE_STATUS:
    case MODEM_STATUS:
        break; /* read only */
    case SCRATCH:
        uart->scratch = value;
        break;
    }
}
