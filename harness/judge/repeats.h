/* How far a node's value differs from repeat to repeat. Pure. */
#ifndef HARNESS_JUDGE_REPEATS_H
#define HARNESS_JUDGE_REPEATS_H

#include "trial.h"

struct node_range {
    bool known; /* some repeat has a value */
    double lowest, highest;
    unsigned missing; /* repeats that have none, with all of `apart` where no repeat is left */
    unsigned apart;   /* repeats that are left out, since a window of them lies apart */
};

/* Room for one repeat at a time; the lists have a place for each of the description's nodes. */
struct repeats {
    struct count counts[PLAN_EVENTS];
    struct node_memo *memos;
    /* For the caller: the nodes to evaluate, and what comes of it. */
    const struct node **nodes;
    struct node_range *ranges;
};

/* Evaluates each of these nodes with the counts of each repeat alone: the difference of its window
 * of 2n and its window of n. ranges[i] is that of nodes[i]. An event that has no value for formulas
 * has none here; one that is the noise of edges counts 0. A repeat of which a window lies apart for
 * an event of the node (outliers.h) is left out. */
void repeats_ranges(struct repeats *room, const struct trial *trial, const struct measurement *m,
                    const struct node *const *nodes, unsigned count, struct node_range *ranges);

#endif
