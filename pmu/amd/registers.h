/* The core counters of AMD's processors: APM volume 2, "Performance Monitoring Counters". Layout
 * and addresses as in Linux, LIKWID and kvm-unit-tests, which agree. */
#ifndef PMU_AMD_REGISTERS_H
#define PMU_AMD_REGISTERS_H

#include "pmu/registers.h"

/* Six counters where CPUID 80000001H:ECX[23] (PerfCtrExtCore) is set, controls at even addresses;
 * else the four of K7, which are other names of the first four. */
enum {
    PERF_LEGACY_CTL0 = 0xc0010000,
    PERF_LEGACY_CTR0 = 0xc0010004,
    PERF_CTL0 = 0xc0010200,
    PERF_CTR0 = 0xc0010201,
};
enum { AMD_LEGACY_COUNTERS = 4, AMD_COUNTERS = 6, AMD_COUNTER_BITS = 48 };

/* Bits that are not named here are reserved, but for GUEST_ONLY (40) and HOST_ONLY (41): 0 in both
 * counts whatever runs. */
#define PERF_CTL_FIELDS_AMD(F)                                                                     \
    F(PERF_CTL_EVENT_LOW, 0, 7)                                                                    \
    F(PERF_CTL_UNIT_MASK, 8, 15)                                                                   \
    F(PERF_CTL_USR, 16, 16)                                                                        \
    F(PERF_CTL_OS, 17, 17)                                                                         \
    F(PERF_CTL_EDGE, 18, 18)                                                                       \
    F(PERF_CTL_INT, 20, 20)                                                                        \
    F(PERF_CTL_EN, 22, 22)                                                                         \
    F(PERF_CTL_INV, 23, 23)                                                                        \
    F(PERF_CTL_CNT_MASK, 24, 31)                                                                   \
    F(PERF_CTL_EVENT_HIGH, 32, 35)
REGISTER(PERF_CTLx, PERF_CTL0, PERF_CTL_FIELDS_AMD)

/* PERF_CNTR_GLOBAL_STATUS: while a FROZEN bit is set, nothing counts, or no branch is recorded. */
#define PERF_CNTR_GLOBAL_FIELDS(F)                                                                 \
    F(PERF_CNTR_GLOBAL_CNTRS, 0, 15)                                                               \
    F(PERF_CNTR_GLOBAL_LBRS_FROZEN, 58, 58)                                                        \
    F(PERF_CNTR_GLOBAL_CNTRS_FROZEN, 59, 59)
enum { PERF_CNTR_GLOBAL_FIELDS(FIELD_NAMED) };

/* What records beside the counters: LbrExtV2 (its records are in 0xc0010300 on), and IBS, which
 * interrupts. */
#define DBG_EXTN_CFG_FIELDS(F) F(DBG_EXTN_CFG_LBRV2EN, 6, 6)
REGISTER(DBG_EXTN_CFG, 0xc000010f, DBG_EXTN_CFG_FIELDS)
#define IBS_FETCH_CTL_FIELDS(F) F(IBS_FETCH_CTL_EN, 48, 48)
REGISTER(IBS_FETCH_CTL, 0xc0011030, IBS_FETCH_CTL_FIELDS)
#define IBS_OP_CTL_FIELDS(F) F(IBS_OP_CTL_EN, 17, 17)
REGISTER(IBS_OP_CTL, 0xc0011033, IBS_OP_CTL_FIELDS)

/* Events that a whole generation has (PMCx0C0 and PMCx076), and the one without which a counter
 * counts nothing. */
enum { PMC_RETIRED_INSTRUCTIONS = 0x0c0, PMC_CYCLES_NOT_IN_HALT = 0x076 };

#endif
