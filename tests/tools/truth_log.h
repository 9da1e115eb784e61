/* A log of slotscope's and the rig's truth of the same run, as the tools that compare the two read
 * them. Log and truth number the windows of a core from 1, independently of each other. */
#ifndef TESTS_TOOLS_TRUTH_LOG_H
#define TESTS_TOOLS_TRUTH_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define CORES 256

struct list {
    json_t **items;
    size_t count, room;
};

struct run {
    struct list truth[CORES]; /* by core, then by window - 1 */
    struct list counts, topdowns, multiplexes, precisions;
    const char *descriptions[CORES]; /* by core; null: none */
    struct {
        const json_t *of;
        struct list counts;
    } last; /* what counts_of found last */
};

/* Reads a log, or with `is_truth` a file of the rig's --truth. Ends the program with status 2 when
 * it cannot be read. */
void read_lines(struct run *run, const char *name, bool is_truth);

/* The same of a log's records that are in memory: takes a reference of each that it needs. */
void keep_records(struct run *run, const json_t *records);

void run_free(struct run *run);

/* Prints a TAP line and counts it. */
struct tests {
    unsigned long done, failed;
};
void result(struct tests *tests, bool ok, const char *text);

/* A member of a record: 0 or "" when there is no such member. */
json_int_t integer_of(const json_t *record, const char *key);
const char *text_of(const json_t *record, const char *key);

/* Of these records, from number `after` on, the next one of 2n iterations in the pass of `once`,
 * for a kernel may be measured more than once; null: there is none. */
const json_t *twice_of(const struct list *counts, size_t after, const json_t *once);
/* Whether both records are of one trial: the same kernel, core, round, dose and corunner, both of
 * one thread or both of the whole core. */
bool is_same_trial(const json_t *a, const json_t *b);
/* Whether the record sums both threads of a core over the same windows. */
bool is_core_wide(const json_t *record);
/* The `counts` records of a record's trial. Valid until the next call for another record. */
const struct list *counts_of(struct run *run, const json_t *record);

/* Puts a window without a truth before the core's window `first`; up to window `last` then none has
 * one. `first` is at most one behind the core's last window, as is `last`. */
void leave_gap(struct run *run, json_int_t core, json_int_t first, json_int_t last);
/* The truth of a window; null when there is none. */
const json_t *truth_of(const struct run *run, json_int_t core, json_int_t window);
/* The truth's name for what an event counts over a whole window; null: the truth has no such total.
 */
const char *truth_name(const char *event);
/* A number of a window's truth: `name` in the object `member`, or in the window itself when
 * `member` is null. With a null `name` all slots of the window that were this thread's. */
double number_of(const json_t *window, const char *member, const char *name);
/* The same number of windows of 2n iterations less windows of n, added up over the trial's passes
 * (or of one pass, unless -1) and threads. In each pass it is the median of the repeats, as in the
 * log, since one window may be unlike the others (the first one that misses a line). NAN when the
 * passes have no equal numbers of windows, or a window has no truth. */
double net_of(struct run *run, const json_t *topdown, json_int_t pass, const char *member,
              const char *name);

#endif
