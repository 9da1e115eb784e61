/* NetBurst's events as users name them: with masks (select.h), or by register values (raw.h). Pure.
 */
#ifndef PMU_NETBURST_ASKED_H
#define PMU_NETBURST_ASKED_H

#include "pmu/kind.h"

/* Set *event to what the text means. RC_OK; RC_BAD_INPUT with a complaint whose column is the place
 * in the text, from 1; RC_NO_SPACE. */
enum rc netburst_asked_masked(const struct event **event, const struct asked_text *asked);
enum rc netburst_asked_registers(const struct event **event, const struct asked_text *asked);

#endif
