/* A core under test: its facts, its description, and whether its counts are trusted. */
#ifndef HARNESS_JUDGE_MEASURED_CORE_H
#define HARNESS_JUDGE_MEASURED_CORE_H

#include "boot/log.h"
#include "exactness.h"
#include "harness/plan/experiment.h"
#include "harness/window/measurement.h"
#include "harness/window/switches.h"
#include "trial.h"

#define MEASURED_CORE_DIFFERENCES 16

struct settings;

/* What was counted and logged until a core's counters were compared. */
struct agreement {
    uint64_t window;
    struct log_numbers brief, full;
};

struct measured_core {
    unsigned core; /* its number in boot/machine/cores.h */
    struct facts facts;
    const struct description *description; /* null: none fits, and the core is lost */
    bool forced;                           /* `cpu` chose the description against CPUID */
    bool undescribed;                      /* the description is the fallback: none fits CPUID */
    enum threads threads;                  /* what is counted on it now */
    uint64_t round;                        /* of several, from 2; 0: the first, or the only one */
    unsigned arenas, piece;                /* in run->arenas; in each of these arenas */
    bool far_arena;             /* the arena of the kernel on it now is in another node's memory */
    struct exactness exactness; /* of the description's events */
    struct selection first;     /* the nodes to begin with: all, unless the run drills down */
    struct core_registers registers;
    const char *never_compared; /* why its counters cannot be compared; null: they can */
    struct agreement compared;  /* when they last were, and agreed */
    struct switches switches;   /* put back when no core is measured any more */
    struct settings *settings;  /* as they were found; null: they were not read */
    bool fallen;                /* a trap or an NMI ended its work */
    bool lost;                  /* nothing can run on this core (any more), because of `why` */
    char why[128];
    bool untrusted; /* its counts, because of `distrust` */
    bool fixed_off; /* in every round, because of a fixed counter */
    char distrust[128];
    bool counted;         /* an event of some kernel */
    bool has_node;        /* a node of some kernel has a value, or none was asked for */
    char unmeasured[160]; /* why the last kernel without count or node has none */
    bool silent;          /* its one SKIP for all that it cannot count is logged */
    unsigned unsaid;      /* results of this round that are those of round 1 */
    unsigned left_out;    /* kernels that were not measured, because ESC ended the run */
    unsigned proven;      /* self-check counts that were exact */
    uint64_t discarded;   /* windows, whatever they were for */
    /* Kernels, each once, that were given up, in whole or in part, for reasons that only the run
     * showed; `given_up_room` is the number of the run's kernels. */
    const char **given_up;
    unsigned given_up_count, given_up_room;
    struct {
        unsigned with; /* an earlier core, by its number */
        unsigned kernels, verdicts;
        uint64_t discarded; /* windows */
    } agreed; /* on these kernels this core agreed with it, and the brief log has not said so yet */
    /* Registers that do not hold their old value after they were restored: the first ones, and how
     * many there are in all. */
    struct {
        uint32_t msr;
        uint64_t was, is;
        bool readable;
    } differences[MEASURED_CORE_DIFFERENCES];
    unsigned difference_count;
    bool restored; /* its registers, as far as they can be */
};

/* The kernel's n and arena on this core, and the extras with which its formulas are evaluated
 * there. False: this CPU cannot tell the sizes, size->detail says why; the extras then lack `n` and
 * `arena`. */
bool measured_core_sizes(const struct measured_core *core, enum threads threads,
                         const struct experiment *experiment, uint32_t scale,
                         struct extra extras[PARAMETERS_MAX], unsigned *extra_count,
                         struct experiment_size *size);
/* Nothing can run on the core any more. The first reason stays. */
void measured_core_lose(struct measured_core *core, const char *why);
/* The same, after cores_run: core->why says that the core trapped, or did not come back, while
 * `subject` ("cpi.loops") did or suffered `what` ("was sampled"). */
void measured_core_lose_while(struct measured_core *core, enum rc rc, const char *subject,
                              const char *what);
/* A kernel was given up on the core, in whole or in part, for a reason that only the run showed.
 * `kernel` is its name, which stays. It may be said at each dose and in each round. */
void measured_core_give_up(struct measured_core *core, const char *kernel);
/* The core's counts are not trusted. The first reason stays. */
void measured_core_distrust(struct measured_core *core, const char *why);
/* Why nothing that rests on the event of this name can be judged: the core is not trusted, or its
 * self-check refuses the event. Null: it can. */
const char *measured_core_refuses(const struct measured_core *core, const char *event);
/* Forgets what a round found out; what the core is, and whether it is lost, stays. */
void measured_core_renew(struct measured_core *core, uint64_t round);
/* Adds windows that guards threw away. */
void measured_core_discarded(struct measured_core *core, const uint64_t windows[GUARD_KINDS]);
/* All windows that guards threw away on these cores. */
uint64_t measured_cores_discarded(const struct measured_core *cores, unsigned count);
/* Whether two logical processors are threads of one core. */
bool measured_core_is_sibling(const struct measured_core *a, const struct measured_core *b);
/* Notes what this kernel's results add to what the core measured. A core on which no event of any
 * kernel was counted measured nothing; nor did a core that counted, when its description has
 * formulas for the nodes that were asked for and no node of any kernel got a number, or when no
 * description fits it. */
void measured_core_note(struct measured_core *core, const struct trial *trial);

#endif
