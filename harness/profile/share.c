#include "share.h"

#define GROUP_MOST   16   /* instructions that are followed */
#define CHANCE_LEAST 1e-3 /* of a way that is followed */

struct group {
    const struct share *share;
    double cycles; /* that are to be shared out */
    uint32_t member[GROUP_MOST];
};

/* So much went from one instruction to another. */
static void note(const struct share *share, uint32_t from, uint32_t to, double cycles)
{
    const struct kernel_map *map = share->index->map;

    share->moved[from] += cycles;
    share->moved[to] += cycles;
    if (map_instruction_at(map, from).block == map_instruction_at(map, to).block)
        return;
    share->crossed[from] += cycles;
    share->crossed[to] += cycles;
    if (map->blocks[map_instruction_at(map, from).block].function ==
        map->blocks[map_instruction_at(map, to).block].function)
        return;
    share->left[from] += cycles;
    share->left[to] += cycles;
}

/* The group has these members with this chance. */
static void give(const struct group *group, unsigned members, double chance)
{
    const struct share *share = group->share;
    const double each = group->cycles * chance / members;

    for (unsigned i = 0; i < members; i++)
        share->shared[group->member[i]] += each;
    for (unsigned i = 1; i < members && share->moved; i++)
        note(share, group->member[0], group->member[i], each);
}

static void go_on(struct group *group, uint32_t from, unsigned members, double chance);

/* The group, with that chance so far, comes to this instruction. */
static void come_to(struct group *group, uint32_t to, unsigned members, double chance)
{
    const double heads = group->share->heads[to];

    if (group->share->fused[to]) { /* no entry of its own */
        go_on(group, to, members, chance);
        return;
    }
    if (heads > 0)
        give(group, members, chance * heads);
    if (heads >= 1)
        return;
    if (members == GROUP_MOST || chance * (1 - heads) < CHANCE_LEAST) {
        give(group, members, chance * (1 - heads));
        return;
    }
    group->member[members] = to;
    go_on(group, to, members + 1, chance * (1 - heads));
}

/* The group goes on behind this instruction; where it leaves the kernel it ends. */
static void go_on(struct group *group, uint32_t from, unsigned members, double chance)
{
    const struct code_index *index = group->share->index;
    const struct kernel_map *map = index->map;
    const struct flow *flow = group->share->flow;
    const uint32_t block = map_instruction_at(map, from).block;
    double left = chance;

    if (from != code_last_instruction(map, block)) {
        come_to(group, from + 1, members, chance);
        return;
    }
    for (uint32_t e = index->edges_of[block]; e < index->edges_of[block + 1]; e++) {
        const double part = flow->blocks[block] > 0 ? flow->edges[e] / flow->blocks[block] : 0;

        if (map->edges[e].to == MAP_OUTSIDE || !(part > 0))
            continue;
        come_to(group, map->blocks[map->edges[e].to].first, members, chance * part);
        left -= chance * part;
    }
    if (left > 0)
        give(group, members, left);
}

/* With which chance the instruction heads a group; below 0 or above 1 for a rounding. */
static double chance_of(const struct share *share, uint32_t i, double executions, double cycles)
{
    return share->waited ? share->waited[i] / executions : cycles / executions;
}

void share_groups(const struct share *share, const double *executions, double *cycles, double scale)
{
    const uint32_t count = share->index->map->instruction_count;

    /* A chance is at most 1 (share.h). It is below 0 never, but for a rounding of the flow; where
     * the flow says that an instruction never ran, what was sampled there stays there, and no group
     * goes on beyond it. */
    for (uint32_t i = 0; i < count; i++) {
        const double each =
            executions[i] > 0 ? chance_of(share, i, executions[i], cycles[i] * scale) : 1;

        share->heads[i] = each < 0 ? 0 : each < 1 ? each : 1;
        share->shared[i] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double once = executions[i] * share->heads[i] / scale;
        struct group group = {.share = share, .cycles = once < cycles[i] ? once : cycles[i]};

        if (!(group.cycles > 0) || share->fused[i])
            continue;
        cycles[i] -= group.cycles;
        group.member[0] = i;
        go_on(&group, i, 1, 1);
    }
    for (uint32_t i = 0; i < count; i++)
        cycles[i] += share->shared[i];
}
