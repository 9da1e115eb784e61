/* Tables of events over other tables: which rows a part has, worked out by hand. */
#include "pmu/event_table.h"
#include "pmu_test.h"

/* clang-format off */
static const struct pmu_event first_rows[] = {
    { 0x3c, 0x00, 0xff, false, COUNTS(UNHALTED), "CLOCKS" },
    { 0xc0, 0x00, 0xff, false, COUNTS(INSTRUCTIONS), "INSTRUCTIONS" },
    { 0xc4, 0x00, 0xff, false, COUNTS(BRANCHES), "BRANCHES" },
};
static const struct pmu_event second_rows[] = {
    { 0xc0, 0x00, 0x02, false, COUNTS(INSTRUCTIONS), "INSTRUCTIONS_ON_1" },
    { 0xc5, 0x00, 0xff, false, COUNTS(MISPREDICTS), "MISPREDICTS" },
};
static const struct event_encoding second_lacks[] = { { 0xc4, 0x00 } };
static const struct pmu_event third_rows[] = {
    { 0xc4, 0x00, 0x0f, false, COUNTS(BRANCHES), "BRANCHES_AGAIN" },
};
static const struct event_encoding third_lacks[] = { { 0x3c, 0x00 } };

static const struct event_table first = { .row = first_rows, .count = 3 };
static const struct event_table second = { .row = second_rows, .count = 2, .like = &first,
                                           .without = second_lacks, .without_count = 1 };
static const struct event_table third = { .row = third_rows, .count = 1, .like = &second,
                                          .without = third_lacks, .without_count = 1 };
/* clang-format on */

static void expect(const struct event_table *table, size_t count, const char *const names[])
{
    const struct pmu_event *rows[EVENTS_MOST];

    assert_int_equal(event_rows(table, rows), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(rows[i]->name, names[i]);
}

static void a_table_has_the_rows_of_the_other_but_what_it_replaces_and_lacks(void **state)
{
    (void)state;
    expect(NULL, 0, NULL);
    expect(&first, 3, (const char *const[]){"CLOCKS", "INSTRUCTIONS", "BRANCHES"});
    expect(&second, 3, (const char *const[]){"CLOCKS", "INSTRUCTIONS_ON_1", "MISPREDICTS"});
    expect(&third, 3, (const char *const[]){"INSTRUCTIONS_ON_1", "MISPREDICTS", "BRANCHES_AGAIN"});
}

static const char *found(const struct event_table *table, uint8_t code)
{
    const struct pmu_parameters parameters = {.events = table};
    const struct pmu_event *event = event_find(&parameters, code, 0);

    return event != NULL ? event->name : "";
}

static void an_encoding_is_found_as_the_nearest_table_has_it(void **state)
{
    (void)state;
    assert_string_equal(found(&first, 0xc0), "INSTRUCTIONS");
    assert_string_equal(found(&second, 0xc0), "INSTRUCTIONS_ON_1");
    assert_string_equal(found(&third, 0xc0), "INSTRUCTIONS_ON_1");
    assert_string_equal(found(&second, 0x3c), "CLOCKS");
    assert_string_equal(found(&third, 0x3c), "");
    assert_string_equal(found(&second, 0xc4), "");
    assert_string_equal(found(&third, 0xc4), "BRANCHES_AGAIN");
    assert_string_equal(found(NULL, 0xc0), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_has_the_rows_of_the_other_but_what_it_replaces_and_lacks),
        cmocka_unit_test(an_encoding_is_found_as_the_nearest_table_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
