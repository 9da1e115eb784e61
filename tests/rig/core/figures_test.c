/* Textbook figures: the model against latencies, throughputs and penalties published for these
 * cores.
 *
 * Sources: [O] Intel 64 and IA-32 Architectures Optimization Reference Manual; [F] Agner Fog, "The
 * microarchitecture of Intel, AMD and VIA CPUs" and "Instruction tables"; [U] uops.info; [C] A.
 * Abel, J. Reineke, "uiCA"; [I] InstLatx64, GenuineIntel00706E5_IceLakeY_InstLatX64. */
#include "model_test.h"

#define OPS_MAX   8
#define TOLERANCE 0.05 /* of the figure, unless a row says otherwise */

struct op {
    const char *bytes;
    uint8_t length;
    enum { PLAIN, READ, WRITE } access;
    uint16_t offset; /* of the access, from DATA_START */
};
/* clang-format off */
#define OP(text)            {text, sizeof(text) - 1, PLAIN, 0}
#define LOAD(text, offset)  {text, sizeof(text) - 1, READ, offset}
#define STORE(text, offset) {text, sizeof(text) - 1, WRITE, offset}
/* clang-format on */

/* A sequence, repeated in a loop, and the cycles that one sequence takes. */
struct figure {
    const char *claim;
    unsigned repeat;
    double skylakex, icelakex;
    double within; /* share of the figure; 0: TOLERANCE */
    struct op ops[OPS_MAX];
};

/* clang-format off */
static const struct figure rows[] = {
    /* latencies [U] [F] */
    {"add rax, rax", 100, 1, 1, 0, {OP("\x48\x01\xc0")}},
    {"imul rax, rax", 100, 3, 3, 0, {OP("\x48\x0f\xaf\xc0")}},
    {"popcnt rax, rax", 100, 3, 3, 0, {OP("\xf3\x48\x0f\xb8\xc0")}},
    {"lea rax, [rax+rcx+1]", 100, 3, 1, 0, {OP("\x48\x8d\x44\x08\x01")}},
    {"addpd xmm0, xmm1", 100, 4, 4, 0, {OP("\x66\x0f\x58\xc1")}},
    {"mulpd xmm0, xmm1", 100, 4, 4, 0, {OP("\x66\x0f\x59\xc1")}},
    {"divpd xmm0, xmm1: 13 to 14", 100, 13.5, 13.5, 0, {OP("\x66\x0f\x5e\xc1")}},
    {"xor edx, edx; div ecx", 20, 26, 15, 0, {OP("\x31\xd2"), OP("\xf7\xf1")}},
    /* Skylake: 35 to 88, by its operands [F], 35 in a measured block of small quotients (BHive), 42
     * [U]. Ice Lake: 14 from the divisor, 18 from the dividend [U]. */
    {"xor edx, edx; div rcx", 20, 35, 18, 0.1, {OP("\x31\xd2"), OP("\x48\xf7\xf1")}},

    /* loads and stores: [O] "Load Operations", 4 cycles with a base and a small displacement on
     * Skylake, else 5, and 5 on Ice Lake. A store and its load take 4 to 5 cycles [F], on Ice Lake
     * 0.5 to 0.6 [I]. */
    {"mov rax, [rax]", 100, 4, 5, 0, {LOAD("\x48\x8b\x00", 0)}},
    {"mov rax, [rax+rcx]", 100, 5, 5, 0, {LOAD("\x48\x8b\x04\x08", 0)}},
    {"mov [rsp], rax; mov rax, [rsp]", 100, 4.5, 0.55, 0.12,
     {STORE("\x48\x89\x04\x24", 0), LOAD("\x48\x8b\x04\x24", 0)}},
    {"two loads a cycle: mov rax, [rbx]; mov rcx, [rbx+64]", 100, 1, 1, 0,
     {LOAD("\x48\x8b\x03", 0), LOAD("\x48\x8b\x4b\x40", 64)}},
    /* Ice Lake writes two a cycle only to one line [O]. */
    {"a store a cycle: mov [rbx], rax; mov [rbx+64], rcx", 100, 2, 2, 0,
     {STORE("\x48\x89\x03", 0), STORE("\x48\x89\x4b\x40", 64)}},

    /* throughputs: width [O] or ports [U] */
    {"four adds a cycle: add rax, rbx, rcx, rdx, rsi, r8, r9, r10, 1", 50, 2, 2, 0,
     {OP("\x48\x83\xc0\x01"), OP("\x48\x83\xc3\x01"), OP("\x48\x83\xc1\x01"),
      OP("\x48\x83\xc2\x01"), OP("\x48\x83\xc6\x01"), OP("\x49\x83\xc0\x01"),
      OP("\x49\x83\xc1\x01"), OP("\x49\x83\xc2\x01")}},
    {"two shifts a cycle: shl rax, rbx, rcx, rdx, 1", 50, 2, 2, 0,
     {OP("\x48\xc1\xe0\x01"), OP("\x48\xc1\xe3\x01"), OP("\x48\xc1\xe1\x01"),
      OP("\x48\xc1\xe2\x01")}},
    {"an imul a cycle: imul rax, rbx, rcx, r8, 7", 50, 3, 3, 0,
     {OP("\x49\x6b\xc0\x07"), OP("\x49\x6b\xd8\x07"), OP("\x49\x6b\xc8\x07")}},
    {"nop [rax+0] fills the width", 100, 0.25, 0.2, 0, {OP("\x0f\x1f\x40\x00")}},
    {"xor eax, eax fills the width", 100, 0.25, 0.2, 0, {OP("\x31\xc0")}},
    /* Ice Lake's moves of general registers are executed since a microcode update [C]. Skylake has
     * four slots for moves that are on their way for two cycles [C]: two of four moves are
     * eliminated, the others make a chain. */
    {"mov rbx, rax; mov rax, rbx", 100, 1, 2, 0, {OP("\x48\x89\xc3"), OP("\x48\x89\xd8")}},
    {"movaps xmm1, xmm0; movaps xmm0, xmm1", 100, 1, 0.4, 0,
     {OP("\x0f\x28\xc8"), OP("\x0f\x28\xc1")}},
    /* A fused pair is one uop for port 0 or 6 [F]. */
    {"cmp rax, rbx; jne, not taken", 100, 0.5, 0.5, 0, {OP("\x48\x39\xd8"), OP("\x75\x10")}},

    /* front end: [O] fetch of 16 bytes a cycle, 3 cycles for a length-changing prefix, plus the
     * fetch of its five bytes. The longer loops do not fit the uop cache, but the instruction
     * cache. */
    {"8-byte nops from the uop cache", 64, 0.25, 0.2, 0, {OP("\x0f\x1f\x84\0\0\0\0\0")}},
    {"8-byte nops from the decoders", 3000, 0.5, 0.5, 0, {OP("\x0f\x1f\x84\0\0\0\0\0")}},
    {"add cx, 0x1234 from the decoders", 4000, 3 + 5.0 / 16, 3 + 5.0 / 16, 0.1,
     {OP("\x66\x81\xc1\x34\x12")}},

    /* [O] "Pause Latency in Skylake Client Microarchitecture" */
    {"pause", 10, 140, 140, 0.1, {OP("\xf3\x90")}},
};
/* clang-format on */

