/* The published events, and which of their mask bits the model's signals can count.
 *
 * Source: SDM 3B, the tables of non-retirement and at-retirement events of processors based on
 * Intel NetBurst microarchitecture. An event without terms is known by name only. A bit whose
 * meaning no signal has exactly has no term and counts nothing. */
#include "netburst_state.h"

#define BOTH 3
#define B(number, name, times)                                                                     \
    {                                                                                              \
        .bit = (number), .signal = SIG_##name, .weight = (times)                                   \
    }
#define NEVER_COUNTS(number)                                                                       \
    {                                                                                              \
        .bit = (number)                                                                            \
    }
#define TERMS(n, ...) .term = {__VA_ARGS__}, .terms = (n)

/* clang-format off */
static const struct netburst_event events[] = {
    /* clocks, front end */
    { UNIT_FSB, 0x13, BOTH, .name = "global_power_events", TERMS(1, B(0, UNHALTED, 1)) },
    { UNIT_TC, 0x01, BOTH, true, .name = "TC_deliver_mode" }, /* netburst_resolve.c */
    { UNIT_TC, 0x06, BOTH, .name = "TC_misc" },
    /* "not just any TC miss, but rather one that is incurred while the machine is already in
     * deliver mode" (IA-32 Optimization Reference Manual, "Trace Cache Events") */
    { UNIT_BPU, 0x03, BOTH, .name = "BPU_fetch_request", TERMS(1, B(0, TC_MISSES, 1)) },
    { UNIT_ITLB, 0x18, BOTH, .name = "ITLB_reference",
      TERMS(2, B(1, ITLB_STLB_HITS, 1), B(1, ITLB_WALKS, 1)) },
    { UNIT_MS, 0x05, BOTH, .name = "tc_ms_xfer", TERMS(1, B(0, MS_SWITCHES, 1)) },
    { UNIT_MS, 0x09, BOTH, .name = "uop_queue_writes",
      TERMS(5, B(0, MITE_UOPS, 1), B(0, WRONG_BUILT, 1), B(1, DSB_UOPS, 1), B(1, WRONG_DELIVERED, 1), B(2, MS_UOPS, 1)) },
    { UNIT_ALF, 0x01, BOTH, .name = "resource_stall", TERMS(1, B(5, STORE_BUFFER_STALL, 1)) },

    /* memory */
    { UNIT_DAC, 0x02, BOTH, .name = "memory_cancel" },
    { UNIT_DAC, 0x05, BOTH, true, .name = "WC_Buffer" },
    { UNIT_SAAT, 0x08, BOTH, .name = "memory_complete",
      TERMS(2, B(0, SPLIT_LOADS_DONE, 1), B(1, SPLIT_STORES_DONE, 1)) },
    /* how often a load or store is replayed is not known; these three tag (netburst_resolve.c) */
    { UNIT_SAAT, 0x04, BOTH, .name = "load_port_replay" },
    { UNIT_SAAT, 0x05, BOTH, .name = "store_port_replay" },
    { UNIT_MOB, 0x03, BOTH, .name = "MOB_load_replay" },
    { UNIT_PMH, 0x01, BOTH, true, .name = "page_walk_type",
      TERMS(3, B(0, DTLB_LOAD_WALKS, 1), B(0, DTLB_STORE_WALKS, 1), B(1, ITLB_WALKS, 1)) },
    { UNIT_BSU, 0x0c, BOTH, .name = "BSQ_cache_reference" },
    { UNIT_BSU, 0x05, 1, .name = "BSQ_allocation" },
    { UNIT_BSU, 0x06, 2, .name = "BSQ_active_entries" },
    { UNIT_FSB, 0x03, BOTH, .name = "IOQ_allocation" },
    { UNIT_FSB, 0x1a, 2, .name = "IOQ_active_entries" },
    { UNIT_FSB, 0x17, BOTH, true, .name = "FSB_data_activity" },
    { UNIT_FSB, 0x16, BOTH, true, .name = "b2b_cycles" },
    { UNIT_FSB, 0x08, BOTH, true, .name = "bnr" },
    { UNIT_FSB, 0x06, BOTH, true, .name = "snoop" },
    { UNIT_FSB, 0x04, BOTH, true, .name = "response" },

    /* sources of execution tags: no signal counts kinds of arithmetic at execution */
    { UNIT_FIRM, 0x34, BOTH, true, .name = "SSE_input_assist" },
    { UNIT_FIRM, 0x08, BOTH, true, .name = "packed_SP_uop" },
    { UNIT_FIRM, 0x0c, BOTH, true, .name = "packed_DP_uop" },
    { UNIT_FIRM, 0x0a, BOTH, true, .name = "scalar_SP_uop" },
    { UNIT_FIRM, 0x0e, BOTH, true, .name = "scalar_DP_uop" },
    { UNIT_FIRM, 0x02, BOTH, true, .name = "64bit_MMX_uop" },
    { UNIT_FIRM, 0x1a, BOTH, true, .name = "128bit_MMX_uop" },
    { UNIT_FIRM, 0x04, BOTH, true, .name = "x87_FP_uop" },
    { UNIT_FIRM, 0x2e, BOTH, true, .name = "x87_SIMD_moves_uop" },

    /* retirement; the first two and those by tags in netburst_resolve.c */
    { UNIT_TBPU, 0x04, BOTH, .name = "retired_branch_type" },
    { UNIT_TBPU, 0x05, BOTH, .name = "retired_mispred_branch_type" },
    /* uop_type tags and never increments */
    { UNIT_RAT, 0x02, BOTH, .name = "uop_type", TERMS(2, NEVER_COUNTS(1), NEVER_COUNTS(2)) },
    { UNIT_CRU01, 0x02, BOTH, .name = "instr_retired" }, /* by tags */
    { UNIT_CRU01, 0x01, BOTH, .name = "uops_retired",
      TERMS(2, B(0, UOPS_RETIRED, 1), B(1, UOPS_CANCELLED, 1)) },
    { UNIT_CRU01, 0x03, BOTH, .name = "mispred_branch_retired", TERMS(1, B(0, MISPREDICTS, 1)) },
    { UNIT_CRU01, 0x07, BOTH, .name = "instr_completed", TERMS(1, B(0, INSTRUCTIONS, 1)) },
    { UNIT_CRU23, 0x08, BOTH, .name = "front_end_event" }, /* by tags, as the next two */
    { UNIT_CRU23, 0x09, BOTH, .name = "replay_event" },
    { UNIT_CRU23, 0x0c, BOTH, .name = "execution_event" },
    /* far branches are taken, and always as predicted */
    { UNIT_CRU23, 0x06, BOTH, .name = "branch_retired",
      TERMS(9, B(0, BRANCHES_NOT_TAKEN, 1), B(0, MISPREDICTS, -1), B(0, MISPREDICTS_TAKEN, 1),
            B(1, MISPREDICTS, 1), B(1, MISPREDICTS_TAKEN, -1), B(2, BRANCHES_TAKEN, 1),
            B(2, BRANCHES_FAR, 1), B(2, MISPREDICTS_TAKEN, -1), B(3, MISPREDICTS_TAKEN, 1)) },
    { UNIT_CRU23, 0x03, BOTH, .name = "x87_assist" },
    /* CLEAR counts the cycles of clears; with EDGE, clears */
    { UNIT_CRU23, 0x02, BOTH, .edge_only = 1, .duration = SIG_CLEAR_WAIT, .name = "machine_clear",
      TERMS(3, B(0, MACHINE_CLEARS, 1), B(2, MACHINE_CLEARS_ORDERING, 1),
            B(6, MACHINE_CLEARS_SMC, 1)) },
};
/* clang-format on */

const struct netburst_event *netburst_find(enum escr_unit unit, uint8_t half, uint8_t select)
{
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        if (events[i].unit == unit && events[i].select == select && events[i].halves >> half & 1)
            return &events[i];
    return NULL;
}
