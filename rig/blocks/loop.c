#include "loop.h"

#include <Zydis/Zydis.h>
#include <string.h>

#include "bare_core.h"
#include "play.h"

/* All copies are so often turns of the loop before its cycles are measured, and meanwhile. */
#define PASSES_BEFORE 8u
#define PASSES        16u

#define DEC_R15     "\x49\xff\xcf"
#define JNZ_SHORT   2u
#define JNZ_NEAR    6u
#define SHORT_REACH 128 /* bytes that a short jump goes back, from its end */

static bool is_r15(ZydisRegister reg)
{
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg) == ZYDIS_REGISTER_R15;
}

static bool has_r15(const ZydisDecodedOperand *operand)
{
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
        return is_r15(operand->mem.base) || is_r15(operand->mem.index);
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && is_r15(operand->reg.value);
}

bool loop_possible(const struct block *block)
{
    ZydisDecoder decoder;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (unsigned at = 0; at < block->length;) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, block->code + at, block->length - at,
                                                 &instruction, operands)))
            return true; /* the host says by which instruction it cannot be played */
        for (unsigned i = 0; i < instruction.operand_count; i++)
            if (has_r15(&operands[i]))
                return false;
        at += instruction.length;
    }
    return true;
}

/* DEC R15 and JNZ behind the block. */
static void play_end(struct model *model, const struct block *block)
{
    const uint64_t end = LOOP_CODE + block->length + strlen(DEC_R15);
    const bool near = block->length + strlen(DEC_R15) + JNZ_SHORT > SHORT_REACH;
    const uint8_t length = near ? JNZ_NEAR : JNZ_SHORT;
    const int64_t back = (int64_t)(LOOP_CODE - (end + length));
    uint8_t jnz[JNZ_NEAR] = {0x75, (uint8_t)back};

    if (near) {
        const int32_t distance = (int32_t)back;

        jnz[0] = 0x0f;
        jnz[1] = 0x85;
        memcpy(jnz + 2, &distance, sizeof(distance));
    }
    model_execute(model, &(struct executed){.rip = LOOP_CODE + block->length,
                                            .bytes = (const uint8_t *)DEC_R15,
                                            .length = strlen(DEC_R15),
                                            .next = end});
    model_execute(
        model, &(struct executed){.rip = end, .bytes = jnz, .length = length, .next = LOOP_CODE});
}

/* The cycle in which the last uop of so many passes was allocated. */
static uint64_t play_passes(struct model *model, const struct block *block,
                            const struct steps *steps, unsigned passes)
{
    for (unsigned pass = 0; pass < passes; pass++)
        for (unsigned copy = 0; copy < steps->copies; copy++) {
            for (size_t i = steps->copy[copy]; i < steps->copy[copy + 1]; i++)
                play_step(model, block, &steps->step[i], LOOP_CODE);
            play_end(model, block);
        }
    return model_allocated(model);
}

double play_loop(const struct model_parameters *core, const struct block *block,
                 const struct steps *steps)
{
    struct bare_core bare;
    uint64_t begun, cycles;

    if (!bare_core_new(&bare, core))
        return -1;
    begun = play_passes(bare.model, block, steps, PASSES_BEFORE);
    cycles = play_passes(bare.model, block, steps, PASSES) - begun;
    bare_core_free(&bare);
    return (double)cycles / (PASSES * steps->copies);
}
