/* Finished cycles of two threads: kept until both are past them, then passed on to the PMU of each
 * thread as its own and its sibling's. */
#include "smt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The signals that empty slots add to. In a cycle of the other thread none of them counts:
 * "counting does not cover cases when the pipe serves the other thread" (perfmon,
 * IDQ_UOPS_NOT_DELIVERED.CORE), and recovery counts cycles in which the allocator was stalled
 * (INT_MISC.RECOVERY_CYCLES_ANY), which it is not while it serves the other thread. */
static const uint16_t of_idle_slots[] = {
    SIG_FE_UNDELIVERED,  SIG_FE_NONE_DELIVERED, SIG_FE_LATENCY_SLOTS, SIG_BE_BLOCKED,
    SIG_BE_MEMORY_SLOTS, SIG_RECOVERY,          SIG_SLOTS_BAD,        SIG_SLOTS_MISPREDICT};
#define IDLE_SIGNALS (sizeof(of_idle_slots) / sizeof(*of_idle_slots))

static struct smt_thread *thread_of(struct smt *smt, unsigned thread)
{
    return &smt->thread[thread];
}

/* --- the log --- */

/* Makes room for one more item at the end; without memory on the host the run ends. Gives the
 * items.
 */
static void *room_for_one(void *items, size_t size, unsigned *first, unsigned *end, unsigned *room)
{
    if (*end < *room)
        return items;
    if (*first >= *room / 2) {
        memmove(items, (char *)items + *first * size, (*end - *first) * size);
        *end -= *first;
        *first = 0;
        return items;
    }
    *room *= 2;
    items = realloc(items, *room * size);
    if (items == NULL) {
        fprintf(stderr, "rig: not enough memory on the host\n");
        exit(1);
    }
    return items;
}

static void cycle_ends(struct model *model, const uint16_t *value, bool idle, uint16_t node)
{
    struct smt_thread *thread = thread_of(model->smt, model->thread);
    struct smt_run *last = &thread->run[thread->run_end - 1], *run;

    if (thread->run_end > thread->run_first && last->start + last->cycles == model->time.now &&
        last->idle == idle && last->node == node &&
        memcmp(last->value, value, sizeof(last->value)) == 0) {
        last->cycles++;
        return;
    }
    thread->run = room_for_one(thread->run, sizeof(*thread->run), &thread->run_first,
                               &thread->run_end, &thread->run_room);
    run = &thread->run[thread->run_end++];
    run->start = model->time.now;
    run->cycles = 1;
    run->idle = idle;
    run->node = node;
    memcpy(run->value, value, sizeof(run->value));
}

void smt_idle_ends(struct model *model, const uint16_t *value, enum truth_node node)
{
    cycle_ends(model, value, true, (uint16_t)node);
}

void smt_cycle_ends(struct model *model, const uint16_t *value)
{
    cycle_ends(model, value, false, NODE_SIBLING);
}

void smt_branch(struct model *model, const struct retired_branch *branch)
{
    struct smt_thread *thread = thread_of(model->smt, model->thread);

    thread->branch = room_for_one(thread->branch, sizeof(*thread->branch), &thread->branch_first,
                                  &thread->branch_end, &thread->branch_room);
    thread->branch[thread->branch_end++] = (struct smt_retired){model->time.now, *branch};
}

/* --- what is final --- */

static void emit_branches(struct smt_thread *thread, uint64_t cycle)
{
    const struct model_sink *sink = &thread->model->output.sink;

    while (thread->branch_first < thread->branch_end &&
           thread->branch[thread->branch_first].at <= cycle)
        sink->branch(sink->context, &thread->branch[thread->branch_first++].branch);
    if (thread->branch_first == thread->branch_end)
        thread->branch_first = thread->branch_end = 0;
}

/* The run that the cycle is in, or NULL: the thread was halted. *cycles becomes the number of
 * cycles in which nothing changes, at most its former value. */
static const struct smt_run *run_at(struct smt_thread *thread, uint64_t cycle, uint64_t *cycles)
{
    const struct smt_run *run;
    uint64_t until = cycle + *cycles;

    while (thread->run_first < thread->run_end &&
           thread->run[thread->run_first].start + thread->run[thread->run_first].cycles <= cycle)
        thread->run_first++;
    if (thread->branch_first < thread->branch_end &&
        thread->branch[thread->branch_first].at < until)
        until = thread->branch[thread->branch_first].at;
    if (thread->run_first == thread->run_end) {
        thread->run_first = thread->run_end = 0;
        *cycles = until - cycle;
        return NULL;
    }
    run = &thread->run[thread->run_first];
    if (run->start > cycle) {
        *cycles = (run->start < until ? run->start : until) - cycle;
        return NULL;
    }
    if (run->start + run->cycles < until)
        until = run->start + run->cycles;
    *cycles = until - cycle;
    return run;
}

