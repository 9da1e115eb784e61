/* The memory operand of an instruction that the emulator lacks: where it is, and the faults on the
 * way there. SDM 3A, "4-Level Paging", "Access Rights", "Accessed and Dirty Flags"; SDM 2A,
 * "Exception Type", AVX types 1 to 6. */
#include <string.h>

#include "inside.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/paging.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"

bool operand_address(struct core *core, const struct instruction *instruction,
                     const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operand,
                     uint64_t *address)
{
    const ZydisRegister parts[] = {operand->mem.base, operand->mem.index};
    ZydisRegisterContext context;
    ZyanU64 found;

    for (unsigned i = 0; i < 2; i++) {
        const ZydisRegisterClass register_class = ZydisRegisterGetClass(parts[i]);

        if (register_class == ZYDIS_REGCLASS_GPR64 || register_class == ZYDIS_REGCLASS_GPR32) {
            const unsigned id = (unsigned)ZydisRegisterGetId(parts[i]) & 15;
            const uint64_t value = core_register(core, engine_general(id));

            context.values[parts[i]] = value;
            context.values[ZydisRegisterEncode(ZYDIS_REGCLASS_GPR64, (ZyanU8)id)] = value;
        }
    }
    if (!ZYAN_SUCCESS(
            ZydisCalcAbsoluteAddressEx(decoded, operand, instruction->address, &context, &found)))
        return false;
    if (operand->mem.segment == ZYDIS_REGISTER_FS)
        found += core_register(core, UC_X86_REG_FS_BASE);
    if (operand->mem.segment == ZYDIS_REGISTER_GS)
        found += core_register(core, UC_X86_REG_GS_BASE);
    *address = found;
    return true;
}

static bool is_permitted(const struct core *core, const struct page_walk *walk, bool write)
{
    const bool user = trap_cpl(core) == 3;

    if (user && !(walk->rights & PTE_USER))
        return false;
    return !write || walk->rights & PTE_WRITE || (!user && !(core->cr0 & CR0_WP));
}

static void page_fault(struct core *core, const struct instruction *instruction, uint64_t address,
                       bool present, bool write)
{
    core_set_register(core, UC_X86_REG_CR2, address);
    special_fault_with(core, instruction, EXCEPTION_PF,
                       (present ? PF_PRESENT : 0) | (write ? PF_WRITE : 0) |
                           (trap_cpl(core) == 3 ? PF_USER : 0));
}

/* The part of the operand in one page. */
static enum operand_reach reach_page(struct core *core, const struct instruction *instruction,
                                     const struct access *access, uint64_t address, unsigned bytes,
                                     uint8_t **place)
{
    struct page_walk found;

    if (!paging_walk(core, address, &found)) {
        page_fault(core, instruction, address, false, access->write);
        return OPERAND_FAULTED;
    }
    if (!is_permitted(core, &found, access->write)) {
        page_fault(core, instruction, address, true, access->write);
        return OPERAND_FAULTED;
    }
    *place = memory_at(&core->machine->memory, found.physical, bytes);
    if (*place == NULL)
        return OPERAND_BEYOND;
    paging_mark(&found, access->write);
    return OPERAND_REACHED;
}

enum operand_reach operand_reach(struct core *core, const struct instruction *instruction,
                                 const struct access *access, const struct operand_place *how,
                                 struct operand_pieces *pieces)
{
    const uint64_t last = access->address + access->size - 1u;
    const unsigned room = (unsigned)(PAGE_OFFSET_MASK + 1 - (access->address & PAGE_OFFSET_MASK));
    enum operand_reach reached;

    if (!paging_is_canonical(access->address) || !paging_is_canonical(last)) {
        special_fault_with(core, instruction, how->stack ? EXCEPTION_SS : EXCEPTION_GP, 0);
        return OPERAND_FAULTED;
    }
    if (how->aligned && access->address % access->size) {
        special_fault_with(core, instruction, EXCEPTION_GP, 0);
        return OPERAND_FAULTED;
    }
    pieces->first = room < access->size ? room : access->size;
    reached =
        reach_page(core, instruction, access, access->address, pieces->first, &pieces->place[0]);
    if (reached != OPERAND_REACHED || pieces->first == access->size)
        return reached;
    return reach_page(core, instruction, access, access->address + pieces->first,
                      access->size - pieces->first, &pieces->place[1]);
}

static uint64_t ones(unsigned count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

enum operand_reach operand_reach_bytes(struct core *core, const struct instruction *instruction,
                                       const struct access *access, const struct operand_place *how,
                                       uint64_t bytes, struct operand_pieces *pieces)
{
    const unsigned room = (unsigned)(PAGE_OFFSET_MASK + 1 - (access->address & PAGE_OFFSET_MASK));
    const struct operand_place part = {.stack = how->stack};

    if (bytes == ones(access->size))
        return operand_reach(core, instruction, access, how, pieces);
    if (how->aligned && access->address % access->size) {
        special_fault_with(core, instruction, EXCEPTION_GP, 0);
        return OPERAND_FAULTED;
    }
    pieces->first = room < access->size ? room : access->size;
    for (unsigned page = 0; page < 2; page++) {
        const unsigned from = page ? pieces->first : 0;
        const uint64_t mine = bytes & (page ? ~ones(from) : ones(pieces->first));
        struct operand_pieces found;
        enum operand_reach reached;
        unsigned low, high;

        if (!mine)
            continue;
        low = (unsigned)__builtin_ctzll(mine), high = 63 - (unsigned)__builtin_clzll(mine);
        reached = operand_reach(
            core, instruction,
            &(struct access){access->address + low, (uint8_t)(high - low + 1), access->write},
            &part, &found);
        if (reached != OPERAND_REACHED)
            return reached;
        pieces->place[page] = found.place[0] - (low - from);
    }
    return OPERAND_REACHED;
}

static uint8_t *byte_of(const struct operand_pieces *pieces, unsigned at)
{
    return at < pieces->first ? pieces->place[0] + at : pieces->place[1] + (at - pieces->first);
}

/* Whether the bytes are all in the first piece and without a gap, as they nearly always are. */
static bool is_one_piece(const struct operand_pieces *pieces, uint64_t bytes)
{
    return (bytes & (bytes + 1)) == 0 && bytes <= ones(pieces->first);
}

void operand_read_bytes(const struct operand_pieces *pieces, uint8_t *to, uint64_t bytes)
{
    if (is_one_piece(pieces, bytes)) {
        memcpy(to, pieces->place[0], (unsigned)__builtin_popcountll(bytes));
        return;
    }
    for (; bytes; bytes &= bytes - 1) {
        const unsigned at = (unsigned)__builtin_ctzll(bytes);

        to[at] = *byte_of(pieces, at);
    }
}

void operand_write_bytes(const struct operand_pieces *pieces, const uint8_t *from, uint64_t bytes)
{
    if (is_one_piece(pieces, bytes)) {
        memcpy(pieces->place[0], from, (unsigned)__builtin_popcountll(bytes));
        return;
    }
    for (; bytes; bytes &= bytes - 1) {
        const unsigned at = (unsigned)__builtin_ctzll(bytes);

        *byte_of(pieces, at) = from[at];
    }
}
