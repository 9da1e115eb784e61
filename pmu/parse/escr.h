/* The statements of NetBurst's events: `event NAME escr ...`, `masks ...` and `tagged ...`. */
#ifndef PMU_PARSE_ESCR_H
#define PMU_PARSE_ESCR_H

#include "parser.h"

/* Reads the line after the word `event` when its second word is `escr`; *mine says whether it is.
 * Otherwise nothing is read. */
bool parse_escr_event(struct parser *parser, bool *mine);
/* The same for `event NAME counts EVENT:MASK...`. */
bool parse_named_count(struct parser *parser, bool *mine);
/* Read a line that goes on about the event of the last such line. */
bool parse_masks(struct parser *parser);
bool parse_tagged(struct parser *parser);

#endif
