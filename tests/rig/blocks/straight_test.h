/* Instructions in straight-line code from the decoders, and what they take. */
#ifndef TESTS_RIG_BLOCKS_STRAIGHT_TEST_H
#define TESTS_RIG_BLOCKS_STRAIGHT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blocks/accesses.h"
#include "blocks/harness.h"
#include "blocks/host.h"

extern const struct model_parameters ivybridge_core, haswell_core, skylakex_core, icelakex_core;

#ifndef COPIES
#define COPIES 400u
#endif
#ifndef CODE /* where the first copy lies: at a boundary of all that the front end reads */
#define CODE UINT64_C(0x40000000)
#endif
#define TOLERANCE 0.03

/* Instructions of the block, which change no register that addresses are made of: RSP is not
 * followed, and each of the other registers holds 0x2324000, but RBX is `stride` bytes higher in
 * each copy. */
static inline void fill_steps(struct steps *steps, const struct block *block, unsigned stride)
{
    struct address_registers registers = {.rip = CODE};
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecodedInstruction instruction;
    ZydisDecoder decoder;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (unsigned i = 0; i < 16; i++)
        registers.general[i] = i == 4 ? HOST_VALUE + 2048 : HOST_VALUE;
    for (unsigned copy = 0; copy < COPIES; copy++) {
        for (unsigned at = 0; at < block->length; at += instruction.length) {
            struct step *step = steps_add(steps);

            assert_non_null(step);
            *step = (struct step){.offset = (uint16_t)at};
            assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(
                &decoder, block->code + at, block->length - at, &instruction, operands)));
            assert_true(accesses_of(step, &instruction, operands, &registers));
        }
        steps->copy[copy + 1] = steps->count;
        registers.general[3] += stride;
    }
}

static inline double cycles_of(const struct model_parameters *core, const char *code,
                               unsigned length, unsigned stride)
{
    struct block block = {.cycles = 1, .length = length};
    struct steps steps;
    double cycles;

    memcpy(block.code, code, length);
    assert_true(steps_start(&steps, COPIES));
    fill_steps(&steps, &block, stride);
    cycles = harness_cycles(core, &block, &steps, CODE);
    steps_free(&steps);
    return cycles;
}

/* The core with all ports open to a uop until it begins, for what ports would hide. */
static inline double cycles_unbound(const struct model_parameters *core, const char *code,
                                    unsigned length)
{
    struct model_parameters unbound = *core;

    unbound.binds_ports = BINDS_NONE;
    return cycles_of(&unbound, code, length, 0);
}

#define BLOCK(core, code)        cycles_of(&core, code, sizeof(code) - 1, 0)
#define UNBOUND(core, code)      cycles_unbound(&core, code, sizeof(code) - 1)
#define WALK(core, code, stride) cycles_of(&core, code, sizeof(code) - 1, stride)

static inline void check(const char *what, double cycles, double expected)
{
    if (fabs(cycles - expected) > TOLERANCE * expected)
        fail_msg("%s takes %.3f cycles, not %.3f", what, cycles, expected);
}

#endif
