/* Branches as they are executed: each one of the right path once, before it retires; on a wrong
 * path as chance says; and only on a core whose events count them. */
#include "model_test.h"

extern const struct model_parameters nehalem_core, ivybridge_core;

#define TURNS 1000u

/* A jump that half of the turns take, and one that all of them take. */
static void run_jumps(struct bench *bench, unsigned turn)
{
    const bool taken = next_random(bench) & 1;

    (void)turn;
    plain(bench, CODE("\x48\xff\xc2"));           /* inc rdx */
    goes(bench, CODE("\x74\x04"), taken ? 4 : 0); /* jz */
    if (!taken)
        plain(bench, CODE("\x0f\x1f\x40\x00")); /* nop of four bytes */
    goes(bench, CODE("\xeb\x00"), 2);           /* jmp */
}

static void begin_jumps(struct bench *bench, const struct model_parameters *core, uint32_t wrong)
{
    begin(bench, core);
    if (wrong)
        model_wrong_paths(bench->model, wrong);
    turns(bench, run_jumps, 0, TURNS);
    model_drain(bench->model);
}

static void a_taken_branch_is_executed_once(void **state)
{
    struct bench bench;

    (void)state;
    begin_jumps(&bench, &nehalem_core, 0);
    assert_true(bench.sum[SIG_BRANCHES_TAKEN] > TURNS);
    assert_int_equal(bench.sum[SIG_TAKEN_EXECUTED], bench.sum[SIG_BRANCHES_TAKEN]);
    assert_true(bench.sum[SIG_MISPREDICTS_TAKEN] > TURNS / 10);
    assert_int_equal(bench.sum[SIG_TAKEN_MISPREDICTS_EXECUTED], bench.sum[SIG_MISPREDICTS_TAKEN]);
    end(&bench);
}

static void branches_of_a_wrong_path_are_executed_and_never_retire(void **state)
{
    struct bench bench;

    (void)state;
    begin_jumps(&bench, &nehalem_core, 7);
    assert_true(bench.sum[SIG_TAKEN_EXECUTED] > bench.sum[SIG_BRANCHES_TAKEN]);
    assert_int_equal(bench.sum[SIG_TAKEN_MISPREDICTS_EXECUTED], bench.sum[SIG_MISPREDICTS_TAKEN]);
    end(&bench);
}

static void a_core_without_such_events_keeps_no_track(void **state)
{
    struct bench bench;

    (void)state;
    begin_jumps(&bench, &ivybridge_core, 7);
    assert_true(bench.sum[SIG_BRANCHES_TAKEN] > TURNS);
    assert_int_equal(bench.sum[SIG_TAKEN_EXECUTED], 0);
    end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_taken_branch_is_executed_once),
        cmocka_unit_test(branches_of_a_wrong_path_are_executed_and_never_retire),
        cmocka_unit_test(a_core_without_such_events_keeps_no_track),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
