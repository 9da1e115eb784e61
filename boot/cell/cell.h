/* A cell: where code runs that is not the image's own, a kernel of the user's. Its page tables map
 * the code, its stack between two gaps, its buffer and what the processor itself needs, and nothing
 * else; the first three are all that it can write. Whatever ends it, the core goes on behind
 * cell_try or cell_run.
 *
 * First the code is tried in ring 3, where nothing privileged is done for it and its interrupts
 * cannot be switched off. Then it runs in ring 0, where a counting window runs; what it could do
 * there and not in its trial, doc/own_kernels.md says.
 *
 * A deadline is this core's own, by the timer of its local APIC: interrupts are on while the code
 * runs, and those of devices are held back. */
#ifndef BOOT_CELL_CELL_H
#define BOOT_CELL_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/machine/trap.h"
#include "boot/rc.h"

#define CELL_STACK_BYTES (32u << 10)

struct cell_code {
    const void *code; /* stays as it is: a copy runs, from its first byte on */
    size_t bytes;
    void *buffer; /* aligned to 2 MiB, from arena_alloc; null: none */
    uint64_t buffer_bytes;
    uint32_t deadline_us; /* of one call */
    bool ring_3;          /* it is measured there, too */
};

enum cell_end {
    CELL_RETURNED,
    CELL_TRAPPED,    /* by an exception */
    CELL_LATE,       /* its deadline passed */
    CELL_CALLED_OFF, /* the deadline of the core's whole work passed (cores.h) */
    CELL_NMIS,       /* a storm of NMIs that nobody asked for (trap.h) */
    CELL_APIC,       /* it switched the core's local APIC off, for good: the core is lost */
    CELL_STACK,      /* it returned with another stack pointer than it was called with */
};

/* Something that the code changed and that is not its own: a register, in general an MSR. */
struct cell_change {
    const char *name; /* null: that of the MSR */
    uint32_t msr;     /* or another number, which nothing else of that name has */
    uint64_t was, is;
    bool back; /* it holds its old value again */
};
#define CELL_CHANGES 8

/* How the code ended. The frame: its registers then; of CELL_STACK rsp alone. */
struct cell_report {
    enum cell_end end;
    uint64_t code; /* address of the copy that ran */
    bool trial;    /* in ring 3, before it is measured */
    bool ring_3;
    uint64_t n;
    struct trap_frame frame;
    uint64_t cr2;
    uint64_t stack;                           /* what rsp should have been, of CELL_STACK */
    struct cell_change changes[CELL_CHANGES]; /* the first ones, each register once */
    unsigned change_count;                    /* of all */
};

struct cell;

/* The register that starts and stops counting. */
struct cell_counting {
    uint32_t msr;
    uint64_t enable, disable;
    bool cold; /* the code does not run uncounted before */
};

/* On the boot processor: a cell for code on that core. *cell is used again when it is not null.
 * RC_NO_SPACE: no memory. */
enum rc cell_prepare(struct cell **cell, unsigned core, const struct cell_code *code);

/* On the core, all that follows. Takes the timer and a fresh copy of the code; the buffer becomes
 * zeros. Null, or why code cannot run here. cell_close must follow. */
const char *cell_open(struct cell *cell);
/* Runs the code with so many iterations in ring 3. False: it did not come back well, now or
 * before; then it does not run again until the cell is opened again. */
bool cell_try(struct cell *cell, uint64_t n);
/* The same in ring 0, or in ring 3 where cell_code says so. *counting: once to warm up, unless that
 * is not wanted, then between the writes that start and stop counting. Null: once, uncounted. */
bool cell_run(struct cell *cell, uint64_t n, const struct cell_counting *counting);
/* Whether an interrupt came while it ran last, and may have changed what was counted. */
bool cell_disturbed(const struct cell *cell);
/* Notes a change that the caller found, unless that register has one. */
void cell_note(struct cell *cell, const struct cell_change *change);
/* Gives the timer back. Nothing when this core has no open cell. */
void cell_close(void);

/* How the last call ended, since cell_open. */
const struct cell_report *cell_report(const struct cell *cell);

#endif
