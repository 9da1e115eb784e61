/* The map of a small piece of code, which was assembled and drawn by hand from the manual's
 * opcodes, and what is refused. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "tools/kernel_flow.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A loop that calls a function directly and indirectly. */
static const uint8_t code[] = {
    0x31, 0xc0,                   /*  0 .entry  xor eax, eax */
    0xe8, 0x19, 0x00, 0x00, 0x00, /*  2 .loop   call .leaf (7 + 25) */
    0x85, 0xc0,                   /*  7 .back   test eax, eax */
    0x74, 0x05,                   /*  9         jz .skip (11 + 5) */
    0x41, 0xff, 0xd1,             /* 11 .once   call r9 */
    0xff, 0xe2,                   /* 14 .jump   jmp rdx */
    0xff, 0xcf,                   /* 16 .skip   dec edi */
    0x75, 0xee,                   /* 18         jnz .loop (20 - 18) */
    0xc3,                         /* 20 .leave  ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
    0xcc, 0xcc, 0xcc, 0xcc, 0xff, 0xc0, /* 32 .leaf   inc eax */
    0xc3,                               /* 34         ret */
};

static const struct stated_block stated_blocks[] = {
    {0, ".entry", "1"},     {2, ".loop", "n"},  {7, ".back", "n"},   {11, ".once", "n / 2"},
    {14, ".jump", "n / 2"}, {16, ".skip", "n"}, {20, ".leave", "1"}, {32, ".leaf", "n * 1.5"},
};

static const struct stated_target stated_targets[] = {
    {11, 32, ".once", ".leaf"},
    {14, 16, ".jump", ".skip"},
    {14, 20, ".jump", ".leave"},
};

/* A copy of the example that a test may change. */
struct example {
    struct kernel_object object;
    uint8_t code[sizeof(code)];
    struct stated_block blocks[COUNT_OF(stated_blocks) + 1];
    struct stated_target targets[COUNT_OF(stated_targets) + 1];
};

static void take_example(struct example *example)
{
    memcpy(example->code, code, sizeof(code));
    memcpy(example->blocks, stated_blocks, sizeof(stated_blocks));
    memcpy(example->targets, stated_targets, sizeof(stated_targets));
    example->object = (struct kernel_object){
        .name = "by.hand",
        .code = example->code,
        .bytes = sizeof(code),
        .blocks = example->blocks,
        .targets = example->targets,
        .block_count = COUNT_OF(stated_blocks),
        .target_count = COUNT_OF(stated_targets),
    };
}

static void the_map_of_an_example_is_the_one_drawn_by_hand(void **state)
{
    static const struct map_instruction instructions[] = {
        {0, 0},  {2, 1},  {7, 2},  {9, 2},  {11, 3}, {14, 4},
        {16, 5}, {18, 5}, {20, 6}, {32, 7}, {34, 7},
    };
    static const uint8_t lengths[] = {2, 5, 2, 2, 3, 2, 2, 2, 1, 2, 1};
    static const struct map_block blocks[] = {
        {".entry", "1", 0, 2, 0, 1, 0},     {".loop", "n", 2, 5, 1, 1, 0},
        {".back", "n", 7, 4, 2, 2, 0},      {".once", "n / 2", 11, 3, 4, 1, 0},
        {".jump", "n / 2", 14, 2, 5, 1, 0}, {".skip", "n", 16, 4, 6, 2, 0},
        {".leave", "1", 20, 1, 8, 1, 0},    {".leaf", "n * 1.5", 32, 3, 9, 2, 1},
    };
    static const struct map_edge edges[] = {
        {0, 1, MAP_FALL_THROUGH},     {1, 7, MAP_CALL},          {2, 3, MAP_FALL_THROUGH},
        {2, 5, MAP_CONDITIONAL},      {3, 7, MAP_CALL_INDIRECT}, {4, 5, MAP_JUMP_INDIRECT},
        {4, 6, MAP_JUMP_INDIRECT},    {5, 1, MAP_CONDITIONAL},   {5, 6, MAP_FALL_THROUGH},
        {6, MAP_OUTSIDE, MAP_RETURN}, {7, 2, MAP_RETURN},        {7, 4, MAP_RETURN},
        {MAP_OUTSIDE, 0, MAP_CALL},
    };
    struct example example;
    struct kernel_map map;
    char error[FLOW_ERROR_BYTES] = "";

    (void)state;
    take_example(&example);
    if (!kernel_flow_make(&map, &example.object, error))
        fail_msg("%s", error);
    assert_string_equal(map.kernel, "by.hand");
    assert_int_equal(map.bytes, 35);

    assert_int_equal(map.instruction_count, COUNT_OF(instructions));
    assert_memory_equal(map.lengths, lengths, sizeof(lengths));
    for (uint32_t i = 0; i < COUNT_OF(instructions); i++) {
        assert_int_equal(map_instruction_at(&map, i).offset, instructions[i].offset);
        assert_int_equal(map_instruction_at(&map, i).block, instructions[i].block);
    }
    assert_int_equal(map.edge_count, COUNT_OF(edges));
    assert_memory_equal(map.edges, edges, sizeof(edges));

    assert_int_equal(map.block_count, COUNT_OF(blocks));
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        assert_string_equal(map.blocks[i].label, blocks[i].label);
        assert_string_equal(map.blocks[i].count, blocks[i].count);
        assert_int_equal(map.blocks[i].offset, blocks[i].offset);
        assert_int_equal(map.blocks[i].bytes, blocks[i].bytes);
        assert_int_equal(map.blocks[i].first, blocks[i].first);
        assert_int_equal(map.blocks[i].instructions, blocks[i].instructions);
        assert_int_equal(map.blocks[i].function, blocks[i].function);
    }

    assert_int_equal(map.function_count, 2);
    assert_string_equal(map.functions[0].name, ".entry");
    assert_int_equal(map.functions[0].blocks, 7);
    assert_string_equal(map.functions[1].name, ".leaf");
    assert_int_equal(map.functions[1].first, 7);
    assert_int_equal(map.functions[1].blocks, 1);
    kernel_flow_free(&map);
}

