/* Clears: all younger instructions are thrown away; and assists, which begin with one. */
#include "back.h"

#include <string.h>

#include "core/cycle/cycles.h"
#include "core/cycle/notes.h"
#include "core/cycle/retire.h"
#include "core/cycle/smt.h"
#include "core/cycle/truth.h"
#include "allocate.h"
#include "execute.h"
#include "flow.h"
#include "front.h"

/* So many uops of a wrong path leave the re-order buffer behind their branch, which was resolved in
 * cycle `resolved`. */
static void cancel(const struct model_parameters *p, struct timeline *time,
                   struct retirement *retirement, unsigned uops, uint64_t resolved)
{
    while (uops-- > 0)
        notes_cancelled(time, retire_next(p, retirement, time->now, resolved));
}

static unsigned chance(struct allocator *allocator, unsigned below)
{
    allocator->wrong_chance ^= allocator->wrong_chance << 13;
    allocator->wrong_chance ^= allocator->wrong_chance >> 17;
    allocator->wrong_chance ^= allocator->wrong_chance << 5;
    return (allocator->wrong_chance >> 8) % below;
}

/* A uop of a wrong path begins in this cycle on a free port of a class of ordinary uops, which
 * chance names. A guess: an x87 uop is as likely as any other. */
static void begin_wrong(struct model *model)
{
    static const uint8_t kinds[] = {CLASS_ALU,  CLASS_BRANCH,        CLASS_MUL,        CLASS_LEA,
                                    CLASS_LOAD, CLASS_STORE_ADDRESS, CLASS_STORE_DATA, CLASS_X87};
    const unsigned id = kinds[chance(&model->allocator, sizeof(kinds))];
    struct cycle *cycle = cycle_at(&model->time, model->time.now);
    const uint16_t free = (uint16_t)(model->p->classes[id].ports & ~cycle->ports);

    if (free == 0)
        return;
    cycle->ports = (uint16_t)(cycle->ports | (free & -free));
    cycle->executed++;
    model->dispatch.binding.of[__builtin_ctz(free)]++;
    model->window.in_scheduler++; /* which it leaves as it begins */
    if (id == CLASS_X87)
        notes_x87(&model->time, model->time.now);
    /* A guess: a branch of a wrong path is as often taken as not, and never found mispredicted. */
    if (id == CLASS_BRANCH && model->p->notes_executed && chance(&model->allocator, 2) == 0)
        notes_taken(&model->time, model->time.now, false);
}

/* What the wrong path does in this cycle, for each slot that it took: its uops passed the queue,
 * and up to two uops begin (a load and what needs it, or a store's address and its data, are one
 * slot). A guess: they do so in this cycle, not some cycles later. */
static void follow_wrong_path(struct model *model)
{
    struct cycle *cycle = cycle_at(&model->time, model->time.now);

    if (model->allocator.taken_source == SOURCE_DSB)
        cycle->dsb = (uint8_t)(cycle->dsb + model->allocator.wrong);
    else if (model->allocator.taken_source == SOURCE_MITE)
        cycle->mite = (uint8_t)(cycle->mite + model->allocator.wrong);
    for (unsigned i = chance(&model->allocator, 2 * model->allocator.wrong + 1); i > 0; i--)
        begin_wrong(model);
}

