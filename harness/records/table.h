/* Topdown tables for people: a line for each kernel, a column for each node of levels 1 and 2.
 * Pure: the texts are made here, the caller logs them. */
#ifndef HARNESS_RECORDS_TABLE_H
#define HARNESS_RECORDS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/description.h"

#define TABLE_NODES 16
#define TABLE_LINE  160
/* The width of a line, the cores behind it not counted; a table with a single column may be wider.
 */
#define TABLE_WIDTH 98
/* Two cores agree on a kernel when no share differs by more than TABLE_SHARE_TOLERANCE, and CPI by
 * no larger part than TABLE_CPI_TOLERANCE. */
#define TABLE_SHARE_TOLERANCE 0.01
#define TABLE_CPI_TOLERANCE   0.05

/* One kernel on one core. */
struct table_row {
    bool filled;
    unsigned core;
    const struct description *description; /* its nodes are the columns */
    unsigned levels;
    double nodes[TABLE_NODES]; /* in the order of table_columns */
    bool known[TABLE_NODES];
    double cpi;
    bool cpi_known;
    unsigned passed, failed, skipped; /* verdicts */
    bool said; /* with an earlier core: the brief log has no record of this one */
};

/* The description's nodes that are columns: level 1 first, then level 2 as far as `levels` goes.
 * Returns how many. */
unsigned table_columns(const struct description *description, unsigned levels,
                       const struct node *columns[TABLE_NODES]);
/* Whether two rows of one kernel and one description agree. A share without a value agrees
 * only with another one. */
bool table_agree(const struct table_row *a, const struct table_row *b);
/* "core 3" or "cores 0-2,5": the cores whose bit in `cores` is set, of `count`; cut to "..." where
 * `size` is too small. */
void table_cores(char *out, size_t size, const bool *cores, unsigned count);

/* Some of the columns, of one level, as many as fit behind the kernel's name; the first table has
 * CPI too. */
struct table {
    const struct node *columns[TABLE_NODES];
    unsigned column_count;
    unsigned first, count; /* the columns of this table */
    bool cpi;
    unsigned name_width, gap;
};
/* The first table for a description; the longest kernel name has `name_width` characters. */
void table_begin(struct table *table, const struct description *description, unsigned levels,
                 unsigned name_width);
/* The table after this one. False: there are no more columns. */
bool table_next(struct table *table);
/* 1 or 2, or 0 when the description has no nodes. */
unsigned table_level(const struct table *table);
/* How many lines the heading has: a node's name takes one for each of its words. */
unsigned table_heading_lines(const struct table *table);
/* Heading line `line`, from 0. */
void table_heading(char out[TABLE_LINE], const struct table *table, unsigned line);
/* Whether the line would have a number. */
bool table_has_value(const struct table *table, const struct table_row *row);
/* "be.mem.l1   0.913       -   4.02  core 2": what was not measured is "-"; `cores` may be "". */
void table_line(char out[TABLE_LINE], const struct table *table, const char *kernel,
                const struct table_row *row, const char *cores);

#endif
