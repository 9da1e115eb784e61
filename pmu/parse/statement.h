/* One statement: which one it is, and the statements without a file of their own. */
#ifndef PMU_PARSE_STATEMENT_H
#define PMU_PARSE_STATEMENT_H

#include "pmu/parser.h"

/* Reads the current line, which is not empty. */
bool parse_statement(struct parser *parser);

#endif
