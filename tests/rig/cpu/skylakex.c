/* Skylake-SP: registers, CPUID and events.
 *
 * Event encodings and the counters that can count them: the vendor's public event list for this
 * part (skylakex_core V1.37). Registers: SDM 4, tables for 06_55H and "Architectural MSRs". The
 * part played is a 2.1 GHz one that holds 2.7 GHz, so that the reference clocks never agree with
 * the core's by accident. */
#include "pmu/personality.h"
#include "pmu/parameters.h"
#include "responses.h"
#include "access_events.h"

extern const struct model_parameters skylakex_core;

#define ANY8 0xff /* all counters; with a sibling there are four of them */
#define LOW4 0x0f

/* CYCLE_ACTIVITY compares with a cmask that is the umask itself: every set bit stands for its
 * weight in the value, and only all of them together reach it. The single conditions without
 * their cmask are not published and not known here. */
#define TOGETHER(name, umask) COUNTS_TIMES(name, umask)

/* clang-format off */
static const struct pmu_event events[] = {
    /* architectural and clocks */
    { 0x3c, 0x00, ANY8, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.THREAD_P" },
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_XCLK" },
    { 0x3c, 0x02, ANY8, false, COUNTS_TICKS_WHILE(PER_CRYSTAL_TICK, ALONE),
      "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE" },
    { 0x2e, 0x4f, ANY8, false, COUNTS(LLC_REFERENCES), "LONGEST_LAT_CACHE.REFERENCE" },
    { 0x2e, 0x41, ANY8, false, COUNTS(LLC_MISSES), "LONGEST_LAT_CACHE.MISS" },
    { 0xc0, 0x00, ANY8, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P" },
    { 0xc0, 0x01, 0x02, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.PREC_DIST" },
    { 0xc0, 0x02, ANY8, false, COUNTS(NOPS_RETIRED), "INST_RETIRED.NOP" },

    /* branches */
    { 0xc4, 0x00, ANY8, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ALL_BRANCHES" },
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.CONDITIONAL" },
    { 0xc4, 0x02, ANY8, false, COUNTS(BRANCHES_CALL), "BR_INST_RETIRED.NEAR_CALL" },
    { 0xc4, 0x08, ANY8, false, COUNTS(BRANCHES_RETURN), "BR_INST_RETIRED.NEAR_RETURN" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.NOT_TAKEN" },
    { 0xc4, 0x20, ANY8, false, COUNTS(BRANCHES_TAKEN), "BR_INST_RETIRED.NEAR_TAKEN" },
    { 0xc4, 0x40, ANY8, false, COUNTS(BRANCHES_FAR), "BR_INST_RETIRED.FAR_BRANCH" },
    { 0xc5, 0x00, ANY8, false, COUNTS(MISPREDICTS), "BR_MISP_RETIRED.ALL_BRANCHES" },
    { 0xc5, 0x01, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.CONDITIONAL" },
    { 0xc5, 0x08, ANY8, false, COUNTS(MISPREDICTS_RETURN), "BR_MISP_RETIRED.RET" },
    { 0xc5, 0x20, ANY8, false, COUNTS(MISPREDICTS_TAKEN), "BR_MISP_RETIRED.NEAR_TAKEN" },
    { 0xe6, 0x01, ANY8, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0x0e, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0x9c, 0x01, ANY8, false, COUNTS(FE_UNDELIVERED), "IDQ_UOPS_NOT_DELIVERED.CORE" },
    { 0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.RETIRE_SLOTS" },
    { 0xc2, 0x04, ANY8, false, COUNTS(MACRO_FUSED), "UOPS_RETIRED.MACRO_FUSED" },
    { 0x0d, 0x01, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES" },
    { 0x0d, 0x80, ANY8, false, COUNTS(CLEAR_RESTEER), "INT_MISC.CLEAR_RESTEER_CYCLES" },
    { 0xc3, 0x01, ANY8, false, COUNTS(MACHINE_CLEARS), "MACHINE_CLEARS.COUNT" },
    { 0xc3, 0x02, ANY8, false, COUNTS(MACHINE_CLEARS_ORDERING), "MACHINE_CLEARS.MEMORY_ORDERING" },
    { 0xc3, 0x04, ANY8, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_CLEARS.SMC" },
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
    { 0xb1, 0x01, ANY8, false, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.THREAD" },
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE" },
    { 0x5e, 0x01, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS_EVENTS.EMPTY_CYCLES" },
    { 0x14, 0x01, ANY8, false, COUNTS(DIVIDER_ACTIVE), "ARITH.DIVIDER_ACTIVE" },
    { 0xa3, 0x04, ANY8, false, TOGETHER(STALL_TOTAL, 0x04), "CYCLE_ACTIVITY.STALLS_TOTAL" },
    { 0xa3, 0x05, ANY8, false, TOGETHER(STALL_L2_MISS, 0x05), "CYCLE_ACTIVITY.STALLS_L2_MISS" },
    { 0xa3, 0x06, ANY8, false, TOGETHER(STALL_L3_MISS, 0x06), "CYCLE_ACTIVITY.STALLS_L3_MISS" },
    { 0xa3, 0x0c, ANY8, false, TOGETHER(STALL_L1D_MISS, 0x0c), "CYCLE_ACTIVITY.STALLS_L1D_MISS" },
    { 0xa3, 0x14, LOW4, false, TOGETHER(STALL_MEM_ANY, 0x14), "CYCLE_ACTIVITY.STALLS_MEM_ANY" },
    { 0xa6, 0x01, ANY8, false, COUNTS(EXE_0_PORTS), "EXE_ACTIVITY.EXE_BOUND_0_PORTS" },
    { 0xa6, 0x02, ANY8, false, COUNTS(EXE_1_PORT), "EXE_ACTIVITY.1_PORTS_UTIL" },
    { 0xa6, 0x04, ANY8, false, COUNTS(EXE_2_PORTS), "EXE_ACTIVITY.2_PORTS_UTIL" },
    { 0xa6, 0x08, ANY8, false, COUNTS(EXE_3_PORTS), "EXE_ACTIVITY.3_PORTS_UTIL" },
    { 0xa6, 0x10, ANY8, false, COUNTS(EXE_4_PORTS), "EXE_ACTIVITY.4_PORTS_UTIL" },
    { 0xa6, 0x40, ANY8, false, COUNTS(BOUND_ON_STORES), "EXE_ACTIVITY.BOUND_ON_STORES" },
    { 0xa1, 0x01, ANY8, false, COUNTS(PORT_0), "UOPS_DISPATCHED_PORT.PORT_0" },
    { 0xa1, 0x02, ANY8, false, COUNTS(PORT_1), "UOPS_DISPATCHED_PORT.PORT_1" },
    { 0xa1, 0x04, ANY8, false, COUNTS(PORT_2), "UOPS_DISPATCHED_PORT.PORT_2" },
    { 0xa1, 0x08, ANY8, false, COUNTS(PORT_3), "UOPS_DISPATCHED_PORT.PORT_3" },
    { 0xa1, 0x10, ANY8, false, COUNTS(PORT_4), "UOPS_DISPATCHED_PORT.PORT_4" },
    { 0xa1, 0x20, ANY8, false, COUNTS(PORT_5), "UOPS_DISPATCHED_PORT.PORT_5" },
    { 0xa1, 0x40, ANY8, false, COUNTS(PORT_6), "UOPS_DISPATCHED_PORT.PORT_6" },
    { 0xa1, 0x80, ANY8, false, COUNTS(PORT_7), "UOPS_DISPATCHED_PORT.PORT_7" },
    { 0xb1, 0x10, ANY8, false, COUNTS(X87_EXECUTED), "UOPS_EXECUTED.X87" },
    { 0x0e, 0x02, ANY8, false, COUNTS(BLENDS), "UOPS_ISSUED.VECTOR_WIDTH_MISMATCH" },
    { 0x59, 0x01, ANY8, false, COUNTS(SCOREBOARD), "PARTIAL_RAT_STALLS.SCOREBOARD" },
    { 0xcc, 0x40, ANY8, false, COUNTS(PAUSES), "ROB_MISC_EVENTS.PAUSE_INST" },
    { 0xa3, 0x01, ANY8, false, TOGETHER(CYCLES_L2_MISS, 0x01), "CYCLE_ACTIVITY.CYCLES_L2_MISS" },
    { 0xa3, 0x02, ANY8, false, TOGETHER(CYCLES_L3_MISS, 0x02), "CYCLE_ACTIVITY.CYCLES_L3_MISS" },
    { 0xa3, 0x08, ANY8, false, TOGETHER(CYCLES_L1D_MISS, 0x08), "CYCLE_ACTIVITY.CYCLES_L1D_MISS" },
    { 0xa3, 0x10, ANY8, false, TOGETHER(CYCLES_MEM_ANY, 0x10), "CYCLE_ACTIVITY.CYCLES_MEM_ANY" },

    /* floating point. The list gives 8_FLOPS the encoding of 4_FLOPS, surely by mistake; 60H is in
     * no list. */
    { 0xc7, 0x01, ANY8, false, COUNTS(FP_SCALAR_DOUBLE), "FP_ARITH_INST_RETIRED.SCALAR_DOUBLE" },
    { 0xc7, 0x02, ANY8, false, COUNTS(FP_SCALAR_SINGLE), "FP_ARITH_INST_RETIRED.SCALAR_SINGLE" },
    { 0xc7, 0x03, ANY8, false, COUNTS_BOTH(FP_SCALAR_SINGLE, FP_SCALAR_DOUBLE),
      "FP_ARITH_INST_RETIRED.SCALAR" },
    { 0xc7, 0x04, ANY8, false, COUNTS(FP_PACKED_DOUBLE),
      "FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE" },
    { 0xc7, 0x08, ANY8, false, COUNTS(FP_PACKED_SINGLE),
      "FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE" },
    { 0xc7, 0x10, ANY8, false, COUNTS(FP_256_DOUBLE), "FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE" },
    { 0xc7, 0x20, ANY8, false, COUNTS(FP_256_SINGLE), "FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE" },
    { 0xc7, 0x40, ANY8, false, COUNTS(FP_512_DOUBLE), "FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE" },
    { 0xc7, 0x80, ANY8, false, COUNTS(FP_512_SINGLE), "FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE" },
    { 0xc7, 0x18, ANY8, false, COUNTS_BOTH(FP_PACKED_SINGLE, FP_256_DOUBLE),
      "FP_ARITH_INST_RETIRED.4_FLOPS" },
    { 0xc7, 0xfc, ANY8, false, COUNTS(FP_VECTORS),
      "FP_ARITH_INST_RETIRED.VECTOR" },

    /* memory. An instruction that loads and stores counts twice in ANY: whether silicon agrees
     * is not published. */
    { 0xd0, 0x81, LOW4, false, COUNTS(LOADS), "MEM_INST_RETIRED.ALL_LOADS" },
    { 0xd0, 0x82, LOW4, false, COUNTS(STORES), "MEM_INST_RETIRED.ALL_STORES" },
    { 0xd0, 0x83, LOW4, false, COUNTS_BOTH(LOADS, STORES), "MEM_INST_RETIRED.ANY" },
    { 0xd0, 0x21, LOW4, false, COUNTS(LOCK_LOADS), "MEM_INST_RETIRED.LOCK_LOADS" },
    { 0xd0, 0x41, LOW4, false, COUNTS(SPLIT_LOADS), "MEM_INST_RETIRED.SPLIT_LOADS" },
    { 0xd0, 0x42, LOW4, false, COUNTS(SPLIT_STORES), "MEM_INST_RETIRED.SPLIT_STORES" },
    { 0x03, 0x02, ANY8, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD" },
    { 0x03, 0x08, ANY8, false, COUNTS(SPLIT_BLOCKED), "LD_BLOCKS.NO_SR" },
    { 0xb2, 0x01, ANY8, false, COUNTS(SUPERQUEUE_FULL), "OFFCORE_REQUESTS_BUFFER.SQ_FULL" },
    { 0x07, 0x01, ANY8, false, COUNTS(ADDRESS_ALIAS), "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS" },
    { 0xd1, 0x01, LOW4, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_RETIRED.L1_HIT" },
    { 0xd1, 0x02, LOW4, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_RETIRED.L2_HIT" },
    { 0xd1, 0x04, LOW4, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_RETIRED.L3_HIT" },
    { 0xd1, 0x08, LOW4, false, COUNTS(LOADS_L1_MISS), "MEM_LOAD_RETIRED.L1_MISS" },
    { 0xd1, 0x10, LOW4, false, COUNTS(LOADS_L2_MISS), "MEM_LOAD_RETIRED.L2_MISS" },
    { 0xd1, 0x20, LOW4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_RETIRED.L3_MISS" },
    { 0xd1, 0x40, LOW4, false, COUNTS(LOADS_FB_HIT), "MEM_LOAD_RETIRED.FB_HIT" },
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
    { 0xd2, 0x01, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_HIT_RETIRED.XSNP_MISS" },
    { 0xd2, 0x02, LOW4, false, COUNTS(LOADS_XSNP_HIT), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT" },
    { 0xd2, 0x04, LOW4, false, COUNTS(LOADS_XSNP_HITM), "MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM" },
    { 0xd3, 0x01, LOW4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM" },
    { 0xd3, 0x02, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM" },
    { 0xd3, 0x04, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM" },
    { 0xd3, 0x08, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD" },
    { 0x08, 0x01, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK" },
    { 0x08, 0x0e, ANY8, false, COUNTS(DTLB_LOAD_WALKS), "DTLB_LOAD_MISSES.WALK_COMPLETED" },
    { 0x49, 0x01, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.MISS_CAUSES_A_WALK" },
    { 0x49, 0x0e, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.WALK_COMPLETED" },
    { 0x08, 0x10, ANY8, false, COUNTS(LOAD_WALKS_ACTIVE), "DTLB_LOAD_MISSES.WALK_PENDING" },
    { 0x08, 0x20, ANY8, false, COUNTS(DTLB_LOAD_STLB_HITS), "DTLB_LOAD_MISSES.STLB_HIT" },
    { 0x49, 0x10, ANY8, false, COUNTS(STORE_WALKS_ACTIVE), "DTLB_STORE_MISSES.WALK_PENDING" },
    { 0x49, 0x20, ANY8, false, COUNTS(DTLB_STORE_STLB_HITS), "DTLB_STORE_MISSES.STLB_HIT" },
};
/* clang-format on */

/* What the event list marks as precise, as far as it is above. */
/* clang-format off */
static const struct precise_event precise[] = {
    { 0xc0, 0x01 }, { 0xc0, 0x02 }, { 0xc4, 0x01 }, { 0xc4, 0x02 }, { 0xc4, 0x04 },
    { 0xc4, 0x08 }, { 0xc4, 0x20 }, { 0xc4, 0x40 }, { 0xc5, 0x01 }, { 0xc5, 0x02 },
    { 0xc5, 0x04 }, { 0xc5, 0x08 }, { 0xc5, 0x20 }, { 0xd0, ANY_UMASK }, { 0xd1, ANY_UMASK },
    { 0xcd, 0x01 }, { 0xc6, 0x01 },
};
/* clang-format on */

#define ALL_BITS UINT64_MAX

/* clang-format off */
static const struct msr_fact msrs[] = {
    { .address = 0x017, .read_only = true }, /* IA32_PLATFORM_ID */
    /* IA32_BIOS_SIGN_ID */
    { .address = 0x08b, .reset = UINT64_C(0x02006e05) << 32, .ignored = ALL_BITS },
    /* MSR_PLATFORM_INFO: 21, 8 */
    { .address = 0x0ce, .read_only = true, .reset = UINT64_C(0x80030001500) },
    { .address = 0x198, .read_only = true, .reset = 0x1b00 }, /* IA32_PERF_STATUS: ratio 27 */
    { .address = 0x199, .reset = 0x1b00, .writable = UINT64_C(0x10000ffff) }, /* IA32_PERF_CTL */
    /* IA32_THERM_STATUS: 40 below, valid */
    { .address = 0x19c, .reset = 0x88280000, .ignored = UINT32_MAX },
    /* IA32_MISC_ENABLE: fast strings, TM1, counters, EIST, MONITOR */
    { .address = 0x1a0, .reset = 0x50089, .writable = UINT64_C(0x4000850009), .ignored = 0x1880 },
    { .address = 0x1a2, .read_only = true, .reset = 0x5f0000 }, /* MSR_TEMPERATURE_TARGET: 95 */
    { .address = 0x1a4, .writable = 0xf }, /* MSR_MISC_FEATURE_CONTROL */
    { .address = 0x1a6, .writable = UINT64_C(0x3fffff8fff) }, /* MSR_OFFCORE_RSP_0 */
    { .address = 0x1a7, .writable = UINT64_C(0x3fffff8fff) }, /* MSR_OFFCORE_RSP_1 */
    /* MSR_TURBO_RATIO_LIMIT */
    { .address = 0x1ad, .read_only = true, .reset = UINT64_C(0x1b1b1b1b1b1b1b1b) },
    { .address = 0x1ae, .read_only = true, .reset = UINT64_C(0x18181814100c0804) }, /* ..._CORES */
    /* IA32_PACKAGE_THERM_STATUS */
    { .address = 0x1b1, .reset = 0x00280000, .ignored = UINT32_MAX },
    { .address = 0x1fc, .writable = 0x2 }, /* MSR_POWER_CTL: C1E */
    { .address = 0x3f6, .writable = 0xffff }, /* MSR_PEBS_LD_LAT */
    { .address = 0x3f7, .writable = 0x7fff17 }, /* MSR_PEBS_FRONTEND */
    { .address = 0x64f, .ignored = UINT32_MAX }, /* MSR_CORE_PERF_LIMIT_REASONS: none */
};

static const struct cache_fact caches[] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 },                    /* 32 KiB */
    { .type = 3, .level = 2, .ways = 16, .sets = 1024 },                 /* 1 MiB */
    { .type = 3, .level = 3, .ways = 11, .sets = 2048, .package = true }, /* 1.375 MiB a core */
};
/* clang-format on */

/* Hidden because the emulator under the machine has them not, or not rightly: SSSE3,
 * SSE4, F16C, POPCNT, MOVBE, XSAVES, RTM, SGX, processor trace, VMX, SMEP, SMAP, PCID. */
/* clang-format off */
static const struct cpuid_fact cpuid[] = {
    /* SSE3, DTES64, MONITOR, DS-CPL, EST, TM2, CX16, xTPR, PDCM, x2APIC, TSC deadline,
     * XSAVE, AVX, FMA, hypervisor */
    { .leaf = 0x1, .ecx = 0x9520f19d, .edx = 0xafebfbff },
    { .leaf = 0x2, .eax = 0x76036301, .ebx = 0x00f0b5ff, .edx = 0x00c30000 },
    { .leaf = 0x5, .eax = 0x40, .ebx = 0x40, .ecx = 0x3, .edx = 0x2020 },
    { .leaf = 0x6, .eax = 0x77, .ebx = 0x2, .ecx = 0x9 },
    /* TSC_ADJUST, AVX2, ERMS, AVX512F, DQ, CLFLUSHOPT, CLWB, BW, VL */
    { .leaf = 0x7, .ebx = 0xc1830222 },
    /* register state: x87, SSE, AVX, opmasks, ZMM's upper halves, ZMM16 to ZMM31 */
    { .leaf = 0xd, .eax = 0xe7, .ecx = 0xa80 },
    { .leaf = 0xd, .subleaf = 1, .eax = 0x7 }, /* XSAVEOPT, XSAVEC, XGETBV of what is in use */
    { .leaf = 0xd, .subleaf = 2, .eax = 0x100, .ebx = 0x240 },
    { .leaf = 0xd, .subleaf = 5, .eax = 0x40, .ebx = 0x440 },
    { .leaf = 0xd, .subleaf = 6, .eax = 0x200, .ebx = 0x480 },
    { .leaf = 0xd, .subleaf = 7, .eax = 0x400, .ebx = 0x680 },
    { .leaf = 0x80000001, .ecx = 0x1, .edx = 0x2c100800 },
    { .leaf = 0x80000006, .ecx = 0x04008040 },
    { .leaf = 0x80000007, .edx = 0x100 },
    { .leaf = 0x80000008, .eax = 0x302e },
};
/* clang-format on */

/* What the published tree refers to and the model cannot tell. */
/* clang-format off */
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
    .events = events, .event_count = sizeof(events) / sizeof(events[0]),
    .uncounted = uncounted, .uncounted_count = sizeof(uncounted) / sizeof(uncounted[0]),
    .response_code = { 0xb7, 0xbb }, RESPONSES,
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
              .precise = precise, .precise_count = sizeof(precise) / sizeof(precise[0]) },
    .pmi_skid = 12, /* a guess: from a counter's overflow to the interrupt at the APIC */
    .msrs = msrs, .msr_count = sizeof(msrs) / sizeof(msrs[0]),
    .signature = 0x50654,
    .brand = "Intel(R) Xeon(R) Platinum 8160 CPU @ 2.10GHz",
    .max_leaf = 0x16,
    .caches = caches, .cache_count = sizeof(caches) / sizeof(caches[0]),
    .cpuid = cpuid, .cpuid_count = sizeof(cpuid) / sizeof(cpuid[0]),
};

static const struct personality skylakex = {
    .name = "skylakex",
    .title = "Skylake-SP, 06_55H stepping 4: 4 slots, counters version 4, LBR",
    .omitted =
        "no cost of BTS records; load latency follows one load at a time, in program order, "
        "and its data source does not tell the copy of another core from that of L3; the "
        "skid of a PMI is a guess; no uncore "
        "counters, no energy registers, no HWP, no SMI, machine check or thermal event; one "
        "constant frequency; " OMITTED_VECTORS "SSSE3, SSE4, F16C, RTM, SGX, processor "
        "trace and VMX are hidden; events without a signal in the model (off-core response "
        "by snoop, front-end retired by latency or bubbles, walks by "
        "page size and more) count nothing and are named at the end; "
        "assists but for small products, dropped uops "
        "and a loop buffer do not occur; IDQ.ALL_DSB and IDQ.ALL_MITE leave out microcode; "
        "with two threads a core each has whole TLBs of its own, and what includes the "
        "sibling (ANY, UOPS_EXECUTED.CORE) counts nothing while its own thread is halted; "
        "PMC3 is never taken by TSX",
    .core = &skylakex_core,
    .pmu = &pmu,
};
/* clang-format on */
PERSONALITY(skylakex);
