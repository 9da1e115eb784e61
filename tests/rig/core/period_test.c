/* Periods that are skipped, against a model that takes every step: loops of random instructions
 * with random accesses. Every cycle count, signal and truth must be the same, wherever it is asked
 * for. */
#include "core/ideal.h"
#include "model_test.h"

extern const struct model_parameters prescott_core, nehalem_core, ivybridge_core, haswell_core,
    sapphirerapids_core, alderlake_e_core, zen4_core;

static const struct model_parameters *const kinds[] = {
    &skylakex_core, &icelakex_core,       &haswell_core,     &ivybridge_core, &nehalem_core,
    &prescott_core, &sapphirerapids_core, &alderlake_e_core, &zen4_core};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

#define BODY_MOST  40u
#define STACK      (DATA_START + 8 * MIB)
#define PROGRAMS   20u
#define OTHER_LINE (DATA_START + 16 * MIB)
#define NEW_LINES  (DATA_START + 32 * MIB)

enum what { PLAIN, READS, WRITES, CHANGES, PUSHES, POPS, CALLS, RETURNS, SKIPS, JUMPS };

/* What programs are made of. */
static const struct pattern {
    const char *bytes;
    uint8_t length;
    enum what what;
    uint8_t size;
} patterns[] = {
#define ROW(bytes, what, size)                                                                     \
    {                                                                                              \
        bytes, sizeof(bytes) - 1, what, size                                                       \
    }
    ROW("\x48\x01\xc8", PLAIN, 0),                 /* add rax, rcx */
    ROW("\x48\x01\xd1", PLAIN, 0),                 /* add rcx, rdx */
    ROW("\x48\x0f\xaf\xc1", PLAIN, 0),             /* imul rax, rcx */
    ROW("\x48\x8d\x54\x08\x10", PLAIN, 0),         /* lea rdx, [rax+rcx+16] */
    ROW("\x48\xd3\xe2", PLAIN, 0),                 /* shl rdx, cl */
    ROW("\x48\xc1\xe2\x03", PLAIN, 0),             /* shl rdx, 3 */
    ROW("\x48\x89\xc6", PLAIN, 0),                 /* mov rsi, rax */
    ROW("\x48\x89\xf0", PLAIN, 0),                 /* mov rax, rsi */
    ROW("\x48\x31\xd2", PLAIN, 0),                 /* xor rdx, rdx */
    ROW("\x48\xff\xc1", PLAIN, 0),                 /* inc rcx */
    ROW("\x90", PLAIN, 0),                         /* nop */
    ROW("\x88\xc4", PLAIN, 0),                     /* mov ah, al */
    ROW("\x0f\xb6\xcc", PLAIN, 0),                 /* movzx ecx, ah */
    ROW("\x66\x81\xc2\x34\x12", PLAIN, 0),         /* add dx, 0x1234: LCP */
    ROW("\xf7\xf1", PLAIN, 0),                     /* div ecx */
    ROW("\x0f\x44\xc1", PLAIN, 0),                 /* cmovz eax, ecx */
    ROW("\x48\x11\xc8", PLAIN, 0),                 /* adc rax, rcx */
    ROW("\xf2\x0f\x58\xc1", PLAIN, 0),             /* addsd xmm0, xmm1 */
    ROW("\xf2\x0f\x59\xca", PLAIN, 0),             /* mulsd xmm1, xmm2 */
    ROW("\xf2\x0f\x5e\xd1", PLAIN, 0),             /* divsd xmm2, xmm1 */
    ROW("\x66\x0f\x6f\xc8", PLAIN, 0),             /* movdqa xmm1, xmm0 */
    ROW("\xd8\xc1", PLAIN, 0),                     /* fadd st1 */
    ROW("\xd9\xfa", PLAIN, 0),                     /* fsqrt */
    ROW("\xfc", PLAIN, 0),                         /* cld */
    ROW("\x0f\xae\xe8", PLAIN, 0),                 /* lfence */
    ROW("\xf3\x90", PLAIN, 0),                     /* pause */
    ROW("\xc5\xf8\x77", PLAIN, 0),                 /* vzeroupper */
    ROW("\x48\x8b\x03", READS, 8),                 /* mov rax, [rbx] */
    ROW("\x48\x8b\x43\x08", READS, 8),             /* mov rax, [rbx+8] */
    ROW("\x48\x03\x04\x0b", READS, 8),             /* add rax, [rbx+rcx] */
    ROW("\x0f\xb6\x03", READS, 1),                 /* movzx eax, byte [rbx] */
    ROW("\xf3\x0f\x6f\x03", READS, 16),            /* movdqu xmm0, [rbx] */
    ROW("\x0f\x18\x0b", READS, 1),                 /* prefetcht0 [rbx] */
    ROW("\x48\x89\x03", WRITES, 8),                /* mov [rbx], rax */
    ROW("\x89\x0c\x0b", WRITES, 4),                /* mov [rbx+rcx], ecx */
    ROW("\x88\x03", WRITES, 1),                    /* mov [rbx], al */
    ROW("\x48\x01\x03", CHANGES, 8),               /* add [rbx], rax */
    ROW("\xf0\x48\x01\x03", CHANGES, 8),           /* lock add [rbx], rax */
    ROW("\x50", PUSHES, 8),                        /* push rax */
    ROW("\x58", POPS, 8),                          /* pop rax */
    ROW("\xe8\x00\x00\x00\x00", CALLS, 8),         /* call the next instruction */
    ROW("\x48\x85\xc0\x74\x02\x66\x90", SKIPS, 0), /* test rax, rax; jz over nop2 */
    ROW("\xff\xe0", JUMPS, 0),                     /* jmp rax: to the next instruction */
};
#define PATTERNS (sizeof(patterns) / sizeof(*patterns))

