/* What the core model counts: sequences in this file, counted by hand. */
#include "model_test.h"

#define TURNS 50u

/* What one turn adds, DEC and JNZ of the loop included. Fails if the sum does not divide by the
 * turns. */
static void check_turn(const struct figures *figures, enum signal signal, uint64_t each)
{
    assert_int_equal(figures->sum[signal], each * TURNS);
}

static struct figures measure_on(const struct model_parameters *core, body *run, unsigned warm)
{
    struct figures figures;
    struct bench bench;

    begin(&bench, core);
    figures = measure(&bench, run, warm, TURNS);
    end(&bench);
    return figures;
}

/* --- counts --- */

static void run_memory_forms(struct bench *bench, unsigned turn)
{
    const uint64_t data = DATA_START;

    (void)turn;
    reads(bench, CODE("\x48\x8b\x03"), data);             /* mov rax, [rbx]: load */
    reads(bench, CODE("\x48\x03\x03"), data);             /* add rax, [rbx]: load */
    writes(bench, CODE("\x48\x89\x03"), data);            /* mov [rbx], rax: store */
    modifies(bench, CODE("\x48\x01\x43\x40"), data + 64); /* add [rbx+64], rax: load and store */
    writes(bench, CODE("\x50"), data + 128);              /* push rax: store */
    reads(bench, CODE("\x59"), data + 128);               /* pop rcx: load */
    modifies(bench, CODE("\xf0\x48\x01\x03"), data);      /* lock add [rbx], rax: load and store */
    plain(bench, CODE("\x48\x8d\x43\x08"));               /* lea rax, [rbx+8]: neither */
    plain(bench, NOP);                                    /* neither, although it names memory */
}

static void loads_and_stores_are_counted_by_instruction(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = measure_on(cores[i], run_memory_forms, 20);

        check_turn(&figures, SIG_INSTRUCTIONS, 9 + 2);
        check_turn(&figures, SIG_LOADS, 5);
        check_turn(&figures, SIG_STORES, 4);
        check_turn(&figures, SIG_NOPS_RETIRED, 1);
        check_turn(&figures, SIG_MACRO_FUSED, 1);
        assert_int_equal(figures.truth.loads, 5 * TURNS);
        assert_int_equal(figures.truth.stores, 4 * TURNS);
    }
}

static void run_branch_forms(struct bench *bench, unsigned turn)
{
    uint64_t call;

    (void)turn;
    plain(bench, CODE("\x48\x39\xd8")); /* cmp rax, rbx */
    goes(bench, CODE("\x74\x10"), 0);   /* jz, not taken */
    plain(bench, CODE("\x48\x85\xc0")); /* test rax, rax */
    goes(bench, CODE("\x75\x10"), 16);  /* jnz, taken */
    goes(bench, CODE("\xeb\x10"), 16);  /* jmp */
    call = bench->rip;
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\xe8\x40\0\0\0", /* call */
                                      .length = 5,
                                      .next = call + 5 + 64,
                                      .accesses = 1,
                                      .access = {{DATA_START, 8, true}}});
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\xc3", /* ret */
                                      .length = 1,
                                      .next = call + 5,
                                      .accesses = 1,
                                      .access = {{DATA_START, 8, false}}});
    goes(bench, CODE("\xff\xe0"), 30); /* jmp rax */
}

/* Taken: jnz, jmp, call, ret, jmp rax and the loop's jnz. */
static void branches_are_counted_by_kind(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = measure_on(cores[i], run_branch_forms, 100);

        check_turn(&figures, SIG_INSTRUCTIONS, 8 + 2);
        check_turn(&figures, SIG_BRANCHES, 7);
        check_turn(&figures, SIG_BRANCHES_TAKEN, 6);
        check_turn(&figures, SIG_BRANCHES_NOT_TAKEN, 1);
        check_turn(&figures, SIG_BRANCHES_CONDITIONAL, 3);
        check_turn(&figures, SIG_BRANCHES_CONDITIONAL_TAKEN, 2);
        check_turn(&figures, SIG_BRANCHES_CALL, 1);
        check_turn(&figures, SIG_BRANCHES_RETURN, 1);
        check_turn(&figures, SIG_BRANCHES_INDIRECT, 1);
        check_turn(&figures, SIG_BRANCHES_FAR, 0);
        check_turn(&figures, SIG_MISPREDICTS, 0);
        check_turn(&figures, SIG_MACRO_FUSED, 3);
        check_turn(&figures, SIG_LOADS, 1);
        check_turn(&figures, SIG_STORES, 1);
    }
}

