/* The recipe of an instruction: its row, then the adjustments that its operands ask for. */
#include "recipe.h"

#include <stddef.h>

#define M(name) ZYDIS_MNEMONIC_##name

static bool is_register(const ZydisDecodedOperand *operand, ZydisRegisterClass register_class)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(operand->reg.value) == register_class;
}

static bool is_vector(const ZydisDecodedOperand *operand)
{
    return is_register(operand, ZYDIS_REGCLASS_XMM) || is_register(operand, ZYDIS_REGCLASS_YMM) ||
           is_register(operand, ZYDIS_REGCLASS_ZMM) || is_register(operand, ZYDIS_REGCLASS_MMX);
}

static bool is_memory(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static struct recipe recipe_default(const ZydisDecodedInstruction *instruction,
                                    const ZydisDecodedOperand *operands)
{
    struct recipe recipe = {.class_id = CLASS_ALU, .then_id = CLASS_NONE};

    if (instruction->meta.isa_ext == ZYDIS_ISA_EXT_X87)
        recipe.class_id = CLASS_X87;
    for (unsigned i = 0; i < instruction->operand_count_visible; i++)
        if (is_vector(&operands[i]))
            recipe.class_id = CLASS_VECTOR_ALU;
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_SETCC:
    case ZYDIS_CATEGORY_CMOV:
        recipe.class_id = CLASS_SHIFT;
        break;
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_XSAVE:
    case ZYDIS_CATEGORY_XSAVEOPT:
        recipe.class_id = CLASS_MICROCODE;
        recipe.flags = RECIPE_MICROCODE;
        recipe.slots = 40;
        break;
    default:
        break;
    }
    return recipe;
}

/* Shifts and rotates. A shift by CL merges the old flags in, which takes a second uop. */
static void adjust_shift(struct recipe *recipe, const struct model_parameters *parameters,
                         const ZydisDecodedOperand *operands, unsigned visible)
{
    const ZydisDecodedOperand *amount = &operands[visible - 1];
    const bool by_register = is_register(amount, ZYDIS_REGCLASS_GPR8);

    switch (recipe->mnemonic) {
    case M(SHLD):
    case M(SHRD):
        recipe->slots = by_register ? 4 : 0;
        break;
    case M(RCL):
    case M(RCR):
        if (amount->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && amount->imm.value.u == 1) {
            recipe->chain = 1;
            recipe->slots = 3;
        }
        break;
    default:
        if (by_register) {
            recipe->then_id = CLASS_SHIFT;
            recipe->chain = 1;
            recipe->slots = parameters->shift_cl_uops;
            if (parameters->shift_cl_uops == 0)
                recipe->flags |= RECIPE_OLD_LAST;
            if (parameters->shift_cl_merges)
                recipe->flags |= RECIPE_MERGES_FLAGS;
        }
    }
}

/* One-operand multiplies: both halves of the product. 16 and 32 bits need further uops to put them
 * in their registers. */
static void adjust_multiply(struct recipe *recipe, unsigned width)
{
    *recipe = (struct recipe){recipe->mnemonic, CLASS_MUL, CLASS_MUL_HIGH, width > 8, 0, 0, 0};
    if (width == 16)
        recipe->slots = 4;
    if (width == 32)
        recipe->slots = 3;
}

/* The class `id`, if the core has it; otherwise the recipe keeps its class. */
static void use_if_present(struct recipe *recipe, const struct model_parameters *parameters,
                           enum uop_class_id id)
{
    if (parameters->classes[id].ports != 0)
        recipe->class_id = (uint8_t)id;
}

/* Three sources, the flags included: before Broadwell two uops, the second waiting for the first */
static void adjust_carry(struct recipe *recipe, const struct model_parameters *parameters)
{
    if (parameters->carry_uops > 1) {
        recipe->then_id = recipe->class_id;
        recipe->chain = (uint8_t)(recipe->chain + parameters->carry_uops - 1);
    }
}

