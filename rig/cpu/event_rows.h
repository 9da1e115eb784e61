/* Rows that the event tables of several parts share: encodings, counters and names are the same in
 * the vendor's public list of each. A row names the signal that it counts (core/signals.h). */
#ifndef RIG_CPU_EVENT_ROWS_H
#define RIG_CPU_EVENT_ROWS_H

#include "pmu/parameters.h"
#include "rows.h"

/* For CYCLE_ACTIVITY with a cmask that equals the umask: every set bit of the umask is a
 * condition that adds its weight to the value, and only all conditions together reach the cmask.
 * A single condition without its cmask is not published and unknown to the rig. */
#define TOGETHER(name, umask) COUNTS_TIMES(name, umask)

/* clang-format off */

/* Memory ordering clears: Skylake's list names memory disambiguation among their causes, beside
 * snoops; older lists are taken to mean it, too. */
#define ORDERING_WITH_DISAMBIGUATION \
    { 0xc3, 0x02, ANY8, false, COUNTS(MACHINE_CLEARS_ORDERING), "MACHINE_CLEARS.MEMORY_ORDERING" }
/* Since Ice Lake they say "when a memory read may not conform to the memory ordering rules", and
 * name disambiguation no more. That it is not counted is a guess; Gracemont's list says so. */
#define ORDERING_ALONE(counters) \
    { 0xc3, 0x02, counters, false, \
      COUNTS_LESS(MACHINE_CLEARS_ORDERING, MACHINE_CLEARS_DISAMBIGUATION), \
      "MACHINE_CLEARS.MEMORY_ORDERING" }

/* Ivy Bridge, Haswell and the parts of the next list. */
#define EVENTS_SINCE_IVYBRIDGE \
    /* clocks, last-level cache, instructions */ \
    { 0x3c, 0x00, ANY8, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.THREAD_P" }, \
    { 0x3c, 0x02, ANY8, false, COUNTS_TICKS_WHILE(PER_CRYSTAL_TICK, ALONE), \
      "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE" }, \
    { 0x2e, 0x4f, ANY8, false, COUNTS(LLC_REFERENCES), "LONGEST_LAT_CACHE.REFERENCE" }, \
    { 0x2e, 0x41, ANY8, false, COUNTS(LLC_MISSES), "LONGEST_LAT_CACHE.MISS" }, \
    { 0xc0, 0x00, ANY8, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P" }, \
    /* branches */ \
    { 0xc4, 0x00, ANY8, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ALL_BRANCHES" }, \
    { 0xc4, 0x02, ANY8, false, COUNTS(BRANCHES_CALL), "BR_INST_RETIRED.NEAR_CALL" }, \
    { 0xc4, 0x08, ANY8, false, COUNTS(BRANCHES_RETURN), "BR_INST_RETIRED.NEAR_RETURN" }, \
    { 0xc4, 0x20, ANY8, false, COUNTS(BRANCHES_TAKEN), "BR_INST_RETIRED.NEAR_TAKEN" }, \
    { 0xc4, 0x40, ANY8, false, COUNTS(BRANCHES_FAR), "BR_INST_RETIRED.FAR_BRANCH" }, \
    { 0xc5, 0x00, ANY8, false, COUNTS(MISPREDICTS), "BR_MISP_RETIRED.ALL_BRANCHES" }, \
    { 0xc5, 0x20, ANY8, false, COUNTS(MISPREDICTS_TAKEN), "BR_MISP_RETIRED.NEAR_TAKEN" }, \
    /* clears */ \
    { 0xc3, 0x01, ANY8, false, COUNTS(MACHINE_CLEARS), "MACHINE_CLEARS.COUNT" }, \
    { 0xc3, 0x04, ANY8, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_CLEARS.SMC" }

/* Skylake, Ice Lake, Golden Cove and Redwood Cove. An instruction that loads and stores counts
 * twice in MEM_INST_RETIRED.ANY: whether silicon agrees is not published. */
