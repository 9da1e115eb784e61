/* The reader of tests/rig/cpu/NAME.facts: what it takes, and what it refuses where. */
#include "pmu_test.h"
#include "facts.h"

#define NUMBERS                                                                                    \
    "version 3\nsignature 0x306c3\nalone 8\nsmt 4\nwidth 48\nfixed 3\nslots 4\nmetrics 0\nlbr "    \
    "16\n"
#define AT "lbr_at 0x680\n"

static const char *read(struct facts *facts, const char *text)
{
    static struct facts_reader reader;
    char copy[1024];
    bool taken;

    *facts = (struct facts){.name = "part"};
    reader = (struct facts_reader){.facts = facts};
    snprintf(copy, sizeof(copy), "%s", text);
    taken = facts_read(&reader, copy);
    assert_int_equal(taken, reader.problem[0] == '\0');
    return reader.problem;
}

static void a_file_is_read(void **state)
{
    struct facts facts;

    (void)state;
    assert_string_equal(read(&facts,
                             "# remark\n" NUMBERS AT "\nlist HSW\nevent A.B 0xd0 0x81 0x0f\n"
                             "small_event C 1 2 3\n"),
                        "");
    assert_int_equal(facts.signature, 0x306c3);
    assert_int_equal(facts.smt, 4);
    assert_int_equal(facts.lbr_at, 0x680);
    assert_string_equal(facts.list, "HSW");
    assert_int_equal(facts.events, 2);
    assert_string_equal(facts.event[0].name, "A.B");
    assert_int_equal(facts.event[0].code, 0xd0);
    assert_int_equal(facts.event[0].umask, 0x81);
    assert_int_equal(facts.event[0].counters, 0x0f);
    assert_false(facts.event[0].small);
    assert_true(facts.event[1].small);
    assert_string_equal(read(&facts, "version 0\nunpublished nobody wrote one\n"), "");
    assert_string_equal(facts.unpublished, "nobody wrote one");
}

static void what_it_does_not_know_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *said;
    } files[] = {
        {"version 3\nwidht 48\n", ":2: expected a keyword that is in facts.h"},
        {"version three\n", ":1: expected a number, and once in the file"},
        {"version 3x\n", ":1: expected a number, and once in the file"},
        {"version -3\n", ":1: expected a number, and once in the file"},
        {"version\n", ":1: expected a number, and once in the file"},
        {"# a remark\nversion 3\nversion 3\n", ":3: expected a number, and once in the file"},
        {"version 3 4\n", ":1: expected the end of the line"},
        {"list HSW\nlist HSW\n", ":2: expected one text, and once in the file"},
        {"list\n", ":1: expected one text, and once in the file"},
        {"unpublished\n", ":1: expected one text, and once in the file"},
        {"event A 0xd0 0x81\n", ":1: expected an event's name, code, unit mask and counters"},
        {"event A 0xd0 0x81 0x0f 1\n", ":1: expected the end of the line"},
        {"", ": expected a line version"},
        {NUMBERS "list HSW\n", ": expected a line lbr_at"},
        {NUMBERS AT, ": expected either list or unpublished"},
        {NUMBERS AT "list HSW\nunpublished why\n", ": expected either list or unpublished"},
        {"version 0\nwidth 48\nunpublished why\n",
         ": expected no numbers and events beside version 0"},
    };
    char said[160];
    struct facts facts;

    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        snprintf(said, sizeof(said), FACTS_FOLDER "/part.facts%s", files[i].said);
        assert_string_equal(read(&facts, files[i].text), said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(what_it_does_not_know_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
