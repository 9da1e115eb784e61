/* A core for the model's tests: hand-assembled instructions in a loop, measured once the loop is
 * steady. Every measurement also checks what must hold for any code: causes fill all slots,
 * spans agree with the truth, and the level-1 formulas over the spans agree with the truth. */
#ifndef TESTS_RIG_CORE_MODEL_TEST_H
#define TESTS_RIG_CORE_MODEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/model.h"
#include "core/parameters.h"

#define CODE_START UINT64_C(0x400000)
#define DATA_START UINT64_C(0x10000000)
#define LINE       64u
#define KIB        1024u
#define MIB        (1024u * 1024u)
#define LEVEL1_OFF 0.02 /* of all slots: how far a formula may be from the truth */

/* The bytes of an instruction, and their number. */
#define CODE(bytes) (const uint8_t *)(bytes), (uint8_t)(sizeof(bytes) - 1)

#define NOP CODE("\x0f\x1f\x40\x00") /* nop [rax+0] */

extern const struct model_parameters skylakex_core, icelakex_core;

static const struct model_parameters *const cores[] = {&skylakex_core, &icelakex_core};
#define CORES (sizeof(cores) / sizeof(*cores))

struct figures { /* differences between two measurements */
    struct model_truth truth;
    uint64_t sum[SIGNAL_COUNT];
    uint64_t any[SIGNAL_COUNT];  /* cycles in which the signal was not 0 (a counter mask of 1) */
    uint64_t wide[SIGNAL_COUNT]; /* cycles in which it was at least the width */
    uint64_t rise[SIGNAL_COUNT]; /* in which it was not 0 after one in which it was: with edge
                                    detection */
};

struct bench {
    const struct model_parameters *parameters;
    struct shared_cache *shared;
    struct model *model;
    unsigned page_shift;
    const void *argument; /* for the body */
    uint64_t rip, random, next_line;
    uint64_t order_slack; /* cycles whose order is free */
    uint64_t begun;       /* model_now at the last reset */
    uint64_t sum[SIGNAL_COUNT], any[SIGNAL_COUNT], wide[SIGNAL_COUNT], rise[SIGNAL_COUNT];
    uint16_t last[SPAN_VALUES];                           /* values of the last cycle */
    uint64_t branches, taken, mispredicted, branch_cycle; /* as reported to the sink */
};

/* One turn of the loop, from CODE_START; the branch back is not part of it. */
typedef void body(struct bench *bench, unsigned turn);

static inline unsigned bench_page_shift(void *context, uint64_t address)
{
    const struct bench *bench = context;

    (void)address;
    return bench->page_shift;
}

static inline void bench_value(struct bench *bench, const struct span *span, unsigned i)
{
    bench->sum[i] += span->cycles * span->value[i];
    bench->any[i] += span->value[i] ? span->cycles : 0;
    bench->wide[i] += span->value[i] >= bench->parameters->width ? span->cycles : 0;
    bench->rise[i] += span->value[i] && !bench->last[i];
    bench->last[i] = span->value[i];
}

/* Whether the four signals from `i` on are 0, and were 0 in the cycle before. */
static inline bool bench_quiet(const struct bench *bench, const struct span *span, unsigned i)
{
    uint64_t now, before;

    memcpy(&now, &span->value[i], sizeof(now));
    memcpy(&before, &bench->last[i], sizeof(before));
    return (now | before) == 0;
}

static inline void bench_span(void *context, const struct span *span)
{
    struct bench *bench = context;
    uint64_t rare = 0;

    assert_true(span->cycles >= 1);
    for (unsigned i = COMMON_VALUES; i < SPAN_VALUES && !span->rare; i++)
        rare |= span->value[i];
    assert_int_equal(rare, 0);
    for (unsigned i = 0; i < SIGNAL_COUNT; i += 4) {
        if (bench_quiet(bench, span, i))
            continue;
        for (unsigned j = i; j < i + 4 && j < SIGNAL_COUNT; j++)
            bench_value(bench, span, j);
    }
}

static inline void bench_branch(void *context, const struct retired_branch *branch)
{
    struct bench *bench = context;

    assert_true(branch->cycle >= bench->branch_cycle);
    bench->branch_cycle = branch->cycle;
    bench->branches++;
    bench->taken += branch->taken && branch->kind != BRANCH_FAR;
    bench->mispredicted += branch->mispredicted;
}

/* The sink of a core beside the one that is measured. */
static inline void ignore_span(void *context, const struct span *span)
{
    (void)context;
    (void)span;
}

static inline void ignore_branch(void *context, const struct retired_branch *branch)
{
    (void)context;
    (void)branch;
}

