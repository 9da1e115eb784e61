/* The host computes the same and notes the exceptions in its own MXCSR, with all of them masked.
 * Two rules depend on the masks: a result that is too small, but exact, is an underflow only when
 * that exception is not masked, and only when it is masked is such a result flushed to zero. SDM 1,
 * "Numeric Underflow Exception (#U)", "Flush-To-Zero". */
#include "sse.h"

#include <emmintrin.h>
#include <string.h>

#include "host_float.h"
#include "mxcsr.h"

typedef __m128i compute_function(__m128i a, __m128i b);

struct sse_row {
    uint8_t small; /* the bytes of an element of a result that may be too small, 0 for others */
    uint8_t elements;
    compute_function *compute, *other; /* `other`: with 64 bits, or the predicates that signal */
};

/* --- what the host computes --- */

#define SINGLES(name, intrinsic)                                                                   \
    static __m128i name(__m128i a, __m128i b)                                                      \
    {                                                                                              \
        return _mm_castps_si128(intrinsic(_mm_castsi128_ps(a), _mm_castsi128_ps(b)));              \
    }
#define DOUBLES(name, intrinsic)                                                                   \
    static __m128i name(__m128i a, __m128i b)                                                      \
    {                                                                                              \
        return _mm_castpd_si128(intrinsic(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));              \
    }
/* Of the second operand alone. */
#define FROM_SINGLES(name, expression)                                                             \
    static __m128i name(__m128i a, __m128i b)                                                      \
    {                                                                                              \
        const __m128 x = _mm_castsi128_ps(b);                                                      \
        (void)a;                                                                                   \
        return expression;                                                                         \
    }
#define FROM_DOUBLES(name, expression)                                                             \
    static __m128i name(__m128i a, __m128i b)                                                      \
    {                                                                                              \
        const __m128d x = _mm_castsi128_pd(b);                                                     \
        (void)a;                                                                                   \
        return expression;                                                                         \
    }
#define FROM_INTEGERS(name, expression)                                                            \
    static __m128i name(__m128i a, __m128i b)                                                      \
    {                                                                                              \
        (void)a;                                                                                   \
        return expression;                                                                         \
    }
/* Packed and scalar, single and double. */
#define FOUR(name)                                                                                 \
    SINGLES(name##_ps, _mm_##name##_ps)                                                            \
    SINGLES(name##_ss, _mm_##name##_ss)                                                            \
    DOUBLES(name##_pd, _mm_##name##_pd)                                                            \
    DOUBLES(name##_sd, _mm_##name##_sd)

FOUR(add)
FOUR(sub)
FOUR(mul)
FOUR(div)
FOUR(min)
FOUR(max)
FOUR(cmpeq)
FOUR(cmplt)
FROM_SINGLES(sqrt_ps, _mm_castps_si128(_mm_sqrt_ps(x)))
FROM_SINGLES(sqrt_ss, _mm_castps_si128(_mm_sqrt_ss(x)))
FROM_DOUBLES(sqrt_pd, _mm_castpd_si128(_mm_sqrt_pd(x)))
FROM_DOUBLES(sqrt_sd, _mm_castpd_si128(_mm_sqrt_sd(x, x)))
FROM_SINGLES(ss_sd, _mm_castpd_si128(_mm_cvtss_sd(_mm_setzero_pd(), x)))
FROM_SINGLES(ps_pd, _mm_castpd_si128(_mm_cvtps_pd(x)))
FROM_DOUBLES(sd_ss, _mm_castps_si128(_mm_cvtsd_ss(_mm_setzero_ps(), x)))
FROM_DOUBLES(pd_ps, _mm_castps_si128(_mm_cvtpd_ps(x)))
FROM_INTEGERS(dq_ps, _mm_castps_si128(_mm_cvtepi32_ps(b)))
FROM_SINGLES(ps_dq, _mm_cvtps_epi32(x))
FROM_SINGLES(tps_dq, _mm_cvttps_epi32(x))
FROM_DOUBLES(pd_dq, _mm_cvtpd_epi32(x))
FROM_DOUBLES(tpd_dq, _mm_cvttpd_epi32(x))
FROM_SINGLES(ss_si, _mm_cvtsi32_si128(_mm_cvtss_si32(x)))
FROM_SINGLES(ss_si64, _mm_cvtsi64_si128(_mm_cvtss_si64(x)))
FROM_SINGLES(tss_si, _mm_cvtsi32_si128(_mm_cvttss_si32(x)))
FROM_SINGLES(tss_si64, _mm_cvtsi64_si128(_mm_cvttss_si64(x)))
FROM_DOUBLES(sd_si, _mm_cvtsi32_si128(_mm_cvtsd_si32(x)))
FROM_DOUBLES(sd_si64, _mm_cvtsi64_si128(_mm_cvtsd_si64(x)))
FROM_DOUBLES(tsd_si, _mm_cvtsi32_si128(_mm_cvttsd_si32(x)))
FROM_DOUBLES(tsd_si64, _mm_cvtsi64_si128(_mm_cvttsd_si64(x)))
FROM_INTEGERS(si_ss, _mm_castps_si128(_mm_cvtsi32_ss(_mm_setzero_ps(), _mm_cvtsi128_si32(b))))
FROM_INTEGERS(si64_ss, _mm_castps_si128(_mm_cvtsi64_ss(_mm_setzero_ps(), _mm_cvtsi128_si64(b))))
FROM_INTEGERS(si_sd, _mm_castpd_si128(_mm_cvtsi32_sd(_mm_setzero_pd(), _mm_cvtsi128_si32(b))))
FROM_INTEGERS(si64_sd, _mm_castpd_si128(_mm_cvtsi64_sd(_mm_setzero_pd(), _mm_cvtsi128_si64(b))))

/* Into an MMX register: of singles the low two. */
static __m128i ps_pi(__m128i a, __m128i b)
{
    return ps_dq(a, _mm_move_epi64(b));
}

static __m128i tps_pi(__m128i a, __m128i b)
{
    return tps_dq(a, _mm_move_epi64(b));
}

static __m128i com_ss(__m128i a, __m128i b)
{
    return _mm_cvtsi32_si128(_mm_comieq_ss(_mm_castsi128_ps(a), _mm_castsi128_ps(b)));
}

static __m128i com_sd(__m128i a, __m128i b)
{
    return _mm_cvtsi32_si128(_mm_comieq_sd(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));
}

static __m128i ucom_ss(__m128i a, __m128i b)
{
    return _mm_cvtsi32_si128(_mm_ucomieq_ss(_mm_castsi128_ps(a), _mm_castsi128_ps(b)));
}

static __m128i ucom_sd(__m128i a, __m128i b)
{
    return _mm_cvtsi32_si128(_mm_ucomieq_sd(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));
}

/* SSE3: even and odd elements of both operands. */
static __m128i even_singles(__m128i a, __m128i b)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88));
}

static __m128i odd_singles(__m128i a, __m128i b)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0xdd));
}

