/* The register file of a 16550A, as "PC16550D Universal Asynchronous Receiver/Transmitter with
 * FIFOs" describes it. Unless the line is paced, the transmitter's FIFO is infinitely fast, and
 * always empty; the last byte is on its way out until the line status said so once, and was read
 * again. */
#include "uart.h"

#include <string.h>

#define LCR_8_BITS      0x03u
#define LCR_EVEN        0x18u
#define LCR_DLAB        0x80u
#define LSR_THRE        0x20u
#define LSR_TEMT        0x40u
#define LSR_DATA_READY  0x01u
#define LSR_OVERRUN     0x02u
#define MCR_DTR         0x01u
#define MCR_RTS         0x02u
#define MCR_OUT2        0x08u
#define MCR_LOOP        0x10u
#define MSR_RING        0x40u
#define MSR_CTS_DSR_DCD 0xb0u
#define FCR_ENABLE      0x01u
#define FCR_CLEAR_SENT  0x04u /* empties the transmitter's FIFO, not its shift register */
#define FCR_TRIGGER     0x80u /* the receiver's interrupt at 8 bytes */
#define FCR_KEPT        0xc9u /* the bits that do not clear themselves */
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

#define PERIODS_PER_BIT    16u /* of the clock, with a divisor of 1 */
#define BITS_PER_CHARACTER 10u /* a start bit, eight of data, a stop bit */

/* A receiver samples in the middle of a bit, and the tenth bit of a character must still be met: at
 * most half a bit in ten. */
#define RATE_TOLERANCE 20u /* one in so many */

/* What somebody left in a UART that the firmware does not use: each register has a value that
 * nobody else would give it. The divisor makes 9600 baud on a PC, a rate that nobody meant. Without
 * OUT2 the interrupt does not leave the UART. */
static const struct uart_settings unused = {.divisor = 12,
                                            .interrupt_enable = IER_DATA,
                                            .line_control = LCR_8_BITS | LCR_EVEN,
                                            .modem_control = 0,
                                            .scratch = 0x3c};

void uart_new(struct uart *uart, FILE *out, enum serial_fault fault, uint32_t clock_hz, bool wired)
{
    memset(uart, 0, sizeof(*uart));
    uart->out = out;
    uart->fault = fault;
    uart->clock_hz = clock_hz;
    uart->wired = wired;
    uart->set = uart->found = unused;
    uart->emptied = true;
    uart->modem_seen = wired ? MSR_CTS_DSR_DCD : 0;
}

void uart_use(struct uart *uart)
{
    uart->found.divisor = (uint16_t)((uart->clock_hz / 16 + TERMINAL_RATE / 2) / TERMINAL_RATE);
    uart->found.fifo_control = FCR_ENABLE | FCR_TRIGGER;
    uart->found.modem_control = MCR_DTR | MCR_RTS;
    uart->found.line_control = LCR_8_BITS;
    uart->found.interrupt_enable = 0;
    uart->set = uart->found;
}

static void report(const char *name, const char *what, unsigned was, unsigned is, FILE *out)
{
    if (was != is)
        fprintf(out, "rig: %s: %s held 0x%x and is left with 0x%x\n", name, what, was, is);
}

void uart_report(const struct uart *uart, const char *name, FILE *out)
{
    const struct uart_settings *was = &uart->found, *is = &uart->set;

    report(name, "the divisor", was->divisor, is->divisor, out);
    report(name, "IER", was->interrupt_enable, is->interrupt_enable, out);
    report(name, "FCR", was->fifo_control, is->fifo_control, out);
    report(name, "LCR", was->line_control, is->line_control, out);
    report(name, "MCR", was->modem_control, is->modem_control, out);
    report(name, "SCR", was->scratch, is->scratch, out);
}

static bool is_understood(const struct uart *uart)
{
    const uint32_t divisor = uart->set.divisor ? uart->set.divisor : 1,
                   rate = uart->clock_hz / 16 / divisor;
    const uint32_t off = rate > TERMINAL_RATE ? rate - TERMINAL_RATE : TERMINAL_RATE - rate;

    return off <= TERMINAL_RATE / RATE_TOLERANCE;
}