static void adjust_divide(struct recipe *recipe, unsigned width,
                          const struct model_parameters *parameters)
{
    recipe->slots = parameters->div32_uops;
    if (width < 64)
        return;
    recipe->class_id = CLASS_DIV64;
    if (recipe->mnemonic == M(IDIV))
        use_if_present(recipe, parameters, CLASS_IDIV64);
    recipe->slots = recipe->mnemonic == M(IDIV) ? parameters->idiv64_uops : parameters->div64_uops;
}

/* Base, index and displacement together take the slow adder. RBP and R13 as a base always carry a
 * displacement. */
static void adjust_lea(struct recipe *recipe, const struct model_parameters *parameters,
                       const ZydisDecodedOperandMem *address)
{
    if (parameters->classes[CLASS_LEA].ports == 0)
        recipe->class_id = CLASS_ALU;
    if (address->base != ZYDIS_REGISTER_NONE && address->index != ZYDIS_REGISTER_NONE &&
        address->disp.has_displacement)
        recipe->class_id = CLASS_SLOW_LEA;
}

static void adjust_mov(struct recipe *recipe, const ZydisDecodedOperand *to,
                       const ZydisDecodedOperand *from)
{
    if (is_register(to, ZYDIS_REGCLASS_CONTROL) || is_register(to, ZYDIS_REGCLASS_DEBUG))
        *recipe = (struct recipe){recipe->mnemonic,
                                  CLASS_MICROCODE,
                                  CLASS_NONE,
                                  0,
                                  RECIPE_SERIALISING | RECIPE_MICROCODE,
                                  40,
                                  0};
    else if (is_register(from, ZYDIS_REGCLASS_CONTROL) || is_register(from, ZYDIS_REGCLASS_DEBUG))
        *recipe = (struct recipe){
            recipe->mnemonic, CLASS_MICROCODE, CLASS_NONE, 0, RECIPE_MICROCODE, 10, 0};
    else if (is_register(to, ZYDIS_REGCLASS_SEGMENT))
        *recipe = (struct recipe){
            recipe->mnemonic, CLASS_MICROCODE, CLASS_NONE, 0, RECIPE_MICROCODE, 12, 0};
}

/* MOVD and MOVQ: the port depends on the direction. */
static void adjust_vector_move(struct recipe *recipe, const ZydisDecodedOperand *to,
                               const ZydisDecodedOperand *from)
{
    if (is_vector(to) && is_vector(from))
        recipe->class_id = CLASS_VECTOR_ALU;
    else if (!is_vector(to))
        recipe->class_id = CLASS_FROM_VECTOR;
}

