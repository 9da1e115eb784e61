/* Results of later rounds against those of the first. The numbers are a hand's, not a run's. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/rounds/rounds.h"
#include "tests/unit/descriptions.h"
#include "tests/unit/seams.h"

static const char text[] = "cpu test\n"
                           "width 4\n"
                           "event CPU_CLK_UNHALTED.THREAD - fixed 1\n"
                           "node tma_backend_bound level 1 = 1\n"
                           "node tma_retiring level 1 = 0\n"
                           "topdown formula levels 1\n";

static struct description description;
static struct round_row rows[2];
static struct rounds rounds;
static struct table_row row;
static struct round_result result;

static int set_up(void **state)
{
    struct complaint complaint;

    (void)state;
    seams_reset();
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    memset(rows, 0, sizeof(rows));
    rounds = (struct rounds){.wanted = 3, .rows = rows};
    row = (struct table_row){.filled = true,
                             .description = &description,
                             .levels = 1,
                             .nodes = {0.25, 0.75},
                             .known = {true, true},
                             .cpi = 2,
                             .cpi_known = true,
                             .passed = 5,
                             .skipped = 1};
    result = (struct round_result){.kernel = "be.one", .core = 7, .row = &row};
    log_start(0);
    rounds_begin(&rounds, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static void the_first_round_is_said_and_compared_with_nothing(void **state)
{
    (void)state;
    assert_true(rounds_add(&rounds, 0, &result));
    assert_int_equal(rounds.unsaid, 0);
    assert_null(rounds.node.kernel);
    assert_null(rounds.cpi.kernel);
}

static void as_in_round_1_means_as_cores_agree(void **state)
{
    (void)state;
    rounds_add(&rounds, 1, &result);
    rounds_begin(&rounds, 0);
    row.nodes[0] = 0.2599; /* 0.01 of the slots are allowed, and 5 % of CPI */
    row.cpi = 2.09;
    assert_false(rounds_add(&rounds, 1, &result));
    row.nodes[0] = 0.2601;
    assert_true(rounds_add(&rounds, 1, &result));
    row.nodes[0] = 0.25;
    row.cpi = 2.11;
    assert_true(rounds_add(&rounds, 1, &result));
    assert_int_equal(rounds.results, 3);
    assert_int_equal(rounds.unsaid, 1);
}

static void a_failure_is_said_and_so_is_its_end(void **state)
{
    (void)state;
    row.failed = 1;
    rounds_add(&rounds, 0, &result);
    rounds_begin(&rounds, 0);
    assert_true(rounds_add(&rounds, 0, &result));
    row.failed = 0;
    assert_true(rounds_add(&rounds, 0, &result));
}

static void another_number_of_verdicts_is_said(void **state)
{
    (void)state;
    rounds_add(&rounds, 0, &result);
    rounds_begin(&rounds, 0);
    row.passed--;
    row.skipped++;
    assert_true(rounds_add(&rounds, 0, &result));
}

static void what_was_not_counted_in_either_round_is_not_said_again(void **state)
{
    (void)state;
    row.filled = false;
    rounds_add(&rounds, 0, &result);
    rounds_begin(&rounds, 0);
    assert_false(rounds_add(&rounds, 0, &result));
    row.filled = true;
    assert_true(rounds_add(&rounds, 0, &result));
}

static void the_furthest_node_is_by_its_share_and_cpi_by_its_part(void **state)
{
    (void)state;
    rounds_add(&rounds, 0, &result);
    row.cpi = 100;
    rounds_add(&rounds, 1, &result);
    rounds_begin(&rounds, 0);
    row.nodes[1] = 0.73;
    row.cpi = 110; /* a tenth more */
    rounds_add(&rounds, 1, &result);
    row.nodes[0] = 0.251;
    row.nodes[1] = 0.75;
    row.cpi = 2.4; /* a fifth more */
    rounds_add(&rounds, 0, &result);
    assert_ptr_equal(rounds.node.node, &description.nodes[1]);
    assert_true(rounds.node.from == 0.75 && rounds.node.to == 0.73);
    assert_true(rounds.cpi.from == 2 && rounds.cpi.to == 2.4);
    assert_int_equal(rounds.node.core, 7);
}

static void the_widest_range_is_of_all_rounds(void **state)
{
    (void)state;
    rounds_add(&rounds, 0, &result);
    rounds_begin(&rounds, 0);
    row.nodes[0] = 0.5;
    rounds_add(&rounds, 0, &result);
    rounds_begin(&rounds, 0);
    row.nodes[0] = 0.125;
    rounds_add(&rounds, 0, &result);
    assert_true(rounds.widest.from == 0.125 && rounds.widest.to == 0.5);
    assert_true(rounds.node.from == 0.25 && rounds.node.to == 0.125);
}

static void a_share_without_a_value_moves_nothing(void **state)
{
    (void)state;
    row.known[0] = false;
    rounds_add(&rounds, 0, &result);
    rounds_begin(&rounds, 0);
    row.known[0] = true;
    row.nodes[0] = 0.009;
    assert_true(rounds_add(&rounds, 0, &result)); /* a value does not agree with none */
    assert_ptr_equal(rounds.node.node, &description.nodes[1]);
}

static void verdicts_of_a_round_are_those_said_and_those_not(void **state)
{
    struct log_totals now, round;

    (void)state;
    log_verdict(true, "of round 1");
    rounds_add(&rounds, 0, &result);
    rounds_begin(&rounds, 0);
    rounds_add(&rounds, 0, &result);
    log_verdict(false, "of round 2");
    log_verdict(true, "so many as in round 1");
    rounds.claims++;
    now = log_totals();
    round = rounds_verdicts(&rounds, &now);
    assert_int_equal(round.passed, 5);
    assert_int_equal(round.skipped, 1);
    assert_int_equal(round.failed, 1);
}

/* --- the memory of a round --- */

static unsigned blocks_taken;

static void *counting(size_t size)
{
    blocks_taken++;
    return tests_allocate(size);
}

static void a_rewound_pool_takes_no_more_memory(void **state)
{
    struct pool pool = {.allocate = counting, .chunk = 256};

    (void)state;
    blocks_taken = 0;
    for (unsigned round = 0; round < 5; round++) {
        for (unsigned i = 0; i < 10; i++) {
            uint8_t *piece = pool_take(&pool, 100);

            assert_non_null(piece);
            assert_int_equal((uintptr_t)piece % 16, 0);
            for (unsigned at = 0; at < 100; at++)
                assert_int_equal(piece[at], 0);
            memset(piece, 0xff, 100);
        }
        assert_non_null(pool_take(&pool, 1000)); /* larger than a block */
        assert_int_equal(blocks_taken, 6);       /* two pieces of 112 bytes go into 256 */
        pool_rewind(&pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_round_is_said_and_compared_with_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(as_in_round_1_means_as_cores_agree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failure_is_said_and_so_is_its_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_number_of_verdicts_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_not_counted_in_either_round_is_not_said_again,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_furthest_node_is_by_its_share_and_cpi_by_its_part,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_widest_range_is_of_all_rounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_share_without_a_value_moves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(verdicts_of_a_round_are_those_said_and_those_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_rewound_pool_takes_no_more_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
