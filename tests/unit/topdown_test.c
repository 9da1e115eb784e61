/* The Topdown trees of the image on sets of counts; the expected shares were worked out by hand
 * from the vendor's formulas. */
#include "tests/unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "pmu/topdown.h"
#include "tests/unit/descriptions.h"

#define COUNTS 40

struct named {
    const char *name;
    double value;
};

struct sample {
    struct description description;
    struct count counts[COUNTS];
    unsigned count;
    struct counts all;
};

static void sample_of(struct sample *sample, const char *cpu, const struct named *named,
                      unsigned count, const struct extra *extras, unsigned extra_count)
{
    tests_builtin(&sample->description, cpu);
    for (unsigned i = 0; i < count; i++) {
        sample->counts[i] =
            (struct count){.event = description_event(&sample->description, named[i].name),
                           .measured = true,
                           .value = named[i].value};
        if (sample->counts[i].event == NULL)
            print_error("no event %s\n", named[i].name);
        assert_non_null(sample->counts[i].event);
    }
    sample->count = count;
    sample->all =
        (struct counts){&sample->description, sample->counts, count, extras, extra_count, NULL};
}

static void assert_node(const struct sample *sample, const char *name, double expected)
{
    struct formula_result result;

    topdown_node(&sample->all, description_node(&sample->description, name), &result);
    if (!result.finite || fabs(result.value - expected) > 1e-12)
        print_error("%s: %.15g (%s), by hand %.15g\n", name, result.value,
                    result.finite ? "" : result.reason, expected);
    assert_true(result.finite);
    assert_true(fabs(result.value - expected) < 1e-12);
}

/* 1000 cycles = 4000 slots: 800 without a uop from the front end, 2400 issued, 2000 retired, 50
 * cycles of recovery. */
static const struct named skx[] = {
    {"CPU_CLK_UNHALTED.THREAD", 1000},
    {"INST_RETIRED.ANY", 1700},
    {"IDQ_UOPS_NOT_DELIVERED.CORE", 800},
    {"IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 150},
    {"UOPS_ISSUED.ANY", 2400},
    {"UOPS_RETIRED.RETIRE_SLOTS", 2000},
    {"UOPS_RETIRED.MACRO_FUSED", 100},
    {"INT_MISC.RECOVERY_CYCLES", 50},
    {"BR_MISP_RETIRED.ALL_BRANCHES", 30},
    {"MACHINE_CLEARS.COUNT", 10},
    {"CYCLE_ACTIVITY.STALLS_TOTAL", 300},
    {"CYCLE_ACTIVITY.STALLS_MEM_ANY", 150},
    {"EXE_ACTIVITY.1_PORTS_UTIL", 100},
    {"EXE_ACTIVITY.2_PORTS_UTIL", 200},
    {"EXE_ACTIVITY.BOUND_ON_STORES", 50},
    /* for the arms that formulas take with two threads */
    {"CPU_CLK_UNHALTED.THREAD_ANY", 1600},
    {"INT_MISC.RECOVERY_CYCLES_ANY", 40},
    {"CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", 20},
    {"CPU_CLK_UNHALTED.REF_XCLK", 40},
};
#define SKX (sizeof(skx) / sizeof(skx[0]))

static void skylakex_levels_1_and_2_without_smt(void **state)
{
    struct sample sample;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, NULL, 0);
    assert_node(&sample, "tma_info_thread_slots", 4000);
    assert_node(&sample, "tma_frontend_bound", 0.2);        /* 800 / 4000 */
    assert_node(&sample, "tma_bad_speculation", 0.15);      /* (2400 - 2000 + 4 * 50) / 4000 */
    assert_node(&sample, "tma_backend_bound", 0.15);        /* 1 - 0.2 - (2400 + 200) / 4000 */
    assert_node(&sample, "tma_retiring", 0.5);              /* 2000 / 4000 */
    assert_node(&sample, "tma_fetch_latency", 0.15);        /* 4 * 150 / 4000 */
    assert_node(&sample, "tma_fetch_bandwidth", 0.05);      /* 0.2 - 0.15 */
    assert_node(&sample, "tma_branch_mispredicts", 0.1125); /* 30 / 40 * 0.15 */
    assert_node(&sample, "tma_machine_clears", 0.0375);
    assert_node(&sample, "tma_memory_bound",
                0.15 * 200 / 550); /* (150 + 50) / (300 + (100 + 0.5 * 200) + 50) */
    assert_node(&sample, "tma_core_bound", 0.15 - 0.15 * 200 / 550);
    assert_node(&sample, "tma_heavy_operations", 0.1); /* (2000 + 100 - 1700) / 4000 */
    assert_node(&sample, "tma_light_operations", 0.4);
}

