/* Ivy Bridge: registers, CPUID and events.
 *
 * Event encodings and the counters that can count them: the vendor's public event list for this
 * part (ivybridge_core V24). Registers: SDM 4, tables for 06_3AH and "Architectural MSRs". The part
 * played is a 3.4 GHz one that holds 3.7 GHz, so that the reference clocks never agree with the
 * core's by accident. */
#include "pmu/personality.h"
#include "pmu/parameters.h"
#include "ivybridge_haswell.h"
#include "responses.h"
#include "access_events.h"

extern const struct model_parameters ivybridge_core;

/* clang-format off */
static const struct pmu_event events[] = {
    IVYBRIDGE_HASWELL_EVENTS,

    /* slots: issue, retirement, clears */
    { 0xc1, 0x80, ANY8, false, COUNTS(ASSISTS), "OTHER_ASSISTS.ANY_WB_ASSIST" },

    /* front end */
    { 0x85, 0x02, ANY8, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },
    { 0x85, 0x10, ANY8, false, COUNTS(ITLB_STLB_HITS), "ITLB_MISSES.STLB_HIT" },

    /* execution */
    { 0xb1, 0x01, ANY8, false, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.THREAD" },
    { 0x14, 0x01, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.FPU_DIV_ACTIVE" },
    { 0xa3, 0x04, LOW4, false, COUNTS_TIMES(STALL_TOTAL, 4), "CYCLE_ACTIVITY.STALLS_TOTAL" },
    { 0xa3, 0x06, LOW4, false, COUNTS_TIMES(STALL_MEM_ANY, 6), "CYCLE_ACTIVITY.STALLS_MEM_ANY" },
    { 0xa3, 0x0c, ONLY2, false, COUNTS_TIMES(STALL_L1D_MISS, 12),
      "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x05, LOW4, false, COUNTS_TIMES(STALL_L2_MISS, 5), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa1, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED_PORT.PORT_0" },
    { 0xa1, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED_PORT.PORT_1" },
    { 0xa1, 0x0c, ANY8, false, COUNTS(PORT_2), "UOPS_DISPATCHED_PORT.PORT_2" },
    { 0xa1, 0x30, ANY8, false, COUNTS(PORT_3), "UOPS_DISPATCHED_PORT.PORT_3" },
    { 0xa1, 0x40, ANY8, false, COUNTS(PORT_4), "UOPS_DISPATCHED_PORT.PORT_4" },
    { 0xa1, 0x80, ANY8, false, COUNTS(PORT_5), "UOPS_DISPATCHED_PORT.PORT_5" },

    /* FP_COMP_OPS_EXE and SIMD_FP_256 count what executes, which here is what retires. */
    { 0x10, 0x01, ANY8, false, COUNTS(X87_EXECUTED), "FP_COMP_OPS_EXE.X87" },
    { 0x10, 0x10, ANY8, false, COUNTS(FP_PACKED_DOUBLE), "FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE" },
    { 0x10, 0x20, ANY8, false, COUNTS(FP_SCALAR_SINGLE), "FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE" },
    { 0x10, 0x40, ANY8, false, COUNTS(FP_PACKED_SINGLE), "FP_COMP_OPS_EXE.SSE_PACKED_SINGLE" },
    { 0x10, 0x80, ANY8, false, COUNTS(FP_SCALAR_DOUBLE), "FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE" },
    { 0x11, 0x01, ANY8, false, COUNTS(FP_256_SINGLE), "SIMD_FP_256.PACKED_SINGLE" },
    { 0x11, 0x02, ANY8, false, COUNTS(FP_256_DOUBLE), "SIMD_FP_256.PACKED_DOUBLE" },

    /* memory */
    { 0x48, 0x02, ANY8, false, COUNTS(FILL_BUFFER_WAITS), "L1D_PEND_MISS.FB_FULL" },
    { 0x24, 0x08, ANY8, false, COUNTS(RFO_L2_MISSES), "L2_RQSTS.RFO_MISS" },
    { 0x24, 0x04, ANY8, false, COUNTS(RFO_L2_HITS), "L2_RQSTS.RFO_HIT" },
    { 0x24, 0x0c, ANY8, false, COUNTS_BOTH(RFO_L2_HITS, RFO_L2_MISSES), "L2_RQSTS.ALL_RFO" },
    { 0xd2, 0x01, LOW4, false, COUNTS(NEVER), "MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_MISS" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HIT" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HITM" },
    { 0x08, 0x84, ANY8, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_DURATION" },
    { 0x5f, 0x04, ANY8, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x49, 0x04, ANY8, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_DURATION" },
    { 0x49, 0x10, ANY8, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
    { 0x85, 0x04, ANY8, false, COUNTS(CODE_WALK_ACTIVE), "ITLB_MISSES.WALK_DURATION" },
    { 0xd1, 0x04, LOW4, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_UOPS_RETIRED.LLC_HIT" },
    { 0xd1, 0x20, LOW4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_UOPS_RETIRED.LLC_MISS" },
    { 0x08, 0x81, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK" },
    { 0x08, 0x82, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x02, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
};
/* clang-format on */

static const struct precise_event precise[] = {
    IVYBRIDGE_HASWELL_PRECISE,
    {0xcd, 0x02},
};

#define ALL_BITS UINT64_MAX

/* clang-format off */
static const struct msr_fact msrs[] = {
    { .address = 0x017, .read_only = true }, /* IA32_PLATFORM_ID */
    /* IA32_BIOS_SIGN_ID */
    { .address = 0x08b, .reset = UINT64_C(0x21) << 32, .ignored = ALL_BITS },
    /* MSR_PLATFORM_INFO: 34, 8 */
    { .address = 0x0ce, .read_only = true, .reset = UINT64_C(0x80000002200) },
    { .address = 0x198, .read_only = true, .reset = 0x2500 }, /* IA32_PERF_STATUS */
    { .address = 0x199, .reset = 0x2500, .writable = UINT64_C(0x10000ffff) }, /* IA32_PERF_CTL */
    /* IA32_THERM_STATUS: 40 below, valid */
    { .address = 0x19c, .reset = 0x88280000, .ignored = UINT32_MAX },
    /* IA32_MISC_ENABLE: fast strings, TM1, counters, EIST, MONITOR */
    { .address = 0x1a0, .reset = 0x50089, .writable = UINT64_C(0x4000850009), .ignored = 0x1880 },
    { .address = 0x1a2, .read_only = true, .reset = 0x690000 }, /* MSR_TEMPERATURE_TARGET: 105 */
    { .address = 0x1a4, .writable = 0xf }, /* MSR_MISC_FEATURE_CONTROL */
    { .address = 0x1a6, .writable = UINT64_C(0x3fffff8fff) }, /* MSR_OFFCORE_RSP_0 */
    { .address = 0x1a7, .writable = UINT64_C(0x3fffff8fff) }, /* MSR_OFFCORE_RSP_1 */
    { .address = 0x1ad, .read_only = true, .reset = 0x25262727 }, /* MSR_TURBO_RATIO_LIMIT */
    /* IA32_PACKAGE_THERM_STATUS */
    { .address = 0x1b1, .reset = 0x00280000, .ignored = UINT32_MAX },
    { .address = 0x1fc, .writable = 0x2 }, /* MSR_POWER_CTL: C1E */
    { .address = 0x3f6, .writable = 0xffff }, /* MSR_PEBS_LD_LAT */
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 3, .level = 2, .ways = 8, .sets = 512 },                   /* 256 KiB */
    { .type = 3, .level = 3, .ways = 16, .sets = 2048, .package = true }, /* 2 MiB a core */
};
/* clang-format on */

/* Hidden because the emulator under the machine has them not, or not rightly: vector extensions
 * from SSSE3 on, POPCNT, XSAVE, RDRAND, FSGSBASE, VMX, SMEP, PCID. */
/* clang-format off */
static const struct cpuid_fact cpuid[] = {
    /* SSE3, DTES64, MONITOR, DS-CPL, EST, TM2, CX16, xTPR, PDCM, x2APIC, TSC deadline,
     * XSAVE, AVX, hypervisor */
    { .leaf = 0x1, .ecx = 0x9520e19d, .edx = 0xafebfbff },
    { .leaf = 0x2, .eax = 0x76035a01, .ebx = 0x00f0b2ff, .edx = 0x00ca0000 },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x1120 },
    { .leaf = 0x6, .eax = 0x77, .ebx = 0x2, .ecx = 0x9 },
    { .leaf = 0x7, .ebx = 0x200 }, /* ERMS */
    { .leaf = 0xd, .eax = 0x7, .ecx = 0x340 }, /* register state: x87, SSE, AVX */
    { .leaf = 0xd, .subleaf = 1, .eax = 0x1 }, /* XSAVEOPT */
    { .leaf = 0xd, .subleaf = 2, .eax = 0x100, .ebx = 0x240 },
    { .leaf = 0x80000001, .ecx = 0x1, .edx = 0x28100800 },
    { .leaf = 0x80000006, .ecx = 0x01006040 },
    { .leaf = 0x80000007, .edx = 0x100 },
    { .leaf = 0x80000008, .eax = 0x3024 },
};

static const struct pmu_parameters pmu = {
    .core_mhz = 3700, .tsc_mhz = 3400, .crystal_mhz = 100, .max_mhz = 3700, .bus_mhz = 100,
    .version = 3,
    .gp_alone = 8, .gp_smt = 4,
    .fixed = 3,
    .width = 48,
    .architectural_events = 7,
    .anythread = true,
    .evtsel_writable = 0xffdfffff,
    .status_writable = UINT64_C(0xe000000000000000), /* 61 to 63 */
    /* LBR format 3, PEBS format 1, trap and registers, SMM freeze, full-width writes */
    .capabilities = 0x31c3,
    .debugctl_writable = 0x7fc3,
    .fixed_source = { COUNTS(INSTRUCTIONS), COUNTS(UNHALTED), COUNTS_TICKS(PER_TSC_TICK) },
    .events = events, .event_count = sizeof(events) / sizeof(events[0]),
    .response_code = { 0xb7, 0xbb }, RESPONSES,
    .lbr = { .depth = 16, .format = LBR_FORMAT_EIP_FLAGS, .from = 0x680, .to = 0x6c0,
             .select_writable = 0x1ff },
    .access_events = ivybridge_access_events, .access_event_count = ACCESS_EVENTS_IVYBRIDGE,
    .offcore = CLIENT_OFFCORE,
    .pebs = { .data_source = &ivybridge_source,
              .enable_writable = UINT64_C(0x8000000f0000000f),
              .distributed = 1u << 1, .distributed_event = { 0xc0, 0x01 },
              .precise = precise, .precise_count = sizeof(precise) / sizeof(precise[0]) },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = sizeof(msrs) / sizeof(msrs[0]),
    .signature = 0x306a9,
    .brand = "Intel(R) Core(TM) i7-3770 CPU @ 3.40GHz",
    .max_leaf = 0xd,
    .caches = caches, .cache_count = sizeof(caches) / sizeof(caches[0]),
    .cpuid = cpuid, .cpuid_count = sizeof(cpuid) / sizeof(cpuid[0]),
};

static const struct personality ivybridge = {
    .name = "ivybridge",
    .title = "Ivy Bridge, 06_3AH stepping 9: 4 slots, counters version 3, LBR of 16, SMT",
    .omitted =
        "no cost of BTS records; load latency follows one load at a time, in program order, "
        "and its data source does not tell the copy of another core from that of L3; no uncore "
        "counters, no energy registers, no "
        "SMI, machine check or thermal event; one constant frequency; " OMITTED_VECTORS
        "SSSE3, SSE4, F16C, VMX, SMEP and RDRAND are hidden; IA32_TSC_ADJUST is there "
        "although CPUID does not announce it; events without a signal in the model (off- "
        "core response by snoop, executed branches and more) count nothing and are named at "
        "the end; "
        "assists but for small products do not occur; what the erratum lists say of events that count "
        "wrongly with two threads is not played; with two threads a core each has whole "
        "TLBs of its own, and what includes the sibling (ANY, UOPS_EXECUTED.CORE) counts "
        "nothing while its own thread is halted",
    .core = &ivybridge_core,
    .pmu = &pmu,
};
/* clang-format on */
PERSONALITY(ivybridge);
