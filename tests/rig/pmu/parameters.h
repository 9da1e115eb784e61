/* What a processor's counters, registers and CPUID look like: all data, filled in by cpu/NAME.c. */
#ifndef RIG_PMU_PARAMETERS_H
#define RIG_PMU_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/signals.h"

#define PMU_GP_MAX    10
#define PMU_FIXED_MAX 7
#define LBR_DEPTH_MAX 32

/* What one count stands for. The two reference clocks tick while the core is not halted and take
 * no signal. */
enum pmu_rate {
    PER_CORE_CYCLE,
    PER_TSC_TICK,
    PER_CRYSTAL_TICK,
    /* told one at a time (pmu_told.c), no signal either */
    PER_SLOW_LOAD, /* a load above MSR_PEBS_LD_LAT */
    PER_STORE,
    PER_REQUEST_0, /* beyond L2, as MSR_OFFCORE_RSP_0 says */
    PER_REQUEST_1,
    PER_FETCH, /* an instruction that MSR_PEBS_FRONTEND chooses */
};

/* What an event adds in one core cycle: weight * signal + plus_weight * plus. A weight above 1
 * is an event whose value in a cycle is larger than the number of things that happened; its
 * published encodings compare it with a counter mask. */
struct pmu_source {
    enum pmu_rate rate;
    enum signal signal, plus;
    int16_t weight, plus_weight;
    int16_t lie; /* per cent too much that the counter adds; 0 in every personality, see fault.h */
};

