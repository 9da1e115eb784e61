/* Sorts instructions into those that the emulator runs as silicon does, those that the machine
 * plays itself, and those that the rig cannot execute. */
#include "instruction.h"

#include <Zydis/Zydis.h>
#include <string.h>

#include "vector/sse.h"
#include "vector/support.h"

/* Extensions that the emulator runs as silicon does. */
static bool is_native(ZydisISAExt extension)
{
    switch (extension) {
    case ZYDIS_ISA_EXT_BASE:
    case ZYDIS_ISA_EXT_LONGMODE:
    case ZYDIS_ISA_EXT_X87:
    case ZYDIS_ISA_EXT_MMX:
    case ZYDIS_ISA_EXT_SSE:
    case ZYDIS_ISA_EXT_SSE2:
    case ZYDIS_ISA_EXT_CLFSH:
    case ZYDIS_ISA_EXT_PAUSE:
    case ZYDIS_ISA_EXT_AMD3DNOW_PREFETCH:
    case ZYDIS_ISA_EXT_PREFETCHWT1:
    case ZYDIS_ISA_EXT_MPX: /* NOPs while bounds are not enabled */
    case ZYDIS_ISA_EXT_CLDEMOTE:
        return true;
    default:
        return false;
    }
}

struct extension {
    ZydisISAExt extension;
    bool played; /* by the emulator or by special_play when CPUID offers it */
    struct cpuid_bit bit;
};

/* Extensions that exist when CPUID says so. Without the bit the instruction is undefined, as on a
 * processor that lacks it. */
static const struct extension extensions[] = {
    {ZYDIS_ISA_EXT_SSE3, true, {1, CPUID_ECX, 0}},
    {ZYDIS_ISA_EXT_SSSE3, true, {1, CPUID_ECX, 9}},
    {ZYDIS_ISA_EXT_SSE4, true, {1, CPUID_ECX, 19}},
    {ZYDIS_ISA_EXT_MONITOR, true, {1, CPUID_ECX, 3}},
    {ZYDIS_ISA_EXT_MOVBE, true, {1, CPUID_ECX, 22}},
    {ZYDIS_ISA_EXT_AES, true, {1, CPUID_ECX, 25}},
    {ZYDIS_ISA_EXT_PCLMULQDQ, false, {1, CPUID_ECX, 1}},
    {ZYDIS_ISA_EXT_XSAVE, true, {1, CPUID_ECX, 26}},
    {ZYDIS_ISA_EXT_XSAVEOPT, true, {0xd | CPUID_SUBLEAF(1), CPUID_EAX, 0}},
    {ZYDIS_ISA_EXT_XSAVEC, true, {0xd | CPUID_SUBLEAF(1), CPUID_EAX, 1}},
    {ZYDIS_ISA_EXT_XSAVES, false, {0xd | CPUID_SUBLEAF(1), CPUID_EAX, 3}},
    {ZYDIS_ISA_EXT_RDRAND, true, {1, CPUID_ECX, 30}},
    {ZYDIS_ISA_EXT_VTX, false, {1, CPUID_ECX, 5}},
    {ZYDIS_ISA_EXT_SMX, false, {1, CPUID_ECX, 6}},
    {ZYDIS_ISA_EXT_RDSEED, true, {7, CPUID_EBX, 18}},
    {ZYDIS_ISA_EXT_ADOX_ADCX, true, {7, CPUID_EBX, 19}},
    {ZYDIS_ISA_EXT_CLFLUSHOPT, true, {7, CPUID_EBX, 23}},
    {ZYDIS_ISA_EXT_CLWB, true, {7, CPUID_EBX, 24}},
    {ZYDIS_ISA_EXT_RDWRFSGS, false, {7, CPUID_EBX, 0}},
    {ZYDIS_ISA_EXT_INVPCID, false, {7, CPUID_EBX, 10}},
    {ZYDIS_ISA_EXT_SMAP, false, {7, CPUID_EBX, 20}},
    {ZYDIS_ISA_EXT_SHA, false, {7, CPUID_EBX, 29}},
    {ZYDIS_ISA_EXT_RTM, false, {7, CPUID_EBX, 11}},
    {ZYDIS_ISA_EXT_SGX, false, {7, CPUID_EBX, 2}},
    {ZYDIS_ISA_EXT_GFNI, false, {7, CPUID_ECX, 8}},
    {ZYDIS_ISA_EXT_RDPID, true, {7, CPUID_ECX, 22}},
    {ZYDIS_ISA_EXT_PKU, false, {7, CPUID_ECX, 3}},
    {ZYDIS_ISA_EXT_WAITPKG, false, {7, CPUID_ECX, 5}},
    {ZYDIS_ISA_EXT_MOVDIR, false, {7, CPUID_ECX, 27}},
    {ZYDIS_ISA_EXT_SERIALIZE, false, {7, CPUID_EDX, 14}},
    {ZYDIS_ISA_EXT_RDTSCP, true, {0x80000001, CPUID_EDX, 27}},
    {ZYDIS_ISA_EXT_SSE4A, false, {0x80000001, CPUID_ECX, 6}},
    {ZYDIS_ISA_EXT_SVM, false, {0x80000001, CPUID_ECX, 2}},
    {ZYDIS_ISA_EXT_AMD3DNOW, false, {0x80000001, CPUID_EDX, 31}},
    {ZYDIS_ISA_EXT_MONITORX, false, {0x80000001, CPUID_ECX, 29}},
};

