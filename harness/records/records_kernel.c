/* Records of one kernel on one core: what was counted. */
#include "records_kernel.h"

#include "boot/log.h"
#include "boot/machine/core_place.h"
#include "harness/judge/outliers.h"
#include "record_members.h"

/* The differences over all repeats; where some lie apart, also the range of the others. */
static void difference_member(struct json_line *record, const struct tally *tally)
{
    const struct signed_spread *all = &tally->difference, *kept = &tally->kept;

    if (kept->minimum == all->minimum && kept->maximum == all->maximum) {
        json_line_spread(record, tally->event->name, all->minimum, all->median, all->maximum);
        return;
    }
    json_line_object(record, tally->event->name); /* 48 bits each, which a double holds */
    json_line_real(record, "min", (double)all->minimum, 0);
    json_line_real(record, "median", (double)all->median, 0);
    json_line_real(record, "max", (double)all->maximum, 0);
    json_line_real(record, "kept_min", (double)kept->minimum, 0);
    json_line_real(record, "kept_max", (double)kept->maximum, 0);
    json_line_end(record);
}

/* With its list of counts open. */
static struct json_line *begin_kernel(const struct measured_core *core, const struct kernel *kernel,
                                      const struct measurement *m, unsigned part)
{
    struct json_line *record = record_begin("kernel", core, kernel->name, "count");

    json_line_text(record, "title", kernel->title);
    record_circumstances(record, m);
    record_partner(record, &m->partner);
    json_line_unsigned(record, "iterations", m->n);
    json_line_unsigned(record, "arena", m->arena_bytes);
    if (m->arena_node != CORE_NODE_UNKNOWN)
        json_line_unsigned(record, "arena_node", m->arena_node);
    json_line_unsigned(record, "passes", m->plan->pass_count);
    if (m->passes_of_full_tree != 0)
        json_line_unsigned(record, "passes_of_full_tree", m->passes_of_full_tree);
    json_line_unsigned(record, "part", part);
    json_line_object(record, "per_iterations");
    return record;
}

void record_kernel(const struct measured_core *core, const struct kernel *kernel,
                   const struct measurement *m, const struct results *results)
{
    unsigned part = 1;
    struct json_line *record = begin_kernel(core, kernel, m, part);
    bool open = false; /* the list of missing events */

    for (unsigned i = 0; i < results->count; i++) {
        const struct tally *tally = &results->tallies[i];

        if (!results->counts[i].measured)
            continue;
        if (record->length > RECORD_FULL) {
            json_line_end(record);
            log_send(record);
            record = begin_kernel(core, kernel, m, ++part);
        }
        difference_member(record, tally);
    }
    json_line_end(record);
    for (unsigned i = 0; i < results->count; i++) {
        if (results->counts[i].measured)
            continue;
        if (record->length > RECORD_FULL) {
            if (open)
                json_line_end(record);
            log_send(record);
            record = begin_kernel(core, kernel, m, ++part);
            json_line_end(record);
            open = false;
        }
        if (!open)
            json_line_object(record, "missing");
        open = true;
        json_line_text(record, results->counts[i].event->name, results->counts[i].reason);
    }
    if (open)
        json_line_end(record);
    log_send(record);
}

static struct spread spread_of(const struct measurement *m, unsigned pass, unsigned reading,
                               bool twice)
{
    return stats_spread(pass_values(&m->passes[pass], reading, twice, m->repeats), m->repeats);
}

/* Whether a fixed counter counted nothing although the cycles of its windows went by. */
static bool stood_still(const struct measurement *m, unsigned pass, unsigned reading, bool twice)
{
    const struct pass *of = &m->plan->passes[pass];

    if (of->readings[reading].kind != READING_FIXED ||
        spread_of(m, pass, reading, twice).median > 0)
        return false;
    for (unsigned i = 0; i < of->reading_count; i++)
        if (of->readings[i].kind == READING_FIXED &&
            spread_of(m, pass, i, twice).median > EDGE_COUNTS)
            return true;
    return false;
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
        const struct spread spread = spread_of(m, number, i, twice);

        if (result->overflowed[i] || stood_still(m, number, i, twice)) {
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

/* The event's count / `over`; null when the event has no value or `over` is 0. */
static void ratio_member(struct json_line *record, const char *key, const struct results *results,
                         const char *event, double over)
{
    const char *reason;
    double value = 0;
    const bool valid = over != 0 && results_value(results, event, &value, &reason);

    record_real(record, key, valid, valid ? value / over : 0, 4);
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