/* Hints: the right one for the fourth event, a wrong one, none, and two beyond all counts. */
static void a_hint_never_changes_what_a_node_comes_to(void **state)
{
    static const uint16_t tried[] = {4, 1, 0, SKX + 1, UINT16_MAX};
    static uint16_t hints[COUNT_HINTS];
    struct sample sample;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, NULL, 0);
    sample.all.hints = hints;
    for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
        for (unsigned hint = 0; hint < COUNT_HINTS; hint++)
            hints[hint] = tried[i];
        assert_node(&sample, "tma_fetch_latency", 0.15);
        assert_node(&sample, "tma_machine_clears", 0.0375);
    }
}

static void skylakex_counts_of_the_whole_core_with_smt(void **state)
{
    static const struct extra extras[] = {{"#SMT_on", 1}};
    struct sample sample;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, extras, 1);
    assert_node(&sample, "tma_info_core_core_clks", 800); /* 1600 / 2 */
    assert_node(&sample, "tma_info_thread_slots", 3200);
    assert_node(&sample, "tma_frontend_bound", 0.25);
    assert_node(&sample, "tma_retiring", 0.625);
    assert_node(&sample, "tma_bad_speculation", 0.15); /* (400 + 4 * 40 / 2) / 3200 */
    assert_node(&sample, "tma_backend_bound",
                -0.025); /* 1 - 0.25 - (2400 + 80) / 3200: the counts are inconsistent */
}

static void skylakex_counts_of_one_thread_with_smt(void **state)
{
    static const struct extra extras[] = {{"#SMT_on", 1}, {"#EBS_Mode", 1}};
    struct sample sample;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, extras, 2);
    assert_node(&sample, "tma_info_core_core_clks", 750); /* 1000 / 2 * (1 + 20 / 40) */
    assert_node(&sample, "tma_frontend_bound", 800.0 / 3000);
    assert_node(&sample, "tma_bad_speculation", 480.0 / 3000);
}