static uint8_t modem_status(const struct uart *uart)
{
    unsigned mcr = uart->set.modem_control;

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

/* The divisor and the scratch register are undefined then: zeros are a guess. */
void uart_reset(struct uart *uart)
{
    uart->shifting = uart->seen = false;
    uart->waiting_count = 0;
    uart->set = (struct uart_settings){0};
    uart->looped_ready = 0;
    uart->overrun = false;
    uart->emptied = true;
    look_at_modem(uart);
}

/* "Interrupt Identification Register": the most urgent source that is enabled. */
static unsigned source(const struct uart *uart)
{
    unsigned enabled = uart->set.interrupt_enable;

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
    return uart->set.modem_control & MCR_OUT2 && source(uart) != IIR_NONE;
}

static uint8_t identify(struct uart *uart)
{
    unsigned what = source(uart);

    if (what == IIR_THRE) /* the read ends this interrupt */
        uart->emptied = false;
    return (uint8_t)(what | (uart->set.fifo_control & FCR_ENABLE ? IIR_FIFOS : 0));
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

void uart_end(struct uart *uart)
{
    if (uart->shifting)
        transmit(uart, uart->shifted);
    uart->shifting = uart->seen = false;
}

static uint64_t character_periods(const struct uart *uart)
{
    return (uint64_t)PERIODS_PER_BIT * BITS_PER_CHARACTER *
           (uart->set.divisor ? uart->set.divisor : 1);
}

void uart_turn(struct uart *uart, uint64_t now)
{
    while (uart->waiting_count > 0 && uart->out_at <= now) {
        transmit(uart, uart->waiting[0]);
        uart->waiting_count--;
        memmove(uart->waiting, uart->waiting + 1, uart->waiting_count);
        uart->out_at += character_periods(uart);
        uart->emptied |= uart->waiting_count <= 1;
    }
    uart->now = now > uart->now ? now : uart->now; /* cores' clocks differ a little */
}

/* ---- faults on demand: of the next byte, which is not yet counted ---- */

static struct fault_request *trouble(const struct uart *uart, enum act act)
{
    struct fault_request *request = NULL;

    if (uart->points == NULL || uart->points->count == 0)
        return NULL;
    do
        request = fault_at(uart->points, POINT_BYTE, uart->points->seen[POINT_BYTE] + 1, request);
    while (request != NULL && request->row->act != act);
    if (request != NULL)
        fault_happened(request, true, 0, 0, "byte %llu",
                       (unsigned long long)uart->points->seen[POINT_BYTE] + 1);
    return request;
}

static bool is_stalled(const struct uart *uart)
{
    return uart->clock < uart->stalled;
}

static bool is_ready(const struct uart *uart)
{
    return trouble(uart, ACT_UART_NEVER) == NULL && !is_stalled(uart);
}

static unsigned fifo_depth(const struct uart *uart)
{
    return uart->set.fifo_control & FCR_ENABLE ? UART_FIFO : 1;
}

/* Whoever saw an empty FIFO may fill it, also when it stalls meanwhile. */
static bool takes_byte(struct uart *uart)
{
    if (is_ready(uart))
        return true;
    return trouble(uart, ACT_UART_NEVER) == NULL && uart->held++ < fifo_depth(uart);
}

/* A number of 0 to `below` - 1: xorshift64 of G. Marsaglia, "Xorshift RNGs", 2003, over the seed
 * that a multiplication has scattered. */
static uint64_t random_below(struct uart *uart, uint64_t seed, uint64_t below)
{
    uint64_t value = uart->chance ? uart->chance : seed * UINT64_C(0x9e3779b97f4a7c15);

    value ^= value << 13;
    value ^= value >> 7;
    value ^= value << 17;
    uart->chance = value;
    return value % below;
}

/* Milliseconds that it stalls behind the byte; 0: it does not. By chance the distance from one
 * stall to the next is `every` bytes in the mean. */
static uint64_t stall_ms(struct uart *uart, const struct fault_request *request, uint64_t sent)
{
    const bool due = request->seed ? sent == uart->stalls_at : sent % request->every == 0;

    if (request->seed && (due || !uart->stalls_at))
        uart->stalls_at = sent + 1 + random_below(uart, request->seed, 2 * request->every - 1);
    if (!due || !request->seed)
        return due ? request->ms : 0;
    return request->ms + random_below(uart, request->seed, request->ms_most - request->ms + 1);
}

static void count(struct uart *uart)
{
    struct fault_request *request;
    uint64_t sent, ms;

    if (uart->points == NULL)
        return;
    sent = point_pass(uart->points, POINT_BYTE);
    request = fault_with(uart->points, ACT_UART_STALL);
    ms = request != NULL ? stall_ms(uart, request, sent) : 0;
    if (ms == 0)
        return;
    uart->stalled = uart->clock + ms * request->ticks_a_ms;
    uart->held = 0;
    fault_happened(request, true, 0, 0, "behind byte %llu", (unsigned long long)sent);
}

/* The transmitter's bits: the FIFO is empty when at most the shift register is full. */
static unsigned transmitter_status(struct uart *uart)
{
    unsigned status = LSR_THRE;

    if (uart->paced)
        return (uart->waiting_count <= 1 ? LSR_THRE : 0) |
               (uart->waiting_count == 0 ? LSR_TEMT : 0);
    if (!uart->shifting || uart->seen) {
        status |= LSR_TEMT;
        uart_end(uart);
    }
    uart->seen = uart->shifting;
    return status;
}

static uint8_t line_status(struct uart *uart)
{
    const unsigned sends = is_ready(uart) ? transmitter_status(uart) : 0;
    unsigned status =
        sends | (uart->looped_ready ? LSR_DATA_READY : 0) | (uart->overrun ? LSR_OVERRUN : 0);

    uart->overrun = false;
    return (uint8_t)status;
}

uint8_t uart_read(struct uart *uart, unsigned offset)
{
    bool latch = uart->set.line_control & LCR_DLAB;
    uint8_t changed;

    if (trouble(uart, ACT_UART_ONES) != NULL)
        return 0xff;
    switch ((enum uart_register)offset) {
    case DATA:
        if (latch)
            return (uint8_t)uart->set.divisor;
        uart->looped_ready = 0;
        return uart->looped;
    case INTERRUPT:
        return latch ? (uint8_t)(uart->set.divisor >> 8) : uart->set.interrupt_enable;
    case FIFO:
        return identify(uart);
    case LINE_CONTROL:
        return uart->set.line_control;
    case MODEM_CONTROL:
        return uart->set.modem_control;
    case LINE_STATUS:
        return line_status(uart);
    case MODEM_STATUS:
        changed = uart->modem_changed;
        uart->modem_changed = 0;
        return modem_status(uart) | changed;
    case SCRATCH:
        return uart->set.scratch;
    }
    return 0xff;
}

/* Without FIFOs there is a holding register in front of the shift register. */
static void send_paced(struct uart *uart, uint8_t value)
{
    uart->emptied = uart->waiting_count == 0;
    if (uart->waiting_count > fifo_depth(uart))
        return; /* lost */
    if (uart->waiting_count == 0)
        uart->out_at = uart->now + character_periods(uart);
    uart->waiting[uart->waiting_count++] = value;
}

static void send(struct uart *uart, uint8_t value)
{
    bool taken;

    uart->emptied = true; /* unless paced, the transmitter is infinitely fast */
    if (uart->set.modem_control & MCR_LOOP) {
        uart->overrun |= uart->looped_ready;
        uart->looped = value;
        uart->looped_ready = 1;
        return;
    }
    taken = takes_byte(uart);
    count(uart);
    if (!taken) /* lost */
        return;
    if (uart->paced) {
        send_paced(uart, value);
        return;
    }
    uart_end(uart);
    uart->shifted = value;
    uart->shifting = true;
}

/* "FIFO Control Register": bits 1 and 2 clear themselves; the others are programmed only while bit
 * 0 is written as 1. */
static void write_fifo(struct uart *uart, uint8_t value)
{
    const bool switched = (value ^ uart->set.fifo_control) & FCR_ENABLE;

    if (switched || value & FCR_CLEAR_SENT)
        uart->waiting_count = uart->waiting_count > 0;
    if (value & FCR_ENABLE)
        uart->set.fifo_control = value & FCR_KEPT;
    else
        uart->set.fifo_control &= (uint8_t)~FCR_ENABLE;
}

void uart_write(struct uart *uart, unsigned offset, uint8_t value)
{
    bool latch = uart->set.line_control & LCR_DLAB;

    if (trouble(uart, ACT_UART_ONES) != NULL)
        return;
    switch ((enum uart_register)offset) {
    case DATA:
        if (latch)
            uart->set.divisor = (uint16_t)((uart->set.divisor & 0xff00) | value);
        else
            send(uart, value);
        break;
    case INTERRUPT:
        if (latch)
            uart->set.divisor = (uint16_t)((uart->set.divisor & 0x00ff) | value << 8);
        else {
            /* Enabling the transmitter's interrupt raises it at once. */
            uart->emptied |= value & ~uart->set.interrupt_enable & IER_THRE;
            uart->set.interrupt_enable = value & 0x0f;
        }
        break;
    case FIFO:
        write_fifo(uart, value);
        break;
    case LINE_CONTROL:
        uart->set.line_control = value;
        break;
    case MODEM_CONTROL:
        uart->set.modem_control = value & 0x1f;
        look_at_modem(uart);
        break;
    case LINE_STATUS:
    case MODEM_STATUS:
        break; /* read only */
    case SCRATCH:
        uart->set.scratch = value;
        break;
    }
}
