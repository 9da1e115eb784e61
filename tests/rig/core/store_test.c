/* Stores on their way out of the store buffer: alone, and two to one line together; and loads that
 * the renamer knows to stand for a stored register. */
#include "model_test.h"

extern const struct model_parameters haswell_core, sapphirerapids_core, alderlake_e_core;

#define X      (DATA_START + MIB) /* where stores go */
#define ROUNDS 16u                /* in a turn */
#define STORES 6u

static const struct model_parameters *const one_at_a_time[] = {&haswell_core, &skylakex_core};
static const struct model_parameters *const in_pairs[] = {&icelakex_core, &sapphirerapids_core,
                                                          &alderlake_e_core};

/* Stores of eight bytes at these distances from X, round after round. */
struct pattern {
    unsigned count;
    uint64_t at[STORES];
    double alone, paired; /* cycles of a round */
};

static void run_pattern(struct bench *bench, unsigned turn)
{
    const struct pattern *pattern = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < ROUNDS; i++)
        for (unsigned k = 0; k < pattern->count; k++)
            writes(bench, CODE("\x48\x89\x13"), X + pattern->at[k]); /* mov [rbx], rdx */
}

static double cycles_a_round(const struct model_parameters *core, const struct pattern *pattern)
{
    struct figures figures;
    struct bench bench;

    begin(&bench, core);
    bench.argument = pattern;
    figures = measure(&bench, run_pattern, 100, 200);
    end(&bench);
    return (double)figures.truth.cycles / (200 * ROUNDS);
}

/* InstLatx64, "MOV [m64], r64": 1.0 cycles on Skylake, 0.5 on Ice Lake and on Alder Lake's P cores.
 * That two stores have to go to one line is the Optimization Reference Manual's. */
static void two_stores_in_a_row_to_one_line_leave_together_since_ice_lake(void **state)
{
    static const struct pattern patterns[] = {
        {2, {0, 8}, 2, 1},
        {2, {0, 64}, 2, 2},                /* another line each time */
        {2, {0, 4096}, 2, 2},              /* another page */
        {3, {0, 8, 16}, 3, 1.5},           /* pairs go on into the next round */
        {6, {0, 8, 16, 64, 72, 80}, 6, 4}, /* two, one, two, one */
        {4, {0, 64, 8, 72}, 4, 4},         /* never two in a row */
        {2, {0, 60}, 3, 3},                /* the second crosses lines: two cycles, alone */
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
        for (unsigned k = 0; k < sizeof(one_at_a_time) / sizeof(*one_at_a_time); k++)
            check_near("alone", one_at_a_time[k]->name,
                       cycles_a_round(one_at_a_time[k], &patterns[i]), patterns[i].alone, 0.1);
        for (unsigned k = 0; k < sizeof(in_pairs) / sizeof(*in_pairs); k++)
            check_near("in pairs", in_pairs[k]->name, cycles_a_round(in_pairs[k], &patterns[i]),
                       patterns[i].paired, 0.1);
    }
}

/* --- memory renaming --- */

/* A store, a load of what it wrote, and perhaps a third instruction: a chain through RAX. */
struct chain {
    const char *store, *load, *then;
    uint8_t store_length, load_length, then_length, store_size, load_size;
    uint64_t at;
    double forwarded, renamed; /* cycles of a round; 0: more than forwarding takes */
};

static void run_chain(struct bench *bench, unsigned turn)
{
    const struct chain *chain = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < ROUNDS; i++) {
        execute(bench, &(struct executed){.bytes = (const uint8_t *)chain->store,
                                          .length = chain->store_length,
                                          .accesses = 1,
                                          .access = {{chain->at, chain->store_size, true}}});
        execute(bench, &(struct executed){.bytes = (const uint8_t *)chain->load,
                                          .length = chain->load_length,
                                          .accesses = 1,
                                          .access = {{chain->at, chain->load_size, false}}});
        if (chain->then != NULL)
            plain(bench, (const uint8_t *)chain->then, chain->then_length);
    }
}

static struct figures figures_of(const struct model_parameters *core, const struct chain *chain)
{
    struct figures figures;
    struct bench bench;

    begin(&bench, core);
    bench.argument = chain;
    figures = measure(&bench, run_chain, 100, 200);
    end(&bench);
    return figures;
}

#define MOVES(store, load, size)                                                                   \
    store, load, NULL, sizeof(store) - 1, sizeof(load) - 1, 0, size, size

/* From a store to its load: Skylake four cycles, Haswell five (A. Fog, "Instruction tables": MOV to
 * memory and MOV from memory together). */
static double forwarded(const struct model_parameters *core, const struct chain *chain)
{
    return chain->forwarded - (core == &skylakex_core);
}

/* InstLatx64, "MOV r64,[m64]+MOV [m64],r64" and the like: Skylake 4 to 5 cycles; Ice Lake 0.6, and
 * 0.5 with 32 bits; Alder Lake's P cores 0.5 with both; PUSH and POP likewise; 12 and more with 16
 * bits. Half a cycle is what two stores a cycle allow. */
