/* Kernels made ready: sizes, events and plans. */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/text.h"
#include "harness/plan/experiment.h"
#include "tests/unit/descriptions.h"

static const struct facts facts = {
    .kind = &intel_kind,
    .intel = true,
    .family = 6,
    .model = 0x55,
    .version = 4,
    .general_count = 8,
    .general_width = 48,
    .fixed_count = 3,
    .fixed_mask = 7,
    .fixed_width = 48,
    .architectural_events = 0x7f,
    .any_thread = true,
    .pdcm = true,
    .full_width_write = true,
    .l1d = {32768, 64, 8, 2},
    .l2 = {1048576, 64, 16, 2},
};
static const struct kernel_expectation expectations[] = {
    {"MEM_INST_RETIRED.ALL_LOADS", "n", "n"},
    {"tma_backend_bound", "0.5", "1"},
};

static struct description description;
static struct experiment experiment;
static struct pool pool;
static struct plan_cache cache;

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static struct kernel kernel_of(const char *iterations, const char *arena)
{
    return (struct kernel){.name = "be.mem.test",
                           .title = "t",
                           .iterations = iterations,
                           .arena = arena,
                           .page_shift = 21,
                           .expectations = expectations,
                           .expectation_count = 2};
}

static const struct counts given = {.description = &description};
static const struct extra metrics_are_there[] = {{"#PERF_METRICS_MSR", 1}};
static const struct counts with_metrics = {&description, NULL, 0, metrics_are_there, 1, NULL};

static enum rc plan_levels(const struct facts *of, unsigned levels)
{
    struct selection selection;

    selection_levels(&selection, given.description, levels);
    return experiment_plan(&experiment, &cache, of, &given, &selection);
}

static void empty_cache(void)
{
    pool = (struct pool){.allocate = tests_allocate, .chunk = 4096};
    memset(&cache, 0, sizeof(cache));
    cache.pool = &pool;
}

static int set_up(void **state)
{
    (void)state;
    empty_cache();
    return 0;
}

static void make(const struct kernel *kernel)
{
    struct complaint complaint = {.line = 0};

    assert_int_equal(experiment_make(&experiment, kernel, &pool, &complaint), RC_OK);
}

static bool size_it(const char *iterations, const char *arena, uint32_t scale,
                    struct experiment_size *size)
{
    struct kernel kernel = kernel_of(iterations, arena);
    struct extra extras[PARAMETERS_MAX];
    unsigned count = parameters_of_core(extras, &facts, &description, ONE_THREAD);
    bool good;

    make(&kernel);
    good = experiment_sizes(&experiment, &description, extras, &count, scale, size);
    if (good) {
        assert_string_equal(extras[count - 1].name, "n");
        assert_true(extras[count - 1].value == (double)size->n);
        assert_string_equal(extras[count - 2].name, "arena");
    }
    return good;
}

static void sizes_follow_the_core_and_the_scale(void **state)
{
    struct experiment_size size;

    (void)state;
    tests_builtin(&description, "skylakex");
    assert_true(size_it("l2_size / 2 / line", "l2_size / 2", 1, &size));
    assert_int_equal(size.n, 8192); /* 1 MiB / 2 / 64 */
    assert_int_equal(size.arena, 524288);
    assert_true(size_it("l1d_size / line + 0.5", "0", 1000, &size));
    assert_int_equal(size.n, 512000);
}

/* 4096 nodes of 64 bytes; a window of 2n visits each of them at most once. */
static void a_window_does_not_come_round_to_what_was_flushed_for_it(void **state)
{
    struct kernel kernel = kernel_of("200", "4096 + 262144");
    struct experiment_size size;
    struct extra extras[PARAMETERS_MAX];
    unsigned count;

    (void)state;
    tests_builtin(&description, "skylakex");
    kernel.most = "(arena - 4096) / 64 / 2";
    make(&kernel);
    for (uint32_t scale = 1; scale < 100; scale++) {
        count = parameters_of_core(extras, &facts, &description, ONE_THREAD);
        assert_true(experiment_sizes(&experiment, &description, extras, &count, scale, &size));
        assert_int_equal(size.most, 10); /* 2000 of 2048 */
        assert_int_equal(size.n, scale < 10 ? 200 * scale : 2000);
    }
    kernel.most = "100"; /* fewer than the kernel's n */
    make(&kernel);
    count = parameters_of_core(extras, &facts, &description, ONE_THREAD);
    assert_false(experiment_sizes(&experiment, &description, extras, &count, 1, &size));
    assert_string_equal(size.detail, "most iterations out of range: 100");
}

