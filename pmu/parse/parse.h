/* From the text of a .def file to a description. The grammar is in pmu/description.h. Pure. */
#ifndef PMU_PARSE_PARSE_H
#define PMU_PARSE_PARSE_H

#include "boot/rc.h"
#include "pmu/description.h"

/* Returns `size` bytes, zeroed and never freed; null when memory is exhausted. */
typedef void *(*description_allocate)(size_t size);

/* Parses the description of that name and everything it inherits, and checks what must hold between
 * its lines: names are defined, parents exist, no formula rests on itself. RC_OK; RC_BAD_INPUT with
 * *complaint filled in; RC_NO_SPACE. Without RC_OK the description must not be used. */
enum rc description_parse(struct description *description, const char *name,
                          const struct description_library *library, description_allocate allocate,
                          struct complaint *complaint);

/* Returns whether a signature of the text matches the core: description_matches without parsing
 * anything but the lines that begin with `signature`. A malformed signature matches nothing. */
bool description_claims(const char *text, size_t size, const struct facts *facts);

#endif
