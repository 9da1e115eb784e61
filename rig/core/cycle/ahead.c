/* What retires in coming cycles. An instruction that is accounted for has its cycle of retirement,
 * long before the allocator comes to that cycle. So has a branch its cycle of execution; but there,
 * unlike at retirement, a younger branch that is not accounted for yet may come earlier. */
#include <string.h>

#include "core/model.h"
#include "notes.h"
#include "retire.h"
#include "smt.h"
#include "spans.h"

/* The signals of `cycle`, in which the entries from *next on retire; *next moves behind them. */
static void retire_cycle(struct timeline *time, const struct retirement *retirement, uint64_t cycle,
                         uint64_t *next, struct span *span)
{
    memset(span, 0, sizeof(*span));
    span->cycles = 1;
    span->value[SIG_UNHALTED] = span->value[SIG_ALONE] = span->value[SIG_ALLOCATOR] = 1;
    span->value[SIG_UOPS_RETIRED] = cycle_at(time, cycle)->retired;
    for (; *next != retirement->tail && retirement->retiring[*next % RETIRING].cycle <= cycle;
         ++*next)
        retire_signals(&retirement->retiring[*next % RETIRING], span);
    notes_taken_ahead(time, cycle, span->value);
    span->rare = true;
}

/* How many cycles from `cycle` on, and before `end`, are cycles in which nothing retires, and no
 * branch may be executed. */
static uint64_t count_empty(struct timeline *time, const struct retirement *retirement,
                            uint64_t cycle, uint64_t end, uint64_t next)
{
    const uint64_t entry =
        next != retirement->tail ? retirement->retiring[next % RETIRING].cycle : end;
    uint64_t at = cycle;

    while (at < end && at < entry && cycle_at(time, at)->retired == 0 &&
           !(cycle_at(time, at)->more & MORE_NOTES))
        at++;
    return at - cycle;
}

bool model_tells_ahead(enum signal signal)
{
    static const bool told[SIGNAL_COUNT] = {
        [SIG_UNHALTED] = true,
        [SIG_ALONE] = true,
        [SIG_ALLOCATOR] = true,
        [SIG_INSTRUCTIONS] = true,
        [SIG_NOPS_RETIRED] = true,
        [SIG_UOPS_RETIRED] = true,
        [SIG_UOPS_RETIRED_UNFUSED] = true,
        [SIG_MACRO_FUSED] = true,
        [SIG_SLOTS_HEAVY] = true,
        [SIG_BRANCHES] = true,
        [SIG_BRANCHES_CONDITIONAL] = true,
        [SIG_BRANCHES_CONDITIONAL_TAKEN] = true,
        [SIG_BRANCHES_NOT_TAKEN] = true,
        [SIG_BRANCHES_TAKEN] = true,
        [SIG_BRANCHES_CALL] = true,
        [SIG_BRANCHES_RETURN] = true,
        [SIG_BRANCHES_INDIRECT] = true,
        [SIG_BRANCHES_FAR] = true,
        [SIG_MISPREDICTS] = true,
        [SIG_MISPREDICTS_CONDITIONAL] = true,
        [SIG_MISPREDICTS_CONDITIONAL_TAKEN] = true,
        [SIG_MISPREDICTS_TAKEN] = true,
        [SIG_MISPREDICTS_INDIRECT] = true,
        [SIG_MISPREDICTS_CALL_INDIRECT] = true,
        [SIG_MISPREDICTS_RETURN] = true,
        [SIG_LOADS] = true,
        [SIG_STORES] = true,
        [SIG_LOADS_L1_HIT] = true,
        [SIG_LOADS_L1_MISS] = true,
        [SIG_LOADS_FB_HIT] = true,
        [SIG_LOADS_L2_HIT] = true,
        [SIG_LOADS_L2_MISS] = true,
        [SIG_LOADS_L3_HIT] = true,
        [SIG_LOADS_L3_MISS] = true,
        [SIG_LOADS_LOCAL_DRAM] = true,
        [SIG_LOADS_REMOTE_DRAM] = true,
        [SIG_LOADS_REMOTE_CLEAN] = true,
        [SIG_LOADS_REMOTE_MODIFIED] = true,
        [SIG_LOADS_XSNP_HIT] = true,
        [SIG_LOADS_XSNP_HITM] = true,
        [SIG_LLC_REFERENCES] = true,
        [SIG_LLC_MISSES] = true,
        [SIG_LOAD_STORES] = true,
        [SIG_BRANCHES_CALL_INDIRECT] = true,
        [SIG_TAKEN_EXECUTED] = true,
        [SIG_TAKEN_MISPREDICTS_EXECUTED] = true,
    };

    return told[signal];
}

bool model_is_shared(const struct model *model)
{
    return is_shared(model->smt) || model_puts_aside(model);
}

void model_ahead(struct model *model, struct model_outlook outlook)
{
    uint64_t cycle = model->time.now, next = model->retirement.head, end;
    struct span span;

    end = model_retired(model) - model->skipping.skipped + 1;
    if (end > cycle + HORIZON)
        end = cycle + HORIZON;
    while (cycle < end) {
        const uint64_t empty = count_empty(&model->time, &model->retirement, cycle, end, next);

        retire_cycle(&model->time, &model->retirement, cycle, &next, &span);
        if (empty > 0)
            span.cycles = empty;
        cycle += span.cycles;
        if (!outlook.see(outlook.context, &span))
            break;
    }
}
