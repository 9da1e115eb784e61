/* What must hold between the lines of a description: names are defined, parents exist, no formula
 * rests on itself. */
#ifndef PMU_PARSE_CHECK_H
#define PMU_PARSE_CHECK_H

#include "pmu/parser.h"

/* After the last line: makes the modified events, resolves parents, thresholds and errata, and
 * checks them. */
bool parse_check(struct parser *parser);

#endif
