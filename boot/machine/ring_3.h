/* Code of the image in ring 3: what the entry and the way back need, and the traps in between.
 *
 * IRETQ leads there, with the selectors of context.h; INT VECTOR_LEAVE leads back, through a gate
 * that ring 3 may name, to the stack that RSP0 of the TSS names. Whoever enters sets RSP0 to the
 * stack that is in use, so interrupts without an IST find the stack that they find in ring 0, below
 * what is on it.
 *
 * The image, the arenas and a stack for each core are open to ring 3, by the pages that map them:
 * nothing else is. Ring 0 uses and executes the same pages, which SMEP and SMAP forbid; this
 * program's CR4 has neither while kernels run in ring 3, and the firmware gets its own CR4 back. */
#ifndef BOOT_MACHINE_RING_3_H
#define BOOT_MACHINE_RING_3_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/rc.h"
#include "trap.h"

/* Of a core; harness/window/window.asm knows the offsets of the first two. */
struct ring_3 {
    uint64_t *ring_0_stack;   /* RSP0 of its TSS */
    uint64_t stack;           /* where the stack of ring 3 begins */
    struct trap_state *traps; /* its `ring_3`: an exception ended the code there, see `frame` */
};

/* After descriptors_build, paging_build and cores_prepare: opens what code needs, and makes a stack
 * for each core. RC_NO_SPACE: no memory. */
enum rc ring_3_prepare(unsigned cores);
/* Makes the code at `address` the one to which INT VECTOR_LEAVE leads, with the frame of the
 * interrupt below RSP0. An exception in ring 3 leads there too. */
void ring_3_leaves_to(uint64_t address);
/* Of that core; null: this program runs no code in ring 3. */
const struct ring_3 *ring_3_of(unsigned core);

/* On the boot processor, before and after work that may enter ring 3: IRETQ clears FS and GS, which
 * are the firmware's. */
void ring_3_begin(void);
void ring_3_end(void);

#endif
