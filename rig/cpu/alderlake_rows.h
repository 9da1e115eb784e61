/* What the P and the E cores of Alder Lake have in common. */
#ifndef RIG_CPU_ALDERLAKE_ROWS_H
#define RIG_CPU_ALDERLAKE_ROWS_H

#include "rows.h"

/* clang-format off */

/* Members of struct part. The rig plays a 3.2 GHz part at a constant 4.0 GHz, so that the reference
 * clocks never agree with the core clock by accident. */
#define ALDERLAKE_PART \
    .pmu.core_mhz = 4000, .pmu.tsc_mhz = 3200, .pmu.crystal_mhz = 25, .pmu.max_mhz = 4000, \
    .pmu.bus_mhz = 100, \
    .pmu.crystal_enumerated = true, \
    /* LBR is architectural, PEBS format 4 with baseline, full-width writes */ \
    .pmu.capabilities = 0x74ff, \
    .pmu.processor_trace = TRACE_BESIDE_LBR, \
    .pmu.signature = 0x90672, \
    .pmu.brand = "12th Gen Intel(R) Core(TM) i9-12900", \
    .pmu.max_leaf = 0x20, \
    /* as recorded on a Core i9-12900K and a Core i7-12700H (leaves 4 and 0BH): a P core has as many \
     * ids as a module of four E cores, and each core two of them */ \
    .pmu.core_ids = 8, .pmu.package_bits = 7, \
    /* as recorded on every core of parts with E cores (Core i9-12900K, i9-12900H): 6 general and 3 \
     * fixed counters and 7 events, which both kinds have */ \
    .pmu.common_counters = { .leaf = 0xa, .eax = 0x07300605, .ecx = 0x7, .edx = 0x8603 }

#define ALDERLAKE_MSRS \
    BIOS_SIGN_ID(0x3a), \
    PLATFORM_INFO(0x40030002000), /* 32, 4 */ \
    PERF_STATUS_AND_CTL(0x2800), /* ratio 40 */ \
    TURBO_RATIO_LIMIT(0x2828282828282828)

/* Hidden, because the emulator lacks them or emulates them wrongly: SSSE3, SSE4, F16C, POPCNT,
 * MOVBE, XSAVES, BMI, VMX, SMEP, SMAP, PCID, five-level paging. */
#define ALDERLAKE_CPUID \
    CPUID_SINCE_ICELAKE, \
    CPUID_AVX_STATE, \
    /* TSC_ADJUST, ERMS, CLFLUSHOPT, CLWB, processor trace, AVX2; hybrid, architectural LBR */ \
    { .leaf = 0x7, .ebx = 0x03800222, .edx = 0x00088000 }, \
    CPUID_PROCESSOR_TRACE, \
    { .leaf = 0x80000008, .eax = 0x3027 }

/* clang-format on */

#endif
