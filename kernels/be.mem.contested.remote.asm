; Hypothesis: a core of another package has written to each line before this core reads it. The line
; is in no cache of this package, so it comes over the link between the packages, from the cache
; that has it modified. That is a miss of the last-level cache: the published formulas of
; tma_contested_accesses and tma_data_sharing rest on hits of it (MEM_LOAD_L3_HIT_RETIRED) and do
; not see such a line; tma_remote_cache does. The reads depend on each other.

%include "kernels/kernel.inc"
%include "kernels/remote.inc"

KERNEL be.mem.contested.remote, "reads of lines that a core of another package has written"
    ITERATIONS  40
    ARENA       REMOTE_ARENA
    MOST        REMOTE_MOST
    LEAF        tma_remote_cache
    LEVEL       5
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 2,          n * 2
    EXPECT  MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM | MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_HITM | \
                MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_HITM, n - 1, n + 1
    EXPECT  MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD | MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD | \
                MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_FWD, -1, 1
    EXPECT  MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM | MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_DRAM | \
                MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_DRAM, -1, 1
    EXPECT  MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM | MEM_LOAD_L3_HIT_RETIRED.XSNP_FWD | \
                MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_HITM | \
                MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HITM, -1, 1
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.5,            1
    EXPECT  tma_l3_miss_bound,              0.5,            1
    EXPECT  tma_remote_cache,               0.3,            1
    REMOTE_PREPARE
    REMOTE_RESET
    REMOTE_PARTNER REMOTE_WRITE
    REMOTE_CHASE
