/* The events and registers that Golden Cove and its successor Redwood Cove have in common, in
 * any part. */
#ifndef RIG_CPU_GOLDEN_COVE_H
#define RIG_CPU_GOLDEN_COVE_H

#include "pmu/parameters.h"
#include "event_rows.h"
#include "omitted.h"
#include "rows.h"

#define GOLDEN_COVE_WIDTH 6 /* slots a cycle */

/* The events that the published lists of 06_8FH, 06_97H (P cores) and 06_ADH share, with the
 * same encodings and counters in all three; the precise events among them; and the events that
 * the published Topdown trees refer to and that no signal of the model counts. */
#define GOLDEN_COVE_PRECISE   31
#define GOLDEN_COVE_UNCOUNTED 12
extern const struct event_table golden_cove_events;
extern const struct precise_event golden_cove_precise[GOLDEN_COVE_PRECISE];
extern const struct uncounted_event golden_cove_uncounted[GOLDEN_COVE_UNCOUNTED];

/* clang-format off */

/* Further events that the lists of the two server parts share. The rig has no AMX, no half
 * precision, no memory bandwidth allocation and no second socket. */
#define GOLDEN_COVE_SERVER_EVENTS \
    EVENTS_SERVER_SINCE_SKYLAKE, \
    { 0xb7, 0x02, ANY8, false, COUNTS(NEVER), "EXE.AMX_BUSY" }, \
    { 0xad, 0x20, ANY8, false, COUNTS(NEVER), "INT_MISC.MBA_STALLS" }, \
    { 0xc7, 0x60, ANY8, false, COUNTS_BOTH(FP_256_SINGLE, FP_512_DOUBLE), \
      "FP_ARITH_INST_RETIRED.8_FLOPS" }, \
    { 0xcf, 0x03, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.SCALAR" }, \
    { 0xcf, 0x04, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.128B_PACKED_HALF" }, \
    { 0xcf, 0x08, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.256B_PACKED_HALF" }, \
    { 0xcf, 0x10, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.512B_PACKED_HALF" }, \
    { 0xcf, 0x1c, ANY8, false, COUNTS(NEVER), "FP_ARITH_INST_RETIRED2.VECTOR" }

#define GOLDEN_COVE_MSRS \
    MSRS_SINCE_SKYLAKE, \
    TEMPERATURE_TARGET(100), \
    MISC_FEATURE_CONTROL(0x2f), /* AMP is bit 5 */ \
    OFFCORE_RSP(0x3fffffffff), \
    PEBS_FRONTEND(0x7fff1f)

/* Hidden, because the emulator lacks them or emulates them wrongly: SSSE3, SSE4, F16C, POPCNT,
 * MOVBE, XSAVES, BMI, AMX, RTM, SGX, VMX, SMEP, SMAP, PCID, five-level paging. */
#define GOLDEN_COVE_SERVER_CPUID \
    CPUID_SINCE_ICELAKE, \
    CPUID_AVX512_STATE, \
    /* TSC_ADJUST, ERMS, CLFLUSHOPT, CLWB, processor trace, AVX2, AVX512F, DQ, BW, VL; */ \
    /* architectural LBR */ \
    { .leaf = 0x7, .ebx = 0xc3830222, .edx = 0x00080000 }, \
    CPUID_PROCESSOR_TRACE, \
    { .leaf = 0x80000006, .ecx = 0x08007040 }

/* Architectural last-branch records: depths 8, 16 and 32, filters by level and kind, call stack;
 * mispredictions, cycles and kinds are recorded. */
#define ARCHITECTURAL_LBR { \
    .depth = 32, .architectural = true, .control_writable = 0x7f000f, \
    .info_writable = UINT64_C(0xff0000000000ffff), \
    .leaf = { .eax = 0x4000000b, .ebx = 0x7, .ecx = 0x7 }, \
}

#define GOLDEN_COVE_SERVER_OMITTED \
    OMITTED_SAMPLING "; " OMITTED_CACHE_LATENCY "; " OMITTED_PLATFORM "; no HWP; " OMITTED_VECTORS \
    "; SSSE3, SSE4, F16C, AMX, RTM, SGX, processor trace and VMX are hidden; " \
    OMITTED_EVENTS("most off-core responses by snoop, front-end retired by latency or bubbles") \
    "; " OMITTED_ASSISTS "; no dropped uops; " OMITTED_TLBS "; " OMITTED_SLOTS "; " \
    OMITTED_BOTH("CORE_CYCLES") "; " OMITTED_METRICS

/* clang-format on */

#endif
