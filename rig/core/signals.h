/* What happens in a core in one cycle: signals for the PMU, nodes for the truth. The names of the
 * signals are the rig's: which event counts which signal is data of a personality. A value is "per
 * cycle". */
#ifndef RIG_CORE_SIGNALS_H
#define RIG_CORE_SIGNALS_H

/* The signals that most cycles have. */
/* clang-format off */
#define COMMON_SIGNALS(S) \
    S(UNHALTED) /* 1 in a cycle in which the core is not halted */ \
    S(INSTRUCTIONS) /* instructions retired */ \
    S(NOPS_RETIRED) \
    S(UOPS_RETIRED) /* fused-domain uops (slots) retired */ \
    S(UOPS_RETIRED_UNFUSED) /* unfused uops retired */ \
    S(MACRO_FUSED) /* macro-fused pairs retired */ \
    S(UOPS_ISSUED) /* fused-domain uops issued by rename, wrong path included */ \
    S(UOPS_EXECUTED) /* uops begun on ports */ \
    S(FE_UNDELIVERED) /* slots without a uop although the back end would have taken one */ \
    S(FE_NONE_DELIVERED) /* 1 when FE_UNDELIVERED is the whole width */ \
    S(BE_BLOCKED) /* slots lost because the back end stalled rename */ \
    S(RECOVERY) /* 1 in a cycle in which the allocator waits for a mispredict or clear recovery */ \
    S(CLEAR_RESTEER) /* 1 while the front end refills after a clear or mispredict */ \
    S(BRANCHES) /* retired, all kinds */ \
    S(BRANCHES_CONDITIONAL) \
    S(BRANCHES_CONDITIONAL_TAKEN) \
    S(BRANCHES_NOT_TAKEN) \
    S(BRANCHES_TAKEN) /* near taken */ \
    S(BRANCHES_CALL) \
    S(BRANCHES_RETURN) \
    S(BRANCHES_INDIRECT) \
    S(LOADS) /* load instructions retired (MEM_INST_RETIRED.ALL_LOADS sense) */ \
    S(STORES) /* store instructions retired */ \
    S(LOADS_L1_HIT) \
    S(STALL_TOTAL) /* 1 when no uop began execution */ \
    S(STALL_MEM_ANY) /* 1 when no uop began and a demand load is outstanding */ \
    S(STALL_L1D_MISS) /* 1 when no uop began and a demand load that missed L1 is outstanding */ \
    S(STALL_L2_MISS) /* likewise, a demand load that missed L2 */ \
    S(STALL_L3_MISS) /* likewise, a demand load that missed L3 */ \
    S(BOUND_ON_STORES) /* 1 when the store buffer is full and no load is outstanding */ \
    S(EXE_0_PORTS) /* 1 when no uop began, the scheduler had some and no load was outstanding */ \
    S(EXE_1_PORT) /* 1 when exactly one uop began */ \
    S(EXE_2_PORTS) \
    S(EXE_3_PORTS) \
    S(EXE_4_PORTS) \
    S(DIVIDER_ACTIVE) \
    S(SCHEDULER_EMPTY) \
    S(DSB_UOPS) /* uops delivered to the queue by the uop cache */ \
    S(MITE_UOPS) /* uops delivered by the legacy decoders */ \
    S(MS_UOPS) /* uops delivered by the microcode sequencer */ \
    S(LSD_UOPS) /* uops delivered by the loop buffer */ \
    S(DECODER0_ONLY) /* uops decoded by decoder 0 */ \
    S(SLOTS_HEAVY) /* slots retired that the truth charges to heavy operations */ \
    S(SLOTS_MISPREDICT) /* slots lost to a branch mispredict: wrong path and recovery */ \
    S(SLOTS_BAD) /* slots lost to mispredicts and machine clears */ \
    S(FE_LATENCY_SLOTS) /* FE_UNDELIVERED of cycles in which nothing was delivered */ \
    S(BE_MEMORY_SLOTS) /* the part of BE_BLOCKED that memory caused */ \
    S(ALONE) /* 1 in a cycle in which no other thread of the core runs */ \
    S(ALLOCATOR) /* 1 in a cycle in which the allocator serves this thread */ \
    S(SCOREBOARD) /* 1 in a cycle in which a serialising instruction holds the allocator */ \
    S(CYCLES_MEM_ANY) /* 1 while a demand load is outstanding, whatever executes */ \
    S(CYCLES_L1D_MISS) /* 1 while a demand load that missed L1 is outstanding */ \
    S(CYCLES_L2_MISS) /* likewise, a demand load that missed L2 */ \
    S(CYCLES_L3_MISS) /* likewise, a demand load that missed L3 */ \
    S(FP_DIVIDER_ACTIVE) \
    S(PORT_0) /* uops begun on this port, and second halves of loads that cross a line */ \
    S(PORT_1) \
    S(PORT_2) \
    S(PORT_3) \
    S(PORT_4) \
    S(PORT_5) \
    S(PORT_6) \
    S(PORT_7) \
    S(PORT_8) \
    S(PORT_9) \
    S(EMPTY_BLOCKED) /* 1 when the back end refuses all slots and its scheduler is empty */ \
    S(PAUSING) /* 1 while PAUSE pauses */ \
    S(PORTS_2_3_11) /* uops begun on these ports, in the numbers of cpu/sapphirerapids.inc */ \
    S(PORTS_5_10) \
    S(TC_DELIVERS) /* 1 in a cycle in which the trace cache delivers to this thread, */ \
    S(TC_BUILDS) /* in which it builds a trace for this thread (trace_cache in parameters.h) */ \
    S(STORE_BUFFER_STALL) /* 1 when the allocator takes no uop, for want of a store buffer */ \
    S(SLOTS_FOR_ROB) /* slots of BE_BLOCKED while the re-order buffer has no room */ \
    S(SLOTS_FOR_MEMORY) /* ... while the load or store buffer has none, or the scheduler has none \
                           for a load or a store; or a lock waits for the stores before it */ \
    S(SLOTS_FOR_SCHEDULER) /* ... while the scheduler has none for another instruction */
