/* Which files a description is made of, and memory for what they say. */
#ifndef PMU_PARSE_CHAIN_H
#define PMU_PARSE_CHAIN_H

#include "pmu/parser.h"

/* Finds the file of that name and every file that it inherits from (`like`), and takes memory for
 * at most as many events, nodes ... as these files can define. */
bool parse_chain(struct parser *parser, const struct description_library *library,
                 const char *name);

#endif
