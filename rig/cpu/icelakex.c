/* Ice Lake-SP: registers, CPUID and events.
 *
 * Event encodings and the counters that can count them: the vendor's public event list for this
 * part (icelakex_core V1.30). Registers: SDM 4, tables for 06_6AH and "Architectural MSRs". The rig
 * plays a 2.0 GHz part at a constant 2.6 GHz, so that the reference clocks never agree with the
 * core clock by accident. */
#include "pmu/personality.h"
#include "access_events.h"
#include "omitted.h"
#include "responses.h"
#include "event_rows.h"
#include "rows.h"

extern const struct model_parameters icelakex_core;

/* clang-format off */

#define WIDTH 5 /* slots a cycle */

static const struct pmu_event rows[] = {
    EVENTS_SINCE_SKYLAKE,
    ORDERING_ALONE(ANY8),
    EVENTS_SERVER_SINCE_SKYLAKE,

    /* architectural and clocks */
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_XCLK" },
    { 0xec, 0x02, ANY8, false, COUNTS(ALLOCATOR), "CPU_CLK_UNHALTED.DISTRIBUTED" },

    /* branches */
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL_TAKEN), "BR_INST_RETIRED.COND_TAKEN" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.COND_NTAKEN" },
    { 0xc4, 0x11, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.COND" },
    { 0xc4, 0x80, ANY8, false, COUNTS(BRANCHES_INDIRECT), "BR_INST_RETIRED.INDIRECT" },
    { 0xc5, 0x11, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.COND" },
    { 0xc5, 0x80, ANY8, false, COUNTS(MISPREDICTS_INDIRECT), "BR_MISP_RETIRED.INDIRECT" },
    { 0xe6, 0x01, LOW4, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0xa4, 0x01, ANY8, false, COUNTS_TIMES(ALLOCATOR, WIDTH), "TOPDOWN.SLOTS_P" },
    { 0xa4, 0x02, ANY8, false, COUNTS(BE_BLOCKED), "TOPDOWN.BACKEND_BOUND_SLOTS" },
    { 0x0e, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0x9c, 0x01, ANY8, false, COUNTS(FE_UNDELIVERED), "IDQ_UOPS_NOT_DELIVERED.CORE" },
    { 0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.SLOTS" },
    { 0x0d, 0x01, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES" },
    { 0x0d, 0x10, ANY8, false, COUNTS(UOP_DROPPING), "INT_MISC.UOP_DROPPING" },
    { 0x0d, 0x80, ANY8, false, COUNTS(CLEAR_RESTEER), "INT_MISC.CLEAR_RESTEER_CYCLES" },
    { 0xc1, 0x07, ANY8, false, COUNTS(ASSISTS), "ASSISTS.ANY" },
    { 0xc1, 0x02, ANY8, false, COUNTS(ASSISTS), "ASSISTS.FP" },

    /* front end */
    { 0x79, 0x04, LOW4, false, COUNTS(MITE_UOPS), "IDQ.MITE_UOPS" },
    { 0x79, 0x08, LOW4, false, COUNTS(DSB_UOPS), "IDQ.DSB_UOPS" },
    { 0x79, 0x30, LOW4, false, COUNTS(MS_UOPS), "IDQ.MS_UOPS" },
    { 0x56, 0x01, LOW4, false, COUNTS(DECODER0_ONLY), "UOPS_DECODED.DEC0" },
    { 0xa8, 0x01, LOW4, false, COUNTS(LSD_UOPS), "LSD.UOPS" },
    { 0xab, 0x02, LOW4, false, COUNTS(DSB_MITE_PENALTY), "DSB2MITE_SWITCHES.PENALTY_CYCLES" },
    { 0x87, 0x01, LOW4, false, COUNTS(LCP_STALL), "DECODE.LCP" },
    { 0x80, 0x04, LOW4, false, COUNTS(ICACHE_STALL), "ICACHE_DATA.STALLS" },
    { 0x83, 0x04, LOW4, false, COUNTS(ITLB_STALL), "ICACHE_TAG.STALLS" },
    { 0x85, 0x0e, LOW4, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },
    { 0x85, 0x20, LOW4, false, COUNTS(ITLB_STLB_HITS), "ITLB_MISSES.STLB_HIT" },
    { 0x85, 0x10, LOW4, false, COUNTS(CODE_WALK_ACTIVE), "ITLB_MISSES.WALK_PENDING" },
    { 0x55, 0x01, LOW4, false, COUNTS(DECODED), "INST_DECODED.DECODERS" },

    /* execution. BOUND_ON_STORES is published with a cmask of 2, so its value in such a cycle is
     * at least 2. */
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE_CYCLES_GE_1" },
    { 0x5e, 0x01, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS_EVENTS.EMPTY_CYCLES" },
    { 0x14, 0x09, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIVIDER_ACTIVE" },
    { 0xa3, 0x05, LOW4, false, TOGETHER(STALL_L2_MISS, 0x05), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa3, 0x06, LOW4, false, TOGETHER(STALL_L3_MISS, 0x06), "CYCLE_ACTIVITY.STALLS_L3_MISS" },
    { 0xa3, 0x0c, LOW4, false, TOGETHER(STALL_L1D_MISS, 0x0c), "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x14, ANY8, false, TOGETHER(STALL_MEM_ANY, 0x14), "CYCLE_ACTIVITY.STALLS_MEM_ANY" },
    /* Not in the list; the published formulas use this encoding. */
    { 0xa6, 0x80, ANY8, false, COUNTS(EXE_0_PORTS), "EXE_ACTIVITY.3_PORTS_UTIL:u0x80" },
    { 0xa6, 0x40, ANY8, false, COUNTS_TIMES(BOUND_ON_STORES, 2), "EXE_ACTIVITY.BOUND_ON_STORES" },
    /* Of two ports: the list says "uops" in its short text and "cycles during which at least one uop
     * is dispatched" in its long one; the published formulas divide by twice the cycles, as for uops.
     * The long text is played; what silicon counts is not known. */
    { 0xa1, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED.PORT_0" },
    { 0xa1, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED.PORT_1" },
    { 0xa1, 0x04, ANY8, false, COUNTS_EITHER(PORT_2, PORT_3), "UOPS_DISPATCHED.PORT_2_3" },
    { 0xa1, 0x10, ANY8, false, COUNTS_EITHER(PORT_4, PORT_9), "UOPS_DISPATCHED.PORT_4_9" },
    { 0xa1, 0x20, ANY8, false, COUNTS(PORT_5), "UOPS_DISPATCHED.PORT_5" },
    { 0xa1, 0x40, ANY8, false, COUNTS(PORT_6), "UOPS_DISPATCHED.PORT_6" },
    { 0xa1, 0x80, ANY8, false, COUNTS_EITHER(PORT_7, PORT_8), "UOPS_DISPATCHED.PORT_7_8" },
    { 0x0e, 0x02, ANY8, false, COUNTS(BLENDS), "UOPS_ISSUED.VECTOR_WIDTH_MISMATCH" },
    { 0xa2, 0x02, ANY8, false, COUNTS(SCOREBOARD), "RESOURCE_STALLS.SCOREBOARD" },
    { 0xcc, 0x40, ANY8, false, COUNTS(PAUSES), "MISC_RETIRED.PAUSE_INST" },
    { 0x14, 0x01, ANY8, false, COUNTS(FP_DIVIDER_ACTIVE), "ARITH.FP_DIVIDER_ACTIVE" },
    { 0xa3, 0x01, LOW4, false, TOGETHER(CYCLES_L2_MISS, 0x01), "CYCLE_ACTIVITY.CYCLES_L2_MISS" },
    { 0xa3, 0x08, LOW4, false, TOGETHER(CYCLES_L1D_MISS, 0x08), "CYCLE_ACTIVITY.CYCLES_L1D_MISS" },

    /* floating point */
    { 0xc7, 0x60, ANY8, false, COUNTS_BOTH(FP_256_SINGLE, FP_512_DOUBLE),
      "FP_ARITH_INST_RETIRED.8_FLOPS" },

    /* memory. An instruction that loads and stores counts twice in ANY: whether silicon agrees
     * is not published. */
    { 0x03, 0x02, LOW4, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD" },
    { 0x03, 0x08, LOW4, false, COUNTS(SPLIT_BLOCKED), "LD_BLOCKS.NO_SR" },
    { 0x07, 0x01, LOW4, false, COUNTS(ADDRESS_ALIAS), "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS" },
    { 0x48, 0x01, LOW4, false, COUNTS(L1D_PENDING), "L1D_PEND_MISS.PENDING" },
    { 0x48, 0x02, LOW4, false, COUNTS(FILL_BUFFERS_FULL), "L1D_PEND_MISS.FB_FULL" },
    { 0x60, 0x01, LOW4, false, COUNTS(READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD" },
    { 0x60, 0x02, LOW4, false, COUNTS(CODE_READ_ACTIVE),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD" },
    { 0x60, 0x04, LOW4, false, COUNTS(RFOS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_RFO" },
    { 0x60, 0x08, LOW4, false, COUNTS(DATA_READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD" },
    { 0x24, 0x22, LOW4, false, COUNTS(RFO_L2_MISSES), "L2_RQSTS.RFO_MISS" },
    { 0x24, 0xc2, LOW4, false, COUNTS(RFO_L2_HITS), "L2_RQSTS.RFO_HIT" },
    { 0x24, 0xe2, LOW4, false, COUNTS_BOTH(RFO_L2_HITS, RFO_L2_MISSES), "L2_RQSTS.ALL_RFO" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM" },
    { 0xd3, 0x10, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM" },
    { 0xd1, 0x80, LOW4, false, COUNTS(NEVER), "MEM_LOAD_RETIRED.LOCAL_PMM" },
    { 0x08, 0x0e, LOW4, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x0e, LOW4, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
    { 0x08, 0x10, LOW4, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_PENDING" },
    { 0x08, 0x20, LOW4, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x49, 0x10, LOW4, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_PENDING" },
    { 0x49, 0x20, LOW4, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
};

const struct event_table icelakex_events = { .row = rows, .count = COUNT_OF(rows) };

/* The events above that the event list marks as precise. */
static const struct precise_event precise[] = {
    { 0xc0, 0x00 }, { 0xc0, 0x02 }, { 0xc4, ANY_UMASK }, { 0xc5, ANY_UMASK },
    { 0xd0, ANY_UMASK }, { 0xd1, ANY_UMASK },
    { 0xcd, 0x01 }, { 0xc6, 0x01 },
};

static const struct msr_fact msrs[] = {
    MSRS_SINCE_SKYLAKE,
    BIOS_SIGN_ID(0x0d0003a5),
    PLATFORM_INFO(0x80030001400), /* 20, 8 */
    PERF_STATUS_AND_CTL(0x1a00), /* ratio 26 */
    TEMPERATURE_TARGET(95),
    MISC_FEATURE_CONTROL(0xf),
    OFFCORE_RSP(0x3fffffbfff),
    TURBO_RATIO_LIMIT(0x1a1a1a1a1a1a1a1a),
    TURBO_RATIO_LIMIT_CORES(0x201c1814100c0804),
    PEBS_FRONTEND(0x7fff17),
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 12, .sets = 64 },                   /* 48 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 3, .level = 2, .ways = 20, .sets = 1024 },                 /* 1.25 MiB */
    { .type = 3, .level = 3, .ways = 12, .sets = 2048, .package = true }, /* 1.5 MiB a core */
};

/* Hidden, because the emulator lacks them or emulates them wrongly: SSSE3, SSE4, F16C, POPCNT,
 * MOVBE, XSAVES, RTM, SGX, VMX, SMEP, SMAP, PCID, five-level paging. */
static const struct cpuid_fact cpuid[] = {
    CPUID_SINCE_ICELAKE,
    CPUID_AVX512_STATE,
    /* TSC_ADJUST, AVX2, ERMS, AVX512F, DQ, CLFLUSHOPT, CLWB, processor trace, BW, VL */
    { .leaf = 0x7, .ebx = 0xc3830222 },
    CPUID_PROCESSOR_TRACE,
    { .leaf = 0x80000006, .ecx = 0x05007040 },
    { .leaf = 0x80000008, .eax = 0x302e },
};

/* Events that the published Topdown tree refers to and that no signal of the model counts. */
static const struct uncounted_event uncounted[] = {
    { 0x08, 0x08, "DTLB_LOAD_MISSES.WALK_COMPLETED_1G" },
    { 0x08, 0x04, "DTLB_LOAD_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x08, 0x02, "DTLB_LOAD_MISSES.WALK_COMPLETED_4K" },
    { 0x49, 0x08, "DTLB_STORE_MISSES.WALK_COMPLETED_1G" },
    { 0x49, 0x04, "DTLB_STORE_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x49, 0x02, "DTLB_STORE_MISSES.WALK_COMPLETED_4K" },
    { 0x85, 0x04, "ITLB_MISSES.WALK_COMPLETED_2M_4M" },
    { 0x85, 0x02, "ITLB_MISSES.WALK_COMPLETED_4K" },
    { 0x48, 0x04, "L1D_PEND_MISS.L2_STALL" },
};

static const struct pmu_parameters pmu = {
    .core_mhz = 2600, .tsc_mhz = 2000, .crystal_mhz = 25, .max_mhz = 2600, .bus_mhz = 100,
    .crystal_enumerated = true,
    .version = 5,
    .gp_alone = 8, .gp_smt = 8,
    .fixed = 4,
    .width = 48,
    .architectural_events = 8,
    .evtsel_writable = UINT64_C(0x4ffdfffff), /* 34: adaptive record */
    .fixed_ctrl_writable = UINT64_C(0x111100000000), /* adaptive record of each fixed counter */
    .status_writable = UINT64_C(0xfc80000000000000), /* 55, 58 to 63 */
    /* LBR format 7 (no RTM), PEBS format 4 with baseline, full-width writes, PERF_METRICS */
    .capabilities = 0xf4c7,
    .debugctl_writable = 0x7fc3,
    .fixed_source = { COUNTS(INSTRUCTIONS), COUNTS(UNHALTED), COUNTS_TICKS(PER_TSC_TICK),
                      COUNTS_TIMES(ALLOCATOR, WIDTH) },
    .metrics = true,
    /* The allocator cycle that begins every clear is in none of the three, so it counts as bad
     * speculation; the published formulas subtract it with INT_MISC.CLEARS_COUNT. */
    .metric = { [METRIC_RETIRING] = COUNTS(UOPS_RETIRED),
                [METRIC_FRONTEND] = COUNTS(FE_UNDELIVERED),
                [METRIC_BACKEND] = COUNTS(BE_BLOCKED) },
    .events = &icelakex_events,
    .uncounted = uncounted, .uncounted_count = COUNT_OF(uncounted),
    .response_code = { 0xb7, 0xbb },
    .responses = topdown_responses, .response_count = TOPDOWN_RESPONSES,
    .processor_trace = TRACE_BESIDE_LBR,
    .lbr = { .depth = 32, .format = LBR_FORMAT_INFO2, .from = 0x680, .to = 0x6c0,
             .select_writable = 0x3ff,
             .info_writable = UINT64_C(0x800000000000ffff) },
    .access_events = icelake_access_events, .access_event_count = ACCESS_EVENTS_ICELAKE,
    .offcore = ICELAKE_OFFCORE,
    .frontend = frontend_filters, .frontend_count = FRONTEND_FILTERS,
    .pebs = { .data_source = &skylake_source,
              .enable_writable = UINT64_C(0xf000000ff), .data_cfg_writable = 0xff00000f,
              .any_event = true,
              .distributed = UINT64_C(1) << 32,
              .precise = precise, .precise_count = COUNT_OF(precise) },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = COUNT_OF(msrs),
    .signature = 0x606a6,
    .brand = "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz",
    .max_leaf = 0x1b,
    .caches = caches, .cache_count = COUNT_OF(caches),
    .cpuid = cpuid, .cpuid_count = COUNT_OF(cpuid),
};

static const struct personality icelakex = {
    .name = "icelakex",
    .title = "Ice Lake-SP, 06_6AH stepping 6: 5 slots, counters version 5, PERF_METRICS, LBR",
    .omitted =
        OMITTED_SAMPLING "; the skid of a PMI is a guess; " OMITTED_PLATFORM "; no HWP; "
        OMITTED_VECTORS "; SSSE3, SSE4, F16C, RTM, SGX, processor trace and VMX are hidden; "
        OMITTED_EVENTS("off-core response by snoop, front-end retired by latency or bubbles, a "
                       "full queue to L3, walks by page size")
        "; " OMITTED_ASSISTS "; no dropped uops, no loop buffer; " OMITTED_TLBS "; " OMITTED_SLOTS
        "; " OMITTED_BOTH("CORE_CYCLES") "; " OMITTED_METRICS,
    .core = &icelakex_core,
    .pmu = &pmu,
};
/* clang-format on */
PERSONALITY(icelakex);
