/* What the core model counts, and that its accounts balance whatever runs. The figures are hand counts over the sequences
 * written here; penalties name their source. */
#include "model_test.h"

#define TURNS 50u
#define NOP   CODE("\x0f\x1f\x40\x00")

static const struct model_parameters *const cores[] = {&skylakex_core, &icelakex_core};
#define CORES (sizeof cores / sizeof *cores)

/* What one turn adds on that core, the loop's own DEC and JNZ included. Divides exactly or fails. */
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
    plain(bench, NOP);                                    /* neither, though it names memory */
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
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\xe8\x40\0\0", /* call */
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
        goes(bench, CODE("\x72\x10"), 0);   /* jb: wants the carry, which INC leaves alone */
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

/* A load that faults, its handler, which jumps beyond it; then a nop after which an interrupt comes, and its handler. */
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
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\x0f\x1f\x40", /* nop [rax+0] */
                                      .length = 4,
                                      .next = handler,
                                      .end = END_INTERRUPT});
    plain(bench, NOP);
    goes(bench, CODE("\xe9\0\0\0\0"), (int64_t)(CODE_START + 7) - (int64_t)(handler + 9));
}

static void what_faults_does_not_retire(void **state)
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

/* "Dependency Breaking Idioms" and "Move Elimination" in Intel's optimization manual; on Ice Lake a microcode update switched the
 * elimination of general registers' moves off. */
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
    writes(bench, CODE("\x48\x89\x03"), CODE_START + 2 * LINE); /* mov [rbx], rax: of the line below */
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

/* "Self-Modifying Code" in Intel's optimization manual: the pipeline is flushed. At the least that is a mispredict's 15 cycles. */
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
    plain(bench, CODE("\x48\x89\xd8"));            /* mov rax, rbx */
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

/* --- anything --- */

#define MIX_CODE 400u /* instructions in the loop, of a kind fixed by the place */
#define MIX_KINDS 24u

static uint64_t mix_address(struct bench *bench)
{
    static const uint32_t sizes[] = {256, 16 * KIB, 512 * KIB, 4 * MIB, 32 * MIB};
    const uint64_t random = next_random(bench);

    return DATA_START + (random >> 8) % sizes[random % 16 < 8 ? 0 : random % 5];
}

static void mix_branch(struct bench *bench, unsigned kind)
{
    const uint64_t random = next_random(bench) >> 20;
    const bool taken = kind == 0 ? random % 2 : random % 64 == 0;

    plain(bench, CODE("\xa8\x01"));                 /* test al, 1 */
    goes(bench, CODE("\x75\x04"), taken ? 4 : 0);   /* jnz over the nop */
    if (!taken)
        plain(bench, NOP);
}

static void mix_arithmetic(struct bench *bench, unsigned kind)
{
    switch (kind) {
    case 0: plain(bench, CODE("\x48\x01\xc0")); break;                 /* add rax, rax */
    case 1: plain(bench, CODE("\x48\x0f\xaf\xc3")); break;             /* imul rax, rbx */
    case 2: plain(bench, CODE("\x48\x83\xc3\x01")); break;             /* add rbx, 1 */
    case 3: plain(bench, CODE("\x31\xc0")); break;                     /* xor eax, eax */
    case 4: plain(bench, CODE("\xf7\xf1")); break;                     /* div ecx */
    case 5: plain(bench, CODE("\x48\xf7\xf1")); break;                 /* div rcx */
    case 6: plain(bench, CODE("\x66\x0f\x58\xc1")); break;             /* addpd xmm0, xmm1 */
    case 7: plain(bench, CODE("\x66\x0f\x5e\xc1")); break;             /* divpd xmm0, xmm1 */
    case 8: plain(bench, CODE("\x66\x81\xc1\x34\x12")); break;         /* add cx, 0x1234 */
    default: plain(bench, NOP); break;
    }
}

