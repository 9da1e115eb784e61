/* A simulator of its own for tests of profiles: a random walk over a drawn map, in which every
 * instruction is the oldest one for a known number of cycles, with the counters and the branch
 * records that sampling needs. */
#ifndef TESTS_UNIT_PROFILE_WALKER_H
#define TESTS_UNIT_PROFILE_WALKER_H

#include <stdbool.h>

#include "harness/profile/profile.h"
#include "tests/unit/profile/drawn_map.h"

#define WALKER_DEPTH 32
#define WALKER_CALLS 64

/* A counter that overflows: the interrupt comes `skid` cycles later, waits for the oldest
 * instruction, and saves the address of the next one. */
struct trigger {
    bool waits;
    uint64_t period, jitter; /* period + 0..jitter events */
    uint64_t left;           /* events until the overflow */
    uint64_t due;            /* cycle of the interrupt; 0: none is on its way */
    uint64_t branches;       /* taken branches until the overflow */
};
/* What is true of an entry of a profile, in the same windows. */
struct walker_truth {
    double instructions, cycles; /* that were executed in it, and that it took */
};
struct walker {
    struct drawn drawn;
    double weight[DRAWN_EDGES];        /* of the edge among those that leave its block */
    uint32_t cost[DRAWN_INSTRUCTIONS]; /* cycles as the oldest instruction */
    uint64_t skid;
    bool freeze_at_overflow; /* else at the interrupt */
    bool ignore_newer;       /* the newest records are used, whatever came after the overflow */
    bool resume_after;       /* counting goes on with the next instruction, else at once */

    uint64_t seed, cycle, taken, last_taken, instructions;
    uint64_t executed[DRAWN_INSTRUCTIONS];
    uint32_t calls[WALKER_CALLS], depth;
    struct lbr_entry ring[WALKER_DEPTH];
    struct lbr_stack frozen; /* of a stack that freezes at the overflow */
    struct trigger cycles, fixed_cycles, fixed_instructions, branches;

    uint64_t memory[1 << 18];
    struct code_index index;
    struct addresses random_at, fixed_at, instructions_at;
    struct branches stacks;
    struct words words;
};

