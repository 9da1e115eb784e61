/* Guards against what may disturb a window without showing in the counters: SMIs, a moving
 * frequency, thermal throttling, machine checks, NMIs, cycles that the counters miss or make up. A
 * guard that a core lacks has a reason, and is never taken for a guard that saw nothing. On the
 * core under test. */
#ifndef HARNESS_WINDOW_GUARD_H
#define HARNESS_WINDOW_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/facts.h"

enum guard {
    GUARD_SMI,
    GUARD_FREQUENCY,
    GUARD_THERMAL,
    GUARD_PACKAGE_THERMAL,
    GUARD_MACHINE_CHECK,
    GUARD_NMI, /* that nobody asked for */
    GUARD_CYCLES,
    GUARD_PROBED,
    GUARD_INTERRUPT = GUARD_PROBED, /* in the cell of a kernel of the user's own, which sees it */
    GUARD_KINDS,
    GUARD_CLEAN = GUARD_KINDS, /* nothing disturbed the window */
};

/* IA32_MC0_STATUS and so on: Intel's parts have no more; a core that does says so. */
#define GUARD_BANKS 32

/* What IA32_APERF and IA32_MPERF counted in the same time. */
struct guard_clock {
    uint64_t aperf, mperf;
};

struct core_guards {
    const char *absent[GUARD_KINDS]; /* why this core lacks the guard; null: it has it */
    struct guard_clock first;        /* of the first window; 0 before it */
    struct guard_clock moved;  /* of the window before, if it was discarded for its frequency */
    struct guard_clock steady; /* the last frequency that was steady; 0: none yet */
    bool is_steady;            /* the frequency was, when the last kernel began */
    bool rates_agree; /* the self-check found fixed counters 1 and 2 in the clocks' ratio */
    struct guard_clock
        around; /* the fewest that the clocks counted around a window; 0: no window */
    /* Bit n: guard n found a log bit of its status register set already. That stays so, and the
     * guard then sees throttling only at the begin and the end of a window. */
    uint32_t logged;
    unsigned banks;                    /* that are looked at, at most GUARD_BANKS */
    unsigned banks_beyond;             /* that the core has besides, and nobody looks at */
    uint32_t bank_absent;              /* bit n: bank n could not be read in the probe */
    uint64_t bank_status[GUARD_BANKS]; /* as it was last read */
};

/* Whether the core can see its frequency, and it was not steady when the last kernel began. */
static inline bool guards_unsteady(const struct core_guards *guards)
{
    return guards->absent[GUARD_FREQUENCY] == NULL && !guards->is_steady;
}

struct guard_sample {
    uint64_t smi, aperf, mperf, thermal, package;
    uint64_t nmis;      /* that nobody asked for */
    bool machine_check; /* a bank holds a new error, or faults now; only at a window's end */
};

/* "smi", "frequency", ... */
const char *guard_name(enum guard guard);
/* Finds out which guards the core has. Once per core. */
void guards_probe(struct core_guards *guards, const struct facts *facts);
/* The next window is the first of a kernel: the later ones must have its frequency, or another that
 * holds. Waits until the frequency has been the same for 2 ms, or for 0.1 ms where it is what was
 * steady before; for at most 20 ms. A core that was halted begins with a low frequency, and the
 * processor takes a while to raise it. */
void guards_begin(struct core_guards *guards);
/* The next window may have any frequency. */
void guards_forget_frequency(struct core_guards *guards);
/* What lies around a window: the two samples. */
struct guard_bracket {
    struct guard_sample before, after;
};

/* Begins the window's bracket. */
void guards_open(const struct core_guards *guards, struct guard_bracket *bracket);
/* Ends it: what disturbed the window, or GUARD_CLEAN. A frequency that is not the first window's
 * disturbs, unless the window before had it, too: then it holds, and is what later windows must
 * have. `own_nmis` of the NMIs in between were asked for, and are no strays. */
enum guard guards_close(struct core_guards *guards, struct guard_bracket *bracket,
                        uint64_t own_nmis);

/* What a window counted of core cycles (fixed counter 1) and of reference cycles (fixed counter 2).
 */
struct guard_counted {
    bool cycles_known, reference_known;
    uint64_t cycles, reference;
};

/* Whether cycles and reference cycles are in another ratio than those of IA32_APERF and IA32_MPERF
 * around the window, by more than the self-check allows (every_counter.h) and the readings: however
 * much longer than the window the bracket is. Of either thread of a core, which has one frequency:
 * a hypervisor that runs both on cores of their own loses such windows. Nothing where the
 * self-check could not compare the rates. */
bool guards_ratio_off(const struct core_guards *guards, const struct guard_bracket *bracket,
                      const struct guard_counted *counted);
/* Whether the window counted more cycles, or reference cycles, than IA32_APERF, or IA32_MPERF, did
 * from the bracket's begin to its end, or so many fewer that what runs between the samples beside
 * the window is no reason. The second only where nothing else runs there (`alone`); or
 * guards_ratio_off. Only of a window of which guards_close has no complaint. */
bool guards_miscounted(struct core_guards *guards, const struct guard_bracket *bracket,
                       const struct guard_counted *counted, bool alone);
/* Core cycles in so many ticks of the time stamp counter, which goes on as IA32_MPERF does while
 * the core runs (SDM 3B, "Hardware Feedback"), at the bracket's frequency; 0: nobody knows, since
 * the core cannot see its frequency. */
double guards_cycles_in(const struct core_guards *guards, const struct guard_bracket *bracket,
                        uint64_t ticks);
/* Whether what was counted and these cycles of the clocks differ by more than the part `share` and
 * `edge` cycles; not where the clocks are unknown. Pure. */
bool guard_clocks_differ(double counted, double clocks, double share, double edge);
/* Whether the ratio of APERF to MPERF is another by more than 2 %, and by more than the tolerance
 * of the readings (50 ticks each). Pure. */
bool guard_frequency_moved(const struct guard_clock *first, const struct guard_clock *clock);

#endif
