/* Events on other counters in each repeat; the registers' numbers are the SDM's. */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/pass_turn.h"

#define EVTSEL0 0x186u
#define PMC0    0xc1u

static const struct event any[3] = {{.name = "A", .code = 1, .counters = ~0u},
                                    {.name = "B", .code = 2, .counters = ~0u},
                                    {.name = "C", .code = 3, .counters = ~0u}};
static const struct event third = {.name = "D", .code = 4, .counters = 1u << 2};
static const struct facts facts = {
    .kind = &intel_kind, .version = 4, .general_count = 4, .general_width = 48};

static uint64_t select_of(const struct pass *pass, unsigned counter)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < pass->setup_count; i++)
        if (pass->setup[i].msr == EVTSEL0 + counter)
            value = pass->setup[i].value;
    return value & 0xff;
}

static unsigned counter_of(const struct pass *pass, const struct event *event)
{
    for (unsigned i = 0; i < pass->reading_count; i++)
        if (pass->readings[i].event == event)
            return pass->readings[i].counter;
    return 99;
}

/* A, B, C on counters 0, 1, 3; D, which only counter 2 counts, stays there. */
static void each_event_moves_on_among_the_counters_that_all_of_them_may_have(void **state)
{
    static const struct assignment assignment = {.general = {&any[0], &any[1], &third, &any[2]}};
    static const unsigned counters[3] = {0, 1, 3};
    struct pass pass, turned;

    (void)state;
    pass_make(&pass, &facts, &assignment);
    assert_int_equal(pass_turns(&pass), 3);
    for (unsigned by = 0; by < 7; by++) {
        pass_turn(&turned, &pass, by);
        assert_int_equal(counter_of(&turned, &third), 2);
        assert_int_equal(select_of(&turned, 2), 4);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(counter_of(&turned, &any[i]), counters[(i + by) % 3]);
            assert_int_equal(select_of(&turned, counters[(i + by) % 3]), any[i].code);
            assert_ptr_equal(turned.readings[i < 2 ? i : 3].event, &any[i]);
        }
    }
}

/* The counters in use, and the registers written and their order, are those of the pass. */
static void nothing_else_changes(void **state)
{
    static const struct assignment assignment = {.general = {&any[0], &any[1], NULL, NULL}};
    struct pass pass, turned;

    (void)state;
    pass_make(&pass, &facts, &assignment);
    pass_turn(&turned, &pass, 1);
    assert_int_equal(turned.setup_count, pass.setup_count);
    for (unsigned i = 0; i < pass.setup_count; i++) {
        assert_int_equal(turned.setup[i].msr, pass.setup[i].msr);
        if (pass.setup[i].msr < EVTSEL0 || pass.setup[i].msr > EVTSEL0 + 1)
            assert_true(turned.setup[i].value == pass.setup[i].value);
    }
    assert_true(turned.enable.msr == pass.enable.msr && turned.enable.value == pass.enable.value);
    assert_true(turned.disable == pass.disable);
}

static void one_event_alone_cannot_move(void **state)
{
    static const struct assignment one = {.general = {&any[0]}};
    static const struct facts version_1 = {
        .kind = &intel_kind, .version = 1, .general_count = 2, .general_width = 40};
    struct pass pass, turned;

    (void)state;
    pass_make(&pass, &facts, &one);
    pass_turn(&turned, &pass, 1);
    assert_int_equal(pass_turns(&pass), 1);
    assert_memory_equal(&turned, &pass, sizeof(pass));
    pass_make(&pass, &version_1, &one); /* the enabling write selects */
    pass_turn(&turned, &pass, 1);
    assert_int_equal(pass_turns(&pass), 0);
    assert_memory_equal(&turned, &pass, sizeof(pass));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_moves_on_among_the_counters_that_all_of_them_may_have),
        cmocka_unit_test(nothing_else_changes),
        cmocka_unit_test(one_event_alone_cannot_move),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
