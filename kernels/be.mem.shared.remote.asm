; Hypothesis: a core of another package has flushed each line from every cache and read it again
; before this core reads it. The line is in no cache of this package, and unmodified in one of the
; other package, from where it comes over the link between the packages. That it comes from there,
; and not from memory, is a guess: both have it. As for lines that were written
; (be.mem.contested.remote), this is a miss of the last-level cache, which tma_data_sharing does not
; see. The reads depend on each other.

%include "kernels/kernel.inc"
%include "kernels/remote.inc"

KERNEL be.mem.shared.remote, "reads of lines that a core of another package has read"
    ITERATIONS  40
    ARENA       REMOTE_ARENA
    MOST        REMOTE_MOST
    LEAF        tma_remote_cache
    LEVEL       5
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 2,          n * 2
    EXPECT  MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD | MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD | \
                MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_FWD, n - 1, n + 1
    EXPECT  MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM | MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_HITM | \
                MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_HITM, -1, 1
    EXPECT  MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT | MEM_LOAD_L3_HIT_RETIRED.XSNP_NO_FWD | \
                MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_HIT | \
                MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HIT, -1, 1
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.5,            1
    EXPECT  tma_l3_miss_bound,              0.5,            1
    EXPECT  tma_remote_cache,               0.3,            1
    REMOTE_PREPARE
    REMOTE_RESET
    REMOTE_PARTNER REMOTE_READ
    REMOTE_CHASE
