/* Rows that the tables of several parts share: counters of events, registers, CPUID leaves.
 *
 * Registers and leaves: SDM 4, "Architectural MSRs" and the tables of the families; SDM 2A, "CPUID
 * - CPU Identification". */
#ifndef RIG_CPU_ROWS_H
#define RIG_CPU_ROWS_H

#include "pmu/parameters.h"

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

/* The general-purpose counters that an event can use, a bit each. */
#define ANY2     0x03
#define ANY4     0x0f
#define ANY6     0x3f
#define ANY8     0xff
#define LOW4     0x0f
#define ONLY0    0x01
#define ONLY1    0x02
#define ONLY01   0x03
#define ONLY2    0x04
#define ONLY3    0x08
#define NOT0_OF8 0xfe

#define ALL_BITS UINT64_MAX

#define ICELAKE_WIDTH 5 /* slots a cycle */

/* clang-format off */

/* Registers whose contents differ from part to part. */
#define BIOS_SIGN_ID(revision) /* IA32_BIOS_SIGN_ID: revision of the microcode */ \
    { .address = 0x08b, .reset = UINT64_C(revision) << 32, .ignored = ALL_BITS }
#define PLATFORM_INFO(value) /* MSR_PLATFORM_INFO: 15:8 the TSC's ratio, 47:40 the lowest ratio */ \
    { .address = 0x0ce, .read_only = true, .reset = UINT64_C(value) }
#define PERF_STATUS_AND_CTL(value) /* IA32_PERF_STATUS and IA32_PERF_CTL: the constant ratio */ \
    { .address = 0x198, .read_only = true, .reset = (value) }, \
    { .address = 0x199, .reset = (value), .writable = UINT64_C(0x10000ffff) }
#define TEMPERATURE_TARGET(degrees) /* MSR_TEMPERATURE_TARGET */ \
    { .address = 0x1a2, .read_only = true, .reset = (degrees) << 16 }
#define MISC_FEATURE_CONTROL(bits) /* MSR_MISC_FEATURE_CONTROL: the prefetchers' switches */ \
    { .address = 0x1a4, .writable = (bits), .core = ALL_BITS }
/* SpeedStep and turbo of IA32_MISC_ENABLE */
#define MISC_ENABLE_PACKAGE UINT64_C(0x4000010000)
#define OFFCORE_RSP(bits) /* MSR_OFFCORE_RSP_0 and 1 */ \
    { .address = 0x1a6, .writable = UINT64_C(bits) }, \
    { .address = 0x1a7, .writable = UINT64_C(bits) }
#define TURBO_RATIO_LIMIT(ratios) /* MSR_TURBO_RATIO_LIMIT */ \
    { .address = 0x1ad, .read_only = true, .reset = UINT64_C(ratios) }
#define TURBO_RATIO_LIMIT_CORES(cores) /* MSR_TURBO_RATIO_LIMIT_CORES */ \
    { .address = 0x1ae, .read_only = true, .reset = UINT64_C(cores) }
#define PEBS_FRONTEND(bits) /* MSR_PEBS_FRONTEND */ \
    { .address = 0x3f7, .writable = (bits) }

/* Registers that are equal from a generation on. */
#define MSRS_SINCE_NEHALEM \
    { .address = 0x017, .read_only = true }, /* IA32_PLATFORM_ID */ \
    /* IA32_THERM_STATUS: 40 degrees below, valid */ \
    { .address = 0x19c, .reset = 0x88280000, .ignored = UINT32_MAX }, \
    /* IA32_MISC_ENABLE: fast strings, TM1, counters, EIST, MONITOR */ \
    { .address = 0x1a0, .reset = 0x50089, .writable = UINT64_C(0x4000850009), .ignored = 0x1880, \
      .package = MISC_ENABLE_PACKAGE }, \
    { .address = 0x1fc, .writable = 0x2, .package = 0x2 }, /* MSR_POWER_CTL: C1E */ \
    { .address = 0x3f6, .writable = 0xffff } /* MSR_PEBS_LD_LAT */
#define MSRS_SINCE_IVYBRIDGE \
    MSRS_SINCE_NEHALEM, \
    { .address = 0x1b1, .reset = 0x00280000, .ignored = UINT32_MAX } /* IA32_PACKAGE_THERM_STATUS */
#define MSRS_SINCE_SKYLAKE \
    MSRS_SINCE_IVYBRIDGE, \
    { .address = 0x64f, .ignored = UINT32_MAX } /* MSR_CORE_PERF_LIMIT_REASONS: none */

/* CPUID leaves, likewise. */
#define CPUID_SINCE_IVYBRIDGE \
    { .leaf = 0x6, .eax = 0x77, .ebx = 0x2, .ecx = 0x9 }, \
    { .leaf = 0x80000007, .edx = 0x100 }
#define CPUID_SINCE_HASWELL \
    CPUID_SINCE_IVYBRIDGE, \
    /* SSE3, DTES64, MONITOR, DS-CPL, EST, TM2, CX16, xTPR, PDCM, x2APIC, TSC deadline, XSAVE, */ \
    /* AVX, FMA, hypervisor */ \
    { .leaf = 0x1, .ecx = 0x9520f19d, .edx = 0xafebfbff }, \
    { .leaf = 0x80000001, .ecx = 0x1, .edx = 0x2c100800 }
#define CPUID_SINCE_SKYLAKE \
    CPUID_SINCE_HASWELL, \
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x2020 }, \
    { .leaf = 0xd, .subleaf = 1, .eax = 0x7 } /* XSAVEOPT, XSAVEC, XGETBV of what is in use */
#define CPUID_SINCE_ICELAKE \
    CPUID_SINCE_SKYLAKE, \
    { .leaf = 0x2, .eax = 0x00feff01, .ebx = 0x000000f0 }

/* Processor trace: CR3 filter, PSB and cycle packets, MTC; tables of several entries, or one region;
 * no address ranges. As recorded on Skylake, except for the ranges. */
#define CPUID_PROCESSOR_TRACE \
    { .leaf = 0x14, .eax = 0x1, .ebx = 0xb, .ecx = 0x7 }, \
    { .leaf = 0x14, .subleaf = 1, .eax = 0x02490000, .ebx = 0x003f3fff }

/* Register state that XSAVE stores: x87, SSE, AVX. */
#define CPUID_AVX_STATE \
    { .leaf = 0xd, .eax = 0x7, .ecx = 0x340 }, \
    { .leaf = 0xd, .subleaf = 2, .eax = 0x100, .ebx = 0x240 }
/* Likewise, and also opmasks, the upper halves of ZMM0 to ZMM15, ZMM16 to ZMM31. */
#define CPUID_AVX512_STATE \
    { .leaf = 0xd, .eax = 0xe7, .ecx = 0xa80 }, \
    { .leaf = 0xd, .subleaf = 2, .eax = 0x100, .ebx = 0x240 }, \
    { .leaf = 0xd, .subleaf = 5, .eax = 0x40, .ebx = 0x440 }, \
    { .leaf = 0xd, .subleaf = 6, .eax = 0x200, .ebx = 0x480 }, \
    { .leaf = 0xd, .subleaf = 7, .eax = 0x400, .ebx = 0x680 }

/* clang-format on */

#endif
