#include "records_brief.h"

#include "boot/log.h"
#include "boot/text.h"
#include "harness/experiment/topdown/verdict_tree.h"
#include "harness/records/record_members.h"

#define DECIMALS 3

static struct json_line *begin(const struct measured_core *core, const struct trial *trial,
                               const struct measurement *m, unsigned part)
{
    struct json_line *record =
        record_begin("result", core, trial->experiment->kernel->name, "share, count");

    record_circumstances(record, m);
    record_partner(record, &m->partner);
    json_line_unsigned(record, "iterations", m->n);
    record_windows_apart(record, m);
    if (part > 1)
        json_line_unsigned(record, "part", part);
    return record;
}

static void cpi_member(struct json_line *record, const struct results *results)
{
    const char *reason;
    double cycles = 0, instructions = 0;
    const bool valid = results_value(results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) &&
                       results_value(results, "INST_RETIRED.ANY", &instructions, &reason) &&
                       instructions > 0;

    record_real(record, "cpi", valid, valid ? cycles / instructions : 0, DECIMALS);
}

/* Only where windows were thrown away, or the clock was never steady. */
static void guard_members(struct json_line *record, const struct measurement *m)
{
    uint64_t discarded = 0;

    for (unsigned i = 0; i < GUARD_KINDS; i++)
        discarded += m->discarded[i];
    if (discarded > 0)
        json_line_unsigned(record, "discarded", discarded);
    if (m->unsteady)
        json_line_bool(record, "steady", false);
}

static const struct formula *subject_of(const struct trial *trial, unsigned expectation)
{
    const struct expectation *of = &trial->experiment->expectations[expectation];

    if (of->subject_count == 0)
        return NULL;
    return &experiment_subject(of, trial->description)->formula;
}

/* The subjects of a trial's expectations: more than any built-in kernel has. Those of an own kernel
 * that has more are looked up each time. */
#define SUBJECTS_KEPT 32

struct subjects {
    const struct trial *trial;
    const struct formula *formula[SUBJECTS_KEPT];
};

static struct subjects subjects_of(const struct trial *trial)
{
    struct subjects subjects = {.trial = trial};

    for (unsigned i = 0; i < trial->experiment->kernel->expectation_count && i < SUBJECTS_KEPT; i++)
        subjects.formula[i] = subject_of(trial, i);
    return subjects;
}

/* Whether some expectation's subject names it. */
static bool is_subject(const struct subjects *subjects, const char *name)
{
    for (unsigned i = 0; i < subjects->trial->experiment->kernel->expectation_count; i++) {
        const struct formula *formula =
            i < SUBJECTS_KEPT ? subjects->formula[i] : subject_of(subjects->trial, i);

        for (unsigned j = 0; formula != NULL && j < formula->name_count; j++)
            if (formula->names[j][0] == name[0] && strcmp(formula->names[j], name) == 0)
                return true;
    }
    return false;
}

static const struct formula_result *result_of(void *trial, const struct node *node)
{
    return trial_node(trial, node);
}

/* `nodes` has room for all nodes of the description. */
static unsigned choose_nodes(struct trial *trial, const struct subjects *subjects,
                             const struct node **nodes)
{
    const struct topdown_results results = {trial, result_of};
    const struct node *leaf = verdict_leaf_node(trial);
    unsigned count = 0;

    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];

        if (node->level == 0 || !trial_asks(trial, node))
            continue;
        if (node->level == 1 || node == leaf || is_subject(subjects, node->name) ||
            trial_is_no_share(trial, node) || topdown_flagged(trial->description, node, &results))
            nodes[count++] = node;
    }
    return count;
}

static double rounded(double value)
{
    const double thousandths = value * 1000;

    if (__builtin_fabs(thousandths) > 1e15) /* no room for a half */
        return thousandths;
    return (double)(int64_t)(thousandths < 0 ? thousandths - 0.5 : thousandths + 0.5);
}

/* The range includes the value, which is made of medians and need not be that of any repeat. */
static void node_member(struct json_line *record, const struct node *node,
                        const struct formula_result *result, const struct node_range *range)
{
    double low = result->value, high = result->value;

    if (!result->finite) {
        json_line_null(record, node->name);
        return;
    }
    if (range->known && range->lowest < low)
        low = range->lowest;
    if (range->known && range->highest > high)
        high = range->highest;
    if (rounded(low) == rounded(high)) {
        json_line_real(record, node->name, result->value, DECIMALS);
        return;
    }
    json_line_array(record, node->name);
    json_line_real(record, NULL, low, DECIMALS);
    json_line_real(record, NULL, result->value, DECIMALS);
    json_line_real(record, NULL, high, DECIMALS);
    json_line_end(record);
}

