#include "pass.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/pass_turn.h"
#include "registers.h"

static void put(struct pass *pass, uint32_t msr, uint64_t value)
{
    pass->setup[pass->setup_count++] = (struct msr_value){msr, value};
}

/* ---- registers ---- */

/* Without PerfCtrExtCore a core has the four counters of K7. */
static bool is_legacy(const struct facts *facts)
{
    return facts->general_count <= AMD_LEGACY_COUNTERS;
}

uint32_t amd_control_register(const struct facts *facts, unsigned counter)
{
    return is_legacy(facts) ? PERF_LEGACY_CTL0 + counter : PERF_CTL0 + 2 * counter;
}

uint32_t amd_counter_register(const struct facts *facts, unsigned counter)
{
    return is_legacy(facts) ? PERF_LEGACY_CTR0 + counter : PERF_CTR0 + 2 * counter;
}

uint32_t amd_reading_register(const struct facts *facts, const struct reading *reading)
{
    return amd_counter_register(facts, reading->counter);
}

bool amd_register_name(uint32_t msr, char *out, unsigned size)
{
    static const struct {
        uint32_t msr;
        const char *name;
    } single[] = {
        {PERF_CNTR_GLOBAL_STATUS, "PERF_CNTR_GLOBAL_STATUS"},
        {PERF_CNTR_GLOBAL_CTL, "PERF_CNTR_GLOBAL_CTL"},
        {PERF_CNTR_GLOBAL_STATUS_CLR, "PERF_CNTR_GLOBAL_STATUS_CLR"},
        {PERF_CNTR_GLOBAL_STATUS_SET, "PERF_CNTR_GLOBAL_STATUS_SET"},
        {DBG_EXTN_CFG, "DBG_EXTN_CFG"},
        {IBS_FETCH_CTL, "IBS_FETCH_CTL"},
        {IBS_OP_CTL, "IBS_OP_CTL"},
    };
    const uint32_t legacy = msr - PERF_LEGACY_CTL0, extended = msr - PERF_CTL0;

    for (unsigned i = 0; i < COUNT_OF(single); i++)
        if (single[i].msr == msr) {
            format(out, size, "%s", single[i].name);
            return true;
        }
    if (legacy < 2 * AMD_LEGACY_COUNTERS)
        format(out, size, "PERF_LEGACY_CT%c%u", legacy < AMD_LEGACY_COUNTERS ? 'L' : 'R',
               legacy % AMD_LEGACY_COUNTERS);
    else if (extended < 2 * AMD_COUNTERS)
        format(out, size, "PERF_CT%c%u", extended % 2 == 0 ? 'L' : 'R', extended / 2);
    else
        return false;
    return true;
}

bool amd_is_counting(const struct msr_value *found)
{
    const uint32_t legacy = found->msr - PERF_LEGACY_CTL0, extended = found->msr - PERF_CTL0;

    return (legacy < AMD_LEGACY_COUNTERS || (extended < 2 * AMD_COUNTERS && extended % 2 == 0)) &&
           field_get(found->value, PERF_CTL_EN) != 0;
}

/* ---- a pass ---- */

uint64_t amd_event_select(const struct event *event)
{
    return field_of(PERF_CTL_EVENT_LOW, event->code) |
           field_of(PERF_CTL_EVENT_HIGH, event->code >> 8) |
           field_of(PERF_CTL_UNIT_MASK, event->umask) |
           field_of(PERF_CTL_USR, event->rings != RINGS_KERNEL) |
           field_of(PERF_CTL_OS, event->rings != RINGS_USER) |
           field_of(PERF_CTL_EDGE, event->edge) | field_of(PERF_CTL_EN, 1) |
           field_of(PERF_CTL_INV, event->inv) | field_of(PERF_CTL_CNT_MASK, event->cmask);
}

static uint64_t counters_used(const struct assignment *assignment)
{
    uint64_t used = 0;

    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] != NULL)
            used |= UINT64_C(1) << i;
    return used;
}

/* PerfMonV2. Counters that are frozen since an interrupt of the firmware's would not count, so
 * these bits are cleared, too. */
