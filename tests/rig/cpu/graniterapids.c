/* Granite Rapids: registers, CPUID and events.
 *
 * Registers: SDM 4, tables for 06_ADH and "Architectural MSRs"; the architectural last-branch
 * records and PERF_METRICS: SDM 3B, "Last Branch Records" and "Performance Metrics". Events:
 * golden_cove.c. The part played is a 2.4 GHz one that holds 3.1 GHz, so that the reference clocks
 * never agree with the core's by accident. */
#include "pmu/personality.h"
#include "pmu/parameters.h"
#include "access_events.h"
#include "golden_cove.h"
#include "responses.h"

extern const struct model_parameters graniterapids_core;

/* graniterapids_core V1.20: what golden_cove.c leaves out. No CXL memory here. */
/* clang-format off */
static const struct pmu_event more[] = {
    GOLDEN_COVE_SERVER_EVENTS,
    { 0x2d, 0x01, LOW4, false, COUNTS(SUPERQUEUE_FULL), "XQ.FULL_CYCLES" },
    { 0xd1, 0x80, LOW4, false, COUNTS(NEVER), "MEM_LOAD_RETIRED.LOCAL_CXL_MEM" },
    { 0xd3, 0x10, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_CXL_MEM" },
    { 0xd0, 0x09, LOW4, false, COUNTS(DTLB_LOAD_STLB_HITS), "MEM_INST_RETIRED.STLB_HIT_LOADS" },
    { 0xd0, 0x0a, LOW4, false, COUNTS(DTLB_STORE_STLB_HITS), "MEM_INST_RETIRED.STLB_HIT_STORES" },
    { 0xd0, 0x11, LOW4, false, COUNTS(DTLB_LOAD_WALKS), "MEM_INST_RETIRED.STLB_MISS_LOADS" },
    { 0xd0, 0x12, LOW4, false, COUNTS(DTLB_STORE_WALKS), "MEM_INST_RETIRED.STLB_MISS_STORES" },
};
/* clang-format on */

#define ALL_BITS UINT64_MAX

/* clang-format off */
static const struct msr_fact msrs[] = {
    { .address = 0x017, .read_only = true }, /* IA32_PLATFORM_ID */
    /* IA32_BIOS_SIGN_ID */
    { .address = 0x08b, .reset = UINT64_C(0x010003f3) << 32, .ignored = ALL_BITS },
    /* MSR_PLATFORM_INFO: 24, 8 */
    { .address = 0x0ce, .read_only = true, .reset = UINT64_C(0x80030001800) },
    { .address = 0x198, .read_only = true, .reset = 0x1f00 }, /* IA32_PERF_STATUS */
    { .address = 0x199, .reset = 0x1f00, .writable = UINT64_C(0x10000ffff) }, /* IA32_PERF_CTL */
    /* IA32_THERM_STATUS: 40 below, valid */
    { .address = 0x19c, .reset = 0x88280000, .ignored = UINT32_MAX },
    /* IA32_MISC_ENABLE: fast strings, TM1, counters, EIST, MONITOR */
    { .address = 0x1a0, .reset = 0x50089, .writable = UINT64_C(0x4000850009), .ignored = 0x1880 },
    { .address = 0x1a2, .read_only = true, .reset = 0x640000 }, /* MSR_TEMPERATURE_TARGET: 100 */
    { .address = 0x1a4, .writable = 0x2f }, /* MSR_MISC_FEATURE_CONTROL: AMP is bit 5 */
    { .address = 0x1a6, .writable = UINT64_C(0x3fffffffff) }, /* MSR_OFFCORE_RSP_0 */
    { .address = 0x1a7, .writable = UINT64_C(0x3fffffffff) }, /* MSR_OFFCORE_RSP_1 */
    /* MSR_TURBO_RATIO_LIMIT */
    { .address = 0x1ad, .read_only = true, .reset = UINT64_C(0x1f1f1f1f1f1f1f1f) },
    /* IA32_PACKAGE_THERM_STATUS */
    { .address = 0x1b1, .reset = 0x00280000, .ignored = UINT32_MAX },
    { .address = 0x1fc, .writable = 0x2 }, /* MSR_POWER_CTL: C1E */
    { .address = 0x3f6, .writable = 0xffff }, /* MSR_PEBS_LD_LAT */
    { .address = 0x3f7, .writable = 0x7fff1f }, /* MSR_PEBS_FRONTEND */
    { .address = 0x64f, .ignored = UINT32_MAX }, /* MSR_CORE_PERF_LIMIT_REASONS: none */
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 12, .sets = 64 }, /* 48 KiB */
    { .type = 2, .level = 1, .ways = 16, .sets = 64 }, /* 64 KiB */
    { .type = 3, .level = 2, .ways = 16, .sets = 2048 }, /* 2 MiB */
    { .type = 3, .level = 3, .ways = 16, .sets = 4096, .package = true }, /* 4 MiB a core */
};
/* clang-format on */