/* 5000 slots; PERF_METRICS' bytes as slots sum to 5100, as 8-bit fractions may. */
static const struct named icx[] = {
    {"TOPDOWN.SLOTS:perf_metrics", 5000},
    {"TOPDOWN.SLOTS", 5000},
    {"PERF_METRICS.RETIRING", 2550},
    {"PERF_METRICS.BAD_SPECULATION", 510},
    {"PERF_METRICS.FRONTEND_BOUND", 1020},
    {"PERF_METRICS.BACKEND_BOUND", 1020},
    {"INT_MISC.UOP_DROPPING", 50},
    {"INT_MISC.CLEARS_COUNT", 10},
    {"IDQ_UOPS_NOT_DELIVERED.CORE", 1100},
    {"IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 100},
    {"TOPDOWN.BACKEND_BOUND_SLOTS", 900},
    {"UOPS_RETIRED.SLOTS", 2400},
    {"UOPS_ISSUED.ANY", 3000},
    {"IDQ.MS_UOPS", 75},
    {"IDQ.MITE_UOPS", 1000},
    {"UOPS_DECODED.DEC0", 400},
    {"UOPS_DECODED.DEC0:c1", 300},
    {"BR_MISP_RETIRED.ALL_BRANCHES", 30},
    {"MACHINE_CLEARS.COUNT", 10},
    {"CYCLE_ACTIVITY.STALLS_TOTAL", 300},
    {"CYCLE_ACTIVITY.STALLS_MEM_ANY", 150},
    {"EXE_ACTIVITY.1_PORTS_UTIL", 100},
    {"EXE_ACTIVITY.2_PORTS_UTIL", 200},
    {"EXE_ACTIVITY.BOUND_ON_STORES", 50},
};
#define ICX (sizeof(icx) / sizeof(icx[0]))

static void icelakex_levels_1_and_2_by_perf_metrics(void **state)
{
    struct sample sample;

    (void)state;
    sample_of(&sample, "icelakex", icx, ICX, NULL, 0);
    assert_node(&sample, "tma_frontend_bound", 0.19); /* 1020 / 5100 - 50 / 5000 */
    assert_node(&sample, "tma_backend_bound", 0.21);  /* 1020 / 5100 + 5 * 10 / 5000 */
    assert_node(&sample, "tma_retiring", 0.5);        /* 2550 / 5100 */
    assert_node(&sample, "tma_bad_speculation", 0.1); /* 1 - the others */
    assert_node(&sample, "tma_fetch_latency", 0.09);  /* (5 * 100 - 50) / 5000 */
    assert_node(&sample, "tma_fetch_bandwidth", 0.1);
    assert_node(&sample, "tma_branch_mispredicts", 0.075);
    assert_node(&sample, "tma_machine_clears", 0.025);
    assert_node(&sample, "tma_memory_bound", 0.21 * 200 / 550);
    assert_node(&sample, "tma_core_bound", 0.21 - 0.21 * 200 / 550);
    assert_node(&sample, "tma_heavy_operations",
                0.062); /* 2400 / 3000 * 75 / 5000 + 0.5 * (400 - 300) / 1000 */
    assert_node(&sample, "tma_light_operations", 0.438);
}

static void icelakex_levels_1_and_2_without_perf_metrics(void **state)
{
    static const struct extra extras[] = {{"#PERF_METRICS_MSR", 0}};
    struct sample sample;

    (void)state;
    sample_of(&sample, "icelakex", icx, ICX, extras, 1);
    assert_node(&sample, "tma_frontend_bound", 0.21); /* (1100 - 50) / 5000 */
    assert_node(&sample, "tma_backend_bound", 0.19);  /* (900 + 5 * 10) / 5000 */
    assert_node(&sample, "tma_retiring", 0.48);       /* 2400 / 5000 */
    assert_node(&sample, "tma_bad_speculation", 0.12);
    assert_node(&sample, "tma_heavy_operations", 0.06); /* 0.012 + 0.48 * 100 / 1000 */
}

static void a_node_whose_event_was_not_measured_has_no_value_and_names_it(void **state)
{
    struct sample sample;
    struct formula_result result;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, NULL, 0);
    sample.counts[10].measured = false; /* CYCLE_ACTIVITY.STALLS_TOTAL */
    sample.counts[10].reason = "no counter";
    topdown_node(&sample.all, description_node(&sample.description, "tma_core_bound"), &result);
    assert_false(result.finite);
    assert_string_equal(result.reason, "CYCLE_ACTIVITY.STALLS_TOTAL not measured: no counter");
    assert_node(&sample, "tma_backend_bound", 0.15);
    sample.all.count_count = 3;
    topdown_node(&sample.all, description_node(&sample.description, "tma_retiring"), &result);
    assert_string_equal(result.reason, "UOPS_RETIRED.RETIRE_SLOTS not measured");
}

static void no_slots_are_a_division_by_zero_in_the_node_that_divides(void **state)
{
    struct sample sample;
    struct formula_result result;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, NULL, 0);
    sample.counts[0].value = 0;
    topdown_node(&sample.all, description_node(&sample.description, "tma_retiring"), &result);
    assert_false(result.finite);
    assert_string_equal(result.reason, "division by zero");
    topdown_node(&sample.all, description_node(&sample.description, "tma_light_operations"),
                 &result);
    assert_string_equal(result.reason, "division by zero in tma_retiring");
}

/* l1_latency is a parameter of the description. */
/* 10 loads hit L1 of 30 that hit: 20 fewer than none. */
static void nodes_over_a_clamped_one_are_clamped_with_and_without_memos(void **state)
{
    static const char text[] = "cpu test\n"
                               "width 4\n"
                               "event LOADS 0x0e umask 0x01\n"
                               "event HITS 0x0f umask 0x01\n"
                               "let misses = max(LOADS - HITS, 0)\n"
                               "node tma_below level 1 = 0.25 + misses\n"
                               "node tma_beside level 1 = HITS / 100\n";
    static struct description description;
    struct node_memo memos[8] = {{.known = false}};
    struct complaint complaint;
    struct count of[2];
    struct counts all;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    of[0] = (struct count){
        .event = description_event(&description, "LOADS"), .measured = true, .value = 10};
    of[1] = (struct count){
        .event = description_event(&description, "HITS"), .measured = true, .value = 30};
    all = (struct counts){&description, of, 2, NULL, 0, NULL};
    for (unsigned i = 0; i < 3; i++) { /* the second time out of the memo */
        const struct node *below = description_node(&description, "tma_below");
        struct formula_result result;

        topdown_node_once(&all, i < 2 ? memos : NULL, below, &result);
        assert_true(result.finite && result.clamped);
        topdown_node(&all, description_node(&description, "tma_beside"), &result);
        assert_true(result.finite && !result.clamped);
    }
    of[1].value = 10;
    assert_true(description.node_count <= 8);
    {
        struct formula_result result;

        topdown_forget(memos, 8);
        topdown_node_once(&all, memos, description_node(&description, "tma_below"), &result);
        assert_true(result.finite && !result.clamped);
    }
    tests_free();
}

