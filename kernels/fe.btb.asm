; Hypothesis: there are more taken jumps than the branch target buffer has entries, visited
; cyclically, so the predictor knows none of them when it is visited again. The decoder finds each
; jump and restarts the fetch behind it, which costs about nine cycles for two uops and a branch
; that falls through. The jumps are sixteen bytes apart in address order, so that only every fourth
; of them needs a new line of code: all lines together may be more than the L1 instruction cache
; holds. A window visits n jumps from where the last window stopped. PREPARE visits all of them
; twice: a two-bit counter that another branch has set to "taken" has then learned that the branches
; here fall through, so earlier windows do not differ from later ones.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 4
FIRST_NODE equ 4096                         ; [arena]: the place; [arena + 8]: the ring's bytes - 1
WAY_OUT    equ 64                           ; place of a RET

KERNEL fe.btb, "more jumps than the branch target buffer holds"
    ITERATIONS  800
    ARENA       4096 + btb_entries * 2 * 16
    LEAF        tma_unknown_branches | tma_branch_resteers | tma_branch_detect
    EXPECT  INST_RETIRED.ANY,               n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  BACLEARS.ANY,                   n * 0.6,        n * 1.1
    EXPECT  tma_frontend_bound,             0.7,            1
    EXPECT  tma_fetch_latency,              0.6,            1
PREPARE
    sub   r8, FIRST_NODE
    RING_SIZE r8, NODE_SHIFT
    mov   byte [rsi + WAY_OUT], 0xc3        ; RET
    lea   rdi, [rsi + FIRST_NODE]
    lea   rbx, [rsi + WAY_OUT - 9]
    sub   rbx, rdi                          ; from behind the first node's JZ to the way out
    mov   rcx, r10
.node:
    mov   dword [rdi], 0x0fcfff48           ; DEC rdi; JZ rel32
    mov   byte [rdi + 4], 0x84
    mov   [rdi + 5], ebx
    mov   dword [rdi + 9], 0x000002e9       ; JMP rel32 to the next node
    mov   dword [rdi + 12], 0xcccc0000
    add   rdi, 1 << NODE_SHIFT
    sub   rbx, 1 << NODE_SHIFT
    dec   rcx
    jnz   .node
    mov   [rdi - 6], ecx                    ; the last node's jump goes to the first node
    shl   r10, NODE_SHIFT
    sub   [rdi - 6], r10d
    add   dword [rdi - 6], 2
    dec   r10
    mov   qword [rsi], 0
    mov   [rsi + 8], r10
    lea   rax, [rsi + FIRST_NODE]
%rep 2
    lea   rdi, [r10 + 1]
    shr   rdi, NODE_SHIFT
    call  rax
%endrep
    ret
CODE
    mov   rax, [rsi]
    mov   rcx, rdi
    shl   rcx, NODE_SHIFT
    add   rcx, rax
    and   rcx, [rsi + 8]
    mov   [rsi], rcx
    lea   rax, [rsi + rax + FIRST_NODE]
    call  rax
    ret
ENDKERNEL