/* clang-format on */

/* The signals that few cycles have; a span says whether it may have some (`rare` in model.h). */
/* clang-format off */
#define RARE_SIGNALS(S) \
    S(CLEARS) /* clears begun, by mispredicts and machine clears */ \
    S(UOP_DROPPING) /* slots not delivered because fetch dropped uops: always 0 here */ \
    S(MACHINE_CLEARS) \
    S(MACHINE_CLEARS_SMC) \
    S(MACHINE_CLEARS_ORDERING) \
    S(BRANCHES_FAR) \
    S(MISPREDICTS) /* retired mispredicted branches */ \
    S(MISPREDICTS_CONDITIONAL) \
    S(MISPREDICTS_TAKEN) \
    S(MISPREDICTS_INDIRECT) \
    S(MISPREDICTS_RETURN) \
    S(LOADS_L1_MISS) \
    S(LOADS_FB_HIT) \
    S(LOADS_L2_HIT) \
    S(LOADS_L2_MISS) \
    S(LOADS_L3_HIT) \
    S(LOADS_L3_MISS) \
    S(LOADS_LOCAL_DRAM) /* the part of LOADS_L3_MISS whose line the own package's memory had, */ \
    S(LOADS_REMOTE_DRAM) /* another package's memory, */ \
    S(LOADS_REMOTE_CLEAN) /* the caches of another package that has not written to it, */ \
    S(LOADS_REMOTE_MODIFIED) /* or of one that has */ \
    S(LLC_REFERENCES) \
    S(LLC_MISSES) \
    S(DTLB_LOAD_WALKS) \
    S(DTLB_STORE_WALKS) \
    S(ITLB_STLB_HITS) /* first-level misses that the second level served */ \
    S(ITLB_WALKS) \
    S(MS_SWITCHES) \
    S(DSB_MITE_PENALTY) \
    S(LCP_STALL) \
    S(ICACHE_STALL) \
    S(ITLB_STALL) \
    S(BACLEARS) /* front-end resteers by an unknown branch */ \
    S(ASSISTS) /* by microcode; here all are for floating point */ \
    S(FP_SCALAR_SINGLE) /* retired, as FP_ARITH_INST_RETIRED counts */ \
    S(FP_SCALAR_DOUBLE) \
    S(FP_PACKED_SINGLE) \
    S(FP_PACKED_DOUBLE) /* of 128 bits */ \
    S(FP_256_SINGLE) \
    S(FP_256_DOUBLE) \
    S(FP_512_SINGLE) \
    S(FP_512_DOUBLE) \
    S(FP_VECTORS) /* all packed kinds */ \
    S(PAUSES) /* retired */ \
    S(X87_EXECUTED) /* x87 uops begun on ports */ \
    S(L1D_PENDING) /* lines in flight to L1D for demand loads */ \
    S(FILL_BUFFERS_FULL) /* 1 while a demand load waits for a fill buffer */ \
    S(READS_OUTSTANDING) /* lines that L2 lacks, in flight for demand loads */ \
    S(RFOS_OUTSTANDING) /* lines that L2 lacks, in flight for stores */ \
    S(RFO_L2_HITS) /* stores that missed L1 and hit L2, as their instruction retires */ \
    S(RFO_L2_MISSES) \
    S(LOAD_WALKS_ACTIVE) /* page walks active for loads */ \
    S(STORE_WALKS_ACTIVE) \
    S(CODE_WALK_ACTIVE) /* 1 while fetch waits for a page walk */ \
    S(CODE_READ_ACTIVE) /* 1 while fetch waits for a line that L2 lacks */ \
    S(DTLB_LOAD_STLB_HITS) /* load instructions retired whose page the second-level TLB had */ \
    S(DTLB_STORE_STLB_HITS) \
    S(LOADS_XSNP_HIT) /* loads retired that hit L3 while another core had the line */ \
    S(LOADS_XSNP_HITM) /* loads retired whose line another core had modified */ \
    S(DECODED) /* instructions decoded by the legacy decoders */ \
    S(NEVER) /* always 0: numbers of 16 bits, persistent memory, a snoop that misses */ \
    S(MACHINE_CLEARS_DISAMBIGUATION) /* ordering clears because a load passed a store it needs */ \
    S(SPLIT_LOADS) /* load instructions retired that cross a cache line */ \
    S(SPLIT_STORES) \
    S(RFOS_XSNP_HITM) /* store instructions retired whose line another core had modified, */ \
    S(RFOS_REMOTE_MODIFIED) /* or a core of another package */ \
    S(LOCK_LOADS) /* load instructions retired that are locked */ \
    S(FORWARD_BLOCKED) /* load instructions retired that an older store could not forward to */ \
    S(ADDRESS_ALIAS) /* load instructions retired that were held by a store 4 KiB away */ \
    S(FILL_BUFFER_WAITS) /* demand loads that find no free fill buffer and begin to wait */ \
    S(DIVISIONS) /* uops begun by a divider */ \
    S(BLENDS) /* uops issued to keep the upper half of a vector register for SSE */ \
    S(UNKNOWN_BRANCH_CYCLES) /* 1 while fetch waits for the target of an unknown branch */ \
    S(MS_UOPS_RETIRED) /* slots retired that the sequencer delivered */ \
    S(LFENCES) /* retired */ \
    S(INTEGER_VECTORS) /* additions, subtractions, sums of differences of 128 bits, retired */ \
    S(INTEGER_VECTORS_256) /* the same operations of 256 bits */ \
    S(INTEGER_PRODUCTS) /* multiplications of 256 bits, retired */ \
    S(MISPREDICTS_CONDITIONAL_TAKEN) \
    S(MISPREDICTS_CALL_INDIRECT) \
    S(DATA_READS_OUTSTANDING) /* lines in flight from beyond L2 for loads and their prefetches */ \
    S(SUPERQUEUE_FULL) /* 1 while the queue of lines in flight to L2 is full */ \
    S(SPLIT_BLOCKED) /* SPLIT_LOADS that found no free split register */ \
    S(WRONG_BUILT) /* uops issued that never retire, by the trace cache's mode: of a wrong path, */ \
    S(WRONG_DELIVERED) /* or thrown away by a machine clear (trace_cache in parameters.h) */ \
    S(CLEAR_WAIT) /* 1 while the allocator waits for the recovery of a machine clear */ \
    S(L1D_LOCKED) /* 1 from when a locked instruction has its line until its store is in L1 */ \
    S(SLOTS_FOR_LINE) /* slots of FE_UNDELIVERED while fetch waits for a line of code */ \
    S(SLOTS_FOR_TRANSLATION) /* ... for the translation of an address of code */ \
    S(SLOTS_FOR_BRANCH) /* ... for the target of a branch that the BTB lacked */ \
    S(SLOTS_FOR_SEQUENCER) /* ... for the sequencer: to enter it, or for more of its uops */ \
    S(SLOTS_FOR_CODE) /* ... for the line, the translation or the target */ \
    S(SLOTS_FOR_LENGTH) /* ... for a length that a prefix changes */ \
    S(SLOTS_REFILLING) /* ... for the first uop behind a mispredict or a clear; a part of it: */ \
    S(SLOTS_REFILLING_BRANCH) /* behind a mispredict */ \
    S(SLOTS_NOT_BANDWIDTH) /* SLOTS_FOR_CODE and SLOTS_REFILLING */ \
    S(SLOTS_NOT_DECODERS) /* for any of these reasons; the others are for want of decoders */ \
    S(SLOTS_SERIAL) /* slots of BE_BLOCKED while a serialising instruction holds the allocator */ \
    S(SLOTS_RESTRICTED) /* ... for another reason than these and those for the back end's room */ \
    S(SLOTS_NUKE) /* slots lost to modified code or an assist, refilling included, */ \
    S(SLOTS_FAST_NUKE) /* or to a clear by the order of memory, likewise */ \
    S(UOPS_CANCELLED) /* uops of a wrong path that leave the re-order buffer (cancelled_retire) */ \
    S(TC_MISSES) /* lookups that missed the trace cache while it delivered, and began a trace */ \
    S(LOAD_STORES) /* instructions retired that are in LOADS and in STORES */ \
    S(BRANCHES_CALL_INDIRECT) /* a part of BRANCHES_CALL */ \
    S(SPLIT_LOADS_DONE) /* loads that cross a cache line and have their data */ \
    S(SPLIT_STORES_DONE) /* stores that cross a cache line and retire */ \
    S(TAKEN_EXECUTED) /* near taken branches executed (notes_executed in parameters.h), */ \
    S(TAKEN_MISPREDICTS_EXECUTED) /* and those of them that are found mispredicted */ \
    S(NO_RETIRE_EMPTY) /* 1 in a cycle in which nothing retires (notes_no_retire in */ \
                       /* parameters.h), since nothing is in the re-order buffer, */ \
    S(NO_RETIRE_INCOMPLETE) /* or since the oldest instruction is not complete; a part of it: */ \
    S(NO_RETIRE_LOAD) /* that instruction has a load whose data is not there */
