/* Finds instruction, block and edge of an address in the code of a kernel, in constant time. */
#ifndef HARNESS_PROFILE_CODE_INDEX_H
#define HARNESS_PROFILE_CODE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel_map.h"
#include "words.h"

#define CODE_NOWHERE UINT32_MAX

struct code_index {
    const struct kernel_map *map;
    uint64_t code;      /* address of the first byte of the kernel's code */
    uint32_t *starting; /* for each byte: the instruction that begins there, or CODE_NOWHERE */
    uint32_t
        *last_reached;  /* for each block: the last one that is reached without a taken branch */
    uint32_t *edges_of; /* for each block, and MAP_OUTSIDE behind them: its first edge */
};

/* How many words code_index_make takes. */
uint64_t code_index_words(const struct kernel_map *map);
/* Null; or what of the map is wrong: an index out of range, an order, an instruction outside of its
 * block. `words` must hold code_index_words; `map` must outlive the index. */
const char *code_index_make(struct code_index *index, const struct kernel_map *map, uint64_t code,
                            struct words *words);

/* Whether the address lies in the kernel's code. */
bool code_holds(const struct code_index *index, uint64_t address);
/* The instruction that begins at this address; CODE_NOWHERE: none does. */
uint32_t code_instruction(const struct code_index *index, uint64_t address);
/* The block that begins, or whose last instruction begins, at this address; CODE_NOWHERE: none. */
uint32_t code_block_from(const struct code_index *index, uint64_t address);
uint32_t code_block_ending(const struct code_index *index, uint64_t address);
/* The last instruction of the block. */
uint32_t code_last_instruction(const struct kernel_map *map, uint32_t block);
/* The taken edge between these blocks (MAP_OUTSIDE is one); CODE_NOWHERE: the map has none. */
uint32_t code_taken_edge(const struct code_index *index, uint32_t from, uint32_t to);
/* The edge by which the block before falls through to this one; CODE_NOWHERE: it does not. */
uint32_t code_fall_through(const struct code_index *index, uint32_t block);

#endif
