/* Every event of every description against the vendor's own tables, where they are beside the
 * project
 * (../shared/perfmon): selector, registers, general and fixed counters. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/descriptions.h"
#include "tests/unit/vendor.h"

/* The vendor's tables of one key. */
struct vendor {
    struct sheet events, refs, uarch;
    uint32_t counters; /* general counters of the core with SMT off, a bit each */
};

static bool vendor_load(struct vendor *vendor, const char *key)
{
    unsigned row;

    *vendor = (struct vendor){0};
    if (!vendor_open(&vendor->uarch, ".", "uarch.csv") ||
        !vendor_open(&vendor->events, key, "events.csv"))
        return false;
    vendor_open(&vendor->refs, key, "refs.csv"); /* where formulas are published */
    row = vendor_row(&vendor->uarch, "key", key);
    assert_true(row > 0);
    vendor->counters =
        (1u << strtoul(vendor_at(&vendor->uarch, row, "gp_counters_smt_off"), NULL, 10)) - 1;
    return true;
}

static void vendor_unload(struct vendor *vendor)
{
    vendor_close(&vendor->events);
    vendor_close(&vendor->refs);
    vendor_close(&vendor->uarch);
}

/* The event's row, and the sheet that has it: the references of the formulas, else all events. 0
 * when neither has it. */
static unsigned find_event(const struct vendor *vendor, const char *name,
                           const struct sheet **sheet)
{
    unsigned row = vendor->refs.row_count ? vendor_row(&vendor->refs, "Ref", name) : 0;

    *sheet = &vendor->refs;
    if (row)
        return row;
    *sheet = &vendor->events;
    return vendor_row(&vendor->events, "EventName", name);
}

static unsigned long number(const struct sheet *sheet, unsigned row, const char *column)
{
    return strtoul(vendor_at(sheet, row, column), NULL, 0);
}

/* Whether `value` is one of "0xb7,0xbb"; *place is its index. */
static bool among(const char *list, uint64_t value, unsigned *place)
{
    for (*place = 0;; ++*place) {
        char *end;

        if (strtoull(list, &end, 0) == value)
            return true;
        if (*end != ',')
            return false;
        list = end + 1;
    }
}

static uint32_t counters_of(const char *list)
{
    uint32_t counters = 0;

    for (; *list; list += *list == ',')
        counters |= 1u << strtoul(list, (char **)&list, 10);
    return counters;
}

/* The second of "0xb7,0xbb"; of one number that number. */
static unsigned long second_of(const char *list)
{
    const char *comma = strchr(list, ',');

    return strtoul(comma != NULL ? comma + 1 : list, NULL, 0);
}

/* Where the vendor names two registers, the description has both, each with its code and unit mask.
 */
static void assert_second(const struct event *event, const struct sheet *sheet, unsigned row)
{
    const char *msr = vendor_at(sheet, row, "MSRIndex");

    if (event->msr == 0)
        return;
    assert_int_equal(event->second.msr, strchr(msr, ',') ? second_of(msr) : 0);
    assert_int_equal(event->second.code, second_of(vendor_at(sheet, row, "EventCode")));
    assert_int_equal(event->second.umask, second_of(vendor_at(sheet, row, "UMask")));
}

/* `alone` is the TakenAlone of the event, or of the event that it modifies. */
static void assert_alone(const struct vendor *vendor, const struct event *event,
                         const struct sheet *sheet, unsigned row, const char *name)
{
    const char *base = sheet == &vendor->refs ? vendor_at(sheet, row, "Base") : name;
    unsigned at = vendor_row(&vendor->events, "EventName", base);

    if (at > 0 && event->alone != (number(&vendor->events, at, "TakenAlone") == 1))
        print_error("%s: TakenAlone is %s\n", name, vendor_at(&vendor->events, at, "TakenAlone"));
    assert_true(at == 0 || event->alone == (number(&vendor->events, at, "TakenAlone") == 1));
}

static bool same_selection(const struct event *event, const struct sheet *sheet, unsigned row)
{
    const char *os = vendor_at(sheet, row, "OS"), *usr = vendor_at(sheet, row, "USR");
    unsigned code, msr, umask;

    return among(vendor_at(sheet, row, "EventCode"), event->code, &code) &&
           among(vendor_at(sheet, row, "UMask"), event->umask, &umask) &&
           event->umask2 == number(sheet, row, "UMaskExt") &&
           event->cmask == number(sheet, row, "CounterMask") &&
           event->edge == number(sheet, row, "EdgeDetect") &&
           event->inv == number(sheet, row, "Invert") &&
           event->any == number(sheet, row, "AnyThread") &&
           event->eq == number(sheet, row, "Equal") &&
           (!*os || (*os == '1') == (event->rings != RINGS_USER)) &&
           (!*usr || (*usr == '1') == (event->rings != RINGS_KERNEL)) &&
           among(vendor_at(sheet, row, "MSRIndex"), event->msr, &msr) &&
           (event->msr == 0 ||
            (event->msr_value == strtoull(vendor_at(sheet, row, "MSRValue"), NULL, 0) &&
             (msr == code || strchr(vendor_at(sheet, row, "EventCode"), ',') == NULL)));
}

/* SDM 3B, "Pre-defined Architectural Performance Events": event and unit mask, by bit of CPUID
 * 0AH:EBX. */
static const struct {
    uint8_t code, umask;
} architectural[] = {{0x3c, 0x00}, {0xc0, 0x00}, {0x3c, 0x01}, {0x2e, 0x4f},
                     {0x2e, 0x41}, {0xc4, 0x00}, {0xc5, 0x00}, {0xa4, 0x01}};

