/* Compares the errors that a multiplexed run reports with the rig's truth.
 *
 *   check_multiplex LOG TRUTH    TAP on standard output, exit status 0 when every test passes
 *
 * A multiplexed run rotates: one slice of each pass, over and over. After each such turn it counts
 * some windows of each pass alone, `alone` of a pass in all. The first slice is first_window,
 * the last one last_window. The truth has the totals of some events in every window, so the
 * estimate, the count and the error are worked out here from windows alone. The `counts` records
 * say which pass counts which event. What is marked reliable must be what all slices counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "truth_log.h"

#define PASSES   64
#define RELIABLE 0.05 /* doc/measuring.md, "Multiplexing and intervals" */
#define ROUNDING 1e-6 /* the log has six decimals of an error */

static const struct {
    const char *event, *truth;
} totals[] = {
    {"INST_RETIRED.ANY", "instructions"},    {"BR_INST_RETIRED.ALL_BRANCHES", "branches"},
    {"BR_INST_RETIRED.NEAR_TAKEN", "taken"}, {"BR_MISP_RETIRED.ALL_BRANCHES", "mispredicts"},
    {"UOPS_ISSUED.ANY", "uops_issued"},      {"UOPS_RETIRED.RETIRE_SLOTS", "uops_retired"},
    {"UOPS_RETIRED.SLOTS", "uops_retired"},
};

static struct run run;
static struct tests tests;

/* Whether that pass of the record's trial counts the event. */
static bool pass_counts(const json_t *multiplex, json_int_t pass, const char *event)
{
    for (size_t i = 0; i < run.counts.count; i++)
        if (is_same_trial(run.counts.items[i], multiplex) &&
            integer_of(run.counts.items[i], "pass") == pass &&
            json_object_get(json_object_get(run.counts.items[i], "events"), event) != NULL)
            return true;
    return false;
}

static double of_window(const json_t *multiplex, json_int_t window, const char *key)
{
    const json_t *truth = truth_of(&run, integer_of(multiplex, "core"), window);

    return truth != NULL ? (double)integer_of(truth, key) : NAN;
}

static json_int_t turns_of(const json_t *multiplex)
{
    return integer_of(multiplex, "slices") / integer_of(multiplex, "passes");
}

static json_int_t alone_in_a_turn(const json_t *multiplex)
{
    return integer_of(multiplex, "alone") / turns_of(multiplex);
}

/* The first window of a turn. */
static json_int_t turn_begins(const json_t *multiplex, json_int_t turn)
{
    return integer_of(multiplex, "first_window") +
           turn * integer_of(multiplex, "passes") * (1 + alone_in_a_turn(multiplex));
}

/* The total of the slices that counted the event, scaled to the cycles of all slices. */
static double estimate(const json_t *multiplex, const bool *counts, const char *key)
{
    double sum = 0, counted = 0, cycles = 0;

    for (json_int_t turn = 0; turn < turns_of(multiplex); turn++) {
        for (json_int_t pass = 0; pass < integer_of(multiplex, "passes"); pass++) {
            const json_int_t window = turn_begins(multiplex, turn) + pass;
            const double length = of_window(multiplex, window, "cycles");

            cycles += length;
            if (!counts[pass])
                continue;
            counted += length;
            sum += of_window(multiplex, window, key);
        }
    }
    return sum * cycles / counted;
}

/* The total of the windows of the first pass that counts the event alone, for as many windows as
 * there are slices. */
static double undivided(const json_t *multiplex, const bool *counts, const char *key)
{
    const json_int_t in_a_turn = alone_in_a_turn(multiplex);
    json_int_t pass = 0;
    double sum = 0;

    while (!counts[pass])
        pass++;
    for (json_int_t turn = 0; turn < turns_of(multiplex); turn++)
        for (json_int_t i = 0; i < in_a_turn; i++)
            sum += of_window(multiplex,
                             turn_begins(multiplex, turn) + integer_of(multiplex, "passes") +
                                 pass * in_a_turn + i,
                             key);
    return sum / (double)integer_of(multiplex, "alone") * (double)integer_of(multiplex, "slices");
}

