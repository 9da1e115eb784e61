/* Verdicts on recordings: of a kernel of three steps, with a stack of four records. */
#include "pmu/kinds/kinds.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/experiment/branches/verdict_recording.h"
#include "kernels/kernel_map.h"

static const char code[64];
static const char after_window[1];

static const struct kernel_step steps[] = {{code + 1, code + 10, MAP_JUMP},
                                           {code + 12, code + 14, MAP_CALL},
                                           {code + 16, code, MAP_CONDITIONAL}};
static const struct kernel_step leaves = {code + 15, code + 20, MAP_CONDITIONAL};
static const struct kernel_step stacked[] = {{code + 1, code + 10, MAP_CALL},
                                             {code + 12, code, MAP_CALL_INDIRECT}};

static struct kernel kernel;
static struct experiment experiment;
static struct description description;
static struct trial trial;

static int set_up(void **state)
{
    (void)state;
    kernel = (struct kernel){.name = "lbr.test",
                             .steps = steps,
                             .step_count = 3,
                             .leaves = &leaves,
                             .stacked = stacked,
                             .stacked_count = 2};
    memcpy(&kernel.code, &(const char *const){code}, sizeof(kernel.code));
    experiment = (struct experiment){.kernel = &kernel};
    memset(&description, 0, sizeof(description));
    description.lbr = kinds_lbr((struct slice){"skylake32", 9});
    trial = (struct trial){.experiment = &experiment, .description = &description};
    return 0;
}

static struct lbr_entry entry(const void *from, const void *to, unsigned type)
{
    return (struct lbr_entry){
        .from = (uint64_t)(uintptr_t)from, .to = (uint64_t)(uintptr_t)to, .type = (uint8_t)type};
}

/* The newest four branches of a run: the RET, the way out, the call, the jump. */
static struct recording recording_of(const struct recording_way *way)
{
    struct recording recording = {.way = way, .taken = true, .depth = 4, .stack.count = 4};

    recording.types_recorded = LBR_EVERY_TYPE;
    recording.stack.entries[0] = entry(code + 20, after_window, LBR_RETURN);
    recording.stack.entries[1] = entry(code + 15, code + 20, LBR_CONDITIONAL);
    recording.stack.entries[2] = entry(code + 12, code + 14, LBR_CALL);
    recording.stack.entries[3] = entry(code + 1, code + 10, LBR_JUMP);
    return recording;
}

static struct verdict judge(const struct recording *recording)
{
    struct verdict verdict;

    verdict_recording(&verdict, &trial, recording, "not recorded", after_window);
    return verdict;
}

static void assert_fails(const struct recording *recording, const char *why)
{
    struct verdict verdict = judge(recording);

    assert_int_equal(verdict.outcome, VERDICT_FAIL);
    assert_non_null(strstr(verdict.text, why));
}

static void assert_skips(const struct recording *recording, const char *reason)
{
    struct verdict verdict = judge(recording);

    assert_int_equal(verdict.outcome, VERDICT_SKIP);
    assert_string_equal(verdict.reason, reason);
}

static void each_record_is_held_against_the_branch_that_it_should_be(void **state)
{
    const struct recording_way way = {"every branch", RECORDING_LAST, {0}};
    struct recording recording = recording_of(&way);
    struct verdict verdict = judge(&recording);

    (void)state;
    assert_int_equal(verdict.outcome, VERDICT_PASS);
    assert_string_equal(verdict.text, "core 0 lbr.test branch records, every branch: all are known "
                                      "branches");
    recording.stack.entries[2].to++;
    assert_fails(&recording,
                 ", record 2 is code+12 to code+15 (call), not code+12 to code+14 (call)");
    recording = recording_of(&way);
    recording.stack.entries[3].type = LBR_CALL;
    assert_fails(&recording, "(call), not code+1 to code+10 (jump)");
    recording.stack.entries[3].type = LBR_TYPE_UNKNOWN; /* no type is not a wrong type */
    assert_int_equal(judge(&recording).outcome, VERDICT_PASS);
    recording.stack.entries[0].to++;
    assert_fails(&recording, "record 0 is");
    recording = recording_of(&way);
    recording.stack.count = 3;
    assert_fails(&recording, ", 3 records hold a branch");
}

static void a_filter_leaves_the_branches_of_its_kind(void **state)
{
    const struct recording_way way = {"jumps alone", RECORDING_LAST, {.types = 1u << LBR_JUMP}};
    struct recording recording = recording_of(&way);

    (void)state;
    recording.types_recorded = 1u << LBR_JUMP;
    assert_fails(&recording, "record 0 is code+20");
    for (unsigned i = 0; i < 4; i++)
        recording.stack.entries[i] = entry(code + 1, code + 10, LBR_JUMP);
    assert_int_equal(judge(&recording).outcome, VERDICT_PASS);
}

