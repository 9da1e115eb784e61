/* The inside of one PMU, shared by pmu*.c, lbr.c and cpuid.c only. */
#ifndef RIG_PMU_STATE_H
#define RIG_PMU_STATE_H

#include "core/model.h"
#include "personality.h"
#include "pmu.h"
#include "parameters.h"

/* Bits that several files need; SDM 3B, "Architectural Performance Monitoring" and "Debug
 * Store", by register. */
#define EVTSEL_USR                 (UINT64_C(1) << 16)
#define EVTSEL_OS                  (UINT64_C(1) << 17)
#define EVTSEL_EDGE                (UINT64_C(1) << 18)
#define EVTSEL_INT                 (UINT64_C(1) << 20)
#define EVTSEL_ANY                 (UINT64_C(1) << 21)
#define EVTSEL_EN                  (UINT64_C(1) << 22)
#define EVTSEL_INV                 (UINT64_C(1) << 23)
#define EVTSEL_CMASK               (UINT64_C(0xff) << 24)
#define EVTSEL_ADAPTIVE            (UINT64_C(1) << 34)
#define EVTSEL_LBR_LOG             (UINT64_C(1) << 35)
#define EVTSEL_EQ                  (UINT64_C(1) << 36)
#define EVTSEL_USER_DISABLE        (UINT64_C(1) << 37)
#define EVTSEL_UMASK2_SHIFT        40
#define FIXED_OS                   1u
#define FIXED_USR                  2u
#define FIXED_ANY                  4u
#define FIXED_PMI                  8u
#define FIXED_METRICS_CLEAR        (UINT64_C(1) << 14)
#define FIXED_USER_DISABLE         33 /* + 4 * counter */
#define FIXED_ADAPTIVE             32 /* + 4 * counter */
#define GLOBAL_FIXED_SHIFT         32
#define GLOBAL_PERF_METRICS        (UINT64_C(1) << 48)
#define STATUS_LBR_FRZ             (UINT64_C(1) << 58)
#define STATUS_CTR_FRZ             (UINT64_C(1) << 59)
#define STATUS_OVF_DS_BUFFER       (UINT64_C(1) << 62)
#define STATUS_COND_CHGD           (UINT64_C(1) << 63)
#define INUSE_PMI                  (UINT64_C(1) << 63)
#define DEBUGCTL_LBR               (UINT64_C(1) << 0)
#define DEBUGCTL_BTF               (UINT64_C(1) << 1) /* the same bit in every kind's */
#define DEBUGCTL_FREEZE_LBRS       (UINT64_C(1) << 11)
#define DEBUGCTL_FREEZE_PERFMON    (UINT64_C(1) << 12)
#define CAPABILITIES_FW_WRITE      (UINT64_C(1) << 13)
#define CAPABILITIES_PEBS_BASELINE (UINT64_C(1) << 14)
#define PEBS_LOAD_LATENCY          32 /* + counter: IA32_PEBS_ENABLE before version 5 */
#define PEBS_PRECISE_STORE         63 /* likewise */
#define MSR_OFFCORE_RSP_0          0x1a6u
#define MSR_OFFCORE_RSP_1          0x1a7u
#define MSR_PEBS_LD_LAT            0x3f6u
#define MSR_PEBS_FRONTEND          0x3f7u
#define CPUID_COUNTERS             0x23u /* the leaf that describes them from version 6 on */

struct counter {
    uint64_t value;
    uint64_t mask; /* its bits */
    struct pmu_source source;
    uint64_t status;        /* its bit in IA32_PERF_GLOBAL_STATUS */
    uint64_t lie_remainder; /* of a counter that lies, in hundredths */
    uint64_t remainder;     /* of a reference clock: towards its next tick, in 1/core_mhz */
    uint8_t cmask;          /* 0: adds the value of every cycle */
    bool invert, edge, equal;
    bool core; /* counts for both threads of the core */
    bool running;
    bool asserted; /* the condition of the last counted cycle, for edge */
};

/* Slots since the last write to PERF_METRICS; their sum is FIXED_CTR3 when both were
 * cleared together. */
struct metrics {
    int64_t slots[METRIC_COUNT];
    uint64_t written;
    bool advanced; /* counted since the write */
    bool running;
};

struct branch_record {
    uint64_t from, to, info;
};

struct lbr {
    uint64_t from[LBR_DEPTH_MAX], to[LBR_DEPTH_MAX], info[LBR_DEPTH_MAX];
    unsigned tos;               /* the newest record */
    unsigned depth;             /* in use: the architectural stack's can be made smaller */
    struct branch_record last;  /* of the newest record that was made */
    struct branch_record event; /* that one as the last exception or interrupt came */
    uint64_t select;
    uint32_t control;       /* IA32_LBR_CTL */
    uint64_t last_cycle;    /* of the last record, or of the moment recording began */
    uint64_t last_value[4]; /* of the counters that a record can log, likewise */
};

/* Event-based sampling. Counters are their bits in IA32_PERF_GLOBAL_STATUS. */
struct pebs {
    uint64_t enable, data_cfg, area; /* IA32_PEBS_ENABLE, MSR_PEBS_DATA_CFG, IA32_DS_AREA */
    uint64_t waiting;                /* overflowed, not yet armed */
    uint64_t armed;
    uint64_t exact; /* running, and to be recorded without shadow */
    uint64_t armed_value[GLOBAL_FIXED_SHIFT + PMU_FIXED_MAX]; /* the counter's, by bit */
    bool watching;                                            /* as last told to the host */
};