static void an_extra_without_a_number_hides_the_parameter(void **state)
{
    static const struct extra extras[] = {{"n", 10}, {"l1_latency", FORMULA_NA}};
    struct sample sample;
    struct formula formula;
    struct formula_error error;
    struct formula_result result;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, extras, 2);
    assert_int_equal(tests_compile(&formula, "n * l1_latency", &error), RC_OK);
    topdown_evaluate(&sample.all, &formula, &result);
    assert_false(result.finite);
    assert_string_equal(result.reason, "l1_latency has no value here");
}

static void an_expectation_may_mix_events_nodes_parameters_and_extras(void **state)
{
    static const char text[] = "n * l1_latency + INST_RETIRED.ANY + 1000 * tma_retiring + l1d_size";
    static const struct extra extras[] = {{"n", 10}, {"l1d_size", 7}};
    struct sample sample;
    struct formula formula;
    struct formula_error error;
    struct formula_result result;

    (void)state;
    sample_of(&sample, "skylakex", skx, SKX, extras, 2);
    assert_int_equal(tests_compile(&formula, text, &error), RC_OK);
    topdown_evaluate(&sample.all, &formula, &result);
    assert_true(result.finite);
    assert_true(fabs(result.value - (10 * 4 + 1700 + 500 + 7)) < 1e-9);
    sample.all.extra_count = 0;
    topdown_evaluate(&sample.all, &formula, &result);
    assert_string_equal(result.reason, "n is unknown");
}

/* 1000 cycles for 500 instructions. In 400 cycles nothing was issued: in 250 a resource was
 * missing, in 50 the renamer stalled. */
static void nehalem_decomposes_its_cycles(void **state)
{
    static const struct named counts[] = {
        {"CPU_CLK_UNHALTED.THREAD", 1000},
        {"INST_RETIRED.ANY", 500},
        {"UOPS_ISSUED.STALL_CYCLES", 400},
        {"RESOURCE_STALLS.ANY", 250},
        {"RAT_STALLS.ANY", 50},
        {"RESOURCE_STALLS.LOAD", 100},
    };
    struct sample sample;

    (void)state;
    sample_of(&sample, "westmere", counts, 6, NULL, 0);
    assert_node(&sample, "cpi", 2);
    assert_node(&sample, "cpi_stalled", 0.8);
    assert_node(&sample, "cpi_issued", 1.2);
    assert_node(&sample, "stalled", 0.4);
    assert_node(&sample, "stalled_resources", 0.25);
    assert_node(&sample, "stalled_rename", 0.05);
    assert_node(&sample, "stalled_front_end", 0.1);
    assert_node(&sample, "stalled_loads", 0.1);
}

static void core2_decomposes_its_cycles(void **state)
{
    static const struct named counts[] = {
        {"CPU_CLK_UNHALTED.THREAD", 1000},       {"INST_RETIRED.ANY", 500},
        {"RS_UOPS_DISPATCHED.CYCLES_NONE", 400}, {"RESOURCE_STALLS.ROB_FULL", 300},
        {"RESOURCE_STALLS.BR_MISS_CLEAR", 20},   {"ILD_STALL", 60},
    };
    struct sample sample;

    (void)state;
    sample_of(&sample, "core2", counts, 6, NULL, 0);
    assert_node(&sample, "cpi_stalled", 0.8);
    assert_node(&sample, "cpi_dispatched", 1.2);
    assert_node(&sample, "stalled_reorder_buffer", 0.3);
    assert_node(&sample, "stalled_mispredicts", 0.02);
    assert_node(&sample, "stalled_lcp", 0.06);
}

struct indexed {
    const struct description *description;
    struct formula_result of[5]; /* by index of the node */
};

static const struct formula_result *by_index(void *context, const struct node *node)
{
    const struct indexed *indexed = context;

    return &indexed->of[node - indexed->description->nodes];
}

