/* Holds published formulas, and the rule by which the rig charges slots, against what taking the
 * cause away gains.
 *
 *   check_gains LOG TRUTH [CAUSES LOG TRUTH]...      a table on standard output
 *
 * The first log and truth are of a run as it is, measured with two levels of the tree; each of the
 * others is of a run with `--ideal CAUSES`. For each trial of the first run, lines with tabs
 * between:
 *
 *   kernel  node  formula  rule  gained  last   formula: the log's; rule: the truth's; the others:
 *                                               gained and gained_last of gains.h
 *   kernel  a x b  -  -  interaction  -         for two causes that were also taken away together
 *
 * A kernel with a dose is `kernel@dose`; `-` is what is not known. Both cycles and slots are those
 * of windows of 2n iterations less windows of n (truth_log.h), of an iteration. Exit status 0; 1
 * when a trial is missing in another run or has other iterations there, and it is named; 2 when an
 * argument is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gains.h"
#include "truth_log.h"

/* A run with causes taken away. */
struct other {
    unsigned set;
    struct run run;
};

static struct run first;
static struct other *others;
static size_t other_count;

static const char *trial_name(const json_t *topdown, char *text, size_t size)
{
    const json_t *dose = json_object_get(topdown, "dose");

    if (dose != NULL)
        snprintf(text, size, "%s@%lld", text_of(topdown, "kernel"),
                 (long long)json_integer_value(dose));
    else
        snprintf(text, size, "%s", text_of(topdown, "kernel"));
    return text;
}

/* How many windows of 2n iterations less n the sums of net_of are over. */
static unsigned passes_of(struct run *run, const json_t *topdown)
{
    const struct list *counts = counts_of(run, topdown);
    unsigned passes = 0;

    for (size_t i = 0; i < counts->count; i++)
        passes += integer_of(counts->items[i], "iterations") == integer_of(topdown, "iterations");
    return passes;
}

static double cycles_of(struct run *run, const json_t *topdown)
{
    const double iterations = (double)integer_of(topdown, "iterations") * passes_of(run, topdown);

    return net_of(run, topdown, -1, NULL, "cycles") / iterations;
}

static const json_t *same_trial(const struct run *run, const json_t *topdown)
{
    for (size_t i = 0; i < run->topdowns.count; i++)
        if (is_same_trial(run->topdowns.items[i], topdown))
            return run->topdowns.items[i];
    return NULL;
}

/* False: a run lacks the trial, or measured other iterations. */
static bool collect(const json_t *topdown, struct gains *gains)
{
    char name[96], set[64];

    for (unsigned i = 0; i < GAIN_SETS; i++)
        gains->cycles[i] = NAN;
    gains->cycles[0] = cycles_of(&first, topdown);
    for (size_t i = 0; i < other_count; i++) {
        const json_t *other = same_trial(&others[i].run, topdown);

        if (other == NULL || integer_of(other, "iterations") != integer_of(topdown, "iterations")) {
            gain_name(others[i].set, set, sizeof(set));
            fprintf(stderr, "check_gains: %s: the run without %s %s\n",
                    trial_name(topdown, name, sizeof(name)), set,
                    other == NULL ? "has no such trial" : "has other iterations");
            return false;
        }
        gains->cycles[others[i].set] = cycles_of(&others[i].run, other);
    }
    return true;
}

static void print_value(double value)
{
    if (isfinite(value))
        printf("\t%.4f", value);
    else
        printf("\t-");
}

static void print_nodes(const json_t *topdown, const struct gains *gains)
{
    const double slots = net_of(&first, topdown, -1, NULL, NULL);
    char name[96];

    trial_name(topdown, name, sizeof(name));
    for (size_t i = 0; i < gain_node_count; i++) {
        const struct gain_node *node = &gain_nodes[i];
        const json_t *value = json_object_get(json_object_get(topdown, "nodes"), node->name);

        printf("%s\t%s", name, node->name);
        print_value(json_is_number(value) ? json_number_value(value) : NAN);
        print_value(net_of(&first, topdown, -1, "nodes", node->name) / slots);
        print_value(gain_of_node(gains, node));
        print_value(last_gain_of_node(gains, node));
        printf("\n");
    }
}

static void print_interactions(const json_t *topdown, const struct gains *gains)
{
    char name[96], one_name[16], other_name[16];

    trial_name(topdown, name, sizeof(name));
    for (unsigned one = 1; one < GAIN_SETS; one *= 2)
        for (unsigned other = 2 * one; other < GAIN_SETS; other *= 2) {
            const double value = gain_interaction(gains, one, other);

            if (!isfinite(value))
                continue;
            gain_name(one, one_name, sizeof(one_name));
            gain_name(other, other_name, sizeof(other_name));
            printf("%s\t%s x %s\t-\t-\t%.4f\t-\n", name, one_name, other_name, value);
        }
}

static void read_runs(char **argv)
{
    read_lines(&first, argv[0], false);
    read_lines(&first, argv[1], true);
    others = calloc(other_count + 1, sizeof(*others));
    if (others == NULL) {
        perror("check_gains");
        exit(2);
    }
    argv += 2;
    for (size_t i = 0; i < other_count; i++, argv += 3) {
        const char *bad;
        size_t length;

        if (!gain_set(argv[0], &others[i].set, &bad, &length)) {
            fprintf(stderr, "check_gains: unknown name \"%.*s\"\n", (int)length, bad);
            exit(2);
        }
        read_lines(&others[i].run, argv[1], false);
        read_lines(&others[i].run, argv[2], true);
    }
}

int main(int argc, char **argv)
{
    bool whole = true;

    if (argc < 3 || argc % 3 != 0) {
        fprintf(stderr, "usage: check_gains LOG TRUTH [CAUSES LOG TRUTH]...\n");
        return 2;
    }
    other_count = (size_t)(argc - 3) / 3;
    read_runs(argv + 1);
    for (size_t i = 0; i < first.topdowns.count; i++) {
        const json_t *topdown = first.topdowns.items[i];
        struct gains gains;

        if (!collect(topdown, &gains)) {
            whole = false;
            continue;
        }
        print_nodes(topdown, &gains);
        print_interactions(topdown, &gains);
    }
    if (first.topdowns.count == 0)
        fprintf(stderr, "check_gains: %s has no topdown record\n", argv[1]);
    return whole && first.topdowns.count > 0 ? 0 : 1;
}
