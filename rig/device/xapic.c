#include "xapic.h"

#include "apic.h"
#include "ioapic.h"
#include "ipi.h"
#include "irq.h"
#include "platform.h"

#define VERSION 0x00060015u /* integrated APIC, seven LVT entries */

/* Offsets in the register page; the x2APIC MSR is 0x800 + offset / 16. */
enum apic_register {
    REG_ID = 0x020,
    REG_VERSION = 0x030,
    REG_TPR = 0x080,
    REG_PPR = 0x0a0,
    REG_EOI = 0x0b0,
    REG_LDR = 0x0d0,
    REG_DFR = 0x0e0,
    REG_SVR = XAPIC_SVR,
    REG_ISR = 0x100,
    REG_TMR = 0x180,
    REG_IRR = 0x200,
    REG_ESR = 0x280,
    REG_CMCI = 0x2f0,
    REG_ICR = 0x300,
    REG_ICR_HIGH = 0x310,
    REG_LVT = XAPIC_LVT_TIMER,
    REG_LVT_LAST = 0x370,
    REG_TIMER_INITIAL = 0x380,
    REG_TIMER_CURRENT = 0x390,
    REG_TIMER_DIVIDE = 0x3e0,
    REG_SELF = 0x3f0,
};

/* Bits that can be written, in the order of enum lvt. */
static const uint32_t lvt_writable[LVT_COUNT] = {0x710ff, 0x117ff, 0x117ff, 0x1b7ff,
                                                 0x1b7ff, 0x110ff, 0x117ff};

static void end_of_interrupt(struct apic *apic)
{
    int vector = apic_in_service(apic);

    core_look_for_interrupts(apic->core);
    if (vector < 0)
        return;
    apic->service[vector / 32] &= ~(1u << vector % 32);
    if (apic->trigger[vector / 32] >> vector % 32 & 1)
        ioapic_end(&apic->irq->ioapic, (unsigned)vector, core_now(apic->core));
}

static void write_spurious(struct apic *apic, uint32_t value)
{
    apic->spurious = value & 0x1ff;
    if (!(value & SPURIOUS_ENABLE))
        for (unsigned i = 0; i < LVT_COUNT; i++)
            apic->lvt[i] |= LVT_MASKED;
}

static void write_lvt(struct apic *apic, enum lvt entry, uint32_t value)
{
    value &= lvt_writable[entry];
    if (!(apic->spurious & SPURIOUS_ENABLE))
        value |= LVT_MASKED;
    apic->lvt[entry] = value;
    if (entry == LVT_TIMER)
        apic_timer_changed(apic);
    if (entry == LVT_LINT0 && irq_external(apic))
        core_look_for_interrupts(apic->core);
}

static uint32_t logical_id(const struct apic *apic)
{
    return apic_is_x2(apic) ? (apic->id >> 4) << 16 | 1u << (apic->id & 15) : apic->logical;
}

/* Registers that only xAPIC mode has; their MSRs do not exist. */
static bool is_xapic_only(uint32_t offset)
{
    return offset == REG_DFR || offset == REG_ICR_HIGH;
}

static const uint32_t *stored(const struct apic *apic, uint32_t offset)
{
    if (offset >= REG_LVT && offset <= REG_LVT_LAST)
        return &apic->lvt[(offset - REG_LVT) / 16];
    if (offset >= REG_ISR && offset < REG_TMR)
        return &apic->service[offset / 16 % 8];
    if (offset >= REG_TMR && offset < REG_IRR)
        return &apic->trigger[offset / 16 % 8];
    if (offset >= REG_IRR && offset < REG_ESR)
        return &apic->request[offset / 16 % 8];
    switch (offset) {
    case REG_DFR:
        return &apic->format;
    case REG_SVR:
        return &apic->spurious;
    case REG_ESR:
        return &apic->error;
    case REG_CMCI:
        return &apic->lvt[LVT_CMCI];
    case REG_TIMER_INITIAL:
        return &apic->timer_initial;
    case REG_TIMER_DIVIDE:
        return &apic->divide;
    default:
        return NULL;
    }
}

/* False when no register is there. */
static bool read_register(struct apic *apic, uint32_t offset, uint32_t *value)
{
    const uint32_t *plain = stored(apic, offset);

    if (apic_is_x2(apic) && is_xapic_only(offset))
        return false;
    if (plain != NULL)
        *value = *plain;
    else if (offset == REG_ID)
        *value = apic_is_x2(apic) ? apic->id : apic->id << 24;
    else if (offset == REG_VERSION)
        *value = VERSION;
    else if (offset == REG_TPR)
        *value = apic->task_priority;
    else if (offset == REG_PPR)
        *value = apic_priority(apic);
    else if (offset == REG_LDR)
        *value = logical_id(apic);
    else if (offset == REG_ICR)
        *value = (uint32_t)apic->command;
    else if (offset == REG_ICR_HIGH)
        *value = (uint32_t)(apic->command >> 32);
    else if (offset == REG_TIMER_CURRENT)
        *value = apic_timer_current(apic);
    else
        return false;
    return true;
}

