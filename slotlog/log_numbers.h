/* The numbers of a log, whichever form it has: nodes, counts and CPI of each kernel on each core.
 */
#ifndef SLOTLOG_LOG_NUMBERS_H
#define SLOTLOG_LOG_NUMBERS_H

#include "whole_log.h"

enum number_kind { NUMBER_NODE, NUMBER_COUNT, NUMBER_CPI };

/* The texts belong to the log. */
struct number {
    json_int_t core;
    const char *kernel, *beside, *name; /* `beside` "": the sibling thread is idle */
    const char *scope;                  /* "core": of both threads; "" of one */
    json_int_t dose;                    /* -1: the kernel has none */
    enum number_kind kind;
    bool has;                   /* else `reason` says why not */
    double kept_low, kept_high; /* over the repeats that do not lie apart */
    double value, low, high;    /* low and high over the repeats, */
    int digits;                 /* behind the point, as the log has them */
    bool ranged;                /* or the value itself, where the log does not say its range */
    const char *reason;         /* "" */
    bool trusted;
    json_int_t iterations;
};

struct numbers {
    struct number *of; /* in the order of the log */
    size_t count, room;
    const struct number **sorted; /* by what they are of */
};

void numbers_read(struct numbers *numbers, const struct whole_log *log);
void numbers_free(struct numbers *numbers);

/* "node", "count" or "cpi". */
const char *number_kind_name(enum number_kind kind);
/* "share of slots", "count" or "cycles per instruction". */
const char *number_unit(enum number_kind kind);

/* The first number of the same thing as `like`: of its core, kernel, dose, corunner, scope, kind
 * and name. NULL: there is none. */
const struct number *numbers_find(const struct numbers *numbers, const struct number *like);

/* Whether both are of one measurement: of one core, kernel, dose, corunner and scope. */
bool numbers_are_of_one(const struct number *one, const struct number *other);

/* The numbers of the measurement of `like` that have its kind, by name: so many from `*first` on.
 */
size_t numbers_of_kind(const struct numbers *numbers, const struct number *like,
                       const struct number *const **first);

/* The name of a measurement for people: the kernel, its dose, what is beside it. */
void number_measurement(const struct number *number, char *name, size_t size);

#endif
