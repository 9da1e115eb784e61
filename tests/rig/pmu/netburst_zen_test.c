/* The pipelines of Prescott and Zen 4 with the counters of these parts: published figures, and
 * counts that agree with the model's truth.
 *
 * Sources. [F]: Agner Fog, "Instruction tables" and "The microarchitecture of Intel, AMD and VIA
 * CPUs". [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual. [S]: AMD, "Software
 * Optimization Guide for the AMD Zen4 Microarchitecture". */
#include "tests/rig/core/model_test.h"
#include "pmu/personality.h"
#include "pmu/pmu.h"

#define TOLERANCE 0.1
#define REPEAT    50u
#define CHASE     64u

struct wired {
    struct bench bench; /* must be first: its address is the context of the world and of the sink */
    struct pmu *pmu;
};

static void wired_span(void *context, const struct span *span)
{
    bench_span(context, span);
    pmu_span(((struct wired *)context)->pmu, span);
}

static void wired_branch(void *context, const struct retired_branch *branch)
{
    bench_branch(context, branch);
    pmu_branch(((struct wired *)context)->pmu, branch);
}

static void nothing(void *context)
{
    (void)context;
}

static void no_window(void *context, bool counting)
{
    (void)context;
    (void)counting;
}

static uint64_t wired_now(void *context)
{
    const struct wired *wired = context;

    return wired->bench.model != NULL ? model_now(wired->bench.model) : 0;
}

static void wired_begin(struct wired *wired, const char *name)
{
    const struct personality *personality = personality_find(name);
    struct pmu_place place = {.cores = 4, .threads_per_core = 1, .processors = 4};

    assert_non_null(personality);
    memset(wired, 0, sizeof(*wired));
    wired->pmu =
        pmu_new(personality, place,
                (struct pmu_host){
                    .context = wired, .pmi = nothing, .counting = no_window, .now = wired_now});
    assert_non_null(wired->pmu);
    wired->bench.parameters = personality->core;
    wired->bench.page_shift = 30;
    wired->bench.random = UINT64_C(0x9e3779b97f4a7c15);
    wired->bench.rip = CODE_START;
    wired->bench.shared = shared_cache_new(personality->core, 4);
    assert_non_null(wired->bench.shared);
    wired->bench.model = model_new(
        personality->core, 0, wired->bench.shared, (struct model_world){wired, bench_page_shift},
        (struct model_sink){.context = wired, .span = wired_span, .branch = wired_branch});
    assert_non_null(wired->bench.model);
}

static void wired_end(struct wired *wired)
{
    model_free(wired->bench.model);
    shared_cache_free(wired->bench.shared);
    pmu_free(wired->pmu);
}

static void put(struct wired *wired, uint32_t msr, uint64_t value)
{
    model_drain(wired->bench.model);
    assert_int_equal(pmu_wrmsr(wired->pmu, msr, value), ACCESS_OK);
}

static uint64_t get(struct wired *wired, uint32_t msr)
{
    uint64_t value;

    model_drain(wired->bench.model);
    assert_int_equal(pmu_rdmsr(wired->pmu, msr, &value), ACCESS_OK);
    return value;
}

static struct model_truth seen(struct wired *wired)
{
    struct model_truth truth;
    uint64_t slots = 0;

    model_drain(wired->bench.model);
    model_truth(wired->bench.model, &truth);
    for (unsigned i = 0; i < CAUSE_COUNT; i++)
        slots += truth.slots[i];
    assert_int_equal(slots, truth.cycles * wired->bench.parameters->width);
    return truth;
}

/* --- figures --- */

struct row {
    const char *claim;
    const char *bytes;
    uint8_t length;
    bool reads;
    double prescott, zen4; /* cycles an instruction */
};

#define OP(bytes) bytes, sizeof(bytes) - 1

/* clang-format off */
static const struct row rows[] = {
    { "a chain of add", OP("\x48\x01\xd8"), false, 1, 1 },          /* [F][S] add rax, rbx */
    { "a chain of imul", OP("\x48\x0f\xaf\xc3"), false, 10, 3 },    /* [F][S] imul rax, rbx */
    { "nops fill the width", OP("\x0f\x1f\x40\x00"), false, 1.0 / 3, 1.0 / 6 },        /* [O][S] */
    { "a chain of loads in L1", OP("\x48\x8b\x00"), true, 4, 4 },   /* [F][S] mov rax, [rax] */
    { "a chain of addpd", OP("\x66\x0f\x58\xc1"), false, 5, 3 },    /* [O][S] addpd xmm0, xmm1 */
    { "a chain of mulpd", OP("\x66\x0f\x59\xc1"), false, 7, 3 },    /* [O][S] mulpd xmm0, xmm1 */
};
/* clang-format on */

