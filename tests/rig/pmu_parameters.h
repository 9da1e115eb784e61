/* What a processor's counters, registers and CPUID look like: all data, filled in by cpu/NAME.c. */
#ifndef RIG_PMU_PARAMETERS_H
#define RIG_PMU_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signals.h"

#define PMU_GP_MAX    8
#define PMU_FIXED_MAX 4
#define LBR_DEPTH_MAX 32

/* What one count stands for. The two reference clocks tick while the core is not halted and take
 * no signal. */
enum pmu_rate { PER_CORE_CYCLE, PER_TSC_TICK, PER_CRYSTAL_TICK };

/* What an event adds in one core cycle: weight * signal + plus_weight * plus. A weight above 1
 * is an event whose value in a cycle is larger than the number of things that happened; its
 * published encodings compare it with a counter mask. */
struct pmu_source {
    enum pmu_rate rate;
    enum signal signal, plus;
    int16_t weight, plus_weight;
};

#define COUNTS(name)           { .signal = SIG_##name, .weight = 1 }
#define COUNTS_TIMES(name, n)  { .signal = SIG_##name, .weight = (n) }
#define COUNTS_BOTH(one, two) \
    { .signal = SIG_##one, .weight = 1, .plus = SIG_##two, .plus_weight = 1 }
#define COUNTS_TICKS(clock)    { .rate = (clock) }

/* One event encoding. The same code and umask with another cmask, inv or edge is the same row. */
struct pmu_event {
    uint8_t code, umask;
    uint16_t counters;   /* general-purpose ones that can; on the others it counts nothing */
    bool one_thread;     /* the sibling's state belongs to it: known only where there is none */
    struct pmu_source source;
    const char *name;    /* as the vendor publishes it, without its cmask, inv and edge variants */
};

/* A register that holds what was written to it and does nothing else. Writing a bit outside
 * `writable` and `ignored` that differs from what the register holds is a #GP: that covers
 * reserved bits and read-only bits alike. */
struct msr_fact {
    uint32_t address;
    bool read_only;      /* any write is a #GP */
    bool canonical;      /* holds a linear address: a non-canonical one is a #GP */
    uint64_t reset;
    uint64_t writable;
    uint64_t ignored;    /* may be written with anything, keeps its value */
};

struct cache_fact { /* CPUID leaf 4, in its order */
    uint8_t type;        /* 1 data, 2 instruction, 3 unified */
    uint8_t level;
    uint16_t ways;
    uint32_t sets;       /* for the last level: of each core's slice */
    bool package;        /* shared by all cores; otherwise by the threads of one */
};

struct cpuid_fact { /* a leaf that depends neither on the place nor on anything else in this file */
    uint32_t leaf, subleaf, eax, ebx, ecx, edx;
};

struct lbr_parameters {
    unsigned depth;          /* 0: no such stack */
    uint64_t select_writable; /* MSR_LBR_SELECT */
    uint64_t info_writable;  /* MSR_LBR_INFO_x */
};

/* PERF_METRICS level 1, in the order of the bytes. Bad speculation is what the other three leave
 * of the slots. */
enum metric {
    METRIC_RETIRING, METRIC_BAD_SPECULATION, METRIC_FRONTEND, METRIC_BACKEND, METRIC_COUNT
};

struct pmu_parameters {
    /* clocks: the core's when it is not halted, the time stamp counter's, and the crystal's;
     * MHz, constant */
    unsigned core_mhz, tsc_mhz, crystal_mhz, max_mhz, bus_mhz;
    bool crystal_enumerated; /* CPUID 15H:ECX is not 0 */

    /* counters */
    unsigned version;              /* CPUID 0AH:EAX[7:0]; 2 at least */
    unsigned gp_alone, gp_smt;     /* counters of a logical processor without and with a sibling */
    unsigned fixed;
    unsigned width;                /* bits of every counter */
    unsigned architectural_events; /* CPUID 0AH:EAX[31:24], all available */
    bool anythread;                /* the ANY bits exist */
    uint64_t evtsel_writable;      /* IA32_PERFEVTSELx, without ANY */
    uint64_t fixed_ctrl_writable;  /* IA32_FIXED_CTR_CTRL, beside the counters' 4-bit fields */
    uint64_t status_writable;      /* IA32_PERF_GLOBAL_STATUS_RESET, beside the counters */
    uint64_t capabilities;         /* IA32_PERF_CAPABILITIES */
    uint64_t debugctl_writable;
    struct pmu_source fixed_source[PMU_FIXED_MAX];
    bool metrics;                  /* PERF_METRICS over fixed counter 3 */
    struct pmu_source metric[METRIC_COUNT];
    const struct pmu_event *events;
    size_t event_count;
    struct lbr_parameters lbr;

    /* other registers */
    const struct msr_fact *msrs;
    size_t msr_count;

    /* identification */
    uint32_t signature;            /* CPUID 1:EAX */
    const char *brand;             /* 47 characters at most */
    uint32_t max_leaf;
    const struct cache_fact *caches;
    size_t cache_count;
    const struct cpuid_fact *cpuid;
    size_t cpuid_count;
};

#endif
