/* Records of what the counts say: nodes, doses, how exactly events count. */
#include "records_topdown.h"

#include "boot/log.h"
#include "harness/judge/verdict.h"
#include "harness/records/record_members.h"

static const struct formula_result *result_of(void *trial, const struct node *node)
{
    return trial_node(trial, node);
}

static struct json_line *begin_topdown(const struct measured_core *core, const struct trial *trial,
                                       const struct measurement *m, unsigned part)
{
    struct json_line *record = record_begin("topdown", core, m->kernel->name, "fraction of slots");

    record_circumstances(record, m);
    json_line_text(record, "method", record_method(trial));
    json_line_bool(record, "smt", core->threads != ONE_THREAD);
    json_line_unsigned(record, "iterations", m->n);
    record_windows_apart(record, m);
    json_line_unsigned(record, "part", part);
    return record;
}

static bool is_clamped(const struct trial *trial, const struct node *node)
{
    const struct formula_result *result = trial_node(trial, node);

    return result->finite && result->clamped;
}

static bool is_shown(const struct trial *trial, const struct node *node)
{
    return node->level > 0 && trial_asks(trial, node);
}

/* Repeats that lie further from a node's value than this, to either side, are said. A choice: nodes
 * of most kernels have repeats that are nearer, and no range then lengthens the log. */
#define APART 0.005

static bool is_apart(const struct node_range *range, double value)
{
    return range->known && (value - range->lowest > APART || range->highest - value > APART);
}

/* What the lists are made of: the nodes that are shown, each with its range; `ranges` is null where
 * nobody knows them. */
struct shown {
    const struct trial *trial;
    const struct node_range *ranges; /* of each node of the description that is shown, in turn */
    struct topdown_results *results;
};

/* The lists of a topdown record, in this order; each may go on in the next part. */
enum list { VALUES, REASONS, RANGES, CLAMPED, THRESHOLDS, ARMS, LISTS };

static void open_list(struct json_line *record, enum list list)
{
    static const char *const keys[LISTS] = {"nodes",   "reasons",        "ranges",
                                            "clamped", "over_threshold", "arms"};

    if (list == CLAMPED || list == THRESHOLDS)
        json_line_array(record, keys[list]);
    else
        json_line_object(record, keys[list]);
}

/* Which arm each condition of the formula selects, as far as nodes that are shown need the formula:
 * only then has the trial asked for its value. */
static bool arms_of(const struct trial *trial, const struct node *node, char out[FORMULA_ARMS])
{
    return trial->memos != NULL && trial->memos[node - trial->description->nodes].known &&
           topdown_arms(&trial->counts, trial->memos, node, out);
}

/* Whether the list has something to say of the node. */
static bool belongs(const struct shown *shown, enum list list, const struct node *node)
{
    char arms[FORMULA_ARMS];

    return list == ARMS ? arms_of(shown->trial, node, arms) : is_shown(shown->trial, node);
}

/* Whether the node, the `index`-th that is shown, is in the list. */
static bool is_in(const struct shown *shown, enum list list, const struct node *node,
                  unsigned index)
{
    const struct formula_result *result;

    if (list == ARMS)
        return true;
    result = trial_node(shown->trial, node);
    switch (list) {
    case VALUES:
        return true;
    case REASONS:
        return !result->finite;
    case RANGES:
        return result->finite && shown->ranges != NULL &&
               is_apart(&shown->ranges[index], result->value);
    case CLAMPED:
        return is_clamped(shown->trial, node);
    default:
        return topdown_flagged(shown->trial->description, node, shown->results);
    }
}

static void write_entry(struct json_line *record, const struct shown *shown, enum list list,
                        const struct node *node, unsigned index)
{
    const struct formula_result *result;
    char arms[FORMULA_ARMS];

    if (list == ARMS) {
        if (arms_of(shown->trial, node, arms))
            json_line_text(record, node->name, arms);
        return;
    }
    result = trial_node(shown->trial, node);
    if (list == VALUES) {
        record_real(record, node->name, result->finite, result->value, 4);
    } else if (list == REASONS) {
        json_line_text(record, node->name, result->reason);
    } else if (list == RANGES) {
        json_line_array(record, node->name);
        json_line_real(record, NULL, shown->ranges[index].lowest, 4);
        json_line_real(record, NULL, shown->ranges[index].highest, 4);
        json_line_end(record);
    } else {
        json_line_text(record, NULL, node->name);
    }
}

/* Ranges, clamped nodes and arms are listed where there are some. */
static bool is_listed(const struct shown *shown, enum list list)
{
    const struct description *description = shown->trial->description;
    unsigned index = 0;

    if (list != RANGES && list != CLAMPED && list != ARMS)
        return true;
    for (unsigned i = 0; i < description->node_count; i++)
        if (belongs(shown, list, &description->nodes[i]) &&
            is_in(shown, list, &description->nodes[i], index++))
            return true;
    return false;
}

/* The ranges of the nodes that are shown; null: nobody knows them. */
static const struct node_range *ranges_of(const struct trial *trial, const struct measurement *m,
                                          struct repeats *room)
{
    unsigned count = 0;

    if (room == NULL || trial->results == NULL)
        return NULL;
    for (unsigned i = 0; i < trial->description->node_count; i++)
        if (is_shown(trial, &trial->description->nodes[i]))
            room->nodes[count++] = &trial->description->nodes[i];
    repeats_ranges(room, trial, m, room->nodes, count, room->ranges);
    return room->ranges;
}

