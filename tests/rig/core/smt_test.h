/* Two threads of a core, each with its loop. */
#ifndef TESTS_RIG_CORE_SMT_TEST_H
#define TESTS_RIG_CORE_SMT_TEST_H

#include "model_test.h"

#define THREADS 2u

struct pair {
    struct shared_cache *shared;
    struct bench thread[THREADS];
    body *run[THREADS];
    bool halted[THREADS];
    /* results of the last measurement */
    uint64_t cycles;
    double per_cycle[THREADS]; /* instructions a cycle in which the thread was not halted */
    struct model_truth truth[THREADS];
    uint64_t sum[THREADS][SIGNAL_COUNT];
};

/* In a cycle in which both threads run, the allocator serves one of them, and only this thread
 * allocates or has idle slots. */
static inline void pair_span(void *context, const struct span *span)
{
    const uint16_t *value = span->value;

    bench_span(context, span);
    assert_int_equal(value[SIG_UNHALTED], 1);
    assert_int_equal(value[SIG_ALONE], span->sibling ? 0 : 1);
    if (span->sibling == NULL)
        return;
    assert_int_equal(span->sibling[SIG_UNHALTED], 1);
    assert_int_equal(value[SIG_ALLOCATOR] + span->sibling[SIG_ALLOCATOR], 1);
    if (!value[SIG_ALLOCATOR])
        assert_int_equal(value[SIG_UOPS_ISSUED] + value[SIG_FE_UNDELIVERED] +
                             value[SIG_BE_BLOCKED] + value[SIG_RECOVERY],
                         0);
}

static inline void pair_begin(struct pair *pair, const struct model_parameters *parameters,
                              body *first, body *second)
{
    memset(pair, 0, sizeof(*pair));
    pair->shared = shared_cache_new(parameters, 4);
    assert_non_null(pair->shared);
    for (unsigned i = 0; i < THREADS; i++) {
        struct bench *bench = &pair->thread[i];

        bench->parameters = parameters;
        bench->page_shift = 30;
        bench->random = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
        bench->next_line = i * (UINT64_C(256) << 20);
        bench->shared = pair->shared;
        bench->model = model_new(
            parameters, i, pair->shared, (struct model_world){bench, bench_page_shift},
            (struct model_sink){.context = bench, .span = pair_span, .branch = bench_branch});
        assert_non_null(bench->model);
        bench->rip = CODE_START;
    }
    pair->run[0] = first;
    pair->run[1] = second;
    assert_true(model_pair(pair->thread[0].model, pair->thread[1].model));
    for (unsigned i = 0; i < THREADS; i++)
        if (pair->run[i] != NULL)
            model_running(pair->thread[i].model, true);
}

static inline void pair_end(struct pair *pair)
{
    for (unsigned i = 0; i < THREADS; i++)
        model_free(pair->thread[i].model);
    shared_cache_free(pair->shared);
}

/* The end of a turn of the loop. Bodies end their turns themselves, so that a call can be a part
 * of a turn: a thread is ahead of the other thread by at most one call. */
static inline void loop_back(struct bench *bench)
{
    uint8_t jump[6] = "\x0f\x85";
    int32_t back;

    plain(bench, CODE("\x48\xff\xcf")); /* dec rdi */
    back = (int32_t)(CODE_START - (bench->rip + sizeof(jump)));
    memcpy(jump + 2, &back, sizeof(back));
    goes(bench, jump, sizeof(jump), back); /* jnz */
}

/* As in the machine: the thread whose clock is behind gets a slice. */
static inline void pair_turn(struct pair *pair)
{
    const bool only = pair->run[1] == NULL || pair->halted[1],
               never = pair->run[0] == NULL || pair->halted[0];
    const unsigned next = only                                                                  ? 0
                          : never                                                               ? 1
                          : model_now(pair->thread[1].model) < model_now(pair->thread[0].model) ? 1
                                                                                                : 0;
    struct bench *bench = &pair->thread[next];

    pair->run[next](bench, 0);
    model_advance(bench->model);
}

/* Drains both threads; the thread that is done first sleeps until the other is done too. */
static inline void pair_settle(struct pair *pair)
{
    uint64_t now[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        model_drain(pair->thread[i].model);
        now[i] = model_now(pair->thread[i].model);
    }
    if (now[0] < now[1])
        model_idle(pair->thread[0].model, now[1] - now[0]);
    if (now[1] < now[0])
        model_idle(pair->thread[1].model, now[0] - now[1]);
}

/* Runs both threads for so many cycles and measures them. */
static inline void pair_measure(struct pair *pair, uint64_t cycles)
{
    const struct model *clock = pair->thread[0].model;
    uint64_t begun;

    pair_settle(pair);
    for (unsigned i = 0; i < THREADS; i++)
        restart(&pair->thread[i]);
    begun = model_now(clock);
    while (model_now(clock) < begun + cycles)
        pair_turn(pair);
    pair_settle(pair);
    pair->cycles = model_now(clock) - begun;
    for (unsigned i = 0; i < THREADS; i++) {
        struct bench *bench = &pair->thread[i];

        model_truth(bench->model, &pair->truth[i]);
        memcpy(pair->sum[i], bench->sum, sizeof(bench->sum));
        pair->per_cycle[i] = (double)pair->truth[i].instructions /
                             (double)(pair->truth[i].cycles ? pair->truth[i].cycles : 1);
    }
}

#endif