static inline uint64_t bench_order_slack(void *context)
{
    const struct bench *bench = context;

    return bench->order_slack;
}

static inline void begin(struct bench *bench, const struct model_parameters *parameters)
{
    memset(bench, 0, sizeof(*bench));
    bench->parameters = parameters;
    bench->page_shift = 30;
    bench->random = UINT64_C(0x9e3779b97f4a7c15);
    bench->shared = shared_cache_new(parameters, 4);
    assert_non_null(bench->shared);
    bench->model =
        model_new(parameters, 0, bench->shared, (struct model_world){bench, bench_page_shift},
                  (struct model_sink){.context = bench,
                                      .span = bench_span,
                                      .branch = bench_branch,
                                      .order_slack = bench_order_slack});
    assert_non_null(bench->model);
    bench->rip = CODE_START;
}

static inline void end(struct bench *bench)
{
    model_free(bench->model);
    shared_cache_free(bench->shared);
}

/* xorshift64: the same pseudo-random numbers in every run. */
static inline uint64_t next_random(struct bench *bench)
{
    bench->random ^= bench->random << 13;
    bench->random ^= bench->random >> 7;
    bench->random ^= bench->random << 17;
    return bench->random;
}

/* --- instructions --- */

static inline void execute(struct bench *bench, struct executed *executed)
{
    executed->rip = bench->rip;
    if (executed->next == 0)
        executed->next = bench->rip + executed->length;
    model_execute(bench->model, executed);
    bench->rip = executed->next;
}

static inline void plain(struct bench *bench, const uint8_t *bytes, uint8_t length)
{
    execute(bench, &(struct executed){.bytes = bytes, .length = length});
}

static inline void reads(struct bench *bench, const uint8_t *bytes, uint8_t length,
                         uint64_t address)
{
    execute(bench,
            &(struct executed){
                .bytes = bytes, .length = length, .accesses = 1, .access = {{address, 8, false}}});
}

static inline void writes(struct bench *bench, const uint8_t *bytes, uint8_t length,
                          uint64_t address)
{
    execute(bench,
            &(struct executed){
                .bytes = bytes, .length = length, .accesses = 1, .access = {{address, 8, true}}});
}

/* Reads and then writes. */
static inline void modifies(struct bench *bench, const uint8_t *bytes, uint8_t length,
                            uint64_t address)
{
    execute(bench, &(struct executed){.bytes = bytes,
                                      .length = length,
                                      .accesses = 2,
                                      .access = {{address, 8, false}, {address, 8, true}}});
}

/* A branch whose target is `distance` bytes beyond its end. */
static inline void goes(struct bench *bench, const uint8_t *bytes, uint8_t length, int64_t distance)
{
    execute(bench, &(struct executed){.bytes = bytes,
                                      .length = length,
                                      .next = bench->rip + length + (uint64_t)distance});
}

/* --- measurement --- */

static inline void turns(struct bench *bench, body *run, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int32_t back;
        uint8_t jump[6] = "\x0f\x85";

        run(bench, first + i);
        plain(bench, CODE("\x48\xff\xcf")); /* dec rdi */
        back = (int32_t)(CODE_START - (bench->rip + sizeof(jump)));
        memcpy(jump + 2, &back, sizeof(back));
        goes(bench, jump, sizeof(jump), back); /* jnz */
    }
}

static inline void check_near(const char *claim, const char *core, double got, double want,
                              double off)
{
    if (got < want - off || got > want + off)
        fail_msg("%s, %s: %.4f, not %.4f within %.4f", claim, core, got, want, off);
}

static inline double share(const struct bench *bench, double slots, const struct model_truth *truth)
{
    return slots / ((double)bench->parameters->width * (double)truth->cycles);
}

/* The published level-1 formulas: Skylake's formula gives the rest to the back end, Ice Lake's and
 * the E cores' to bad speculation. */
