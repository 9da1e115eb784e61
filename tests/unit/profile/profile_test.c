/* Shares, CPI, intervals and errors, by hand. The map is the diamond of drawn_map.h: blocks of 1,
 * 2, 3, 4 and 5 instructions, 15 in all. */
#include "tests/unit/cmocka_all.h"

#include <stdbool.h>
#include <string.h>

#include "harness/profile/profile.h"
#include "harness/profile/profile_error.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS 65536

static struct drawn drawn;
static struct code_index index_;
static uint64_t memory[WORDS];
static struct words words;
static struct addresses cycles_at, instructions_at;
static struct branches branches;
static struct profile profile;
static enum profile_blame blame;
static bool shares;

static int begin(void **state)
{
    (void)state;
    words = (struct words){memory, WORDS};
    blame = BLAME_USUAL;
    shares = false;
    draw_diamond(&drawn);
    return code_index_make(&index_, &drawn.map, DRAWN_CODE, &words) != 0 ||
           !addresses_make(&cycles_at, &index_, 1600, &words) ||
           !addresses_make(&instructions_at, &index_, 1600, &words) ||
           !branches_make(&branches, &index_, 4, 100, &words);
}

static void sample(struct addresses *addresses, uint32_t instruction, unsigned times)
{
    while (times-- > 0)
        addresses_add(addresses, drawn_at(instruction));
}

/* The same stack of four records again and again: a turn through arm 1, one through arm 2. */
static void sample_turns(unsigned times)
{
    struct lbr_stack stack = {.count = 4};
    const uint32_t edges[4][2] = {{3, 0}, {0, 2}, {3, 0}, {1, 3}};

    for (unsigned i = 0; i < 4; i++) {
        stack.entries[i].from = drawn_end(&drawn, edges[i][0]);
        stack.entries[i].to = drawn_begin(&drawn, edges[i][1]);
    }
    while (times-- > 0)
        branches_add(&branches, &stack, 0);
}

static void make_with(enum profile_executions executions, enum profile_cycles cycles,
                      const struct profile_totals *totals)
{
    const struct profile_method method = {
        "way", executions, cycles, &cycles_at, &instructions_at, &branches, blame, shares, 0, 0, 0};

    assert_true(profile_make(&profile, &drawn.map, &method, totals, &words));
}

static const struct profile_entry *entry(enum profile_level level, uint32_t i)
{
    return &profile.entries[level][i];
}

/* --- shares and CPI --- */

/* 200 turns of a cycle each, which every sample finds to be instruction 0's: it begins a group each
 * time. A turn through arm 1 has 1 + 2 + 4 instructions, one through arm 2 1 + 3 + 4, and there are
 * 100 of each. */
static void what_retires_in_a_cycle_shares_it(void **state)
{
    const struct profile_totals totals = {.cycles = 200, .instructions = 1500};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    shares = true;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_null(profile.reason);
    assert_near(entry(PROFILE_INSTRUCTION, 0)->cycles.value, 100.0 / 7 + 100.0 / 8, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 2)->cycles.value, 100.0 / 7, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 5)->cycles.value, 100.0 / 8, 1e-6);
    assert_near(entry(PROFILE_BLOCK, 3)->cycles.value, 400.0 / 7 + 400.0 / 8, 1e-6);
    assert_near(entry(PROFILE_FUNCTION, 0)->cycles.value, 200, 1e-6);
}

/* As above, where every turn is alike and chance makes no interval. Instruction 2 has got 14.29 of
 * its cycles from instruction 0, which has given away 200 - 26.79: a fifth of that may be wrong. */
static void an_interval_reaches_as_far_as_sharing_may_be_wrong(void **state)
{
    const struct profile_totals totals = {.cycles = 200, .instructions = 1500};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    shares = true;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_INSTRUCTION, 2)->cycles.low, 0.8 * 100 / 7, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 2)->cycles.high, 1.2 * 100 / 7, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 0)->cycles.low, 0, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 0)->cycles.high, 26.7857 + 0.2 * 173.2143, 1e-3);
    assert_near(entry(PROFILE_FUNCTION, 0)->cycles.low, 200, 1e-6);
}

