#include "settings.h"

#include "boot/cpu.h"
#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "harness/configure/library.h"
#include "harness/judge/measured_core_run.h"
#include "harness/outcome/outcome_verdicts.h"
#include "harness/records/records_settings.h"
#include "pmu/registers.h"
#include "restore.h"

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

void settings_find(const struct config *config, struct measured_core *core,
                   struct run_logged *logged)
{
    struct work work = {.core = core};

    if (core->lost || !core->facts.intel)
        return;
    if (core->description != NULL && core->facts.absent == NULL) /* it is measured */
        want(config, core);
    if (!measured_core_run(core, read_work, &work, TIMEOUT_US, "its settings", "were read"))
        return;
    core->settings = memory_alloc(sizeof(*core->settings));
    if (core->settings != NULL)
        *core->settings = work.settings;
    if (!logged->settings_logged ||
        memcmp(&work.settings, &logged->settings, sizeof(logged->settings)) != 0)
        record_settings(core, &work.settings);
    logged->settings_logged = true;
    logged->settings = work.settings;
}

static void set_work(void *argument)
{
    switches_set(argument);
}

static void judge(struct run_verdicts *verdicts, const struct measured_core *core,
                  const struct switch_off *one)
{
    char name[40];

    if (one->why != NULL) {
        log_skip(one->why, "core %u %s = off", core->core, one->name);
        return;
    }
    outcome_verdicts_log_text(
        verdicts, switch_holds(one), "core %u %s = off: %s is 0x%llx", core->core, one->name,
        msr_name(&core->facts, one->msr, name, sizeof(name)), (unsigned long long)one->is);
}

static void set(struct run_verdicts *verdicts, struct measured_core *core)
{
    if (!measured_core_run(core, set_work, &core->switches, TIMEOUT_US, "its settings",
                           "were changed"))
        return;
    for (unsigned i = 0; i < core->switches.count; i++)
        judge(verdicts, core, &core->switches.list[i]);
}

void settings_change(struct run_cores *cores, struct run_verdicts *verdicts)
{
    for (unsigned i = 0; i < cores->count; i++)
        if (!cores->of[i].lost && cores->of[i].switches.count > 0)
            set(verdicts, &cores->of[i]);
}

static void read_again_work(void *argument)
{
    struct work *work = argument;

    read_settings(&work->settings, work->core);
}

/* What the register is to hold while cores are measured. */
static uint64_t expected_of(const struct measured_core *core, unsigned index)
{
    const struct switches *switches = &core->switches;
    uint64_t expected = core->settings->value[index];

    for (unsigned i = 0; i < switches->count; i++)
        if (switches->list[i].set && switches->list[i].msr == settings_register(index)->msr)
            expected |= switches->list[i].bits;
    return expected;
}

static bool differs(const struct work *work, unsigned index)
{
    const struct measured_core *core = work->core;

    return core->settings->present[index] && !settings_register(index)->moves &&
           (!work->settings.present[index] ||
            work->settings.value[index] != expected_of(core, index));
}

static void put_back_work(void *argument)
{
    struct work *work = argument;

    for (unsigned i = 0; i < SETTINGS_REGISTERS; i++)
        if (differs(work, i))
            (void)msr_write(settings_register(i)->msr, expected_of(work->core, i));
    read_settings(&work->settings, work->core);
}

static void report_changed(const struct work *work, unsigned index)
{
    restore_log_difference("a setting is another than before the measurement", work->core,
                           settings_register(index)->name, expected_of(work->core, index),
                           work->settings.value[index], work->settings.present[index]);
}

static unsigned count_changed(const struct work *work, const char **first)
{
    unsigned count = 0;

    for (unsigned i = 0; i < SETTINGS_REGISTERS; i++)
        if (differs(work, i) && count++ == 0)
            *first = settings_register(i)->name;
    return count;
}

/* The firmware may have changed it, and then it is the firmware's: only what kernels of the user's
 * own may have done is undone. */
static void judge_changed(struct run_verdicts *verdicts, struct work *work,
                          const struct own_kernel *own, unsigned count, const char *first)
{
    const char *after = "left as they are", *unused;

    for (unsigned i = 0; i < SETTINGS_REGISTERS; i++)
        if (differs(work, i))
            report_changed(work, i);
    if (own != NULL && cores_run(work->core->core, put_back_work, work, TIMEOUT_US) == RC_OK)
        after = count_changed(work, &unused) == 0 ? "put back" : "and cannot be put back";
    outcome_verdicts_log_text(verdicts, false,
                              "core %u settings are as they were found: %u are not, first %s, %s",
                              work->core->core, count, first, after);
}

static void check(struct run_verdicts *verdicts, struct measured_core *core,
                  const struct own_kernel *own)
{
    struct work work = {.core = core};
    const char *first = NULL;
    unsigned count;

    if (core->lost || core->settings == NULL)
        return;
    if (!measured_core_run(core, read_again_work, &work, TIMEOUT_US, "its settings",
                           "were read again"))
        return;
    count = count_changed(&work, &first);
    if (count > 0)
        judge_changed(verdicts, &work, own, count, first);
}

void settings_check(struct run_cores *cores, const struct own_kernel *own,
                    struct run_verdicts *verdicts)
{
    for (unsigned i = 0; i < cores->count; i++)
        check(verdicts, &cores->of[i], own);
}
