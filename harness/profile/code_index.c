#include "code_index.h"

/* --- is it a map --- */

static const char *block_wrong(const struct kernel_map *map, uint32_t b)
{
    const struct map_block *block = &map->blocks[b];
    uint32_t bytes = 0;

    if (!block->instructions || block->first > map->instruction_count ||
        block->instructions > map->instruction_count - block->first)
        return "a block has no instructions";
    if (block->bytes > map->bytes || block->offset > map->bytes - block->bytes)
        return "a block lies outside of the code";
    if (block->first != (b ? map->blocks[b - 1].first + map->blocks[b - 1].instructions : 0))
        return "a block does not begin with the instruction after the block before it";
    if (b && block->offset < map->blocks[b - 1].offset + map->blocks[b - 1].bytes)
        return "the blocks are not in the order of their offsets";
    if (block->function >= map->function_count)
        return "a block is in no function";
    for (uint32_t i = 0; i < block->instructions; i++) {
        if (map->lengths[block->first + i] == 0)
            return "an instruction has no bytes";
        bytes += map->lengths[block->first + i];
    }
    return bytes == block->bytes ? 0 : "the instructions of a block do not fill it";
}

static const char *blocks_wrong(const struct kernel_map *map)
{
    const char *wrong = 0;
    uint32_t instructions = 0;

    for (uint32_t b = 0; b < map->block_count && !wrong; b++) {
        wrong = block_wrong(map, b);
        instructions += map->blocks[b].instructions;
    }
    return wrong || instructions == map->instruction_count ? wrong
                                                           : "an instruction is in no block";
}

static const char *functions_wrong(const struct kernel_map *map)
{
    uint32_t next = 0;

    for (uint32_t f = 0; f < map->function_count; f++) {
        const struct map_function *function = &map->functions[f];

        if (function->first != next || function->blocks > map->block_count - next)
            return "a function's blocks do not lie side by side";
        for (uint32_t b = 0; b < function->blocks; b++)
            if (map->blocks[next + b].function != f)
                return "a block is in another function than the map says";
        next += function->blocks;
    }
    return next == map->block_count ? 0 : "a block is in no function";
}

static const char *edges_wrong(const struct kernel_map *map)
{
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const struct map_edge *edge = &map->edges[e], *before = e ? edge - 1 : 0;

        if ((edge->from >= map->block_count && edge->from != MAP_OUTSIDE) ||
            (edge->to >= map->block_count && edge->to != MAP_OUTSIDE))
            return "an edge leads to no block";
        if (before &&
            (before->from > edge->from || (before->from == edge->from && before->to > edge->to)))
            return "the edges are not in the order of their blocks";
        if (edge->kind > MAP_RETURN)
            return "an edge has no kind";
        if (edge->kind == MAP_FALL_THROUGH &&
            (edge->from == MAP_OUTSIDE || edge->to != edge->from + 1 ||
             map->blocks[edge->to].offset !=
                 map->blocks[edge->from].offset + map->blocks[edge->from].bytes))
            return "a block falls through to one that does not follow it";
    }
    return 0;
}

static const char *map_wrong(const struct kernel_map *map)
{
    const char *wrong = blocks_wrong(map);

    if (!wrong)
        wrong = functions_wrong(map);
    return wrong ? wrong : edges_wrong(map);
}

/* --- the index --- */

static uint32_t node_of(const struct kernel_map *map, uint32_t block)
{
    return block == MAP_OUTSIDE ? map->block_count : block;
}

static void index_instructions(struct code_index *index)
{
    const struct kernel_map *map = index->map;

    for (uint32_t byte = 0; byte < map->bytes; byte++)
        index->starting[byte] = CODE_NOWHERE;
    for (uint32_t b = 0; b < map->block_count; b++) {
        const struct map_block *block = &map->blocks[b];
        uint32_t offset = block->offset;

        for (uint32_t i = 0; i < block->instructions; i++) {
            index->starting[offset] = block->first + i;
            offset += map->lengths[block->first + i];
        }
    }
}

static void index_edges(struct code_index *index)
{
    const struct kernel_map *map = index->map;
    uint32_t edge = 0;

    for (uint32_t b = 0; b < map->block_count; b++)
        index->last_reached[b] = b;
    for (uint32_t b = 0; b <= map->block_count + 1; b++) {
        index->edges_of[b] = edge;
        while (edge < map->edge_count && node_of(map, map->edges[edge].from) == b)
            edge++;
    }
    for (uint32_t e = map->edge_count; e-- > 0;)
        if (map->edges[e].kind == MAP_FALL_THROUGH)
            index->last_reached[map->edges[e].from] = index->last_reached[map->edges[e].to];
}

uint64_t code_index_words(const struct kernel_map *map)
{
    return words_of_halves(map->bytes) + words_of_halves(map->block_count) +
           words_of_halves((uint64_t)map->block_count + 2);
}

const char *code_index_make(struct code_index *index, const struct kernel_map *map, uint64_t code,
                            struct words *words)
{
    const char *wrong = map_wrong(map);

    if (wrong)
        return wrong;
    if (words->left < code_index_words(map))
        return "there is no memory for the kernel's map";
    index->map = map;
    index->code = code;
    index->starting = (uint32_t *)words_take(words, words_of_halves(map->bytes));
    index->last_reached = (uint32_t *)words_take(words, words_of_halves(map->block_count));
    index->edges_of =
        (uint32_t *)words_take(words, words_of_halves((uint64_t)map->block_count + 2));
    index_instructions(index);
    index_edges(index);
    return 0;
}

/* --- questions --- */

bool code_holds(const struct code_index *index, uint64_t address)
{
    return address - index->code < index->map->bytes;
}

uint32_t code_instruction(const struct code_index *index, uint64_t address)
{
    return code_holds(index, address) ? index->starting[address - index->code] : CODE_NOWHERE;
}

uint32_t code_last_instruction(const struct kernel_map *map, uint32_t block)
{
    return map->blocks[block].first + map->blocks[block].instructions - 1;
}

uint32_t code_block_from(const struct code_index *index, uint64_t address)
{
    const uint32_t instruction = code_instruction(index, address);
    uint32_t block;

    if (instruction == CODE_NOWHERE)
        return CODE_NOWHERE;
    block = map_instruction_at(index->map, instruction).block;
    return index->map->blocks[block].first == instruction ? block : CODE_NOWHERE;
}

uint32_t code_block_ending(const struct code_index *index, uint64_t address)
{
    const uint32_t instruction = code_instruction(index, address);
    uint32_t block;

    if (instruction == CODE_NOWHERE)
        return CODE_NOWHERE;
    block = map_instruction_at(index->map, instruction).block;
    return code_last_instruction(index->map, block) == instruction ? block : CODE_NOWHERE;
}

uint32_t code_taken_edge(const struct code_index *index, uint32_t from, uint32_t to)
{
    const struct kernel_map *map = index->map;
    const uint32_t node = node_of(map, from);

    for (uint32_t e = index->edges_of[node]; e < index->edges_of[node + 1]; e++)
        if (map->edges[e].to == to && map->edges[e].kind != MAP_FALL_THROUGH)
            return e;
    return CODE_NOWHERE;
}

uint32_t code_fall_through(const struct code_index *index, uint32_t block)
{
    const struct map_edge *edges = index->map->edges;

    if (block)
        for (uint32_t e = index->edges_of[block - 1]; e < index->edges_of[block]; e++)
            if (edges[e].to == block && edges[e].kind == MAP_FALL_THROUGH)
                return e;
    return CODE_NOWHERE;
}
