/* The local APIC: registers, priorities, interprocessor interrupts. The timer is in apic_timer.c.
 */
#include "apic.h"

#include <string.h>

#include "apic_inside.h"
#include "apic_timer.h"
#include "irq.h"
#include "machine/machine.h"

#define BASE_BSP             0x100u
#define BASE_X2              0x400u
#define BASE_ENABLE          0x800u
#define SPURIOUS_ENABLE      0x100u
#define VERSION              0x00060015u /* integrated APIC, seven LVT entries */
#define ERROR_RECEIVE_VECTOR 0x40u
#define ERROR_SEND_VECTOR    0x20u

/* Offsets in the register page; the x2APIC MSR is 0x800 + offset / 16. */
enum apic_register {
    REG_ID = 0x020,
    REG_VERSION = 0x030,
    REG_TPR = 0x080,
    REG_PPR = 0x0a0,
    REG_EOI = 0x0b0,
    REG_LDR = 0x0d0,
    REG_DFR = 0x0e0,
    REG_SVR = 0x0f0,
    REG_ISR = 0x100,
    REG_TMR = 0x180,
    REG_IRR = 0x200,
    REG_ESR = 0x280,
    REG_CMCI = 0x2f0,
    REG_ICR = 0x300,
    REG_ICR_HIGH = 0x310,
    REG_LVT = 0x320,
    REG_LVT_LAST = 0x370,
    REG_TIMER_INITIAL = 0x380,
    REG_TIMER_CURRENT = 0x390,
    REG_TIMER_DIVIDE = 0x3e0,
    REG_SELF = 0x3f0,
};

/* Bits that can be written, in the order of enum lvt. */
static const uint32_t lvt_writable[LVT_COUNT] = {0x710ff, 0x117ff, 0x117ff, 0x1b7ff,
                                                 0x1b7ff, 0x110ff, 0x117ff};

static int highest(const uint32_t bits[8])
{
    for (int i = 7; i >= 0; i--)
        if (bits[i])
            return i * 32 + 31 - __builtin_clz(bits[i]);
    return -1;
}

bool apic_is_x2(const struct apic *apic)
{
    return (apic->base & (BASE_X2 | BASE_ENABLE)) == (BASE_X2 | BASE_ENABLE);
}

void apic_reset(struct core *core, bool power_on)
{
    struct apic *apic = &core->apic;
    uint64_t base = apic->base;

    memset(apic, 0, sizeof(*apic));
    apic->base = power_on ? APIC_BASE | BASE_ENABLE | (core_is_bsp(core) ? BASE_BSP : 0) : base;
    apic->id = core->apic_id;
    apic->format = UINT32_MAX;
    apic->spurious = 0xff;
    apic->event = NEVER;
    for (unsigned i = 0; i < LVT_COUNT; i++)
        apic->lvt[i] = LVT_MASKED;
}

uint8_t apic_priority(const struct apic *apic)
{
    int service = highest(apic->service);
    unsigned priority_class = service < 0 ? 0 : (unsigned)service & 0xf0u;

    return (apic->task_priority & 0xf0u) >= priority_class ? apic->task_priority
                                                           : (uint8_t)priority_class;
}

int apic_pending(const struct apic *apic)
{
    int vector = highest(apic->request);

    if (vector < 0 || !(apic->base & BASE_ENABLE) ||
        (vector & 0xf0) <= (apic_priority(apic) & 0xf0))
        return -1;
    return vector;
}

void apic_accept(struct apic *apic, unsigned vector)
{
    apic->request[vector / 32] &= ~(1u << vector % 32);
    apic->service[vector / 32] |= 1u << vector % 32;
}

void apic_request(struct core *core, unsigned vector, bool level)
{
    if (vector < 16) {
        core->apic.error_latch |= ERROR_RECEIVE_VECTOR;
        return;
    }
    if (!(core->apic.spurious & SPURIOUS_ENABLE))
        return;
    core->apic.request[vector / 32] |= 1u << vector % 32;
    if (level)
        core->apic.trigger[vector / 32] |= 1u << vector % 32;
    else
        core->apic.trigger[vector / 32] &= ~(1u << vector % 32);
    core_attend(core, ATTENTION_INTERRUPT);
}

