/* What Golden Cove and its successor Redwood Cove have in common, whatever part they are in. */
#ifndef RIG_CPU_GOLDEN_COVE_H
#define RIG_CPU_GOLDEN_COVE_H

#include "pmu/parameters.h"

#define GOLDEN_COVE_WIDTH 6 /* slots a cycle */

#define ANY8  0xff
#define LOW4  0x0f
#define ONLY0 0x01

/* The events that the published lists of 06_8FH, 06_97H (P cores) and 06_ADH share, with the same
 * encodings and counters in all three. */
#define GOLDEN_COVE_EVENTS 145
extern const struct pmu_event golden_cove_events[GOLDEN_COVE_EVENTS];
/* Those that the lists of the two server parts share: no AMX, no half precision and no memory
 * bandwidth allocation here, nor another socket. */
#define GOLDEN_COVE_SERVER_EVENTS                                                                  \
    {0xb7, 0x02, ANY8, false, COUNTS(NEVER), "EXE.AMX_BUSY"},                                      \
        {0xad, 0x20, ANY8, false, COUNTS(NEVER), "INT_MISC.MBA_STALLS"},                           \
        {0xc7,                                                                                     \
         0x40,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(FP_512_DOUBLE),                                                                    \
         "FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE"},                                              \
        {0xc7,                                                                                     \
         0x80,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS(FP_512_SINGLE),                                                                    \
         "FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE"},                                              \
        {0xc7,                                                                                     \
         0x60,                                                                                     \
         ANY8,                                                                                     \
         false,                                                                                    \
         COUNTS_BOTH(FP_256_SINGLE, FP_512_DOUBLE),                                                \
         "FP_ARITH_INST_RETIRED.8_FLOPS"},                                                         \
        {0xcf, 0x03, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.SCALAR"},                 \
        {0xcf, 0x04, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.128B_PACKED_HALF"},       \
        {0xcf, 0x08, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.256B_PACKED_HALF"},       \
        {0xcf, 0x10, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.512B_PACKED_HALF"},       \
        {0xcf, 0x1c, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.VECTOR"},                 \
        {0xd3, 0x01, LOW4, false, COUNTS(LOADS_L3_MISS), "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM"},   \
        {0xd3, 0x02, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM"},          \
        {0xd3, 0x04, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM"},          \
    {                                                                                              \
        0xd3, 0x08, LOW4, false, COUNTS(NEVER), "MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD"              \
    }

#define GOLDEN_COVE_PRECISE 31
extern const struct precise_event golden_cove_precise[GOLDEN_COVE_PRECISE];

/* PERF_METRICS: both levels. */
#define GOLDEN_COVE_METRICS                                                                        \
    {                                                                                              \
        [METRIC_RETIRING] = COUNTS(UOPS_RETIRED), [METRIC_FRONTEND] = COUNTS(FE_UNDELIVERED),      \
        [METRIC_BACKEND] = COUNTS(BE_BLOCKED), [METRIC_HEAVY] = COUNTS(SLOTS_HEAVY),               \
        [METRIC_MISPREDICT] = COUNTS(SLOTS_MISPREDICT),                                            \
        [METRIC_FETCH_LATENCY] = COUNTS(FE_LATENCY_SLOTS),                                         \
        [METRIC_MEMORY] = COUNTS(BE_MEMORY_SLOTS),                                                 \
    }

#define GOLDEN_COVE_FIXED                                                                          \
    {                                                                                              \
        COUNTS(INSTRUCTIONS), COUNTS(UNHALTED), COUNTS_TICKS(PER_TSC_TICK),                        \
            COUNTS_TIMES(ALLOCATOR, GOLDEN_COVE_WIDTH),                                            \
    }

/* Architectural last-branch records: depths 8, 16 and 32, filters by level and kind, call stack;
 * mispredictions, cycles and kinds are recorded. */
#define ARCHITECTURAL_LBR                                                                          \
    {                                                                                              \
        .depth = 32, .architectural = true, .control_writable = 0x7f000f,                          \
        .info_writable = UINT64_C(0xff0000000000ffff),                                             \
        .leaf = {.eax = 0x4000000b, .ebx = 0x7, .ecx = 0x7},                                       \
    }

/* Execution, latencies by uops.info, Alder Lake P; FP_MUL is not among them. Integer divisions are
 * those of InstLatx64, GenuineIntel0090672_AlderLake_BC_InstLatX64, and of LLVM's
 * X86SchedSapphireRapids.td alike. X87 stands for additions (3) and multiplications (4) alike. The
 * model has one divider for integers and floating point; the parts have two. */
#define PORT(n)         (1u << (n))
#define GOLDEN_COVE_ALU (PORT(0) | PORT(1) | PORT(5) | PORT(6) | PORT(10))
#define GOLDEN_COVE_CLASSES                                                                        \
    [CLASS_ALU] = {GOLDEN_COVE_ALU, 1, 1}, [CLASS_LEA] = {GOLDEN_COVE_ALU, 1, 1},                  \
    [CLASS_SHIFT] = {PORT(0) | PORT(6), 1, 1}, [CLASS_SLOW_LEA] = {PORT(1) | PORT(5), 1, 1},       \
    [CLASS_MUL] = {PORT(1), 3, 1}, [CLASS_MUL_HIGH] = {PORT(5), 1, 1},                             \
    [CLASS_BIT] = {PORT(1), 3, 1}, [CLASS_DIV32] = {PORT(1), 15, 6},                               \
    [CLASS_DIV64] = {PORT(1), 18, 10}, [CLASS_BRANCH] = {PORT(0) | PORT(6), 1, 1},                 \
    [CLASS_BRANCH_TAKEN] = {PORT(6), 1, 1}, [CLASS_LOAD] = {PORT(2) | PORT(3) | PORT(11), 5, 1},   \
    [CLASS_STORE_ADDRESS] = {PORT(7) | PORT(8), 1, 1},                                             \
    [CLASS_STORE_DATA] = {PORT(4) | PORT(9), 1, 1},                                                \
    [CLASS_VECTOR_ALU] = {PORT(0) | PORT(1) | PORT(5), 1, 1},                                      \
    [CLASS_VECTOR_SHUFFLE] = {PORT(1) | PORT(5), 1, 1},                                            \
    [CLASS_VECTOR_MUL] = {PORT(0) | PORT(1), 5, 1}, [CLASS_FP_ADD] = {PORT(1) | PORT(5), 3, 1},    \
    [CLASS_FP_COMPARE] = {PORT(0) | PORT(1), 4, 1}, [CLASS_FMA] = {PORT(0) | PORT(1), 4, 1},       \
    [CLASS_VECTOR_LANES] = {PORT(5), 3, 1}, [CLASS_VECTOR_ALU_512] = {PORT(0) | PORT(5), 1, 1},    \
    [CLASS_VECTOR_MUL_512] = {PORT(0) | PORT(5), 5, 1},                                            \
    [CLASS_FP_512] = {PORT(0) | PORT(5), 4, 1}, [CLASS_FP_DIV_SINGLE_256] = {PORT(0), 11, 5},      \
    [CLASS_FP_DIV_DOUBLE_256] = {PORT(0), 14, 8}, [CLASS_FP_DIV_SINGLE] = {PORT(0), 11, 3},        \
    [CLASS_FP_DIV_DOUBLE] = {PORT(0), 14, 4}, [CLASS_FP_CONVERT] = {PORT(0) | PORT(1), 4, 1},      \
    [CLASS_TO_VECTOR] = {PORT(5), 2, 1}, [CLASS_FROM_VECTOR] = {PORT(0), 2, 1},                    \
    [CLASS_X87] = {PORT(0) | PORT(5), 4, 1}, [CLASS_MICROCODE] = {GOLDEN_COVE_ALU, 1, 1},          \
    [CLASS_NONE] = {0, 0, 0}

#endif
