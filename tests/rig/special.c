/* The instructions the machine plays itself: registers of the PMU and the machine, waiting, and what the emulator lacks. */
#include <Zydis/Zydis.h>
#include <string.h>

#include "exec.h"
#include "firmware.h"
#include "instruction.h"
#include "machine.h"

#define FLAG_CF 0x001u
#define FLAG_ZF 0x040u
#define FLAG_ARITHMETIC 0x8d5u
#define CR4_TSD 0x004u
#define CR4_PCE 0x100u
#define GP 13
#define UD 6

typedef const struct instruction insn;

static uint64_t following(insn *instruction)
{
    return instruction->address + instruction->length;
}

static void done(struct core *core, insn *instruction)
{
    core->rip = following(instruction);
    core_account(core, instruction, core->rip, END_NEXT, NULL, 0);
}

static void fault(struct core *core, insn *instruction, unsigned vector)
{
    uint64_t handler = trap_deliver(core, vector, vector == GP ? 0 : NO_ERROR_CODE, instruction->address, false);

    core_account(core, instruction, handler, END_FAULT, NULL, 0);
    core->rip = handler;
}

static void set_pair(struct core *core, uint64_t value)
{
    core_set_register(core, UC_X86_REG_RAX, (uint32_t)value);
    core_set_register(core, UC_X86_REG_RDX, value >> 32);
}

void core_unsupported(struct core *core, insn *instruction)
{
    char bytes[3 * INSTRUCTION_BYTES + 1] = "";
    unsigned length = instruction->length > 1 ? instruction->length : INSTRUCTION_BYTES - 1;

    for (unsigned i = 0; i < length; i++)
        snprintf(bytes + 3 * i, sizeof bytes - 3 * i, " %02x", instruction->bytes[i]);
    machine_end(core->machine, 1, "processor %u: the emulator cannot execute the instruction at 0x%llx:%s", core->index,
                (unsigned long long)instruction->address, bytes);
}

static void read_msr(struct core *core, insn *instruction)
{
    uint32_t msr = (uint32_t)core_register(core, UC_X86_REG_RCX);
    uint64_t value = 0;
    enum access_result result;

    if (trap_cpl(core) > 0) {
        fault(core, instruction, GP);
        return;
    }
    model_drain(core->model);
    result = machine_rdmsr(core, msr, &value);
    if (result == ACCESS_NOT_MINE)
        result = pmu_rdmsr(core->pmu, msr, &value);
    if (result != ACCESS_OK) {
        fault(core, instruction, GP);
        return;
    }
    set_pair(core, value);
    done(core, instruction);
}

/* The WRMSR itself has retired when the write takes effect: it is not counted by what it enables, and is by what it
 * disables. A write that faults leaves every register as it was, and is not told from one that retires until then. */
static void write_msr(struct core *core, insn *instruction)
{
    uint32_t msr = (uint32_t)core_register(core, UC_X86_REG_RCX);
    uint64_t value = (core_register(core, UC_X86_REG_RAX) & UINT32_MAX) | core_register(core, UC_X86_REG_RDX) << 32;
    enum access_result result;

    if (trap_cpl(core) > 0) {
        fault(core, instruction, GP);
        return;
    }
    result = machine_wrmsr(core, msr, value);
    if (result == ACCESS_NOT_MINE) {
        done(core, instruction);
        if (core->long_mode)
            model_drain(core->model);
        result = pmu_wrmsr(core->pmu, msr, value);
        if (result != ACCESS_OK)
            core->rip = trap_deliver(core, GP, 0, instruction->address, false);
        return;
    }
    if (result == ACCESS_OK)
        done(core, instruction);
    else
        fault(core, instruction, GP);
}

static void read_counter(struct core *core, insn *instruction)
{
    uint64_t value = 0;

    model_drain(core->model);
    if (pmu_rdpmc(core->pmu, (uint32_t)core_register(core, UC_X86_REG_RCX), trap_cpl(core), core->cr4 & CR4_PCE, &value) !=
        ACCESS_OK) {
        fault(core, instruction, GP);
        return;
    }
    set_pair(core, value);
    done(core, instruction);
}

