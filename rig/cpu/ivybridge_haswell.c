/* The events that Ivy Bridge and Haswell share: encodings, counters and names are the same in the
 * vendor's public lists ivybridge_core V24 and haswell_core V36. */
#include "ivybridge_haswell.h"

/* clang-format off */

/* CYCLE_ACTIVITY compares with a cmask that is the umask itself: every set bit adds its weight
 * to the value, and only all of them together reach the cmask. RESOURCE_STALLS.SB: the model
 * counts only cycles in which no load was in flight. MEM_UOPS_RETIRED and MEM_LOAD_UOPS_RETIRED
 * count uops; on the rig they count instructions, which differs only for instructions that load
 * or store several times. */
static const struct pmu_event rows[] = {
    EVENTS_SINCE_IVYBRIDGE,
    ORDERING_WITH_DISAMBIGUATION,

    /* clocks, instructions, last-level cache */
    { 0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_XCLK" },
    { 0xc0, 0x01, ONLY1, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.PREC_DIST" },

    /* branches */
    { 0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.CONDITIONAL" },
    { 0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.NOT_TAKEN" },
    { 0xc5, 0x01, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.CONDITIONAL" },
    { 0xe6, 0x1f, ANY8, false, COUNTS(BACLEARS), "BACLEARS.ANY" },

    /* slots: issue, retirement, clears */
    { 0x0e, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY" },
    { 0x9c, 0x01, LOW4, false, COUNTS(FE_UNDELIVERED), "IDQ_UOPS_NOT_DELIVERED.CORE" },
    { 0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.RETIRE_SLOTS" },
    { 0xc2, 0x01, ANY8, false, COUNTS(UOPS_RETIRED_UNFUSED), "UOPS_RETIRED.ALL" },
    { 0x0d, 0x03, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES" },

    /* front end */
    { 0x79, 0x04, ANY8, false, COUNTS(MITE_UOPS), "IDQ.MITE_UOPS" },
    { 0x79, 0x08, ANY8, false, COUNTS(DSB_UOPS), "IDQ.DSB_UOPS" },
    { 0x79, 0x18, ANY8, false, COUNTS(DSB_UOPS), "IDQ.ALL_DSB_CYCLES_ANY_UOPS" },
    { 0x79, 0x24, ANY8, false, COUNTS(MITE_UOPS), "IDQ.ALL_MITE_CYCLES_ANY_UOPS" },
    { 0x79, 0x30, ANY8, false, COUNTS(MS_UOPS), "IDQ.MS_UOPS" },
    { 0xa8, 0x01, ANY8, false, COUNTS(LSD_UOPS), "LSD.UOPS" },
    { 0xab, 0x02, ANY8, false, COUNTS(DSB_MITE_PENALTY), "DSB2MITE_SWITCHES.PENALTY_CYCLES" },
    { 0x87, 0x01, ANY8, false, COUNTS(LCP_STALL), "ILD_STALL.LCP" },
    { 0x80, 0x04, ANY8, false, COUNTS(ICACHE_STALL), "ICACHE.IFETCH_STALL" },
    { 0x85, 0x01, ANY8, false, COUNTS(ITLB_WALKS), "ITLB_MISSES.MISS_CAUSES_A_WALK" },

    /* execution */
    { 0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE" },
    { 0x5e, 0x01, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS_EVENTS.EMPTY_CYCLES" },
    { 0xa2, 0x08, ANY8, false, COUNTS(BOUND_ON_STORES), "RESOURCE_STALLS.SB" },

    /* memory */
    { 0xd0, 0x81, LOW4, false, COUNTS(LOADS), "MEM_UOPS_RETIRED.ALL_LOADS" },
    { 0xd0, 0x82, LOW4, false, COUNTS(STORES), "MEM_UOPS_RETIRED.ALL_STORES" },
    { 0xd1, 0x01, LOW4, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_UOPS_RETIRED.L1_HIT" },
    { 0xd1, 0x02, LOW4, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_UOPS_RETIRED.L2_HIT" },
    { 0xd1, 0x08, LOW4, false, COUNTS(LOADS_L1_MISS), "MEM_LOAD_UOPS_RETIRED.L1_MISS" },
    { 0xd1, 0x10, LOW4, false, COUNTS(LOADS_L2_MISS), "MEM_LOAD_UOPS_RETIRED.L2_MISS" },
    { 0xd1, 0x40, LOW4, false, COUNTS(LOADS_FB_HIT), "MEM_LOAD_UOPS_RETIRED.HIT_LFB" },
    { 0x49, 0x01, ANY8, false, COUNTS(DTLB_STORE_WALKS), "DTLB_STORE_MISSES.MISS_CAUSES_A_WALK" },

    /* what happens to loads and stores */
    { 0x03, 0x02, ANY8, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD" },
    { 0x03, 0x08, ANY8, false, COUNTS(SPLIT_BLOCKED), "LD_BLOCKS.NO_SR" },
    { 0xb2, 0x01, ANY8, false, COUNTS(SUPERQUEUE_FULL), "OFFCORE_REQUESTS_BUFFER.SQ_FULL" },
    { 0x07, 0x01, ANY8, false, COUNTS(ADDRESS_ALIAS), "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS" },
    { 0xd0, 0x21, LOW4, false, COUNTS(LOCK_LOADS), "MEM_UOPS_RETIRED.LOCK_LOADS" },
    { 0xd0, 0x41, LOW4, false, COUNTS(SPLIT_LOADS), "MEM_UOPS_RETIRED.SPLIT_LOADS" },
    { 0xd0, 0x42, LOW4, false, COUNTS(SPLIT_STORES), "MEM_UOPS_RETIRED.SPLIT_STORES" },

    /* lines in flight */
    { 0x48, 0x01, ONLY2, false, COUNTS(L1D_PENDING), "L1D_PEND_MISS.PENDING" },
    { 0x60, 0x01, ANY8, false, COUNTS(READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD" },
    { 0x60, 0x02, ANY8, false, COUNTS(CODE_READ_ACTIVE),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD" },
    { 0x60, 0x04, ANY8, false, COUNTS(RFOS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_RFO" },
    { 0x60, 0x08, ANY8, false, COUNTS(DATA_READS_OUTSTANDING),
      "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD" },
};

const struct event_table ivybridge_haswell_events = { .row = rows, .count = COUNT_OF(rows) };

const struct cache_fact ivybridge_haswell_caches[IVYBRIDGE_HASWELL_CACHES] = {
    { .type = 1, .level = 1, .ways = 8, .sets = 64 },                     /* 32 KiB */
    { .type = 2, .level = 1, .ways = 8, .sets = 64 },                     /* 32 KiB */
    { .type = 3, .level = 2, .ways = 8, .sets = 512 },                    /* 256 KiB */
    { .type = 3, .level = 3, .ways = 16, .sets = 2048, .package = true }, /* 2 MiB a core */
};

/* clang-format on */
