/* Which ESCR and which counter each of several NetBurst events gets. Pure.
 *
 * A counter counts one event. An ESCR selects one event, and several counters of its half may count
 * it: events may share an ESCR only where they need the same value in it. An ESCR that only tags
 * gets a counter of its own too, which counts from it: an ESCR without a counter may be powered
 * down
 * ("At-Retirement Counting"; which counter keeps it awake the manual leaves open). Events that tag
 * the same uops share that ESCR and its counter. */
#ifndef PMU_NETBURST_MATCH_H
#define PMU_NETBURST_MATCH_H

#include "raw.h"
#include "registers.h"
#include "select.h"

#define NETBURST_CONFLICT 400

/* An event to be counted. */
struct netburst_demand {
    const char *name; /* for complaints */
    const struct netburst_selection *selection;
    uint32_t counters; /* bit n: counter n may count it; NETBURST_ANY: every one that can */
};
#define NETBURST_ANY UINT32_MAX

/* Where it is counted: indices into netburst_escrs, and counters. */
struct netburst_place {
    uint8_t escr, counter;
    uint8_t upstream_escr, upstream_counter; /* NETBURST_NONE: it has no upstream ESCR */
};

/* Finds a place for each of the demands wherever there is one for all; `places` has as many
 * entries. `free` are the counters that may be used, NETBURST_ANY for all 18. Returns false with a
 * text that names events that cannot be counted together, and the registers that they need; no
 * smaller set of events that come before and with the last of them is in conflict. */
bool netburst_match(struct netburst_place *places, const struct netburst_demand *demands,
                    unsigned count, uint32_t free, char conflict[NETBURST_CONFLICT]);
/* Returns the demand of register values: that ESCR and that counter, nothing else. The selection
 * is filled in, and belongs to the demand. */
struct netburst_demand netburst_raw_demand(const struct netburst_raw *raw, const char *name,
                                           struct netburst_selection *selection);

#endif
