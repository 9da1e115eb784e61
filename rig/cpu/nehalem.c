/* Nehalem-EP: events.
 *
 * Encodings: SDM 3B, "Performance Monitoring Events for Processors Based on Intel Microarchitecture
 * Code Name Nehalem"; only well-known events for which the model has a signal. */
#include "part.h"

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
    { 0x88, 0x40, ANY4, false, COUNTS(TAKEN_EXECUTED), "BR_INST_EXEC.TAKEN" },
    { 0x89, 0x40, ANY4, false, COUNTS(TAKEN_MISPREDICTS_EXECUTED), "BR_MISP_EXEC.TAKEN" },
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

static const struct part part = {
#include "nehalem.inc"
    .pmu.events = &nehalem_events,
};
CORE(nehalem);

static const struct personality nehalem = {
    .name = "nehalem",
    .title = "Nehalem-EP, 06_1AH stepping 5: 4 slots, counters version 3, LBR of 16",
    .omitted =
        "the event table has the architectural events and the well-known ones; all others (caches "
        "and TLBs by request, resource stalls, ports, executed branches but taken ones, off-core response) count "
        "nothing, and the report at the end names them; " OMITTED_ASSISTS "; the architectural "
        "event of mispredicted branches is absent, as its erratum says; no published Topdown "
        "method; " OMITTED_SAMPLING "; each thread has an MSR_LBR_SELECT, where on the part each core has one; " OMITTED_PLATFORM "; "
        "vector extensions from SSSE3 on, POPCNT and VMX are hidden; registers of later parts "
        "(IA32_TSC_ADJUST, IA32_ENERGY_PERF_BIAS, IA32_PACKAGE_THERM_INTERRUPT) exist; the loop "
        "buffer follows the model; " OMITTED_TLBS,
    .core = &part.core,
    .pmu = &part.pmu,
};
/* clang-format on */
PERSONALITY(nehalem);
