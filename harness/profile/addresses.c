#include "addresses.h"

uint64_t addresses_words(const struct kernel_map *map)
{
    return words_of_halves((uint64_t)PROFILE_GROUPS * map->instruction_count) +
           words_of_halves((uint64_t)PROFILE_GROUPS * map->edge_count);
}

bool addresses_make(struct addresses *addresses, const struct code_index *index, uint64_t planned,
                    struct words *words)
{
    const struct kernel_map *map = index->map;

    *addresses = (struct addresses){.index = index};
    groups_make(&addresses->groups, planned);
    if (words->left < addresses_words(map))
        return false;
    addresses->at = (uint32_t *)words_take(
        words, words_of_halves((uint64_t)PROFILE_GROUPS * map->instruction_count));
    addresses->through =
        (uint32_t *)words_take(words, words_of_halves((uint64_t)PROFILE_GROUPS * map->edge_count));
    return true;
}

uint64_t addresses_timed_words(const struct kernel_map *map)
{
    const uint64_t each = (uint64_t)PROFILE_GROUPS * map->instruction_count;

    return each + words_of_halves(each);
}

bool addresses_make_timed(struct addresses *addresses, struct words *words)
{
    const struct kernel_map *map = addresses->index->map;
    const uint64_t each = (uint64_t)PROFILE_GROUPS * map->instruction_count;

    if (words->left < addresses_timed_words(map))
        return false;
    addresses->latency = words_take(words, each);
    addresses->waited = (uint32_t *)words_take(words, words_of_halves(each));
    return true;
}

/* The edge by which the walk came to the begin of the block; CODE_NOWHERE: there is none. */
static uint32_t edge_to(const struct code_index *index, uint32_t block,
                        const struct lbr_entry *newest)
{
    uint32_t from = MAP_OUTSIDE;

    if (newest->to != index->code + index->map->blocks[block].offset)
        return code_fall_through(index, block);
    if (code_holds(index, newest->from)) {
        from = code_block_ending(index, newest->from);
        if (from == CODE_NOWHERE)
            return CODE_NOWHERE;
    }
    return code_taken_edge(index, from, block);
}

/* No count of 32 bits overflows, because all of them together do not. Gives the place of the sample
 * in tables of [PROFILE_GROUPS][instructions]; NOWHERE: it is not in `at`. */
#define NOWHERE UINT64_MAX
static uint64_t count(struct addresses *addresses, uint64_t address, const struct lbr_entry *newest)
{
    const struct code_index *index = addresses->index;
    const uint32_t instruction = code_instruction(index, address);
    const uint32_t block = code_block_from(index, address);
    const unsigned group = groups_next(&addresses->groups);
    const uint64_t place = (uint64_t)group * index->map->instruction_count + instruction;
    uint32_t edge = CODE_NOWHERE;

    if (newest && block != CODE_NOWHERE)
        edge = edge_to(index, block, newest);
    if (!code_holds(index, address)) {
        addresses->outside++;
    } else if (instruction == CODE_NOWHERE) {
        addresses->broken++;
    } else if (newest && block != CODE_NOWHERE && edge == CODE_NOWHERE) {
        addresses->ambiguous++;
    } else if (addresses->used == UINT32_MAX) {
        addresses->full++;
    } else {
        addresses->at[place]++;
        if (edge != CODE_NOWHERE)
            addresses->through[(uint64_t)group * index->map->edge_count + edge]++;
        addresses->groups.used[group]++;
        addresses->used++;
        return place;
    }
    return NOWHERE;
}

void addresses_add(struct addresses *addresses, uint64_t address)
{
    (void)count(addresses, address, 0);
}

void addresses_add_timed(struct addresses *addresses, uint64_t address, uint64_t latency)
{
    const uint64_t place = count(addresses, address, 0);

    if (place == NOWHERE || !addresses->latency)
        return;
    addresses->latency[place] += latency;
    addresses->waited[place] += latency > 0;
    addresses->timed++;
    addresses->endless += latency >= ADDRESSES_ENDLESS;
}

void addresses_add_after(struct addresses *addresses, uint64_t address,
                         const struct lbr_stack *stack)
{
    const unsigned depth = stack && stack->count < LBR_DEPTH ? stack->count : LBR_DEPTH;
    const struct lbr_entry *newest = 0;

    for (unsigned i = 0; stack && i < depth && !newest; i++)
        if (code_holds(addresses->index, stack->entries[i].to))
            newest = &stack->entries[i];
    (void)count(addresses, address, newest);
}
