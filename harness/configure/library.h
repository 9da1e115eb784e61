/* The CPU descriptions at hand: those in the image, each replaced by a file of the same name on the
 * stick, and the stick's own. */
#ifndef HARNESS_LIBRARY_H
#define HARNESS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/parse/parse.h"

#define LIBRARY_ENTRIES 128
/* The description of a CPU that nobody described. */
#define LIBRARY_FALLBACK "architectural"

struct library_entry {
    char name[DESCRIPTION_NAME];
    const char *text;
    size_t size;
    bool from_stick;
    enum { ENTRY_UNREAD, ENTRY_GOOD, ENTRY_BAD } state;
    struct description description;
};

struct library {
    struct library_entry *entries;
    unsigned count;
    description_allocate allocate;
};

/* What is told about malformed descriptions. */
struct library_sink {
    void *context;
    void (*complain)(void *context, const struct complaint *complaint);
};

/* Adds or replaces; false when the library is full. A name is at most DESCRIPTION_NAME - 1
 * characters. */
bool library_add(struct library *library, const char *name, const char *text, size_t size,
                 bool from_stick);
/* All descriptions of the image. */
bool library_add_builtin(struct library *library);
/* Parses those from the stick, so that a bad one is known before anything is measured. False when
 * one is malformed. */
bool library_check_stick(struct library *library, const struct library_sink *sink);
/* The entry of that name, parsed; null when there is none or it is malformed. */
const struct description *library_named(struct library *library, const char *name,
                                        const struct library_sink *sink);
/* The description whose signature is this core's, from the stick before the image's; the fallback
 * when there is none. */
const struct description *library_matching(struct library *library, const struct facts *facts,
                                           const struct library_sink *sink);

#endif
