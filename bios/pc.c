#include "pc.h"

#include "boot/acpi.h"
#include "boot/cpu.h"
#include "boot/text.h"
#include "power.h"

#define PIC_1_MASK 0x21
#define PIC_2_MASK 0xa1
#define ALL        0xff

/* Intel 8254: counter 2 and its gate, which port 61H switches. */
#define PIT_HZ      1193182u
#define PIT_2       0x42
#define PIT_CONTROL 0x43
#define PIT_MODE_0  0xb0 /* counter 2, low byte then high byte, interrupt on terminal count */
#define PORT_61     0x61
#define GATE_2      0x01
#define SPEAKER     0x02
#define OUT_2       0x20
#define SAMPLE_US   10000u
#define POLLS       1000000u /* of a port, at most, which take about a second */

/* ACPI specification, "Power Management Timer": at least 24 bits. */
#define PM_TIMER_HZ   3579545u
#define PM_TIMER_BITS 0xffffffu

#define VGA_TEXT         0xb8000u
#define CRTC_INDEX       0x3d4
#define CRTC_DATA        0x3d5
#define CRTC_CURSOR      0x0a
#define CRTC_CURSOR_HIDE 0x20

#define KEYBOARD_DATA   0x60
#define KEYBOARD_STATUS 0x64
#define STATUS_FULL     0x01
#define STATUS_MOUSE    0x20
#define RELEASED        0x80
#define PULSE_RESET     0xfe

#define RESET_CONTROL 0xcf9
#define RESET_FULL    0x06

#define PM1_SCI_EN  0x0001u
#define PM1_SLP_TYP 10
#define PM1_SLP_EN  0x2000u
#define ENABLE_MS   3000u

/* Until pc_start has found it: no TSC is faster [guess], so that no wait is shorter than asked. */
static uint64_t ticks_per_us = 5000;

static const uint8_t *find_fadt(const void *rsdp, size_t *size)
{
    const void *root;
    uint64_t address;
    bool wide;

    if (rsdp == NULL || acpi_root(rsdp, &address, &wide) != RC_OK || address >= 1ull << 32)
        return NULL;
    root = (const void *)(uintptr_t)address;
    if (acpi_check(root, wide ? "XSDT" : "RSDT", size) != RC_OK)
        return NULL;
    for (unsigned i = 0, count = acpi_entries(*size, wide); i < count; i++) {
        const void *table = (const void *)(uintptr_t)acpi_entry(root, wide, i);

        if (table != NULL && acpi_check(table, "FACP", size) == RC_OK)
            return table;
    }
    return NULL;
}

/* Lets the ACPI power management timer go on for a sample while the TSC counts. 0: there is none,
 * or it stands. */
static uint64_t ticks_by_pm_timer(const void *rsdp)
{
    const uint32_t wanted = (uint32_t)((uint64_t)PM_TIMER_HZ * SAMPLE_US / 1000000);
    size_t size;
    const uint8_t *fadt = find_fadt(rsdp, &size);
    struct acpi_timer timer;
    uint32_t begun, passed = 0;
    uint64_t from;

    if (fadt == NULL || acpi_fadt(fadt, size, &timer) != RC_OK)
        return 0;
    begun = port_in32(timer.port);
    from = __builtin_ia32_rdtsc();
    for (unsigned polls = 0; passed < wanted && polls < POLLS; polls++)
        passed = (port_in32(timer.port) - begun) & PM_TIMER_BITS;
    return passed < wanted ? 0 : (__builtin_ia32_rdtsc() - from) * wanted / passed;
}

