; Hypothesis: additions of registers, loads and stores of a few lines that L1 holds need nothing
; rare: no microcode, no vector, no pause, no assist, no clear, no mispredicted branch but the one
; that ends the loop, no walk, no line from beyond L1. So events of all that count nothing, and one
; that is selected wrongly, and counts ordinary work, is found here. (A count that stands still is
; not: what it should count is published exactly for none of these events. How many uops of an
; instruction the sequencer delivers, for instance, depends on whether those of the decoders before
; it are among them, which the event lists leave open.)

%include "kernels/kernel.inc"

%macro EXPECT_NONE 1
    EXPECT  %1, -2, 2
%endmacro

KERNEL exact.none, "nothing rare"
    LEVEL       3
    ITERATIONS  60
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 66,         n * 66
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    ; microcode and assists
    EXPECT_NONE IDQ.MS_UOPS
    EXPECT_NONE IDQ.MS_SWITCHES
    EXPECT_NONE UOPS_RETIRED.MS
    EXPECT_NONE UOPS_RETIRED.MS:c1:e1
    EXPECT_NONE UOPS_RETIRED.HEAVY
    EXPECT_NONE ASSISTS.ANY | OTHER_ASSISTS.ANY | OTHER_ASSISTS.ANY_WB_ASSIST
    EXPECT_NONE ASSISTS.FP
    EXPECT_NONE ASSISTS.PAGE_FAULT
    EXPECT_NONE ASSISTS.SSE_AVX_MIX
    ; vectors
    EXPECT_NONE UOPS_ISSUED.VECTOR_WIDTH_MISMATCH
    EXPECT_NONE FP_ARITH_INST_RETIRED2.SCALAR
    EXPECT_NONE FP_ARITH_INST_RETIRED2.VECTOR
    EXPECT_NONE INT_VEC_RETIRED.MUL_256
    EXPECT_NONE INT_VEC_RETIRED.SHUFFLES
    EXPECT_NONE INT_VEC_RETIRED.VNNI_128
    EXPECT_NONE INT_VEC_RETIRED.VNNI_256
    ; waiting that a program asks for
    EXPECT_NONE ROB_MISC_EVENTS.PAUSE_INST | CPU_CLK_UNHALTED.PAUSE
    EXPECT_NONE CPU_CLK_UNHALTED.C01
    EXPECT_NONE CPU_CLK_UNHALTED.C02
    ; branches and clears
    EXPECT_NONE BR_MISP_RETIRED.INDIRECT
    EXPECT_NONE BR_MISP_RETIRED.INDIRECT_CALL
    EXPECT_NONE BR_MISP_RETIRED.INDIRECT_JMP
    EXPECT_NONE BR_MISP_RETIRED.COND_NTAKEN
    EXPECT_NONE BR_MISP_RETIRED.COND_TAKEN
    EXPECT_NONE BR_MISP_RETIRED.COND_TAKEN_FWD
    EXPECT_NONE BR_MISP_RETIRED.COND_TAKEN_BWD
    EXPECT_NONE MACHINE_CLEARS.MEMORY_ORDERING
    ; lengths of instructions that an operand's prefix changes
    EXPECT_NONE ILD_STALL.LCP | DECODE.LCP
    ; memory
    EXPECT_NONE LD_BLOCKS.NO_SR
    EXPECT_NONE LD_BLOCKS_PARTIAL.ADDRESS_ALIAS
    EXPECT_NONE L1D_PEND_MISS.FB_FULL_PERIODS
    EXPECT_NONE L2_RQSTS.RFO_HIT
    EXPECT_NONE L2_RQSTS.ALL_RFO
    EXPECT_NONE MEM_STORE_RETIRED.L2_HIT
    EXPECT_NONE MEM_INST_RETIRED.STLB_HIT_LOADS
    EXPECT_NONE MEM_INST_RETIRED.STLB_HIT_STORES
    EXPECT_NONE MEM_LOAD_L3_HIT_RETIRED.XSNP_MISS | MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_MISS | \
                MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_MISS
    EXPECT_NONE MEM_LOAD_L3_HIT_RETIRED.XSNP_FWD
    EXPECT_NONE MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM | MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM | \
                MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM
    EXPECT_NONE MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS
    EXPECT_NONE MEM_LOAD_RETIRED.LOCAL_PMM
    EXPECT_NONE MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM
    EXPECT_NONE MEM_LOAD_RETIRED.LOCAL_CXL_MEM
    EXPECT_NONE MEM_LOAD_L3_MISS_RETIRED.REMOTE_CXL_MEM
PREPARE
%assign line 0
%rep 8
    mov   qword [rsi + line * 64], 0
    mov   qword [rsi + 2048 + line * 64], 0
%assign line line + 1
%endrep
    ret
CODE 10
.loop:
%assign line 0
%rep 8
    mov   rax, [rsi + line * 64]
    mov   [rsi + 2048 + line * 64], rdx
%rep 6
    add   rcx, r10
%endrep
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