static void run_pairs(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 10; i++) {
        plain(bench, CODE("\x48\x39\xd8")); /* cmp rax, rbx */
        goes(bench, CODE("\x75\x10"), 0);   /* jne, not taken */
        plain(bench, CODE("\x48\xff\xc1")); /* inc rcx */
        goes(bench, CODE("\x72\x10"), 0);   /* jb: needs the carry, which INC does not write */
    }
}

/* "Macro-Fusion" in Intel's optimization manual: CMP and JNE are one slot, INC and JB are two. */
static void a_fused_pair_is_one_slot(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = measure_on(cores[i], run_pairs, 100);

        check_turn(&figures, SIG_INSTRUCTIONS, 40 + 2);
        check_turn(&figures, SIG_MACRO_FUSED, 10 + 1);
        check_turn(&figures, SIG_UOPS_RETIRED, 10 + 20 + 1);
        check_turn(&figures, SIG_UOPS_RETIRED_UNFUSED, 10 + 20 + 1);
        check_turn(&figures, SIG_UOPS_EXECUTED, 10 + 20 + 1);
    }
}

#define ROUNDS 5u

static void run_string(struct bench *bench, unsigned turn)
{
    const uint64_t rip = bench->rip;

    (void)turn;
    for (unsigned i = 0; i < ROUNDS; i++) /* rep movsb */
        execute(bench, &(struct executed){
                           .bytes = (const uint8_t *)"\xf3\xa4",
                           .length = 2,
                           .next = i + 1 < ROUNDS ? rip : rip + 2,
                           .repeat = i + 1 < ROUNDS,
                           .accesses = 2,
                           .access = {{DATA_START + i, 1, false}, {DATA_START + 4096 + i, 1, true}},
                       });
}

static void a_repeated_string_instruction_retires_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = measure_on(cores[i], run_string, 20);

        check_turn(&figures, SIG_INSTRUCTIONS, 1 + 2);
        check_turn(&figures, SIG_LOADS, 1);
        check_turn(&figures, SIG_STORES, 1);
        check_turn(&figures, SIG_LOADS_L1_HIT, 1);
        check_turn(&figures, SIG_BRANCHES, 1);
    }
}

/* A load that faults, and its handler, which continues after the load; then a nop after which an
 * interrupt comes, and its handler. */
static void run_exceptions(struct bench *bench, unsigned turn)
{
    const uint64_t handler = CODE_START + 0x1000;

    (void)turn;
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\x48\x8b\x03", /* mov rax, [rbx] */
                                      .length = 3,
                                      .next = handler,
                                      .end = END_FAULT,
                                      .accesses = 1,
                                      .access = {{DATA_START, 8, false}}});
    plain(bench, NOP);
    goes(bench, CODE("\xe9\0\0\0\0"), (int64_t)(CODE_START + 3) - (int64_t)(handler + 9));
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\x0f\x1f\x40\0", /* nop [rax+0] */
                                      .length = 4,
                                      .next = handler,
                                      .end = END_INTERRUPT});
    plain(bench, NOP);
    goes(bench, CODE("\xe9\0\0\0\0"), (int64_t)(CODE_START + 7) - (int64_t)(handler + 9));
}

