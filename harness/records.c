#include "records_inside.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"

#define RIG_HYPERVISOR "slotscopeRIG"
struct record *record_begin(const char *type, const struct core_state *core, const char *kernel,
                            const char *unit)
{
    struct record *record = log_record(type);

    record_unsigned(record, "core", core->core);
    record_text(record, "kernel", kernel);
    if (core->forced)
        record_bool(record, "forced", true);
    if (core->untrusted)
        record_bool(record, "trusted", false);
    record_text(record, "unit", unit);
    return record;
}

void record_circumstances(struct record *record, const struct measurement *m)
{
    if (m->beside != NULL)
        record_text(record, "beside", m->beside);
    if (m->kernel->doses > 0)
        record_unsigned(record, "dose", m->dose);
    if (m->watch == NULL)
        return;
    record_text(record, "scope", "core");
    record_array(record, "threads");
    record_unsigned(record, NULL, m->watch->cores[0]);
    record_unsigned(record, NULL, m->watch->cores[1]);
    record_end(record);
}

static void number_or_null(struct record *record, const char *key, uint64_t value)
{
    if (value != 0)
        record_unsigned(record, key, value);
    else
        record_null(record, key);
}

void record_machine(const struct machine_facts *machine, const struct facts *boot_core,
                    const struct config *config)
{
    struct record *record = log_record("machine");

    record_unsigned(record, "log_version", 1);
    record_text(record, "program", "slotscope");
    record_text(record, "firmware_vendor", machine->firmware_vendor);
    record_unsigned(record, "firmware_revision", machine->firmware_revision);
    record_unsigned(record, "uefi_revision", machine->uefi_revision);
    record_text(record, "hypervisor", boot_core->hypervisor ? boot_core->hypervisor_name : NULL);
    if (strcmp(boot_core->hypervisor_name, RIG_HYPERVISOR) == 0)
        record_text(record, "rig", "virtual");
    record_text(record, "serial", machine->serial);
    record_text(record, "apic_mode", machine->apic_mode);
    record_unsigned(record, "memory_bytes", machine->memory_bytes);
    record_bool(record, "boot_services", machine->boot_services);
    record_unsigned(record, "cores_found", machine->cores_found);
    record_unsigned(record, "cores_started", machine->cores_started);
    record_unsigned(record, "tsc_ticks_per_us", clock_ticks_per_us());
    record_text(record, "tsc_source", clock_source());
    if (config->drill)
        record_text(record, "levels", "auto");
    else
        record_unsigned(record, "levels", config->levels);
    if (config->node_count > 0) {
        record_array(record, "nodes");
        for (unsigned i = 0; i < config->node_count; i++)
            record_text(record, NULL, config->nodes[i]);
        record_end(record);
    }
    record_unsigned(record, "repeats", config->repeats);
    record_unsigned(record, "warmup", config->warmup);
    record_unsigned(record, "scale", config->scale);
    record_bool(record, "parallel", config->parallel);
    log_send(record);
}

static void cache_member(struct record *record, const char *key, const struct cache_facts *cache)
{
    if (cache->bytes == 0) {
        record_null(record, key);
        return;
    }
    record_object(record, key);
    record_unsigned(record, "bytes", cache->bytes);
    record_unsigned(record, "line", cache->line);
    record_unsigned(record, "ways", cache->ways);
    record_unsigned(record, "sharing", cache->sharing);
    record_end(record);
}

static void description_members(struct record *record, const struct core_state *core)
{
    const struct description *description = core->description;
    const char *lbr_missing;

    record_text(record, "description", description != NULL ? description->name : NULL);
    if (description == NULL)
        return;
    record_bool(record, "description_from_stick", description->from_stick);
    if (core->forced)
        record_bool(record, "forced", true);
    number_or_null(record, "width", description->width);
    lbr_missing = lbr_absent(&core->facts, description);
    record_bool(record, "lbr", lbr_missing == NULL);
    if (lbr_missing != NULL)
        record_text(record, "lbr_absent", lbr_missing);
}

/* What a core without counters would have of them is not zero but nothing. */
static void counter_number(struct record *record, const struct facts *facts, const char *key,
                           uint32_t value)
{
    if (facts->absent != NULL)
        record_null(record, key);
    else
        record_unsigned(record, key, value);
}

