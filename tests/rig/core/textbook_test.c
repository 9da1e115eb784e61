/* The table of textbook figures in rig/doc/figures.md, row by row and processor by processor,
 * against the core models: the table is the test's data. Run from the root of the tree. */
#include <stdio.h>

#include "model_test.h"
#include "pmu/personality.h"

#define TABLE    "rig/doc/figures.md"
#define HEADER   "| figure |"
#define WITHIN   0.10 /* of the published value, or of the nearer end of a published range */
#define CELLS    16u
#define TEXT     512u
#define ROWS_MAX 64u

/* --- measurement --- */

/* Cycles that a turn adds, with the pipeline drained before and after each interval. */
static double cycles_a_turn(const struct model_parameters *core, body *run, const void *argument,
                            unsigned warm, unsigned count)
{
    struct bench bench;
    uint64_t once, twice;

    begin(&bench, core);
    bench.argument = argument;
    turns(&bench, run, 0, warm);
    restart(&bench);
    turns(&bench, run, warm, count);
    model_drain(bench.model);
    once = model_now(bench.model) - bench.begun;
    restart(&bench);
    turns(&bench, run, warm + count, 2 * count);
    model_drain(bench.model);
    twice = model_now(bench.model) - bench.begun;
    end(&bench);
    return (double)(twice - once) / count;
}

/* --- straight-line figures: a sequence, so often in a turn, so much work in it --- */

struct sequence {
    unsigned repeat;
    double work; /* the figure is cycles of a sequence / work, or work / cycles */
    bool rate;
    struct {
        const char *bytes;
        uint8_t length;
        enum { PLAIN, READ, WRITE } access;
        uint16_t offset;
    } ops[8];
};

static void run_sequence(struct bench *bench, unsigned turn)
{
    const struct sequence *sequence = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < sequence->repeat; i++)
        for (unsigned k = 0; k < 8 && sequence->ops[k].bytes != NULL; k++) {
            const uint8_t *bytes = (const uint8_t *)sequence->ops[k].bytes;
            const uint8_t length = sequence->ops[k].length;
            const uint64_t address = DATA_START + sequence->ops[k].offset;

            if (sequence->ops[k].access == READ)
                reads(bench, bytes, length, address);
            else if (sequence->ops[k].access == WRITE)
                writes(bench, bytes, length, address);
            else
                plain(bench, bytes, length);
        }
}

static double sequence_figure(const struct model_parameters *core, const void *argument)
{
    const struct sequence *sequence = argument;
    const bool long_turn = sequence->repeat >= 1000;
    const double cycles =
        cycles_a_turn(core, run_sequence, sequence, long_turn ? 3 : 20, long_turn ? 4 : 40) /
        sequence->repeat;

    return sequence->rate ? sequence->work / cycles : cycles / sequence->work;
}

/* --- a chase through so many KiB, line after line, every load for the one before --- */

#define CHASE  64u /* loads in a turn */
#define SHARED 1u  /* instead of a size in KiB: lines that only the shared cache holds */
#define COLD   2u  /* instead of a size in KiB: lines that nothing has touched before */

static unsigned chase_lines(const struct model_parameters *core, unsigned kib)
{
    const unsigned beyond = 2 * core->l2.bytes; /* more than the core's L2 holds */

    if (kib == SHARED)
        return (beyond > 2 * MIB ? beyond : 2 * MIB) / LINE;
    return kib == COLD ? UINT32_MAX : kib * KIB / LINE;
}

/* In the first round each place is written before it is read, as who measures writes the addresses.
 */
static void run_chase(struct bench *bench, unsigned turn)
{
    const unsigned lines = chase_lines(bench->parameters, *(const unsigned *)bench->argument);
    const bool writes_first = lines != UINT32_MAX && turn < lines / CHASE;

    for (unsigned i = 0; i < CHASE; i++) {
        if (writes_first)
            writes(bench, CODE("\x48\x89\x13"),
                   DATA_START + bench->next_line * LINE); /* mov [rbx], rdx */
        reads(bench, CODE("\x48\x8b\x00"),
              DATA_START + bench->next_line * LINE); /* mov rax, [rax] */
        bench->next_line = (bench->next_line + 1) % lines;
    }
}

