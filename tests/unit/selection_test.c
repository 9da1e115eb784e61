/* Which nodes are measured: by level, by name, step by step. */
#include "tests/unit/cmocka_all.h"

#include "harness/plan/selection.h"
#include "tests/unit/descriptions.h"

/* The tree: a (1) has aa (2), which has aaa (3); b (1) has ba (2). */
static const char tree[] = "cpu test\n"
                           "width 4\n"
                           "event E 0x3c umask 0\n"
                           "topdown formula levels 3\n"
                           "let helper = E + 1\n"
                           "node a level 1 = helper above 0.2\n"
                           "node aa level 2 parent a = E above 0.2\n"
                           "node aaa level 3 parent aa = E above 0.2\n"
                           "node b level 1 = E above 0.2\n"
                           "node ba level 2 parent b = E above 0.2\n";

static struct description description;

static int set_up(void **state)
{
    struct complaint complaint;

    (void)state;
    return tests_parse(&description, tree, &complaint) == RC_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static unsigned number_of(const char *name)
{
    const struct node *node = description_node(&description, name);

    assert_non_null(node);
    return (unsigned)(node - description.nodes);
}

static void assert_selected(const struct selection *selection, const char *a, const char *aa,
                            const char *aaa, const char *b, const char *ba)
{
    const char *const wanted[] = {a, aa, aaa, b, ba};
    const char *const names[] = {"a", "aa", "aaa", "b", "ba"};

    for (unsigned i = 0; i < 5; i++) {
        if (selection_has(selection, number_of(names[i])) != (wanted[i] != NULL))
            fail_msg("%s is %s", names[i], wanted[i] ? "missing" : "there");
    }
    assert_false(selection_has(selection, number_of("helper")));
}

static void levels_take_nodes_and_no_lets(void **state)
{
    struct selection selection;

    (void)state;
    selection_levels(&selection, &description, 1);
    assert_selected(&selection, "a", NULL, NULL, "b", NULL);
    selection_levels(&selection, &description, 2);
    assert_selected(&selection, "a", "aa", NULL, "b", "ba");
    assert_int_equal(selection_depth(&description), 3);
}

static void a_name_selects_the_nodes_above_it_too(void **state)
{
    struct selection selection = {.both = false};

    (void)state;
    assert_true(selection_named(&selection, &description, "aaa"));
    assert_selected(&selection, "a", "aa", "aaa", NULL, NULL);
    assert_false(selection_named(&selection, &description, "c"));
    assert_false(selection_named(&selection, &description, "helper"));
    assert_false(selection_named(&selection, &description, "E"));
}

static void only_children_of_nodes_over_their_threshold_follow(void **state)
{
    struct selection measured, over = {.both = false}, next;

    (void)state;
    selection_levels(&measured, &description, 1);
    selection_children(&next, &description, &over, &measured);
    assert_true(selection_is_empty(&next));
    selection_add(&over, number_of("a"));
    selection_children(&next, &description, &over, &measured);
    assert_selected(&next, NULL, "aa", NULL, NULL, NULL);
    selection_join(&measured, &next);
    selection_children(&next, &description, &over, &measured);
    assert_true(selection_is_empty(&next));
    selection_add(&over, number_of("aa"));
    selection_children(&next, &description, &over, &measured);
    assert_selected(&next, NULL, NULL, "aaa", NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(levels_take_nodes_and_no_lets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_selects_the_nodes_above_it_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_children_of_nodes_over_their_threshold_follow, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
