#include "serial.h"

#include "clock.h"
#include "cpu.h"

/* Registers of the 16550, from its port; with DLAB set the first two are the divisor. */
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

#define CLOCK_BAUD 115200u /* with a divisor of 1 */
#define FIFO_DEPTH 16u

static struct {
    uint16_t port;
    unsigned depth; /* characters that an empty transmitter takes */
    unsigned room;  /* characters that it still takes */
    uint32_t baud;
    uint64_t timeout_us; /* a full transmitter must have room again within this time */
    bool alive;
} self;

static uint8_t in(unsigned reg)
{
    return port_in((uint16_t)(self.port + reg));
}

static void out(unsigned reg, uint8_t value)
{
    port_out((uint16_t)(self.port + reg), value);
}

static bool wait_for(uint8_t status)
{
    uint64_t deadline;

    if (in(UART_LSR)&status)
        return true;
    deadline = clock_deadline(self.timeout_us);
    while (!clock_passed(deadline)) {
        if (in(UART_LSR)&status)
            return true;
        pause();
    }
    return (in(UART_LSR)&status) != 0;
}

/* Whether there is a UART: it has a scratch register, or its modem outputs come back as inputs in
 * loop mode (8250s have no scratch register). */
static bool is_there(void)
{
    uint8_t modem, status;

    if (in(UART_LSR) == 0xff)
        return false;
    out(UART_SCRATCH, 0x5a);
    if (in(UART_SCRATCH) == 0x5a) {
        out(UART_SCRATCH, 0xa5);
        if (in(UART_SCRATCH) == 0xa5)
            return true;
    }
    modem = in(UART_MCR);
    out(UART_MCR, MCR_LOOP | 0x0a); /* RTS and OUT2 come back as CTS and DCD */
    status = in(UART_MSR)&0xf0;
    out(UART_MCR, modem);
    return status == 0x90;
}

static uint32_t set_baud(uint32_t baud)
{
    uint32_t divisor;

    out(UART_LCR, LCR_DLAB | LCR_8N1);
    divisor = in(UART_DATA) | (uint32_t)in(UART_IER) << 8;
    if (baud || !divisor) {
        divisor = baud && baud < CLOCK_BAUD ? (CLOCK_BAUD + baud / 2) / baud : 1;
        divisor = divisor > UINT16_MAX ? UINT16_MAX : divisor;
        out(UART_DATA, (uint8_t)divisor);
        out(UART_IER, (uint8_t)(divisor >> 8));
    }
    out(UART_LCR, LCR_8N1);
    return CLOCK_BAUD / divisor;
}

bool serial_start(uint16_t port, uint32_t baud)
{
    self.port = port;
    self.alive = false;
    if (!is_there())
        return false;

    self.timeout_us = 200000;
    /* A new divisor or a cleared FIFO must not cut the firmware's last characters. */
    wait_for(LSR_TEMT);
    out(UART_IER, 0);
    self.baud = set_baud(baud);
    out(UART_FCR, FCR_ENABLE_CLEAR);
    out(UART_MCR, MCR_DTR_RTS);
    self.depth = (in(UART_IIR)&IIR_FIFO) == IIR_FIFO ? FIFO_DEPTH : 1;
    self.room = 0;
    /* A full FIFO of 10-bit characters takes 160 bit times; four times that, and 50 ms for a
     * busy emulator. */
    self.timeout_us = 4 * 10 * FIFO_DEPTH * 1000000ull / (self.baud ? self.baud : 1) + 50000;
    self.alive = true;
    return true;
}

uint32_t serial_baud(void)
{
    return self.baud;
}

/* Sends as many characters at a time as the transmitter takes. A transmitter that reports room is
 * empty; the room that one line leaves is kept for the next line. */
static bool send_plain(const char *text, size_t length)
{
    const uint16_t port = self.port;
    size_t room = self.room;

    while (length) {
        size_t piece;

        if (!room) {
            self.alive = port_in(port + UART_LSR) & LSR_THRE || wait_for(LSR_THRE);
            if (!self.alive)
                break;
            room = self.depth;
        }
        piece = length < room ? length : room;
        port_out_string(port, text, piece);
        text += piece;
        length -= piece;
        room -= piece;
    }
    self.room = (unsigned)room;
    return self.alive;
}

bool serial_send(const char *line, size_t length)
{
    return self.alive && send_plain(line, length) && send_plain("\r\n", 2);
}

void serial_drain(void)
{
    if (self.alive)
        wait_for(LSR_TEMT);
}
