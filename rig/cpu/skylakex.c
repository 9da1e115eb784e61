/* Skylake-SP: registers, CPUID and events.
 *
 * Event encodings and the counters that can count them: the vendor's public event list for this
 * part (skylakex_core V1.37). Registers: SDM 4, tables for 06_55H and "Architectural MSRs". The rig
 * plays a 2.1 GHz part at a constant 2.7 GHz, so that the reference clocks never agree with the
 * core clock by accident. */
#include "pmu/personality.h"
#include "access_events.h"
#include "omitted.h"
#include "responses.h"
#include "event_rows.h"
#include "rows.h"

extern const struct model_parameters skylakex_core;

/* clang-format off */

static const struct pmu_event rows[] = {
    EVENTS_SINCE_SKYLAKE,
    ORDERING_WITH_DISAMBIGUATION,
    EVENTS_SERVER_SINCE_SKYLAKE,

    /* architectural and clocks */
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_XCLK" },
    { 0xc0, 0x01, ONLY1, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.PREC_DIST" },

    /* branches */
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.CONDITIONAL" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.NOT_TAKEN" },
    { 0xc5, 0x01, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.CONDITIONAL" },
    { 0xe6, 0x01, ANY8, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0x0e, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0x9c, 0x01, ANY8, false, COUNTS(FE_UNDELIVERED), "IDQ_UOPS_NOT_DELIVERED.CORE" },
    { 0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.RETIRE_SLOTS" },
    { 0xc2, 0x04, ANY8, false, COUNTS(MACRO_FUSED), "UOPS_RETIRED.MACRO_FUSED" },
    { 0x0d, 0x01, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES" },
    { 0x0d, 0x80, ANY8, false, COUNTS(CLEAR_RESTEER), "INT_MISC.CLEAR_RESTEER_CYCLES" },
    { 0xc1, 0x3f, ANY8, false, COUNTS(NEVER), "OTHER_ASSISTS.ANY" },
    { 0xca, 0x1e, ANY8, false, COUNTS(ASSISTS), "FP_ASSIST.ANY" },

    /* front end */
    { 0x79, 0x04, ANY8, false, COUNTS(MITE_UOPS), "IDQ.MITE_UOPS" },
    { 0x79, 0x08, ANY8, false, COUNTS(DSB_UOPS), "IDQ.DSB_UOPS" },
    { 0x79, 0x18, ANY8, false, COUNTS(DSB_UOPS), "IDQ.ALL_DSB_CYCLES_ANY_UOPS" },
    { 0x79, 0x24, ANY8, false, COUNTS(MITE_UOPS), "IDQ.ALL_MITE_CYCLES_ANY_UOPS" },
    { 0x79, 0x30, ANY8, false, COUNTS(MS_UOPS), "IDQ.MS_UOPS" },
    { 0xa8, 0x01, ANY8, false, COUNTS(LSD_UOPS), "LSD.UOPS" },
    { 0xab, 0x02, ANY8, false, COUNTS(DSB_MITE_PENALTY), "DSB2MITE_SWITCHES.PENALTY_CYCLES" },
    { 0x87, 0x01, ANY8, false, COUNTS(LCP_STALL), "DECODE.LCP" },
    { 0x80, 0x04, ANY8, false, COUNTS(ICACHE_STALL), "ICACHE_16B.IFDATA_STALL" },
    { 0x83, 0x04, ANY8, false, COUNTS(ITLB_STALL), "ICACHE_TAG.STALLS" },
    { 0x85, 0x01, ANY8, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.MISS_CAUSES_A_WALK" },
    { 0x85, 0x0e, ANY8, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.WALK_COMPLETED" },
    { 0x85, 0x20, ANY8, false, COUNTS(ITLB_STLB_HITS), "ITLB_MISSES.STLB_HIT" },
    { 0x85, 0x10, ANY8, false, COUNTS(CODE_WALK_ACTIVE), "ITLB_MISSES.WALK_PENDING" },
    { 0x55, 0x01, ANY8, false, COUNTS(DECODED), "INST_DECODED.DECODERS" },

    /* execution */
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE" },
    { 0x5e, 0x01, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS_EVENTS.EMPTY_CYCLES" },
    { 0x14, 0x01, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIVIDER_ACTIVE" },
    { 0xa3, 0x05, ANY8, false, TOGETHER(STALL_L2_MISS, 0x05), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa3, 0x06, ANY8, false, TOGETHER(STALL_L3_MISS, 0x06), "CYCLE_ACTIVITY.STALLS_L3_MISS" },
    { 0xa3, 0x0c, ANY8, false, TOGETHER(STALL_L1D_MISS, 0x0c), "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x14, LOW4, false, TOGETHER(STALL_MEM_ANY, 0x14), "CYCLE_ACTIVITY.STALLS_MEM_ANY" },
    { 0xa6, 0x01, ANY8, false, COUNTS(EXE_0_PORTS), "EXE_ACTIVITY.EXE_BOUND_0_PORTS" },
    { 0xa6, 0x40, ANY8, false, COUNTS(BOUND_ON_STORES), "EXE_ACTIVITY.BOUND_ON_STORES" },
    { 0xa1, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED_PORT.PORT_0" },
    { 0xa1, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED_PORT.PORT_1" },
    { 0xa1, 0x04, ANY8, false, COUNTS(PORT_2), "UOPS_DISPATCHED_PORT.PORT_2" },
    { 0xa1, 0x08, ANY8, false, COUNTS(PORT_3), "UOPS_DISPATCHED_PORT.PORT_3" },
    { 0xa1, 0x10, ANY8, false, COUNTS(PORT_4), "UOPS_DISPATCHED_PORT.PORT_4" },
    { 0xa1, 0x20, ANY8, false, COUNTS(PORT_5), "UOPS_DISPATCHED_PORT.PORT_5" },
    { 0xa1, 0x40, ANY8, false, COUNTS(PORT_6), "UOPS_DISPATCHED_PORT.PORT_6" },
    { 0xa1, 0x80, ANY8, false, COUNTS(PORT_7), "UOPS_DISPATCHED_PORT.PORT_7" },
    { 0x0e, 0x02, ANY8, false, COUNTS(BLENDS), "UOPS_ISSUED.VECTOR_WIDTH_MISMATCH" },
    { 0x59, 0x01, ANY8, false, COUNTS(SCOREBOARD), "PARTIAL_RAT_STALLS.SCOREBOARD" },
    { 0xcc, 0x40, ANY8, false, COUNTS(PAUSES), "ROB_MISC_EVENTS.PAUSE_INST" },
    { 0xa3, 0x01, ANY8, false, TOGETHER(CYCLES_L2_MISS, 0x01), "CYCLE_ACTIVITY.CYCLES_L2_MISS" },
    { 0xa3, 0x02, ANY8, false, TOGETHER(CYCLES_L3_MISS, 0x02), "CYCLE_ACTIVITY.CYCLES_L3_MISS" },
    { 0xa3, 0x08, ANY8, false, TOGETHER(CYCLES_L1D_MISS, 0x08), "CYCLE_ACTIVITY.CYCLES_L1D_MISS" },

    /* floating point. The list gives 8_FLOPS the encoding of 4_FLOPS, surely by mistake; 60H is in
     * no list. */

    /* memory. An instruction that loads and stores counts twice in ANY: whether silicon agrees
     * is not published. */
    { 0x03, 0x02, ANY8, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD" },
    { 0x03, 0x08, ANY8, false, COUNTS(SPLIT_BLOCKED), "LD_BLOCKS.NO_SR" },
    { 0xb2, 0x01, ANY8, false, COUNTS(SUPERQUEUE_FULL), "OFFCORE_REQUESTS_BUFFER.SQ_FULL" },
    { 0x07, 0x01, ANY8, false, COUNTS(ADDRESS_ALIAS), "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS" },
    { 0x48, 0x01, ANY8, false, COUNTS(L1D_PENDING), "L1D_PEND_MISS.PENDING" },
    { 0x48, 0x02, ANY8, false, COUNTS(FILL_BUFFER_WAITS), "L1D_PEND_MISS.FB_FULL" },
    { 0x60, 0x01, ANY8, false, COUNTS(READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD" },
    { 0x60, 0x02, ANY8, false, COUNTS(CODE_READ_ACTIVE),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD" },
    { 0x60, 0x04, ANY8, false, COUNTS(RFOS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_RFO" },
    { 0x60, 0x08, ANY8, false, COUNTS(DATA_READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD" },
    { 0x24, 0x22, ANY8, false, COUNTS(RFO_L2_MISSES), "L2_RQSTS.RFO_MISS" },
    { 0x24, 0xc2, ANY8, false, COUNTS(RFO_L2_HITS), "L2_RQSTS.RFO_HIT" },
    { 0x24, 0xe2, ANY8, false, COUNTS_BOTH(RFO_L2_HITS, RFO_L2_MISSES), "L2_RQSTS.ALL_RFO" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM" },
    { 0x08, 0x01, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK" },
    { 0x08, 0x0e, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x01, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.MISS_CAUSES_A_WALK" },
    { 0x49, 0x0e, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
    { 0x08, 0x10, ANY8, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_PENDING" },
    { 0x08, 0x20, ANY8, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x49, 0x10, ANY8, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_PENDING" },
    { 0x49, 0x20, ANY8, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
};

const struct event_table skylakex_events = { .row = rows, .count = COUNT_OF(rows) };

/* The events above that the event list marks as precise. */
static const struct precise_event precise[] = {
    { 0xc0, 0x01 }, { 0xc0, 0x02 }, { 0xc4, 0x01 }, { 0xc4, 0x02 }, { 0xc4, 0x04 },
    { 0xc4, 0x08 }, { 0xc4, 0x20 }, { 0xc4, 0x40 }, { 0xc5, 0x01 }, { 0xc5, 0x02 },
    { 0xc5, 0x04 }, { 0xc5, 0x08 }, { 0xc5, 0x20 }, { 0xd0, ANY_UMASK }, { 0xd1, ANY_UMASK },
    { 0xcd, 0x01 }, { 0xc6, 0x01 },
};

static const struct msr_fact msrs[] = {
    MSRS_SINCE_SKYLAKE,
    BIOS_SIGN_ID(0x02006e05),
    PLATFORM_INFO(0x80030001500), /* 21, 8 */
    PERF_STATUS_AND_CTL(0x1b00), /* ratio 27 */
    TEMPERATURE_TARGET(95),
    MISC_FEATURE_CONTROL(0xf),
    OFFCORE_RSP(0x3fffff8fff),
    TURBO_RATIO_LIMIT(0x1b1b1b1b1b1b1b1b),
    TURBO_RATIO_LIMIT_CORES(0x18181814100c0804),
    PEBS_FRONTEND(0x7fff17),
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 3, .level = 2, .ways = 16, .sets = 1024 },                 /* 1 MiB */
    { .type = 3, .level = 3, .ways = 11, .sets = 2048, .package = true }, /* 1.375 MiB a core */
};

/* Hidden, because the emulator lacks them or emulates them wrongly: SSSE3, SSE4, F16C, POPCNT,
 * MOVBE, XSAVES, RTM, SGX, VMX, SMEP, SMAP, PCID. */
static const struct cpuid_fact cpuid[] = {
    CPUID_SINCE_SKYLAKE,
    CPUID_AVX512_STATE,
    { .leaf = 0x2, .eax = 0x76036301, .ebx = 0x00f0b5ff, .edx = 0x00c30000 },
    /* TSC_ADJUST, AVX2, ERMS, AVX512F, DQ, CLFLUSHOPT, CLWB, processor trace, BW, VL */
    { .leaf = 0x7, .ebx = 0xc3830222 },
    CPUID_PROCESSOR_TRACE,
    { .leaf = 0x80000006, .ecx = 0x04008040 },
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
};

static const struct pmu_parameters pmu = {
    .core_mhz = 2700, .tsc_mhz = 2100, .crystal_mhz = 25, .max_mhz = 2700, .bus_mhz = 100,
    .version = 4,
    .gp_alone = 8, .gp_smt = 4,
    .fixed = 3,
    .width = 48,
    .architectural_events = 7,
    .anythread = true,
    .evtsel_writable = 0xffdfffff,
    .status_writable = UINT64_C(0xfc80000000000000), /* 55, 58 to 63 */
    /* LBR format 5, PEBS format 3 with trap and registers, SMM freeze, full-width writes */
    .capabilities = 0x33c5,
    .debugctl_writable = 0x7fc3,
    .fixed_source = { COUNTS(INSTRUCTIONS), COUNTS(UNHALTED), COUNTS_TICKS(PER_TSC_TICK) },
    .events = &skylakex_events,
    .uncounted = uncounted, .uncounted_count = COUNT_OF(uncounted),
    .response_code = { 0xb7, 0xbb },
    .responses = topdown_responses, .response_count = TOPDOWN_RESPONSES,
    .processor_trace = TRACE_WITHOUT_LBR,
    .lbr = { .depth = 32, .format = LBR_FORMAT_INFO, .from = 0x680, .to = 0x6c0,
             .select_writable = 0x3ff,
             .info_writable = UINT64_C(0xe00000000000ffff) },
    /* 35:32: load latency */
    .access_events = skylake_access_events, .access_event_count = ACCESS_EVENTS_SKYLAKE,
    .offcore = SKYLAKE_OFFCORE,
    .frontend = frontend_filters, .frontend_count = FRONTEND_FILTERS,
    .pebs = { .data_source = &skylake_source,
              .enable_writable = UINT64_C(0xf0000000f),
              .distributed = 1u << 1, .distributed_event = { 0xc0, 0x01 },
              .precise = precise, .precise_count = COUNT_OF(precise) },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = COUNT_OF(msrs),
    .signature = 0x50654,
    .brand = "Intel(R) Xeon(R) Platinum 8160 CPU @ 2.10GHz",
    .max_leaf = 0x16,
    .caches = caches, .cache_count = COUNT_OF(caches),
    .cpuid = cpuid, .cpuid_count = COUNT_OF(cpuid),
};

static const struct personality skylakex = {
    .name = "skylakex",
    .title = "Skylake-SP, 06_55H stepping 4: 4 slots, counters version 4, LBR",
    .omitted =
        OMITTED_SAMPLING "; the skid of a PMI is a guess; " OMITTED_PLATFORM "; no HWP; "
        OMITTED_VECTORS "; SSSE3, SSE4, F16C, RTM, SGX, processor trace and VMX are hidden; "
        OMITTED_EVENTS("off-core response by snoop, front-end retired by latency or bubbles, walks "
                       "by page size")
        "; " OMITTED_ASSISTS "; no dropped uops, no loop buffer; IDQ.ALL_DSB and IDQ.ALL_MITE "
        "leave out microcode; " OMITTED_TLBS "; " OMITTED_BOTH("ANY, UOPS_EXECUTED.CORE")
        "; PMC3 is taken by TSX under --fault tsx alone",
    .core = &skylakex_core,
    .pmu = &pmu,
};
/* clang-format on */
PERSONALITY(skylakex);
