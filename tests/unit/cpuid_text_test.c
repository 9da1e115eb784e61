/* Recorded CPUID answers in their three forms, and what is wrong with records. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "pc/cpuid_text.h"

/* "GenuineIntel" is 756e6547 6c65746e 49656e69 in EBX, ECX, EDX; 000506e3 is 06_5EH stepping 3. */
#define TABLE CPUID_TABLE "\n"
#define ROW0  "m-1,a name,somewhere,0,00000000,00000000,00000002,756e6547,6c65746e,49656e69\n"
#define ROW1  "m-1,a name,somewhere,0,00000001,00000000,000506e3,00100800,00008000,10000000\n"
#define ROW2  "m-1,a name,somewhere,0,00000002,00000000,00000001,00000000,00000000,00000000\n"

static struct taken {
    unsigned records, errors;
    char machine[CPUID_MACHINE];
    uint32_t core, count, eax_of_1, ebx_of_4_1;
    struct cpuid_error error;
} taken;

static void take(void *context, const struct cpuid_record *record)
{
    (void)context;
    taken.records++;
    memcpy(taken.machine, record->machine, sizeof(taken.machine));
    taken.core = record->core;
    taken.count = record->count;
    taken.eax_of_1 = cpuid_record_answer(record, 1, 0).eax;
    taken.ebx_of_4_1 = cpuid_record_answer(record, 4, 1).ebx;
}

static void complain(void *context, const struct cpuid_error *error)
{
    (void)context;
    if (taken.errors++ == 0)
        taken.error = *error;
}

static unsigned read_text(const char *text)
{
    const struct cpuid_sink sink = {NULL, take, complain};

    memset(&taken, 0, sizeof(taken));
    return cpuid_text_read(text, strlen(text), "file.txt", &sink);
}

static void a_table_names_its_machines_and_cores(void **state)
{
    (void)state;
    assert_int_equal(read_text(TABLE ROW0 ROW1 ROW2), 1);
    assert_string_equal(taken.machine, "m-1");
    assert_int_equal(taken.count, 3);
    assert_int_equal(taken.eax_of_1, 0x506e3);
    assert_int_equal(read_text(TABLE ROW0 ROW1 ROW2 "m-1,a name,somewhere,12,00000000,00000000,"
                                                    "00000000,756e6547,6c65746e,49656e69\n"),
                     2);
    assert_int_equal(taken.core, 12);
    assert_int_equal(taken.errors, 0);
}

static void raw_output_of_cpuid_has_a_section_for_each_processor(void **state)
{
    static const char text[] =
        "CPU 0:\n"
        "   0x00000000 0x00: eax=0x00000004 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
        "   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x00008000 edx=0x10000000\n"
        "   0x00000004 0x00: eax=0x1c004121 ebx=0x01c0003f ecx=0x0000003f edx=0x00000000\n"
        "   0x00000004 0x01: eax=0x1c004122 ebx=0x01c0003e ecx=0x0000003f edx=0x00000000\n"
        "CPU 13:\n"
        "   0x00000000 0x00: eax=0x00000004 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\r\n"
        "   0x00000001 0x00: eax=0x000506e4 ebx=0x00100800 ecx=0x00008000 edx=0x10000000\n"
        "   0x00000004 0x00: eax=0x1c004121 ebx=0x01c0003f ecx=0x0000003f edx=0x00000000\n"
        "   0x00000004 0x01: eax=0x1c004122 ebx=0x01c0003d ecx=0x0000003f edx=0x00000000\n";

    (void)state;
    assert_int_equal(read_text(text), 2);
    assert_string_equal(taken.machine, "file.txt");
    assert_int_equal(taken.core, 13);
    assert_int_equal(taken.eax_of_1, 0x506e4);
    assert_int_equal(taken.ebx_of_4_1, 0x01c0003d);
    assert_int_equal(taken.errors, 0);
    assert_int_equal(read_text("CPU:\n"
                               "   0x00000000 0x00: eax=0x00000000 ebx=0x756e6547 ecx=0x6c65746e "
                               "edx=0x49656e69\n"),
                     1); /* cpuid -1 -r */
}

static void instlatx64_text_marks_subleaves_and_has_prose_between(void **state)
{
    static const char text[] =
        "------[ Versions ]------\n"
        "Program Version : x\n"
        "------[ CPUID Registers / Logical CPU #0 ]------\n\n"
        "CPUID 00000000: 00000004-756E6547-6C65746E-49656E69 [GenuineIntel]\n"
        "CPUID 00000001: 000506E3-00100800-00008000-10000000\n"
        "CPUID 00000004: 1C004121-01C0003F-0000003F-00000000 [SL 00]\n"
        "CPUID 00000004: 1C004122-01C0003E-0000003F-00000000 [SL 01]\n"
        "MSR 0000001B: < FAILED >\n"
        "CPU#001 AffMask: 0x00000002\n"
        "CPUID 00000000: 00000001-756E6547-6C65746E-49656E69\n"
        "CPUID 00000001: 000506E5-00100800-00008000-10000000\n";

    (void)state;
    assert_int_equal(read_text(text), 2);
    assert_int_equal(taken.core, 1);
    assert_int_equal(taken.eax_of_1, 0x506e5);
    assert_int_equal(taken.errors, 0);
}