static void a_load_of_a_spilled_register_takes_no_time_since_ice_lake(void **state)
{
    static const struct chain chains[] = {
        {MOVES("\x48\x89\x03", "\x48\x8b\x03", 8), X, 5, 0.5},         /* mov [rbx], rax and back */
        {MOVES("\x89\x03", "\x8b\x03", 4), X, 5, 0.5},                 /* 32 bits */
        {MOVES("\x48\x89\x43\x08", "\x48\x8b\x43\x08", 8), X, 5, 0.5}, /* [rbx + 8] */
        {MOVES("\x50", "\x58", 8), X, 5, 0.5},                         /* push rax, pop rax */
        {MOVES("\x66\x89\x03", "\x66\x8b\x03", 2), X, 0, 0},           /* 16 bits */
        {MOVES("\x48\x89\x03", "\x48\x8b\x04\x0b", 8), X, 5, 5},       /* load by [rbx + rcx] */
        {MOVES("\x48\x89\x04\x0b", "\x48\x8b\x04\x0b", 8), X, 5, 5},   /* both */
        {MOVES("\x48\x89\x03", "\x48\x8b\x06", 8), X, 5, 5},           /* load by [rsi] */
        {MOVES("\x48\x89\x03", "\x48\x8b\x03", 8), X + LINE - 4, 0, 0}, /* crosses lines */
        {MOVES("\x48\x89\x03", "\x48\x8b\x03", 8), X + 4, 5, 0.5}, /* two granules of one line */
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(chains) / sizeof(*chains); i++)
        for (unsigned k = 0; k < sizeof(one_at_a_time) / sizeof(*one_at_a_time); k++) {
            const struct model_parameters *const both[] = {one_at_a_time[k], in_pairs[k]};

            for (unsigned m = 0; m < 2; m++) {
                const struct figures figures = figures_of(both[m], &chains[i]);
                const double cycles = (double)figures.truth.cycles / (200 * ROUNDS);
                const double want = m == 0 ? forwarded(both[m], &chains[i]) : chains[i].renamed;

                if (chains[i].forwarded > 0)
                    check_near("to memory and back", both[m]->name, cycles, want, 0.1);
                else
                    assert_true(cycles >= (m == 0 ? 4 : 5));
                assert_int_equal(figures.sum[SIG_LOADS], 200 * ROUNDS);
                assert_int_equal(figures.sum[SIG_STORES], 200 * ROUNDS);
            }
        }
}

/* A multiplication of three cycles behind the load: 5 + 3 cycles, or 3 when the load is renamed. */
static void a_renamed_load_passes_the_register_on(void **state)
{
    static const struct chain chain = {
        "\x48\x89\x03", "\x48\x8b\x03", "\x48\x0f\xaf\xc0", 3, 3, 4, 8, 8, X, 8, 3};

    (void)state;
    check_near("forwarded", "haswell",
               (double)figures_of(&haswell_core, &chain).truth.cycles / (200 * ROUNDS),
               chain.forwarded, 0.1);
    check_near("renamed", "icelakex",
               (double)figures_of(&icelakex_core, &chain).truth.cycles / (200 * ROUNDS),
               chain.renamed, 0.1);
}

/* The lower half of a spilled register, and a register of which a part was overwritten since. */
static void a_load_of_anything_else_waits_for_memory(void **state)
{
    static const struct chain narrow = {"\x48\x89\x03", "\x8b\x03", NULL, 3, 2, 0, 8, 4, X, 5, 5};

    (void)state;
    check_near("narrow", "icelakex",
               (double)figures_of(&icelakex_core, &narrow).truth.cycles / (200 * ROUNDS),
               narrow.renamed, 0.1);
}

/* A store that crosses lines, then stores whose translations the first level of the TLB lacks. */
static void run_translated(struct bench *bench, unsigned turn)
{
    (void)turn;
    writes(bench, CODE("\x48\x89\x13"), X + 60);
    for (unsigned i = 0; i < ROUNDS; i++) {
        model_flush_first_tlb(bench->model);
        writes(bench, CODE("\x48\x89\x13"), X);
    }
}

/* What waits for a translation is not charged to what an older store waited for: a cycle for the
 * other half of the split store, and the latency of the second level for each of the others. */
static void a_store_that_waits_for_its_translation_is_store_bound(void **state)
{
    struct figures figures;
    struct bench bench;

    (void)state;
    begin(&bench, &skylakex_core);
    figures = measure(&bench, run_translated, 100, 200);
    assert_true(figures.truth.cycles >= 200ull * ROUNDS * skylakex_core.stlb_latency);
    assert_true(figures.truth.exact[NODE_STORE_BOUND] >
                10 * figures.truth.exact[NODE_SPLIT_STORES]);
    end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_that_waits_for_its_translation_is_store_bound),
        cmocka_unit_test(a_load_of_a_spilled_register_takes_no_time_since_ice_lake),
        cmocka_unit_test(a_renamed_load_passes_the_register_on),
        cmocka_unit_test(a_load_of_anything_else_waits_for_memory),
        cmocka_unit_test(two_stores_in_a_row_to_one_line_leave_together_since_ice_lake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