static void counter_members(struct record *record, const struct facts *facts)
{
    counter_number(record, facts, "pmu_version", facts->version);
    counter_number(record, facts, "general_counters", facts->general_count);
    counter_number(record, facts, "general_width", facts->general_width);
    counter_number(record, facts, "fixed_counters", facts->fixed_count);
    counter_number(record, facts, "fixed_width", facts->fixed_width);
    if (facts->pdcm)
        record_hex(record, "capabilities", facts->capabilities);
    else
        record_null(record, "capabilities");
    record_bool(record, "full_width_write", facts->full_width_write);
    record_bool(record, "perf_metrics", facts->perf_metrics);
}

void record_core(const struct core_state *core)
{
    const struct facts *facts = &core->facts;
    struct record *record = log_record("core");
    char signature[32];

    format(signature, sizeof(signature), "%02x_%02x stepping %u", facts->family, facts->model,
           facts->stepping);
    record_unsigned(record, "core", core->core);
    record_unsigned(record, "apic_id", facts->apic_id);
    record_text(record, "vendor", facts->vendor);
    record_text(record, "brand", facts->brand);
    record_text(record, "signature", signature);
    if (facts->microcode != 0)
        record_hex(record, "microcode", facts->microcode);
    else
        record_null(record, "microcode");
    if (facts->core_type != 0)
        record_hex(record, "core_type", facts->core_type);
    number_or_null(record, "threads_per_core", facts->threads_per_core);
    record_bool(record, "counts", facts->absent == NULL);
    if (facts->absent != NULL)
        record_text(record, "absent", facts->absent);
    counter_members(record, facts);
    description_members(record, core);
    cache_member(record, "l1d", &facts->l1d);
    cache_member(record, "l1i", &facts->l1i);
    cache_member(record, "l2", &facts->l2);
    cache_member(record, "l3", &facts->l3);
    log_send(record);
}

void record_guards(const struct core_state *core)
{
    struct record *record = record_begin("guard", core, NULL, "guard");

    record_array(record, "present");
    for (unsigned i = 0; i < GUARD_KINDS; i++) {
        if (core->registers.guards.absent[i] == NULL)
            record_text(record, NULL, guard_name((enum guard)i));
    }
    record_end(record);
    record_object(record, "absent");
    for (unsigned i = 0; i < GUARD_KINDS; i++) {
        if (core->registers.guards.absent[i] != NULL)
            record_text(record, guard_name((enum guard)i), core->registers.guards.absent[i]);
    }
    record_end(record);
    log_send(record);
}

void record_guard(const struct core_state *core, const struct measurement *m)
{
    struct record *record = record_begin("guard", core, m->kernel->name, "window");

    record_circumstances(record, m);
    record_unsigned(record, "kept", m->kept);
    record_object(record, "discarded");
    for (unsigned i = 0; i < GUARD_KINDS; i++) {
        if (core->registers.guards.absent[i] != NULL)
            record_null(record, guard_name((enum guard)i));
        else
            record_unsigned(record, guard_name((enum guard)i), m->discarded[i]);
    }
    record_end(record);
    log_send(record);
}

static void begin_kernel(struct record **record, const struct core_state *core,
                         const struct kernel *kernel, const struct measurement *m, unsigned part)
{
    *record = record_begin("kernel", core, kernel->name, "count");
    record_text(*record, "title", kernel->title);
    record_circumstances(*record, m);
    record_unsigned(*record, "iterations", m->n);
    record_unsigned(*record, "arena", m->arena_bytes);
    record_unsigned(*record, "passes", m->plan->pass_count);
    if (m->passes_at_once != 0)
        record_unsigned(*record, "passes_of_full_tree", m->passes_at_once);
    record_unsigned(*record, "part", part);
    record_object(*record, "per_iterations");
}