/* An instruction of the program, with the place for the model's decoding of it in each model. */
struct instruction {
    uint8_t bytes[16], length;
    uint64_t rip;
    const struct decoded *kept[2];
    enum what what;
    uint8_t size;
    uint64_t address, stride, wraps; /* of its access: + stride each turn, modulo wraps */
    unsigned taken_of;               /* a jump that is taken once in so many turns; 0: never */
};

struct program {
    struct instruction instruction[BODY_MOST * 3];
    unsigned count;
    uint64_t end, stack;
    /* In some turns one access goes elsewhere, after which the turns are as before. */
    uint64_t stray_turn, stray;
};

/* One of two models with the same instructions, and a core beside each. */
struct way {
    struct bench bench;
    struct model *neighbour;
    unsigned number;
    uint64_t quiet;
};

static uint64_t way_quiet(void *context)
{
    return ((struct way *)context)->quiet;
}

/* Nothing is counted at once here: each span comes as often as it is said to. */
static void way_repeat(void *context, const struct span_sequence *sequence, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        for (unsigned j = 0; j < sequence->turns; j++) {
            struct span *span = &sequence->span[sequence->turn[j].number];

            span->cycles = sequence->turn[j].cycles;
            bench_span(context, span);
        }
}

static uint64_t way_order_slack(void *context)
{
    return ((struct way *)context)->bench.order_slack;
}

/* bench comes first in a way, so that its own callbacks can take a way. */
static void begin_way(struct way *way, unsigned number, const struct model_parameters *parameters)
{
    begin(&way->bench, parameters);
    model_free(way->bench.model);
    way->number = number;
    way->quiet = UINT64_MAX;
    way->bench.page_shift = 12;
    way->bench.model =
        model_new(parameters, 0, way->bench.shared, (struct model_world){way, bench_page_shift},
                  (struct model_sink){.context = way,
                                      .span = bench_span,
                                      .branch = bench_branch,
                                      .order_slack = way_order_slack,
                                      .quiet = way_quiet,
                                      .repeat = way_repeat});
    way->neighbour = model_new(
        parameters, 1, way->bench.shared, (struct model_world){way, bench_page_shift},
        (struct model_sink){.context = way, .span = ignore_span, .branch = ignore_branch});
    assert_non_null(way->bench.model);
    assert_non_null(way->neighbour);
    model_at_length(way->bench.model, number == 0);
}

