/* Profiles of samples that have a latency of retirement, by hand. The map is the diamond of
 * drawn_map.h: blocks of 1, 2, 3, 4 and 5 instructions, of which the last never runs. */
#include "tests/unit/cmocka_all.h"

#include <stdbool.h>
#include <string.h>

#include "harness/profile/profile.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS 65536
#define TURNS 100 /* through each arm */

static struct drawn drawn;
static struct code_index index_;
static uint64_t memory[WORDS];
static struct words words;
static struct addresses sampled;
static struct branches branches;
static struct profile profile;
static uint8_t code[4 * DRAWN_INSTRUCTIONS];

static int begin(void **state)
{
    (void)state;
    words = (struct words){memory, WORDS};
    memset(code, 0x90, sizeof(code));
    draw_diamond(&drawn);
    return code_index_make(&index_, &drawn.map, DRAWN_CODE, &words) != 0 ||
           !addresses_make(&sampled, &index_, 1600, &words) ||
           !addresses_make_timed(&sampled, &words) ||
           !branches_make(&branches, &index_, 4, TURNS, &words);
}

static const struct profile_entry *instruction(uint32_t i)
{
    return &profile.entries[PROFILE_INSTRUCTION][i];
}

static void make_with(enum profile_executions executions, bool shares,
                      const struct profile_totals *totals)
{
    const struct profile_method method = {.name = "timed",
                                          .executions = executions,
                                          .cycles = CYCLES_LATENCIES,
                                          .cycles_at = &sampled,
                                          .instructions_at = &sampled,
                                          .branches = &branches,
                                          .shares = shares,
                                          .code = code};

    assert_true(profile_make(&profile, &drawn.map, &method, totals, &words));
}

static void make(const struct profile_totals *totals, bool shares)
{
    make_with(shares ? EXECUTIONS_FLOW : EXECUTIONS_ADDRESSES, shares, totals);
}

static void sample(uint32_t i, uint64_t latency)
{
    addresses_add_timed(&sampled, drawn_at(i), latency);
}

/* The same stack of four records again and again: a turn through arm 1, one through arm 2. */
static void sample_stack(void)
{
    static const uint32_t edges[4][2] = {{3, 0}, {0, 2}, {3, 0}, {1, 3}};
    struct lbr_stack stack = {.count = 4};

    for (unsigned i = 0; i < 4; i++) {
        stack.entries[i].from = drawn_end(&drawn, edges[i][0]);
        stack.entries[i].to = drawn_begin(&drawn, edges[i][1]);
    }
    branches_add(&branches, &stack, 0);
}

/* Every instruction of every turn is sampled once. latency[0] is that of instruction i in a turn
 * through arm 1, of instructions 1 and 2; latency[1] through arm 2, of instructions 3 to 5. */
static void sample_turns(const uint64_t latency[2][10])
{
    for (unsigned turn = 0; turn < TURNS; turn++) {
        sample_stack();
        for (unsigned arm = 0; arm < 2; arm++)
            for (uint32_t i = 0; i < 10; i++)
                if (i == 0 || i >= 6 || (i >= 3) == arm)
                    sample(i, latency[arm][i]);
    }
}

/* Of 4 samples a turn, 3 cycles and none, and 1 and 5 of the third instruction: 9 in all. 8
 * instructions and 18 cycles were counted for each of them. */
static void a_latency_is_the_cycles_of_an_execution(void **state)
{
    const struct profile_totals totals = {.cycles = 18 * TURNS, .instructions = 8 * TURNS};

    (void)state;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        sample(6, 3);
        sample(7, 0);
        sample(8, 1);
        sample(8, 5);
    }
    make(&totals, false);
    assert_null(profile.reason);
    assert_near(instruction(6)->cpi.value, 3, 1e-9);
    assert_near(instruction(6)->cpi.low, 3, 1e-9); /* it is the same in each group */
    assert_near(instruction(6)->cpi.high, 3, 1e-9);
    assert_near(instruction(6)->cycles.value, 6 * TURNS, 1e-9);
    assert_near(instruction(6)->executions.value, 2 * TURNS, 1e-9);
    assert_near(instruction(7)->cpi.value, 0, 1e-9);
    assert_near(instruction(8)->cpi.value, 3, 1e-9);
    assert_int_equal(instruction(6)->samples, TURNS);
    assert_int_equal(instruction(7)->samples, TURNS);
    assert_int_equal(instruction(8)->samples, 2 * TURNS);
}

