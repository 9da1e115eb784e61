/* Uop counts and classes by mnemonic.
 *
 * The counts are the public measurements for Skylake and Ice Lake (uops.info; Agner Fog, "Instruction tables"), rounded where
 * those differ by operand; what differs between the two cores in a way that matters is in struct model_parameters. Counts of
 * system instructions are of the right size, no more. CLASS_SHIFT stands for everything that runs where shifts do: cmov,
 * setcc, adc, bt; CLASS_FROM_VECTOR for what leaves the vector registers, comparisons into the flags among them. */
#include "model_recipe.h"

#define M(name) ZYDIS_MNEMONIC_##name
#define ROW(name, first, then, chained, flag_bits, total) \
    {M(name), CLASS_##first, CLASS_##then, chained, flag_bits, total}
#define ONE(name, class) ROW(name, class, NONE, 0, 0, 0)
#define TWO(name, class, then) ROW(name, class, then, 1, 0, 0)
#define UOPS(name, class, total) ROW(name, class, NONE, 0, 0, total)
#define CHAIN(name, class, chained, total) ROW(name, class, class, chained, 0, total)
#define MOVE(name, class) ROW(name, class, NONE, 0, RECIPE_MOVE, 0)
#define SYSTEM(name, flag_bits, total) ROW(name, MICROCODE, NONE, 0, (flag_bits) | RECIPE_MICROCODE, total)

static const struct recipe rows[] = {
    /* copies */
    MOVE(MOV, ALU), MOVE(MOVZX, ALU), MOVE(MOVSX, ALU), MOVE(MOVSXD, ALU), ONE(MOVBE, SHIFT), MOVE(PUSH, NONE),
    MOVE(POP, NONE), MOVE(MOVNTI, ALU), MOVE(MOVDIRI, ALU), ONE(LEA, ALU), MOVE(LDDQU, VECTOR_ALU),
    MOVE(MOVAPS, VECTOR_ALU), MOVE(MOVAPD, VECTOR_ALU), MOVE(MOVUPS, VECTOR_ALU), MOVE(MOVUPD, VECTOR_ALU),
    MOVE(MOVDQA, VECTOR_ALU), MOVE(MOVDQU, VECTOR_ALU), MOVE(MOVSS, VECTOR_SHUFFLE), MOVE(MOVSD, VECTOR_SHUFFLE),
    MOVE(MOVNTDQ, VECTOR_ALU), MOVE(MOVNTDQA, VECTOR_ALU), MOVE(MOVNTPS, VECTOR_ALU), MOVE(MOVNTPD, VECTOR_ALU),
    MOVE(MOVNTQ, VECTOR_ALU), MOVE(MOVD, TO_VECTOR), MOVE(MOVQ, TO_VECTOR), MOVE(MOVDDUP, VECTOR_SHUFFLE),
    MOVE(MOVSHDUP, VECTOR_SHUFFLE), MOVE(MOVSLDUP, VECTOR_SHUFFLE), MOVE(MOVLPS, VECTOR_SHUFFLE),
    MOVE(MOVLPD, VECTOR_SHUFFLE), MOVE(MOVHPS, VECTOR_SHUFFLE), MOVE(MOVHPD, VECTOR_SHUFFLE),

    /* integer */
    ONE(ADC, SHIFT), ONE(SBB, SHIFT), ONE(ADCX, SHIFT), ONE(ADOX, SHIFT), ONE(CWD, SHIFT), ONE(CDQ, SHIFT),
    ONE(CQO, SHIFT), ONE(LAHF, SHIFT), ONE(SAHF, SHIFT), ONE(BT, SHIFT), ONE(BTS, SHIFT), ONE(BTR, SHIFT),
    ONE(BTC, SHIFT), ONE(BSWAP, ALU), ONE(POPCNT, BIT), ONE(LZCNT, BIT), ONE(TZCNT, BIT), ONE(BSF, BIT),
    ONE(BSR, BIT), ONE(CRC32, BIT), ONE(SHLD, BIT), ONE(SHRD, BIT), ONE(CLC, NONE), UOPS(CLD, SHIFT, 3),
    UOPS(STD, SHIFT, 6), CHAIN(XCHG, ALU, 1, 3), CHAIN(XADD, ALU, 1, 3), CHAIN(CMPXCHG, ALU, 2, 5),
    ROW(CMPXCHG8B, ALU, ALU, 3, RECIPE_MICROCODE, 14), ROW(CMPXCHG16B, ALU, ALU, 3, RECIPE_MICROCODE, 20),
    ONE(SHL, SHIFT), ONE(SHR, SHIFT), ONE(SAR, SHIFT), ONE(ROL, SHIFT), ONE(ROR, SHIFT), CHAIN(RCL, SHIFT, 3, 8),
    CHAIN(RCR, SHIFT, 3, 8), ONE(IMUL, MUL), TWO(MUL, MUL, MUL_HIGH), UOPS(DIV, DIV32, 0), UOPS(IDIV, DIV32, 0),
    CHAIN(CMOVBE, SHIFT, 1, 0), CHAIN(CMOVNBE, SHIFT, 1, 0), CHAIN(SETBE, SHIFT, 1, 0), CHAIN(SETNBE, SHIFT, 1, 0),
    UOPS(LEAVE, ALU, 3), ROW(ENTER, ALU, NONE, 0, RECIPE_MICROCODE, 12), UOPS(PUSHFQ, ALU, 2), UOPS(PUSHF, ALU, 2),
    ROW(POPFQ, MICROCODE, MICROCODE, 3, RECIPE_MICROCODE, 9), ROW(POPF, MICROCODE, MICROCODE, 3, RECIPE_MICROCODE, 9),
    UOPS(XLAT, ALU, 2), ROW(PAUSE, MICROCODE, NONE, 0, RECIPE_MICROCODE, 4),

    /* fences and the cache */
    SYSTEM(LFENCE, RECIPE_FENCE, 2), SYSTEM(MFENCE, RECIPE_FENCE | RECIPE_DRAINS, 4), UOPS(SFENCE, ALU, 2),
    ROW(CLFLUSH, MICROCODE, NONE, 0, RECIPE_ADDRESS, 4), ROW(CLFLUSHOPT, MICROCODE, NONE, 0, RECIPE_ADDRESS, 4),
    ROW(CLWB, MICROCODE, NONE, 0, RECIPE_ADDRESS, 4), SYSTEM(SERIALIZE, RECIPE_SERIALISING, 20),

    /* system. Which of them serialise: SDM 3A, "Serializing Instructions". */
    SYSTEM(CPUID, RECIPE_SERIALISING, 70), SYSTEM(WRMSR, RECIPE_SERIALISING, 110), SYSTEM(RDMSR, RECIPE_FENCE, 54),
    SYSTEM(RDTSC, 0, 20), SYSTEM(RDTSCP, RECIPE_FENCE, 22), SYSTEM(RDPMC, 0, 35), SYSTEM(RDPID, 0, 17),
    SYSTEM(RDRAND, 0, 16), SYSTEM(RDSEED, 0, 16), SYSTEM(XGETBV, 0, 12), SYSTEM(INVLPG, RECIPE_SERIALISING | RECIPE_ADDRESS, 47),
    SYSTEM(INVPCID, RECIPE_SERIALISING, 47), SYSTEM(LGDT, RECIPE_SERIALISING, 40), SYSTEM(LIDT, RECIPE_SERIALISING, 40),
    SYSTEM(LLDT, RECIPE_SERIALISING, 30), SYSTEM(LTR, RECIPE_SERIALISING, 40), SYSTEM(SGDT, 0, 6), SYSTEM(SIDT, 0, 6),
    SYSTEM(STR, 0, 6), SYSTEM(WBINVD, RECIPE_SERIALISING, 1000), SYSTEM(INVD, RECIPE_SERIALISING, 1000),
    SYSTEM(CLI, 0, 4), SYSTEM(STI, 0, 6), SYSTEM(SWAPGS, 0, 30), SYSTEM(CLTS, RECIPE_SERIALISING, 20),
    SYSTEM(LMSW, RECIPE_SERIALISING, 20), SYSTEM(HLT, RECIPE_FENCE, 20), SYSTEM(MONITOR, 0, 10),
    SYSTEM(MWAIT, RECIPE_FENCE, 20), SYSTEM(UD0, 0, 4), SYSTEM(UD1, 0, 4), SYSTEM(UD2, 0, 4),
    SYSTEM(IN, RECIPE_FENCE, 40), SYSTEM(OUT, RECIPE_FENCE | RECIPE_DRAINS, 40), SYSTEM(FXSAVE, 0, 133),
    SYSTEM(FXSAVE64, 0, 133), SYSTEM(FXRSTOR, 0, 90), SYSTEM(FXRSTOR64, 0, 90), UOPS(LDMXCSR, ALU, 3),
    UOPS(STMXCSR, ALU, 2),

    /* integer vectors; one VECTOR_ALU uop is the default */
    CHAIN(PSLLW, VECTOR_ALU, 1, 0), CHAIN(PSLLD, VECTOR_ALU, 1, 0), CHAIN(PSLLQ, VECTOR_ALU, 1, 0),
    CHAIN(PSRLW, VECTOR_ALU, 1, 0), CHAIN(PSRLD, VECTOR_ALU, 1, 0), CHAIN(PSRLQ, VECTOR_ALU, 1, 0),
    CHAIN(PSRAW, VECTOR_ALU, 1, 0), CHAIN(PSRAD, VECTOR_ALU, 1, 0), ONE(PSLLDQ, VECTOR_SHUFFLE),
    ONE(PSRLDQ, VECTOR_SHUFFLE), ONE(PALIGNR, VECTOR_SHUFFLE), ONE(PSHUFB, VECTOR_SHUFFLE), ONE(PSHUFD, VECTOR_SHUFFLE),
    ONE(PSHUFW, VECTOR_SHUFFLE), ONE(PSHUFLW, VECTOR_SHUFFLE), ONE(PSHUFHW, VECTOR_SHUFFLE),
    ONE(PUNPCKLBW, VECTOR_SHUFFLE), ONE(PUNPCKLWD, VECTOR_SHUFFLE), ONE(PUNPCKLDQ, VECTOR_SHUFFLE),
    ONE(PUNPCKLQDQ, VECTOR_SHUFFLE), ONE(PUNPCKHBW, VECTOR_SHUFFLE), ONE(PUNPCKHWD, VECTOR_SHUFFLE),
    ONE(PUNPCKHDQ, VECTOR_SHUFFLE), ONE(PUNPCKHQDQ, VECTOR_SHUFFLE), ONE(PACKSSWB, VECTOR_SHUFFLE),
    ONE(PACKSSDW, VECTOR_SHUFFLE), ONE(PACKUSWB, VECTOR_SHUFFLE), ONE(PACKUSDW, VECTOR_SHUFFLE),
    ONE(SHUFPS, VECTOR_SHUFFLE), ONE(SHUFPD, VECTOR_SHUFFLE), ONE(UNPCKLPS, VECTOR_SHUFFLE),
    ONE(UNPCKHPS, VECTOR_SHUFFLE), ONE(UNPCKLPD, VECTOR_SHUFFLE), ONE(UNPCKHPD, VECTOR_SHUFFLE),
    ONE(MOVHLPS, VECTOR_SHUFFLE), ONE(MOVLHPS, VECTOR_SHUFFLE), ONE(INSERTPS, VECTOR_SHUFFLE),
    ONE(PSADBW, VECTOR_SHUFFLE), TWO(PINSRB, TO_VECTOR, VECTOR_SHUFFLE), TWO(PINSRW, TO_VECTOR, VECTOR_SHUFFLE),
    TWO(PINSRD, TO_VECTOR, VECTOR_SHUFFLE), TWO(PINSRQ, TO_VECTOR, VECTOR_SHUFFLE),
    TWO(PEXTRB, VECTOR_SHUFFLE, FROM_VECTOR), TWO(PEXTRW, VECTOR_SHUFFLE, FROM_VECTOR),
    TWO(PEXTRD, VECTOR_SHUFFLE, FROM_VECTOR), TWO(PEXTRQ, VECTOR_SHUFFLE, FROM_VECTOR),
    TWO(EXTRACTPS, VECTOR_SHUFFLE, FROM_VECTOR), ONE(PMOVMSKB, FROM_VECTOR), ONE(MOVMSKPS, FROM_VECTOR),
    ONE(MOVMSKPD, FROM_VECTOR), ONE(PMULLW, VECTOR_MUL), ONE(PMULHW, VECTOR_MUL), ONE(PMULHUW, VECTOR_MUL),
    ONE(PMULHRSW, VECTOR_MUL), ONE(PMADDWD, VECTOR_MUL), ONE(PMADDUBSW, VECTOR_MUL), ONE(PMULUDQ, VECTOR_MUL),
    ONE(PMULDQ, VECTOR_MUL), CHAIN(PMULLD, VECTOR_MUL, 1, 0), ONE(PCLMULQDQ, VECTOR_MUL), ONE(AESENC, VECTOR_MUL),
    ONE(AESENCLAST, VECTOR_MUL), ONE(AESDEC, VECTOR_MUL), ONE(AESDECLAST, VECTOR_MUL), CHAIN(AESIMC, VECTOR_MUL, 1, 0),
    CHAIN(AESKEYGENASSIST, VECTOR_MUL, 2, 10), TWO(PTEST, VECTOR_ALU, FROM_VECTOR),
    UOPS(MASKMOVDQU, VECTOR_ALU, 9), UOPS(MASKMOVQ, VECTOR_ALU, 3), UOPS(EMMS, X87, 10),

    /* floating point */
    ONE(ADDPS, FP_ADD), ONE(ADDPD, FP_ADD), ONE(ADDSS, FP_ADD), ONE(ADDSD, FP_ADD), ONE(SUBPS, FP_ADD), ONE(SUBPD, FP_ADD),
    ONE(SUBSS, FP_ADD), ONE(SUBSD, FP_ADD), ONE(ADDSUBPS, FP_ADD), ONE(ADDSUBPD, FP_ADD), ONE(MINPS, FP_ADD),
    ONE(MINPD, FP_ADD), ONE(MINSS, FP_ADD), ONE(MINSD, FP_ADD), ONE(MAXPS, FP_ADD), ONE(MAXPD, FP_ADD), ONE(MAXSS, FP_ADD),
    ONE(MAXSD, FP_ADD), ONE(CMPPS, FP_ADD), ONE(CMPPD, FP_ADD), ONE(CMPSS, FP_ADD), ONE(CMPSD, FP_ADD), CHAIN(ROUNDPS, FP_ADD, 1, 0),
    CHAIN(ROUNDPD, FP_ADD, 1, 0), CHAIN(ROUNDSS, FP_ADD, 1, 0), CHAIN(ROUNDSD, FP_ADD, 1, 0),
    TWO(HADDPS, VECTOR_SHUFFLE, FP_ADD), TWO(HADDPD, VECTOR_SHUFFLE, FP_ADD), TWO(HSUBPS, VECTOR_SHUFFLE, FP_ADD),
    TWO(HSUBPD, VECTOR_SHUFFLE, FP_ADD), ROW(DPPS, FP_MUL, FP_ADD, 2, 0, 4), ROW(DPPD, FP_MUL, FP_ADD, 1, 0, 3),
    ONE(MULPS, FP_MUL), ONE(MULPD, FP_MUL), ONE(MULSS, FP_MUL), ONE(MULSD, FP_MUL), ONE(RCPPS, FP_MUL), ONE(RCPSS, FP_MUL),
    ONE(RSQRTPS, FP_MUL), ONE(RSQRTSS, FP_MUL), ONE(DIVPS, FP_DIV_SINGLE), ONE(DIVSS, FP_DIV_SINGLE),
    ONE(SQRTPS, FP_DIV_SINGLE), ONE(SQRTSS, FP_DIV_SINGLE), ONE(DIVPD, FP_DIV_DOUBLE), ONE(DIVSD, FP_DIV_DOUBLE),
    ONE(SQRTPD, FP_DIV_DOUBLE), ONE(SQRTSD, FP_DIV_DOUBLE), ONE(UCOMISS, FROM_VECTOR), ONE(UCOMISD, FROM_VECTOR),
    ONE(COMISS, FROM_VECTOR), ONE(COMISD, FROM_VECTOR), ONE(CVTDQ2PS, FP_CONVERT), ONE(CVTPS2DQ, FP_CONVERT),
    ONE(CVTTPS2DQ, FP_CONVERT), TWO(CVTSI2SS, TO_VECTOR, FP_CONVERT), TWO(CVTSI2SD, TO_VECTOR, FP_CONVERT),
    TWO(CVTSS2SI, FP_CONVERT, FROM_VECTOR), TWO(CVTSD2SI, FP_CONVERT, FROM_VECTOR),
    TWO(CVTTSS2SI, FP_CONVERT, FROM_VECTOR), TWO(CVTTSD2SI, FP_CONVERT, FROM_VECTOR),
    TWO(CVTSS2SD, VECTOR_SHUFFLE, FP_CONVERT), TWO(CVTSD2SS, FP_CONVERT, VECTOR_SHUFFLE),
    TWO(CVTPS2PD, VECTOR_SHUFFLE, FP_CONVERT), TWO(CVTPD2PS, FP_CONVERT, VECTOR_SHUFFLE),
    TWO(CVTDQ2PD, VECTOR_SHUFFLE, FP_CONVERT), TWO(CVTPD2DQ, FP_CONVERT, VECTOR_SHUFFLE),
    TWO(CVTTPD2DQ, FP_CONVERT, VECTOR_SHUFFLE), TWO(CVTPI2PS, TO_VECTOR, FP_CONVERT), TWO(CVTPS2PI, FP_CONVERT, FROM_VECTOR),

    /* x87; one X87 uop is the default */
    MOVE(FLD, X87), MOVE(FST, X87), MOVE(FSTP, X87), UOPS(FXCH, X87, 2), UOPS(FLD1, X87, 2), TWO(FILD, TO_VECTOR, X87),
    ONE(FDIV, FP_DIV_DOUBLE), ONE(FDIVP, FP_DIV_DOUBLE), ONE(FDIVR, FP_DIV_DOUBLE), ONE(FDIVRP, FP_DIV_DOUBLE),
    ONE(FSQRT, FP_DIV_DOUBLE), UOPS(FWAIT, X87, 2), UOPS(FNSTCW, X87, 2), UOPS(FLDCW, X87, 3), UOPS(FNSTSW, X87, 2),
    SYSTEM(FNINIT, 0, 15), SYSTEM(FNCLEX, 0, 5), SYSTEM(FNSTENV, 0, 100), SYSTEM(FLDENV, 0, 64), SYSTEM(FNSAVE, 0, 136),
    SYSTEM(FRSTOR, 0, 90), CHAIN(FSIN, X87, 3, 60), CHAIN(FCOS, X87, 3, 60), CHAIN(FSINCOS, X87, 3, 85),
    CHAIN(FPTAN, X87, 3, 85), CHAIN(FPATAN, X87, 3, 70), CHAIN(FYL2X, X87, 3, 50), CHAIN(FYL2XP1, X87, 3, 65),
    CHAIN(F2XM1, X87, 3, 50), CHAIN(FSCALE, X87, 3, 27), CHAIN(FPREM, X87, 3, 28), CHAIN(FPREM1, X87, 3, 28),
    CHAIN(FRNDINT, X87, 3, 17), CHAIN(FBSTP, X87, 3, 240), CHAIN(FBLD, X87, 3, 45),
};

/* --- what the operands change --- */

static bool is_register(const ZydisDecodedOperand *operand, ZydisRegisterClass class)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && ZydisRegisterGetClass(operand->reg.value) == class;
}

