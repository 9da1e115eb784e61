/* Sampled addresses and branch stacks: what is counted, and what is left out. The map is the
 * diamond of drawn_map.h, the stacks are by hand. */
#include "tests/unit/cmocka_all.h"

#include <stdbool.h>
#include <stdlib.h>

#include "harness/profile/addresses.h"
#include "harness/profile/branches.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS     16384
#define ELSEWHERE 0x500000u

static struct drawn drawn;
static struct code_index index_;
static uint64_t memory[WORDS];
static struct words words;

static int begin(void **state)
{
    (void)state;
    words = (struct words){memory, WORDS};
    draw_diamond(&drawn);
    return code_index_make(&index_, &drawn.map, DRAWN_CODE, &words) != 0;
}

static uint64_t sum_of(const uint32_t *table, uint64_t width, uint64_t at)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        sum += table[g * width + at];
    return sum;
}

/* --- addresses --- */

static struct addresses addresses_of(uint64_t planned)
{
    struct addresses addresses;

    assert_true(addresses_make(&addresses, &index_, planned, &words));
    return addresses;
}

static uint64_t met(const struct addresses *addresses, uint32_t instruction)
{
    return sum_of(addresses->at, drawn.map.instruction_count, instruction);
}

static void an_address_counts_for_its_instruction(void **state)
{
    struct addresses addresses = addresses_of(4);

    (void)state;
    addresses_add(&addresses, drawn_at(3));
    addresses_add(&addresses, drawn_at(3));
    addresses_add(&addresses, drawn_at(3) + 1);
    addresses_add(&addresses, ELSEWHERE);
    assert_int_equal(met(&addresses, 3), 2);
    assert_int_equal(addresses.used, 2);
    assert_int_equal(addresses.broken, 1);
    assert_int_equal(addresses.outside, 1);
}

/* A latency counts with the address that it comes with, and the end of the field is told. */
static void latencies_are_summed_where_they_are(void **state)
{
    struct addresses addresses = addresses_of(4);
    uint64_t sum = 0;

    (void)state;
    assert_true(addresses_make_timed(&addresses, &words));
    addresses_add_timed(&addresses, drawn_at(3), 5);
    addresses_add_timed(&addresses, drawn_at(3), 0);
    addresses_add_timed(&addresses, drawn_at(4), 0xfffe);
    addresses_add_timed(&addresses, drawn_at(3), 0xffff);
    addresses_add_timed(&addresses, drawn_at(3) + 1, 7);
    addresses_add_timed(&addresses, ELSEWHERE, 0xffff);
    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        sum += addresses.latency[g * drawn.map.instruction_count + 3];
    assert_int_equal(sum, 0xffff + 5);
    assert_int_equal(sum_of(addresses.waited, drawn.map.instruction_count, 3), 2);
    assert_int_equal(sum_of(addresses.waited, drawn.map.instruction_count, 4), 1);
    assert_int_equal(met(&addresses, 3), 3);
    assert_int_equal(addresses.timed, 4);
    assert_int_equal(addresses.endless, 1);
}

static uint64_t came(const struct addresses *addresses, uint32_t from, uint32_t to)
{
    return sum_of(addresses->through, drawn.map.edge_count, drawn_edge(&drawn, from, to));
}

static struct lbr_stack stack_of(uint32_t from, uint32_t to)
{
    return (struct lbr_stack){
        .entries = {{.from = drawn_end(&drawn, from), .to = drawn_begin(&drawn, to)}}, .count = 1};
}

/* To block 3 by the jump of block 1; and, since the last branch led elsewhere, from block 2. */
static void at_the_begin_of_a_block_the_newest_record_tells_the_edge(void **state)
{
    struct addresses addresses = addresses_of(4);
    const struct lbr_stack jump = stack_of(1, 3), branch = stack_of(0, 2);

    (void)state;
    addresses_add_after(&addresses, drawn_begin(&drawn, 3), &jump);
    addresses_add_after(&addresses, drawn_begin(&drawn, 3), &branch);
    addresses_add_after(&addresses, drawn_begin(&drawn, 3), 0);
    addresses_add_after(&addresses, drawn_begin(&drawn, 3) + 4, &jump);
    assert_int_equal(came(&addresses, 1, 3), 1);
    assert_int_equal(came(&addresses, 2, 3), 1);
    assert_int_equal(addresses.used, 4);
}

