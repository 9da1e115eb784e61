/* Names of NetBurst events for tests: both descriptions, and selections that must succeed. */
#ifndef TESTS_UNIT_NETBURST_NETBURST_NAMES_H
#define TESTS_UNIT_NETBURST_NETBURST_NAMES_H

#include <string.h>

#include "pmu/netburst/select.h"
#include "tests/unit/descriptions.h"

static struct description netburst, prescott;
static const struct netburst_core northwood = {2, 9, false}, nocona = {4, 1, false};

/* A group's set-up. */
static inline int names_open(void **state)
{
    (void)state;
    tests_builtin(&netburst, "netburst");
    tests_builtin(&prescott, "prescott");
    return 0;
}

static inline struct slice names_slice(const char *text)
{
    return (struct slice){text, strlen(text)};
}

/* Selects the name, by the description of that core's model. */
static inline struct netburst_selection names_select(const struct netburst_core *core,
                                                     const char *name, unsigned threads)
{
    struct netburst_selection selection;
    struct complaint complaint;

    if (!netburst_select(&selection, core->model > 2 ? &prescott : &netburst, names_slice(name),
                         core, threads, &complaint))
        fail_msg("%s: %s", name, complaint.message);
    return selection;
}

#endif
