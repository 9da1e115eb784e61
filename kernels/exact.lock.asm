; Hypothesis: a locked addition is one locked load and one store. (That it is a load among all loads is
; not stated here: what counts accesses on the host sees it as a write.)

%include "kernels/kernel.inc"

KERNEL exact.lock, "locked additions"
    ITERATIONS  100
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    n * 8,          n * 8
    EXPECT  MEM_UOPS_RETIRED.LOCK_LOADS,    n * 8,          n * 8
PREPARE
%assign line 0
%rep 8
    mov   qword [rsi + line * 64], 0
%assign line line + 1
%endrep
    ret
CODE
.loop:
%assign line 0
%rep 8
    lock add qword [rsi + line * 64], 1
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
