/* Event tables of the personalities against the vendor's lists, if these are beside the project
 * (../shared/perfmon): every row has the published code, unit mask and counters of its name, and
 * every event of the Topdown trees is counted or listed as uncounted. */
#include "pmu/event_table.h"
#include "pmu_test.h"
#include "facts.h"
#include "tests/unit/vendor.h"

static void every_personality_has_its_facts_and_every_file_its_personality(void **state)
{
    (void)state;
    assert_int_equal(facts_of_all()->problems, 0);
}

/* Calls `check` for each kind of core that has a list of the vendor's. */
static void each_list(void (*check)(const struct personality *, const char *key))
{
    for (unsigned i = 0; i < facts_of_all()->count; i++) {
        const struct facts *facts = &facts_of_all()->facts[i];
        const struct personality *personality = personality_find(facts->name);

        if (facts->list[0] != '\0')
            check(personality, facts->list);
        else if (facts->small_list[0] == '\0')
            continue;
        if ((personality->small != NULL) != (facts->small_list[0] != '\0'))
            fail_msg("%s: small_list is there %s", facts->name,
                     personality->small != NULL ? "not" : "for no small cores");
        if (personality->small != NULL)
            check(personality->small, facts->small_list);
    }
}

static bool open_or_skip(struct sheet *sheet, const char *key, const char *file)
{
    if (vendor_open(sheet, key, file))
        return true;
    print_message("# skipped: the vendor's tables are not at " VENDOR_PLACE "\n");
    skip();
    return false;
}

static unsigned long number(const struct sheet *sheet, unsigned row, const char *column)
{
    return strtoul(vendor_at(sheet, row, column), NULL, 0);
}

/* With SMT off, if the list distinguishes it. */
static unsigned counters_of(const struct sheet *sheet, unsigned row)
{
    const char *alone = vendor_at(sheet, row, "CounterHTOff");
    const char *at = *alone ? alone : vendor_at(sheet, row, "Counter");
    unsigned counters = 0;

    while (*at) {
        char *end;

        counters |= 1u << strtoul(at, &end, 10);
        assert_true(end != at);
        at = end + (*end == ',');
    }
    return counters;
}

/* The unit mask extension in bits 15:8. */
static unsigned umask_of(const struct sheet *sheet, unsigned row)
{
    return (unsigned)(number(sheet, row, "UMask") | number(sheet, row, "UMaskExt") << 8);
}

static void check_part(const struct personality *personality, const char *key)
{
    const struct pmu_event *rows[EVENTS_MOST];
    const size_t count = event_rows(personality->pmu->events, rows);
    struct sheet events, refs;
    unsigned wrong = 0;

    if (!open_or_skip(&events, key, "events.csv") || !open_or_skip(&refs, key, "refs.csv"))
        return;
    for (size_t i = 0; i < count; i++) {
        const struct pmu_event *event = rows[i];
        unsigned row = vendor_row(&events, "EventName", event->name);
        const struct sheet *list = row ? &events : &refs;

        if (row == 0)
            row = vendor_row(&refs, "Ref", event->name); /* with a unit mask of the formula */
        if (row == 0) {
            print_error("%s: %s is in no list of %s\n", personality->name, event->name, key);
            wrong++;
            continue;
        }
        if (event->code != number(list, row, "EventCode") || event->umask != umask_of(list, row) ||
            event->counters != counters_of(list, row)) {
            print_error("%s: %s has code %02x umask %02x counters %02x, published %s %s %02x\n",
                        personality->name, event->name, event->code, event->umask, event->counters,
                        vendor_at(list, row, "EventCode"), vendor_at(list, row, "UMask"),
                        counters_of(list, row));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    vendor_close(&events);
    vendor_close(&refs);
}

static void every_row_is_what_the_vendor_publishes_under_its_name(void **state)
{
    (void)state;
    each_list(check_part);
}

/* The event that the part counts by signals or by accesses; NULL: none. */
static const struct pmu_event *counted_as(const struct pmu_parameters *pmu, unsigned long code,
                                          unsigned umask)
{
    const struct pmu_event *rows[EVENTS_MOST];
    const size_t count = event_rows(pmu->events, rows);

    for (size_t i = 0; i < count; i++)
        if (rows[i]->code == code && rows[i]->umask == umask)
            return rows[i];
    for (size_t i = 0; i < pmu->access_event_count; i++)
        if (pmu->access_events[i].code == code && pmu->access_events[i].umask == umask)
            return &pmu->access_events[i];
    return NULL;
}

static bool is_listed(const struct pmu_parameters *pmu, const char *name, unsigned long code,
                      unsigned umask)
{
    for (size_t i = 0; i < pmu->uncounted_count; i++)
        if (strcmp(pmu->uncounted[i].name, name) == 0)
            return pmu->uncounted[i].code == code && pmu->uncounted[i].umask == umask;
    return false;
}

/* Whether the levels of a formula include a level of the tree, "L1" to "L6". */
static bool is_of_tree(const char *levels)
{
    for (; *levels; levels++)
        if (levels[0] == 'L' && levels[1] >= '1' && levels[1] <= '6')
            return true;
    return false;
}

static void check_tree(const struct personality *personality, const char *key)
{
    struct sheet refs;

    if (!open_or_skip(&refs, key, "refs.csv"))
        return;
    for (unsigned row = 1; row < refs.row_count; row++) {
        const char *name = vendor_at(&refs, row, "Base");

        if (strcmp(vendor_at(&refs, row, "Kind"), "core") != 0 ||
            !is_of_tree(vendor_at(&refs, row, "Levels")))
            continue;
        const unsigned long code = number(&refs, row, "EventCode");
        const unsigned umask = umask_of(&refs, row);
        const struct pmu_event *counted = counted_as(personality->pmu, code, umask);
        const bool listed = is_listed(personality->pmu, name, code, umask);

        if (counted == NULL && !listed)
            fail_msg("%s: %s is neither counted nor said not to be", personality->name, name);
        if (counted != NULL && listed)
            fail_msg("%s: %s is said not to be counted, but is", personality->name, name);
        /* A list can have two names for one encoding, with other counters. */
        if (counted != NULL && counters_of(&refs, row) & ~(unsigned)counted->counters)
            fail_msg("%s: %s can be on counters %02x, but %s is counted on %02x", personality->name,
                     name, counters_of(&refs, row), counted->name, counted->counters);
    }
    vendor_close(&refs);
}

static void events_of_the_trees_are_counted_or_listed_as_uncounted(void **state)
{
    (void)state;
    each_list(check_tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_personality_has_its_facts_and_every_file_its_personality),
        cmocka_unit_test(every_row_is_what_the_vendor_publishes_under_its_name),
        cmocka_unit_test(events_of_the_trees_are_counted_or_listed_as_uncounted),
    };

    facts_load();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
