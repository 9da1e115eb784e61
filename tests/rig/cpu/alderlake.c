/* Alder Lake: the hybrid part, and its P core: registers, CPUID and events.
 *
 * Registers: SDM 4, tables for 06_97H and "Architectural MSRs"; the architectural last-branch
 * records and PERF_METRICS: SDM 3B, "Last Branch Records" and "Performance Metrics". Events:
 * golden_cove.c. The part played is a 3.2 GHz one that holds 4.0 GHz, so that the reference clocks
 * never agree with the core's by accident.
 * The first half of the cores, rounded up, are P cores, the others E cores (alderlake_e.c). */
#include "pmu/personality.h"
#include "pmu/parameters.h"
#include "access_events.h"
#include "golden_cove.h"
#include "responses.h"

extern const struct model_parameters alderlake_core;
extern const struct personality alderlake_e;

/* What golden_cove.c leaves out, since not all of its parts have it. */
static const struct pmu_event more[] = {
    {0x2d, 0x01, LOW4, false, COUNTS(SUPERQUEUE_FULL), "XQ.FULL_CYCLES"},
};

#define ALL_BITS UINT64_MAX

/* clang-format off */
static const struct msr_fact msrs[] = {
    { .address = 0x017, .read_only = true }, /* IA32_PLATFORM_ID */
    /* IA32_BIOS_SIGN_ID */
    { .address = 0x08b, .reset = UINT64_C(0x3a) << 32, .ignored = ALL_BITS },
    /* MSR_PLATFORM_INFO: 32, 4 */
    { .address = 0x0ce, .read_only = true, .reset = UINT64_C(0x40030002000) },
    { .address = 0x198, .read_only = true, .reset = 0x2800 }, /* IA32_PERF_STATUS */
    { .address = 0x199, .reset = 0x2800, .writable = UINT64_C(0x10000ffff) }, /* IA32_PERF_CTL */
    /* IA32_THERM_STATUS: 40 below, valid */
    { .address = 0x19c, .reset = 0x88280000, .ignored = UINT32_MAX },
    /* IA32_MISC_ENABLE: fast strings, TM1, counters, EIST, MONITOR */
    { .address = 0x1a0, .reset = 0x50089, .writable = UINT64_C(0x4000850009), .ignored = 0x1880 },
    { .address = 0x1a2, .read_only = true, .reset = 0x640000 }, /* MSR_TEMPERATURE_TARGET: 100 */
    { .address = 0x1a4, .writable = 0x2f }, /* MSR_MISC_FEATURE_CONTROL: AMP is bit 5 */
    { .address = 0x1a6, .writable = UINT64_C(0x3fffffffff) }, /* MSR_OFFCORE_RSP_0 */
    { .address = 0x1a7, .writable = UINT64_C(0x3fffffffff) }, /* MSR_OFFCORE_RSP_1 */
    /* MSR_TURBO_RATIO_LIMIT */
    { .address = 0x1ad, .read_only = true, .reset = UINT64_C(0x2828282828282828) },
    /* IA32_PACKAGE_THERM_STATUS */
    { .address = 0x1b1, .reset = 0x00280000, .ignored = UINT32_MAX },
    { .address = 0x1fc, .writable = 0x2 }, /* MSR_POWER_CTL: C1E */
    { .address = 0x3f6, .writable = 0xffff }, /* MSR_PEBS_LD_LAT */
    { .address = 0x3f7, .writable = 0x7fff1f }, /* MSR_PEBS_FRONTEND */
    { .address = 0x64f, .ignored = UINT32_MAX }, /* MSR_CORE_PERF_LIMIT_REASONS: none */
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 12, .sets = 64 }, /* 48 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 }, /* 32 KiB */
    { .type = 3, .level = 2, .ways = 10, .sets = 2048 }, /* 1.25 MiB */
    { .type = 3, .level = 3, .ways = 12, .sets = 4096, .package = true }, /* 3 MiB a core */
};
/* clang-format on */

/* Hidden because the emulator under the machine has them not, or not rightly: SSSE3,
 * SSE4, F16C, POPCNT, MOVBE, XSAVES, BMI, processor trace, VMX, SMEP,
 * SMAP, PCID, five-level paging. */
