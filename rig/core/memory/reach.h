/* The answer to one access to memory: when it is done, where its line was and what it waited for.
 */
#ifndef RIG_CORE_MEMORY_REACH_H
#define RIG_CORE_MEMORY_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model.h"

enum level {
    LEVEL_L1,
    LEVEL_FILL_BUFFER, /* a miss of this line is already on its way */
    LEVEL_L2,
    LEVEL_L3,
    LEVEL_MEMORY
};

/* Why an access took longer than a hit in L1: the longest of its waits, and of equal waits the last
 * one. */
enum late {
    LATE_NOT,
    LATE_TRANSLATION,     /* the second-level TLB or a walk */
    LATE_FORWARD_BLOCKED, /* an older store overlaps and cannot forward */
    LATE_SPLIT,           /* the second half of a line or page split */
    LATE_LOCK,            /* a locked access holds the line */
    LATE_FILL_BUFFER,     /* every fill buffer was busy */
    LATE_L2,              /* L2 had the line */
    LATE_L3,
    LATE_CONTESTED,     /* another core had the line modified */
    LATE_SHARED,        /* another core had the line */
    LATE_MEMORY,        /* memory's latency */
    LATE_BANDWIDTH,     /* the way to memory was busy */
    LATE_ALIAS,         /* a store to the same offset of another 4 KiB page */
    LATE_UNKNOWN_STORE, /* the address of an older store was not known */
    LATE_QUEUE,         /* L2's queue of requests was full */
    LATE_STREAM,        /* a streaming store: no buffer to combine its line in */
    LATE_FAR_MEMORY,    /* the latency of another package's memory */
    LATE_FAR_SHARED,    /* another package had the line */
    LATE_FAR_CONTESTED, /* another package had the line modified */
    LATE_COUNT
};

struct reach {
    /* cycle in which the value can be used (loads, code) or L1 owns the line (stores) */
    uint64_t done;
    enum level level;
    enum late late;
    /* who had the line, whatever took longest: L2, L3, another core, package or memory; LATE_NOT:
     * L1 */
    enum late served;
    bool second_level;   /* the translation came from the second-level TLB */
    bool walk;           /* it needed a page walk */
    uint64_t begun;      /* loads: cycle in which memory was asked; 0: it was not */
    uint64_t translated; /* loads and code: cycle in which the address was translated */
    uint64_t buffered;   /* loads: cycle in which the line had a fill buffer; 0: it needed none */
    bool evicted;        /* code: evicted_line left the instruction cache */
    uint64_t evicted_line;
};

/* Where events say that a line of that level came from; `served` as above. */
enum origin reach_origin(enum level level, enum late served);

/* A line asked for beyond L2. */
struct line_read {
    uint64_t begun, done; /* cycles */
    bool load;            /* for a load, or for a prefetch that a load caused */
};

#endif
