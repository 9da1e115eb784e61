/* The loop buffer (Optimization Reference Manual, "Loop Stream Detector"): 28 uops on Nehalem
 * and on a thread of Ivy Bridge, 56 on Haswell; a microcode update switches Skylake's off. How many
 * turns of a loop it holds, and that it begins anew in a cycle of its own: measured ("uiCA", A.
 * Abel and J. Reineke). */
#include "model_test.h"

extern const struct model_parameters nehalem_core, ivybridge_core, haswell_core;

#define TURNS 100u

struct content {
    unsigned nops;
    bool microcode;
};

static void run_content(struct bench *bench, unsigned turn)
{
    const struct content *content = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < content->nops; i++)
        plain(bench, NOP);
    if (content->microcode)
        plain(bench, CODE("\x0f\xa2")); /* cpuid */
}

struct delivered {
    uint64_t by_loop, by_others, retired, slots;
};

static struct delivered delivered(const struct model_parameters *core, struct content content)
{
    struct delivered out = {0};
    struct model_truth truth;
    struct bench bench;

    begin(&bench, core);
    bench.argument = &content;
    turns(&bench, run_content, 0, TURNS);
    restart(&bench);
    turns(&bench, run_content, TURNS, TURNS);
    model_drain(bench.model);
    model_truth(bench.model, &truth);
    out.by_loop = bench.sum[SIG_LSD_UOPS];
    out.by_others = bench.sum[SIG_DSB_UOPS] + bench.sum[SIG_MITE_UOPS] + bench.sum[SIG_MS_UOPS];
    out.retired = truth.uops_retired;
    for (unsigned i = 0; i < CAUSE_COUNT; i++)
        out.slots += truth.slots[i];
    assert_int_equal(out.slots, truth.cycles * core->width);
    end(&bench);
    return out;
}

static const struct {
    const struct model_parameters *core;
    unsigned holds;
} buffers[] = {{&nehalem_core, 28}, {&ivybridge_core, 28}, {&haswell_core, 56}};
#define BUFFERS (sizeof(buffers) / sizeof(*buffers))

/* DEC and JNZ at the end are one more uop. Draining the pipeline before the second interval ends
 * the repetition, and the loop is found again within a few turns. */
static void a_loop_that_fits_is_repeated(void **state)
{
    (void)state;
    for (unsigned i = 0; i < BUFFERS; i++) {
        const struct delivered got =
            delivered(buffers[i].core, (struct content){buffers[i].holds - 1, false});

        assert_int_equal(got.by_loop + got.by_others, got.retired);
        assert_true(got.by_loop >= got.retired * 9 / 10);
    }
}

/* Five uops: six turns are held, of which each delivers its own. */
static void what_is_held_is_counted_once(void **state)
{
    const struct delivered got = delivered(&haswell_core, (struct content){4, false});

    (void)state;
    assert_int_equal(got.retired, TURNS * 5);
    assert_int_equal(got.by_loop + got.by_others, got.retired);
    assert_true(got.by_loop >= got.retired * 9 / 10);
}

static void a_loop_of_one_uop_more_is_not_repeated(void **state)
{
    (void)state;
    for (unsigned i = 0; i < BUFFERS; i++) {
        const struct delivered got =
            delivered(buffers[i].core, (struct content){buffers[i].holds, false});

        assert_int_equal(got.by_loop, 0);
        assert_int_equal(got.by_others, got.retired);
    }
}

static void a_loop_with_microcode_is_not_repeated(void **state)
{
    (void)state;
    for (unsigned i = 0; i < BUFFERS; i++)
        assert_int_equal(delivered(buffers[i].core, (struct content){4, true}).by_loop, 0);
}

/* Five-byte NOPs, so that no 32 bytes of code have more uops than the uop cache keeps. */
static void run_long_nops(struct bench *bench, unsigned turn)
{
    const struct content *content = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < content->nops; i++)
        plain(bench, CODE("\x0f\x1f\x44\x00\x00"));
}

static void run_short_nops(struct bench *bench, unsigned turn)
{
    const struct content *content = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < content->nops; i++)
        plain(bench, CODE("\x90"));
}

/* A multiple of every number of turns that is held. */
#define MANY_TURNS 1200u
#define LONGEST    30u

