/* What the PEBS records of a kernel's windows say, record by record against the kernel's known
 * causes. Pure: from bytes to sums.
 *
 * rdi and the instruction give each record the number of its event in the window, so the gap from
 * record to record is known in events. With precise distribution a gap is the period. Otherwise the
 * counter first overflows, then a later event makes the record, and the events between the two are
 * counted and thrown away when the counter is set again ("Processor Event Based Sampling"): a gap
 * is more than the period. Where a record is lost, a gap is at least twice the period. */
#ifndef HARNESS_EXPERIMENT_PEBS_PEBS_TALLY_H
#define HARNESS_EXPERIMENT_PEBS_PEBS_TALLY_H

#include "kernels/kernel_causes.h"
#include "pmu/sampling/pebs.h"

/* Latencies of the loads from one level. */
struct pebs_latency {
    uint64_t count, sum, minimum, maximum; /* core cycles */
};

struct pebs_tally {
    uint64_t windows;
    uint64_t events; /* counted by the witness */
    uint64_t records;
    uint64_t undecoded;      /* records that the decoder refuses */
    uint64_t outside;        /* of the loop: the instructions around it */
    uint64_t exact;          /* name an instruction that causes the event */
    uint64_t wrong;          /* name another instruction of the loop, or none */
    uint64_t first_wrong;    /* the address in the first of these */
    uint64_t at[CAUSES_MAX]; /* of each instruction of the loop */
    uint64_t gaps,
        period_gaps;    /* between records of the loop that lost none; as long as the period */
    uint64_t overshoot; /* events by which these gaps together are longer than their periods */
    uint64_t lost;      /* records, by the length of gaps */
    uint64_t unordered; /* records that come too early, or whose rdi is impossible */
    uint64_t open_ends; /* windows whose last events do not fit to the counter's last value, or
                           whose witness counted fewer events than the loop has */
    uint64_t addresses,
        right_addresses; /* of data; in the place from which the instruction loads */
    uint64_t first_wrong_address;
    struct pebs_latency latency[2];    /* of loads that hit L1, L2 */
    uint64_t branches, right_branches; /* records with branches; the newest is the record's own */
    uint64_t vectors, right_vectors;   /* records with XMM registers; XMM7 is the kernel's */
    uint64_t full;                     /* windows in which the buffer was full, thrown away */
    uint64_t wrong_status; /* windows after which OvfDSBuffer did not say whether the threshold was
                              reached */
    uint64_t wrong_counters; /* records that name other counters */
};

/* A window that is over. */
struct pebs_window {
    const struct pebs_plan *plan;
    const struct kernel_causes *causes;
    uint64_t n, arena;
    const uint8_t *buffer;
    unsigned records;
    uint64_t events; /* of the witness; 0 without one */
    /* An interrupt ended the window before its last iteration; `around` is how many events of the
     * interrupt and of the instructions before the loop may be among `events`. */
    bool stopped;
    uint64_t around;
    uint64_t remainder; /* events since the counter was set last */
};

/* How many of the loop's instructions cause the event, once each an iteration. */
unsigned pebs_tally_causes(const struct kernel_causes *causes, enum pebs_use use);
void pebs_tally_window(struct pebs_tally *tally, const struct pebs_window *window);

#endif
