#include "sampling.h"

#include "pass.h"
#include "registers.h"

static void keep(struct sampling_plan *plan, uint32_t msr)
{
    for (unsigned i = 0; i < plan->keep_count; i++)
        if (plan->keep[i] == msr)
            return;
    plan->keep[plan->keep_count++] = msr;
}

/* The interrupt goes to the logical processor that the counter counts for. */
static uint64_t interrupt_bit(const struct facts *facts)
{
    const bool second = facts->threads_per_core > 1 && (facts->smt_id & 1);

    return second ? field_of(CCCR_OVF_PMI_T1, 1) : field_of(CCCR_OVF_PMI_T0, 1);
}

/* The CCCR starts and stops the counter. Its OVF would say that the counter has overflowed, but
 * every write to the CCCR sets or clears OVF, that which stops the counter too; so the counter's
 * highest bit says it, which the preset sets and the overflow clears. A write to a counter may be
 * lost (erratum N15): `clear` writes it once, and then it is set. */
static void write_handler(struct sampling_plan *plan, const struct pass *pass, uint64_t interrupt)
{
    const struct msr_value stopped = {pass->enable.msr, pass->disable | interrupt};

    plan->enable = (struct msr_value){pass->enable.msr, pass->enable.value | interrupt};
    plan->disable = stopped.value;
    plan->stop[plan->stop_count++] = stopped;
    plan->clear[plan->clear_count++] = (struct msr_value){plan->counter_msr, 0};
    plan->status_msr = plan->counter_msr;
    plan->status_flip = plan->status_bits = plan->counter_mask ^ plan->counter_mask >> 1;
    plan->interrupts_with_next = true;
}

const char *netburst_sampling_plan(struct sampling_plan *plan, const struct facts *facts,
                                   const struct description *description, const struct event *event,
                                   const struct event *cycles)
{
    const uint64_t interrupt = interrupt_bit(facts);
    struct pass pass;
    const char *why = netburst_pass_make(&pass, facts, description, event);

    (void)cycles;
    if (why != NULL)
        return why;
    if (pass.setup_count > SAMPLING_WRITES)
        return "it needs more registers than a sampling plan has room for";
    for (unsigned i = 0; i < pass.setup_count; i++) {
        plan->setup[plan->setup_count++] = pass.setup[i];
        keep(plan, pass.setup[i].msr);
    }
    plan->counter_index = pass.readings[0].counter;
    plan->counter_msr = netburst_counters[plan->counter_index].address;
    plan->counter_mask = (1ull << NETBURST_COUNTER_BITS) - 1;
    plan->reads[plan->read_count++] = plan->counter_msr;
    write_handler(plan, &pass, interrupt);
    return NULL;
}
