/* A PCI function that becomes the serial line, and is as before at the end. The registers of the
 * LPSS are an array: offsets and bits are those of coreboot's and Linux's sources
 * (boot/serial/lpss.h). */
#include "tests/unit/boot/configuration_space.h"

#include "boot/serial/pci_line.h"
#include "tests/unit/seams.h"

#define WHERE   (30 << 3)
#define CONTROL (0x84 / 4)

static uint32_t memory[0x300 / 4];
static uint32_t *function;
static bool loses, sleeps_on;
static unsigned writes;

/* D0 to D3hot in bits 0 and 1 of 84H; without No_Soft_Reset the base addresses are lost. */
static bool play(uint32_t *registers, unsigned offset, uint32_t value)
{
    writes++;
    assert_true(offset != 0x04 || value <= 0xffff); /* ones clear what the status register says */
    assert_true(offset != 0x84 || !(value & 0x8000));
    if (offset == 0x84 && loses && registers[CONTROL] & 3 && !(value & 3))
        registers[4] = registers[5] = registers[1] = 0;
    if (offset == 0x84 && sleeps_on)
        return false;
    if (offset == 0x04) {
        registers[1] = (registers[1] & 0xffff0000) | value;
        return false;
    }
    return true;
}

static struct pci_uart setup(uint32_t power, uint32_t resets, uint32_t clocks)
{
    const uint64_t address = (uintptr_t)memory;

    memset(memory, 0, sizeof(memory));
    memory[0x200 / 4] = clocks;
    memory[0x204 / 4] = resets;
    memory[0x2fc / 4] = 0x10;
    count = writes = 0;
    on_write = play;
    loses = sleeps_on = false;
    function = add_at(WHERE, 0x9d278086, 0x118000);
    function[1] = 1u << 20;
    function[4] = (uint32_t)address;
    function[5] = (uint32_t)(address >> 32);
    function[0x34 / 4] = 0x80;
    function[0x80 / 4] = 0x0001;
    function[CONTROL] = power;
    seam_clock(0, 1000);
    return (struct pci_uart){.place = {.address = address, .memory = true}, .lpss_hz = 120000000};
}

/* 120 MHz * 48 / 3125 = 100 MHz * 288 / 15625 = 1843200 Hz */
static void the_lpss_gets_a_clock_and_leaves_its_reset(void **state)
{
    struct pci_uart uart = setup(0, 0, 0);
    struct pci_line_state line;

    (void)state;
    assert_int_equal(pci_line_start(&line, WHERE, &uart), PCI_LINE_OK);
    assert_int_equal(memory[0x200 / 4], 3125u << 16 | 48u << 1 | 1);
    assert_int_equal(memory[0x204 / 4], 3);
    assert_int_equal(function[1], 1u << 20 | 2);
    pci_line_end(&line);
    assert_int_equal(memory[0x200 / 4], 0);
    assert_int_equal(memory[0x204 / 4], 0);
    assert_int_equal(function[1], 1u << 20);
    uart = setup(0, 7, 0x80000001);
    function[1] |= 6;
    uart.lpss_hz = 100000000;
    assert_int_equal(pci_line_start(&line, WHERE, &uart), PCI_LINE_OK);
    assert_int_equal(memory[0x200 / 4], 15625u << 16 | 288u << 1 | 1);
    assert_int_equal(memory[0x204 / 4], 7);
    pci_line_end(&line);
    assert_int_equal(memory[0x200 / 4], 0x80000001);
    assert_int_equal(memory[0x204 / 4], 7);
    assert_int_equal(writes, 0);
}

static void a_function_that_sleeps_is_woken_and_sleeps_again(void **state)
{
    struct pci_uart uart = setup(0x810b, 0, 0); /* PME status and enable, No_Soft_Reset, D3hot */
    struct pci_line_state line;

    (void)state;
    assert_int_equal(pci_line_start(&line, WHERE, &uart), PCI_LINE_OK);
    assert_int_equal(function[CONTROL] & 0x103, 0x100);
    pci_line_end(&line);
    assert_int_equal(function[CONTROL] & 0x103, 0x103);
    assert_int_equal(function[1], 1u << 20);
}