static void identify(struct core *core, insn *instruction)
{
    struct cpuid_result result = pmu_cpuid(core->pmu, (uint32_t)core_register(core, UC_X86_REG_RAX),
                                           (uint32_t)core_register(core, UC_X86_REG_RCX), core->cr4);

    core_set_register(core, UC_X86_REG_RAX, result.eax);
    core_set_register(core, UC_X86_REG_RBX, result.ebx);
    core_set_register(core, UC_X86_REG_RCX, result.ecx);
    core_set_register(core, UC_X86_REG_RDX, result.edx);
    done(core, instruction);
}

static void read_tsc(struct core *core, insn *instruction, bool with_aux)
{
    if (core->cr4 & CR4_TSD && trap_cpl(core) > 0) {
        fault(core, instruction, GP);
        return;
    }
    if (with_aux && core->long_mode) { /* RDTSCP waits for everything before it */
        model_drain(core->model);
        core_set_register(core, UC_X86_REG_RCX, core->tsc_aux);
    }
    set_pair(core, pmu_tsc(core->pmu));
    done(core, instruction);
}

static void halt(struct core *core, insn *instruction)
{
    if (trap_cpl(core) > 0) {
        fault(core, instruction, GP);
        return;
    }
    done(core, instruction);
    if (core->long_mode)
        model_drain(core->model);
    core->state = CORE_HALTED;
}

static void monitor(struct core *core, insn *instruction)
{
    uint64_t address = core_register(core, UC_X86_REG_RAX);
    struct access access = {address, 1, false};

    if (core_register(core, UC_X86_REG_RCX)) {
        fault(core, instruction, GP);
        return;
    }
    if (!core->armed)
        core->machine->armed++;
    core->armed = true;
    core->monitor = address >> 6;
    core->rip = following(instruction);
    core_account(core, instruction, core->rip, END_NEXT, &access, 1);
}

static void mwait(struct core *core, insn *instruction)
{
    core->mwait_break = core_register(core, UC_X86_REG_RCX) & 1;
    done(core, instruction);
    if (core->armed) {
        model_drain(core->model);
        core->state = CORE_MWAIT;
    }
}

static void pause_turn(struct core *core, insn *instruction)
{
    done(core, instruction);
    core->yielding = core->long_mode;
}

/* xorshift64*: a random generator that says the same in every run. */
static uint64_t draw(struct core *core)
{
    core->random ^= core->random >> 12;
    core->random ^= core->random << 25;
    core->random ^= core->random >> 27;
    return core->random * UINT64_C(0x2545f4914f6cdd1d);
}

/* ---- instructions of which the emulator knows nothing: operands by Zydis ---- */

struct operands {
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];
    ZydisRegisterContext registers;
};

static int engine_register(ZydisRegister reg)
{
    static const int ids[16] = {UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX, UC_X86_REG_RSP, UC_X86_REG_RBP,
                                UC_X86_REG_RSI, UC_X86_REG_RDI, UC_X86_REG_R8, UC_X86_REG_R9, UC_X86_REG_R10, UC_X86_REG_R11,
                                UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15};

    return ids[ZydisRegisterGetId(reg) & 15];
}

static bool operands_of(struct core *core, insn *instruction, struct operands *operands)
{
    ZydisDecoder decoder;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!core->long_mode || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, instruction->bytes, instruction->length,
                                                                &operands->decoded, operands->list)))
        return false;
    for (unsigned i = 0; i < 16; i++) {
        ZydisRegister reg = ZydisRegisterEncode(ZYDIS_REGCLASS_GPR64, (ZyanU8)i);

        operands->registers.values[reg] = core_register(core, engine_register(reg));
    }
    return true;
}

static uint64_t narrow(uint64_t value, unsigned bits)
{
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* Memory operands are identity-mapped; false when the place is not RAM or not mapped. */
static bool locate(struct core *core, insn *instruction, const struct operands *operands, const ZydisDecodedOperand *operand,
                   struct access *access, void **place)
{
    ZyanU64 address;
    unsigned shift;
    uint64_t entry;

    if (operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&operands->decoded, operand, instruction->address, &operands->registers, &address)) ||
        !paging_walk(core, address, &shift, &entry))
        return false;
    access->address = address;
    access->size = (uint8_t)(operand->size / 8);
    *place = memory_at(&core->machine->memory, address, access->size);
    return *place != NULL;
}

static void write_register(struct core *core, const ZydisDecodedOperand *operand, uint64_t value)
{
    int id = engine_register(operand->reg.value);

    if (operand->size == 16)
        value = (core_register(core, id) & ~UINT64_C(0xffff)) | (value & 0xffff);
    else
        value = narrow(value, operand->size);
    core_set_register(core, id, value);
}