static void end_way(struct way *way)
{
    model_free(way->neighbour);
    end(&way->bench);
}

/* --- programs --- */

static struct instruction *add(struct program *program, const char *bytes, unsigned length,
                               enum what what)
{
    struct instruction *made = &program->instruction[program->count++];

    *made = (struct instruction){
        .rip = program->end, .length = (uint8_t)length, .what = what, .wraps = 1};
    memcpy(made->bytes, bytes, length);
    program->end += length;
    return made;
}

/* Most accesses are to the same place in each turn or go through a few lines again and again. */
static void place(struct instruction *made, const struct pattern *pattern, struct bench *random)
{
    static const uint64_t strides[] = {0, 0, 0, 8, 64, 4096};
    const uint64_t base = next_random(random) % 3 ? 0 : next_random(random) % 64;

    made->size = pattern->size;
    made->address =
        DATA_START + next_random(random) % 4 * 4096 + next_random(random) % 3 * 8 + base;
    made->stride = strides[next_random(random) % 6];
    made->wraps = made->stride ? made->stride * (1 + next_random(random) % 16) : 1;
}

static void add_pattern(struct program *program, const struct pattern *pattern,
                        struct bench *random)
{
    static const unsigned taken[] = {0, 1, 2, 3, 7};
    struct instruction *made;

    if (pattern->what == SKIPS) {
        add(program, pattern->bytes, 3, PLAIN);
        made = add(program, pattern->bytes + 3, 2, SKIPS);
        made->taken_of = taken[next_random(random) % 5];
        add(program, pattern->bytes + 5, 2, PLAIN);
        return;
    }
    made = add(program, pattern->bytes, pattern->length, pattern->what);
    place(made, pattern, random);
}

static void make_program(struct program *program, struct bench *random)
{
    const unsigned count = 1 + (unsigned)(next_random(random) % (BODY_MOST - 1));
    const unsigned few = 1 + (unsigned)(next_random(random) % PATTERNS);
    const unsigned first = (unsigned)(next_random(random) % PATTERNS);
    int32_t back;
    char jump[6] = "\x0f\x85";

    memset(program, 0, sizeof(*program));
    program->end = CODE_START + next_random(random) % 64;
    program->stack = STACK;
    program->stray_turn = 100 + next_random(random) % 1000;
    program->stray = next_random(random) % BODY_MOST;
    for (unsigned i = 0; i < count; i++)
        add_pattern(program, &patterns[(first + next_random(random) % few) % PATTERNS], random);
    add(program, "\x48\xff\xcf", 3, PLAIN); /* dec rdi */
    back = (int32_t)(program->instruction[0].rip - (program->end + sizeof(jump)));
    memcpy(jump + 2, &back, sizeof(back));
    add(program, jump, sizeof(jump), JUMPS);
}

/* The instruction as it is executed in that turn. */
static struct executed executed_of(struct program *program, unsigned n, uint64_t turn)
{
    struct instruction *instruction = &program->instruction[n];
    struct executed executed = {.rip = instruction->rip,
                                .next = instruction->rip + instruction->length,
                                .bytes = instruction->bytes,
                                .length = instruction->length};
    const uint64_t address = instruction->address + turn * instruction->stride % instruction->wraps;

