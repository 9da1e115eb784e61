#include "flow.h"

#include "boot/text.h"

#define REWEIGHTS 3 /* a variance is the fitted count, so each fit asks for another */

static uint32_t node_of(const struct flow *flow, uint32_t block)
{
    return block == MAP_OUTSIDE ? flow->map->block_count : block;
}

/* --- what the counts can tell --- */

static uint32_t find(uint32_t *part, uint32_t node)
{
    while (part[node] != node)
        node = part[node] = part[part[node]];
    return node;
}

/* Joins what unobserved edges join, except edge `edge` and the inside of block `block`, in the
 * graph whose blocks have an entry (node b) and an exit (node nodes + b); outside is one node.
 * Returns whether `a` and `b` are joined. */
static bool joined(const struct flow *flow, uint32_t *part, uint32_t edge, uint32_t block,
                   uint32_t a, uint32_t b)
{
    const struct kernel_map *map = flow->map;
    const uint32_t outside = map->block_count;

    for (uint32_t n = 0; n <= 2 * map->block_count; n++)
        part[n] = n;
    for (uint32_t n = 0; n < map->block_count; n++)
        if (n != block)
            part[find(part, n)] = find(part, outside + 1 + n);
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const struct map_edge *next = &map->edges[e];
        const uint32_t exit = next->from == MAP_OUTSIDE ? outside : outside + 1 + next->from;

        if (e != edge && !flow->observed[e])
            part[find(part, exit)] = find(part, node_of(flow, next->to));
    }
    return find(part, a) == find(part, b);
}

/* An unobserved flow is known if no circle of unobserved edges leads through it. */
static void say_what_is_known(struct flow *flow, uint32_t *part)
{
    const struct kernel_map *map = flow->map;
    const uint32_t outside = map->block_count;

    memset(flow->edge_known, true, map->edge_count);
    memset(flow->block_known, true, map->block_count);
    if (flow->rank == flow->unknowns)
        return;
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const struct map_edge *edge = &map->edges[e];
        const uint32_t exit = edge->from == MAP_OUTSIDE ? outside : outside + 1 + edge->from;

        flow->edge_known[e] =
            flow->observed[e] || !joined(flow, part, e, UINT32_MAX, exit, node_of(flow, edge->to));
    }
    for (uint32_t b = 0; b < map->block_count; b++)
        flow->block_known[b] = !joined(flow, part, UINT32_MAX, b, b, outside + 1 + b);
}

/* Independent circles of the graph, or of its unobserved edges: edges - nodes + parts. */
static uint32_t circles(struct flow *flow, bool only_unobserved)
{
    const struct kernel_map *map = flow->map;
    uint32_t circle = 0;

    laplacian_clear(&flow->free);
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const uint32_t from = node_of(flow, map->edges[e].from);
        const uint32_t to = node_of(flow, map->edges[e].to);

        if (only_unobserved && flow->observed[e])
            continue;
        if (laplacian_root(&flow->free, from) == laplacian_root(&flow->free, to))
            circle++;
        else
            laplacian_connect(&flow->free, from, to, 1);
    }
    return circle;
}

static void count_ranks(struct flow *flow)
{
    uint32_t observed = 0;

    for (uint32_t e = 0; e < flow->map->edge_count; e++)
        observed += flow->observed[e];
    flow->unknowns = circles(flow, false);
    flow->rank = flow->unknowns - circles(flow, true);
    flow->surplus = observed - flow->rank;
}

/* --- one fit, with the variances and the held edges that there are --- */

static bool factor(struct flow *flow)
{
    const struct kernel_map *map = flow->map;

    laplacian_clear(&flow->free);
    laplacian_clear(&flow->counted);
    for (uint32_t e = 0; e < map->edge_count; e++)
        if (!flow->observed[e] && !flow->held[e])
            laplacian_connect(&flow->free, node_of(flow, map->edges[e].from),
                              node_of(flow, map->edges[e].to), 1);
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const uint32_t from = laplacian_root(&flow->free, node_of(flow, map->edges[e].from));
        const uint32_t to = laplacian_root(&flow->free, node_of(flow, map->edges[e].to));

        if (flow->observed[e] && !flow->held[e])
            laplacian_connect(&flow->counted, from, to, flow->variance[e]);
    }
    return laplacian_factor(&flow->free) && laplacian_factor(&flow->counted);
}

