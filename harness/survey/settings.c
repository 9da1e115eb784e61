#include "settings.h"

#include "boot/cpu.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "harness/configure/library.h"
#include "harness/report/records_settings.h"
#include "harness/run/outcome_verdicts.h"
#include "pmu/registers.h"

/* A few dozen accesses. */
#define TIMEOUT_US 2000000

struct wanted {
    const char *name; /* of the configuration's key */
    const char *why;  /* it cannot be set; null: it can */
    uint32_t msr;
    uint64_t bits; /* to be set */
    uint64_t is;
    bool holds;
};

struct work {
    struct measured_core *core;
    struct settings settings;
    struct wanted wanted[2];
    unsigned wanted_count;
};

/* Why bits 0 to 3 of MSR_MISC_FEATURE_CONTROL need not be what they are on P cores; null: they are.
 */
static const char *other_prefetchers(const struct measured_core *core)
{
    if (core->facts.core_type == CORE_TYPE_ATOM)
        return "an E core's switches are not those of MSR_MISC_FEATURE_CONTROL[3:0]";
    if (core->description == NULL || core->undescribed ||
        strcmp(core->description->name, LIBRARY_FALLBACK) == 0)
        return "no description fits this processor: its switches may be others";
    return NULL;
}

static void read_settings(struct settings *settings, const struct measured_core *measured)
{
    const struct facts *facts = &measured->facts;
    const bool core = facts->family == 6; /* of the registers that are not architectural */
    const uint32_t leaf6 = cpuid_read(0, 0).eax >= 6 ? cpuid_read(6, 0).eax : 0;

    settings->other_prefetchers = other_prefetchers(measured) != NULL;
    settings->turbo_announced = leaf6 >> 1 & 1;
    settings->hwp_announced = leaf6 >> 7 & 1;
    for (unsigned i = 0; i < SETTINGS_REGISTERS; i++) {
        const struct settings_register *named = settings_register(i);

        settings->present[i] = (core || named->architectural) && facts->version >= named->version &&
                               msr_read(named->msr, &settings->value[i]);
    }
}

static void set(struct saved_registers *saved, struct wanted *wanted)
{
    uint64_t value;

    if (wanted->why != NULL)
        return;
    if (saved_keep(saved, wanted->msr) != RC_OK || !msr_read(wanted->msr, &value))
        wanted->why = "reading its register faults";
    else if (!msr_write(wanted->msr, value | wanted->bits) || !msr_read(wanted->msr, &wanted->is))
        wanted->why = "writing its register faults";
    else
        wanted->holds = (wanted->is & wanted->bits) == wanted->bits;
}

static void settings_work(void *argument)
{
    struct work *work = argument;

    read_settings(&work->settings, work->core);
    for (unsigned i = 0; i < work->wanted_count; i++)
        set(&work->core->registers.saved, &work->wanted[i]);
}

static void want(const struct run *run, const struct facts *facts, struct work *work)
{
    const char *other =
        facts->family != 6 ? "its switch is of another kind on this processor" : NULL;

    if (run->config.turbo_off)
        work->wanted[work->wanted_count++] =
            (struct wanted){.name = "turbo",
                            .why = other,
                            .msr = IA32_MISC_ENABLE,
                            .bits = field_of(MISC_ENABLE_TURBO_DISABLE, 1)};
    if (run->config.prefetch_off)
        work->wanted[work->wanted_count++] =
            (struct wanted){.name = "prefetch",
                            .why = other != NULL ? other : other_prefetchers(work->core),
                            .msr = MSR_MISC_FEATURE_CONTROL,
                            .bits = field_of(FEATURE_CONTROL_PREFETCHERS, 0xf)};
}

static void judge(struct run *run, const struct measured_core *core, const struct wanted *wanted)
{
    char text[sizeof(run->verdicts->text)], name[40];

    if (wanted->why != NULL) {
        log_skip(wanted->why, "core %u %s = off", core->core, wanted->name);
        return;
    }
    format(text, sizeof(text), "core %u %s = off: %s is 0x%llx", core->core, wanted->name,
           msr_name(&core->facts, wanted->msr, name, sizeof(name)), (unsigned long long)wanted->is);
    outcome_verdicts_log_text(run, wanted->holds, text);
}

void settings_apply(struct run *run, struct measured_core *core)
{
    struct work work = {.core = core};
    enum rc rc;

    if (core->lost || !core->facts.intel)
        return;
    if (core->description != NULL && core->facts.absent == NULL) /* it is measured, then restored */
        want(run, &core->facts, &work);
    rc = cores_run(core->core, settings_work, &work, TIMEOUT_US);
    if (rc != RC_OK) {
        measured_core_lose_while(core, rc, "its settings", "were read");
        return;
    }
    if (!run->settings_logged || memcmp(&work.settings, &run->settings, sizeof(run->settings)) != 0)
        record_settings(core, &work.settings);
    run->settings_logged = true;
    run->settings = work.settings;
    for (unsigned i = 0; i < work.wanted_count; i++)
        judge(run, core, &work.wanted[i]);
}
