/* Shared by the tests of vector_execute: registers and memory, and one instruction on them. */
#ifndef TESTS_RIG_VECTOR_VECTOR_TEST_H
#define TESTS_RIG_VECTOR_VECTOR_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "vector/execute.h"
#include "vector/mask.h"

#define MXCSR      0x1f80u /* as at reset: every exception masked, to the nearest */
#define RAISED     0x3fu   /* its flags */
#define DAZ_FTZ    0x8040u
#define ROUND_DOWN 0x2000u

/* What an instruction may read and write. Of the general registers it may use RCX; RDX is the
 * address of `memory`. */
struct register_image {
    struct vector_file file;
    uint64_t general[16];
    _Alignas(VECTOR_BYTES) uint8_t memory[VECTOR_BYTES];
    uint64_t flags;
    uint32_t raised; /* of MXCSR */
};

static inline bool decode(const uint8_t *bytes, ZydisDecodedInstruction *decoded,
                          ZydisDecodedOperand *list)
{
    ZydisDecoder decoder;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, 15, decoded, list));
}

/* Memory operands are all at `memory`. False: that form is not played. */
static inline bool play(struct register_image *image, const uint8_t *bytes, uint32_t mxcsr)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];
    struct vector_step step = {
        .file = &image->file, .general = image->general, .mxcsr = mxcsr, .flags = image->flags};

    if (!decode(bytes, &decoded, list) || !vector_prepare(&step, &decoded, list))
        return false;
    memcpy(step.memory, image->memory, sizeof(step.memory));
    vector_execute(&step);
    image->flags = step.flags;
    image->raised = step.mxcsr & RAISED;
    if (step.operands && step.row->shape != VECTOR_TEST &&
        step.operand[0]->type == ZYDIS_OPERAND_TYPE_MEMORY)
        for (unsigned i = 0; i < VECTOR_BYTES; i++)
            if (mask_active(&step) >> i & 1)
                image->memory[i] = step.memory[i];
    return true;
}

#endif
