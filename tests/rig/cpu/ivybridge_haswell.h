/* The events that Ivy Bridge and Haswell share, as the vendor's public lists ivybridge_core V24 and
 * haswell_core V36 have them with the same encodings, counters and names. Each of the two states
 * what differs. */
#ifndef RIG_CPU_IVYBRIDGE_HASWELL_H
#define RIG_CPU_IVYBRIDGE_HASWELL_H

#include "pmu/parameters.h"

#define ANY8  0xff /* all counters; with a sibling there are four of them */
#define LOW4  0x0f
#define ONLY2 0x04

/* CYCLE_ACTIVITY compares with a cmask that is the umask itself: every set bit stands for its
 * weight in the value, and only all of them together reach it. RESOURCE_STALLS.SB: the model knows
 * only the cycles in which no load was under way. MEM_UOPS_RETIRED and MEM_LOAD_UOPS_RETIRED count
 * uops; here they count instructions, which is the same but for those that load or store several
 * times. */
#define IVYBRIDGE_HASWELL_EVENTS                                                                   \
    /* clocks, instructions, last-level cache */                                                   \
    {0x3c, 0x00, ANY8, false, COUNTS(UNHALTED), "CPU_CLK_UNHALTED.THREAD_P"},                      \
        {0x3c, 0x01, ANY8, false, COUNTS_TICKS(PER_CRYSTAL_TICK), "CPU_CLK_UNHALTED.REF_XCLK"},    \
        {0x3c,                                                                                     \
         0x02,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS_TICKS_WHILE(PER_CRYSTAL_TICK, ALONE),                                              \
         "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE"},                                                    \
        {0x2e, 0x4f, ANY8, false, COUNTS(LLC_REFERENCES), "LONGEST_LAT_CACHE.REFERENCE"},          \
        {0x2e, 0x41, ANY8, false, COUNTS(LLC_MISSES), "LONGEST_LAT_CACHE.MISS"},                   \
        {0xc0, 0x00, ANY8, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P"},                     \
        {0xc0, 0x01, 0x02, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.PREC_DIST"}, /* branches */  \
        {0xc4, 0x00, ANY8, false, COUNTS(BRANCHES), "BR_INST_RETIRED.ALL_BRANCHES"},               \
        {0xc4, 0x01, ANY8, false, COUNTS(BRANCHES_CONDITIONAL), "BR_INST_RETIRED.CONDITIONAL"},    \
        {0xc4, 0x10, ANY8, false, COUNTS(BRANCHES_NOT_TAKEN), "BR_INST_RETIRED.NOT_TAKEN"},        \
        {0xc4, 0x02, ANY8, false, COUNTS(BRANCHES_CALL), "BR_INST_RETIRED.NEAR_CALL"},             \
        {0xc4, 0x08, ANY8, false, COUNTS(BRANCHES_RETURN), "BR_INST_RETIRED.NEAR_RETURN"},         \
        {0xc4, 0x20, ANY8, false, COUNTS(BRANCHES_TAKEN), "BR_INST_RETIRED.NEAR_TAKEN"},           \
        {0xc4, 0x40, ANY8, false, COUNTS(BRANCHES_FAR), "BR_INST_RETIRED.FAR_BRANCH"},             \
        {0xc5, 0x00, ANY8, false, COUNTS(MISPREDICTS), "BR_MISP_RETIRED.ALL_BRANCHES"},            \
        {0xc5, 0x01, ANY8, false, COUNTS(MISPREDICTS_CONDITIONAL), "BR_MISP_RETIRED.CONDITIONAL"}, \
        {0xc5, 0x20, ANY8, false, COUNTS(MISPREDICTS_TAKEN), "BR_MISP_RETIRED.NEAR_TAKEN"},        \
        {0xe6,          0x1f, ANY8, false, COUNTS(BACLEARS),                                       \
         "BACLEARS.ANY"}, /* slots: issue, retirement, clears */                                   \
        {0x0e, 0x01, ANY8, false, COUNTS(UOPS_ISSUED), "UOPS_ISSUED.ANY"},                         \
        {0x9c, 0x01, LOW4, false, COUNTS(FE_UNDELIVERED), "IDQ_UOPS_NOT_DELIVERED.CORE"},          \
        {0xc2, 0x02, ANY8, false, COUNTS(UOPS_RETIRED), "UOPS_RETIRED.RETIRE_SLOTS"},              \
        {0xc2, 0x01, ANY8, false, COUNTS(UOPS_RETIRED_UNFUSED), "UOPS_RETIRED.ALL"},               \
        {0x0d, 0x03, ANY8, false, COUNTS(RECOVERY), "INT_MISC.RECOVERY_CYCLES"},                   \
        {0xc3, 0x01, ANY8, false, COUNTS(MACHINE_CLEARS), "MACHINE_CLEARS.COUNT"},                 \
        {0xc3,                                                                                     \
         0x02,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(MACHINE_CLEARS_ORDERING),                                                          \
         "MACHINE_CLEARS.MEMORY_ORDERING"},                                                        \
        {0xc3, 0x04, ANY8, false, COUNTS(MACHINE_CLEARS_SMC), "MACHINE_CLEARS.SMC"}, /* front end  \
                                                                                      */           \
        {0x79, 0x04, ANY8, false, COUNTS(MITE_UOPS), "IDQ.MITE_UOPS"},                             \
        {0x79, 0x08, ANY8, false, COUNTS(DSB_UOPS), "IDQ.DSB_UOPS"},                               \
        {0x79, 0x18, ANY8, false, COUNTS(DSB_UOPS), "IDQ.ALL_DSB_CYCLES_ANY_UOPS"},                \
        {0x79, 0x24, ANY8, false, COUNTS(MITE_UOPS), "IDQ.ALL_MITE_CYCLES_ANY_UOPS"},              \
        {0x79, 0x30, ANY8, false, COUNTS(MS_UOPS), "IDQ.MS_UOPS"},                                 \
        {0xa8, 0x01, ANY8, false, COUNTS(LSD_UOPS), "LSD.UOPS"},                                   \
        {0xab, 0x02, ANY8, false, COUNTS(DSB_MITE_PENALTY), "DSB2MITE_SWITCHES.PENALTY_CYCLES"},   \
        {0x87, 0x01, ANY8, false, COUNTS(LCP_STALL), "ILD_STALL.LCP"},                             \
        {0x80, 0x04, ANY8, false, COUNTS(ICACHE_STALL), "ICACHE.IFETCH_STALL"},                    \
        {0x85,                                                                                     \
         0x01,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(ITLB_WALKS),                                                                       \
         "ITLB_MISSES.MISS_CAUSES_A_WALK"}, /* execution */                                        \
        {0xb1, 0x02, ANY8, true, COUNTS(UOPS_EXECUTED), "UOPS_EXECUTED.CORE"},                     \
        {0x5e, 0x01, ANY8, false, COUNTS(SCHEDULER_EMPTY), "RS_EVENTS.EMPTY_CYCLES"},              \
        {0xa2, 0x08, ANY8, false, COUNTS(BOUND_ON_STORES), "RESOURCE_STALLS.SB"}, /* memory */     \
        {0xd0, 0x81, LOW4, false, COUNTS(LOADS), "MEM_UOPS_RETIRED.ALL_LOADS"},                    \
        {0xd0, 0x82, LOW4, false, COUNTS(STORES), "MEM_UOPS_RETIRED.ALL_STORES"},                  \
        {0xd1, 0x01, LOW4, false, COUNTS(LOADS_L1_HIT), "MEM_LOAD_UOPS_RETIRED.L1_HIT"},           \
        {0xd1, 0x02, LOW4, false, COUNTS(LOADS_L2_HIT), "MEM_LOAD_UOPS_RETIRED.L2_HIT"},           \
        {0xd1, 0x08, LOW4, false, COUNTS(LOADS_L1_MISS), "MEM_LOAD_UOPS_RETIRED.L1_MISS"},         \
        {0xd1, 0x10, LOW4, false, COUNTS(LOADS_L2_MISS), "MEM_LOAD_UOPS_RETIRED.L2_MISS"},         \
        {0xd1, 0x40, LOW4, false, COUNTS(LOADS_FB_HIT), "MEM_LOAD_UOPS_RETIRED.HIT_LFB"},          \
        {0x49,                                                                                     \
         0x01,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(DTLB_STORE_WALKS),                                                                 \
         "DTLB_STORE_MISSES.MISS_CAUSES_A_WALK"}, /* what a load or store met */                   \
        {0x03, 0x02, ANY8, false, COUNTS(FORWARD_BLOCKED), "LD_BLOCKS.STORE_FORWARD"},             \
        {0x03, 0x08, ANY8, false, COUNTS(SPLIT_BLOCKED), "LD_BLOCKS.NO_SR"},                       \
        {0xb2, 0x01, ANY8, false, COUNTS(SUPERQUEUE_FULL), "OFFCORE_REQUESTS_BUFFER.SQ_FULL"},     \
        {0x07, 0x01, ANY8, false, COUNTS(ADDRESS_ALIAS), "LD_BLOCKS_PARTIAL.ADDRESS_ALIAS"},       \
        {0xd0, 0x21, LOW4, false, COUNTS(LOCK_LOADS), "MEM_UOPS_RETIRED.LOCK_LOADS"},              \
        {0xd0, 0x41, LOW4, false, COUNTS(SPLIT_LOADS), "MEM_UOPS_RETIRED.SPLIT_LOADS"},            \
        {0xd0,                                                                                     \
         0x42,                                                                                     \
         LOW4,                                                                                     \
         false,                                                                                    \
         COUNTS(SPLIT_STORES),                                                                     \
         "MEM_UOPS_RETIRED.SPLIT_STORES"}, /* lines on their way */                                \
        {0x48, 0x01, ONLY2, false, COUNTS(L1D_PENDING), "L1D_PEND_MISS.PENDING"},                  \
        {0x60,                                                                                     \
         0x01,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(READS_OUTSTANDING),                                                                \
         "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD"},                                           \
        {0x60,                                                                                     \
         0x02,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(CODE_READ_ACTIVE),                                                                 \
         "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD"},                                           \
        {0x60,                                                                                     \
         0x04,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(RFOS_OUTSTANDING),                                                                 \
         "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_RFO"},                                               \
    {                                                                                              \
        0x60, 0x08, ANY8, false, COUNTS(DATA_READS_OUTSTANDING),                                   \
            "OFFCORE_REQUESTS_OUTSTANDING.ALL_DATA_RD"                                             \
    }

/* What both lists mark as precise, as far as it is here. */
#define IVYBRIDGE_HASWELL_PRECISE                                                                  \
    {0xc4, 0x01}, {0xc4, 0x02}, {0xc4, 0x08}, {0xc4, 0x20}, {0xc5, 0x01}, {0xc5, 0x20},            \
        {0xc2, 0x02}, {0xc2, 0x01}, {0xd0, 0x81}, {0xd0, 0x82}, {0xd1, 0x01}, {0xd1, 0x02},        \
        {0xd1, 0x04}, {0xd1, 0x08}, {0xd1, 0x10}, {0xd1, 0x20}, {0xd1, 0x40}, {0xc0, 0x01},        \
    {                                                                                              \
        0xcd, 0x01                                                                                 \
    }

#endif
