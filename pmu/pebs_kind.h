/* The kinds of event-based sampling (PEBS) that cores have, as data: how records are laid out,
 * which counters make them, and which events name the instruction that caused them. `pebs KIND` of
 * a CPU description chooses one.
 *
 * Sources: SDM 3B, "Processor Event Based Sampling" of each microarchitecture; the vendor's event
 * files (PEBS, Counter, TakenAlone, MSRIndex). Where only one public source is known, the row says
 * so. */
#ifndef PMU_PEBS_KIND_H
#define PMU_PEBS_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/slice.h"

/* What is sampled. */
enum pebs_use {
    PEBS_INSTRUCTIONS,
    PEBS_TAKEN,
    PEBS_LOADS,
    PEBS_LATENCY,      /* loads of more than PEBS_LATENCY_ABOVE core cycles */
    PEBS_LONG_LATENCY, /* of more than PEBS_LONG_ABOVE */
    PEBS_USES
};

/* An event that makes records. Counters are bits as in IA32_PERF_GLOBAL_STATUS: general counter n
 * is bit n, fixed counter n is bit 32 + n. */
struct pebs_event {
    const char *name; /* null: there is none for this use */
    uint8_t code, umask;
    uint64_t counters;    /* that may count it and make records of it */
    uint64_t distributed; /* of these, the counters with precise distribution: the record is of the
                             very instruction whose event overflowed the counter */
    uint16_t
        auxiliary; /* event and unit mask that another counter has to count meanwhile; 0: none */
};

struct pebs_kind {
    const char *name;      /* in a description */
    const char *unusable;  /* why slotscope does not sample with it; null: it does */
    uint32_t buffer_bytes; /* the buffer is at most so large; 0: any size */
    bool latency_enable;   /* IA32_PEBS_ENABLE has a bit of its own for load latency */
    bool latency_halves;   /* the latency is the instruction's in 15:0 and the cache's in 47:32 */
    uint64_t untimed;      /* counters whose records have no latency of retirement, though the core
                              announces it */
    struct pebs_event events[PEBS_LATENCY + 1]; /* both latencies have the same */
};

/* "instructions", "taken branches", "loads", "loads above 3 cycles", "loads above 9 cycles" */
const char *pebs_use_name(enum pebs_use use);

#endif
