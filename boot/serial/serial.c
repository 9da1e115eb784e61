#include "serial.h"

#include "boot/clock.h"
#include "boot/cpu.h"

/* Registers of the 16550; with DLAB set the first two are the divisor. */
enum {
    UART_DATA = 0,
    UART_IER = 1,
    UART_FCR = 2, /* written */
    UART_IIR = 2, /* read */
    UART_LCR = 3,
    UART_MCR = 4,
    UART_LSR = 5,
    UART_MSR = 6,
    UART_SCRATCH = 7,
};
#define FCR_ENABLE_CLEAR 0x07
#define IIR_FIFO         0xc0
#define LCR_8N1          0x03
#define LCR_DLAB         0x80
#define MCR_DTR_RTS      0x03
#define MCR_LOOP         0x10
#define LSR_THRE         0x20 /* room in the transmitter: the whole FIFO when there is one */
#define LSR_TEMT         0x40 /* the last bit is out */
#define MSR_HEARD        0xb0 /* CTS, DSR, DCD */
#define NOBODY           0xff

#define USUAL_BAUD 115200u
#define FIFO_DEPTH 16u

/* What the registers held before they were written. */
struct found {
    uint32_t divisor;
    uint8_t interrupts, line, modem;
    bool fifo; /* the FIFO is on; if it is, how it is set up cannot be read */
};

static struct {
    struct serial_place place;
    struct found found;
    unsigned depth; /* characters that an empty transmitter takes */
    unsigned room;  /* characters that it still takes */
    uint32_t baud, divisor;
    uint64_t timeout_us; /* a full transmitter of a line that works has room again within this */
    bool alive, hears;
    bool gone; /* the registers read FFH since they were set up: nobody decoded their addresses */
    bool changed; /* `found` is to be put back */
} self;

static volatile void *register_at(unsigned reg)
{
    return (volatile void *)(uintptr_t)(self.place.address + reg * self.place.stride);
}

static uint8_t in(unsigned reg)
{
    if (!self.place.memory)
        return port_in((uint16_t)(self.place.address + reg));
    switch (self.place.width) {
    case 1:
        return *(volatile uint8_t *)register_at(reg);
    case 2:
        return (uint8_t) * (volatile uint16_t *)register_at(reg);
    default:
        return (uint8_t) * (volatile uint32_t *)register_at(reg);
    }
}

static void out(unsigned reg, uint8_t value)
{
    if (!self.place.memory)
        port_out((uint16_t)(self.place.address + reg), value);
    else if (self.place.width == 1)
        *(volatile uint8_t *)register_at(reg) = value;
    else if (self.place.width == 2)
        *(volatile uint16_t *)register_at(reg) = value;
    else
        *(volatile uint32_t *)register_at(reg) = value;
}

/* FFH has every bit of the status, but no UART has all of them at once: it is what nobody answers.
 */
static bool shows(uint8_t status)
{
    const uint8_t value = in(UART_LSR);

    self.gone |= value == NOBODY && in(UART_LCR) == NOBODY;
    return value != NOBODY && (value & status) != 0;
}

static bool wait_for(uint8_t status, uint64_t microseconds)
{
    struct deadline deadline;

    if (shows(status))
        return true;
    deadline = clock_deadline(microseconds);
    while (!clock_passed(&deadline)) {
        if (shows(status))
            return true;
        pause();
    }
    return shows(status);
}

/* What can be said without a write: something answers, and its transmitter is empty, as it is long
 * after the firmware's last character. */
static bool may_be_there(void)
{
    return in(UART_LSR) != NOBODY && wait_for(LSR_TEMT, self.timeout_us);
}

static bool has_scratch(void)
{
    const uint8_t scratch = in(UART_SCRATCH);
    bool keeps;

    out(UART_SCRATCH, 0x5a);
    keeps = in(UART_SCRATCH) == 0x5a;
    if (keeps) {
        out(UART_SCRATCH, 0xa5);
        keeps = in(UART_SCRATCH) == 0xa5;
    }
    out(UART_SCRATCH, scratch);
    return keeps;
}

/* Whether there is a UART: it has a scratch register, or its modem outputs come back as inputs in
 * loop mode (8250s have no scratch register). */
static bool is_there(void)
{
    uint8_t modem, status;

    if (has_scratch())
        return true;
    modem = in(UART_MCR);
    out(UART_MCR, MCR_LOOP | 0x0a); /* RTS and OUT2 come back as CTS and DCD */
    status = in(UART_MSR)&0xf0;
    out(UART_MCR, modem);
    return status == 0x90;
}

static uint32_t read_divisor(void)
{
    return in(UART_DATA) | (uint32_t)in(UART_IER) << 8;
}

static void write_divisor(uint32_t divisor)
{
    out(UART_DATA, (uint8_t)divisor);
    out(UART_IER, (uint8_t)(divisor >> 8));
}

