/* Between vector_execute.c and vector_moves.c: the operands of a step as bytes, and the memos. */
#ifndef RIG_VECTOR_STEP_H
#define RIG_VECTOR_STEP_H

#include "vector.h"

#define XMM_BYTES 16u

/* Bytes of the vectors that it works on. */
unsigned step_length_of(const struct vector_step *step);
uint64_t step_element(const uint8_t *vector, unsigned index, unsigned size);
void step_set_element(uint8_t *vector, unsigned index, unsigned size, uint64_t value);
void step_repeat(uint8_t *vector, unsigned length, const uint8_t *block, unsigned size);
/* A source as VECTOR_BYTES bytes, zeros beyond its end. */
void step_fetch(const struct vector_step *step, const ZydisDecodedOperand *operand, uint8_t *to);
/* A shift with one count for all elements. */
bool step_has_one_count(const struct vector_row *row);
/* vector_mask.c */
/* Whether the mask has it. */
bool step_is_chosen(const struct vector_step *step, unsigned element);
/* Elements that the mask leaves out keep what the destination has, or become zero. Memory keeps
 * what it has by not being written (vector_active). */
void step_apply_mask(const struct vector_step *step, uint8_t *result, unsigned elements);
/* To the first operand; all of a vector register beyond `length` becomes zero. */
void step_store(struct vector_step *step, uint8_t *result, unsigned length);

void move_copy(struct vector_step *step);
void move_copy_lowest(struct vector_step *step);
void move_transfer(struct vector_step *step);
void move_broadcast(struct vector_step *step);
void move_extract(struct vector_step *step);
void move_insert(struct vector_step *step);
void move_shuffle(struct vector_step *step);
void move_signs(struct vector_step *step);
void move_test(struct vector_step *step);
void move_masked(struct vector_step *step);
void move_clear(struct vector_step *step, unsigned from);

#endif
