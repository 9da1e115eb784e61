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

struct work {
    struct measured_core *core;
    struct settings settings;
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

static void read_work(void *argument)
{
    struct work *work = argument;

    read_settings(&work->settings, work->core);
    switches_find(&work->core->switches);
}

/* SDM volume 4: turbo's bit of IA32_MISC_ENABLE has the scope "package", prefetchers' "core". */
static void want(const struct config *config, struct measured_core *core)
{
    struct switches *switches = &core->switches;
    const char *other =
        core->facts.family != 6 ? "its switch is of another kind on this processor" : NULL;

    if (config->turbo_off)
        switches->list[switches->count++] =
            (struct switch_off){.name = "turbo",
                                .why = other,
                                .msr = IA32_MISC_ENABLE,
                                .bits = field_of(MISC_ENABLE_TURBO_DISABLE, 1),
                                .sharing = SHARED_BY_PACKAGE};
    if (config->prefetch_off)
        switches->list[switches->count++] =
            (struct switch_off){.name = "prefetch",
                                .why = other != NULL ? other : other_prefetchers(core),
                                .msr = MSR_MISC_FEATURE_CONTROL,
                                .bits = field_of(FEATURE_CONTROL_PREFETCHERS, 0xf),
                                .sharing = SHARED_BY_CORE};
}

void settings_find(struct run *run, struct measured_core *core)
{
    struct work work = {.core = core};
    enum rc rc;

    if (core->lost || !core->facts.intel)
        return;
    if (core->description != NULL && core->facts.absent == NULL) /* it is measured */
        want(&run->config, core);
    rc = cores_run(core->core, read_work, &work, TIMEOUT_US);
    if (rc != RC_OK) {
        measured_core_lose_while(core, rc, "its settings", "were read");
        return;
    }
    if (!run->settings_logged || memcmp(&work.settings, &run->settings, sizeof(run->settings)) != 0)
        record_settings(core, &work.settings);
    run->settings_logged = true;
    run->settings = work.settings;
}

static void set_work(void *argument)
{
    switches_set(argument);
}

static void judge(struct run *run, const struct measured_core *core, const struct switch_off *one)
{
    char text[sizeof(run->verdicts->text)], name[40];

    if (one->why != NULL) {
        log_skip(one->why, "core %u %s = off", core->core, one->name);
        return;
    }
    format(text, sizeof(text), "core %u %s = off: %s is 0x%llx", core->core, one->name,
           msr_name(&core->facts, one->msr, name, sizeof(name)), (unsigned long long)one->is);
    outcome_verdicts_log_text(run, switch_holds(one), text);
}

static void set(struct run *run, struct measured_core *core)
{
    const enum rc rc = cores_run(core->core, set_work, &core->switches, TIMEOUT_US);

    if (rc != RC_OK)
        measured_core_lose_while(core, rc, "its settings", "were changed");
    for (unsigned i = 0; rc == RC_OK && i < core->switches.count; i++)
        judge(run, core, &core->switches.list[i]);
}

void settings_change(struct run *run)
{
    for (unsigned i = 0; i < run->core_count; i++)
        if (!run->cores[i].lost && run->cores[i].switches.count > 0)
            set(run, &run->cores[i]);
}