static void write_together(struct pass *pass, const struct facts *facts,
                           const struct assignment *assignment)
{
    const uint32_t general = pass_general_counters(facts);

    put(pass, PERF_CNTR_GLOBAL_CTL, 0);
    put(pass, PERF_CNTR_GLOBAL_STATUS_CLR,
        field_of(PERF_CNTR_GLOBAL_CNTRS, general) | field_of(PERF_CNTR_GLOBAL_LBRS_FROZEN, 1) |
            field_of(PERF_CNTR_GLOBAL_CNTRS_FROZEN, 1));
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (general >> i & 1)
            put(pass, amd_control_register(facts, i),
                assignment->general[i] != NULL ? amd_event_select(assignment->general[i]) : 0);
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (assignment->general[i] != NULL)
            put(pass, amd_counter_register(facts, i), 0);
    pass->enable = (struct msr_value){PERF_CNTR_GLOBAL_CTL, counters_used(assignment)};
    pass->disable = 0;
}

/* Before PerfMonV2 no register starts several counters: the enable bit of the one control does. */
static void write_alone(struct pass *pass, const struct facts *facts,
                        const struct assignment *assignment)
{
    const uint32_t general = pass_general_counters(facts);

    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (general >> i & 1)
            put(pass, amd_control_register(facts, i), 0);
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++) {
        uint64_t select;

        if (assignment->general[i] == NULL)
            continue;
        select = amd_event_select(assignment->general[i]);
        put(pass, amd_counter_register(facts, i), 0);
        pass->enable = (struct msr_value){amd_control_register(facts, i), select};
        pass->disable = select & ~field_of(PERF_CTL_EN, 1);
    }
}

void amd_write_pass(struct pass *pass, const struct facts *facts,
                    const struct assignment *assignment)
{
    pass->select = amd_control_register(facts, 0);
    pass->select_step = amd_control_register(facts, 1) - pass->select;
    if (facts->version >= 2)
        write_together(pass, facts, assignment);
    else
        write_alone(pass, facts, assignment);
}

void amd_reading_text(const struct pass *pass, const struct reading *reading, char *out,
                      unsigned size)
{
    const uint32_t control = pass->select + reading->counter * pass->select_step;
    const uint32_t counter = control + (pass->select_step > 1 ? 1 : AMD_LEGACY_COUNTERS);
    uint64_t value = pass->enable.msr == control ? pass->enable.value : 0;
    char names[2][24];

    for (unsigned i = 0; i < pass->setup_count && value == 0; i++)
        if (pass->setup[i].msr == control)
            value = pass->setup[i].value;
    (void)amd_register_name(control, names[0], sizeof(names[0]));
    (void)amd_register_name(counter, names[1], sizeof(names[1]));
    format(out, size, "%s = 0x%llx, %s%s", names[0], (unsigned long long)value, names[1],
           pass_turns(pass) > 1 ? " (in the first repeat; then on others)" : "");
}

/* ---- the same on all counters ---- */

const char *amd_every_counter(struct pass *pass, const struct facts *facts, enum every_counter what)
{
    static const struct event events[EVERY_COUNTERS] = {
        [EVERY_COUNTER_INSTRUCTIONS] = {.name = "ex_ret_instr",
                                        .code = PMC_RETIRED_INSTRUCTIONS,
                                        .architectural = -1},
        [EVERY_COUNTER_CYCLES] = {.name = "ls_not_halted_cyc",
                                  .code = PMC_CYCLES_NOT_IN_HALT,
                                  .architectural = -1},
    };
    const uint32_t general = pass_general_counters(facts);
    struct assignment assignment = {.fixed = {NULL}};

    if (facts->version < 2)
        return "no write of this core starts more than one counter";
    if (events[what].code == 0)
        return "no event of this core counts its slots";
    for (unsigned i = 0; i < GENERAL_COUNTERS; i++)
        if (general >> i & 1)
            assignment.general[i] = &events[what];
    pass_make(pass, facts, &assignment);
    return NULL;
}

const char *amd_reference_pass(struct pass *pass, const struct facts *facts)
{
    (void)pass, (void)facts;
    return "no counter of this core is there for reference cycles alone";
}
