/* What an instruction in VEX or EVEX encoding makes of its operands. Knows registers and bytes, no
 * machine. */
#include <fenv.h>
#include <string.h>

#include "assist.h"
#include "vector.h"

#define XMM_BYTES 16u

static bool is_masked(const ZydisDecodedInstruction *decoded)
{
    return decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
           decoded->avx.mask.reg != ZYDIS_REGISTER_NONE &&
           decoded->avx.mask.reg != ZYDIS_REGISTER_K0;
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
        /* What the mask leaves out is not accessed and does not fault: that is not played. */
        if (list[i].type == ZYDIS_OPERAND_TYPE_MEMORY && is_masked(decoded))
            return false;
        step->operand[step->operands++] = &list[i];
    }
    return step->row->shape != VECTOR_NONE;
}

bool vector_computes(const struct vector_step *step)
{
    return (step->row->shape == VECTOR_LANES || step->row->shape == VECTOR_LOWEST) &&
           step->row->op <= VECTOR_LAST_FLOAT;
}

/* Bytes of the vectors that it works on. */
static unsigned length_of(const struct vector_step *step)
{
    const unsigned bytes = step->decoded->avx.vector_length / 8u;

    return bytes < XMM_BYTES ? XMM_BYTES : bytes;
}

static uint64_t element(const uint8_t *vector, unsigned index, unsigned size)
{
    uint64_t value = 0;

    memcpy(&value, vector + index * size, size);
    return value;
}

static void set_element(uint8_t *vector, unsigned index, unsigned size, uint64_t value)
{
    memcpy(vector + index * size, &value, size);
}

static void repeat(uint8_t *vector, unsigned length, const uint8_t *block, unsigned size)
{
    for (unsigned at = 0; at < length; at += size)
        memcpy(vector + at, block, size);
}

