/* The state of the AMD kind, for amd*.c only. */
#ifndef RIG_PMU_KIND_AMD_STATE_H
#define RIG_PMU_KIND_AMD_STATE_H

#include "pmu/kind.h"
#include "amd.h"

#define AMD_COUNTERS_MAX 6
#define AMD_BRANCHES_MAX 16
#define AMD_UNKNOWN_MAX  32
#define AMD_COUNT_MASK   ((UINT64_C(1) << 48) - 1)

/* PERF_CTL: fields, and the bits that EVTSEL_* does not name. */
#define CTL_CODE(control)  ((uint16_t)(((control)&0xff) | ((control) >> 32 & 0xf) << 8))
#define CTL_UMASK(control) ((uint8_t)((control) >> 8 & 0xff))
#define CTL_CMASK(control) ((uint8_t)((control) >> 24 & 0xff))
#define CTL_GUEST_ONLY     (UINT64_C(1) << 40)
#define CTL_HOST_ONLY      (UINT64_C(1) << 41)
#define DBG_EXTN_LBRV2EN   (UINT64_C(1) << 6)
#define HWCR_IRPERF_EN     (UINT64_C(1) << 30)

struct amd_counter {
    uint64_t value, control;
    struct pmu_source source;
    bool running, asserted;
};

struct amd {
    struct amd_counter counter[AMD_COUNTERS_MAX];
    uint64_t global_ctl, global_status;
    uint64_t debugctl, branch_config, branch_select, hwcr;
    uint64_t from[AMD_BRANCHES_MAX], to[AMD_BRANCHES_MAX]; /* entry 0 is the newest */
    uint64_t instructions;                                 /* IRPERF */
    struct {
        uint16_t code;
        uint8_t umask;
    } unknown[AMD_UNKNOWN_MAX];
    unsigned unknown_count;
};

static inline struct amd *amd_of(const struct pmu *pmu)
{
    return pmu->kind_state;
}

/* amd.c: after any change of a register that says what counts */
void amd_refresh(struct pmu *pmu);

/* amd_msr.c */
enum access_result amd_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result amd_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
