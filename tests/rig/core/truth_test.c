/* Every node of the tree: a loop whose bottleneck is known by construction loses its slots in that
 * node. */
#include "truth_loops.h"

static bool runs_on(enum where where, const struct model_parameters *core)
{
    return where == BOTH      ? core == &skylakex_core || core == &icelakex_core
           : where == ICELAKE ? core == &icelakex_core
           : where == HASWELL ? core == &haswell_core
                              : core == &ivybridge_core;
}

/* The bench keeps its parameters, which shares are taken by. */
static struct figures run_loop(struct bench *bench, unsigned i, const struct model_parameters *core)
{
    const unsigned count = loops[i].turns ? loops[i].turns : 200;
    static struct figures on_skylake[LOOPS]; /* two tests ask for them */
    struct figures figures;

    bench->parameters = core;
    if (core == &skylakex_core && on_skylake[i].truth.cycles != 0)
        return on_skylake[i];
    begin(bench, core);
    bench->page_shift = loops[i].page_shift;
    bench->argument = &loops[i].lines;
    figures = measure(bench, loops[i].run, count, count);
    end(bench);
    if (core == &skylakex_core)
        on_skylake[i] = figures;
    return figures;
}

static void every_node_has_its_loop(void **state)
{
    static const struct model_parameters *const all[] = {&skylakex_core, &icelakex_core,
                                                         &haswell_core, &ivybridge_core};
    unsigned failed = 0;

    (void)state;
    for (unsigned i = 0; i < LOOPS; i++)
        for (unsigned j = 0; j < sizeof(all) / sizeof(*all); j++) {
            struct figures figures;
            struct bench bench;

            if (!runs_on(loops[i].where, all[j]))
                continue;
            figures = run_loop(&bench, i, all[j]);
            if (part(&bench, &figures, loops[i].node) >= loops[i].least)
                continue;
            print_message("%s, %s: %.3f, not at least %.3f\n", all[j]->name,
                          model_node_name(loops[i].node), part(&bench, &figures, loops[i].node),
                          loops[i].least);
            show(&bench, &figures);
            failed++;
        }
    assert_int_equal(failed, 0);
}

/* --- the published formulas --- */

/* The formulas of TMA 5.2 for Skylake-SP (SKX), over signals. Their domain is cycles: shares of
 * all cycles; the truth counts slots. */
#define SUM(name)  ((double)f->sum[SIG_##name])
#define ANY(name)  ((double)f->any[SIG_##name])
#define WIDE(name) ((double)f->wide[SIG_##name])
#define RISE(name) ((double)f->rise[SIG_##name])

static double formula_l2(const struct figures *f)
{
    const double hits = SUM(LOADS_L1_MISS) > 0
                            ? SUM(LOADS_L2_HIT) * (1 + SUM(LOADS_FB_HIT) / SUM(LOADS_L1_MISS))
                            : 0;

    if (hits + ANY(FILL_BUFFERS_FULL) <= 0)
        return 0;
    return hits / (hits + ANY(FILL_BUFFERS_FULL)) * (SUM(STALL_L1D_MISS) - SUM(STALL_L2_MISS));
}

