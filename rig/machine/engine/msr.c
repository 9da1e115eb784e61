/* Registers that the emulator has are read and written there. */
#include "msr.h"

#include "cet.h"
#include "device/xapic.h"
#include "engine.h"
#include "paging.h"
#include "registers.h"
#include "state.h"

#define MSR_MTRRCAP         0xfeu
#define MSR_SYSENTER_CS     0x174u
#define MSR_SYSENTER_EIP    0x176u
#define MSR_MTRR_PHYS_FIRST 0x200u
#define MSR_MTRR_PHYS_LAST  0x20fu
#define MSR_PAT             0x277u
#define MSR_MTRR_DEF_TYPE   0x2ffu
#define MSR_FS_BASE         0xc0000100u
#define MSR_KERNEL_GS_BASE  0xc0000102u
#define MSR_TSC_AUX         0xc0000103u
/* LMA is read only. */
#define EFER_WRITABLE ((uint64_t)(EFER_SCE | EFER_LME | EFER_LMA | EFER_NXE))

/* The ranges of the fixed MTRRs. */
static bool is_fixed_mtrr(uint32_t msr)
{
    return msr == 0x250 || msr == 0x258 || msr == 0x259 || (msr >= 0x268 && msr <= 0x26f);
}

static bool is_mtrr(uint32_t msr)
{
    return (msr >= MSR_MTRR_PHYS_FIRST && msr <= MSR_MTRR_PHYS_LAST) || is_fixed_mtrr(msr) ||
           msr == MSR_MTRR_DEF_TYPE;
}

static bool is_apic(uint32_t msr)
{
    return msr == MSR_APIC_BASE || msr == MSR_TSC_DEADLINE ||
           (msr >= MSR_X2APIC_FIRST && msr <= MSR_X2APIC_LAST);
}

static bool is_address(uint32_t msr)
{
    return (msr > MSR_SYSENTER_CS && msr <= MSR_SYSENTER_EIP) ||
           (msr >= MSR_LSTAR && msr < MSR_FMASK) ||
           (msr >= MSR_FS_BASE && msr <= MSR_KERNEL_GS_BASE);
}

static bool is_engine(uint32_t msr)
{
    return (msr >= MSR_SYSENTER_CS && msr <= MSR_SYSENTER_EIP) || msr == MSR_PAT || is_mtrr(msr) ||
           (msr >= MSR_EFER && msr <= MSR_FMASK) ||
           (msr >= MSR_FS_BASE && msr <= MSR_KERNEL_GS_BASE);
}

static bool is_memory_type(uint64_t type)
{
    return type <= 7 && type != 2 && type != 3;
}

static bool are_types(uint64_t value, bool uncached_minus)
{
    for (unsigned i = 0; i < 8; i++)
        if (!is_memory_type(value >> 8 * i & 0xff) ||
            (!uncached_minus && (value >> 8 * i & 0xff) == 7))
            return false;
    return true;
}

enum access_result core_rdmsr(struct core *core, uint32_t msr, uint64_t *value)
{
    if (is_apic(msr))
        return xapic_rdmsr(&core->apic, msr, value);
    if (msr == MSR_TSC_AUX) {
        *value = core->tsc_aux;
        return ACCESS_OK;
    }
    if (msr == MSR_MTRRCAP) {
        *value = 0x508; /* eight variable ranges, fixed ranges, write combining */
        return ACCESS_OK;
    }
    if (!is_engine(msr))
        return cet_rdmsr(core, msr, value);
    *value = engine_msr(core, msr);
    return ACCESS_OK;
}

static enum access_result write_efer(struct core *core, uint64_t value)
{
    uc_x86_msr access = {MSR_EFER, engine_msr(core, MSR_EFER)};

    if (value & ~EFER_WRITABLE)
        return ACCESS_FAULT;
    if ((value ^ access.value) & EFER_LME && core_register(core, UC_X86_REG_CR0) & CR0_PG)
        return ACCESS_FAULT;
    access.value = (value & ~(uint64_t)EFER_LMA) | (access.value & EFER_LMA);
    uc_reg_write(core->uc, UC_X86_REG_MSR, &access);
    engine_set_efer(core, access.value); /* with the bits that the engine dropped */
    return ACCESS_OK;
}

enum access_result core_wrmsr(struct core *core, uint32_t msr, uint64_t value)
{
    uc_x86_msr access = {msr, value};

    if (is_apic(msr))
        return xapic_wrmsr(&core->apic, msr, value);
    if (msr == MSR_TSC_AUX) {
        if (value >> 32)
            return ACCESS_FAULT;
        core->tsc_aux = value;
        return ACCESS_OK;
    }
    if (msr == MSR_MTRRCAP)
        return ACCESS_FAULT;
    if (msr == MSR_EFER)
        return write_efer(core, value);
    if (!is_engine(msr))
        return cet_wrmsr(core, msr, value);
    if ((is_address(msr) && !paging_is_canonical(value)) ||
        (msr == MSR_PAT && !are_types(value, true)) ||
        (is_fixed_mtrr(msr) && !are_types(value, false)) || (msr == MSR_FMASK && value >> 32))
        return ACCESS_FAULT;
    uc_reg_write(core->uc, UC_X86_REG_MSR, &access);
    return ACCESS_OK;
}