static double chase_figure(const struct model_parameters *core, const void *argument)
{
    const unsigned kib = *(const unsigned *)argument;
    const unsigned round = kib == COLD ? 100 : chase_lines(core, kib) / CHASE;

    return cycles_a_turn(core, run_chase, argument, 2 * round, round) / CHASE;
}

/* --- branches --- */

/* A branch, ready at once, over a nop, among nops; taken at random if the argument says so. */
static void run_coin(struct bench *bench, unsigned turn)
{
    const bool taken = bench->argument != NULL && (next_random(bench) >> 32 & 1);

    (void)turn;
    plain(bench, CODE("\xa8\x01"));               /* test al, 1 */
    goes(bench, CODE("\x75\x04"), taken ? 4 : 0); /* jnz over the nop */
    if (!taken)
        plain(bench, NOP);
    for (unsigned i = 0; i < 8; i++)
        plain(bench, NOP);
}

static double mispredict_figure(const struct model_parameters *core, const void *argument)
{
    const unsigned count = 20000;
    const double steady = cycles_a_turn(core, run_coin, NULL, 100, 1000);
    struct model_truth truth;
    struct bench bench;
    uint64_t cycles;

    begin(&bench, core);
    bench.argument = argument;
    turns(&bench, run_coin, 0, count);
    restart(&bench);
    turns(&bench, run_coin, count, count);
    model_drain(bench.model);
    model_truth(bench.model, &truth);
    cycles = model_now(bench.model) - bench.begun;
    end(&bench);
    return ((double)cycles - steady * count) / (double)truth.mispredicts;
}

/* DEC and JNZ of the loop, and nothing else. */
static void run_nothing(struct bench *bench, unsigned turn)
{
    (void)bench;
    (void)turn;
}

static double loop_figure(const struct model_parameters *core, const void *argument)
{
    (void)argument;
    return cycles_a_turn(core, run_nothing, NULL, 1000, 1000);
}

/* --- the rows --- */

#define OP(text)                                                                                   \
    {                                                                                              \
        text, sizeof(text) - 1, PLAIN, 0                                                           \
    }
#define LOAD(text, offset)                                                                         \
    {                                                                                              \
        text, sizeof(text) - 1, READ, offset                                                       \
    }
#define STORE(text, offset)                                                                        \
    {                                                                                              \
        text, sizeof(text) - 1, WRITE, offset                                                      \
    }

typedef double figure_of(const struct model_parameters *core, const void *argument);