struct special {
    ZydisMnemonic mnemonic;
    enum instruction_kind kind;
};

static const struct special specials[] = {
    {ZYDIS_MNEMONIC_RDMSR, KIND_RDMSR},     {ZYDIS_MNEMONIC_WRMSR, KIND_WRMSR},
    {ZYDIS_MNEMONIC_RDPMC, KIND_RDPMC},     {ZYDIS_MNEMONIC_CPUID, KIND_CPUID},
    {ZYDIS_MNEMONIC_RDTSC, KIND_RDTSC},     {ZYDIS_MNEMONIC_RDTSCP, KIND_RDTSCP},
    {ZYDIS_MNEMONIC_HLT, KIND_HLT},         {ZYDIS_MNEMONIC_PAUSE, KIND_PAUSE},
    {ZYDIS_MNEMONIC_MONITOR, KIND_MONITOR}, {ZYDIS_MNEMONIC_MWAIT, KIND_MWAIT},
    {ZYDIS_MNEMONIC_CLFLUSH, KIND_FLUSH},   {ZYDIS_MNEMONIC_CLFLUSHOPT, KIND_FLUSH},
    {ZYDIS_MNEMONIC_CLWB, KIND_FLUSH},      {ZYDIS_MNEMONIC_POPCNT, KIND_POPCNT},
    {ZYDIS_MNEMONIC_MOVBE, KIND_MOVBE},     {ZYDIS_MNEMONIC_RDRAND, KIND_RANDOM},
    {ZYDIS_MNEMONIC_RDSEED, KIND_RANDOM},   {ZYDIS_MNEMONIC_RDPID, KIND_RDPID},
    {ZYDIS_MNEMONIC_IN, KIND_PORT},         {ZYDIS_MNEMONIC_OUT, KIND_PORT},
    {ZYDIS_MNEMONIC_INSB, KIND_PORT},       {ZYDIS_MNEMONIC_INSW, KIND_PORT},
    {ZYDIS_MNEMONIC_INSD, KIND_PORT},       {ZYDIS_MNEMONIC_OUTSB, KIND_PORT},
    {ZYDIS_MNEMONIC_OUTSW, KIND_PORT},      {ZYDIS_MNEMONIC_OUTSD, KIND_PORT},
    {ZYDIS_MNEMONIC_SYSCALL, KIND_SYSCALL}, {ZYDIS_MNEMONIC_SYSRET, KIND_SYSRET},
    {ZYDIS_MNEMONIC_STI, KIND_ENABLE},      {ZYDIS_MNEMONIC_XSAVEC, KIND_XSAVE},
    {ZYDIS_MNEMONIC_XSAVE, KIND_XSAVE},     {ZYDIS_MNEMONIC_XSAVE64, KIND_XSAVE},
    {ZYDIS_MNEMONIC_XSAVEOPT, KIND_XSAVE},  {ZYDIS_MNEMONIC_XSAVEOPT64, KIND_XSAVE},
    {ZYDIS_MNEMONIC_XSAVEC64, KIND_XSAVE},  {ZYDIS_MNEMONIC_XRSTOR, KIND_XSAVE},
    {ZYDIS_MNEMONIC_XRSTOR64, KIND_XSAVE},  {ZYDIS_MNEMONIC_UD0, KIND_UNDEFINED},
    {ZYDIS_MNEMONIC_UD1, KIND_UNDEFINED},   {ZYDIS_MNEMONIC_UD2, KIND_UNDEFINED},
    {ZYDIS_MNEMONIC_RSM, KIND_UNSUPPORTED},
};

