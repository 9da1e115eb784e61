/* The events of a personality, and the programmed events that counted nothing, because the
 * personality does not have them or because their counter cannot count them. */
#ifndef RIG_PMU_EVENT_TABLE_H
#define RIG_PMU_EVENT_TABLE_H

#include <stdio.h>

#include "host.h"

/* Writes one line to `out`: which events of this logical processor and of `others` like it counted
 * nothing. Writes nothing if there were none. */
void pmu_report_unknown(const struct pmu *pmu, unsigned others, FILE *out);
/* Moves the events of `from` to `to`, which reports them from now on. False: the two are of
 * different kinds, and nothing was moved. */
bool pmu_gather_unknown(struct pmu *to, struct pmu *from);

struct event_table; /* parameters.h */
struct pmu_event;

/* Puts the events of a table into `rows`, those of the table that it is like first. Returns how
 * many were put there. NULL has none. */
#define EVENTS_MOST 512
size_t event_rows(const struct event_table *table, const struct pmu_event *rows[EVENTS_MOST]);

/* --- for this room --- */

struct pmu_parameters;
struct unknown_event; /* state.h */

/* NULL: the part has no such event, or the rig does not count it. */
const struct pmu_event *event_find(const struct pmu_parameters *parameters, uint8_t code,
                                   uint16_t umask);
void unknown_remember(struct pmu *pmu, const struct unknown_event *event);

#endif
