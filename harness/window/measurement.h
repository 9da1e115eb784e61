/* One kernel on one core as a value: what is to be counted, and what was. The core under test
 * writes it, the boot processor reads it afterwards; nothing here logs. */
#ifndef HARNESS_WINDOW_MEASUREMENT_H
#define HARNESS_WINDOW_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/cell/cell.h"
#include "guard.h"
#include "kernels/kernel.h"
#include "pmu/counters.h"
#include "pmu/plan.h"
#include "sibling_counters.h"

#define MEASUREMENT_PASSES 64

/* What stays with a core from kernel to kernel. */
struct core_registers {
    const struct ring_3 *ring_3; /* kernels run there while they are measured; null: in ring 0 */
    struct saved_registers saved;
    struct core_guards guards;
    uint64_t windows; /* how often this core's counters went from stopped to counting */
};

struct recording;

/* The windows of one pass: values[(reading * 2 + twice) * repeats + repeat], windows[twice *
 * repeats + repeat]. */
struct pass_result {
    uint64_t *values;
    uint64_t *windows;
    bool overflowed[PLAN_COUNTERS]; /* in some window */
    bool complete;                  /* every repeat of n and of 2n was kept */
    const char *why;                /* a register of it failed, in words; null: none did */
    char where[40];                 /* that register */
};

/* The core that runs the kernel's PARTNER. */
struct partner {
    bool present;
    unsigned core;
    uint32_t package; /* FACTS_UNKNOWN: CPUID does not say */
};

struct measurement {
    /* What to do. */
    const struct kernel *kernel;
    struct cell *cell; /* where the kernel runs, one of the user's own; null: a built-in kernel */
    const struct facts *facts;
    const struct plan *plan; /* null or without passes: run once, uncounted */
    struct core_registers *registers;
    uint64_t n; /* iterations of a window; every second window has 2n */
    void *arena;
    uint64_t arena_bytes;
    uint32_t arena_node;  /* whose memory the arena is, CORE_NODE_UNKNOWN */
    uint64_t dose;        /* 0..100 */
    const char *corunner; /* the kernel on the sibling thread, null: the sibling is parked */
    struct partner partner;
    unsigned repeats, warmup;
    unsigned first_pass;                   /* passes before it are done already */
    unsigned passes_of_full_tree;          /* of a drill-down, which plans fewer passes; else 0 */
    const struct description *description; /* of the core; for the recordings */
    bool shares_core; /* the sibling thread works too, and may record branches itself */
    bool rehearsed;   /* before each window the kernel runs once uncounted */
    /* Also record last branches: recording.h. */
    struct recording *recordings;
    unsigned recording_count;
    /* Both threads of the core count: the sibling's counters, and the measurement that gets their
     * counts, by the same plan. Null: this thread alone counts. */
    struct sibling_counters *sibling_counters;
    struct measurement *sibling;

    struct pass turned; /* the pass as the repeat at hand counts it (pmu/pass_turn.h) */

    /* What came of it. */
    struct pass_result passes[MEASUREMENT_PASSES];
    uint64_t kept, discarded[GUARD_KINDS]; /* windows */
    bool unsteady; /* its frequency was not steady before its first window, as far as it is seen */
    uint64_t ticks_lost; /* of the TSC, in those that were discarded */
    enum rc rc;          /* of what went wrong with more than one pass */
    const char *what;    /* the same in words; null when nothing went wrong */
    char where[64];      /* the register that failed, "" when it was none */
};

/* How many words a measurement by `plan` needs for its values. */
size_t measurement_words(const struct plan *plan, unsigned repeats);
/* Lays out the passes from first_pass on in `words`, which has room for measurement_words. Returns
 * the first word behind them. */
uint64_t *measurement_lay_out(struct measurement *measurement, uint64_t *words);
/* Remembers the registers' values, to be restored after the run. On the core whose registers they
 * are. False: one cannot be read or there are too many, and the measurement says which. */
bool measurement_keep(struct measurement *measurement, const uint32_t *registers, unsigned count);
/* The same of all registers that the plan writes; then switches off branch traces and precise
 * samples that the firmware left on. */
bool measurement_keep_plan(struct measurement *measurement);
/* As measurement_keep_plan, but a register that cannot be read gives up the passes that write it,
 * and no others. False: no pass is left, or the measurement cannot go on. */
bool measurement_keep_passes(struct measurement *measurement);
/* Gives the pass up for the register that failed; then nothing is wrong with the measurement.
 * False: no pass is left, and something is. */
bool measurement_give_up(struct measurement *measurement, unsigned pass);
/* Writes the pass's setup on this core, and counts the windows that it begins itself. False: a
 * register faults, and the measurement says which. */
bool measurement_set_up(struct measurement *measurement, const struct pass *pass);
/* Stores what the newest window of the core counted as repeat number `repeat` of the pass. */
void measurement_store(struct measurement *measurement, const struct pass *pass,
                       const struct raw_counts *raw, bool twice, unsigned repeat);
/* Adds the counts of `from` to the counts of `to`, window by window; both have the same plan. */
void measurement_add(struct measurement *to, const struct measurement *from);
/* After a window that was disturbed: counts it as discarded. Whether another one may run; where no
 * retry is left the measurement has failed. */
bool measurement_try_again(struct measurement *measurement, enum guard guard, unsigned *retries);
/* Sets rc, what, and `where` to the name of a register. */
void measurement_fail(struct measurement *measurement, enum rc rc, const char *what);
void measurement_fail_register(struct measurement *measurement, enum rc rc, const char *what,
                               uint32_t msr);

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
