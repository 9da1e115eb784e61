#include "real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LIMIT    0.02 /* a formula's error, where the sound run has no value of the node */
#define CPI_LIMIT      0.001
#define REPEATS        256
#define SAMPLED_LONGER 0.02
#define BYTE_STEPS     3.0
#define BYTE_EDGE      8
#define SLICES_LIMIT   0.01 /* by how much some windows of a rotation may differ from the others */

static int by_value(const void *a, const void *b)
{
    const double *one = a, *other = b;

    return (*one > *other) - (*one < *other);
}

/* Of the windows of a `counts` record, or what the windows of `more` have above those of `record`,
 * in ascending order; `member` is "nodes", or NULL for a total. Returns how many; 0: the truth
 * lacks one of them. */
static size_t values_of(const struct run *run, const json_t *record, const json_t *more,
                        const char *member, const char *name, double values[REPEATS])
{
    const json_t *windows = json_object_get(record, "windows");
    const json_t *longer = json_object_get(more, "windows");
    const size_t count = json_array_size(windows);

    if (count == 0 || count > REPEATS || (more != NULL && json_array_size(longer) != count))
        return 0;
    for (size_t i = 0; i < count; i++) {
        const json_int_t core = integer_of(record, "core");
        const json_t *window = truth_of(run, core, json_integer_value(json_array_get(windows, i)));
        const json_t *other = truth_of(run, core, json_integer_value(json_array_get(longer, i)));

        if (window == NULL || (more != NULL && other == NULL))
            return 0;
        values[i] = more != NULL ? number_of(other, member, name) - number_of(window, member, name)
                                 : number_of(window, member, name);
    }
    qsort(values, count, sizeof(values[0]), by_value);
    return count;
}

static double middle_of(const struct run *run, const json_t *record, const json_t *more,
                        const char *name)
{
    double values[REPEATS];
    const size_t count = values_of(run, record, more, NULL, name, values);

    return count > 0 ? values[count / 2] : NAN;
}

static enum real says(bool right)
{
    return right ? REAL_RIGHT : REAL_WRONG;
}

/* Beside the totals that a counter must have exactly, the ticks of the time stamp counter. */
static const char *total_of(const char *event)
{
    return strcmp(event, "CPU_CLK_UNHALTED.REF_TSC") == 0 ? "reference" : truth_name(event);
}

/* By how much the count may differ from the truth: fixed counter 2 is compared with other clocks,
 * and within this (doc/measuring.md, "Trust"). */
static double limit_of(const char *name, double truth)
{
    return strcmp(name, "reference") == 0 ? 160 + 0.05 * truth : 0;
}

/* Slots of one node that a byte of PERF_METRICS has: within three of its steps, and the edges. */
static enum real byte_says(const struct fact *fact, const struct run *run)
{
    static const struct {
        const char *event, *node;
    } bytes[] = {{"PERF_METRICS.RETIRING", "tma_retiring"},
                 {"PERF_METRICS.BAD_SPECULATION", "tma_bad_speculation"},
                 {"PERF_METRICS.FRONTEND_BOUND", "tma_frontend_bound"},
                 {"PERF_METRICS.BACKEND_BOUND", "tma_backend_bound"}};
    double values[REPEATS], slots[REPEATS];

    for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
        const bool is = strcmp(fact->name, bytes[i].event) == 0;
        const size_t count =
            is ? values_of(run, fact->record, NULL, "nodes", bytes[i].node, values) : 0;

        if (count > 0 && values_of(run, fact->record, NULL, NULL, NULL, slots) == count)
            return says(fabs(fact->value - values[count / 2]) <=
                        BYTE_STEPS / 255 * slots[count / 2] + BYTE_EDGE);
    }
    return REAL_UNKNOWN;
}

static enum real raw_says(const struct fact *fact, const struct run *run)
{
    const char *name = total_of(fact->name);
    const double truth = name != NULL ? middle_of(run, fact->record, NULL, name) : NAN;

    if (strncmp(fact->name, "PERF_METRICS.", 13) == 0)
        return byte_says(fact, run);

    return isnan(truth) ? REAL_UNKNOWN : says(fabs(fact->value - truth) <= limit_of(name, truth));
}

/* Of windows without a name. */
struct range {
    double low, high; /* low > high: there are none */
};

