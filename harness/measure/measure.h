/* One kernel on one core: what runs on the core under test. Nothing here logs; the boot processor
 * reads the result afterwards. */
#ifndef HARNESS_MEASURE_H
#define HARNESS_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guard.h"
#include "kernels/kernel.h"
#include "rendezvous.h"
#include "pmu/counters.h"
#include "pmu/lbr.h"
#include "pmu/plan.h"
#include "rotation.h"

#define MEASURE_PASSES 48

/* What stays with a core from kernel to kernel. */
struct core_registers {
    struct saved_registers saved;
    struct guards guards;
    uint64_t windows; /* how often this core's counters went from stopped to counting */
};

/* The windows of one pass: values[(reading * 2 + twice) * repeats + repeat], windows[twice *
 * repeats + repeat]. */
struct pass_result {
    uint64_t *values;
    uint64_t *windows;
    bool overflowed[PLAN_COUNTERS]; /* in some window */
    bool complete;                  /* every repeat of n and of 2n was kept */
};

struct measurement {
    /* What to do. */
    const struct kernel *kernel;
    const struct facts *facts;
    const struct plan *plan; /* null or without passes: run once, uncounted */
    struct core_registers *registers;
    uint64_t n;
    void *arena;
    uint64_t arena_bytes;
    uint64_t dose;        /* 0..100 */
    const char *corunner; /* the kernel on the sibling thread, null: it is parked */
    unsigned repeats, warmup;
    unsigned first_pass; /* passes before it are done already */
    unsigned
        passes_at_once; /* what the whole tree would take, when less was planned; 0 otherwise */
    bool branches;      /* also record last branches */
    struct rotation *rotation;     /* what follows the passes; null: nothing */
    struct rendezvous *rendezvous; /* with the core that keeps this one corunner; null: alone */
    struct sibling_counters
        *sibling_counters; /* both threads of the core count; null: this one alone */

    /* What came of it. */
    struct pass_result passes[MEASURE_PASSES];
    uint64_t kept, discarded[GUARD_KINDS];
    bool branches_taken; /* `lbr` is valid */
    struct lbr_stack lbr;
    enum rc rc;       /* of the first thing that went wrong */
    const char *what; /* it, in words; null when nothing did */
    char where[64];   /* its register, when it has one */
};

/* Words of memory that a measurement by `plan` needs for its values. */
size_t measure_words(const struct plan *plan, unsigned repeats);
/* Lays out the passes from first_pass on in `words`, which holds at least that many. Returns what
 * follows them. */
uint64_t *measure_lay_out(struct measurement *measurement, uint64_t *words);
/* Keeps the registers that the plan writes; false: one failed, and the measurement says which. On
 * the core whose they are. */
bool measure_keep(struct measurement *measurement);
/* Keeps what a window of the pass counted, as the last one of the measurement's registers. */
void measure_store(struct measurement *measurement, const struct pass *pass,
                   const struct raw_counts *raw, bool twice, unsigned repeat);
/* A window of n iterations that no guard speaks against; false: *retries ran out, or a register
 * failed, and the measurement says which. On the core under test. */
bool measure_window(struct measurement *measurement, const struct pass *pass, uint64_t n,
                    struct raw_counts *raw, unsigned *retries);
/* A struct measurement to work on; for cores_run. Null is passed over: a core that has no part in
 * this. */
void measure_work(void *measurement);

static inline uint64_t *pass_values(const struct pass_result *pass, unsigned reading, bool twice,
                                    unsigned repeats)
{
    return pass->values + (reading * 2 + (twice ? 1u : 0u)) * repeats;
}

static inline uint64_t *pass_windows(const struct pass_result *pass, bool twice, unsigned repeats)
{
    return pass->windows + (twice ? repeats : 0u);
}

#endif
