#include "records_settings.h"

#include "boot/log.h"
#include "pmu/registers.h"

/* SDM volume 4, "Architectural MSRs" and the tables of Nehalem and later. */
static const struct settings_register registers[] = {
    {IA32_MISC_ENABLE, true, "IA32_MISC_ENABLE", 0, false},
    {IA32_PERF_STATUS, true, "IA32_PERF_STATUS", 0, true},
    {IA32_PERF_CTL, true, "IA32_PERF_CTL", 0, false},
    {0x0ce, false, "MSR_PLATFORM_INFO", 0, false},
    {MSR_MISC_FEATURE_CONTROL, false, "MSR_MISC_FEATURE_CONTROL", 0, false},
    {0x1ad, false, "MSR_TURBO_RATIO_LIMIT", 0, false},
    {MSR_POWER_CTL, false, "MSR_POWER_CTL", 0, false},
    {0x0e2, false, "MSR_PKG_CST_CONFIG_CONTROL", 0, false},
    {0x620, false, "MSR_UNCORE_RATIO_LIMIT", 0, false},
    {0x1b0, true, "IA32_ENERGY_PERF_BIAS", 0, false},
    {IA32_PM_ENABLE, true, "IA32_PM_ENABLE", 0, false},
    {IA32_HWP_REQUEST, true, "IA32_HWP_REQUEST", 0, false},
    /* Before version 4 a register of the uncore may have this number. */
    {0x392, true, "IA32_PERF_GLOBAL_INUSE", 4, true},
};
_Static_assert(sizeof(registers) / sizeof(*registers) == SETTINGS_REGISTERS, "all of them");

const struct settings_register *settings_register(unsigned index)
{
    return &registers[index];
}

/* Null: this core has no such register. */
static const uint64_t *found(const struct settings *settings, uint32_t msr)
{
    for (unsigned i = 0; i < SETTINGS_REGISTERS; i++)
        if (registers[i].msr == msr && settings->present[i])
            return &settings->value[i];
    return NULL;
}

static void bool_or_null(struct json_line *record, const char *name, bool known, bool value)
{
    if (known)
        json_line_bool(record, name, value);
    else
        json_line_null(record, name);
}

/* CPUID 06H:EAX[1] is 0 where turbo is disabled, too (SDM 3B, "Intel Turbo Boost Technology"). */
static void turbo_member(struct json_line *record, const struct settings *settings)
{
    const uint64_t *enable = found(settings, IA32_MISC_ENABLE);
    const uint64_t *control = found(settings, IA32_PERF_CTL);
    const bool disabled = enable != NULL && field_get(*enable, MISC_ENABLE_TURBO_DISABLE);
    const bool disengaged = control != NULL && field_get(*control, PERF_CTL_TURBO_DISENGAGE);
    const bool is_off = !settings->turbo_announced || disabled || disengaged;

    bool_or_null(record, "turbo", enable != NULL && (is_off || control != NULL), !is_off);
}

static void prefetch_member(struct json_line *record, const struct settings *settings)
{
    const uint64_t *control =
        settings->other_prefetchers ? NULL : found(settings, MSR_MISC_FEATURE_CONTROL);

    if (control == NULL) {
        json_line_null(record, "prefetch");
        return;
    }
    json_line_object(record, "prefetch");
    json_line_bool(record, "l2_hardware", !(*control & 1));
    json_line_bool(record, "l2_adjacent", !(*control & 2));
    json_line_bool(record, "dcu_hardware", !(*control & 4));
    json_line_bool(record, "dcu_ip", !(*control & 8));
    json_line_end(record);
}

static void registers_member(struct json_line *record, const struct settings *settings)
{
    json_line_object(record, "registers");
    for (unsigned i = 0; i < SETTINGS_REGISTERS; i++) {
        if (settings->present[i])
            json_line_hex(record, registers[i].name, settings->value[i]);
        else
            json_line_null(record, registers[i].name);
    }
    json_line_end(record);
}

/* Into the form that lines go into. */
static void send(const struct measured_core *core, const struct settings *settings,
                 bool with_registers)
{
    struct json_line *record = log_record("settings");
    const uint64_t *power = found(settings, MSR_POWER_CTL);
    const uint64_t *hwp = found(settings, IA32_PM_ENABLE);

    json_line_unsigned(record, "core", core->core);
    if (core->forced)
        json_line_bool(record, "forced", true);
    turbo_member(record, settings);
    prefetch_member(record, settings);
    bool_or_null(record, "c1e", power != NULL,
                 power != NULL && field_get(*power, POWER_CTL_C1E_ENABLE));
    bool_or_null(record, "hwp", hwp != NULL || !settings->hwp_announced, hwp != NULL && *hwp & 1);
    if (with_registers)
        registers_member(record, settings);
    log_send(record);
}

void record_settings(const struct measured_core *core, const struct settings *settings)
{
    const enum log_form before = log_into(LOG_BRIEF);

    send(core, settings, false);
    log_into(LOG_FULL);
    send(core, settings, true);
    log_into(before);
}