/* How many instructions of n iterations the record counts; 0: it does not say. */
static json_int_t instructions_of(const json_t *record)
{
    const char *event;
    json_t *count;

    json_object_foreach (json_object_get(record, "counts"), event, count) {
        const char *name = truth_name(event);

        if (name != NULL && strcmp(name, "instructions") == 0)
            return json_integer_value(count);
    }
    return 0;
}

/* The brief form names no windows, and the stick's log may not be there, or end before it does.
 * Then they are those next to each other whose instructions differ by what the record counts. Of
 * these: the node's share of the slots; or with a null `node` the total, "cpi" for cycles an
 * instruction. */
static struct range unnamed(const struct fact *fact, const struct run *run, const char *node,
                            const char *total)
{
    const bool cpi = node == NULL && strcmp(total, "cpi") == 0;
    const char *member = node != NULL ? "nodes" : NULL;
    const char *name = node != NULL ? node : cpi ? "cycles" : total;
    const json_int_t instructions = instructions_of(fact->record);
    const struct list *windows = &run->truth[fact->core];
    struct range range = {INFINITY, -INFINITY};

    for (size_t i = 1; i < windows->count && instructions > 0; i++) {
        const json_t *once = windows->items[i - 1], *twice = windows->items[i];
        double value, whole = cpi ? (double)instructions : 1;

        if (once == NULL || twice == NULL ||
            integer_of(twice, "instructions") - integer_of(once, "instructions") != instructions)
            continue;
        if (node != NULL)
            whole = number_of(twice, NULL, NULL) - number_of(once, NULL, NULL);
        value = (number_of(twice, member, name) - number_of(once, member, name)) / whole;
        range.low = fmin(range.low, value);
        range.high = fmax(range.high, value);
    }
    return range;
}

/* How far the value is outside of the range; NAN: there is none. */
static double off(double value, struct range range)
{
    if (range.low > range.high)
        return NAN;
    return value < range.low ? value - range.low : value > range.high ? value - range.high : 0;
}

/* Of n iterations: right when some pass has it. */
static enum real count_says(const struct fact *fact, struct run *run, const char *name,
                            double value, double limit)
{
    const struct list *counts = counts_of(run, fact->record);
    const json_int_t n = integer_of(fact->record, "iterations");
    enum real said = REAL_UNKNOWN;

    if (counts->count == 0 && name != NULL) {
        const double error = off(value, unnamed(fact, run, NULL, name));

        return isnan(error) ? REAL_UNKNOWN : says(fabs(error) <= limit + limit_of(name, value));
    }
    for (size_t i = 0; i < counts->count && name != NULL; i++) {
        const json_t *once = counts->items[i], *twice = twice_of(counts, i + 1, once);
        double truth;

        if (integer_of(once, "iterations") != n || twice == NULL)
            continue;
        truth = is_core_wide(fact->record)
                    ? net_of(run, fact->record, integer_of(once, "pass"), NULL, name)
                    : middle_of(run, once, twice, name);
        if (isnan(truth))
            continue;
        if (fabs(value - truth) <= limit + limit_of(name, truth))
            return REAL_RIGHT;
        said = REAL_WRONG;
    }
    return said;
}

static double share_of(const struct fact *fact, struct run *run)
{
    return net_of(run, fact->record, -1, "nodes", fact->name) /
           net_of(run, fact->record, -1, NULL, NULL);
}

static bool has_node(const struct run *run, const struct fact *fact)
{
    const struct list *windows = &run->truth[fact->core];
    size_t i = 0;

    while (i < windows->count && windows->items[i] == NULL)
        i++;
    return i < windows->count &&
           json_object_get(json_object_get(windows->items[i], "nodes"), fact->name) != NULL;
}

/* Whether a node is right that is off the truth by so much, when the sound run's is by `usual`: a
 * number between these two is nearer to the truth than what counts as right, and a formula's error
 * differs from run to run by `limit`. */
static enum real says_of(double error, double usual, double limit)
{
    if (isnan(error) || isnan(usual))
        return REAL_UNKNOWN;
    return says(error >= fmin(usual, 0) - limit && error <= fmax(usual, 0) + limit);
}

/* Repeats lie apart, and the record says how far: the truth and the value are both among them. */
static bool is_of_repeats(const struct fact *fact, double share, double limit)
{
    return fact->low < fact->high && share >= fact->low - limit && share <= fact->high + limit &&
           fact->value >= fact->low - limit && fact->value <= fact->high + limit;
}

