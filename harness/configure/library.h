/* The CPU descriptions at hand, of the image and of the stick; a file on the stick replaces the
 * image's description of the same name. */
#ifndef HARNESS_CONFIGURE_LIBRARY_H
#define HARNESS_CONFIGURE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "complaint_sink.h"
#include "pmu/parse/parse.h"

#define LIBRARY_ENTRIES 128
/* Used for a CPU that no description matches. */
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

/* Adds a description, or replaces the description of that name, but never the stick's by the
 * image's. False:
 * the library is full, or the name is longer than DESCRIPTION_NAME - 1 characters. */
bool library_add(struct library *library, const char *name, const char *text, size_t size,
                 bool from_stick);
/* Adds all descriptions of the image. False: the library is full. */
bool library_add_builtin(struct library *library);
/* Parses the descriptions of the stick, so that a malformed one is known before anything is
 * measured. False: one is malformed. */
bool library_check_stick(struct library *library, const struct complaint_sink *sink);
/* The description of that name, parsed; null: there is none, or it is malformed. */
const struct description *library_named(struct library *library, const char *name,
                                        const struct complaint_sink *sink);
/* The description whose signature matches this core; the stick's are tried before the image's. The
 * fallback when none matches. Null: the fallback is malformed. */
const struct description *library_matching(struct library *library, const struct facts *facts,
                                           const struct complaint_sink *sink);

#endif
