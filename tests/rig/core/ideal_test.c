/* Cores of which causes of lost slots are taken away: what a loop then takes, by hand. */
#include "core/ideal.h"
#include "model_test.h"

#define TURNS    400u
#define ALL      (IDEAL_MEMORY | IDEAL_BRANCHES | IDEAL_FRONTEND | IDEAL_CLEARS | IDEAL_CORE)
#define DATA     (DATA_START + MIB)
#define WARM     4096u /* turns: more than the lines of any chase below */
#define IN_L2    2048u /* lines: 128 KiB, more than any L1 and less than any L2 */
#define CODE_KIB 64u   /* of NOPs: more than any L1I and uop cache */

struct run {
    const struct model_parameters *core;
    unsigned ideals;
    body *turn;
    unsigned warm, count; /* turns */
    unsigned page_shift;  /* 0: 30 */
};

static struct figures run(const struct run *run)
{
    struct model_parameters core = *run->core;
    struct figures figures;
    struct bench bench;

    ideal_core(&core, run->ideals);
    begin(&bench, &core);
    if (run->page_shift)
        bench.page_shift = run->page_shift;
    figures = measure(&bench, run->turn, run->warm, run->count);
    end(&bench);
    return figures;
}

static double cycles(const struct model_parameters *core, unsigned ideals, body *turn)
{
    const struct run what = {core, ideals, turn, TURNS, TURNS, 0};

    return (double)run(&what).truth.cycles / TURNS;
}

/* --- core --- */

static void run_chain(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        plain(bench, CODE("\x48\x0f\xaf\xc0")); /* imul rax, rax */
}

/* Each multiplication with as many NOPs as fill its cycle. */
static void run_filled_chain(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 8; i++) {
        plain(bench, CODE("\x48\x0f\xaf\xc0")); /* imul rax, rax */
        for (unsigned j = 1; j < bench->parameters->width; j++)
            plain(bench, NOP);
    }
}

/* A multiplication takes three cycles, without its latency one. The loop's DEC and JNZ are one slot
 * in each turn. */
static void a_chain_takes_a_cycle_a_link_or_as_long_as_its_slots(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const double width = cores[i]->width;

        check_near("chain", cores[i]->name, cycles(cores[i], 0, run_chain), 24, 0);
        check_near("chain of one cycle", cores[i]->name, cycles(cores[i], IDEAL_CORE, run_chain), 8,
                   0);
        check_near("filled", cores[i]->name,
                   cycles(cores[i], IDEAL_CORE | IDEAL_FRONTEND, run_filled_chain),
                   (8 * width + 1) / width, 0.01);
    }
}

static void run_divisions(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\xf3\x0f\x5e\xc1")); /* divss xmm0, xmm1 */
    plain(bench, CODE("\xf3\x0f\x5e\xd1")); /* divss xmm2, xmm1 */
    plain(bench, CODE("\xf3\x0f\x5e\xd9")); /* divss xmm3, xmm1 */
    plain(bench, CODE("\xf3\x0f\x5e\xe1")); /* divss xmm4, xmm1 */
}

/* The divider begins a division of singles every three cycles. Without it each of the four chains
 * takes a cycle a turn, and the five slots take more. */
static void divisions_take_their_slots_when_dividers_are_without_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const double slots = 5.0 / cores[i]->width;

        check_near("divider", cores[i]->name, cycles(cores[i], 0, run_divisions), 12, 0);
        check_near("without", cores[i]->name,
                   cycles(cores[i], IDEAL_CORE | IDEAL_FRONTEND, run_divisions), slots, 0.01);
    }
}

static void run_ports(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        plain(bench, CODE("\x48\x6b\xd8\x03")); /* imul rbx, rax, 3: port 1 alone */
}

/* Port 1 takes one uop a cycle: eight in eight. Without end nine slots are what is left. */
static void uops_of_one_port_take_their_slots_when_ports_are_without_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        check_near("port", cores[i]->name, cycles(cores[i], 0, run_ports), 8, 0);
        check_near("ports", cores[i]->name,
                   cycles(cores[i], IDEAL_CORE | IDEAL_FRONTEND, run_ports), 9.0 / cores[i]->width,
                   0.01);
    }
}

