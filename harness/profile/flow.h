/* Frequencies of all edges and blocks of a graph from the counts of some of its edges: the flow,
 * conserved at every block and nowhere negative, whose observed edges differ least from their
 * counts (least squares, each weighted by the variance of its count, which for a count is its
 * expectation). Pure.
 *
 * The Lagrange multipliers of the conservation are the potentials of a network of conductors, so
 * the whole graph is one Laplacian system. Blocks that unobserved edges join are one node in it;
 * flows through the unobserved edges follow from a second network, which takes the smallest ones
 * where the counts leave a choice. */
#ifndef HARNESS_PROFILE_FLOW_H
#define HARNESS_PROFILE_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel_map.h"
#include "laplacian.h"

struct flow {
    const char *reason; /* null: solved; else why it is not, and no number below holds */
    double *edges;      /* [edges] of the map, in the unit of the counts */
    double *blocks;     /* [blocks]: sum of the edges that enter */
    bool *edge_known;   /* false: the counts do not determine it; the smallest flow was taken */
    bool *block_known;
    uint32_t unknowns; /* independent circles of the graph */
    uint32_t rank;    /* of these, how many the counts determine; below unknowns: underdetermined */
    uint32_t surplus; /* counts beyond the rank; above 0: overdetermined */
    uint32_t bound;   /* edges that would be negative, or rest on nothing, and were held at 0 */
    double
        residual; /* sum of (flow - count)^2 / variance; about `surplus` for independent counts */

    /* for flow_again */
    const struct kernel_map *map;
    bool *observed, *held;
    double *fitted, *variance; /* [edges] */
    double *potentials;        /* [blocks + 1] */
    struct laplacian counted, free;
};

/* How many words flow_make takes, for the results and for its own work. */
uint64_t flow_words(const struct kernel_map *map);
/* observed[e]: counts[e], at least 0, is a measurement of edge e. Edges of the kind
 * MAP_FALL_THROUGH are never observed, whatever it says. False: too few words. */
bool flow_make(struct flow *flow, const struct kernel_map *map, const bool *observed,
               const double *counts, struct words *words);
/* The blocks' frequencies for other counts of the same edges, with the variances and the edges held
 * at 0 as they are; a frequency may come out a little negative. Only after a flow_make without a
 * reason; changes no result of it. */
void flow_again(struct flow *flow, const double *counts, double *blocks);

#endif