/* Of 100 turns ten are mispredicted at the taken branch, instruction 0, five cycles each of 200. */
static const struct profile_entry *mispredict_ten(void)
{
    const struct profile_totals totals = {
        .cycles = 200, .instructions = 1500, .mispredicts = 10, .resteer = 5};

    branches.told = 1;
    branches.mispredicts[drawn_edge(&drawn, 0, 2)] = 10;
    shares = true;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_near(profile.moves.resteered, 50.0 / 200, 1e-6);
    return entry(PROFILE_INSTRUCTION, 0);
}

/* All cycles are those of instruction 3, behind the taken branch, of which ten of 100 are flagged;
 * five cycles of each go to the branch, and 1.5 of each may be wrong. What groups shared is told
 * apart by `moved`, in samples of 1/8 cycle. */
static void an_interval_reaches_as_far_as_a_branch_may_retire_late(void **state)
{
    const struct profile_entry *branch;

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 4, 1600);
    branch = mispredict_ten();
    assert_null(profile.moves.twofold);
    assert_near(branch->cycles.high - branch->cycles.value,
                1.5 * 10 + 0.2 * profile.moves.moved[0] / 8, 1e-6);
}

/* As above, but half of the samples are the branch's own, 100 cycles, which may be the fifty that
 * are moved to it: its interval reaches five cycles of each of the ten further. */
static void an_interval_reaches_as_far_as_the_branch_may_have_had_it(void **state)
{
    const struct profile_entry *branch;

    (void)state;
    sample_turns(100);
    for (unsigned turn = 0; turn < 80; turn++) {
        sample(&cycles_at, 1, 10);
        sample(&cycles_at, 4, 10);
    }
    branch = mispredict_ten();
    assert_non_null(profile.moves.twofold);
    assert_near(branch->cycles.high - branch->cycles.value,
                (5 + 1.5) * 10 + 0.2 * profile.moves.moved[0] / 8, 1e-6);
}

/* Repeats took 150 to 260 cycles: so much the function may have taken, and a quarter less or 30 %
 * more each of its parts. */
static void an_interval_holds_what_repeats_differ_by(void **state)
{
    const struct profile_totals totals = {
        .cycles = 200, .instructions = 1500, .cycles_low = 150, .cycles_high = 260};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_FUNCTION, 0)->cycles.low, 150, 1e-6);
    assert_near(entry(PROFILE_FUNCTION, 0)->cycles.high, 260, 1e-6);
    assert_near(entry(PROFILE_FUNCTION, 0)->cpi.low, 0.1, 1e-6);
}

static void nothing_is_shared_without_totals(void **state)
{
    const struct profile_totals no_cycles = {.instructions = 1500},
                                no_instructions = {.cycles = 200};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    shares = true;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &no_cycles);
    assert_string_equal(profile.reason, "the windows' cycles were not counted");
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &no_instructions);
    assert_string_equal(profile.reason, "the windows' instructions were not counted");
}

/* The branches of these samples are not flagged, so they do not say which were mispredicted. */
static void what_keeps_cycles_from_mispredicted_branches_is_said(void **state)
{
    static const char why[] = "nobody counted them";
    struct profile_totals totals = {
        .cycles = 200, .instructions = 1500, .mispredicts = -1, .resteer_missing = why};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    shares = true;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.moves.missing, "mispredicted branches were not counted");
    assert_true(profile.moves.resteered < 0);
    totals.mispredicts = 10;
    totals.resteer = -1;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_ptr_equal(profile.moves.missing, why);
    totals.resteer = 5;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.moves.missing,
                        "the branch records of this CPU do not say which branch was mispredicted");
    totals.mispredicts = 0;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_null(profile.moves.missing);
    assert_near(profile.moves.resteered, 0, 1e-12);
}

/* Of 800 samples of cycles 600 are in instruction 3, of 800 of instructions 200: it takes 3/4 of
 * 4000 cycles and is 1/4 of 2000 instructions. Instruction 4 has the rest. */