/* Lets counter 2 run out once while the TSC counts. 0: it stands, as one whose clock is gated. */
static uint64_t ticks_by_pit(void)
{
    const uint16_t count = (uint16_t)((uint64_t)PIT_HZ * SAMPLE_US / 1000000);
    const uint8_t before = port_in(PORT_61);
    uint64_t from, ticks;
    unsigned polls = 0;

    port_out(PORT_61, (uint8_t)((before & ~SPEAKER) | GATE_2));
    port_out(PIT_CONTROL, PIT_MODE_0);
    port_out(PIT_2, (uint8_t)count);
    port_out(PIT_2, (uint8_t)(count >> 8));
    from = __builtin_ia32_rdtsc();
    while (!(port_in(PORT_61) & OUT_2) && ++polls < POLLS)
        ;
    ticks = __builtin_ia32_rdtsc() - from;
    port_out(PORT_61, before);
    return polls < POLLS ? ticks : 0;
}

void pc_start(const void *rsdp)
{
    uint64_t ticks = ticks_by_pm_timer(rsdp);

    if (ticks == 0)
        ticks = ticks_by_pit();
    if (ticks >= SAMPLE_US)
        ticks_per_us = ticks / SAMPLE_US;
    port_out(PIC_1_MASK, ALL);
    port_out(PIC_2_MASK, ALL);
    port_out(CRTC_INDEX, CRTC_CURSOR);
    port_out(CRTC_DATA, CRTC_CURSOR_HIDE);
}

void pc_wait(uint64_t microseconds)
{
    const uint64_t from = __builtin_ia32_rdtsc();

    while ((__builtin_ia32_rdtsc() - from) / ticks_per_us < microseconds)
        pause();
}

void pc_put(unsigned row, unsigned column, char c, uint8_t attribute)
{
    volatile uint16_t *cells = (volatile uint16_t *)(uintptr_t)VGA_TEXT;

    cells[row * PC_COLUMNS + column] = (uint16_t)((uint8_t)c | attribute << 8);
}

bool pc_key(uint8_t *code)
{
    uint8_t status = port_in(KEYBOARD_STATUS);

    for (unsigned i = 0; i < 16 && status != ALL && status & STATUS_FULL; i++) {
        *code = port_in(KEYBOARD_DATA);
        if (!(status & STATUS_MOUSE) && !(*code & RELEASED))
            return true;
        status = port_in(KEYBOARD_STATUS);
    }
    return false;
}

static uint16_t port_in_16(uint16_t port)
{
    uint16_t value;

    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void port_out_16(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port));
}

static void enable_acpi(const struct power *power)
{
    if (power->command == 0 || power->enable == 0 || port_in_16(power->control[0]) & PM1_SCI_EN)
        return;
    port_out(power->command, power->enable);
    for (unsigned i = 0; i < ENABLE_MS && !(port_in_16(power->control[0]) & PM1_SCI_EN); i++)
        pc_wait(1000);
}

void pc_power_off(const void *rsdp)
{
    size_t fadt_size, dsdt_size;
    const uint8_t *fadt = find_fadt(rsdp, &fadt_size), *dsdt;
    struct power power;
    uint32_t address;

    if (fadt == NULL || fadt_size < 44)
        return;
    memcpy(&address, fadt + 40, sizeof(address)); /* DSDT, which a BIOS keeps below 4 GiB */
    dsdt = (const uint8_t *)(uintptr_t)address;
    if (dsdt == NULL || acpi_check(dsdt, "DSDT", &dsdt_size) != RC_OK ||
        !power_read(&power, fadt, fadt_size, dsdt, dsdt_size))
        return;
    enable_acpi(&power);
    for (unsigned i = 0; i < 2; i++)
        if (power.control[i] != 0)
            port_out_16(power.control[i], (uint16_t)((port_in_16(power.control[i]) & PM1_SCI_EN) |
                                                     power.sleep[i] << PM1_SLP_TYP | PM1_SLP_EN));
    pc_wait(1000000);
}

void pc_reset(void)
{
    port_out(RESET_CONTROL, RESET_FULL);
    pc_wait(100000);
    port_out(KEYBOARD_STATUS, PULSE_RESET);
    pc_wait(100000);
}
