/* What an instruction in VEX or EVEX encoding makes of its operands. Knows registers and bytes, no
 * machine. */
#include "execute.h"

#include "assist.h"
#include "floating.h"
#include "host_float.h"
#include "integer.h"
#include "mask.h"
#include "moves.h"

bool vector_computes(const struct vector_step *step)
{
    return ((step->row->shape == VECTOR_LANES || step->row->shape == VECTOR_LOWEST) &&
            step->row->op <= VECTOR_LAST_FLOAT) ||
           step->row->op == VECTOR_COMPARE;
}

/* --- arithmetic --- */

/* SDM 2, "VFMADD132PD": the first two digits say which operands are multiplied, the third digit
 * which operand is added. */
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

static uint64_t compute(const struct vector_step *step, uint64_t value[3], uint32_t *raised)
{
    const struct vector_row *row = step->row;
    const enum vector_op op = (enum vector_op)row->op;

    if (op > VECTOR_LAST_FLOAT)
        return vector_integer(op, row->size, value[0], value[1]);
    if (op == VECTOR_FMA)
        order(row->block, value);
    return vector_float(op, row->size, row->block, value, step->mxcsr, raised);
}

/* The sources of an operation: FMA has three, the first of which is the destination; a square root
 * has only the last operand. */
static unsigned sources(const struct vector_step *step, uint8_t source[3][VECTOR_BYTES])
{
    const unsigned count = step->row->op == VECTOR_FMA ? 3 : step->row->op == VECTOR_SQRT ? 1 : 2;

    for (unsigned i = 0; i < count; i++)
        step_fetch(step, step->operand[step->operands - count + i], source[i]);
    return count;
}

/* The lowest 64 bits are the count of a shift, for every element. */
static void spread(uint8_t *vector, unsigned size)
{
    const uint64_t count = step_element(vector, 0, 8), capped = count < 64 ? count : 64;

    for (unsigned i = 0; i < VECTOR_BYTES / size; i++)
        step_set_element(vector, i, size, capped);
}

/* How it rounds, as bits of MXCSR. */
static unsigned rounding_of(const struct vector_step *step)
{
    switch (step->decoded->avx.rounding.mode) {
    case ZYDIS_ROUNDING_MODE_RN:
        return MXCSR_NEAREST;
    case ZYDIS_ROUNDING_MODE_RD:
        return MXCSR_DOWN;
    case ZYDIS_ROUNDING_MODE_RU:
        return MXCSR_UP;
    case ZYDIS_ROUNDING_MODE_RZ:
        return MXCSR_TO_ZERO;
    default:
        return step->mxcsr & MXCSR_ROUNDING;
    }
}

static void operate(struct vector_step *step)
{
    const bool lowest = step->row->shape == VECTOR_LOWEST;
    const unsigned size = step->row->size, length = lowest ? XMM_BYTES : step_length_of(step);
    const unsigned elements = lowest ? 1 : length / size;
    uint8_t source[3][VECTOR_BYTES], result[VECTOR_BYTES] = {0};
    const unsigned count = sources(step, source);
    const unsigned host =
        host_float_begin(vector_computes(step) ? rounding_of(step) : MXCSR_NEAREST);
    uint32_t raised = 0;

    if (row_has_one_count(step->row))
        spread(source[1], size);
    if (lowest) /* the upper elements: of the destination for FMA, else of the first source */
        step_fetch(step, step->operand[step->row->op == VECTOR_FMA ? 0 : 1], result);
    for (unsigned i = 0; i < elements; i++) {
        uint64_t value[3] = {0};
        uint32_t of_this = 0;

        for (unsigned j = 0; j < count; j++)
            value[j] = step_element(source[j], i, size);
        step_set_element(result, i, size, compute(step, value, &of_this));
        if (mask_chooses(step, i))
            raised |= of_this;
    }
    host_float_end(host);
    mask_apply(step, result, elements);
    step_store(step, result, length);
    if (!step->decoded->avx.has_sae)
        step->mxcsr |= raised;
}

bool vector_assists(const struct vector_step *step)
{
    uint8_t source[3][VECTOR_BYTES];
    const unsigned size = step->row->size;
    bool any = false;

    if (!vector_computes(step) || step->row->op != VECTOR_MUL)
        return false;
    sources(step, source);
    for (unsigned at = 0; at < (step->row->shape == VECTOR_LOWEST ? size : step_length_of(step));
         at += size)
        any |= (size == 4 ? assist_singles : assist_doubles)(source[0] + at, source[1] + at, 1,
                                                             step->mxcsr);
    return any;
}

void vector_execute(struct vector_step *step)
{
    switch ((enum vector_shape)step->row->shape) {
    case VECTOR_LANES:
    case VECTOR_LOWEST:
        operate(step);
        break;
    case VECTOR_COPY:
        move_copy(step);
        break;
    case VECTOR_COPY_LOWEST:
        move_copy_lowest(step);
        break;
    case VECTOR_TRANSFER:
    case VECTOR_MASK_COPY:
        move_transfer(step);
        break;
    case VECTOR_BROADCAST:
        move_broadcast(step);
        break;
    case VECTOR_EXTRACT:
        move_extract(step);
        break;
    case VECTOR_INSERT:
        move_insert(step);
        break;
    case VECTOR_SHUFFLE:
        move_shuffle(step);
        break;
    case VECTOR_SIGNS:
        move_signs(step);
        break;
    case VECTOR_TEST:
        move_test(step);
        break;
    case VECTOR_MASKED:
        mask_move(step);
        break;
    case VECTOR_ZERO_UPPER:
        move_clear(step, XMM_BYTES);
        break;
    case VECTOR_ZERO_ALL:
        move_clear(step, 0);
        break;
    case VECTOR_NONE:
        break;
    }
}
