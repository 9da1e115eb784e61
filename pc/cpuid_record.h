/* What one core answers to CPUID, as somebody recorded it. Pure. */
#ifndef PC_CPUID_RECORD_H
#define PC_CPUID_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/msr.h"

#define CPUID_ROWS    512u /* a core's leaves and subleaves; the most seen is 110 */
#define CPUID_MACHINE 96u
#define CPUID_ERROR   256u

struct cpuid_row {
    uint32_t leaf, subleaf;
    struct cpuid value;
    uint32_t line; /* of the file, from 1 */
};

struct cpuid_record {
    char machine[CPUID_MACHINE];
    uint32_t core;
    uint32_t line;  /* where the record begins */
    bool complete;  /* its form lists every leaf, not a selection */
    bool malformed; /* a row was refused: the record is not to be trusted */
    unsigned count;
    struct cpuid_row rows[CPUID_ROWS];
};

/* An error of a record: its line, and what is wrong in printable ASCII. */
struct cpuid_error {
    uint32_t line;
    char text[CPUID_ERROR];
};

/* False with *error when the record is cut short, contradicts itself or is of no known vendor. It
 * is cut when it lacks a leaf that slotscope reads and that the highest leaf or leaf 7 says is
 * there. */
bool cpuid_record_check(const struct cpuid_record *record, struct cpuid_error *error);

/* The row of that leaf and subleaf; null when the record has none. The subleaf of a leaf that has
 * no subleaves is ignored. */
const struct cpuid_row *cpuid_record_row(const struct cpuid_record *record, uint32_t leaf,
                                         uint32_t subleaf);

/* What the core answers (SDM 2A, "CPUID - CPU Identification"; APM 3, "CPUID"): a leaf above its
 * range's highest answers like the highest basic leaf on Intel's processors and 0 on others; a row
 * that is missing below it is 0. */
struct cpuid cpuid_record_answer(const struct cpuid_record *record, uint32_t leaf,
                                 uint32_t subleaf);

/* Whether leaf 0 names that leaf, and the record lacks it. */
bool cpuid_record_lacks(const struct cpuid_record *record, uint32_t leaf);

#endif
