/* What reading a schema and checking values by it share. */
#ifndef REPORT_SCHEMA_INSIDE_H
#define REPORT_SCHEMA_INSIDE_H

#include <regex.h>
#include <stdint.h>

#include "schema.h"

#define SCHEMA_PATTERNS 64

/* The members of an object that is const; jansson asks for one that is not, and leaves it alone. */
#define EACH_MEMBER(object, name, member)                                                          \
    json_object_foreach((json_t *)(uintptr_t)(object), name, member)

struct schema {
    json_t *root;
    struct {
        const json_t *text; /* the value of a "pattern" in `root` */
        regex_t compiled;
    } patterns[SCHEMA_PATTERNS];
    unsigned pattern_count;
};

#endif