/* clang-format off */
static const struct {
    const char *name;
    figure_of *figure;
    struct sequence sequence;
    unsigned kib;
} figures_known[] = {
    {"add latency", sequence_figure, {100, 1, false, {OP("\x48\x01\xc0")}}, 0},                 /* add rax, rax */
    {"additions of one a cycle, in a chain", sequence_figure, {100, 1, true, {OP("\x48\x83\xc0\x01")}}, 0}, /* add rax, 1 */
    {"adds a cycle", sequence_figure, {50, 8, true,                                             /* add rax, 1 ... */
     {OP("\x48\x83\xc0\x01"), OP("\x48\x83\xc3\x01"), OP("\x48\x83\xc1\x01"), OP("\x48\x83\xc2\x01"),
      OP("\x48\x83\xc6\x01"), OP("\x49\x83\xc0\x01"), OP("\x49\x83\xc1\x01"), OP("\x49\x83\xc2\x01")}}, 0},
    {"imul latency", sequence_figure, {100, 1, false, {OP("\x48\x0f\xaf\xc0")}}, 0},            /* imul rax, rax */
    {"imuls a cycle", sequence_figure, {50, 3, true,                                            /* imul rax, r8, 7 ... */
     {OP("\x49\x6b\xc0\x07"), OP("\x49\x6b\xd8\x07"), OP("\x49\x6b\xc8\x07")}}, 0},
    {"div r32 latency", sequence_figure, {20, 1, false, {OP("\x31\xd2"), OP("\xf7\xf1")}}, 0},  /* xor edx, edx; div ecx */
    {"div r32 every", sequence_figure, {20, 1, false,                                           /* xor edx, edx; mov eax, r8d; div ecx */
     {OP("\x31\xd2"), OP("\x44\x89\xc0"), OP("\xf7\xf1")}}, 0},
    {"load latency, L1", sequence_figure, {100, 1, false, {LOAD("\x48\x8b\x00", 0)}}, 0},       /* mov rax, [rax] */
    {"load latency, L1, indexed", sequence_figure, {100, 1, false, {LOAD("\x48\x8b\x04\x08", 0)}}, 0}, /* mov rax, [rax+rcx] */
    {"loads a cycle", sequence_figure, {50, 2, true,                                            /* mov rax, [rbx]; mov rcx, [rbx+72]: two banks */
     {LOAD("\x48\x8b\x03", 0), LOAD("\x48\x8b\x4b\x48", 72)}}, 0},
    {"stores a cycle", sequence_figure, {50, 2, true,                                           /* mov [rbx], rax; mov [rbx+64], rcx */
     {STORE("\x48\x89\x03", 0), STORE("\x48\x89\x4b\x40", 64)}}, 0},
    {"stores to one line a cycle", sequence_figure, {50, 2, true,                               /* mov [rbx], rax; mov [rbx+8], rcx */
     {STORE("\x48\x89\x03", 0), STORE("\x48\x89\x4b\x08", 8)}}, 0},
    {"store to load and back", sequence_figure, {100, 1, false,                                 /* mov [rsp], rax; mov rax, [rsp] */
     {STORE("\x48\x89\x04\x24", 0), LOAD("\x48\x8b\x04\x24", 0)}}, 0},
    {"addpd latency", sequence_figure, {100, 1, false, {OP("\x66\x0f\x58\xc1")}}, 0},           /* addpd xmm0, xmm1 */
    {"mulpd latency", sequence_figure, {100, 1, false, {OP("\x66\x0f\x59\xc1")}}, 0},           /* mulpd xmm0, xmm1 */
    {"divpd latency", sequence_figure, {100, 1, false, {OP("\x66\x0f\x5e\xc1")}}, 0},           /* divpd xmm0, xmm1 */
    {"divpd every", sequence_figure, {25, 4, false,                                             /* divpd xmm0, xmm8 ... */
     {OP("\x66\x41\x0f\x5e\xc0"), OP("\x66\x41\x0f\x5e\xc8"), OP("\x66\x41\x0f\x5e\xd0"),
      OP("\x66\x41\x0f\x5e\xd8")}}, 0},
    {"uops a cycle from the uop cache", sequence_figure, {64, 1, true, {OP("\x0f\x1f\x84\0\0\0\0\0")}}, 0},
    {"instructions a cycle from the decoders", sequence_figure, {7600, 1, true, {OP("\x0f\x1f\x40\0")}}, 0},
    {"bytes a cycle from the decoders", sequence_figure, {5000, 6, true, {OP("\x66\x0f\x1f\x44\0\0")}}, 0},
    {"length-changing prefix in five bytes", sequence_figure, {6000, 1, false, {OP("\x66\x81\xc1\x34\x12")}}, 0}, /* add cx, 0x1234 */
    {"mispredicted branch", mispredict_figure, {0}, 0},
    {"taken branch every", loop_figure, {0}, 0},
    {"load latency, L2", chase_figure, {0}, 192},
    {"load latency, L3", chase_figure, {0}, SHARED},
    {"load latency, memory", chase_figure, {0}, COLD},
};
/* clang-format on */
#define FIGURES (sizeof(figures_known) / sizeof(*figures_known))

/* --- the table --- */

struct table {
    char header[TEXT], row[ROWS_MAX][TEXT];
    unsigned rows;
};