/* The interrupt's record leads out of the kernel, the handler's own has neither end there. */
static void records_of_the_handler_are_passed_over(void **state)
{
    struct addresses addresses = addresses_of(1);
    struct lbr_stack stack = {.count = 3};

    (void)state;
    stack.entries[0] = (struct lbr_entry){.from = ELSEWHERE, .to = ELSEWHERE + 64};
    stack.entries[1] = (struct lbr_entry){.from = drawn_begin(&drawn, 3), .to = ELSEWHERE};
    stack.entries[2] = stack_of(1, 3).entries[0];
    addresses_add_after(&addresses, drawn_begin(&drawn, 3), &stack);
    assert_int_equal(came(&addresses, 1, 3), 1);
}

/* No edge leads from block 0 to block 3, and no block falls through to block 0. */
static void a_record_of_no_edge_makes_a_sample_ambiguous(void **state)
{
    struct addresses addresses = addresses_of(2);
    const struct lbr_stack never = stack_of(0, 3);

    (void)state;
    addresses_add_after(&addresses, drawn_begin(&drawn, 3), &never);
    addresses_add_after(&addresses, drawn_begin(&drawn, 0), &never);
    assert_int_equal(addresses.ambiguous, 2);
    assert_int_equal(addresses.used, 0);
}

static void a_full_count_takes_no_more_samples(void **state)
{
    struct addresses addresses = addresses_of(1);

    (void)state;
    addresses.used = UINT32_MAX;
    addresses_add(&addresses, drawn_at(3));
    assert_int_equal(met(&addresses, 3), 0);
    assert_int_equal(addresses.full, 1);
}

/* 32 planned samples, 2 to a group; the 40th goes into the last one. */
static void groups_are_of_neighbours(void **state)
{
    struct groups groups;

    (void)state;
    groups_make(&groups, 32);
    assert_int_equal(groups_next(&groups), 0);
    assert_int_equal(groups_next(&groups), 0);
    assert_int_equal(groups_next(&groups), 1);
    groups.taken = 39;
    assert_int_equal(groups_next(&groups), PROFILE_GROUPS - 1);
    groups_make(&groups, 0);
    assert_int_equal(groups_next(&groups), 0);
}

/* --- branches --- */

static struct branches branches_of(unsigned keep)
{
    struct branches branches;

    assert_true(branches_make(&branches, &index_, keep, 16, &words));
    return branches;
}

static uint64_t taken(const struct branches *branches, uint32_t from, uint32_t to)
{
    return sum_of(branches->edges, drawn.map.edge_count, drawn_edge(&drawn, from, to));
}

static uint64_t ran(const struct branches *branches, uint32_t block)
{
    return sum_of(branches->blocks, drawn.map.block_count, block);
}

static void push(struct lbr_stack *stack, uint64_t from, uint64_t to)
{
    stack->entries[stack->count++] = (struct lbr_entry){.from = from, .to = to};
}

static void push_edge(struct lbr_stack *stack, uint32_t from, uint32_t to)
{
    push(stack, drawn_end(&drawn, from), drawn_begin(&drawn, to));
}

/* Newest first: the loop closes after arm 2, which follows a turn through arm 1. From 3 -> 0 back
 * to 0 -> 2: block 2 and 3; from 0 -> 2 back to 3 -> 0: block 0; from there to 1 -> 3: block 3. */
static struct lbr_stack two_turns(void)
{
    struct lbr_stack stack = {.count = 0};

    push_edge(&stack, 3, 0);
    push_edge(&stack, 0, 2);
    push_edge(&stack, 3, 0);
    push_edge(&stack, 1, 3);
    return stack;
}

