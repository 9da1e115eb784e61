/* What came of the faults, by the rows of the table. */
#ifndef TESTS_SWEEP_TALLY_H
#define TESTS_SWEEP_TALLY_H

#include "sort.h"
#include "table.h"

#define TALLY_ROWS 128

struct row {
    const char *name;
    unsigned long tried, of[SORTS];
};
struct tally {
    struct row rows[TALLY_ROWS];
    size_t row_count;
    unsigned long refused, unhappened;
};

/* A row for each name of a class, in the table's order. */
void tally_begin(struct tally *tally);
struct row *tally_row(struct tally *tally, const struct fault_class *class);
/* The rows that have faults, and their sum, as a page has tables. Returns the sum. */
struct row tally_print(const struct tally *tally);

#endif