static void cpi_is_the_share_of_cycles_over_the_share_of_instructions(void **state)
{
    const struct profile_totals totals = {.cycles = 4000, .instructions = 2000};

    (void)state;
    for (unsigned turn = 0; turn < 200; turn++) {
        sample(&cycles_at, 3, 3);
        sample(&cycles_at, 4, 1);
        sample(&instructions_at, 3, 1);
        sample(&instructions_at, 4, 3);
    }
    make_with(EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &totals);
    assert_null(profile.reason);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->cycles.value, 3000, 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->instructions.value, 500, 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->cpi.value, 6, 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 4)->cpi.value, 1000.0 / 1500, 1e-9);
    assert_near(entry(PROFILE_BLOCK, 2)->cpi.value, 2, 1e-9);
    assert_near(entry(PROFILE_BLOCK, 2)->executions.value, 2000.0 / 3, 1e-9);
    assert_near(entry(PROFILE_FUNCTION, 0)->cpi.value, 2, 1e-9);
    assert_int_equal(entry(PROFILE_INSTRUCTION, 3)->samples, 600);
    assert_non_null(entry(PROFILE_FUNCTION, 0)->executions.reason);
}

/* Instruction 1 is the first of block 1, which only block 0 leads to: what its samples wait for is
 * instruction 0. Each stack shows block 0 once, 2 once, 3 twice: 1 + 3 + 8 = 12 instructions. */
static void intervals_share_out_the_instructions(void **state)
{
    const struct profile_totals totals = {.cycles = 1200, .instructions = 1200};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    make_with(EXECUTIONS_INTERVALS, CYCLES_ADDRESSES, &totals);
    assert_null(profile.reason);
    assert_near(entry(PROFILE_BLOCK, 0)->executions.value, 100, 1e-9);
    assert_near(entry(PROFILE_BLOCK, 2)->instructions.value, 300, 1e-9);
    assert_near(entry(PROFILE_BLOCK, 3)->share.value, 8.0 / 12, 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 0)->cpi.value, 12, 1e-9);
}

/* Edges 1 -> 3 and 0 -> 2 100 times, 3 -> 0 200 times: 200 turns, 100 through each arm. 200 x 1 +
 * 100 x 2 + 100 x 3 + 200 x 4 = 1500 instructions. */
static void the_flow_shares_out_the_instructions(void **state)
{
    const struct profile_totals totals = {.cycles = 3000, .instructions = 1500};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_null(profile.reason);
    assert_near(entry(PROFILE_BLOCK, 0)->executions.value, 200, 1e-6);
    assert_near(entry(PROFILE_BLOCK, 1)->executions.value, 100, 1e-6);
    assert_near(entry(PROFILE_BLOCK, 3)->instructions.value, 800, 1e-6);
    assert_near(entry(PROFILE_BLOCK, 4)->executions.value, 0, 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 0)->cpi.value, 15, 1e-6);
}

/* The jump 1 -> 3 alone tells how often arm 1 was taken, and nothing of arm 2. */
static void a_flow_that_the_records_leave_open_is_no_profile(void **state)
{
    const struct profile_totals totals = {.cycles = 3000, .instructions = 1500};

    (void)state;
    branches.kinds = 1u << MAP_JUMP;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.reason,
                        "the recorded branches leave open how often some blocks ran");
}

/* Block 3 is entered 100 times from block 1, whose last instruction is 2, and as often from block
 * 2, whose last is 5; instruction 7 follows 6. */
static void an_interrupt_blames_the_instruction_before_by_the_flow(void **state)
{
    const struct profile_totals totals = {.cycles = 1600, .instructions = 1500};

    (void)state;
    sample_turns(100);
    for (unsigned turn = 0; turn < 200; turn++) {
        sample(&cycles_at, 6, 6);
        sample(&cycles_at, 7, 2);
    }
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_INSTRUCTION, 2)->cycles.value, 600, 1e-3);
    assert_near(entry(PROFILE_INSTRUCTION, 5)->cycles.value, 600, 1e-3);
    assert_near(entry(PROFILE_INSTRUCTION, 6)->cycles.value, 400, 1e-3);
    assert_near(entry(PROFILE_INSTRUCTION, 7)->cycles.value, 0, 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 5)->split, 1, 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 6)->split, 0, 1e-9);
    blame = BLAME_SAVED;
    words = (struct words){memory + WORDS / 2, WORDS / 2};
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_INSTRUCTION, 6)->cycles.value, 1200, 1e-9);
}

