/* Bytes to uops, remembered by address. */
#include "decode.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

#include "kind.h"
#include "operands.h"
#include "recipe.h"
#include "uops.h"

/* More than the image and its largest kernels have. The host gives a page of it when that is used
 * first. */
#define ENTRIES      131072u /* instructions remembered */
#define ADDRESS_BITS 18      /* direct-mapped */
#define ADDRESSES    (1u << ADDRESS_BITS)
/* Instructions of more uops than the first decoder can emit come from the sequencer. */
#define SEQUENCER_ABOVE 4u

enum { MODE_LONG, MODE_PROTECTED, MODE_REAL, MODES };

struct decoder {
    ZydisDecoder modes[MODES];
    const struct model_parameters *parameters;
    const struct recipe *by_mnemonic[RECIPE_MNEMONICS];
    struct decoded *entry; /* ENTRIES; the length of an empty one is 0 */
    unsigned last;         /* the entry made last */
    uint32_t at[ADDRESSES];
};

/* --- branches and macro-fusion --- */

static bool is_interrupt_return(ZydisMnemonic mnemonic)
{
    return mnemonic == ZYDIS_MNEMONIC_IRET || mnemonic == ZYDIS_MNEMONIC_IRETD ||
           mnemonic == ZYDIS_MNEMONIC_IRETQ;
}

static bool is_far(const ZydisDecodedInstruction *instruction)
{
    return is_interrupt_return(instruction->mnemonic) ||
           instruction->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
}

static void set_branch(struct decoded *out, const ZydisDecodedInstruction *instruction,
                       const ZydisDecodedOperand *list)
{
    const bool direct = list[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

    out->branch = true;
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        out->kind = BRANCH_CONDITIONAL;
        out->conditional = true;
        break;
    case ZYDIS_CATEGORY_UNCOND_BR:
        out->kind = direct ? BRANCH_JUMP : BRANCH_JUMP_INDIRECT;
        break;
    case ZYDIS_CATEGORY_CALL:
        out->kind = direct ? BRANCH_CALL : BRANCH_CALL_INDIRECT;
        break;
    case ZYDIS_CATEGORY_RET:
        out->kind = BRANCH_RETURN;
        break;
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
        out->kind = BRANCH_FAR;
        break;
    default:
        out->branch = false;
        return;
    }
    if (is_far(instruction))
        out->kind = BRANCH_FAR;
}

/* Which first instructions this conditional jump fuses with (Optimization Reference Manual,
 * "Macro-Fusion"): bits of fuse_class. Conditions on sign, parity and overflow fuse only after TEST
 * and AND, conditions on the carry not after INC and DEC. */
static uint8_t fusible_after(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_JO:
    case ZYDIS_MNEMONIC_JNO:
    case ZYDIS_MNEMONIC_JS:
    case ZYDIS_MNEMONIC_JNS:
    case ZYDIS_MNEMONIC_JP:
    case ZYDIS_MNEMONIC_JNP:
        return 1;
    case ZYDIS_MNEMONIC_JB:
    case ZYDIS_MNEMONIC_JNB:
    case ZYDIS_MNEMONIC_JBE:
    case ZYDIS_MNEMONIC_JNBE:
        return 1 | 2;
    case ZYDIS_MNEMONIC_JZ:
    case ZYDIS_MNEMONIC_JNZ:
    case ZYDIS_MNEMONIC_JL:
    case ZYDIS_MNEMONIC_JNL:
    case ZYDIS_MNEMONIC_JLE:
    case ZYDIS_MNEMONIC_JNLE:
        return 1 | 2 | 4;
    default:
        return 0;
    }
}

static uint8_t fuse_class(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_AND:
        return 1;
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
        return 2;
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
        return 4;
    default:
        return 0;
    }
}

