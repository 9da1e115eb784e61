/* Registers of the counters of Intel's families since Core, with the addresses of SDM 4, and
 * values that tests write to them. */
#ifndef TESTS_RIG_PMU_COUNTERS_TEST_H
#define TESTS_RIG_PMU_COUNTERS_TEST_H

#include "pmu_test.h"

#define EN_OS  UINT64_C(0x420000) /* IA32_PERFEVTSELx: EN, OS */
#define MAX_48 UINT64_C(0xffffffffffff)

enum {
    PMC0 = 0xc1,           /* IA32_PMC0 */
    EVTSEL0 = 0x186,       /* IA32_PERFEVTSEL0 */
    OFFCORE_RSP_0 = 0x1a6, /* MSR_OFFCORE_RSP_0 */
    OFFCORE_RSP_1 = 0x1a7, /* MSR_OFFCORE_RSP_1 */
    LBR_SELECT = 0x1c8,    /* MSR_LBR_SELECT */
    LBR_TOS = 0x1c9,       /* MSR_LASTBRANCH_TOS */
    DEBUGCTL = 0x1d9,      /* IA32_DEBUGCTL */
    FIXED_CTR0 = 0x309,    /* IA32_FIXED_CTR0 */
    METRICS = 0x329,       /* MSR_PERF_METRICS */
    FIXED_CTRL = 0x38d,    /* IA32_FIXED_CTR_CTRL */
    STATUS = 0x38e,        /* IA32_PERF_GLOBAL_STATUS */
    CTRL = 0x38f,          /* IA32_PERF_GLOBAL_CTRL */
    RESET = 0x390,         /* IA32_PERF_GLOBAL_STATUS_RESET */
    SET = 0x391,           /* IA32_PERF_GLOBAL_STATUS_SET */
    INUSE = 0x392,         /* IA32_PERF_GLOBAL_INUSE */
    PEBS_ENABLE = 0x3f1,   /* IA32_PEBS_ENABLE */
    DATA_CFG = 0x3f2,      /* MSR_PEBS_DATA_CFG */
    LD_LAT = 0x3f6,        /* MSR_PEBS_LD_LAT */
    FRONTEND = 0x3f7,      /* MSR_PEBS_FRONTEND */
    A_PMC0 = 0x4c1,        /* IA32_A_PMC0 */
    LBR_FROM = 0x680,      /* MSR_LASTBRANCH_0_FROM_IP */
    LBR_TO = 0x6c0,        /* MSR_LASTBRANCH_0_TO_IP */
    LBR_INFO = 0xdc0,      /* MSR_LBR_INFO_0 */
    ARCH_INFO = 0x1200,    /* IA32_LBR_0_INFO */
    ARCH_CTL = 0x14ce,     /* IA32_LBR_CTL */
    ARCH_DEPTH = 0x14cf,   /* IA32_LBR_DEPTH */
    ARCH_FROM = 0x1500,    /* IA32_LBR_0_FROM_IP */
    ARCH_TO = 0x1600,      /* IA32_LBR_0_TO_IP */
    GP0_CTR = 0x1900,      /* IA32_PMC_GP0_CTR */
    GP0_CFG_A = 0x1901,    /* IA32_PMC_GP0_CFG_A */
    FX0_CTR = 0x1980,      /* IA32_PMC_FX0_CTR */
};

#endif
