/* Code that is flushed from all caches has to be fetched from memory, and decoded, when it runs
 * again: "the Decoded ICache is virtually included in the Instruction cache" (Intel's optimization
 * manual, "Decoded ICache"). */
#include "model_test.h"

#define TURNS 100u
#define NOPS  8u /* of the first line of a turn */

/* The first line of the turn jumps beyond four others, to an instruction that may flush it. */
static void run_turn(struct bench *bench, unsigned turn)
{
    const bool *flushes = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < NOPS; i++)
        plain(bench, NOP);
    goes(bench, CODE("\xe9\x00\x01\x00\x00"), 256);
    if (*flushes)
        reads(bench, CODE("\x0f\xae\x3b"), CODE_START); /* clflush [rbx] */
    else
        reads(bench, CODE("\x48\x8b\x03"), DATA_START); /* mov rax, [rbx] */
}

static struct figures run(bool flushes)
{
    struct figures figures;
    struct bench bench;

    begin(&bench, &skylakex_core);
    bench.argument = &flushes;
    figures = measure(&bench, run_turn, 20, TURNS);
    end(&bench);
    return figures;
}

static void code_that_is_flushed_comes_from_memory_and_is_decoded(void **state)
{
    const struct figures figures = run(true);

    (void)state;
    assert_true(figures.truth.cycles >= TURNS * skylakex_core.memory_latency);
    assert_int_equal(figures.sum[SIG_MITE_UOPS], TURNS * (NOPS + 1));
}

static void code_that_is_not_flushed_comes_from_the_uop_cache(void **state)
{
    const struct figures figures = run(false);

    (void)state;
    assert_true(figures.truth.cycles < TURNS * 10);
    assert_int_equal(figures.sum[SIG_MITE_UOPS], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_that_is_flushed_comes_from_memory_and_is_decoded),
        cmocka_unit_test(code_that_is_not_flushed_comes_from_the_uop_cache),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