static void adjust_bits(struct recipe *recipe, const ZydisDecodedOperand *operands)
{
    if (is_memory(&operands[0]) && operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
        recipe->slots = 10; /* the bit may be anywhere in memory */
}

static void adjust(struct recipe *recipe, const struct model_parameters *parameters,
                   const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    const unsigned visible = instruction->operand_count_visible;

    switch (recipe->mnemonic) {
    case M(SHL):
    case M(SHR):
    case M(SAR):
    case M(ROL):
    case M(ROR):
    case M(RCL):
    case M(RCR):
    case M(SHLD):
    case M(SHRD):
        adjust_shift(recipe, parameters, operands, visible);
        break;
    case M(MUL):
    case M(IMUL):
        if (visible == 1)
            adjust_multiply(recipe, operands[0].size);
        else if (operands[0].size == 64)
            use_if_present(recipe, parameters, CLASS_MUL64);
        break;
    case M(MINPS):
    case M(MINPD):
    case M(MINSS):
    case M(MINSD):
    case M(MAXPS):
    case M(MAXPD):
    case M(MAXSS):
    case M(MAXSD):
    case M(CMPPS):
    case M(CMPPD):
    case M(CMPSS):
        use_if_present(recipe, parameters, CLASS_FP_COMPARE);
        break;
    case M(DIVPD):
    case M(SQRTPD):
        use_if_present(recipe, parameters, CLASS_FP_DIV_PACKED);
        break;
    case M(DIV):
    case M(IDIV):
        adjust_divide(recipe, operands[0].size, parameters);
        break;
    case M(LEA):
        adjust_lea(recipe, parameters, &operands[1].mem);
        break;
    case M(MOV):
        adjust_mov(recipe, &operands[0], &operands[1]);
        break;
    case M(MOVD):
    case M(MOVQ):
        adjust_vector_move(recipe, &operands[0], &operands[1]);
        break;
    case M(BT):
    case M(BTS):
    case M(BTR):
    case M(BTC):
        adjust_bits(recipe, operands);
        break;
    case M(BSWAP):
        if (operands[0].size == 64)
            *recipe = (struct recipe){recipe->mnemonic, CLASS_ALU, CLASS_SHIFT, 1, 0, 0, 0};
        break;
    case M(PSLLW):
    case M(PSLLD):
    case M(PSLLQ):
    case M(PSRLW):
    case M(PSRLD):
    case M(PSRLQ):
    case M(PSRAW):
    case M(PSRAD):
        if (operands[visible - 1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
            recipe->chain = 0;
        break;
    case M(ADC):
    case M(SBB):
        adjust_carry(recipe, parameters);
        recipe->flags |= RECIPE_FLAGS_LAST;
        break;
    case M(COMISS):
    case M(COMISD):
    case M(UCOMISS):
    case M(UCOMISD):
        if (parameters->comis_uops > 1) {
            recipe->class_id = CLASS_FP_ADD;
            recipe->then_id = CLASS_FROM_VECTOR;
            recipe->chain = 1;
        }
        break;
    case M(CVTSI2SS):
    case M(CVTSI2SD):
        recipe->flags |= RECIPE_OUTSIDE_FIRST;
        if (is_memory(&operands[visible - 1])) { /* nothing moves between register files */
            recipe->class_id = CLASS_FP_CONVERT;
            recipe->chain = 0;
        }
        break;
    case M(CMPXCHG):
        if (instruction->attributes & ZYDIS_ATTRIB_HAS_LOCK)
            recipe->chain = 0; /* as long as other locked instructions (A. Fog) */
        break;
    case M(VZEROALL):
        if (parameters->vzeroall_uops)
            recipe->slots = parameters->vzeroall_uops;
        break;
    case M(PMULLD):
        recipe->chain = parameters->pmulld_uops == 1 ? 0 : 1;
        break;
    default:
        if (instruction->meta.category == ZYDIS_CATEGORY_CMOV) {
            adjust_carry(recipe, parameters);
            recipe->flags |= RECIPE_OLD_LAST;
        }
        if (instruction->meta.category == ZYDIS_CATEGORY_SETCC)
            recipe->flags |= RECIPE_FLAGS_FIRST;
        break;
    }
}

void recipe_index(const struct recipe **by_mnemonic)
{
    for (unsigned i = 0; i < RECIPE_MNEMONICS; i++)
        by_mnemonic[i] = NULL;
    for (unsigned i = 0; i < recipe_row_count; i++)
        by_mnemonic[recipe_rows[i].mnemonic] = &recipe_rows[i];
}

struct recipe recipe_for(const struct recipe *const *by_mnemonic,
                         const struct model_parameters *parameters,
                         const ZydisDecodedInstruction *instruction,
                         const ZydisDecodedOperand *operands)
{
    const ZydisMnemonic mnemonic = recipe_mnemonic(instruction);
    const struct recipe *row = by_mnemonic[mnemonic];
    struct recipe recipe = row != NULL ? *row : recipe_default(instruction, operands);

    recipe.mnemonic = (uint16_t)mnemonic;
    adjust(&recipe, parameters, instruction, operands);
    recipe_adjust_vector(&recipe, parameters, instruction, operands);
    return recipe;
}