/* Of each turn through both arms instruction 1 was sampled three times, instruction 3 never, and
 * every other one once. By the flow both instructions of block 1 ran as often. */
static void a_latency_is_that_of_each_execution_of_the_flow(void **state)
{
    const struct profile_totals totals = {.cycles = 8 * TURNS, .instructions = 15 * TURNS};

    (void)state;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        sample_stack();
        for (uint32_t i = 0; i < 10; i++)
            if (i != 3)
                sample(i, i == 2 ? 6 : i == 1 ? 2 : 0);
        sample(1, 2);
        sample(1, 2);
    }
    make_with(EXECUTIONS_FLOW, false, &totals);
    assert_null(profile.reason);
    for (uint32_t i = 1; i <= 2; i++) {
        assert_near(instruction(i)->executions.value, TURNS, 1e-6);
        assert_near(instruction(i)->cpi.value, i == 1 ? 2 : 6, 1e-6);
    }
    assert_int_equal(instruction(1)->samples, 3 * TURNS);
    assert_string_equal(instruction(3)->cpi.reason, "no record has its latency of retirement");
    assert_near(instruction(4)->cpi.value, 0, 1e-9);
    assert_near(profile.entries[PROFILE_BLOCK][1].cpi.value, 4, 1e-6);
    assert_string_equal(profile.entries[PROFILE_BLOCK][2].cpi.reason,
                        "no record has its latency of retirement");
}

/* Latencies that differ from group to group make an interval, which holds their mean. */
static void latencies_that_differ_make_an_interval(void **state)
{
    const struct profile_totals totals = {.cycles = 7000, .instructions = 400};

    (void)state;
    for (unsigned i = 0; i < 15 * TURNS; i++) {
        sample(6, i * 7 % 64);
        sample(7, 4);
    }
    make(&totals, false);
    assert_true(instruction(6)->cpi.low < instruction(6)->cpi.value);
    assert_true(instruction(6)->cpi.value < instruction(6)->cpi.high);
}

/* Instruction 6 takes 4 cycles each time; instruction 7 takes 2 or 6, and instruction 8 takes 3 or
 * 5, both always the same within a group: 25 of each are 50 and 25 cycles from their means, so the
 * variances of their sums are 16 x 50^2 = 40,000 and 16 x 25^2 = 10,000. In all 3200 + 1600 + 1600
 * cycles. */
static void sample_three(const struct profile_totals *totals)
{
    for (unsigned turn = 0; turn < 400; turn++) {
        const bool odd = turn / 25 % 2;

        sample(6, 4);
        sample(6, 4);
        sample(7, odd ? 6 : 2);
        sample(8, odd ? 5 : 3);
    }
    make(totals, false);
    assert_null(profile.reason);
}

/* 250 cycles less were counted, and are taken as 4 to 1 from those that vary: 1600 - 200 and 1600 -
 * 50, of 400 executions. */
static void a_sum_that_is_not_the_counted_one_is_the_fault_of_what_varies(void **state)
{
    (void)state;
    sample_three(&(struct profile_totals){.cycles = 6150, .instructions = 1600});
    assert_near(instruction(6)->cpi.value, 4, 1e-9);
    assert_near(instruction(6)->cpi.high, 4, 1e-9);
    assert_near(instruction(7)->cpi.value, 3.5, 1e-9);
    assert_near(instruction(8)->cpi.value, 3.875, 1e-9);
}

/* The standard deviation of the sum is root(50,000), twice that 447.2 of the 2400 cycles that were
 * counted less. The rest is no chance of theirs, so 5952.8 cycles are scaled to 4000. */
static void beyond_two_deviations_all_are_scaled(void **state)
{
    const double moved = 447.21359549995793, scale = 4000 / (6400 - moved);

    (void)state;
    sample_three(&(struct profile_totals){.cycles = 4000, .instructions = 1600});
    assert_near(instruction(6)->cpi.value, 4 * scale, 1e-9);
    assert_near(instruction(7)->cpi.value, (1600 - 0.8 * moved) / 400 * scale, 1e-9);
    assert_near(instruction(8)->cpi.value, (1600 - 0.2 * moved) / 400 * scale, 1e-9);
}

