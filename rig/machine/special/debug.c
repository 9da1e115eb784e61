/* MOV from and to debug registers. SDM 2B, "MOV - Move to/from Debug Registers"; SDM 3B, "Debug
 * Registers". */
#include "machine/engine/debug.h"

#include "decoding.h"
#include "inside.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "special.h"

#define DR6_FIXED UINT64_C(0xffff0ff0) /* always set */
#define DR6_BITS  UINT64_C(0xe00f)

static unsigned id_of(const ZydisDecodedOperand *operand)
{
    return (unsigned)ZydisRegisterGetId(operand->reg.value);
}

static bool is_debug(const ZydisDecodedOperand *operand)
{
    return ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_DEBUG;
}

static uint64_t read_debug(const struct core *core, unsigned number)
{
    switch (number) {
    case 6:
        return core_register(core, UC_X86_REG_DR6);
    case 7:
        return core->debug.control;
    default:
        return core->debug.address[number & 3];
    }
}

/* False: what the value enables is undefined. */
static bool write_debug(struct core *core, unsigned number, uint64_t value)
{
    switch (number) {
    case 6:
        core_set_register(core, UC_X86_REG_DR6, (value & DR6_BITS) | DR6_FIXED);
        return true;
    case 7:
        return debug_control(core, value);
    default:
        core->debug.address[number & 3] = value;
        return true;
    }
}

/* General detect: the fault comes before the access, for the handler of a debugger that keeps the
 * registers to itself. */
static void detect(struct core *core, const struct instruction *instruction)
{
    core_set_register(core, UC_X86_REG_DR6, core_register(core, UC_X86_REG_DR6) | DR6_BD);
    special_fault(core, instruction, EXCEPTION_DB);
}

static void move(struct core *core, const struct instruction *instruction,
                 const struct decoding *decoding)
{
    const bool to = is_debug(&decoding->operand[0]);
    const ZydisDecodedOperand *debug = &decoding->operand[to ? 0 : 1];
    const int general = engine_general(id_of(&decoding->operand[to ? 1 : 0]));
    const unsigned number = id_of(debug) | (id_of(debug) & 4) / 2;
    const uint64_t value = core_register(core, general);

    if (number != id_of(debug) && core->cr4 & CR4_DE) /* DR4 and DR5 are other names else */
        special_fault(core, instruction, EXCEPTION_UD);
    else if (core->debug.control & DR7_GD)
        detect(core, instruction);
    else if (to && number >= 6 && value >> 32)
        special_fault(core, instruction, EXCEPTION_GP);
    else if (to && !write_debug(core, number, value))
        special_unsupported(core, instruction);
    else {
        if (!to)
            core_set_register(core, general, read_debug(core, number));
        special_done(core, instruction);
    }
}

void play_debug(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);

    if (decoding == NULL)
        special_unsupported(core, instruction);
    else if (trap_cpl(core) > 0)
        special_fault(core, instruction, EXCEPTION_GP);
    else
        move(core, instruction, decoding);
}