/* How far the node is off its share in the truth; NAN: the truth does not say. */
static double error_of(const struct fact *fact, struct run *run)
{
    return counts_of(run, fact->record)->count > 0
               ? fact->value - share_of(fact, run)
               : off(fact->value, unnamed(fact, run, fact->name, NULL));
}

static enum real node_says(const struct fact *fact, struct run *of_fact, const struct fact *sound,
                           struct run *of_sound, double limit)
{
    double error, usual = 0;

    if (!has_node(of_fact, fact))
        return REAL_UNKNOWN;
    error = error_of(fact, of_fact);
    if (is_of_repeats(fact, share_of(fact, of_fact), limit))
        return REAL_RIGHT;
    if (sound != NULL && sound->kind == FACT_NUMBER)
        usual = error_of(sound, of_sound);
    if (sound == NULL || sound->kind != FACT_NUMBER)
        limit = fmax(limit, FIRST_LIMIT);
    return says_of(error, usual, limit);
}

/* Of all windows of a rotation together, from the record's first to its last; their number in
 * *windows. NAN: the truth lacks one. */
static double through(const struct run *run, const json_t *record, const char *member,
                      const char *name, double *windows)
{
    const json_int_t first = integer_of(record, "first_window");
    const json_int_t last = integer_of(record, "last_window");
    double sum = 0;

    *windows = (double)(last - first + 1);
    for (json_int_t i = first; i <= last; i++) {
        const json_t *window = truth_of(run, integer_of(record, "core"), i);

        if (window == NULL)
            return NAN;
        sum += number_of(window, member, name);
    }
    return last >= first ? sum : NAN;
}

/* All windows of a multiplexed run have the same iterations: what one has, by the mean of them. */
static enum real slice_says(const struct fact *fact, const struct run *run)
{
    const char *name = total_of(fact->name);
    double windows, truth;

    if (name == NULL)
        return REAL_UNKNOWN;
    truth = through(run, fact->record, NULL, name, &windows) / windows;
    if (isnan(truth))
        return REAL_UNKNOWN;
    return says(fabs(fact->value - truth) <= SLICES_LIMIT * truth + limit_of(name, truth) + 1);
}

/* Of windows that were sampled the truth has the cycles, and nothing of the interrupts: where they
 * took longer than in the sound run, so did what was measured in them. */
static enum real sampled_says(const struct fact *fact, const struct run *run,
                              const struct fact *sound, const struct run *of_sound)
{
    double windows, cycles, usual;

    if (sound == NULL ||
        (strcmp(fact->name, "late") != 0 && strcmp(fact->name, "cycles_per_sample") != 0))
        return REAL_UNKNOWN;
    cycles = through(run, fact->record, NULL, "cycles", &windows) / windows;
    usual = through(of_sound, sound->record, NULL, "cycles", &windows) / windows;
    return cycles > usual * (1 + SAMPLED_LONGER) && fact->value > sound->value ? REAL_RIGHT
                                                                               : REAL_UNKNOWN;
}

static enum real interval_says(const struct fact *fact, const struct run *run,
                               const struct fact *sound, const struct run *of_sound, double limit)
{
    const struct fact *facts[] = {fact, sound};
    const struct run *runs[] = {run, of_sound};
    double errors[2] = {0, 0}, windows;

    if (!has_node(run, fact))
        return REAL_UNKNOWN;
    if (sound == NULL || sound->kind != FACT_NUMBER)
        limit = fmax(limit, FIRST_LIMIT);
    for (unsigned i = 0; i < 2; i++)
        if (facts[i] != NULL && facts[i]->kind == FACT_NUMBER)
            errors[i] = facts[i]->value -
                        through(runs[i], facts[i]->record, "nodes", fact->name, &windows) /
                            through(runs[i], facts[i]->record, NULL, NULL, &windows);
    return says_of(errors[0], errors[1], limit);
}