static void a_stack_for_other_rings_is_empty(void **state)
{
    const struct recording_way way = {"other rings alone", RECORDING_NOTHING, {.user_only = true}};
    struct recording recording = recording_of(&way);

    (void)state;
    assert_fails(&recording, ", 4 records hold a branch");
    recording.stack.count = 0;
    assert_int_equal(judge(&recording).outcome, VERDICT_PASS);
}

/* The last RET has taken one of the four away. */
static void open_calls_are_the_ring_without_the_newest(void **state)
{
    const struct recording_way way = {"open calls", RECORDING_OPEN_CALLS, {.call_stack = true}};
    struct recording recording = recording_of(&way);

    (void)state;
    recording.stack.count = 3;
    recording.stack.entries[0] = entry(code + 1, code + 10, LBR_TYPE_UNKNOWN);
    recording.stack.entries[1] = entry(code + 12, code, LBR_TYPE_UNKNOWN);
    recording.stack.entries[2] = entry(code + 1, code + 10, LBR_TYPE_UNKNOWN);
    assert_int_equal(judge(&recording).outcome, VERDICT_PASS);
    recording.stack.entries[1] = recording.stack.entries[0];
    assert_fails(&recording, "record 1 is code+1");
    recording.stack.count = 4;
    assert_fails(&recording, "4 records hold a branch");
}

static void a_frozen_stack_holds_branches_from_the_midst_of_the_run(void **state)
{
    const struct recording_way way = {"frozen", RECORDING_FROZEN, {.freeze_on_pmi = true}};
    struct recording recording = recording_of(&way);

    (void)state;
    assert_fails(&recording, ", the stack did not freeze");
    description.lbr = kinds_lbr((struct slice){"nehalem16", 9});
    assert_skips(&recording, "the stack did not freeze: no PMI is delivered to the core");
    recording.frozen = true;
    assert_fails(&recording, "record 0 is code+20");
    recording.stack.entries[0] = entry(code + 12, code + 14, LBR_CALL);
    recording.stack.entries[1] = entry(code + 1, code + 10, LBR_JUMP);
    recording.stack.entries[2] = entry(code + 16, code, LBR_CONDITIONAL);
    recording.stack.entries[3] = entry(code + 12, code + 14, LBR_CALL);
    assert_int_equal(judge(&recording).outcome, VERDICT_PASS);
    recording.stack.entries[3] = recording.stack.entries[2];
    assert_fails(&recording, "record 3 is code+16");
}

static void flags_are_as_many_as_mispredictions_counted(void **state)
{
    const struct recording_way way = {"mispredicted branches", RECORDING_MISPREDICTED, {0}};
    struct recording recording = recording_of(&way);

    (void)state;
    assert_skips(&recording, "this CPU's LBR does not record mispredictions");
    recording.flags = true;
    assert_skips(&recording, "4 records do not hold a run of one iteration");
    recording.whole = true;
    recording.flagged = 6;
    recording.counted = 7;
    assert_fails(&recording, ": as many as counted, 6 records, 7 counted");
    recording.counted = 6;
    assert_int_equal(judge(&recording).outcome, VERDICT_PASS);
}

static void what_was_not_recorded_is_a_skip_with_its_reason(void **state)
{
    const struct recording_way way = {"every branch", RECORDING_LAST, {0}};
    struct recording recording = recording_of(&way);

    (void)state;
    recording.taken = false;
    assert_skips(&recording, "not recorded");
    recording.missing = "this CPU's LBR has no filter by kind of branch";
    assert_skips(&recording, "this CPU's LBR has no filter by kind of branch");
    trial.blocked = "no counters";
    assert_skips(&recording, "no counters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_record_is_held_against_the_branch_that_it_should_be, set_up),
        cmocka_unit_test_setup(a_filter_leaves_the_branches_of_its_kind, set_up),
        cmocka_unit_test_setup(a_stack_for_other_rings_is_empty, set_up),
        cmocka_unit_test_setup(open_calls_are_the_ring_without_the_newest, set_up),
        cmocka_unit_test_setup(a_frozen_stack_holds_branches_from_the_midst_of_the_run, set_up),
        cmocka_unit_test_setup(flags_are_as_many_as_mispredictions_counted, set_up),
        cmocka_unit_test_setup(what_was_not_recorded_is_a_skip_with_its_reason, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