/* The total of all slices: what the event would have counted had it counted all the time. */
static double in_all_slices(const json_t *multiplex, const char *key)
{
    double sum = 0;

    for (json_int_t turn = 0; turn < turns_of(multiplex); turn++)
        for (json_int_t pass = 0; pass < integer_of(multiplex, "passes"); pass++)
            sum += of_window(multiplex, turn_begins(multiplex, turn) + pass, key);
    return sum;
}

/* An estimate that is said to be reliable is within 5 % of what all slices counted. The comment has
 * every estimate beside its truth. */
static void check_reliable(const json_t *multiplex, const json_t *event, const char *name,
                           const char *key)
{
    const double truth = in_all_slices(multiplex, key);
    const double estimated = json_number_value(json_object_get(event, "estimate"));
    /* of an event that did not happen every count is too much */
    const double off = truth > 0 ? estimated / truth - 1 : estimated > 0 ? HUGE_VAL : 0;
    const bool reliable = json_is_true(json_object_get(event, "reliable"));
    char text[256];

    printf("# estimate %s %s %.1f truth %.0f off %+.4f %s\n", text_of(multiplex, "kernel"), name,
           estimated, truth, off, reliable ? "reliable" : text_of(event, "why"));
    if (!reliable)
        return;
    snprintf(text, sizeof(text), "core %lld %s %s is reliable, and %+.4f off what all slices count",
             (long long)integer_of(multiplex, "core"), text_of(multiplex, "kernel"), name, off);
    result(&tests, fabs(off) <= RELIABLE, text);
}

static void check_event(const json_t *multiplex, const json_t *event, const char *name,
                        const char *key)
{
    const json_int_t passes = integer_of(multiplex, "passes");
    bool counts[PASSES] = {false}, any = false;
    double estimated, count, error;
    char text[256];

    for (json_int_t pass = 0; pass < passes && pass < PASSES; pass++)
        any |= counts[pass] = pass_counts(multiplex, pass, name);
    count = any ? undivided(multiplex, counts, key) : NAN;
    estimated = any ? estimate(multiplex, counts, key) : NAN;
    error = count > 0 ? estimated / count - 1 : 0; /* null where none was counted: 0 here too */
    snprintf(text, sizeof(text), "core %lld %s %s error %+.6f, from the truth's windows %+.6f",
             (long long)integer_of(multiplex, "core"), text_of(multiplex, "kernel"), name,
             json_number_value(json_object_get(event, "error")), error);
    result(&tests,
           any && fabs(json_number_value(json_object_get(event, "error")) - error) <= ROUNDING &&
               fabs(json_number_value(json_object_get(event, "count")) - count) <= 0.5,
           text);
}

static void check_multiplex(const json_t *multiplex)
{
    char text[160];

    /* A disturbed window was repeated: then numbers do not tell which pass a window is of. */
    if (turn_begins(multiplex, turns_of(multiplex) - 1) + integer_of(multiplex, "passes") - 1 !=
            integer_of(multiplex, "last_window") ||
        integer_of(multiplex, "passes") > PASSES) {
        snprintf(text, sizeof(text), "core %lld %s # SKIP windows were repeated",
                 (long long)integer_of(multiplex, "core"), text_of(multiplex, "kernel"));
        result(&tests, true, text);
        return;
    }
    for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
        const json_t *event =
            json_object_get(json_object_get(multiplex, "events"), totals[i].event);

        if (event == NULL)
            continue;
        check_event(multiplex, event, totals[i].event, totals[i].truth);
        check_reliable(multiplex, event, totals[i].event, totals[i].truth);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: check_multiplex LOG TRUTH\n");
        return 2;
    }
    printf("TAP version 14\n");
    read_lines(&run, argv[1], false);
    read_lines(&run, argv[2], true);
    for (size_t i = 0; i < run.multiplexes.count; i++)
        check_multiplex(run.multiplexes.items[i]);
    result(&tests, run.multiplexes.count > 0, "there are multiplex records");
    printf("1..%lu\n", tests.done);
    return tests.failed != 0;
}
