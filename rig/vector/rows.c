/* Which instructions in VEX and EVEX encodings are played, and how. SDM 2, the instructions' own
 * pages. */
#include "rows.h"

#define ROW(name, shape_, op_, size_, block_)                                                      \
    [ZYDIS_MNEMONIC_##name] = {VECTOR_##shape_, VECTOR_##op_, size_, block_}

/* Packed and scalar, single and double. */
#define FLOAT(name, op)                                                                            \
    ROW(name##PS, LANES, op, 4, 0), ROW(name##PD, LANES, op, 8, 0),                                \
        ROW(name##SS, LOWEST, op, 4, 0), ROW(name##SD, LOWEST, op, 8, 0)
#define FMA_ORDER(name, order, how)                                                                \
    ROW(name##order##PS, LANES, FMA, 4, VECTOR_##order | (how)),                                   \
        ROW(name##order##PD, LANES, FMA, 8, VECTOR_##order | (how)),                               \
        ROW(name##order##SS, LOWEST, FMA, 4, VECTOR_##order | (how)),                              \
        ROW(name##order##SD, LOWEST, FMA, 8, VECTOR_##order | (how))
#define FMA(name, how)                                                                             \
    FMA_ORDER(name, 132, how), FMA_ORDER(name, 213, how), FMA_ORDER(name, 231, how)
/* On integers: in VEX encoding, and in EVEX encoding with elements of two sizes for the mask. */
#define LOGIC(name, op)                                                                            \
    ROW(name, LANES, op, 4, 0), ROW(name##D, LANES, op, 4, 0), ROW(name##Q, LANES, op, 8, 0)
#define LOGIC_FLOAT(name, op) ROW(name##PS, LANES, op, 4, 0), ROW(name##PD, LANES, op, 8, 0)
#define INTEGER(name, op)                                                                          \
    ROW(name##B, LANES, op, 1, 0), ROW(name##W, LANES, op, 2, 0), ROW(name##D, LANES, op, 4, 0),   \
        ROW(name##Q, LANES, op, 8, 0)
#define SHIFT(name, op)                                                                            \
    ROW(name##W, LANES, op, 2, 1), ROW(name##D, LANES, op, 4, 1), ROW(name##Q, LANES, op, 8, 1)
#define NARROW(name, op)                                                                           \
    ROW(name##B, LANES, op, 1, 0), ROW(name##W, LANES, op, 2, 0), ROW(name##D, LANES, op, 4, 0)
#define COPY(name, size, aligned) ROW(name, COPY, ADD, size, aligned)

static const struct vector_row rows[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
    FLOAT(VADD, ADD),
    FLOAT(VSUB, SUB),
    FLOAT(VMUL, MUL),
    FLOAT(VDIV, DIV),
    FLOAT(VMIN, MIN),
    FLOAT(VMAX, MAX),
    FLOAT(VSQRT, SQRT),
    FMA(VFMADD, 0),
    FMA(VFMSUB, VECTOR_NEGATE_ADDEND),
    FMA(VFNMADD, VECTOR_NEGATE_PRODUCT),
    FMA(VFNMSUB, VECTOR_NEGATE_PRODUCT | VECTOR_NEGATE_ADDEND),

    LOGIC(VPAND, AND),
    LOGIC(VPANDN, ANDN),
    LOGIC(VPOR, OR),
    LOGIC(VPXOR, XOR),
    LOGIC_FLOAT(VAND, AND),
    LOGIC_FLOAT(VANDN, ANDN),
    LOGIC_FLOAT(VOR, OR),
    LOGIC_FLOAT(VXOR, XOR),
    INTEGER(VPADD, INTEGER_ADD),
    INTEGER(VPSUB, INTEGER_SUB),
    ROW(VPMULLW, LANES, INTEGER_MUL, 2, 0),
    ROW(VPMULLD, LANES, INTEGER_MUL, 4, 0),
    ROW(VPMULUDQ, LANES, INTEGER_MUL_WIDE, 8, 0),

    COPY(VMOVAPS, 4, 1),
    COPY(VMOVAPD, 8, 1),
    COPY(VMOVUPS, 4, 0),
    COPY(VMOVUPD, 8, 0),
    COPY(VMOVDQA, 4, 1),
    COPY(VMOVDQA32, 4, 1),
    COPY(VMOVDQA64, 8, 1),
    COPY(VMOVDQU, 4, 0),
    COPY(VMOVDQU8, 1, 0),
    COPY(VMOVDQU16, 2, 0),
    COPY(VMOVDQU32, 4, 0),
    COPY(VMOVDQU64, 8, 0),
    COPY(VLDDQU, 4, 0),
    COPY(VMOVNTPS, 4, 1),
    COPY(VMOVNTPD, 8, 1),
    COPY(VMOVNTDQ, 4, 1),
    ROW(VMASKMOVPS, MASKED, ADD, 4, 0),
    ROW(VMASKMOVPD, MASKED, ADD, 8, 0),
    ROW(VPMASKMOVD, MASKED, ADD, 4, 0),
    ROW(VPMASKMOVQ, MASKED, ADD, 8, 0),
    ROW(VMOVSS, COPY_LOWEST, ADD, 4, 0),
    ROW(VMOVSD, COPY_LOWEST, ADD, 8, 0),
    ROW(VMOVD, TRANSFER, ADD, 4, 0),
    ROW(VMOVQ, TRANSFER, ADD, 8, 0),

    ROW(VBROADCASTSS, BROADCAST, ADD, 4, 4),
    ROW(VBROADCASTSD, BROADCAST, ADD, 8, 8),
    ROW(VBROADCASTF128, BROADCAST, ADD, 4, 16),
    ROW(VBROADCASTI128, BROADCAST, ADD, 4, 16),
    ROW(VBROADCASTF32X4, BROADCAST, ADD, 4, 16),
    ROW(VBROADCASTI32X4, BROADCAST, ADD, 4, 16),
    ROW(VBROADCASTF64X4, BROADCAST, ADD, 8, 32),
    ROW(VBROADCASTI64X4, BROADCAST, ADD, 8, 32),
    ROW(VPBROADCASTB, BROADCAST, ADD, 1, 1),
    ROW(VPBROADCASTW, BROADCAST, ADD, 2, 2),
    ROW(VPBROADCASTD, BROADCAST, ADD, 4, 4),
    ROW(VPBROADCASTQ, BROADCAST, ADD, 8, 8),
    ROW(VEXTRACTF128, EXTRACT, ADD, 4, 16),
    ROW(VEXTRACTI128, EXTRACT, ADD, 4, 16),
    ROW(VEXTRACTF32X4, EXTRACT, ADD, 4, 16),
    ROW(VEXTRACTI32X4, EXTRACT, ADD, 4, 16),
    ROW(VEXTRACTF64X4, EXTRACT, ADD, 8, 32),
    ROW(VEXTRACTI64X4, EXTRACT, ADD, 8, 32),
    ROW(VINSERTF128, INSERT, ADD, 4, 16),
    ROW(VINSERTI128, INSERT, ADD, 4, 16),
    ROW(VINSERTF32X4, INSERT, ADD, 4, 16),
    ROW(VINSERTI32X4, INSERT, ADD, 4, 16),
    ROW(VINSERTF64X4, INSERT, ADD, 8, 32),
    ROW(VINSERTI64X4, INSERT, ADD, 8, 32),

    /* with one count for all elements, or a count for each */
    SHIFT(VPSLL, SHIFT_LEFT),
    SHIFT(VPSRL, SHIFT_RIGHT),
    ROW(VPSRAW, LANES, SHIFT_ARITHMETIC, 2, 1),
    ROW(VPSRAD, LANES, SHIFT_ARITHMETIC, 4, 1),
    ROW(VPSLLVD, LANES, SHIFT_LEFT, 4, 0),
    ROW(VPSLLVQ, LANES, SHIFT_LEFT, 8, 0),
    ROW(VPSRLVD, LANES, SHIFT_RIGHT, 4, 0),
    ROW(VPSRLVQ, LANES, SHIFT_RIGHT, 8, 0),
    ROW(VPSRAVD, LANES, SHIFT_ARITHMETIC, 4, 0),
    INTEGER(VPCMPEQ, EQUAL),
    INTEGER(VPCMPGT, GREATER),
    NARROW(VPMINS, MIN_SIGNED),
    NARROW(VPMINU, MIN_UNSIGNED),
    NARROW(VPMAXS, MAX_SIGNED),
    NARROW(VPMAXU, MAX_UNSIGNED),

    ROW(VPUNPCKLBW, SHUFFLE, UNPACK_LOW, 1, 0),
    ROW(VPUNPCKLWD, SHUFFLE, UNPACK_LOW, 2, 0),
    ROW(VPUNPCKLDQ, SHUFFLE, UNPACK_LOW, 4, 0),
    ROW(VPUNPCKLQDQ, SHUFFLE, UNPACK_LOW, 8, 0),
    ROW(VPUNPCKHBW, SHUFFLE, UNPACK_HIGH, 1, 0),
    ROW(VPUNPCKHWD, SHUFFLE, UNPACK_HIGH, 2, 0),
    ROW(VPUNPCKHDQ, SHUFFLE, UNPACK_HIGH, 4, 0),
    ROW(VPUNPCKHQDQ, SHUFFLE, UNPACK_HIGH, 8, 0),
    ROW(VUNPCKLPS, SHUFFLE, UNPACK_LOW, 4, 0),
    ROW(VUNPCKLPD, SHUFFLE, UNPACK_LOW, 8, 0),
    ROW(VUNPCKHPS, SHUFFLE, UNPACK_HIGH, 4, 0),
    ROW(VUNPCKHPD, SHUFFLE, UNPACK_HIGH, 8, 0),
    ROW(VSHUFPS, SHUFFLE, SHUFFLE_PAIR, 4, 0),
    ROW(VSHUFPD, SHUFFLE, SHUFFLE_PAIR, 8, 0),
    ROW(VPSHUFD, SHUFFLE, SHUFFLE_PAIR, 4, 0),
    ROW(VPSHUFB, SHUFFLE, SHUFFLE_BYTES, 1, 0),
    ROW(VPALIGNR, SHUFFLE, ALIGN, 1, 0),
    ROW(VPSLLDQ, SHUFFLE, BYTES_UP, 1, 0),
    ROW(VPSRLDQ, SHUFFLE, BYTES_DOWN, 1, 0),
    ROW(VMOVSLDUP, SHUFFLE, DUPLICATE_EVEN, 4, 0),
    ROW(VMOVSHDUP, SHUFFLE, DUPLICATE_ODD, 4, 0),
    ROW(VMOVDDUP, SHUFFLE, DUPLICATE_EVEN, 8, 0),
    ROW(VPERMQ, SHUFFLE, PERMUTE, 8, 0),
    ROW(VPERMPD, SHUFFLE, PERMUTE, 8, 0),
    ROW(VPERM2F128, SHUFFLE, PERMUTE_HALVES, 4, 0),
    ROW(VPERM2I128, SHUFFLE, PERMUTE_HALVES, 4, 0),

    ROW(VPMOVMSKB, SIGNS, ADD, 1, 0),
    ROW(VMOVMSKPS, SIGNS, ADD, 4, 0),
    ROW(VMOVMSKPD, SIGNS, ADD, 8, 0),
    ROW(VPTEST, TEST, TEST_BITS, 8, 0),
    ROW(VUCOMISS, TEST, COMPARE, 4, 0),
    ROW(VUCOMISD, TEST, COMPARE, 8, 0),
    ROW(VCOMISS, TEST, COMPARE, 4, 0),
    ROW(VCOMISD, TEST, COMPARE, 8, 0),

    ROW(KMOVB, MASK_COPY, ADD, 1, 0),
    ROW(KMOVW, MASK_COPY, ADD, 2, 0),
    ROW(KMOVD, MASK_COPY, ADD, 4, 0),
    ROW(KMOVQ, MASK_COPY, ADD, 8, 0),
    ROW(VZEROUPPER, ZERO_UPPER, ADD, 4, 0),
    ROW(VZEROALL, ZERO_ALL, ADD, 4, 0),
};

const struct vector_row *vector_row(ZydisMnemonic mnemonic)
{
    return &rows[mnemonic];
}

bool row_has_one_count(const struct vector_row *row)
{
    return row->block && row->op >= VECTOR_SHIFT_LEFT && row->op <= VECTOR_SHIFT_ARITHMETIC;
}
