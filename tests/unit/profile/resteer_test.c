/* Whose are the cycles behind a mispredicted branch: worked out by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/profile/resteer.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS 65536
#define MOST  32

static struct drawn drawn;
static struct code_index index_;
static uint64_t memory[WORDS];
static struct words words;
static double edges[MOST], blocks[MOST], rates[MOST], given[MOST], wanted[MOST], missing;
static uint32_t records[PROFILE_GROUPS * MOST], flags[MOST];
static struct flow flow = {.edges = edges, .blocks = blocks};
static struct branches branches = {.index = &index_, .edges = records, .mispredicts = flags};
static const struct resteer resteer = {&branches, &flow, rates, given, wanted};

static uint32_t edge(uint32_t from, uint32_t to)
{
    return drawn_edge(&drawn, from, to);
}

/* A branch that is taken 60 times of 100, and one behind it that is taken 99 times. Block 0 goes to
 * 2 when its branch is taken, and else to 1, which goes on to 2; block 2 goes back to 0. */
static int begin(void **state)
{
    (void)state;
    words = (struct words){memory, WORDS};
    memset(&drawn, 0, sizeof(drawn));
    memset(edges, 0, sizeof(edges));
    memset(records, 0, sizeof(records));
    memset(flags, 0, sizeof(flags));
    draw_begin(&drawn, "coin");
    draw_block(&drawn, 2); /* instructions 0, 1 */
    draw_block(&drawn, 1); /* 2 */
    draw_block(&drawn, 2); /* 3, 4 */
    draw_block(&drawn, 1); /* 5 */
    draw_edge(&drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(&drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(&drawn, 0, 2, MAP_CONDITIONAL);
    draw_edge(&drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(&drawn, 2, 0, MAP_CONDITIONAL);
    draw_edge(&drawn, 2, 3, MAP_FALL_THROUGH);
    draw_edge(&drawn, 3, OUTSIDE, MAP_RETURN);
    assert_null(code_index_make(&index_, &drawn.map, DRAWN_CODE, &words));
    edges[edge(0, 1)] = edges[edge(1, 2)] = 40;
    edges[edge(0, 2)] = 60;
    edges[edge(2, 0)] = 99;
    edges[edge(2, 3)] = 1;
    blocks[0] = blocks[2] = 100;
    blocks[1] = 40;
    blocks[3] = 1;
    /* Twice as many records as the flow's unit has, in two groups; every third has the flag. */
    records[edge(0, 2)] = 30;
    records[PROFILE_GROUPS / 2 * drawn.map.edge_count + edge(0, 2)] = 90;
    records[edge(2, 0)] = 198;
    flags[edge(0, 2)] = 40;
    return 0;
}

/* 40 flags of 120 records are 20 of 60. Of 32 mispredicts 12 are left, for ways that are not taken:
 * 40 x 60 / 100 = 24 of the first branch, 1 x 99 / 100 = 0.99 of the second. */
static void flags_say_which_and_the_rest_was_not_taken(void **state)
{
    (void)state;
    resteer_rates(&resteer, 32, NULL);
    assert_near(rates[edge(0, 2)], 20, 1e-9);
    assert_near(rates[edge(2, 0)], 0, 1e-9);
    assert_near(rates[edge(0, 1)], 12 * 24 / 24.99, 1e-9);
    assert_near(rates[edge(2, 3)], 12 * 0.99 / 24.99, 1e-9);
    assert_near(rates[edge(1, 2)], 0, 1e-9); /* no branch ends block 1 */
}

/* Instruction 5 has 0.5 of 6 cycles: a twelfth of a misprediction. The rest is the first branch's,
 * of whose way instruction 2 has as much as it takes. */
static void a_way_without_cycles_behind_it_is_not_mispredicted(void **state)
{
    const double cycles[MOST] = {10, 20, 72, 150, 30, 0.5};
    const struct behind behind = {cycles, 6};

    (void)state;
    assert_null(resteer_rates(&resteer, 32, &behind));
    assert_near(rates[edge(0, 2)], 20, 1e-9);
    assert_near(rates[edge(0, 1)], 12 - 1 / 12.0, 1e-6);
    assert_near(rates[edge(2, 3)], 1 / 12.0, 1e-9);
}

/* 6 and a twelfth are all that these cycles have; 5 and 11 twelfths more are shared out as if
 * nobody knew the cycles, so that they are missing when they are taken. */
static void mispredictions_without_cycles_stay(void **state)
{
    const double cycles[MOST] = {10, 20, 36, 150, 30, 0.5}, left = 12 - 6 - 1 / 12.0;
    const struct behind behind = {cycles, 6};

    (void)state;
    assert_null(resteer_rates(&resteer, 32, &behind));
    assert_near(rates[edge(0, 1)], 6 + left * 24 / 24.99, 1e-6);
    assert_near(rates[edge(2, 3)], 1 / 12.0 + left * 0.99 / 24.99, 1e-6);
}

/* 20 are flagged, and of the other ways 40 and 1 are gone: 61 at most, and 500 are not those of
 * these branches. */
static void more_than_ways_can_have_is_refused(void **state)
{
    (void)state;
    assert_string_equal(resteer_rates(&resteer, 500, NULL),
                        "more mispredictions were counted than these branches can have");
    assert_near(rates[edge(0, 2)], 0, 1e-9);
}

/* Fewer were counted than have flags, as chance may have it with 40 of them: then none is left for
 * other ways. Of 4000 flags 15 are not a matter of chance: half of 20 + 4 x 20 / root(4000) = 1.3.
 */
static void nothing_is_left_when_the_flags_are_more(void **state)
{
    (void)state;
    assert_null(resteer_rates(&resteer, 15, NULL));
    assert_near(rates[edge(0, 2)], 20, 1e-9);
    assert_near(rates[edge(0, 1)], 0, 1e-9);
    for (unsigned i = 0; i < PROFILE_GROUPS * MOST; i++)
        records[i] *= 100;
    flags[edge(0, 2)] *= 100;
    assert_string_equal(resteer_rates(&resteer, 15, NULL),
                        "branch records flag more mispredictions than were counted");
}

/* 20 mispredicts of 6 cycles are 120 of the 150 of instruction 3; 11.52 of 6 are 69.1 and more than
 * the 50 that instruction 2 has; half a cycle of the last branch is all of instruction 5. */
static void cycles_go_from_the_first_behind_to_the_branch(void **state)
{
    double cycles[MOST] = {10, 20, 50, 150, 30, 0.5};
    double sum;

    (void)state;
    resteer_rates(&resteer, 32, NULL);
    sum = resteer_take(&resteer, 6, 1, cycles, &missing);
    assert_near(cycles[3], 30, 1e-9);
    assert_near(cycles[2], 0, 1e-9);
    assert_near(cycles[5], 0, 1e-9);
    assert_near(sum, 120 + 50 + 0.5, 1e-9);
    assert_near(missing, 6 * 12 - 50 - 0.5, 1e-9); /* of 12 that were not taken */
    assert_near(cycles[1], 20, 1e-9);              /* not before the groups were shared out */
    assert_near(resteer_had(&resteer, cycles), 20 + 0.5, 1e-9);
    resteer_give(&resteer, cycles);
    assert_near(cycles[1], 20 + 120 + 50, 1e-9);
    assert_near(cycles[4], 30.5, 1e-9);
}

/* Without a sixteenth of the samples there are that many mispredicts less. */
static void a_part_of_the_samples_has_a_part_of_the_mispredicts(void **state)
{
    double cycles[MOST] = {10, 20, 500, 150, 30, 10};

    (void)state;
    resteer_rates(&resteer, 20, NULL);
    assert_near(resteer_take(&resteer, 6, 15.0 / 16, cycles, &missing), 112.5, 1e-9);
    assert_near(cycles[3], 37.5, 1e-9);
}

/* Two ways lead to block 2: 20 of 60 that were taken, and none of those that fall through block 1,
 * which ends in no branch. The branch of block 0 has 20 and what leads to block 1; block 2 loses
 * its 20, block 3 what leads to it. */
static void net_is_what_branches_get_less_what_others_lose(void **state)
{
    double net[MOST] = {0};

    (void)state;
    assert_null(resteer_rates(&resteer, 32, NULL));
    resteer_net(&resteer, net);
    assert_near(net[1], 20 + 12 * 24 / 24.99, 1e-9);
    assert_near(net[2], -12 * 24 / 24.99, 1e-9);
    assert_near(net[3], -20, 1e-9);
    assert_near(net[4], 12 * 0.99 / 24.99, 1e-9);
    assert_near(net[5], -12 * 0.99 / 24.99, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(flags_say_which_and_the_rest_was_not_taken, begin),
        cmocka_unit_test_setup(a_way_without_cycles_behind_it_is_not_mispredicted, begin),
        cmocka_unit_test_setup(mispredictions_without_cycles_stay, begin),
        cmocka_unit_test_setup(more_than_ways_can_have_is_refused, begin),
        cmocka_unit_test_setup(net_is_what_branches_get_less_what_others_lose, begin),
        cmocka_unit_test_setup(nothing_is_left_when_the_flags_are_more, begin),
        cmocka_unit_test_setup(cycles_go_from_the_first_behind_to_the_branch, begin),
        cmocka_unit_test_setup(a_part_of_the_samples_has_a_part_of_the_mispredicts, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