static void an_instruction_that_faults_does_not_retire(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = measure_on(cores[i], run_exceptions, 100);

        check_turn(&figures, SIG_INSTRUCTIONS, 5 + 2);
        check_turn(&figures, SIG_NOPS_RETIRED, 3);
        check_turn(&figures, SIG_BRANCHES, 3);
        check_turn(&figures, SIG_LOADS, 0);
        check_turn(&figures, SIG_LOADS_L1_HIT, 0);
    }
}

static void run_idioms(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\x31\xc0"));         /* xor eax, eax */
    plain(bench, CODE("\x48\x89\xc3"));     /* mov rbx, rax */
    plain(bench, CODE("\x66\x0f\xef\xc0")); /* pxor xmm0, xmm0 */
    plain(bench, CODE("\x0f\x28\xc8"));     /* movaps xmm1, xmm0 */
    plain(bench, NOP);
}

/* "Dependency Breaking Idioms" and "Move Elimination" in Intel's optimization manual; on Ice
 * Lake a microcode update disabled the elimination of moves of general registers. */
static void idioms_take_slots_but_no_ports(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = measure_on(cores[i], run_idioms, 100);

        check_turn(&figures, SIG_UOPS_RETIRED, 5 + 1);
        check_turn(&figures, SIG_UOPS_EXECUTED, (cores[i] == &icelakex_core) + 1);
    }
}

/* --- events --- */

static void run_code_writer(struct bench *bench, unsigned turn)
{
    (void)turn;
    writes(bench, CODE("\x48\x89\x03"),
           CODE_START + 2 * LINE); /* mov [rbx], rax: to the next line of code */
    for (unsigned i = 0; i < 64; i++)
        plain(bench, NOP);
}

static void run_data_writer(struct bench *bench, unsigned turn)
{
    (void)turn;
    writes(bench, CODE("\x48\x89\x03"), DATA_START);
    for (unsigned i = 0; i < 64; i++)
        plain(bench, NOP);
}

/* "Self-Modifying Code" in Intel's optimization manual: the pipeline is flushed, which costs at
 * least the 15 cycles of a mispredict. */
static void a_store_to_code_clears_the_pipeline(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures code = measure_on(cores[i], run_code_writer, 100);
        const struct figures data = measure_on(cores[i], run_data_writer, 100);

        check_turn(&code, SIG_MACHINE_CLEARS_SMC, 1);
        check_turn(&code, SIG_MACHINE_CLEARS, 1);
        check_turn(&code, SIG_CLEARS, 1);
        check_turn(&code, SIG_MISPREDICTS, 0);
        check_turn(&data, SIG_MACHINE_CLEARS, 0);
        assert_true(code.truth.cycles > data.truth.cycles + 15 * TURNS);
        assert_true(code.truth.slots[CAUSE_MACHINE_CLEARS] > 0);
        assert_int_equal(data.truth.slots[CAUSE_MACHINE_CLEARS], 0);
    }
}

static void run_flush(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\x48\x89\xd8"));             /* mov rax, rbx */
    reads(bench, CODE("\x0f\xae\x3b"), DATA_START); /* clflush [rbx] */
    reads(bench, CODE("\x48\x8b\x1b"), DATA_START); /* mov rbx, [rbx] */
}

static void a_flushed_line_comes_from_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = measure_on(cores[i], run_flush, 20);

        check_turn(&figures, SIG_LOADS, 1);
        check_turn(&figures, SIG_STORES, 0);
        check_turn(&figures, SIG_LOADS_L3_MISS, 1);
        assert_true(figures.truth.cycles >= (uint64_t)cores[i]->memory_latency * TURNS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_are_counted_by_instruction),
        cmocka_unit_test(branches_are_counted_by_kind),
        cmocka_unit_test(a_fused_pair_is_one_slot),
        cmocka_unit_test(a_repeated_string_instruction_retires_once),
        cmocka_unit_test(an_instruction_that_faults_does_not_retire),
        cmocka_unit_test(idioms_take_slots_but_no_ports),
        cmocka_unit_test(a_store_to_code_clears_the_pipeline),
        cmocka_unit_test(a_flushed_line_comes_from_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