static void a_scale_is_chosen_once_for_all_cores_of_a_kind_at_a_dose(void **state)
{
    struct kernel kernel = kernel_of("200", "0");
    struct description other;

    (void)state;
    make(&kernel);
    assert_int_equal(experiment_scale(&experiment, &description, 0).scale, 0);
    experiment_choose_scale(&experiment, &description, 0, (struct window_scale){50, 5000});
    experiment_choose_scale(&experiment, &description, 100, (struct window_scale){5, 500});
    assert_int_equal(experiment_scale(&experiment, &description, 0).scale, 50);
    assert_int_equal(experiment_scale(&experiment, &description, 100).scale, 5);
    assert_int_equal(experiment_scale(&experiment, &description, 100).window_us, 500);
    assert_int_equal(experiment_scale(&experiment, &description, 50).scale, 0);
    assert_int_equal(experiment_scale(&experiment, &other, 0).scale, 0);
    experiment_choose_scale(&experiment, &other, 0, (struct window_scale){2, 200});
    assert_int_equal(experiment_scale(&experiment, &other, 0).scale, 2);
    /* kinds of cores that take turns */
    assert_int_equal(experiment_scale(&experiment, &description, 0).scale, 50);
}

static void a_size_that_makes_no_sense_is_refused_with_its_reason(void **state)
{
    struct experiment_size size;

    (void)state;
    tests_builtin(&description, "skylakex");
    assert_false(size_it("l9_size", "0", 1, &size));
    assert_non_null(strstr(size.detail, "l9_size"));
    assert_false(size_it("0", "0", 1, &size));
    assert_false(size_it("10", "0 - 1", 1, &size));
    assert_false(size_it("1000000000000", "0", 1000000, &size));
}

/* The sizes that CPUID states for this core override those of its description. */
static void the_core_overrides_its_description(void **state)
{
    struct extra extras[PARAMETERS_MAX];
    unsigned count;

    (void)state;
    tests_builtin(&description, "skylakex");
    count = parameters_of_core(extras, &facts, &description, ONE_OF_TWO);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(extras[i].name, "l2_size") == 0)
            assert_true(extras[i].value == 1048576);
        if (strcmp(extras[i].name, "#SMT_on") == 0)
            assert_true(extras[i].value == 1);
        assert_string_not_equal(extras[i].name,
                                "l3_size"); /* CPUID does not state it: the description does */
    }
}

static bool plans(const char *name)
{
    for (unsigned i = 0; i < experiment.plan->pass_count; i++) {
        for (unsigned j = 0; j < experiment.plan->passes[i].reading_count; j++) {
            if (strcmp(experiment.plan->passes[i].readings[j].event->name, name) == 0)
                return true;
        }
    }
    return false;
}

static void a_plan_holds_cycles_nodes_and_expectations(void **state)
{
    struct kernel kernel = kernel_of("1", "0");

    (void)state;
    tests_builtin(&description, "skylakex");
    make(&kernel);
    assert_int_equal(plan_levels(&facts, 1), RC_OK);
    assert_true(plans("INST_RETIRED.ANY") && plans("CPU_CLK_UNHALTED.THREAD") &&
                plans("CPU_CLK_UNHALTED.REF_TSC"));
    assert_true(plans("UOPS_RETIRED.RETIRE_SLOTS") && plans("MEM_INST_RETIRED.ALL_LOADS"));
    assert_false(plans("EXE_ACTIVITY.BOUND_ON_STORES")); /* level 2 */
    experiment.plan = NULL;
    assert_int_equal(plan_levels(&facts, 2), RC_OK);
    assert_true(plans("EXE_ACTIVITY.BOUND_ON_STORES"));
}

/* A profile rests on samples of taken branches, whether the kernel's file claims something of them
 * or not. */
static void a_kernel_with_a_map_has_its_taken_branches_counted(void **state)
{
    struct kernel kernel = kernel_of("1", "0");

    (void)state;
    tests_builtin(&description, "skylakex");
    make(&kernel);
    assert_int_equal(plan_levels(&facts, 1), RC_OK);
    assert_false(plans("BR_INST_RETIRED.NEAR_TAKEN"));
    experiment.plan = NULL;
    kernel.name = "cpi.loops";
    make(&kernel);
    assert_int_equal(plan_levels(&facts, 1), RC_OK);
    assert_true(plans("BR_INST_RETIRED.NEAR_TAKEN"));
}

