/* Branch records by edge. */
#include "tests/unit/cmocka_all.h"

#include "harness/experiment/branches/edges.h"

static void records_of_an_edge_are_added_up_and_edges_ascend(void **state)
{
    struct edge rows[4];
    struct edges edges = {.rows = rows, .limit = 4};
    const struct lbr_stack stack = {
        .count = 4,
        .entries =
            {{.from = 9,
              .to = 1,
              .mispredict_valid = true,
              .mispredicted = true,
              .cycles_valid = true,
              .cycles = 20,
              .type = LBR_RETURN},
             {.from = 5, .to = 7, .mispredict_valid = true, .cycles_valid = true, .cycles = 2},
             {.from = 9, .to = 1, .mispredict_valid = true, .cycles_valid = true, .cycles = 4},
             {.from = 9, .to = 0, .mispredict_valid = true}},
    };

    (void)state;
    edges_add(&edges, &stack);
    edges_add(&edges, &(struct lbr_stack){.count = 0});
    assert_int_equal(edges.count, 3);
    assert_true(edges.records == 4 && edges.dropped == 0);
    assert_true(rows[0].from == 5 && rows[1].to == 0 && rows[2].to == 1);
    assert_true(rows[2].count == 2 && rows[2].mispredicted == 1 && rows[2].flags == 2);
    assert_true(rows[2].timed == 2 && rows[2].cycles == 24);
    assert_int_equal(rows[2].type, LBR_RETURN);
    assert_true(rows[1].count == 1 && rows[1].timed == 0);
}

static void an_edge_without_a_row_is_counted_as_dropped(void **state)
{
    struct edge rows[1];
    struct edges edges = {.rows = rows, .limit = 1};
    const struct lbr_stack stack = {.count = 3, .entries = {{.from = 1}, {.from = 2}, {.from = 1}}};

    (void)state;
    edges_add(&edges, &stack);
    assert_true(edges.count == 1 && edges.records == 2 && edges.dropped == 1);
    assert_true(rows[0].count == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_of_an_edge_are_added_up_and_edges_ascend),
        cmocka_unit_test(an_edge_without_a_row_is_counted_as_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
