#include "sampling.h"

#include "pass.h"

/* A counter: general number `number`, or fixed. */
struct chosen {
    bool found, fixed;
    unsigned number;
};

/* `taken`: general counters that are in use. A fixed counter can count the event beside anything.
 */
static struct chosen choose(const struct facts *facts, const struct event *event, uint32_t taken,
                            bool fixed_free)
{
    uint32_t counters = event->encodable ? event->counters & pass_general_counters(facts) : 0;
    struct chosen chosen = {.found = true};

    if (event->kind == EVENT_FIXED && fixed_free &&
        pass_fixed_counters(facts) >> event->fixed & 1) {
        chosen.fixed = true;
        chosen.number = event->fixed;
        return chosen;
    }
    if (event->architectural >= 0 && !(facts->architectural_events >> event->architectural & 1))
        counters = 0;
    for (counters &= ~taken; chosen.number < GENERAL_COUNTERS; chosen.number++)
        if (counters >> chosen.number & 1)
            return chosen;
    return (struct chosen){.found = false};
}

static uint64_t mask_of(const struct facts *facts, struct chosen chosen)
{
    const uint32_t width = chosen.fixed ? facts->fixed_width : facts->general_width;

    return width > 0 && width < 64 ? (1ull << width) - 1 : UINT64_MAX;
}

/* Its bit in IA32_PERF_GLOBAL_CTRL and IA32_PERF_GLOBAL_STATUS. */
static uint64_t bit_of(struct chosen chosen)
{
    if (!chosen.found)
        return 0;
    return chosen.fixed ? field_of(PERF_GLOBAL_CTRL_EN_FIXED_CTR, 1ull << chosen.number)
                        : field_of(PERF_GLOBAL_CTRL_EN_PMC, 1ull << chosen.number);
}

static uint32_t index_of(struct chosen chosen)
{
    return chosen.fixed ? RDPMC_FIXED + chosen.number : chosen.number;
}

static uint32_t setting_register(const struct facts *facts, struct chosen chosen)
{
    return chosen.fixed ? IA32_FIXED_CTR0 + chosen.number
                        : intel_counter_register(facts, chosen.number);
}

static void put(struct sampling_plan *plan, uint32_t msr, uint64_t value)
{
    plan->setup[plan->setup_count++] = (struct msr_value){msr, value};
    if (msr != IA32_PERF_GLOBAL_OVF_CTRL)
        plan->keep[plan->keep_count++] = msr;
}

/* The counter of all cycles counts in the handler, too, whichever ring the kernel is in. */
static uint64_t fixed_control(const struct facts *facts, struct chosen sampled, struct chosen total)
{
    uint64_t control = 0;

    if (sampled.fixed)
        control |= (intel_fixed_enable(facts) | field_of(FIXED_CTR_CTRL_PMI0, 1))
                   << sampled.number * FIXED_CTR_CTRL_STEP;
    if (total.found && total.fixed)
        control |= field_of(FIXED_CTR_CTRL_EN0, FIXED_CTR_CTRL_OS_AND_USR)
                   << total.number * FIXED_CTR_CTRL_STEP;
    return control;
}

static uint64_t select_of(const struct facts *facts, const struct event *event,
                          struct chosen sampled, const struct event *cycles, struct chosen total,
                          unsigned counter)
{
    if (!sampled.fixed && sampled.number == counter)
        return intel_event_select(facts, event, false) | field_of(PERFEVTSEL_INT, 1);
    if (total.found && !total.fixed && total.number == counter)
        return intel_event_select(facts, cycles, false) | field_of(PERFEVTSEL_OS, 1);
    return 0;
}

