/* What reading a schema and checking values by it share. */
#ifndef PC_SCHEMA_INSIDE_H
#define PC_SCHEMA_INSIDE_H

#include <regex.h>
#include <stdint.h>

#include "schema.h"

#define SCHEMA_PATTERNS 64

/* json_object_foreach for a const object: jansson's macro wants a mutable object, but changes
 * nothing. */
#define EACH_MEMBER(object, name, member)                                                          \
    json_object_foreach ((json_t *)(uintptr_t)(object), name, member)

struct schema {
    json_t *root;
    struct {
        const json_t *text; /* the value of a "pattern" in `root` */
        regex_t compiled;
    } patterns[SCHEMA_PATTERNS];
    unsigned pattern_count;
};

#endif