void record_kernel(const struct core_state *core, const struct kernel *kernel,
                   const struct measurement *m, const struct results *results)
{
    struct record *record;
    unsigned part = 1;
    bool open = false; /* the list of what is missing */

    begin_kernel(&record, core, kernel, m, part);
    for (unsigned i = 0; i < results->count; i++) {
        const struct tally *tally = &results->tallies[i];

        if (!tally->measured)
            continue;
        if (record->length > RECORD_FULL) {
            record_end(record);
            log_send(record);
            begin_kernel(&record, core, kernel, m, ++part);
        }
        record_spread(record, tally->event->name, tally->difference.minimum,
                      tally->difference.median, tally->difference.maximum);
    }
    record_end(record);
    for (unsigned i = 0; i < results->count; i++) {
        if (results->tallies[i].measured)
            continue;
        if (record->length > RECORD_FULL) {
            if (open)
                record_end(record);
            log_send(record);
            begin_kernel(&record, core, kernel, m, ++part);
            record_end(record);
            open = false;
        }
        if (!open)
            record_object(record, "missing");
        open = true;
        record_text(record, results->tallies[i].event->name, results->tallies[i].reason);
    }
    if (open)
        record_end(record);
    log_send(record);
}

static void record_pass(const struct core_state *core, const struct measurement *m, unsigned number,
                        bool twice)
{
    const struct pass *pass = &m->plan->passes[number];
    const struct pass_result *result = &m->passes[number];
    const uint64_t *windows = pass_windows(result, twice, m->repeats);
    struct record *record = record_begin("counts", core, m->kernel->name, "count");

    record_circumstances(record, m);
    record_unsigned(record, "pass", number);
    record_unsigned(record, "iterations", twice ? 2 * m->n : m->n);
    record_unsigned(record, "repeats", m->repeats);
    record_unsigned(record, "window", windows[0]);
    record_array(record, "windows");
    for (unsigned i = 0; i < m->repeats; i++)
        record_unsigned(record, NULL, windows[i]);
    record_end(record);
    record_object(record, "events");
    for (unsigned i = 0; i < pass->reading_count; i++) {
        struct spread spread = stats_spread(pass_values(result, i, twice, m->repeats), m->repeats);

        if (result->overflowed[i]) {
            record_null(record, pass->readings[i].event->name);
            continue;
        }
        record_spread(record, pass->readings[i].event->name, (int64_t)spread.minimum,
                      (int64_t)spread.median, (int64_t)spread.maximum); /* 48 bits each */
    }
    record_end(record);
    log_send(record);
}

void record_counts(const struct core_state *core, const struct measurement *m)
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

