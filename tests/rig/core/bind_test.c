/* Which port a uop is bound to: the rules as their source words them ("uiCA", A. Abel, J. Reineke,
 * "Accurate Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures", ICS 2022),
 * worked out by hand. */
#include "model_test.h"

#include "core/cycle/ports.h"
#include "core/cycle/state.h"
#include "core/pipeline/bind.h"

extern const struct model_parameters ivybridge_core, haswell_core;

#define ALU (PORT(0) | PORT(1) | PORT(5) | PORT(6))

static struct model model;

/* Uops that wait for ports: a count for each, port 0 first. */
static void waits(const char *waiting)
{
    memset(&model, 0, sizeof(model));
    model.p = &skylakex_core;
    for (unsigned i = 0; waiting[i] != '\0'; i++)
        model.dispatch.bound.of[i] = (uint8_t)(waiting[i] - '0');
}

/* One uop in each slot of a cycle; `expected` has a digit for each. */
static void check_slots(uint16_t ports, const char *expected)
{
    for (unsigned i = 0; expected[i] != '\0'; i++) {
        model.allocator.issued = i + 1;
        assert_int_equal(bind_port(&model, ports), PORT(expected[i] - '0'));
    }
}

static void the_least_loaded_ports_are_taken_in_turn(void **state)
{
    (void)state;
    waits("00000000"); /* of equal ports that with the highest number is first */
    check_slots(ALU, "6565");
    waits("00000220");
    check_slots(ALU, "1010");
    waits("10000123");
    check_slots(ALU, "1515");
}

static void a_port_with_three_more_uops_is_left_alone(void **state)
{
    (void)state;
    waits("20000020");
    check_slots(PORT(0) | PORT(6), "6060");
    waits("30000000");
    check_slots(PORT(0) | PORT(6), "6666");
    waits("20000000");
    check_slots(PORT(0) | PORT(6), "6060");
}

/* On Ivy Bridge only uops for ports 2 and 3 are bound, and are not counted. */
static void ivy_bridge_binds_loads_alone(void **state)
{
    (void)state;
    waits("00900000");
    model.p = &ivybridge_core;
    assert_true(binds(model.p, PORT(2) | PORT(3)));
    assert_false(binds(model.p, PORT(0) | PORT(1) | PORT(5)));
    check_slots(PORT(2) | PORT(3), "2323");
    assert_int_equal(model.dispatch.binding.of[2] + model.dispatch.binding.of[3], 0);
}

/* Of free ports that which fewer uops took of late, else the lowest; counts of 8 are halved. On
 * other cores the lowest. */
static void a_uop_takes_the_free_port_that_fewer_took(void **state)
{
    static const uint16_t alu = PORT(0) | PORT(1) | PORT(5);

    (void)state;
    waits("00000000");
    model.p = &haswell_core;
    assert_int_equal(ports_choose(model.p, &model.dispatch, alu), PORT(0));
    assert_int_equal(ports_choose(model.p, &model.dispatch, alu), PORT(1));
    assert_int_equal(ports_choose(model.p, &model.dispatch, alu), PORT(5));
    for (unsigned i = 0; i < 6; i++) /* 7 for port 0 */
        assert_int_equal(ports_choose(model.p, &model.dispatch, PORT(0)), PORT(0));
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(ports_choose(model.p, &model.dispatch, PORT(0) | PORT(5)), PORT(5));
    assert_int_equal(ports_choose(model.p, &model.dispatch, PORT(5)), PORT(5)); /* 8: 3, 0 and 4 */
    assert_int_equal(model.dispatch.taken.of[0], 3);
    assert_int_equal(model.dispatch.taken.of[1], 0);
    assert_int_equal(model.dispatch.taken.of[5], 4);
    assert_int_equal(ports_choose(model.p, &model.dispatch, alu), PORT(1));
    assert_int_equal(ports_choose(model.p, &model.dispatch, 0), 0);
    model.p = &icelakex_core;
    assert_int_equal(ports_choose(model.p, &model.dispatch, alu), PORT(0));
    assert_int_equal(ports_choose(model.p, &model.dispatch, alu), PORT(0));
}

static void uops_of_one_cycle_do_not_see_each_other(void **state)
{
    (void)state;
    waits("00000000");
    check_slots(PORT(6), "6666");
    check_slots(ALU, "6565");
    assert_int_equal(model.dispatch.binding.of[6], 6);
    assert_int_equal(model.dispatch.binding.of[5], 2);
}

static void loads_use_both_ports_in_turn(void **state)
{
    (void)state;
    waits("00900000");
    check_slots(PORT(2) | PORT(3), "2323");
    check_slots(PORT(2) | PORT(3) | PORT(7), "7373"); /* a store's address goes by the counts */
}

/* Loads from memory, what waits for them, and jumps that are mispredicted half of the time, with
 * uops of the wrong paths. */
static void run_waits(struct bench *bench, unsigned turn)
{
    const bool taken = next_random(bench) & 1;

    reads(bench, CODE("\x48\x8b\x03"), DATA_START + (uint64_t)turn * 7 * LINE); /* mov rax, [rbx] */
    plain(bench, CODE("\x48\x01\xc1"));                                         /* add rcx, rax */
    plain(bench, CODE("\x48\xff\xc2"));                                         /* inc rdx */
    goes(bench, CODE("\x74\x04"), taken ? 4 : 0);                               /* jz */
    if (!taken)
        plain(bench, NOP);
}

static void no_uop_is_counted_when_all_have_begun(void **state)
{
    static const union port_counts none;
    struct bench bench;

    (void)state;
    begin(&bench, &skylakex_core);
    model_wrong_paths(bench.model, 7);
    for (unsigned round = 0; round < 20; round++) {
        turns(&bench, run_waits, 50 * round, 50);
        model_idle(bench.model, 100);
        assert_memory_equal(&bench.model->dispatch.bound, &none, sizeof(none));
        assert_memory_equal(&bench.model->dispatch.binding, &none, sizeof(none));
    }
    assert_true(bench.mispredicted > 100);
    end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_loaded_ports_are_taken_in_turn),
        cmocka_unit_test(a_port_with_three_more_uops_is_left_alone),
        cmocka_unit_test(ivy_bridge_binds_loads_alone),
        cmocka_unit_test(a_uop_takes_the_free_port_that_fewer_took),
        cmocka_unit_test(uops_of_one_cycle_do_not_see_each_other),
        cmocka_unit_test(loads_use_both_ports_in_turn),
        cmocka_unit_test(no_uop_is_counted_when_all_have_begun),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