static void run_row(struct bench *bench, unsigned turn)
{
    const struct row *row = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < REPEAT; i++)
        if (row->reads)
            reads(bench, (const uint8_t *)row->bytes, row->length, DATA_START);
        else
            plain(bench, (const uint8_t *)row->bytes, row->length);
}

static uint64_t cycles_of(struct wired *wired, body *run, unsigned warm, unsigned count)
{
    turns(&wired->bench, run, 0, warm);
    restart(&wired->bench);
    turns(&wired->bench, run, warm, count);
    return seen(wired).cycles;
}

/* A difference of two runs removes the cost of an empty turn and of filling and draining the
 * pipeline. */
static double cycles_per_turn(struct wired *wired, body *run, unsigned warm, unsigned count)
{
    uint64_t once = cycles_of(wired, run, warm, count), twice = cycles_of(wired, run, 0, 2 * count);

    return (double)(twice - once) / count;
}

static void published_figures_are_met(void **state)
{
    static const char *const names[] = {"prescott", "zen4"};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned k = 0; k < 2; k++) {
            const double want = k ? rows[i].zen4 : rows[i].prescott;
            struct wired wired;

            wired_begin(&wired, names[k]);
            wired.bench.argument = &rows[i];
            check_near(rows[i].claim, names[k], cycles_per_turn(&wired, run_row, 20, 50) / REPEAT,
                       want, want * TOLERANCE);
            wired_end(&wired);
        }
}

static void run_chase(struct bench *bench, unsigned turn)
{
    const uint32_t *bytes = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < CHASE; i++) {
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + bench->next_line * LINE);
        bench->next_line = (bench->next_line + 1) % (*bytes / LINE);
    }
}

static void check_chase(const char *name, uint32_t bytes, double latency)
{
    const unsigned round = bytes / LINE / CHASE;
    struct wired wired;

    wired_begin(&wired, name);
    wired.bench.argument = &bytes;
    check_near("chase", name, cycles_per_turn(&wired, run_chase, 2 * round, round) / CHASE, latency,
               latency * TOLERANCE);
    wired_end(&wired);
}

/* [F] Prescott's second level takes 28 cycles, and the part has no third level; [S] 14 and 50. */
static void a_chase_takes_the_latency_of_its_level(void **state)
{
    (void)state;
    check_chase("prescott", 256 * KIB, 28);
    check_chase("prescott", 4 * MIB, personality_find("prescott")->core->memory_latency);
    check_chase("zen4", 256 * KIB, 14);
    check_chase("zen4", 4 * MIB, 50);
}

/* A branch, ready at once, over a nop; taken at random if the argument says so. Then a load and
 * a store. */
static void run_coin(struct bench *bench, unsigned turn)
{
    const bool by_lot = bench->argument != NULL;
    const bool taken = by_lot && (next_random(bench) >> 32 & 1);

    plain(bench, CODE("\xa8\x01"));               /* test al, 1 */
    goes(bench, CODE("\x75\x04"), taken ? 4 : 0); /* jnz over the nop */
    if (!taken)
        plain(bench, CODE("\x0f\x1f\x40\x00"));
    reads(bench, CODE("\x48\x8b\x18"), DATA_START + turn % 512 * 8);        /* mov rbx, [rax] */
    writes(bench, CODE("\x48\x89\x19"), DATA_START + 8192 + turn % 64 * 8); /* mov [rcx], rbx */
    for (unsigned i = 0; i < 6; i++)
        plain(bench, CODE("\x0f\x1f\x40\x00"));
}

/* [F] Prescott's pipeline has 31 stages, and 24 or more are lost, often many more; [S] Zen 4 loses
 * 11 to 18 cycles. */
static void a_mispredict_costs_what_is_published(void **state)
{
    static const struct {
        const char *name;
        double least, most;
    } expected[] = {
        {"prescott", 24, 45},
        {"zen4", 11, 18},
    };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned count = 20000;
        struct wired wired;
        uint64_t steady, random;
        double cost;

        wired_begin(&wired, expected[i].name);
        steady = cycles_of(&wired, run_coin, 100, count);
        wired.bench.argument = "by lot";
        random = cycles_of(&wired, run_coin, count, count);
        cost = ((double)random - (double)steady) / (double)seen(&wired).mispredicts;
        check_near("mispredict penalty", expected[i].name, cost,
                   (expected[i].least + expected[i].most) / 2,
                   (expected[i].most - expected[i].least) / 2);
        wired_end(&wired);
    }
}

