/* What the branch predictor must and must not learn, however it is built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/predict/branch.h"

#define CODE UINT64_C(0x401000)

static const struct model_parameters figures = {
    .btb_sets = 1024,
    .btb_ways = 4,
    .return_stack = 16,
    .history_bits = 64,
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static struct predictor *begin(void)
{
    struct predictor *predictor = predictor_new(&figures);

    assert_non_null(predictor);
    return predictor;
}

static bool conditional(struct predictor *predictor, uint64_t from, bool taken)
{
    uint64_t next = from + 2;

    return predictor_resolve(predictor, from, taken ? from - 64 : next, next, BRANCH_CONDITIONAL,
                             taken)
        .mispredicted;
}

/* Mispredicts of the second half of `turns` turns over a pattern of T and N. */
static unsigned pattern_misses(const char *pattern, unsigned turns)
{
    struct predictor *predictor = begin();
    unsigned misses = 0;

    for (unsigned i = 0; i < turns; i++) {
        for (const char *c = pattern; *c; c++) {
            bool missed = conditional(predictor, CODE, *c == 'T');

            misses += missed && i >= turns / 2;
        }
    }
    predictor_free(predictor);
    return misses;
}

static void regular_patterns_are_learned(void **state)
{
    (void)state;
    assert_int_equal(pattern_misses("T", 100), 0);
    assert_int_equal(pattern_misses("N", 100), 0);
    assert_int_equal(pattern_misses("TN", 200), 0);
    assert_int_equal(pattern_misses("TTN", 200), 0);
    assert_int_equal(pattern_misses("TNNTTN", 400), 0);
    assert_int_equal(pattern_misses("TTTTNNNNTNTN", 400), 0);
}

static void loops_of_up_to_32_trips_end_without_a_mispredict(void **state)
{
    (void)state;
    for (unsigned trips = 1; trips <= 32; trips++) {
        struct predictor *predictor = begin();
        unsigned misses = 0;

        for (unsigned i = 0; i < 200; i++) {
            for (unsigned j = 1; j <= trips; j++) {
                bool missed = conditional(predictor, CODE, j < trips);

                misses += missed && i >= 20;
            }
            conditional(predictor, CODE + 32, true); /* the loop around it */
        }
        assert_int_equal(misses, 0);
        predictor_free(predictor);
    }
}

/* The loop of a coin-tossing kernel: a branch on a random bit and the loop branch. `length`
 * tosses from the same seed, over and over; gives the mispredicts of the last turn. */
static void toss(unsigned length, unsigned turns, unsigned *random_misses, unsigned *loop_misses)
{
    struct predictor *predictor = begin();

    for (unsigned i = 0; i < turns; i++) {
        uint64_t seed = 0x2545f491;

        *random_misses = *loop_misses = 0;
        for (unsigned j = 0; j < length; j++) {
            *random_misses += conditional(predictor, CODE, next_random(&seed) & 1);
            *loop_misses += conditional(predictor, CODE + 24, j + 1 < length);
        }
    }
    predictor_free(predictor);
}

static void a_random_bit_is_missed_half_of_the_time_and_its_loop_is_not(void **state)
{
    static const unsigned length[] = {1000, 5000, 20000};

    (void)state;
    for (unsigned i = 0; i < sizeof(length) / sizeof(length[0]); i++) {
        unsigned random_misses, loop_misses;

        toss(length[i], 10, &random_misses, &loop_misses);
        assert_in_range(random_misses, length[i] * 45 / 100, length[i] * 55 / 100);
        assert_in_range(loop_misses, 0, 2); /* the last toss, and the toss after it */
    }
}

static void many_branches_of_one_kind_each_keep_their_direction(void **state)
{
    struct predictor *predictor = begin();
    unsigned misses = 0;

    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned j = 0; j < 8192; j++) {
            bool missed = conditional(predictor, CODE + j * 8, j % 3 == 0);

            misses += missed && i >= 3;
        }
    }
    assert_int_equal(misses, 0);
    predictor_free(predictor);
}

static unsigned unknown_in_turn(struct predictor *predictor, unsigned branches, unsigned spacing)
{
    unsigned unknown = 0;

    for (unsigned i = 0; i < branches; i++) {
        uint64_t from = CODE + (uint64_t)i * spacing;
        struct branch_outcome outcome =
            predictor_resolve(predictor, from, from + spacing, from + 2, BRANCH_JUMP, true);

        assert_false(outcome.mispredicted);
        unknown += outcome.unknown;
    }
    return unknown;
}

static void the_btb_holds_4096_dense_branches_and_not_twice_as_many(void **state)
{
    static const unsigned spacing[] = {4, 8, 16, 32, 64};

    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        struct predictor *predictor = begin();

        assert_int_equal(unknown_in_turn(predictor, 4096, spacing[i]), 4096);
        assert_int_equal(unknown_in_turn(predictor, 4096, spacing[i]), 0);
        predictor_free(predictor);
        predictor = begin();
        unknown_in_turn(predictor, 8192, spacing[i]);
        assert_int_equal(unknown_in_turn(predictor, 8192, spacing[i]), 8192);
        predictor_free(predictor);
    }
}

static void branches_that_are_not_taken_need_no_entry(void **state)
{
    struct predictor *predictor = begin();
    struct branch_outcome outcome;

    (void)state;
    unknown_in_turn(predictor, 4096, 16);
    for (unsigned i = 0; i < 4096; i++)
        conditional(predictor, CODE + 0x100000 + i * 4, false);
    assert_int_equal(unknown_in_turn(predictor, 4096, 16), 0);
    /* mispredicted, so decode does not correct it */
    outcome = predictor_resolve(predictor, CODE + 0x300000, CODE, CODE + 0x300002,
                                BRANCH_CONDITIONAL, true);
    assert_true(outcome.mispredicted);
    assert_false(outcome.unknown);
    predictor_free(predictor);
}