    if (instruction->what == READS || instruction->what == CHANGES)
        executed.access[executed.accesses++] = (struct access){address, instruction->size, false};
    if (instruction->what == WRITES || instruction->what == CHANGES)
        executed.access[executed.accesses++] = (struct access){address, instruction->size, true};
    if (instruction->what == PUSHES || instruction->what == CALLS)
        executed.access[executed.accesses++] = (struct access){program->stack -= 8, 8, true};
    if (instruction->what == POPS)
        executed.access[executed.accesses++] = (struct access){program->stack, 8, false};
    program->stack += instruction->what == POPS ? 8 : 0;
    if (instruction->what == SKIPS && instruction->taken_of && turn % instruction->taken_of == 0)
        executed.next += 2;
    if (turn % program->stray_turn == 0 && n == program->stray && executed.accesses > 0)
        executed.access[0].address += 64 * (turn % 5);
    if (n + 1 == program->count)
        executed.next = program->instruction[0].rip;
    return executed;
}

/* --- both ways --- */

/* An instruction of its own for a line that nobody has touched before: its time depends on the way
 * to memory. */
static void touch(struct model *model, uint64_t address, bool write)
{
    model_execute(model, &(struct executed){
                             .rip = CODE_START + 8192,
                             .next = CODE_START + 8195,
                             .bytes = (const uint8_t *)(write ? "\x48\x89\x03" : "\x48\x8b\x03"),
                             .length = 3,
                             .accesses = 1,
                             .access = {{address, 8, write}}});
}

/* The core beside reads or writes a line of the program, or one that is new. */
static void neighbour_acts(struct way *ways, struct program *program, struct bench *random)
{
    static uint64_t fresh = NEW_LINES;
    const uint64_t line = program->instruction[next_random(random) % program->count].address;
    const bool write = next_random(random) % 2;

    fresh += 64;
    for (unsigned i = 0; i < 2; i++) {
        if (write)
            model_snoop_write(ways[i].bench.model, line, 8);
        touch(ways[i].neighbour, line ? line : fresh, write);
        touch(ways[i].neighbour, fresh, false);
    }
    assert_int_equal(model_now(ways[0].neighbour), model_now(ways[1].neighbour));
    assert_int_equal(model_retired(ways[0].neighbour), model_retired(ways[1].neighbour));
}

static void check_clocks(struct way *ways)
{
    assert_int_equal(model_now(ways[0].bench.model), model_now(ways[1].bench.model));
    assert_int_equal(model_retired(ways[0].bench.model), model_retired(ways[1].bench.model));
}

static void check_counts(struct way *ways)
{
    struct model_truth truth[2];

    for (unsigned i = 0; i < 2; i++)
        model_truth(ways[i].bench.model, &truth[i]);
    assert_memory_equal(&truth[0], &truth[1], sizeof(truth[0]));
    for (unsigned i = 0; i < 2; i++)
        model_drain(ways[i].bench.model);
    check_clocks(ways);
    for (unsigned i = 0; i < SIGNAL_COUNT; i++) {
        assert_int_equal(ways[0].bench.sum[i], ways[1].bench.sum[i]);
        assert_int_equal(ways[0].bench.any[i], ways[1].bench.any[i]);
        assert_int_equal(ways[0].bench.wide[i], ways[1].bench.wide[i]);
        if (ways[1].bench.order_slack == 0)
            assert_int_equal(ways[0].bench.rise[i], ways[1].bench.rise[i]);
    }
}

static void restart_ways(struct way *ways)
{
    for (unsigned i = 0; i < 2; i++) {
        model_drain(ways[i].bench.model);
        model_truth_reset(ways[i].bench.model);
        memset(ways[i].bench.sum, 0, sizeof(ways[i].bench.sum));
        memset(ways[i].bench.any, 0, sizeof(ways[i].bench.any));
        memset(ways[i].bench.wide, 0, sizeof(ways[i].bench.wide));
        memset(ways[i].bench.rise, 0, sizeof(ways[i].bench.rise));
        memset(ways[i].bench.last, 0, sizeof(ways[i].bench.last));
    }
}

