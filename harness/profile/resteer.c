#include "resteer.h"

#include "boot/text.h"
#include "square_root.h"

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

/* Of a count, so much may be wrong without anything being said: windows differ. And of the flags'
 * sum so many standard deviations, by how few they are. */
#define COUNT_SHARE 0.1
#define DEVIATIONS  4.0

/* The rates of ways that are taken: by the flags. Returns their sum, and in *flags how many records
 * it rests on. */
static double rates_of_flags(const struct resteer *resteer, double *flags)
{
    const struct branches *branches = resteer->branches;
    double sum = 0;

    *flags = 0;
    for (uint32_t e = 0; e < branches->index->map->edge_count; e++) {
        const double records = is_taken(resteer, e) ? records_of(branches, e) : 0;

        resteer->rates[e] =
            records > 0 ? resteer->flow->edges[e] * branches->mispredicts[e] / records : 0;
        *flags += records > 0 ? branches->mispredicts[e] : 0;
        sum += resteer->rates[e];
    }
    return sum;
}

/* Of a way that is not taken, by how much its rate may rise: a misprediction is an execution, and
 * has its cycles behind it. */
static double room_of(const struct resteer *resteer, uint32_t e, const struct behind *behind)
{
    const uint32_t to = edge_at(resteer, e)->to;
    double most = resteer->flow->edges[e];

    if (is_taken(resteer, e))
        return 0;
    if (behind && behind->each > 0 && to != MAP_OUTSIDE) {
        const uint32_t first = resteer->branches->index->map->blocks[to].first;
        const double has = behind->cycles[first] / behind->each - resteer->wanted[first];

        most = has < most ? has : most;
    }
    return most > resteer->rates[e] ? most - resteer->rates[e] : 0;
}

/* Each round fills a way, or is the last one. What more of them would bring is little (a guess). */
#define ROUNDS 8

/* Shares `left` out to the ways that are not taken; what has no room in a way goes to others.
 * Returns what has no room at all. */
static double fill(const struct resteer *resteer, double left, const struct behind *behind)
{
    const uint32_t count = resteer->branches->index->map->edge_count;

    for (unsigned round = 0; round < ROUNDS; round++) {
        const double all = left;
        double weights = 0;

        for (uint32_t e = 0; e < count; e++)
            weights += room_of(resteer, e, behind) > 0 ? either_way(resteer, e) : 0;
        for (uint32_t e = 0; e < count && weights > 0; e++) {
            const double room = room_of(resteer, e, behind);
            const double share = all * either_way(resteer, e) / weights;
            const double more = share < room ? share : room;

            resteer->rates[e] += more;
            left -= more;
        }
    }
    return left;
}

/* The rates of ways that are not taken. Returns what has no room there. */
static double rates_of_rest(const struct resteer *resteer, double left, const struct behind *behind)
{
    const struct kernel_map *map = resteer->branches->index->map;

    memset(resteer->wanted, 0, map->instruction_count * sizeof(double));
    for (uint32_t e = 0; e < map->edge_count; e++)
        if (map->edges[e].to != MAP_OUTSIDE)
            resteer->wanted[map->blocks[map->edges[e].to].first] += resteer->rates[e];
    left = fill(resteer, left, behind);
    return fill(resteer, left, 0); /* whether the cycles are there is for others to judge */
}

const char *resteer_rates(const struct resteer *resteer, double mispredicts,
                          const struct behind *behind)
{
    const char *reason = 0;
    double flags;
    const double taken = rates_of_flags(resteer, &flags);
    const double left = mispredicts - taken;
    const double chance = flags > 0 ? DEVIATIONS * taken / square_root(flags) : 0;

    if (-left > COUNT_SHARE * taken + chance)
        reason = "branch records flag more mispredictions than were counted";
    else if (left > 0 && rates_of_rest(resteer, left, behind) > COUNT_SHARE * mispredicts + chance)
        reason = "more mispredictions were counted than these branches can have";
    if (reason)
        memset(resteer->rates, 0, resteer->branches->index->map->edge_count * sizeof(double));
    return reason;
}

/* The branch of a mispredicted way and the instruction behind it; false: one is outside. */
static bool ends_of(const struct resteer *resteer, uint32_t e, uint32_t *branch, uint32_t *behind)
{
    const struct map_edge *edge = edge_at(resteer, e);
    const struct kernel_map *map = resteer->branches->index->map;

    if (!(resteer->rates[e] > 0) || edge->from == MAP_OUTSIDE || edge->to == MAP_OUTSIDE)
        return false;
    *branch = code_last_instruction(map, edge->from);
    *behind = map->blocks[edge->to].first;
    return true;
}

void resteer_net(const struct resteer *resteer, double *net)
{
    uint32_t branch, behind;

    for (uint32_t e = 0; e < resteer->branches->index->map->edge_count; e++) {
        if (!ends_of(resteer, e, &branch, &behind))
            continue;
        net[branch] += resteer->rates[e];
        net[behind] -= resteer->rates[e];
    }
}

double resteer_take(const struct resteer *resteer, double each, double part, double *cycles,
                    double *missing)
{
    const struct kernel_map *map = resteer->branches->index->map;
    uint32_t branch, behind;
    double sum = 0;

    *missing = 0;
    memset(resteer->given, 0, map->instruction_count * sizeof(double));
    memset(resteer->wanted, 0, map->instruction_count * sizeof(double));
    for (uint32_t e = 0; e < map->edge_count; e++)
        if (ends_of(resteer, e, &branch, &behind))
            resteer->wanted[behind] += resteer->rates[e] * part * each;
    for (uint32_t e = 0; e < map->edge_count; e++) {
        double all, had, taken;

        if (!ends_of(resteer, e, &branch, &behind) || !(resteer->wanted[behind] > 0))
            continue;
        all = resteer->wanted[behind];
        had = cycles[behind] > 0 ? cycles[behind] : 0;
        taken = resteer->rates[e] * part * each * (had < all ? had / all : 1);
        *missing += resteer->rates[e] * part * each - taken;
        resteer->given[branch] += taken;
        sum += taken;
    }
    for (uint32_t i = 0; i < map->instruction_count; i++) {
        const double had = cycles[i] > 0 ? cycles[i] : 0;

        cycles[i] -= resteer->wanted[i] < had ? resteer->wanted[i] : had;
    }
    return sum;
}

double resteer_had(const struct resteer *resteer, const double *cycles)
{
    double sum = 0;

    for (uint32_t i = 0; i < resteer->branches->index->map->instruction_count; i++)
        if (resteer->given[i] > 0 && cycles[i] > 0)
            sum += cycles[i] < resteer->given[i] ? cycles[i] : resteer->given[i];
    return sum;
}

void resteer_give(const struct resteer *resteer, double *cycles)
{
    for (uint32_t i = 0; i < resteer->branches->index->map->instruction_count; i++)
        cycles[i] += resteer->given[i];
}
