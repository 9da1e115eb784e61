/* What is judged: one kernel's results on one core, and the values of nodes under them. Pure. */
#ifndef HARNESS_JUDGE_TRIAL_H
#define HARNESS_JUDGE_TRIAL_H

#include "exactness.h"
#include "harness/plan/experiment.h"
#include "results.h"

/* Fewer cycles than this for n iterations are the noise of the window: shares of their slots mean
 * nothing. */
#define TRIAL_CYCLES_MIN 100

/* A node is evaluated once for all that need it. */
struct node_share {
    bool evaluated;
    struct formula_result result;
    struct formula_result given; /* what the formula gives, share or not */
    char why[TOPDOWN_WHY];       /* result.reason of a value that is no share */
};

struct trial {
    unsigned core;
    const struct experiment *experiment;
    const struct description *description;
    const struct results *results; /* null: nothing was counted */
    const char *blocked; /* why there are no results: the reason of every verdict's skip */
    struct counts counts;
    /* One of each for each of the description's nodes: trial_forget comes before the first use.
     * `nodes` is needed when there are results; without memos nothing that formulas share is kept.
     */
    struct node_share *nodes;
    struct node_memo *memos;
    const struct selection *asked;     /* the nodes that were to be measured; null: all */
    const struct exactness *exactness; /* what is known of the events; null: nothing */
    const char *corunner;              /* the kernel on the sibling thread: then exact counts,
                                          identities, and what both kernels say are judged */
    const struct experiment *beside;   /* of `sibling`: that kernel; null: none was asked for */
    bool both_threads;                 /* the counts are sums over the threads of the core */
    bool drilled; /* measured level by level, below nodes over their threshold */
};

/* Makes room for the next trial: forgets the values of `count` nodes. */
void trial_forget(struct node_share *nodes, struct node_memo *memos, unsigned count);
/* The value of a node of the trial's description, or the reason why it has none, such as too few
 * cycles, or a formula that gives what is no share: less than 0 or more than 1, by more than
 * trial_tolerance and by more than 0.01. trial->results must not be null. */
const struct formula_result *trial_node(const struct trial *trial, const struct node *node);
/* Makes share->result, the value that may be shown, of share->given, what the formula gives. */
void trial_settle(const struct trial *trial, const struct node *node, struct node_share *share);
/* The same, but what the formula gives is the value, share or not. */
const struct formula_result *trial_given(const struct trial *trial, const struct node *node);
/* Whether the node has no value because its formula gives what is no share. */
bool trial_is_no_share(const struct trial *trial, const struct node *node);
/* By how much what the node's formula gives may be off, because of the windows' edges and because
 * of its counts: the spread of their repeats, and what each counts wrong. trial->results must not
 * be null. */
double trial_error(const struct trial *trial, const struct node *node);
/* Whether n iterations take fewer than TRIAL_CYCLES_MIN cycles. trial->results must not be null. */
bool trial_too_short(const struct trial *trial);
/* Whether the description's tree ends above the level from which on the kernel's claims about nodes
 * hold (KERNEL's LEVEL): what the kernel isolates need not exist on such a CPU. */
bool trial_needs_deeper_tree(const struct trial *trial);
/* Whether the node was to be measured. */
bool trial_asks(const struct trial *trial, const struct node *node);
/* By how many cycles the edges of the windows of n and 2n may differ: by up to eight because of the
 * five instructions of each. The branch that ends the kernel's loop may be mispredicted in one of
 * the two windows only. Where it is by chance, it is so in half of the repeats, and the median may
 * be one of them. That adds 15 to 31 cycles, and what is in flight is not overlapped with what
 * follows: up to the re-order buffer, which is 512 entries at six a cycle on Golden Cove. */
#define TRIAL_EDGE_CYCLES 120
/* By how much two shares of the node may differ because of the windows' edges and the rounding of
 * PERF_METRICS; in steps of 0.001. trial->results must not be null. */
double trial_tolerance(const struct trial *trial, const struct node *node);

#endif
