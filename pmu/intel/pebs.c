#include "pebs.h"

#include "pass.h"
#include "pmu/sampling/pebs.h"

#define ADAPTIVE_FORMAT 4
#define INSTRUCTIONS    0xc0 /* INST_RETIRED.ANY_P, with unit mask 0 */

static bool is_adaptive(const struct facts *facts)
{
    return field_get(facts->capabilities, PERF_CAPABILITIES_PEBS_BASELINE);
}

static unsigned format_of(const struct facts *facts)
{
    return (unsigned)field_get(facts->capabilities, PERF_CAPABILITIES_PEBS_FMT);
}

const char *intel_pebs_absent(const struct facts *facts)
{
    if (!facts->pdcm)
        return "there is no IA32_PERF_CAPABILITIES, which names the PEBS format";
    if (facts->version < 2)
        return "there is no IA32_PERF_GLOBAL_CTRL";
    if (is_adaptive(facts) ? format_of(facts) < ADAPTIVE_FORMAT
                           : format_of(facts) >= PEBS_FIXED_FORMATS)
        return "IA32_PERF_CAPABILITIES names a PEBS format that is not known";
    return NULL;
}

/* The counters of this core, as bits of IA32_PERF_GLOBAL_STATUS. */
static uint64_t counters_of(const struct facts *facts)
{
    return pass_general_counters(facts) | (uint64_t)pass_fixed_counters(facts) << 32;
}

static int lowest(uint64_t counters)
{
    return counters != 0 ? __builtin_ctzll(counters) : -1;
}

static bool is_fixed(unsigned counter)
{
    return counter >= 32;
}

static void put(struct pebs_plan *plan, uint32_t msr, uint64_t value)
{
    plan->pass.setup[plan->pass.setup_count++] = (struct msr_value){msr, value};
}

static void put_after(struct pebs_plan *plan, uint32_t msr, uint64_t value)
{
    plan->after[plan->after_count++] = (struct msr_value){msr, value};
}

/* What general counter `index`, one of those that count, counts. "Precise events": INT, ANY, EDGE,
 * INV and CMASK are 0. */
static uint64_t select_value(const struct pebs_plan *plan, const struct facts *facts,
                             unsigned index)
{
    const struct pebs_event *event = plan->event;
    uint64_t code = event->code, umask = event->umask;

    if (is_fixed(plan->counter)) {
        code = INSTRUCTIONS;
        umask = 0;
    } else if ((int)index != plan->witness && index != plan->counter) {
        code = event->auxiliary & 0xff;
        umask = event->auxiliary >> 8;
    }
    return field_of(PERFEVTSEL_EVENT_SELECT, code) | field_of(PERFEVTSEL_UMASK, umask) |
           field_of(PERFEVTSEL_USR, 1) | field_of(PERFEVTSEL_OS, !facts->user_only) |
           field_of(PERFEVTSEL_EN, 1) |
           field_of(PERFEVTSEL_ADAPTIVE_RECORD, plan->layout.adaptive && index == plan->counter);
}

static uint64_t fixed_control(const struct pebs_plan *plan, const struct facts *facts,
                              uint64_t counting)
{
    uint64_t control = 0;

    for (unsigned i = 0; i < FIXED_COUNTERS; i++) {
        const unsigned shift = i * FIXED_CTR_CTRL_STEP;

        if (!(counting >> (32 + i) & 1))
            continue;
        control |= intel_fixed_enable(facts) << shift;
        if (plan->layout.adaptive && plan->counter == 32 + i)
            control |= field_of(FIXED_CTR_CTRL_ADAPTIVE_RECORD0, 1) << shift;
    }
    return control;
}

static unsigned reset_slot(const struct pebs_plan *plan)
{
    const unsigned fixed = plan->layout.format >= DS_WIDE_FORMAT ? DS_FIXED_WIDE : DS_FIXED;

    return is_fixed(plan->counter) ? fixed + plan->counter - 32 : plan->counter;
}

static uint64_t enable_bits(const struct pebs_plan *plan, const struct pebs_kind *kind)
{
    uint64_t bits = 1ull << plan->counter;

    if (plan->above != 0 && kind->latency_enable)
        bits |= 1ull << (32 + plan->counter);
    return bits;
}

static uint64_t status_bits(const struct facts *facts)
{
    uint64_t bits = counters_of(facts) | field_of(PERF_GLOBAL_STATUS_OVF_DS_BUFFER, 1);

    if (facts->version >= 4)
        bits |= field_of(PERF_GLOBAL_STATUS_LBR_FRZ, 1) | field_of(PERF_GLOBAL_STATUS_CTR_FRZ, 1);
    return bits;
}

static void put_counters(struct pebs_plan *plan, const struct facts *facts, uint64_t counting)
{
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++) {
        if (!(pass_general_counters(facts) >> i & 1))
            continue;
        put(plan, IA32_PERFEVTSEL0 + i, counting >> i & 1 ? select_value(plan, facts, i) : 0);
        if (counting >> i & 1)
            put(plan, intel_counter_register(facts, i), i == plan->counter ? plan->reset : 0);
    }
    for (unsigned i = 0; i < FIXED_COUNTERS; i++)
        if (counting >> (32 + i) & 1)
            put(plan, IA32_FIXED_CTR0 + i, plan->counter == 32 + i ? plan->reset : 0);
}

/* Last branches go into records only while they are recorded. */
static void put_branches(struct pebs_plan *plan)
{
    const struct lbr_plan *branches = &plan->branches;

    if (branches->kind == NULL)
        return;
    for (unsigned i = 0; i < branches->setup_count; i++)
        put(plan, branches->setup[i].msr, branches->setup[i].value);
    put(plan, branches->enable.msr, branches->enable.value);
    put_after(plan, branches->enable.msr, branches->disable);
}

