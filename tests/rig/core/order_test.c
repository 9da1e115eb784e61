/* Loads and older stores: which loads pass, wait or are cleared, and the cost of splits and
 * aliases. */
#include "core/memory/memory.h"
#include "model_test.h"

extern const struct model_parameters haswell_core;

#define X (DATA_START + MIB) /* where loads go */

static struct figures run(const struct model_parameters *core, body *turn, const void *argument,
                          unsigned warm, unsigned count)
{
    struct figures figures;
    struct bench bench;

    begin(&bench, core);
    bench.argument = argument;
    figures = measure(&bench, turn, warm, count);
    end(&bench);
    return figures;
}

static double cycles_a_turn(const struct figures *figures, unsigned count)
{
    return (double)figures->truth.cycles / count;
}

/* --- disambiguation --- */

#define TURNS 3200u

/* The store's address follows from the load by four multiplications. In every `period`th turn,
 * or never, it is the address of the load. */
static void run_late_store(struct bench *bench, unsigned turn)
{
    const unsigned period = *(const unsigned *)bench->argument;
    const bool overlaps = period != 0 && turn % period == 0;

    reads(bench, CODE("\x48\x8b\x03"), X); /* mov rax, [rbx] */
    for (unsigned i = 0; i < 4; i++)
        plain(bench, CODE("\x48\x0f\xaf\xc0"));                        /* imul rax, rax */
    writes(bench, CODE("\x48\x89\x10"), overlaps ? X : X + 64 * LINE); /* mov [rax], rdx */
}

/* Cycles of the first `count` turns of a new core that has the line of X in L1; `trusts`: and the
 * counters that other code has left. */
static uint64_t first_turns(const struct model_parameters *core, unsigned count, bool trusts)
{
    static const unsigned never = 0;
    struct bench bench;
    uint64_t before, after;

    begin(&bench, core);
    bench.argument = &never;
    if (trusts)
        model_trust_loads(bench.model);
    reads(&bench, CODE("\x48\x8b\x03"), X); /* mov rax, [rbx] */
    model_drain(bench.model);
    bench.rip = CODE_START;
    before = model_now(bench.model);
    turns(&bench, run_late_store, 0, count);
    model_drain(bench.model);
    after = model_now(bench.model);
    end(&bench);
    return after - before;
}

/* Four multiplications on one port take four cycles a turn. A load that waits for the address of
 * the store before it makes a chain: 12 cycles of multiplication, 1 of the address, 5 of the
 * load. */
static void a_load_that_never_overlaps_the_store_learns_to_pass_it(void **state)
{
    static const unsigned never = 0;

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct figures figures = run(cores[i], run_late_store, &never, 100, TURNS);

        check_near("passing", cores[i]->name, cycles_a_turn(&figures, TURNS), 4, 0.2);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS], 0);
        /* The first load has no store before it, and the second comes after a branch that was
         * mispredicted, when the address is known; the next fifteen wait and learn. */
        assert_true(first_turns(cores[i], 17, false) - first_turns(cores[i], 16, false) >= 17);
        assert_true(first_turns(cores[i], 18, false) - first_turns(cores[i], 17, false) < 8);
        /* After code whose loads overlapped no store none waits. */
        assert_true(first_turns(cores[i], 17, true) - first_turns(cores[i], 2, true) < 15 * 8);
    }
}

static void a_load_that_always_overlaps_the_store_waits_and_is_not_cleared(void **state)
{
    static const unsigned always = 1;

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = run(cores[i], run_late_store, &always, 100, TURNS);

        /* Skylake's load has the store's value a cycle earlier. */
        check_near("waiting", cores[i]->name, cycles_a_turn(&figures, TURNS),
                   cores[i] == &skylakex_core ? 12 + 1 + 4 : 12 + 1 + 5, 0.2);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS], 0);
    }
}

/* With a period of 32 turns, 15 loads wait, 16 pass and one is cleared; with a period of eight
 * the counter never saturates. */
static void a_load_that_sometimes_overlaps_the_store_is_cleared(void **state)
{
    static const unsigned seldom = 32, often = 8;

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct figures figures = run(cores[i], run_late_store, &seldom, 336, TURNS);

        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS_DISAMBIGUATION], TURNS / 32);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS_ORDERING], TURNS / 32);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS], TURNS / 32);
        assert_true(figures.truth.slots[CAUSE_MACHINE_CLEARS] > 0);
        figures = run(cores[i], run_late_store, &often, 320, TURNS);
        assert_int_equal(figures.sum[SIG_MACHINE_CLEARS], 0);
        assert_int_equal(figures.truth.slots[CAUSE_MACHINE_CLEARS], 0);
    }
}

/* --- what another core writes --- */

struct snoop {
    uint64_t written; /* by the other core, after the load of X is done and before it retires */
    bool drained;     /* the load retires first */
};

