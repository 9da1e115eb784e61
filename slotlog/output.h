/* A file that is there whole or not at all. */
#ifndef SLOTLOG_OUTPUT_H
#define SLOTLOG_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    const char *name; /* NULL: standard output */
    char *part;       /* what is written, until it is whole; NULL: a device, or standard output */
    char *target;     /* what it then replaces */
    FILE *file;
};

/* False after a line on standard error. */
bool output_open(struct output *output, const char *name);
/* Ends the file and gives it its name; with `whole` false it is removed. False after a line on
 * standard error: what was written could not be kept. */
bool output_close(struct output *output, bool whole);

#endif