/* Hidden because the emulator under the machine has them not, or not rightly: SSSE3,
 * SSE4, F16C, POPCNT, MOVBE, XSAVES, BMI, AMX, RTM, SGX, processor trace, VMX, SMEP,
 * SMAP, PCID, five-level paging. */
/* clang-format off */
static const struct cpuid_fact cpuid[] = {
    /* SSE3, DTES64, MONITOR, DS-CPL, EST, TM2, CX16, xTPR, PDCM, x2APIC, TSC deadline,
     * XSAVE, AVX, FMA, hypervisor */
    { .leaf = 0x1, .ecx = 0x9520f19d, .edx = 0xafebfbff },
    { .leaf = 0x2, .eax = 0x00feff01, .ebx = 0x000000f0 },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x2020 },
    { .leaf = 0x6, .eax = 0x77, .ebx = 0x2, .ecx = 0x9 },
    /* TSC_ADJUST, ERMS, CLFLUSHOPT, CLWB, AVX2, AVX512F, DQ, BW, VL; architectural LBR */
    { .leaf = 0x7, .ebx = 0xc1830222, .edx = 0x00080000 },
    /* register state: x87, SSE, AVX, opmasks, ZMM's upper halves, ZMM16 to ZMM31 */
    { .leaf = 0xd, .eax = 0xe7, .ecx = 0xa80 },
    { .leaf = 0xd, .subleaf = 1, .eax = 0x7 }, /* XSAVEOPT, XSAVEC, XGETBV of what is in use */
    { .leaf = 0xd, .subleaf = 2, .eax = 0x100, .ebx = 0x240 },
    { .leaf = 0xd, .subleaf = 5, .eax = 0x40, .ebx = 0x440 },
    { .leaf = 0xd, .subleaf = 6, .eax = 0x200, .ebx = 0x480 },
    { .leaf = 0xd, .subleaf = 7, .eax = 0x400, .ebx = 0x680 },
    { .leaf = 0x80000001, .ecx = 0x1, .edx = 0x2c100800 },
    { .leaf = 0x80000006, .ecx = 0x08007040 },
    { .leaf = 0x80000007, .edx = 0x100 },
    { .leaf = 0x80000008, .eax = 0x3034 },
};
/* clang-format on */