static inline void check_level1(const struct bench *bench, const struct model_truth *truth)
{
    const double width = bench->parameters->width;
    const bool small = bench->parameters->refill_is_bad;
    const double frontend = share(
        bench,
        (double)(bench->sum[SIG_FE_UNDELIVERED] - (small ? bench->sum[SIG_SLOTS_REFILLING] : 0)),
        truth);
    const double retiring = share(bench, (double)bench->sum[SIG_UOPS_RETIRED], truth);
    const char *core = bench->parameters->name;
    const uint64_t *slots = truth->slots;
    double bad, backend;

    if (strcmp(bench->parameters->name, skylakex_core.name) == 0) {
        bad = share(bench,
                    (double)bench->sum[SIG_UOPS_ISSUED] - (double)bench->sum[SIG_UOPS_RETIRED] +
                        width * (double)bench->sum[SIG_RECOVERY],
                    truth);
        backend = 1 - frontend - bad - retiring;
    } else {
        backend = share(bench,
                        (double)bench->sum[SIG_BE_BLOCKED] +
                            (small ? 0 : width * (double)bench->sum[SIG_CLEARS]),
                        truth);
        bad = 1 - frontend - backend - retiring;
    }
    check_near(
        "frontend bound", core, frontend,
        share(bench, (double)(slots[CAUSE_FETCH_LATENCY] + slots[CAUSE_FETCH_BANDWIDTH]), truth),
        LEVEL1_OFF);
    check_near("bad speculation", core, bad,
               share(bench, (double)(slots[CAUSE_BRANCH_MISPREDICTS] + slots[CAUSE_MACHINE_CLEARS]),
                     truth),
               LEVEL1_OFF);
    check_near("retiring", core, retiring,
               share(bench, (double)(slots[CAUSE_LIGHT_OPERATIONS] + slots[CAUSE_HEAVY_OPERATIONS]),
                     truth),
               LEVEL1_OFF);
    check_near("backend bound", core, backend,
               share(bench, (double)(slots[CAUSE_MEMORY_BOUND] + slots[CAUSE_CORE_BOUND]), truth),
               LEVEL1_OFF);
}

/* Signals that must be equal, or of which one is a part of the other. */
static inline void check_signals(const struct bench *bench, const struct model_truth *truth)
{
    const uint64_t *sum = bench->sum;
    uint64_t ports = 0;

    for (unsigned i = SIG_PORT_0; i <= SIG_PORT_9; i++)
        ports += sum[i];
    if (bench->parameters->ports <= 10 && bench->parameters->ideal == 0)
        assert_int_equal(ports, sum[SIG_UOPS_EXECUTED] + sum[SIG_SPLIT_LOADS]);
    assert_true(sum[SIG_STALL_MEM_ANY] <= sum[SIG_CYCLES_MEM_ANY]);
    assert_true(sum[SIG_STALL_L1D_MISS] <= sum[SIG_CYCLES_L1D_MISS]);
    assert_true(sum[SIG_CYCLES_L1D_MISS] <= sum[SIG_CYCLES_MEM_ANY]);
    assert_true(sum[SIG_CYCLES_L3_MISS] <= sum[SIG_CYCLES_L2_MISS]);
    assert_true(sum[SIG_L1D_PENDING] <= truth->cycles * bench->parameters->fill_buffers);
    assert_true(sum[SIG_READS_OUTSTANDING] <= sum[SIG_L1D_PENDING]);
    assert_true(sum[SIG_LOAD_WALKS_ACTIVE] + sum[SIG_STORE_WALKS_ACTIVE] <=
                truth->cycles * bench->parameters->walkers);
    assert_true(sum[SIG_L1D_LOCKED] <= truth->cycles);
    assert_true(sum[SIG_FP_DIVIDER_ACTIVE] <= sum[SIG_DIVIDER_ACTIVE]);
    assert_true(sum[SIG_X87_EXECUTED] <= sum[SIG_UOPS_EXECUTED]);
}