static void assert_architectural(const struct event *event)
{
    if (event->architectural < 0)
        return;
    assert_true((size_t)event->architectural < sizeof(architectural) / sizeof(architectural[0]));
    if (!event->encodable)
        return;
    assert_int_equal(event->code, architectural[event->architectural].code);
    assert_int_equal(event->umask, architectural[event->architectural].umask);
    assert_true(!event->any && !event->edge && !event->inv && event->cmask == 0);
}

static void assert_row(const struct vendor *vendor, const struct event *event, const char *name)
{
    const struct sheet *sheet;
    unsigned row = find_event(vendor, name, &sheet);
    const char *counters;

    if (!row)
        print_error("%s: not among the vendor's events\n", name);
    assert_true(row > 0);
    counters = vendor_at(sheet, row, "CounterHTOff");
    if (!*counters)
        counters = vendor_at(sheet, row, "Counter");
    if (!same_selection(event, sheet, row) ||
        (event->counters & vendor->counters) != (counters_of(counters) & vendor->counters))
        print_error("%s: 0x%02x%02x on counters 0x%x, the vendor has %s/%s cmask %s on %s\n", name,
                    event->umask, event->code, event->counters, vendor_at(sheet, row, "EventCode"),
                    vendor_at(sheet, row, "UMask"), vendor_at(sheet, row, "CounterMask"), counters);
    assert_true(same_selection(event, sheet, row));
    assert_second(event, sheet, row);
    assert_alone(vendor, event, sheet, row, name);
    assert_int_equal(event->counters & vendor->counters, counters_of(counters));
}

/* The event is on its fixed counter; if a general counter can count it, the vendor calls that event
 * NAME_P. */
static void assert_fixed(const struct vendor *vendor, const struct event *event,
                         const struct sheet *sheet, unsigned row)
{
    const char *counter = vendor_at(sheet, row, "Counter") + strlen("Fixed counter ");
    char general[96];

    if (strcmp(event->name, "CPU_CLK_UNHALTED.THREAD_ANY") == 0) {
        /* fixed counter 1 counts one thread's cycles, general counters can count any thread's */
        assert_int_equal(event->kind, EVENT_GENERAL);
        assert_row(vendor, event, "CPU_CLK_UNHALTED.THREAD_P_ANY");
        return;
    }
    assert_int_equal(event->kind, EVENT_FIXED);
    assert_int_equal(event->fixed, strtoul(counter, NULL, 10));
    snprintf(general, sizeof(general), "%s_P", event->name);
    if (event->encodable)
        assert_row(vendor, event, general);
    else
        assert_int_equal(vendor_row(&vendor->events, "EventName", general), 0);
}

static const char *const metric_fields[] = {
    /* SDM 3B, "Performance Metrics": bytes 0 to 7 of MSR 329H */
    "PERF_METRICS.RETIRING",         "PERF_METRICS.BAD_SPECULATION",
    "PERF_METRICS.FRONTEND_BOUND",   "PERF_METRICS.BACKEND_BOUND",
    "PERF_METRICS.HEAVY_OPERATIONS", "PERF_METRICS.BRANCH_MISPREDICTS",
    "PERF_METRICS.FETCH_LATENCY",    "PERF_METRICS.MEMORY_BOUND",
};

static void assert_vendors(const struct vendor *vendor, const struct event *event)
{
    const struct sheet *sheet;
    unsigned row = find_event(vendor, event->name, &sheet);
    const char *kind;

    if (!row)
        print_error("%s: not among the vendor's events\n", event->name);
    assert_true(row > 0);
    kind = vendor_at(sheet, row, "Kind");
    if (event->kind == EVENT_METRIC) {
        assert_string_equal(event->name, metric_fields[event->field]);
    } else if (event->kind == EVENT_SLOTS) {
        assert_int_equal(event->fixed, 3);
    } else if (event->kind == EVENT_OUTSIDE) {
        assert_true(strcmp(kind, "system") == 0 || strcmp(kind, "missing") == 0 ||
                    strcmp(kind, "retire_latency") == 0);
    } else if (strncmp(vendor_at(sheet, row, "Counter"), "Fixed", 5) == 0) {
        assert_fixed(vendor, event, sheet, row);
    } else {
        assert_row(vendor, event, event->name);
    }
}

static void encodings_and_counters_equal_the_vendors_tables(void **state)
{
    unsigned keys = 0;
    FILE *file = fopen(VENDOR_PLACE "/uarch.csv", "r");

    (void)state;
    if (file == NULL) {
        print_message("# skipped: the vendor's tables are not at " VENDOR_PLACE "\n");
        skip();
    }
    fclose(file);
    for (unsigned c = 0; builtin_name(c) != NULL; c++) {
        struct description description;

        tests_builtin(&description, builtin_name(c));
        for (unsigned i = 0; i < description.event_count; i++)
            assert_architectural(&description.events[i]);
        for (unsigned k = 0; k < description.table_count; k++) {
            struct vendor vendor;

            assert_true(vendor_load(&vendor, description.tables[k].name));
            for (unsigned i = 0; i < description.event_count; i++)
                assert_vendors(&vendor, &description.events[i]);
            vendor_unload(&vendor);
            keys++;
        }
        tests_free();
    }
    print_message("# %u tables compared\n", keys);
    assert_true(keys >= 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodings_and_counters_equal_the_vendors_tables),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
