/* event NAME CODE umask UMASK [umask2 N] [cmask N] [edge] [inv] [any] [eq] [counters 0-3 | 0,2]
 * [msr ADDRESS VALUE] [alone] [fixed N] [architectural BIT] */
#ifndef PMU_PARSE_EVENT_H
#define PMU_PARSE_EVENT_H

#include "pmu/parser.h"

/* Reads the line after the word `event`. */
bool parse_event(struct parser *parser);

#endif
