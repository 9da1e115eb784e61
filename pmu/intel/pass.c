#include "pass.h"

#include "boot/text.h"

static void put(struct pass *pass, uint32_t msr, uint64_t value)
{
    pass->setup[pass->setup_count++] = (struct msr_value){msr, value};
}

/* The ring that the event counts in, where it names none the one in which kernels run. */
static bool in_ring_0(const struct facts *facts, const struct event *event)
{
    return event->rings == RINGS_KERNEL || (event->rings == RINGS_ALL && !facts->user_only);
}

uint64_t intel_fixed_enable(const struct facts *facts)
{
    return field_of(FIXED_CTR_CTRL_EN0,
                    facts->user_only ? FIXED_CTR_CTRL_USR : FIXED_CTR_CTRL_OS_AND_USR);
}

uint64_t intel_event_select(const struct facts *facts, const struct event *event, bool second)
{
    return field_of(PERFEVTSEL_EVENT_SELECT, second ? event->second.code : event->code) |
           field_of(PERFEVTSEL_UMASK, second ? event->second.umask : event->umask) |
           field_of(PERFEVTSEL_USR, event->rings != RINGS_KERNEL) |
           field_of(PERFEVTSEL_OS, in_ring_0(facts, event)) |
           field_of(PERFEVTSEL_EDGE, event->edge) | field_of(PERFEVTSEL_ANY, event->any) |
           field_of(PERFEVTSEL_EN, 1) | field_of(PERFEVTSEL_INV, event->inv) |
           field_of(PERFEVTSEL_CMASK, event->cmask) | field_of(PERFEVTSEL_EQ, event->eq) |
           field_of(PERFEVTSEL_UMASK2, event->umask2);
}

static uint64_t event_select(const struct facts *facts, const struct assignment *assignment,
                             unsigned counter)
{
    return intel_event_select(facts, assignment->general[counter], assignment->second[counter]);
}

/* The register that selects what the event counts, where the event has one. */
static void put_selection(struct pass *pass, const struct assignment *assignment, unsigned counter)
{
    const struct event *event = assignment->general[counter];

    if (event->msr)
        put(pass, assignment->second[counter] ? event->second.msr : event->msr, event->msr_value);
}

uint32_t intel_counter_register(const struct facts *facts, unsigned counter)
{
    return (facts->full_width_write ? IA32_A_PMC0 : IA32_PMC0) + counter;
}

uint32_t intel_reading_register(const struct facts *facts, const struct reading *reading)
{
    return reading->kind == READING_GENERAL ? intel_counter_register(facts, reading->counter)
                                            : (uint32_t)IA32_FIXED_CTR0 + reading->counter;
}

uint64_t intel_status_bits(const struct facts *facts)
{
    uint64_t bits = field_of(PERF_GLOBAL_STATUS_OVF_PMC, pass_general_counters(facts)) |
                    field_of(PERF_GLOBAL_STATUS_OVF_FIXED_CTR, pass_fixed_counters(facts)) |
                    field_of(PERF_GLOBAL_STATUS_OVF_PERF_METRICS, pass_has_metrics(facts));

    if (facts->version >= 4)
        bits |= field_of(PERF_GLOBAL_STATUS_LBR_FRZ, 1) | field_of(PERF_GLOBAL_STATUS_CTR_FRZ, 1);
    return bits;
}

/* The steps are those of Linux, arch/x86/events/intel/core.c, intel_pmu_nhm_workaround: all four
 * counters count the events at 0, and are stopped at once. IA32_PERF_GLOBAL_CTRL is 0 before. */
unsigned intel_prime(const struct facts *facts, struct msr_value writes[INTEL_PRIME])
{
    const uint32_t *prime = facts->quirks.prime;
    unsigned count = 0;

    if (prime[0] == 0 || facts->general_count < COUNT_OF(facts->quirks.prime))
        return 0;
    for (unsigned i = 0; i < COUNT_OF(facts->quirks.prime); i++) {
        writes[count++] = (struct msr_value){IA32_PERFEVTSEL0 + i, prime[i]};
        writes[count++] = (struct msr_value){intel_counter_register(facts, i), 0};
    }
    writes[count++] = (struct msr_value){IA32_PERF_GLOBAL_CTRL, 0xf};
    writes[count++] = (struct msr_value){IA32_PERF_GLOBAL_CTRL, 0};
    return count;
}

