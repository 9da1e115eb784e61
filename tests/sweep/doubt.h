/* What a log says against its own numbers, and about those that are not there. A statement counts
 * for a number only when it is about that number: about its event or node, its kernel on its core,
 * or the counters of its core. A failure elsewhere in the log makes no reader doubt it. */
#ifndef TESTS_SWEEP_DOUBT_H
#define TESTS_SWEEP_DOUBT_H

#include "facts.h"
#include "slotlog/whole_log.h"

enum saying {
    SAYS_FAILED,  /* a verdict that is `not ok` */
    SAYS_SKIPPED, /* a verdict that is a SKIP, with its reason */
    SAYS_RESTS,   /* a verdict on an event that is off, ", but EVENT counts 1.050 of what ..." */
    SAYS_ERROR,   /* an `error` record */
    SAYS_DOUBT,   /* a `doubt` record: of its core's records from `first` to `last` */
    SAYS_NOTED,   /* an `outliers` record: a kernel was measured twice */
    SAYS_OFF,     /* an `exactness` record: the event is `name` */
    SAYS_APART, /* a window of a rotation counted the event `name` otherwise; of a multiplexed run,
                   or of interval number `first` */
    SAYS_PASSED /* a verdict that is ok: it only shows that its kernel was measured */
};

struct statement {
    enum saying saying;
    json_int_t core; /* -1: it names none */
    char *text;
    const char *name;
    json_int_t first, last; /* `seq` */
};

struct statements {
    struct statement *of;
    size_t count, room;
};

/* Adds what the log says. The log must live as long. */
void statements_add(struct statements *statements, const struct whole_log *log);
/* Removes all that `sound` says, too, whatever the figures in it; but what only shows that a kernel
 * was measured stays. */
void statements_remove(struct statements *statements, const struct statements *sound);
void statements_free(struct statements *statements);

/* The first that makes a reader doubt the number; NULL: none does. `kernels` has facts of all
 * kernels that the run could name. */
const struct statement *statements_doubt(const struct statements *statements,
                                         const struct fact *fact, const struct facts *kernels);
/* The first that says why the fact is not there, or (`passed`) that there are others like it. */
const struct statement *statements_explain(const struct statements *statements,
                                           const struct fact *fact, bool passed);
/* Whether an error says that the run did not get its load options: it is another run. */
bool statements_lost_options(const struct statements *statements);
/* The first that is no SAYS_PASSED. */
const struct statement *statements_news(const struct statements *statements);

#endif