static enum instruction_kind vector_instruction_kind(const ZydisDecodedInstruction *decoded,
                                                     cpuid_offers_function *offers, void *context)
{
    switch (vector_support(decoded, offers, context)) {
    case VECTOR_UNDEFINED:
        return KIND_UNDEFINED;
    case VECTOR_PLAYED:
        return KIND_VECTOR;
    case VECTOR_UNPLAYED:
        break;
    }
    return KIND_UNSUPPORTED;
}

/* Where there are no shadow stacks ENDBR64 and RDSSP are hint NOPs, and the others are undefined.
 */
static enum instruction_kind cet_kind(const ZydisDecodedInstruction *decoded,
                                      cpuid_offers_function *offers, void *context)
{
    static const struct cpuid_bit stacks = {7, CPUID_ECX, 7};
    const bool offered = offers(context, &stacks);

    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_ENDBR32:
    case ZYDIS_MNEMONIC_ENDBR64:
        return KIND_ORDINARY;
    case ZYDIS_MNEMONIC_RDSSPD:
        return offered ? KIND_UNSUPPORTED : KIND_ORDINARY;
    case ZYDIS_MNEMONIC_RDSSPQ:
        return offered ? KIND_CET : KIND_ORDINARY;
    case ZYDIS_MNEMONIC_INCSSPQ:
    case ZYDIS_MNEMONIC_WRSSQ:
        return offered ? KIND_CET : KIND_UNDEFINED;
    default:
        return offered ? KIND_UNSUPPORTED : KIND_UNDEFINED;
    }
}

static enum instruction_kind extension_kind(const ZydisDecodedInstruction *decoded,
                                            cpuid_offers_function *offers, void *context)
{
    static const struct cpuid_bit popcnt = {1, CPUID_ECX, 23}, xsave = {1, CPUID_ECX, 26},
                                  lzcnt = {0x80000001, CPUID_ECX, 5};

    if (decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ||
        decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
        return vector_instruction_kind(decoded, offers, context);
    if (decoded->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return KIND_UNSUPPORTED; /* XOP */
    if (decoded->meta.isa_ext == ZYDIS_ISA_EXT_CET)
        return cet_kind(decoded, offers, context);
    if (decoded->mnemonic == ZYDIS_MNEMONIC_XGETBV)
        return offers(context, &xsave) ? KIND_XGETBV : KIND_UNDEFINED;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_XSETBV)
        return offers(context, &xsave) ? KIND_XSETBV : KIND_UNDEFINED;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_POPCNT)
        return offers(context, &popcnt) ? KIND_POPCNT : KIND_UNDEFINED;
    /* Without the feature these are BSR and BSF; the emulator has the feature. */
    if (decoded->mnemonic == ZYDIS_MNEMONIC_LZCNT)
        return offers(context, &lzcnt) ? KIND_ORDINARY : KIND_UNSUPPORTED;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_TZCNT || is_native(decoded->meta.isa_ext))
        return KIND_ORDINARY;
    for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
        if (extensions[i].extension != decoded->meta.isa_ext)
            continue;
        if (!offers(context, &extensions[i].bit))
            return KIND_UNDEFINED;
        return extensions[i].played ? KIND_ORDINARY : KIND_UNSUPPORTED;
    }
    return KIND_UNSUPPORTED;
}

static bool sets(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands,
                 ZydisRegisterClass registers)
{
    return decoded->mnemonic == ZYDIS_MNEMONIC_MOV &&
           operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(operands[0].reg.value) == registers;
}

/* SDM 2A, "Exceptions Type 1" to "Type 4" of Intel AVX instructions, which say for legacy SSE, too,
 * whether a memory operand of 16 bytes must be aligned. */
