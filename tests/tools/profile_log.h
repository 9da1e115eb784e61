/* Profiles of a log of slotscope's, and what is true of the same kernels by the rig's --profile
 * file, as check_profile compares the two. */
#ifndef TESTS_TOOLS_PROFILE_LOG_H
#define TESTS_TOOLS_PROFILE_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* At an address of a kernel's code, over all windows of a series. */
struct place {
    uint64_t address;
    double executions, cycles, tip; /* cycles: of the oldest; tip: by TIP's rules */
    /* in windows of 2n iterations less those of n */
    double counted_executions, counted_cycles, counted_tip;
};

/* A sampled kernel on a core. */
struct profiled {
    json_int_t core;
    char kernel[64];
    json_t *series;  /* series -> its `sampling` record */
    json_t *levels;  /* "METHOD/LEVEL" -> all entries of that method and level */
    json_t *counted; /* window that was counted -> its iterations */
    json_int_t n;    /* the fewest iterations of these */
    json_int_t first_window, last_window; /* of the series `cycles` */
    struct place *places;                 /* ascending by address */
    size_t count, room;
    uint64_t code; /* address of offset 0 */
};

struct profiles {
    struct profiled *items;
    size_t count;
};

/* Reads the records of a log. Ends the program with status 2 when it cannot be read. */
void profiles_read(struct profiles *profiles, const char *log);
/* Reads the truth. Executions are those of the windows of the series `cycles`. The cycles of an
 * instruction are those in which it was the oldest that had not retired, for each execution in the
 * windows that were counted and not sampled: the interrupts disturb what they sample. An
 * instruction that did not run there has its cycles from the sampled windows, without the wait of
 * the first one behind each interrupt. Ends the program with status 2 when the file cannot be read.
 */
void profiles_read_truth(struct profiles *profiles, const char *file);
void profiles_free(struct profiles *profiles);

/* The entries of a method and level; null: the log has none. */
const json_t *profiled_entries(const struct profiled *profiled, const char *method,
                               const char *level);
/* Samples that a series kept; 0: the log has no such series. */
double profiled_samples(const struct profiled *profiled, const char *series);
/* What is true of an entry: all instructions from its offset, as many as its `length` says. */
struct place profiled_truth(const struct profiled *profiled, const json_t *entry);

#endif