/* By how much the potential rises along the edge, in the network of the counted edges. */
static double rise(const struct flow *flow, uint32_t e)
{
    const struct map_edge *edge = &flow->map->edges[e];

    return flow->potentials[laplacian_root(&flow->free, node_of(flow, edge->to))] -
           flow->potentials[laplacian_root(&flow->free, node_of(flow, edge->from))];
}

/* What the observed edges bring into each node, or into each group of nodes that unobserved edges
 * join, beyond what they take out of it. */
static void sum_up(struct flow *flow, const double *edges, bool join)
{
    const struct kernel_map *map = flow->map;

    for (uint32_t n = 0; n <= map->block_count; n++)
        flow->potentials[n] = 0;
    for (uint32_t e = 0; e < map->edge_count; e++) {
        uint32_t from = node_of(flow, map->edges[e].from), to = node_of(flow, map->edges[e].to);

        if (!flow->observed[e] || flow->held[e])
            continue;
        if (join) {
            from = laplacian_root(&flow->free, from);
            to = laplacian_root(&flow->free, to);
        }
        flow->potentials[from] -= edges[e];
        flow->potentials[to] += edges[e];
    }
}

static void fit_observed(struct flow *flow, const double *counts)
{
    sum_up(flow, counts, true);
    laplacian_solve(&flow->counted, flow->potentials);
    for (uint32_t e = 0; e < flow->map->edge_count; e++)
        if (flow->held[e])
            flow->fitted[e] = 0;
        else if (flow->observed[e])
            flow->fitted[e] = counts[e] - flow->variance[e] * rise(flow, e);
}

static void fit_unobserved(struct flow *flow)
{
    const struct kernel_map *map = flow->map;

    sum_up(flow, flow->fitted, false);
    laplacian_solve(&flow->free, flow->potentials);
    for (uint32_t e = 0; e < map->edge_count; e++)
        if (!flow->observed[e] && !flow->held[e])
            flow->fitted[e] = flow->potentials[node_of(flow, map->edges[e].from)] -
                              flow->potentials[node_of(flow, map->edges[e].to)];
}

static void sum_blocks(const struct kernel_map *map, const double *edges, double *blocks)
{
    for (uint32_t b = 0; b < map->block_count; b++)
        blocks[b] = 0;
    for (uint32_t e = 0; e < map->edge_count; e++)
        if (map->edges[e].to != MAP_OUTSIDE)
            blocks[map->edges[e].to] += edges[e];
}

/* --- no flow is negative --- */

/* The held edge that would rather carry something: the sum of squares falls when it does. */
static uint32_t held_in_vain(struct flow *flow, const double *counts)
{
    const struct kernel_map *map = flow->map;
    uint32_t most = UINT32_MAX;
    double steepest = -1e-9;

    for (uint32_t e = 0; e < map->edge_count; e++) {
        double slope;

        if (!flow->held[e])
            continue;
        slope = rise(flow, e);
        if (flow->observed[e])
            slope -= counts[e] / flow->variance[e];
        if (slope < steepest) {
            steepest = slope;
            most = e;
        }
    }
    return most;
}

static uint32_t most_negative(const struct flow *flow, double tolerance)
{
    uint32_t most = UINT32_MAX;

    for (uint32_t e = 0; e < flow->map->edge_count; e++)
        if (flow->fitted[e] < -tolerance &&
            (most == UINT32_MAX || flow->fitted[e] < flow->fitted[most]))
            most = e;
    return most;
}

/* Holds and frees one edge at a time until no flow is negative and no held edge pulls. An edge that
 * was freed once and is negative again stays held, so it ends. */
