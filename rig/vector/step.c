#include "step.h"

#include <string.h>

/* False for forms that the row of the mnemonic does not cover: comparisons in EVEX encoding, whose
 * result is a mask, and permutations by a register. */
static bool is_form(const struct vector_step *step)
{
    const unsigned last = step->operands - 1u;

    if (step->operands && step->row->shape != VECTOR_MASK_COPY &&
        ZydisRegisterGetClass(step->operand[0]->reg.value) == ZYDIS_REGCLASS_MASK)
        return false;
    return step->row->op != VECTOR_PERMUTE ||
           step->operand[last]->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

bool vector_prepare(struct vector_step *step, const ZydisDecodedInstruction *decoded,
                    const ZydisDecodedOperand *list)
{
    step->decoded = decoded;
    step->row = vector_row(decoded->mnemonic);
    step->operands = 0;
    for (unsigned i = 0; i < decoded->operand_count_visible; i++) {
        if (list[i].encoding == ZYDIS_OPERAND_ENCODING_MASK)
            continue;
        if (step->operands == VECTOR_OPERANDS)
            return false;
        step->operand[step->operands++] = &list[i];
    }
    return step->row->shape != VECTOR_NONE && is_form(step);
}

unsigned step_length_of(const struct vector_step *step)
{
    const unsigned bytes = step->decoded->avx.vector_length / 8u;

    return bytes < XMM_BYTES ? XMM_BYTES : bytes;
}

uint64_t step_element(const uint8_t *vector, unsigned index, unsigned size)
{
    uint64_t value = 0;

    memcpy(&value, vector + index * size, size);
    return value;
}

void step_set_element(uint8_t *vector, unsigned index, unsigned size, uint64_t value)
{
    memcpy(vector + index * size, &value, size);
}

void step_repeat(uint8_t *vector, unsigned length, const uint8_t *block, unsigned size)
{
    for (unsigned at = 0; at < length; at += size)
        memcpy(vector + at, block, size);
}

void step_fetch(const struct vector_step *step, const ZydisDecodedOperand *operand, uint8_t *to)
{
    const ZydisRegister reg = operand->reg.value;

    memset(to, 0, VECTOR_BYTES);
    if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        memcpy(to, &operand->imm.value.u, 1);
        return;
    }
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        if (step->decoded->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID &&
            !step->decoded->avx.broadcast.is_static)
            step_repeat(to, step_length_of(step), step->memory, step->row->size);
        else
            memcpy(to, step->memory, operand->size / 8u);
        return;
    }
    switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_MASK:
        memcpy(to, &step->file->mask[ZydisRegisterGetId(reg)], sizeof(uint64_t));
        break;
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
        memcpy(to, &step->general[ZydisRegisterGetId(reg) & 15], operand->size / 8u);
        break;
    default:
        memcpy(to, step->file->vector[ZydisRegisterGetId(reg)], VECTOR_BYTES);
        break;
    }
}

void step_store(struct vector_step *step, uint8_t *result, unsigned length)
{
    const ZydisDecodedOperand *to = step->operand[0];
    const unsigned id = (unsigned)ZydisRegisterGetId(to->reg.value);
    uint64_t value;

    if (to->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        memcpy(step->memory, result, to->size / 8u);
        return;
    }
    memcpy(&value, result, sizeof(value));
    switch (ZydisRegisterGetClass(to->reg.value)) {
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64: /* a write of the lower half clears the upper half */
        step->general[id & 15] = length < 8 ? value & ((UINT64_C(1) << 8 * length) - 1) : value;
        break;
    case ZYDIS_REGCLASS_MASK:
        step->file->mask[id] = length < 8 ? value & ((UINT64_C(1) << 8 * length) - 1) : value;
        break;
    default:
        memset(result + length, 0, VECTOR_BYTES - length);
        memcpy(step->file->vector[id], result, VECTOR_BYTES);
        break;
    }
}