/* clang-format off */
#define COUNTS(name) { .signal = SIG_##name, .weight = 1 }
#define COUNTS_TIMES(name, n) { .signal = SIG_##name, .weight = (n) }
#define COUNTS_BOTH(one, two) \
    { .signal = SIG_##one, .weight = 1, .plus = SIG_##two, .plus_weight = 1 }
#define COUNTS_LESS(all, part) /* those of `all` that are not among `part` */ \
    { .signal = SIG_##all, .weight = 1, .plus = SIG_##part, .plus_weight = -1 }
#define COUNTS_TICKS(clock) { .rate = (clock) }
#define COUNTS_TICKS_WHILE(clock, name) /* ticks in the cycles in which the signal is not zero */ \
    { .rate = (clock), .signal = SIG_##name }
#define COUNTS_ACCESS(what) { .rate = (what) }
/* clang-format on */

/* One event encoding. The same code and umask with another cmask, inv or edge is the same row. */
struct pmu_event {
    uint8_t code;
    uint16_t umask;    /* the unit mask extension, where the part has one, in its bits 15:8 */
    uint16_t counters; /* general-purpose ones that can; on the others it counts nothing */
    bool core;         /* counts what both threads of the core do, as with ANY */
    struct pmu_source source;
    const char *name; /* as the vendor publishes it, without its cmask, inv and edge variants */
};

/* What an off-core response event counts when its register holds `value`. The event may be on any
 * counter that has its register; another value counts nothing and is told at the end. */
struct pmu_response {
    uint64_t value;
    struct pmu_source source;
    const char *name; /* as the vendor publishes it */
};

#define RESPONSE_REGISTERS 2u /* MSR_OFFCORE_RSP_0 and 1, each with a code of its own */

/* An event that the vendor publishes and that counts nothing here: named when it was asked for. */
struct uncounted_event {
    uint8_t code;
    uint16_t umask;
    const char *name;
};

/* A register that holds what was written to it and does nothing else. Writing a bit outside
 * `writable` and `ignored` that differs from what the register holds is a #GP: that covers
 * reserved bits and read-only bits alike. */
struct msr_fact {
    uint32_t address;
    bool read_only; /* any write is a #GP */
    bool canonical; /* holds a linear address: a non-canonical one is a #GP */
    uint64_t reset;
    uint64_t writable;
    uint64_t ignored; /* may be written with anything, keeps its value */
};

struct cache_fact { /* CPUID leaf 4, in its order */
    uint8_t type;   /* 1 data, 2 instruction, 3 unified */
    uint8_t level;
    uint16_t ways;
    uint32_t sets; /* for the last level: of each core's slice */
    bool package;  /* shared by all cores; otherwise by the threads of one */
};

struct cpuid_fact { /* a leaf that depends neither on the place nor on anything else in this file */
    uint32_t leaf, subleaf, eax, ebx, ecx, edx;
};

/* What a record of the legacy stack holds: IA32_PERF_CAPABILITIES[5:0]. */
enum lbr_format {
    LBR_FORMAT_32,         /* 32-bit addresses */
    LBR_FORMAT_LIP,        /* linear addresses and nothing else */
    LBR_FORMAT_EIP,        /* effective ones: here the same */
    LBR_FORMAT_EIP_FLAGS,  /* FROM[63]: mispredicted */
    LBR_FORMAT_EIP_FLAGS2, /* FROM[62:61] besides: in a transaction, aborted */
    LBR_FORMAT_INFO,       /* a register of its own for flags and cycles */
    LBR_FORMAT_TIME,       /* FROM[63]: mispredicted; TO[63:48]: cycles */
    LBR_FORMAT_INFO2,      /* INFO without the transaction's flags */
};

struct lbr_parameters {
    unsigned depth; /* 0: no stack. Architectural: the largest */
    /* the legacy stack */
    enum lbr_format format;
    uint32_t from, to;        /* MSRs of entry 0: 0x680 and 0x6c0, on Core 2 0x40 and 0x60 */
    uint64_t select_writable; /* MSR_LBR_SELECT; 0: no such register */
    uint64_t info_writable;   /* MSR_LBR_INFO_x or IA32_LBR_x_INFO */
    /* the architectural one, IA32_LBR_CTL and the rest; no TOS */
    bool architectural;
    uint32_t control_writable; /* IA32_LBR_CTL */
    struct {
        uint32_t eax, ebx, ecx, edx;
    } leaf; /* CPUID 1CH; EAX[7:0] has the depths */
};

/* Event-based records in memory. The format and its kind are in IA32_PERF_CAPABILITIES. */
#define ANY_UMASK 0xffff
struct precise_event {
    uint8_t code;
    uint16_t umask; /* or ANY_UMASK */
};

/* How a record says where a load's data came from; SDM 3B, "Data Source Encoding for Load Latency
 * Record". A flag that the part has not is 0. */
struct data_source {
    uint8_t origin[5]; /* by enum origin */
    uint8_t walked, locked, blocked, aliased;
};

struct pebs_parameters {
    uint64_t enable_writable;   /* IA32_PEBS_ENABLE; 0: no PEBS, MISC_ENABLE[12] must say so */
    uint64_t data_cfg_writable; /* MSR_PEBS_DATA_CFG; 0: no such register */
    bool any_event;             /* extended PEBS: also events that are not precise, with skid */
    uint64_t distributed;       /* counters whose records have no shadow, by bit in GLOBAL_STATUS */
    struct precise_event distributed_event; /* of the general-purpose ones; code 0: any precise */
    bool latency_halves;                    /* the latency is in 15:0; 47:32 are the cache's part */
    const struct data_source *data_source;  /* NULL: no load latency */
    const struct precise_event *precise;
    size_t precise_count;
};

/* PERF_METRICS in the order of the bytes, level 1 and the half of level 2 that is in the
 * register. Bad speculation is what the other three of level 1 leave of the slots. */
enum metric {
    METRIC_RETIRING,
    METRIC_BAD_SPECULATION,
    METRIC_FRONTEND,
    METRIC_BACKEND,
    METRIC_HEAVY,
    METRIC_MISPREDICT,
    METRIC_FETCH_LATENCY,
    METRIC_MEMORY,
    METRIC_COUNT,
    METRIC_LEVEL1 = METRIC_HEAVY
};

/* MSR_OFFCORE_RSP_0 and 1: bits 15:0 choose requests, the rest says whence the answer came. Only
 * published values of the rest are known, and of the requests those that the model tells apart. */
struct offcore_response {
    uint64_t bits;
    uint32_t origins; /* 1 << enum origin */
};

struct offcore_parameters {
    uint16_t request_known;
    uint32_t request[16]; /* by bit: 1 << enum request; 0 for what never happens here */
    const struct offcore_response *response;
    size_t response_count;
};

/* MSR_PEBS_FRONTEND: a published value, and what must have happened to the instruction. */
struct frontend_filter {
    uint32_t bits;
    unsigned fetched; /* enum fetched */
};

struct pmu_kind;       /* pmu_kind.h */
struct amd_parameters; /* pmu_amd.h */

struct pmu_parameters {
    const struct pmu_kind *kind;      /* NULL: the architectural one, which all below speaks of */
    const struct amd_parameters *amd; /* of that kind */

    /* clocks: the core's when it is not halted, the time stamp counter's, and the crystal's;
     * MHz, constant */
    unsigned core_mhz, tsc_mhz, crystal_mhz, max_mhz, bus_mhz;
    bool crystal_enumerated; /* CPUID 15H:ECX is not 0 */

    /* counters */
    unsigned version;              /* CPUID 0AH:EAX[7:0]; 2 to 6 */
    unsigned gp_alone, gp_smt;     /* counters of a logical processor without and with a sibling */
    unsigned fixed;                /* one more than the number of the last */
    uint32_t fixed_absent;         /* a bit for each below `fixed` that is not there */
    unsigned width;                /* bits of every counter */
    unsigned fixed_width;          /* of the fixed ones; 0: the same */
    unsigned architectural_events; /* CPUID 0AH:EAX[31:24] */
    uint32_t architectural_absent; /* CPUID 0AH:EBX: a bit for each of them that is not there */
    bool anythread;                /* the ANY bits exist */
    uint64_t evtsel_writable;      /* IA32_PERFEVTSELx, without ANY */
    uint64_t fixed_ctrl_writable;  /* IA32_FIXED_CTR_CTRL, beside the counters' 4-bit fields */
    uint64_t global_ctrl_writable; /* IA32_PERF_GLOBAL_CTRL, beside counters and PERF_METRICS */
    uint64_t status_writable;      /* IA32_PERF_GLOBAL_STATUS_RESET, beside the counters */
    uint64_t capabilities;         /* IA32_PERF_CAPABILITIES: FW_WRITE and the rest act */
    uint64_t debugctl_writable;
    unsigned pmi_skid; /* core cycles from an overflow to the PMI it asks for */
    struct pmu_source fixed_source[PMU_FIXED_MAX];
    bool metrics;        /* PERF_METRICS over fixed counter 3 */
    bool metrics_level2; /* with its upper four bytes */
    struct pmu_source metric[METRIC_COUNT];
    const struct pmu_event *events;
    size_t event_count;
    uint8_t response_code[RESPONSE_REGISTERS]; /* of off-core response, unit mask 1; 0: none */
    const struct pmu_response *responses;
    size_t response_count;
    const struct pmu_event *more; /* the same, of this part alone where others share `events` */
    size_t more_count;
    const struct uncounted_event *uncounted; /* of those that the published tree refers to */
    size_t uncounted_count;
    struct lbr_parameters lbr;
    struct pebs_parameters pebs;
    const struct pmu_event *access_events; /* more events: those whose rate is told one at a time */
    size_t access_event_count;
    struct offcore_parameters offcore;
    const struct frontend_filter *frontend;
    size_t frontend_count;

    /* other registers */
    const struct msr_fact *msrs;
    size_t msr_count;

    /* identification */
    uint32_t signature;    /* CPUID 1:EAX */
    const char *brand;     /* 47 characters at most */
    const char *vendor;    /* 12 characters; NULL: GenuineIntel */
    uint32_t max_extended; /* 0: 80000008H */
    uint32_t max_leaf;     /* from 1FH on there is that leaf, from 23H on that one */
    uint32_t core_type;    /* CPUID 1AH:EAX; 0: not a hybrid part */
    const struct cache_fact *caches;
    size_t cache_count;
    const struct cpuid_fact *cpuid;
    size_t cpuid_count;
};

#endif