static inline uint64_t walker_random(struct walker *walker)
{
    uint64_t x = walker->seed += 0x9e3779b97f4a7c15u; /* splitmix64 */

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline void walker_arm(struct walker *walker, struct trigger *trigger)
{
    trigger->left = trigger->period;
    if (trigger->jitter)
        trigger->left += walker_random(walker) % (trigger->jitter + 1);
    trigger->due = 0;
}

/* `planned` samples of each kind, `keep` records of each stack. */
static inline void walker_begin(struct walker *walker, uint64_t seed, uint64_t planned,
                                unsigned keep)
{
    walker->words = (struct words){walker->memory, sizeof(walker->memory) / 8};
    walker->seed = seed;
    walker->cycle = walker->taken = walker->last_taken = walker->instructions = 0;
    walker->depth = 0;
    for (uint32_t i = 0; i < DRAWN_INSTRUCTIONS; i++)
        walker->executed[i] = 0;
    if (code_index_make(&walker->index, &walker->drawn.map, DRAWN_CODE, &walker->words))
        abort();
    if (!addresses_make(&walker->random_at, &walker->index, planned, &walker->words) ||
        !addresses_make(&walker->fixed_at, &walker->index, planned, &walker->words) ||
        !addresses_make(&walker->instructions_at, &walker->index, planned, &walker->words) ||
        !branches_make(&walker->stacks, &walker->index, keep, planned, &walker->words))
        abort();
    walker_arm(walker, &walker->cycles);
    walker_arm(walker, &walker->fixed_cycles);
    walker_arm(walker, &walker->fixed_instructions);
    walker_arm(walker, &walker->branches);
}

static inline void walker_read_stack(const struct walker *walker, struct lbr_stack *stack)
{
    stack->count = walker->taken < WALKER_DEPTH ? (unsigned)walker->taken : WALKER_DEPTH;
    for (unsigned i = 0; i < stack->count; i++)
        stack->entries[i] = walker->ring[(walker->taken - 1 - i) % WALKER_DEPTH];
}

static inline void walker_sample_stack(struct walker *walker)
{
    struct lbr_stack stack;

    walker_read_stack(walker, &stack);
    if (walker->freeze_at_overflow)
        branches_add(&walker->stacks, &walker->frozen, 0);
    else if (walker->ignore_newer)
        branches_add(&walker->stacks, &stack, 0);
    else
        branches_add(&walker->stacks, &stack,
                     (unsigned)(walker->taken - walker->branches.branches));
}

/* Interrupts that come in the `cost` cycles in which instruction `i` is the oldest. */
static inline void walker_spend(struct walker *walker, uint32_t i)
{
    struct lbr_stack stack;
    const uint64_t end = walker->cycle + walker->cost[i];
    struct trigger *const address[] = {&walker->cycles, &walker->fixed_cycles,
                                       &walker->fixed_instructions};
    struct addresses *const into[] = {&walker->random_at, &walker->fixed_at,
                                      &walker->instructions_at};

    for (unsigned t = 0; t < 3; t++)
        if (address[t]->waits) {
            walker_read_stack(walker, &stack);
            addresses_add_after(into[t], drawn_at(i), &stack);
            address[t]->waits = false;
        }
    for (unsigned t = 0; t < 2; t++) {
        if (!address[t]->period || address[t]->due)
            continue;
        if (address[t]->left > walker->cost[i])
            address[t]->left -= walker->cost[i];
        else
            address[t]->due = walker->cycle + address[t]->left + walker->skid;
    }
    for (unsigned t = 0; t < 3; t++)
        if (address[t]->due && address[t]->due <= end) {
            const uint64_t rest = t == 2 || walker->resume_after ? 0 : end - address[t]->due;

            walker_arm(walker, address[t]);
            address[t]->waits = true;
            address[t]->left -= rest; /* the period is longer than any instruction */
        }
    if (walker->branches.due && walker->branches.due <= end) {
        walker_sample_stack(walker);
        walker_arm(walker, &walker->branches);
    }
    walker->cycle = end;
    walker->executed[i]++;
    walker->instructions++;
    if (walker->fixed_instructions.period && !walker->fixed_instructions.due &&
        --walker->fixed_instructions.left == 0)
        walker->fixed_instructions.due = end + 1 + walker->skid;
}

static inline void walker_take(struct walker *walker, const struct map_edge *edge)
{
    const uint64_t cycles = walker->cycle - walker->last_taken;

    walker->ring[walker->taken++ % WALKER_DEPTH] = (struct lbr_entry){
        .from = edge->from == OUTSIDE ? 0x10 : drawn_end(&walker->drawn, edge->from),
        .to = edge->to == OUTSIDE ? 0x20 : drawn_begin(&walker->drawn, edge->to),
        .cycles = (uint16_t)cycles,
        .cycles_valid = true,
    };
    walker->last_taken = walker->cycle;
    if (!walker->branches.period || walker->branches.due || --walker->branches.left)
        return;
    walker->branches.due = walker->cycle + 1 + walker->skid;
    walker->branches.branches = walker->taken;
    walker_read_stack(walker, &walker->frozen);
}

/* The edge out of a block; a return goes where its call came from. */
static inline uint32_t walker_choose(struct walker *walker, uint32_t block)
{
    const struct kernel_map *map = &walker->drawn.map;
    const uint32_t site = walker->depth ? walker->calls[walker->depth - 1] + 1 : OUTSIDE;
    const uint32_t *edges = &walker->index.edges_of[block == OUTSIDE ? map->block_count : block];
    double sum = 0, at;
    uint32_t chosen = edges[0];

    for (uint32_t e = edges[0]; e < edges[1]; e++)
        if (map->edges[e].kind != MAP_RETURN || map->edges[e].to == site)
            sum += walker->weight[e];
    at = sum * ((double)(walker_random(walker) >> 11) / 9007199254740992.0);
    for (uint32_t e = edges[0]; e < edges[1] && at >= 0; e++)
        if (map->edges[e].kind != MAP_RETURN || map->edges[e].to == site) {
            chosen = e;
            at -= walker->weight[e];
        }
    return chosen;
}

/* Walks until that many cycles have gone by. */
static inline void walker_walk(struct walker *walker, uint64_t cycles)
{
    const struct kernel_map *map = &walker->drawn.map;
    uint32_t block = OUTSIDE;

    while (walker->cycle < cycles) {
        const struct map_edge *edge = &map->edges[walker_choose(walker, block)];

        if (edge->kind == MAP_RETURN && walker->depth)
            walker->depth--;
        else if ((edge->kind == MAP_CALL || edge->kind == MAP_CALL_INDIRECT) && block != OUTSIDE)
            walker->calls[walker->depth++ % WALKER_CALLS] = block;
        if (edge->kind != MAP_FALL_THROUGH)
            walker_take(walker, edge);
        block = edge->to;
        if (block == OUTSIDE)
            continue;
        for (uint32_t i = 0; i < map->blocks[block].instructions; i++)
            walker_spend(walker, map->blocks[block].first + i);
    }
}

static inline struct profile_totals walker_totals(const struct walker *walker)
{
    return (struct profile_totals){.cycles = (double)walker->cycle,
                                   .instructions = (double)walker->instructions};
}

/* What is true of each entry of the level. */
static inline void walker_truth(const struct walker *walker, const struct profile *profile,
                                enum profile_level level, struct walker_truth *truth)
{
    for (uint32_t n = 0; n < profile->count[level]; n++) {
        const struct profile_entry *entry = &profile->entries[level][n];

        truth[n] = (struct walker_truth){0, 0};
        for (uint32_t i = entry->first; i < entry->first + entry->count; i++) {
            truth[n].instructions += (double)walker->executed[i];
            truth[n].cycles += (double)walker->executed[i] * walker->cost[i];
        }
    }
}

#endif
