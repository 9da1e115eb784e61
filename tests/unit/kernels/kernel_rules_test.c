/* What kernels claim where the claim differs by CPU: their own expectations, judged over invented
 * counts; bounds by hand. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/judge/verdict.h"
#include "tests/unit/descriptions.h"

static struct description description;
static struct results results;
static struct experiment experiment;
static struct pool pool;

static const struct kernel *kernel_of(const char *name)
{
    for (unsigned i = 0; kernels_at(i) != NULL; i++)
        if (strcmp(kernels_at(i)->name, name) == 0)
            return kernels_at(i);
    fail_msg("no kernel %s", name);
    return NULL;
}

static void add_count(const char *event, int64_t value)
{
    const struct event *counted = description_event(&description, event);

    if (counted == NULL)
        return;
    results.tallies[results.count] = (struct tally){.event = counted,
                                                    .measured = true,
                                                    .difference = {value, value, value},
                                                    .lowest = value,
                                                    .highest = value,
                                                    .constant = true};
    results.counts[results.count++] =
        (struct count){.event = counted, .measured = true, .value = (double)value};
}

/* What the kernel says in n = 60 iterations of this count of the event. */
static enum outcome judge(const struct kernel *kernel, const char *event, int64_t value)
{
    static struct extra extras[] = {{"n", 60}, {"arena", 4096}};
    struct complaint complaint = {.line = 0};
    struct verdict verdict;
    struct trial trial;
    unsigned index = 0;

    memset(&results, 0, sizeof(results));
    add_count("INST_RETIRED.ANY", 60 * 121);
    add_count("CPU_CLK_UNHALTED.THREAD", 60 * 121);
    add_count(event, value);
    pool = (struct pool){.allocate = tests_allocate};
    assert_int_equal(experiment_make(&experiment, kernel, &pool, &complaint), RC_OK);
    trial = (struct trial){
        .nodes = tests_allocate(description.node_count * sizeof(struct node_share)),
        .experiment = &experiment,
        .description = &description,
        .results = &results,
        .counts = {&description, results.counts, results.count, extras, 2},
    };
    while (strcmp(kernel->expectations[index].subject, event) != 0)
        assert_true(++index < kernel->expectation_count);
    verdict_expectation(&verdict, &trial, index);
    return verdict.outcome;
}

/* Sixty clears, a tenth more or less: 54 to 66. The list of Skylake's events says that
 * MEMORY_ORDERING counts clears for disambiguation, Ice Lake's list does not any more: there none
 * of them, all, or any number between may be counted. E cores have an event for them. */
static void memory_ordering_clears_must_be_counted_only_where_the_list_names_them(void **state)
{
    static const struct {
        const char *cpu, *event;
        int64_t count;
        enum outcome outcome;
    } rows[] = {
        {"skylakex", "MACHINE_CLEARS.MEMORY_ORDERING", 53, VERDICT_FAIL},
        {"skylakex", "MACHINE_CLEARS.MEMORY_ORDERING", 54, VERDICT_PASS},
        {"skylakex", "MACHINE_CLEARS.MEMORY_ORDERING", 66, VERDICT_PASS},
        {"skylakex", "MACHINE_CLEARS.MEMORY_ORDERING", 67, VERDICT_FAIL},
        {"icelakex", "MACHINE_CLEARS.MEMORY_ORDERING", 0, VERDICT_PASS},
        {"icelakex", "MACHINE_CLEARS.MEMORY_ORDERING", 66, VERDICT_PASS},
        {"icelakex", "MACHINE_CLEARS.MEMORY_ORDERING", 67, VERDICT_FAIL},
        {"icelakex", "MACHINE_CLEARS.DISAMBIGUATION", 60, VERDICT_SKIP},
        {"alderlake_e", "MACHINE_CLEARS.DISAMBIGUATION", 53, VERDICT_FAIL},
        {"alderlake_e", "MACHINE_CLEARS.DISAMBIGUATION", 54, VERDICT_PASS},
        {"alderlake_e", "MACHINE_CLEARS.MEMORY_ORDERING", 60, VERDICT_SKIP},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        tests_builtin(&description, rows[i].cpu);
        if (judge(kernel_of("bs.disambiguation"), rows[i].event, rows[i].count) != rows[i].outcome)
            fail_msg("%s: %s %d", rows[i].cpu, rows[i].event, (int)rows[i].count);
    }
    tests_free();
}

static bool is_known(const char *name)
{
    return description_event(&description, name) != NULL ||
           description_node(&description, name) != NULL;
}

/* Whether the description has all names of one of the expectation's subjects. */
static bool is_judged(const struct expectation *expectation)
{
    const struct formula *formula = &experiment_subject(expectation, &description)->formula;

    for (unsigned i = 0; i < formula->name_count; i++)
        if (!is_known(formula->names[i]))
            return false;
    return true;
}

/* Each server's event list has its own names for lines of another package. */
static void lines_of_another_package_are_judged_wherever_the_tree_has_them(void **state)
{
    static const char *const kernels[] = {"be.mem.contested.remote", "be.mem.shared.remote",
                                          "be.mem.false_sharing.remote"};
    unsigned servers = 0;

    (void)state;
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        tests_builtin(&description, builtin_name(i));
        if (description_node(&description, "tma_remote_cache") == NULL)
            continue;
        servers++;
        for (unsigned j = 0; j < sizeof(kernels) / sizeof(kernels[0]); j++) {
            const struct kernel *kernel = kernel_of(kernels[j]);
            struct complaint complaint;

            pool = (struct pool){.allocate = tests_allocate};
            assert_int_equal(experiment_make(&experiment, kernel, &pool, &complaint), RC_OK);
            for (uint64_t k = 0; k < kernel->expectation_count; k++)
                if (strncmp(kernel->expectations[k].subject, "MEM_INST_RETIRED.", 17) != 0 &&
                    !is_judged(&experiment.expectations[k]))
                    fail_msg("%s, %s: %s is unknown", builtin_name(i), kernels[j],
                             kernel->expectations[k].subject);
            assert_true(is_known(kernel->leaf));
        }
    }
    /* ivytown, haswellx, broadwellx, skylakex, cascadelakex, cooperlakex, icelakex,
     * sapphirerapids, sapphirerapids_hbm, emeraldrapids, graniterapids */
    assert_int_equal(servers, 11);
    tests_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_ordering_clears_must_be_counted_only_where_the_list_names_them),
        cmocka_unit_test(lines_of_another_package_are_judged_wherever_the_tree_has_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
