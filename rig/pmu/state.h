/* The state of one PMU, which the files of this room work on together, and the bits of registers
 * that several of them need. */
#ifndef RIG_PMU_STATE_H
#define RIG_PMU_STATE_H

#include "host.h"
#include "parameters.h"

/* By register; SDM 3B, "Architectural Performance Monitoring" and "Debug Store". */
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
#define DEBUGCTL_BTF               (UINT64_C(1) << 1) /* the same bit in every kind of PMU */
#define DEBUGCTL_FREEZE_LBRS       (UINT64_C(1) << 11)
#define DEBUGCTL_FREEZE_PERFMON    (UINT64_C(1) << 12)
#define CAPABILITIES_FW_WRITE      (UINT64_C(1) << 13)
#define CAPABILITIES_PEBS_BASELINE (UINT64_C(1) << 14)
#define CAPABILITIES_PEBS_TIMING   (UINT64_C(1) << 17)
#define PEBS_LOAD_LATENCY          32 /* + counter: IA32_PEBS_ENABLE before version 5 */
#define PEBS_PRECISE_STORE         63 /* likewise */
#define MSR_OFFCORE_RSP_0          0x1a6u
#define MSR_OFFCORE_RSP_1          0x1a7u
#define MSR_PEBS_LD_LAT            0x3f6u
#define MSR_PEBS_FRONTEND          0x3f7u
#define CPUID_COUNTERS             0x23u /* the leaf that describes the counters from version 6 on */

struct counter {
    uint64_t value;
    uint64_t mask; /* the bits that it has */
    struct pmu_source source;
    uint64_t status;        /* its bit in IA32_PERF_GLOBAL_STATUS */
    uint64_t lie_remainder; /* of a counter that lies: not yet added, in hundredths */
    uint32_t noise;         /* the state of its random numbers */
    uint64_t remainder;     /* of a reference clock: towards its next tick, in 1/core_mhz */
    uint8_t cmask;          /* 0: adds the value of every cycle */
    bool invert, edge, equal;
    bool core;            /* counts for both threads of the core */
    struct counter *leak; /* the sibling's, which gets what this one counts; or NULL */
    bool running;
    bool asserted; /* for `edge`: the condition held in the last counted cycle */
    /* What --fault does to it. */
    enum counter_mode mode;
    uint64_t lost_bits;           /* of its value: never set */
    uint64_t first_hit, last_hit; /* the first and last window in which it ran so; 0: none */
    bool falsified;               /* it holds, or held, another value by that */
};

/* Slots since the last write to PERF_METRICS. Level 1 adds up to FIXED_CTR3 if both registers were
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
    unsigned tos;               /* place of the newest record */
    unsigned depth;             /* entries in use; software can choose it for IA32_LBR_DEPTH */
    struct branch_record last;  /* the last record that was made */
    struct branch_record event; /* `last` when the last exception or interrupt was delivered */
    uint64_t select;            /* MSR_LBR_SELECT */
    uint32_t control;           /* IA32_LBR_CTL */
    uint64_t last_cycle;        /* of the last record, or of the start of recording */
    uint64_t last_value[4];     /* then: of the counters that a record can log */
    /* The last push, so that it can be taken back: what it wrote over, and last_cycle before it. */
    struct retired_branch newest;
    struct branch_record over;
    uint64_t cycle_before;
    bool takes_back; /* `withheld` was taken back, and is to come again */
    struct retired_branch withheld;
};

/* The registers of processor trace. */
struct processor_trace {
    uint64_t base, mask_pointers, control, status, cr3_match;
};

/* Event-based sampling. Sets of counters are bits as in IA32_PERF_GLOBAL_STATUS. */
struct pebs {
    uint64_t enable, data_cfg, area; /* IA32_PEBS_ENABLE, MSR_PEBS_DATA_CFG, IA32_DS_AREA */
    uint64_t waiting;                /* overflowed, not yet armed */
    uint64_t armed;
    uint64_t exact; /* running, and recorded without a shadow */
    uint64_t armed_value[GLOBAL_FIXED_SHIFT + PMU_FIXED_MAX]; /* by bit: its value when armed */
    bool watching;                                            /* the last call of host.watch */
};

#define UNKNOWN_MAX 64
struct unknown_event {
    uint8_t code;
    bool known; /* an event that `counter` cannot count */
    uint8_t counter;
    uint16_t umask;
};

/* The frequency of the core's clock since `cycle` of the host's clock, which was `ticks` of the TSC
 * after the beginning; then `unhalted` cycles, or so many ticks, had passed in which the core was
 * not halted. */
