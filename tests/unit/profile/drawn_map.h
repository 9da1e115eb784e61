/* Maps of kernels drawn by hand: blocks of instructions of 4 bytes, and edges in any order. */
#ifndef TESTS_UNIT_PROFILE_DRAWN_MAP_H
#define TESTS_UNIT_PROFILE_DRAWN_MAP_H

#include <math.h>
#include <stdlib.h>

#include "kernels/kernel_map.h"

#define DRAWN_BLOCKS       300
#define DRAWN_INSTRUCTIONS 1200
#define DRAWN_EDGES        900
#define DRAWN_FUNCTIONS    8
#define DRAWN_CODE         0x100000u /* where tests put the code */
#define OUTSIDE            MAP_OUTSIDE

/* For cmocka: two numbers differ by at most so much. */
#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

struct drawn {
    uint8_t lengths[DRAWN_INSTRUCTIONS];
    struct map_block blocks[DRAWN_BLOCKS];
    struct map_edge edges[DRAWN_EDGES];
    struct map_function functions[DRAWN_FUNCTIONS];
    struct kernel_map map;
};

static inline void draw_begin(struct drawn *drawn, const char *name)
{
    drawn->map = (struct kernel_map){.kernel = name,
                                     .lengths = drawn->lengths,
                                     .blocks = drawn->blocks,
                                     .edges = drawn->edges,
                                     .functions = drawn->functions};
}

/* The blocks that follow, up to the next function, are this one's. */
static inline void draw_function(struct drawn *drawn, const char *name)
{
    drawn->functions[drawn->map.function_count++] =
        (struct map_function){name, drawn->map.block_count, 0};
}

static inline void draw_block(struct drawn *drawn, uint32_t instructions)
{
    struct kernel_map *map = &drawn->map;

    if (!map->function_count)
        draw_function(drawn, "main");
    drawn->blocks[map->block_count] = (struct map_block){.label = ".block",
                                                         .offset = map->bytes,
                                                         .bytes = 4 * instructions,
                                                         .first = map->instruction_count,
                                                         .instructions = instructions,
                                                         .function = map->function_count - 1};
    for (uint32_t i = 0; i < instructions; i++)
        drawn->lengths[map->instruction_count++] = 4;
    map->bytes += 4 * instructions;
    map->block_count++;
    drawn->functions[map->function_count - 1].blocks++;
}

static inline int drawn_order(const void *a, const void *b)
{
    const struct map_edge *one = a, *other = b;

    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->to < other->to ? -1 : one->to > other->to;
}

static inline void draw_edge(struct drawn *drawn, uint32_t from, uint32_t to, uint32_t kind)
{
    struct kernel_map *map = &drawn->map;

    drawn->edges[map->edge_count++] = (struct map_edge){from, to, kind};
    qsort(drawn->edges, map->edge_count, sizeof(drawn->edges[0]), drawn_order);
}

static inline uint32_t drawn_edge(const struct drawn *drawn, uint32_t from, uint32_t to)
{
    uint32_t e = 0;

    while (e < drawn->map.edge_count && (drawn->edges[e].from != from || drawn->edges[e].to != to))
        e++;
    return e;
}

/* Address of instruction `i`, and of the last one of block `b`. */
static inline uint64_t drawn_at(uint32_t i)
{
    return DRAWN_CODE + 4 * (uint64_t)i;
}
static inline uint64_t drawn_begin(const struct drawn *drawn, uint32_t b)
{
    return drawn_at(drawn->blocks[b].first);
}
static inline uint64_t drawn_end(const struct drawn *drawn, uint32_t b)
{
    return drawn_at(drawn->blocks[b].first + drawn->blocks[b].instructions - 1);
}

/* A loop around a diamond: 0 is the head, 1 and 2 are the arms, 3 closes the loop, 4 returns. */
static inline void draw_diamond(struct drawn *drawn)
{
    draw_begin(drawn, "diamond");
    for (uint32_t b = 0; b < 5; b++)
        draw_block(drawn, b + 1);
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(drawn, 0, 2, MAP_CONDITIONAL);
    draw_edge(drawn, 1, 3, MAP_JUMP);
    draw_edge(drawn, 2, 3, MAP_FALL_THROUGH);
    draw_edge(drawn, 3, 0, MAP_CONDITIONAL);
    draw_edge(drawn, 3, 4, MAP_FALL_THROUGH);
    draw_edge(drawn, 4, OUTSIDE, MAP_RETURN);
}

#endif
