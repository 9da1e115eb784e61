/* Modified events: where a formula says NAME:c2:e1, an event of that name is made from the event
 * NAME. */
#ifndef PMU_PARSE_DERIVE_H
#define PMU_PARSE_DERIVE_H

#include "pmu/parser.h"

/* Makes the modified events of all formulas. A modification of an unknown event makes none. */
bool parse_derive(struct parser *parser);

#endif
