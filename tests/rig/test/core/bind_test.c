/* Which port a uop is bound to: the rules as their source words them ("uiCA", A. Abel, J. Reineke,
 * "Accurate Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures", ICS 2022),
 * worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/cycle/state.h"
#include "core/pipeline/bind.h"

extern const struct model_parameters skylakex_core;

#define ALU (PORT(0) | PORT(1) | PORT(5) | PORT(6))

static struct model model;

/* Uops that wait for ports: a count for each, port 0 first. */
static void begin(const char *waiting)
{
    memset(&model, 0, sizeof(model));
    model.p = &skylakex_core;
    for (unsigned i = 0; waiting[i] != '\0'; i++)
        model.bound.of[i] = (uint8_t)(waiting[i] - '0');
}

/* One uop in each slot of a cycle; `expected` has a digit for each. */
static void check_slots(uint16_t ports, const char *expected)
{
    for (unsigned i = 0; expected[i] != '\0'; i++) {
        model.issued = i + 1;
        assert_int_equal(bind_port(&model, ports), PORT(expected[i] - '0'));
    }
}

static void the_least_loaded_ports_are_taken_in_turn(void **state)
{
    (void)state;
    begin("00000000"); /* of equal ports that with the highest number is first */
    check_slots(ALU, "6565");
    begin("00000220");
    check_slots(ALU, "1010");
    begin("10000123");
    check_slots(ALU, "1515");
}

static void a_port_with_three_more_uops_is_left_alone(void **state)
{
    (void)state;
    begin("20000020");
    check_slots(PORT(0) | PORT(6), "6060");
    begin("30000000");
    check_slots(PORT(0) | PORT(6), "6666");
    begin("20000000");
    check_slots(PORT(0) | PORT(6), "6060");
}

static void uops_of_one_cycle_do_not_see_each_other(void **state)
{
    (void)state;
    begin("00000000");
    check_slots(PORT(6), "6666");
    check_slots(ALU, "6565");
    assert_int_equal(model.binding.of[6], 6);
    assert_int_equal(model.binding.of[5], 2);
}

static void loads_use_both_ports_in_turn(void **state)
{
    (void)state;
    begin("00900000");
    check_slots(PORT(2) | PORT(3), "2323");
    check_slots(PORT(2) | PORT(3) | PORT(7), "7373"); /* a store's address goes by the counts */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_loaded_ports_are_taken_in_turn),
        cmocka_unit_test(a_port_with_three_more_uops_is_left_alone),
        cmocka_unit_test(uops_of_one_cycle_do_not_see_each_other),
        cmocka_unit_test(loads_use_both_ports_in_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
