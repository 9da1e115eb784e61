/* Cycles that instructions share which retire together, worked out by hand; and which instructions
 * may fuse, by Intel's table (Optimization Reference Manual, "Macro-Fusible Instructions in the
 * Intel Microarchitecture"). */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/profile/fused.h"
#include "harness/profile/share.h"
#include "tests/unit/profile/drawn_map.h"

#define WORDS 65536
#define MOST  32

static struct drawn drawn;
static struct code_index index_;
static uint64_t memory[WORDS];
static struct words words;
static double heads[MOST], shared[MOST], moved[MOST], crossed[MOST], left[MOST], edges[MOST],
    blocks[MOST];
static bool fused[MOST];
static struct flow flow;

static int begin(void **state)
{
    (void)state;
    words = (struct words){memory, WORDS};
    memset(fused, 0, sizeof(fused));
    memset(moved, 0, sizeof(moved));
    memset(crossed, 0, sizeof(crossed));
    memset(left, 0, sizeof(left));
    flow = (struct flow){.edges = edges, .blocks = blocks};
    return 0;
}

/* A loop of one block of so many instructions, which runs 100 times. */
static void draw_loop(uint32_t instructions)
{
    memset(&drawn, 0, sizeof(drawn));
    draw_begin(&drawn, "loop");
    draw_block(&drawn, instructions);
    draw_block(&drawn, 1);
    draw_edge(&drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(&drawn, 0, 0, MAP_CONDITIONAL);
    draw_edge(&drawn, 0, 1, MAP_FALL_THROUGH);
    draw_edge(&drawn, 1, OUTSIDE, MAP_RETURN);
    assert_null(code_index_make(&index_, &drawn.map, DRAWN_CODE, &words));
    memset(edges, 0, sizeof(edges));
    edges[drawn_edge(&drawn, 0, 0)] = 100;
    blocks[0] = 100;
    blocks[1] = 0;
}

static void share(double *cycles, double scale)
{
    static const double executions[MOST] = {100, 100, 100, 100, 100, 100, 100, 100};
    const struct share sharing = {&index_, &flow, fused, NULL, heads, shared, moved, crossed, left};

    share_groups(&sharing, executions, cycles, scale);
}

/* The first of four always begins a group, the others never do: each has a quarter. */
static void a_group_of_four_shares_its_cycle(void **state)
{
    double cycles[MOST] = {100};

    (void)state;
    draw_loop(4);
    share(cycles, 1);
    for (unsigned i = 0; i < 4; i++)
        assert_near(cycles[i], 25, 1e-9);
    assert_near(moved[0], 75, 1e-9); /* a quarter to each of the others, which are of its block */
    assert_near(moved[3], 25, 1e-9);
    assert_near(crossed[0], 0, 1e-9);
}

/* The second waits three cycles, of which it retires in the last, with the two behind it; so the
 * first, which begins a group each time, is alone. */
static void what_was_waited_for_is_not_shared(void **state)
{
    double cycles[MOST] = {100, 300, 0, 0};

    (void)state;
    draw_loop(4);
    share(cycles, 1);
    assert_near(cycles[0], 100, 1e-9);
    assert_near(cycles[1], 200 + 100 / 3.0, 1e-9);
    assert_near(cycles[2], 100 / 3.0, 1e-9);
    assert_near(cycles[3], 100 / 3.0, 1e-9);
}

/* 50 samples of 2 cycles each for 100 executions: a cycle an execution, as in the first test. */
static void the_scale_makes_cycles_of_samples(void **state)
{
    double cycles[MOST] = {50};

    (void)state;
    draw_loop(2);
    share(cycles, 2);
    assert_near(cycles[0], 25, 1e-9);
    assert_near(cycles[1], 25, 1e-9);
}

/* Each of two begins every other group: both have the same, and nothing is lost on the long ways.
 */
static void chances_keep_the_sum(void **state)
{
    double cycles[MOST] = {50, 50};

    (void)state;
    draw_loop(2);
    share(cycles, 1);
    assert_near(cycles[0], 50, 1e-9);
    assert_near(cycles[1], 50, 1e-9);
}

/* x, CMP and JCC behind each other; the pair is one of two that retire. */
static void a_pair_is_one_by_its_second(void **state)
{
    double cycles[MOST] = {100};

    (void)state;
    draw_loop(3);
    fused[1] = true;
    share(cycles, 1);
    assert_near(cycles[0], 50, 1e-9);
    assert_near(cycles[1], 0, 1e-9);
    assert_near(cycles[2], 50, 1e-9);
}

/* The head of the diamond goes to arm 1 three times of four; the arms' first instructions retire
 * with it, and the others wait for themselves. */
static void a_group_goes_on_by_the_flow(void **state)
{
    double cycles[MOST] = {100, 0, 75, 0, 25, 25, 100, 100, 100, 100};
    const double executions[MOST] = {100, 75, 75, 25, 25, 25, 100, 100, 100, 100};
    const struct share sharing = {&index_, &flow, fused, NULL, heads, shared, moved, crossed, left};

    (void)state;
    memset(&drawn, 0, sizeof(drawn));
    draw_diamond(&drawn);
    assert_null(code_index_make(&index_, &drawn.map, DRAWN_CODE, &words));
    memset(edges, 0, sizeof(edges));
    edges[drawn_edge(&drawn, 0, 1)] = edges[drawn_edge(&drawn, 1, 3)] = 75;
    edges[drawn_edge(&drawn, 0, 2)] = edges[drawn_edge(&drawn, 2, 3)] = 25;
    edges[drawn_edge(&drawn, 3, 0)] = 100;
    blocks[0] = blocks[3] = 100;
    blocks[1] = 75;
    blocks[2] = 25;
    share_groups(&sharing, executions, cycles, 1);
    assert_near(cycles[0], 50, 1e-9);
    assert_near(cycles[1], 37.5, 1e-9);
    assert_near(cycles[2], 75, 1e-9);
    assert_near(cycles[3], 12.5, 1e-9);
    assert_near(cycles[4], 25, 1e-9);
    assert_near(cycles[9], 100, 1e-9);
    assert_near(crossed[0], 50, 1e-9); /* half of each of its cycles goes to one arm or the other */
    assert_near(crossed[1], 37.5, 1e-9);
    assert_near(left[0], 0, 1e-9); /* of one function */
}

/* The block behind the loop returns: what is outside of the kernel has no part in the group. */
static void a_group_ends_where_it_leaves(void **state)
{
    double cycles[MOST] = {0, 0, 100};
    const double executions[MOST] = {0, 0, 100};
    const struct share sharing = {&index_, &flow, fused, NULL, heads, shared, moved, crossed, left};

    (void)state;
    draw_loop(2);
    blocks[1] = edges[drawn_edge(&drawn, 1, OUTSIDE)] = 100;
    share_groups(&sharing, executions, cycles, 1);
    assert_near(cycles[2], 100, 1e-9);
}

/* --- pairs --- */

static void pairs_are_intels(void **state)
{
    static const struct {
        const char *bytes, *next;
        uint8_t length, next_length;
        bool may;
    } all[] = {
        {"\x48\xff\xcf", "\x75\x8f", 3, 2, true},                  /* dec rdi; jnz */
        {"\x48\xff\xcf", "\x72\x8f", 3, 2, false},                 /* dec rdi; jc */
        {"\xff\xc1", "\x7c\x00", 2, 2, true},                      /* inc ecx; jl */
        {"\x48\x39\xd8", "\x0f\x82\x00\x00\x00\x00", 3, 6, true},  /* cmp rax, rbx; jc */
        {"\x48\x39\xd8", "\x78\x00", 3, 2, false},                 /* cmp rax, rbx; js */
        {"\x48\x85\xc0", "\x78\x00", 3, 2, true},                  /* test rax, rax; js */
        {"\xa8\x01", "\x74\x00", 2, 2, true},                      /* test al, 1; jz */
        {"\x48\x83\xf8\x01", "\x75\x00", 4, 2, true},              /* cmp rax, 1; jnz */
        {"\x48\x83\x3e\x01", "\x75\x00", 4, 2, false},             /* cmp qword [rsi], 1; jnz */
        {"\x48\x3b\x06", "\x75\x00", 3, 2, true},                  /* cmp rax, [rsi]; jnz */
        {"\x48\x3b\x05\x00\x00\x00\x00", "\x75\x00", 7, 2, false}, /* cmp rax, [rip]; jnz */
        {"\x48\x83\xe0\x07", "\x71\x00", 4, 2, true},              /* and rax, 7; jno */
        {"\x48\x83\xc8\x07", "\x75\x00", 4, 2, false},             /* or rax, 7; jnz */
        {"\x48\x01\x06", "\x75\x00", 3, 2, false},                 /* add [rsi], rax; jnz */
        {"\x48\x01\xd8", "\x73\x00", 3, 2, true},                  /* add rax, rbx; jnc */
        {"\x48\xd1\xe8", "\x73\x00", 3, 2, false},                 /* shr rax, 1; jnc */
        {"\x48\xff\xcf", "\xeb\x00", 3, 2, false},                 /* dec rdi; jmp */
        {"\xf6\x06\x01", "\x74\x00", 3, 2, false},                 /* test byte [rsi], 1; jz */
        {"\xf6\xc1\x01", "\x74\x00", 3, 2, true},                  /* test cl, 1; jz */
        {"\x3d\x01\x00\x00\x00", "\x7e\x00", 5, 2, true},          /* cmp eax, 1; jle */
        {"\xf7\xd8", "\x74\x00", 2, 2, false},                     /* neg eax; jz */
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (fused_may((const uint8_t *)all[i].bytes, all[i].length, (const uint8_t *)all[i].next,
                      all[i].next_length) != all[i].may)
            fail_msg("row %u", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_group_of_four_shares_its_cycle, begin),
        cmocka_unit_test_setup(what_was_waited_for_is_not_shared, begin),
        cmocka_unit_test_setup(the_scale_makes_cycles_of_samples, begin),
        cmocka_unit_test_setup(chances_keep_the_sum, begin),
        cmocka_unit_test_setup(a_pair_is_one_by_its_second, begin),
        cmocka_unit_test_setup(a_group_goes_on_by_the_flow, begin),
        cmocka_unit_test_setup(a_group_ends_where_it_leaves, begin),
        cmocka_unit_test(pairs_are_intels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
