#include "records_inside.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"

#define RIG_HYPERVISOR "slotscopeRIG"
struct json_line *record_begin(const char *type, const struct measured_core *core,
                               const char *kernel, const char *unit)
{
    struct json_line *record = log_record(type);

    json_line_unsigned(record, "core", core->core);
    json_line_text(record, "kernel", kernel);
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

static void number_or_null(struct json_line *record, const char *key, uint64_t value)
{
    if (value != 0)
        json_line_unsigned(record, key, value);
    else
        json_line_null(record, key);
}

void record_machine(const struct machine_facts *machine, const struct facts *boot_core,
                    const struct config *config)
{
    struct json_line *record = log_record("machine");

    json_line_unsigned(record, "log_version", 1);
    json_line_text(record, "program", "slotscope");
    json_line_text(record, "firmware_vendor", machine->firmware_vendor);
    json_line_unsigned(record, "firmware_revision", machine->firmware_revision);
    json_line_unsigned(record, "uefi_revision", machine->uefi_revision);
    json_line_text(record, "hypervisor", boot_core->hypervisor ? boot_core->hypervisor_name : NULL);
    if (strcmp(boot_core->hypervisor_name, RIG_HYPERVISOR) == 0)
        json_line_text(record, "rig", "virtual");
    json_line_text(record, "serial", machine->serial);
    json_line_text(record, "apic_mode", machine->apic_mode);
    json_line_unsigned(record, "memory_bytes", machine->memory_bytes);
    json_line_bool(record, "boot_services", machine->boot_services);
    json_line_unsigned(record, "cores_found", machine->cores_found);
    json_line_unsigned(record, "cores_started", machine->cores_started);
    json_line_unsigned(record, "tsc_ticks_per_us", clock_ticks_per_us());
    json_line_text(record, "tsc_source", clock_source());
    if (config->drill)
        json_line_text(record, "levels", "auto");
    else
        json_line_unsigned(record, "levels", config->levels);
    if (config->node_count > 0) {
        json_line_array(record, "nodes");
        for (unsigned i = 0; i < config->node_count; i++)
            json_line_text(record, NULL, config->nodes[i]);
        json_line_end(record);
    }
    json_line_unsigned(record, "repeats", config->repeats);
    json_line_unsigned(record, "warmup", config->warmup);
    json_line_unsigned(record, "scale", config->scale);
    json_line_bool(record, "parallel", config->parallel);
    log_send(record);
}

static void cache_member(struct json_line *record, const char *key, const struct cache_facts *cache)
{
    if (cache->bytes == 0) {
        json_line_null(record, key);
        return;
    }
    json_line_object(record, key);
    json_line_unsigned(record, "bytes", cache->bytes);
    json_line_unsigned(record, "line", cache->line);
    json_line_unsigned(record, "ways", cache->ways);
    json_line_unsigned(record, "sharing", cache->sharing);
    json_line_end(record);
}

static void description_members(struct json_line *record, const struct measured_core *core)
{
    const struct description *description = core->description;
    const char *lbr_missing;

    json_line_text(record, "description", description != NULL ? description->name : NULL);
    if (description == NULL)
        return;
    json_line_bool(record, "description_from_stick", description->from_stick);
    if (core->forced)
        json_line_bool(record, "forced", true);
    number_or_null(record, "width", description->width);
    lbr_missing = lbr_absent(&core->facts, description);
    json_line_bool(record, "lbr", lbr_missing == NULL);
    if (lbr_missing != NULL)
        json_line_text(record, "lbr_absent", lbr_missing);
}

/* What a core without counters would have of them is not zero but nothing. */
static void counter_number(struct json_line *record, const struct facts *facts, const char *key,
                           uint32_t value)
{
    if (facts->absent != NULL)
        json_line_null(record, key);
    else
        json_line_unsigned(record, key, value);
}

static void counter_members(struct json_line *record, const struct facts *facts)
{
    counter_number(record, facts, "pmu_version", facts->version);
    counter_number(record, facts, "general_counters", facts->general_count);
    counter_number(record, facts, "general_width", facts->general_width);
    counter_number(record, facts, "fixed_counters", facts->fixed_count);
    counter_number(record, facts, "fixed_width", facts->fixed_width);
    if (facts->pdcm)
        json_line_hex(record, "capabilities", facts->capabilities);
    else
        json_line_null(record, "capabilities");
    json_line_bool(record, "full_width_write", facts->full_width_write);
    json_line_bool(record, "perf_metrics", facts->perf_metrics);
}

void record_core(const struct measured_core *core)
{
    const struct facts *facts = &core->facts;
    struct json_line *record = log_record("core");
    char signature[32];

    format(signature, sizeof(signature), "%02x_%02x stepping %u", facts->family, facts->model,
           facts->stepping);
    json_line_unsigned(record, "core", core->core);
    json_line_unsigned(record, "apic_id", facts->apic_id);
    json_line_text(record, "vendor", facts->vendor);
    json_line_text(record, "brand", facts->brand);
    json_line_text(record, "signature", signature);
    if (facts->microcode != 0)
        json_line_hex(record, "microcode", facts->microcode);
    else
        json_line_null(record, "microcode");
    if (facts->core_type != 0)
        json_line_hex(record, "core_type", facts->core_type);
    number_or_null(record, "threads_per_core", facts->threads_per_core);
    json_line_bool(record, "counts", facts->absent == NULL);
    if (facts->absent != NULL)
        json_line_text(record, "absent", facts->absent);
    counter_members(record, facts);
    description_members(record, core);
    cache_member(record, "l1d", &facts->l1d);
    cache_member(record, "l1i", &facts->l1i);
    cache_member(record, "l2", &facts->l2);
    cache_member(record, "l3", &facts->l3);
    log_send(record);
}

void record_guards(const struct measured_core *core)
{
    struct json_line *record = record_begin("guard", core, NULL, "guard");

    json_line_array(record, "present");
    for (unsigned i = 0; i < GUARD_KINDS; i++) {
        if (core->registers.guards.absent[i] == NULL)
            json_line_text(record, NULL, guard_name((enum guard)i));
    }
    json_line_end(record);
    json_line_object(record, "absent");
    for (unsigned i = 0; i < GUARD_KINDS; i++) {
        if (core->registers.guards.absent[i] != NULL)
            json_line_text(record, guard_name((enum guard)i), core->registers.guards.absent[i]);
    }
    json_line_end(record);
    log_send(record);
}

void record_guard(const struct measured_core *core, const struct measurement *m)
{
    struct json_line *record = record_begin("guard", core, m->kernel->name, "window");

    record_circumstances(record, m);
    json_line_unsigned(record, "kept", m->kept);
    json_line_object(record, "discarded");
    for (unsigned i = 0; i < GUARD_KINDS; i++) {
        if (core->registers.guards.absent[i] != NULL)
            json_line_null(record, guard_name((enum guard)i));
        else
            json_line_unsigned(record, guard_name((enum guard)i), m->discarded[i]);
    }
    json_line_end(record);
    log_send(record);
}

static void begin_kernel(struct json_line **record, const struct measured_core *core,
                         const struct kernel *kernel, const struct measurement *m, unsigned part)
{
    *record = record_begin("kernel", core, kernel->name, "count");
    json_line_text(*record, "title", kernel->title);
    record_circumstances(*record, m);
    json_line_unsigned(*record, "iterations", m->n);
    json_line_unsigned(*record, "arena", m->arena_bytes);
    json_line_unsigned(*record, "passes", m->plan->pass_count);
    if (m->passes_at_once != 0)
        json_line_unsigned(*record, "passes_of_full_tree", m->passes_at_once);
    json_line_unsigned(*record, "part", part);
    json_line_object(*record, "per_iterations");
}

void record_kernel(const struct measured_core *core, const struct kernel *kernel,
                   const struct measurement *m, const struct results *results)
{
    struct json_line *record;
    unsigned part = 1;
    bool open = false; /* the list of what is missing */

    begin_kernel(&record, core, kernel, m, part);
    for (unsigned i = 0; i < results->count; i++) {
        const struct tally *tally = &results->tallies[i];

        if (!tally->measured)
            continue;
        if (record->length > RECORD_FULL) {
            json_line_end(record);
            log_send(record);
            begin_kernel(&record, core, kernel, m, ++part);
        }
        json_line_spread(record, tally->event->name, tally->difference.minimum,
                         tally->difference.median, tally->difference.maximum);
    }
    json_line_end(record);
    for (unsigned i = 0; i < results->count; i++) {
        if (results->tallies[i].measured)
            continue;
        if (record->length > RECORD_FULL) {
            if (open)
                json_line_end(record);
            log_send(record);
            begin_kernel(&record, core, kernel, m, ++part);
            json_line_end(record);
            open = false;
        }
        if (!open)
            json_line_object(record, "missing");
        open = true;
        json_line_text(record, results->tallies[i].event->name, results->tallies[i].reason);
    }
    if (open)
        json_line_end(record);
    log_send(record);
}

static void record_pass(const struct measured_core *core, const struct measurement *m,
                        unsigned number, bool twice)
{
    const struct pass *pass = &m->plan->passes[number];
    const struct pass_result *result = &m->passes[number];
    const uint64_t *windows = pass_windows(result, twice, m->repeats);
    struct json_line *record = record_begin("counts", core, m->kernel->name, "count");

    record_circumstances(record, m);
    json_line_unsigned(record, "pass", number);
    json_line_unsigned(record, "iterations", twice ? 2 * m->n : m->n);
    json_line_unsigned(record, "repeats", m->repeats);
    json_line_unsigned(record, "window", windows[0]);
    json_line_array(record, "windows");
    for (unsigned i = 0; i < m->repeats; i++)
        json_line_unsigned(record, NULL, windows[i]);
    json_line_end(record);
    json_line_object(record, "events");
    for (unsigned i = 0; i < pass->reading_count; i++) {
        struct spread spread = stats_spread(pass_values(result, i, twice, m->repeats), m->repeats);

        if (result->overflowed[i]) {
            json_line_null(record, pass->readings[i].event->name);
            continue;
        }
        json_line_spread(record, pass->readings[i].event->name, (int64_t)spread.minimum,
                         (int64_t)spread.median, (int64_t)spread.maximum); /* 48 bits each */
    }
    json_line_end(record);
    log_send(record);
}

void record_counts(const struct measured_core *core, const struct measurement *m)
{
    for (unsigned i = 0; i < m->plan->pass_count; i++) {
        if (!m->passes[i].complete)
            continue;
        record_pass(core, m, i, false);
        record_pass(core, m, i, true);
    }
}

const char *record_method(const struct trial *trial)
{
    const enum topdown_method method = experiment_method(&trial->counts);

    return method == TOPDOWN_FORMULA        ? "formula"
           : method == TOPDOWN_PERF_METRICS ? "perf_metrics"
                                            : "none";
}

static const struct formula_result *result_of(void *trial, const struct node *node)
{
    return verdict_node(trial, node);
}

static struct json_line *begin_topdown(const struct measured_core *core, const struct trial *trial,
                                       const struct measurement *m, unsigned part)
{
    struct json_line *record = record_begin("topdown", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    json_line_text(record, "method", record_method(trial));
    json_line_bool(record, "smt", core->threads != ONE_THREAD);
    json_line_unsigned(record, "iterations", m->n);
    if (m->sibling_counters != NULL)
        json_line_real(record, "windows_apart", m->sibling_counters->skew, 4);
    json_line_unsigned(record, "part", part);
    return record;
}

/* The nodes that were asked for: their values, then the reasons of those without, then those past
 * their threshold and all that stand above them too; each a list, which may go on in the next
 * part. */
void record_topdown(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *m)
{
    enum { VALUES, REASONS, THRESHOLDS, LISTS };
    static const char *const keys[LISTS] = {"nodes", "reasons", "over_threshold"};
    struct trial copy = *trial; /* the same results, to be asked through a pointer to no constant */
    const struct topdown_results results = {&copy, result_of};
    unsigned part = 1;
    struct json_line *record = begin_topdown(core, trial, m, part);

    for (unsigned list = 0; list < LISTS; list++) {
        if (list == THRESHOLDS)
            json_line_array(record, keys[list]);
        else
            json_line_object(record, keys[list]);
        for (unsigned i = 0; i < trial->description->node_count; i++) {
            const struct node *node = &trial->description->nodes[i];
            const struct formula_result *result;

            if (node->level == 0 || !selection_has(trial->asked, i))
                continue;
            if (record->length > RECORD_FULL) {
                json_line_end(record);
                log_send(record);
                record = begin_topdown(core, trial, m, ++part);
                if (list == THRESHOLDS)
                    json_line_array(record, keys[list]);
                else
                    json_line_object(record, keys[list]);
            }
            result = verdict_node(trial, node);
            if (list == VALUES && result->finite)
                json_line_real(record, node->name, result->value, 4);
            else if (list == VALUES)
                json_line_null(record, node->name);
            else if (list == REASONS && !result->finite)
                json_line_text(record, node->name, result->reason);
            else if (list == THRESHOLDS && topdown_flagged(trial->description, node, &results))
                json_line_text(record, NULL, node->name);
        }
        json_line_end(record);
    }
    log_send(record);
}

/* a / b, null when either was not measured or b is 0. */
static void ratio_member(struct json_line *record, const char *key, const struct results *results,
                         const char *event, double over)
{
    const char *reason;
    double value;

    if (over != 0 && results_value(results, event, &value, &reason))
        json_line_real(record, key, value / over, 4);
    else
        json_line_null(record, key);
}

void record_cpi(const struct measured_core *core, const struct measurement *m,
                const struct results *results)
{
    struct json_line *record = record_begin("cpi", core, m->kernel->name, "cycles per instruction");
    const char *reason;
    double instructions = 0, n = (double)m->n;

    if (!results_value(results, "INST_RETIRED.ANY", &instructions, &reason))
        instructions = 0;
    record_circumstances(record, m);
    json_line_unsigned(record, "iterations", m->n);
    ratio_member(record, "cpi", results, "CPU_CLK_UNHALTED.THREAD", instructions);
    ratio_member(record, "cycles_per_iteration", results, "CPU_CLK_UNHALTED.THREAD", n);
    ratio_member(record, "instructions_per_iteration", results, "INST_RETIRED.ANY", n);
    ratio_member(record, "reference_cycles_per_iteration", results, "CPU_CLK_UNHALTED.REF_TSC", n);
    log_send(record);
}

void record_dose(const struct measured_core *core, const struct trial *trial,
                 const struct node *node, const struct dose_point *points, unsigned count,
                 const struct dose_line *line)
{
    struct json_line *record =
        record_begin("dose", core, trial->experiment->kernel->name, "fraction of slots");

    json_line_text(record, "node", node->name);
    json_line_array(record, "doses");
    for (unsigned i = 0; i < count; i++)
        json_line_unsigned(record, NULL, (uint64_t)points[i].dose);
    json_line_end(record);
    json_line_array(record, "shares");
    for (unsigned i = 0; i < count; i++)
        json_line_real(record, NULL, points[i].share, 4);
    json_line_end(record);
    if (line->valid) {
        json_line_real(record, "slope", line->slope, 4);
        json_line_real(record, "intercept", line->intercept, 4);
        json_line_real(record, "r_squared", line->r_squared, 5);
        json_line_real(record, "largest_drop", line->largest_drop, 4);
    } else {
        json_line_null(record, "slope");
        json_line_null(record, "intercept");
        json_line_null(record, "r_squared");
        json_line_null(record, "largest_drop");
    }
    log_send(record);
}

static struct json_line *begin_exactness(const struct measured_core *core, unsigned part)
{
    struct json_line *record = record_begin("exactness", core, NULL, "measured for each expected");

    json_line_unsigned(record, "part", part);
    json_line_object(record, "events");
    return record;
}

void record_exactness(const struct measured_core *core, const struct event *const *events,
                      unsigned count)
{
    unsigned part = 1;
    struct json_line *record = begin_exactness(core, part);

    for (unsigned i = 0; i < count; i++) {
        const struct pinned *pinned =
            &core->exactness.events[events[i] - core->description->events];
        const enum exactness_kind kind = exactness_of(pinned);
        double ratio;

        if (record->length > RECORD_FULL) {
            json_line_end(record);
            log_send(record);
            record = begin_exactness(core, ++part);
        }
        json_line_object(record, events[i]->name);
        json_line_text(record, "is", exactness_name(kind));
        json_line_unsigned(record, "pinned", pinned->times);
        if (exactness_ratio(pinned, &ratio))
            json_line_real(record, "ratio", ratio, 6);
        else
            json_line_null(record, "ratio");
        json_line_end(record);
    }
    json_line_end(record);
    log_send(record);
    for (unsigned i = 0; i < count; i++) {
        const struct pinned *pinned =
            &core->exactness.events[events[i] - core->description->events];

        if (exactness_of(pinned) == EXACTNESS_OVER || exactness_of(pinned) == EXACTNESS_UNDER)
            log_comment("core %u: %s counts %s: %.0f where %.0f should be", core->core,
                        events[i]->name, exactness_name(exactness_of(pinned)), pinned->measured,
                        pinned->expected);
    }
}

void record_lbr(const struct measured_core *core, const struct measurement *m)
{
    struct json_line *record = record_begin("lbr", core, m->kernel->name, "branch");

    json_line_unsigned(record, "iterations", m->n);
    json_line_hex(record, "code", (uint64_t)(uintptr_t)m->kernel->code);
    json_line_array(record, "entries");
    for (unsigned i = 0; i < m->lbr.count; i++) {
        const struct lbr_entry *entry = &m->lbr.entries[i];

        json_line_object(record, NULL);
        json_line_hex(record, "from", entry->from);
        json_line_hex(record, "to", entry->to);
        json_line_bool(record, "mispredicted", entry->mispredicted);
        if (entry->cycles_valid)
            json_line_unsigned(record, "cycles", entry->cycles);
        else
            json_line_null(record, "cycles");
        json_line_end(record);
    }
    json_line_end(record);
    log_send(record);
}
