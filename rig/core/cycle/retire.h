/* Retirement, in order: the ring of retiring instructions, and the group that retires in a cycle.
 */
#ifndef RIG_CORE_CYCLE_RETIRE_H
#define RIG_CORE_CYCLE_RETIRE_H

#include "state.h"

/* The instructions of a group, which retire in one cycle, have sums, a byte for each kind: */
#define RETIRE_SUM_ONE(byte) (1ull << 8 * (byte))
#define RETIRE_SUM_UOPS      1 /* bytes of sums[0]; byte 0: instructions */
#define RETIRE_SUM_NOPS      3

/* The next slot of retirement, in order, `retire_width` a cycle, not before `complete` + 1; it is
 * taken. Gives its cycle. */
static inline uint64_t retire_next(const struct model_parameters *p, struct retirement *retirement,
                                   uint64_t now, uint64_t complete)
{
    uint64_t cycle = later(later(complete + 1, retirement->last), now + 1);

    if (cycle == retirement->last && retirement->last_used >= p->retire_width)
        cycle++;
    if (cycle != retirement->last)
        retirement->last_used = 0;
    retirement->last = cycle;
    retirement->last_used++;
    return cycle;
}

static inline void retire_slot(const struct model_parameters *p, struct timeline *time,
                               struct retirement *retirement, uint64_t complete)
{
    cycle_at(time, retire_next(p, retirement, time->now, complete))->retired++;
}
/* The entry at the tail is complete and joins the ring. */
void retire_push(struct retirement *retirement);
/* The same for an entry that retires in `cycle` and whose sum is known: sums[0] says all of it. */
static inline void retire_push_sum(struct retirement *retirement, uint64_t cycle, uint64_t sum)
{
    struct retire_group *group = &retirement->groups[(retirement->group_tail - 1) % RETIRING];

    if (retirement->group_tail == retirement->group_head || group->cycle != cycle) {
        group = &retirement->groups[retirement->group_tail++ % RETIRING];
        *group = (struct retire_group){.cycle = cycle};
    }
    group->end = ++retirement->tail;
    group->sums[0] += sum;
}
/* The instructions that retire in the cycle that ends; NULL: none. */
static inline const struct retire_group *retire_due(const struct retirement *retirement,
                                                    uint64_t now)
{
    const struct retire_group *group = &retirement->groups[retirement->group_head % RETIRING];

    return retirement->group_head != retirement->group_tail && group->cycle <= now ? group : NULL;
}
/* The group retires. Its sums are in the signals and in the truth already. */
void retire_group(struct model *model, const struct retire_group *group);
/* Adds the signals of one entry that retires to those of its cycle. */
void retire_signals(const struct retiring *entry, struct span *span);
/* Everything that retires in the cycle that ends, with its signals and truth. */
void cycle_retire(struct model *model, struct span *span);

#endif
