/* "82093AA I/O Advanced Programmable Interrupt Controller": the register file behind an index and a
 * window, and what an asserted pin sends. Version 20H has the EOI register as well. */
#include "ioapic.h"

#include "ipi.h"

#define INDEX          0x00u
#define WINDOW         0x10u
#define END_REGISTER   0x40u
#define IOAPIC_ID      0u
#define IOAPIC_VERSION 1u
#define IOAPIC_ENTRIES 0x10u
#define IOAPIC_IS      0x20u
#define ENTRY_VECTOR   0xffu
#define ENTRY_LOGICAL  0x800u
#define ENTRY_LOW      0x2000u
#define ENTRY_REMOTE   0x4000u /* a level-triggered interrupt is not yet ended */
#define ENTRY_LEVEL    0x8000u
#define ENTRY_MASKED   0x10000u
#define ENTRY_WRITABLE UINT64_C(0xff0000000001afff)

static enum delivery delivery_of(uint64_t entry)
{
    return (enum delivery)(entry >> 8 & 7);
}

static uint64_t entry_of(const struct ioapic *ioapic, unsigned pin)
{
    return ioapic->entry[pin] ^ ENTRY_MASKED;
}

/* By the electric level and the polarity of the entry. */
static bool is_asserted(const struct ioapic *ioapic, unsigned pin)
{
    bool high = (ioapic->lines ^ IOAPIC_LOW_PINS) >> pin & 1;

    return high != ((entry_of(ioapic, pin) & ENTRY_LOW) != 0);
}

/* Only these two delivery modes can be level-triggered; the trigger mode of the others is ignored.
 */
static bool is_level(uint64_t entry)
{
    return entry & ENTRY_LEVEL &&
           (delivery_of(entry) == DELIVER_FIXED || delivery_of(entry) == DELIVER_LOWEST);
}

static void send(struct ioapic *ioapic, unsigned pin, uint64_t now)
{
    uint64_t entry = entry_of(ioapic, pin);

    if (entry & ENTRY_MASKED || (is_level(entry) && entry & ENTRY_REMOTE))
        return;
    if (ipi_deliver(ioapic->machine,
                    (struct interrupt_message){.delivery = delivery_of(entry),
                                               .vector = (uint8_t)(entry & ENTRY_VECTOR),
                                               .logical = entry & ENTRY_LOGICAL,
                                               .level = is_level(entry),
                                               .destination = (uint8_t)(entry >> 56)},
                    now) &&
        is_level(entry))
        ioapic->entry[pin] |= ENTRY_REMOTE;
}

void ioapic_line(struct ioapic *ioapic, unsigned pin, bool asserted, uint64_t now)
{
    bool before = is_asserted(ioapic, pin), after;

    ioapic->lines = (ioapic->lines & ~(1u << pin)) | (uint32_t)asserted << pin;
    after = is_asserted(ioapic, pin);
    if (after && (!before || is_level(entry_of(ioapic, pin))))
        send(ioapic, pin, now);
}

void ioapic_end(struct ioapic *ioapic, unsigned vector, uint64_t now)
{
    for (unsigned pin = 0; pin < IOAPIC_PINS; pin++) {
        uint64_t entry = entry_of(ioapic, pin);

        if (!is_level(entry) || !(entry & ENTRY_REMOTE) || (entry & ENTRY_VECTOR) != vector)
            continue;
        ioapic->entry[pin] &= ~(uint64_t)ENTRY_REMOTE;
        if (is_asserted(ioapic, pin))
            send(ioapic, pin, now);
    }
}

uint32_t ioapic_observed(const struct ioapic *ioapic)
{
    uint32_t observed = 0;

    for (unsigned pin = 0; pin < IOAPIC_PINS; pin++)
        observed |= (uint32_t) !(entry_of(ioapic, pin) & ENTRY_MASKED) << pin;
    return observed;
}

bool ioapic_has_nmi(const struct ioapic *ioapic)
{
    for (unsigned pin = 0; pin < IOAPIC_PINS; pin++)
        if (!(entry_of(ioapic, pin) & ENTRY_MASKED) &&
            delivery_of(entry_of(ioapic, pin)) == DELIVER_NMI)
            return true;
    return false;
}

/* ---- registers ---- */

uint64_t ioapic_read(const struct ioapic *ioapic, uint64_t offset)
{
    uint32_t pin = (ioapic->select - IOAPIC_ENTRIES) / 2;

    if (offset == INDEX)
        return ioapic->select;
    if (offset != WINDOW)
        return UINT32_MAX;
    if (ioapic->select == IOAPIC_ID)
        return ioapic->id;
    if (ioapic->select == IOAPIC_VERSION)
        return (IOAPIC_PINS - 1) << 16 | IOAPIC_IS;
    if (ioapic->select < IOAPIC_ENTRIES || pin >= IOAPIC_PINS)
        return 0;
    return entry_of(ioapic, pin) >> 32 * (ioapic->select & 1) & UINT32_MAX;
}

static void write_entry(struct ioapic *ioapic, unsigned pin, unsigned shift, uint32_t value,
                        uint64_t now)
{
    uint64_t entry = entry_of(ioapic, pin), remote = entry & ENTRY_REMOTE;

    entry = (entry & ~((uint64_t)UINT32_MAX << shift)) | (uint64_t)value << shift;
    entry &= ENTRY_WRITABLE;
    if (entry & ENTRY_LEVEL) /* an edge has no remote IRR */
        entry |= remote;
    ioapic->entry[pin] = entry ^ ENTRY_MASKED;
    if (is_level(entry) && is_asserted(ioapic, pin))
        send(ioapic, pin, now);
}

void ioapic_write(struct ioapic *ioapic, uint64_t offset, uint64_t value, uint64_t now)
{
    uint32_t pin = (ioapic->select - IOAPIC_ENTRIES) / 2;

    if (offset == INDEX)
        ioapic->select = (uint32_t)value & 0xff;
    else if (offset == END_REGISTER)
        ioapic_end(ioapic, value & ENTRY_VECTOR, now);
    else if (offset == WINDOW && ioapic->select == IOAPIC_ID)
        ioapic->id = (uint32_t)value & 0x0f000000;
    else if (offset == WINDOW && ioapic->select >= IOAPIC_ENTRIES && pin < IOAPIC_PINS)
        write_entry(ioapic, pin, 32 * (ioapic->select & 1), (uint32_t)value, now);
}
