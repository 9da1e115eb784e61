/* What records say of a loop whose causes are known: each broken promise is seen. The loop has
 * three instructions: a load, DEC RDI, and a branch back. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/experiment/pebs/pebs_tally.h"

#define RECORD 200 /* format 3 */
#define ARENA  0x100000

static const uint8_t code[16];
static const struct kernel_cause loop[] = {
    {code + 1, NULL, CAUSE_LOAD, 64, 72},
    {code + 4, NULL, CAUSE_COUNTED, 0, 0},
    {code + 7, code + 1, CAUSE_BRANCH | CAUSE_COUNTED, 0, 0},
};
static const struct kernel_causes causes = {"test", loop, 3, 0};

static uint8_t buffer[16 * RECORD];
static unsigned records;

static void put(unsigned offset, uint64_t value)
{
    memcpy(buffer + records * RECORD + offset, &value, sizeof(value));
}

/* A record of instruction `index`, after which rdi holds `left`. */
static void add(unsigned index, uint64_t left)
{
    put(0x38, left);
    put(0x90, 1);
    put(0x98, ARENA + 64);
    put(0xb0, (uint64_t)(uintptr_t)loop[index].at);
    records++;
}

static struct pebs_plan plan;

/* A window of 100 iterations, 300 instructions of the loop, and 5 around them. */
static void tally(struct pebs_tally *result, uint64_t remainder)
{
    const struct pebs_window window = {.plan = &plan,
                                       .causes = &causes,
                                       .n = 100,
                                       .arena = ARENA,
                                       .buffer = buffer,
                                       .records = records,
                                       .events = 305,
                                       .remainder = remainder};

    memset(result, 0, sizeof(*result));
    pebs_tally_window(result, &window);
}

static int begin(void **state)
{
    (void)state;
    memset(buffer, 0, sizeof(buffer));
    records = 0;
    plan = (struct pebs_plan){.use = PEBS_INSTRUCTIONS,
                              .layout = {.format = 3},
                              .trap = true,
                              .witness = 1,
                              .period = 50,
                              .record_bytes = RECORD};
    return 0;
}

/* Instruction number 50 of the loop is the second of iteration 17, after which 83 are left; number
 * 100 is the first of iteration 34: 67 are left, as DEC has not run. */
static void gaps_of_one_period_lose_nothing(void **state)
{
    struct pebs_tally t;

    (void)state;
    add(1, 83); /* 50 */
    add(0, 67); /* 100 */
    add(2, 50); /* 150 */
    tally(&t, 153);
    assert_int_equal(t.records, 3);
    assert_int_equal(t.exact, 3);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.gaps, 2);
    assert_int_equal(t.period_gaps, 2);
    assert_int_equal(t.lost, 0);
    assert_int_equal(t.unordered, 0);
    assert_int_equal(t.open_ends, 0); /* 150 + 153 is 303, two of five before the loop */
    assert_int_equal(t.at[0] + t.at[1] + t.at[2], 3);
}

static void a_missing_record_is_a_gap_of_two_periods(void **state)
{
    struct pebs_tally t;

    (void)state;
    add(1, 83); /* 50 */
    add(2, 50); /* 150 */
    tally(&t, 153);
    assert_int_equal(t.lost, 1);
    assert_int_equal(t.open_ends, 0);
}

/* Gaps of 52 and 98 events: longer than the period, and no loss. The first may hold events from
 * around the loop, and says nothing of how much longer. */
static void an_overshoot_is_no_loss(void **state)
{
    struct pebs_tally t;

    (void)state;
    add(0, 83); /* 52 */
    add(2, 50); /* 150 */
    tally(&t, 150);
    assert_int_equal(t.lost, 0);
    assert_int_equal(t.gaps, 1);
    assert_int_equal(t.overshoot, 48);
    assert_int_equal(t.period_gaps, 0);
}

/* Numbers 50, none, and 100: the gap is from 50 to 100. */
static void a_record_of_no_number_loses_no_others(void **state)
{
    struct pebs_tally t;

    (void)state;
    add(1, 83);
    add(1, 200); /* more iterations left than there are */
    add(0, 67);
    add(2, 50);
    tally(&t, 153);
    assert_int_equal(t.unordered, 1);
    assert_int_equal(t.lost, 0);
    assert_int_equal(t.gaps, 2);
}

/* 305 events are counted where the loop alone has 330. */
static void a_witness_of_too_few_events_is_seen(void **state)
{
    struct pebs_tally t;
    const struct pebs_window window = {.plan = &plan,
                                       .causes = &causes,
                                       .n = 110,
                                       .arena = ARENA,
                                       .buffer = buffer,
                                       .records = 1,
                                       .events = 305};

    (void)state;
    memset(&t, 0, sizeof(t));
    add(1, 83);
    pebs_tally_window(&t, &window);
    assert_int_equal(t.open_ends, 1);
    assert_int_equal(t.gaps, 0);
}

