/* What the kernel files say, as the registry shows it: names, layout, and expectations that can be
 * evaluated. What the kernels do is tested by kernels_run_test. */
#include "tests/unit/kernels/kernel_texts.h"

#define ARENA_LIMIT (32u << 20) /* bytes; a machine with 128 MiB runs every kernel */

static void every_kernel_is_registered_by_name_once(void **state)
{
    static const char *const wanted[] = {
        "ret.nop",     "ret.alu",          "ret.ms",        "fe.icache",        "fe.itlb",
        "fe.mite",     "fe.lcp",           "fe.btb",        "bs.coinflip",      "bs.indirect",
        "bs.return",   "bs.smc",           "be.core.chain", "be.core.div",      "be.core.port",
        "be.mem.l1",   "be.mem.l2",        "be.mem.l3",     "be.mem.dram",      "be.mem.store",
        "be.mem.dtlb", "be.mem.bandwidth", "cal.empty",     "cal.instructions", "cal.branches",
        "cal.loads",   "cal.stores",       "cal.mixed",     "cpi.loops",        "cpi.diamonds",
        "cpi.calls",   "cpi.dispatch",     "cpi.latency",   "cpi.interpreter",  "cpi.aliased",
    };
    const struct kernel *sorted[kernels_count()];

    (void)state;
    assert_null(kernels_named("no.such"));
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        assert_string_equal(kernels_named(wanted[i])->name, wanted[i]);
    for (unsigned i = 1; i < kernels_count(); i++)
        assert_true(strcmp(kernels_at(i - 1)->name, kernels_at(i)->name) < 0);
    assert_null(kernels_at(kernels_count()));
    assert_null(kernels_linked(kernels_count()));
    kernels_sort(sorted);
    for (unsigned i = 0; i < kernels_count(); i++)
        assert_ptr_equal(sorted[i], kernels_at(i));
}

static void every_kernel_is_complete(void **state)
{
    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);

        assert_true(strlen(kernel->title) > 0);
        assert_true(kernel->page_shift == 12 || kernel->page_shift == 21);
        assert_non_null(kernel->code);
        assert_true(kernel->expectation_count > 0);
        assert_non_null(kernel->expectations);
        assert_int_equal(kernel->branch_count > 0, kernel->branches != NULL);
        assert_int_equal(kernel->step_count > 0, kernel->steps != NULL);
        assert_int_equal(kernel->step_count > 0, kernel->leaves != NULL);
        assert_int_equal(kernel->stacked_count > 0, kernel->stacked != NULL);
        assert_true(iterations_of(kernel) >= 1);
        assert_true(arena_of(kernel) <= ARENA_LIMIT);
        if (kernel->prepare != NULL || kernel->reset != NULL)
            assert_true(arena_of(kernel) > 0);
    }
}

static void every_expectation_is_a_range_for_something(void **state)
{
    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);
        double n = (double)iterations_of(kernel), bytes = (double)arena_of(kernel);

        for (uint64_t k = 0; k < kernel->expectation_count; k++) {
            const struct kernel_expectation *expectation = &kernel->expectations[k];
            double low = evaluate(expectation->low, n, bytes);
            double high = evaluate(expectation->high, n, bytes);
            const char *text = expectation->subject;

            while (text != NULL) {
                char name[160];
                struct formula subject;

                snprintf(name, sizeof(name), "%.*s", (int)first_name_length(text), text);
                compile(&subject, name);
                assert_true(subject.name_count > 0);
                text = strstr(text, " | ");
                text = text != NULL ? text + 3 : NULL;
            }
            /* A difference of windows may be a few counts below 0; of mispredictions more, for a
             * predictor goes on learning from window to window. */
            if (low < (starts_with(expectation->subject, "BR_MISP_RETIRED.") ? -128 : -4) ||
                high < 0 || high < low)
                fail_msg("%s: %s in [%f, %f]", kernel->name, expectation->subject, low, high);
            if (starts_with(expectation->subject, "tma_") && high > 1)
                fail_msg("%s: %s up to %f", kernel->name, expectation->subject, high);
        }
    }
}

