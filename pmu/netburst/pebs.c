#include "pebs.h"

#include "pass.h"
#include "pmu/sampling/pebs.h"
#include "registers.h"

/* IA32_PEBS_ENABLE[25], "ENABLE_PEBS_MY_THR". */
#define ENABLE_MY_THREAD (1ull << 25)

static void put(struct pebs_plan *plan, uint32_t msr, uint64_t value)
{
    plan->pass.setup[plan->pass.setup_count++] = (struct msr_value){msr, value};
}

/* The events, the registers that tag, the counter's CCCR without its enable bit, the counter, and
 * records last. */
static void write_setup(struct pebs_plan *plan, const struct pass *events, uint64_t area)
{
    uint64_t enable = 0;

    put(plan, IA32_PEBS_ENABLE, 0);
    put(plan, IA32_DS_AREA, area);
    for (unsigned i = 0; i < events->setup_count; i++) {
        if (events->setup[i].msr == IA32_PEBS_ENABLE)
            enable = events->setup[i].value;
        else
            put(plan, events->setup[i].msr, events->setup[i].value);
    }
    put(plan, netburst_counters[NETBURST_PEBS_COUNTER].address, plan->reset);
    put(plan, netburst_counters[NETBURST_PEBS_COUNTER].address, plan->reset); /* erratum N15 */
    put(plan, IA32_PEBS_ENABLE, enable | ENABLE_MY_THREAD);
    plan->pass.enable = events->enable;
    plan->pass.disable = events->disable;
    plan->after[plan->after_count++] = (struct msr_value){IA32_PEBS_ENABLE, 0};
}

const char *netburst_pebs_plan(struct pebs_plan *plan, const struct facts *facts,
                               const struct description *description, uint64_t area,
                               const struct pebs_choice *choice)
{
    const struct event event = {
        .name = "", .kind = EVENT_NAMED, .selects = {plan->event->name, plan->event->name}};
    struct pass pass;
    const char *why =
        netburst_pass_make_on(&pass, facts, description, &event, 1u << NETBURST_PEBS_COUNTER);

    if (why != NULL)
        return why;
    plan->period = choice->period != 0 ? choice->period : PEBS_LOOSE_PERIOD;
    if (pass.setup_count + 5 > PLAN_WRITES)
        return "it needs more registers than a pass has room for";
    plan->layout = (struct pebs_layout){.format = 0};
    plan->trap = true; /* "the linear address of the instruction following" */
    plan->counter = NETBURST_PEBS_COUNTER;
    plan->witness = -1;
    plan->mask = (1ull << NETBURST_COUNTER_BITS) - 1;
    plan->reset = (0 - plan->period) & plan->mask;
    plan->reset_slot = 0;
    plan->record_bytes = pebs_record_size(&plan->layout, 0);
    write_setup(plan, &pass, area);
    return NULL;
}
