/* `loop`: rounds of the whole run. What the first round gave is kept, and each later result is held
 * against it, so that the log of a round is what differs. */
#ifndef HARNESS_ROUNDS_ROUNDS_H
#define HARNESS_ROUNDS_ROUNDS_H

#include <stdint.h>

#include "boot/log.h"
#include "harness/records/table.h"

#define ROUNDS_VALUES (TABLE_NODES + 1) /* the columns, then CPI */

/* One kernel, at one dose, on one core. */
struct round_row {
    struct table_row first;                               /* of round 1 */
    double lowest[ROUNDS_VALUES], highest[ROUNDS_VALUES]; /* over the rounds so far */
    bool known[ROUNDS_VALUES];                            /* in some round */
};

/* A value that moved. */
struct round_value {
    const char *kernel;      /* null: there is none */
    const struct node *node; /* null: CPI */
    unsigned core;
    uint64_t dose;   /* 0: the kernel has none */
    double from, to; /* in round 1 and now; the lowest and the highest */
};

struct rounds {
    uint64_t wanted;        /* 0: until ESC */
    uint64_t number;        /* of the round that is measured, from 1 */
    uint64_t whole;         /* rounds that came to their end */
    struct round_row *rows; /* null: there is one round, and nothing to compare */
    size_t *kernel_rows;    /* where those of each kernel begin */
    /* Of this round. */
    uint64_t began;            /* TSC */
    uint64_t discarded_before; /* windows */
    struct log_totals before;
    unsigned results, unsaid;
    unsigned claims; /* verdicts that so many results are as in round 1 */
    struct log_totals unsaid_verdicts;
    struct round_value node, cpi; /* furthest from round 1: by the share, and by the part of CPI */
    /* Of all rounds. */
    struct round_value widest; /* the node with the widest range */
    uint64_t log_bytes;        /* the most that a round took of the log file */
    bool full;                 /* the log file has no room for another round: the run ends */
};

/* One kernel's result. */
struct round_result {
    const char *kernel;
    unsigned core;
    uint64_t dose;               /* 0: none */
    const struct table_row *row; /* its verdicts are counted; not filled: nothing was counted */
    bool say;                    /* it is said whatever it is */
};

/* Begins a round; `discarded` windows were thrown away before it. */
void rounds_begin(struct rounds *rounds, uint64_t discarded);
/* Adds a result, which is of rows[index]. Returns whether it is to be said: always in round 1;
 * later when a verdict fails, when as many pass and are skipped as in round 1 no longer, or when it
 * does not agree with round 1 as cores agree (table.h). */
bool rounds_add(struct rounds *rounds, size_t index, const struct round_result *result);
/* The verdicts on this round's results so far, also those that are not said. `now`: the log's. */
struct log_totals rounds_verdicts(const struct rounds *rounds, const struct log_totals *now);
/* Whether there is more than one round to measure. */
static inline bool rounds_wanted(const struct rounds *rounds)
{
    return rounds->wanted != 1;
}

#endif