/* Mispredicts of the last 1000 of 11000 indirect jumps, each with a loop branch behind it. */
static unsigned indirect_misses(unsigned (*choose)(unsigned i, uint64_t random))
{
    struct predictor *predictor = begin();
    unsigned misses = 0;
    uint64_t seed = 88172645463325252;

    for (unsigned i = 0; i < 11000; i++) {
        uint64_t to = CODE + 0x1000 + choose(i, next_random(&seed) >> 20) * 0x20;
        struct branch_outcome outcome =
            predictor_resolve(predictor, CODE, to, CODE + 2, BRANCH_JUMP_INDIRECT, true);

        assert_false(outcome.unknown);
        misses += outcome.mispredicted && i >= 10000;
        predictor_resolve(predictor, to + 4, CODE - 8, to + 6, BRANCH_JUMP, true);
    }
    predictor_free(predictor);
    return misses;
}

static unsigned the_same(unsigned i, uint64_t random)
{
    (void)i;
    (void)random;
    return 3;
}

static unsigned in_turn(unsigned i, uint64_t random)
{
    (void)random;
    return i % 5;
}

static unsigned one_of_16(unsigned i, uint64_t random)
{
    (void)i;
    return (unsigned)(random % 16);
}

static void indirect_targets_are_learned_by_what_came_before(void **state)
{
    (void)state;
    assert_int_equal(indirect_misses(the_same), 0);
    assert_int_equal(indirect_misses(in_turn), 0);
    assert_in_range(indirect_misses(one_of_16), 900, 970); /* a guess is right 1 time in 16: 937 */
}

static void a_random_walk_over_targets_is_not_learned_by_heart(void **state)
{
    struct predictor *predictor = begin();
    unsigned misses = 0;

    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        uint64_t seed = 88172645463325252;

        misses = 0;
        for (unsigned j = 0; j < 1000; j++) {
            uint64_t to = CODE + 0x1000 + one_of_16(j, next_random(&seed) >> 20) * 0x20;

            misses += predictor_resolve(predictor, CODE, to, CODE + 2, BRANCH_JUMP_INDIRECT, true)
                          .mispredicted;
        }
    }
    assert_in_range(misses, 880, 980);
    predictor_free(predictor);
}

static unsigned nest(struct predictor *predictor, unsigned depth)
{
    unsigned misses = 0;

    for (unsigned i = 0; i < depth; i++)
        predictor_resolve(predictor, CODE + i * 0x100, CODE + (i + 1) * 0x100, CODE + i * 0x100 + 5,
                          i % 2 ? BRANCH_CALL_INDIRECT : BRANCH_CALL, true);
    for (unsigned i = depth; i--;)
        misses += predictor_resolve(predictor, CODE + (i + 1) * 0x100 + 9, CODE + i * 0x100 + 5, 0,
                                    BRANCH_RETURN, true)
                      .mispredicted;
    return misses;
}

static void returns_are_known_as_deep_as_the_stack(void **state)
{
    struct predictor *predictor = begin();

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(nest(predictor, 1), 0);
        assert_int_equal(nest(predictor, 16), 0);
    }
    assert_int_equal(nest(predictor, 20), 4); /* the outer four returns were overwritten */
    predictor_free(predictor);
}

static void a_return_elsewhere_is_mispredicted(void **state)
{
    struct predictor *predictor = begin();

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        struct branch_outcome outcome;

        predictor_resolve(predictor, CODE, CODE + 0x100, CODE + 5, BRANCH_CALL, true);
        outcome = predictor_resolve(predictor, CODE + 0x110, CODE + 0x40, CODE + 0x111,
                                    BRANCH_RETURN, true);
        assert_true(outcome.mispredicted);
        assert_false(outcome.unknown);
    }
    predictor_free(predictor);
}

static void an_empty_stack_falls_back_to_the_last_target(void **state)
{
    struct predictor *predictor = begin();

    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        bool missed = predictor_resolve(predictor, CODE, CODE + 0x40, CODE + 1, BRANCH_RETURN, true)
                          .mispredicted;

        assert_int_equal(missed, i == 0);
    }
    predictor_free(predictor);
}

static void far_branches_are_never_mispredicted(void **state)
{
    struct predictor *predictor = begin();
    uint64_t seed = 1;

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        struct branch_outcome outcome =
            predictor_resolve(predictor, CODE, next_random(&seed), CODE + 2, BRANCH_FAR, true);

        assert_false(outcome.mispredicted);
        assert_false(outcome.unknown);
    }
    predictor_free(predictor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_patterns_are_learned),
        cmocka_unit_test(loops_of_up_to_32_trips_end_without_a_mispredict),
        cmocka_unit_test(a_random_bit_is_missed_half_of_the_time_and_its_loop_is_not),
        cmocka_unit_test(many_branches_of_one_kind_each_keep_their_direction),
        cmocka_unit_test(the_btb_holds_4096_dense_branches_and_not_twice_as_many),
        cmocka_unit_test(branches_that_are_not_taken_need_no_entry),
        cmocka_unit_test(indirect_targets_are_learned_by_what_came_before),
        cmocka_unit_test(a_random_walk_over_targets_is_not_learned_by_heart),
        cmocka_unit_test(returns_are_known_as_deep_as_the_stack),
        cmocka_unit_test(a_return_elsewhere_is_mispredicted),
        cmocka_unit_test(an_empty_stack_falls_back_to_the_last_target),
        cmocka_unit_test(far_branches_are_never_mispredicted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