/* A source as VECTOR_BYTES bytes, zeros beyond its end. */
static void fetch(const struct vector_step *step, const ZydisDecodedOperand *operand, uint8_t *to)
{
    const ZydisRegister reg = operand->reg.value;

    memset(to, 0, VECTOR_BYTES);
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        if (step->decoded->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID &&
            !step->decoded->avx.broadcast.is_static)
            repeat(to, length_of(step), step->memory, step->row->size);
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

/* Elements that the mask leaves out keep what the destination has, or become zero. */
static void apply_mask(const struct vector_step *step, uint8_t *result, unsigned elements)
{
    const ZydisDecodedInstruction *decoded = step->decoded;
    const uint8_t *old = step->file->vector[ZydisRegisterGetId(step->operand[0]->reg.value)];
    const unsigned size = step->row->size;
    uint64_t mask;

    if (!is_masked(decoded))
        return;
    mask = step->file->mask[ZydisRegisterGetId(decoded->avx.mask.reg)];
    for (unsigned i = 0; i < elements; i++)
        if (!(mask >> i & 1))
            set_element(result, i, size,
                        decoded->avx.mask.mode == ZYDIS_MASK_MODE_ZEROING ||
                                decoded->avx.mask.mode == ZYDIS_MASK_MODE_CONTROL_ZEROING
                            ? 0
                            : element(old, i, size));
}

/* To the first operand; all of a vector register beyond `length` becomes zero. */
static void store(struct vector_step *step, uint8_t *result, unsigned length)
{
    const ZydisDecodedOperand *to = step->operand[0];
    const unsigned id = (unsigned)ZydisRegisterGetId(to->reg.value);
    uint64_t value;

    if (to->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        memcpy(step->memory, result, to->size / 8u);
        return;
    }
    memcpy(&value, result, sizeof value);
    switch (ZydisRegisterGetClass(to->reg.value)) {
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64: /* a half clears the other */
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

/* --- arithmetic --- */

static uint64_t integer(enum vector_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case VECTOR_AND:
        return a & b;
    case VECTOR_ANDN:
        return ~a & b;
    case VECTOR_OR:
        return a | b;
    case VECTOR_XOR:
        return a ^ b;
    case VECTOR_INTEGER_ADD:
        return a + b;
    case VECTOR_INTEGER_SUB:
        return a - b;
    case VECTOR_INTEGER_MUL:
        return a * b;
    default:
        return (a & UINT32_MAX) * (b & UINT32_MAX);
    }
}

/* SDM 2, "VFMADD132PD": the digits say which of the three is multiplied by which, the third digit's
 * operand is added. */
static void order(unsigned how, uint64_t value[3])
{
    const uint64_t first = value[0], second = value[1], third = value[2];

    switch (how & VECTOR_ORDER) {
    case VECTOR_132:
        value[0] = first, value[1] = third, value[2] = second;
        break;
    case VECTOR_213:
        value[0] = second, value[1] = first, value[2] = third;
        break;
    default:
        value[0] = second, value[1] = third, value[2] = first;
        break;
    }
}

static uint64_t compute(const struct vector_step *step, uint64_t value[3])
{
    const struct vector_row *row = step->row;
    const enum vector_op op = (enum vector_op)row->op;

    if (op > VECTOR_LAST_FLOAT)
        return integer(op, value[0], value[1]);
    if (op == VECTOR_FMA)
        order(row->block, value);
    return vector_float(op, row->size, row->block, value, step->mxcsr);
}

/* The sources of an operation: FMA has three, the first of them its destination; a square root has
 * one, the last. */
static unsigned sources(const struct vector_step *step, uint8_t source[3][VECTOR_BYTES])
{
    const unsigned count = step->row->op == VECTOR_FMA ? 3 : step->row->op == VECTOR_SQRT ? 1 : 2;

    for (unsigned i = 0; i < count; i++)
        fetch(step, step->operand[step->operands - count + i], source[i]);
    return count;
}

static int host_rounding(const struct vector_step *step)
{
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

    switch (step->decoded->avx.rounding.mode) {
    case ZYDIS_ROUNDING_MODE_RN:
        return FE_TONEAREST;
    case ZYDIS_ROUNDING_MODE_RD:
        return FE_DOWNWARD;
    case ZYDIS_ROUNDING_MODE_RU:
        return FE_UPWARD;
    case ZYDIS_ROUNDING_MODE_RZ:
        return FE_TOWARDZERO;
    default:
        return modes[step->mxcsr >> 13 & 3];
    }
}

static void operate(struct vector_step *step)
{
    const bool lowest = step->row->shape == VECTOR_LOWEST;
    const unsigned size = step->row->size, length = lowest ? XMM_BYTES : length_of(step);
    const unsigned elements = lowest ? 1 : length / size;
    uint8_t source[3][VECTOR_BYTES], result[VECTOR_BYTES] = {0};
    const unsigned count = sources(step, source);

    if (lowest) /* of FMA, that is the destination; else the first source */
        fetch(step, step->operand[step->row->op == VECTOR_FMA ? 0 : 1], result);
    if (vector_computes(step))
        fesetround(host_rounding(step));
    for (unsigned i = 0; i < elements; i++) {
        uint64_t value[3] = {0};

        for (unsigned j = 0; j < count; j++)
            value[j] = element(source[j], i, size);
        set_element(result, i, size, compute(step, value));
    }
    fesetround(FE_TONEAREST);
    apply_mask(step, result, elements);
    store(step, result, length);
}

bool vector_assists(const struct vector_step *step)
{
    uint8_t source[3][VECTOR_BYTES];
    const unsigned size = step->row->size;
    bool any = false;

    if (!vector_computes(step) || step->row->op != VECTOR_MUL)
        return false;
    sources(step, source);
    for (unsigned at = 0; at < (step->row->shape == VECTOR_LOWEST ? size : length_of(step));
         at += size)
        any |= (size == 4 ? assist_singles : assist_doubles)(source[0] + at, source[1] + at, 1,
                                                             step->mxcsr);
    return any;
}

/* --- copies --- */

static void copy(struct vector_step *step)
{
    uint8_t result[VECTOR_BYTES];
    const unsigned length = length_of(step);

    fetch(step, step->operand[1], result);
    apply_mask(step, result, length / step->row->size);
    store(step, result, length);
}

/* MOVSS and MOVSD: a load clears the rest, a copy takes it from the first source. */
static void copy_lowest(struct vector_step *step)
{
    const unsigned size = step->row->size;
    uint8_t result[VECTOR_BYTES], low[VECTOR_BYTES];

    fetch(step, step->operand[1], result);
    if (step->operands == 3) {
        fetch(step, step->operand[2], low);
        memcpy(result, low, size);
    }
    apply_mask(step, result, 1);
    store(step, result, XMM_BYTES);
}

static void transfer(struct vector_step *step)
{
    uint8_t result[VECTOR_BYTES];

    fetch(step, step->operand[1], result);
    store(step, result, step->row->size);
}

static void broadcast(struct vector_step *step)
{
    uint8_t block[VECTOR_BYTES], result[VECTOR_BYTES] = {0};
    const unsigned length = length_of(step);

    fetch(step, step->operand[1], block);
    repeat(result, length, block, step->row->block);
    apply_mask(step, result, length / step->row->size);
    store(step, result, length);
}

/* Where the constant's block begins in a vector of so many bytes. */
static unsigned chosen(const struct vector_step *step, unsigned length)
{
    const uint64_t constant = step->operand[step->operands - 1]->imm.value.u;

    return (unsigned)(constant & (length / step->row->block - 1)) * step->row->block;
}

static void extract(struct vector_step *step)
{
    const unsigned block = step->row->block;
    uint8_t source[VECTOR_BYTES], result[VECTOR_BYTES] = {0};

    fetch(step, step->operand[1], source);
    memcpy(result, source + chosen(step, length_of(step)), block);
    apply_mask(step, result, block / step->row->size);
    store(step, result, block);
}

static void insert(struct vector_step *step)
{
    const unsigned length = length_of(step);
    uint8_t result[VECTOR_BYTES], block[VECTOR_BYTES];

    fetch(step, step->operand[1], result);
    fetch(step, step->operand[2], block);
    memcpy(result + chosen(step, length), block, step->row->block);
    apply_mask(step, result, length / step->row->size);
    store(step, result, length);
}

/* The first 16 registers only; the others do not exist for VEX. */
static void clear(struct vector_step *step, unsigned from)
{
    for (unsigned i = 0; i < 16; i++)
        memset(step->file->vector[i] + from, 0, VECTOR_BYTES - from);
}

void vector_execute(struct vector_step *step)
{
    switch ((enum vector_shape)step->row->shape) {
    case VECTOR_LANES:
    case VECTOR_LOWEST:
        operate(step);
        break;
    case VECTOR_COPY:
        copy(step);
        break;
    case VECTOR_COPY_LOWEST:
        copy_lowest(step);
        break;
    case VECTOR_TRANSFER:
    case VECTOR_MASK_COPY:
        transfer(step);
        break;
    case VECTOR_BROADCAST:
        broadcast(step);
        break;
    case VECTOR_EXTRACT:
        extract(step);
        break;
    case VECTOR_INSERT:
        insert(step);
        break;
    case VECTOR_ZERO_UPPER:
        clear(step, XMM_BYTES);
        break;
    case VECTOR_ZERO_ALL:
        clear(step, 0);
        break;
    case VECTOR_NONE:
        break;
    }
}
