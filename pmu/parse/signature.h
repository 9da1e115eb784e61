/* signature [VENDOR] FAMILY_MODEL[-MODEL] [stepping LOW-HIGH] [core TYPE [native MODEL]] ... */
#ifndef PMU_PARSE_SIGNATURE_H
#define PMU_PARSE_SIGNATURE_H

#include "pmu/parser.h"

#define SIGNATURES_A_LINE 64

/* Reads the line after the word `signature`. The signatures of an inherited file are read and
 * not kept. */
bool parse_signature(struct parser *parser);

#endif
