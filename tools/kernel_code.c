#include "tools/kernel_code.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <stdlib.h>

#define PADDING 0xcc /* between functions */

struct walk {
    struct kernel_code *code;
    ZydisDecoder decoder;
    uint32_t *pending; /* offsets that are reached and not decoded yet */
    uint32_t pending_count;
    char *error;
};

bool code_indirect(enum code_kind kind)
{
    return kind == CODE_JUMP_INDIRECT || kind == CODE_CALL_INDIRECT;
}

bool code_calls(enum code_kind kind)
{
    return kind == CODE_CALL || kind == CODE_CALL_INDIRECT;
}

bool code_continues(enum code_kind kind)
{
    return kind == CODE_ORDINARY || kind == CODE_CONDITIONAL || code_calls(kind);
}

bool code_refuse(const struct kernel_object *object, uint32_t offset, char error[CODE_ERROR_BYTES],
                 const char *message)
{
    const char *label = "CODE";
    uint32_t begin = 0;

    for (uint32_t i = 0; i < object->block_count; i++)
        if (object->blocks[i].offset <= offset && object->blocks[i].offset >= begin) {
            begin = object->blocks[i].offset;
            label = object->blocks[i].label;
        }
    if (begin == offset)
        snprintf(error, CODE_ERROR_BYTES, "%s: %s", label, message);
    else
        snprintf(error, CODE_ERROR_BYTES, "%s + %u bytes: %s", label, offset - begin, message);
    return false;
}

/* ---- One instruction ---- */

/* False: the flow leaves it in a way that no edge of a map describes. */
static bool kind_of(enum code_kind *kind, const ZydisDecodedInstruction *instruction,
                    const ZydisDecodedOperand *operand)
{
    bool direct = operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

    if (instruction->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return false;
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        *kind = CODE_CONDITIONAL;
        return instruction->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE; /* not XBEGIN's abort */
    case ZYDIS_CATEGORY_UNCOND_BR:
        *kind = direct ? CODE_JUMP : CODE_JUMP_INDIRECT;
        return true;
    case ZYDIS_CATEGORY_CALL:
        *kind = direct ? CODE_CALL : CODE_CALL_INDIRECT;
        return true;
    case ZYDIS_CATEGORY_RET:
        *kind = CODE_RETURN;
        return instruction->mnemonic == ZYDIS_MNEMONIC_RET;
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
        return false;
    default:
        *kind = CODE_ORDINARY;
        return instruction->mnemonic != ZYDIS_MNEMONIC_UD0 &&
               instruction->mnemonic != ZYDIS_MNEMONIC_UD1 &&
               instruction->mnemonic != ZYDIS_MNEMONIC_UD2 &&
               instruction->mnemonic != ZYDIS_MNEMONIC_HLT;
    }
}

static bool refuse(struct walk *walk, uint32_t offset, const char *message)
{
    return code_refuse(walk->code->object, offset, walk->error, message);
}

/* Marks the bytes that follow the first one, and finds an instruction that shares bytes. */
static bool claim_bytes(struct walk *walk, uint32_t offset, uint8_t length)
{
    struct code_byte *bytes = walk->code->bytes;

    for (uint32_t i = offset + 1; i < offset + length; i++) {
        if (bytes[i].length > 0)
            return refuse(walk, offset, "expected instructions that share no bytes");
        bytes[i].within = true;
    }
    bytes[offset].length = length;
    return true;
}

static bool decode_at(struct walk *walk, uint32_t offset)
{
    const struct kernel_object *object = walk->code->object;
    struct code_byte *byte = &walk->code->bytes[offset];
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecodedInstruction instruction;

    if (byte->within)
        return refuse(walk, offset, "expected instructions that share no bytes");
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&walk->decoder, object->code + offset,
                                             object->bytes - offset, &instruction, operands)))
        return refuse(walk, offset, "expected an instruction");
    if (!kind_of(&byte->kind, &instruction, operands))
        return refuse(walk, offset, "expected an instruction that goes on, or a near branch");
    if (operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[0].imm.is_relative)
        byte->target = (uint32_t)(offset + instruction.length + operands[0].imm.value.u);
    return claim_bytes(walk, offset, instruction.length);
}

/* ---- All that can be reached ---- */

static bool reach(struct walk *walk, uint32_t from, uint32_t to)
{
    if (to >= walk->code->object->bytes)
        return refuse(walk, from, "expected to go on inside CODE");
    if (walk->code->bytes[to].length == 0)
        walk->pending[walk->pending_count++] = to;
    return true;
}

static bool reach_leader(struct walk *walk, uint32_t from, uint32_t to, bool function)
{
    if (!reach(walk, from, to))
        return false;
    walk->code->bytes[to].leader = true;
    walk->code->bytes[to].function |= function;
    return true;
}

static bool reach_stated_targets(struct walk *walk, uint32_t offset)
{
    const struct kernel_object *object = walk->code->object;
    bool calls = code_calls(walk->code->bytes[offset].kind), any = false;

    for (uint32_t i = 0; i < object->target_count; i++)
        if (object->targets[i].branch == offset) {
            any = true;
            if (!reach_leader(walk, offset, object->targets[i].target, calls))
                return false;
        }
    return any || refuse(walk, offset, "expected TARGETS of this indirect branch");
}

static bool follow(struct walk *walk, uint32_t offset)
{
    const struct code_byte *byte = &walk->code->bytes[offset];
    uint32_t next = offset + byte->length;

    if (byte->kind == CODE_RETURN)
        return true;
    if (byte->kind == CODE_ORDINARY)
        return reach(walk, offset, next);
    if (code_continues(byte->kind) && !reach_leader(walk, offset, next, false))
        return false;
    if (code_indirect(byte->kind))
        return reach_stated_targets(walk, offset);
    return reach_leader(walk, offset, byte->target, byte->kind == CODE_CALL);
}

static bool walk_all(struct walk *walk)
{
    if (!reach_leader(walk, 0, 0, true))
        return false;
    while (walk->pending_count > 0) {
        uint32_t offset = walk->pending[--walk->pending_count];

        if (walk->code->bytes[offset].length > 0)
            continue;
        if (!decode_at(walk, offset) || !follow(walk, offset))
            return false;
    }
    return true;
}

static bool nothing_is_left(struct walk *walk)
{
    const struct kernel_object *object = walk->code->object;

    for (uint32_t i = 0; i < object->bytes; i++) {
        const struct code_byte *byte = &walk->code->bytes[i];

        if (byte->length == 0 && !byte->within && object->code[i] != PADDING)
            return refuse(walk, i, "expected code that something reaches, or 0xcc");
    }
    return true;
}

bool kernel_code_decode(struct kernel_code *code, const struct kernel_object *object,
                        char error[CODE_ERROR_BYTES])
{
    /* An instruction reaches what follows it and its targets, once. */
    size_t most = 2ul * object->bytes + object->target_count + 1;
    struct walk walk = {.code = code, .error = error};
    bool good;

    *code = (struct kernel_code){object, calloc(object->bytes + 1ul, sizeof(*code->bytes))};
    walk.pending = calloc(most, sizeof(*walk.pending));
    ZydisDecoderInit(&walk.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (code->bytes == NULL || walk.pending == NULL)
        good = refuse(&walk, 0, "out of memory");
    else
        good = walk_all(&walk) && nothing_is_left(&walk);
    free(walk.pending);
    return good;
}

void kernel_code_free(struct kernel_code *code)
{
    free(code->bytes);
    code->bytes = NULL;
}
