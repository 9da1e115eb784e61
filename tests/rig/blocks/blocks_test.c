/* The parts of build/blocks: its file, execution on the host, statistics. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blocks/accesses.h"
#include "blocks/block.h"
#include "blocks/host.h"
#include "blocks/loop.h"
#include "blocks/harness.h"
#include "blocks/statistics.h"
#include "pmu/personality.h"

/* --- the file --- */

static void a_line_has_code_cycles_and_whether_it_is_confirmed(void **state)
{
    struct block block;

    (void)state;
    assert_null(block_parse(&block, "4883c408,0.25,yes"));
    assert_int_equal(block.length, 4);
    assert_memory_equal(block.code, "\x48\x83\xc4\x08", 4);
    assert_true(block.cycles == 0.25 && block.confirmed);
    assert_null(block_parse(&block, "90,12,no"));
    assert_true(block.length == 1 && block.cycles == 12 && !block.confirmed);
}

static void what_is_no_block_says_why(void **state)
{
    static const char *const lines[][2] = {
        {"", "code"},
        {"4,1,yes", "code"},
        {"48 90,1,yes", "code"},
        {"4G,1,yes", "code"},
        {"90", "code"},
        {"90,,yes", "cycles"},
        {"90,-1,yes", "cycles"},
        {"90,0,yes", "cycles"},
        {"90,nan,yes", "cycles"},
        {"90,1e999,no", "cycles"},
        {"90,1", "cycles"},
        {"90,1,maybe", "yes or no"},
        {"90,1,yes ", "yes or no"},
    };
    struct block block;

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        const char *wrong = block_parse(&block, lines[i][0]);

        assert_non_null(wrong);
        assert_non_null(strstr(wrong, lines[i][1]));
    }
}

static bool read_text(struct blocks *blocks, const char *text, char *why, size_t size)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    bool good;

    assert_non_null(file);
    good = blocks_read(blocks, file, why, size);
    fclose(file);
    return good;
}

static void a_file_names_the_line_that_is_wrong(void **state)
{
    struct blocks blocks;
    char why[160];

    (void)state;
    assert_true(
        read_text(&blocks, "code,cycles,confirmed\n90,1,yes\r\n4890,0.5,no\n", why, sizeof(why)));
    assert_int_equal(blocks.count, 2);
    assert_int_equal(blocks.block[1].line, 3);
    assert_int_equal(blocks.block[1].length, 2);
    blocks_free(&blocks);
    assert_false(
        read_text(&blocks, "code,cycles,confirmed\n90,1,yes\nzz,1,yes\n", why, sizeof(why)));
    assert_memory_equal(why, "line 3: ", 8);
    blocks_free(&blocks);
    assert_false(read_text(&blocks, "90,1,yes\n", why, sizeof(why)));
    assert_memory_equal(why, "line 1: ", 8);
    blocks_free(&blocks);
    assert_false(read_text(&blocks, "code,cycles,confirmed\n", why, sizeof(why)));
    blocks_free(&blocks);
}

/* A line that is damaged anywhere is a block within its bounds, or is refused. */
static void damaged_lines_stay_within_bounds(void **state)
{
    static const char sound[] = "4c8b65204c3b6528895c2420,0.98,yes";
    struct block block;

    (void)state;
    srand(1);
    for (unsigned i = 0; i < 100000; i++) {
        char text[sizeof(sound)];

        memcpy(text, sound, sizeof(text));
        for (int damage = rand() % 4; damage >= 0; damage--)
            text[(size_t)rand() % (sizeof(text) - 1)] = (char)(rand() % 256);
        if (block_parse(&block, text) == NULL)
            assert_true(block.length >= 1 && block.length <= 12 && block.cycles > 0 &&
                        isfinite(block.cycles));
    }
}

/* --- what instructions access --- */

/* Registers hold 256 times their number; RIP is 0x5000, FS is 0x40. */
static struct step access_by(const char *code, size_t length)
{
    struct address_registers registers = {.rip = 0x5000, .fs = 0x40};
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecodedInstruction instruction;
    struct step step = {0};
    ZydisDecoder decoder;

