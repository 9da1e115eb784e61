; Hypothesis: the one load of the loop is named. one_access.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/one_access.inc"

KERNEL skid.load, "one load among 480 instructions"
    ITERATIONS  20
    ARENA       64
    ONE_ACCESS  .load, MEM_INST_RETIRED.ALL_LOADS | MEM_UOPS_RETIRED.ALL_LOADS | MEM_INST_RETIRED.LOADS, \
                {mov rcx, [rsi]}
