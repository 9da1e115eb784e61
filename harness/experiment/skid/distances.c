#include "distances.h"

#include "boot/text.h"

/* Whether the edge leads back, or a block to itself. */
static bool leads_back(const struct map_edge *edge)
{
    return edge->from != MAP_OUTSIDE && edge->to != MAP_OUTSIDE && edge->to <= edge->from;
}

#define NOT_REACHED UINT16_MAX

/* The block's place on the way through the loop. */
static uint16_t *place_of(struct skid_loop *loop, const struct kernel_map *map, uint32_t block)
{
    return &loop->place[map->blocks[block].first - loop->first];
}

/* Puts the block that `edge` leads to behind the one that it comes from, if it is in the loop.
 * False: the block has another place already. */
static bool follow(struct skid_loop *loop, const struct kernel_map *map,
                   const struct map_edge *edge, const struct map_edge *back)
{
    const uint32_t after = *place_of(loop, map, edge->from) + map->blocks[edge->from].instructions;
    uint16_t *place;

    if (edge->to > back->from)
        return true;
    place = place_of(loop, map, edge->to);
    if (*place == NOT_REACHED)
        *place = (uint16_t)after;
    return *place == after;
}

/* Edges lead forward, except the one back, and are sorted by the block that they leave. */
static bool place_blocks(struct skid_loop *loop, const struct kernel_map *map,
                         const struct map_edge *back)
{
    for (uint32_t i = 0; i < loop->span; i++)
        loop->place[i] = i == 0 ? 0 : NOT_REACHED;
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const struct map_edge *edge = &map->edges[e];

        if (edge == back || edge->from < back->to || edge->from > back->from)
            continue;
        if (*place_of(loop, map, edge->from) == NOT_REACHED || !follow(loop, map, edge, back))
            return false;
    }
    for (uint32_t i = 0; i < loop->span; i++)
        if (loop->place[i] == NOT_REACHED) /* not the first of its block */
            loop->place[i] = (uint16_t)(loop->place[i - 1] + 1);
    return true;
}

/* Whether the cause is on every way. */
static bool is_alone(const struct skid_loop *loop)
{
    for (uint32_t i = 0; i < loop->span; i++)
        if (i != loop->cause - loop->first &&
            loop->place[i] == loop->place[loop->cause - loop->first])
            return false;
    return true;
}

static const char *find_back(const struct kernel_map *map, const struct map_edge **back)
{
    *back = NULL;
    for (uint32_t e = 0; e < map->edge_count; e++) {
        if (!leads_back(&map->edges[e]))
            continue;
        if (*back != NULL)
            return "its kernel has several loops";
        *back = &map->edges[e];
    }
    return *back != NULL ? NULL : "its kernel has no loop";
}

const char *skid_loop_find(struct skid_loop *loop, const struct kernel_map *map, uint64_t cause)
{
    const struct map_edge *back;
    const char *wrong = find_back(map, &back);
    uint32_t last;

    if (wrong != NULL)
        return wrong;
    loop->first = map->blocks[back->to].first;
    last = code_last_instruction(map, back->from);
    loop->span = last - loop->first + 1;
    if (loop->span > SKID_LOOP_MAX)
        return "the loop of its kernel is too long";
    if (!place_blocks(loop, map, back))
        return "the loop of its kernel has ways of different lengths";
    loop->count = loop->place[loop->span - 1] + 1u;
    for (loop->cause = loop->first; loop->cause <= last; loop->cause++)
        if (map_instruction_at(map, loop->cause).offset == cause)
            return is_alone(loop) ? NULL : "its kernel's cause is on one way of several";
    return "its kernel's cause is not in the loop";
}

void skid_distances_begin(struct skid_distances *distances, const struct skid_loop *loop)
{
    memset(distances, 0, sizeof(*distances));
    distances->loop = *loop;
}

/* How far behind the cause the instruction comes next; SKID_NO_LAP: it is not in the loop. */
static uint32_t place_behind(const struct skid_loop *loop, uint32_t instruction)
{
    if (instruction < loop->first || instruction - loop->first >= loop->span)
        return SKID_NO_LAP;
    return (loop->place[instruction - loop->first] + loop->count -
            loop->place[loop->cause - loop->first]) %
           loop->count;
}

void skid_distances_add(struct skid_distances *distances, uint32_t instruction, uint64_t count)
{
    const uint32_t place = place_behind(&distances->loop, instruction);

    if (place == SKID_NO_LAP) {
        distances->outside += count;
        return;
    }
    distances->at[place] += count;
    distances->samples += count;
}

static void add_in_lap(struct skid_distances *distances, uint32_t instruction,
                       const struct skid_laps *laps, uint64_t since)
{
    const uint32_t place = place_behind(&distances->loop, instruction);
    uint32_t distance;

    if (place == SKID_NO_LAP) {
        distances->outside++;
        return;
    }
    distance = skid_laps_distance(laps, place, since);
    if (distance >= SKID_DISTANCES) {
        distances->unplaced++;
        return;
    }
    distances->at[distance]++;
    distances->samples++;
}

void skid_distances_address(struct skid_distances *distances, const struct code_index *index,
                            uint64_t address, const struct skid_laps *laps, uint64_t since)
{
    const uint32_t instruction = code_instruction(index, address);

    if (!code_holds(index, address))
        distances->outside++;
    else if (instruction == CODE_NOWHERE)
        distances->broken++;
    else if (laps == NULL)
        skid_distances_add(distances, instruction, 1);
    else
        add_in_lap(distances, instruction, laps, since);
}

struct skid_figures skid_figures_of(const struct skid_distances *distances)
{
    struct skid_figures figures = {.known = distances->samples > 0};
    uint64_t seen = 0;
    double sum = 0;

    for (uint32_t d = 0; d < SKID_DISTANCES; d++) {
        const uint64_t count = distances->at[d];

        if (count == 0)
            continue;
        if (seen == 0)
            figures.minimum = d;
        if (seen < (distances->samples + 1) / 2)
            figures.median = d;
        figures.maximum = d;
        seen += count;
        sum += (double)d * (double)count;
    }
    figures.mean = figures.known ? sum / (double)seen : 0;
    return figures;
}

void skid_extremes(const struct skid_distances *distances, uint64_t *fewest, uint64_t *most)
{
    *fewest = *most = distances->at[0];
    for (uint32_t d = 1; d < distances->loop.count; d++) {
        if (distances->at[d] < *fewest)
            *fewest = distances->at[d];
        if (distances->at[d] > *most)
            *most = distances->at[d];
    }
}