static bool uses_fixed(const struct assignment *assignment, unsigned counter)
{
    return assignment->fixed[counter] != NULL || (counter == 3 && assignment->slots != NULL);
}

static uint64_t fixed_control(const struct facts *facts, const struct assignment *assignment)
{
    uint64_t control = 0;

    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (uses_fixed(assignment, i))
            control |= intel_fixed_enable(facts) << i * FIXED_CTR_CTRL_STEP;
    return control;
}

static uint64_t global_control(const struct assignment *assignment)
{
    uint32_t general = 0, fixed = 0;

    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] != NULL)
            general |= 1u << i;
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (uses_fixed(assignment, i))
            fixed |= 1u << i;
    return field_of(PERF_GLOBAL_CTRL_EN_PMC, general) |
           field_of(PERF_GLOBAL_CTRL_EN_FIXED_CTR, fixed) |
           field_of(PERF_GLOBAL_CTRL_EN_PERF_METRICS, assignment->slots != NULL);
}

static bool counts_general(const struct assignment *assignment)
{
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] != NULL)
            return true;
    return false;
}

/* "Architectural Performance Monitoring Version 2". The first write stops all counters, so the
 * order of the others does not matter, except that PERF_METRICS is cleared after the slots that it
 * is a share of. */
static void write_setup(struct pass *pass, const struct facts *facts,
                        const struct assignment *assignment)
{
    uint32_t general = pass_general_counters(facts);
    struct msr_value prime[INTEL_PRIME];
    const unsigned primes = counts_general(assignment) ? intel_prime(facts, prime) : 0;

    put(pass, IA32_PERF_GLOBAL_CTRL, 0);
    for (unsigned i = 0; i < primes; i++)
        put(pass, prime[i].msr, prime[i].value);
    put(pass, IA32_PERF_GLOBAL_OVF_CTRL, intel_status_bits(facts));
    if (pass_fixed_counters(facts))
        put(pass, IA32_FIXED_CTR_CTRL, fixed_control(facts, assignment));
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (general >> i & 1)
            put(pass, IA32_PERFEVTSEL0 + i,
                assignment->general[i] != NULL ? event_select(facts, assignment, i) : 0);
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] != NULL)
            put_selection(pass, assignment, i);
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] != NULL)
            put(pass, intel_counter_register(facts, i), 0);
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (uses_fixed(assignment, i))
            put(pass, IA32_FIXED_CTR0 + i, 0);
    if (assignment->slots != NULL)
        put(pass, MSR_PERF_METRICS, 0);
    pass->enable = (struct msr_value){IA32_PERF_GLOBAL_CTRL, global_control(assignment)};
    pass->disable = 0;
}

/* Version 1 has no IA32_PERF_GLOBAL_CTRL: the enable bit of the one event select starts and stops
 * the counter. */
static void write_setup_of_version_1(struct pass *pass, const struct facts *facts,
                                     const struct assignment *assignment)
{
    uint32_t general = pass_general_counters(facts);

    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (general >> i & 1)
            put(pass, IA32_PERFEVTSEL0 + i, 0);
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++) {
        uint64_t select;

        if (assignment->general[i] == NULL)
            continue;
        select = event_select(facts, assignment, i);
        put_selection(pass, assignment, i);
        put(pass, intel_counter_register(facts, i), 0);
        pass->enable = (struct msr_value){IA32_PERFEVTSEL0 + i, select};
        pass->disable = select & ~field_of(PERFEVTSEL_EN, 1);
    }
}

void intel_write_pass(struct pass *pass, const struct facts *facts,
                      const struct assignment *assignment)
{
    pass->select = IA32_PERFEVTSEL0;
    pass->select_step = 1;
    if (facts->version >= 2)
        write_setup(pass, facts, assignment);
    else
        write_setup_of_version_1(pass, facts, assignment);
}
