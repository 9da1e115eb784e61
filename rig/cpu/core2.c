/* Core 2 (Merom): registers, CPUID and events.
 *
 * Event encodings: SDM 3B, "Performance Monitoring Events for Processors Based on Intel Core
 * Microarchitecture"; only well-known events for which the model has a signal. Registers: SDM 4,
 * tables for 06_0FH and "Architectural MSRs". The rig plays a 2.4 GHz part at a constant ratio of
 * 8; the clocks are rounded to a MHz, so that the reference clocks never agree with the core clock
 * by accident. */
#include "pmu/personality.h"
#include "omitted.h"
#include "rows.h"

extern const struct model_parameters core2_core;

/* clang-format off */

static const struct pmu_event rows[] = {
    /* clocks, instructions, last-level cache */
    { 0x3c, 0x00, ANY2, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.CORE_P" },
    { 0x3c, 0x01, ANY2, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.BUS" },
    { 0x2e, 0x4f, ANY2, false, COUNTS(LLC_REFERENCES), "architectural: LLC references" },
    { 0x2e, 0x41, ANY2, false, COUNTS(LLC_MISSES), "architectural: LLC misses" },
    { 0xc0, 0x00, ANY2, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P" },
    { 0xc0, 0x01, ANY2, false, COUNTS(LOADS), "INST_RETIRED.LOADS" },
    { 0xc0, 0x02, ANY2, false, COUNTS(STORES), "INST_RETIRED.STORES" },

    /* branches */
    { 0xc4, 0x00, ANY2, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ANY" },
    { 0xc4, 0x0c, ANY2, false, COUNTS(BRANCHES_TAKEN), "BR_INST_RETIRED.TAKEN" },
    { 0xc5, 0x00, ANY2, false, COUNTS(MISPREDICTS), "BR_INST_RETIRED.MISPRED" },
    { 0xe6, 0x00, ANY2, false, COUNTS(BACLEARS), "BACLEARS" },

    /* retirement, clears */
    { 0xc2, 0x04, ANY2, false, COUNTS(MACRO_FUSED), "UOPS_RETIRED.MACRO_FUSION" },
    { 0xc2, 0x0f, ANY2, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.ANY" },
    { 0xc3, 0x01, ANY2, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_NUKES.SMC" },
    { 0xc3, 0x04, ANY2, false, COUNTS(MACHINE_CLEARS_ORDERING), "MACHINE_NUKES.MEM_ORDER" },

    /* front end, execution */
    { 0x87, 0x00, ANY2, false, COUNTS(LCP_STALL), "ILD_STALL" },
    { 0x86, 0x00, ANY2, false, COUNTS(ICACHE_STALL), "CYCLES_L1I_MEM_STALLED" },
    { 0xa0, 0x00, ANY2, false, COUNTS(UOPS_EXECUTED), "RS_UOPS_DISPATCHED" },
    { 0x14, 0x00, ONLY0, false, COUNTS(DIVIDER_ACTIVE), "CYCLES_DIV_BUSY" },

    /* memory. L2 is the cache that all cores share here. */
    { 0xcb, 0x08, ONLY0, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_RETIRED.L2_LINE_MISS" },
};

const struct event_table core2_events = { .row = rows, .count = COUNT_OF(rows) };

static const struct msr_fact msrs[] = {
    { .address = 0x017, .read_only = true }, /* IA32_PLATFORM_ID */
    BIOS_SIGN_ID(0xd1),
    { .address = 0x0cd, .read_only = true }, /* MSR_FSB_FREQ: 266 MHz */
    { .address = 0x198, .read_only = true, .reset = UINT64_C(0x0900000000000800) },
    { .address = 0x199, .reset = 0x0800, .writable = 0xffff }, /* IA32_PERF_CTL */
    /* IA32_THERM_STATUS: 40 degrees below, valid */
    { .address = 0x19c, .reset = 0x88280000, .ignored = UINT32_MAX },
    /* IA32_MISC_ENABLE: fast strings, TM1, counters, prefetchers on, no BTS, no PEBS, EIST,
     * MONITOR; 9, 19, 37 and 39 switch prefetchers off */
    { .address = 0x1a0, .reset = 0x51889, .writable = UINT64_C(0xe0008d0209), .ignored = 0x1880,
      .package = MISC_ENABLE_PACKAGE },
    { .address = 0x3f1, .writable = 0x1 }, /* IA32_PEBS_ENABLE */
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 3, .level = 2, .ways = 16, .sets = 2048, .package = true }, /* 2 MiB a core */
};

/* Hidden, because the emulator lacks them or emulates them wrongly: SSSE3, VMX. */
static const struct cpuid_fact cpuid[] = {
    /* SSE3, DTES64, MONITOR, DS-CPL, EST, TM2, CX16, xTPR, PDCM, hypervisor */
    { .leaf = 0x1, .ecx = 0x8000e19d, .edx = 0xafebfbff },
    { .leaf = 0x2, .eax = 0x05b0b101, .ebx = 0x005657f0, .edx = 0x2cb43049 },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x22220 },
    { .leaf = 0x6, .eax = 0x1, .ebx = 0x2, .ecx = 0x1 },
    { .leaf = 0x80000001, .ecx = 0x1, .edx = 0x20100800 },
    { .leaf = 0x80000006, .ecx = 0x10008040 },
    { .leaf = 0x80000008, .eax = 0x3024 },
};

static const struct pmu_parameters pmu = {
    .core_mhz = 2128, .tsc_mhz = 2394, .crystal_mhz = 266, .max_mhz = 2394, .bus_mhz = 266,
    .version = 2,
    .gp_alone = 2, .gp_smt = 2,
    .fixed = 3,
    .width = 40,
    .architectural_events = 7,
    .evtsel_writable = 0xffdfffff,
    .status_writable = UINT64_C(0xc000000000000000), /* 62, 63 */
    .capabilities = 0x00c2, /* LBR format 2, PEBS format 0 with trap and registers */
    .debugctl_writable = 0x1fc3,
    .fixed_source = { COUNTS(INSTRUCTIONS), COUNTS(UNHALTED), COUNTS_TICKS(PER_TSC_TICK) },
    .events = &core2_events,
    .lbr = { .depth = 4, .format = LBR_FORMAT_EIP, .from = 0x40, .to = 0x60 },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = COUNT_OF(msrs),
    .signature = 0x6f6,
    .brand = "Intel(R) Core(TM)2 CPU 6600 @ 2.40GHz",
    .max_leaf = 0xa,
    .caches = caches, .cache_count = COUNT_OF(caches),
    .cpuid = cpuid, .cpuid_count = COUNT_OF(cpuid),
};

static const struct personality core2 = {
    .name = "core2",
    .title = "Core 2 (Merom), 06_0FH stepping 6: 4 slots, two 40-bit counters, version 2, LBR of 4",
    .omitted =
        "the event table has the architectural events and the well-known ones; all others (L1 and "
        "L2 by request, L1 and TLB misses, resource stalls, ports) count nothing, and the report "
        "at the end names them; UOPS_RETIRED.ANY counts fused uops; no published Topdown method; "
        OMITTED_ASSISTS "; "
        "the L2 of every pair of cores is modelled as one cache of all cores, 2 MiB for each "
        "core; no prefetchers, so their bits in IA32_MISC_ENABLE can be set and change nothing; "
        "no PEBS and no BTS (IA32_MISC_ENABLE says so); " OMITTED_PLATFORM "; SSSE3 and VMX are "
        "hidden; the registers of the x2APIC and some registers of later parts (IA32_TSC_ADJUST, "
        "IA32_ENERGY_PERF_BIAS, IA32_PACKAGE_THERM_INTERRUPT, MSR_SMI_COUNT) exist although CPUID "
        "does not announce them; the loop buffer follows the model",
    .core = &core2_core,
    .pmu = &pmu,
    .single_thread = true,
};
/* clang-format on */
PERSONALITY(core2);