static void every_family_claims_its_own_category(void **state)
{
    static const char *const category[][2] = {
        {"ret.", "tma_retiring"},
        {"fe.", "tma_frontend_bound"},
        {"bs.", "tma_bad_speculation"},
        {"be.core.", "tma_backend_bound"},
        {"be.core.", "tma_core_bound"},
        {"be.mem.", "tma_backend_bound"},
        {"be.mem.", "tma_memory_bound"},
        {"cal.", NULL},
        {"mix.", NULL},
        {"cpi.", NULL},
        {"exact.", NULL},
        {"lbr.", NULL},
        {"pebs.", NULL},
        {"skid.", NULL},
        {"assist.", NULL},
        {"clears.", NULL},
        {"prog.", NULL},
        {"phase.", NULL},
        {"arm.", NULL},
    };

    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        bool known = false;

        for (size_t k = 0; k < COUNT_OF(category); k++) {
            if (!starts_with(kernels_at(i)->name, category[k][0]))
                continue;
            known = true;
            /* On E cores microcode is front end, so ret.ms claims only a node that their tree does
             * not have. */
            if (strcmp(kernels_at(i)->name, "ret.ms") == 0 &&
                expectation_of(kernels_at(i), "tma_heavy_operations") != NULL)
                continue;
            if (category[k][1] != NULL && expectation_of(kernels_at(i), category[k][1]) == NULL)
                fail_msg("%s does not state %s", kernels_at(i)->name, category[k][1]);
        }
        assert_true(known);
    }
}

/* The result of mix.* is the value of its leaf. A range would have to hold at every dose. */
static void a_kernel_with_doses_names_its_leaf(void **state)
{
    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);

        assert_int_equal(starts_with(kernel->name, "mix."), kernel->doses != 0);
        if (kernel->doses == 0)
            continue;
        if (kernel->doses < 11)
            fail_msg("%s has %u doses, fewer than 11", kernel->name, (unsigned)kernel->doses);
        if (kernel->leaf[0] == '\0')
            fail_msg("%s names no leaf", kernel->name);
        if (expectation_of(kernel, kernel->leaf) != NULL)
            fail_msg("%s states a range of its leaf, for every dose", kernel->name);
    }
}

/* What kernels *.remote claim holds of another package only; what other kernels claim of lines that
 * another core has holds within one package. A core that is cleared for a write is cleared for one
 * from anywhere. */
static void a_partner_is_of_the_package_that_the_claims_are_about(void **state)
{
    static const struct {
        const char *name;
        enum kernel_partner_place place;
    } rows[] = {
        {"be.mem.contested", PARTNER_SAME_PACKAGE},
        {"be.mem.shared", PARTNER_SAME_PACKAGE},
        {"be.mem.false_sharing", PARTNER_SAME_PACKAGE},
        {"be.mem.contested.remote", PARTNER_OTHER_PACKAGE},
        {"be.mem.shared.remote", PARTNER_OTHER_PACKAGE},
        {"be.mem.false_sharing.remote", PARTNER_OTHER_PACKAGE},
        {"clears.ordering", PARTNER_ANYWHERE},
    };
    unsigned partners = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_non_null(kernels_named(rows[i].name)->partner);
        assert_int_equal(kernels_named(rows[i].name)->partner_place, rows[i].place);
    }
    for (unsigned i = 0; i < kernels_count(); i++)
        partners += kernels_at(i)->partner != NULL;
    assert_int_equal(partners, COUNT_OF(rows));
}

static void calibration_kernels_state_every_count_exactly(void **state)
{
    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);

        if (!starts_with(kernel->name, "cal."))
            continue;
        for (uint64_t k = 0; k < kernel->expectation_count; k++)
            assert_string_equal(kernel->expectations[k].low, kernel->expectations[k].high);
    }
}

/* A profile is scaled by these counts. */
static void profiled_kernels_state_instructions_and_branches_exactly(void **state)
{
    static const char *const events[] = {"INST_RETIRED.ANY", "BR_INST_RETIRED.ALL_BRANCHES",
                                         "BR_INST_RETIRED.NEAR_TAKEN"};

    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++)
        for (size_t k = 0; k < COUNT_OF(events); k++) {
            const struct kernel_expectation *expectation = expectation_of(kernels_at(i), events[k]);

            if (!starts_with(kernels_at(i)->name, "cpi."))
                continue;
            if (expectation == NULL)
                fail_msg("%s does not state %s", kernels_at(i)->name, events[k]);
            assert_string_equal(expectation->low, expectation->high);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_registered_by_name_once),
        cmocka_unit_test(every_kernel_is_complete),
        cmocka_unit_test(every_expectation_is_a_range_for_something),
        cmocka_unit_test(every_family_claims_its_own_category),
        cmocka_unit_test(a_kernel_with_doses_names_its_leaf),
        cmocka_unit_test(a_partner_is_of_the_package_that_the_claims_are_about),
        cmocka_unit_test(calibration_kernels_state_every_count_exactly),
        cmocka_unit_test(profiled_kernels_state_instructions_and_branches_exactly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
