/* Distances from a cause: loops drawn by hand, distances counted by hand, and what is promised. */
#include <string.h>

#include "tests/unit/cmocka_all.h"

#include "harness/experiment/skid/distances.h"
#include "harness/experiment/skid/skid_judge.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS 4096

static struct drawn drawn;
static uint64_t memory[WORDS];
static struct code_index code;
static struct skid_distances distances;

/* Two instructions, a loop of eight (numbers 2 to 9, bytes 8 to 39) in two blocks, and a RET. */
static void draw_loop(void)
{
    struct words words = {memory, WORDS};

    memset(&drawn, 0, sizeof(drawn));
    draw_begin(&drawn, "loop");
    draw_block(&drawn, 2);
    draw_block(&drawn, 5);
    draw_block(&drawn, 3);
    draw_block(&drawn, 1);
    draw_edge(&drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(&drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(&drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(&drawn, 2, 1, MAP_CONDITIONAL);
    draw_edge(&drawn, 2, 3, MAP_FALL_THROUGH);
    draw_edge(&drawn, 3, OUTSIDE, MAP_RETURN);
    assert_null(code_index_make(&code, &drawn.map, DRAWN_CODE, &words));
}

/* The cause is instruction 7, at byte 28. */
static void begin(void)
{
    struct skid_loop loop;

    draw_loop();
    assert_null(skid_loop_find(&loop, &drawn.map, 28));
    assert_int_equal(loop.first, 2);
    assert_int_equal(loop.count, 8);
    assert_int_equal(loop.cause, 7);
    skid_distances_begin(&distances, &loop);
}

static void sample_byte(uint64_t byte)
{
    skid_distances_address(&distances, &code, DRAWN_CODE + byte);
}

static void distances_go_forward_around_the_loop(void **state)
{
    (void)state;
    begin();
    sample_byte(28); /* the cause: 0 */
    sample_byte(36); /* two further */
    sample_byte(8);  /* the loop's first: 9 is 2 further, so 3 */
    sample_byte(24); /* the one before the cause: a lap less one, 7 */
    assert_int_equal(distances.at[0], 1);
    assert_int_equal(distances.at[2], 1);
    assert_int_equal(distances.at[3], 1);
    assert_int_equal(distances.at[7], 1);
    assert_int_equal(distances.samples, 4);
    assert_int_equal(skid_beyond_half(&distances), 1);
}

static void unknown_addresses_are_counted_apart(void **state)
{
    (void)state;
    begin();
    sample_byte(0);            /* before the loop */
    sample_byte(40);           /* the RET */
    sample_byte(44);           /* past the code */
    sample_byte((uint64_t)-4); /* before it */
    sample_byte(30);           /* in the midst of an instruction */
    assert_int_equal(distances.samples, 0);
    assert_int_equal(distances.outside, 4);
    assert_int_equal(distances.broken, 1);
}

static void without_samples_there_are_no_figures(void **state)
{
    (void)state;
    begin();
    assert_false(skid_figures_of(&distances).known);
    sample_byte(0);
    assert_false(skid_figures_of(&distances).known);
}

/* Distances 1, 1, 2, 6: mean 10 / 4, the lower middle one is 1. */
static void figures_are_those_of_the_distances(void **state)
{
    struct skid_figures figures;

    (void)state;
    begin();
    skid_distances_add(&distances, 8, 2);
    skid_distances_add(&distances, 9, 1);
    skid_distances_add(&distances, 5, 1);
    figures = skid_figures_of(&distances);
    assert_true(figures.known);
    assert_int_equal(figures.minimum, 1);
    assert_int_equal(figures.median, 1);
    assert_int_equal(figures.maximum, 6);
    assert_near(figures.mean, 2.5, 1e-12);
}

static void a_cause_outside_of_the_loop_is_refused(void **state)
{
    struct skid_loop loop;

    (void)state;
    draw_loop();
    assert_non_null(skid_loop_find(&loop, &drawn.map, 4));
    assert_non_null(skid_loop_find(&loop, &drawn.map, 40));
    assert_non_null(skid_loop_find(&loop, &drawn.map, 29));
}

/* A branch around the second block of the loop makes two ways of different length. */
static void a_loop_with_ways_of_different_lengths_is_refused(void **state)
{
    struct skid_loop loop;

    (void)state;
    memset(&drawn, 0, sizeof(drawn));
    draw_begin(&drawn, "ways");
    for (unsigned i = 0; i < 4; i++)
        draw_block(&drawn, 2);
    draw_edge(&drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(&drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(&drawn, 0, 2, MAP_CONDITIONAL);
    draw_edge(&drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(&drawn, 2, 0, MAP_CONDITIONAL);
    draw_edge(&drawn, 2, 3, MAP_FALL_THROUGH);
    draw_edge(&drawn, 3, OUTSIDE, MAP_RETURN);
    assert_string_equal(skid_loop_find(&loop, &drawn.map, 0),
                        "the loop of its kernel has ways of different lengths");
}

/* Blocks of 2, 3, 3 and 2 instructions: 0, 1 | 2, 3, 4 or 5, 6, 7 | 8, 9. A lap has 7, and the
 * first of either arm is 1 behind the branch, instruction 1. */
static void ways_of_one_length_are_one_way(void **state)
{
    static const uint32_t sizes[] = {2, 3, 3, 2, 1};
    struct skid_loop loop;

    (void)state;
    memset(&drawn, 0, sizeof(drawn));
    draw_begin(&drawn, "arms");
    for (unsigned i = 0; i < 5; i++)
        draw_block(&drawn, sizes[i]);
    draw_edge(&drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(&drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(&drawn, 0, 2, MAP_CONDITIONAL);
    draw_edge(&drawn, 1, 3, MAP_JUMP);
    draw_edge(&drawn, 2, 3, MAP_FALL_THROUGH);
    draw_edge(&drawn, 3, 0, MAP_CONDITIONAL);
    draw_edge(&drawn, 3, 4, MAP_FALL_THROUGH);
    draw_edge(&drawn, 4, OUTSIDE, MAP_RETURN);
    assert_null(skid_loop_find(&loop, &drawn.map, map_instruction_at(&drawn.map, 1).offset));
    assert_int_equal(loop.count, 7);
    assert_int_equal(loop.span, 10);
    skid_distances_begin(&distances, &loop);
    skid_distances_add(&distances, 2, 3);
    skid_distances_add(&distances, 5, 4);
    skid_distances_add(&distances, 8, 1);
    skid_distances_add(&distances, 0, 1);
    skid_distances_add(&distances, 10, 1);
    assert_int_equal(distances.at[1], 7);
    assert_int_equal(distances.at[4], 1);
    assert_int_equal(distances.at[6], 1);
    assert_int_equal(distances.outside, 1);
    assert_string_equal(skid_loop_find(&loop, &drawn.map, map_instruction_at(&drawn.map, 3).offset),
                        "its kernel's cause is on one way of several");
}

/* Every kernel that names a cause has a loop that the arithmetic can use. */
static void every_kernel_with_a_cause_has_a_loop(void **state)
{
    unsigned count = 0;

    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_linked(i);
        const struct kernel_map *map = kernel_map_of(kernel->name);
        struct skid_loop loop;

        if (kernel->cause == NULL)
            continue;
        count++;
        assert_non_null(map);
        assert_null(skid_loop_find(
            &loop, map, (uint64_t)(uintptr_t)kernel->cause - (uint64_t)(uintptr_t)kernel->code));
        assert_in_range(loop.count, 100, SKID_LOOP_MAX);
        assert_true(kernel->cause_event[0] != '\0');
    }
    assert_true(count > 0);
}

static enum skid_outcome judge(enum skid_method method, bool every, uint32_t due)
{
    const char *why = "";

    return skid_judge(&distances, method, every, due, 1, &why);
}

static void an_interrupt_that_names_the_cause_breaks_the_promise(void **state)
{
    (void)state;
    begin();
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_OPEN); /* no sample */
    skid_distances_add(&distances, 8, 5);
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_HOLDS);
    assert_int_equal(judge(SKID_PMI_VECTOR, false, 0), SKID_HOLDS);
    skid_distances_add(&distances, 6, 1); /* 7 of 8: late, or before the cause */
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_OPEN);
    skid_distances_add(&distances, 7, 1);
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_BROKEN);
}

static void a_record_is_held_to_what_its_format_has(void **state)
{
    (void)state;
    begin();
    skid_distances_add(&distances, 7, 5);
    assert_int_equal(judge(SKID_PEBS, false, 0), SKID_HOLDS);
    assert_int_equal(judge(SKID_PEBS, false, 1), SKID_BROKEN);
    sample_byte(0);
    assert_int_equal(judge(SKID_PEBS, false, 0), SKID_HOLDS); /* one, in one window */
    sample_byte(0);
    assert_int_equal(judge(SKID_PEBS, false, 0), SKID_BROKEN);
    begin();
    skid_distances_add(&distances, 8, 5);
    assert_int_equal(judge(SKID_PEBS, false, 1), SKID_HOLDS);
    sample_byte(30);
    assert_int_equal(judge(SKID_PEBS, false, 1), SKID_BROKEN);
}

static void precise_distribution_has_no_shadow(void **state)
{
    (void)state;
    begin();
    for (uint32_t i = 2; i < 10; i++)
        skid_distances_add(&distances, i, 3);
    assert_int_equal(judge(SKID_PEBS_DISTRIBUTED, true, 0), SKID_HOLDS);
    skid_distances_add(&distances, 8, 1);
    assert_int_equal(judge(SKID_PEBS_DISTRIBUTED, true, 0), SKID_HOLDS);
    skid_distances_add(&distances, 8, 1);
    assert_int_equal(judge(SKID_PEBS_DISTRIBUTED, true, 0), SKID_BROKEN);
    assert_int_equal(judge(SKID_PEBS, true, 0), SKID_OPEN);
    assert_int_equal(judge(SKID_PMI_NMI, true, 0), SKID_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_go_forward_around_the_loop),
        cmocka_unit_test(unknown_addresses_are_counted_apart),
        cmocka_unit_test(without_samples_there_are_no_figures),
        cmocka_unit_test(figures_are_those_of_the_distances),
        cmocka_unit_test(a_cause_outside_of_the_loop_is_refused),
        cmocka_unit_test(a_loop_with_ways_of_different_lengths_is_refused),
        cmocka_unit_test(ways_of_one_length_are_one_way),
        cmocka_unit_test(every_kernel_with_a_cause_has_a_loop),
        cmocka_unit_test(an_interrupt_that_names_the_cause_breaks_the_promise),
        cmocka_unit_test(a_record_is_held_to_what_its_format_has),
        cmocka_unit_test(precise_distribution_has_no_shadow),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