static void mix_memory(struct bench *bench, unsigned kind)
{
    const uint64_t address = mix_address(bench);

    switch (kind) {
    case 0: reads(bench, CODE("\x48\x8b\x00"), address); break;         /* mov rax, [rax] */
    case 1: reads(bench, CODE("\x48\x8b\x4b\x08"), address); break;     /* mov rcx, [rbx+8] */
    case 2: writes(bench, CODE("\x48\x89\x0b"), address); break;        /* mov [rbx], rcx */
    case 3: modifies(bench, CODE("\x48\x01\x0b"), address); break;      /* add [rbx], rcx */
    case 4: modifies(bench, CODE("\xf0\x48\x01\x0b"), address); break;  /* lock add [rbx], rcx */
    case 5: reads(bench, CODE("\x0f\x18\x0b"), address); break;         /* prefetcht0 [rbx] */
    default: reads(bench, CODE("\x0f\xae\x3b"), address); break;        /* clflush [rbx] */
    }
}

static void mix_rare(struct bench *bench, unsigned kind)
{
    switch (kind) {
    case 0: run_string(bench, 0); break;
    case 1: plain(bench, CODE("\xf3\x90")); break;                              /* pause */
    case 2: plain(bench, CODE("\x0f\xae\xe8")); break;                          /* lfence */
    case 3: plain(bench, CODE("\x0f\xa2")); break;                              /* cpuid */
    default: writes(bench, CODE("\x48\x89\x03"), CODE_START + 256); break;      /* to code */
    }
}

/* Drained in between wherever the bench's argument asks for it. */
static void run_mix(struct bench *bench, unsigned turn)
{
    uint64_t place = UINT64_C(88172645463325252);

    (void)turn;
    for (unsigned i = 0; i < MIX_CODE; i++) {
        unsigned kind;

        place = place * UINT64_C(6364136223846793005) + 1442695040888963407u;
        kind = (unsigned)(place >> 33) % MIX_KINDS;
        if (kind < 2)
            mix_branch(bench, kind);
        else if (kind < 12)
            mix_arithmetic(bench, kind - 2);
        else if (kind < 19)
            mix_memory(bench, kind - 12);
        else if ((place >> 20) % 8 == 0)
            mix_rare(bench, kind - 19);
        else
            plain(bench, NOP);
        if (bench->argument)
            model_drain(bench->model);
    }
}

static void a_mix_of_everything_balances(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned page_shift = 12; page_shift <= 30; page_shift += 9) {
            struct bench bench;

            begin(&bench, cores[i]);
            bench.page_shift = page_shift;
            measure(&bench, run_mix, 3, TURNS);
            end(&bench);
        }
}

static void accounts_balance_when_drained_after_every_instruction(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct bench bench;

        begin(&bench, cores[i]);
        bench.argument = "drain";
        measure(&bench, run_mix, 3, TURNS);
        end(&bench);
    }
}

static void idle_cycles_are_nobodys(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct model_truth truth;
        struct bench bench;
        uint64_t now;

        begin(&bench, cores[i]);
        turns(&bench, run_mix, 0, 1);
        restart(&bench);
        now = model_now(bench.model);
        model_idle(bench.model, 1000);
        assert_int_equal(model_now(bench.model), now + 1000);
        model_truth(bench.model, &truth);
        assert_int_equal(truth.cycles, 0);
        assert_int_equal(bench.sum[SIG_UNHALTED], 0);
        end(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_are_counted_by_instruction),
        cmocka_unit_test(branches_are_counted_by_kind),
        cmocka_unit_test(a_fused_pair_is_one_slot),
        cmocka_unit_test(a_repeated_string_instruction_retires_once),
        cmocka_unit_test(what_faults_does_not_retire),
        cmocka_unit_test(idioms_take_slots_but_no_ports),
        cmocka_unit_test(a_store_to_code_clears_the_pipeline),
        cmocka_unit_test(a_flushed_line_comes_from_memory),
        cmocka_unit_test(a_mix_of_everything_balances),
        cmocka_unit_test(accounts_balance_when_drained_after_every_instruction),
        cmocka_unit_test(idle_cycles_are_nobodys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
