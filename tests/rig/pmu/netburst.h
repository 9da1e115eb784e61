/* The inside of the NetBurst kind, shared by pmu_netburst*.c only. */
#ifndef RIG_PMU_NETBURST_H
#define RIG_PMU_NETBURST_H

#include "kind.h"

#define NETBURST_ESCRS     45
#define NETBURST_COUNTERS  18
#define NETBURST_BRANCHES  16
#define NETBURST_BITS_MAX  10 /* terms of one event */
#define NETBURST_TERMS_MAX 16 /* terms that one counter adds */

/* The unit that an ESCR belongs to: most have two, one for each half of the counters. */
enum escr_unit {
    UNIT_BSU,
    UNIT_FSB,
    UNIT_FIRM,
    UNIT_FLAME,
    UNIT_DAC,
    UNIT_MOB,
    UNIT_PMH,
    UNIT_SAAT,
    UNIT_U2L,
    UNIT_BPU,
    UNIT_IS,
    UNIT_ITLB,
    UNIT_CRU01,
    UNIT_IQ,
    UNIT_RAT,
    UNIT_SSU,
    UNIT_MS,
    UNIT_TBPU,
    UNIT_TC,
    UNIT_IX,
    UNIT_ALF,
    UNIT_CRU23,
    UNIT_CRU45,
    UNIT_COUNT
};

struct netburst_escr {
    uint16_t address;
    enum escr_unit unit;
    uint8_t half;
};

/* What one bit of the event mask adds: several terms may share a bit. A weight of 0 is a bit that
 * never counts here, and that is known. */
struct netburst_term {
    uint8_t bit;
    enum signal signal;
    int8_t weight;
};

struct netburst_event {
    enum escr_unit unit;
    uint8_t select;
    uint8_t halves;     /* bit n: can be counted through ESCRn of the unit */
    bool independent;   /* TI: of both logical processors, whatever T0 and T1 say */
    uint16_t edge_only; /* bits whose plain form has another meaning, which is not known here */
    const char *name;
    struct netburst_term term[NETBURST_BITS_MAX];
    uint8_t terms;
};

struct netburst_counter {
    uint64_t value;
    uint32_t cccr;
    bool started;     /* by another counter's overflow */
    bool pmi_due;     /* overflowed; the next increment asks for the PMI */
    bool asserted[2]; /* the comparator of the last cycle, by logical processor */
    /* as resolved from the CCCR and the ESCR it selects */
    bool running;
    uint8_t threads; /* bit n: what logical processor n does is counted */
    uint8_t clocked; /* bit n: its cycles are the comparator's */
    uint8_t terms;
    struct netburst_term term[NETBURST_TERMS_MAX];
};

struct netburst_thread { /* what each logical processor has to itself */
    struct pmu *pmu;
    uint32_t debugctl;
    unsigned tos;
    uint64_t from[NETBURST_BRANCHES], to[NETBURST_BRANCHES];
    struct branch_record last, event; /* the newest; that one as the last event came */
};

/* Sampling with MSR_IQ_COUNTER4. */
struct netburst_pebs {
    bool waiting, armed; /* overflowed; and at an instruction boundary since */
    bool watching;       /* as last told to the host */
    uint64_t armed_value;
};

#define NETBURST_UNKNOWN_MAX 32
struct netburst_unknown {
    uint8_t unit, select;
    uint16_t mask;
};

struct netburst {
    uint32_t escr[NETBURST_ESCRS];
    struct netburst_counter counter[NETBURST_COUNTERS];
    uint32_t precise_event, pebs_enable, pebs_matrix;
    struct netburst_thread thread[2];
    struct netburst_pebs pebs;
    struct netburst_unknown unknown[NETBURST_UNKNOWN_MAX];
    unsigned unknown_count;
};

/* ESCR: bits 30:25 event select, 24:9 event mask, 3:0 who is counted. */
#define ESCR_SELECT(escr) ((uint8_t)((escr) >> 25 & 0x3f))
#define ESCR_MASK(escr)   ((uint16_t)((escr) >> 9 & 0xffff))
#define ESCR_TAGS(escr)   ((uint16_t)((escr) >> 4 & 1 ? (escr) >> 5 & 15 : 0)) /* that it puts */
#define ESCR_T1_USR       (UINT32_C(1) << 0)
#define ESCR_T1_OS        (UINT32_C(1) << 1)
#define ESCR_T0_USR       (UINT32_C(1) << 2)
#define ESCR_T0_OS        (UINT32_C(1) << 3)
/* CCCR */
#define CCCR_EXTENDED        (UINT32_C(1) << 11)
#define CCCR_ENABLE          (UINT32_C(1) << 12)
#define CCCR_SELECT(cccr)    ((cccr) >> 13 & 7)
#define CCCR_THREADS(cccr)   ((cccr) >> 16 & 3)
#define CCCR_THREADS_ANY     3u
#define CCCR_COMPARE         (UINT32_C(1) << 18)
#define CCCR_COMPLEMENT      (UINT32_C(1) << 19)
#define CCCR_THRESHOLD(cccr) ((cccr) >> 20 & 15)
#define CCCR_EDGE            (UINT32_C(1) << 24)
#define CCCR_FORCE_OVF       (UINT32_C(1) << 25)
#define CCCR_OVF_PMI_T0      (UINT32_C(1) << 26)
#define CCCR_OVF_PMI_T1      (UINT32_C(1) << 27)
#define CCCR_CASCADE         (UINT32_C(1) << 30)
#define CCCR_OVF             (UINT32_C(1) << 31)
#define NETBURST_COUNT_MASK  ((UINT64_C(1) << 40) - 1)
#define NETBURST_INPUT_MAX   15 /* four bits from the ESCR to the counter */

static inline struct netburst *netburst_of(const struct pmu *pmu)
{
    return pmu->kind_state;
}

static inline unsigned netburst_thread_of(const struct pmu *pmu)
{
    return pmu->place.apic_id % pmu->place.threads_per_core;
}

static inline bool netburst_hyperthreaded(const struct pmu *pmu)
{
    return pmu->place.threads_per_core > 1;
}

/* pmu_netburst_events.c */
extern const struct netburst_escr netburst_escrs[NETBURST_ESCRS];
/* The ESCR that the counter listens to with this CCCR ESCR_SELECT, or -1. */
int netburst_wired(unsigned counter, unsigned select);
/* Gives NULL for an encoding nobody published. */
const struct netburst_event *netburst_find(enum escr_unit unit, uint8_t half, uint8_t select);
const char *netburst_unit_name(enum escr_unit unit);

/* pmu_netburst_resolve.c: after any change of what counts */
void netburst_refresh(struct pmu *pmu);

/* pmu_netburst_pebs.c */
void netburst_pebs_refresh(struct pmu *pmu); /* after any change of what counts */
void netburst_pebs_overflow(struct pmu *pmu, uint32_t overflowed); /* a bit a counter */
void netburst_boundary(struct pmu *pmu, const struct pmu_boundary *boundary);

/* pmu_netburst_msr.c */
enum access_result netburst_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result netburst_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