static void run_fences(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\x0f\xae\xe8")); /* lfence */
    plain(bench, CODE("\xf3\x90"));     /* pause */
}

/* PAUSE alone holds the allocator for more than a hundred cycles on these cores. */
static void nothing_serialises(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        assert_true(cycles(cores[i], 0, run_fences) > 100);
        assert_true(cycles(cores[i], IDEAL_CORE | IDEAL_FRONTEND, run_fences) < 6);
    }
}

/* --- memory --- */

static void run_chase(struct bench *bench, unsigned turn)
{
    reads(bench, CODE("\x48\x8b\x00"), DATA + turn % IN_L2 * LINE); /* mov rax, [rax] */
}

/* L2 is 14 cycles away ("Cache hierarchy" of Intel's optimization manual); a hit in L1 takes a
 * pointer chase 4 cycles on Skylake and 5 on Ice Lake. */
static void a_chase_in_l2_takes_l1_s_latency_a_step(void **state)
{
    static const double hit[CORES] = {4, 5};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct run far = {cores[i], 0, run_chase, WARM, IN_L2, 0};
        const struct run near = {cores[i], IDEAL_MEMORY, run_chase, WARM, IN_L2, 0};
        const struct figures missed = run(&far), hits = run(&near);

        assert_true(missed.truth.cycles >= 14 * IN_L2);
        check_near("a step", cores[i]->name, (double)hits.truth.cycles / IN_L2, hit[i], 0);
        assert_int_equal(hits.sum[SIG_LOADS_L1_HIT], IN_L2);
        assert_int_equal(hits.sum[SIG_LOADS_L1_MISS], 0);
        assert_int_equal(hits.sum[SIG_L1D_PENDING], 0);
    }
}

static void run_pages(struct bench *bench, unsigned turn)
{
    reads(bench, CODE("\x48\x8b\x00"), DATA + turn % 2048 * 4096); /* mov rax, [rax] */
}

/* 2048 pages of 4 KiB are more than any TLB's. */
static void pages_are_translated_in_no_time(void **state)
{
    static const double hit[CORES] = {4, 5};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct run near = {cores[i], IDEAL_MEMORY, run_pages, WARM, 2048, 12};
        const struct figures hits = run(&near);

        check_near("a page", cores[i]->name, (double)hits.truth.cycles / 2048, hit[i], 0);
        assert_int_equal(hits.sum[SIG_DTLB_LOAD_WALKS] + hits.sum[SIG_DTLB_LOAD_STLB_HITS], 0);
    }
}

/* A store of four bytes into the eight that the next load reads. */
static void run_blocked(struct bench *bench, unsigned turn)
{
    (void)turn;
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\x89\x03", /* mov [rbx], eax */
                                      .length = 2,
                                      .accesses = 1,
                                      .access = {{DATA, 4, true}}});
    reads(bench, CODE("\x48\x8b\x03"), DATA); /* mov rax, [rbx] */
}

/* A. Fog, "Microarchitecture": 11 to 13 cycles for a blocked load, 4 to 5 for a forwarded one. */
static void a_blocked_load_is_forwarded(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        assert_true(cycles(cores[i], 0, run_blocked) >= 11);
        check_near("forwarded", cores[i]->name, cycles(cores[i], IDEAL_MEMORY, run_blocked), 4.5,
                   0.5);
    }
}

static void run_lock(struct bench *bench, unsigned turn)
{
    (void)turn;
    modifies(bench, CODE("\xf0\x48\x01\x03"), DATA); /* lock add [rbx], rax */
}

/* "uops.info": LOCK ADD behind another takes 18 cycles. Without the lock what remains is the chain
 * through memory: forwarding, 4 to 5 cycles, and the addition. */
static void a_lock_costs_nothing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        check_near("locked", cores[i]->name, cycles(cores[i], 0, run_lock), 18, 1);
        check_near("not", cores[i]->name, cycles(cores[i], IDEAL_MEMORY, run_lock), 5.5, 0.5);
    }
}