static void run_row(struct bench *bench, unsigned turn)
{
    const struct figure *row = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < row->repeat; i++)
        for (const struct op *op = row->ops; op < row->ops + OPS_MAX && op->bytes != NULL; op++) {
            const uint8_t *bytes = (const uint8_t *)op->bytes;

            if (op->access == READ)
                reads(bench, bytes, op->length, DATA_START + op->offset);
            else if (op->access == WRITE)
                writes(bench, bytes, op->length, DATA_START + op->offset);
            else
                plain(bench, bytes, op->length);
        }
}

static void published_figures_are_met(void **state)
{
    const struct figure *row = *state;

    for (unsigned i = 0; i < CORES; i++) {
        const double want = cores[i] == &skylakex_core ? row->skylakex : row->icelakex;
        const unsigned count = 20;
        struct bench bench;
        struct figures figures;

        begin(&bench, cores[i]);
        bench.argument = row;
        figures = measure(&bench, run_row, 10, count);
        check_near(row->claim, cores[i]->name, (double)figures.truth.cycles / count / row->repeat,
                   want, want * (row->within > 0 ? row->within : TOLERANCE));
        end(&bench);
    }
}

/* --- chases beyond L1 --- */

#define CHASE 64u /* loads in a turn */

struct chase {
    uint32_t bytes; /* traversed line by line, over and over */
    enum signal found;
    bool written; /* before they are read the first time: a server's L3 takes what was written */
};

