/* The loop buffer (Optimization Reference Manual, "Loop Stream Detector"): 28 uops on Nehalem
 * and on a thread of Ivy Bridge, 56 on Haswell; a microcode update switches Skylake's off. */
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

static void skylake_repeats_no_loop(void **state)
{
    (void)state;
    assert_int_equal(delivered(&skylakex_core, (struct content){8, false}).by_loop, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_that_fits_is_repeated),
        cmocka_unit_test(a_loop_of_one_uop_more_is_not_repeated),
        cmocka_unit_test(a_loop_with_microcode_is_not_repeated),
        cmocka_unit_test(skylake_repeats_no_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