static void run_splits(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        reads(bench, CODE("\x48\x8b\x0b"), DATA + 60 + i * 128); /* mov rcx, [rbx] */
}

/* Two ports begin two loads a cycle, or one that crosses a line. */
static void a_split_is_one_access(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        check_near("split", cores[i]->name, cycles(cores[i], 0, run_splits), 8, 0.1);
        check_near("whole", cores[i]->name, cycles(cores[i], IDEAL_MEMORY, run_splits), 4, 0.1);
    }
}

/* Writes a KiB of code that nobody has fetched, and runs it. */
static void run_new_code(struct bench *bench, unsigned turn)
{
    const uint64_t code = CODE_START + (turn + 1) * 4096ul;

    for (unsigned i = 0; i <= KIB; i += LINE)                        /* and where the loop ends */
        writes(bench, CODE("\x48\x89\x03"), code + i);               /* mov [rbx], rax */
    goes(bench, CODE("\xff\xe0"), (int64_t)(code - bench->rip) - 2); /* jmp rax */
    for (unsigned i = 0; i < KIB; i += 4)
        plain(bench, CODE("\x0f\x1f\x40\x00"));
}

/* L2 has the lines that a store brought there, whether the store waited for them or not. */
static void code_is_found_where_stores_left_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct run base = {cores[i], 0, run_new_code, TURNS, TURNS, 0};
        const struct run near = {cores[i], IDEAL_MEMORY, run_new_code, TURNS, TURNS, 0};
        const struct figures before = run(&base), after = run(&near);

        assert_true(before.sum[SIG_ICACHE_STALL] > 0);
        assert_int_equal(before.sum[SIG_CODE_READ_ACTIVE], 0);
        assert_int_equal(after.sum[SIG_ICACHE_STALL], before.sum[SIG_ICACHE_STALL]);
        assert_int_equal(after.sum[SIG_CODE_READ_ACTIVE], 0);
    }
}

/* --- branches, clears --- */

static void run_toss(struct bench *bench, unsigned turn)
{
    (void)turn;
    goes(bench, CODE("\x74\x04"), next_random(bench) & 1 ? 4 : 0); /* jz over the next */
    if (bench->rip % 16 != 6)
        plain(bench, NOP);
}

static void every_branch_is_predicted(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct run base = {cores[i], 0, run_toss, TURNS, TURNS, 0};
        const struct run right = {cores[i], IDEAL_BRANCHES, run_toss, TURNS, TURNS, 0};
        const struct figures before = run(&base), after = run(&right);

        assert_true(before.truth.mispredicts > TURNS / 4);
        assert_int_equal(after.truth.mispredicts, 0);
        assert_int_equal(after.truth.nodes[NODE_BAD_SPECULATION], 0);
        assert_int_equal(after.truth.branches, before.truth.branches);
    }
}

/* Writes to a byte of its own line. */
static void run_modifies_code(struct bench *bench, unsigned turn)
{
    (void)turn;
    writes(bench, CODE("\x48\x89\x03"), CODE_START + 48); /* mov [rbx], rax */
}

static void nothing_is_cleared(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct run base = {cores[i], 0, run_modifies_code, TURNS, TURNS, 0};
        const struct run none = {cores[i], IDEAL_CLEARS, run_modifies_code, TURNS, TURNS, 0};
        const struct run fetched = {cores[i], IDEAL_FRONTEND, run_modifies_code, TURNS, TURNS, 0};
        const struct figures before = run(&base), after = run(&none);

        assert_int_equal(before.sum[SIG_MACHINE_CLEARS_SMC], TURNS);
        assert_int_equal(after.sum[SIG_MACHINE_CLEARS], 0);
        assert_int_equal(after.truth.nodes[NODE_MACHINE_CLEARS], 0);
        /* a front end without bubbles is not one without clears */
        assert_int_equal(run(&fetched).sum[SIG_MACHINE_CLEARS_SMC], TURNS);
    }
}