static void run_snooped(struct bench *bench, unsigned turn)
{
    const struct snoop *snoop = bench->argument;

    reads(bench, CODE("\x48\x8b\x03"), X); /* mov rax, [rbx]: the last turn's write took the line */
    model_drain(bench->model);
    /* an older miss keeps the load from retiring */
    reads(bench, CODE("\x48\x8b\x0e"), X + MIB + turn * LINE); /* mov rcx, [rsi] */
    reads(bench, CODE("\x48\x8b\x03"), X);                     /* mov rax, [rbx] */
    for (unsigned i = 0; i < 100; i++)
        plain(bench, NOP);
    if (snoop->drained)
        model_drain(bench->model);
    model_snoop_write(bench->model, snoop->written, 8);
}

static void a_write_to_the_line_of_a_load_that_is_done_and_not_retired_clears(void **state)
{
    static const struct {
        struct snoop snoop;
        unsigned clears; /* a turn */
    } row[] = {{{X, false}, 1}, {{X + 8, false}, 1}, {{X + LINE, false}, 0}, {{X, true}, 0}};

    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned j = 0; j < sizeof(row) / sizeof(*row); j++) {
            const struct figures figures = run(cores[i], run_snooped, &row[j].snoop, 10, 100);
            const uint64_t clears = figures.sum[SIG_MACHINE_CLEARS_ORDERING];

            assert_in_range(clears, row[j].clears * 99, row[j].clears * 100);
            assert_int_equal(figures.sum[SIG_MACHINE_CLEARS], clears);
            assert_int_equal(figures.sum[SIG_MACHINE_CLEARS_DISAMBIGUATION], 0);
        }
}

/* --- aliases, splits, locks, forwarding that fails --- */

/* A chain of loads, each after a store at this distance in bytes. */
static void run_alias(struct bench *bench, unsigned turn)
{
    (void)turn;
    writes(bench, CODE("\x48\x89\x16"), X + *(const uint64_t *)bench->argument); /* mov [rsi], rdx
                                                                                  */
    reads(bench, CODE("\x48\x8b\x00"), X); /* mov rax, [rax] */
}

/* Intel's event list for Sandy Bridge, LD_BLOCKS_PARTIAL.ADDRESS_ALIAS: typically 5 cycles. */
static void a_store_at_a_distance_of_4_kib_costs_a_load_five_cycles(void **state)
{
    static const struct {
        uint64_t distance;
        bool alias;
    } row[] = {{4096, true},      {8192, true},       {4096 + 4, true}, {4096 + 8, false},
               {4096 - 8, false}, {4096 + 64, false}, {128, false}};

    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned j = 0; j < sizeof(row) / sizeof(*row); j++) {
            const struct figures figures = run(cores[i], run_alias, &row[j].distance, 100, 1000);
            const double load = cores[i]->l1d.latency;

            assert_int_equal(figures.sum[SIG_ADDRESS_ALIAS], row[j].alias ? 1000 : 0);
            check_near("a load", cores[i]->name, cycles_a_turn(&figures, 1000),
                       row[j].alias ? load + 5 : load - cores[i]->simple_load_saves, 0.1);
        }
}

static void run_loads(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 32; i++)
        reads(bench, CODE("\x48\x8b\x03"),
              X + *(const uint64_t *)bench->argument); /* mov rax, [rbx]
                                                        */
}

static void run_stores(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 32; i++)
        writes(bench, CODE("\x48\x89\x13"), X + *(const uint64_t *)bench->argument); /* mov [rbx],
                                                                                        rdx */
}

/* Two ports load; a split needs both of its halves. Stores go to L1 one at a time, on Ice Lake two
 * to one line (store_test.c). */
static void a_split_accesses_the_cache_twice(void **state)
{
    static const uint64_t whole = 8, split = LINE - 4;

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const char *name = cores[i]->name;
        struct figures figures = run(cores[i], run_loads, &whole, 100, 1000);

        check_near("loads", name, cycles_a_turn(&figures, 1000), 16, 1);
        assert_int_equal(figures.sum[SIG_SPLIT_LOADS], 0);
        figures = run(cores[i], run_loads, &split, 100, 1000);
        check_near("split loads", name, cycles_a_turn(&figures, 1000), 32, 1);
        assert_int_equal(figures.sum[SIG_SPLIT_LOADS], 32000);
        figures = run(cores[i], run_stores, &whole, 100, 1000);
        check_near("stores", name, cycles_a_turn(&figures, 1000), cores[i]->store_pairs ? 16 : 32,
                   1);
        assert_int_equal(figures.sum[SIG_SPLIT_STORES], 0);
        figures = run(cores[i], run_stores, &split, 100, 1000);
        check_near("split stores", name, cycles_a_turn(&figures, 1000), 64, 1);
        assert_int_equal(figures.sum[SIG_SPLIT_STORES], 32000);
    }
}