static struct table table;

/* Splits "| a | b |" in place; gives the number of cells. */
static unsigned split(char *line, char *cell[CELLS])
{
    unsigned count = 0;

    for (char *text = strtok(line, "|\n"); text != NULL && count < CELLS;
         text = strtok(NULL, "|\n")) {
        char *last = text + strlen(text);

        while (*text == ' ')
            text++;
        while (last > text && last[-1] == ' ')
            *--last = 0;
        cell[count++] = text;
    }
    return count;
}

static int read_table(void **state)
{
    FILE *file = fopen(TABLE, "r");
    char line[TEXT];

    (void)state;
    if (file == NULL)
        return -1;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, HEADER, strlen(HEADER)) == 0)
            memcpy(table.header, line, sizeof(line));
        else if (table.header[0] && line[0] != '|')
            break;
        else if (table.header[0] && line[1] == ' ' && table.rows < ROWS_MAX)
            memcpy(table.row[table.rows++], line, sizeof(line));
    }
    fclose(file);
    return table.rows > 0 ? 0 : -1;
}

/* "alderlake", or "alderlake, E" for its small cores. */
static const struct personality *column_cpu(const char *column)
{
    char name[TEXT];
    const struct personality *cpu;

    if (strlen(column) >= sizeof(name) || sscanf(column, "%[^,]", name) != 1)
        return NULL;
    cpu = personality_find(name);
    return cpu != NULL && strchr(column, ',') != NULL ? cpu->small : cpu;
}

/* "4", "13-14", or "-" where no comparable figure is published. */
static void check_cell(const char *name, const struct personality *cpu, const char *cell,
                       figure_of *figure, const void *argument)
{
    double low, high, got;
    const int numbers = sscanf(cell, "%lf-%lf", &low, &high);

    if (strcmp(cell, "-") == 0)
        return;
    if (numbers < 1)
        fail_msg("%s, %s: \"%s\" is no figure", name, cpu->name, cell);
    if (numbers == 1)
        high = low;
    got = figure(cpu->core, argument);
    if (got < low * (1 - WITHIN) || got > high * (1 + WITHIN))
        fail_msg("%s, %s: %.3f, published %s", name, cpu->name, got, cell);
}

/* One row of the table, for all its processors. */
static void the_published_figure_is_met(void **state)
{
    const unsigned known = (unsigned)(uintptr_t)*state;
    char header[TEXT], *columns[CELLS], *cells[CELLS];
    unsigned count;

    memcpy(header, table.header, sizeof(header));
    count = split(header, columns);
    for (unsigned i = 0; i < table.rows; i++) {
        char row[TEXT];

        memcpy(row, table.row[i], sizeof(row));
        if (split(row, cells) != count || strcmp(cells[0], figures_known[known].name) != 0)
            continue;
        for (unsigned k = 1; k + 1 < count; k++) {
            const struct personality *cpu = column_cpu(columns[k]);
            const void *argument = figures_known[known].kib > 0
                                       ? (const void *)&figures_known[known].kib
                                       : (const void *)&figures_known[known].sequence;

            if (cpu == NULL)
                fail_msg("%s: no such personality", columns[k]);
            check_cell(cells[0], cpu, cells[k], figures_known[known].figure, argument);
        }
        return;
    }
    fail_msg("%s has no row \"%s\"", TABLE, figures_known[known].name);
}

static void every_row_is_tested(void **state)
{
    (void)state;
    assert_int_equal(table.rows, FIGURES);
}

int main(void)
{
    struct CMUnitTest tests[FIGURES + 1];

    for (size_t i = 0; i < FIGURES; i++)
        tests[i] = (struct CMUnitTest){figures_known[i].name, the_published_figure_is_met, NULL,
                                       NULL, (void *)(uintptr_t)i};
    tests[FIGURES] = (struct CMUnitTest)cmocka_unit_test(every_row_is_tested);
    return cmocka_run_group_tests(tests, read_table, NULL);
}