static bool must_be_aligned(const ZydisDecodedInstruction *decoded,
                            const ZydisDecodedOperand *operands)
{
    bool wide = false;

    for (unsigned i = 0; i < decoded->operand_count_visible; i++)
        wide |= operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY && operands[i].size == 128;
    if (!wide || decoded->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return false;
    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_MOVUPS:
    case ZYDIS_MNEMONIC_MOVUPD:
    case ZYDIS_MNEMONIC_MOVDQU:
    case ZYDIS_MNEMONIC_LDDQU:
    case ZYDIS_MNEMONIC_PCMPESTRI:
    case ZYDIS_MNEMONIC_PCMPESTRM:
    case ZYDIS_MNEMONIC_PCMPISTRI:
    case ZYDIS_MNEMONIC_PCMPISTRM:
        return false;
    case ZYDIS_MNEMONIC_CMPXCHG16B:
        return true;
    default:
        return decoded->meta.exception_class == ZYDIS_EXCEPTION_CLASS_SSE1 ||
               decoded->meta.exception_class == ZYDIS_EXCEPTION_CLASS_SSE2 ||
               decoded->meta.exception_class == ZYDIS_EXCEPTION_CLASS_SSE4;
    }
}

static bool is_cr8(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == ZYDIS_REGISTER_CR8;
}

static bool is_debug(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_DEBUG;
}

static enum instruction_kind kind_by_operands(const ZydisDecodedInstruction *decoded,
                                              const ZydisDecodedOperand *operands)
{
    if (decoded->mnemonic == ZYDIS_MNEMONIC_MOV && (is_cr8(&operands[0]) || is_cr8(&operands[1])))
        return KIND_PRIORITY;
    if (sets(decoded, operands, ZYDIS_REGCLASS_CONTROL))
        return KIND_CONTROL;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_MOV &&
        (is_debug(&operands[0]) || is_debug(&operands[1])))
        return KIND_DEBUG;
    if (sse_computes(decoded))
        return must_be_aligned(decoded, operands) ? KIND_FLOAT_ALIGNED : KIND_FLOAT;
    return must_be_aligned(decoded, operands) ? KIND_ALIGNED : KIND_ORDINARY;
}

bool instruction_may_run(enum instruction_kind kind)
{
    return kind == KIND_ORDINARY || kind == KIND_PORT || kind == KIND_CONTROL ||
           kind == KIND_ENABLE || kind == KIND_ALIGNED || kind == KIND_FLOAT ||
           kind == KIND_FLOAT_ALIGNED;
}

static enum instruction_kind kind_of(const ZydisDecodedInstruction *decoded,
                                     cpuid_offers_function *offers, void *context)
{
    enum instruction_kind kind = extension_kind(decoded, offers, context);

    if (kind != KIND_ORDINARY)
        return kind;
    for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++)
        if (specials[i].mnemonic == decoded->mnemonic)
            return specials[i].kind;
    return KIND_ORDINARY;
}

static bool writes(const ZydisDecodedOperand *operand, ZydisRegisterClass register_class)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
           ZydisRegisterGetClass(operand->reg.value) == register_class;
}

