/* Masks: what becomes of the elements that a mask leaves out, and which bytes of memory are
 * accessed. SDM 1, "Masking in Instruction Encoding", "Fault Suppression"; SDM 2A, "Exception
 * Classifications of EVEX-Encoded instructions", of which those with NF in their names suppress
 * nothing; SDM 2, "VMASKMOV". */
#include "mask.h"

static bool is_masked(const ZydisDecodedInstruction *decoded)
{
    return decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
           decoded->avx.mask.reg != ZYDIS_REGISTER_NONE &&
           decoded->avx.mask.reg != ZYDIS_REGISTER_K0;
}

/* --- which elements --- */

static uint64_t signs(const uint8_t *vector, unsigned size, unsigned elements)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < elements; i++)
        bits |= (uint64_t)(vector[(i + 1) * size - 1] >> 7) << i;
    return bits;
}

/* A bit for each element of the destination; all where there is no mask. */
static uint64_t chosen(const struct vector_step *step, unsigned elements)
{
    const ZydisDecodedInstruction *decoded = step->decoded;

    if (step->row->shape == VECTOR_MASKED)
        return signs(step->file->vector[ZydisRegisterGetId(step->operand[1]->reg.value)],
                     step->row->size, elements);
    return is_masked(decoded) ? step->file->mask[ZydisRegisterGetId(decoded->avx.mask.reg)]
                              : UINT64_MAX;
}

bool mask_chooses(const struct vector_step *step, unsigned element)
{
    return !is_masked(step->decoded) || chosen(step, VECTOR_BYTES) >> element & 1;
}

void mask_apply(const struct vector_step *step, uint8_t *result, unsigned elements)
{
    const ZydisDecodedInstruction *decoded = step->decoded;
    const unsigned size = step->row->size;
    const uint8_t *old;
    uint64_t mask;

    if (!is_masked(decoded) || step->operand[0]->type == ZYDIS_OPERAND_TYPE_MEMORY)
        return;
    old = step->file->vector[ZydisRegisterGetId(step->operand[0]->reg.value)];
    mask = chosen(step, elements);
    for (unsigned i = 0; i < elements; i++)
        if (!(mask >> i & 1))
            step_set_element(result, i, size,
                             decoded->avx.mask.mode == ZYDIS_MASK_MODE_ZEROING ||
                                     decoded->avx.mask.mode == ZYDIS_MASK_MODE_CONTROL_ZEROING
                                 ? 0
                                 : step_element(old, i, size));
}

/* A load clears the elements that the mask leaves out; a store does not write them. */
void mask_move(struct vector_step *step)
{
    const unsigned size = step->row->size, length = step_length_of(step);
    const uint64_t mask = chosen(step, length / size);
    uint8_t result[VECTOR_BYTES];

    step_fetch(step, step->operand[2], result);
    for (unsigned i = 0; i < length / size; i++)
        if (!(mask >> i & 1))
            step_set_element(result, i, size, 0);
    step_store(step, result, length);
}

/* --- which bytes of memory --- */

static const ZydisDecodedOperand *memory_of(const struct vector_step *step)
{
    for (unsigned i = 0; i < step->operands; i++)
        if (step->operand[i]->type == ZYDIS_OPERAND_TYPE_MEMORY)
            return step->operand[i];
    return NULL;
}

static uint64_t ones(unsigned count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* Whether elements of the operand belong to elements of the destination. */
static bool is_by_element(const struct vector_step *step)
{
    switch ((enum vector_shape)step->row->shape) {
    case VECTOR_LANES: /* a shift count in memory is read whole */
        return !row_has_one_count(step->row) ||
               step->operand[step->operands - 1]->type != ZYDIS_OPERAND_TYPE_MEMORY;
    case VECTOR_LOWEST:
    case VECTOR_COPY:
    case VECTOR_COPY_LOWEST:
    case VECTOR_BROADCAST:
    case VECTOR_EXTRACT:
    case VECTOR_MASKED:
        return true;
    default:
        return false;
    }
}

static unsigned elements_of(const struct vector_step *step, unsigned in_memory)
{
    switch ((enum vector_shape)step->row->shape) {
    case VECTOR_LOWEST:
    case VECTOR_COPY_LOWEST:
        return 1;
    case VECTOR_EXTRACT:
        return in_memory;
    default:
        return step_length_of(step) / step->row->size;
    }
}

uint64_t mask_active(const struct vector_step *step)
{
    const ZydisDecodedOperand *operand = memory_of(step);
    const unsigned size = step->row->size, bytes = operand->size / 8u;
    const unsigned in_memory = bytes / size, elements = elements_of(step, in_memory);
    uint64_t mask, active = 0;

    if ((!is_masked(step->decoded) && step->row->shape != VECTOR_MASKED) || !is_by_element(step))
        return ones(bytes);
    mask = chosen(step, elements);
    for (unsigned i = 0; i < elements; i++) /* a broadcast has fewer elements in memory */
        if (mask >> i & 1)
            active |= ones(size) << i % in_memory * size;
    return active;
}

uint64_t mask_reached(const struct vector_step *step)
{
    return step->row->shape == VECTOR_EXTRACT ? ones(memory_of(step)->size / 8u)
                                              : mask_active(step);
}
