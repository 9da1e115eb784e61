/* What the tests of records at their bounds share: a core, a kernel and a measurement with the most
 * that they may be, and the schema against which all records of the log are held. */
#ifndef TESTS_UNIT_RECORDS_BOUNDS_H
#define TESTS_UNIT_RECORDS_BOUNDS_H

#include "tests/unit/cmocka_all.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "boot/log.h"
#include "boot/machine/core_place.h"
#include "harness/judge/measured_core.h"
#include "pc/log_schema.h"
#include "slotlog/whole_log.h"
#include "tests/unit/seams.h"

#define NAME                                                                                       \
    "ABCDEFGH.ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz:012345678" /* 71 bytes */

static struct measured_core core;
static struct event events[PLAN_EVENTS];
static struct node nodes[8];
static struct description description;
static struct kernel kernel;
static struct plan plan;
static struct pass pass;
static struct measurement m;

static inline void note(void *context, const char *text)
{
    (void)context;
    print_error("%s\n", text);
}

/* Holds all records since the log began against the schema; returns how many there are behind the
 * log's first one. */
static inline unsigned records_hold(void)
{
    const struct log_schema_sink sink = {NULL, note};
    unsigned count = 0;

    for (const char *line = seam_console(); *line; line = strchr(line, '\n') + 1) {
        json_error_t error;
        json_t *record;

        if (*line != '{')
            continue;
        record = json_loads(line, JSON_DISABLE_EOF_CHECK, &error);
        if (record == NULL)
            print_error("%s: %.200s\n", error.text, line);
        assert_non_null(record);
        assert_int_equal(log_schema_check(whole_log_schema(), record, &sink), 0);
        assert_string_not_equal(record_text(record, "type", ""), "error");
        json_decref(record);
        count++;
    }
    return count - 1;
}

static inline int bounds_begin(void **state)
{
    (void)state;
    seams_reset();
    log_start(UINT64_MAX);
    memset(&core, 0, sizeof(core));
    memset(&description, 0, sizeof(description));
    memset(&m, 0, sizeof(m));
    memset(&pass, 0, sizeof(pass));
    for (unsigned i = 0; i < PLAN_EVENTS; i++)
        snprintf(events[i].name, sizeof(events[i].name), "%.68s%03u", NAME, i % 1000);
    for (unsigned i = 0; i < 8; i++) {
        snprintf(nodes[i].name, sizeof(nodes[i].name), "%.69s%02u", NAME, i % 100);
        nodes[i].level = 1;
    }
    description.events = events;
    description.event_count = PLAN_EVENTS;
    description.nodes = nodes;
    description.node_count = 8;
    kernel =
        (struct kernel){.name = "own.ABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789_abcdefghijklmnopqrst",
                        .title = "a title"};
    plan = (struct plan){.passes = &pass, .pass_count = 1};
    core.core = CORES_MAX - 1;
    core.round = UINT64_MAX >> 1;
    core.forced = core.untrusted = true;
    core.description = &description;
    m.kernel = &kernel;
    m.plan = &plan;
    m.n = INT64_MAX / 2;
    m.repeats = STATS_VALUES;
    m.arena_bytes = INT64_MAX;
    m.corunner = "be.mem.false_sharing.remote";
    m.partner = (struct partner){true, CORES_MAX - 1, UINT32_MAX - 1};
    m.passes_of_full_tree = UINT_MAX;
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        m.discarded[i] = INT64_MAX;
    m.kept = INT64_MAX;
    return 0;
}

#endif