/* All counters are stopped first; the sampled counter's own value is the caller's. */
static void write_setup(struct sampling_plan *plan, const struct facts *facts,
                        const struct event *event, struct chosen sampled,
                        const struct event *cycles, struct chosen total)
{
    struct msr_value prime[INTEL_PRIME];
    const unsigned primes = intel_prime(facts, prime);

    put(plan, IA32_PERF_GLOBAL_CTRL, 0);
    for (unsigned i = 0; i < primes; i++)
        put(plan, prime[i].msr, prime[i].value);
    put(plan, IA32_PERF_GLOBAL_OVF_CTRL, intel_status_bits(facts));
    if (pass_fixed_counters(facts))
        put(plan, IA32_FIXED_CTR_CTRL, fixed_control(facts, sampled, total));
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (pass_general_counters(facts) >> i & 1)
            put(plan, IA32_PERFEVTSEL0 + i, select_of(facts, event, sampled, cycles, total, i));
    if (event->msr != 0)
        put(plan, event->msr, event->msr_value);
    if (total.found)
        put(plan, setting_register(facts, total), 0);
    plan->keep[plan->keep_count++] = plan->counter_msr;
}

/* The overflow's bit is cleared before the counter is set, and counting is enabled last: an
 * overflow after that is a new one. Version 4 clears by the same register under another name
 * (IA32_PERF_GLOBAL_STATUS_RESET). Nothing here freezes counters, so no freeze has to be ended. */
static void write_handler(struct sampling_plan *plan, struct chosen sampled, struct chosen total)
{
    const uint64_t bit = bit_of(sampled);

    plan->stop[plan->stop_count++] = (struct msr_value){IA32_PERF_GLOBAL_CTRL, bit_of(total)};
    plan->clear[plan->clear_count++] = (struct msr_value){IA32_PERF_GLOBAL_OVF_CTRL, bit};
    plan->enable = (struct msr_value){IA32_PERF_GLOBAL_CTRL, bit | bit_of(total)};
    plan->disable = 0;
    plan->status_msr = IA32_PERF_GLOBAL_STATUS;
    plan->status_bits = bit;
}

/* Version 1 has neither IA32_PERF_GLOBAL_CTRL nor IA32_PERF_GLOBAL_STATUS: the enable bit of the
 * event select starts and stops the counter, and a counter that has overflowed shows it by its
 * highest bit, which the preset sets and the overflow clears. */
static void write_version_1(struct sampling_plan *plan, const struct facts *facts,
                            const struct event *event, struct chosen sampled)
{
    const uint64_t select = intel_event_select(facts, event, false) | field_of(PERFEVTSEL_INT, 1);
    const uint64_t stopped = select & ~field_of(PERFEVTSEL_EN, 1);
    const uint32_t select_msr = IA32_PERFEVTSEL0 + sampled.number;

    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (pass_general_counters(facts) >> i & 1)
            put(plan, IA32_PERFEVTSEL0 + i, i == sampled.number ? stopped : 0);
    if (event->msr != 0)
        put(plan, event->msr, event->msr_value);
    plan->keep[plan->keep_count++] = plan->counter_msr;
    plan->stop[plan->stop_count++] = (struct msr_value){select_msr, stopped};
    plan->enable = (struct msr_value){select_msr, select};
    plan->disable = stopped;
    plan->status_msr = IA32_PMC0 + sampled.number;
    plan->status_flip = plan->status_bits = plan->counter_mask ^ plan->counter_mask >> 1;
}

const char *intel_sampling_plan(struct sampling_plan *plan, const struct facts *facts,
                                const struct description *description, const struct event *event,
                                const struct event *cycles)
{
    struct chosen sampled, total = {.found = false};

    (void)description;
    sampled = choose(facts, event, 0, true);
    if (!sampled.found)
        return "no counter of this core counts the event that is sampled";
    if (facts->version >= 2 && cycles != NULL && pass_refuses(facts, cycles) == NULL)
        total = choose(facts, cycles, sampled.fixed ? 0 : 1u << sampled.number,
                       !sampled.fixed || sampled.number != cycles->fixed);
    plan->counter_mask = mask_of(facts, sampled);
    plan->counter_msr = setting_register(facts, sampled);
    plan->counter_index = index_of(sampled);
    plan->total_index = index_of(total);
    plan->total_mask = total.found ? mask_of(facts, total) : 0;
    plan->reads[plan->read_count++] =
        (sampled.fixed ? (uint32_t)IA32_FIXED_CTR0 : (uint32_t)IA32_PMC0) + sampled.number;
    if (facts->version >= 2) {
        write_setup(plan, facts, event, sampled, cycles, total);
        write_handler(plan, sampled, total);
    } else {
        write_version_1(plan, facts, event, sampled);
    }
    return NULL;
}