void back_clear(struct model *model, uint64_t resolved, enum clear clear)
{
    const struct model_parameters *p = model->p;
    /* Modified code has to be fetched again from afar. An assist is a clear too (H. Ragab and
     * others, "Rage Against the Machine Clear", USENIX Security 2021) and gets the same figures:
     * with its uops it then takes about 160 cycles, as P. Cordes (stackoverflow.com/q/60969892)
     * says for Sandy Bridge and later. For a load that was wrong no figure is published: everything
     * it needs is near, so it costs as much as a mispredicted branch, from its retirement on. */
    const bool far = clear == CLEAR_CODE || clear == CLEAR_ASSIST;
    const uint64_t recovery = far ? p->clear_recovery : p->recovery;
    const uint64_t resteer = far ? p->clear_resteer : p->resteer;
    const enum slot_cause cause =
        clear == CLEAR_MISPREDICT ? CAUSE_BRANCH_MISPREDICTS : CAUSE_MACHINE_CLEARS;
    unsigned in_flight = 0; /* wrong-path slots in the re-order buffer */

    if (clear != CLEAR_MISPREDICT && p->ideal & IDEAL_CLEARS)
        return;
    if (resolved <= model->time.now)
        resolved = model->time.now + 1;
    model->allocator.wrong_cause = cause;
    model->allocator.wrong_node = clear == CLEAR_MISPREDICT ? NODE_BRANCH_MISPREDICTS
                                  : far                     ? NODE_OTHER_NUKES
                                                            : NODE_MACHINE_CLEARS;
    while (model->time.now < resolved) {
        const unsigned room = model->window.rob > model->window.in_rob + in_flight
                                  ? model->window.rob - model->window.in_rob - in_flight
                                  : 0;
        const unsigned free = (unsigned)model->p->width - model->allocator.issued;
        const bool served = !is_shared(model->smt) || room == 0 ||
                            smt_may_allocate(model->smt, model->thread, model->time.now);

        model->allocator.wrong = !served ? 0 : free < room ? free : room;
        in_flight += model->allocator.wrong;
        if (model->allocator.wrong_chance && model->allocator.wrong > 0 &&
            clear == CLEAR_MISPREDICT)
            follow_wrong_path(model);
        cycle_finish(model, served ? IDLE_ROB : IDLE_SIBLING);
    }
    /* Only a mispredicted branch leads to a wrong path: "bogus" (SDM 3B, terms of at-retirement
     * counting). What a machine clear throws away was on the right path. */
    if (p->cancelled_retire && clear == CLEAR_MISPREDICT)
        cancel(model->p, &model->time, &model->retirement, in_flight, resolved);
    /* The published formula moves a whole cycle of slots for each clear: with two threads it is a
     * cycle of this thread. */
    while (model->p->clear_cycle_is_backend && is_shared(model->smt) &&
           !smt_may_allocate(model->smt, model->thread, model->time.now))
        cycle_finish(model, IDLE_SIBLING);
    model->allocator.pending_clears = 1;
    model->allocator.pending_machine_clears = clear != CLEAR_MISPREDICT;
    model->allocator.pending_smc = clear == CLEAR_CODE;
    model->allocator.pending_ordering = clear == CLEAR_ORDERING || clear == CLEAR_DISAMBIGUATION;
    model->allocator.pending_disambiguation = clear == CLEAR_DISAMBIGUATION;
    if (model->p->clear_cycle_is_backend)
        cycle_finish(model, IDLE_CLEAR);
    cycle_wait(model, resolved + recovery, IDLE_RECOVERY);
    model->allocator.resteering = true;
    front_restart(model->p, &model->front, resolved + resteer - (DISPATCH_DELAY - 1));
    front_late(&model->front, resolved + resteer - (DISPATCH_DELAY - 1),
               clear == CLEAR_MISPREDICT ? NODE_MISPREDICTS_RESTEERS : NODE_CLEARS_RESTEERS);
}

void back_assist(struct model *model)
{
    /* Each uop waits for the previous one: a guess. */
    static const struct uop uop = {.class_id = CLASS_MICROCODE,
                                   .sources = {REG_TEMP2, REG_NONE, REG_NONE, REG_NONE},
                                   .destinations = {REG_TEMP2, REG_NONE}};
    static const struct decoded decoded = {.microcoded = true};
    static const struct executed executed = {.accesses = 0};
    const unsigned slots = model->p->assist_uops;
    struct retiring *retiring;
    struct flow flow = {.decoded = &decoded, .executed = &executed};

    back_clear(model, model->retirement.last + 1, CLEAR_ASSIST);
    front_assist(model);
    retiring = &model->retirement.retiring[model->retirement.tail % RETIRING];
    memset(retiring, 0, sizeof(*retiring));
    flow.retiring = retiring;
    for (unsigned i = 0; i < slots; i++) {
        allocate_slot(model, &flow, front_slot(model, &decoded, false), false);
        retire_slot(model->p, &model->time, &model->retirement, execute_uop(model, &flow, &uop));
    }
    charge(&model->truth, NODE_FP_ASSISTS, slots);
    *retiring = (struct retiring){.cycle = model->retirement.last,
                                  .flags = RETIRE_MICROCODED | RETIRE_ASSIST,
                                  .uops = (uint16_t)slots,
                                  .heavy = (uint16_t)slots};
    model->previous.node = NODE_NONE;
    retire_push(&model->retirement);
    if (model->p->ideal & IDEAL_CLEARS)
        return;
    /* The next instruction is fetched when the assist is over. */
    model->allocator.resteering = true;
    front_restart(model->p, &model->front, model->retirement.last);
    front_late(&model->front, model->retirement.last, NODE_CLEARS_RESTEERS);
}
