/* The last-branch stack: the order of its entries, their flags, and when a core has no stack. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/counters.h"
#include "pmu/lbr.h"
#include "tests/unit/seams.h"

static void seam_stack(uint64_t top)
{
    seams_reset();
    seam_msr(0x1c9, top);
    for (uint32_t i = 0; i < 32; i++) {
        seam_msr(0x680 + i, 0);
        seam_msr(0x6c0 + i, 0);
        seam_msr(0xdc0 + i, 0);
    }
}

static void seam_branch(uint32_t place, uint64_t from, uint64_t to, uint64_t info)
{
    seam_msr(0x680 + place, from);
    seam_msr(0x6c0 + place, to);
    seam_msr(0xdc0 + place, info);
}

static void entries_come_newest_first_from_the_top_and_around_the_end(void **state)
{
    struct lbr_stack stack;
    uint32_t failed;

    (void)state;
    seam_stack(1);
    seam_branch(31, 0x1000, 0x2000, 9);
    seam_branch(0, 0x2010, 0x3000, 1ULL << 63 | 20);
    seam_branch(1, 0x3010, 0x4000, 3);
    assert_int_equal(lbr_read(&stack, &failed), RC_OK);
    assert_int_equal(stack.count, 3);
    assert_true(stack.entries[0].from == 0x3010 && stack.entries[0].to == 0x4000);
    assert_false(stack.entries[0].mispredicted);
    assert_int_equal(stack.entries[0].cycles, 3);
    assert_true(stack.entries[1].mispredicted);
    assert_int_equal(stack.entries[1].cycles, 20);
    assert_true(stack.entries[2].from == 0x1000);
}

static void cycles_without_a_branch_before_or_saturated_are_no_measurement(void **state)
{
    struct lbr_stack stack;
    uint32_t failed;

    (void)state;
    seam_stack(2);
    seam_branch(0, 1, 2, 5);
    seam_branch(1, 3, 4, 0xffff);
    seam_branch(2, 5, 6, 7);
    assert_int_equal(lbr_read(&stack, &failed), RC_OK);
    assert_true(stack.entries[0].cycles_valid);
    assert_false(stack.entries[1].cycles_valid);
    assert_false(stack.entries[2].cycles_valid);
}

static void a_full_stack_has_32_entries_all_with_a_branch_before(void **state)
{
    struct lbr_stack stack;
    uint32_t failed;

    (void)state;
    seam_stack(31);
    for (uint32_t i = 0; i < 32; i++)
        seam_branch(i, 0x100 + i, 0x200 + i, 1);
    assert_int_equal(lbr_read(&stack, &failed), RC_OK);
    assert_int_equal(stack.count, 32);
    assert_true(stack.entries[31].from == 0x100 && stack.entries[31].cycles_valid);
}

static void an_empty_stack_has_no_entries(void **state)
{
    struct lbr_stack stack;
    uint32_t failed;

    (void)state;
    seam_stack(0);
    assert_int_equal(lbr_read(&stack, &failed), RC_OK);
    assert_int_equal(stack.count, 0);
}

static void a_register_that_faults_is_named(void **state)
{
    struct lbr_stack stack;
    uint32_t failed = 0;

    (void)state;
    seam_stack(0);
    seam_branch(0, 1, 2, 0);
    seam_msr_absent(0xdc0);
    assert_int_equal(lbr_read(&stack, &failed), RC_FAULT);
    assert_int_equal(failed, 0xdc0);
    seam_msr_absent(0x1c9);
    assert_int_equal(lbr_read(&stack, &failed), RC_FAULT);
    assert_int_equal(failed, 0x1c9);
}

static void the_pass_stops_clears_all_99_registers_and_enables_by_debugctl(void **state)
{
    struct pass pass;
    uint32_t registers[128];

    (void)state;
    lbr_pass(&pass);
    assert_int_equal(pass.setup_count, 99); /* DEBUGCTL, SELECT, TOS and three rows of 32 */
    assert_int_equal(pass.setup[0].msr, 0x1d9);
    assert_int_equal(pass.setup[1].msr, 0x1c8);
    for (unsigned i = 0; i < pass.setup_count; i++)
        assert_true(pass.setup[i].value == 0);
    assert_int_equal(pass.enable.msr, 0x1d9);
    assert_true(pass.enable.value == 1);
    assert_true(pass.disable == 0);
    assert_int_equal(pass.reading_count, 0);
    assert_int_equal(lbr_registers(registers, 128), 99);
    assert_int_equal(lbr_registers(registers, 10), 10);
    assert_true(99 + 32 <= SAVED_REGISTERS);
}

static void a_stack_needs_a_description_that_names_it_and_a_known_format(void **state)
{
    struct description description = {.lbr = LBR_SKYLAKE32};
    struct facts facts = {.pdcm = true, .lbr_format = 5};

    (void)state;
    assert_null(lbr_absent(&facts, &description));
    facts.lbr_format = 7;
    assert_null(lbr_absent(&facts, &description));
    facts.lbr_format = 0x3f;
    assert_non_null(lbr_absent(&facts, &description));
    facts.pdcm = false;
    facts.lbr_format = 5;
    assert_non_null(lbr_absent(&facts, &description));
    facts.pdcm = true;
    description.lbr = LBR_NONE;
    assert_non_null(lbr_absent(&facts, &description));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_newest_first_from_the_top_and_around_the_end),
        cmocka_unit_test(cycles_without_a_branch_before_or_saturated_are_no_measurement),
        cmocka_unit_test(a_full_stack_has_32_entries_all_with_a_branch_before),
        cmocka_unit_test(an_empty_stack_has_no_entries),
        cmocka_unit_test(a_register_that_faults_is_named),
        cmocka_unit_test(the_pass_stops_clears_all_99_registers_and_enables_by_debugctl),
        cmocka_unit_test(a_stack_needs_a_description_that_names_it_and_a_known_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
