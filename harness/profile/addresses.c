#include "addresses.h"

uint64_t addresses_words(const struct kernel_map *map)
{
    return words_of_halves((uint64_t)PROFILE_GROUPS * map->instruction_count);
}

bool addresses_make(struct addresses *addresses, const struct code_index *index, uint64_t planned,
                    struct words *words)
{
    *addresses = (struct addresses){.index = index};
    groups_make(&addresses->groups, planned);
    addresses->at = (uint32_t *)words_take(words, addresses_words(index->map));
    return addresses->at;
}

/* No count of 32 bits overflows, because all of them together do not. */
static void blame(struct addresses *addresses, unsigned group, uint32_t instruction)
{
    if (addresses->used == UINT32_MAX) {
        addresses->full++;
        return;
    }
    addresses->at[(uint64_t)group * addresses->index->map->instruction_count + instruction]++;
    addresses->groups.used[group]++;
    addresses->used++;
}

void addresses_add(struct addresses *addresses, uint64_t address)
{
    const uint32_t instruction = code_instruction(addresses->index, address);
    const unsigned group = groups_next(&addresses->groups);

    if (!code_holds(addresses->index, address))
        addresses->outside++;
    else if (instruction == CODE_NOWHERE)
        addresses->broken++;
    else
        blame(addresses, group, instruction);
}

/* The instruction that ran before the block's first; CODE_NOWHERE: it is not known, or lies outside
 * of the kernel. */
static uint32_t before_block(const struct code_index *index, uint32_t block,
                             const struct lbr_entry *newest)
{
    const struct kernel_map *map = index->map;
    uint32_t before = index->only_before[block];

    if (newest && newest->to == index->code + map->blocks[block].offset)
        before = code_block_ending(index, newest->from);
    else if (newest)
        before = block && index->last_reached[block - 1] >= block ? block - 1 : CODE_NOWHERE;
    return before == CODE_NOWHERE ? CODE_NOWHERE : code_last_instruction(map, before);
}

void addresses_add_after(struct addresses *addresses, uint64_t address,
                         const struct lbr_entry *newest)
{
    const struct code_index *index = addresses->index;
    const uint32_t instruction = code_instruction(index, address);
    const uint32_t block = code_block_from(index, address);
    const unsigned group = groups_next(&addresses->groups);
    uint32_t before = instruction - 1;

    if (!code_holds(index, address)) {
        addresses->outside++; /* the last RET of the kernel among them */
        return;
    }
    if (instruction == CODE_NOWHERE) {
        addresses->broken++;
        return;
    }
    if (block != CODE_NOWHERE)
        before = before_block(index, block, newest);
    if (before == CODE_NOWHERE)
        addresses->ambiguous++;
    else
        blame(addresses, group, before);
}
