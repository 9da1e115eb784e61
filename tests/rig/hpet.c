/* "IA-PC HPET (High Precision Event Timers) Specification" 1.0a, and the register file of the
 * 82093AA I/O APIC. */
#include "hpet.h"

#include "machine.h"

#define HPET_HZ        14318180u
#define HPET_PERIOD_FS UINT64_C(69841279)
#define ENABLE         1u
#define CONFIGURATION  1u    /* of the general configuration: the enable only */
#define TIMER_SIZE_64  0x20u /* a 64-bit comparator; read only */
#define TIMER_WRITABLE 0x7f46u
#define TIMERS_AT      0x100u
#define TIMER_BYTES    0x20u

#define IOAPIC_ID      0u
#define IOAPIC_VERSION 1u
#define IOAPIC_ENTRIES 0x10u
#define IOAPIC_IS      0x11u
#define ENTRY_MASKED   0x10000u
#define ENTRY_WRITABLE UINT64_C(0xff0000000001afff)

enum hpet_register { CAPABILITIES = 0x00, CONTROL = 0x10, STATUS = 0x20, COUNTER = 0xf0 };

static uint64_t count_of(struct core *core)
{
    const struct hpet *hpet = &core->machine->hpet;
    uint64_t now = machine_count_of(core->machine, core_ticks(core), HPET_HZ);

    return hpet->configuration & ENABLE ? now - hpet->begun : hpet->stopped;
}

static uint64_t read_register(struct core *core, uint64_t at)
{
    const struct hpet *hpet = &core->machine->hpet;
    unsigned timer = (unsigned)((at - TIMERS_AT) / TIMER_BYTES);

    switch (at) {
    case CAPABILITIES:
        return HPET_PERIOD_FS << 32 | HPET_ID;
    case CONTROL:
        return hpet->configuration;
    case COUNTER:
        return count_of(core);
    default:
        break;
    }
    if (at < TIMERS_AT || timer >= HPET_TIMERS)
        return 0;
    return at % TIMER_BYTES == 0   ? hpet->timer[timer] | TIMER_SIZE_64
           : at % TIMER_BYTES == 8 ? hpet->comparator[timer]
                                   : 0;
}

static void write_register(struct core *core, uint64_t at, uint64_t value)
{
    struct hpet *hpet = &core->machine->hpet;
    uint64_t now = machine_count_of(core->machine, core_ticks(core), HPET_HZ);
    unsigned timer = (unsigned)((at - TIMERS_AT) / TIMER_BYTES);

    switch (at) {
    case CONTROL: /* it stands and goes on where it stood */
        hpet->stopped = count_of(core);
        hpet->begun = now - hpet->stopped;
        hpet->configuration = value & CONFIGURATION;
        return;
    case COUNTER:
        hpet->stopped = value;
        hpet->begun = now - value;
        return;
    default:
        break;
    }
    if (at < TIMERS_AT || timer >= HPET_TIMERS)
        return;
    if (at % TIMER_BYTES == 0)
        hpet->timer[timer] = value & TIMER_WRITABLE;
    else if (at % TIMER_BYTES == 8)
        hpet->comparator[timer] = value;
}

uint64_t hpet_read(struct core *core, uint64_t offset, unsigned size)
{
    uint64_t value = read_register(core, offset & ~UINT64_C(7));

    if (size == 8 && offset % 8 == 0)
        return value;
    return size == 4 && offset % 4 == 0 ? value >> 8 * (offset & 4) & UINT32_MAX : UINT64_MAX;
}

void hpet_write(struct core *core, uint64_t offset, unsigned size, uint64_t value)
{
    uint64_t at = offset & ~UINT64_C(7), was;

    if (size == 4 && offset % 4 == 0) {
        was = read_register(core, at);
        value = offset & 4 ? (was & UINT32_MAX) | value << 32
                           : (was & ~(uint64_t)UINT32_MAX) | (value & UINT32_MAX);
    } else if (size != 8 || offset % 8) {
        return;
    }
    write_register(core, at, value);
}

/* ---- the I/O APIC: an index at 0, the window at 10H ---- */

uint64_t ioapic_read(struct core *core, uint64_t offset)
{
    const struct ioapic *ioapic = &core->machine->ioapic;
    uint32_t pin = (ioapic->select - IOAPIC_ENTRIES) / 2;

    if (offset == 0)
        return ioapic->select;
    if (offset != 0x10)
        return UINT32_MAX;
    if (ioapic->select == IOAPIC_ID)
        return ioapic->id;
    if (ioapic->select == IOAPIC_VERSION)
        return (IOAPIC_PINS - 1) << 16 | IOAPIC_IS;
    if (ioapic->select < IOAPIC_ENTRIES || pin >= IOAPIC_PINS)
        return 0;
    return (ioapic->entry[pin] ^ ENTRY_MASKED) >> 32 * (ioapic->select & 1) & UINT32_MAX;
}

void ioapic_write(struct core *core, uint64_t offset, uint64_t value)
{
    struct ioapic *ioapic = &core->machine->ioapic;
    uint32_t pin = (ioapic->select - IOAPIC_ENTRIES) / 2;
    unsigned shift = 32 * (ioapic->select & 1);
    uint64_t entry;

    if (offset == 0)
        ioapic->select = (uint32_t)value & 0xff;
    if (offset != 0x10)
        return;
    if (ioapic->select == IOAPIC_ID)
        ioapic->id = (uint32_t)value & 0x0f000000;
    if (ioapic->select < IOAPIC_ENTRIES || pin >= IOAPIC_PINS)
        return;
    /* Kept with the mask bit inverted, so that zeroed memory is the reset state: every pin masked.
     */
    entry = ioapic->entry[pin] ^ ENTRY_MASKED;
    entry = (entry & ~((uint64_t)UINT32_MAX << shift)) | (value & UINT32_MAX) << shift;
    ioapic->entry[pin] = (entry & ENTRY_WRITABLE) ^ ENTRY_MASKED;
}
