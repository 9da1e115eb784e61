/* What follows from a line of mechanisms.inc: the state is compared, an interrupt and functional
 * warming take from it what they should, and `--ideal` the figures. */
#include "core/ideal.h"
#include "core/mechanism_rules.h"
#include "core/snapshot.h"
#include "model_test.h"

extern const struct model_parameters ivybridge_core, sapphirerapids_core;

/* Of a core with these figures, in cycle 0. */
static struct snapshot of(const struct model_parameters *parameters,
                          const struct mechanisms *mechanisms, uint64_t *words)
{
    struct snapshot snapshot = {.word = words, .room = sizeof(struct mechanisms) / 8 + 1};

    mechanisms_snapshot(parameters, mechanisms, 0, &snapshot);
    assert_false(snapshot.full);
    return snapshot;
}

/* How many bytes of the state change its snapshot in cycle 0, one at a time. The figures are any
 * that are not zero. */
static size_t bytes_that_count(size_t figures_at, size_t at, size_t bytes)
{
    static uint64_t before[sizeof(struct mechanisms) / 8 + 1], after[sizeof(before) / 8];
    struct model_parameters parameters = {.name = NULL};
    struct mechanisms zero, changed;
    struct snapshot first, second;
    size_t count = 0;

    ((uint8_t *)&parameters)[figures_at] = 1;
    memset(&zero, 0, sizeof(zero));
    first = of(&parameters, &zero, before);
    for (size_t i = 0; i < bytes; i++) {
        changed = zero;
        ((uint8_t *)&changed)[at + i] = 1;
        second = of(&parameters, &changed, after);
        count += !snapshot_equal(&first, &second);
    }
    return count;
}

/* All of it where the state is compared as it is. */
static void each_state_is_compared(void **state)
{
    size_t count;

    (void)state;
#define MECHANISM(name)                                                                            \
    count = bytes_that_count(offsetof(struct model_parameters, name),                              \
                             offsetof(struct mechanisms, name), sizeof(struct name##_state));      \
    if (count == 0 || (name##_rules.relative == NULL && count < sizeof(struct name##_state)))      \
        fail_msg(#name ": %zu of %zu bytes are compared", count, sizeof(struct name##_state));
#include "core/mechanisms.inc"
#undef MECHANISM
}

static void the_state_of_a_mechanism_that_a_core_lacks_is_not_compared(void **state)
{
    static const struct model_parameters none;
    static struct mechanisms mechanisms;
    uint64_t words[1];

    (void)state;
    memset(&mechanisms, 1, sizeof(mechanisms));
    assert_int_equal(of(&none, &mechanisms, words).count, 0);
}

/* Cycle 100 seen from 100 is cycle 7 seen from 7. A load that began before concerns no other, and a
 * register that was free two cycles ago is as free as any. */
static void cycles_are_compared_as_distances(void **state)
{
    static struct mechanisms one, other;

    (void)state;
    one.banks.uses[103 % BANK_USES] = (struct bank_use){.cycle = 103, .bank = 5, .set = 9};
    one.banks.uses[99 % BANK_USES] = (struct bank_use){.cycle = 99, .bank = 1, .set = 1};
    other.banks.uses[10] = (struct bank_use){.cycle = 10, .bank = 5, .set = 9};
    banks_rules.relative(&one.banks, 100);
    banks_rules.relative(&other.banks, 7);
    assert_memory_equal(&one.banks, &other.banks, sizeof(one.banks));
    one.split_registers.free[3] = 104;
    one.split_registers.free[4] = 98;
    other.split_registers.free[3] = 11;
    split_registers_rules.relative(&one.split_registers, 100);
    split_registers_rules.relative(&other.split_registers, 7);
    assert_memory_equal(&one.split_registers, &other.split_registers, sizeof(one.split_registers));
    one.small_adds = (struct small_adds_state){.cycle = 100, .made = 3};
    other.small_adds = (struct small_adds_state){.cycle = 7, .made = 3};
    small_adds_rules.relative(&one.small_adds, 100);
    small_adds_rules.relative(&other.small_adds, 7);
    assert_memory_equal(&one.small_adds, &other.small_adds, sizeof(one.small_adds));
    assert_int_equal(one.small_adds.made, 3);
    one.small_adds = (struct small_adds_state){.cycle = 99, .made = 3};
    small_adds_rules.relative(&one.small_adds, 100);
    assert_int_equal(one.small_adds.made, 0);
}

/* The frame of an interrupt is pushed with RSP brought up to date; high bytes stay as they are. */
static void an_interrupt_and_warming_take_what_they_should(void **state)
{
    static struct mechanisms mechanisms;

    (void)state;
    mechanisms.stack_engine.moved = true;
    mechanisms.high_bytes.written = 2;
    mechanisms_interrupted(&mechanisms);
    assert_false(mechanisms.stack_engine.moved);
    assert_int_equal(mechanisms.high_bytes.written, 2);
    mechanisms.stack_engine.moved = true;
    mechanisms_unobserved(&mechanisms);
    assert_true(mechanisms.stack_engine.moved);
    assert_int_equal(mechanisms.high_bytes.written, 0);
}

static struct model_parameters ideal(const struct model_parameters *core, unsigned ideals)
{
    struct model_parameters parameters = *core;

    ideal_core(&parameters, ideals);
    return parameters;
}

static void a_core_without_a_cause_has_ideal_figures(void **state)
{
    (void)state;
    assert_true(ideal(&ivybridge_core, IDEAL_FRONTEND).banks.conflict);
    assert_false(ideal(&ivybridge_core, IDEAL_MEMORY).banks.conflict);
    assert_false(ideal(&ivybridge_core, IDEAL_CORE).banks.conflict);
    assert_int_equal(ideal(&ivybridge_core, IDEAL_CORE).split_registers.count, 8);
    assert_int_equal(ideal(&ivybridge_core, IDEAL_MEMORY).split_registers.count, 0);
    assert_int_equal(ideal(&ivybridge_core, IDEAL_MEMORY).moves.slots, 4);
    assert_int_equal(ideal(&ivybridge_core, IDEAL_CORE).moves.slots, 0);
    assert_int_equal(ideal(&ivybridge_core, IDEAL_CORE).small_adds.a_cycle, 0);
    assert_int_equal(ideal(&sapphirerapids_core, IDEAL_CORE).small_adds.a_cycle, UINT8_MAX);
    assert_true(ideal(&ivybridge_core, IDEAL_CORE | IDEAL_MEMORY).stack_engine.present);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_state_is_compared),
        cmocka_unit_test(the_state_of_a_mechanism_that_a_core_lacks_is_not_compared),
        cmocka_unit_test(cycles_are_compared_as_distances),
        cmocka_unit_test(an_interrupt_and_warming_take_what_they_should),
        cmocka_unit_test(a_core_without_a_cause_has_ideal_figures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
