/* PCI configuration space of random bytes, in which some functions are bridges and UARTs: the walk
 * comes to its end and looks at each function once, lists of capabilities end, and the registers of
 * a UART are within reach. */
#include <string.h>

#include "boot/pci/pci.h"
#include "boot/pci/pci_tco.h"
#include "boot/serial/pci_serial.h"
#include "tests/fuzz/fuzz.h"

#define FUNCTION_BYTES 256u
#define MOST_FUNCTIONS 24u
#define MOST_WHERE     (2u << 16) /* two segments */

static const uint8_t *bytes;
static unsigned count; /* functions in `bytes`, each with its place in front */
static uint8_t visited[MOST_WHERE / 8];

/* Four classes that are looked at closer, and any. */
static size_t make(uint64_t *state, char *input)
{
    static const uint32_t classes[] = {0x060400, 0x070002, 0x078000, 0x118000};
    const unsigned functions = random_below(state, MOST_FUNCTIONS);

    for (unsigned i = 0; i < functions; i++) {
        char *at = input + i * (FUNCTION_BYTES + 4);
        const unsigned kind = random_below(state, 5);

        for (unsigned j = 0; j < FUNCTION_BYTES + 4; j++)
            at[j] = (char)random_next(state);
        if (random_below(state, 4)) /* mostly on few buses, which bridges reach */
            at[1] = (char)random_below(state, 4);
        at[2] = (char)random_below(state, 2);
        if (kind < 4)
            for (unsigned j = 0; j < 3; j++)
                at[4 + 9 + j] = (char)(classes[kind] >> 8 * j);
        at[4 + 14] = (char)((kind == 0) | (random_below(state, 4) ? 0 : 0x80));
        at[4 + 0x19] = (char)random_below(state, 6);
        if (random_below(state, 2)) /* the last ports */
            memcpy(at + 4 + 0x10, (char[]){(char)(random_next(state) | 1), (char)0xff, 0, 0}, 4);
        memcpy(at + 4, "\x86\x80", 2);
        if (random_below(state, 2))
            memcpy(at + 6, "\x27\x9d", 2); /* a UART of an LPSS */
    }
    return functions * (FUNCTION_BYTES + 4);
}

const struct fuzz fuzz = {"PCI configuration spaces", 2000, 20261125,
                          MOST_FUNCTIONS *(FUNCTION_BYTES + 4), make};
unsigned fuzz_accepted;

uint32_t pci_read(uint32_t where, unsigned offset)
{
    uint32_t value;

    require(offset < FUNCTION_BYTES && offset % 4 == 0, "a register of 32 bits");
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *at = bytes + i * (FUNCTION_BYTES + 4);

        if ((at[0] | (uint32_t)at[1] << 8 | (at[2] & 1u) << 16) != where)
            continue;
        memcpy(&value, at + 4 + offset, 4);
        return value;
    }
    return PCI_NOBODY;
}

static bool look(void *context, uint32_t where)
{
    const unsigned capability = pci_capability(where, PCI_CAPABILITY_POWER);
    struct pci_uart uart;
    uint16_t tco;

    (void)context;
    require(where < MOST_WHERE && !(visited[where / 8] >> where % 8 & 1), "each function once");
    visited[where / 8] |= (uint8_t)(1u << where % 8);
    require(capability == 0 || (capability >= 0x40 && capability <= 0xfc), "a capability");
    if (pci_tco(where, &tco))
        require(tco != 0, "the timer's registers have a port");
    if (pci_serial(where, &uart) == PCI_SERIAL_UART) {
        fuzz_accepted++;
        require(uart.place.address != 0, "a UART has an address");
        require(uart.place.memory || uart.place.address <= 0xfff8, "eight ports");
        require(uart.place.width && uart.place.stride >= uart.place.width, "registers");
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static const struct pci_window windows[] = {
        {1ull << 32, 0, 0, 3}, {2ull << 32, 1, 0, 4}, {3ull << 32, 0, 0xf0, 0xff}};

    bytes = input;
    count = (unsigned)(size / (FUNCTION_BYTES + 4));
    memset(visited, 0, sizeof(visited));
    pci_set_windows(windows, 3);
    pci_walk(look, NULL);
    return 0;
}