/* That so many turns of a loop of so many uops take the cycles, once it is settled. */
static void check_cycles(const struct model_parameters *core, body *run, unsigned uops,
                         unsigned want)
{
    const struct content content = {.nops = uops - 1};
    struct bench bench;
    uint64_t begun;
    unsigned got;

    begin(&bench, core);
    bench.argument = &content;
    turns(&bench, run, 0, MANY_TURNS);
    begun = model_allocated(bench.model);
    turns(&bench, run, MANY_TURNS, MANY_TURNS);
    got = (unsigned)(model_allocated(bench.model) - begun);
    end(&bench);
    if (got != want)
        fail_msg("%s: %u turns of %u uops take %u cycles, not %u", core->name, MANY_TURNS, uops,
                 got, want);
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Turns of loops of 0, 1, 2, ... uops that the queue holds; of longer ones, one. */
static const uint8_t haswell_turns[LONGEST + 1] = {0, 8, 8, 8, 8, 6, 5, 4, 4, 3, 3, 3, 3, 2, 2,
                                                   2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
static const uint8_t icelake_turns[LONGEST + 1] = {0, 6, 6, 6, 6, 6, 6, 4, 4, 3, 3, 3, 3, 2, 2, 2,
                                                   2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
static const uint8_t cascadelake_turns[LONGEST + 1] = {0, 2, 2, 6, 6, 6, 2, 3, 3, 3, 3, 3, 3, 3, 2,
                                                       2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
static const uint8_t one_turn[LONGEST + 1];

/* Haswell: six turns of five uops are 30, which take 8 cycles; six turns, each in cycles of its
 * own, would take 12. One port takes the taken branches, one a cycle. */
static void check_held(const struct model_parameters *core, const uint8_t *turns_held)
{
    for (unsigned uops = 1; uops <= LONGEST && uops <= core->loop_uops; uops++) {
        const unsigned held = turns_held[uops] ? turns_held[uops] : 1;
        const unsigned cycles = (uops * held + core->width - 1) / core->width;

        check_cycles(core, run_long_nops, uops, larger(cycles * (MANY_TURNS / held), MANY_TURNS));
    }
}

static void a_small_loop_takes_what_is_published(void **state)
{
    (void)state;
    check_held(&haswell_core, haswell_turns);
    check_held(&ivybridge_core, one_turn);
}

/* The loop buffers of client Ice Lake and Cascade Lake, in cores that are like theirs. */
static void a_small_loop_takes_what_is_published_on_cores_that_no_personality_has(void **state)
{
    struct model_parameters core = icelakex_core;

    (void)state;
    core.loop_uops = 70;
    memcpy(core.loop_turns, icelake_turns, sizeof(core.loop_turns));
    check_held(&core, icelake_turns);
    core = skylakex_core;
    core.loop_uops = 64;
    core.jcc_erratum = false; /* so that the uop cache keeps all of these loops */
    memcpy(core.loop_turns, cascadelake_turns, sizeof(core.loop_turns));
    check_held(&core, cascadelake_turns);
}

/* What two threads leave to each of Haswell's queue, 28 entries: of five uops 5 turns, not 6, which
 * take 7 cycles. */
static void a_queue_holds_no_more_than_there_is_room_for(void **state)
{
    struct model_parameters core = haswell_core;

    (void)state;
    core.idq = 28;
    check_cycles(&core, run_long_nops, 5, MANY_TURNS / 5 * 7);
}

/* Of 20 uops in 32 bytes of code the uop cache keeps none (18 are the most). */
static void a_loop_that_the_uop_cache_lacks_is_not_repeated(void **state)
{
    struct content content = {20, false};
    struct bench bench;

    (void)state;
    begin(&bench, &haswell_core);
    bench.argument = &content;
    turns(&bench, run_short_nops, 0, TURNS);
    model_drain(bench.model);
    assert_int_equal(bench.sum[SIG_LSD_UOPS], 0);
    assert_int_equal(bench.sum[SIG_MITE_UOPS], TURNS * 21);
    end(&bench);
}

/* Without a loop buffer the uop cache delivers six uops a cycle of a loop in one window of code,
 * and nothing behind its jump in the same cycle (as above). 18 uops are what it keeps of 32 bytes.
 */
static void a_small_loop_takes_what_the_uop_cache_delivers(void **state)
{
    (void)state;
    for (unsigned uops = 1; uops <= LONGEST; uops++) {
        const unsigned cycles = (uops + 5) / 6 * MANY_TURNS;

        if (uops <= 18)
            check_cycles(&skylakex_core, run_short_nops, uops,
                         larger(cycles, uops * MANY_TURNS / 4));
        check_cycles(&icelakex_core, run_short_nops, uops, larger(cycles, uops * MANY_TURNS / 5));
    }
}

static void skylake_repeats_no_loop(void **state)
{
    (void)state;
    assert_int_equal(delivered(&skylakex_core, (struct content){8, false}).by_loop, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_that_fits_is_repeated),
        cmocka_unit_test(what_is_held_is_counted_once),
        cmocka_unit_test(a_loop_of_one_uop_more_is_not_repeated),
        cmocka_unit_test(a_loop_with_microcode_is_not_repeated),
        cmocka_unit_test(a_small_loop_takes_what_is_published),
        cmocka_unit_test(a_small_loop_takes_what_is_published_on_cores_that_no_personality_has),
        cmocka_unit_test(a_queue_holds_no_more_than_there_is_room_for),
        cmocka_unit_test(a_loop_that_the_uop_cache_lacks_is_not_repeated),
        cmocka_unit_test(a_small_loop_takes_what_the_uop_cache_delivers),
        cmocka_unit_test(skylake_repeats_no_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
