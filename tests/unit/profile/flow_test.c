/* The flow through graphs. Numbers by hand; for random graphs, what makes a solution the best one.
 */
#include "tests/unit/cmocka_all.h"

#include <stdbool.h>
#include <stdlib.h>

#include "boot/text.h"
#include "harness/profile/flow.h"
#include "tests/unit/profile/drawn_map.h"

struct solved {
    struct drawn drawn;
    double counts[DRAWN_EDGES];
    bool observed[DRAWN_EDGES];
    struct flow flow;
    uint64_t *memory;
};

/* Every taken edge is observed, with a count of 0 until one is given. */
static struct solved *begin(void)
{
    struct solved *solved = calloc(1, sizeof(*solved));

    memset(solved->observed, true, sizeof(solved->observed));
    return solved;
}

static void give(struct solved *solved, uint32_t from, uint32_t to, double count)
{
    solved->counts[drawn_edge(&solved->drawn, from, to)] = count;
}

static void solve(struct solved *solved)
{
    struct words words = {0, flow_words(&solved->drawn.map)};

    solved->memory = words.next = calloc(words.left, sizeof(uint64_t));
    assert_true(
        flow_make(&solved->flow, &solved->drawn.map, solved->observed, solved->counts, &words));
    assert_int_equal(words.left, 0);
}

static void end(struct solved *solved)
{
    free(solved->memory);
    free(solved);
}

static void assert_block(const struct solved *solved, uint32_t b, double frequency)
{
    assert_true(solved->flow.block_known[b]);
    assert_near(solved->flow.blocks[b], frequency, 1e-6);
}

static double through(const struct solved *solved, uint32_t from, uint32_t to)
{
    return solved->flow.edges[drawn_edge(&solved->drawn, from, to)];
}

/* 100 turns, 30 of them through arm 2. Nobody counts the edges that fall through. 8 edges, 6 nodes
 * with the outside: 3 independent circles, and 5 counts. */
static void a_diamond_in_a_loop_is_known_from_its_taken_edges(void **state)
{
    struct solved *solved = begin();

    (void)state;
    draw_diamond(&solved->drawn);
    give(solved, OUTSIDE, 0, 1);
    give(solved, 0, 2, 30);
    give(solved, 1, 3, 70);
    give(solved, 3, 0, 99);
    give(solved, 4, OUTSIDE, 1);
    solve(solved);
    assert_null(solved->flow.reason);
    assert_block(solved, 0, 100);
    assert_block(solved, 1, 70);
    assert_block(solved, 2, 30);
    assert_block(solved, 3, 100);
    assert_block(solved, 4, 1);
    assert_near(through(solved, 0, 1), 70, 1e-6);
    assert_int_equal(solved->flow.unknowns, 3);
    assert_int_equal(solved->flow.rank, 3);
    assert_int_equal(solved->flow.surplus, 2);
    assert_near(solved->flow.residual, 0, 1e-6);
    end(solved);
}

