/* `event NAME counts EVENT:MASK[:MASK...] [second EVENT:MASK[:MASK...]]` (statements.h). */
#ifndef PMU_NETBURST_NAMED_COUNT_H
#define PMU_NETBURST_NAMED_COUNT_H

#include "pmu/parser.h"

/* Reads the line after the word `event` when its second word is `counts`; *mine says whether it is.
 * Otherwise nothing is read. */
bool netburst_parse_count(struct parser *parser, bool *mine);

#endif