static void signed_member(struct json_line *record, const char *key, int64_t value)
{
    json_line_real(record, key, (double)value, 0); /* 48 bits, which a double holds */
}

static void count_member(struct json_line *record, const struct tally *tally, bool measured)
{
    const struct signed_spread *of = &tally->difference, *kept = &tally->kept;

    if (!measured) {
        json_line_null(record, tally->event->name);
    } else if (of->minimum == of->maximum) {
        signed_member(record, tally->event->name, of->median);
    } else {
        json_line_array(record, tally->event->name);
        signed_member(record, NULL, of->minimum);
        signed_member(record, NULL, of->median);
        signed_member(record, NULL, of->maximum);
        if (kept->minimum != of->minimum || kept->maximum != of->maximum) {
            signed_member(record, NULL, kept->minimum);
            signed_member(record, NULL, kept->maximum);
        }
        json_line_end(record);
    }
}

/* What the lists say, in this order; each may go on in the next part. */
struct shown {
    const struct node *const *nodes;
    const struct node_range *ranges;
    unsigned count;
};

struct writer {
    const struct measured_core *core;
    const struct trial *trial;
    const struct measurement *m;
    struct json_line *record;
    unsigned part;
    struct subjects subjects;
};

/* Before the next member of the list that is open. */
static void make_room(struct writer *writer, const char *list)
{
    if (writer->record->length <= RECORD_FULL)
        return;
    json_line_end(writer->record);
    log_send(writer->record);
    writer->record = begin(writer->core, writer->trial, writer->m, ++writer->part);
    json_line_object(writer->record, list);
}

static void write_nodes(struct writer *writer, const struct shown *shown)
{
    json_line_object(writer->record, "nodes");
    for (unsigned i = 0; i < shown->count; i++) {
        make_room(writer, "nodes");
        node_member(writer->record, shown->nodes[i], trial_node(writer->trial, shown->nodes[i]),
                    &shown->ranges[i]);
    }
    json_line_end(writer->record);
}

/* Nodes of which some repeats have no value: the range is of the others. */
static void write_valueless(struct writer *writer, const struct shown *shown)
{
    bool open = false;

    for (unsigned i = 0; i < shown->count; i++) {
        if (shown->ranges[i].missing == 0 || !trial_node(writer->trial, shown->nodes[i])->finite)
            continue;
        if (!open)
            json_line_object(writer->record, "without_value");
        open = true;
        make_room(writer, "without_value");
        json_line_unsigned(writer->record, shown->nodes[i]->name, shown->ranges[i].missing);
    }
    if (open)
        json_line_end(writer->record);
}

static void write_counts(struct writer *writer)
{
    const struct results *results = writer->trial->results;

    json_line_object(writer->record, "counts");
    for (unsigned i = 0; i < results->count; i++) {
        if (!is_subject(&writer->subjects, results->tallies[i].event->name))
            continue;
        make_room(writer, "counts");
        count_member(writer->record, &results->tallies[i], results->counts[i].measured);
    }
    json_line_end(writer->record);
}

/* The list of reasons is there only when something is missing. */
static void write_reason(struct writer *writer, bool *open, const char *name, const char *reason)
{
    if (!*open)
        json_line_object(writer->record, "missing");
    *open = true;
    make_room(writer, "missing");
    json_line_text(writer->record, name, reason);
}

static void write_missing(struct writer *writer, const struct shown *shown)
{
    const struct results *results = writer->trial->results;
    bool open = false;

    for (unsigned i = 0; i < shown->count; i++) {
        const struct formula_result *result = trial_node(writer->trial, shown->nodes[i]);

        if (!result->finite)
            write_reason(writer, &open, shown->nodes[i]->name, result->reason);
    }
    for (unsigned i = 0; i < results->count; i++) {
        const struct count *count = &results->counts[i];

        if (!count->measured && is_subject(&writer->subjects, count->event->name))
            write_reason(writer, &open, count->event->name, count->reason);
    }
    if (open)
        json_line_end(writer->record);
}

void record_result(const struct measured_core *core, const struct trial *trial,
                   const struct measurement *m, struct repeats *room)
{
    struct trial copy = *trial; /* the callback's context is not const */
    struct writer writer = {core, trial, m, begin(core, trial, m, 1), 1, subjects_of(trial)};
    const struct shown shown = {room->nodes, room->ranges,
                                choose_nodes(&copy, &writer.subjects, room->nodes)};

    repeats_ranges(room, trial, m, room->nodes, shown.count, room->ranges);
    cpi_member(writer.record, trial->results);
    guard_members(writer.record, m);
    write_nodes(&writer, &shown);
    write_valueless(&writer, &shown);
    write_counts(&writer);
    write_missing(&writer, &shown);
    log_send(writer.record);
}