static void records_count_for_edges_and_what_lies_between_for_blocks(void **state)
{
    struct branches branches = branches_of(4);
    const struct lbr_stack stack = two_turns();

    (void)state;
    branches_add(&branches, &stack, 0);
    assert_int_equal(taken(&branches, 3, 0), 2);
    assert_int_equal(taken(&branches, 0, 2), 1);
    assert_int_equal(taken(&branches, 1, 3), 1);
    assert_int_equal(branches.records, 4);
    assert_int_equal(branches.intervals, 3);
    assert_int_equal(ran(&branches, 0), 1);
    assert_int_equal(ran(&branches, 1), 0);
    assert_int_equal(ran(&branches, 2), 1);
    assert_int_equal(ran(&branches, 3), 2);
}

/* One of the four records is newer than the overflow, two are kept. */
static void only_the_overflow_and_what_came_before_it_is_kept(void **state)
{
    struct branches branches = branches_of(2);
    const struct lbr_stack stack = two_turns();

    (void)state;
    branches_add(&branches, &stack, 1);
    assert_int_equal(taken(&branches, 3, 0), 1);
    assert_int_equal(taken(&branches, 0, 2), 1);
    assert_int_equal(taken(&branches, 1, 3), 0);
    assert_int_equal(branches.intervals, 1);
    assert_int_equal(ran(&branches, 0), 1);
}

static void a_stack_with_too_few_records_is_not_used(void **state)
{
    struct branches branches = branches_of(4);
    const struct lbr_stack stack = two_turns();

    (void)state;
    branches_add(&branches, &stack, 1);
    branches_add(&branches, &stack, 5);
    branches_add(&branches, &stack, UINT32_MAX);
    assert_int_equal(branches.short_stacks, 3);
    assert_int_equal(branches.stacks, 0);
    assert_int_equal(branches.records, 0);
}

/* In: 0 is called; out: 4 returns; neither end in the kernel. */
static void records_over_the_kernels_edge_are_its_own(void **state)
{
    struct branches branches = branches_of(3);
    struct lbr_stack stack = {.count = 0};

    (void)state;
    push(&stack, ELSEWHERE, ELSEWHERE + 64);
    push(&stack, drawn_end(&drawn, 4), ELSEWHERE);
    push(&stack, ELSEWHERE, drawn_begin(&drawn, 0));
    branches_add(&branches, &stack, 0);
    assert_int_equal(taken(&branches, OUTSIDE, 0), 1);
    assert_int_equal(taken(&branches, 4, OUTSIDE), 1);
    assert_int_equal(branches.outside, 1);
    assert_int_equal(branches.broken, 0);
    assert_int_equal(branches.broken_intervals, 1); /* from block 0 to 4: arm 1 always jumps */
}

static void impossible_records_are_broken(void **state)
{
    struct branches branches = branches_of(3);
    struct lbr_stack stack = {.count = 0};

    (void)state;
    push_edge(&stack, 0, 3);                                        /* no such edge */
    push(&stack, drawn_end(&drawn, 0) + 1, drawn_begin(&drawn, 2)); /* inside an instruction */
    push(&stack, drawn_begin(&drawn, 3), drawn_begin(&drawn, 0));   /* not the last one */
    branches_add(&branches, &stack, 0);
    assert_int_equal(branches.broken, 3);
    assert_int_equal(branches.records, 0);
    assert_int_equal(branches.stacks, 1);
}

/* The end lies before the begin; the begin is inside a block; the kernel is left without a branch.
 */
static void impossible_intervals_are_broken(void **state)
{
    struct branches branches = branches_of(2);
    struct lbr_stack backwards = {.count = 0}, inside = {.count = 0}, left = {.count = 0};

    (void)state;
    push_edge(&backwards, 0, 2);
    push_edge(&backwards, 1, 3);
    branches_add(&branches, &backwards, 0);
    push_edge(&inside, 3, 0);
    push(&inside, ELSEWHERE, drawn_begin(&drawn, 3) + 4);
    branches_add(&branches, &inside, 0);
    push(&left, ELSEWHERE, ELSEWHERE + 64);
    push_edge(&left, 3, 0);
    branches_add(&branches, &left, 0);
    assert_int_equal(branches.broken_intervals, 3);
    assert_int_equal(branches.intervals, 0);
    for (uint32_t b = 0; b < drawn.map.block_count; b++)
        assert_int_equal(ran(&branches, b), 0);
}