/* The same, where the records say that all came from block 1. */
static void a_branch_record_says_which_instruction_came_before(void **state)
{
    const struct profile_totals totals = {.cycles = 1600, .instructions = 1500};
    const struct lbr_stack jump = {
        .entries = {{.from = drawn_end(&drawn, 1), .to = drawn_begin(&drawn, 3)}}, .count = 1};

    (void)state;
    sample_turns(100);
    for (unsigned i = 0; i < 1600; i++)
        addresses_add_after(&cycles_at, drawn_at(i % 4 ? 6 : 7), &jump);
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_INSTRUCTION, 2)->cycles.value, 1200, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 5)->cycles.value, 0, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 6)->cycles.value, 400, 1e-6);
    assert_near(entry(PROFILE_INSTRUCTION, 2)->split, 0, 1e-9);
}

static void the_instruction_before_needs_branches(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};

    (void)state;
    blame = BLAME_BEFORE;
    sample(&cycles_at, 6, 1600);
    sample(&instructions_at, 6, 1600);
    make_with(EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.reason, "there are no samples");
}

/* B/N beside T/M: the kernel's file says 100 turns, 40 through arm 2, in 1000 instructions. */
static void the_executed_share_stands_beside_the_sampled_one(void **state)
{
    const double executed[] = {100, 60, 40, 100, -1};
    const struct profile_totals totals = {
        .cycles = 4000, .instructions = 1000, .executed = executed};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 1, 1600);
    make_with(EXECUTIONS_INTERVALS, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_BLOCK, 2)->executed_share, 0.12, 1e-12);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->executed_share, 0.04, 1e-12);
    assert_true(entry(PROFILE_BLOCK, 4)->executed_share < 0);
    assert_true(entry(PROFILE_FUNCTION, 0)->executed_share < 0);
}

/* --- intervals --- */

/* 16 groups of 100; in every other group all samples are in instruction 3, else all in 4. Without a
 * group, the share is 7/15 or 8/15: the pseudo-values are 1 and 0, their variance 1/60, and the
 * half width 2.131 x 0.1291 = 0.2751. */
static void an_interval_comes_from_the_spread_of_the_groups(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};

    (void)state;
    for (unsigned group = 0; group < 16; group++) {
        sample(&cycles_at, group % 2 ? 3 : 4, 100);
        sample(&instructions_at, 3, 100);
    }
    make_with(EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->cycles.value, 0.5, 1e-12);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->cycles.low, 0.5 - 0.2751, 1e-4);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->cycles.high, 0.5 + 0.2751, 1e-4);
    assert_near(entry(PROFILE_INSTRUCTION, 3)->cpi.high, 0.5 + 0.2751, 1e-4);
}

/* Two groups of 300 and 100 samples, of which 30 and 20 hit: 0.125, without one of them 0.2 and
 * 0.1. The pseudo-values are 4/3 x 0.125 - 1/3 x 0.1 ... worked out: theta_J = 2 x 0.125 - 0.25 x
 * 0.2
 * - 0.75 x 0.1 = 0.125; (0.1 - 0.125)^2 / (1/3) + (0.2 - 0.125)^2 / 3 = 0.00375; half of it. */
static void groups_of_unequal_size_weigh_what_they_hold(void **state)
{
    struct groups groups = {.planned = 1, .used = {300, 100}};
    const struct left_out left_out = {.all = 0.125, .without = {0.2, 0.1}, .groups = &groups};
    double variance;

    (void)state;
    assert_true(left_out_variance(&left_out, &variance));
    assert_near(variance, 0.001875, 1e-12);
}

