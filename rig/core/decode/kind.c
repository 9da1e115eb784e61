/* The kind of work: by the tables of the events that count it. */
#include "kind.h"

#include <string.h>

/* clang-format off */
#define PACKED(name) \
    {ZYDIS_MNEMONIC_##name##PS, FLOPS_PACKED_SINGLE}, \
    {ZYDIS_MNEMONIC_##name##PD, FLOPS_PACKED_DOUBLE}
#define SCALAR(name) \
    {ZYDIS_MNEMONIC_##name##SS, FLOPS_SCALAR_SINGLE}, \
    {ZYDIS_MNEMONIC_##name##SD, FLOPS_SCALAR_DOUBLE}
/* clang-format on */

/* The computational instructions that FP_ARITH_INST_RETIRED counts, as its descriptions list them
 * (public event lists); comparisons, conversions, roundings and moves are not among them. */
static const struct {
    ZydisMnemonic mnemonic;
    uint8_t flops;
} arithmetic[] = {
    PACKED(ADD),
    SCALAR(ADD),
    PACKED(SUB),
    SCALAR(SUB),
    PACKED(MUL),
    SCALAR(MUL),
    PACKED(DIV),
    SCALAR(DIV),
    PACKED(MIN),
    SCALAR(MIN),
    PACKED(MAX),
    SCALAR(MAX),
    PACKED(SQRT),
    SCALAR(SQRT),
    PACKED(HADD),
    PACKED(HSUB),
    PACKED(ADDSUB),
    {ZYDIS_MNEMONIC_RCPPS, FLOPS_PACKED_SINGLE},
    {ZYDIS_MNEMONIC_RCPSS, FLOPS_SCALAR_SINGLE},
    {ZYDIS_MNEMONIC_RSQRTPS, FLOPS_PACKED_SINGLE},
    {ZYDIS_MNEMONIC_RSQRTSS, FLOPS_SCALAR_SINGLE},
    {ZYDIS_MNEMONIC_DPPS, FLOPS_PACKED_SINGLE | FLOPS_TWICE},
    {ZYDIS_MNEMONIC_DPPD, FLOPS_PACKED_DOUBLE | FLOPS_TWICE},
};

/* Counted by INT_VEC_RETIRED.ADD_128: "ADD, SUB (regular or horizontal), SAD". */
/* clang-format off */
static const ZydisMnemonic integer[] = {
    ZYDIS_MNEMONIC_PADDB,   ZYDIS_MNEMONIC_PADDW,   ZYDIS_MNEMONIC_PADDD,   ZYDIS_MNEMONIC_PADDQ,
    ZYDIS_MNEMONIC_PADDSB,  ZYDIS_MNEMONIC_PADDSW,  ZYDIS_MNEMONIC_PADDUSB, ZYDIS_MNEMONIC_PADDUSW,
    ZYDIS_MNEMONIC_PSUBB,   ZYDIS_MNEMONIC_PSUBW,   ZYDIS_MNEMONIC_PSUBD,   ZYDIS_MNEMONIC_PSUBQ,
    ZYDIS_MNEMONIC_PSUBSB,  ZYDIS_MNEMONIC_PSUBSW,  ZYDIS_MNEMONIC_PSUBUSB, ZYDIS_MNEMONIC_PSUBUSW,
    ZYDIS_MNEMONIC_PSADBW,  ZYDIS_MNEMONIC_PHADDW,  ZYDIS_MNEMONIC_PHADDD,  ZYDIS_MNEMONIC_PHADDSW,
    ZYDIS_MNEMONIC_PHSUBW,  ZYDIS_MNEMONIC_PHSUBD,  ZYDIS_MNEMONIC_PHSUBSW,
};
/* clang-format on */

static const ZydisMnemonic integer_products[] = {
    ZYDIS_MNEMONIC_PMULLW,   ZYDIS_MNEMONIC_PMULHW,  ZYDIS_MNEMONIC_PMULHUW,
    ZYDIS_MNEMONIC_PMULHRSW, ZYDIS_MNEMONIC_PMULLD,  ZYDIS_MNEMONIC_PMULDQ,
    ZYDIS_MNEMONIC_PMULUDQ,  ZYDIS_MNEMONIC_PMADDWD, ZYDIS_MNEMONIC_PMADDUBSW,
};

/* The kind of the same arithmetic in registers of `bits`. */
static uint8_t widen(uint8_t flops, unsigned bits)
{
    const unsigned kind = flops & FLOPS_KIND, step = bits == 512 ? 4 : 2;

    if (bits <= 128 || (kind != FLOPS_PACKED_SINGLE && kind != FLOPS_PACKED_DOUBLE))
        return flops;
    return (uint8_t)(flops + step);
}

/* A multiplication and an addition at once count as two. The mnemonic ends in ps, pd, ss or sd. */
static uint8_t fma_of(const ZydisDecodedInstruction *instruction)
{
    const char *name = ZydisMnemonicGetString(instruction->mnemonic);
    const char *end = name + strlen(name) - 2;
    const bool single = end[1] == 's';

    if (end[0] == 'p')
        return widen(single ? FLOPS_PACKED_SINGLE : FLOPS_PACKED_DOUBLE,
                     instruction->avx.vector_length) |
               FLOPS_TWICE;
    return (single ? FLOPS_SCALAR_SINGLE : FLOPS_SCALAR_DOUBLE) | FLOPS_TWICE;
}

/* The vendor counts multiplications of 256 bits only, and nothing of 512. */
static uint8_t integer_of(ZydisMnemonic mnemonic, unsigned bits)
{
    for (unsigned i = 0; i < sizeof(integer) / sizeof(*integer); i++)
        if (integer[i] == mnemonic)
            return bits <= 128 ? FLOPS_INTEGER : bits == 256 ? FLOPS_INTEGER_256 : FLOPS_NONE;
    for (unsigned i = 0; bits == 256 && i < sizeof(integer_products) / sizeof(*integer_products);
         i++)
        if (integer_products[i] == mnemonic)
            return FLOPS_INTEGER_MUL;
    return FLOPS_NONE;
}

static uint8_t flops_of(const ZydisDecodedInstruction *instruction, ZydisMnemonic mnemonic)
{
    const unsigned bits = instruction->avx.vector_length;

    if (instruction->meta.category == ZYDIS_CATEGORY_VFMA)
        return fma_of(instruction);
    for (unsigned i = 0; i < sizeof(arithmetic) / sizeof(*arithmetic); i++)
        if (arithmetic[i].mnemonic == mnemonic)
            return widen(arithmetic[i].flops, bits);
    return integer_of(mnemonic, bits);
}

/* An x87 instruction that does more than load or store. */
static bool computes_x87(const struct decoded *out, const ZydisDecodedInstruction *instruction)
{
    if (instruction->meta.category != ZYDIS_CATEGORY_X87_ALU)
        return false;
    for (unsigned i = 0; i < out->uop_count; i++)
        if (out->uops[i].class_id == CLASS_X87 || out->uops[i].class_id == CLASS_FP_DIV_DOUBLE)
            return true;
    return false;
}

static enum truth_node node_of(const struct decoded *out,
                               const ZydisDecodedInstruction *instruction)
{
    switch (out->flops & FLOPS_KIND) {
    case FLOPS_SCALAR_SINGLE:
    case FLOPS_SCALAR_DOUBLE:
        return NODE_FP_SCALAR;
    case FLOPS_PACKED_SINGLE:
    case FLOPS_PACKED_DOUBLE:
        return NODE_FP_VECTOR_128B;
    case FLOPS_256_SINGLE:
    case FLOPS_256_DOUBLE:
        return NODE_FP_VECTOR_256B;
    case FLOPS_512_SINGLE:
    case FLOPS_512_DOUBLE:
        return NODE_FP_VECTOR_512B;
    default:
        break;
    }
    if (computes_x87(out, instruction))
        return NODE_X87_USE;
    if (out->branch)
        return NODE_NON_FUSED_BRANCHES;
    if (out->nop)
        return NODE_NOP_INSTRUCTIONS;
    return out->loads || out->stores ? NODE_MEMORY_OPERATIONS : NODE_OTHER_LIGHT_OPS;
}

/* Only the first 16 vector registers matter: VZEROUPPER clears no others. */
static enum upper upper_of(const ZydisDecodedInstruction *instruction,
                           const ZydisDecodedOperand *list)
{
    const bool vector = instruction->operand_count_visible > 0 &&
                        list[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                        list[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
                        ZydisRegisterGetId(list[0].reg.value) < 16;

    if (instruction->mnemonic == ZYDIS_MNEMONIC_VZEROUPPER ||
        instruction->mnemonic == ZYDIS_MNEMONIC_VZEROALL)
        return UPPER_CLEARED;
    if (!vector)
        return UPPER_UNTOUCHED;
    switch (ZydisRegisterGetClass(list[0].reg.value)) {
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
        return UPPER_USED;
    case ZYDIS_REGCLASS_XMM:
        return instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY ? UPPER_KEPT
                                                                          : UPPER_UNTOUCHED;
    default:
        return UPPER_UNTOUCHED;
    }
}

void kind_set(struct decoded *out, const ZydisDecodedInstruction *instruction,
              const ZydisDecodedOperand *list, ZydisMnemonic mnemonic)
{
    out->upper = (uint8_t)upper_of(instruction, list);
    out->flops = flops_of(instruction, mnemonic);
    out->node = (uint8_t)node_of(out, instruction);
}
