/* gains: what taking causes away saves, by hand. */
#include "tests/unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "tests/tools/gains.h"

#define NEAR 1e-12

static void assert_gain(double value, double expected)
{
    assert_true(fabs(value - expected) < NEAR);
}

/* An iteration takes 10 cycles; each of two causes alone is worth 2 and 3, both together 8. */
static struct gains of_ten_cycles(void)
{
    struct gains gains;

    for (unsigned i = 0; i < GAIN_SETS; i++)
        gains.cycles[i] = NAN;
    gains.cycles[0] = 10;
    gains.cycles[GAIN_MEMORY] = 8;
    gains.cycles[GAIN_CORE] = 7;
    gains.cycles[GAIN_MEMORY | GAIN_CORE] = 2;
    gains.cycles[GAIN_BRANCHES] = 6;
    gains.cycles[GAIN_FRONTEND] = 6;
    gains.cycles[GAIN_BRANCHES | GAIN_FRONTEND] = 6;
    gains.cycles[GAIN_ALL] = 1.5;
    return gains;
}

/* On a core of width 4: 10 cycles are 40 slots, of which 2 cycles are 8. */
static void what_is_gained_is_the_slots_saved_of_the_slots_of_the_run(void **state)
{
    const struct gains gains = of_ten_cycles();

    (void)state;
    assert_gain(gained(&gains, GAIN_MEMORY), 8.0 / 40);
    assert_gain(gained(&gains, GAIN_CORE), 12.0 / 40);
    assert_gain(gained(&gains, 0), 0);
}

static void what_takes_longer_without_a_cause_has_a_gain_below_zero(void **state)
{
    struct gains gains = of_ten_cycles();

    (void)state;
    gains.cycles[GAIN_CLEARS] = 11;
    assert_gain(gained(&gains, GAIN_CLEARS), -0.1);
}

static void what_was_not_measured_has_no_gain(void **state)
{
    struct gains gains = of_ten_cycles();

    (void)state;
    assert_true(isnan(gained(&gains, GAIN_CLEARS)));
    assert_true(isnan(gain_interaction(&gains, GAIN_MEMORY, GAIN_BRANCHES)));
    gains.cycles[0] = 0;
    assert_true(isnan(gained(&gains, GAIN_MEMORY)));
}

/* 0.8 less 0.2 and 0.3; 0.4 less twice 0.4. */
static void an_interaction_is_what_both_gain_less_what_each_gains(void **state)
{
    const struct gains gains = of_ten_cycles();

    (void)state;
    assert_gain(gain_interaction(&gains, GAIN_MEMORY, GAIN_CORE), 0.3);
    assert_gain(gain_interaction(&gains, GAIN_CORE, GAIN_MEMORY), 0.3);
    assert_gain(gain_interaction(&gains, GAIN_BRANCHES, GAIN_FRONTEND), -0.4);
}

/* Without all others memory is worth another 3.5 of 10 cycles: 5 less 1.5. */
static void what_is_taken_away_last_saves_what_the_others_left(void **state)
{
    struct gains gains = of_ten_cycles();

    (void)state;
    assert_true(isnan(gained_last(&gains, GAIN_MEMORY)));
    gains.cycles[GAIN_ALL & ~(unsigned)GAIN_MEMORY] = 5;
    assert_gain(gained_last(&gains, GAIN_MEMORY), 0.35);
}

static double of_node(const char *name)
{
    const struct gains gains = of_ten_cycles();

    for (size_t i = 0; i < gain_node_count; i++)
        if (strcmp(gain_nodes[i].name, name) == 0)
            return gain_of_node(&gains, &gain_nodes[i]);
    fail_msg("there is no node %s", name);
    return NAN;
}

static void each_cause_answers_for_its_node(void **state)
{
    (void)state;
    assert_gain(of_node("tma_memory_bound"), 0.2);
    assert_gain(of_node("tma_core_bound"), 0.3);
    assert_gain(of_node("tma_backend_bound"), 0.8);
    assert_gain(of_node("tma_frontend_bound"), 0.4);
    assert_gain(of_node("tma_branch_mispredicts"), 0.4);
    assert_true(isnan(of_node("tma_machine_clears")));
    assert_true(isnan(of_node("tma_fetch_latency")));
}

static void retiring_is_what_is_left_without_any_cause(void **state)
{
    (void)state;
    assert_gain(of_node("tma_retiring"), 0.15);
}

static void names_are_read_and_unknown_ones_named(void **state)
{
    const char *bad;
    size_t length;
    unsigned set;

    (void)state;
    assert_true(gain_set("core,memory", &set, &bad, &length));
    assert_int_equal(set, GAIN_CORE | GAIN_MEMORY);
    assert_true(gain_set("memory,branches,frontend,clears,core", &set, &bad, &length));
    assert_int_equal(set, GAIN_ALL);
    assert_false(gain_set("memory,cor,core", &set, &bad, &length));
    assert_int_equal(length, 3);
    assert_memory_equal(bad, "cor", 3);
    assert_false(gain_set("", &set, &bad, &length));
    assert_false(gain_set("memory,", &set, &bad, &length));
}

static void a_set_is_named_by_its_causes(void **state)
{
    char text[40];

    (void)state;
    assert_true(gain_name(GAIN_CORE | GAIN_MEMORY, text, sizeof(text)));
    assert_string_equal(text, "memory+core");
    assert_true(gain_name(GAIN_ALL, text, sizeof(text)));
    assert_string_equal(text, "memory+branches+frontend+clears+core");
    assert_false(gain_name(GAIN_ALL, text, 36));
    assert_true(gain_name(0, text, sizeof(text)));
    assert_string_equal(text, "");
    assert_false(gain_name(0, text, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_gained_is_the_slots_saved_of_the_slots_of_the_run),
        cmocka_unit_test(what_takes_longer_without_a_cause_has_a_gain_below_zero),
        cmocka_unit_test(what_was_not_measured_has_no_gain),
        cmocka_unit_test(an_interaction_is_what_both_gain_less_what_each_gains),
        cmocka_unit_test(what_is_taken_away_last_saves_what_the_others_left),
        cmocka_unit_test(each_cause_answers_for_its_node),
        cmocka_unit_test(retiring_is_what_is_left_without_any_cause),
        cmocka_unit_test(names_are_read_and_unknown_ones_named),
        cmocka_unit_test(a_set_is_named_by_its_causes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