/* Cycles of a load whose lines are in L1 and whose translations are in the first-level TLB. */
static uint64_t load_at(const struct model_parameters *core, uint64_t address)
{
    struct bench bench = {.page_shift = 21};
    struct shared_cache *shared = shared_cache_new(core, 1);
    struct memory_hierarchy *memory =
        hierarchy_new(core, 0, shared, (struct model_world){&bench, bench_page_shift});
    uint64_t took;

    memory_load(memory, address, 8, 1000);
    took = memory_load(memory, address, 8, 10000).done - 10000;
    hierarchy_free(memory);
    shared_cache_free(shared);
    return took;
}

/* Optimization Reference Manual, "Skylake Client Microarchitecture": before Skylake a page split
 * costs about 100 cycles. */
static void a_page_split_costs_100_cycles_before_skylake(void **state)
{
    (void)state;
    assert_int_equal(load_at(&haswell_core, X + 4092) - load_at(&haswell_core, X + 60), 100);
    assert_int_equal(load_at(&skylakex_core, X + 4092) - load_at(&skylakex_core, X + 60), 0);
}

struct splits {
    unsigned count, lines; /* loads together; lines from one group to the next */
};

static void run_splits(struct bench *bench, unsigned turn)
{
    const struct splits *splits = bench->argument;
    const uint64_t address = X + (uint64_t)turn * splits->lines * LINE + 60;

    model_drain(bench->model);
    for (unsigned i = 0; i < splits->count; i++)
        reads(bench, CODE("\x48\x8b\x03"), address); /* mov rax, [rbx] */
}

/* Eight registers. A load from L1 keeps a register for six cycles (five for Ice Lake's L1, and
 * one for the second half), and one load can begin in a cycle, so registers never run out. If
 * the lines come from memory, eight loads take all registers, and the ninth load and later loads
 * wait. */
static void split_loads_wait_for_one_of_eight_registers(void **state)
{
    static const struct {
        struct splits splits;
        unsigned blocked; /* a turn */
    } row[] = {{{64, 0}, 0}, {{8, 100}, 0}, {{9, 100}, 1}, {{64, 100}, 56}};

    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned j = 0; j < sizeof(row) / sizeof(*row); j++) {
            const struct figures figures = run(cores[i], run_splits, &row[j].splits, 10, 100);

            assert_int_equal(figures.sum[SIG_SPLIT_LOADS], row[j].splits.count * 100);
            assert_int_equal(figures.sum[SIG_SPLIT_BLOCKED], row[j].blocked * 100);
        }
}

static void run_locked(struct bench *bench, unsigned turn)
{
    (void)turn;
    modifies(bench, CODE("\xf0\x48\x01\x13"), X); /* lock add [rbx], rdx */
}

/* uops.info: LOCK ADD of a register to memory, 18 cycles, one after another. */
static void a_locked_instruction_is_counted_and_takes_its_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = run(cores[i], run_locked, NULL, 100, 1000);

        assert_int_equal(figures.sum[SIG_LOCK_LOADS], 1000);
        check_near("lock add", cores[i]->name, cycles_a_turn(&figures, 1000), 18, 0.5);
    }
}

static void run_narrow_store(struct bench *bench, unsigned turn)
{
    (void)turn;
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\x89\x10", /* mov [rax], edx */
                                      .length = 2,
                                      .accesses = 1,
                                      .access = {{X, 4, true}}});
    reads(bench, CODE("\x48\x8b\x13"), X); /* mov rdx, [rbx] */
}

/* Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs": 11 to 13 cycles longer than the
 * store needs to reach L1. */
static void a_store_narrower_than_the_load_blocks_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct figures figures = run(cores[i], run_narrow_store, NULL, 100, 1000);

        assert_int_equal(figures.sum[SIG_FORWARD_BLOCKED], 1000);
        assert_true(cycles_a_turn(&figures, 1000) >= 11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_never_overlaps_the_store_learns_to_pass_it),
        cmocka_unit_test(a_load_that_always_overlaps_the_store_waits_and_is_not_cleared),
        cmocka_unit_test(a_load_that_sometimes_overlaps_the_store_is_cleared),
        cmocka_unit_test(a_write_to_the_line_of_a_load_that_is_done_and_not_retired_clears),
        cmocka_unit_test(a_store_at_a_distance_of_4_kib_costs_a_load_five_cycles),
        cmocka_unit_test(a_split_accesses_the_cache_twice),
        cmocka_unit_test(a_page_split_costs_100_cycles_before_skylake),
        cmocka_unit_test(split_loads_wait_for_one_of_eight_registers),
        cmocka_unit_test(a_locked_instruction_is_counted_and_takes_its_time),
        cmocka_unit_test(a_store_narrower_than_the_load_blocks_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