/* SDM 2A, "CPUID": a leaf above the highest answers like the highest basic leaf. APM 3: 0. */
/* The processor does not look at ECX then, so the answer holds for any. */
static void a_subleaf_of_a_leaf_that_has_none_is_the_leaf(void **state)
{
    static const char text[] = "--[ Logical CPU #0 ]--\n"
                               "CPUID 00000000: 00000001-756E6547-6C65746E-49656E69\n"
                               "CPUID 00000001: 000506E3-00100800-00008000-10000000 [SL 06]\n";

    (void)state;
    assert_int_equal(read_text(text), 1);
    assert_int_equal(taken.errors, 0);
    assert_int_equal(taken.eax_of_1, 0x506e3);
}

static void a_leaf_above_the_highest_answers_as_the_vendor_says(void **state)
{
    struct cpuid_record record = {
        .count = 3,
        .rows = {{0, 0, {6, 0x756e6547, 0x6c65746e, 0x49656e69}, 1},
                 {1, 0, {0x6e8, 0, 0, 0}, 2},
                 {6, 0, {1, 2, 1, 0}, 3}},
    };

    (void)state;
    assert_int_equal(cpuid_record_answer(&record, 0xa, 0).eax, 1);
    assert_int_equal(cpuid_record_answer(&record, 0xa, 0).ebx, 2);
    assert_int_equal(cpuid_record_answer(&record, 5, 0).ebx, 0);
    assert_int_equal(cpuid_record_answer(&record, 1, 7).eax, 0x6e8); /* it has no subleaves */
    record.rows[0].value = (struct cpuid){6, 0x68747541, 0x444d4163, 0x69746e65};
    assert_int_equal(cpuid_record_answer(&record, 0xa, 0).eax, 0);
}

static void refuses(const char *text, uint32_t line, const char *part)
{
    assert_int_equal(read_text(text), 0);
    assert_int_equal(taken.errors, 1);
    assert_int_equal(taken.error.line, line);
    if (strstr(taken.error.text, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", taken.error.text, part);
}

static void a_record_with_an_error_is_named_with_its_line(void **state)
{
    (void)state;
    refuses("", 1, "no recorded CPUID");
    refuses("hello\n", 1, "no recorded CPUID");
    refuses(TABLE ROW0, 2, "cut: leaf 00000001 is missing");
    refuses(TABLE ROW1, 2, "cut: leaf 0 is missing");
    refuses(TABLE ROW0 ROW1 "m-1,a name,somewhere,0,00000002,000", 4, "malformed row");
    refuses(TABLE ROW0 ROW1 "m-1,a name,somewhere,x,00000002,00000000,0,0,0,0\n", 4, "malformed");
    refuses(TABLE ROW0 ROW1 "m-1,a,s,0,00000001,00000000,000506e4,00100800,00008000,10000000\n", 4,
            "leaf 00000001 has another answer in line 3");
    refuses(TABLE ROW0 ROW1 "m-1,a,s,0,0000000a,00000000,00000000,00000000,00000000,00000000\n", 4,
            "leaf 0 says that 00000002 is the highest");
    refuses(TABLE "m,a,s,0,00000000,00000000,00000001,41414141,41414141,42414141\n", 2,
            "\"AAAAAAABAAAA\" is no vendor");
    refuses("CPU 0:\n   0x00000000 0x00: eax=0x00000004 ebx=0x756e6547 ecx=0x6c65746e "
            "edx=0x49656e69\n   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x00008000 "
            "edx=0x10000000\n",
            3, "cut: leaf 00000004 is missing");
    refuses("CPU 0:\n   0x00000000 0x00: eax=0x00000004 ebx=0x756e65", 2, "malformed line");
    refuses("CPUID 00000000: 00000004-756E6547-6C65746E", 1, "malformed line");
}

static void a_bad_record_does_not_take_the_next_one_with_it(void **state)
{
    (void)state;
    assert_int_equal(
        read_text(TABLE "bad,a,s,0,00000000,00000000,00000001,756e6547,6c65746e\n" ROW0 ROW1 ROW2),
        1);
    assert_string_equal(taken.machine, "m-1");
    assert_int_equal(taken.errors, 1);
}

static void more_answers_than_there_is_room_for_are_an_error(void **state)
{
    static char text[80 * 700];
    size_t used = (size_t)snprintf(text, sizeof(text), "%s", "CPU 0:\n");

    (void)state;
    for (unsigned i = 0; i < 600; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "0x00000004 0x%02x: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 "
                                 "edx=0x00000000\n",
                                 i);
    refuses(text, 514, "more than 512 answers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_names_its_machines_and_cores),
        cmocka_unit_test(raw_output_of_cpuid_has_a_section_for_each_processor),
        cmocka_unit_test(instlatx64_text_marks_subleaves_and_has_prose_between),
        cmocka_unit_test(a_subleaf_of_a_leaf_that_has_none_is_the_leaf),
        cmocka_unit_test(a_leaf_above_the_highest_answers_as_the_vendor_says),
        cmocka_unit_test(a_record_with_an_error_is_named_with_its_line),
        cmocka_unit_test(a_bad_record_does_not_take_the_next_one_with_it),
        cmocka_unit_test(more_answers_than_there_is_room_for_are_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
