/* Files of recorded CPUID: the three forms say the same, and no text whatever is taken for a record
 * that it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/cpuid_file.h"

#define CHANGES 20000

/* A Skylake of leaves 0, 1, 6, 7, 0AH and 80000000H, in each form. */
static const char table[] = "machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx\n"
                            "mine,A,me,0,00000000,00000000,0000000a,756e6547,6c65746e,49656e69\n"
                            "mine,A,me,0,00000001,00000000,000506e3,00100800,7ffafbff,bfebfbff\n"
                            "mine,A,me,0,00000006,00000000,00000000,00000000,00000000,00000000\n"
                            "mine,A,me,0,00000007,00000000,00000000,00000000,00000000,00000000\n"
                            "mine,A,me,0,0000000a,00000000,07300404,00000000,00000000,00000603\n"
                            "mine,A,me,0,80000000,00000000,80000000,00000000,00000000,00000000\n";
static const char raw[] =
    "CPU 0:\n"
    "   0x00000000 0x00: eax=0x0000000a ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
    "   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x7ffafbff edx=0xbfebfbff\n"
    "   0x00000006 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n"
    "   0x00000007 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n"
    "   0x0000000a 0x00: eax=0x07300404 ebx=0x00000000 ecx=0x00000000 edx=0x00000603\n"
    "   0x80000000 0x00: eax=0x80000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n";
static const char text[] = "------[ Logical CPU #0 ]------\n"
                           "CPUID 00000000: 0000000A-756E6547-6C65746E-49656E69 [GenuineIntel]\n"
                           "CPUID 00000001: 000506E3-00100800-7FFAFBFF-BFEBFBFF\n"
                           "CPUID 00000006: 00000000-00000000-00000000-00000000\n"
                           "CPUID 00000007: 00000000-00000000-00000000-00000000 [SL 00]\n"
                           "CPUID 0000000A: 07300404-00000000-00000000-00000603 [SL 00]\n"
                           "CPUID 80000000: 80000000-00000000-00000000-00000000\n";
static const char *const forms[] = {table, raw, text};

static struct recorded_machine machine;
static char why[1200];

static bool read_text(const char *content, size_t size, const char *chosen)
{
    char name[64] = "/tmp/cpuid_file_test.XXXXXX", argument[128];
    const int descriptor = mkstemp(name);
    bool read;

    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, content, size), size);
    close(descriptor);
    snprintf(argument, sizeof(argument), "%s%s", name, chosen);
    why[0] = '\0';
    read = cpuid_file_read(&machine, argument, why, sizeof(why));
    unlink(name);
    assert_true(read == (why[0] == '\0'));
    return read;
}

static void assert_skylake(const struct recorded_kind *kind)
{
    const struct cpuid_fact *counters = recorded_row(kind, 0xa, 0);

    assert_int_equal(kind->count, 6);
    assert_int_equal(recorded_row(kind, 1, 0)->eax, 0x506e3);
    assert_int_equal(recorded_row(kind, 1, 0)->ebx, 0x00100800);
    assert_int_equal(recorded_row(kind, 1, 0)->ecx, 0x7ffafbff);
    assert_int_equal(recorded_row(kind, 1, 0)->edx, 0xbfebfbffu);
    assert_int_equal(counters->eax, 0x07300404);
    assert_int_equal(counters->edx, 0x603);
    assert_null(recorded_row(kind, 0xa, 1));
}

static void the_three_forms_say_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_true(read_text(forms[i], strlen(forms[i]), ""));
        assert_int_equal(machine.kinds, 1);
        assert_skylake(&machine.kind[0]);
    }
    assert_true(read_text(table, strlen(table), ":mine"));
    assert_string_equal(machine.name, "mine");
    assert_false(read_text(table, strlen(table), ":yours"));
}

/* Three processors of two types: the P core comes first, wherever it stands in the file. */
static void kinds_of_cores_are_told_by_their_type(void **state)
{
    static const char rows[] =
        "   0x00000000 0x00: eax=0x00000020 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
        "   0x00000001 0x00: eax=0x000906a3 ebx=0 ecx=0 edx=0\n";
    static const char answers[] =
        "   0x00000000 0x00: eax=0x0000001a ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
        "   0x00000001 0x00: eax=0x000906a3 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n"
        "   0x00000006 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n"
        "   0x00000007 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00008000\n"
        "   0x0000000a 0x00: eax=0x07300605 ebx=0x00000000 ecx=0x00000007 edx=0x00008603\n"
        "   0x0000001a 0x00: eax=0x%08x ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n"
        "   0x80000000 0x00: eax=0x80000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n";
    char content[2048];
    size_t length = 0;

    (void)state;
    for (unsigned core = 0; core < 3; core++) {
        length += (size_t)snprintf(content + length, sizeof(content) - length, "CPU %u:\n", core);
        length += (size_t)snprintf(content + length, sizeof(content) - length, answers,
                                   core == 1 ? 0x40000001u : 0x20000001u);
    }
    assert_true(read_text(content, length, ""));
    assert_int_equal(machine.kinds, 2);
    assert_int_equal(machine.kind[0].core, 1);
    assert_int_equal(recorded_row(&machine.kind[0], 0x1a, 0)->eax, 0x40000001);
    assert_int_equal(machine.kind[1].core, 0);
    assert_false(read_text(rows, strlen(rows), "")); /* "ebx=0" is no eight digits with 0x */
}

/* Changed bytes and cut files: a record is refused, or it is one: with leaves 0 and 1 and at most
 * as many rows as there are lines. */
static void no_text_is_taken_for_what_it_is_not(void **state)
{
    unsigned refused = 0;

    (void)state;
    srandom(1);
    for (unsigned i = 0; i < CHANGES; i++) {
        char content[1024];
        size_t size = strlen(forms[i % 3]);

        memcpy(content, forms[i % 3], size);
        for (long changes = random() % 4; changes >= 0; changes--)
            content[(size_t)random() % size] = (char)random();
        if (i % 5 == 0)
            size = (size_t)random() % size;
        if (!read_text(content, size, "")) {
            refused++;
            continue;
        }
        assert_in_range(machine.kinds, 1, RECORD_KINDS);
        assert_in_range(machine.kind[0].count, 2, 6);
        assert_non_null(recorded_row(&machine.kind[0], 0, 0));
        assert_non_null(recorded_row(&machine.kind[0], 1, 0));
    }
    assert_in_range(refused, CHANGES / 4, CHANGES - CHANGES / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_three_forms_say_the_same),
        cmocka_unit_test(kinds_of_cores_are_told_by_their_type),
        cmocka_unit_test(no_text_is_taken_for_what_it_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