/* clang-format off */
static const struct cpuid_fact cpuid[] = {
    /* SSE3, DTES64, MONITOR, DS-CPL, EST, TM2, CX16, xTPR, PDCM, x2APIC, TSC deadline,
     * XSAVE, AVX, FMA, hypervisor */
    { .leaf = 0x1, .ecx = 0x9520f19d, .edx = 0xafebfbff },
    { .leaf = 0x2, .eax = 0x00feff01, .ebx = 0x000000f0 },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x2020 },
    { .leaf = 0x6, .eax = 0x77, .ebx = 0x2, .ecx = 0x9 },
    /* TSC_ADJUST, ERMS, CLFLUSHOPT, CLWB, AVX2; hybrid, architectural LBR */
    { .leaf = 0x7, .ebx = 0x01800222, .edx = 0x00088000 },
    { .leaf = 0xd, .eax = 0x7, .ecx = 0x340 }, /* register state: x87, SSE, AVX */
    { .leaf = 0xd, .subleaf = 1, .eax = 0x7 }, /* XSAVEOPT, XSAVEC, XGETBV of what is in use */
    { .leaf = 0xd, .subleaf = 2, .eax = 0x100, .ebx = 0x240 },
    { .leaf = 0x80000001, .ecx = 0x1, .edx = 0x2c100800 },
    { .leaf = 0x80000006, .ecx = 0x05007040 },
    { .leaf = 0x80000007, .edx = 0x100 },
    { .leaf = 0x80000008, .eax = 0x3027 },
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
    .core_mhz = 4000, .tsc_mhz = 3200, .crystal_mhz = 25, .max_mhz = 4000, .bus_mhz = 100,
    .crystal_enumerated = true,
    .version = 5,
    .gp_alone = 8, .gp_smt = 8,
    .fixed = 4,
    .width = 48,
    .architectural_events = 8,
    .evtsel_writable = UINT64_C(0x4ffdfffff), /* 34: adaptive record */
    .fixed_ctrl_writable = UINT64_C(0x111100000000), /* adaptive record of each fixed counter */
    .status_writable = UINT64_C(0xfc80000000000000), /* 55, 58 to 63 */
    /* LBR is architectural, PEBS format 4 with baseline, full-width writes */
    .capabilities = 0x74ff,
    .debugctl_writable = 0x7fc2,
    .fixed_source = GOLDEN_COVE_FIXED,
    .metrics = true, .metrics_level2 = true,
    .metric = GOLDEN_COVE_METRICS,
    .events = golden_cove_events, .event_count = GOLDEN_COVE_EVENTS,
    .more = more, .more_count = sizeof(more) / sizeof(more[0]),
    .uncounted = uncounted, .uncounted_count = sizeof(uncounted) / sizeof(uncounted[0]),
    .response_code = { 0x2a, 0x2b }, RESPONSES,
    .lbr = ARCHITECTURAL_LBR,
    .access_events = golden_cove_access_events, .access_event_count = ACCESS_EVENTS_GOLDEN_COVE,
    .offcore = GOLDEN_COVE_OFFCORE,
    .frontend = frontend_filters, .frontend_count = FRONTEND_FILTERS,
    .pebs = { .data_source = &golden_cove_source, .latency_halves = true,
              .enable_writable = UINT64_C(0xf000000ff), .data_cfg_writable = 0xff00000f,
              .any_event = true,
              .distributed = UINT64_C(1) << 32 | 1,
              .precise = golden_cove_precise, .precise_count = GOLDEN_COVE_PRECISE },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = sizeof(msrs) / sizeof(msrs[0]),
    .signature = 0x90672,
    .brand = "12th Gen Intel(R) Core(TM) i9-12900",
    .max_leaf = 0x20,
    .core_type = 0x40000001,       /* Core, native model 1 */
    .caches = caches, .cache_count = sizeof(caches) / sizeof(caches[0]),
    .cpuid = cpuid, .cpuid_count = sizeof(cpuid) / sizeof(cpuid[0]),
};
/* clang-format on */

static const struct personality alderlake = {
    .name = "alderlake",
    .title = "Alder Lake, 06_97H stepping 2: P cores (Golden Cove) first, then E cores (Gracemont)",
    .omitted =
        "no cost of BTS records; load latency follows one load at a time, in program order, "
        "and its data source does not tell the copy of another core from that of L3, and "
        "the cache's half of a record's latency is 0; no uncore counters, no energy registers, "
        "no HWP, no SMI, machine check "
        "or thermal event; one constant frequency; " OMITTED_VECTORS "SSSE3, SSE4, F16C, "
        "processor trace and VMX are hidden; events without a signal in the model (off-core "
        "responses by snoop, front-end retired by latency or bubbles and more) count nothing "
        "and are named at the end; "
        "assists but for small products and dropped uops do not occur; one clock for "
        "both kinds of cores, a crystal of 25 MHz and not of 38.4; no SMT (the part's P "
        "cores have two threads, its E cores one); of each module of four E cores one is "
        "on, so that its L2 is its own; the E cores' causes below the first level "
        "(TOPDOWN_FE_BOUND.ICACHE and the like) count nothing; IA32_PERF_CAPABILITIES does "
        "not announce PERF_METRICS, as on the part; PERF_METRICS never reports an overflow "
        "of its own",
    .core = &alderlake_core,
    .pmu = &pmu,
    .single_thread = true,
    .small = &alderlake_e,
};
PERSONALITY(alderlake);
