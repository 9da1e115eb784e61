/* What depends on the privilege level and the emulator ignores: SYSCALL, which it takes for a NOP,
 * SYSRET, and who may use ports. SDM 2B, "SYSCALL - Fast System Call" and
 * "SYSRET - Return From Fast System Call", in 64-bit mode; SDM 1, "I/O Permission Bit Map". */
#include "inside.h"
#include "machine/engine/complete.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/paging.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "special.h"

#define STAR_KERNEL     32
#define STAR_USER       48
#define REX_W           0x48u
#define FLAGS_FROM_R11  0x3c7fd7u /* all but RF and VM */
#define FLAG_ALWAYS_SET 2u
#define TSS_IO_MAP      0x66u
#define OPERAND_PREFIX  0x66u
#define IMMEDIATE_PORTS 0xe4u /* to 0xe7 */

/* The first port, and the number of ports from there on. */
static unsigned port_of(const struct core *core, const struct instruction *instruction,
                        unsigned *size)
{
    const uint8_t *byte = instruction->bytes;
    bool word = false;

    while (*byte == OPERAND_PREFIX || *byte == 0xf2 || *byte == 0xf3 || (*byte & 0xf0) == 0x40 ||
           *byte == 0x67)
        word |= *byte++ == OPERAND_PREFIX;
    *size = !(*byte & 1) ? 1 : word ? 2 : 4;
    return (*byte & ~3u) == IMMEDIATE_PORTS
               ? byte[1]
               : (unsigned)core_register(core, UC_X86_REG_RDX) & 0xffff;
}

/* The TSS has a bit for each port. A set bit, or a bit beyond the limit of the TSS, closes the
 * port. */
static bool map_opens(const struct core *core, unsigned port, unsigned size)
{
    uc_x86_mmr tr = {0, 0, 0, 0};
    const uint8_t *place;

    uc_reg_read(core->uc, UC_X86_REG_TR, &tr);
    place =
        tr.limit > TSS_IO_MAP ? memory_at(&core->machine->memory, tr.base + TSS_IO_MAP, 2) : NULL;
    for (unsigned base = place != NULL ? place[0] | place[1] << 8 : 0; place != NULL && size;
         port++, size--) {
        const uint8_t *bits;

        if (base + port / 8 + 1 > tr.limit)
            return false;
        bits = memory_at(&core->machine->memory, tr.base + base + port / 8, 1);
        if (bits == NULL || *bits >> port % 8 & 1)
            return false;
    }
    return place != NULL;
}

bool special_port_is_open(const struct core *core, const struct instruction *instruction)
{
    unsigned cpl = trap_cpl(core), port, size;

    if (cpl <= (core_register(core, UC_X86_REG_EFLAGS) >> RFLAGS_IOPL & 3))
        return true;
    port = port_of(core, instruction, &size);
    return map_opens(core, port, size);
}

/* Loads CS and SS with fixed contents: no descriptor is read. */
static void go(struct core *core, const struct instruction *instruction, unsigned level,
               uint64_t selectors, uint64_t rip)
{
    const uint16_t cs = (uint16_t)(selectors | level), ss = (uint16_t)((selectors >> 16) | level);

    engine_set_level(core, level);
    uc_reg_write(core->uc, UC_X86_REG_CS, &cs);
    uc_reg_write(core->uc, UC_X86_REG_SS, &ss);
    core->attention |= ATTENTION_MODE | ATTENTION_INTERRUPT;
    core->rip = rip;
    complete_played(core, instruction, rip, END_NEXT, NULL, 0);
}

void play_syscall(struct core *core, const struct instruction *instruction)
{
    uint64_t flags = core_register(core, UC_X86_REG_EFLAGS), cs;

    if (!core->long_mode || !(engine_msr(core, MSR_EFER) & EFER_SCE)) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    cs = engine_msr(core, MSR_STAR) >> STAR_KERNEL & 0xfffc;
    core_set_register(core, UC_X86_REG_RCX, instruction->address + instruction->length);
    core_set_register(core, UC_X86_REG_R11, flags);
    core_set_register(core, UC_X86_REG_EFLAGS,
                      (flags & ~engine_msr(core, MSR_FMASK)) | FLAG_ALWAYS_SET);
    go(core, instruction, 0, cs | (cs + 8) << 16, engine_msr(core, MSR_LSTAR));
}

void play_sysret(struct core *core, const struct instruction *instruction)
{
    uint64_t rip = core_register(core, UC_X86_REG_RCX), base;

    if (!core->long_mode || !(engine_msr(core, MSR_EFER) & EFER_SCE)) {
        special_fault(core, instruction, EXCEPTION_UD);
        return;
    }
    if (trap_cpl(core) > 0) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    if ((instruction->bytes[0] & 0xf8u) != REX_W) { /* to 32-bit code */
        special_unsupported(core, instruction);
        return;
    }
    if (!paging_is_canonical(rip)) {
        special_fault(core, instruction, EXCEPTION_GP);
        return;
    }
    base = engine_msr(core, MSR_STAR) >> STAR_USER;
    core_set_register(core, UC_X86_REG_EFLAGS,
                      (core_register(core, UC_X86_REG_R11) & FLAGS_FROM_R11) | FLAG_ALWAYS_SET);
    go(core, instruction, 3, ((base + 16) & 0xffff) | (base + 8) << 16, rip);
}