    for (unsigned i = 0; i < 16; i++)
        registers.general[i] = 256u * i;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    assert_true(
        ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, length, &instruction, operands)));
    if (!accesses_of(&step, &instruction, operands, &registers))
        step.length = 0;
    return step;
}

static void addresses_follow_from_registers(void **state)
{
    static const struct {
        const char *code;
        uint8_t length, accesses;
        struct access access[2];
    } rows[] = {
        {"\x48\x8b\x44\x0b\x08", 5, 1, {{256 * 3 + 256 + 8, 8, false}}}, /* mov rax,[rbx+rcx+8] */
        {"\x01\x06", 2, 2, {{256 * 6, 4, false}, {256 * 6, 4, true}}},   /* add [rsi],eax */
        {"\x41\x52", 2, 1, {{256 * 4 - 8, 8, true}}},                    /* push r10 */
        {"\x5b", 1, 1, {{256 * 4, 8, false}}},                           /* pop rbx */
        {"\x48\x8d\x04\x0b", 4, 0, {{0, 0, false}}},                     /* lea rax,[rbx+rcx] */
        {"\x0f\x1f\x44\x00\x00", 5, 0, {{0, 0, false}}},                 /* nop [rax+rax] */
        {"\x8b\x05\x10\x00\x00\x00", 6, 1, {{0x5016, 4, false}}},        /* mov eax,[rip+16] */
        {"\x64\x8a\x06", 3, 1, {{256 * 6 + 0x40, 1, false}}},            /* mov al,fs:[rsi] */
        {"\xa4", 1, 2, {{256 * 7, 1, true}, {256 * 6, 1, false}}},       /* movsb */
        {"\x66\x0f\x7f\x42\xf0", 5, 1, {{256 * 2 - 16, 16, true}}},      /* movdqa [rdx-16],xmm0 */
        {"\x67\x8b\x00", 3, 1, {{0, 4, false}}},                         /* mov eax,[eax] */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct step step = access_by(rows[i].code, rows[i].length);

        assert_int_equal(step.length, rows[i].length);
        assert_int_equal(step.accesses, rows[i].accesses);
        for (unsigned j = 0; j < step.accesses; j++) {
            assert_int_equal(step.access[j].address, rows[i].access[j].address);
            assert_int_equal(step.access[j].size, rows[i].access[j].size);
            assert_int_equal(step.access[j].write, rows[i].access[j].write);
        }
    }
    assert_int_equal(access_by("\xc4\xe2\x6d\x90\x04\x08", 6).length, 0); /* vpgatherdd */
}

/* --- execution --- */

static struct block block_of(const char *code, unsigned length)
{
    struct block block = {.cycles = 1, .length = length};

    memcpy(block.code, code, length);
    return block;
}

/* inc rax; mov [rsp],rax; add rsp,8. RSP begins in the middle of the page; after 256 copies it is
 * in the next one. */
static void copies_go_on_where_the_one_before_has_ended(void **state)
{
    const struct block block = block_of("\x48\xff\xc0\x48\x89\x04\x24\x48\x83\xc4\x08", 11);
    char why[160] = "";
    struct host *host = host_new(why, sizeof(why));
    struct steps steps;

    (void)state;
    if (host == NULL) {
        print_message("this host steps no process: %s\n", why);
        skip();
    }
    assert_true(host_run(host, &block, 300, 1000, HARNESS_CODE, &steps, why, sizeof(why)));
    assert_int_equal(steps.count, 900);
    for (unsigned i = 0; i < 300; i++) {
        const struct step *step = &steps.step[3 * i];

        assert_int_equal(steps.copy[i], 3 * i);
        assert_true(step[0].accesses == 0 && step[1].accesses == 1 && step[2].accesses == 0);
        assert_true(step[0].offset == 0 && step[1].offset == 3 && step[2].offset == 7);
        assert_int_equal(step[1].access[0].address, HOST_VALUE + 2048 + 8 * i);
    }
    steps_free(&steps);
    host_free(host);
}

