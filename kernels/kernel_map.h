/* The code of a kernel as a graph: instructions, basic blocks, edges and functions.
 *
 * A host program makes the map at build time from the kernel's assembled code and from what the
 * kernel's file says (labels, targets of indirect branches, how often each block runs). The image
 * links it as data, so nothing in the image guesses where an instruction begins. Kernels without a
 * map are counted but not profiled. */
#ifndef KERNELS_KERNEL_MAP_H
#define KERNELS_KERNEL_MAP_H

#include <stdint.h>

/* The code outside of the kernel, which calls it and to which its last RET returns. */
#define MAP_OUTSIDE UINT32_MAX

struct map_instruction {
    uint32_t offset; /* bytes from the kernel's `code` */
    uint32_t block;  /* index into blocks */
};

/* Instructions that always run together: the first is the only entry, the last the only exit. A
 * CALL ends a block. */
struct map_block {
    const char *label; /* of the kernel's file, with its leading dot */
    const char *count; /* expression: executions in a window of n */
    uint32_t offset;   /* bytes from the kernel's `code` */
    uint32_t bytes;
    uint32_t first, instructions; /* index and number of its instructions */
    uint32_t function;
};

enum map_edge_kind {
    MAP_FALL_THROUGH, /* no branch, or a conditional branch that is not taken */
    MAP_CONDITIONAL,  /* taken; and so are all that follow */
    MAP_JUMP,
    MAP_JUMP_INDIRECT,
    MAP_CALL,
    MAP_CALL_INDIRECT,
    MAP_RETURN,
};

/* From the end of a block to the begin of another; `from` or `to` may be MAP_OUTSIDE. An edge whose
 * kind is not MAP_FALL_THROUGH is a taken branch, whose address is that of the last instruction of
 * the block `from`. */
struct map_edge {
    uint32_t from, to;
    uint32_t kind; /* enum map_edge_kind */
};

struct map_function {
    const char *name;
    uint32_t first, blocks; /* index and number of its blocks, which lie side by side */
};

struct kernel_map {
    const char *kernel;             /* its name */
    const uint8_t *lengths;         /* bytes of each instruction, in the order of their offsets */
    const struct map_block *blocks; /* ascending by offset; so are functions */
    const struct map_edge *edges;   /* ascending by from, then by to */
    const struct map_function *functions;
    uint32_t instruction_count, block_count, edge_count, function_count;
    uint32_t bytes; /* of the kernel's code */
    uint32_t unused;
};

/* Instruction `index` of the map, which has it. What is not stored is found: maps of long code are
 * the larger part of the image's kernels. */
static inline struct map_instruction map_instruction_at(const struct kernel_map *map,
                                                        uint32_t index)
{
    uint32_t block = 0, beyond = map->block_count, offset;

    while (beyond - block > 1) {
        const uint32_t middle = block + (beyond - block) / 2;

        if (map->blocks[middle].first <= index)
            block = middle;
        else
            beyond = middle;
    }
    offset = map->blocks[block].offset;
    for (uint32_t i = map->blocks[block].first; i < index; i++)
        offset += map->lengths[i];
    return (struct map_instruction){offset, block};
}

/* The map of the kernel of that name; null: it has none. */
const struct kernel_map *kernel_map_of(const char *kernel);

#endif
