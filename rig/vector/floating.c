/* Floating-point numbers as SSE and AVX have them, one at a time.
 *
 * Sources: SDM 1, "SSE and SSE2 SIMD Floating-Point Exceptions", "Results of Operations with NaN
 * Operands or a NaN Result for SSE/SSE2/SSE3 Numeric Instructions", "Denormals-Are-Zeros",
 * "Flush-To-Zero", "FMA Instruction Operand Order and Arithmetic Behavior"; SDM 2, MINPD, MAXPD. */
#include "floating.h"

#include <math.h>
#include <string.h>

#include "flags.h"
#include "host_float.h"
#include "mxcsr.h"

/* Where the fields of a format are. */
struct format {
    uint64_t sign, infinity, quiet;
};

static const struct format *format_of(unsigned size)
{
    static const struct format single = {0x80000000u, 0x7f800000u, 0x00400000u},
                               double_ = {UINT64_C(1) << 63, UINT64_C(0x7ff) << 52,
                                          UINT64_C(1) << 51};

    return size == 4 ? &single : &double_;
}

static bool is_nan(const struct format *format, uint64_t value)
{
    return (value & ~format->sign) > format->infinity;
}

static bool is_small(const struct format *format, uint64_t value)
{
    return (value & format->infinity) == 0 && (value & ~format->sign) != 0;
}

static bool is_zero(const struct format *format, uint64_t value)
{
    return (value & ~format->sign) == 0;
}

static float single_of(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof(value));
    return value;
}

