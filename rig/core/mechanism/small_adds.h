/* Additions of a small constant that the renamer makes: it adds the constant to what it knows of
 * the register, and no uop is executed. */
#ifndef RIG_CORE_MECHANISM_SMALL_ADDS_H
#define RIG_CORE_MECHANISM_SMALL_ADDS_H

#include <stdbool.h>
#include <stdint.h>

struct model;

struct small_adds_figures {
    uint8_t a_cycle; /* so many; the next one is executed, and ends the cycle. 0: none */
};

struct small_adds_state {
    uint64_t cycle; /* the last one with such an addition */
    uint64_t made;  /* additions in it, the one that is executed among them */
};

/* Before the slot of such an addition: waits for the next cycle if this one is ended. */
void small_adds_wait(struct model *model);
/* Its uop: whether the renamer makes the addition. */
bool small_adds_rename(struct model *model);

#endif

#ifdef MECHANISM
MECHANISM(small_adds)
#endif
