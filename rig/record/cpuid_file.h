/* Files of recorded CPUID answers. */
#ifndef RIG_RECORD_CPUID_FILE_H
#define RIG_RECORD_CPUID_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/parameters.h"

#define RECORD_ROWS  512
#define RECORD_KINDS 2

/* The answers of one kind of core: of the first core that has this type in CPUID 1AH. */
struct recorded_kind {
    struct cpuid_fact row[RECORD_ROWS];
    size_t count;
    unsigned core; /* as the file numbers it */
};

struct recorded_machine {
    char name[96];
    struct recorded_kind kind[RECORD_KINDS]; /* the kind with type Core first */
    unsigned kinds;
};

/* Reads `argument`: a file's name, behind which `:MACHINE` may choose a machine of a table. False:
 * it cannot be read, or the record is cut, contradicts itself or is of no known vendor; `why` says
 * what, with file and line. Further kinds of cores than two are left out. */
bool cpuid_file_read(struct recorded_machine *machine, const char *argument, char *why,
                     size_t why_size);

/* The answer to that leaf and subleaf; NULL: the record has none. */
const struct cpuid_fact *recorded_row(const struct recorded_kind *kind, uint32_t leaf,
                                      uint32_t subleaf);

#endif