static void refused(const struct example *example, const char *expected)
{
    struct kernel_map map;
    char error[FLOW_ERROR_BYTES] = "";

    if (kernel_flow_make(&map, &example->object, error)) {
        kernel_flow_free(&map);
        fail_msg("not refused: %s", expected);
    }
    assert_string_equal(error, expected);
    assert_null(map.blocks);
}

static void a_block_inside_another_is_refused(void **state)
{
    struct example example;

    (void)state;
    take_example(&example);
    example.blocks[example.object.block_count++] = (struct stated_block){18, ".inner", "n"};
    refused(&example, ".inner: expected BLOCK where a basic block begins");
    take_example(&example);
    example.blocks[example.object.block_count++] = (struct stated_block){35, ".end", "n"};
    refused(&example, ".end: expected BLOCK where a basic block begins");
    take_example(&example);
    example.blocks[example.object.block_count++] = (struct stated_block){2, ".again", "n"};
    refused(&example, ".again: expected one BLOCK for a basic block");
}

static void a_leader_without_block_is_refused(void **state)
{
    struct example example;

    (void)state;
    for (unsigned missing = 0; missing < COUNT_OF(stated_blocks); missing++) {
        const struct stated_block *before = &stated_blocks[missing - (missing > 0)];
        char expected[FLOW_ERROR_BYTES];

        take_example(&example);
        example.object.block_count--;
        memmove(&example.blocks[missing], &example.blocks[missing + 1],
                (COUNT_OF(stated_blocks) - missing - 1) * sizeof(example.blocks[0]));
        snprintf(expected, sizeof(expected),
                 "%s + %u bytes: expected a BLOCK line, since a basic block begins here",
                 before->label, stated_blocks[missing].offset - before->offset);
        if (missing == 0)
            strcpy(expected, "CODE: expected a BLOCK line, since a basic block begins here");
        refused(&example, expected);
    }
}

static void an_indirect_branch_without_targets_is_refused(void **state)
{
    struct example example;

    (void)state;
    take_example(&example);
    example.object.target_count = 1;
    refused(&example, ".jump: expected TARGETS of this indirect branch");
    take_example(&example);
    example.targets[0].branch = 14; /* a jump to a function, and nothing for the call */
    refused(&example, ".once: expected TARGETS of this indirect branch");
}

static void targets_of_what_is_no_indirect_branch_are_refused(void **state)
{
    static const uint32_t others[] = {2 /* a direct CALL */, 12 /* inside an instruction */,
                                      22 /* padding */, 35, UINT32_MAX};
    struct example example;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        take_example(&example);
        example.targets[example.object.target_count++] =
            (struct stated_target){others[i], 32, ".other", ".leaf"};
        refused(&example, ".other: expected TARGETS of an indirect JMP or CALL");
    }
    take_example(&example);
    example.targets[example.object.target_count++] = example.targets[1];
    refused(&example, ".skip: expected each of TARGETS once");
}

static void code_that_nothing_reaches_is_refused(void **state)
{
    struct example example;

    (void)state;
    take_example(&example);
    example.code[25] = 0x90;
    refused(&example, ".leave + 5 bytes: expected code that something reaches, or 0xcc");
}

static void code_that_cannot_be_decoded_is_refused(void **state)
{
    static const struct {
        uint8_t bytes[2];
        const char *error;
    } others[] = {
        {{0x06, 0xc0}, ".leaf: expected an instruction"}, /* PUSH ES: not in 64-bit mode */
        {{0xcc, 0xcc}, ".leaf: expected an instruction that goes on, or a near branch"},
        {{0x0f, 0x0b}, ".leaf: expected an instruction that goes on, or a near branch"}, /* UD2 */
        {{0x0f, 0x05}, ".leaf: expected an instruction that goes on, or a near branch"},
        {{0xf4, 0x90}, ".leaf: expected an instruction that goes on, or a near branch"}, /* HLT */
        {{0xff, 0x28}, ".leaf: expected an instruction that goes on, or a near branch"}, /* far */
        {{0xcb, 0x90}, ".leaf: expected an instruction that goes on, or a near branch"}, /* RETF */
        {{0xeb, 0x7f}, ".leaf: expected to go on inside CODE"},
        {{0xeb, 0xff}, ".leaf + 1 bytes: expected instructions that share no bytes"},
    };
    struct example example;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        take_example(&example);
        memcpy(&example.code[32], others[i].bytes, 2);
        refused(&example, others[i].error);
    }
    take_example(&example);
    memcpy(&example.code[32], "\xeb\xe0\xcc", 3); /* jmp .loop */
    refused(&example, ".leaf: expected only CALL and RET to lead to another function");
    take_example(&example);
    example.code[34] = 0x90;
    refused(&example, ".leaf + 2 bytes: expected to go on inside CODE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_map_of_an_example_is_the_one_drawn_by_hand),
        cmocka_unit_test(a_block_inside_another_is_refused),
        cmocka_unit_test(a_leader_without_block_is_refused),
        cmocka_unit_test(an_indirect_branch_without_targets_is_refused),
        cmocka_unit_test(targets_of_what_is_no_indirect_branch_are_refused),
        cmocka_unit_test(code_that_nothing_reaches_is_refused),
        cmocka_unit_test(code_that_cannot_be_decoded_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