static __m128i hadd_ps(__m128i a, __m128i b)
{
    return add_ps(even_singles(a, b), odd_singles(a, b));
}

static __m128i hsub_ps(__m128i a, __m128i b)
{
    return sub_ps(even_singles(a, b), odd_singles(a, b));
}

static __m128i hadd_pd(__m128i a, __m128i b)
{
    return add_pd(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
}

static __m128i hsub_pd(__m128i a, __m128i b)
{
    return sub_pd(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
}

/* Even elements are subtracted: as many exceptions as additions of their negations raise. */
static __m128i addsub_ps(__m128i a, __m128i b)
{
    return add_ps(a, _mm_xor_si128(b, _mm_set_epi32(0, INT32_MIN, 0, INT32_MIN)));
}

static __m128i addsub_pd(__m128i a, __m128i b)
{
    return add_pd(a, _mm_xor_si128(b, _mm_set_epi32(0, 0, INT32_MIN, 0)));
}

/* --- the rows --- */

/* clang-format off */
#define TWO(name, small, elements, compute, other) \
    [ZYDIS_MNEMONIC_##name] = {small, elements, compute, other}
#define ROW(name, small, elements, compute) TWO(name, small, elements, compute, NULL)
#define ARITHMETIC(name, function) \
    ROW(name##PS, 4, 4, function##_ps), ROW(name##SS, 4, 1, function##_ss), \
    ROW(name##PD, 8, 2, function##_pd), ROW(name##SD, 8, 1, function##_sd)
#define CHOICE(name, function) /* results are operands */ \
    ROW(name##PS, 0, 0, function##_ps), ROW(name##SS, 0, 0, function##_ss), \
    ROW(name##PD, 0, 0, function##_pd), ROW(name##SD, 0, 0, function##_sd)

static const struct sse_row rows[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
    ARITHMETIC(ADD, add),
    ARITHMETIC(SUB, sub),
    ARITHMETIC(MUL, mul),
    ARITHMETIC(DIV, div),
    CHOICE(MIN, min),
    CHOICE(MAX, max),
    CHOICE(SQRT, sqrt),
    TWO(CMPPS, 0, 0, cmpeq_ps, cmplt_ps),
    TWO(CMPSS, 0, 0, cmpeq_ss, cmplt_ss),
    TWO(CMPPD, 0, 0, cmpeq_pd, cmplt_pd),
    TWO(CMPSD, 0, 0, cmpeq_sd, cmplt_sd),
    ROW(HADDPS, 4, 4, hadd_ps),
    ROW(HADDPD, 8, 2, hadd_pd),
    ROW(HSUBPS, 4, 4, hsub_ps),
    ROW(HSUBPD, 8, 2, hsub_pd),
    ROW(ADDSUBPS, 4, 4, addsub_ps),
    ROW(ADDSUBPD, 8, 2, addsub_pd),
    ROW(COMISS, 0, 0, com_ss),
    ROW(COMISD, 0, 0, com_sd),
    ROW(UCOMISS, 0, 0, ucom_ss),
    ROW(UCOMISD, 0, 0, ucom_sd),
    ROW(CVTSS2SD, 0, 0, ss_sd),
    ROW(CVTPS2PD, 0, 0, ps_pd),
    ROW(CVTSD2SS, 4, 1, sd_ss),
    ROW(CVTPD2PS, 4, 2, pd_ps),
    ROW(CVTDQ2PS, 0, 0, dq_ps),
    ROW(CVTPS2DQ, 0, 0, ps_dq),
    ROW(CVTTPS2DQ, 0, 0, tps_dq),
    ROW(CVTPD2DQ, 0, 0, pd_dq),
    ROW(CVTTPD2DQ, 0, 0, tpd_dq),
    ROW(CVTPI2PS, 0, 0, dq_ps), /* behind the two integers are zeros, and CVTPI2PD is exact */
    ROW(CVTPS2PI, 0, 0, ps_pi),
    ROW(CVTTPS2PI, 0, 0, tps_pi),
    ROW(CVTPD2PI, 0, 0, pd_dq),
    ROW(CVTTPD2PI, 0, 0, tpd_dq),
    TWO(CVTSS2SI, 0, 0, ss_si, ss_si64),
    TWO(CVTTSS2SI, 0, 0, tss_si, tss_si64),
    TWO(CVTSD2SI, 0, 0, sd_si, sd_si64),
    TWO(CVTTSD2SI, 0, 0, tsd_si, tsd_si64),
    TWO(CVTSI2SS, 0, 0, si_ss, si64_ss),
    TWO(CVTSI2SD, 0, 0, si_sd, si64_sd),
};
/* clang-format on */

/* CMPSD is also the name of an instruction on strings. */
bool sse_computes(const ZydisDecodedInstruction *decoded)
{
    return (decoded->meta.isa_ext == ZYDIS_ISA_EXT_SSE ||
            decoded->meta.isa_ext == ZYDIS_ISA_EXT_SSE2 ||
            decoded->meta.isa_ext == ZYDIS_ISA_EXT_SSE3) &&
           rows[decoded->mnemonic].compute != NULL;
}

/* --- the exceptions --- */

/* SDM 2, CMPPD: a quiet NaN is invalid for "less" and "less or equal", and for their opposites. */
static bool takes_other(ZydisMnemonic mnemonic, const struct sse_operands *operands)
{
    const unsigned predicate = operands->predicate & 3u;

    switch (mnemonic) {
    case ZYDIS_MNEMONIC_CMPPS:
    case ZYDIS_MNEMONIC_CMPSS:
    case ZYDIS_MNEMONIC_CMPPD:
    case ZYDIS_MNEMONIC_CMPSD:
        return predicate == 1 || predicate == 2;
    default:
        return operands->wide;
    }
}

static bool any_is_small(const uint8_t *result, const struct sse_row *row)
{
    bool any = false;

    for (unsigned i = 0; i < row->elements; i++) {
        uint64_t value = 0;
        const uint64_t infinity = row->small == 4 ? UINT64_C(0xff) << 23 : UINT64_C(0x7ff) << 52;
        const uint64_t sign = row->small == 4 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;

        memcpy(&value, result + i * row->small, row->small);
        any |= (value & infinity) == 0 && (value & ~sign) != 0;
    }
    return any;
}

uint32_t sse_raises(const ZydisDecodedInstruction *decoded, const struct sse_operands *operands,
                    uint32_t mxcsr)
{
    const struct sse_row *row = &rows[decoded->mnemonic];
    compute_function *compute =
        row->other != NULL && takes_other(decoded->mnemonic, operands) ? row->other : row->compute;
    const bool underflow = !(mxcsr & MXCSR_UM);
    uint8_t result[16];
    __m128i a, b, c;
    uint32_t before, raised;

    memcpy(&a, operands->first, sizeof(a));
    memcpy(&b, operands->second, sizeof(b));
    mxcsr &= MXCSR_ROUNDING | MXCSR_DAZ | (underflow ? 0 : MXCSR_FTZ);
    before = host_float_begin_as(mxcsr | MXCSR_MASKS);
    c = compute(a, b);
    raised = host_float_raised();
    host_float_end(before);
    memcpy(result, &c, sizeof(result));
    if (underflow && any_is_small(result, row))
        raised |= MXCSR_UE;
    return raised;
}

bool mxcsr_faults(uint32_t mxcsr, uint32_t raised, uint32_t *flags)
{
    const uint32_t unmasked = raised & ~(mxcsr >> MXCSR_MASK_SHIFT);

    *flags = unmasked & MXCSR_BY_OPERANDS ? raised & MXCSR_BY_OPERANDS : raised;
    return unmasked != 0;
}