void record_topdown(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *m, struct repeats *room)
{
    struct trial copy = *trial; /* the callback's context is not const */
    struct topdown_results results = {&copy, result_of};
    const struct shown shown = {trial, ranges_of(trial, m, room), &results};
    unsigned part = 1;
    struct json_line *record = begin_topdown(core, trial, m, part);

    for (enum list list = VALUES; list < LISTS; list++) {
        unsigned index = 0;

        if (!is_listed(&shown, list))
            continue;
        open_list(record, list);
        for (unsigned i = 0; i < trial->description->node_count; i++) {
            const struct node *node = &trial->description->nodes[i];

            if (!belongs(&shown, list, node))
                continue;
            if (record->length > RECORD_FULL) {
                json_line_end(record);
                log_send(record);
                record = begin_topdown(core, trial, m, ++part);
                open_list(record, list);
            }
            if (is_in(&shown, list, node, index))
                write_entry(record, &shown, list, node, index);
            index++;
        }
        json_line_end(record);
    }
    log_send(record);
}

static void write_points(struct json_line *record, const char *doses, const char *shares,
                         const struct dose_point *points, unsigned count,
                         const struct dose_line *line)
{
    json_line_array(record, doses);
    for (unsigned i = 0; i < count; i++)
        json_line_unsigned(record, NULL, (uint64_t)points[i].dose);
    json_line_end(record);
    json_line_array(record, shares);
    for (unsigned i = 0; i < count; i++)
        json_line_real(record, NULL, points[i].share, 4);
    json_line_end(record);
    record_real(record, "slope", line->valid, line->slope, 4);
    record_real(record, "intercept", line->valid, line->intercept, 4);
    record_real(record, "r_squared", line->valid, line->r_squared, 5);
}

void record_duty(const struct measured_core *core, const struct trial *trial, uint64_t iterations,
                 const struct dose_point *points, unsigned count, const struct dose_line *line)
{
    struct json_line *record =
        record_begin("duty", core, trial->experiment->kernel->name, "fraction of cycles");

    json_line_text(record, "beside", trial->corunner);
    json_line_unsigned(record, "iterations", iterations);
    write_points(record, "duties", "shares", points, count, line);
    log_send(record);
}

void record_dose(const struct measured_core *core, const struct trial *trial,
                 const struct node *node, const struct dose_point *points, unsigned count,
                 const struct dose_line *line)
{
    struct json_line *record =
        record_begin("dose", core, trial->experiment->kernel->name, "fraction of slots");

    json_line_text(record, "node", node->name);
    write_points(record, "doses", "shares", points, count, line);
    record_real(record, "largest_drop", line->valid, line->largest_drop, 4);
    log_send(record);
}

static struct json_line *begin_exactness(const struct measured_core *core, unsigned part)
{
    struct json_line *record = record_begin("exactness", core, NULL, "measured for each expected");

    json_line_unsigned(record, "part", part);
    json_line_object(record, "events");
    return record;
}

static const struct pinned *pinned_of(const struct measured_core *core, const struct event *event)
{
    return &core->exactness.events[event - core->description->events];
}

static bool is_off(const struct pinned *pinned)
{
    const enum exactness_kind kind = exactness_of(pinned);

    return kind == EXACTNESS_OVER || kind == EXACTNESS_UNDER;
}

static void exactness_member(struct json_line *record, const struct measured_core *core,
                             const struct event *event)
{
    const struct pinned *pinned = pinned_of(core, event);
    double ratio = 0;
    const bool has_ratio = exactness_ratio(pinned, &ratio);
    char errata[DESCRIPTION_ERRATA];

    json_line_object(record, event->name);
    json_line_text(record, "is", exactness_name(exactness_of(pinned)));
    json_line_unsigned(record, "pinned", pinned->times);
    record_real(record, "ratio", has_ratio, ratio, 6);
    if (pinned->times == 0) {
        const char *why = description_unpinned(core->description, event);

        json_line_text(record, "why", why != NULL ? why : EXACTNESS_NOT_RUN);
    }
    if (pinned->miscount != MISCOUNT_NONE)
        json_line_text(record, "self_check", miscount_name(pinned->miscount));
    if (description_errata(core->description, event, errata) > 0)
        json_line_text(record, "errata", errata);
    json_line_end(record);
}

/* Into that form; nothing where no event is to be named. */
static void write_exactness(enum log_form form, const struct measured_core *core,
                            const struct event *const *events, unsigned count)
{
    const enum log_form before = log_into(form);
    struct json_line *record = form == LOG_FULL ? begin_exactness(core, 1) : NULL;
    unsigned part = 1;

    for (unsigned i = 0; i < count; i++) {
        if (form == LOG_BRIEF && !is_off(pinned_of(core, events[i])))
            continue;
        if (record != NULL && record->length > RECORD_FULL) {
            json_line_end(record);
            log_send(record);
            record = begin_exactness(core, ++part);
        }
        if (record == NULL)
            record = begin_exactness(core, part);
        exactness_member(record, core, events[i]);
    }
    if (record != NULL) {
        json_line_end(record);
        log_send(record);
    }
    log_into(before);
}

void record_exactness(const struct measured_core *core, const struct event *const *events,
                      unsigned count)
{
    write_exactness(LOG_FULL, core, events, count);
    write_exactness(LOG_BRIEF, core, events, count);
    for (unsigned i = 0; i < count; i++) {
        const struct pinned *pinned = pinned_of(core, events[i]);
        const enum exactness_kind kind = exactness_of(pinned);

        if (is_off(pinned))
            log_comment("core %u: %s counts %s: %.0f where %.0f should be", core->core,
                        events[i]->name, exactness_name(kind), pinned->measured, pinned->expected);
    }
}