/* The cycle is the other thread's: its empty slots are not this thread's. */
static void give_away(struct smt_thread *thread, const struct smt_run *run, uint16_t *value)
{
    struct model *model = thread->model;

    value[SIG_ALLOCATOR] = 0;
    for (unsigned i = 0; i < IDLE_SIGNALS; i++)
        value[of_idle_slots[i]] = 0;
    if (run->node == NODE_SIBLING || model->truth.exact[run->node] < model->p->width)
        return;
    model->truth.exact[run->node] -= model->p->width;
    model->truth.exact[NODE_SIBLING] += model->p->width;
    model->truth.waited_exact[run->node] += model->p->width;
}

/* The other thread is halted in these cycles. Cycles that were left to it stay left: the thread has
 * waited. */
static void emit_one(struct smt_thread *thread, const struct smt_run *run, uint64_t cycles)
{
    struct span span = {.cycles = cycles, .rare = true};

    memcpy(span.value, run->value, sizeof(span.value));
    if (run->idle && run->node == NODE_SIBLING)
        span.value[SIG_ALLOCATOR] = 0;
    thread->model->output.sink.span(thread->model->output.sink.context, &span);
}

/* The owner of the cycle: the thread that took slots in it, else the thread whose turn it was. */
static unsigned owner_of(const struct smt_run *const *run, uint64_t cycle)
{
    return !run[0]->idle ? 0 : !run[1]->idle ? 1 : (unsigned)(cycle % SMT_THREADS);
}

static void emit_both(struct smt *smt, const struct smt_run *const *run, uint64_t cycle)
{
    struct span span[SMT_THREADS];
    const unsigned owner = owner_of(run, cycle);

    for (unsigned i = 0; i < SMT_THREADS; i++) {
        span[i].cycles = 1;
        span[i].rare = true;
        memcpy(span[i].value, run[i]->value, sizeof(span[i].value));
        span[i].sibling = span[1 - i].value;
        span[i].value[SIG_ALONE] = 0;
        if (i != owner)
            give_away(&smt->thread[i], run[i], span[i].value);
    }
    for (unsigned i = 0; i < SMT_THREADS; i++)
        smt->thread[i].model->output.sink.span(smt->thread[i].model->output.sink.context, &span[i]);
}

/* The cycle before which all cycles of both threads are final. */
static uint64_t final_until(const struct smt *smt)
{
    uint64_t until = UINT64_MAX, last = 0;

    for (unsigned i = 0; i < SMT_THREADS; i++) {
        const struct smt_thread *thread = &smt->thread[i];

        if (thread->running && thread->model->time.now < until)
            until = thread->model->time.now;
        if (thread->model->time.now > last)
            last = thread->model->time.now;
    }
    return until < UINT64_MAX ? until : last;
}

/* The last cycles of a halted thread may still be ahead of the other thread. */
static bool still_shared(const struct smt *smt)
{
    const struct smt_thread *thread = smt->thread;

    if (thread[0].running == thread[1].running)
        return thread[0].running;
    return smt->emitted < thread[thread[0].running ? 1 : 0].model->time.now;
}

void smt_emit(struct smt *smt)
{
    const uint64_t until = final_until(smt);

    if (!smt->sharing)
        return;
    while (smt->emitted < until) {
        uint64_t cycles = until - smt->emitted;
        const struct smt_run *run[SMT_THREADS];

        for (unsigned i = 0; i < SMT_THREADS; i++)
            emit_branches(&smt->thread[i], smt->emitted);
        for (unsigned i = 0; i < SMT_THREADS; i++)
            run[i] = run_at(&smt->thread[i], smt->emitted, &cycles);
        if (run[0] != NULL && run[1] != NULL) {
            emit_both(smt, run, smt->emitted);
            cycles = 1;
        } else if (run[0] != NULL || run[1] != NULL) {
            emit_one(&smt->thread[run[0] != NULL ? 0 : 1], run[run[0] != NULL ? 0 : 1], cycles);
        }
        smt->emitted += cycles;
    }
    smt->sharing = still_shared(smt);
}