/* What the published tree refers to and the model cannot tell. */
/* clang-format off */
static const struct uncounted_event uncounted[] = {
    { 0xc1, 0x08, "ASSISTS.PAGE_FAULT" },
    { 0xc1, 0x10, "ASSISTS.SSE_AVX_MIX" },
    { 0xe7, 0x40, "INT_VEC_RETIRED.SHUFFLES" },
    { 0x12, 0x08, "DTLB_LOAD_MISSES.WALK_COMPLETED_1G" },
    { 0x12, 0x04, "DTLB_LOAD_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x12, 0x02, "DTLB_LOAD_MISSES.WALK_COMPLETED_4K" },
    { 0x13, 0x08, "DTLB_STORE_MISSES.WALK_COMPLETED_1G" },
    { 0x13, 0x04, "DTLB_STORE_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x13, 0x02, "DTLB_STORE_MISSES.WALK_COMPLETED_4K" },
    { 0x11, 0x04, "ITLB_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x11, 0x02, "ITLB_MISSES.WALK_COMPLETED_4K" },
    { 0x48, 0x04, "L1D_PEND_MISS.L2_STALLS" },
};

static const struct pmu_parameters pmu = {
    .core_mhz = 3100, .tsc_mhz = 2400, .crystal_mhz = 25, .max_mhz = 3100, .bus_mhz = 100,
    .crystal_enumerated = true,
    .version = 5,
    .gp_alone = 8, .gp_smt = 8,
    .fixed = 4,
    .width = 48,
    .architectural_events = 8,
    .evtsel_writable = UINT64_C(0x4ffdfffff), /* 34: adaptive record */
    .fixed_ctrl_writable = UINT64_C(0x111100000000), /* adaptive record of each fixed counter */
    .status_writable = UINT64_C(0xfc80000000000000), /* 55, 58 to 63 */
    /* LBR is architectural, PEBS format 4 with baseline, full-width writes, PERF_METRICS */
    .capabilities = 0xf4ff,
    .debugctl_writable = 0x7fc2,
    .fixed_source = GOLDEN_COVE_FIXED,
    .metrics = true, .metrics_level2 = true,
    .metric = GOLDEN_COVE_METRICS,
    .events = golden_cove_events, .event_count = GOLDEN_COVE_EVENTS,
    .response_code = { 0x2a, 0x2b }, RESPONSES,
    .more = more, .more_count = sizeof(more) / sizeof(more[0]),
    .uncounted = uncounted, .uncounted_count = sizeof(uncounted) / sizeof(uncounted[0]),
    .lbr = ARCHITECTURAL_LBR,
    .access_events = redwood_cove_access_events, .access_event_count = ACCESS_EVENTS_GOLDEN_COVE,
    .offcore = GOLDEN_COVE_OFFCORE,
    .frontend = frontend_filters, .frontend_count = FRONTEND_FILTERS,
    .pebs = { .data_source = &golden_cove_source, .latency_halves = true,
              .enable_writable = UINT64_C(0xf000000ff), .data_cfg_writable = 0xff00000f,
              .any_event = true,
              .distributed = UINT64_C(1) << 32 | 1,
              .precise = golden_cove_precise, .precise_count = GOLDEN_COVE_PRECISE },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = sizeof(msrs) / sizeof(msrs[0]),
    .signature = 0xa06d1,
    .brand = "Intel(R) Xeon(R) 6972P",
    .max_leaf = 0x20,
    .caches = caches, .cache_count = sizeof(caches) / sizeof(caches[0]),
    .cpuid = cpuid, .cpuid_count = sizeof(cpuid) / sizeof(cpuid[0]),
};
/* clang-format on */

static const struct personality graniterapids = {
    .name = "graniterapids",
    .title = "Granite Rapids, 06_ADH stepping 1: 6 slots, PERF_METRICS level 2, architectural LBR",
    .omitted =
        "no cost of BTS records; load latency follows one load at a time, in program order, "
        "and its data source does not tell the copy of another core from that of L3, and "
        "the cache's half of a record's latency is 0; no uncore counters, no energy registers, "
        "no HWP, no SMI, machine check "
        "or thermal event; one constant frequency; " OMITTED_VECTORS "SSSE3, SSE4, F16C, "
        "AMX, RTM, SGX, processor trace and VMX are hidden; events without a signal in the "
        "model (most off-core responses by snoop, front-end retired by latency or bubbles and "
        "more) count nothing and are named at the end; "
        "assists but for small products and dropped uops do not "
        "occur; CPUID ends at leaf 20H and the counters are of version 5, since what its "
        "leaf 23H and its further sub-features hold is not in the sources; the MISP_COST "
        "events and timing in PEBS records are missing; with two threads a core each has "
        "whole TLBs of its own, TOPDOWN.SLOTS and DISTRIBUTED count the cycles in which the "
        "allocator serves the thread, and what includes the sibling (CORE_CYCLES) counts "
        "nothing while its own thread is halted; PERF_METRICS never reports an overflow of "
        "its own",
    .core = &graniterapids_core,
    .pmu = &pmu,
};
PERSONALITY(graniterapids);