static struct record *begin_topdown(const struct core_state *core, const struct trial *trial,
                                    const struct measurement *m, unsigned part)
{
    struct record *record = record_begin("topdown", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    record_text(record, "method", record_method(trial));
    record_bool(record, "smt", core->threads != ONE_THREAD);
    record_unsigned(record, "iterations", m->n);
    if (m->watch != NULL)
        record_real(record, "windows_apart", m->watch->apart, 4);
    record_unsigned(record, "part", part);
    return record;
}

/* The nodes that were asked for: their values, then the reasons of those without, then those past
 * their threshold and all that stand above them too; each a list, which may go on in the next
 * part. */
void record_topdown(const struct core_state *core, const struct trial *trial,
                    const struct measurement *m)
{
    enum { VALUES, REASONS, THRESHOLDS, LISTS };
    static const char *const keys[LISTS] = {"nodes", "reasons", "over_threshold"};
    struct trial copy = *trial; /* the same results, to be asked through a pointer to no constant */
    const struct topdown_results results = {&copy, result_of};
    unsigned part = 1;
    struct record *record = begin_topdown(core, trial, m, part);

    for (unsigned list = 0; list < LISTS; list++) {
        if (list == THRESHOLDS)
            record_array(record, keys[list]);
        else
            record_object(record, keys[list]);
        for (unsigned i = 0; i < trial->description->node_count; i++) {
            const struct node *node = &trial->description->nodes[i];
            const struct formula_result *result;

            if (node->level == 0 || !selection_has(trial->asked, i))
                continue;
            if (record->length > RECORD_FULL) {
                record_end(record);
                log_send(record);
                record = begin_topdown(core, trial, m, ++part);
                if (list == THRESHOLDS)
                    record_array(record, keys[list]);
                else
                    record_object(record, keys[list]);
            }
            result = verdict_node(trial, node);
            if (list == VALUES && result->finite)
                record_real(record, node->name, result->value, 4);
            else if (list == VALUES)
                record_null(record, node->name);
            else if (list == REASONS && !result->finite)
                record_text(record, node->name, result->reason);
            else if (list == THRESHOLDS &&
                     topdown_noteworthy(trial->description, node, &results))
                record_text(record, NULL, node->name);
        }
        record_end(record);
    }
    log_send(record);
}

/* a / b, null when either was not measured or b is 0. */
static void ratio_member(struct record *record, const char *key, const struct results *results,
                         const char *event, double over)
{
    const char *reason;
    double value;

    if (over != 0 && results_value(results, event, &value, &reason))
        record_real(record, key, value / over, 4);
    else
        record_null(record, key);
}

void record_cpi(const struct core_state *core, const struct measurement *m,
                const struct results *results)
{
    struct record *record = record_begin("cpi", core, m->kernel->name, "cycles per instruction");
    const char *reason;
    double instructions = 0, n = (double)m->n;

    if (!results_value(results, "INST_RETIRED.ANY", &instructions, &reason))
        instructions = 0;
    record_circumstances(record, m);
    record_unsigned(record, "iterations", m->n);
    ratio_member(record, "cpi", results, "CPU_CLK_UNHALTED.THREAD", instructions);
    ratio_member(record, "cycles_per_iteration", results, "CPU_CLK_UNHALTED.THREAD", n);
    ratio_member(record, "instructions_per_iteration", results, "INST_RETIRED.ANY", n);
    ratio_member(record, "reference_cycles_per_iteration", results, "CPU_CLK_UNHALTED.REF_TSC", n);
    log_send(record);
}

void record_dose(const struct core_state *core, const struct trial *trial, const struct node *node,
                 const struct dose_point *points, unsigned count, const struct dose_line *line)
{
    struct record *record =
        record_begin("dose", core, trial->experiment->kernel->name, "fraction of slots");

    record_text(record, "node", node->name);
    record_array(record, "doses");
    for (unsigned i = 0; i < count; i++)
        record_unsigned(record, NULL, (uint64_t)points[i].dose);
    record_end(record);
    record_array(record, "shares");
    for (unsigned i = 0; i < count; i++)
        record_real(record, NULL, points[i].share, 4);
    record_end(record);
    if (line->valid) {
        record_real(record, "slope", line->slope, 4);
        record_real(record, "intercept", line->intercept, 4);
        record_real(record, "r_squared", line->r_squared, 5);
        record_real(record, "largest_drop", line->largest_drop, 4);
    } else {
        record_null(record, "slope");
        record_null(record, "intercept");
        record_null(record, "r_squared");
        record_null(record, "largest_drop");
    }
    log_send(record);
}

static struct record *begin_exactness(const struct core_state *core, unsigned part)
{
    struct record *record = record_begin("exactness", core, NULL, "measured for each expected");

    record_unsigned(record, "part", part);
    record_object(record, "events");
    return record;
}

void record_exactness(const struct core_state *core, const struct event *const *events,
                      unsigned count)
{
    unsigned part = 1;
    struct record *record = begin_exactness(core, part);

    for (unsigned i = 0; i < count; i++) {
        const struct pinned *pinned =
            &core->exactness.events[events[i] - core->description->events];
        const enum exactness_kind kind = exactness_of(pinned);
        double ratio;

        if (record->length > RECORD_FULL) {
            record_end(record);
            log_send(record);
            record = begin_exactness(core, ++part);
        }
        record_object(record, events[i]->name);
        record_text(record, "is", exactness_name(kind));
        record_unsigned(record, "pinned", pinned->times);
        if (exactness_ratio(pinned, &ratio))
            record_real(record, "ratio", ratio, 6);
        else
            record_null(record, "ratio");
        record_end(record);
    }
    record_end(record);
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

void record_lbr(const struct core_state *core, const struct measurement *m)
{
    struct record *record = record_begin("lbr", core, m->kernel->name, "branch");

    record_unsigned(record, "iterations", m->n);
    record_hex(record, "code", (uint64_t)(uintptr_t)m->kernel->code);
    record_array(record, "entries");
    for (unsigned i = 0; i < m->lbr.count; i++) {
        const struct lbr_entry *entry = &m->lbr.entries[i];

        record_object(record, NULL);
        record_hex(record, "from", entry->from);
        record_hex(record, "to", entry->to);
        record_bool(record, "mispredicted", entry->mispredicted);
        if (entry->cycles_valid)
            record_unsigned(record, "cycles", entry->cycles);
        else
            record_null(record, "cycles");
        record_end(record);
    }
    record_end(record);
    log_send(record);
}