static uint64_t bits_of_single(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint64_t bits_of_double(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* Volatile, so that the compiler computes here, in the present rounding mode of the host. */
static float on_singles(enum vector_op op, const uint64_t bits[3])
{
    volatile float a = single_of(bits[0]), b = single_of(bits[1]), c = single_of(bits[2]), result;

    switch (op) {
    case VECTOR_ADD:
        result = a + b;
        break;
    case VECTOR_SUB:
        result = a - b;
        break;
    case VECTOR_MUL:
        result = a * b;
        break;
    case VECTOR_DIV:
        result = a / b;
        break;
    case VECTOR_SQRT:
        result = sqrtf(a);
        break;
    default:
        result = fmaf(a, b, c);
        break;
    }
    return result;
}

static double on_doubles(enum vector_op op, const uint64_t bits[3])
{
    volatile double a = double_of(bits[0]), b = double_of(bits[1]), c = double_of(bits[2]), result;

    switch (op) {
    case VECTOR_ADD:
        result = a + b;
        break;
    case VECTOR_SUB:
        result = a - b;
        break;
    case VECTOR_MUL:
        result = a * b;
        break;
    case VECTOR_DIV:
        result = a / b;
        break;
    case VECTOR_SQRT:
        result = sqrt(a);
        break;
    default:
        result = fma(a, b, c);
        break;
    }
    return result;
}

/* The second operand is the result unless the first is smaller, or larger. */
static uint64_t extreme(enum vector_op op, unsigned size, const uint64_t bits[3])
{
    const double a = size == 4 ? (double)single_of(bits[0]) : double_of(bits[0]);
    const double b = size == 4 ? (double)single_of(bits[1]) : double_of(bits[1]);

    if (is_nan(format_of(size), bits[0]) || is_nan(format_of(size), bits[1]))
        return bits[1];
    return (op == VECTOR_MIN ? a < b : a > b) ? bits[0] : bits[1];
}

/* The exceptions that the operands alone raise. A signalling NaN, and a quiet NaN when
 * `quiet_is_invalid`, raises IE alone; else a quiet NaN hides a denormal operand. */
static uint32_t raised_by_operands(const struct format *format, const uint64_t *bits,
                                   unsigned count, bool quiet_is_invalid, uint32_t mxcsr)
{
    uint32_t raised = 0;
    bool nan = false;

    for (unsigned i = 0; i < count; i++) {
        if (is_nan(format, bits[i]) && (quiet_is_invalid || !(bits[i] & format->quiet)))
            return MXCSR_IE;
        nan |= is_nan(format, bits[i]);
        if (is_small(format, bits[i]) && !(mxcsr & MXCSR_DAZ))
            raised = MXCSR_DE;
    }
    return nan ? 0 : raised;
}

/* The exceptions that the host raised. An invalid operation or a division by zero hides a denormal
 * operand. */
static uint32_t raised_by_host(unsigned host, uint32_t before)
{
    uint32_t raised = before;

    if (host & MXCSR_IE)
        return MXCSR_IE;
    if (host & MXCSR_ZE)
        return MXCSR_ZE;
    if (host & MXCSR_OE)
        raised |= MXCSR_OE;
    if (host & MXCSR_UE)
        raised |= MXCSR_UE;
    if (host & MXCSR_PE)
        raised |= MXCSR_PE;
    return raised;
}

/* The number of operands. */
static unsigned count_of(enum vector_op op)
{
    return op == VECTOR_FMA ? 3 : op == VECTOR_SQRT ? 1 : 2;
}

static uint64_t compute(enum vector_op op, unsigned size, const uint64_t bits[3])
{
    host_float_forget();
    return size == 4 ? bits_of_single(on_singles(op, bits)) : bits_of_double(on_doubles(op, bits));
}

uint64_t vector_float(enum vector_op op, unsigned size, unsigned how, const uint64_t operand[3],
                      uint32_t mxcsr, uint32_t *raised)
{
    const struct format *format = format_of(size);
    const bool ordered = op == VECTOR_MIN || op == VECTOR_MAX;
    const uint32_t before = raised_by_operands(format, operand, count_of(op), ordered, mxcsr);
    uint64_t bits[3] = {operand[0], operand[1], operand[2]}, result;
    unsigned host;

    for (unsigned i = 0; i < count_of(op); i++)
        if (mxcsr & MXCSR_DAZ && is_small(format, bits[i]))
            bits[i] &= format->sign;
    if (ordered) {
        *raised |= before;
        return extreme(op, size, bits);
    }
    for (unsigned i = 0; i < count_of(op); i++)
        if (is_nan(format, bits[i])) {
            *raised |= before;
            return bits[i] | format->quiet;
        }
    if (op == VECTOR_FMA && how & VECTOR_NEGATE_PRODUCT)
        bits[0] ^= format->sign;
    if (op == VECTOR_FMA && how & VECTOR_NEGATE_ADDEND)
        bits[2] ^= format->sign;
    result = compute(op, size, bits);
    host = host_float_raised();
    *raised |= raised_by_host(host, before);
    if (is_nan(format, result))
        return format->sign | format->infinity |
               format->quiet; /* the result of an invalid operation */
    if (!(mxcsr & MXCSR_UM)) {
        *raised |= is_small(format, result) ? MXCSR_UE : 0;
        return result;
    }
    if (!(mxcsr & MXCSR_FTZ) || is_zero(format, result) ||
        !(is_small(format, result) || host & MXCSR_UE))
        return result;
    *raised |= MXCSR_UE | MXCSR_PE;
    return result & format->sign;
}

/* SDM 2, UCOMISD: all three flags when an operand is a NaN. */
unsigned vector_compare(unsigned size, uint64_t a, uint64_t b, bool ordered, uint32_t mxcsr,
                        uint32_t *raised)
{
    const struct format *format = format_of(size);
    uint64_t bits[2] = {a, b};
    double left, right;

    *raised |= raised_by_operands(format, bits, 2, ordered, mxcsr);
    for (unsigned i = 0; i < 2; i++)
        if (mxcsr & MXCSR_DAZ && is_small(format, bits[i]))
            bits[i] &= format->sign;
    if (is_nan(format, a) || is_nan(format, b))
        return FLAG_ZF | FLAG_PF | FLAG_CF;
    left = size == 4 ? (double)single_of(bits[0]) : double_of(bits[0]);
    right = size == 4 ? (double)single_of(bits[1]) : double_of(bits[1]);
    return left == right ? FLAG_ZF : left < right ? FLAG_CF : 0;
}
