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
    skid_distances_address(&distances, &code, DRAWN_CODE + byte, NULL, 0);
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
}

/* A loop of 480 instructions with one event, whose handler counts 2 itself. The address 37 behind
 * the cause, and a counter of 2: 37. A counter of 3: the next lap's, 517; of 5: 1477. */
static void the_counter_tells_the_lap(void **state)
{
    const struct skid_laps laps = {.length = 480, .events = 1, .own = 2};

    (void)state;
    assert_int_equal(skid_laps_distance(&laps, 37, 2), 37);
    assert_int_equal(skid_laps_distance(&laps, 37, 3), 517);
    assert_int_equal(skid_laps_distance(&laps, 37, 5), 1477);
    assert_int_equal(skid_laps_distance(&laps, 479, 2), 479);
    assert_int_equal(skid_laps_distance(&laps, 1, 3), 481);
    assert_int_equal(skid_laps_distance(&laps, 37, 1), SKID_NO_LAP); /* fewer than the handler's */
}

/* At the cause's own address it has not happened again: after one more event two laps are over.
 * After none it is the cause that is named, unless the chain says that a lap is over. */
static void a_cause_that_comes_next_is_not_counted_yet(void **state)
{
    struct skid_laps laps = {.length = 480, .events = 1};

    (void)state;
    assert_int_equal(skid_laps_distance(&laps, 0, 1), 960);
    assert_int_equal(skid_laps_distance(&laps, 0, 0), 0);
    laps.expected = 14;
    assert_int_equal(skid_laps_distance(&laps, 0, 0), 0);
    laps.expected = 470;
    assert_int_equal(skid_laps_distance(&laps, 0, 0), 480);
}

/* Two events a lap: an odd number of them is of no lap's end. */
static void events_that_fill_no_lap_tell_nothing(void **state)
{
    const struct skid_laps laps = {.length = 100, .events = 2};

    (void)state;
    assert_int_equal(skid_laps_distance(&laps, 7, 4), 207);
    assert_int_equal(skid_laps_distance(&laps, 7, 3), SKID_NO_LAP);
    assert_int_equal(skid_laps_events(2.01), 2);
    assert_int_equal(skid_laps_events(0.99), 1);
    assert_int_equal(skid_laps_events(0.5), 0);
    assert_int_equal(skid_laps_events(1.03), 0);
    assert_int_equal(skid_laps_events(0.01), 0);
}

/* Interrupts 500 instructions late, a loop of 480: a sample at 25 is 505 behind, one at 470 is in
 * the cause's own lap; one at 250 is as likely 250 as 730 behind. */
static void the_chain_tells_the_lap_where_the_counter_does_not(void **state)
{
    const struct skid_laps laps = {.length = 480, .expected = 500}, none = {.length = 480};

    (void)state;
    assert_int_equal(skid_laps_distance(&laps, 25, 0), 505);
    assert_int_equal(skid_laps_distance(&laps, 470, 0), 470);
    assert_int_equal(skid_laps_distance(&laps, 0, 0), 480);
    assert_int_equal(skid_laps_distance(&laps, 250, 0), SKID_NO_LAP);
    assert_int_equal(skid_laps_distance(&none, 25, 0), SKID_NO_LAP);
}

/* A counter by which a sample is 37 behind, and a chain by which it is some 500 behind. */
static void counter_and_chain_must_agree(void **state)
{
    const struct skid_laps laps = {.length = 480, .events = 1, .expected = 500},
                           alone = {.length = 480, .events = 1};

    (void)state;
    assert_true(skid_laps_differ(&laps, 37));
    assert_false(skid_laps_differ(&laps, 517));
    assert_false(skid_laps_differ(&alone, 37));
}

static void a_sample_without_a_lap_has_no_distance(void **state)
{
    const struct skid_laps laps = {.length = 8, .events = 2}, far = {.length = 8, .events = 1};

    (void)state;
    begin();
    skid_distances_address(&distances, &code, DRAWN_CODE + 36, &laps, 3);
    assert_int_equal(distances.unplaced, 1);
    skid_distances_address(&distances, &code, DRAWN_CODE + 36, &laps, 4); /* 2 behind, 2 laps */
    assert_int_equal(distances.at[18], 1);
    skid_distances_address(&distances, &code, DRAWN_CODE + 36, &far, 512); /* 4098 */
    assert_int_equal(distances.unplaced, 2);
    assert_int_equal(distances.samples, 1);
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

static enum skid_outcome judge_in(const struct skid_laps *laps, enum skid_method method, bool every,
                                  uint32_t due)
{
    const char *why = "";

    return skid_judge(&distances, laps, method, every, due, 1, &why);
}

static enum skid_outcome judge(enum skid_method method, bool every, uint32_t due)
{
    return judge_in(&(struct skid_laps){0}, method, every, due);
}

static void an_interrupt_that_names_the_cause_breaks_the_promise(void **state)
{
    (void)state;
    begin();
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_OPEN); /* no sample */
    skid_distances_add(&distances, 8, 5);
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_HOLDS);
    assert_int_equal(judge(SKID_PMI_VECTOR, false, 0), SKID_HOLDS);
    skid_distances_add(&distances, 6, 1); /* 7 of 8: late */
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_HOLDS);
    skid_distances_add(&distances, 7, 1);
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_BROKEN);
}

static void a_lap_in_doubt_is_not_judged(void **state)
{
    const struct skid_laps laps = {.length = 8, .events = 1, .expected = 17};

    (void)state;
    begin();
    skid_distances_add(&distances, 8, 5); /* 1 behind, and the chain says 17 */
    assert_int_equal(judge_in(&laps, SKID_PMI_NMI, false, 0), SKID_OPEN);
    begin();
    skid_distances_add(&distances, 8, 5);
    distances.unplaced = 1;
    assert_int_equal(judge(SKID_PMI_NMI, false, 0), SKID_OPEN);
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
        cmocka_unit_test(the_counter_tells_the_lap),
        cmocka_unit_test(a_cause_that_comes_next_is_not_counted_yet),
        cmocka_unit_test(events_that_fill_no_lap_tell_nothing),
        cmocka_unit_test(the_chain_tells_the_lap_where_the_counter_does_not),
        cmocka_unit_test(counter_and_chain_must_agree),
        cmocka_unit_test(a_sample_without_a_lap_has_no_distance),
        cmocka_unit_test(a_lap_in_doubt_is_not_judged),
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
