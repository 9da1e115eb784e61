/* Instructions in VEX and EVEX encodings: most extend an older instruction by a third operand and
 * wider registers, and cost what the older one costs, except for the adjustments here.
 *
 * Sources: uops.info; A. Fog, "Instruction tables"; LLVM's scheduling models (X86SchedHaswell,
 * X86SchedSkylakeServer, X86SchedIceLake). */
#include <stdlib.h>
#include <string.h>

#include "recipe.h"

#define M(name) ZYDIS_MNEMONIC_##name

static bool is_vector_encoding(const ZydisDecodedInstruction *instruction)
{
    return instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ||
           instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
}

/* Some EVEX mnemonics end in the width of the mask's elements: gives the mnemonic without it. */
static ZydisMnemonic without_element(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case M(VMOVDQA32):
    case M(VMOVDQA64):
        return M(MOVDQA);
    case M(VMOVDQU8):
    case M(VMOVDQU16):
    case M(VMOVDQU32):
    case M(VMOVDQU64):
        return M(MOVDQU);
    case M(VPANDD):
    case M(VPANDQ):
        return M(PAND);
    case M(VPANDND):
    case M(VPANDNQ):
        return M(PANDN);
    case M(VPORD):
    case M(VPORQ):
        return M(POR);
    case M(VPXORD):
    case M(VPXORQ):
        return M(PXOR);
    default:
        return mnemonic;
    }
}

/* Zydis numbers mnemonics in the order of their names. */
static ZydisMnemonic by_name(const char *name)
{
    int low = ZYDIS_MNEMONIC_INVALID + 1, high = ZYDIS_MNEMONIC_MAX_VALUE;

    while (low <= high) {
        const int middle = (low + high) / 2;
        const int order = strcmp(name, ZydisMnemonicGetString((ZydisMnemonic)middle));

        if (order == 0)
            return (ZydisMnemonic)middle;
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return ZYDIS_MNEMONIC_INVALID;
}

ZydisMnemonic recipe_mnemonic(const ZydisDecodedInstruction *instruction)
{
    const ZydisMnemonic own = instruction->mnemonic;
    ZydisMnemonic older;

    if (!is_vector_encoding(instruction))
        return own;
    older = without_element(own);
    if (older == own)
        older = by_name(ZydisMnemonicGetString(own) + 1);
    return older == ZYDIS_MNEMONIC_INVALID ? own : older;
}

static bool is_division(const struct recipe *recipe)
{
    return recipe->class_id == CLASS_FP_DIV_SINGLE || recipe->class_id == CLASS_FP_DIV_DOUBLE ||
           recipe->class_id == CLASS_FP_DIV_PACKED;
}

static bool has(const struct model_parameters *parameters, enum uop_class_id id)
{
    return parameters->classes[id].ports != 0;
}

/* A divider is 128 bits wide, or 256 where the core has the classes FP_DIV_*_256. A division twice
 * as wide takes two turns and a uop that joins their results. */
static void adjust_division(struct recipe *recipe, const struct model_parameters *parameters,
                            unsigned bits)
{
    const enum uop_class_id wide =
        recipe->class_id == CLASS_FP_DIV_SINGLE ? CLASS_FP_DIV_SINGLE_256 : CLASS_FP_DIV_DOUBLE_256;
    unsigned turns = bits / 128;

    if (bits <= 128)
        return;
    if (has(parameters, wide)) {
        recipe->class_id = (uint8_t)wide;
        turns /= 2;
    }
    recipe->parts = (uint8_t)turns;
    if (turns > 1 && !parameters->vector_bits)
        recipe->slots = (uint16_t)(turns + 1);
}

/* 512 bits go to the ports where both halves fit. */
static void adjust_wide(struct recipe *recipe, const struct model_parameters *parameters)
{
    switch (recipe->class_id) {
    case CLASS_VECTOR_ALU:
        if (has(parameters, CLASS_VECTOR_ALU_512))
            recipe->class_id = CLASS_VECTOR_ALU_512;
        break;
    case CLASS_FP_ADD:
    case CLASS_FP_COMPARE:
    case CLASS_FP_MUL:
    case CLASS_FMA:
        if (has(parameters, CLASS_FP_512))
            recipe->class_id = CLASS_FP_512;
        break;
    case CLASS_VECTOR_SHUFFLE:
    case CLASS_VECTOR_LANES:
        if (has(parameters, CLASS_VECTOR_LANES))
            recipe->class_id = CLASS_VECTOR_LANES;
        break;
    case CLASS_VECTOR_MUL:
        if (has(parameters, CLASS_VECTOR_MUL_512)) {
            recipe->class_id = CLASS_VECTOR_MUL_512;
            if (recipe->chain)
                recipe->then_id = CLASS_VECTOR_MUL_512;
        }
        break;
    default:
        break;
    }
}

/* A vector register that is wider than one operation goes through in parts. */
static void adjust_parts(struct recipe *recipe, const struct model_parameters *parameters,
                         unsigned bits)
{
    const unsigned whole = parameters->vector_bits;

    if (whole && bits > whole && recipe->class_id != CLASS_NONE) {
        recipe->parts = (uint8_t)(bits / whole);
        if (parameters->vector_parts_share_slot)
            recipe->flags |= RECIPE_PARTS_FUSED;
    }
}

static bool is_of_class(const ZydisDecodedOperand *operand, ZydisRegisterClass register_class)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(operand->reg.value) == register_class;
}