/* Outer loop of 10 turns around an inner loop of 20: the inner block is its own successor. */
static void nested_loops_multiply(void **state)
{
    struct solved *solved = begin();
    struct drawn *drawn = &solved->drawn;

    (void)state;
    draw_begin(drawn, "nested");
    for (unsigned b = 0; b < 4; b++)
        draw_block(drawn, 2);
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(drawn, 1, 1, MAP_CONDITIONAL);
    draw_edge(drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(drawn, 2, 0, MAP_CONDITIONAL);
    draw_edge(drawn, 2, 3, MAP_FALL_THROUGH);
    draw_edge(drawn, 3, OUTSIDE, MAP_RETURN);
    give(solved, OUTSIDE, 0, 1);
    give(solved, 1, 1, 190);
    give(solved, 2, 0, 9);
    give(solved, 3, OUTSIDE, 1);
    solve(solved);
    assert_null(solved->flow.reason);
    assert_block(solved, 0, 10);
    assert_block(solved, 1, 200);
    assert_block(solved, 2, 10);
    assert_block(solved, 3, 1);
    end(solved);
}

/* The function at 4 has two callers; its returns say how often each of them called. Block 4 makes a
 * choice that only the returns' sum can tell. */
static void a_function_with_several_callers_runs_as_often_as_all_of_them_call(void **state)
{
    struct solved *solved = begin();
    struct drawn *drawn = &solved->drawn;

    (void)state;
    draw_begin(drawn, "calls");
    for (unsigned b = 0; b < 4; b++)
        draw_block(drawn, 2);
    draw_function(drawn, "callee");
    for (unsigned b = 0; b < 3; b++)
        draw_block(drawn, 1);
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(drawn, 0, 4, MAP_CALL);
    draw_edge(drawn, 6, 1, MAP_RETURN);
    draw_edge(drawn, 1, 0, MAP_CONDITIONAL);
    draw_edge(drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(drawn, 2, 4, MAP_CALL);
    draw_edge(drawn, 6, 3, MAP_RETURN);
    draw_edge(drawn, 3, OUTSIDE, MAP_RETURN);
    draw_edge(drawn, 4, 5, MAP_FALL_THROUGH);
    draw_edge(drawn, 4, 6, MAP_CONDITIONAL);
    draw_edge(drawn, 5, 6, MAP_FALL_THROUGH);
    give(solved, OUTSIDE, 0, 5);
    give(solved, 0, 4, 40);
    give(solved, 6, 1, 40);
    give(solved, 1, 0, 35);
    give(solved, 2, 4, 5);
    give(solved, 6, 3, 5);
    give(solved, 3, OUTSIDE, 5);
    give(solved, 4, 6, 12);
    solve(solved);
    assert_null(solved->flow.reason);
    assert_block(solved, 4, 45);
    assert_block(solved, 5, 33);
    assert_block(solved, 6, 45);
    assert_block(solved, 2, 5);
    assert_near(solved->flow.residual, 0, 1e-6);
    end(solved);
}

static void draw_pair(struct solved *solved, double there, double back)
{
    draw_begin(&solved->drawn, "pair");
    draw_block(&solved->drawn, 1);
    draw_block(&solved->drawn, 1);
    draw_edge(&solved->drawn, 0, 1, MAP_JUMP);
    draw_edge(&solved->drawn, 1, 0, MAP_JUMP);
    give(solved, 0, 1, there);
    give(solved, 1, 0, back);
}

/* Two counts of one circle: both have the variance 100 of their common frequency, so the best is
 * their mean; the squares sum to (10^2 + 10^2) / 100. */
static void counts_that_contradict_meet_in_the_middle(void **state)
{
    struct solved *solved = begin();

    (void)state;
    draw_pair(solved, 90, 110);
    solve(solved);
    assert_null(solved->flow.reason);
    assert_near(solved->flow.blocks[0], 100, 0.01);
    assert_near(solved->flow.blocks[1], solved->flow.blocks[0], 1e-9);
    assert_int_equal(solved->flow.surplus, 1);
    assert_near(solved->flow.residual, 2, 0.01);
    end(solved);
}

/* 10 come in, 14 jump over block 1, 10 leave: block 1 would run -4 times. With it at 0 all three
 * counts are of one flow: 34/3. */
static void no_flow_is_negative(void **state)
{
    struct solved *solved = begin();
    struct drawn *drawn = &solved->drawn;

    (void)state;
    draw_begin(drawn, "over");
    for (unsigned b = 0; b < 3; b++)
        draw_block(drawn, 1);
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(drawn, 0, 2, MAP_CONDITIONAL);
    draw_edge(drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(drawn, 2, OUTSIDE, MAP_RETURN);
    give(solved, OUTSIDE, 0, 10);
    give(solved, 0, 2, 14);
    give(solved, 2, OUTSIDE, 10);
    solve(solved);
    assert_null(solved->flow.reason);
    assert_int_equal(solved->flow.bound, 1);
    assert_near(solved->flow.blocks[0], 34.0 / 3, 0.01);
    assert_near(solved->flow.blocks[1], 0, 1e-9);
    assert_near(solved->flow.blocks[2], solved->flow.blocks[0], 1e-9);
    end(solved);
}

/* The stack leaves out the branches of both arms: 100 turns are known, the arms are not, and the
 * smallest flow halves them. */
static void what_the_counts_do_not_determine_is_said_to_be_so(void **state)
{
    struct solved *solved = begin();
    const struct drawn *drawn = &solved->drawn;

    (void)state;
    draw_diamond(&solved->drawn);
    give(solved, OUTSIDE, 0, 1);
    give(solved, 3, 0, 99);
    give(solved, 4, OUTSIDE, 1);
    solved->observed[drawn_edge(drawn, 0, 2)] = false;
    solved->observed[drawn_edge(drawn, 1, 3)] = false;
    solve(solved);
    assert_null(solved->flow.reason);
    assert_int_equal(solved->flow.unknowns, 3);
    assert_int_equal(solved->flow.rank, 2);
    assert_int_equal(solved->flow.surplus, 1);
    assert_block(solved, 0, 100);
    assert_block(solved, 3, 100);
    assert_false(solved->flow.block_known[1]);
    assert_false(solved->flow.block_known[2]);
    assert_near(solved->flow.blocks[1], 50, 1e-6);
    assert_near(solved->flow.blocks[2], 50, 1e-6);
    assert_false(solved->flow.edge_known[drawn_edge(drawn, 0, 1)]);
    assert_true(solved->flow.edge_known[drawn_edge(drawn, 3, 4)]);
    end(solved);
}

static void counts_of_nothing_solve_nothing(void **state)
{
    struct solved *solved = begin();

    (void)state;
    draw_diamond(&solved->drawn);
    solve(solved);
    assert_string_equal(solved->flow.reason, "no taken branch was recorded");
    end(solved);
}

static void too_few_words_are_refused(void **state)
{
    struct solved *solved = begin();
    uint64_t memory[4];
    struct words words = {memory, 4};

    (void)state;
    draw_pair(solved, 1, 1);
    assert_false(
        flow_make(&solved->flow, &solved->drawn.map, solved->observed, solved->counts, &words));
    end(solved);
}

/* --- random graphs --- */

static uint64_t random_state;
static uint32_t any(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % below;
}

/* Every block leads to the next one, and some also branch to any other. */
static void draw_any(struct solved *solved, uint32_t blocks)
{
    struct drawn *drawn = &solved->drawn;

    draw_begin(drawn, "any");
    for (uint32_t b = 0; b < blocks; b++)
        draw_block(drawn, 1 + any(4));
    for (uint32_t b = 0; b + 1 < blocks; b++) {
        draw_edge(drawn, b, b + 1, any(4) ? MAP_FALL_THROUGH : MAP_JUMP_INDIRECT);
        for (uint32_t branch = any(3); branch-- > 0;) {
            const uint32_t to = any(blocks);

            if (drawn_edge(drawn, b, to) == drawn->map.edge_count)
                draw_edge(drawn, b, to, MAP_CONDITIONAL);
        }
    }
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(drawn, blocks - 1, OUTSIDE, MAP_RETURN);
}

/* A random walk; counts every edge. False: it found no way out for too long. */
static bool walk(const struct drawn *drawn, double *flows, uint32_t steps)
{
    uint32_t at = OUTSIDE;

    for (uint32_t step = 0; step < steps || at != OUTSIDE; step++) {
        uint32_t leaving = 0, chosen = 0;

        for (uint32_t e = 0; e < drawn->map.edge_count; e++)
            if (drawn->edges[e].from == at && !any(++leaving))
                chosen = e;
        assert_true(leaving);
        flows[chosen]++;
        at = drawn->edges[chosen].to;
        if (step > steps + 4000)
            return false;
    }
    return true;
}

static double imbalance(const struct solved *solved, uint32_t block)
{
    double sum = 0;

    for (uint32_t e = 0; e < solved->drawn.map.edge_count; e++) {
        sum += solved->drawn.edges[e].to == block ? solved->flow.edges[e] : 0;
        sum -= solved->drawn.edges[e].from == block ? solved->flow.edges[e] : 0;
    }
    return sum;
}

static void the_flow_of_a_walk_is_found_again(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct solved *solved = begin();
        double flows[DRAWN_EDGES] = {0};
        bool returned;

        random_state = seed * 0x9e3779b97f4a7c15u;
        draw_any(solved, 2 + any(60));
        returned = walk(&solved->drawn, flows, 2000);
        for (uint32_t e = 0; e < solved->drawn.map.edge_count; e++)
            solved->counts[e] = solved->drawn.edges[e].kind == MAP_FALL_THROUGH ? -1 : flows[e];
        solve(solved);
        assert_null(solved->flow.reason);
        assert_int_equal(solved->flow.rank, solved->flow.unknowns);
        for (uint32_t e = 0; returned && e < solved->drawn.map.edge_count; e++)
            assert_near(solved->flow.edges[e], flows[e], 1e-6);
        checked += returned;
        end(solved);
    }
    assert_true(checked > 20);
}

/* Weighted squares after the flow has been changed by `step` along a circle. */
static double squares(const struct solved *solved, const double *change, double step)
{
    double sum = 0;

    for (uint32_t e = 0; e < solved->drawn.map.edge_count; e++) {
        const double off = solved->flow.edges[e] + step * change[e] - solved->counts[e];

        if (solved->flow.observed[e])
            sum += off * off / solved->flow.variance[e];
    }
    return sum;
}

/* How far the flow can be changed before an edge becomes negative. */
static double room(const struct solved *solved, const double *change)
{
    double least = 1e9;

    for (uint32_t e = 0; e < solved->drawn.map.edge_count; e++)
        if (change[e] < 0 && solved->flow.edges[e] / -change[e] < least)
            least = solved->flow.edges[e] / -change[e];
    return least;
}

/* Least squares are convex, so a flow is the best one if no walk that returns, added or taken away,
 * makes it better. */
static void no_other_flow_is_closer_to_counts_that_contradict(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct solved *solved = begin();
        double flows[DRAWN_EDGES] = {0};

        random_state = seed * 0x9e3779b97f4a7c15u;
        draw_any(solved, 2 + any(40));
        walk(&solved->drawn, flows, 500);
        for (uint32_t e = 0; e < solved->drawn.map.edge_count; e++)
            solved->counts[e] = flows[e] / 2 + any(20);
        solve(solved);
        assert_null(solved->flow.reason);
        for (uint32_t b = 0; b < solved->drawn.map.block_count; b++)
            assert_near(imbalance(solved, b), 0, 1e-5);
        for (unsigned trial = 0; trial < 40; trial++) {
            double change[DRAWN_EDGES] = {0}, far;

            if (!walk(&solved->drawn, change, 1 + any(30)))
                continue;
            checked++;
            for (uint32_t e = 0; trial % 2 && e < solved->drawn.map.edge_count; e++)
                change[e] = -change[e];
            far = room(solved, change);
            for (double step = far < 1 ? far : 1; step > 1e-4; step /= 4)
                assert_true(squares(solved, change, step) > squares(solved, change, 0) - 1e-6);
        }
        end(solved);
    }
    assert_true(checked > 800);
}

static void flow_again_of_the_same_counts_is_the_same_flow(void **state)
{
    struct solved *solved = begin();
    double blocks[2];

    (void)state;
    draw_pair(solved, 90, 110);
    solve(solved);
    flow_again(&solved->flow, solved->counts, blocks);
    assert_near(blocks[0], solved->flow.blocks[0], 1e-9);
    solved->counts[0] += 20;
    flow_again(&solved->flow, solved->counts, blocks);
    assert_near(blocks[0], 110, 0.1);
    assert_near(solved->flow.blocks[0], 100, 0.01);
    end(solved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diamond_in_a_loop_is_known_from_its_taken_edges),
        cmocka_unit_test(nested_loops_multiply),
        cmocka_unit_test(a_function_with_several_callers_runs_as_often_as_all_of_them_call),
        cmocka_unit_test(counts_that_contradict_meet_in_the_middle),
        cmocka_unit_test(no_flow_is_negative),
        cmocka_unit_test(what_the_counts_do_not_determine_is_said_to_be_so),
        cmocka_unit_test(counts_of_nothing_solve_nothing),
        cmocka_unit_test(too_few_words_are_refused),
        cmocka_unit_test(the_flow_of_a_walk_is_found_again),
        cmocka_unit_test(no_other_flow_is_closer_to_counts_that_contradict),
        cmocka_unit_test(flow_again_of_the_same_counts_is_the_same_flow),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, 0, 0);
}
