/* Holds the verdicts on threads beside a loaded sibling against the rig's truth of both threads.
 *
 *   check_beside LOG TRUTH       TAP on standard output, exit status 0 when every test passes
 *
 * Of each verdict on a node of level 1 with `beside KERNEL:` (one thread) or `both threads:` (the
 * core) this program works out what is true of the node, by the windows of the records before the
 * verdict. An `ok` claims that the node is within BOUND of that, a `not ok` that it is farther
 * off, each but for EDGE. A SKIP claims nothing; how many there are is printed.
 *
 * What is true of one thread is a matter of what half of the core's slots are its share:
 *   - its retired uops, as a part of that half, which is 1 at most;
 *   - the rest of the half is lost. It belongs to what the thread waited for in the cycles that it
 *     left empty, whether nobody used them (`slots`) or the other thread did (`waited`), in
 *     proportion to these cycles. Where more than the half retires, nothing is lost. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_log.h"

/* Half of the least threshold that the published trees have at level 2. */
#define BOUND 0.05
/* By how much the edges of windows blur that. */
#define EDGE 0.005

static const struct {
    const char *name;
    const char *causes[2]; /* of slots, at level 2 */
} nodes[] = {
    {"tma_retiring", {"tma_light_operations", "tma_heavy_operations"}},
    {"tma_frontend_bound", {"tma_fetch_latency", "tma_fetch_bandwidth"}},
    {"tma_bad_speculation", {"tma_branch_mispredicts", "tma_machine_clears"}},
    {"tma_backend_bound", {"tma_memory_bound", "tma_core_bound"}},
};
#define NODES (sizeof(nodes) / sizeof(nodes[0]))

static struct run run;
static struct tests tests;
static unsigned long skipped;

/* Slots of the node in the trial; `member` is "slots" or "waited". */
static double slots_of(const json_t *topdown, const char *member, size_t node)
{
    double sum = 0;

    for (size_t i = 0; i < 2; i++)
        sum += net_of(&run, topdown, -1, member, nodes[node].causes[i]);
    return sum;
}

/* The share of half of the core's slots that is the node's. */
static double true_of_thread(const json_t *topdown, size_t node)
{
    const double all =
        net_of(&run, topdown, -1, NULL, NULL) + net_of(&run, topdown, -1, "slots", "sibling");
    const double retired = slots_of(topdown, "slots", 0) / (all / 2);
    double lost = 0, own = 0;

    if (node == 0)
        return fmin(retired, 1);
    for (size_t i = 1; i < NODES; i++) {
        const double waits = slots_of(topdown, "slots", i) + slots_of(topdown, "waited", i);

        lost += waits;
        own += i == node ? waits : 0;
    }
    return retired >= 1 || lost <= 0 ? 0 : (1 - retired) * own / lost;
}

/* The share of the core's slots; each slot of the core is one thread's. */
static double true_of_core(const json_t *topdown, size_t node)
{
    return slots_of(topdown, "slots", node) / net_of(&run, topdown, -1, NULL, NULL);
}

/* The value that the formula gives, in a verdict's text, behind the node's name. */
static bool value_in(const char *text, const char *node, double *value)
{
    const char *at = strstr(text, node);
    char *end;

    if (at == NULL)
        return false;
    at += strlen(node);
    *value = strtod(at, &end);
    return end != at;
}

static void check_verdict(const char *line, const json_t *topdown, size_t node)
{
    const bool ok = strncmp(line, "ok ", 3) == 0;
    double value, truth;
    char text[512];

    if (strstr(line, " # SKIP ") != NULL || !value_in(line, nodes[node].name, &value)) {
        skipped++;
        return;
    }
    truth = is_core_wide(topdown) ? true_of_core(topdown, node) : true_of_thread(topdown, node);
    snprintf(text, sizeof(text), "core %lld %s %s %s: %s %.4f, truth %.4f, said to be %s",
             (long long)integer_of(topdown, "core"), text_of(topdown, "kernel"),
             is_core_wide(topdown) ? "both threads with" : "beside", text_of(topdown, "beside"),
             nodes[node].name, value, truth, ok ? "right" : "wrong");
    result(&tests,
           isfinite(truth) &&
               (ok ? fabs(value - truth) <= BOUND + EDGE : fabs(value - truth) >= BOUND - EDGE),
           text);
}

/* The node of level 1 that the line judges; NODES: it is no such verdict. */
static size_t judged_by(const char *line)
{
    const char *at = strstr(line, ": tma_");

    if ((strncmp(line, "ok ", 3) != 0 && strncmp(line, "not ok ", 7) != 0) || at == NULL ||
        (strstr(line, " beside ") == NULL && strstr(line, " both threads: ") == NULL))
        return NODES;
    for (size_t i = 0; i < NODES; i++)
        if (strncmp(at + 2, nodes[i].name, strlen(nodes[i].name)) == 0)
            return i;
    return NODES;
}

/* Keeps a record; those of the trial before are forgotten with the first one behind its verdicts.
 */
static void take_record(const char *line, bool *judged)
{
    json_t *record = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
    json_t *list = json_array();

    if (record != NULL && strcmp(text_of(record, "type"), "counts") == 0 && *judged) {
        run.counts.count = run.topdowns.count = 0;
        run.last.of = NULL;
        *judged = false;
    }
    if (record != NULL)
        json_array_append(list, record);
    keep_records(&run, list);
    json_decref(list);
    json_decref(record);
}

int main(int argc, char **argv)
{
    FILE *log = argc == 3 ? fopen(argv[1], "rb") : NULL;
    bool judged = false;
    char *line = NULL;
    size_t room = 0;

    if (log == NULL) {
        fprintf(stderr, "usage: check_beside LOG TRUTH\n");
        return 2;
    }
    read_lines(&run, argv[2], true);
    while (getline(&line, &room, log) >= 0) {
        const size_t node = judged_by(line);

        if (line[0] == '{') {
            take_record(line, &judged);
        } else if (node < NODES && run.topdowns.count > 0) {
            check_verdict(line, run.topdowns.items[run.topdowns.count - 1], node);
            judged = true;
        }
    }
    free(line);
    fclose(log);
    printf("1..%lu\n# %lu verdicts are SKIP\n", tests.done, skipped);
    return tests.failed > 0 || tests.done == 0;
}