static void a_node_is_flagged_by_its_threshold_or_another_and_with_its_parent(void **state)
{
    struct description d;
    struct complaint complaint;
    struct indexed indexed = {.description = &d};
    struct formula_result *of = indexed.of;
    const struct topdown_results results = {&indexed, by_index};

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        of[i] = (struct formula_result){.finite = true, .value = 0.5};
    assert_int_equal(
        tests_parse(
            &d,
            "cpu test\nnode a level 1 = 1 above 0.5\nnode b level 1 = 1 below 0.6\nlet c = 1\n"
            "node e level 2 parent a = 1 above 0.2 & parent\n"
            "node f level 3 parent e = 1 above 0.9 or b & parent\n",
            &complaint),
        RC_OK);
#define FLAGGED(name) topdown_flagged(&d, description_node(&d, name), &results)
    assert_false(FLAGGED("a"));
    assert_true(FLAGGED("b"));
    assert_false(FLAGGED("c"));
    assert_false(FLAGGED("e")); /* its parent is not flagged */
    of[0].value = 0.51;
    assert_true(FLAGGED("a"));
    assert_true(FLAGGED("e"));
    assert_true(FLAGGED("f")); /* b passes its threshold, and both parents are flagged */
    of[1].value = 0.7;
    assert_false(FLAGGED("f"));
    of[4].value = 0.91;
    assert_true(FLAGGED("f"));
    of[3].value = 0.2;
    assert_false(FLAGGED("f")); /* its parent e is not flagged */
    of[0].finite = false;
    assert_false(FLAGGED("a"));
#undef FLAGGED
}

static void assert_events(const struct event **events, unsigned count, const char *const *names,
                          unsigned name_count)
{
    assert_int_equal(count, name_count);
    for (unsigned i = 0; i < count; i++)
        assert_string_equal(events[i]->name, names[i]);
}

static void events_of_a_node_come_from_both_arms_in_order_of_need(void **state)
{
    static const char *const names[] = {
        "UOPS_RETIRED.RETIRE_SLOTS",          "CPU_CLK_UNHALTED.THREAD",
        "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", "CPU_CLK_UNHALTED.REF_XCLK",
        "CPU_CLK_UNHALTED.THREAD_ANY",
    };
    struct description description;
    const struct event *events[16];
    const char *unknown = "?";
    unsigned count;

    (void)state;
    tests_builtin(&description, "skylakex");
    count = topdown_events(&description, &description_node(&description, "tma_retiring")->formula,
                           events, 0, 16, &unknown);
    /* the code has the condition of EBS mode before its first arm; parameters are not events */
    assert_events(events, count, names, 5);
    assert_null(unknown);
    assert_int_equal(topdown_events(&description,
                                    &description_node(&description, "tma_retiring")->formula,
                                    events, count, 16, NULL),
                     5);
    assert_int_equal(topdown_events(&description,
                                    &description_node(&description, "tma_retiring")->formula,
                                    events, 0, 2, NULL),
                     2);
}

static void events_of_a_given_way_of_measuring_leave_the_other_arms_out(void **state)
{
    static const char *const alone[] = {"UOPS_RETIRED.RETIRE_SLOTS", "CPU_CLK_UNHALTED.THREAD"};
    static const char *const smt[] = {"UOPS_RETIRED.RETIRE_SLOTS", "CPU_CLK_UNHALTED.THREAD_ANY"};
    static const struct extra extras[] = {{"#SMT_on", 1}};
    struct description description;
    struct counts given = {.description = &description};
    const struct event *events[16];
    const char *unknown;
    unsigned count;

    (void)state;
    tests_builtin(&description, "skylakex");
    count = topdown_events_given(&given, &description_node(&description, "tma_retiring")->formula,
                                 events, 0, 16, &unknown);
    assert_events(events, count, alone, 2);
    given.extras = extras;
    given.extra_count = 1;
    count = topdown_events_given(&given, &description_node(&description, "tma_retiring")->formula,
                                 events, 0, 16, &unknown);
    assert_events(events, count, smt, 2);
    assert_null(unknown);
}