static void what_cannot_be_executed_is_named_by_its_instruction(void **state)
{
    static const struct {
        const char *code;
        unsigned length;
        const char *why;
    } rows[] = {
        {"\x31\xc9\xf7\xf1", 4, "div divides by zero or overflows"}, /* xor ecx,ecx; div ecx */
        {"\xf3\xa4", 2, "movsb repeats too often"},
        {"\x0f\x05", 2, "syscall would call the host's system"},
        {"\xcd\x80", 2, "int would call the host's system"},
        {"\x31\xff\x48\xf7\xd7\x8b\x07", 7, "mov accesses an address where no page can be"},
        {"\xc4\xe2\x6d\x90\x04\x08", 6, "vpgatherdd accesses memory by an index vector"},
        {"\x90\x06", 2, "(none) is no instruction, or leaves the block"}, /* PUSH ES */
    };
    char why[160] = "";
    struct host *host = host_new(why, sizeof(why));

    (void)state;
    if (host == NULL)
        skip();
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct block block = block_of(rows[i].code, rows[i].length);
        struct steps steps;

        assert_false(host_run(host, &block, 20, 1000, HARNESS_CODE, &steps, why, sizeof(why)));
        assert_string_equal(why, rows[i].why);
        steps_free(&steps);
    }
    host_free(host);
}

static void only_copies_that_are_alike_are_continued(void **state)
{
    struct steps steps;

    (void)state;
    assert_true(steps_start(&steps, 14));
    for (unsigned copy = 0; copy < 12; copy++) {
        struct step *step = steps_add(&steps);

        assert_non_null(step);
        *step = (struct step){.length = 4, .accesses = 1, .access = {{64 * copy, 8, true}}};
        steps.copy[copy + 1] = steps.count;
    }
    assert_false(steps_settled(&steps, 4)); /* too early */
    assert_true(steps_settled(&steps, 12));
    steps.step[10].access[0].address += 8;
    assert_false(steps_settled(&steps, 12));
    steps.step[10].access[0].address -= 8;
    steps.step[11].repeat = true;
    assert_false(steps_settled(&steps, 12));
    steps.step[11].repeat = false;
    assert_true(steps_continue(&steps, 12));
    assert_int_equal(steps.count, 14);
    assert_int_equal(steps.step[13].access[0].address, 64 * 13);
    steps_free(&steps);
}

/* --- the model and the numbers --- */

/* add rax,rax: a chain of one cycle; imul rax,rax: of three (textbook_test.c). The decoders, which
 * make both, take 16 bytes a cycle. */
static void a_chain_takes_its_latency(void **state)
{
    static const struct {
        const char *code;
        unsigned length;
        double cycles;
    } rows[] = {{"\x48\x01\xc0", 3, 1}, {"\x48\x0f\xaf\xc0", 4, 3}};
    const struct personality *personality = personality_find("skylakex");
    char why[160] = "";
    struct host *host = host_new(why, sizeof(why));

    (void)state;
    assert_non_null(personality);
    if (host == NULL)
        skip();
    for (size_t i = 0; i < 2; i++) {
        const struct block block = block_of(rows[i].code, rows[i].length);
        struct steps steps;
        double cycles;

        assert_true(host_run(host, &block, 200, 1000, HARNESS_CODE, &steps, why, sizeof(why)));
        cycles = harness_cycles(personality->core, &block, &steps, HARNESS_CODE);
        assert_true(fabs(cycles - rows[i].cycles) < 0.02);
        steps_free(&steps);
    }
    host_free(host);
}

#define ADDS  "\x48\x01\xc0\x48\x01\xd2\x48\x01\xf6\x48\x01\xff" /* of RAX, RDX, RSI, RDI */
#define NOP5  "\x0f\x1f\x44\x00\x00"
#define NOPS5 NOP5 NOP5 NOP5 NOP5 NOP5

/* DEC R15 and JNZ are one more uop. Five of them, and 26, of which 128 bytes lie before a jump that
 * is no short one. Haswell holds 6 turns, 30 uops, and 2 turns, 52 uops; Ivy Bridge one turn (what
 * the loop buffer does is held in core/loop_test.c). Each begins in a cycle of its own. */
