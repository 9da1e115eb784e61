/* The events that selected nodes need, and those that were asked for. Pure. */
#ifndef HARNESS_PLAN_SELECTION_EVENTS_H
#define HARNESS_PLAN_SELECTION_EVENTS_H

#include "selection.h"

/* The events that CPI and the selected nodes need with these parameters, level 1 first, then those
 * that were asked for by name, each once.
 * families[i] says with which others events[i] is compared, as plan_make wants it: the
 * events that the children of one parent need are a family. `families` has room for PLAN_EVENTS + 1
 * entries. Returns how many events, at most PLAN_EVENTS. */
unsigned selection_events(const struct selection *selection, const struct counts *given,
                          const struct event *events[PLAN_EVENTS], uint16_t *families);

#endif
