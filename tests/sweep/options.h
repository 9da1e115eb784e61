/* What the sweep is asked for. */
#ifndef TESTS_SWEEP_OPTIONS_H
#define TESTS_SWEEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses, beside 0: see main.c. */
#define STATUS_WRONG 1
#define STATUS_BAD   2

#define OPTIONS_SEEDS 16
#define OPTIONS_BASES 32

struct options {
    const char *build, *image, *classes, *bases, *one; /* NULL: not given */
    char work[300];
    uint64_t seeds[OPTIONS_SEEDS];
    size_t seed_count;
    unsigned long faults, at_once, minutes;
    bool all, list;
    bool kinds;               /* one fault of each, whatever `faults` says */
    bool used[OPTIONS_BASES]; /* by base run: it is wanted */
};

/* Returns 0, or STATUS_BAD once it has said what is wrong. */
int options_read(struct options *options, int argc, char **argv);

#endif