/* One of 64 records of instruction 7 has waited, for 400 cycles, so that all the variance is its
 * own: root(375^2 + 15 x 25^2) = 387, twice that more than the 440 of 1040 cycles that were counted
 * less. It gives 200 of its 400, and the 840 that are left are scaled to 600. */
static void nothing_that_waited_takes_no_time(void **state)
{
    const struct profile_totals totals = {.cycles = 600, .instructions = 128};

    (void)state;
    for (unsigned turn = 0; turn < 64; turn++) {
        sample(6, 10);
        sample(7, turn == 0 ? 400 : 0);
    }
    make(&totals, false);
    assert_null(profile.reason);
    assert_near(instruction(6)->cpi.value, 10 * 600.0 / 840, 1e-9);
    assert_near(instruction(7)->cpi.value, 200.0 / 64 * 600 / 840, 1e-9);
}

/* A group begins with instruction 0 in each turn, and with instruction 6 in those through arm 2,
 * where it has waited for 3 cycles. By their cycles alone, 1.5 an execution, it would begin in
 * every turn. Arms and chances are taken for independent, so half of the groups of instruction 0
 * end in front of instruction 6: they have 3 or 4 members, and otherwise 7 or 8. */
static void an_instruction_with_latency_0_retires_with_the_one_before(void **state)
{
    static const uint64_t latency[2][10] = {{1}, {1, [6] = 3}};
    const struct profile_totals totals = {.cycles = 5 * TURNS, .instructions = 15 * TURNS};
    const double whole = TURNS * (0.5 / 7 + 0.5 / 8), arms = TURNS * (0.5 / 3 + 0.5 / 4);

    (void)state;
    sample_turns(latency);
    make(&totals, true);
    assert_null(profile.reason);
    assert_near(instruction(0)->cycles.value, whole + arms, 1e-6);
    assert_near(instruction(1)->cycles.value, TURNS * (0.5 / 7 + 0.5 / 3), 1e-6);
    assert_near(instruction(3)->cycles.value, TURNS * (0.5 / 8 + 0.5 / 4), 1e-6);
    assert_near(instruction(6)->cycles.value, 2 * TURNS + TURNS / 4.0 + whole, 1e-6);
    assert_near(instruction(9)->cycles.value, TURNS / 4.0 + whole, 1e-6);
}

/* CMP RAX, 0 and JNE: the second never has a latency, so the pair's cycles are its, and it counts
 * once among those that retire with it. */
static void a_pair_is_its_second(void **state)
{
    static const uint8_t pair[8] = {0x48, 0x83, 0xf8, 0x00, 0x75, 0x00, 0x90, 0x90};
    static const uint64_t latency[2][10] = {{[8] = 2}, {[8] = 2}};
    const struct profile_totals totals = {.cycles = 4 * TURNS, .instructions = 15 * TURNS};

    (void)state;
    memcpy(code + 4 * 8, pair, sizeof(pair));
    sample_turns(latency);
    make(&totals, true);
    assert_null(profile.reason);
    assert_near(instruction(8)->cycles.value, 0, 1e-6);
    assert_near(instruction(9)->cycles.value, TURNS * (2 + 1 / 6.0 + 1 / 7.0), 1e-6);
    assert_near(instruction(7)->cycles.value, TURNS * (1 / 6.0 + 1 / 7.0), 1e-6);
}

/* Every other turn mispredicts at the end of block 0, into arm 2, and instruction 3 retires 7
 * cycles later: 6 of an empty buffer, and one more. Nobody else waits. */
static void mispredict_every_other_turn(double counted)
{
    static const uint64_t latency[2][10] = {{1}, {1, [3] = 7}};
    const struct profile_totals totals = {
        .cycles = counted, .instructions = 15 * TURNS, .mispredicts = TURNS, .resteer = 6};
    struct lbr_stack stack = {.count = 4};

    sample_turns(latency);
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t edges[4][2] = {{3, 0}, {0, 2}, {3, 0}, {1, 3}};

        stack.entries[i] = (struct lbr_entry){.from = drawn_end(&drawn, edges[i][0]),
                                              .to = drawn_begin(&drawn, edges[i][1]),
                                              .mispredicted = i == 1,
                                              .mispredict_valid = true};
    }
    branches_make(&branches, &index_, 4, TURNS, &words);
    for (unsigned turn = 0; turn < TURNS; turn++)
        branches_add(&branches, &stack, 0);
    make(&totals, true);
    assert_null(profile.reason);
    assert_null(profile.moves.missing);
}

