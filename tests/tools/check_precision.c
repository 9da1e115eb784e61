/* Compares what two readings of SLOTS and PERF_METRICS say of a region with the rig's truth.
 *
 *   check_precision LOG TRUTH    TAP on standard output, exit status 0 when every test passes
 *
 * A window that is reset right before its region has two windows in the truth: what ran before, and
 * the region alone. The region of a window without that reset is the same, after the same code.
 * From sample to sample runs the same as behind the region itself, in as many cycles of the kernel.
 * All is worked out from `readings` and the truth alone. The bound is arithmetic: a byte is off by
 * less than a step, 1/255 of all slots since the reset, and beside it EDGES cycles are in only one
 * of the two: from the reset to the first reading, and from the second to where counters stop. A
 * comment has the largest error of each length. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_log.h"

#define EDGES                                                                                      \
    150.0 /* of them RDPMC, WRMSR and the fences; no more than the rig's figures for these */

/* By byte: the truth's causes at level 2 that are part of it. */
static const struct {
    const char *byte, *causes[2];
} bytes[] = {
    {"PERF_METRICS.RETIRING", {"tma_light_operations", "tma_heavy_operations"}},
    {"PERF_METRICS.BAD_SPECULATION", {"tma_branch_mispredicts", "tma_machine_clears"}},
    {"PERF_METRICS.FRONTEND_BOUND", {"tma_fetch_latency", "tma_fetch_bandwidth"}},
    {"PERF_METRICS.BACKEND_BOUND", {"tma_memory_bound", "tma_core_bound"}},
    {"PERF_METRICS.HEAVY_OPERATIONS", {"tma_heavy_operations", NULL}},
    {"PERF_METRICS.BRANCH_MISPREDICTS", {"tma_branch_mispredicts", NULL}},
    {"PERF_METRICS.FETCH_LATENCY", {"tma_fetch_latency", NULL}},
    {"PERF_METRICS.MEMORY_BOUND", {"tma_memory_bound", NULL}},
};
#define BYTES (sizeof(bytes) / sizeof(*bytes))

static struct run run;
static struct tests tests;

static unsigned long long reading_of(const json_t *record, size_t window, size_t at)
{
    const json_t *reading = json_array_get(json_object_get(record, "readings"), window);

    return strtoull(json_string_value(json_array_get(reading, at)), NULL, 16);
}

static double share_read(const json_t *record, size_t window, size_t byte)
{
    const double before = (double)reading_of(record, window, 0);
    const double slots = (double)reading_of(record, window, 2);
    const double first = (double)(reading_of(record, window, 1) >> 8 * byte & 0xff);
    const double second = (double)(reading_of(record, window, 3) >> 8 * byte & 0xff);

    return (second * slots - first * before) / 255 / (slots - before);
}

/* Of the region of a window that was reset right before it. */
static double share_true(const json_t *reset, size_t window, size_t byte, double *slots)
{
    const json_t *truth = truth_of(&run, integer_of(reset, "core"),
                                   integer_of(reset, "first_window") + 2 * (json_int_t)window + 1);
    double sum = 0;

    if (truth == NULL)
        return NAN;
    *slots = number_of(truth, "slots", NULL);
    for (size_t i = 0; i < 2 && bytes[byte].causes[i] != NULL; i++)
        sum += number_of(truth, "slots", bytes[byte].causes[i]);
    return sum / *slots;
}

struct curve {
    double largest, used; /* the error; the largest part of its bound */
};

static struct curve errors_of(const json_t *record, const json_t *reset)
{
    struct curve curve = {0, 0};

    for (size_t window = 0; window < json_array_size(json_object_get(record, "readings")); window++)
        for (size_t byte = 0; byte < BYTES; byte++) {
            const double all = (double)reading_of(record, window, 2);
            const double region = all - (double)reading_of(record, window, 0);
            double slots = NAN, error, width;
            const json_t *truth;

            if (json_object_get(json_object_get(record, "bytes"), bytes[byte].byte) == NULL)
                continue;
            error =
                fabs(share_read(record, window, byte) - share_true(reset, window, byte, &slots));
            truth =
                truth_of(&run, integer_of(reset, "core"), integer_of(reset, "first_window") + 1);
            width = slots / (double)integer_of(truth, "cycles");
            curve.largest = fmax(curve.largest, error);
            curve.used = fmax(curve.used, error / (all / 255 / region + EDGES * width / region));
            if (isnan(error))
                curve.used = INFINITY;
        }
    return curve;
}

static void check(const json_t *record, const json_t *reset)
{
    const struct curve curve = errors_of(record, reset);
    char text[240];

    printf("# error %s %s %lld %s %.4f step %.4f\n", text_of(record, "kernel"),
           text_of(record, "before"), (long long)integer_of(record, "length"),
           json_is_true(json_object_get(record, "reset")) ? "reset" : "-", curve.largest,
           json_number_value(json_object_get(record, "bound")));
    snprintf(text, sizeof(text),
             "core %lld %s, %s before, from %lld regions on%s: %.4f off the truth, "
             "%.2f of what a step makes",
             (long long)integer_of(record, "core"), text_of(record, "kernel"),
             text_of(record, "before"), (long long)integer_of(record, "length"),
             json_is_true(json_object_get(record, "reset")) ? ", reset" : "", curve.largest,
             curve.used);
    result(&tests, curve.used <= 1, text);
}

int main(int argc, char **argv)
{
    const json_t *alone = NULL; /* the region behind itself, with a reset */

    if (argc != 3) {
        fprintf(stderr, "usage: check_precision LOG TRUTH\n");
        return 2;
    }
    printf("TAP version 14\n");
    read_lines(&run, argv[1], false);
    read_lines(&run, argv[2], true);
    for (size_t i = 1; i < run.precisions.count; i++) {
        const json_t *record = run.precisions.items[i], *reset = record;
        const bool samples = strcmp(text_of(record, "before"), "samples") == 0;

        if (integer_of(record, "length") == 0)
            continue;
        if (!json_is_true(json_object_get(record, "reset")))
            reset = run.precisions.items[i - 1];
        else if (!samples)
            alone = record;
        check(record, samples ? alone : reset);
    }
    result(&tests, tests.done > 0, "there are precision records");
    printf("1..%lu\n", tests.done);
    return tests.failed != 0;
}