/* clang-format on */

#define SIGNALS(S) COMMON_SIGNALS(S) RARE_SIGNALS(S)

enum signal {
#define SIGNAL_ENUM(name) SIG_##name,
    SIGNALS(SIGNAL_ENUM)
#undef SIGNAL_ENUM
        SIGNAL_COUNT
};
#define SIGNAL_RARE SIG_CLEARS /* the first of the rare ones */

/* The cause of a slot at level 2 of the Topdown tree: each slot has exactly one. Deeper causes are
 * in TRUTH_NODES. */
/* clang-format off */
#define SLOT_CAUSES(C) \
    C(FETCH_LATENCY, "tma_fetch_latency") \
    C(FETCH_BANDWIDTH, "tma_fetch_bandwidth") \
    C(BRANCH_MISPREDICTS, "tma_branch_mispredicts") \
    C(MACHINE_CLEARS, "tma_machine_clears") \
    C(MEMORY_BOUND, "tma_memory_bound") \
    C(CORE_BOUND, "tma_core_bound") \
    C(LIGHT_OPERATIONS, "tma_light_operations") \
    C(HEAVY_OPERATIONS, "tma_heavy_operations") \
    C(SIBLING, "sibling") /* the allocator served the other thread of the core */
/* clang-format on */

enum slot_cause {
#define CAUSE_ENUM(name, node) CAUSE_##name,
    SLOT_CAUSES(CAUSE_ENUM)
#undef CAUSE_ENUM
        CAUSE_COUNT
};

