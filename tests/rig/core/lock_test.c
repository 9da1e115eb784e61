/* Locked instructions and waits for page walkers: the signals of lock and walk events, and the
 * kinds of cycles that formulas in the domain of cycles use. */
#include "model_test.h"

extern const struct model_parameters haswell_core, sapphirerapids_core;

#define TURNS 100u

struct targets {
    uint64_t count, step;
};

/* The address of the next access: a few lines in turn, or one line after another that no cache
 * has. */
static uint64_t next_line(struct bench *bench)
{
    const struct targets *targets = bench->argument;

    return DATA_START + (bench->next_line++ % targets->count) * targets->step;
}

static void run_lock(struct bench *bench, unsigned turn)
{
    (void)turn;
    modifies(bench, CODE("\xf0\x48\x01\x03"), next_line(bench)); /* lock add [rbx], rax */
}

static void run_plain(struct bench *bench, unsigned turn)
{
    (void)turn;
    modifies(bench, CODE("\x48\x01\x03"), next_line(bench)); /* add [rbx], rax */
}

static void run_store(struct bench *bench, unsigned turn)
{
    (void)turn;
    writes(bench, CODE("\x48\x89\x03"), next_line(bench)); /* mov [rbx], rax */
}

static struct figures run(struct bench *bench, const struct model_parameters *core,
                          const struct targets *targets, body *turn)
{
    begin(bench, core);
    bench->page_shift = 12;
    bench->argument = targets;
    return measure(bench, turn, TURNS, TURNS);
}

/* "Locking duration is shorter than locked instruction execution duration" (SDM 3B, events of
 * the Core microarchitecture, 42H). An instruction without a lock locks no line. */
static void a_line_is_locked_for_less_than_its_instruction_takes(void **state)
{
    static const struct targets one = {1, LINE};
    struct bench bench;
    struct figures figures;

    (void)state;
    figures = run(&bench, &sapphirerapids_core, &one, run_lock);
    end(&bench);
    assert_true(figures.sum[SIG_L1D_LOCKED] < figures.truth.cycles);
    assert_true(figures.sum[SIG_L1D_LOCKED] >= 2 * TURNS); /* the addition and its store */
    figures = run(&bench, &sapphirerapids_core, &one, run_plain);
    end(&bench);
    assert_int_equal(figures.sum[SIG_L1D_LOCKED], 0);
}

/* OFFCORE_REQUESTS.DEMAND_RFO counts the requests of locks, DEMAND_DATA_RD does not. */
static void the_load_of_a_lock_asks_for_ownership(void **state)
{
    static const struct targets many = {UINT64_MAX, 4096 + LINE};
    struct bench bench;
    struct figures figures;

    (void)state;
    figures = run(&bench, &haswell_core, &many, run_lock);
    end(&bench);
    assert_int_equal(figures.sum[SIG_RFO_L2_MISSES], TURNS);
    assert_int_equal(figures.sum[SIG_READS_OUTSTANDING], 0);
    assert_true(figures.any[SIG_RFOS_OUTSTANDING] * 2 > figures.truth.cycles);
    figures = run(&bench, &haswell_core, &many, run_plain);
    end(&bench);
    assert_int_equal(figures.sum[SIG_RFO_L2_MISSES], 0); /* by then the load owns the line, */
    assert_true(figures.sum[SIG_READS_OUTSTANDING] > 0); /* which it has read */
}

/* Haswell has one page walker, so walks are active in no more cycles than there are, and a row
 * of stores that each need a walk keeps it busy. */
static void a_walk_that_waits_is_not_active(void **state)
{
    static const struct targets pages = {4096, 4096 + LINE};
    struct bench bench;
    struct figures figures;

    (void)state;
    assert_int_equal(haswell_core.walkers, 1);
    begin(&bench, &haswell_core);
    bench.page_shift = 12;
    bench.argument = &pages;
    figures = measure(&bench, run_store, 8192, 1000);
    end(&bench);
    assert_int_equal(figures.sum[SIG_DTLB_STORE_WALKS], 1000);
    assert_in_range(figures.sum[SIG_STORE_WALKS_ACTIVE], figures.truth.cycles * 9 / 10,
                    figures.truth.cycles);
}

/* A chain of additions begins one addition a cycle. In a chain of loads that hit L1, every cycle
 * but the cycle in which a load begins is spent waiting for a load (Haswell: four cycles, five
 * with an index). */
static void run_adds(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 40; i++)
        plain(bench, CODE("\x48\x01\xc0")); /* add rax, rax */
}

static void run_chase(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 40; i++)
        reads(bench, CODE("\x48\x8b\x00"), DATA_START); /* mov rax, [rax] */
}

static void cycles_are_classified_by_the_uops_that_begin(void **state)
{
    static const struct targets one = {1, LINE};
    struct bench bench;
    struct figures figures;

    (void)state;
    figures = run(&bench, &haswell_core, &one, run_adds);
    end(&bench);
    assert_true(figures.truth.kinds[CYCLES_ONE] * 10 > figures.truth.cycles * 9);
    figures = run(&bench, &haswell_core, &one, run_chase);
    end(&bench);
    assert_in_range(figures.truth.cycles, 4 * 40 * TURNS, 4 * 40 * TURNS + TURNS);
    assert_in_range(figures.truth.kinds[CYCLES_LOADS], (3 * 40 - 2) * TURNS,
                    3 * 40 * TURNS + TURNS);
    assert_int_equal(figures.truth.kinds[CYCLES_STORES], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_locked_for_less_than_its_instruction_takes),
        cmocka_unit_test(the_load_of_a_lock_asks_for_ownership),
        cmocka_unit_test(a_walk_that_waits_is_not_active),
        cmocka_unit_test(cycles_are_classified_by_the_uops_that_begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