static void a_condition_on_counts_keeps_both_arms(void **state)
{
    static const char text[] = "A if B > 1 else C + n + nothing";
    static const struct extra extras[] = {{"n", 1}};
    static const char *const names[] = {"B", "A", "C"};
    struct description description;
    struct complaint complaint;
    struct counts given = {.description = &description, .extras = extras, .extra_count = 1};
    struct formula formula;
    struct formula_error error;
    const struct event *events[4];
    const char *unknown = NULL;
    unsigned count;

    (void)state;
    assert_int_equal(
        tests_parse(&description,
                    "cpu test\nevent A 1 umask 1\nevent B 2 umask 1\nevent C 3 umask 1\n",
                    &complaint),
        RC_OK);
    assert_int_equal(tests_compile(&formula, text, &error), RC_OK);
    count = topdown_events_given(&given, &formula, events, 0, 4, &unknown);
    assert_events(events, count, names, 3);
    assert_string_equal(unknown, "nothing");
}

/* An event that no counter counts, a let and a parameter may have their value from elsewhere: 1000
 * cycles of 250 ticks are a ratio of 4, and the let "latency" 90 times that, 360. */
static void extras_stand_in_for_what_no_counter_counts(void **state)
{
    static const char text[] = "cpu test\nwidth 4\noutside TSC the time stamp counter\n"
                               "event CYCLES 0x3c umask 0\nparameter size 7\n"
                               "let ratio = CYCLES / TSC\nlet latency = 90 * ratio\n"
                               "node a level 1 = ratio + size + latency\n";
    static const struct extra extras[] = {{"TSC", 250}, {"size", 5}, {"latency", 30}};
    struct description description;
    struct complaint complaint;
    struct count count = {.measured = true, .value = 1000};
    struct counts given = {&description, &count, 1, extras, 3, NULL};
    struct formula_result result;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    count.event = description_event(&description, "CYCLES");
    topdown_node(&given, description_node(&description, "a"), &result);
    assert_true(result.finite);
    assert_true(fabs(result.value - (4 + 5 + 30)) < 1e-12);
    given.extra_count = 1;
    topdown_node(&given, description_node(&description, "a"), &result);
    assert_true(fabs(result.value - (4 + 7 + 360)) < 1e-12);
    given.extra_count = 0;
    topdown_node(&given, description_node(&description, "a"), &result);
    assert_false(result.finite);
    assert_string_equal(result.reason, "TSC not measured: the time stamp counter");
}

/* A hundredth outside is noise of the windows; a kernel's edges may be more. */
static void a_share_lies_between_0_and_1_but_for_noise(void **state)
{
    char why[TOPDOWN_WHY] = "";

    (void)state;
    assert_true(topdown_is_share(0, 0, why));
    assert_true(topdown_is_share(1.01, 0, why));
    assert_true(topdown_is_share(-0.01, 0, why));
    assert_true(topdown_is_share(1.05, 0.06, why));
    assert_string_equal(why, "");
    assert_false(topdown_is_share(1.011, 0, why));
    assert_string_equal(why, "its formula gives 1.011, outside of 0 to 1");
    assert_false(topdown_is_share(-0.07, 0.06, why));
    assert_string_equal(why, "its formula gives -0.070, outside of 0 to 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skylakex_levels_1_and_2_without_smt),
        cmocka_unit_test(a_hint_never_changes_what_a_node_comes_to),
        cmocka_unit_test(skylakex_counts_of_the_whole_core_with_smt),
        cmocka_unit_test(skylakex_counts_of_one_thread_with_smt),
        cmocka_unit_test(icelakex_levels_1_and_2_by_perf_metrics),
        cmocka_unit_test(icelakex_levels_1_and_2_without_perf_metrics),
        cmocka_unit_test(a_node_whose_event_was_not_measured_has_no_value_and_names_it),
        cmocka_unit_test(no_slots_are_a_division_by_zero_in_the_node_that_divides),
        cmocka_unit_test(nodes_over_a_clamped_one_are_clamped_with_and_without_memos),
        cmocka_unit_test(an_extra_without_a_number_hides_the_parameter),
        cmocka_unit_test(an_expectation_may_mix_events_nodes_parameters_and_extras),
        cmocka_unit_test(nehalem_decomposes_its_cycles),
        cmocka_unit_test(core2_decomposes_its_cycles),
        cmocka_unit_test(a_node_is_flagged_by_its_threshold_or_another_and_with_its_parent),
        cmocka_unit_test(events_of_a_node_come_from_both_arms_in_order_of_need),
        cmocka_unit_test(events_of_a_given_way_of_measuring_leave_the_other_arms_out),
        cmocka_unit_test(a_condition_on_counts_keeps_both_arms),
        cmocka_unit_test(extras_stand_in_for_what_no_counter_counts),
        cmocka_unit_test(a_share_lies_between_0_and_1_but_for_noise),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