static void records_that_come_too_early_are_seen(void **state)
{
    struct pebs_tally t;

    (void)state;
    add(1, 83); /* 50 */
    add(2, 82); /* 54 */
    tally(&t, 246);
    assert_int_equal(t.unordered, 1);
    begin(NULL);
    add(1, 83);
    add(1, 83); /* twice the same */
    tally(&t, 250);
    assert_int_equal(t.unordered, 1);
    begin(NULL);
    add(1, 200); /* more iterations left than there are */
    tally(&t, 0);
    assert_int_equal(t.unordered, 1);
}

static void an_end_that_does_not_fit_is_seen(void **state)
{
    struct pebs_tally t;

    (void)state;
    add(1, 83); /* 50 */
    tally(&t, 250);
    assert_int_equal(t.open_ends, 0);
    tally(&t, 249); /* 6 events are missing, and only 5 are around the loop */
    assert_int_equal(t.open_ends, 1);
    tally(&t, 256);
    assert_int_equal(t.open_ends, 1);
}

static void another_address_is_wrong_or_outside(void **state)
{
    struct pebs_tally t;

    (void)state;
    add(1, 83);
    records--;
    put(0xb0, (uint64_t)(uintptr_t)(code + 5));
    records++;
    add(1, 66);
    records--;
    put(0xb0, (uint64_t)(uintptr_t)(code + 15));
    records++;
    tally(&t, 0);
    assert_int_equal(t.exact, 0);
    assert_int_equal(t.wrong, 1);
    assert_int_equal(t.outside, 1);
    assert_true(t.first_wrong == (uint64_t)(uintptr_t)(code + 5));
}

/* Only the load causes loads; its data is at 64 of the arena. */
static void a_load_is_held_against_its_place(void **state)
{
    struct pebs_tally t;

    (void)state;
    plan.use = PEBS_LOADS;
    add(0, 51); /* load number 50 */
    add(1, 30);
    add(0, 1);
    records--;
    put(0x98, ARENA + 72);
    records++;
    tally(&t, 0);
    assert_int_equal(pebs_tally_causes(&causes, PEBS_LOADS), 1);
    assert_int_equal(t.exact, 2);
    assert_int_equal(t.wrong, 1);
    assert_int_equal(t.addresses, 2);
    assert_int_equal(t.right_addresses, 1);
    assert_int_equal(t.first_wrong_address, ARENA + 72);
}

/* Format 1 names no instruction: RIP is that of the next one, of the branch its target. */
static void the_next_instruction_tells_the_cause(void **state)
{
    struct pebs_tally t;

    (void)state;
    plan.layout.format = 1;
    plan.record_bytes = 176;
    plan.use = PEBS_TAKEN;
    memset(buffer, 0, sizeof(buffer));
    put(0x38, 50);
    put(0x08, (uint64_t)(uintptr_t)(code + 1));
    records = 1;
    tally(&t, 0);
    assert_int_equal(t.exact, 1);
    assert_int_equal(t.at[2], 1);
}

/* 4 and 6 cycles from L1. */
static void latencies_are_kept_by_level(void **state)
{
    struct pebs_tally t;

    (void)state;
    plan.use = PEBS_LATENCY;
    plan.above = 3;
    plan.witness = -1;
    add(0, 50);
    records--;
    put(0xa8, 6);
    records++;
    add(0, 40);
    records--;
    put(0xa8, 4);
    records++;
    tally(&t, 0);
    assert_int_equal(t.latency[0].count, 2);
    assert_int_equal(t.latency[0].minimum, 4);
    assert_int_equal(t.latency[0].maximum, 6);
    assert_int_equal(t.latency[0].sum, 10);
    assert_int_equal(t.latency[1].count, 0);
    assert_int_equal(t.gaps, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(gaps_of_one_period_lose_nothing, begin),
        cmocka_unit_test_setup(a_missing_record_is_a_gap_of_two_periods, begin),
        cmocka_unit_test_setup(an_overshoot_is_no_loss, begin),
        cmocka_unit_test_setup(a_record_of_no_number_loses_no_others, begin),
        cmocka_unit_test_setup(a_witness_of_too_few_events_is_seen, begin),
        cmocka_unit_test_setup(records_that_come_too_early_are_seen, begin),
        cmocka_unit_test_setup(an_end_that_does_not_fit_is_seen, begin),
        cmocka_unit_test_setup(another_address_is_wrong_or_outside, begin),
        cmocka_unit_test_setup(a_load_is_held_against_its_place, begin),
        cmocka_unit_test_setup(the_next_instruction_tells_the_cause, begin),
        cmocka_unit_test_setup(latencies_are_kept_by_level, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
