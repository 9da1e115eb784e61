/* Nehalem-EP: registers, CPUID and events.
 *
 * Event encodings: SDM 3B, "Performance Monitoring Events for Processors Based on Intel
 * Microarchitecture Code Name Nehalem"; only well-known events for which the model has a signal.
 * Registers: SDM 4, tables for 06_1AH and "Architectural MSRs". The rig plays a 2.93 GHz part at a
 * constant 3.06 GHz; the clocks are rounded to a MHz, so that the reference clocks never agree with
 * the core clock by accident. */
#include "pmu/personality.h"
#include "access_events.h"
#include "omitted.h"
#include "rows.h"

extern const struct model_parameters nehalem_core;

/* clang-format off */

/* MEM_LOAD_RETIRED.L3_UNSHARED_HIT has the loads that another core's private caches served as
 * well: the model does not distinguish them. */
static const struct pmu_event rows[] = {
    /* clocks, instructions, last-level cache */
    { 0x3c, 0x00, ANY4, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.THREAD_P" },
    { 0x3c, 0x01, ANY4, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_P" },
    { 0x2e, 0x4f, ANY4, false, COUNTS(LLC_REFERENCES), "LONGEST_LAT_CACHE.REFERENCE" },
    { 0x2e, 0x41, ANY4, false, COUNTS(LLC_MISSES), "LONGEST_LAT_CACHE.MISS" },
    { 0xc0, 0x00, ANY4, false, COUNTS(INSTRUCTIONS), "architectural: instructions retired" },
    { 0xc0, 0x01, ANY4, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P" },

    /* branches */
    { 0xc4, 0x00, ANY4, false, COUNTS(BRANCHES), "architectural: branch instructions retired" },
    { 0xc4, 0x01, ANY4, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.CONDITIONAL" },
    { 0xc4, 0x02, ANY4, false, COUNTS(BRANCHES_CALL), "BR_INST_RETIRED.NEAR_CALL" },
    { 0xc4, 0x04, ANY4, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ALL_BRANCHES" },
    { 0xe6, 0x01, ANY4, false, COUNTS(BACLEARS), "BACLEAR.CLEAR" },

    /* slots: issue, retirement, clears */
    { 0x0e, 0x01, ANY4, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0xc2, 0x01, ANY4, false, COUNTS(UOPS_RETIRED_UNFUSED), "UOPS_RETIRED.ANY" },
    { 0xc2, 0x02, ANY4, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.RETIRE_SLOTS" },
    { 0xc2, 0x04, ANY4, false, COUNTS(MACRO_FUSED), "UOPS_RETIRED.MACRO_FUSED" },
    { 0xc3, 0x02, ANY4, false, COUNTS(MACHINE_CLEARS_ORDERING), "MACHINE_CLEARS.MEM_ORDER" },
    { 0xc3, 0x04, ANY4, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_CLEARS.SMC" },

    /* front end */
    { 0xa8, 0x01, ANY4, false, COUNTS(LSD_UOPS), "LSD.ACTIVE" },
    { 0x87, 0x01, ANY4, false, COUNTS(LCP_STALL), "ILD_STALL.LCP" },
    { 0x80, 0x04, ANY4, false, COUNTS(ICACHE_STALL), "L1I.CYCLES_STALLED" },
    { 0x85, 0x02, ANY4, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },

    /* execution */
    { 0x14, 0x01, ANY4, false, COUNTS(DIVIDER_ACTIVE), "ARITH.CYCLES_DIV_BUSY" },

    /* memory */
    { 0x0b, 0x01, ANY4, false, COUNTS(LOADS), "MEM_INST_RETIRED.LOADS" },
    { 0x0b, 0x02, ANY4, false, COUNTS(STORES), "MEM_INST_RETIRED.STORES" },
    { 0xcb, 0x01, ANY4, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_RETIRED.L1D_HIT" },
    { 0xcb, 0x02, ANY4, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_RETIRED.L2_HIT" },
    { 0xcb, 0x04, ANY4, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_RETIRED.L3_UNSHARED_HIT" },
    { 0xcb, 0x10, ANY4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_RETIRED.L3_MISS" },
    { 0xcb, 0x40, ANY4, false, COUNTS(LOADS_FB_HIT), "MEM_LOAD_RETIRED.HIT_LFB" },
    { 0x08, 0x02, ANY4, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
};

const struct event_table nehalem_events = { .row = rows, .count = COUNT_OF(rows) };

/* Precise events among the events above: SDM 3B, "Processor Event Based Sampling (PEBS)" for
 * Nehalem. */
static const struct precise_event precise[] = {
    { 0xc0, 0x01 }, { 0xc2, 0x01 }, { 0xc2, 0x02 }, { 0xc2, 0x04 }, { 0xc4, 0x01 },
    { 0xc4, 0x02 }, { 0xc4, 0x04 }, { 0x0b, 0x01 }, { 0x0b, 0x02 }, { 0xcb, 0x01 },
    { 0xcb, 0x02 }, { 0xcb, 0x04 }, { 0xcb, 0x10 }, { 0xcb, 0x40 }, { 0x0b, 0x10 },
};

static const struct msr_fact msrs[] = {
    MSRS_SINCE_NEHALEM,
    BIOS_SIGN_ID(0x1d),
    PLATFORM_INFO(0xc0000001600), /* 22, 12 */
    PERF_STATUS_AND_CTL(0x17), /* ratio 23 */
    TEMPERATURE_TARGET(90),
    MISC_FEATURE_CONTROL(0xf),
    { .address = 0x1a6, .writable = 0xffff }, /* MSR_OFFCORE_RSP_0; no RSP_1 */
    TURBO_RATIO_LIMIT(0x17171717),
    { .address = 0x392, .read_only = true }, /* MSR_UNCORE_PERF_GLOBAL_STATUS */
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 2, .level = 1, .ways = 4, .sets = 128 },                   /* 32 KiB */
    { .type = 3, .level = 2, .ways = 8, .sets = 512 },                   /* 256 KiB */
    { .type = 3, .level = 3, .ways = 16, .sets = 2048, .package = true }, /* 2 MiB a core */
};

/* Hidden, because the emulator lacks them or emulates them wrongly: vector extensions from SSSE3
 * on, POPCNT, VMX. */
static const struct cpuid_fact cpuid[] = {
    /* SSE3, DTES64, MONITOR, DS-CPL, EST, TM2, CX16, xTPR, PDCM, x2APIC, hypervisor */
    { .leaf = 0x1, .ecx = 0x8020e19d, .edx = 0xafebfbff },
    { .leaf = 0x2, .eax = 0x55035a01, .ebx = 0x00f0b2e4, .edx = 0x09ca212c },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x1120 },
    { .leaf = 0x6, .eax = 0x3, .ebx = 0x2, .ecx = 0x1 },
    { .leaf = 0x80000001, .ecx = 0x1, .edx = 0x28100800 },
    { .leaf = 0x80000006, .ecx = 0x01006040 },
    { .leaf = 0x80000007, .edx = 0x100 },
    { .leaf = 0x80000008, .eax = 0x3028 },
};

static const struct pmu_parameters pmu = {
    .core_mhz = 3059, .tsc_mhz = 2926, .crystal_mhz = 133, .max_mhz = 3059, .bus_mhz = 133,
    .version = 3,
    .gp_alone = 4, .gp_smt = 4,
    .fixed = 3,
    .width = 48,
    .architectural_events = 7,
    .architectural_absent = 1u << 6, /* mispredicted branches: erratum AAJ80 */
    .anythread = true,
    .evtsel_writable = 0xffdfffff,
    .status_writable = UINT64_C(0xe000000000000000), /* 61 to 63 */
    /* LBR format 3, PEBS format 1 with trap and registers, SMM freeze */
    .capabilities = 0x11c3,
    .debugctl_writable = 0x7fc3,
    .fixed_source = { COUNTS(INSTRUCTIONS), COUNTS(UNHALTED), COUNTS_TICKS(PER_TSC_TICK) },
    .events = &nehalem_events,
    .lbr = { .depth = 16, .format = LBR_FORMAT_EIP_FLAGS, .from = 0x680, .to = 0x6c0,
             .select_writable = 0x1ff, .select_shared = true },
    .access_events = nehalem_access_events, .access_event_count = ACCESS_EVENTS_NEHALEM,
    .pebs = { .data_source = &nehalem_source,
              .enable_writable = UINT64_C(0xf0000000f),
              .precise = precise, .precise_count = COUNT_OF(precise) },
    .lbr.calls_need_jumps = true,
    .prime = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 }, /* errata AAK100, AAP53, BD53 */
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = COUNT_OF(msrs),
    .signature = 0x106a5,
    .brand = "Intel(R) Xeon(R) CPU X5570 @ 2.93GHz",
    .max_leaf = 0xb,
    .caches = caches, .cache_count = COUNT_OF(caches),
    .cpuid = cpuid, .cpuid_count = COUNT_OF(cpuid),
};

static const struct personality nehalem = {
    .name = "nehalem",
    .title = "Nehalem-EP, 06_1AH stepping 5: 4 slots, counters version 3, LBR of 16",
    .omitted =
        "the event table has the architectural events and the well-known ones; all others (caches "
        "and TLBs by request, resource stalls, ports, executed branches, off-core response) count "
        "nothing, and the report at the end names them; " OMITTED_ASSISTS "; the architectural "
        "event of mispredicted branches is absent, as its erratum says; no published Topdown "
        "method; " OMITTED_SAMPLING "; each thread has an MSR_LBR_SELECT, where on the part each core has one; " OMITTED_PLATFORM "; "
        "vector extensions from SSSE3 on, POPCNT and VMX are hidden; registers of later parts "
        "(IA32_TSC_ADJUST, IA32_ENERGY_PERF_BIAS, IA32_PACKAGE_THERM_INTERRUPT) exist; the loop "
        "buffer follows the model; " OMITTED_TLBS,
    .core = &nehalem_core,
    .pmu = &pmu,
};
/* clang-format on */
PERSONALITY(nehalem);
