/* The bits and addresses that NetBurst's tests use, from SDM 3B and SDM 4. */
#ifndef TESTS_RIG_PMU_NETBURST_TEST_H
#define TESTS_RIG_PMU_NETBURST_TEST_H

#include "pmu_test.h"

#define ENABLE     UINT64_C(0x1000)
#define ANY_THREAD UINT64_C(0x30000)
#define COMPARE    UINT64_C(0x40000)
#define COMPLEMENT UINT64_C(0x80000)
#define EDGE       UINT64_C(0x1000000)
#define FORCE_OVF  UINT64_C(0x2000000)
#define PMI_T0     UINT64_C(0x4000000)
#define PMI_T1     UINT64_C(0x8000000)
#define CASCADE    UINT64_C(0x40000000)
#define OVF        UINT64_C(0x80000000)
#define FROM(n)    ((uint64_t)(n) << 13)
#define OVER(n)    ((uint64_t)(n) << 20)
#define ON(n)      (ENABLE | ANY_THREAD | FROM(n))
#define T0_OS      UINT64_C(8)
#define EVENT(n)   ((uint64_t)(n) << 25)
#define MASK(n)    ((uint64_t)(n) << 9)
#define MAX_40     UINT64_C(0xffffffffff)

enum {
    COUNTER0 = 0x300,
    CCCR0 = 0x360,
    FSB_ESCR0 = 0x3a2,
    MOB_ESCR0 = 0x3aa,
    PMH_ESCR0 = 0x3ac,
    SAAT_ESCR0 = 0x3ae,
    BPU_ESCR0 = 0x3b2,
    CRU_ESCR0 = 0x3b8,
    CRU_ESCR1 = 0x3b9,
    IQ_ESCR0 = 0x3ba,
    IQ_ESCR1 = 0x3bb,
    RAT_ESCR0 = 0x3bc,
    MS_ESCR0 = 0x3c0,
    TBPU_ESCR0 = 0x3c2,
    TC_ESCR0 = 0x3c4,
    ALF_ESCR0 = 0x3ca,
    CRU_ESCR2 = 0x3cc,
    PEBS_ENABLE = 0x3f1,
    PEBS_MATRIX_VERT = 0x3f2,
    DEBUGCTLA = 0x1d9,
    TOS = 0x1da,
    FROM_0 = 0x680,
    TO_0 = 0x6c0,
};

/* The second logical processor of the core of `first`. */
static inline void rig_make_sibling(struct rig *rig, struct rig *first)
{
    struct pmu_place place = {
        .cpu = 1, .apic_id = 1, .cores = 4, .threads_per_core = 2, .processors = 8};
    struct pmu_host host = {
        .context = rig, .pmi = rig_pmi, .counting = rig_counting, .now = rig_now};

    memset(rig, 0, sizeof(*rig));
    rig->pmu = pmu_new(personality_find("prescott"), place, host);
    assert_non_null(rig->pmu);
    pmu_join(rig->pmu, first->pmu);
}

#endif
