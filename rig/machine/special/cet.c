/* Instructions on shadow stacks. SDM 2, "RDSSPD/RDSSPQ", "INCSSPD/INCSSPQ", "WRSSD/WRSSQ". */
#include <Zydis/Zydis.h>

#include "decoding.h"
#include "inside.h"
#include "machine/engine/cet.h"
#include "machine/engine/complete.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "special.h"

#define WR_SHSTK_EN 2u /* IA32_S_CET */

void special_control_protection(struct core *core, const struct instruction *instruction)
{
    special_fault_with(core, instruction, EXCEPTION_CP, core->cet.error);
}

static void write_shadow(struct core *core, const struct instruction *instruction,
                         const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *list)
{
    struct access access = {.size = 8, .write = true};

    if (!(core->cet.supervisor & WR_SHSTK_EN)) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    if (decoded->operand_width != 64 ||
        !operand_address(core, instruction, decoded, &list[0], &access.address)) {
        special_unsupported(core, instruction);
        return;
    }
    cet_write(core, access.address,
              core_register(core, engine_general((unsigned)ZydisRegisterGetId(list[1].reg.value))));
    core->rip = instruction->address + instruction->length;
    complete_played(core, instruction, core->rip, END_NEXT, &access, 1);
}

void play_cet(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    ZydisMnemonic mnemonic;
    int reg;

    if (decoding == NULL) {
        special_unsupported(core, instruction);
        return;
    }
    mnemonic = decoding->instruction.mnemonic;
    reg = engine_general((unsigned)ZydisRegisterGetId(decoding->operand[0].reg.value));
    if (!cet_stacks(core) && mnemonic != ZYDIS_MNEMONIC_RDSSPQ) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    if (mnemonic == ZYDIS_MNEMONIC_WRSSQ) {
        write_shadow(core, instruction, &decoding->instruction, decoding->operand);
        return;
    }
    if (mnemonic == ZYDIS_MNEMONIC_INCSSPQ)
        core->cet.ssp += 8 * (core_register(core, reg) & 0xff);
    else if (cet_stacks(core))
        core_set_register(core, reg, core->cet.ssp);
    special_done(core, instruction);
}