/* POPCNT and MOVBE: one source, one destination, either of which may be memory. */
static void transfer(struct core *core, insn *instruction)
{
    struct operands operands;
    struct access access = {0, 0, false};
    unsigned count = 0;
    void *place = NULL;
    uint64_t value = 0;

    if (!operands_of(core, instruction, &operands)) {
        core_unsupported(core, instruction);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (operands.list[i].type != ZYDIS_OPERAND_TYPE_MEMORY)
            continue;
        if (!locate(core, instruction, &operands, &operands.list[i], &access, &place)) {
            core_unsupported(core, instruction);
            return;
        }
        access.write = i == 0;
        count = 1;
    }
    if (place && !access.write)
        memcpy(&value, place, access.size);
    else
        value = narrow(core_register(core, engine_register(operands.list[1].reg.value)), operands.list[1].size);
    if (instruction->kind == KIND_POPCNT) {
        uint64_t flags = core_register(core, UC_X86_REG_EFLAGS) & ~(uint64_t)FLAG_ARITHMETIC;

        core_set_register(core, UC_X86_REG_EFLAGS, flags | (value ? 0 : FLAG_ZF));
        value = (uint64_t)__builtin_popcountll(value);
    } else {
        value = __builtin_bswap64(value) >> (64 - operands.list[0].size);
    }
    if (place && access.write) {
        memcpy(place, &value, access.size);
        core_wrote(core, access.address, access.size);
    } else {
        if (count)
            core_touched(core, access.address, access.size, false);
        write_register(core, &operands.list[0], value);
    }
    core->rip = following(instruction);
    core_account(core, instruction, core->rip, END_NEXT, &access, count);
}

static void to_register(struct core *core, insn *instruction)
{
    struct operands operands;

    if (!operands_of(core, instruction, &operands)) {
        core_unsupported(core, instruction);
        return;
    }
    if (instruction->kind == KIND_RANDOM) {
        uint64_t flags = core_register(core, UC_X86_REG_EFLAGS) & ~(uint64_t)FLAG_ARITHMETIC;

        core_set_register(core, UC_X86_REG_EFLAGS, flags | FLAG_CF);
        write_register(core, &operands.list[0], draw(core));
    } else {
        write_register(core, &operands.list[0], core->tsc_aux);
    }
    done(core, instruction);
}

static void flush(struct core *core, insn *instruction)
{
    struct operands operands;
    struct access access = {0, 0, false};
    void *place;

    if (!operands_of(core, instruction, &operands) ||
        !locate(core, instruction, &operands, &operands.list[0], &access, &place)) {
        core_unsupported(core, instruction);
        return;
    }
    core->rip = following(instruction);
    core_account(core, instruction, core->rip, END_NEXT, &access, 1);
}

static void software_interrupt(struct core *core, insn *instruction)
{
    uint64_t handler = trap_deliver(core, instruction->vector, NO_ERROR_CODE, following(instruction), true);

    core_account(core, instruction, handler, END_NEXT, NULL, 0);
    core->rip = handler;
}

void core_special(struct core *core, insn *instruction)
{
    switch ((enum instruction_kind)instruction->kind) {
    case KIND_FIRMWARE: firmware_call(core); break;
    case KIND_RDMSR: read_msr(core, instruction); break;
    case KIND_WRMSR: write_msr(core, instruction); break;
    case KIND_RDPMC: read_counter(core, instruction); break;
    case KIND_CPUID: identify(core, instruction); break;
    case KIND_RDTSC: read_tsc(core, instruction, false); break;
    case KIND_RDTSCP: read_tsc(core, instruction, true); break;
    case KIND_HLT: halt(core, instruction); break;
    case KIND_PAUSE: pause_turn(core, instruction); break;
    case KIND_MONITOR: monitor(core, instruction); break;
    case KIND_MWAIT: mwait(core, instruction); break;
    case KIND_FLUSH: flush(core, instruction); break;
    case KIND_POPCNT:
    case KIND_MOVBE: transfer(core, instruction); break;
    case KIND_RANDOM:
    case KIND_RDPID: to_register(core, instruction); break;
    case KIND_INT: software_interrupt(core, instruction); break;
    case KIND_UNDEFINED: fault(core, instruction, UD); break;
    case KIND_ORDINARY:
    case KIND_UNSUPPORTED: core_unsupported(core, instruction); break;
    }
}
