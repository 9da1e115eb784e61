/* One instruction with all that it works on, and its operands as bytes. */
#ifndef RIG_VECTOR_STEP_H
#define RIG_VECTOR_STEP_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#include "rows.h"
#include "vector.h"

#define VECTOR_OPERANDS 4u
struct vector_step {
    const ZydisDecodedInstruction *decoded;
    const struct vector_row *row;
    const ZydisDecodedOperand *operand[VECTOR_OPERANDS]; /* the visible ones without the mask */
    unsigned operands;
    struct vector_file *file;
    uint64_t *general;            /* RAX, RCX, RDX ... */
    uint8_t memory[VECTOR_BYTES]; /* the memory operand: read before, or to be written */
    uint32_t mxcsr;               /* gets the flags of exceptions */
    uint64_t flags;               /* RFLAGS: read and written by VECTOR_TEST only */
};

/* Finds row and operands. False: this form of the instruction is not played. */
bool vector_prepare(struct vector_step *step, const ZydisDecodedInstruction *decoded,
                    const ZydisDecodedOperand *list);

/* The bytes of the vectors that it works on. */
unsigned step_length_of(const struct vector_step *step);
uint64_t step_element(const uint8_t *vector, unsigned index, unsigned size);
void step_set_element(uint8_t *vector, unsigned index, unsigned size, uint64_t value);
/* Fills `length` bytes with copies of the block. */
void step_repeat(uint8_t *vector, unsigned length, const uint8_t *block, unsigned size);
/* A source as VECTOR_BYTES bytes, zeros beyond its end. */
void step_fetch(const struct vector_step *step, const ZydisDecodedOperand *operand, uint8_t *to);
/* To the first operand; all of a vector register beyond `length` becomes zero. */
void step_store(struct vector_step *step, uint8_t *result, unsigned length);

#endif