static void a_loop_takes_what_its_turns_take(void **state)
{
    static const struct {
        const char *personality, *code;
        unsigned length;
        double cycles;
    } rows[] = {{"haswell", ADDS, 12, 8 / 6.0},
                {"ivybridge", ADDS, 12, 2},
                {"haswell", NOPS5 NOPS5 NOPS5 NOPS5 NOPS5, 125, 13 / 2.0},
                {"ivybridge", NOPS5 NOPS5 NOPS5 NOPS5 NOPS5, 125, 7}};
    char why[160] = "";
    struct host *host = host_new(why, sizeof(why));

    (void)state;
    if (host == NULL)
        skip();
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct block block = block_of(rows[i].code, rows[i].length);
        struct steps steps;
        double cycles;

        assert_true(host_run(host, &block, 200, 10000, LOOP_CODE, &steps, why, sizeof(why)));
        cycles = play_loop(personality_find(rows[i].personality)->core, &block, &steps);
        assert_true(fabs(cycles - rows[i].cycles) < 0.005);
        steps_free(&steps);
    }
    host_free(host);
}

static void what_has_R15_is_no_loop(void **state)
{
    static const struct {
        const char *code;
        unsigned length;
        bool possible;
    } rows[] = {
        {"\x48\x01\xc0\x49\x01\xc6", 6, true},  /* add rax,rax; add r14,rax */
        {"\x48\x01\xc0\x49\x01\xc7", 6, false}, /* add rax,rax; add r15,rax */
        {"\x41\xfe\xc7", 3, false},             /* inc r15b */
        {"\x41\x8b\x07", 3, false},             /* mov eax,[r15] */
        {"\x42\x8b\x04\x78", 4, false},         /* mov eax,[rax+2*r15] */
        {"\x42\x8b\x04\x70", 4, true},          /* mov eax,[rax+2*r14] */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct block block = block_of(rows[i].code, rows[i].length);

        assert_int_equal(loop_possible(&block), rows[i].possible);
    }
}

/* The errors are 0.05, -0.1, 0.5 and -0.2, and both orders are the same. */
static void statistics_by_hand(void **state)
{
    static const struct pair pairs[] = {{1, 1.05}, {2, 1.8}, {4, 6}, {10, 8}};
    static const struct pair ties[] = {{1, 1}, {2, 1}, {3, 2}};
    struct statistics s = statistics_of(pairs, 4);

    (void)state;
    assert_int_equal(s.count, 4);
    assert_true(fabs(s.mean - 0.2125) < 1e-9);
    assert_true(fabs(s.median - 0.15) < 1e-9);
    assert_true(fabs(s.bias - 0.0625) < 1e-9);
    assert_true(s.within_10 == 0.5 && s.within_25 == 0.75);
    assert_true(fabs(s.tau - 1) < 1e-9);
    /* Two of three pairs agree, and the third is a tie of one side: 2 / sqrt(3 * 2). */
    s = statistics_of(ties, 3);
    assert_true(fabs(s.tau - 2 / sqrt(6)) < 1e-9);
    assert_int_equal(statistics_of(pairs, 0).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_code_cycles_and_whether_it_is_confirmed),
        cmocka_unit_test(what_is_no_block_says_why),
        cmocka_unit_test(a_file_names_the_line_that_is_wrong),
        cmocka_unit_test(damaged_lines_stay_within_bounds),
        cmocka_unit_test(addresses_follow_from_registers),
        cmocka_unit_test(copies_go_on_where_the_one_before_has_ended),
        cmocka_unit_test(what_cannot_be_executed_is_named_by_its_instruction),
        cmocka_unit_test(only_copies_that_are_alike_are_continued),
        cmocka_unit_test(a_chain_takes_its_latency),
        cmocka_unit_test(a_loop_takes_what_its_turns_take),
        cmocka_unit_test(what_has_R15_is_no_loop),
        cmocka_unit_test(statistics_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
