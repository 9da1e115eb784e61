/* The state of the NetBurst kind, for netburst*.c only. */
#ifndef RIG_PMU_KIND_NETBURST_STATE_H
#define RIG_PMU_KIND_NETBURST_STATE_H

#include "pmu/kind.h"

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

/* What one bit of the event mask adds. Several terms may share a bit. A weight of 0: the bit is
 * known, and never counts on the rig. */
struct netburst_term {
    uint8_t bit;
    enum signal signal;
    int8_t weight;
};

struct netburst_event {
    enum escr_unit unit;
    uint8_t select;
    uint8_t halves;     /* bit n: can be counted through ESCRn of the unit */
    bool independent;   /* TI: counts both logical processors, whatever T0 and T1 say */
    uint16_t edge_only; /* bits whose terms count with EDGE only; without, they count `duration` */
    enum signal duration;
    const char *name;
    struct netburst_term term[NETBURST_BITS_MAX];
    uint8_t terms;
};

struct netburst_counter {
    uint64_t value;
    uint32_t cccr;
    bool started;     /* by another counter's overflow (a cascade) */
    bool pmi_due;     /* overflowed; the next increment raises the PMI */
    bool asserted[2]; /* by logical processor: the comparator in the last cycle */
    /* from the CCCR and the ESCR that it selects */
    bool running;
    uint8_t threads; /* bit n: the events of logical processor n are counted */
    uint8_t clocked; /* bit n: the comparator acts in the cycles of logical processor n */
    uint8_t terms;
    struct netburst_term term[NETBURST_TERMS_MAX];
    uint8_t modes; /* TC_deliver_mode: its mask, instead of terms */
    /* Bus events: bits 1 << enum request of the requests that are counted, and what each adds. */
    uint16_t requests;
    uint8_t per_request;
};

struct netburst_thread { /* the state of one logical processor */
    struct pmu *pmu;
    uint32_t debugctl;
    unsigned tos;
    uint64_t from[NETBURST_BRANCHES], to[NETBURST_BRANCHES];
    struct branch_record last;  /* the newest branch */
    struct branch_record event; /* `last` when the last exception or interrupt was delivered */
};

/* Sampling with MSR_IQ_COUNTER4. */
struct netburst_pebs {
    bool waiting;  /* overflowed, not yet armed */
    bool armed;    /* an instruction boundary has come since the overflow */
    bool watching; /* the last call of host.watch */
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

/* ESCR: bits 30:25 event select, 24:9 event mask, 3:0 which threads and levels count. */
#define ESCR_SELECT(escr) ((uint8_t)((escr) >> 25 & 0x3f))
#define ESCR_MASK(escr)   ((uint16_t)((escr) >> 9 & 0xffff))
#define ESCR_TAGS(escr)   ((uint16_t)((escr) >> 4 & 1 ? (escr) >> 5 & 15 : 0)) /* tags for uops */
#define ESCR_T1_USR       (UINT32_C(1) << 0)
#define ESCR_T1_OS        (UINT32_C(1) << 1)
#define ESCR_T0_USR       (UINT32_C(1) << 2)
#define ESCR_T0_OS        (UINT32_C(1) << 3)
/* Event selects of FSB_ESCR0 and 1, and of BSU_ESCR0 and 1 */
#define SELECT_IOQ_ALLOCATION      0x03
#define SELECT_IOQ_ACTIVE_ENTRIES  0x1a
#define SELECT_FSB_DATA_ACTIVITY   0x17
#define SELECT_BSQ_ALLOCATION      0x05
#define SELECT_BSQ_CACHE_REFERENCE 0x0c
/* Event select of TC_ESCR0 and 1 */
#define SELECT_TC_DELIVER_MODE 0x01
/* Event selects of CRU_ESCR2 and 3 that count by tags */
#define SELECT_FRONT_END_EVENT 0x08
#define SELECT_REPLAY_EVENT    0x09
#define SELECT_EXECUTION_EVENT 0x0c
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
#define NETBURST_INPUT_MAX   15 /* four wires lead from the ESCR to the counter */

static inline struct netburst *netburst_of(const struct pmu *pmu)
{
    return pmu->kind_state;
}

static inline unsigned netburst_thread_of(const struct pmu *pmu)
{
    return pmu->place.apic_id % pmu->place.threads_per_core;
}

static inline struct netburst_thread *netburst_own(const struct pmu *pmu)
{
    return &netburst_of(pmu)->thread[netburst_thread_of(pmu)];
}

/* Willamette and Northwood, models 0 to 2. */
static inline bool netburst_is_early(const struct pmu *pmu)
{
    return (pmu->parameters->signature >> 4 & 0xf) < 3;
}

/* Entries of the stack of last branches. SDM 3B, "Last Branch, Interrupt, and Exception Recording
 * (Processors Based on Intel NetBurst)": "LBR Stack". */
static inline unsigned netburst_branches(const struct pmu *pmu)
{
    return netburst_is_early(pmu) ? 4 : NETBURST_BRANCHES;
}

static inline bool netburst_hyperthreaded(const struct pmu *pmu)
{
    return pmu->place.threads_per_core > 1;
}

/* netburst_events.c, netburst_rows.c */
extern const struct netburst_escr netburst_escrs[NETBURST_ESCRS];
/* The index of the ESCR that the counter is wired to by this ESCR_SELECT of its CCCR, or -1. */
int netburst_wired(unsigned counter, unsigned select);
/* NULL: the encoding is not published. */
const struct netburst_event *netburst_find(enum escr_unit unit, uint8_t half, uint8_t select);
const char *netburst_unit_name(enum escr_unit unit);

/* netburst_resolve.c: after any change of a register that says what counts */
void netburst_refresh(struct pmu *pmu);

/* netburst.c: what the counter adds in the span, and takes it. The second gives the logical
 * processors to interrupt, a bit each; *overflowed: the counter overflowed. */
uint64_t netburst_step(struct netburst_counter *counter, unsigned thread, const struct span *span);
unsigned netburst_advance(struct netburst_counter *counter, uint64_t step, bool *overflowed);
/* These counters (bit n: counter n) overflowed; and the logical processors `targets` are
 * interrupted. */
void netburst_overflow(struct pmu *pmu, uint32_t overflowed, unsigned targets);

/* netburst_foresee.c */
extern const struct pmu_kind_foresight netburst_foresight;
/* In so many cycles the counter can raise no PMI. */
uint64_t netburst_quiet(const struct netburst_counter *counter);

/* netburst_bus.c: the events of bus and second level. The first says whether the event is one of
 * these; the second gives false where the model does not know what the mask counts. */
bool netburst_is_bus(const struct netburst_event *event);
bool netburst_bus_resolve(const struct pmu *pmu, struct netburst_counter *counter,
                          const struct netburst_event *event, uint16_t mask);
/* The ESCR, as the part reads it: some bus events ignore the privilege level. */
uint32_t netburst_bus_levels(const struct pmu *pmu, const struct netburst_event *event,
                             uint32_t escr);
void netburst_bus_subscribe(struct netburst *netburst); /* after any change of which counters run */
void netburst_request(struct pmu *pmu, enum request request);

/* netburst_pebs.c */
void netburst_pebs_refresh(struct pmu *pmu); /* after any change of which counters run */
void netburst_pebs_overflow(struct pmu *pmu, uint32_t overflowed); /* bit n: counter n */
void netburst_boundary(struct pmu *pmu, const struct pmu_boundary *boundary);

/* netburst_msr.c */
enum access_result netburst_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result netburst_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
