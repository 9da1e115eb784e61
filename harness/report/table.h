/* Topdown tables for people. Pure: lines are built here, the caller logs them. */
#ifndef HARNESS_TABLE_H
#define HARNESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/description.h"

#define TABLE_NODES 16
#define TABLE_LINE  160

/* One kernel on one core. */
struct table_row {
    bool filled;
    unsigned core;
    const struct description *description; /* its nodes name the columns */
    unsigned levels;
    double nodes[TABLE_NODES]; /* in the order of table_columns */
    bool known[TABLE_NODES];
    double cpi;
    bool cpi_known;
};

/* The description's nodes that make columns: level 1 first, then level 2 as far as `levels` goes.
 * Returns how many. */
unsigned table_columns(const struct description *description, unsigned levels,
                       const struct node *columns[TABLE_NODES]);
/* The heading is two lines (`line` 0 and 1): a node's name, cut at its first `_`. */
void table_heading(char out[TABLE_LINE], const struct table_row *row, unsigned line);
/* "  0  0.913 ...   4.02": what was not measured is "-". */
void table_line(char out[TABLE_LINE], const struct table_row *row);

#endif