static bool is_vector(const ZydisDecodedOperand *operand)
{
    return is_register(operand, ZYDIS_REGCLASS_XMM) || is_register(operand, ZYDIS_REGCLASS_MMX);
}

static bool is_memory(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static struct recipe recipe_default(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    struct recipe recipe = {instruction->mnemonic, CLASS_ALU, CLASS_NONE, 0, 0, 0};

    if (instruction->meta.isa_ext == ZYDIS_ISA_EXT_X87)
        recipe.class_id = CLASS_X87;
    for (unsigned i = 0; i < instruction->operand_count_visible; i++)
        if (is_vector(&operands[i]))
            recipe.class_id = CLASS_VECTOR_ALU;
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_SETCC:
    case ZYDIS_CATEGORY_CMOV: recipe.class_id = CLASS_SHIFT; break;
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_XSAVE:
    case ZYDIS_CATEGORY_XSAVEOPT:
        recipe.class_id = CLASS_MICROCODE;
        recipe.flags = RECIPE_MICROCODE;
        recipe.slots = 40;
        break;
    default: break;
    }
    return recipe;
}

/* Shifts and rotates. By CL the flags of before must be merged in: a second uop. */
static void adjust_shift(struct recipe *recipe, const ZydisDecodedOperand *operands, unsigned visible)
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
        }
    }
}