/* The value of the node's formula in cycles; below 0: this test has no formula for the node. */
static double formula_of(enum truth_node node, const struct figures *f)
{
    const double translating = SUM(CYCLES_MEM_ANY) - SUM(CYCLES_L1D_MISS);
    const double loads = 9 * SUM(DTLB_LOAD_STLB_HITS) + ANY(LOAD_WALKS_ACTIVE);

    switch (node) {
    case NODE_L1_BOUND:
        return SUM(STALL_MEM_ANY) - SUM(STALL_L1D_MISS);
    case NODE_DTLB_LOAD:
        return loads < translating ? loads : translating;
    case NODE_L2_BOUND:
        return formula_l2(f);
    case NODE_L3_BOUND:
        return SUM(STALL_L2_MISS) - SUM(STALL_L3_MISS);
    case NODE_L3_MISS_BOUND:
        return SUM(STALL_L3_MISS) + SUM(STALL_L1D_MISS) - SUM(STALL_L2_MISS) - formula_l2(f);
    case NODE_STORE_BOUND:
        return SUM(BOUND_ON_STORES);
    case NODE_DIVIDER:
        return SUM(DIVIDER_ACTIVE);
    case NODE_SERIALIZING_OPERATION:
        return SUM(SCOREBOARD);
    case NODE_PORTS_UTILIZED_0:
        return SUM(EXE_0_PORTS);
    case NODE_PORTS_UTILIZED_1:
        return SUM(EXE_1_PORT);
    case NODE_PORTS_UTILIZED_2:
        return SUM(EXE_2_PORTS);
    case NODE_MITE:
        return (ANY(MITE_UOPS) - WIDE(MITE_UOPS)) / 2;
    case NODE_DSB:
        return (ANY(DSB_UOPS) - WIDE(DSB_UOPS)) / 2;
    case NODE_LCP:
        return SUM(LCP_STALL);
    case NODE_ICACHE_MISSES:
        return SUM(ICACHE_STALL) + 2 * RISE(ICACHE_STALL);
    case NODE_ITLB_MISSES:
        return SUM(ITLB_STALL);
    case NODE_UNKNOWN_BRANCHES:
        return 9 * SUM(BACLEARS);
    case NODE_MISPREDICTS_RESTEERS:
    case NODE_CLEARS_RESTEERS:
        return SUM(CLEAR_RESTEER);
    case NODE_MS_SWITCHES:
        return 2 * RISE(MS_UOPS);
    case NODE_DSB_SWITCHES:
        return SUM(DSB_MITE_PENALTY);
    default:
        return -1;
    }
}

#define OFF 0.03 /* of all slots */

/* A formula in cycles counts whole cycles, so it may be above the truth by the slots of these
 * cycles that have another cause: slots that retire, slots of cycles in which a uop begins
 * (charged to the core), and slots of cycles in which some uops are delivered. */
static double allowed_above(const struct bench *bench, const struct figures *figures,
                            enum truth_node node)
{
    enum truth_node top = node;

    while (model_node_parent(top) != NODE_NONE && model_node_parent(top) != NODE_BACKEND_BOUND)
        top = model_node_parent(top);
    return OFF + part(bench, figures, NODE_RETIRING) +
           (top == NODE_MEMORY_BOUND     ? part(bench, figures, NODE_CORE_BOUND)
            : top == NODE_FRONTEND_BOUND ? part(bench, figures, NODE_FETCH_BANDWIDTH)
                                         : 0);
}

/* Cases that the formulas cannot find. A lock that waits for stores belongs to L1 in the tree,
 * but the formula of L1 needs a load in flight, and leaves out cycles in which the uops of a
 * younger store begin (a tenth, with one store for each load). A load that waits for a fill
 * buffer or a split register belongs to L1 too, but has missed L1. The formula of the store
 * buffer leaves out cycles in which a uop begins (0.08 of the slots in this test, 0.3 with eight
 * streaming stores to a line). The formula of split stores assumes one cycle for each, but each
 * costs two (0.500 against 0.872). */
static bool formula_is_blind(enum truth_node node, body *run)
{
    return run == run_split_misses || run == run_alias || node == NODE_LOCK_LATENCY ||
           node == NODE_FB_FULL || node == NODE_STORE_LATENCY || node == NODE_SPLIT_STORES ||
           node == NODE_STREAMING_STORES;
}

static void the_formulas_find_the_truth(void **state)
{
    unsigned compared = 0;

    (void)state;
    for (unsigned i = 0; i < LOOPS; i++) {
        enum truth_node node = loops[i].node;
        struct figures figures;
        struct bench bench;
        double formula, is;

        if (!runs_on(loops[i].where, &skylakex_core) || formula_is_blind(node, loops[i].run))
            continue;
        figures = run_loop(&bench, i, &skylakex_core);
        while (node != NODE_NONE && formula_of(node, &figures) < 0)
            node = model_node_parent(node);
        if (node == NODE_NONE)
            continue;
        compared++;
        formula = formula_of(node, &figures) / (double)figures.truth.cycles;
        is = part(&bench, &figures, node);
        if (formula < is - OFF || formula > is + allowed_above(&bench, &figures, node))
            fail_msg("%s: formula %.3f, truth %.3f", model_node_name(loops[i].node), formula, is);
    }
    assert_true(compared >= 25);
}

