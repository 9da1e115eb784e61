/* A kernel: machine code with a known bottleneck, and what must be counted when it runs.
 *
 * kernel.inc lays a struct kernel out for every kernel file, so the two must agree. It also states
 * the calling rule of the three routines; they are not C functions: the harness's window calls
 * `code`, everybody else goes through kernel_call. A kernel knows no counters: its expectations are
 * text that the harness judges. */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include <stdint.h>

/* Per window of n iterations, the bracket's own cost taken out. */
struct kernel_expectation {
    const char *subject; /* an event, a Topdown node, or a formula over events */
    const char *low;     /* expressions over n, arena (the value of `arena` below) and the CPU */
    const char *high;    /*     description's parameters; both bounds belong to the range */
};

/* A branch that the kernel takes for certain, as the CPU records it. */
struct kernel_branch {
    const void *from, *to;
};

struct kernel {
    const char *name; /* "be.mem.l1": family, a dot, what it does; unique */
    const char *title;
    const char *iterations; /* expression: n of one window at scale 1, at least 1 */
    const char *arena;      /* expression: bytes, "0" when it needs none; may not mention n */
    uint64_t page_shift;    /* size of the arena's pages: 12 or 21 */
    void (*code)(void);     /* what is measured */
    void (*prepare)(void);  /* once per core, before the first reset; may be null */
    void (*reset)(void);    /* before every window, not counted, with its n; may be null */
    const struct kernel_expectation *expectations;
    uint64_t expectation_count;
    /* The last branches taken inside a window of at least three iterations, newest first. The RET
     * that leaves the kernel is newer than all of them and is not listed. */
    const struct kernel_branch *branches;
    uint64_t branch_count;
    const char *leaf; /* the Topdown node it puts on trial, by names apart by " | ", of which the
                         CPU's first counts; "" none */
    const char
        *requires;  /* what CPUID must announce beyond SSE2, words apart by blanks; "" nothing */
    uint64_t level; /* `kernels = all` runs it when so many levels are measured, 1 always */
    uint64_t doses; /* 0, or how many doses of 0..100 it is to be run with, at least 2 */
    void (*partner)(void); /* what another core does meanwhile on the same arena; may be null */
};

unsigned kernels_count(void);
/* Kernel number `index` by name (byte order); null past the end. Takes time quadratic in the
 * number of kernels: not for inner loops. */
const struct kernel *kernels_at(unsigned index);
/* The one that follows by name, the first after null; null after the last. For going through all:
 * kernels_at looks at every pair of names. */
const struct kernel *kernels_after(const struct kernel *before);

/* Calls a routine of a kernel by the kernels' own rule. n > 0; dose 0..100, 0 for a kernel without
 * doses; the arena is aligned to 2 MiB,
 * writable and executable, and as large as the kernel's expression says, `arena_bytes`, which is
 * passed on exactly (not rounded up to pages: kernels size their data by it). */
void kernel_call(void (*routine)(void), uint64_t n, void *arena, uint64_t arena_bytes,
                 uint64_t dose);

#endif