static void set_fusion(struct decoded *out, const ZydisDecodedInstruction *instruction,
                       const struct operands *operands)
{
    out->fuses_with = out->conditional ? fusible_after(instruction->mnemonic) : 0;
    out->fuse_class = fuse_class(instruction->mnemonic);
    out->fuses_first =
        out->fuse_class && !operands->stores && !(operands->memory && operands->immediate);
}

/* --- the other properties --- */

/* The operand-size prefix shortened an immediate. Since Sandy Bridge that does not stall a MOV
 * (InstLatx64: MOV r16, imm16 takes 1.75 cycles on Conroe and Lynnfield, as does ADD AX, imm16 of
 * the same length; on Ivy Bridge MOV takes 1.08 and ADD 3.25). */
static bool has_length_change(const ZydisDecodedInstruction *instruction, bool spares_moves)
{
    return instruction->attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE &&
           instruction->operand_width == 16 && instruction->raw.imm[0].size == 16 &&
           !(spares_moves && instruction->mnemonic == ZYDIS_MNEMONIC_MOV);
}

/* Hints for features that are absent or switched off run as NOPs. */
static bool is_nop(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
        return true;
    case ZYDIS_CATEGORY_CET:
    case ZYDIS_CATEGORY_MPX:
    case ZYDIS_CATEGORY_CLDEMOTE:
        return true;
    default:
        return false;
    }
}

static bool is_streaming(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOVNTI:
    case ZYDIS_MNEMONIC_MOVNTQ:
    case ZYDIS_MNEMONIC_MOVNTDQ:
    case ZYDIS_MNEMONIC_MOVNTPS:
    case ZYDIS_MNEMONIC_MOVNTPD:
        return true;
    default:
        return false;
    }
}

static bool is_flush(ZydisMnemonic mnemonic)
{
    return mnemonic == ZYDIS_MNEMONIC_CLFLUSH || mnemonic == ZYDIS_MNEMONIC_CLFLUSHOPT ||
           mnemonic == ZYDIS_MNEMONIC_CLWB;
}

