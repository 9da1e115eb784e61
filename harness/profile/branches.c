#include "branches.h"

uint64_t branches_words(const struct kernel_map *map)
{
    const uint64_t blocks = (uint64_t)PROFILE_GROUPS * map->block_count;

    return words_of_halves((uint64_t)PROFILE_GROUPS * map->edge_count) +
           2 * words_of_halves(blocks) + blocks + words_of_halves(map->block_count) +
           words_of_halves(map->edge_count);
}

bool branches_make(struct branches *branches, const struct code_index *index, unsigned keep,
                   uint64_t planned, struct words *words)
{
    const struct kernel_map *map = index->map;
    const uint64_t blocks = (uint64_t)PROFILE_GROUPS * map->block_count;

    *branches = (struct branches){.index = index, .keep = keep, .kinds = UINT32_MAX};
    groups_make(&branches->groups, planned);
    if (words->left < branches_words(map) || keep < 2 || keep > LBR_DEPTH)
        return false;
    branches->edges =
        (uint32_t *)words_take(words, words_of_halves((uint64_t)PROFILE_GROUPS * map->edge_count));
    branches->blocks = (uint32_t *)words_take(words, words_of_halves(blocks));
    branches->timed = (uint32_t *)words_take(words, words_of_halves(blocks));
    branches->cycles = words_take(words, blocks);
    branches->shared = (uint32_t *)words_take(words, words_of_halves(map->block_count));
    branches->mispredicts = (uint32_t *)words_take(words, words_of_halves(map->edge_count));
    return true;
}

/* The record's edge; CODE_NOWHERE: the map has none. */
static uint32_t edge_of(const struct code_index *index, const struct lbr_entry *record)
{
    uint32_t from = MAP_OUTSIDE, to = MAP_OUTSIDE;

    if (code_holds(index, record->from)) {
        from = code_block_ending(index, record->from);
        if (from == CODE_NOWHERE)
            return CODE_NOWHERE;
    }
    if (code_holds(index, record->to)) {
        to = code_block_from(index, record->to);
        if (to == CODE_NOWHERE)
            return CODE_NOWHERE;
    }
    return code_taken_edge(index, from, to);
}

static void add_record(struct branches *branches, unsigned group, const struct lbr_entry *record)
{
    const struct code_index *index = branches->index;
    uint32_t edge;

    if (!code_holds(index, record->from) && !code_holds(index, record->to)) {
        branches->outside++;
        return;
    }
    edge = edge_of(index, record);
    if (edge == CODE_NOWHERE) {
        branches->broken++;
        return;
    }
    branches->edges[(uint64_t)group * index->map->edge_count + edge]++;
    branches->mispredicts[edge] += record->mispredicted;
    branches->told += record->mispredict_valid;
    branches->records++;
}

/* The cycles between two records belong to all instructions in between alike: nothing says how they
 * are spread over several blocks. */
static void add_cycles(struct branches *branches, unsigned group, uint32_t first, uint32_t last,
                       uint16_t cycles)
{
    const struct kernel_map *map = branches->index->map;
    const uint64_t row = (uint64_t)group * map->block_count;
    uint64_t instructions = 0;

    for (uint32_t b = first; b <= last; b++)
        instructions += map->blocks[b].instructions;
    for (uint32_t b = first; b <= last; b++) {
        branches->timed[row + b]++;
        branches->shared[b] += first != last;
        branches->cycles[row + b] +=
            (uint64_t)cycles * BRANCHES_CYCLE * map->blocks[b].instructions / instructions;
    }
}

/* What ran between the branch `older` and the branch `newer`, the next one that was taken. */
static void add_interval(struct branches *branches, unsigned group, const struct lbr_entry *newer,
                         const struct lbr_entry *older)
{
    const struct code_index *index = branches->index;
    const uint32_t first = code_block_from(index, older->to);
    const uint32_t last = code_block_ending(index, newer->from);

    if (!code_holds(index, older->to) && !code_holds(index, newer->from))
        return;
    if (first == CODE_NOWHERE || last == CODE_NOWHERE || last < first ||
        last > index->last_reached[first]) {
        branches->broken_intervals++;
        return;
    }
    for (uint32_t b = first; b <= last; b++)
        branches->blocks[(uint64_t)group * index->map->block_count + b]++;
    if (newer->cycles_valid)
        add_cycles(branches, group, first, last, newer->cycles);
    branches->intervals++;
}

void branches_add(struct branches *branches, const struct lbr_stack *stack, unsigned newer)
{
    const unsigned group = groups_next(&branches->groups);
    const struct lbr_entry *record;

    if (stack->count > LBR_DEPTH || newer > stack->count || stack->count - newer < branches->keep) {
        branches->short_stacks++;
        return;
    }
    if ((branches->stacks + 1) * branches->keep > UINT32_MAX) {
        branches->full++;
        return;
    }
    record = stack->entries + newer;
    for (unsigned i = 0; i < branches->keep; i++) {
        add_record(branches, group, &record[i]);
        if (i + 1 < branches->keep && branches->kinds == UINT32_MAX)
            add_interval(branches, group, &record[i], &record[i + 1]);
    }
    branches->groups.used[group]++;
    branches->stacks++;
}