/* --- counts --- */

static void prescotts_counters_agree_with_the_truth(void **state)
{
    struct model_truth truth;
    struct wired wired;

    (void)state;
    wired_begin(&wired, "prescott");
    wired.bench.argument = "by lot";
    put(&wired, 0x3a2, 0x26000208); /* global_power_events RUNNING */
    put(&wired, 0x3b8, 0x04000608); /* instr_retired NBOGUSNTAG, NBOGUSTAG */
    put(&wired, 0x3b9, 0x02000208); /* uops_retired NBOGUS */
    put(&wired, 0x3bd, 0x04000408); /* uop_type TAGLOADS */
    put(&wired, 0x3c2, 0x0a000408); /* retired_mispred_branch_type CONDITIONAL */
    put(&wired, 0x3cc, 0x0c001e08); /* branch_retired MMNP, MMNM, MMTP, MMTM */
    put(&wired, 0x3cd, 0x10000208); /* front_end_event NBOGUS */
    put(&wired, 0x360, 0x3d000);
    put(&wired, 0x364, 0x35000);
    put(&wired, 0x36c, 0x39000);
    put(&wired, 0x36d, 0x3b000);
    put(&wired, 0x36e, 0x39000);
    put(&wired, 0x36f, 0x3b000);
    restart(&wired.bench);
    turns(&wired.bench, run_coin, 0, 2000);
    truth = seen(&wired);
    assert_int_equal(truth.loads, 2000);
    assert_true(truth.mispredicts > 500);
    assert_int_equal(get(&wired, 0x300), truth.cycles);
    assert_int_equal(get(&wired, 0x304), truth.mispredicts);
    assert_int_equal(get(&wired, 0x30c), truth.instructions);
    assert_int_equal(get(&wired, 0x30d), truth.branches);
    assert_int_equal(get(&wired, 0x30e), truth.uops_retired);
    assert_int_equal(get(&wired, 0x30f), truth.loads);
    wired_end(&wired);
}

/* Every slot is in one of the three events of dispatch; the front end's event has the truth's
 * front-end slots and the slots of recovery. */
static void zen4s_slots_add_up_and_are_the_truth(void **state)
{
    static const uint64_t controls[] = {0xc0, 0xc1, 0x7aa, 0x1000001a0, 0x100001ea0, 0xc3};
    uint64_t count[6], wrong_path, recovering;
    struct model_truth truth;
    const uint64_t *slots = truth.slots;
    struct wired wired;

    (void)state;
    wired_begin(&wired, "zen4");
    wired.bench.argument = "by lot";
    for (uint32_t i = 0; i < 6; i++)
        put(&wired, 0xc0010200 + 2 * i, controls[i] | 0x420000);
    restart(&wired.bench);
    for (uint32_t i = 0; i < 6; i++)
        put(&wired, 0xc0010201 + 2 * i, 0);
    turns(&wired.bench, run_coin, 0, 5000);
    truth = seen(&wired);
    for (uint32_t i = 0; i < 6; i++)
        count[i] = get(&wired, 0xc0010201 + 2 * i);
    assert_int_equal(count[0], truth.instructions);
    assert_int_equal(count[1], slots[CAUSE_LIGHT_OPERATIONS] + slots[CAUSE_HEAVY_OPERATIONS]);
    assert_int_equal(count[2], truth.uops_issued);
    assert_int_equal(count[4], slots[CAUSE_MEMORY_BOUND] + slots[CAUSE_CORE_BOUND]);
    assert_int_equal(count[5], truth.mispredicts);
    assert_int_equal(count[2] + count[3] + count[4], 6 * truth.cycles);
    wrong_path = count[2] - count[1];
    recovering = slots[CAUSE_BRANCH_MISPREDICTS] + slots[CAUSE_MACHINE_CLEARS] - wrong_path;
    assert_int_equal(count[3],
                     slots[CAUSE_FETCH_LATENCY] + slots[CAUSE_FETCH_BANDWIDTH] + recovering);
    wired_end(&wired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_figures_are_met),
        cmocka_unit_test(a_chase_takes_the_latency_of_its_level),
        cmocka_unit_test(a_mispredict_costs_what_is_published),
        cmocka_unit_test(prescotts_counters_agree_with_the_truth),
        cmocka_unit_test(zen4s_slots_add_up_and_are_the_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