/* Adjustments by where the operands are: registers of which width, or memory. */
static void adjust_operands(struct recipe *recipe, const struct model_parameters *parameters,
                            const ZydisDecodedInstruction *instruction,
                            const ZydisDecodedOperand *operands)
{
    const ZydisDecodedOperand *last = &operands[instruction->operand_count_visible - 1];

    switch (recipe->mnemonic) {
    case M(VBROADCASTSS):
    case M(VPBROADCASTB):
    case M(VPBROADCASTW):
    case M(VPBROADCASTD):
    case M(VPBROADCASTQ): /* within 128 bits no lane is crossed */
        if (is_of_class(&operands[0], ZYDIS_REGCLASS_XMM))
            recipe->class_id = CLASS_VECTOR_SHUFFLE;
        break;
    case M(VINSERTF128):
    case M(VINSERTI128):
    case M(VINSERTF32X4):
    case M(VINSERTI32X4):
    case M(VINSERTF64X4):
    case M(VINSERTI64X4): /* from memory it is a blend */
        if (last[-1].type == ZYDIS_OPERAND_TYPE_MEMORY)
            recipe->class_id = CLASS_VECTOR_ALU;
        break;
    case M(KMOVB):
    case M(KMOVW):
    case M(KMOVD):
    case M(KMOVQ):
        recipe->class_id =
            is_of_class(&operands[0], ZYDIS_REGCLASS_MASK) ? CLASS_TO_VECTOR : CLASS_FROM_VECTOR;
        break;
    default:
        break;
    }
    if (recipe->class_id == CLASS_VECTOR_LANES && !has(parameters, CLASS_VECTOR_LANES))
        recipe->class_id = CLASS_VECTOR_SHUFFLE;
}

/* A masked load needs a uop that blends in, or clears, the elements left out. A masked store is
 * like any other store. */
static void adjust_masked_load(struct recipe *recipe, const ZydisDecodedInstruction *instruction,
                               const ZydisDecodedOperand *operands)
{
    const ZydisRegister mask = instruction->avx.mask.reg;

    if (!(recipe->flags & RECIPE_MOVE) || mask == ZYDIS_REGISTER_NONE || mask == ZYDIS_REGISTER_K0)
        return;
    for (unsigned i = 1; i < instruction->operand_count_visible; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY) {
            recipe->flags &= (uint8_t)~RECIPE_MOVE;
            recipe->class_id = CLASS_VECTOR_ALU;
        }
}

void recipe_adjust_vector(struct recipe *recipe, const struct model_parameters *parameters,
                          const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperand *operands)
{
    const unsigned bits = instruction->avx.vector_length;

    if (!is_vector_encoding(instruction))
        return;
    if (instruction->meta.category == ZYDIS_CATEGORY_VFMA)
        recipe->class_id = has(parameters, CLASS_FMA) ? CLASS_FMA : CLASS_FP_MUL;
    if (instruction->operand_count_visible > 0)
        adjust_operands(recipe, parameters, instruction, operands);
    adjust_masked_load(recipe, instruction, operands);
    if (is_division(recipe)) {
        adjust_division(recipe, parameters, bits);
        return;
    }
    if (bits == 512)
        adjust_wide(recipe, parameters);
    adjust_parts(recipe, parameters, bits);
}