static void local(struct core *core, uint32_t entry)
{
    if (entry & LVT_MASKED)
        return;
    switch ((enum delivery)(entry >> 8 & 7)) {
    case DELIVER_FIXED:
        apic_request(core, entry & 0xff, false);
        break;
    case DELIVER_NMI:
        core->nmi_pending = true;
        core_attend(core, ATTENTION_INTERRUPT);
        break;
    default:
        machine_end(core->machine, 1,
                    "processor %u: local APIC entry 0x%x has a delivery mode the rig does not play",
                    core->index, entry);
    }
}

void apic_performance(struct core *core)
{
    uint32_t entry = core->apic.lvt[LVT_PERFORMANCE];

    if (pmu_masks_lvt(core->pmu))
        core->apic.lvt[LVT_PERFORMANCE] |= LVT_MASKED;
    local(core, entry);
}

void apic_tick(struct core *core)
{
    if (apic_timer_expired(core))
        local(core, core->apic.lvt[LVT_TIMER]);
}

static void end_of_interrupt(struct core *core)
{
    int vector = highest(core->apic.service);

    core_attend(core, ATTENTION_INTERRUPT);
    if (vector < 0)
        return;
    core->apic.service[vector / 32] &= ~(1u << vector % 32);
    if (core->apic.trigger[vector / 32] >> vector % 32 & 1)
        ioapic_end(core->machine, (unsigned)vector, core_now(core));
}

bool apic_passes_intr(const struct apic *apic)
{
    uint32_t entry = apic->lvt[LVT_LINT0];

    if (!(apic->base & BASE_ENABLE)) /* the pin is the processor's INTR then */
        return apic->base & BASE_BSP;
    return !(entry & LVT_MASKED) && (enum delivery)(entry >> 8 & 7) == DELIVER_EXTERNAL;
}

void apic_lint0(struct core *core, uint64_t now)
{
    if (apic_passes_intr(&core->apic))
        core_attend(core, ATTENTION_INTERRUPT);
    else if (core->apic.base & BASE_ENABLE)
        local(core, core->apic.lvt[LVT_LINT0]);
    core_wake(core, now);
}

static void write_spurious(struct core *core, uint32_t value)
{
    core->apic.spurious = value & 0x1ff;
    if (!(value & SPURIOUS_ENABLE))
        for (unsigned i = 0; i < LVT_COUNT; i++)
            core->apic.lvt[i] |= LVT_MASKED;
}

