/* Instructions that move elements, gather their signs or compare them, and compute nothing: one
 * function for each enum vector_shape. */
#ifndef RIG_VECTOR_MOVES_H
#define RIG_VECTOR_MOVES_H

#include "step.h"

void move_copy(struct vector_step *step);
void move_copy_lowest(struct vector_step *step);
void move_transfer(struct vector_step *step);
void move_broadcast(struct vector_step *step);
void move_extract(struct vector_step *step);
void move_insert(struct vector_step *step);
void move_shuffle(struct vector_step *step);
void move_signs(struct vector_step *step);
void move_test(struct vector_step *step);
/* Clears the vector registers from byte `from` on. */
void move_clear(struct vector_step *step, unsigned from);

#endif
