/* The forms of `slotlog export`, each a function that prints a log. */
#ifndef SLOTLOG_EXPORT_H
#define SLOTLOG_EXPORT_H

#include <stdio.h>

#include "log_numbers.h"

/* A row a number: core, kernel, dose, beside, scope, kind, name, unit, iterations, value, low,
 * high, reason, trusted. RFC 4180. */
void export_csv(FILE *file, const struct whole_log *log, const struct numbers *numbers);
/* As `perf stat -j` prints: a JSON object a line for each count (perf-stat(1), "JSON FORMAT"). */
void export_perf_json(FILE *file, const struct whole_log *log, const struct numbers *numbers);
/* As toplev of pmu-tools prints with --csv: the nodes (its wiki, "toplev CSV output fields"). */
void export_toplev_csv(FILE *file, const struct whole_log *log, const struct numbers *numbers);
/* JUnit's XML: a test case for each verdict. */
void export_junit(FILE *file, const struct whole_log *log, const struct numbers *numbers);
/* OpenMetrics 1.0 text. */
void export_openmetrics(FILE *file, const struct whole_log *log, const struct numbers *numbers);

/* Writes a text as a field of CSV, in quotes where RFC 4180 asks for them. One that a spreadsheet
 * would take for a formula gets an apostrophe in front. */
void export_csv_field(FILE *file, const char *text);

#endif