static void write_lvt(struct core *core, enum lvt entry, uint32_t value)
{
    value &= lvt_writable[entry];
    if (!(core->apic.spurious & SPURIOUS_ENABLE))
        value |= LVT_MASKED;
    core->apic.lvt[entry] = value;
    if (entry == LVT_TIMER)
        apic_timer_changed(core);
    if (entry == LVT_LINT0 && irq_external(core))
        core_attend(core, ATTENTION_INTERRUPT);
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
static bool read_register(struct core *core, uint32_t offset, uint32_t *value)
{
    const struct apic *apic = &core->apic;
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
        *value = apic_timer_current(core);
    else
        return false;
    return true;
}

static bool write_register(struct core *core, uint32_t offset, uint32_t value)
{
    struct apic *apic = &core->apic;

    if (offset >= REG_LVT && offset <= REG_LVT_LAST) {
        write_lvt(core, (enum lvt)((offset - REG_LVT) / 16), value);
        return true;
    }
    switch (offset) {
    case REG_TPR:
        apic->task_priority = (uint8_t)value;
        core_attend(core, ATTENTION_INTERRUPT);
        return true;
    case REG_EOI:
        end_of_interrupt(core);
        return true;
    case REG_LDR:
        apic->logical = value & 0xff000000u;
        return !apic_is_x2(apic);
    case REG_DFR:
        apic->format = value | 0x0fffffffu;
        return !apic_is_x2(apic);
    case REG_SVR:
        write_spurious(core, value);
        return true;
    case REG_ESR:
        apic->error = apic->error_latch;
        apic->error_latch = 0;
        return true;
    case REG_CMCI:
        write_lvt(core, LVT_CMCI, value);
        return true;
    case REG_TIMER_INITIAL:
        apic_timer_start(core, value);
        return true;
    case REG_TIMER_DIVIDE:
        apic->divide = value & 0xb;
        apic_timer_changed(core);
        return true;
    default:
        return false;
    }
}

uint32_t apic_mmio_read(struct core *core, uint32_t offset)
{
    uint32_t value = 0;

    if (apic_is_x2(&core->apic) || !(core->apic.base & BASE_ENABLE))
        return UINT32_MAX;
    read_register(core, offset & ~15u, &value);
    return value;
}

void apic_mmio_write(struct core *core, uint32_t offset, uint32_t value)
{
    struct apic *apic = &core->apic;

    if (apic_is_x2(apic) || !(apic->base & BASE_ENABLE))
        return;
    if (offset == REG_ICR_HIGH) {
        apic->command = (apic->command & UINT32_MAX) | (uint64_t)value << 32;
    } else if (offset == REG_ICR) {
        apic->command = (apic->command & ~(uint64_t)UINT32_MAX) | (value & ~0x1000u);
        apic_send(core, apic->command);
    } else {
        write_register(core, offset & ~15u, value);
    }
}

static enum access_result write_base(struct core *core, uint64_t value)
{
    struct apic *apic = &core->apic;
    bool was = apic_is_x2(apic);

    /* "x2APIC State Transitions": no way from x2APIC to xAPIC, nor from disabled to x2APIC. */
    if (value & ~(uint64_t)(BASE_BSP | BASE_X2 | BASE_ENABLE | 0xffffff000u) ||
        ((value & BASE_X2) && !(value & BASE_ENABLE)) ||
        (was && (value & BASE_ENABLE) && !(value & BASE_X2)) ||
        (!(apic->base & BASE_ENABLE) && (value & BASE_X2)))
        return ACCESS_FAULT;
    if ((value & 0xffffff000u) != APIC_BASE) {
        machine_end(core->machine, 1,
                    "processor %u moves its local APIC to 0x%llx, which the rig does not play",
                    core->index, (unsigned long long)(value & 0xffffff000u));
        return ACCESS_FAULT;
    }
    apic->base = (value & ~(uint64_t)BASE_BSP) | (apic->base & BASE_BSP);
    return ACCESS_OK;
}

enum access_result apic_rdmsr(struct core *core, uint32_t msr, uint64_t *value)
{
    uint32_t offset, low;

    if (msr == MSR_APIC_BASE) {
        *value = core->apic.base;
        return ACCESS_OK;
    }
    if (msr == MSR_TSC_DEADLINE) {
        *value = core->apic.deadline;
        return ACCESS_OK;
    }
    if (!apic_is_x2(&core->apic))
        return ACCESS_FAULT;
    offset = (msr - MSR_X2APIC_FIRST) * 16;
    if (offset == REG_ICR) {
        *value = core->apic.command;
        return ACCESS_OK;
    }
    if (!read_register(core, offset, &low))
        return ACCESS_FAULT;
    *value = low;
    return ACCESS_OK;
}

enum access_result apic_wrmsr(struct core *core, uint32_t msr, uint64_t value)
{
    uint32_t offset = (msr - MSR_X2APIC_FIRST) * 16;

    if (msr == MSR_APIC_BASE)
        return write_base(core, value);
    if (msr == MSR_TSC_DEADLINE) {
        apic_timer_deadline(core, value);
        return ACCESS_OK;
    }
    if (!apic_is_x2(&core->apic))
        return ACCESS_FAULT;
    if (offset == REG_ICR) {
        if (value & 0xfff32000u)
            return ACCESS_FAULT;
        core->apic.command = value;
        apic_send(core, value);
        return ACCESS_OK;
    }
    if (value >> 32)
        return ACCESS_FAULT;
    if (offset == REG_SELF) {
        if (value & ~(uint64_t)0xff)
            return ACCESS_FAULT;
        if (value < 16)
            core->apic.error_latch |= ERROR_SEND_VECTOR;
        else
            apic_request(core, (unsigned)value, false);
        return ACCESS_OK;
    }
    if (((offset == REG_EOI || offset == REG_ESR) && value) ||
        (offset == REG_TPR && value > 0xff) ||
        (offset >= REG_LVT && offset <= REG_LVT_LAST &&
         (value & ~(uint64_t)(lvt_writable[(offset - REG_LVT) / 16] | 0x5000))))
        return ACCESS_FAULT;
    return write_register(core, offset, (uint32_t)value) ? ACCESS_OK : ACCESS_FAULT;
}