/* None of 1600 samples: the rule of three. */
static void no_sample_is_not_no_cycle(void **state)
{
    const struct profile_totals totals = {.cycles = 1600, .instructions = 1600};

    (void)state;
    sample(&cycles_at, 3, 1600);
    sample(&instructions_at, 3, 800);
    sample(&instructions_at, 4, 800);
    make_with(EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_INSTRUCTION, 5)->cycles.value, 0, 0);
    assert_near(entry(PROFILE_INSTRUCTION, 5)->cycles.high, 3, 1e-9);
    assert_string_equal(entry(PROFILE_INSTRUCTION, 5)->cpi.reason, "no sample shows that it ran");
}

/* Two blocks share the one sample behind both. A half says no more than none: up to 3 of 1600. */
static void a_part_of_a_sample_says_no_more_than_none(void **state)
{
    const struct profile_totals totals = {.cycles = 1600, .instructions = 1500};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 6, 1);
    sample(&cycles_at, 1, 1599);
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_near(entry(PROFILE_INSTRUCTION, 2)->cycles.value, 0.5, 1e-6);
    assert_true(entry(PROFILE_INSTRUCTION, 2)->cycles.high >= 3 - 1e-9);
    assert_near(entry(PROFILE_INSTRUCTION, 5)->cycles.value, 0.5, 1e-6);
    assert_true(entry(PROFILE_INSTRUCTION, 5)->cycles.high >= 3 - 1e-9);
}

/* --- what is missing is missing --- */

static void without_samples_there_is_a_reason(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};

    (void)state;
    make_with(EXECUTIONS_FLOW, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.reason, "there are no samples");
}

static void samples_outside_of_the_kernel_are_a_reason(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        addresses_add(&cycles_at, 0x10);
        addresses_add(&instructions_at, 0x10);
    }
    make_with(EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.reason, "all samples are outside of the kernel");
}

static void broken_samples_make_no_profile(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};

    (void)state;
    sample(&cycles_at, 3, 98);
    addresses_add(&cycles_at, drawn_at(3) + 1);
    addresses_add(&cycles_at, drawn_at(3) + 1);
    sample(&instructions_at, 3, 100);
    make_with(EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.reason, "sampled addresses are not those of instructions");
}

static void short_stacks_make_no_profile(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};
    const struct lbr_stack empty = {.count = 0};

    (void)state;
    sample_turns(50);
    sample(&cycles_at, 3, 50);
    branches_add(&branches, &empty, 0);
    make_with(EXECUTIONS_INTERVALS, CYCLES_ADDRESSES, &totals);
    assert_string_equal(profile.reason, "branch records are missing before the overflow");
}

static void totals_that_were_not_counted_scale_nothing(void **state)
{
    const struct profile_totals totals = {0};

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 3, 1600);
    make_with(EXECUTIONS_INTERVALS, CYCLES_ADDRESSES, &totals);
    assert_null(profile.reason);
    assert_string_equal(entry(PROFILE_INSTRUCTION, 3)->cpi.reason,
                        "the windows' cycles were not counted");
    assert_string_equal(entry(PROFILE_INSTRUCTION, 3)->instructions.reason,
                        "the windows' instructions were not counted");
    assert_null(entry(PROFILE_INSTRUCTION, 3)->share.reason);
}

static void one_sample_has_no_interval_and_so_no_number(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};

    (void)state;
    sample(&cycles_at, 3, 1);
    sample(&instructions_at, 3, 1);
    make_with(EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &totals);
    assert_non_null(entry(PROFILE_INSTRUCTION, 3)->cpi.reason);
    assert_non_null(entry(PROFILE_INSTRUCTION, 3)->cycles.reason);
}

static void records_without_cycle_counts_time_nothing(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};

    (void)state;
    sample_turns(100);
    make_with(EXECUTIONS_INTERVALS, CYCLES_BRANCH_RECORDS, &totals);
    assert_null(profile.reason);
    assert_string_equal(entry(PROFILE_BLOCK, 0)->cpi.reason, "no branch record has its cycles");
}

/* The stacks of sample_turns with a cycle count in each record. Their intervals are block 0 alone,
 * block 3 alone, and blocks 2 and 3 together. */