static void write_setup(struct pebs_plan *plan, const struct facts *facts,
                        const struct pebs_kind *kind, uint64_t area, uint64_t counting)
{
    struct msr_value prime[INTEL_PRIME];
    const unsigned primes = intel_prime(facts, prime);

    plan->pass.setup_count = 0;
    put(plan, IA32_PERF_GLOBAL_CTRL, 0);
    put(plan, IA32_PEBS_ENABLE, 0);
    for (unsigned i = 0; i < primes; i++)
        put(plan, prime[i].msr, prime[i].value);
    put(plan, IA32_PERF_GLOBAL_OVF_CTRL, status_bits(facts));
    put(plan, IA32_DS_AREA, area);
    if (plan->layout.adaptive)
        put(plan, MSR_PEBS_DATA_CFG, plan->groups);
    if (plan->above != 0)
        put(plan, MSR_PEBS_LD_LAT, plan->above);
    if (pass_fixed_counters(facts))
        put(plan, IA32_FIXED_CTR_CTRL, fixed_control(plan, facts, counting));
    put_counters(plan, facts, counting);
    put_branches(plan);
    put(plan, IA32_PEBS_ENABLE, enable_bits(plan, kind));
    plan->pass.enable = (struct msr_value){IA32_PERF_GLOBAL_CTRL, counting};
    plan->pass.disable = 0;
    put_after(plan, IA32_PEBS_ENABLE, 0);
}

/* A counter that counts the same event and makes no records. What load latency follows is chosen
 * for each counter by itself, so nothing witnesses it. */
static int witness_of(const struct pebs_plan *plan, uint64_t available)
{
    const uint64_t general = available & 0xffffffff;

    if (plan->above != 0)
        return -1;
    if (is_fixed(plan->counter))
        return lowest(general);
    if (plan->use == PEBS_INSTRUCTIONS && available >> 32 & 1)
        return 32;
    return lowest(general & plan->event->counters & ~(1ull << plan->counter));
}

static uint64_t groups_of(const struct pebs_plan *plan)
{
    uint64_t groups = field_of(PEBS_DATA_CFG_MEMINFO, 1) | field_of(PEBS_DATA_CFG_GPRS, 1);

    if (!plan->layout.adaptive)
        return 0;
    if (plan->use == PEBS_TAKEN)
        groups |= field_of(PEBS_DATA_CFG_XMMS, 1);
    if (plan->branches.kind != NULL)
        groups |= field_of(PEBS_DATA_CFG_LBRS, 1) |
                  field_of(PEBS_DATA_CFG_LBR_ENTRIES, PEBS_BRANCHES - 1);
    return groups;
}

/* A record of a taken branch has the last branches too, where the layout has room for them and the
 * core records them. */
static void choose_branches(struct pebs_plan *plan, const struct facts *facts,
                            const struct description *description)
{
    const struct lbr_options every = {.types = 0};

    if (plan->use == PEBS_TAKEN && is_adaptive(facts))
        (void)lbr_plan_make(&plan->branches, facts, description, &every);
}

static void choose_record(struct pebs_plan *plan, const struct facts *facts,
                          const struct pebs_kind *kind)
{
    plan->layout = (struct pebs_layout){
        .format = format_of(facts),
        .adaptive = is_adaptive(facts),
        .latency_halves = kind->latency_halves,
        .retire_latency = field_get(facts->capabilities, PERF_CAPABILITIES_PEBS_TIMING_INFO) &&
                          !(kind->untimed >> plan->counter & 1),
    };
    plan->trap = field_get(facts->capabilities, PERF_CAPABILITIES_PEBS_TRAP);
    plan->groups = groups_of(plan);
    plan->record_bytes = pebs_record_size(&plan->layout, plan->groups);
    plan->buffer_bytes = kind->buffer_bytes;
}

const char *intel_pebs_plan(struct pebs_plan *plan, const struct facts *facts,
                            const struct description *description, uint64_t area,
                            const struct pebs_choice *choice)
{
    const struct pebs_kind *kind = description->pebs;
    const struct pebs_event *event = plan->event;
    const uint64_t available = counters_of(facts);
    uint64_t usable = available & event->counters, counting;

    plan->has_status = true;
    if (usable == 0 || (is_fixed((unsigned)lowest(usable)) && !is_adaptive(facts)))
        return "the counter that makes these records is missing";
    if (choice->loose)
        usable &= ~event->distributed;
    if (usable == 0)
        return "every counter that makes these records has precise distribution";
    plan->above = plan->use == PEBS_LATENCY        ? PEBS_LATENCY_ABOVE
                  : plan->use == PEBS_LONG_LATENCY ? PEBS_LONG_ABOVE
                                                   : 0;
    plan->distributed = (usable & event->distributed) != 0;
    plan->counter = (unsigned)lowest(plan->distributed ? usable & event->distributed : usable);
    plan->witness = witness_of(plan, available);
    plan->period = choice->period != 0 ? choice->period
                   : plan->above != 0  ? PEBS_LATENCY_PERIOD
                   : plan->distributed ? PEBS_PERIOD
                                       : PEBS_LOOSE_PERIOD;
    plan->mask =
        (1ull << (is_fixed(plan->counter) ? facts->fixed_width : facts->general_width)) - 1;
    plan->reset = (0 - plan->period) & plan->mask;
    choose_branches(plan, facts, description);
    choose_record(plan, facts, kind);
    plan->reset_slot = reset_slot(plan);
    counting = 1ull << plan->counter | (plan->witness >= 0 ? 1ull << plan->witness : 0);
    if (event->auxiliary != 0)
        counting |= 1ull << lowest(available & ~counting);
    write_setup(plan, facts, kind, area, counting);
    return NULL;
}
