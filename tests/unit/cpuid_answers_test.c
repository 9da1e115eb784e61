/* Which of CPUID's answers go into the log: lists of subleaves end where the SDM (2A, "CPUID")
 * says. */
#include "tests/unit/cmocka_all.h"

#include "pmu/cpuid_answers.h"
#include "tests/unit/seams.h"

static struct cpuid_answers answers;

static int set_up(void **state)
{
    (void)state;
    seams_reset();
    seam_cpuid(0, 0, 0xb, 1, 2, 3);
    seam_cpuid(0x80000000, 0, 0x80000001, 0, 0, 0);
    seam_cpuid(1, 0, 0x50654, 0x04200800, 0, 0);
    return 0;
}

/* Returns the number of answers of that leaf; the last one is of this subleaf. */
static unsigned count_of(uint32_t leaf, uint32_t *last)
{
    unsigned count = 0;

    for (unsigned i = 0; i < answers.count; i++)
        if (answers.answer[i].leaf == leaf) {
            *last = answers.answer[i].subleaf;
            count++;
        }
    return count;
}

static void a_leaf_above_the_highest_of_its_range_is_left_out(void **state)
{
    uint32_t last;

    (void)state;
    cpuid_answers_read(&answers);
    assert_int_equal(count_of(0, &last), 1);
    assert_int_equal(answers.answer[0].value.edx, 3);
    assert_int_equal(count_of(0xa, &last), 1);
    assert_int_equal(count_of(0x15, &last), 0);
    assert_int_equal(count_of(0x80000001, &last), 1);
    assert_int_equal(count_of(0x80000002, &last), 0);
    assert_int_equal(count_of(0x40000000, &last), 0); /* leaf 1 names no hypervisor */
    seam_cpuid(0, 0, 0x20, 1, 2, 3);
    cpuid_answers_read(&answers);
    assert_int_equal(count_of(0x20, &last), 1); /* the highest, though nothing reads it */
    seam_cpuid(1, 0, 0x50654, 0, 0x80000000, 0);
    seam_cpuid(0x40000000, 0, 0x40000001, 0x61, 0x62, 0x63);
    cpuid_answers_read(&answers);
    assert_int_equal(count_of(0x40000000, &last), 1);
}

static void lists_of_subleaves_end_where_their_leaf_says(void **state)
{
    uint32_t last;

    (void)state;
    seam_cpuid(0, 0, 0x23, 0, 0, 0);
    for (uint32_t i = 0; i < 4; i++)
        seam_cpuid(4, i, i < 3 ? 0x21 + i : 0, 0, 0, 0); /* data, instructions, unified, none */
    seam_cpuid(7, 0, 1, 0, 0, 0);
    seam_cpuid(7, 1, 0x100, 0, 0, 0);
    seam_cpuid(0xb, 0, 1, 2, 0x100, 5);
    seam_cpuid(0xb, 1, 6, 8, 0x201, 5);
    seam_cpuid(0x23, 0, 0xb, 0, 0, 0); /* subleaves 0, 1 and 3 */
    cpuid_answers_read(&answers);
    assert_int_equal(count_of(4, &last), 3);
    assert_int_equal(count_of(7, &last), 2);
    assert_int_equal(last, 1);
    assert_int_equal(count_of(0xb, &last), 2);
    assert_int_equal(count_of(0x23, &last), 3);
    assert_int_equal(last, 3);
}

/* Leaf 4 and leaf 7 without an end; a highest leaf that is nonsense. */
static void a_core_that_answers_anything_gets_a_list_that_ends(void **state)
{
    (void)state;
    seam_cpuid(0, 0, 0xffff, 0, 0, 0);
    seam_cpuid(0x80000000, 0, 0xffffffff, 0, 0, 0);
    for (uint32_t i = 0; i < 8; i++) {
        seam_cpuid(4, i, 0xffffffff, 0, 0, 0);
        seam_cpuid(7, i, 0xffffffff, 0, 0, 0);
        seam_cpuid(0xb, i, 0, 0, 0xffffffff, 0);
        seam_cpuid(0x1f, i, 0, 0, 0xffffffff, 0);
        seam_cpuid(0x23, i, 0xffffffff, 0, 0, 0);
    }
    cpuid_answers_read(&answers);
    assert_in_range(answers.count, 1, CPUID_ANSWERS);
    for (unsigned i = 0; i < answers.count; i++)
        assert_true(answers.answer[i].leaf <= 0xffff || answers.answer[i].leaf == 0x80000000);
}

static void cores_that_differ_in_their_apic_id_alone_answer_alike(void **state)
{
    struct cpuid_answers other;

    (void)state;
    seam_cpuid(0xb, 0, 1, 2, 0x100, 5);
    cpuid_answers_read(&answers);
    seam_cpuid(1, 0, 0x50654, 0x06200800, 0, 0);
    seam_cpuid(0xb, 0, 1, 2, 0x100, 6);
    cpuid_answers_read(&other);
    assert_true(cpuid_answers_alike(&answers, &other));
    seam_cpuid(0xa, 0, 0x07300404, 0, 0, 0x603); /* four counters, not eight */
    cpuid_answers_read(&other);
    assert_false(cpuid_answers_alike(&answers, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_leaf_above_the_highest_of_its_range_is_left_out, set_up),
        cmocka_unit_test_setup(lists_of_subleaves_end_where_their_leaf_says, set_up),
        cmocka_unit_test_setup(a_core_that_answers_anything_gets_a_list_that_ends, set_up),
        cmocka_unit_test_setup(cores_that_differ_in_their_apic_id_alone_answer_alike, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