static uint8_t flags_of(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands)
{
    unsigned flags = 0;

    if (decoded->attributes &
        (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
        flags |= FLAG_REPEAT;
    if (decoded->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        flags |= FLAG_FAR;
    if (decoded->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
        flags |= FLAG_BRANCH;
    if (decoded->meta.category == ZYDIS_CATEGORY_COND_BR)
        flags |= FLAG_CONDITIONAL;
    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_STI:
        flags |= FLAG_SHADOW;
        break;
    case ZYDIS_MNEMONIC_INVLPG:
    case ZYDIS_MNEMONIC_LMSW:
    case ZYDIS_MNEMONIC_CLTS:
        flags |= FLAG_CONTROL;
        break;
    case ZYDIS_MNEMONIC_MULSS:
    case ZYDIS_MNEMONIC_MULSD:
    case ZYDIS_MNEMONIC_MULPS:
    case ZYDIS_MNEMONIC_MULPD:
        flags |= FLAG_MULTIPLIES;
        break;
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
        flags |= FLAG_IRET | FLAG_FAR | FLAG_BRANCH;
        break;
    case ZYDIS_MNEMONIC_SYSCALL:
    case ZYDIS_MNEMONIC_SYSRET:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_SYSEXIT:
        flags |= FLAG_FAR | FLAG_BRANCH;
        break;
    default:
        break;
    }
    for (unsigned i = 0; i < decoded->operand_count_visible; i++) {
        if (writes(&operands[i], ZYDIS_REGCLASS_CONTROL))
            flags |= FLAG_CONTROL;
        if (writes(&operands[i], ZYDIS_REGCLASS_SEGMENT) &&
            operands[i].reg.value == ZYDIS_REGISTER_SS)
            flags |= FLAG_SHADOW;
    }
    return (uint8_t)flags;
}

static enum instruction_flow flow_of(const ZydisDecodedInstruction *decoded,
                                     const ZydisDecodedOperand *operands)
{
    const bool direct = operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    const bool untracked = decoded->attributes & ZYDIS_ATTRIB_HAS_NOTRACK;

    if (decoded->mnemonic == ZYDIS_MNEMONIC_ENDBR64)
        return FLOW_ENDBR64;
    if (decoded->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ||
        decoded->meta.category == ZYDIS_CATEGORY_RET || decoded->mnemonic == ZYDIS_MNEMONIC_IRETQ)
        return decoded->mnemonic == ZYDIS_MNEMONIC_IRETQ ||
                       decoded->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR
                   ? FLOW_RETURN_FAR
                   : FLOW_RETURN;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_CALL && direct)
        return operands[0].imm.value.s != 0 ? FLOW_CALL : FLOW_NONE;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_CALL)
        return untracked ? FLOW_CALL_NOTRACK : FLOW_CALL_INDIRECT;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_JMP && !direct)
        return untracked ? FLOW_JUMP_NOTRACK : FLOW_JUMP_INDIRECT;
    return FLOW_NONE;
}

static uint8_t memory_bytes(const ZydisDecodedInstruction *decoded,
                            const ZydisDecodedOperand *operands)
{
    unsigned most = 0;

    for (unsigned i = 0; i < decoded->operand_count; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY && operands[i].size / 8u > most)
            most = operands[i].size / 8u;
    return (uint8_t)(most > 64 ? 64 : most);
}

void instruction_decode(struct instruction *instruction, const uint8_t *bytes, unsigned room,
                        unsigned mode, cpuid_offers_function *offers, void *context)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoder decoder;
    unsigned length = room < INSTRUCTION_BYTES - 1 ? room : INSTRUCTION_BYTES - 1;

    memset(instruction->bytes, 0, sizeof(instruction->bytes));
    memcpy(instruction->bytes, bytes, length);
    instruction->decoded = NULL;
    instruction->mode = (uint8_t)mode;
    instruction->flags = 0;
    instruction->vector = 0;
    instruction->operand_bytes = 0;
    instruction->flow = FLOW_NONE;
    ZydisDecoderInit(&decoder,
                     mode == 64   ? ZYDIS_MACHINE_MODE_LONG_64
                     : mode == 32 ? ZYDIS_MACHINE_MODE_LEGACY_32
                                  : ZYDIS_MACHINE_MODE_REAL_16,
                     mode == 64   ? ZYDIS_STACK_WIDTH_64
                     : mode == 32 ? ZYDIS_STACK_WIDTH_32
                                  : ZYDIS_STACK_WIDTH_16);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, length, &decoded, operands))) {
        instruction->kind = KIND_UNDEFINED;
        instruction->length = 1;
        return;
    }
    instruction->length = decoded.length;
    instruction->kind = (uint8_t)kind_of(&decoded, offers, context);
    if (instruction->kind == KIND_ORDINARY)
        instruction->kind = (uint8_t)kind_by_operands(&decoded, operands);
    if (instruction_may_run(instruction->kind))
        memset(instruction->bytes + decoded.length, 0, sizeof(instruction->bytes) - decoded.length);
    instruction->flags = flags_of(&decoded, operands);
    instruction->operand_bytes = memory_bytes(&decoded, operands);
    instruction->flow = (uint8_t)flow_of(&decoded, operands);
    if (decoded.mnemonic == ZYDIS_MNEMONIC_INT3 || decoded.mnemonic == ZYDIS_MNEMONIC_INT1 ||
        decoded.mnemonic == ZYDIS_MNEMONIC_INT) {
        instruction->kind = KIND_INT;
        instruction->vector = decoded.mnemonic == ZYDIS_MNEMONIC_INT3 ? 3
                              : decoded.mnemonic == ZYDIS_MNEMONIC_INT1
                                  ? 1
                                  : (uint8_t)operands[0].imm.value.u;
    }
}
