#include "distances.h"

#include "boot/text.h"

/* Whether the edge leads back, or a block to itself. */
static bool leads_back(const struct map_edge *edge)
{
    return edge->from != MAP_OUTSIDE && edge->to != MAP_OUTSIDE && edge->to <= edge->from;
}

/* In a loop whose blocks follow each other every edge but the one back goes to the next block. */
static bool is_straight(const struct kernel_map *map, const struct map_edge *back)
{
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const struct map_edge *edge = &map->edges[e];

        if (edge != back && edge->from >= back->to && edge->from < back->from &&
            edge->to != edge->from + 1)
            return false;
    }
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
    if (*back == NULL)
        return "its kernel has no loop";
    return is_straight(map, *back) ? NULL : "the loop of its kernel has several ways";
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
    loop->count = last - loop->first + 1;
    if (loop->count > SKID_LOOP_MAX)
        return "the loop of its kernel is too long";
    for (loop->cause = loop->first; loop->cause <= last; loop->cause++)
        if (map->instructions[loop->cause].offset == cause)
            return NULL;
    return "its kernel's cause is not in the loop";
}

void skid_distances_begin(struct skid_distances *distances, const struct skid_loop *loop)
{
    memset(distances, 0, sizeof(*distances));
    distances->loop = *loop;
}

void skid_distances_add(struct skid_distances *distances, uint32_t instruction, uint64_t count)
{
    const struct skid_loop *loop = &distances->loop;

    if (instruction < loop->first || instruction - loop->first >= loop->count) {
        distances->outside += count;
        return;
    }
    distances->at[(instruction + loop->count - loop->cause) % loop->count] += count;
    distances->samples += count;
}

void skid_distances_address(struct skid_distances *distances, const struct code_index *index,
                            uint64_t address)
{
    const uint32_t instruction = code_instruction(index, address);

    if (!code_holds(index, address))
        distances->outside++;
    else if (instruction == CODE_NOWHERE)
        distances->broken++;
    else
        skid_distances_add(distances, instruction, 1);
}

struct skid_figures skid_figures_of(const struct skid_distances *distances)
{
    struct skid_figures figures = {.known = distances->samples > 0};
    uint64_t seen = 0;
    double sum = 0;

    for (uint32_t d = 0; d < distances->loop.count; d++) {
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

uint64_t skid_beyond_half(const struct skid_distances *distances)
{
    uint64_t count = 0;

    for (uint32_t d = distances->loop.count / 2 + 1; d < distances->loop.count; d++)
        count += distances->at[d];
    return count;
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