/* Cycles or instructions of an iteration, or their ratio: right when some pass has it. */
static enum real cpi_says(const struct fact *fact, struct run *run)
{
    const double n = (double)integer_of(fact->record, "iterations");
    const char *name = strcmp(fact->name, "cycles_per_iteration") == 0             ? "cycles"
                       : strcmp(fact->name, "instructions_per_iteration") == 0     ? "instructions"
                       : strcmp(fact->name, "reference_cycles_per_iteration") == 0 ? "reference"
                                                                                   : NULL;
    const struct list *counts = counts_of(run, fact->record);
    enum real said = REAL_UNKNOWN;

    if (name != NULL)
        return count_says(fact, run, name, fact->value * n, 0.001 * n);
    if (strcmp(fact->name, "cpi") != 0 && strcmp(fact->member, "cpi") != 0)
        return REAL_UNKNOWN;
    if (counts->count == 0) {
        const double error = off(fact->value, unnamed(fact, run, NULL, "cpi"));

        return isnan(error) ? REAL_UNKNOWN : says(fabs(error) <= CPI_LIMIT * (1 + fact->value));
    }
    for (size_t i = 0; i < counts->count; i++) {
        const json_t *once = counts->items[i], *twice = twice_of(counts, i + 1, once);

        if ((double)integer_of(once, "iterations") == n && twice != NULL) {
            const double cycles = middle_of(run, once, twice, "cycles");
            const double truth = cycles / middle_of(run, once, twice, "instructions");

            if (isnan(truth))
                continue;
            if (fabs(fact->value - truth) <= CPI_LIMIT + truth * CPI_LIMIT)
                return REAL_RIGHT;
            said = REAL_WRONG;
        }
    }
    return said;
}

static enum real_way way_of(const struct run *run, const json_t *counts, const struct run *sound,
                            const json_t *of_sound, const char *name)
{
    double is[REPEATS], was[REPEATS];
    const size_t count = values_of(run, counts, NULL, NULL, name, is);
    const size_t usual = values_of(sound, of_sound, NULL, NULL, name, was);

    if (count == 0 || usual == 0)
        return REAL_SAME;
    if (is[count / 2] != was[usual / 2])
        return REAL_OTHERWISE;
    return count != usual || memcmp(is, was, count * sizeof(is[0])) != 0 ? REAL_IN_SOME : REAL_SAME;
}

enum real_way real_went(const struct fact *fact, struct run *of_fact, const struct fact *sound,
                        struct run *of_sound)
{
    static const char *const names[] = {"cycles", "reference", "uops_issued", "mispredicts"};
    const struct list *counts, *sounds;
    enum real_way most = REAL_SAME;

    if (sound == NULL || fact->core < 0 || fact->core >= CORES)
        return REAL_SAME;
    counts = counts_of(of_fact, fact->record);
    sounds = counts_of(of_sound, sound->record);
    if (counts->count == 0) /* no record says which windows are the kernel's */
        return REAL_SAME;
    if (counts->count != sounds->count)
        return REAL_OTHERWISE;
    for (size_t i = 0; i < counts->count; i++)
        for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
            const enum real_way way =
                way_of(of_fact, counts->items[i], of_sound, sounds->items[i], names[j]);

            most = way > most ? way : most;
        }
    return most;
}

enum real real_says(const struct fact *fact, struct run *of_fact, const struct fact *sound,
                    struct run *of_sound, double share)
{
    if (fact->kind != FACT_NUMBER || fact->core < 0 || fact->core >= CORES)
        return REAL_UNKNOWN;
    if (strcmp(fact->type, "counts") == 0)
        return raw_says(fact, of_fact);
    if (strcmp(fact->type, "multiplex") == 0)
        return slice_says(fact, of_fact);
    if (strcmp(fact->type, "sampling") == 0)
        return sampled_says(fact, of_fact, sound, of_sound);
    if (json_object_get(fact->record, "interval") != NULL)
        return strcmp(fact->member, "nodes") == 0
                   ? interval_says(fact, of_fact, sound, of_sound, share)
                   : REAL_UNKNOWN;
    if (strcmp(fact->member, "per_iterations") == 0 || strcmp(fact->member, "counts") == 0)
        return count_says(fact, of_fact, total_of(fact->name), fact->value, 0);
    if (strcmp(fact->member, "nodes") == 0)
        return node_says(fact, of_fact, sound, of_sound, share);
    if (strcmp(fact->type, "cpi") == 0 || strcmp(fact->member, "cpi") == 0)
        return cpi_says(fact, of_fact);
    return REAL_UNKNOWN;
}
