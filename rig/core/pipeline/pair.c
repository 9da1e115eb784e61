/* Instructions wait until the thread whose clock is behind takes its next one. */
#include "pair.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/cycle/smt.h"
#include "core/cycle/spans.h"
#include "account.h"
#include "back.h"
#include "dsb.h"
#include "period.h"

static struct smt_thread *thread_of(struct smt *smt, unsigned thread)
{
    return &smt->thread[thread];
}

static struct smt_thread *other_of(struct smt *smt, unsigned thread)
{
    return &smt->thread[1 - thread];
}

/* The buffers are divided between two threads that run, and whole for one thread alone ("Intel
 * Hyper-Threading Technology": re-order, load and store buffers and the uop queue). The uop cache
 * is divided too: X. Ren et al., "I See Dead uops", ISCA 2021, section III. */
static void divide(struct model *model, unsigned threads)
{
    const struct model_parameters *p = model->p;

    model->window.rob = p->rob / threads;
    model->loads.room = p->load_buffer / threads;
    model->stores.room = p->store_buffer / threads;
    model->queue.room = p->idq / threads;
    dsb_divide(model->p, &model->front, threads);
}

static void take_next(struct smt_thread *thread)
{
    struct smt_waiting *waiting = &thread->waiting[thread->first];
    const struct model_follower *follower = &thread->follower;

    thread->first = (thread->first + 1) % SMT_QUEUE;
    thread->count--;
    waiting->executed.bytes = waiting->bytes;
    memory_select(thread->model->memory, thread->model->translations);
    if (follower->before != NULL)
        follower->before(follower->context);
    account(thread->model, &waiting->executed);
    if (follower->after != NULL)
        follower->after(follower->context, &waiting->executed);
}

/* Accounts for this thread's waiting instructions, wherever the other thread is. */
static void account_waiting(struct smt *smt, unsigned thread)
{
    while (thread_of(smt, thread)->count > 0)
        take_next(thread_of(smt, thread));
}

static void keep(struct smt_waiting *waiting, const struct executed *executed)
{
    const size_t used =
        offsetof(struct executed, access) + executed->accesses * sizeof(*executed->access);

    memcpy(&waiting->executed, executed, used);
    if (executed->kept != NULL) { /* then all of them can be read */
        memcpy(waiting->bytes, executed->bytes, INSTRUCTION_ROOM);
        return;
    }
    memset(waiting->bytes, 0, INSTRUCTION_ROOM);
    memcpy(waiting->bytes, executed->bytes,
           executed->length < INSTRUCTION_ROOM ? executed->length : INSTRUCTION_ROOM);
}

bool model_puts_aside(const struct model *model)
{
    return model->smt != NULL && smt_both_run(model->smt);
}

void model_follow(struct model *model, struct model_follower follower)
{
    if (model->smt != NULL)
        thread_of(model->smt, model->thread)->follower = follower;
}

bool pair_put_aside(struct model *model, const struct executed *executed)
{
    struct smt_thread *thread = thread_of(model->smt, model->thread);
    struct smt_waiting *waiting;

    if (!model_puts_aside(model)) {
        account_waiting(model->smt, model->thread);
        if (model->smt->sharing)
            smt_emit(
                model->smt); /* a thread may run alone for long: the log must not grow with it */
        memory_select(model->memory, model->translations);
        return false;
    }
    if (thread->count == SMT_QUEUE)
        take_next(thread);
    waiting = &thread->waiting[(thread->first + thread->count++) % SMT_QUEUE];
    keep(waiting, executed);
    return true;
}

/* The thread whose clock is behind; of two equal clocks the thread whose turn the cycle is, unless
 * no instruction of it waits. */
static struct smt_thread *behind(struct smt *smt)
{
    struct smt_thread *first = &smt->thread[0], *second = &smt->thread[1];

    if (first->model->time.now != second->model->time.now)
        return first->model->time.now < second->model->time.now ? first : second;
    if (first->model->time.now % SMT_THREADS == 0)
        return first->count > 0 ? first : second;
    return second->count > 0 ? second : first;
}

/* Accounts for the waiting instructions of both threads as far as they can be in step, and passes
 * on the cycles that are final. */
