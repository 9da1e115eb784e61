/* Masks: what becomes of the elements that a mask leaves out, and which bytes of memory are
 * accessed.
 */
#ifndef RIG_VECTOR_MASK_H
#define RIG_VECTOR_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "step.h"

/* Whether the mask, if there is one, has that element of the destination. */
bool mask_chooses(const struct vector_step *step, unsigned element);
/* Elements of `result` that the mask leaves out become those of the destination, or zero. In a
 * memory operand they are not written (mask_active). */
void mask_apply(const struct vector_step *step, uint8_t *result, unsigned elements);
/* VMASKMOV. */
void mask_move(struct vector_step *step);

/* Bytes of the memory operand, a bit each; the registers that hold the mask must have been read. */
uint64_t mask_active(const struct vector_step *step);  /* read or written */
uint64_t mask_reached(const struct vector_step *step); /* where a fault counts */

#endif
