; Hypothesis: the one store of the loop is named. one_access.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/one_access.inc"

KERNEL skid.store, "one store among 480 instructions"
    ITERATIONS  20
    ARENA       64
    ONE_ACCESS  .store, MEM_INST_RETIRED.ALL_STORES | MEM_UOPS_RETIRED.ALL_STORES | MEM_INST_RETIRED.STORES, \
                {mov [rsi], rcx}