/* Its address is one register and a displacement of 0 to 2047. */
static bool is_simple_load(const ZydisDecodedInstruction *instruction,
                           const ZydisDecodedOperand *list)
{
    for (unsigned i = 0; i < instruction->operand_count_visible; i++)
        if (list[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            return list[i].mem.index == ZYDIS_REGISTER_NONE &&
                   list[i].mem.base != ZYDIS_REGISTER_NONE &&
                   list[i].mem.base != ZYDIS_REGISTER_RIP && list[i].mem.disp.value >= 0 &&
                   list[i].mem.disp.value < 2048;
    return false;
}

static void set_kind(struct decoded *out, const ZydisDecodedInstruction *instruction,
                     const ZydisDecodedOperand *list, ZydisMnemonic mnemonic, bool spares_moves)
{
    const ZydisInstructionAttributes repeats =
        ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;

    out->nop = is_nop(instruction);
    out->prefetch = instruction->meta.category == ZYDIS_CATEGORY_PREFETCH ||
                    instruction->meta.category == ZYDIS_CATEGORY_PREFETCHWT1;
    out->flush = is_flush(instruction->mnemonic);
    out->streaming = is_streaming(mnemonic);
    out->rep = instruction->attributes & repeats;
    out->pause = instruction->mnemonic == ZYDIS_MNEMONIC_PAUSE;
    out->mfence = instruction->mnemonic == ZYDIS_MNEMONIC_MFENCE;
    out->lcp = has_length_change(instruction, spares_moves);
    out->imm64 = instruction->raw.imm[0].size == 64;
    out->simple_load = is_simple_load(instruction, list);
    set_branch(out, instruction, list);
}

/* The properties that follow from the recipe and the finished uops. Loads and stores count as in
 * MEM_INST_RETIRED: an instruction once for all its loads, once for all its stores; a software
 * prefetch is a load. A flush of a cache line counts as neither: whether silicon counts it is not
 * published. */
static void set_rest(struct decoded *out, const struct subject *subject)
{
    const struct operands *operands = subject->operands;
    const unsigned flags = subject->recipe.flags;
    const bool exchange = subject->recipe.mnemonic == ZYDIS_MNEMONIC_XCHG &&
                          operands->stores; /* locks without a prefix */

    out->locked = subject->instruction->attributes & ZYDIS_ATTRIB_HAS_LOCK || exchange;
    out->microcoded = out->slots > SEQUENCER_ABOVE || flags & RECIPE_MICROCODE || out->rep;
    out->only_microcode = flags & RECIPE_ONLY_MICROCODE;
    out->serialising =
        flags & RECIPE_SERIALISING || is_interrupt_return(subject->instruction->mnemonic);
    out->fence = flags & RECIPE_FENCE;
    out->drains_stores = flags & RECIPE_DRAINS || out->serialising;
    out->special = out->serialising || out->fence || out->drains_stores || out->locked ||
                   out->flush || out->pause;
    out->loads = !out->nop && operands->loads > 0;
    out->stores = !out->nop && operands->stores > 0;
}

/* What the instruction does to the stack pointer (A. Fog, "The microarchitecture of Intel, AMD and
 * VIA CPUs", "Stack engine"). */
static void set_stack(struct decoded *out, const ZydisDecodedInstruction *instruction,
                      const ZydisDecodedOperand *list)
{
    const ZydisInstructionCategory category = instruction->meta.category;

    out->stack_moves = category == ZYDIS_CATEGORY_PUSH || category == ZYDIS_CATEGORY_POP ||
                       category == ZYDIS_CATEGORY_CALL || category == ZYDIS_CATEGORY_RET ||
                       instruction->mnemonic == ZYDIS_MNEMONIC_LEAVE;
    out->stack_writes = instruction->mnemonic == ZYDIS_MNEMONIC_LEAVE;
    for (unsigned i = 0; i < instruction->operand_count_visible; i++) {
        const ZydisDecodedOperand *operand = &list[i];
        const bool reg = operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
                         operand->reg.value == ZYDIS_REGISTER_RSP;

        out->stack_reads |= reg && operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
        out->stack_writes |= reg && operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
        out->stack_reads |=
            operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.base == ZYDIS_REGISTER_RSP;
    }
}

static uint8_t opcode_at(const ZydisDecodedInstruction *instruction)
{
    const unsigned prefixes = instruction->raw.prefix_count;

    switch (instruction->encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_VEX:
        return (uint8_t)(prefixes + instruction->raw.vex.size);
    case ZYDIS_INSTRUCTION_ENCODING_EVEX:
        return (uint8_t)(prefixes + 4);
    default:
        return (uint8_t)(prefixes + (instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT ? 0
                                     : instruction->opcode_map == ZYDIS_OPCODE_MAP_0F    ? 1
                                                                                         : 2));
    }
}

/* Their opcodes differ in the prefix alone. */
static bool pops_rsp_or_r12(const ZydisDecodedInstruction *instruction,
                            const ZydisDecodedOperand *list)
{
    return instruction->mnemonic == ZYDIS_MNEMONIC_POP &&
           list[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (ZydisRegisterGetId(list[0].reg.value) & 7) == STACK_POINTER;
}

static bool ends_decoding(const struct decoded *decoded, unsigned alone,
                          const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperand *list)
{
    return alone > 0 && (decoded->slots >= alone || pops_rsp_or_r12(instruction, list));
}

/* Instructions of one slot that only the first decoder takes (uops.info, "complex decoder"). */
static bool needs_first_decoder(const ZydisDecodedInstruction *instruction,
                                const ZydisDecodedOperand *list)
{
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_BT:
    case ZYDIS_MNEMONIC_BTS:
    case ZYDIS_MNEMONIC_BTR:
    case ZYDIS_MNEMONIC_BTC:
    case ZYDIS_MNEMONIC_BSWAP:
    case ZYDIS_MNEMONIC_CDQ:
    case ZYDIS_MNEMONIC_CQO:
    case ZYDIS_MNEMONIC_CDQE:
    case ZYDIS_MNEMONIC_POPCNT:
        return true;
    case ZYDIS_MNEMONIC_POP:
        return pops_rsp_or_r12(instruction, list);
    default:
        return instruction->meta.category == ZYDIS_CATEGORY_SETCC ||
               instruction->meta.category == ZYDIS_CATEGORY_CMOV ||
               instruction->meta.category == ZYDIS_CATEGORY_PREFETCH;
    }
}

/* Copies a general register of 32 or 64 bits to or from memory: MOV at one register and a
 * displacement, PUSH and POP of a register. InstLatx64 (Ice Lake, Alder Lake) measures "MOV
 * r64,[m64]+MOV [m64],r64" at one register, PUSH and POP, and that 16 bits and ADD to memory take
 * the way through memory; that MOV at any other address takes it, too, is a [guess]. */
static bool is_spill(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *list)
{
    const bool to_memory = list[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
    const ZydisDecodedOperand *memory = &list[to_memory ? 0 : 1], *other = &list[to_memory ? 1 : 0];

    if (instruction->mnemonic == ZYDIS_MNEMONIC_PUSH || instruction->mnemonic == ZYDIS_MNEMONIC_POP)
        return list[0].type == ZYDIS_OPERAND_TYPE_REGISTER && list[0].size == 64;
    return instruction->mnemonic == ZYDIS_MNEMONIC_MOV &&
           memory->type == ZYDIS_OPERAND_TYPE_MEMORY &&
           other->type == ZYDIS_OPERAND_TYPE_REGISTER && memory->size >= 32 &&
           memory->mem.base != ZYDIS_REGISTER_NONE && memory->mem.base != ZYDIS_REGISTER_RIP &&
           memory->mem.index == ZYDIS_REGISTER_NONE;
}

/* 1 + the number of the register that the spill's address rests on. */
static uint8_t spill_base(const struct operands *operands)
{
    const struct register_list *address =
        operands->stores ? &operands->store_address[0] : &operands->load_address[0];

    return (uint8_t)(1 + (address->count ? address->ids[0] : STACK_POINTER));
}

/* INC, DEC, or ADD or SUB of a small constant, of 64 bits (T. Barnes, "The Alder Lake anomaly,
 * explained"; stackoverflow.com, question 79363816). Which constants are small: [guess]. */
static bool is_small_add(const ZydisDecodedInstruction *instruction,
                         const ZydisDecodedOperand *list)
{
    const ZydisMnemonic mnemonic = instruction->mnemonic;

    if (list[0].type != ZYDIS_OPERAND_TYPE_REGISTER || list[0].size != 64)
        return false;
    if (mnemonic == ZYDIS_MNEMONIC_INC || mnemonic == ZYDIS_MNEMONIC_DEC)
        return true;
    return (mnemonic == ZYDIS_MNEMONIC_ADD || mnemonic == ZYDIS_MNEMONIC_SUB) &&
           list[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && list[1].imm.value.s >= -1024 &&
           list[1].imm.value.s < 1024;
}

/* Those that leave the destination as it is when the source is 0 read it; POPCNT, and LZCNT and
 * TZCNT, which do not, read it on some cores all the same (uops.info, latency from the first
 * operand to itself; LLVM, "POPCNT has a false dependency on dest register"). */
static bool reads_old(ZydisMnemonic mnemonic, const struct model_parameters *parameters)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_BSF:
    case ZYDIS_MNEMONIC_BSR:
        return true;
    case ZYDIS_MNEMONIC_POPCNT:
        return parameters->popcnt_waits;
    case ZYDIS_MNEMONIC_LZCNT:
    case ZYDIS_MNEMONIC_TZCNT:
        return parameters->lzcnt_waits;
    default:
        return false;
    }
}

/* What the renamer does alone, without a source, needs no register in one piece. */
static void set_high_bytes(struct decoded *out, const struct operands *operands)
{
    const bool reads = out->uops[0].class_id != CLASS_NONE || out->uops[0].sources[0] != REG_NONE;

    out->high_read = operands->high_read;
    out->high_write = operands->high_write;
    out->wide_read = reads ? operands->wide_read : 0;
    out->wide = operands->wide;
    out->high_byte = operands->high_read || operands->high_write;
}

static void build(struct decoder *decoder, struct decoded *out,
                  const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *list)
{
    struct operands operands;
    struct subject subject = {
        .instruction = instruction,
        .list = list,
        .operands = &operands,
        .recipe = recipe_for(decoder->by_mnemonic, decoder->parameters, instruction, list),
        .parameters = decoder->parameters,
    };

    operands_read(&operands, instruction, list);
    if (reads_old(instruction->mnemonic, decoder->parameters))
        register_add(&operands.sources, operands.destinations.ids[0]);
    if (subject.recipe.flags & RECIPE_ADDRESS && operands.loads) {
        for (unsigned i = 0; i < operands.load_address[0].count; i++)
            register_add(&operands.sources, operands.load_address[0].ids[i]);
        operands.loads = 0;
    }
    set_kind(out, instruction, list, subject.recipe.mnemonic, !decoder->parameters->lcp_block);
    uops_compose(out, &subject);
    for (unsigned i = 0; i < out->uop_count; i++)
        out->unlaminates |= out->uops[i].unlaminates;
    set_fusion(out, instruction, &operands);
    set_rest(out, &subject);
    out->small_add = decoder->parameters->small_adds.a_cycle > 0 && is_small_add(instruction, list);
    if (decoder->parameters->memory_renaming && is_spill(instruction, list))
        out->spill = spill_base(&operands);
    if (decoder->parameters->stack_engine.present)
        set_stack(out, instruction, list);
    if (decoder->parameters->high_bytes.apart)
        set_high_bytes(out, &operands);
    out->opcode_at = opcode_at(instruction);
    out->ends_decoding = ends_decoding(out, decoder->parameters->decoded_alone, instruction, list);
    out->first_decoder =
        decoder->parameters->first_decoder_rows && needs_first_decoder(instruction, list);
    kind_set(out, instruction, list, subject.recipe.mnemonic);
}

/* The processor's mode is not known here: it is taken to be the first in which the bytes have the
 * length that was executed. Kernels run in long mode; the few instructions of a core's start in the
 * other modes do not matter. */
static void decode(struct decoder *decoder, struct decoded *out, const uint8_t *bytes,
                   uint8_t length)
{
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];

    for (unsigned mode = 0; mode < MODES; mode++)
        if (ZYAN_SUCCESS(
                ZydisDecoderDecodeFull(&decoder->modes[mode], bytes, length, &instruction, list)) &&
            instruction.length == length) {
            build(decoder, out, &instruction, list);
            return;
        }
    out->uop_count = 1;
    out->slots = 1;
    out->microcoded = true;
    out->node = NODE_OTHER_LIGHT_OPS;
    out->uops[0].class_id = CLASS_MICROCODE;
    memset(out->uops[0].sources, REG_NONE, sizeof(out->uops[0].sources));
    memset(out->uops[0].destinations, REG_NONE, sizeof(out->uops[0].destinations));
}

/* --- the table --- */

static uint64_t place_of(uint64_t rip)
{
    return (rip ^ rip >> ADDRESS_BITS) % ADDRESSES;
}

/* Entries are used in turn, so code that runs together is stored together; `at` finds an entry by
 * address. */
static struct decoded *entry_at(struct decoder *decoder, uint64_t rip)
{
    return &decoder->entry[decoder->at[place_of(rip)]];
}

static struct decoded *entry_new(struct decoder *decoder, uint64_t rip)
{
    struct decoded *entry;

    decoder->last = (decoder->last + 1) % ENTRIES;
    decoder->at[place_of(rip)] = decoder->last;
    entry = &decoder->entry[decoder->last];
    memset(entry, 0, sizeof(*entry));
    return entry;
}

static uint32_t retire_flags(const struct decoded *decoded)
{
    uint32_t flags = RETIRE_INSTRUCTION;

    flags |= decoded->nop ? RETIRE_NOP : 0u;
    flags |= decoded->loads ? RETIRE_LOAD : 0u;
    flags |= decoded->stores ? RETIRE_STORE : 0u;
    flags |= decoded->branch ? RETIRE_BRANCH : 0u;
    flags |= decoded->pause ? RETIRE_PAUSE : 0u;
    flags |= decoded->fence && !decoded->drains_stores ? RETIRE_LFENCE : 0u;
    return flags;
}

static bool is_plain(const struct decoder *decoder, const struct decoded *decoded)
{
    const enum uop_class_id id = decoded->uops[0].class_id;
    const bool pipelined = id == CLASS_NONE || decoder->parameters->classes[id].occupies < 2;

    return decoded->uop_count == 1 && decoded->slots == 1 && decoded->extra == 0 && pipelined &&
           id != CLASS_LOAD && id != CLASS_STORE_ADDRESS && id != CLASS_STORE_INDEXED &&
           id != CLASS_STORE_DATA && id != CLASS_X87 && !divides(id) && decoded->flops == 0 &&
           !decoded->branch && !decoded->special && !decoded->high_byte && !decoded->small_add &&
           !decoded->microcoded && !decoded->heavy && !decoded->prefetch && !decoded->stack_reads &&
           !decoded->stack_writes && !decoded->rep &&
           (decoded->upper == UPPER_UNTOUCHED || decoded->upper == UPPER_KEPT) &&
           !(decoded->retire & ~(unsigned)(RETIRE_INSTRUCTION | RETIRE_NOP));
}

const struct decoded *decoder_get(struct decoder *decoder, uint64_t rip, const uint8_t *bytes,
                                  uint8_t length)
{
    struct decoded *entry = entry_at(decoder, rip);

    if (entry->rip == rip && entry->length == length && memcmp(entry->bytes, bytes, length) == 0)
        return entry;
    entry = entry_new(decoder, rip);
    entry->rip = rip;
    entry->length = length;
    memcpy(entry->bytes, bytes, length);
    decode(decoder, entry, bytes, length);
    entry->heavy = decoder->parameters->heavy_is_microcode && entry->microcoded;
    entry->retire = retire_flags(entry);
    entry->plain = is_plain(decoder, entry);
    return entry;
}

struct decoder *decoder_new(const struct model_parameters *parameters)
{
    struct decoder *decoder = calloc(1, sizeof(*decoder));

    if (decoder == NULL)
        return NULL;
    decoder->entry = aligned_alloc(_Alignof(struct decoded), ENTRIES * sizeof(*decoder->entry));
    if (decoder->entry == NULL) {
        free(decoder);
        return NULL;
    }
    decoder->entry[0].length = 0; /* where every address leads at first */
    decoder->parameters = parameters;
    ZydisDecoderInit(&decoder->modes[MODE_LONG], ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisDecoderInit(&decoder->modes[MODE_PROTECTED], ZYDIS_MACHINE_MODE_LEGACY_32,
                     ZYDIS_STACK_WIDTH_32);
    ZydisDecoderInit(&decoder->modes[MODE_REAL], ZYDIS_MACHINE_MODE_REAL_16, ZYDIS_STACK_WIDTH_16);
    recipe_index(decoder->by_mnemonic);
    return decoder;
}

void decoder_free(struct decoder *decoder)
{
    if (decoder == NULL)
        return;
    free(decoder->entry);
    free(decoder);
}
