/* How exactly an event counts, from the kernels that pin it down. */
#include "tests/unit/cmocka_all.h"

#include <math.h>

#include "harness/judge/exactness.h"
#include "tests/unit/descriptions.h"

static const char text[] = "cpu test\n"
                           "width 4\n"
                           "event A 0x01 umask 0\n"
                           "event B 0x02 umask 0\n"
                           "event C 0x03 umask 0\n"
                           "parameter #SMT_on 0\n"
                           "topdown formula levels 1\n"
                           "let half = B / 2\n"
                           "node tma_x level 1 = A / 100\n"
                           "node tma_y level 1 = half / 100\n"
                           "node tma_z level 1 = C / 100 if #SMT_on else A\n";

static struct description description;
static struct pinned pinned[3];
static struct exactness exactness = {pinned};

static int set_up(void **state)
{
    struct complaint complaint;

    (void)state;
    memset(pinned, 0, sizeof(pinned));
    return tests_parse(&description, text, &complaint) == RC_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static const struct pinned *note(const char *name, double expected, double measured, bool exact)
{
    const struct event *event = description_event(&description, name);

    exactness_note(&exactness, &description, event, expected, measured, exact);
    return &pinned[event - description.events];
}

static void an_event_that_nothing_pins_is_not_provable(void **state)
{
    double ratio;

    (void)state;
    assert_int_equal(exactness_of(&pinned[0]), EXACTNESS_NOT_PROVABLE);
    assert_false(exactness_ratio(&pinned[0], &ratio));
}

static void one_wrong_kernel_outweighs_the_right_ones(void **state)
{
    double ratio;

    (void)state;
    assert_int_equal(exactness_of(note("A", 100, 100, true)), EXACTNESS_EXACT);
    assert_int_equal(exactness_of(note("A", 100, 80, false)), EXACTNESS_UNDER);
    assert_int_equal(exactness_of(note("B", 100, 130, false)), EXACTNESS_OVER);
    assert_true(exactness_ratio(&pinned[0], &ratio));
    assert_true(fabs(ratio - 0.9) < 1e-12); /* 180 of 200 */
}

static void a_count_where_0_is_expected_has_no_ratio(void **state)
{
    double ratio;

    (void)state;
    assert_int_equal(exactness_of(note("A", 0, 7, false)), EXACTNESS_OVER);
    assert_int_equal(exactness_of(note("B", 0, 0, true)), EXACTNESS_AT_0);
    assert_int_equal(exactness_of(note("B", 5, 5, true)), EXACTNESS_EXACT);
    assert_false(exactness_ratio(&pinned[0], &ratio));
}

static const char *doubt_of(const char *node, double smt)
{
    const struct extra extras[] = {{"#SMT_on", smt}};
    const struct counts given = {&description, NULL, 0, extras, 1, NULL};
    const struct event *event =
        exactness_doubt(&exactness, &given, &description_node(&description, node)->formula);

    return event != NULL ? event->name : "none";
}

static void a_formula_is_doubtful_when_an_event_that_it_needs_is(void **state)
{
    (void)state;
    note("B", 1000, 1005, false); /* half a per cent: no reason to doubt */
    note("C", 1000, 1000, true);
    assert_string_equal(doubt_of("tma_y", 0), "none");
    note("B", 1000, 980, false);
    assert_string_equal(doubt_of("tma_y", 0), "B"); /* through a let */
    assert_string_equal(doubt_of("tma_x", 0), "none");
    note("A", 1000, 500, false);
    assert_string_equal(doubt_of("tma_z", 0), "A");
    assert_string_equal(doubt_of("tma_z", 1), "none"); /* the other arm is taken */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_event_that_nothing_pins_is_not_provable, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_wrong_kernel_outweighs_the_right_ones, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_count_where_0_is_expected_has_no_ratio, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_formula_is_doubtful_when_an_event_that_it_needs_is,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