/* Leaves the divisor's latch open. */
static void remember(struct found *found)
{
    found->line = in(UART_LCR);
    out(UART_LCR, LCR_8N1);
    found->interrupts = in(UART_IER);
    found->modem = in(UART_MCR);
    found->fifo = in(UART_IIR)&IIR_FIFO;
    out(UART_LCR, LCR_DLAB | LCR_8N1);
    found->divisor = read_divisor();
}

/* Sets the wanted rate, if the clock is known; gives the rate, 0 when it is not known. The latch is
 * open. */
static uint32_t set_rate(const struct serial_rate *rate)
{
    uint32_t divisor = self.found.divisor, clock = self.place.clock_hz / 16, wanted = rate->wanted;

    if (!clock && (uint64_t)rate->firmware * divisor <= UINT32_MAX)
        clock = rate->firmware * divisor;
    if (!divisor && !wanted)
        wanted = USUAL_BAUD;
    if (clock && wanted) {
        divisor = (clock + wanted / 2) / wanted;
        divisor = divisor > UINT16_MAX ? UINT16_MAX : divisor ? divisor : 1;
        write_divisor(divisor);
    }
    self.divisor = divisor;
    return divisor ? clock / divisor : 0;
}

static void set_line(bool fifo)
{
    out(UART_LCR, LCR_8N1);
    out(UART_IER, 0);
    if (!fifo)
        out(UART_FCR, FCR_ENABLE_CLEAR);
    out(UART_MCR, MCR_DTR_RTS);
    self.depth = (in(UART_IIR)&IIR_FIFO) == IIR_FIFO ? FIFO_DEPTH : 1;
    self.room = 0;
}

/* A UART that was gone may have been reset meanwhile. */
static void set_up_again(void)
{
    self.gone = false;
    out(UART_LCR, LCR_DLAB | LCR_8N1);
    write_divisor(self.divisor);
    set_line(in(UART_IIR)&IIR_FIFO);
}

bool serial_start(const struct serial_place *place, const struct serial_rate *rate)
{
    self.place = *place;
    self.alive = self.hears = self.changed = self.gone = false;
    self.timeout_us = 200000;
    /* A new divisor or a cleared FIFO must not cut the firmware's last characters, so the
     * transmitter is empty first. */
    if (!may_be_there() || !is_there())
        return false;

    self.changed = true;
    remember(&self.found);
    self.baud = set_rate(rate);
    set_line(self.found.fifo);
    self.hears = in(UART_MSR)&MSR_HEARD;
    self.gone = false;
    /* A full FIFO of 10-bit characters takes 160 bit times; four times that, and 50 ms for a
     * busy emulator. A rate that is not known is taken for 9600. */
    self.timeout_us = 4 * 10 * FIFO_DEPTH * 1000000ull / (self.baud ? self.baud : 9600) + 50000;
    self.alive = true;
    return true;
}

void serial_end(void)
{
    if (!self.changed)
        return;
    serial_drain(self.timeout_us);
    self.alive = self.changed = false;
    if (!self.found.fifo)
        out(UART_FCR, 0);
    out(UART_LCR, LCR_DLAB | LCR_8N1);
    write_divisor(self.found.divisor);
    out(UART_LCR, LCR_8N1);
    out(UART_IER, self.found.interrupts);
    out(UART_MCR, self.found.modem);
    out(UART_LCR, self.found.line);
}

uint32_t serial_baud(void)
{
    return self.baud;
}

bool serial_hears(void)
{
    return self.hears;
}

static void put(const char *text, size_t length)
{
    if (!self.place.memory)
        port_out_string((uint16_t)self.place.address, text, length);
    else
        for (size_t i = 0; i < length; i++)
            out(UART_DATA, (uint8_t)text[i]);
}

/* Whether an empty transmitter has room, within that time. */
static bool find_room(uint64_t microseconds)
{
    if (!wait_for(LSR_THRE, microseconds))
        return false;
    if (self.gone)
        set_up_again();
    self.room = self.depth;
    return true;
}

/* As many characters at a time as the transmitter takes. A transmitter that reports room is empty;
 * the room that one call leaves is kept for the next one. */
size_t serial_send(const char *text, size_t length, uint64_t patience_us)
{
    size_t sent = 0;

    while (self.alive && sent < length && (self.room > 0 || find_room(patience_us))) {
        const size_t left = length - sent, piece = left < self.room ? left : self.room;

        put(text + sent, piece);
        sent += piece;
        self.room -= (unsigned)piece;
    }
    return sent;
}

uint64_t serial_timeout_us(void)
{
    return self.timeout_us;
}

const char *serial_trouble(void)
{
    return in(UART_LSR) == NOBODY && in(UART_LCR) == NOBODY
               ? "the serial line's registers read FFH: nobody answers there any more"
               : "the serial line takes no more characters";
}

bool serial_drain(uint64_t patience_us)
{
    return self.alive && wait_for(LSR_TEMT, patience_us);
}
