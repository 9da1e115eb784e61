/* A kernel: machine code with a known bottleneck, and the counts expected when it runs.
 *
 * kernel.inc lays out a struct kernel for every kernel file, so the two must agree. It also states
 * the calling convention of a kernel's routines, which are not C functions: the harness's window
 * calls `code`, all other callers use kernel_call. A kernel knows no counters: its expectations are
 * text that the harness judges. */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include <stdint.h>

/* The range for a value in a window of n iterations, without the cost of the measuring itself. */
struct kernel_expectation {
    const char *subject; /* an event, a Topdown node, or a formula over events; or several of them
                            separated by " | ": the first that the CPU has counts */
    const char *low;     /* expressions over n, arena (the value of `arena` below) and the CPU */
    const char *high;    /*     description's parameters; both bounds belong to the range */
};

/* A branch that the kernel always takes, as the CPU's branch records show it. */
struct kernel_branch {
    const void *from, *to;
};

/* The kind of a step that is a far branch: behind those of enum map_edge_kind, as kernel.inc has
 * it. */
enum { KERNEL_STEP_FAR = 7 };

/* The same with its kind, an enum map_edge_kind (kernel_map.h) or KERNEL_STEP_FAR. */
struct kernel_step {
    const void *from, *to;
    uint64_t kind;
};

/* How a kernel's loop runs about the instruction that causes an event. */
enum kernel_cause_kind {
    CAUSE_STEADY, /* it retires one instruction a cycle */
    CAUSE_UNEVEN, /* at no such pace */
    CAUSE_EVERY,  /* all its instructions cause the event; the one that is named takes longest */
};

/* Which core may run a kernel's partner. Never a thread of the measured core. */
enum kernel_partner_place {
    PARTNER_SAME_PACKAGE,
    PARTNER_OTHER_PACKAGE,
    PARTNER_ANYWHERE, /* what the kernel claims holds with either */
};

/* Nodes to which a kernel loses no slots, as bits. */
enum kernel_spared {
    SPARED_FRONTEND_BOUND = 1,
    SPARED_BAD_SPECULATION = 2,
    SPARED_BACKEND_BOUND = 4,
};

struct kernel {
    const char *name; /* "be.mem.l1": the family, a dot, what the kernel does; unique */
    const char *title;
    const char *iterations; /* expression: n of one window at scale 1, at least 1 */
    const char *arena;      /* expression without n: bytes; "0" when the kernel needs no arena */
    uint64_t page_shift;    /* size of the arena's pages: 12 or 21 */
    void (*code)(void);     /* runs in the window */
    void (*prepare)(void);  /* runs once per core, before the first reset; may be null */
    void (*reset)(void);    /* runs before every window with that window's n; may be null */
    const struct kernel_expectation *expectations;
    uint64_t expectation_count;
    /* The last branches taken in a window of at least three iterations, newest first, without the
     * RET that leaves the kernel, which is newer than all of them. */
    const struct kernel_branch *branches;
    uint64_t branch_count;
    const char *leaf;      /* the Topdown node that the kernel tests; of several names separated by
                              " | " the first that the CPU has counts; "": none */
    const char *requires;  /* what CPUID must announce beyond SSE2, separated by blanks */
    uint64_t level;        /* `kernels = all` runs it when at least that many levels are measured */
    uint64_t doses;        /* how many doses of 0..100 it runs with, at least 2; 0: none */
    void (*partner)(void); /* another core runs it meanwhile, on the same arena; may be null */
    /* All taken branches of an iteration in their order, the last of which leads back. The last
     * iteration takes `leaves` instead of that one; leaves->to is the RET that leaves the kernel.
     */
    const struct kernel_step *steps;
    uint64_t step_count; /* 0: `steps` and `leaves` are null */
    const struct kernel_step *leaves;
    /* The calls that are open after that RET has taken one away, newest first, as a round that
     * repeats; at least 32 are open. */
    const struct kernel_step *stacked;
    uint64_t stacked_count;  /* 0: `stacked` is null */
    const void *cause;       /* the only instruction of the loop that causes cause_event; or null */
    uint64_t cause_kind;     /* enum kernel_cause_kind */
    const char *cause_event; /* names of the event, separated by " | "; "" without a cause */
    uint64_t partner_place;  /* enum kernel_partner_place */
    const char *most; /* expression over `arena`: the most iterations of a window of n; null: no
                         limit */
    /* Cycles of an iteration at the last dose with which the share follows the dose in a straight
     * line; both 0: it always does. */
    uint64_t straight_least, straight_most;
    /* What holds of the kernel's thread whatever a kernel on the other thread of its core does: how
     * many slots retire in n iterations, as expressions that are proportional to n, both null where
     * nothing is claimed; and the nodes of level 1 to which none are lost, of enum kernel_spared.
     */
    const char *beside_low, *beside_high;
    uint64_t beside_spared;
};

/* The number of kernels. */
unsigned kernels_count(void);
/* Kernel number `index` in the order of the names' bytes; null past the end. Takes time quadratic
 * in the number of kernels: not for inner loops. */
const struct kernel *kernels_at(unsigned index);
/* Kernel number `index` in the order of linking; null past the end. */
const struct kernel *kernels_linked(unsigned index);
/* The kernel of that name, null when there is none. */
const struct kernel *kernels_named(const char *name);
/* All kernels in the order of their names; `sorted` has room for kernels_count() of them. */
void kernels_sort(const struct kernel *sorted[]);

/* Calls a routine of a kernel by the kernels' calling convention. n > 0; dose 0..100, 0 for a
 * kernel without doses. The arena is aligned to 2 MiB, writable and executable. arena_bytes is
 * exactly the value of the kernel's expression `arena`, not rounded up to pages: kernels derive the
 * size of their data from it. */
void kernel_call(void (*routine)(void), uint64_t n, void *arena, uint64_t arena_bytes,
                 uint64_t dose);

#endif
