#include "record_members.h"

#include "boot/log.h"
#include "pmu/kind.h"

struct json_line *record_begin(const char *type, const struct measured_core *core,
                               const char *kernel, const char *unit)
{
    struct json_line *record = log_record(type);

    json_line_unsigned(record, "core", core->core);
    json_line_text(record, "kernel", kernel);
    if (core->round > 1)
        json_line_unsigned(record, "round", core->round);
    if (core->forced)
        json_line_bool(record, "forced", true);
    if (core->untrusted)
        json_line_bool(record, "trusted", false);
    json_line_text(record, "unit", unit);
    return record;
}

void record_circumstances(struct json_line *record, const struct measurement *m)
{
    if (m->corunner != NULL)
        json_line_text(record, "beside", m->corunner);
    if (m->kernel->doses > 0)
        json_line_unsigned(record, "dose", m->dose);
    if (m->sibling_counters == NULL)
        return;
    json_line_text(record, "scope", "core");
    json_line_array(record, "threads");
    json_line_unsigned(record, NULL, m->sibling_counters->cores[0]);
    json_line_unsigned(record, NULL, m->sibling_counters->cores[1]);
    json_line_end(record);
}

void record_partner(struct json_line *record, const struct partner *partner)
{
    if (!partner->present)
        return;
    json_line_unsigned(record, "partner", partner->core);
    if (partner->package == FACTS_UNKNOWN)
        json_line_null(record, "partner_package");
    else
        json_line_unsigned(record, "partner_package", partner->package);
}

const char *record_method(const struct trial *trial)
{
    const enum topdown_method method = parameters_method(&trial->counts);

    return method == TOPDOWN_FORMULA        ? "formula"
           : method == TOPDOWN_PERF_METRICS ? "perf_metrics"
           : method == TOPDOWN_OWN          ? trial->counts.description->kind->name
                                            : "none";
}

void record_real(struct json_line *record, const char *key, bool valid, double value,
                 unsigned decimals)
{
    if (valid)
        json_line_real(record, key, value, decimals);
    else
        json_line_null(record, key);
}

void record_windows_apart(struct json_line *record, const struct measurement *m)
{
    double skew = 0;
    bool known;

    if (m->sibling_counters == NULL)
        return;
    known = sibling_counters_skew(m->sibling_counters, &skew);
    record_real(record, "windows_apart", known, skew, 4);
}

void record_discarded(struct json_line *record, const struct core_guards *guards,
                      const uint64_t windows[GUARD_KINDS])
{
    json_line_object(record, "discarded");
    for (unsigned i = 0; i < GUARD_PROBED; i++) {
        if (guards->absent[i] != NULL)
            json_line_null(record, guard_name((enum guard)i));
        else
            json_line_unsigned(record, guard_name((enum guard)i), windows[i]);
    }
    if (windows[GUARD_INTERRUPT] > 0)
        json_line_unsigned(record, guard_name(GUARD_INTERRUPT), windows[GUARD_INTERRUPT]);
    json_line_end(record);
}
