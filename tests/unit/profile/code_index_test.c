/* Where an address lies in a kernel's map. Maps by hand; addresses by arithmetic. */
#include "tests/unit/cmocka_all.h"

#include "harness/profile/code_index.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS 4096

static struct drawn drawn;
static uint64_t memory[WORDS];

static const char *make(struct code_index *index)
{
    struct words words = {memory, WORDS};

    return code_index_make(index, &drawn.map, DRAWN_CODE, &words);
}

/* Blocks of 1, 2, 3, 4 and 5 instructions of 4 bytes: block 2 is at 12, its last instruction at 20.
 */
static void addresses_are_found_at_instructions_only(void **state)
{
    struct code_index index;

    (void)state;
    draw_diamond(&drawn);
    assert_null(make(&index));
    assert_int_equal(code_instruction(&index, DRAWN_CODE + 12), 3);
    assert_int_equal(code_instruction(&index, DRAWN_CODE + 13), CODE_NOWHERE);
    assert_int_equal(code_block_from(&index, DRAWN_CODE + 12), 2);
    assert_int_equal(code_block_from(&index, DRAWN_CODE + 16), CODE_NOWHERE);
    assert_int_equal(code_block_ending(&index, DRAWN_CODE + 20), 2);
    assert_int_equal(code_block_ending(&index, DRAWN_CODE + 12), CODE_NOWHERE);
}

/* 15 instructions are 60 bytes. */
static void the_code_ends_at_its_last_byte(void **state)
{
    struct code_index index;

    (void)state;
    draw_diamond(&drawn);
    assert_null(make(&index));
    assert_true(code_holds(&index, DRAWN_CODE));
    assert_true(code_holds(&index, DRAWN_CODE + 59));
    assert_false(code_holds(&index, DRAWN_CODE + 60));
    assert_false(code_holds(&index, DRAWN_CODE - 1));
    assert_false(code_holds(&index, 0));
    assert_false(code_holds(&index, UINT64_MAX));
}

static void falling_through_ends_at_a_block_that_always_branches(void **state)
{
    struct code_index index;

    (void)state;
    draw_diamond(&drawn);
    assert_null(make(&index));
    assert_int_equal(index.last_reached[0], 1);
    assert_int_equal(index.last_reached[1], 1);
    assert_int_equal(index.last_reached[2], 4);
    assert_int_equal(index.last_reached[4], 4);
}

static void only_taken_edges_are_edges_of_records(void **state)
{
    struct code_index index;

    (void)state;
    draw_diamond(&drawn);
    assert_null(make(&index));
    assert_int_equal(code_taken_edge(&index, 0, 2), drawn_edge(&drawn, 0, 2));
    assert_int_equal(code_taken_edge(&index, 0, 1), CODE_NOWHERE);
    assert_int_equal(code_taken_edge(&index, MAP_OUTSIDE, 0), drawn_edge(&drawn, OUTSIDE, 0));
    assert_int_equal(code_taken_edge(&index, 4, MAP_OUTSIDE), drawn_edge(&drawn, 4, OUTSIDE));
    assert_int_equal(code_taken_edge(&index, 2, 0), CODE_NOWHERE);
}

static void a_map_that_is_none_is_refused_with_its_reason(void **state)
{
    struct code_index index;

    (void)state;
    draw_diamond(&drawn);
    drawn.lengths[3] = 0;
    assert_string_equal(make(&index), "an instruction has no bytes");
    draw_diamond(&drawn);
    drawn.lengths[3] = 8;
    assert_string_equal(make(&index), "the instructions of a block do not fill it");
    draw_diamond(&drawn);
    drawn.blocks[2].offset = 8;
    assert_string_equal(make(&index), "the blocks are not in the order of their offsets");
    draw_diamond(&drawn);
    drawn.blocks[2].first = 4;
    assert_string_equal(make(&index),
                        "a block does not begin with the instruction after the block before it");
    draw_diamond(&drawn);
    drawn.blocks[4].bytes = 24;
    assert_string_equal(make(&index), "a block lies outside of the code");
    draw_diamond(&drawn);
    drawn.edges[0].to = 5;
    assert_string_equal(make(&index), "an edge leads to no block");
    draw_diamond(&drawn);
    drawn.edges[drawn_edge(&drawn, 0, 2)].kind = MAP_FALL_THROUGH;
    assert_string_equal(make(&index), "a block falls through to one that does not follow it");
    draw_diamond(&drawn);
    drawn.functions[0].blocks = 4;
    assert_string_equal(make(&index), "a block is in no function");
}

static void a_map_needs_as_many_words_as_were_announced(void **state)
{
    struct code_index index;
    struct words words = {memory, 0};

    (void)state;
    draw_diamond(&drawn);
    words.left = code_index_words(&drawn.map) - 1;
    assert_string_equal(code_index_make(&index, &drawn.map, DRAWN_CODE, &words),
                        "there is no memory for the kernel's map");
    words.left = code_index_words(&drawn.map);
    assert_null(code_index_make(&index, &drawn.map, DRAWN_CODE, &words));
    assert_int_equal(words.left, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_found_at_instructions_only),
        cmocka_unit_test(the_code_ends_at_its_last_byte),
        cmocka_unit_test(falling_through_ends_at_a_block_that_always_branches),
        cmocka_unit_test(only_taken_edges_are_edges_of_records),
        cmocka_unit_test(a_map_that_is_none_is_refused_with_its_reason),
        cmocka_unit_test(a_map_needs_as_many_words_as_were_announced),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, 0, 0);
}