static void cores_that_are_alike_share_a_plan(void **state)
{
    struct kernel kernel = kernel_of("1", "0");
    struct facts twin = facts, fewer = facts;
    const struct plan *plan;

    (void)state;
    tests_builtin(&description, "skylakex");
    make(&kernel);
    assert_int_equal(plan_levels(&facts, 2), RC_OK);
    plan = experiment.plan;
    twin.apic_id = 2;
    assert_int_equal(plan_levels(&twin, 2), RC_OK);
    assert_ptr_equal(experiment.plan, plan);
    fewer.general_count = 4; /* hyper-threading is on there */
    assert_int_equal(plan_levels(&fewer, 2), RC_OK);
    assert_ptr_not_equal(experiment.plan, plan);
    assert_true(experiment.plan->pass_count > plan->pass_count);
}

/* One cache for all kernels: the events that the nodes need are planned once. */
static void kernels_that_ask_for_nothing_more_share_a_plan(void **state)
{
    static const struct kernel_expectation of_the_tree[] = {{"INST_RETIRED.ANY", "n", "n"},
                                                            {"tma_backend_bound", "0", "1"}};
    struct kernel first = kernel_of("1", "0"), second = first, other = first;
    struct facts fewer = facts;
    const struct plan *plan;

    (void)state;
    first.expectations = second.expectations = of_the_tree;
    tests_builtin(&description, "skylakex");
    make(&first);
    assert_int_equal(plan_levels(&facts, 2), RC_OK);
    plan = experiment.plan;
    make(&second);
    assert_int_equal(plan_levels(&facts, 2), RC_OK);
    assert_ptr_equal(experiment.plan, plan);
    make(&other); /* MEM_INST_RETIRED.ALL_LOADS is in no formula of levels 1 and 2 */
    assert_int_equal(plan_levels(&facts, 2), RC_OK);
    assert_ptr_not_equal(experiment.plan, plan);
    assert_true(plans("MEM_INST_RETIRED.ALL_LOADS") && plans("EXE_ACTIVITY.BOUND_ON_STORES"));
    make(&second);
    assert_int_equal(plan_levels(&facts, 3), RC_OK); /* another selection, another core */
    assert_ptr_not_equal(experiment.plan, plan);
    make(&second);
    fewer.general_count = 4;
    assert_int_equal(plan_levels(&fewer, 2), RC_OK);
    assert_ptr_not_equal(experiment.plan, plan);
}

static bool counts(const struct plan *plan, const char *name)
{
    const struct event *event = description_event(&description, name);

    for (unsigned p = 0; p < plan->pass_count; p++)
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++)
            if (plan->passes[p].readings[i].event == event)
                return true;
    return false;
}

/* The formulas for one of two threads need the cycles in which it was alone; those for both need
 * the cycles of any thread. The second plan leaves out what the kernel expects, and the experiment
 * keeps the first. */
