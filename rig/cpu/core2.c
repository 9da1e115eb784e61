/* Core 2 (Merom): events.
 *
 * Encodings: SDM 3B, "Performance Monitoring Events for Processors Based on Intel Core
 * Microarchitecture"; only well-known events for which the model has a signal. */
#include "part.h"

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

static const struct part part = {
#include "core2.inc"
    .pmu.events = &core2_events,
};
CORE(core2);

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
    .core = &part.core,
    .pmu = &part.pmu,
    .single_thread = true,
};
/* clang-format on */
PERSONALITY(core2);
