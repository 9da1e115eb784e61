/* One kernel, sampled: windows in which the overflow of a counter interrupts the kernel and the
 * handler stores where (boot/machine/pmi.asm). On the core under test; nothing here logs or
 * allocates.
 *
 * The windows are one long run with pauses: what the sampled counter has counted at the end of a
 * window it still has at the begin of the next. */
#ifndef HARNESS_SAMPLER_SAMPLER_STATE_H
#define HARNESS_SAMPLER_SAMPLER_STATE_H

#include "boot/machine/pmi.h"
#include "harness/profile/addresses.h"
#include "harness/profile/branches.h"
#include "harness/window/precise_window.h"
#include "harness/window/stats.h"
#include "pmu/sampling/sampling.h"

/* At most so many samples of one window are kept. */
#define SAMPLER_ROOM 65536u
/* Interrupts that a window may take: so many times the samples that its cycles make room for. */
#define SAMPLER_INTERRUPTS 4u
/* Samples of a window's edges: so many more than expected. */
#define SAMPLER_EDGES 8u
/* Interrupts that are measured to learn what one costs. */
#define SAMPLER_PROBES 31u
/* Windows that show the skid, and the gain; fewer where one is disturbed, or not interrupted. */
#define SKID_WINDOWS 9u
#define GAIN_WINDOWS 4u

/* Values that are seen one by one. */
struct seen {
    uint64_t count, lowest, highest;
    uint64_t apart; /* more, of which none is in the others */
    double sum, squares;
};

/* What an interrupt costs. */
struct interrupt_cost {
    /* In events of the sampled counter: from the handler's last write to the interrupted code, more
     * than from any other such write to the next instruction. A lower bound of A. */
    struct signed_spread least_refill;
    bool own_known; /* the handler's record said so, each time */
    struct signed_spread
        own; /* the same, of the handler's begin, until it has stopped the counter */
    struct signed_spread
        handler;        /* core cycles from the interrupted code to the interrupted code */
    bool handler_known; /* a counter counts all cycles, and enough probes were undisturbed */
    bool handler_off;   /* that counter and the clocks differ: it is not to be believed */
    /* In core cycles, of a counter of cycles: by how much a program advances more than the period
     * between two interrupts; the skid S, measured by itself; and the refill A, which is S less the
     * gain. */
    struct signed_spread gain, skid, refill;
    bool gain_known;
    unsigned skid_windows, gain_windows; /* that they are of */
    const char *skid_missing;            /* why neither skid nor refill is known; null: they are */
};

struct sampler {
    /* What to do. */
    struct measurement *measurement; /* the kernel, its arena, the core's registers */
    struct sampling_plan plan;
    const struct sampling_plan *branch_plan; /* samples branches, for the skid; null: none */
    const struct lbr_plan *lbr; /* null: no branch records; else each sample has a stack of them */
    /* With memory for it: by PEBS, into the addresses. Neither `plan` nor any interrupt matters. */
    struct pebs_plan pebs;
    struct precise_memory memory;
    struct addresses *addresses; /* where samples go; or, for stacks of branches alone, */
    struct branches *branches;   /* with both null the samples are counted only, as kept */
    /* Each sample of a kept window beside that: the interrupted address, and the sampled counter,
     * which was 0 at the overflow, when the handler had stopped it. Null: nobody wants it. */
    void (*take)(void *context, uint64_t address, uint64_t since);
    void *take_context;
    bool finds_mispredicted; /* the sampled event is that of mispredicted taken branches */
    bool counts_cycles;      /* the sampled event is the core's cycles */
    enum pmi_delivery delivery;
    struct sampling_periods periods;
    uint64_t n;            /* iterations of a window */
    uint64_t wanted;       /* samples in the kernel's code */
    uint64_t window_limit; /* no more windows are kept; 0: as many as `wanted` needs */
    uint64_t *times;       /* room for the TSC ticks of window_limit windows; null: not wanted */
    uint64_t expected;     /* samples of a window */
    uint32_t least_period; /* cycles between two interrupts that the handler must need less than */
    /* Memory: room records of PMI_RECORD_WORDS + plan.read_count words, room + 1 presets. */
    uint64_t *records, *presets;
    uint64_t room;
    /* Between core and handler. */
    struct pmi_program program;
    uint64_t ticks;   /* of the newest window */
    double cycles;    /* of the newest window, by the clocks; 0: unknown */
    uint64_t carried; /* the sampled counter at the end of the last window */
    bool window_lost; /* an overflow of the window was followed by no interrupt */
    /* What came of it. */
    unsigned behind; /* the record that is used is of so many branches behind the overflow's */
    struct interrupt_cost cost;
    struct seen late;     /* the sampled counter when the handler had stopped it */
    uint64_t kept;        /* samples in the kernel's code; stacks of branches: all */
    uint64_t came;        /* in the windows that were kept, wherever they are */
    bool undue;           /* these are not so many as the counted events ask for */
    uint64_t outside;     /* addresses elsewhere */
    uint64_t thrown_away; /* in windows that a guard discarded or that ended early */
    uint64_t ended_early; /* windows in which an interrupt was lost, or a sample had no room */
    uint64_t lost;        /* overflows that no interrupt followed */
    uint64_t spurious;    /* interrupts without an overflow */
    uint64_t interrupts;  /* all */
    uint64_t no_room;     /* samples for which a window had no room */
    uint64_t windows;     /* that were kept */
    uint64_t discarded[GUARD_KINDS];
    uint64_t first_window, last_window; /* numbers of the first and the last one */
    uint64_t total_cycles;              /* of the windows that were kept, the handler's included */
    bool total_unknown;                 /* the counter of one of them could not be read, */
    bool total_off;                     /* or it and the clocks differ */
    bool apic_changed;                  /* the local APIC does not hold its old values */
    bool below_cost;       /* the period is below the handler's own cost: nothing was sampled */
    uint64_t period_limit; /* what the period must be above, in cycles */
    const char *absent;    /* why this core cannot sample: nothing was; null */
    enum rc rc;            /* of what went wrong */
    const char *what;      /* the same in words; null: nothing */
    char where[64];
};

#endif
