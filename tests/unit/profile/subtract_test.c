/* Branches that are taken out of others, by hand. The map is the diamond of drawn_map.h: of the
 * blocks that run, 0, 1, 2 and 3 have 1, 2, 3 and 4 instructions. */
#include "tests/unit/cmocka_all.h"

#include <stdbool.h>

#include "harness/profile/profile.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS 65536

static struct drawn drawn;
static struct code_index index_;
static uint64_t memory[WORDS];
static struct words words;
static struct addresses cycles_at;
static struct branches all, some;
static struct profile profile;

static int begin(void **state)
{
    (void)state;
    words = (struct words){memory, WORDS};
    draw_diamond(&drawn);
    return code_index_make(&index_, &drawn.map, DRAWN_CODE, &words) != 0 ||
           !addresses_make(&cycles_at, &index_, 1600, &words) ||
           !branches_make(&all, &index_, 4, 100, &words) ||
           !branches_make(&some, &index_, 4, 25, &words);
}

static void sample(struct branches *branches, const uint32_t edges[4][2], unsigned times)
{
    struct lbr_stack stack = {.count = 4};

    for (unsigned i = 0; i < 4; i++) {
        stack.entries[i].from = drawn_end(&drawn, edges[i][0]);
        stack.entries[i].to = drawn_begin(&drawn, edges[i][1]);
    }
    while (times-- > 0)
        branches_add(branches, &stack, 0);
}

/* 100 stacks of a turn through arm 1 and one through arm 2; 25 of two turns through arm 1. */
static void sample_both(void)
{
    static const uint32_t both[4][2] = {{3, 0}, {0, 2}, {3, 0}, {1, 3}};
    static const uint32_t arm1[4][2] = {{3, 0}, {1, 3}, {3, 0}, {1, 3}};

    sample(&all, both, 100);
    sample(&some, arm1, 25);
    for (unsigned i = 0; i < 1600; i++)
        addresses_add(&cycles_at, drawn_at(7));
}

static void make(enum profile_executions executions, const struct branches *less, double weight)
{
    const struct profile_method method = {.name = "way",
                                          .executions = executions,
                                          .cycles_at = &cycles_at,
                                          .branches = &all,
                                          .less = less,
                                          .less_weight = weight};
    static const struct profile_totals totals;

    assert_true(profile_make(&profile, &drawn.map, &method, &totals, &words));
}

static void has_shares(double block0, double block1, double block2, double block3)
{
    const double shares[] = {block0, block1, block2, block3};

    assert_null(profile.reason);
    for (unsigned b = 0; b < 4; b++)
        assert_near(profile.entries[PROFILE_BLOCK][b].share.value, shares[b], 1e-6);
}

/* 3 -> 0 200 times, 0 -> 2 and 1 -> 3 100 times: 1500 instructions. Twice 25 stacks have 3 -> 0 100
 * times and 1 -> 3 100 times. That leaves 100 turns, all through arm 2: 800 instructions. */
static void edges_are_taken_out_by_their_weight(void **state)
{
    (void)state;
    sample_both();
    make(EXECUTIONS_FLOW, NULL, 0);
    has_shares(200.0 / 1500, 200.0 / 1500, 300.0 / 1500, 800.0 / 1500);
    make(EXECUTIONS_FLOW, &some, 2);
    has_shares(100.0 / 800, 0, 300.0 / 800, 400.0 / 800);
}

/* From TO of the older to FROM of the newer record: 100 stacks have blocks 0 and 2 100 times and
 * block 3 200 times. Twice 25 have blocks 0 and 1 50 times and block 3 100 times; block 1, which
 * ran less often than that, is left with none. */
static void intervals_are_taken_out_and_none_is_below_0(void **state)
{
    (void)state;
    sample_both();
    make(EXECUTIONS_INTERVALS, &some, 2);
    has_shares(50.0 / 750, 0, 300.0 / 750, 400.0 / 750);
}

static void without_samples_nothing_is_taken_out_and_the_reason_is_said(void **state)
{
    (void)state;
    sample_both();
    assert_true(branches_make(&some, &index_, 4, 25, &words));
    make(EXECUTIONS_FLOW, &some, 2);
    assert_string_equal(profile.reason, "there are no samples");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(edges_are_taken_out_by_their_weight, begin),
        cmocka_unit_test_setup(intervals_are_taken_out_and_none_is_below_0, begin),
        cmocka_unit_test_setup(without_samples_nothing_is_taken_out_and_the_reason_is_said, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
