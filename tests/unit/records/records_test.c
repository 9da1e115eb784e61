/* The `kernel` record, in as many parts as it takes. */
#include "tests/unit/cmocka_all.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "boot/log.h"
#include "harness/records/records_kernel.h"
#include "tests/unit/seams.h"

#define EVENTS  70
#define MISSING 20

static struct event events[EVENTS + MISSING];
static struct results results;

static void make_results(unsigned measured)
{
    results.count = measured + MISSING;
    for (unsigned i = 0; i < results.count; i++) {
        snprintf(events[i].name, sizeof(events[i].name), "SOME_UNIT.WITH_A_NAME_%02u", i);
        results.tallies[i] = (struct tally){.event = &events[i],
                                            .measured = i < measured,
                                            .difference = {i, 10 * i, 1000 * i},
                                            .reason = "a counter of this core has no such event"};
        results.counts[i] = (struct count){
            .event = &events[i], .measured = i < measured, .reason = results.tallies[i].reason};
    }
}

/* How many of the log's `kernel` records name the event, under the key that it belongs to. */
static unsigned named(const char *log, unsigned number, const char *key)
{
    unsigned count = 0;

    for (const char *line = log; *line; line = strchr(line, '\n') + 1) {
        json_t *record = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);

        count += json_object_get(json_object_get(record, key), events[number].name) != NULL;
        json_decref(record);
    }
    return count;
}

/* Wherever the limit of a record falls. */
static void every_event_is_in_one_part_counted_or_missing(void **state)
{
    static const struct kernel kernel = {.name = "ret.nop", .title = "no operation"};
    static const struct plan plan = {.pass_count = 1};
    static struct measured_core core;
    const struct measurement m = {.kernel = &kernel, .plan = &plan, .n = 1};

    (void)state;
    for (unsigned measured = 30; measured < EVENTS; measured++) {
        make_results(measured);
        seams_reset();
        log_start(0);
        record_kernel(&core, &kernel, &m, &results);
        assert_int_equal(log_totals().failed, 0);
        for (unsigned i = 0; i < results.count; i++) {
            const char *log = strchr(seam_console(), '\n') + 1; /* past the version line */

            assert_int_equal(named(log, i, "per_iterations"), i < measured);
            assert_int_equal(named(log, i, "missing"), i >= measured);
        }
    }
}

/* Event 3 was counted, and what was counted is no count of n iterations. */
static void a_count_that_formulas_refuse_is_missing_with_the_reason(void **state)
{
    static const struct kernel kernel = {.name = "ret.nop", .title = "no operation"};
    static const struct plan plan = {.pass_count = 1};
    static struct measured_core core;
    const struct measurement m = {.kernel = &kernel, .plan = &plan, .n = 1};
    const char *log;

    (void)state;
    make_results(5);
    results.counts[3].measured = false;
    results.counts[3].reason = "it counted nothing while cycles went by";
    seams_reset();
    log_start(0);
    record_kernel(&core, &kernel, &m, &results);
    log = strchr(seam_console(), '\n') + 1;
    assert_int_equal(named(log, 3, "per_iterations"), 0);
    assert_int_equal(named(log, 3, "missing"), 1);
    assert_non_null(strstr(log, "it counted nothing while cycles went by"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_that_formulas_refuse_is_missing_with_the_reason),
        cmocka_unit_test(every_event_is_in_one_part_counted_or_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