/* --- front end --- */

static void run_code(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < CODE_KIB * KIB / 4; i++)
        plain(bench, NOP);
}

static void code_from_afar_takes_its_slots(void **state)
{
    const double slots = CODE_KIB * KIB / 4 + 1;

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct run base = {cores[i], 0, run_code, 4, 4, 0};
        const struct run warm = {cores[i], IDEAL_FRONTEND, run_code, 4, 4, 0};
        const struct figures before = run(&base), after = run(&warm);

        assert_true(before.sum[SIG_FE_UNDELIVERED] > 0);
        check_near("code", cores[i]->name, (double)after.truth.cycles / 4, slots / cores[i]->width,
                   1);
        assert_int_equal(after.sum[SIG_FE_UNDELIVERED], 0);
        assert_int_equal(after.sum[SIG_ICACHE_STALL] + after.sum[SIG_MITE_UOPS], 0);
    }
}

/* --- all --- */

/* Something of everything. */
static void run_mix(struct bench *bench, unsigned turn)
{
    run_chase(bench, turn);
    run_divisions(bench, turn);
    run_lock(bench, turn);
    run_blocked(bench, turn);
    run_splits(bench, turn);
    run_fences(bench, turn);
    plain(bench, CODE("\x48\xf7\xf1")); /* div rcx */
    writes(bench, CODE("\x48\x89\x03"), CODE_START + 48);
    run_toss(bench, turn);
}

/* What retires is the same; and what must hold for any core holds for these (measure). */
static void what_retires_stays_the_same(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned ideals = 0; ideals <= ALL; ideals++) {
            const struct run base = {cores[i], 0, run_mix, TURNS, TURNS, 0};
            const struct run other = {cores[i], ideals, run_mix, TURNS, TURNS, 0};
            const struct model_truth before = run(&base).truth, after = run(&other).truth;

            assert_int_equal(after.instructions, before.instructions);
            assert_int_equal(after.uops_retired, before.uops_retired);
            assert_int_equal(after.branches, before.branches);
            assert_int_equal(after.taken, before.taken);
            assert_int_equal(after.loads, before.loads);
            assert_int_equal(after.stores, before.stores);
            assert_true(after.cycles <= before.cycles);
        }
}

static void names_are_read_and_unknown_ones_named(void **state)
{
    unsigned ideals = 0;
    const char *bad;
    size_t length;

    (void)state;
    assert_true(ideal_parse("core,memory", &ideals, &bad, &length));
    assert_int_equal(ideals, IDEAL_CORE | IDEAL_MEMORY);
    assert_true(ideal_parse("branches,frontend,clears", &ideals, &bad, &length));
    assert_int_equal(ideals, ALL);
    assert_false(ideal_parse("memory,cor", &ideals, &bad, &length));
    assert_string_equal(bad, "cor");
    assert_int_equal(length, 3);
    assert_false(ideal_parse("", &ideals, &bad, &length));
    assert_false(ideal_parse("memory,,core", &ideals, &bad, &length));
    assert_int_equal(length, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_takes_a_cycle_a_link_or_as_long_as_its_slots),
        cmocka_unit_test(divisions_take_their_slots_when_dividers_are_without_end),
        cmocka_unit_test(uops_of_one_port_take_their_slots_when_ports_are_without_end),
        cmocka_unit_test(nothing_serialises),
        cmocka_unit_test(a_chase_in_l2_takes_l1_s_latency_a_step),
        cmocka_unit_test(pages_are_translated_in_no_time),
        cmocka_unit_test(a_blocked_load_is_forwarded),
        cmocka_unit_test(a_lock_costs_nothing),
        cmocka_unit_test(a_split_is_one_access),
        cmocka_unit_test(code_is_found_where_stores_left_it),
        cmocka_unit_test(every_branch_is_predicted),
        cmocka_unit_test(nothing_is_cleared),
        cmocka_unit_test(code_from_afar_takes_its_slots),
        cmocka_unit_test(what_retires_stays_the_same),
        cmocka_unit_test(names_are_read_and_unknown_ones_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