static void time_turns(unsigned times, uint16_t cycles)
{
    struct lbr_stack stack = {.count = 4};
    const uint32_t edges[4][2] = {{3, 0}, {0, 2}, {3, 0}, {1, 3}};

    for (unsigned i = 0; i < 4; i++) {
        stack.entries[i].from = drawn_end(&drawn, edges[i][0]);
        stack.entries[i].to = drawn_begin(&drawn, edges[i][1]);
        stack.entries[i].cycles = cycles;
        stack.entries[i].cycles_valid = true;
    }
    while (times-- > 0)
        branches_add(&branches, &stack, 0);
}

static void a_block_that_is_timed_with_others_has_no_number(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1500};

    (void)state;
    time_turns(100, 10);
    make_with(EXECUTIONS_INTERVALS, CYCLES_BRANCH_RECORDS, &totals);
    assert_null(entry(PROFILE_BLOCK, 0)->cpi.reason);
    assert_near(entry(PROFILE_BLOCK, 0)->cpi.value, 10.0 / drawn.blocks[0].instructions, 1e-6);
    assert_string_equal(entry(PROFILE_BLOCK, 1)->cpi.reason, "there are too few samples");
    for (uint32_t b = 2; b < 4; b++)
        assert_string_equal(entry(PROFILE_BLOCK, b)->cpi.reason,
                            "branch records have its cycles together with those of other blocks");
    assert_null(entry(PROFILE_FUNCTION, 0)->cpi.reason);
}

/* 29 are fewer than 30, though they are all alike. */
static void few_timings_make_no_number(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1500};

    (void)state;
    time_turns(4, 10);
    make_with(EXECUTIONS_INTERVALS, CYCLES_BRANCH_RECORDS, &totals);
    assert_true(entry(PROFILE_FUNCTION, 0)->samples < 30);
    assert_string_equal(entry(PROFILE_FUNCTION, 0)->cpi.reason, "there are too few samples");
}

static void profile_words_are_enough_and_no_fewer(void **state)
{
    const struct profile_totals totals = {.cycles = 1, .instructions = 1};
    const struct profile_method method = {
        .name = "way", .cycles_at = &cycles_at, .branches = &branches, .shares = true};
    struct words few;

    (void)state;
    sample_turns(100);
    sample(&cycles_at, 3, 1600);
    few = (struct words){words.next, profile_words(&drawn.map) - 1};
    assert_false(profile_make(&profile, &drawn.map, &method, &totals, &few));
    few.left = profile_words(&drawn.map);
    assert_true(profile_make(&profile, &drawn.map, &method, &totals, &few));
    assert_null(profile.reason);
    assert_int_equal(few.left, 0);
}

/* --- errors --- */

static struct estimated exactly(double value)
{
    return (struct estimated){0, value, value, value};
}

/* 90, 110 and nothing, for 100, 100 and 50: 20 of 200, and 50 of 250 are not known. */
static void a_missing_estimate_is_in_no_error_and_its_part_is_told(void **state)
{
    struct profile_entry entries[3] = {{.instructions = exactly(90)},
                                       {.instructions = exactly(110)}};
    const struct profile made = {.entries = {[PROFILE_BLOCK] = entries},
                                 .count = {[PROFILE_BLOCK] = 3}};
    const double truth[] = {100, 100, 50};
    double error, unknown;

    (void)state;
    entries[2].instructions.reason = "there are too few samples";
    assert_null(profile_error(&error, &unknown, &made, PROFILE_BLOCK, truth));
    assert_near(error, 0.1, 1e-12);
    assert_near(unknown, 0.2, 1e-12);
}

static void a_profile_without_numbers_has_no_error(void **state)
{
    const struct profile made = {.reason = "there are no samples"};
    double error, unknown;

    (void)state;
    assert_string_equal(profile_error(&error, &unknown, &made, PROFILE_BLOCK, NULL),
                        "there are no samples");
}

/* Root(1000 / 100000) is 0.1; of ten places it is 0.01, as much as the systematic part. With 1,000
 * samples that part is ten times as large. */