#define UNKNOWN_MAX 64
struct unknown_event {
    uint8_t code;
    bool known; /* known, but not countable on `counter` */
    uint8_t counter;
    uint16_t umask;
};

struct pmu {
    const struct pmu_parameters *parameters;
    struct pmu_place place;
    struct pmu_host host;

    unsigned cpl; /* current privilege level */
    unsigned gp_count;
    struct counter gp[PMU_GP_MAX], fixed[PMU_FIXED_MAX];
    uint64_t select[PMU_GP_MAX]; /* IA32_PERFEVTSELx */
    uint64_t fixed_ctrl, global_ctrl, global_status, debugctl;
    struct metrics metrics;
    struct lbr lbr;
    struct pebs pebs;

    /* Those that run; the first `plain_count` are neither clocks nor compared nor lying and add one
     * signal as it is. */
    struct counter *active[PMU_GP_MAX + PMU_FIXED_MAX];
    unsigned active_count, plain_count;
    struct counter *access_events[PMU_GP_MAX]; /* the active ones that pmu_told.c counts */
    unsigned access_event_count;
    struct pmu_requests requests; /* as last told to the host */
    uint64_t followed_until;      /* the cycle in which the last load followed had its data */
    struct retired_access followed_load, sampled_store; /* the last that counted */
    uint64_t pmi_mask; /* status bits whose overflow asks for a PMI */
    bool counting;     /* as last told to the host */
    bool pmi_pending;  /* asked for, to be raised when `unhalted` is `pmi_due` */
    uint64_t pmi_due;
    bool observes; /* as last told to the host */

    uint64_t unhalted;  /* core cycles, since power-on */
    void *kind_state;   /* of parameters->kind */
    bool kind_borrowed; /* the state is the sibling's */
    uint64_t aperf_base, mperf_base;
    uint64_t tsc_offset, tsc_adjust;
    uint64_t *msr_value; /* of each register in pmu_msr.c's table and the personality's */

    struct unknown_event unknown[UNKNOWN_MAX];
    unsigned unknown_count, unknown_lost;
};

/* pmu.c */
/* Whether bits that let in the privileged and the others let in what runs now. */
static inline bool pmu_level(const struct pmu *pmu, bool os, bool user)
{
    return pmu->cpl == 0 ? os : user;
}
/* After any change of what counts: find out who runs now, and tell the host. */
void pmu_refresh(struct pmu *pmu);
/* Finds out anew whether spans matter and tells the host. */
void pmu_observe(struct pmu *pmu);
uint64_t pmu_gp_mask(const struct pmu *pmu); /* the bits of a counter's value */
uint64_t pmu_fixed_mask(const struct pmu *pmu);
bool pmu_has_fixed(const struct pmu *pmu, unsigned index);
/* TSC ticks in that many core cycles, rounded down. */
uint64_t pmu_ticks(const struct pmu *pmu, uint64_t core_cycles);

/* A PMI is asked for now: it comes, and freezes, when its time has come. */
void pmu_request(struct pmu *pmu);

/* These counters (status bits) went over their end in one cycle. */
void pmu_overflow(struct pmu *pmu, uint64_t counters);

/* pmu_told.c */
/* Whether counter `index` can count at this rate as the facility's registers stand. */
bool access_events_resolve(const struct pmu *pmu, unsigned index, enum pmu_rate rate);
void access_events_refresh(struct pmu *pmu); /* after any change of what counts */

/* pmu_events.c */
uint16_t pmu_umask(uint64_t select); /* of an event select, extension included */
/* Sets what counter `index` counts as it is programmed. False: nothing, and why is remembered. */
bool pmu_resolve(struct pmu *pmu, unsigned index, struct counter *counter);

/* pmu_registers.c: the counters' own registers; ACCESS_NOT_MINE for others */
enum access_result pmu_registers_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result pmu_registers_write(struct pmu *pmu, uint32_t msr, uint64_t value);

/* pmu_metrics.c */
void metrics_advance(struct pmu *pmu, const struct span *span);
uint64_t metrics_read(const struct pmu *pmu);
enum access_result metrics_write(struct pmu *pmu, uint64_t value);

/* lbr.c, lbr_registers.c: `value` as in the register; ACCESS_NOT_MINE when the address is none of
 * the stack's */
void lbr_reset(struct pmu *pmu);
void lbr_enabled(struct pmu *pmu); /* recording begins now */
bool lbr_records(
    const struct pmu *pmu); /* branches of some kind, of some level, but for a freeze */
enum access_result lbr_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result lbr_write(struct pmu *pmu, uint32_t msr, uint64_t value);

/* bts.c */
bool bts_records(const struct pmu *pmu);
void bts_branch(struct pmu *pmu, const struct retired_branch *branch);

/* pebs.c */
void pebs_reset(struct pmu *pmu);
void pebs_overflow(struct pmu *pmu, uint64_t counters);
void pebs_refresh(struct pmu *pmu);  /* after any change of what counts */
void pebs_approach(struct pmu *pmu); /* with pebs.exact: after every step of the counters */
enum access_result pebs_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result pebs_write(struct pmu *pmu, uint32_t msr, uint64_t value);

/* pmu_msr.c */
bool msr_allocate(struct pmu *pmu); /* false: out of memory */
void msr_reset(struct pmu *pmu);
size_t msr_count(const struct pmu *pmu); /* of registers that only hold a value */
/* What a register of the personality's facts holds; 0 when there is none. */
uint64_t msr_held(const struct pmu *pmu, uint32_t msr);
bool msr_canonical(uint64_t address); /* bits 63:47 equal */

#endif