static const char *fit(struct flow *flow, const double *counts, uint32_t *freed, double tolerance)
{
    const uint32_t steps = 4 * flow->map->edge_count + 4;

    for (uint32_t step = 0; step < steps; step++) {
        uint32_t vain, negative;

        if (!factor(flow))
            return "the counts differ too much for the arithmetic";
        fit_observed(flow, counts);
        vain = held_in_vain(flow, counts); /* before the potentials are used again */
        fit_unobserved(flow);
        negative = most_negative(flow, tolerance);
        if (negative != UINT32_MAX) {
            flow->held[negative] = true;
        } else if (vain != UINT32_MAX && !freed[vain]) {
            flow->held[vain] = false;
            freed[vain] = 1;
        } else {
            return 0;
        }
    }
    return "the edges that are 0 could not be told";
}

/* --- the whole --- */

static void reweight(struct flow *flow, const double *fitted)
{
    for (uint32_t e = 0; e < flow->map->edge_count; e++)
        flow->variance[e] = fitted[e] > 1 ? fitted[e] : 1;
}

static void sum_residual(struct flow *flow, const double *counts)
{
    for (uint32_t e = 0; e < flow->map->edge_count; e++) {
        const double off = flow->fitted[e] - counts[e];

        if (flow->observed[e])
            flow->residual += off * off / flow->variance[e];
        flow->bound += flow->held[e];
        flow->edges[e] = flow->fitted[e] > 0 ? flow->fitted[e] : 0;
    }
}

static uint64_t bools(uint64_t count)
{
    return (count * sizeof(bool) + 7) / 8;
}

uint64_t flow_words(const struct kernel_map *map)
{
    const uint64_t blocks = map->block_count, edges = map->edge_count;

    return 3 * edges + blocks + (blocks + 1) + 3 * bools(edges) + bools(blocks) +
           words_of_halves(edges > 2 * blocks + 1 ? edges : 2 * blocks + 1) +
           2 * laplacian_words(map->block_count + 1);
}

/* The work that flow_make needs beside the results: a number for each edge, or node of the graph
 * whose blocks are split. Null: too few words. */
static uint32_t *take(struct flow *flow, struct words *words)
{
    const uint64_t blocks = flow->map->block_count, edges = flow->map->edge_count;

    if (words->left < flow_words(flow->map))
        return 0;
    flow->edges = (double *)words_take(words, edges);
    flow->fitted = (double *)words_take(words, edges);
    flow->variance = (double *)words_take(words, edges);
    flow->blocks = (double *)words_take(words, blocks);
    flow->potentials = (double *)words_take(words, blocks + 1);
    flow->edge_known = (bool *)words_take(words, bools(edges));
    flow->observed = (bool *)words_take(words, bools(edges));
    flow->held = (bool *)words_take(words, bools(edges));
    flow->block_known = (bool *)words_take(words, bools(blocks));
    laplacian_make(&flow->counted, flow->map->block_count + 1, words);
    laplacian_make(&flow->free, flow->map->block_count + 1, words);
    return (uint32_t *)words_take(words,
                                  words_of_halves(edges > 2 * blocks + 1 ? edges : 2 * blocks + 1));
}

bool flow_make(struct flow *flow, const struct kernel_map *map, const bool *observed,
               const double *counts, struct words *words)
{
    uint32_t *work;
    double sum = 0;

    *flow = (struct flow){.map = map};
    work = take(flow, words);
    if (!work)
        return false;
    for (uint32_t e = 0; e < map->edge_count; e++) {
        flow->observed[e] = observed[e] && map->edges[e].kind != MAP_FALL_THROUGH;
        sum += flow->observed[e] ? counts[e] : 0;
    }
    count_ranks(flow);
    say_what_is_known(flow, work);
    if (!(sum > 0))
        flow->reason = "no taken branch was recorded";
    reweight(flow, counts);
    for (unsigned again = 0; again < REWEIGHTS && !flow->reason; again++) {
        if (again)
            reweight(flow, flow->fitted);
        memset(work, 0, map->edge_count * sizeof(uint32_t));
        flow->reason = fit(flow, counts, work, sum * 1e-12);
    }
    if (!flow->reason) {
        sum_residual(flow, counts);
        sum_blocks(flow->map, flow->edges, flow->blocks);
    }
    return true;
}

void flow_again(struct flow *flow, const double *counts, double *blocks)
{
    fit_observed(flow, counts);
    fit_unobserved(flow);
    sum_blocks(flow->map, flow->fitted, blocks);
}
