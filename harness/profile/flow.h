/* Frequencies of all edges and blocks of a graph from the counts of some of its edges: the flow,
 * conserved at every block and nowhere negative, whose observed edges differ least from their
 * counts (least squares, each weighted by the variance of its count). Pure. */
#ifndef HARNESS_FLOW_H
#define HARNESS_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel_map.h"
#include "words.h"

struct flow {
    const char *reason; /* null: solved; else why it is not, and nothing below but `rank` holds */
    double *edges;      /* [edges] of the map, in the unit of the counts */
    double *blocks;     /* [blocks]: sum of the edges that enter */
    bool *edge_known;   /* false: the counts do not determine it; the smallest flow was taken */
    bool *block_known;
    uint32_t unknowns; /* independent cycles of the graph */
    uint32_t rank; /* of these, how many the counts determine; below `unknowns`: underdetermined */
    uint32_t surplus; /* counts beyond the rank; above 0: overdetermined */
    double
        residual;   /* sum of (flow - count)^2 / variance; about `surplus` if the counts are fair */
    uint32_t bound; /* edges that would be negative and were held at 0 */
};

/* How many words flow_make takes, for the results and for its own work. */
uint64_t flow_words(const struct kernel_map *map);
/* `observed[e]`: counts[e] is a measurement of edge e. Edges of the kind MAP_FALL_THROUGH are never
 * observed, whatever it says. False: too few words. */
bool flow_make(struct flow *flow, const struct kernel_map *map, const bool *observed,
               const double *counts, struct words *words);

#endif