/* 13 cycles for blocks 2 and 3, of 3 and 4 instructions: 13 x 3/7 and 13 x 4/7. */
static void cycles_of_an_interval_are_shared_out_by_instructions(void **state)
{
    struct branches branches = branches_of(2);
    struct lbr_stack stack = {.count = 0};
    uint64_t two = 0, three = 0;

    (void)state;
    push_edge(&stack, 3, 0);
    push_edge(&stack, 0, 2);
    stack.entries[0].cycles = 13;
    stack.entries[0].cycles_valid = true;
    branches_add(&branches, &stack, 0);
    for (unsigned g = 0; g < PROFILE_GROUPS; g++) {
        two += branches.cycles[g * drawn.map.block_count + 2];
        three += branches.cycles[g * drawn.map.block_count + 3];
    }
    assert_near((double)two / BRANCHES_CYCLE, 13 * 3.0 / 7, 1e-4);
    assert_near((double)three / BRANCHES_CYCLE, 13 * 4.0 / 7, 1e-4);
    assert_int_equal(sum_of(branches.timed, drawn.map.block_count, 3), 1);
    assert_int_equal(branches.shared[3], 1);
}

/* A branch of a kind that is not recorded may lie between any two records. */
static void without_all_kinds_there_are_no_intervals(void **state)
{
    struct branches branches = branches_of(4);
    const struct lbr_stack stack = two_turns();

    (void)state;
    branches.kinds = 1u << MAP_CONDITIONAL;
    branches_add(&branches, &stack, 0);
    assert_int_equal(branches.records, 4);
    assert_int_equal(branches.intervals, 0);
}

static void no_count_of_branches_overflows(void **state)
{
    struct branches branches = branches_of(4);
    const struct lbr_stack stack = two_turns();

    (void)state;
    branches.stacks = UINT32_MAX / 4;
    branches_add(&branches, &stack, 0);
    assert_int_equal(branches.full, 1);
    assert_int_equal(taken(&branches, 3, 0), 0);
}

static void fewer_than_two_records_enclose_nothing(void **state)
{
    struct branches branches;

    (void)state;
    assert_false(branches_make(&branches, &index_, 1, 16, &words));
    assert_false(branches_make(&branches, &index_, LBR_DEPTH + 1, 16, &words));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(latencies_are_summed_where_they_are, begin),
        cmocka_unit_test_setup(an_address_counts_for_its_instruction, begin),
        cmocka_unit_test_setup(at_the_begin_of_a_block_the_newest_record_tells_the_edge, begin),
        cmocka_unit_test_setup(records_of_the_handler_are_passed_over, begin),
        cmocka_unit_test_setup(a_record_of_no_edge_makes_a_sample_ambiguous, begin),
        cmocka_unit_test_setup(a_full_count_takes_no_more_samples, begin),
        cmocka_unit_test_setup(groups_are_of_neighbours, begin),
        cmocka_unit_test_setup(records_count_for_edges_and_what_lies_between_for_blocks, begin),
        cmocka_unit_test_setup(only_the_overflow_and_what_came_before_it_is_kept, begin),
        cmocka_unit_test_setup(a_stack_with_too_few_records_is_not_used, begin),
        cmocka_unit_test_setup(records_over_the_kernels_edge_are_its_own, begin),
        cmocka_unit_test_setup(impossible_records_are_broken, begin),
        cmocka_unit_test_setup(impossible_intervals_are_broken, begin),
        cmocka_unit_test_setup(cycles_of_an_interval_are_shared_out_by_instructions, begin),
        cmocka_unit_test_setup(without_all_kinds_there_are_no_intervals, begin),
        cmocka_unit_test_setup(no_count_of_branches_overflows, begin),
        cmocka_unit_test_setup(fewer_than_two_records_enclose_nothing, begin),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, 0, 0);
}
