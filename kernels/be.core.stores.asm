; Hypothesis: stores to one line that L1 owns leave the store buffer one a cycle; since Ice Lake two
; in a row leave together (Optimization Reference Manual, "Ice Lake Client Microarchitecture"; with
; stores to a new line each time it stays at one). So the ports of store data and store address are
; busy in every cycle, the ports for arithmetic only with the loop, and most slots wait. Whether for
; the core or for memory is left open: it follows from what EXE_ACTIVITY.BOUND_ON_STORES counts in
; cycles in which stores begin, which is not published. Ice Lake's list says of the events of these
; ports that they count uops, and that they count cycles with a uop; with cycles the node comes to
; one half.

%include "kernels/kernel.inc"

KERNEL be.core.stores, "stores to one line, as many as the store buffer lets go"
    ITERATIONS  400
    ARENA       4096
    LEAF        tma_store_op_utilization
    LEVEL       5
    EXPECT  INST_RETIRED.ANY,               n * 18,         n * 18
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES | MEM_UOPS_RETIRED.ALL_STORES,    n * 16,         n * 16
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 16 / stores_a_cycle, n * 16 / stores_a_cycle * 1.2
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0,              1
    EXPECT  tma_store_op_utilization,       0.45 if stores_a_cycle > 0 else NA, 1
PREPARE
    mov   qword [rsi], 0
    ret
CODE 4
.loop:
%assign i 0
%rep 16
    mov   [rsi + i % 8 * 8], rax
%assign i i + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
