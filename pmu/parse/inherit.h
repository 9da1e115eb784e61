/* without NAME ...: what a description does not inherit. */
#ifndef PMU_PARSE_INHERIT_H
#define PMU_PARSE_INHERIT_H

#include "pmu/parser.h"

/* Reads the line after the word `without` and drops the inherited things that it names. */
bool parse_without(struct parser *parser);
/* Takes what was dropped out of the arrays, and makes the table of names anew. */
void parse_close_up(struct parser *parser);

#endif
