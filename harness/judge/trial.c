#include "trial.h"

/* A byte of PERF_METRICS is divided by the sum of level 1's bytes. Where one of these has all the
 * slots, each of the other three may be a step of 1/255 in the window of n, rounded up, and none in
 * the window of 2n: the sum is 3/255 too small. Where a byte has no slots, it is off by less than
 * two steps (results.c). A byte of level 2 may be off for both reasons. */
#define BYTES_TOLERANCE     0.012
#define NO_CYCLES_TOLERANCE 0.01

void trial_forget(struct node_share *nodes, struct node_memo *memos, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        nodes[i].evaluated = false;
    topdown_forget(memos, count);
}

bool trial_too_short(const struct trial *trial)
{
    const struct tally *cycles = results_find(trial->results, "CPU_CLK_UNHALTED.THREAD");

    return cycles != NULL && cycles->measured && cycles->difference.median < TRIAL_CYCLES_MIN;
}

static void take_value(struct formula_result *result, const char *reason)
{
    result->finite = false;
    result->value = 0;
    result->reason = reason;
}

void trial_settle(const struct trial *trial, const struct node *node, struct node_share *share)
{
    share->why[0] = '\0';
    if (node->level > 0 && share->given.finite && trial_too_short(trial))
        take_value(&share->given, "n iterations take too few cycles to divide their slots");
    share->result = share->given;
    if (node->level > 0 && share->given.finite &&
        !topdown_is_share(share->given.value, trial_tolerance(trial, node), share->why))
        take_value(&share->result, share->why);
}

static const struct node_share *evaluate(const struct trial *trial, const struct node *node)
{
    struct node_share *share = &trial->nodes[node - trial->description->nodes];

    if (share->evaluated)
        return share;
    share->evaluated = true;
    if (trial->memos != NULL)
        topdown_node_once(&trial->counts, trial->memos, node, &share->given);
    else
        topdown_node(&trial->counts, node, &share->given);
    trial_settle(trial, node, share);
    return share;
}

const struct formula_result *trial_node(const struct trial *trial, const struct node *node)
{
    return &evaluate(trial, node)->result;
}

const struct formula_result *trial_given(const struct trial *trial, const struct node *node)
{
    return &evaluate(trial, node)->given;
}

bool trial_is_no_share(const struct trial *trial, const struct node *node)
{
    return evaluate(trial, node)->why[0] != '\0';
}

double trial_error(const struct trial *trial, const struct node *node)
{
    return trial_tolerance(trial, node) + evaluate(trial, node)->given.error;
}

bool trial_needs_deeper_tree(const struct trial *trial)
{
    return trial->description != NULL && trial->description->levels > 0 &&
           trial->experiment->kernel->level > trial->description->levels;
}

bool trial_asks(const struct trial *trial, const struct node *node)
{
    return trial->asked == NULL ||
           selection_has(trial->asked, (unsigned)(node - trial->description->nodes));
}

/* Rounded up, since it is printed. */
double trial_tolerance(const struct trial *trial, const struct node *node)
{
    const bool bytes = parameters_method(&trial->counts) == TOPDOWN_PERF_METRICS;
    const double rounding = node->level > 1 ? 2 * BYTES_TOLERANCE : BYTES_TOLERANCE;
    const char *reason;
    double cycles, edge;

    if (!results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) ||
        cycles < TRIAL_CYCLES_MIN)
        return NO_CYCLES_TOLERANCE;
    edge = TRIAL_EDGE_CYCLES / cycles + (bytes ? rounding : 0);
    return (double)((uint64_t)(edge * 1000) + 1) / 1000;
}
