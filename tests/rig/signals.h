/* What happens in a core in one cycle, as the model sees it. The names are the rig's own: which
 * event code counts which signal is a matter of the personality. A value is "per cycle". Append, do
 * not renumber by hand. */
#ifndef RIG_SIGNALS_H
#define RIG_SIGNALS_H

#define SIGNALS(S)                                                                                 \
    S(UNHALTED)     /* 1 in a cycle in which the core is not halted */                             \
    S(INSTRUCTIONS) /* instructions retired */                                                     \
    S(NOPS_RETIRED)                                                                                \
    S(UOPS_RETIRED)         /* fused-domain uops (slots) retired */                                \
    S(UOPS_RETIRED_UNFUSED) /* unfused uops retired */                                             \
    S(MACRO_FUSED)          /* macro-fused pairs retired */                                        \
    S(UOPS_ISSUED)          /* fused-domain uops issued by rename, wrong path included */          \
    S(UOPS_EXECUTED)        /* uops begun on ports */                                              \
    S(FE_UNDELIVERED)       /* slots without a uop although the back end would have taken one */   \
    S(FE_NONE_DELIVERED)    /* 1 when FE_UNDELIVERED is the whole width */                         \
    S(BE_BLOCKED)           /* slots lost because rename was stalled by the back end */            \
    S(RECOVERY) /* 1 in a cycle in which the allocator waits for a mispredict or clear recovery */ \
    S(CLEAR_RESTEER) /* 1 while the front end refills after a clear or mispredict */               \
    S(CLEARS)        /* clears begun, mispredicts and machine clears alike */                      \
    S(UOP_DROPPING)  /* slots not delivered because fetch dropped uops (zero in this model unless  \
                        said) */                                                                   \
    S(MACHINE_CLEARS)                                                                              \
    S(MACHINE_CLEARS_SMC)                                                                          \
    S(MACHINE_CLEARS_ORDERING)                                                                     \
    S(BRANCHES) /* retired, all kinds */                                                           \
    S(BRANCHES_CONDITIONAL)                                                                        \
    S(BRANCHES_CONDITIONAL_TAKEN)                                                                  \
    S(BRANCHES_NOT_TAKEN)                                                                          \
    S(BRANCHES_TAKEN) /* near taken */                                                             \
    S(BRANCHES_CALL)                                                                               \
    S(BRANCHES_RETURN)                                                                             \
    S(BRANCHES_INDIRECT)                                                                           \
    S(BRANCHES_FAR)                                                                                \
    S(MISPREDICTS) /* retired mispredicted branches */                                             \
    S(MISPREDICTS_CONDITIONAL)                                                                     \
    S(MISPREDICTS_TAKEN)                                                                           \
    S(MISPREDICTS_INDIRECT)                                                                        \
    S(MISPREDICTS_RETURN)                                                                          \
    S(LOADS)  /* load instructions retired (MEM_INST_RETIRED.ALL_LOADS sense) */                   \
    S(STORES) /* store instructions retired */                                                     \
    S(LOADS_L1_HIT)                                                                                \
    S(LOADS_L1_MISS)                                                                               \
    S(LOADS_FB_HIT)                                                                                \
    S(LOADS_L2_HIT)                                                                                \
    S(LOADS_L2_MISS)                                                                               \
    S(LOADS_L3_HIT)                                                                                \
    S(LOADS_L3_MISS)                                                                               \
    S(LLC_REFERENCES)                                                                              \
    S(LLC_MISSES)                                                                                  \
    S(DTLB_LOAD_WALKS)                                                                             \
    S(DTLB_STORE_WALKS)                                                                            \
    S(ITLB_STLB_HITS) /* first-level misses that the second level served */                        \
    S(ITLB_WALKS)                                                                                  \
    S(STALL_TOTAL)   /* 1 when no uop began execution */                                           \
    S(STALL_MEM_ANY) /* 1 when none began and a demand load is outstanding */                      \
    S(STALL_L1D_MISS)                                                                              \
    S(STALL_L2_MISS)                                                                               \
    S(STALL_L3_MISS)                                                                               \
    S(BOUND_ON_STORES) /* 1 when the store buffer is full and no load is outstanding */            \
    S(EXE_0_PORTS)     /* 1 when no uop began though the scheduler was not empty and no load       \
                          outstanding */                                                           \
    S(EXE_1_PORT)      /* 1 when exactly one uop began and the scheduler was not empty */          \
    S(EXE_2_PORTS)                                                                                 \
    S(EXE_3_PORTS)                                                                                 \
    S(EXE_4_PORTS)                                                                                 \
    S(DIVIDER_ACTIVE)                                                                              \
    S(SCHEDULER_EMPTY)                                                                             \
    S(DSB_UOPS)  /* uops delivered to the queue by the uop cache */                                \
    S(MITE_UOPS) /* by the legacy decoders */                                                      \
    S(MS_UOPS)   /* by the microcode sequencer */                                                  \
    S(MS_SWITCHES)                                                                                 \
    S(LSD_UOPS)                                                                                    \
    S(DECODER0_ONLY) /* uops decoded by decoder 0 */                                               \
    S(DSB_MITE_PENALTY)                                                                            \
    S(LCP_STALL)                                                                                   \
    S(ICACHE_STALL)                                                                                \
    S(ITLB_STALL)                                                                                  \
    S(BACLEARS) /* front-end resteers by an unknown branch */                                      \
    S(ASSISTS)                                                                                     \
    S(SLOTS_HEAVY) /* slots retired beyond the first of their instruction, in the truth's sense */ \
    S(SLOTS_MISPREDICT) /* slots lost to a branch mispredict: wrong path and recovery */           \
    S(SLOTS_BAD)        /* the same to mispredicts and machine clears together */                  \
    S(FE_LATENCY_SLOTS) /* FE_UNDELIVERED of cycles in which nothing was delivered */              \
    S(BE_MEMORY_SLOTS)  /* the part of BE_BLOCKED that memory caused */                            \
    S(MACHINE_CLEARS_DISAMBIGUATION) /* the part of MACHINE_CLEARS_ORDERING that a load of this    \
                                        core caused by passing a store it depends on */            \
    S(SPLIT_LOADS)                   /* load instructions retired that cross a cache line */       \
    S(SPLIT_STORES)                                                                                \
    S(LOCK_LOADS)      /* load instructions retired that are locked */                             \
    S(FORWARD_BLOCKED) /* those whose load overlapped an older store that cannot forward */        \
    S(ADDRESS_ALIAS)   /* those whose load was compared a second time with a store 4 KiB apart */

enum signal {
#define SIGNAL_ENUM(name) SIG_##name,
    SIGNALS(SIGNAL_ENUM)
#undef SIGNAL_ENUM
        SIGNAL_COUNT
};

/* The one cause of a slot, in the words of the Topdown tree. Leaves only, so that they add up. */
#define SLOT_CAUSES(C)                                                                             \
    C(FETCH_LATENCY, "tma_fetch_latency")                                                          \
    C(FETCH_BANDWIDTH, "tma_fetch_bandwidth")                                                      \
    C(BRANCH_MISPREDICTS, "tma_branch_mispredicts")                                                \
    C(MACHINE_CLEARS, "tma_machine_clears")                                                        \
    C(MEMORY_BOUND, "tma_memory_bound")                                                            \
    C(CORE_BOUND, "tma_core_bound")                                                                \
    C(LIGHT_OPERATIONS, "tma_light_operations")                                                    \
    C(HEAVY_OPERATIONS, "tma_heavy_operations")

enum slot_cause {
#define CAUSE_ENUM(name, node) CAUSE_##name,
    SLOT_CAUSES(CAUSE_ENUM)
#undef CAUSE_ENUM
        CAUSE_COUNT
};

#endif