/* For all cycles since the last reset, with the pipeline drained. */
static inline void check_invariants(const struct bench *bench, const struct model_truth *truth)
{
    const uint64_t *sum = bench->sum;
    const bool refill_is_bad = bench->parameters->refill_is_bad;
    uint64_t slots = 0, leaves = 0, cycles = 0;

    for (unsigned i = 0; i < CAUSE_COUNT; i++)
        slots += truth->slots[i];
    assert_int_equal(slots, truth->cycles * bench->parameters->width);
    for (unsigned i = 0; i < CYCLE_KIND_COUNT; i++)
        cycles += truth->kinds[i];
    assert_int_equal(cycles, truth->cycles);
    assert_int_equal(sum[SIG_EXE_1_PORT], truth->kinds[CYCLES_ONE]);
    assert_int_equal(sum[SIG_EXE_2_PORTS], truth->kinds[CYCLES_TWO]);
    for (unsigned i = 0; i < NODE_COUNT; i++) {
        leaves += truth->exact[i];
        assert_true(truth->nodes[i] <= slots);
        assert_true(truth->nodes[i] == 0 || model_has_node(bench->model, (enum truth_node)i));
    }
    assert_int_equal(leaves, slots);
    assert_int_equal(truth->cycles, model_now(bench->model) - bench->begun);
    assert_int_equal(sum[SIG_UNHALTED], truth->cycles);
    assert_int_equal(sum[SIG_INSTRUCTIONS], truth->instructions);
    assert_int_equal(sum[SIG_UOPS_ISSUED], truth->uops_issued);
    assert_int_equal(sum[SIG_UOPS_RETIRED], truth->uops_retired);
    assert_int_equal(sum[SIG_BRANCHES], truth->branches);
    assert_int_equal(sum[SIG_MISPREDICTS], truth->mispredicts);
    assert_int_equal(sum[SIG_LOADS], truth->loads);
    assert_int_equal(sum[SIG_STORES], truth->stores);
    assert_int_equal(bench->branches, truth->branches);
    assert_int_equal(bench->taken, truth->taken);
    assert_int_equal(bench->mispredicted, truth->mispredicts);
    assert_int_equal(truth->slots[CAUSE_LIGHT_OPERATIONS] + truth->slots[CAUSE_HEAVY_OPERATIONS],
                     truth->uops_retired);
    assert_int_equal(sum[SIG_SLOTS_HEAVY], truth->slots[CAUSE_HEAVY_OPERATIONS]);
    assert_int_equal(sum[SIG_SLOTS_MISPREDICT] +
                         (refill_is_bad ? sum[SIG_SLOTS_REFILLING_BRANCH] : 0),
                     truth->slots[CAUSE_BRANCH_MISPREDICTS]);
    assert_true(sum[SIG_FE_LATENCY_SLOTS] >= truth->slots[CAUSE_FETCH_LATENCY]);
    assert_true(sum[SIG_FE_LATENCY_SLOTS] - (refill_is_bad ? sum[SIG_SLOTS_REFILLING] : 0) <=
                truth->slots[CAUSE_FETCH_LATENCY]);
    assert_int_equal(sum[SIG_BE_MEMORY_SLOTS], truth->slots[CAUSE_MEMORY_BOUND]);
    /* the renamer adds the blends */
    assert_int_equal(sum[SIG_DSB_UOPS] + sum[SIG_MITE_UOPS] + sum[SIG_MS_UOPS] + sum[SIG_LSD_UOPS] +
                         sum[SIG_BLENDS],
                     truth->uops_retired);
    assert_true(sum[SIG_LOADS_L1_HIT] + sum[SIG_LOADS_L1_MISS] + sum[SIG_LOADS_FB_HIT] <=
                truth->loads);
    assert_int_equal(sum[SIG_LOADS_L1_MISS],
                     sum[SIG_LOADS_L2_HIT] + sum[SIG_LOADS_L3_HIT] + sum[SIG_LOADS_L3_MISS]);
    assert_true(sum[SIG_STALL_L3_MISS] <= sum[SIG_STALL_L2_MISS]);
    assert_true(sum[SIG_STALL_L2_MISS] <= sum[SIG_STALL_L1D_MISS]);
    assert_true(sum[SIG_STALL_L1D_MISS] <= sum[SIG_STALL_MEM_ANY]);
    assert_true(sum[SIG_STALL_MEM_ANY] <= sum[SIG_STALL_TOTAL]);
    check_level1(bench, truth);
    check_signals(bench, truth);
}

static inline void restart(struct bench *bench)
{
    model_drain(bench->model);
    model_truth_reset(bench->model);
    memset(bench->sum, 0, sizeof(bench->sum));
    memset(bench->any, 0, sizeof(bench->any));
    memset(bench->wide, 0, sizeof(bench->wide));
    memset(bench->rise, 0, sizeof(bench->rise));
    bench->branches = bench->taken = bench->mispredicted = 0;
    bench->begun = model_now(bench->model);
}

static inline void stop(struct bench *bench, struct figures *figures)
{
    model_drain(bench->model);
    model_truth(bench->model, &figures->truth);
    memcpy(figures->sum, bench->sum, sizeof(figures->sum));
    memcpy(figures->any, bench->any, sizeof(figures->any));
    memcpy(figures->wide, bench->wide, sizeof(figures->wide));
    memcpy(figures->rise, bench->rise, sizeof(figures->rise));
    check_invariants(bench, &figures->truth);
}

/* What `count` turns of the steady loop add: the difference between a run of twice as many turns
 * and a run of `count` turns. */
static inline struct figures measure(struct bench *bench, body *run, unsigned warm, unsigned count)
{
    struct figures once, twice;
    uint64_t *less = (uint64_t *)&once, *all = (uint64_t *)&twice;

    turns(bench, run, 0, warm);
    restart(bench);
    turns(bench, run, warm, count);
    stop(bench, &once);
    restart(bench);
    turns(bench, run, warm + count, 2 * count);
    stop(bench, &twice);
    for (unsigned i = 0; i < sizeof(once) / sizeof(*less); i++)
        all[i] -= less[i];
    return twice;
}

#endif
