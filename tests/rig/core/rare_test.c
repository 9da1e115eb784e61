/* Signals of rare instructions count as often as the instructions retire. */
#include "vector/assist.h"
#include "model_test.h"

extern const struct model_parameters haswell_core, sapphirerapids_core;

#define TURNS 100u

static void run_rare(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\x31\xd2"));         /* xor edx, edx */
    plain(bench, CODE("\xf7\xf1"));         /* div ecx */
    plain(bench, CODE("\x0f\xae\xe8"));     /* lfence */
    plain(bench, CODE("\x0f\xae\xf0"));     /* mfence: no LFENCE */
    plain(bench, CODE("\x66\x0f\xfe\xc1")); /* paddd xmm0, xmm1 */
    plain(bench, CODE("\x66\x0f\xf6\xc1")); /* psadbw xmm0, xmm1 */
    plain(bench, CODE("\x66\x0f\xef\xc1")); /* pxor xmm0, xmm1: neither adds nor subtracts */
    plain(bench, CODE("\xf3\x90"));         /* pause */
}

static void rare_instructions_are_counted_as_often_as_they_retire(void **state)
{
    static const struct model_parameters *const both[] = {&haswell_core, &sapphirerapids_core};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench bench;

        begin(&bench, both[i]);
        turns(&bench, run_rare, 0, TURNS);
        model_drain(bench.model);
        assert_int_equal(bench.sum[SIG_DIVISIONS], TURNS);
        assert_int_equal(bench.sum[SIG_LFENCES], TURNS);
        assert_int_equal(bench.sum[SIG_INTEGER_VECTORS], 2 * TURNS);
        assert_int_equal(bench.sum[SIG_PAUSES], TURNS);
        /* PAUSE takes its latency, except for the rest of the cycle in which the allocator takes
         * it. */
        assert_in_range(bench.sum[SIG_PAUSING], TURNS * (both[i]->pause_latency - 1u),
                        TURNS * (both[i]->pause_latency + 1u));
        /* Without branches, all uops that the sequencer delivers retire. */
        assert_int_equal(bench.sum[SIG_MS_UOPS_RETIRED], bench.sum[SIG_MS_UOPS]);
        end(&bench);
    }
}

/* --- assists --- */

#define DAZ 0x1fc0u
#define FTZ 0x9f80u

/* IEEE 754, by hand: 2^-1022 is the smallest normal double, 2^-126 the smallest normal single. */
static void denormal_products_need_an_assist_unless_mxcsr_flushes_them(void **state)
{
    static const struct {
        uint64_t a, b;
        bool plain, daz, ftz;
    } row[] = {
        {0x3ff0000000000000, 0x3fe8000000000000, false, false, false}, /* 1, 3/4 */
        {0x000ffffffffffffe, 0x3fe8000000000000, true, false, true},   /* a denormal factor */
        {0x0010000000000000, 0x3ff0000000000000, false, false, false}, /* 2^-1022, 1 */
        {0x0010000000000000, 0x3fe0000000000000, true, true, false},   /* and 1/2 */
        {0x0010000000000000, 0x0010000000000000, true, true, false},   /* a product of nearly 0 */
        {0x0010000000000000, 0, false, false, false},
    };
    const uint32_t small = 0x00800000, half = 0x3f000000; /* 2^-126, 1/2 */
    const uint32_t ones[4] = {0x3f800000, 0x3f800000, 0x3f800000, small};
    const uint32_t others[4] = {small, 0x3f800000, 0x3f800000, half};

    (void)state;
    for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
        assert_int_equal(assist_doubles(&row[i].a, &row[i].b, 1, 0x1f80), row[i].plain);
        assert_int_equal(assist_doubles(&row[i].b, &row[i].a, 1, DAZ), row[i].daz);
        assert_int_equal(assist_doubles(&row[i].a, &row[i].b, 1, FTZ), row[i].ftz);
    }
    assert_false(assist_singles(ones, others, 1, 0x1f80));
    assert_true(assist_singles(ones, others, 4, 0x1f80)); /* the last of them */
    assert_false(assist_singles(ones, others, 4, FTZ));
}

static void run_assisted(struct bench *bench, unsigned turn)
{
    const uint8_t *mulsd = (const uint8_t *)"\xf2\x0f\x59\xc1"; /* mulsd xmm0, xmm1 */

    (void)turn;
    for (unsigned i = 0; i < 10; i++) {
        execute(bench, &(struct executed){.bytes = mulsd, .length = 4, .assist = true});
        plain(bench, CODE("\xf2\x0f\x59\xc1"));
    }
}

/* About 160 cycles and 34 slots each (30 on Golden Cove): a clear, then the uops of the
 * sequencer, which retire. */
static void an_assist_clears_and_runs_microcode(void **state)
{
    static const struct {
        const struct model_parameters *core;
        unsigned slots;
    } row[] = {{&skylakex_core, 34}, {&icelakex_core, 34}, {&sapphirerapids_core, 30}};

    (void)state;
    for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
        struct figures figures;
        struct bench bench;

        begin(&bench, row[i].core);
        figures = measure(&bench, run_assisted, 20, TURNS);
        assert_int_equal(figures.sum[SIG_ASSISTS], 10 * TURNS);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS], 10 * TURNS);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS_SMC], 0);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS_ORDERING], 0);
        assert_int_equal(figures.sum[SIG_INSTRUCTIONS], 22 * TURNS);
        assert_int_equal(figures.sum[SIG_MS_UOPS_RETIRED], 10 * TURNS * row[i].slots);
        assert_int_equal(figures.truth.nodes[NODE_FP_ASSISTS], 10 * TURNS * row[i].slots);
        check_near("cycles", row[i].core->name, (double)figures.truth.cycles / (10 * TURNS), 150,
                   20);
        end(&bench);
    }
}

/* --- slower delivery --- */

static void run_nops(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 127; i++)
        plain(bench, NOP);
}

static uint64_t cycles_of_nops(struct bench *bench)
{
    restart(bench);
    turns(bench, run_nops, 0, TURNS);
    model_drain(bench->model);
    return model_now(bench->model) - bench->begun;
}

/* 127 NOPs and a fused pair are 128 slots, 32 cycles of four; in one cycle of four, 128. To fill
 * the pipeline and to drain it takes less than 20 cycles. */
static void a_slow_front_end_delivers_in_one_cycle_of_four(void **state)
{
    struct bench bench;
    uint64_t quick, slow, again;

    (void)state;
    begin(&bench, &haswell_core);
    turns(&bench, run_nops, 0, TURNS);
    quick = cycles_of_nops(&bench);
    model_slow(bench.model, UINT64_MAX);
    slow = cycles_of_nops(&bench);
    model_slow(bench.model, model_now(bench.model));
    again = cycles_of_nops(&bench);
    assert_in_range(quick, 32 * TURNS, 32 * TURNS + 20);
    assert_in_range(slow, 128 * TURNS, 128 * TURNS + 20);
    assert_in_range(again, 32 * TURNS, 32 * TURNS + 20);
    end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(denormal_products_need_an_assist_unless_mxcsr_flushes_them),
        cmocka_unit_test(a_slow_front_end_delivers_in_one_cycle_of_four),
        cmocka_unit_test(an_assist_clears_and_runs_microcode),
        cmocka_unit_test(rare_instructions_are_counted_as_often_as_they_retire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
