#include "freeze.h"

#include "boot/text.h"
#include "pmu/plan_pass.h"

#define CYCLES_COUNTER 1u /* the fixed counter of core cycles */

/* Goldmont and Goldmont Plus freeze reliably from these microcode revisions on (the table of Linux
 * versions 4.19 to 5.9, arch/x86/events/intel/core.c: counter_freezing_ucodes). */
static const struct {
    uint32_t model, stepping, microcode;
} reliable_from[] = {
    {0x5c, 2, 0x0e}, {0x5c, 9, 0x2e}, {0x5c, 10, 0x08},
    {0x5f, 1, 0x28}, {0x7a, 1, 0x28}, {0x7a, 8, 0x06},
};

static bool is_unreliable(const struct facts *facts)
{
    for (size_t i = 0; facts->family == 6 && i < COUNT_OF(reliable_from); i++) {
        if (facts->model == reliable_from[i].model &&
            facts->stepping == reliable_from[i].stepping &&
            facts->microcode < reliable_from[i].microcode)
            return true;
    }
    return false;
}

static enum freeze kind_of_core(const struct facts *facts, const char **why)
{
    *why = NULL;
    if (facts->version < 2)
        *why = "performance monitoring version 1 has no freeze on PMI";
    else if (!(pass_fixed_counters(facts) >> CYCLES_COUNTER & 1))
        *why = "no fixed counter counts core cycles";
    else if (is_unreliable(facts))
        *why = "this microcode's freeze on PMI is not reliable";
    if (*why != NULL)
        return FREEZE_NONE;
    return facts->version >= 4 ? FREEZE_STREAMLINED : FREEZE_LEGACY;
}

/* The pass's write to that register, null when there is none. */
static struct msr_value *write_to(struct pass *pass, uint32_t msr)
{
    for (unsigned i = 0; i < pass->setup_count; i++) {
        if (pass->setup[i].msr == msr)
            return &pass->setup[i];
    }
    return NULL;
}

static bool arm(struct pass *pass)
{
    struct msr_value *control = write_to(pass, IA32_FIXED_CTR_CTRL);

    if (control == NULL || write_to(pass, IA32_FIXED_CTR0 + CYCLES_COUNTER) == NULL ||
        pass->setup_count == PLAN_WRITES)
        return false;
    control->value |= field_of(FIXED_CTR_CTRL_PMI0, 1) << CYCLES_COUNTER * FIXED_CTR_CTRL_STEP;
    pass->setup[pass->setup_count++] =
        (struct msr_value){IA32_DEBUGCTL, field_of(DEBUGCTL_FREEZE_PERFMON_ON_PMI, 1)};
    return true;
}

/* The counter's value that is `cycles` before its overflow. */
static uint64_t start_of(const struct facts *facts, uint64_t cycles)
{
    return (0 - cycles) & (~0ull >> (64 - facts->fixed_width));
}

static void preset(struct pass *pass, const struct facts *facts, uint64_t cycles)
{
    write_to(pass, IA32_FIXED_CTR0 + CYCLES_COUNTER)->value = start_of(facts, cycles);
}

static uint64_t counted(const struct facts *facts, uint64_t cycles, uint64_t value)
{
    return (value - start_of(facts, cycles)) & (~0ull >> (64 - facts->fixed_width));
}

static void end(struct pass *pass, const struct facts *facts)
{
    static const struct assignment nothing;

    pass_make(pass, facts, &nothing);
    pass->setup[pass->setup_count++] = (struct msr_value){IA32_DEBUGCTL, 0};
}

const struct freezing intel_freezing = {
    .kind = kind_of_core,
    .arm = arm,
    .preset = preset,
    .counted = counted,
    .end = end,
};
