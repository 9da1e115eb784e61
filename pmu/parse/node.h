/* let NAME = FORMULA
 * node NAME level N [parent NODE] = FORMULA [above X | below X] [or NODE] [& parent] */
#ifndef PMU_PARSE_NODE_H
#define PMU_PARSE_NODE_H

#include "pmu/parser.h"

/* Read the line after the word `let` or `node`. */
bool parse_let(struct parser *parser);
bool parse_node(struct parser *parser);

#endif