/* The causes of all levels, with the names of Linux perf and TMA 5.2; a parent comes before its
 * children. Every slot is charged to exactly one node, the deepest that fits. A node with children
 * is charged the slots that fit none of them. cycle/cause.c decides between memory and core.
 *
 * A core with `few_uops_are_light` (parameters.h) counts FEW_UOPS_INSTRUCTIONS as light operations,
 * as TMA's trees of parts before Skylake do. */
/* clang-format off */
#define TRUTH_NODES(N) \
    /* Front end: no uop came, although the back end would have taken one. */ \
    N(FRONTEND_BOUND, "tma_frontend_bound", NONE) \
    N(FETCH_LATENCY, "tma_fetch_latency", FRONTEND_BOUND) /* no uop came in the whole cycle */ \
    N(ICACHE_MISSES, "tma_icache_misses", FETCH_LATENCY) /* fetch waits for a line of code */ \
    N(CODE_L2_HIT, "tma_code_l2_hit", ICACHE_MISSES) /* L2 has the line */ \
    N(CODE_L2_MISS, "tma_code_l2_miss", ICACHE_MISSES) /* L2 lacks the line */ \
    N(ITLB_MISSES, "tma_itlb_misses", FETCH_LATENCY) /* fetch waits for a translation */ \
    N(CODE_STLB_HIT, "tma_code_stlb_hit", ITLB_MISSES) /* the second-level TLB has it */ \
    N(CODE_STLB_MISS, "tma_code_stlb_miss", ITLB_MISSES) /* it needs a page walk */ \
    N(BRANCH_RESTEERS, "tma_branch_resteers", FETCH_LATENCY) /* until the new path's first uop */ \
    N(MISPREDICTS_RESTEERS, "tma_mispredicts_resteers", BRANCH_RESTEERS) /* after a mispredict */ \
    N(CLEARS_RESTEERS, "tma_clears_resteers", BRANCH_RESTEERS) /* after a clear */ \
    N(UNKNOWN_BRANCHES, "tma_unknown_branches", BRANCH_RESTEERS) /* decode corrected the fetch */ \
    N(MS_SWITCHES, "tma_ms_switches", FETCH_LATENCY) /* entering the sequencer */ \
    N(LCP, "tma_lcp", FETCH_LATENCY) /* a length-changing prefix */ \
    N(DSB_SWITCHES, "tma_dsb_switches", FETCH_LATENCY) /* to the decoders from the uop cache */ \
    /* Too few uops came in the cycle. */ \
    N(FETCH_BANDWIDTH, "tma_fetch_bandwidth", FRONTEND_BOUND) \
    N(MITE, "tma_mite", FETCH_BANDWIDTH) /* from the decoders */ \
    N(DECODER0_ALONE, "tma_decoder0_alone", MITE) /* one decoder was at work */ \
    N(DSB, "tma_dsb", FETCH_BANDWIDTH) /* from the uop cache */ \
    N(LSD, "tma_lsd", FETCH_BANDWIDTH) /* from the loop buffer */ \
    N(MS, "tma_ms", FETCH_BANDWIDTH) /* from the sequencer */ \
    /* Slots of uops that never retire, and of recovery. */ \
    N(BAD_SPECULATION, "tma_bad_speculation", NONE) \
    N(BRANCH_MISPREDICTS, "tma_branch_mispredicts", BAD_SPECULATION) \
    N(MACHINE_CLEARS, "tma_machine_clears", BAD_SPECULATION) /* by the order of memory */ \
    N(OTHER_NUKES, "tma_other_nukes", MACHINE_CLEARS) /* by modified code or an assist */ \
    /* Back end: a uop was there and the back end refused it. "The load" is the oldest \
       instruction that has not retired. What it waits for last decides between its nodes. */ \
    N(BACKEND_BOUND, "tma_backend_bound", NONE) \
    N(MEMORY_BOUND, "tma_memory_bound", BACKEND_BOUND) \
    N(L1_BOUND, "tma_l1_bound", MEMORY_BOUND) \
    N(DTLB_LOAD, "tma_dtlb_load", L1_BOUND) /* the load waits for its translation */ \
    N(LOAD_STLB_HIT, "tma_load_stlb_hit", DTLB_LOAD) \
    N(LOAD_STLB_MISS, "tma_load_stlb_miss", DTLB_LOAD) \
    N(STORE_FWD_BLK, "tma_store_fwd_blk", L1_BOUND) /* for a store that cannot forward to it */ \
    N(L1_LATENCY_DEPENDENCY, "tma_l1_latency_dependency", L1_BOUND) /* for L1, a hit */ \
    N(LOCK_LATENCY, "tma_lock_latency", L1_BOUND) /* for a lock, or the stores before it */ \
    N(SPLIT_LOADS, "tma_split_loads", L1_BOUND) /* for its second half, or a split register */ \
    N(ALIASING_4K, "tma_4k_aliasing", L1_BOUND) /* for a store to the same offset of a page */ \
    N(FB_FULL, "tma_fb_full", L1_BOUND) /* for a fill buffer */ \
    N(L2_BOUND, "tma_l2_bound", MEMORY_BOUND) \
    N(L2_HIT_LATENCY, "tma_l2_hit_latency", L2_BOUND) /* for L2, a hit */ \
    N(L3_BOUND, "tma_l3_bound", MEMORY_BOUND) \
    N(CONTESTED_ACCESSES, "tma_contested_accesses", L3_BOUND) /* a core modified its line */ \
    N(DATA_SHARING, "tma_data_sharing", L3_BOUND) /* a core shares its line */ \
    N(L3_HIT_LATENCY, "tma_l3_hit_latency", L3_BOUND) /* for L3, a hit */ \
    N(SQ_FULL, "tma_sq_full", L3_BOUND) /* for an entry of L2's queue */ \
    N(L3_MISS_BOUND, "tma_l3_miss_bound", MEMORY_BOUND) \
    N(MEM_BANDWIDTH, "tma_mem_bandwidth", L3_MISS_BOUND) /* for the busy way to memory */ \
    N(MEM_LATENCY, "tma_mem_latency", L3_MISS_BOUND) /* for memory itself */ \
    /* The store buffer is full. What its oldest store waits for decides between the nodes. */ \
    N(STORE_BOUND, "tma_store_bound", MEMORY_BOUND) \
    N(STORE_LATENCY, "tma_store_latency", STORE_BOUND) /* a line */ \
    N(FALSE_SHARING, "tma_false_sharing", STORE_BOUND) /* a line that another core had modified */ \
    N(SPLIT_STORES, "tma_split_stores", STORE_BOUND) /* the second half of a split */ \
    N(STREAMING_STORES, "tma_streaming_stores", STORE_BOUND) /* a buffer around the caches */ \
    /* The uops wait for something other than memory. */ \
    N(CORE_BOUND, "tma_core_bound", BACKEND_BOUND) \
    N(DIVIDER, "tma_divider", CORE_BOUND) /* the oldest instruction divides */ \
    N(FP_DIVIDER, "tma_fp_divider", DIVIDER) \
    N(INT_DIVIDER, "tma_int_divider", DIVIDER) \
    N(SERIALIZING_OPERATION, "tma_serializing_operation", CORE_BOUND) /* it holds the allocator */ \
    N(SLOW_PAUSE, "tma_slow_pause", SERIALIZING_OPERATION) /* PAUSE holds it */ \
    /* None of the other causes of the core: by the number of uops that began in the cycle. */ \
    N(PORTS_UTILIZATION, "tma_ports_utilization", CORE_BOUND) \
    N(PORTS_UTILIZED_0, "tma_ports_utilized_0", PORTS_UTILIZATION) \
    N(PORTS_UTILIZED_1, "tma_ports_utilized_1", PORTS_UTILIZATION) \
    N(PORTS_UTILIZED_2, "tma_ports_utilized_2", PORTS_UTILIZATION) \
    N(PORTS_UTILIZED_3M, "tma_ports_utilized_3m", PORTS_UTILIZATION) \
    /* The allocator served the other thread of the core. */ \
    N(SIBLING, "sibling", NONE) \
    N(RETIRING, "tma_retiring", NONE) \
    /* The first slot of every retired instruction. */ \
    N(LIGHT_OPERATIONS, "tma_light_operations", RETIRING) \
    N(FP_ARITH, "tma_fp_arith", LIGHT_OPERATIONS) /* arithmetic, also with a load */ \
    N(X87_USE, "tma_x87_use", FP_ARITH) \
    N(FP_SCALAR, "tma_fp_scalar", FP_ARITH) \
    N(FP_VECTOR, "tma_fp_vector", FP_ARITH) \
    N(FP_VECTOR_128B, "tma_fp_vector_128b", FP_VECTOR) \
    N(FP_VECTOR_256B, "tma_fp_vector_256b", FP_VECTOR) \
    N(FP_VECTOR_512B, "tma_fp_vector_512b", FP_VECTOR) \
    N(MEMORY_OPERATIONS, "tma_memory_operations", LIGHT_OPERATIONS) /* loads and stores */ \
    N(FUSED_INSTRUCTIONS, "tma_fused_instructions", LIGHT_OPERATIONS) /* macro-fused pairs */ \
    N(NON_FUSED_BRANCHES, "tma_non_fused_branches", LIGHT_OPERATIONS) /* other branches */ \
    N(OTHER_LIGHT_OPS, "tma_other_light_ops", LIGHT_OPERATIONS) /* all other instructions */ \
    N(NOP_INSTRUCTIONS, "tma_nop_instructions", OTHER_LIGHT_OPS) \
    /* The other slots of retired instructions. */ \
    N(HEAVY_OPERATIONS, "tma_heavy_operations", RETIRING) \
    N(FEW_UOPS_INSTRUCTIONS, "tma_few_uops_instructions", HEAVY_OPERATIONS) /* from decoders */ \
    N(MICROCODE_SEQUENCER, "tma_microcode_sequencer", HEAVY_OPERATIONS) /* from the sequencer */ \
    N(ASSISTS, "tma_assists", MICROCODE_SEQUENCER) /* for a value that needs help */ \
    N(FP_ASSISTS, "tma_fp_assists", ASSISTS) /* for denormal numbers */ \
    N(CISC, "tma_cisc", MICROCODE_SEQUENCER) /* for the instruction itself */
/* clang-format on */

enum truth_node {
#define NODE_ENUM(name, perf, parent) NODE_##name,
    TRUTH_NODES(NODE_ENUM)
#undef NODE_ENUM
        NODE_COUNT,
    NODE_NONE = NODE_COUNT
};

#endif
