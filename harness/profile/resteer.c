#include "resteer.h"

#include "boot/text.h"

/* The branch at the end of the edge's first block, or of the kernel's caller. */
static const struct map_edge *edge_at(const struct resteer *resteer, uint32_t edge)
{
    return &resteer->branches->index->map->edges[edge];
}

static double records_of(const struct branches *branches, uint32_t edge)
{
    const uint64_t width = branches->index->map->edge_count;
    uint64_t sum = 0;

    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        sum += branches->edges[g * width + edge];
    return (double)sum;
}

/* How likely either way of the block's conditional branch is; 0 where the block ends in none. */
static double either_way(const struct resteer *resteer, uint32_t fall_through)
{
    const struct code_index *index = resteer->branches->index;
    const struct flow *flow = resteer->flow;
    const uint32_t block = edge_at(resteer, fall_through)->from;

    if (block == MAP_OUTSIDE || !(flow->blocks[block] > 0))
        return 0;
    for (uint32_t e = index->edges_of[block]; e < index->edges_of[block + 1]; e++)
        if (edge_at(resteer, e)->kind == MAP_CONDITIONAL)
            return flow->edges[fall_through] * flow->edges[e] / flow->blocks[block];
    return 0;
}

static bool is_taken(const struct resteer *resteer, uint32_t edge)
{
    return edge_at(resteer, edge)->kind != MAP_FALL_THROUGH;
}

void resteer_rates(const struct resteer *resteer, double mispredicts)
{
    const struct branches *branches = resteer->branches;
    const uint32_t count = branches->index->map->edge_count;
    double left = mispredicts, weights = 0;

    for (uint32_t e = 0; e < count; e++) {
        const double records = is_taken(resteer, e) ? records_of(branches, e) : 0;

        resteer->rates[e] =
            records > 0 ? resteer->flow->edges[e] * branches->mispredicts[e] / records : 0;
        left -= resteer->rates[e];
        if (!is_taken(resteer, e))
            weights += either_way(resteer, e);
    }
    for (uint32_t e = 0; e < count && left > 0 && weights > 0; e++) {
        const double most = resteer->flow->edges[e];
        double *rate = &resteer->rates[e];

        if (is_taken(resteer, e))
            continue;
        *rate = left * either_way(resteer, e) / weights;
        if (*rate > most)
            *rate = most > 0 ? most : 0;
    }
}

double resteer_take(const struct resteer *resteer, double each, double part, double *cycles)
{
    const struct kernel_map *map = resteer->branches->index->map;
    double sum = 0;

    memset(resteer->given, 0, map->instruction_count * sizeof(double));
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const struct map_edge *edge = &map->edges[e];
        double taken = resteer->rates[e] * part * each, *first;

        if (!(taken > 0) || edge->from == MAP_OUTSIDE || edge->to == MAP_OUTSIDE)
            continue;
        first = &cycles[map->blocks[edge->to].first];
        if (taken > *first)
            taken = *first > 0 ? *first : 0;
        *first -= taken;
        resteer->given[code_last_instruction(map, edge->from)] += taken;
        sum += taken;
    }
    return sum;
}

void resteer_give(const struct resteer *resteer, double *cycles)
{
    for (uint32_t i = 0; i < resteer->branches->index->map->instruction_count; i++)
        cycles[i] += resteer->given[i];
}
