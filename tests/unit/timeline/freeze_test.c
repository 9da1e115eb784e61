/* Which freeze a core has, and passes that freeze. Numbers: SDM 3B, "Freezing LBR and Performance
 * Counters on PMI" (IA32_DEBUGCTL bit 12), "Architectural Performance Monitoring Version 2"
 * (IA32_FIXED_CTR_CTRL: four bits a counter, the highest enables its PMI). */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/freeze.h"
#include "pmu/plan_pass.h"

enum { DEBUGCTL = 0x1d9, FIXED_CTR1 = 0x30a, FIXED_CTR_CTRL = 0x38d };

static struct facts core_of_version(uint32_t version)
{
    return (struct facts){.kind = &intel_kind,
                          .intel = true,
                          .family = 6,
                          .model = 0x55,
                          .version = version,
                          .general_count = 4,
                          .general_width = 48,
                          .fixed_count = 3,
                          .fixed_mask = 7,
                          .fixed_width = 48};
}

static enum freeze freeze_of(const struct facts *facts, const char *reason)
{
    const char *why;
    const enum freeze freeze = freeze_kind(facts, &why);

    assert_true((freeze == FREEZE_NONE) == (why != NULL));
    if (reason != NULL)
        assert_non_null(strstr(why, reason));
    return freeze;
}

static void versions_2_and_3_freeze_with_the_pmi_later_ones_with_the_overflow(void **state)
{
    (void)state;
    for (uint32_t version = 1; version <= 6; version++) {
        const struct facts facts = core_of_version(version);

        assert_int_equal(freeze_of(&facts, version == 1 ? "version 1" : NULL),
                         version < 2   ? FREEZE_NONE
                         : version < 4 ? FREEZE_LEGACY
                                       : FREEZE_STREAMLINED);
    }
}

static void a_core_that_cannot_freeze_says_why(void **state)
{
    struct facts facts = core_of_version(4);

    (void)state;
    facts.absent = "it is made of wood";
    assert_int_equal(freeze_of(&facts, "wood"), FREEZE_NONE);
    facts = core_of_version(4);
    facts.fixed_mask = 5; /* no fixed counter 1 */
    assert_int_equal(freeze_of(&facts, "core cycles"), FREEZE_NONE);
    facts = core_of_version(4);
    facts.model = 0x5c; /* Goldmont, stepping 9: from microcode 0x2e on */
    facts.stepping = 9;
    facts.microcode = 0x2d;
    assert_int_equal(freeze_of(&facts, "microcode"), FREEZE_NONE);
    facts.microcode = 0x2e;
    assert_int_equal(freeze_of(&facts, NULL), FREEZE_STREAMLINED);
}

static uint64_t written(const struct pass *pass, uint32_t msr)
{
    uint64_t value = 0;
    unsigned writes = 0;

    for (unsigned i = 0; i < pass->setup_count; i++) {
        if (pass->setup[i].msr == msr) {
            value = pass->setup[i].value;
            writes++;
        }
    }
    assert_int_equal(writes, 1);
    return value;
}

static void an_armed_pass_freezes_when_fixed_counter_1_overflows(void **state)
{
    static const struct event instructions = {.name = "INST_RETIRED.ANY"};
    static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD"};
    const struct facts facts = core_of_version(4);
    const struct assignment assignment = {.fixed = {&instructions, &cycles}};
    struct pass pass;

    (void)state;
    pass_make(&pass, &facts, &assignment);
    assert_true(freeze_arm(&pass, &facts));
    freeze_preset(&pass, &facts, 1);
    assert_int_equal(written(&pass, DEBUGCTL), 0x1000);
    assert_int_equal(written(&pass, FIXED_CTR_CTRL), 0xb3);
    assert_true(written(&pass, FIXED_CTR1) ==
                0xffffffffffff); /* 48 bits: the next cycle overflows */
    freeze_preset(&pass, &facts, 256);
    assert_true(written(&pass, FIXED_CTR1) == 0xffffffffff00);
}

static void a_pass_without_the_cycle_counter_cannot_be_armed(void **state)
{
    static const struct event instructions = {.name = "INST_RETIRED.ANY"};
    const struct facts facts = core_of_version(4);
    const struct assignment assignment = {.fixed = {&instructions}};
    struct pass pass;

    (void)state;
    pass_make(&pass, &facts, &assignment);
    assert_false(freeze_arm(&pass, &facts));
}

/* From 2^48 - 100 on: frozen at 0 after 100 cycles, at 12 after 112; stopped before at 2^48 - 60.
 */
static void cycles_are_counted_across_the_overflow(void **state)
{
    const struct facts facts = core_of_version(3);

    (void)state;
    assert_int_equal(freeze_counted(&facts, 100, 0), 100);
    assert_int_equal(freeze_counted(&facts, 100, 12), 112);
    assert_int_equal(freeze_counted(&facts, 100, (1ull << 48) - 60), 40);
}

static void the_end_leaves_nothing_that_freezes(void **state)
{
    const struct facts facts = core_of_version(4);
    struct pass pass;

    (void)state;
    freeze_end(&pass, &facts);
    assert_int_equal(written(&pass, DEBUGCTL), 0);
    assert_int_equal(written(&pass, FIXED_CTR_CTRL), 0);
    assert_true(written(&pass, 0x390) >> 59 & 1); /* CTR_FRZ is cleared */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_2_and_3_freeze_with_the_pmi_later_ones_with_the_overflow),
        cmocka_unit_test(a_core_that_cannot_freeze_says_why),
        cmocka_unit_test(an_armed_pass_freezes_when_fixed_counter_1_overflows),
        cmocka_unit_test(a_pass_without_the_cycle_counter_cannot_be_armed),
        cmocka_unit_test(cycles_are_counted_across_the_overflow),
        cmocka_unit_test(the_end_leaves_nothing_that_freezes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