static void a_bound_grows_with_the_places_and_falls_with_the_samples(void **state)
{
    (void)state;
    assert_near(profile_bound(0.01, 1000, 100000), 0.1, 1e-12);
    assert_near(profile_bound(0.01, 10, 100000), 0.01, 1e-12);
    assert_near(profile_bound(0.01, 1, 1000), 0.1, 1e-12);
    assert_near(profile_bound(0.01, 1, 1e9), 0.01, 1e-12);
}

/* Of 50 places 100 samples of each series leave 0.8 root(2 x 50 / 100). Nine places need 12,800 for
 * 0.03, and one a ninth of that, 1422.2; a sample cannot be cut. 4,897 need 62,681,600 / 9. */
static void chance_says_how_many_samples_places_need(void **state)
{
    (void)state;
    assert_near(profile_chance(50, 100), 0.8, 1e-12);
    assert_near(profile_chance(9, 12800), 0.03, 1e-12);
    assert_int_equal(profile_samples(9), 12800);
    assert_int_equal(profile_samples(1), 1423);
    assert_int_equal(profile_samples(4897), 6964623);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(cpi_is_the_share_of_cycles_over_the_share_of_instructions, begin),
        cmocka_unit_test_setup(what_retires_in_a_cycle_shares_it, begin),
        cmocka_unit_test_setup(an_interval_reaches_as_far_as_sharing_may_be_wrong, begin),
        cmocka_unit_test_setup(an_interval_reaches_as_far_as_a_branch_may_retire_late, begin),
        cmocka_unit_test_setup(an_interval_reaches_as_far_as_the_branch_may_have_had_it, begin),
        cmocka_unit_test_setup(an_interval_holds_what_repeats_differ_by, begin),
        cmocka_unit_test_setup(nothing_is_shared_without_totals, begin),
        cmocka_unit_test_setup(what_keeps_cycles_from_mispredicted_branches_is_said, begin),
        cmocka_unit_test_setup(intervals_share_out_the_instructions, begin),
        cmocka_unit_test_setup(the_flow_shares_out_the_instructions, begin),
        cmocka_unit_test_setup(a_flow_that_the_records_leave_open_is_no_profile, begin),
        cmocka_unit_test_setup(an_interrupt_blames_the_instruction_before_by_the_flow, begin),
        cmocka_unit_test_setup(a_branch_record_says_which_instruction_came_before, begin),
        cmocka_unit_test_setup(the_instruction_before_needs_branches, begin),
        cmocka_unit_test_setup(the_executed_share_stands_beside_the_sampled_one, begin),
        cmocka_unit_test_setup(an_interval_comes_from_the_spread_of_the_groups, begin),
        cmocka_unit_test(groups_of_unequal_size_weigh_what_they_hold),
        cmocka_unit_test_setup(no_sample_is_not_no_cycle, begin),
        cmocka_unit_test_setup(a_part_of_a_sample_says_no_more_than_none, begin),
        cmocka_unit_test_setup(without_samples_there_is_a_reason, begin),
        cmocka_unit_test_setup(samples_outside_of_the_kernel_are_a_reason, begin),
        cmocka_unit_test_setup(broken_samples_make_no_profile, begin),
        cmocka_unit_test_setup(short_stacks_make_no_profile, begin),
        cmocka_unit_test_setup(totals_that_were_not_counted_scale_nothing, begin),
        cmocka_unit_test_setup(one_sample_has_no_interval_and_so_no_number, begin),
        cmocka_unit_test_setup(records_without_cycle_counts_time_nothing, begin),
        cmocka_unit_test_setup(a_block_that_is_timed_with_others_has_no_number, begin),
        cmocka_unit_test_setup(few_timings_make_no_number, begin),
        cmocka_unit_test_setup(profile_words_are_enough_and_no_fewer, begin),
        cmocka_unit_test(a_missing_estimate_is_in_no_error_and_its_part_is_told),
        cmocka_unit_test(a_profile_without_numbers_has_no_error),
        cmocka_unit_test(chance_says_how_many_samples_places_need),
        cmocka_unit_test(a_bound_grows_with_the_places_and_falls_with_the_samples),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, 0, 0);
}