#define EVENTS_SINCE_SKYLAKE \
    EVENTS_SINCE_IVYBRIDGE, \
    { 0xc0, 0x02, ANY8, false, COUNTS(NOPS_RETIRED), "INST_RETIRED.NOP" }, \
    { 0xc5, 0x08, ANY8, false, COUNTS(MISPREDICTS_RETURN), "BR_MISP_RETIRED.RET" }, \
    /* execution */ \
    { 0xb1, 0x01, ANY8, false, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.THREAD" }, \
    { 0xa3, 0x04, ANY8, false, TOGETHER(STALL_TOTAL, 0x04), "CYCLE_ACTIVITY.STALLS_TOTAL" }, \
    { 0xa6, 0x02, ANY8, false, COUNTS(EXE_1_PORT), "EXE_ACTIVITY.1_PORTS_UTIL" }, \
    { 0xa6, 0x04, ANY8, false, COUNTS(EXE_2_PORTS), "EXE_ACTIVITY.2_PORTS_UTIL" }, \
    { 0xa6, 0x08, ANY8, false, COUNTS(EXE_3_PORTS), "EXE_ACTIVITY.3_PORTS_UTIL" }, \
    { 0xa6, 0x10, ANY8, false, COUNTS(EXE_4_PORTS), "EXE_ACTIVITY.4_PORTS_UTIL" }, \
    { 0xb1, 0x10, ANY8, false, COUNTS(X87_EXECUTED), "UOPS_EXECUTED.X87" }, \
    { 0xa3, 0x10, ANY8, false, TOGETHER(CYCLES_MEM_ANY, 0x10), "CYCLE_ACTIVITY.CYCLES_MEM_ANY" }, \
    /* floating point */ \
    { 0xc7, 0x01, ANY8, false, COUNTS(FP_SCALAR_DOUBLE), "FP_ARITH_INST_RETIRED.SCALAR_DOUBLE" }, \
    { 0xc7, 0x02, ANY8, false, COUNTS(FP_SCALAR_SINGLE), "FP_ARITH_INST_RETIRED.SCALAR_SINGLE" }, \
    { 0xc7, 0x03, ANY8, false, COUNTS_BOTH(FP_SCALAR_SINGLE, FP_SCALAR_DOUBLE), \
      "FP_ARITH_INST_RETIRED.SCALAR" }, \
    { 0xc7, 0x04, ANY8, false, COUNTS(FP_PACKED_DOUBLE), \
      "FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE" }, \
    { 0xc7, 0x08, ANY8, false, COUNTS(FP_PACKED_SINGLE), \
      "FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE" }, \
    { 0xc7, 0x10, ANY8, false, COUNTS(FP_256_DOUBLE), \
      "FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE" }, \
    { 0xc7, 0x20, ANY8, false, COUNTS(FP_256_SINGLE), \
      "FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE" }, \
    { 0xc7, 0x18, ANY8, false, COUNTS_BOTH(FP_PACKED_SINGLE, FP_256_DOUBLE), \
      "FP_ARITH_INST_RETIRED.4_FLOPS" }, \
    { 0xc7, 0xfc, ANY8, false, COUNTS(FP_VECTORS), \
      "FP_ARITH_INST_RETIRED.VECTOR" }, \
    /* memory */ \
    { 0xd0, 0x81, LOW4, false, COUNTS(LOADS), "MEM_INST_RETIRED.ALL_LOADS" }, \
    { 0xd0, 0x82, LOW4, false, COUNTS(STORES), "MEM_INST_RETIRED.ALL_STORES" }, \
    { 0xd0, 0x83, LOW4, false, COUNTS_BOTH(LOADS, STORES), "MEM_INST_RETIRED.ANY" }, \
    { 0xd0, 0x21, LOW4, false, COUNTS(LOCK_LOADS), "MEM_INST_RETIRED.LOCK_LOADS" }, \
    { 0xd0, 0x41, LOW4, false, COUNTS(SPLIT_LOADS), "MEM_INST_RETIRED.SPLIT_LOADS" }, \
    { 0xd0, 0x42, LOW4, false, COUNTS(SPLIT_STORES), "MEM_INST_RETIRED.SPLIT_STORES" }, \
    { 0xd1, 0x01, LOW4, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_RETIRED.L1_HIT" }, \
    { 0xd1, 0x02, LOW4, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_RETIRED.L2_HIT" }, \
    { 0xd1, 0x04, LOW4, false, COUNTS(LOADS_L3_HIT), "MEM_LOAD_RETIRED.L3_HIT" }, \
    { 0xd1, 0x08, LOW4, false, COUNTS(LOADS_L1_MISS), "MEM_LOAD_RETIRED.L1_MISS" }, \
    { 0xd1, 0x10, LOW4, false, COUNTS(LOADS_L2_MISS), "MEM_LOAD_RETIRED.L2_MISS" }, \
    { 0xd1, 0x20, LOW4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_RETIRED.L3_MISS" }, \
    { 0xd1, 0x40, LOW4, false, COUNTS(LOADS_FB_HIT), "MEM_LOAD_RETIRED.FB_HIT" }, \
    { 0xd2, 0x01, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_HIT_RETIRED.XSNP_MISS" }

/* The server parts of the list above. */
#define EVENTS_SERVER_SINCE_SKYLAKE \
    { 0xc7, 0x40, ANY8, false, COUNTS(FP_512_DOUBLE), \
      "FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE" }, \
    { 0xc7, 0x80, ANY8, false, COUNTS(FP_512_SINGLE), \
      "FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE" }, \
    { 0xd3, 0x01, LOW4, false, COUNTS(LOADS_LOCAL_DRAM), "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM" }, \
    { 0xd3, 0x02, LOW4, false, COUNTS(LOADS_REMOTE_DRAM), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM" }, \
    { 0xd3, 0x04, LOW4, false, COUNTS(LOADS_REMOTE_MODIFIED), \
      "MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM" }, \
    { 0xd3, 0x08, LOW4, false, COUNTS(LOADS_REMOTE_CLEAN), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD" }

/* clang-format on */

#endif
