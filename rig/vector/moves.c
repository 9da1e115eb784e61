#include "moves.h"

#include <string.h>

#include "flags.h"
#include "floating.h"
#include "mask.h"
#include "shuffle.h"

void move_copy(struct vector_step *step)
{
    uint8_t result[VECTOR_BYTES];
    const unsigned length = step_length_of(step);

    step_fetch(step, step->operand[1], result);
    mask_apply(step, result, length / step->row->size);
    step_store(step, result, length);
}

/* MOVSS and MOVSD: a load clears the other elements, a copy takes them from the first source. */
void move_copy_lowest(struct vector_step *step)
{
    const unsigned size = step->row->size;
    uint8_t result[VECTOR_BYTES], low[VECTOR_BYTES];

    step_fetch(step, step->operand[1], result);
    if (step->operands == 3) {
        step_fetch(step, step->operand[2], low);
        memcpy(result, low, size);
    }
    mask_apply(step, result, 1);
    step_store(step, result, XMM_BYTES);
}

void move_transfer(struct vector_step *step)
{
    uint8_t result[VECTOR_BYTES];

    step_fetch(step, step->operand[1], result);
    step_store(step, result, step->row->size);
}

void move_broadcast(struct vector_step *step)
{
    uint8_t block[VECTOR_BYTES], result[VECTOR_BYTES] = {0};
    const unsigned length = step_length_of(step);

    step_fetch(step, step->operand[1], block);
    step_repeat(result, length, block, step->row->block);
    mask_apply(step, result, length / step->row->size);
    step_store(step, result, length);
}

/* Where the block that the constant names begins in a vector of `length` bytes. */
static unsigned chosen(const struct vector_step *step, unsigned length)
{
    const uint64_t constant = step->operand[step->operands - 1]->imm.value.u;

    return (unsigned)(constant & (length / step->row->block - 1)) * step->row->block;
}

void move_extract(struct vector_step *step)
{
    const unsigned block = step->row->block;
    uint8_t source[VECTOR_BYTES], result[VECTOR_BYTES] = {0};

    step_fetch(step, step->operand[1], source);
    memcpy(result, source + chosen(step, step_length_of(step)), block);
    mask_apply(step, result, block / step->row->size);
    step_store(step, result, block);
}

void move_insert(struct vector_step *step)
{
    const unsigned length = step_length_of(step);
    uint8_t result[VECTOR_BYTES], block[VECTOR_BYTES];

    step_fetch(step, step->operand[1], result);
    step_fetch(step, step->operand[2], block);
    memcpy(result + chosen(step, length), block, step->row->block);
    mask_apply(step, result, length / step->row->size);
    step_store(step, result, length);
}

/* The constant, if any, is the last operand. A shuffle of one source takes it as both. */
void move_shuffle(struct vector_step *step)
{
    const unsigned length = step_length_of(step), last = step->operands - 1u;
    const bool constant = step->operand[last]->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    const unsigned count = last + !constant - 1u; /* of sources */
    uint8_t a[VECTOR_BYTES], b[VECTOR_BYTES], result[VECTOR_BYTES] = {0};

    step_fetch(step, step->operand[1], a);
    step_fetch(step, step->operand[count > 1 ? 2 : 1], b);
    vector_shuffle((enum vector_op)step->row->op, step->row->size, length, a, b,
                   constant ? (unsigned)(step->operand[last]->imm.value.u & 0xff) : 0, result);
    mask_apply(step, result, length / step->row->size);
    step_store(step, result, length);
}

void move_signs(struct vector_step *step)
{
    const unsigned size = step->row->size;
    uint8_t source[VECTOR_BYTES], result[VECTOR_BYTES] = {0};
    uint32_t bits = 0;

    step_fetch(step, step->operand[1], source);
    for (unsigned i = 0; i < step_length_of(step) / size; i++)
        bits |= (uint32_t)(source[(i + 1) * size - 1] >> 7) << i;
    memcpy(result, &bits, sizeof(bits));
    step_store(step, result, sizeof(bits));
}

static bool is_ordered(const struct vector_step *step)
{
    return step->decoded->mnemonic == ZYDIS_MNEMONIC_VCOMISS ||
           step->decoded->mnemonic == ZYDIS_MNEMONIC_VCOMISD;
}

void move_test(struct vector_step *step)
{
    uint8_t a[VECTOR_BYTES], b[VECTOR_BYTES];
    uint64_t common = 0, missing = 0;
    uint32_t raised = 0;
    unsigned flags;

    step_fetch(step, step->operand[0], a);
    step_fetch(step, step->operand[1], b);
    for (unsigned i = 0; i < step_length_of(step) / 8; i++) {
        common |= step_element(a, i, 8) & step_element(b, i, 8);
        missing |= ~step_element(a, i, 8) & step_element(b, i, 8);
    }
    if (step->row->op == VECTOR_TEST_BITS)
        flags = (common ? 0 : FLAG_ZF) | (missing ? 0 : FLAG_CF);
    else
        flags = vector_compare(step->row->size, step_element(a, 0, step->row->size),
                               step_element(b, 0, step->row->size), is_ordered(step), step->mxcsr,
                               &raised);
    step->flags = (step->flags & ~(uint64_t)FLAGS_ARITHMETIC) | flags;
    if (!step->decoded->avx.has_sae)
        step->mxcsr |= raised;
}

/* Instructions in VEX encoding reach the first 16 registers only. */
void move_clear(struct vector_step *step, unsigned from)
{
    for (unsigned i = 0; i < 16; i++)
        memset(step->file->vector[i] + from, 0, VECTOR_BYTES - from);
}
