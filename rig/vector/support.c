/* Which features of CPUID an instruction in VEX or EVEX encoding needs (SDM 2, the instructions'
 * own pages, column "CPUID Feature Flag"). */
#include "support.h"

#include "rows.h"

/* clang-format off */
#define AVX      {1, CPUID_ECX, 28}
#define AVX2     {7, CPUID_EBX, 5}
#define FMA      {1, CPUID_ECX, 12}
#define F16C     {1, CPUID_ECX, 29}
#define BMI1     {7, CPUID_EBX, 3}
#define BMI2     {7, CPUID_EBX, 8}
#define AVX512F  {7, CPUID_EBX, 16}
#define AVX512DQ {7, CPUID_EBX, 17}
#define AVX512CD {7, CPUID_EBX, 28}
#define AVX512BW {7, CPUID_EBX, 30}
#define AVX512VL {7, CPUID_EBX, 31}
/* clang-format on */
#define SET(name) ZYDIS_ISA_SET_##name

static const struct {
    ZydisISASet set;
    struct cpuid_bit bit,
        and; /* both are needed; of `and` the leaf is 0 when there is no second one */
} needs[] = {
    {SET(AVX), AVX, {0}},
    {SET(AVX2), AVX2, {0}},
    {SET(AVX2GATHER), AVX2, {0}},
    {SET(FMA), FMA, {0}},
    {SET(F16C), F16C, {0}},
    {SET(BMI1), BMI1, {0}},
    {SET(BMI2), BMI2, {0}},
    {SET(AVX512F_128), AVX512F, AVX512VL},
    {SET(AVX512F_128N), AVX512F, {0}},
    {SET(AVX512F_256), AVX512F, AVX512VL},
    {SET(AVX512F_512), AVX512F, {0}},
    {SET(AVX512F_SCALAR), AVX512F, {0}},
    {SET(AVX512F_KOP), AVX512F, {0}},
    {SET(AVX512DQ_128), AVX512DQ, AVX512VL},
    {SET(AVX512DQ_128N), AVX512DQ, {0}},
    {SET(AVX512DQ_256), AVX512DQ, AVX512VL},
    {SET(AVX512DQ_512), AVX512DQ, {0}},
    {SET(AVX512DQ_SCALAR), AVX512DQ, {0}},
    {SET(AVX512DQ_KOP), AVX512DQ, {0}},
    {SET(AVX512BW_128), AVX512BW, AVX512VL},
    {SET(AVX512BW_128N), AVX512BW, {0}},
    {SET(AVX512BW_256), AVX512BW, AVX512VL},
    {SET(AVX512BW_512), AVX512BW, {0}},
    {SET(AVX512BW_KOP), AVX512BW, {0}},
    {SET(AVX512CD_128), AVX512CD, AVX512VL},
    {SET(AVX512CD_256), AVX512CD, AVX512VL},
    {SET(AVX512CD_512), AVX512CD, {0}},
};

enum vector_support vector_support(const ZydisDecodedInstruction *decoded,
                                   cpuid_offers_function *offers, void *context)
{
    for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
        if (needs[i].set != decoded->meta.isa_set)
            continue;
        if (!offers(context, &needs[i].bit) ||
            (needs[i].and.leaf && !offers(context, &needs[i].and)))
            return VECTOR_UNDEFINED;
        return vector_row(decoded->mnemonic)->shape == VECTOR_NONE ? VECTOR_UNPLAYED
                                                                   : VECTOR_PLAYED;
    }
    return VECTOR_UNPLAYED;
}
