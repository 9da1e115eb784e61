/* Precision curves for a terminal. */
#ifndef SLOTLOG_SHOW_PRECISION_H
#define SLOTLOG_SHOW_PRECISION_H

#include <stdio.h>

struct whole_log;

/* A table for each curve of the log. */
void show_precision(FILE *file, const struct whole_log *log);

#endif