static void advance(struct smt *smt)
{
    struct smt_thread *next;

    while (smt_both_run(smt) && (next = behind(smt))->count > 0)
        take_next(next);
    smt_emit(smt);
}

void model_running(struct model *model, bool running)
{
    struct smt *smt = model->smt;
    struct smt_thread *thread, *other;

    if (smt == NULL || thread_of(model->smt, model->thread)->running == running)
        return;
    thread = thread_of(model->smt, model->thread);
    other = other_of(model->smt, model->thread);
    advance(smt);
    account_waiting(model->smt, model->thread);
    if (running && other->model->time.now > model->time.now) {
        back_drain(model);
        smt_emit(smt);
        back_idle(model->p, &model->front, &model->time, other->model->time.now - model->time.now);
        smt_emit(smt);
    }
    thread->running = running;
    for (unsigned i = 0; i < SMT_THREADS; i++)
        divide(smt->thread[i].model, smt_both_run(smt) ? 2 : 1);
    if (smt_both_run(smt) && !smt->sharing) {
        smt->sharing = true;
        smt->emitted =
            model->time.now < other->model->time.now ? model->time.now : other->model->time.now;
        for (unsigned i = 0; i < SMT_THREADS; i++)
            span_flush(&smt->thread[i].model->output);
    }
    smt_emit(smt);
}

void model_sync(struct model *model)
{
    if (model->smt != NULL)
        account_waiting(model->smt, model->thread);
}

void model_advance(struct model *model)
{
    if (model->smt != NULL)
        advance(model->smt);
}

bool model_must_wait(struct model *model)
{
    if (!model_puts_aside(model))
        return false;
    advance(model->smt);
    if (thread_of(model->smt, model->thread)->count > 0)
        return true;
    model_drain(model);
    return other_of(model->smt, model->thread)->model->time.now < model->time.now;
}

bool model_slice_over(const struct model *model, uint64_t limit)
{
    if (model_puts_aside(model))
        return model->smt->thread[model->thread].count >= SMT_ENOUGH ||
               model->time.now > model->smt->thread[1 - model->thread].model->time.now + SMT_AHEAD;
    return model->time.now + period_ahead(&model->skipping) >= limit;
}

bool model_is_sibling(const struct model *model, const struct model *other)
{
    return model->smt != NULL && model->smt == other->smt;
}

/* --- life --- */

static void free_parts(struct smt_thread *thread)
{
    free(thread->waiting);
    free(thread->run);
    free(thread->branch);
    thread->model = NULL;
}

static bool thread_new(struct smt_thread *thread, struct model *model)
{
    thread->model = model;
    thread->waiting = calloc(SMT_QUEUE, sizeof(*thread->waiting));
    thread->run_room = thread->branch_room = SMT_RUNS;
    thread->run = calloc(SMT_RUNS, sizeof(*thread->run));
    thread->branch = calloc(SMT_RUNS, sizeof(*thread->branch));
    return thread->waiting != NULL && thread->run != NULL && thread->branch != NULL;
}

bool model_pair(struct model *first, struct model *second)
{
    struct smt *smt = calloc(1, sizeof(*smt));
    bool made =
        smt != NULL && thread_new(&smt->thread[0], first) && thread_new(&smt->thread[1], second);

    if (made)
        smt->ledger = calloc(SMT_LEDGER, sizeof(*smt->ledger));
    if (!made || smt->ledger == NULL) {
        for (unsigned i = 0; smt != NULL && i < SMT_THREADS; i++)
            free_parts(&smt->thread[i]);
        free(smt);
        return false;
    }
    period_free(first->memory, &first->skipping);
    period_free(second->memory, &second->skipping);
    first->smt = second->smt = smt;
    second->thread = 1;
    memory_pair(second->memory);
    second->memory = first->memory;
    return true;
}

void pair_free(struct model *model)
{
    struct smt *smt = model->smt;

    model->memory = model->translations;
    model->smt = NULL;
    free_parts(&smt->thread[model->thread]);
    if (smt->thread[1 - model->thread].model != NULL)
        return;
    free(smt->ledger);
    free(smt);
}
