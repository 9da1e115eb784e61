#include "apic.h"

#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/msr.h"
#include "vector.h"

#define APIC_BASE_ENABLE  (1ull << 11)
#define APIC_BASE_X2      (1ull << 10)
#define APIC_BASE_ADDRESS 0x000ffffffffff000ull

#define X2APIC_FIRST   0x800u /* the MSR of the register at offset 0 of the xAPIC page */
#define ICR_NMI        0x400u
#define ICR_INIT       0x500u
#define ICR_STARTUP    0x600u
#define ICR_ASSERT     0x4000u
#define ICR_PENDING    0x1000u
#define ICR_TIMEOUT_US 100000
#define XAPIC_ID_MAX   254 /* 255 means all processors */

static struct {
    volatile uint32_t *page; /* null in x2APIC mode */
    bool x2;
} self;

uint32_t apic_read(unsigned offset)
{
    return self.x2 ? (uint32_t)plain_rdmsr(X2APIC_FIRST + offset / 16) : self.page[offset / 4];
}

INTERRUPT_SAFE void apic_write(unsigned offset, uint32_t value)
{
    if (self.x2)
        plain_wrmsr(X2APIC_FIRST + offset / 16, value);
    else
        self.page[offset / 4] = value;
}

uint32_t apic_set_performance(uint32_t entry)
{
    uint32_t old = LVT_MASKED;

    if (self.x2 || self.page != NULL) {
        old = apic_read(APIC_PERFORMANCE);
        apic_write(APIC_PERFORMANCE, entry);
    }
    return old;
}

enum rc apic_start(void)
{
    uint64_t base;

    if (!(cpuid_read(1, 0).edx >> 9 & 1))
        return RC_ABSENT;
    base = plain_rdmsr(IA32_APIC_BASE);
    if (!(base & APIC_BASE_ENABLE))
        return RC_ABSENT;
    self.x2 = (base & APIC_BASE_X2) != 0;
    self.page = self.x2 ? 0 : (volatile uint32_t *)(uintptr_t)(base & APIC_BASE_ADDRESS);
    return RC_OK;
}

bool apic_is_x2(void)
{
    return self.x2;
}

bool apic_is_here(void)
{
    return self.x2 || self.page != NULL;
}

uint64_t apic_address(unsigned offset)
{
    return self.x2 ? X2APIC_FIRST + offset / 16 : (uintptr_t)&self.page[offset / 4];
}

bool apic_masks_pmi(void)
{
    return apic_is_here() && (apic_read(APIC_PERFORMANCE) & LVT_MASKED) != 0;
}

uint32_t apic_own_id(void)
{
    if (self.x2 || self.page != NULL)
        return self.x2 ? apic_read(APIC_ID) : apic_read(APIC_ID) >> 24;
    if (cpuid_read(0, 0).eax >= 0xb && cpuid_read(0xb, 0).ebx & 0xffff)
        return cpuid_read(0xb, 0).edx;
    return cpuid_read(1, 0).ebx >> 24;
}

void apic_enable_here(void)
{
    uint64_t base = plain_rdmsr(IA32_APIC_BASE);

    if (self.x2 && !(base & APIC_BASE_X2)) {
        plain_wrmsr(IA32_APIC_BASE, base | APIC_BASE_ENABLE);
        plain_wrmsr(IA32_APIC_BASE, base | APIC_BASE_ENABLE | APIC_BASE_X2);
    }
    apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | VECTOR_SPURIOUS);
}

INTERRUPT_SAFE void apic_end_of_interrupt(void)
{
    apic_write(APIC_EOI, 0);
}

static enum rc wait_idle(void)
{
    struct deadline deadline = clock_deadline(ICR_TIMEOUT_US);

    while (self.page[APIC_ICR_LOW / 4] & ICR_PENDING) {
        if (clock_passed(&deadline))
            return RC_TIMEOUT;
        pause();
    }
    return RC_OK;
}

static enum rc send(uint32_t id, uint32_t command)
{
    if (self.x2) {
        /* Unlike a store to the xAPIC page, this WRMSR may overtake earlier stores. */
        __asm__ volatile("mfence; lfence" : : : "memory");
        /* By the safe access: an own kernel may have switched the local APIC off for good. */
        return msr_write(X2APIC_FIRST + APIC_ICR_LOW / 16, (uint64_t)id << 32 | command)
                   ? RC_OK
                   : RC_TIMEOUT;
    }
    if (self.page == NULL || id > XAPIC_ID_MAX)
        return RC_ABSENT;
    if (wait_idle() != RC_OK)
        return RC_TIMEOUT;
    self.page[APIC_ICR_HIGH / 4] = id << 24;
    self.page[APIC_ICR_LOW / 4] = command;
    return wait_idle();
}

enum rc apic_send_init(uint32_t id)
{
    return send(id, ICR_INIT | ICR_ASSERT);
}

enum rc apic_send_nmi(uint32_t id)
{
    return send(id, ICR_NMI | ICR_ASSERT);
}

enum rc apic_send_startup(uint32_t id, uint8_t page)
{
    return send(id, ICR_STARTUP | ICR_ASSERT | page);
}

enum rc apic_send_fixed(uint32_t id, uint8_t vector)
{
    return send(id, ICR_ASSERT | vector);
}