struct clock_rate {
    unsigned mhz;
    uint64_t cycle, ticks, unhalted, unhalted_ticks;
};

struct pmu {
    const struct pmu_parameters *parameters;
    struct pmu_place place;
    struct pmu_host host;

    unsigned cpl; /* current privilege level */
    unsigned gp_count;
    struct counter gp[PMU_GP_MAX], fixed[PMU_FIXED_MAX];
    uint64_t select[PMU_GP_MAX]; /* IA32_PERFEVTSELx */
    /* Of a part that is to be primed: what each counter counted last without an error, whether it
     * counts too much, and whether counting last started with the values of parameters->prime. */
    uint64_t sound[PMU_GP_MAX];
    bool stale[PMU_GP_MAX], primed;
    uint64_t fixed_ctrl, global_ctrl, global_status, debugctl;
    struct metrics metrics;
    struct lbr lbr;
    struct pebs pebs;
    struct processor_trace trace;

    /* The counters that run by spans. The first `plain_count` add one signal as it is: they are no
     * clocks, compare nothing and do not lie. */
    struct counter *active[PMU_GP_MAX + PMU_FIXED_MAX];
    unsigned active_count, plain_count;
    struct counter *access_events[PMU_GP_MAX]; /* the counters that run by access events */
    unsigned access_event_count;
    struct pmu_subscription subscription; /* the last call of host.subscribe */
    uint64_t followed_until;              /* cycle in which the load followed last had its data */
    struct retired_access followed_load, sampled_store; /* the last load and store that counted */
    uint64_t pmi_mask;               /* status bits whose overflow requests a PMI */
    bool counting;                   /* the last call of host.counting */
    bool sees;                       /* and of host.sees */
    uint64_t windows;                /* so often it began to count */
    unsigned pmis;                   /* raised so far, where they go wrong on demand */
    bool pmi_pending;                /* requested; raised when `unhalted` reaches `pmi_due` */
    uint64_t pmi_due, pmi_requested; /* the latter: `unhalted` when it was requested */
    uint64_t pmi_counters;           /* status bits of the overflows that requested it */
    bool storms;                     /* PMIs come without overflows while something counts */
    bool foresees;                   /* the last call of host.foresee */
    bool observes;                   /* the last call of host.observes */

    struct pmu *sibling; /* the other thread's PMU, NULL: this core has one thread */
    struct pmu *package; /* the next PMU of the package, in a ring; NULL: there is no other */
    uint64_t unhalted;   /* core cycles, since power-on */
    struct clock_rate clock;
    void *kind_state;   /* of parameters->kind */
    bool kind_borrowed; /* the state is the sibling's */
    uint64_t aperf_base, mperf_base;
    uint64_t tsc_offset, tsc_adjust;
    uint64_t *msr_value; /* of each register that only holds a value (fact_registers.c) */

    struct unknown_event unknown[UNKNOWN_MAX];
    unsigned unknown_count, unknown_lost;
};

/* Whether code at the current privilege level is counted; `os` and `user`: the bits that let in the
 * privileged level and the others. */
static inline bool pmu_level(const struct pmu *pmu, bool os, bool user)
{
    return pmu->cpl == 0 ? os : user;
}

/* Calls host.sees if that has changed. */
static inline void pmu_sees(struct pmu *pmu, bool sees)
{
    if (sees == pmu->sees)
        return;
    pmu->sees = sees;
    if (pmu->host.sees != NULL)
        pmu->host.sees(pmu->host.context, sees);
}

static inline bool pmu_has_fixed(const struct pmu *pmu, unsigned index)
{
    return index < pmu->parameters->fixed && !(pmu->parameters->fixed_absent >> index & 1);
}

/* Takes the bits from the counter's value that it lacks for now. */
static inline void pmu_lose_bits(struct counter *counter)
{
    counter->falsified |= (counter->value & counter->lost_bits) != 0;
    counter->value &= ~counter->lost_bits;
}

/* The bits of a general-purpose counter's value. */
static inline uint64_t pmu_gp_mask(const struct pmu *pmu)
{
    return (UINT64_C(1) << pmu->parameters->width) - 1;
}

static inline uint64_t pmu_fixed_mask(const struct pmu *pmu)
{
    const unsigned width = pmu->parameters->fixed_width;

    return width ? (UINT64_C(1) << width) - 1 : pmu_gp_mask(pmu);
}

/* Whether bits 63:47 of the linear address are equal. */
static inline bool is_canonical(uint64_t address)
{
    const uint64_t high = address >> 47;

    return high == 0 || high == (UINT64_C(1) << 17) - 1;
}

#endif