static void both_threads_have_a_plan_of_their_own(void **state)
{
    struct kernel kernel = kernel_of("1", "0");
    struct extra extras[PARAMETERS_MAX];
    struct counts asked = {.description = &description, .extras = extras};
    struct selection selection;
    struct plan *plan, *again;
    const struct plan *first;

    (void)state;
    tests_builtin(&description, "skylakex");
    make(&kernel);
    selection_levels(&selection, &description, 2);
    asked.extra_count = parameters_of_core(extras, &facts, &description, ONE_OF_TWO);
    assert_int_equal(experiment_plan(&experiment, &cache, &facts, &asked, &selection), RC_OK);
    first = experiment.plan;
    assert_true(counts(first, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE"));
    assert_false(counts(first, "CPU_CLK_UNHALTED.THREAD_ANY"));
    asked.extra_count = parameters_of_core(extras, &facts, &description, BOTH_THREADS);
    assert_int_equal(plan_cache_plan(&cache, &plan, &facts, &asked, &selection), RC_OK);
    assert_true(counts(plan, "CPU_CLK_UNHALTED.THREAD_ANY"));
    assert_true(counts(plan, "INT_MISC.RECOVERY_CYCLES_ANY"));
    assert_false(counts(plan, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE"));
    assert_false(counts(plan, "MEM_INST_RETIRED.ALL_LOADS"));
    assert_ptr_equal(experiment.plan, first);
    assert_int_equal(plan_cache_plan(&cache, &again, &facts, &asked, &selection), RC_OK);
    assert_ptr_equal(again, plan);
}

static unsigned pass_of(const char *name)
{
    for (unsigned i = 0; i < experiment.plan->pass_count; i++)
        for (unsigned j = 0; j < experiment.plan->passes[i].reading_count; j++)
            if (strcmp(experiment.plan->passes[i].readings[j].event->name, name) == 0)
                return i;
    return experiment.plan->pass_count;
}

/* Four events for the children of two nodes, in a file that states them in turn, on two counters:
 * with the two of level 1 three passes, as without. */
static void siblings_are_counted_together(void **state)
{
    static const char text[] =
        "cpu test\nevent A 1 umask 1\nevent B 2 umask 1\nevent P1 3 umask 1\nevent Q1 4 umask 1\n"
        "event P2 5 umask 1\nevent Q2 6 umask 1\n"
        "node tma_p level 1 = A\nnode tma_q level 1 = B\n"
        "node tma_p1 level 2 parent tma_p = P1\nnode tma_q1 level 2 parent tma_q = Q1\n"
        "node tma_p2 level 2 parent tma_p = P2 / A\nnode tma_q2 level 2 parent tma_q = Q2 / P1\n"
        "topdown formula levels 2\n";
    struct kernel kernel = kernel_of("1", "0");
    struct facts two = facts;
    struct complaint complaint;

    (void)state;
    assert_int_equal(tests_parse(&description, text, &complaint), RC_OK);
    kernel.expectation_count = 0;
    two.general_count = 2;
    two.fixed_mask = 0;
    make(&kernel);
    assert_int_equal(plan_levels(&two, 2), RC_OK);
    assert_int_equal(experiment.plan->pass_count, 3);
    assert_true(pass_of("A") == 0 && pass_of("B") == 0);
    assert_int_equal(pass_of("P1"), pass_of("P2"));
    assert_int_equal(pass_of("Q1"), pass_of("Q2"));
}

/* With `both` the first pass has the bytes and what counts the same shares. */
static void both_methods_are_measured_on_the_same_windows(void **state)
{
    static const char *const shares[] = {
        "PERF_METRICS.RETIRING",       "UOPS_RETIRED.SLOTS",         "PERF_METRICS.FRONTEND_BOUND",
        "IDQ_UOPS_NOT_DELIVERED.CORE", "PERF_METRICS.BACKEND_BOUND", "TOPDOWN.BACKEND_BOUND_SLOTS"};
    struct kernel kernel = kernel_of("1", "0");
    struct facts icelake = facts;
    struct selection selection;

    (void)state;
    kernel.expectation_count = 0;
    icelake.version = 5;
    icelake.fixed_count = 4;
    icelake.fixed_mask = 15;
    icelake.any_thread = false;
    icelake.perf_metrics = true;
    tests_builtin(&description, "icelakex");
    selection_levels(&selection, &description, 1);
    make(&kernel);
    assert_int_equal(experiment_plan(&experiment, &cache, &icelake, &with_metrics, &selection),
                     RC_OK);
    assert_true(plans("PERF_METRICS.RETIRING") && !plans("UOPS_RETIRED.SLOTS"));
    selection.both = true;
    make(&kernel);
    assert_int_equal(experiment_plan(&experiment, &cache, &icelake, &with_metrics, &selection),
                     RC_OK);
    for (unsigned i = 0; i < COUNT_OF(shares); i++)
        assert_int_equal(pass_of(shares[i]), 0);
}

/* The P cores of Alder Lake do not announce the bytes that their description has. */
static void a_core_without_the_bytes_is_counted_by_formula(void **state)
{
    struct extra extras[PARAMETERS_MAX];
    struct counts counts = {.description = &description, .extras = extras};
    struct facts core = facts;

    (void)state;
    tests_builtin(&description, "alderlake");
    core.perf_metrics = true;
    counts.extra_count = parameters_of_core(extras, &core, &description, false);
    assert_int_equal(parameters_method(&counts), TOPDOWN_PERF_METRICS);
    core.perf_metrics = false;
    counts.extra_count = parameters_of_core(extras, &core, &description, false);
    assert_int_equal(parameters_method(&counts), TOPDOWN_FORMULA);
    tests_builtin(&description, "skylakex");
    assert_int_equal(parameters_method(&counts), TOPDOWN_FORMULA);
    tests_builtin(&description, "core2");
    assert_int_equal(parameters_method(&counts), TOPDOWN_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sizes_follow_the_core_and_the_scale, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_window_does_not_come_round_to_what_was_flushed_for_it,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_scale_is_chosen_once_for_all_cores_of_a_kind_at_a_dose,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_size_that_makes_no_sense_is_refused_with_its_reason,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_core_overrides_its_description, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_plan_holds_cycles_nodes_and_expectations, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_kernel_with_a_map_has_its_taken_branches_counted, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(both_threads_have_a_plan_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cores_that_are_alike_share_a_plan, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_that_ask_for_nothing_more_share_a_plan, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(siblings_are_counted_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_core_without_the_bytes_is_counted_by_formula, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(both_methods_are_measured_on_the_same_windows, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
