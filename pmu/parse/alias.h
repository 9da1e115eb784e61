/* Other names of events and nodes. */
#ifndef PMU_PARSE_ALIAS_H
#define PMU_PARSE_ALIAS_H

#include "pmu/parser.h"

/* Reads the line after the word `alias`. */
bool parse_alias(struct parser *parser);
/* Enters the aliases among the names, once events and nodes are where they stay. */
bool parse_enter_aliases(struct parser *parser);

#endif