/* One-operand multiplies: both halves of the product. 16 and 32 bits need further uops to put them in their registers. */
static void adjust_multiply(struct recipe *recipe, unsigned width)
{
    *recipe = (struct recipe){recipe->mnemonic, CLASS_MUL, CLASS_MUL_HIGH, width > 8, 0, 0};
    if (width == 16)
        recipe->slots = 4;
    if (width == 32)
        recipe->slots = 3;
}

static void adjust_divide(struct recipe *recipe, unsigned width, const struct model_parameters *parameters)
{
    recipe->slots = parameters->div32_uops;
    if (width < 64)
        return;
    recipe->class_id = CLASS_DIV64;
    recipe->slots = recipe->mnemonic == M(IDIV) ? parameters->idiv64_uops : parameters->div64_uops;
}

/* Base, index and displacement together take the slow adder. RBP and R13 as a base always carry a displacement. */
static void adjust_lea(struct recipe *recipe, const ZydisDecodedOperandMem *address)
{
    if (address->base != ZYDIS_REGISTER_NONE && address->index != ZYDIS_REGISTER_NONE && address->disp.has_displacement)
        recipe->class_id = CLASS_SLOW_LEA;
}

static void adjust_mov(struct recipe *recipe, const ZydisDecodedOperand *to, const ZydisDecodedOperand *from)
{
    if (is_register(to, ZYDIS_REGCLASS_CONTROL) || is_register(to, ZYDIS_REGCLASS_DEBUG))
        *recipe = (struct recipe){recipe->mnemonic, CLASS_MICROCODE, CLASS_NONE, 0, RECIPE_SERIALISING | RECIPE_MICROCODE, 40};
    else if (is_register(from, ZYDIS_REGCLASS_CONTROL) || is_register(from, ZYDIS_REGCLASS_DEBUG))
        *recipe = (struct recipe){recipe->mnemonic, CLASS_MICROCODE, CLASS_NONE, 0, RECIPE_MICROCODE, 10};
    else if (is_register(to, ZYDIS_REGCLASS_SEGMENT))
        *recipe = (struct recipe){recipe->mnemonic, CLASS_MICROCODE, CLASS_NONE, 0, RECIPE_MICROCODE, 12};
}