/* Runs the loop from its head. The stack is where it was at the end of each turn. */
static void run_turns(struct way *ways, struct program *program, uint64_t first, unsigned count,
                      struct bench *random)
{
    for (uint64_t turn = first; turn < first + count; turn++) {
        program->stack = STACK;
        for (unsigned n = 0; n < program->count; n++) {
            struct executed executed = executed_of(program, n, turn);

            for (unsigned i = 0; i < 2; i++) {
                executed.kept = &program->instruction[n].kept[i];
                model_execute(ways[i].bench.model, &executed);
            }
            if (executed.next != executed.rip + executed.length && n + 1 < program->count)
                n++;
            if (next_random(random) % 8 == 0)
                check_clocks(ways);
            if (next_random(random) % 4096 == 0)
                neighbour_acts(ways, program, random);
        }
    }
}

/* Something that comes from outside. */
static void disturb(struct way *ways, struct program *program, struct bench *random)
{
    const unsigned what = (unsigned)(next_random(random) % 9);
    const uint64_t line = next_random(random) % 2
                              ? program->instruction[next_random(random) % program->count].address
                              : OTHER_LINE;

    for (unsigned i = 0; i < 2; i++) {
        struct model *model = ways[i].bench.model;

        if (what == 0)
            model_snoop_write(model, line, 8);
        else if (what == 1)
            model_flush_tlb(model);
        else if (what == 2)
            model_idle(model, 77);
        else if (what == 3)
            model_interrupt(model);
        else if (what == 4)
            model_clock(model, 1000 + 100 * (unsigned)(line % 7), 2000);
        else if (what == 5)
            model_slow(model, model_now(model) + 90);
        else if (what == 6)
            model_prefetch(model, line % 16);
        else if (what == 7)
            model_drain(model);
    }
}

/* A turn of another program, so that no period goes on. */
static void leave(struct way *ways, struct program *program, struct bench *random)
{
    static struct program other;
    static uint64_t fresh = NEW_LINES + 64 * MIB;

    if (next_random(random) % 4 == 0) {
        for (unsigned i = 0; i < 8; i++, fresh += 64)
            for (unsigned way = 0; way < 2; way++)
                touch(ways[way].bench.model, fresh, i % 2);
        check_clocks(ways);
        return;
    }
    if (next_random(random) % 2) {
        disturb(ways, program, random);
        return;
    }
    make_program(&other, random);
    run_turns(ways, &other, next_random(random) % 100, 3, random);
}

static void run_program(struct way *ways, struct bench *random)
{
    static struct program program;
    uint64_t turn = 0;

    make_program(&program, random);
    for (unsigned window = 0; window < 6; window++) {
        const unsigned count = (unsigned)(next_random(random) % (window % 2 ? 4000 : 400));

        restart_ways(ways);
        ways[1].bench.order_slack = next_random(random) % 2 ? UINT64_MAX : 0;
        ways[1].quiet = next_random(random) % 8 ? UINT64_MAX : next_random(random) % (1u << 22);
        run_turns(ways, &program, turn, 2 + count * 8 / program.count, random);
        turn = window % 3 ? turn + count : 0;
        leave(ways, &program, random);
        check_counts(ways);
    }
}

static void periods_change_nothing(void **state)
{
    uint64_t skipped = 0;

    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct bench random = {.random = UINT64_C(0x9e3779b97f4a7c15) + kind};

        for (unsigned i = 0; i < PROGRAMS; i++) {
            static struct way ways[2];
            struct model_parameters parameters = *kinds[kind];

            if (i % 2) /* half of them on cores without a cause of lost slots */
                ideal_core(&parameters, 1u << i / 2 % (IDEAL_NUMBER_CORE + 1));
            for (unsigned way = 0; way < 2; way++)
                begin_way(&ways[way], way, &parameters);
            run_program(ways, &random);
            assert_int_equal(model_skipped(ways[0].bench.model), 0);
            skipped += model_skipped(ways[1].bench.model);
            for (unsigned way = 0; way < 2; way++)
                end_way(&ways[way]);
        }
    }
    print_message("skipped %llu\n", (unsigned long long)skipped);
    assert_true(skipped > 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
