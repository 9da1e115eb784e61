#include "kind.h"

#include "asked.h"
#include "boot/format.h"
#include "boot/text.h"
#include "cascade.h"
#include "pass.h"
#include "pebs.h"
#include "registers.h"
#include "sampling.h"
#include "select.h"
#include "statements.h"

static bool is_of(const struct facts *facts)
{
    return facts->intel && facts->family == 0xf && facts->model <= NETBURST_LAST_MODEL;
}

static void read_counters(struct facts *facts)
{
    facts->general_count = NETBURST_COUNTERS;
    facts->general_width = NETBURST_COUNTER_BITS;
}

/* The counters are there when IA32_MISC_ENABLE says so; no CPUID leaf counts them. */
static const char *absent(const uint64_t *misc_enable)
{
    if (misc_enable == NULL)
        return "IA32_MISC_ENABLE, which announces NetBurst's counters, cannot be read";
    if (!field_get(*misc_enable, MISC_ENABLE_PERFMON_AVAILABLE))
        return "IA32_MISC_ENABLE says that NetBurst's counters are not available";
    return NULL;
}

static void describe(const struct facts *facts, char *out, unsigned size)
{
    format(out, size, "NetBurst, %u counters", facts->general_count);
}

static bool is_counting(const struct msr_value *found)
{
    return netburst_is_cccr(found->msr) && field_get(found->value, CCCR_ENABLE) != 0;
}

static bool register_name(uint32_t msr, char *out, unsigned size)
{
    if (netburst_register_name(msr, out, size))
        return true;
    if (msr == MSR_LASTBRANCH_TOS_NETBURST)
        format(out, size, "MSR_LASTBRANCH_TOS");
    else if (msr - MSR_LASTBRANCH_0_NETBURST < 4)
        format(out, size, "MSR_LASTBRANCH_%u", msr - MSR_LASTBRANCH_0_NETBURST);
    else
        return false;
    return true;
}

static const char *pass(struct pass *made, const struct facts *facts,
                        const struct description *description, const struct event *event)
{
    if (event->kind == EVENT_NAMED)
        return netburst_pass_make(made, facts, description, event);
    return event->kind == EVENT_OUTSIDE  ? event->why
           : event->kind == EVENT_MASKED ? "it has masks, and none is named"
                                         : "no ESCR selects it";
}

static bool check_masks(const struct description *description, struct slice text,
                        struct complaint *complaint)
{
    struct netburst_request request;

    return netburst_read(&request, description, text, complaint);
}

/* "Last Branch, Interrupt, and Exception Recording": models 0 to 2, and from 3 on. */
static const struct lbr_kind lbr_rows[] = {
    {"netburst4", 4, .from = MSR_LASTBRANCH_0_NETBURST, .tos = MSR_LASTBRANCH_TOS_NETBURST,
     .fixed = LBR_FORMAT_32},
    {"netburst16", 16, .from = MSR_LASTBRANCH_0_FROM_IP, .to = MSR_LASTBRANCH_0_TO_IP,
     .tos = MSR_LASTBRANCH_TOS_NETBURST, .fixed = LBR_FORMAT_LIP},
};

/* Tagged uops alone make records. */
static const struct pebs_kind pebs_rows[] = {
    {.name = "netburst",
     .events = {[PEBS_LOADS] = {.name = "front_end_event:memory_loads",
                                .code = 0x08,
                                .umask = 0x01,
                                .counters = 1ull << NETBURST_PEBS_COUNTER}}},
};

const struct pmu_kind netburst_kind = {
    .name = "netburst",
    .is_of = is_of,
    .read_counters = read_counters,
    .absent = absent,
    .describe = describe,
    .unversioned = true,
    .threads_share = true,
    .debugctl_records = DEBUGCTLA_RECORDING,
    .is_shared = netburst_has_register,
    .is_counting = is_counting,
    .register_name = register_name,
    .reading_text = netburst_pass_text,
    .pass = pass,
    .cascade = netburst_cascade_make,
    .no_common_event = "no event can be counted by all counters of NetBurst",
    .sampling = netburst_sampling_plan,
    .pebs = netburst_pebs_plan,
    .no_freeze = "NetBurst's counters do not freeze on an interrupt",
    .foreign = "an ESCR selects it, and this core has none",
    .read_masked = netburst_asked_masked,
    .read_registers = netburst_asked_registers,
    .no_selector = "a raw selector, which no counter of NetBurst has",
    .instead = "CCCR/ESCR@COUNTER such as 0x00039000/0x04000204@12",
    .parse_event = netburst_parse_event,
    .statements = netburst_statements,
    .statement_count = NETBURST_STATEMENTS,
    .check_masks = check_masks,
    .lbr_kinds = lbr_rows,
    .lbr_count = COUNT_OF(lbr_rows),
    .pebs_kinds = pebs_rows,
    .pebs_count = COUNT_OF(pebs_rows),
};
