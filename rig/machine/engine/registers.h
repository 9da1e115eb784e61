/* Bits of architectural registers that several files of this room look at. SDM 3A, "System
 * Registers"; SDM 3B, "Debug Registers"; SDM 4. */
#ifndef RIG_MACHINE_ENGINE_REGISTERS_H
#define RIG_MACHINE_ENGINE_REGISTERS_H

#include <stdint.h>

#define RFLAGS_TF   0x000100u
#define RFLAGS_IF   0x000200u
#define RFLAGS_IOPL 12 /* the number of its lower bit */
#define RFLAGS_NT   0x004000u
#define RFLAGS_RF   0x010000u
#define RFLAGS_VM   0x020000u

#define CR0_PE         0x00000001u
#define CR0_TS         0x00000008u
#define CR0_WP         0x00010000u
#define CR0_PG         0x80000000u
#define CR4_TSD        UINT64_C(0x004)
#define CR4_DE         UINT64_C(0x008)
#define CR4_MCE        UINT64_C(0x040)
#define CR4_PCE        UINT64_C(0x100)
#define CR4_OSFXSR     UINT64_C(0x200)
#define CR4_OSXMMEXCPT UINT64_C(0x400)
#define CR4_OSXSAVE    (UINT64_C(1) << 18)
#define CR4_CET        (UINT64_C(1) << 23)

#define DR6_BD UINT64_C(0x2000)
#define DR6_BS UINT64_C(0x4000)
#define DR7_GD UINT64_C(0x2000)

#define MSR_EFER  0xc0000080u
#define MSR_STAR  0xc0000081u
#define MSR_LSTAR 0xc0000082u
#define MSR_FMASK 0xc0000084u

#define EFER_SCE 0x001u
#define EFER_LME 0x100u
#define EFER_LMA 0x400u
#define EFER_NXE 0x800u

/* The CPUID leaf of what XSAVE saves. */
#define CPUID_STATE_LEAF 0xdu

#endif
