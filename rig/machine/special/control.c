/* Rules of instructions that the emulator runs without asking: which values control registers
 * take, and which operands must be aligned. SDM 2B, "MOV - Move to/from Control Registers"; SDM 3A,
 * "Control Registers". */
#include "inside.h"
#include "decoding.h"
#include "device/xapic.h"
#include "machine/engine/identify.h"
#include "machine/engine/engine.h"
#include "machine/engine/instruction.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "pmu/pmu.h"
#include "special.h"

#define CR0_NW         0x20000000u
#define CR0_CD         0x40000000u
#define CR3_PCID       0xfffu
#define CR4_PAE        0x20u
#define CR4_BASE       0x7ffu /* VME to OSXMMEXCPT: every processor in 64-bit mode has them */
#define CR4_LA57       (UINT64_C(1) << 12)
#define CR4_PCIDE      (UINT64_C(1) << 17)
#define CR3_KEEP       (UINT64_C(1) << 63) /* with PCIDE: translations stay */
#define CR8_TPR        0xfu
#define EXTENDED       0x80000000u
#define LEAF_ADDRESSES 0x80000008u

/* Bits of CR4 that CPUID announces, in subleaf 0 of the leaf. */
static const struct {
    uint8_t bit;
    struct cpuid_bit announced;
} features[] = {
    {11, {7, CPUID_ECX, 2}},  /* UMIP */
    {12, {7, CPUID_ECX, 16}}, /* LA57 */
    {13, {1, CPUID_ECX, 5}},  /* VMXE */
    {14, {1, CPUID_ECX, 6}},  /* SMXE */
    {16, {7, CPUID_EBX, 0}},  /* FSGSBASE */
    {17, {1, CPUID_ECX, 17}}, /* PCIDE */
    {18, {1, CPUID_ECX, 26}}, /* OSXSAVE */
    {19, {7, CPUID_ECX, 23}}, /* KL */
    {20, {7, CPUID_EBX, 7}},  /* SMEP */
    {21, {7, CPUID_EBX, 20}}, /* SMAP */
    {22, {7, CPUID_ECX, 3}},  /* PKE */
    {23, {7, CPUID_ECX, 7}},  /* CET, with shadow stacks */
    {23, {7, CPUID_EDX, 20}}, /* or with branch tracking */
    {24, {7, CPUID_ECX, 31}}, /* PKS */
    {25, {7, CPUID_EDX, 5}},  /* UINTR */
};

static uint64_t features_of_cr4(const struct core *core)
{
    uint64_t bits = CR4_BASE;

    for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
        if (core_offers(core, &features[i].announced))
            bits |= UINT64_C(1) << features[i].bit;
    return bits;
}

static bool takes_cr0(const struct core *core, uint64_t value)
{
    return value >> 32 == 0 && value & CR0_PE && value & CR0_PG &&
           !(value & CR0_NW && !(value & CR0_CD)) && !(core->cr4 & CR4_CET && !(value & CR0_WP));
}

/* SDM 3A, "Enumeration of Paging Features by CPUID": bits of a physical address; without the leaf
 * 36, since every processor of the rig has PAE. */
static unsigned address_width(const struct core *core)
{
    if (core_cpuid(core, EXTENDED, 0).eax < LEAF_ADDRESSES)
        return 36;
    return core_cpuid(core, LEAF_ADDRESSES, 0).eax & 0xff;
}

static bool takes_cr3(const struct core *core, uint64_t value)
{
    const unsigned width = address_width(core);

    if (core->cr4 & CR4_PCIDE)
        value &= ~CR3_KEEP;
    return value >> width == 0;
}

static bool takes_cr4(const struct core *core, uint64_t value)
{
    const uint64_t old = core_register(core, UC_X86_REG_CR4), risen = value & ~old;

    return !(value & ~features_of_cr4(core)) && value & CR4_PAE && !((value ^ old) & CR4_LA57) &&
           !(risen & CR4_PCIDE && core_register(core, UC_X86_REG_CR3) & CR3_PCID) &&
           !(value & CR4_CET && !(core->cr0 & CR0_WP));
}

static bool takes(const struct core *core, ZydisRegister target, uint64_t value)
{
    switch (target) {
    case ZYDIS_REGISTER_CR0:
        return takes_cr0(core, value);
    case ZYDIS_REGISTER_CR3:
        return takes_cr3(core, value);
    case ZYDIS_REGISTER_CR4:
        return takes_cr4(core, value);
    default:
        return true;
    }
}

/* The general register that the instruction moves. */
static uint64_t moved(const struct core *core, const struct decoding *decoding)
{
    const ZydisRegister source = decoding->operand[1].reg.value;

    return core_register(core, engine_general((unsigned)ZydisRegisterGetId(source)));
}

/* In 32-bit code, which only the processors' way to 64 bits is, and in rings above 0 the emulator's
 * rules hold. */
bool special_control_is_taken(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);

    return decoding == NULL || trap_cpl(core) > 0 ||
           takes(core, decoding->operand[0].reg.value, moved(core, decoding));
}

/* CR8 is the upper half of the local APIC's task priority. SDM 3A, "Task Priority in IA-32e Mode".
 */
void play_priority(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    uint64_t value;
    int general;

    if (decoding == NULL) {
        special_unsupported(core, instruction);
        return;
    }
    if (decoding->operand[0].reg.value == ZYDIS_REGISTER_CR8) {
        value = moved(core, decoding);
        if (trap_cpl(core) > 0 || value & ~(uint64_t)CR8_TPR) {
            special_fault(core, instruction, EXCEPTION_GP);
            return;
        }
        xapic_write_cr8(&core->apic, (uint8_t)value);
    } else {
        if (trap_cpl(core) > 0) {
            special_fault(core, instruction, EXCEPTION_GP);
            return;
        }
        general = engine_general((unsigned)ZydisRegisterGetId(decoding->operand[0].reg.value));
        core_set_register(core, general, xapic_read_cr8(&core->apic));
    }
    special_done(core, instruction);
}

bool special_is_aligned(struct core *core, const struct instruction *instruction)
{
    const struct decoding *decoding = decoding_of(core, instruction);
    uint64_t address = 0;

    for (unsigned i = 0; decoding != NULL && i < decoding->instruction.operand_count_visible; i++)
        if (decoding->operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            (void)operand_address(core, instruction, &decoding->instruction, &decoding->operand[i],
                                  &address);
    return address % 16 == 0;
}