static void run_chase(struct bench *bench, unsigned turn)
{
    const struct chase *chase = bench->argument;
    const bool writes_first = chase->written && turn < chase->bytes / LINE / CHASE;

    for (unsigned i = 0; i < CHASE; i++) {
        if (writes_first)
            writes(bench, CODE("\x48\x89\x13"),
                   DATA_START + bench->next_line * LINE); /* mov [rbx], rdx */
        reads(bench, CODE("\x48\x8b\x00"),
              DATA_START + bench->next_line * LINE); /* mov rax, [rax] */
        bench->next_line = (bench->next_line + 1) % (chase->bytes / LINE);
    }
}

static void check_chase(const struct model_parameters *parameters, struct chase chase,
                        double latency)
{
    const unsigned turns_once = chase.bytes / LINE / CHASE;
    struct bench bench;
    struct figures figures;

    begin(&bench, parameters);
    bench.argument = &chase;
    figures = measure(&bench, run_chase, turns_once * 2, turns_once);
    assert_int_equal(figures.sum[chase.found], turns_once * CHASE);
    check_near("chase", parameters->name, (double)figures.truth.cycles / turns_once / CHASE,
               latency, latency * TOLERANCE);
    end(&bench);
}

/* L2: [O] 14 cycles; L3 and memory: the parameters of the core. */
static void a_chase_takes_the_latency_of_its_level(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        check_chase(cores[i], (struct chase){256 * KIB, SIG_LOADS_L2_HIT, true}, 14);
        check_chase(cores[i], (struct chase){2 * MIB, SIG_LOADS_L3_HIT, true},
                    cores[i]->l3_slice.latency);
        check_chase(cores[i], (struct chase){8 * MIB, SIG_LOADS_L3_MISS, false},
                    cores[i]->memory_latency);
    }
}

/* --- branches --- */

#define JUMPS 64u

static void run_jumps(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < JUMPS; i++)
        goes(bench, CODE("\xeb\x0e"), 14); /* jmp to the next 16 bytes */
}

/* [F] One taken jump in one to two cycles; never two in a cycle: port 6 only [U]. */
static void at_most_one_branch_a_cycle_is_taken(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const unsigned count = 20;
        struct bench bench;
        struct figures figures;

        begin(&bench, cores[i]);
        figures = measure(&bench, run_jumps, 10, count);
        assert_int_equal(figures.truth.taken, (JUMPS + 1) * count);
        assert_int_equal(figures.truth.mispredicts, 0);
        assert_true(figures.truth.cycles >= (JUMPS + 1) * count);
        assert_true(figures.truth.cycles <= 2 * (JUMPS + 1) * count);
        end(&bench);
    }
}

/* A branch, ready at once, over a nop; taken at random if the argument says so. */
static void run_coin(struct bench *bench, unsigned turn)
{
    const bool by_lot = bench->argument != NULL;
    const bool taken = by_lot && (next_random(bench) >> 32 & 1);

    (void)turn;
    plain(bench, CODE("\xa8\x01"));               /* test al, 1 */
    goes(bench, CODE("\x75\x04"), taken ? 4 : 0); /* jnz over the nop */
    if (!taken)
        plain(bench, NOP);
    for (unsigned i = 0; i < 8; i++)
        plain(bench, NOP);
}

/* [F] 15 to 20 cycles, for code from the uop cache at the low end. */
static void a_mispredict_costs_15_to_20_cycles(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const unsigned count = 20000;
        struct figures steady, random;
        struct bench bench;
        double misses;

        begin(&bench, cores[i]);
        steady = measure(&bench, run_coin, 100, count);
        bench.argument = "by lot";
        random = measure(&bench, run_coin, count, count);
        misses = (double)random.truth.mispredicts;
        assert_int_equal(steady.truth.mispredicts, 0);
        check_near("half the tosses mispredict", cores[i]->name, misses / count, 0.5, 0.05);
        check_near("mispredict penalty", cores[i]->name,
                   ((double)random.truth.cycles - (double)steady.truth.cycles) / misses, 17.5, 2.5);
        end(&bench);
    }
}

int main(void)
{
    struct CMUnitTest tests[sizeof(rows) / sizeof(*rows) + 3];
    const size_t count = sizeof(rows) / sizeof(*rows);

    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){rows[i].claim, published_figures_are_met, NULL, NULL,
                                       (void *)(uintptr_t)&rows[i]};
    tests[count] = (struct CMUnitTest)cmocka_unit_test(a_chase_takes_the_latency_of_its_level);
    tests[count + 1] = (struct CMUnitTest)cmocka_unit_test(at_most_one_branch_a_cycle_is_taken);
    tests[count + 2] = (struct CMUnitTest)cmocka_unit_test(a_mispredict_costs_15_to_20_cycles);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