/* MOVD and MOVQ: the port depends on the direction. */
static void adjust_vector_move(struct recipe *recipe, const ZydisDecodedOperand *to, const ZydisDecodedOperand *from)
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
    case M(SHL): case M(SHR): case M(SAR): case M(ROL): case M(ROR): case M(RCL): case M(RCR): case M(SHLD): case M(SHRD):
        adjust_shift(recipe, operands, visible);
        break;
    case M(MUL): case M(IMUL):
        if (visible == 1)
            adjust_multiply(recipe, operands[0].size);
        break;
    case M(DIV): case M(IDIV): adjust_divide(recipe, operands[0].size, parameters); break;
    case M(LEA): adjust_lea(recipe, &operands[1].mem); break;
    case M(MOV): adjust_mov(recipe, &operands[0], &operands[1]); break;
    case M(MOVD): case M(MOVQ): adjust_vector_move(recipe, &operands[0], &operands[1]); break;
    case M(BT): case M(BTS): case M(BTR): case M(BTC): adjust_bits(recipe, operands); break;
    case M(BSWAP):
        if (operands[0].size == 64)
            *recipe = (struct recipe){recipe->mnemonic, CLASS_ALU, CLASS_SHIFT, 1, 0, 0};
        break;
    case M(PSLLW): case M(PSLLD): case M(PSLLQ): case M(PSRLW): case M(PSRLD): case M(PSRLQ): case M(PSRAW): case M(PSRAD):
        if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
            recipe->chain = 0;
        break;
    default: break;
    }
}

void recipe_index(const struct recipe **by_mnemonic)
{
    for (unsigned i = 0; i < RECIPE_MNEMONICS; i++)
        by_mnemonic[i] = NULL;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        by_mnemonic[rows[i].mnemonic] = &rows[i];
}

struct recipe recipe_for(const struct recipe *const *by_mnemonic, const struct model_parameters *parameters,
                         const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    const struct recipe *row = by_mnemonic[instruction->mnemonic];
    struct recipe recipe = row ? *row : recipe_default(instruction, operands);

    adjust(&recipe, parameters, instruction, operands);
    return recipe;
}
