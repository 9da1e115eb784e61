#include "kind.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pass.h"
#include "registers.h"

#define FIRST_ZEN 0x17u

static bool is_of(const struct facts *facts)
{
    return facts->amd && facts->family >= FIRST_ZEN;
}

static void describe(const struct facts *facts, char *out, unsigned size)
{
    format(out, size, "%s, %u core counters",
           facts->version >= 2 ? "PerfMonV2" : "counters started one by one", facts->general_count);
}

static const char *sampling(struct sampling_plan *plan, const struct facts *facts,
                            const struct description *description, const struct event *event,
                            const struct event *cycles)
{
    (void)plan, (void)facts, (void)description, (void)event, (void)cycles;
    return "slotscope does not sample by AMD's counters";
}

#define BITS(field) FIELD_MASK((field)&0xff, (field) >> 8)
static const struct recorder recorders[] = {
    {DBG_EXTN_CFG, BITS(DBG_EXTN_CFG_LBRV2EN)},
    {IBS_FETCH_CTL, BITS(IBS_FETCH_CTL_EN)},
    {IBS_OP_CTL, BITS(IBS_OP_CTL_EN)},
};

const struct pmu_kind amd_kind = {
    .name = "amd",
    .is_of = is_of,
    .describe = describe,
    .vendor = "amd",
    .codes = 0xfff,
    .global_status = PERF_CNTR_GLOBAL_STATUS,
    .recorders = recorders,
    .recorder_count = COUNT_OF(recorders),
    .is_counting = amd_is_counting,
    .register_name = amd_register_name,
    .reading_text = amd_reading_text,
    .write_pass = amd_write_pass,
    .fills_passes = true,
    .every_counter = amd_every_counter,
    .reference_pass = amd_reference_pass,
    .counter_register = amd_reading_register,
    .sampling = sampling,
    .no_freeze = "slotscope does not freeze AMD's counters",
    .no_selector = "a raw selector 0xEEUU, whose event select has no room for AMD's 12 bits",
    .instead = "an event of the description, such as ex_ret_instr",
};
