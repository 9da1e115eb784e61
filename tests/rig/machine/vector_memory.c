/* The memory operand of an instruction that the emulator has not: where it is, and the faults on
 * the way there. SDM 3A, "4-Level Paging", "Access Rights", "Accessed and Dirty Flags"; SDM 2A,
 * "Exception Type", AVX types 1 to 6. */
#include <string.h>

#include "exec.h"
#include "instruction.h"
#include "machine.h"

#define PAGE_MASK   UINT64_C(0xfff)
#define PTE_PRESENT 0x01u
#define PTE_WRITE   0x02u
#define PTE_USER    0x04u
#define PTE_USED    0x20u
#define PTE_DIRTY   0x40u
#define PTE_LARGE   0x80u
#define PTE_ADDRESS UINT64_C(0x000ffffffffff000)
#define CR0_WP      0x10000u
#define SS          12
#define GP          13
#define PF          14

enum page_error { PF_PRESENT = 1, PF_WRITE = 2, PF_USER = 4 };

int operand_register(unsigned id)
{
    static const int ids[16] = {UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX,
                                UC_X86_REG_RSP, UC_X86_REG_RBP, UC_X86_REG_RSI, UC_X86_REG_RDI,
                                UC_X86_REG_R8,  UC_X86_REG_R9,  UC_X86_REG_R10, UC_X86_REG_R11,
                                UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15};

    return ids[id & 15];
}

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
            const uint64_t value = core_register(core, operand_register(id));

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

struct walk {
    uint8_t *place[4]; /* the entries on the way, the leaf last */
    unsigned levels;
    uint64_t rights; /* PTE_WRITE and PTE_USER where every entry has them */
    uint64_t physical;
};

static bool walk(const struct core *core, uint64_t address, struct walk *out)
{
    uint64_t table = core->cr3 & PTE_ADDRESS, entry;

    out->levels = 0;
    out->rights = PTE_WRITE | PTE_USER;
    for (unsigned shift = 39; shift >= 12; shift -= 9) {
        const uint64_t mask = (UINT64_C(1) << shift) - 1;
        uint8_t *place =
            memory_at(&core->machine->memory, table + (address >> shift & 511) * 8, sizeof(entry));

        if (place == NULL)
            return false;
        memcpy(&entry, place, sizeof(entry));
        if (!(entry & PTE_PRESENT))
            return false;
        out->place[out->levels++] = place;
        out->rights &= entry;
        if (shift == 12 || (entry & PTE_LARGE && shift <= 30)) {
            out->physical = (entry & PTE_ADDRESS & ~mask) | (address & mask);
            return true;
        }
        table = entry & PTE_ADDRESS;
    }
    return false;
}

static bool is_permitted(const struct core *core, const struct walk *walk, bool write)
{
    const bool user = trap_cpl(core) == 3;

    if (user && !(walk->rights & PTE_USER))
        return false;
    return !write || walk->rights & PTE_WRITE || (!user && !(core->cr0 & CR0_WP));
}

static void mark(const struct walk *walk, bool write)
{
    for (unsigned i = 0; i < walk->levels; i++)
        walk->place[i][0] |=
            (uint8_t)(PTE_USED | (write && i + 1 == walk->levels ? PTE_DIRTY : 0u));
}

static void page_fault(struct core *core, const struct instruction *instruction, uint64_t address,
                       bool present, bool write)
{
    core_set_register(core, UC_X86_REG_CR2, address);
    core_fault_with(core, instruction, PF,
                    (present ? PF_PRESENT : 0) | (write ? PF_WRITE : 0) |
                        (trap_cpl(core) == 3 ? PF_USER : 0));
}

static bool is_canonical(uint64_t address)
{
    return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

/* One page's part. */
static enum operand_reach reach_page(struct core *core, const struct instruction *instruction,
                                     const struct access *access, uint64_t address, unsigned bytes,
                                     uint8_t **place)
{
    struct walk found;

    if (!walk(core, address, &found)) {
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
    mark(&found, access->write);
    return OPERAND_REACHED;
}

enum operand_reach operand_reach(struct core *core, const struct instruction *instruction,
                                 const struct access *access, const struct operand_place *how,
                                 struct operand_pieces *pieces)
{
    const uint64_t last = access->address + access->size - 1u;
    const unsigned room = (unsigned)(PAGE_MASK + 1 - (access->address & PAGE_MASK));
    enum operand_reach reached;

    if (!is_canonical(access->address) || !is_canonical(last)) {
        core_fault_with(core, instruction, how->stack ? SS : GP, 0);
        return OPERAND_FAULTED;
    }
    if (how->aligned && access->address % access->size) {
        core_fault_with(core, instruction, GP, 0);
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
    const unsigned room = (unsigned)(PAGE_MASK + 1 - (access->address & PAGE_MASK));
    const struct operand_place part = {.stack = how->stack};

    if (bytes == ones(access->size))
        return operand_reach(core, instruction, access, how, pieces);
    if (how->aligned && access->address % access->size) {
        core_fault_with(core, instruction, GP, 0);
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

/* Nearly always all of it, from the first byte on. */
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