static void an_address_that_is_lost_on_waking_is_put_back(void **state)
{
    struct pci_uart uart = setup(3, 0, 0);
    struct pci_line_state line;

    (void)state;
    loses = true;
    function[1] |= 4;
    assert_int_equal(pci_line_start(&line, WHERE, &uart), PCI_LINE_OK);
    assert_int_equal(function[4], (uint32_t)(uintptr_t)memory);
    assert_int_equal(function[5], (uint32_t)((uintptr_t)memory >> 32));
    pci_line_end(&line);
    assert_int_equal(function[4], (uint32_t)(uintptr_t)memory);
    assert_int_equal(function[1] & 0xffff, 4);
    assert_int_equal(function[CONTROL], 3);
}

static void what_does_not_wake_up_or_is_no_uart_is_left_alone(void **state)
{
    struct pci_uart uart = setup(3, 0, 0);
    struct pci_line_state line;

    (void)state;
    sleeps_on = true;
    assert_int_equal(pci_line_start(&line, WHERE, &uart), PCI_LINE_ASLEEP);
    assert_int_equal(function[1], 1u << 20);
    uart = setup(0, 0, 0x123);
    memory[0x2fc / 4] = 0x20; /* an SPI controller */
    assert_int_equal(pci_line_start(&line, WHERE, &uart), PCI_LINE_STRANGE);
    assert_int_equal(function[1], 1u << 20);
    assert_int_equal(memory[0x200 / 4], 0x123);
    assert_int_equal(memory[0x204 / 4], 0);
    memory[0x2fc / 4] = UINT32_MAX;
    assert_int_equal(pci_line_start(&line, WHERE, &uart), PCI_LINE_STRANGE);
}

/* Intel's vendor and both lists of Linux's driver: each identifier once, none of an I2C or SPI
 * controller. */
static void identifiers_are_of_uarts_of_one_clock(void **state)
{
    static const uint16_t others[] = {0x9d29, 0x9d60, 0xa0aa, 0xa0c5, 0x51aa, 0x51e8, 0x7acc,
                                      0x7727, 0x7750, 0xe327, 0xe446, 0xd347, 0x6e2a, 0x4d50};
    /* Arrow Lake-H, Panther Lake-H and -P, Nova Lake-S and -H, Wildcat Lake: UARTs 0 to 2 of each
     */
    static const uint16_t young[] = {0x7725, 0x7726, 0x7752, 0xe325, 0xe326, 0xe352,
                                     0xe425, 0xe426, 0xe452, 0x6e28, 0x6e29, 0x6e5c,
                                     0xd325, 0xd326, 0xd352, 0x4d25, 0x4d26, 0x4d52};
    unsigned slow = 0, fast = 0;

    (void)state;
    for (uint32_t device = 0; device < 0x10000; device++) {
        const uint32_t clock = lpss_clock(device << 16 | 0x8086);

        slow += clock == 100000000;
        fast += clock == 120000000;
        assert_int_equal(lpss_clock(device << 16 | 0x1022), 0);
    }
    assert_int_equal(slow, 59 + 18);
    for (unsigned i = 0; i < sizeof(young) / sizeof(*young); i++)
        assert_int_equal(lpss_clock((uint32_t)young[i] << 16 | 0x8086), 100000000);
    assert_int_equal(fast, 31);
    for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_int_equal(lpss_clock((uint32_t)others[i] << 16 | 0x8086), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lpss_gets_a_clock_and_leaves_its_reset),
        cmocka_unit_test(a_function_that_sleeps_is_woken_and_sleeps_again),
        cmocka_unit_test(an_address_that_is_lost_on_waking_is_put_back),
        cmocka_unit_test(what_does_not_wake_up_or_is_no_uart_is_left_alone),
        cmocka_unit_test(identifiers_are_of_uarts_of_one_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