static bool write_register(struct apic *apic, uint32_t offset, uint32_t value)
{
    if (offset >= REG_LVT && offset <= REG_LVT_LAST) {
        write_lvt(apic, (enum lvt)((offset - REG_LVT) / 16), value);
        return true;
    }
    switch (offset) {
    case REG_TPR:
        apic->task_priority = (uint8_t)value;
        core_look_for_interrupts(apic->core);
        return true;
    case REG_EOI:
        end_of_interrupt(apic);
        return true;
    case REG_LDR:
        apic->logical = value & 0xff000000u;
        return !apic_is_x2(apic);
    case REG_DFR:
        apic->format = value | 0x0fffffffu;
        return !apic_is_x2(apic);
    case REG_SVR:
        write_spurious(apic, value);
        return true;
    case REG_ESR:
        apic->error = apic->error_latch;
        apic->error_latch = 0;
        return true;
    case REG_CMCI:
        write_lvt(apic, LVT_CMCI, value);
        return true;
    case REG_TIMER_INITIAL:
        apic_timer_start(apic, value);
        return true;
    case REG_TIMER_DIVIDE:
        apic_timer_divide(apic, value & 0xb);
        return true;
    default:
        return false;
    }
}

uint32_t xapic_mmio_read(struct apic *apic, uint32_t offset)
{
    uint32_t value = 0;

    if (apic_is_x2(apic) || !(apic->base & APIC_BASE_ENABLE))
        return UINT32_MAX;
    read_register(apic, offset & ~15u, &value);
    return value;
}

void xapic_mmio_write(struct apic *apic, uint32_t offset, uint32_t value)
{
    if (apic_is_x2(apic) || !(apic->base & APIC_BASE_ENABLE))
        return;
    if (offset == REG_ICR_HIGH) {
        apic->command = (apic->command & UINT32_MAX) | (uint64_t)value << 32;
    } else if (offset == REG_ICR) {
        apic->command = (apic->command & ~(uint64_t)UINT32_MAX) | (value & ~0x1000u);
        ipi_send(apic, apic->command);
    } else {
        write_register(apic, offset & ~15u, value);
    }
}

uint8_t xapic_read_cr8(const struct apic *apic)
{
    return apic->base & APIC_BASE_ENABLE ? apic->task_priority >> 4 : 0;
}

void xapic_write_cr8(struct apic *apic, uint8_t value)
{
    if (apic->base & APIC_BASE_ENABLE)
        write_register(apic, REG_TPR, (uint32_t)value << 4);
}

static enum access_result write_base(struct apic *apic, uint64_t value)
{
    bool was = apic_is_x2(apic);

    /* "x2APIC State Transitions": no way from x2APIC to xAPIC, nor from disabled to x2APIC. */
    if (value & ~(uint64_t)(APIC_BASE_BSP | APIC_BASE_X2 | APIC_BASE_ENABLE | 0xffffff000u) ||
        ((value & APIC_BASE_X2) && !(value & APIC_BASE_ENABLE)) ||
        (was && (value & APIC_BASE_ENABLE) && !(value & APIC_BASE_X2)) ||
        (!(apic->base & APIC_BASE_ENABLE) && (value & APIC_BASE_X2)))
        return ACCESS_FAULT;
    if ((value & 0xffffff000u) != APIC_BASE) {
        machine_end(apic->machine, 1,
                    "processor %u moves its local APIC to 0x%llx, which the rig does not support",
                    core_number(apic->core), (unsigned long long)(value & 0xffffff000u));
        return ACCESS_FAULT;
    }
    apic->base = (value & ~(uint64_t)APIC_BASE_BSP) | (apic->base & APIC_BASE_BSP);
    return ACCESS_OK;
}

enum access_result xapic_rdmsr(struct apic *apic, uint32_t msr, uint64_t *value)
{
    uint32_t offset, low;

    if (msr == MSR_APIC_BASE) {
        *value = apic->base;
        return ACCESS_OK;
    }
    if (msr == MSR_TSC_DEADLINE) {
        *value = apic->deadline;
        return ACCESS_OK;
    }
    if (!apic_is_x2(apic))
        return ACCESS_FAULT;
    offset = (msr - MSR_X2APIC_FIRST) * 16;
    if (offset == REG_ICR) {
        *value = apic->command;
        return ACCESS_OK;
    }
    if (!read_register(apic, offset, &low))
        return ACCESS_FAULT;
    *value = low;
    return ACCESS_OK;
}

enum access_result xapic_wrmsr(struct apic *apic, uint32_t msr, uint64_t value)
{
    uint32_t offset = (msr - MSR_X2APIC_FIRST) * 16;

    if (msr == MSR_APIC_BASE)
        return write_base(apic, value);
    if (msr == MSR_TSC_DEADLINE) {
        apic_timer_deadline(apic, value);
        return ACCESS_OK;
    }
    if (!apic_is_x2(apic))
        return ACCESS_FAULT;
    if (offset == REG_ICR) {
        if (value & 0xfff32000u)
            return ACCESS_FAULT;
        apic->command = value;
        ipi_send(apic, value);
        return ACCESS_OK;
    }
    if (value >> 32)
        return ACCESS_FAULT;
    if (offset == REG_SELF) {
        if (value & ~(uint64_t)0xff)
            return ACCESS_FAULT;
        if (value < 16)
            apic->error_latch |= ERROR_SEND_VECTOR;
        else
            apic_request(apic, (unsigned)value, false);
        return ACCESS_OK;
    }
    if (((offset == REG_EOI || offset == REG_ESR) && value) ||
        (offset == REG_TPR && value > 0xff) ||
        (offset >= REG_LVT && offset <= REG_LVT_LAST &&
         (value & ~(uint64_t)(lvt_writable[(offset - REG_LVT) / 16] | 0x5000))))
        return ACCESS_FAULT;
    return write_register(apic, offset, (uint32_t)value) ? ACCESS_OK : ACCESS_FAULT;
}