/* E cores have an event for the sequencer. */
static void slots_lost_to_the_sequencer_are_counted(void **state)
{
    struct figures figures;
    struct bench bench;
    double lost;

    (void)state;
    begin(&bench, &alderlake_e_core);
    figures = measure(&bench, run_sequencer, 200, 200);
    lost = part(&bench, &figures, NODE_MS_SWITCHES) + part(&bench, &figures, NODE_MS);
    assert_true(lost > 0.15);
    check_near("sequencer", "Gracemont",
               share(&bench, (double)figures.sum[SIG_SLOTS_FOR_SEQUENCER], &figures.truth), lost,
               0.02);
    figures = measure(&bench, run_long_nops, 200, 200);
    assert_int_equal(figures.sum[SIG_SLOTS_FOR_SEQUENCER], 0);
    end(&bench);
}

/* E cores have events for the reasons why slots are lost, and for sums of these. */
static void every_slot_that_an_e_core_loses_has_one_reason(void **state)
{
    static const enum signal reasons[] = {SIG_SLOTS_FOR_LINE,   SIG_SLOTS_FOR_TRANSLATION,
                                          SIG_SLOTS_FOR_BRANCH, SIG_SLOTS_FOR_SEQUENCER,
                                          SIG_SLOTS_FOR_LENGTH, SIG_SLOTS_REFILLING_BRANCH,
                                          SIG_SLOTS_FOR_MEMORY, SIG_SLOTS_FOR_SCHEDULER,
                                          SIG_SLOTS_FOR_ROB,    SIG_SLOTS_SERIAL};
    uint64_t seen[SIGNAL_COUNT] = {0};

    (void)state;
    for (unsigned i = 0; i < LOOPS; i++) {
        struct figures figures;
        struct bench bench;
        const uint64_t *sum = figures.sum;

        if (loops[i].where != BOTH)
            continue;
        figures = run_loop(&bench, i, &alderlake_e_core);
        assert_int_equal(sum[SIG_SLOTS_FOR_CODE], sum[SIG_SLOTS_FOR_LINE] +
                                                      sum[SIG_SLOTS_FOR_TRANSLATION] +
                                                      sum[SIG_SLOTS_FOR_BRANCH]);
        assert_int_equal(sum[SIG_SLOTS_NOT_BANDWIDTH],
                         sum[SIG_SLOTS_FOR_CODE] + sum[SIG_SLOTS_REFILLING]);
        assert_int_equal(sum[SIG_SLOTS_NOT_DECODERS], sum[SIG_SLOTS_NOT_BANDWIDTH] +
                                                          sum[SIG_SLOTS_FOR_SEQUENCER] +
                                                          sum[SIG_SLOTS_FOR_LENGTH]);
        assert_true(sum[SIG_SLOTS_NOT_DECODERS] <= sum[SIG_FE_UNDELIVERED]);
        assert_int_equal(sum[SIG_BE_BLOCKED], sum[SIG_SLOTS_RESTRICTED] +
                                                  sum[SIG_SLOTS_FOR_MEMORY] +
                                                  sum[SIG_SLOTS_FOR_SCHEDULER] +
                                                  sum[SIG_SLOTS_FOR_ROB] + sum[SIG_SLOTS_SERIAL]);
        assert_int_equal(sum[SIG_SLOTS_BAD] + sum[SIG_SLOTS_REFILLING],
                         sum[SIG_SLOTS_MISPREDICT] + sum[SIG_SLOTS_REFILLING_BRANCH] +
                             sum[SIG_SLOTS_NUKE] + sum[SIG_SLOTS_FAST_NUKE]);
        for (unsigned k = 0; k < SIGNAL_COUNT; k++)
            seen[k] += sum[k];
    }
    for (unsigned i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
        if (seen[reasons[i]] == 0)
            fail_msg("no loop has reason %u", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_has_its_loop),
        cmocka_unit_test(the_formulas_find_the_truth),
        cmocka_unit_test(slots_lost_to_the_sequencer_are_counted),
        cmocka_unit_test(every_slot_that_an_e_core_loses_has_one_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
