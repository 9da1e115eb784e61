/* refuse EVENT WHY
 * speculative NAME ...
 * unpinned NAME[,NAME...] WHY: what is to be known of events that are stated above. */
#ifndef PMU_PARSE_ABOUT_H
#define PMU_PARSE_ABOUT_H

#include "pmu/parser.h"

/* Read the line after the statement's name. */
bool parse_refuse(struct parser *parser);
bool parse_speculative(struct parser *parser);
bool parse_unpinned(struct parser *parser);

#endif