static void cycles_behind_a_mispredicted_branch_are_the_branchs(void **state)
{
    (void)state;
    mispredict_every_other_turn(9 * TURNS);
    assert_near(profile.moves.resteered, 6.0 / 9, 1e-6);
    assert_true(instruction(0)->cycles.value > 6 * TURNS);
    assert_true(instruction(3)->cycles.value < 2 * TURNS);
}

/* The latencies are 9 cycles where 8 were counted. What was counted behind the branch is 6 of the
 * 8, not of the 9. */
static void what_is_moved_is_a_part_of_what_was_counted(void **state)
{
    (void)state;
    mispredict_every_other_turn(8 * TURNS);
    assert_near(profile.moves.resteered, 6.0 / 8, 1e-6);
}

static void assert_no_profile(const char *why)
{
    const struct profile_totals totals = {.cycles = 1000, .instructions = 400};

    make(&totals, false);
    assert_non_null(profile.reason);
    assert_string_equal(profile.reason, why);
}

static void samples_without_a_latency_make_no_profile(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TURNS; i++)
        addresses_add(&sampled, drawn_at(6));
    assert_no_profile("the records have no latency of retirement");
    sample(6, 3);
    assert_no_profile("some records have no latency of retirement");
}

static void latencies_that_are_all_0_make_no_profile(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TURNS; i++)
        sample(6, 0);
    assert_no_profile("every latency of retirement is 0");
}

/* 65534 cycles are what they are; 65535 is the end of 16 bits. */
static void a_latency_at_the_end_of_its_field_makes_no_profile(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TURNS; i++)
        sample(6, 65534);
    make(&(struct profile_totals){.cycles = 65534, .instructions = 1}, false);
    assert_null(profile.reason);
    sample(6, 65535);
    assert_no_profile("a latency of retirement is longer than a record can say");
}

/* Each instruction takes 30 cycles by its records; counted are three times fewer, or more. */
static void latencies_of_another_unit_make_no_profile(void **state)
{
    static const char why[] =
        "the latencies of retirement do not add up to the cycles that were counted";

    (void)state;
    for (unsigned i = 0; i < TURNS; i++) {
        sample(6, 30);
        sample(7, 30);
    }
    make(&(struct profile_totals){.cycles = 30, .instructions = 1}, false);
    assert_null(profile.reason);
    make(&(struct profile_totals){.cycles = 10, .instructions = 1}, false);
    assert_string_equal(profile.reason, why);
    make(&(struct profile_totals){.cycles = 90, .instructions = 1}, false);
    assert_string_equal(profile.reason, why);
}

static void sharing_needs_branches(void **state)
{
    const struct profile_totals totals = {.cycles = 1000, .instructions = 400};

    (void)state;
    sample(6, 3);
    make(&totals, true);
    assert_string_equal(profile.reason, "there are no samples");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_latency_is_the_cycles_of_an_execution, begin),
        cmocka_unit_test_setup(a_latency_is_that_of_each_execution_of_the_flow, begin),
        cmocka_unit_test_setup(latencies_that_differ_make_an_interval, begin),
        cmocka_unit_test_setup(an_instruction_with_latency_0_retires_with_the_one_before, begin),
        cmocka_unit_test_setup(a_pair_is_its_second, begin),
        cmocka_unit_test_setup(cycles_behind_a_mispredicted_branch_are_the_branchs, begin),
        cmocka_unit_test_setup(what_is_moved_is_a_part_of_what_was_counted, begin),
        cmocka_unit_test_setup(a_sum_that_is_not_the_counted_one_is_the_fault_of_what_varies,
                               begin),
        cmocka_unit_test_setup(beyond_two_deviations_all_are_scaled, begin),
        cmocka_unit_test_setup(nothing_that_waited_takes_no_time, begin),
        cmocka_unit_test_setup(samples_without_a_latency_make_no_profile, begin),
        cmocka_unit_test_setup(latencies_that_are_all_0_make_no_profile, begin),
        cmocka_unit_test_setup(a_latency_at_the_end_of_its_field_makes_no_profile, begin),
        cmocka_unit_test_setup(latencies_of_another_unit_make_no_profile, begin),
        cmocka_unit_test_setup(sharing_needs_branches, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
