#include "assist.h"

#include <math.h>
#include <string.h>

#include "mxcsr.h"

/* A product of zero is zero and needs no assist. A product that is too small for a normal number
 * needs one, unless it may be flushed to zero. */
static bool needs(bool small_factor, bool small_product, bool of_nothing, unsigned mxcsr)
{
    if (small_factor)
        return !(mxcsr & MXCSR_DAZ);
    return small_product && !of_nothing && !(mxcsr & MXCSR_FTZ);
}

static bool of_singles(float a, float b, unsigned mxcsr)
{
    const int product = fpclassify(a * b);

    return needs(fpclassify(a) == FP_SUBNORMAL || fpclassify(b) == FP_SUBNORMAL,
                 product == FP_SUBNORMAL || product == FP_ZERO,
                 fpclassify(a) == FP_ZERO || fpclassify(b) == FP_ZERO, mxcsr);
}

static bool of_doubles(double a, double b, unsigned mxcsr)
{
    const int product = fpclassify(a * b);

    return needs(fpclassify(a) == FP_SUBNORMAL || fpclassify(b) == FP_SUBNORMAL,
                 product == FP_SUBNORMAL || product == FP_ZERO,
                 fpclassify(a) == FP_ZERO || fpclassify(b) == FP_ZERO, mxcsr);
}

bool assist_singles(const void *a, const void *b, unsigned count, unsigned mxcsr)
{
    float left[4], right[4];
    bool any = false;

    memcpy(left, a, count * sizeof(*left));
    memcpy(right, b, count * sizeof(*right));
    for (unsigned i = 0; i < count; i++)
        any |= of_singles(left[i], right[i], mxcsr);
    return any;
}

bool assist_doubles(const void *a, const void *b, unsigned count, unsigned mxcsr)
{
    double left[2], right[2];
    bool any = false;

    memcpy(left, a, count * sizeof(*left));
    memcpy(right, b, count * sizeof(*right));
    for (unsigned i = 0; i < count; i++)
        any |= of_doubles(left[i], right[i], mxcsr);
    return any;
}
