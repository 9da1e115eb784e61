/* What a processor's counters, registers and CPUID look like: all data, in cpu/NAME.inc. */
#ifndef RIG_PMU_PARAMETERS_H
#define RIG_PMU_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model.h"
#include "core/signals.h"

#define PMU_GP_MAX    10
#define PMU_FIXED_MAX 7
#define LBR_DEPTH_MAX 32

/* What advances a counter. The two reference clocks tick while the core is not halted; they use no
 * signal, or one that gates them. */
enum pmu_rate {
    PER_CORE_CYCLE,
    PER_TSC_TICK,
    PER_CRYSTAL_TICK,
    /* access events of the model (retired.c); without a signal */
    PER_SLOW_LOAD, /* a load that took longer than MSR_PEBS_LD_LAT */
    PER_STORE,
    PER_REQUEST_0, /* a request beyond L2 that MSR_OFFCORE_RSP_0 lets through */
    PER_REQUEST_1, /* likewise, MSR_OFFCORE_RSP_1 */
    PER_FETCH,     /* an instruction whose fetch MSR_PEBS_FRONTEND lets through */
};

/* What an event adds in one core cycle: weight * signal + plus_weight * plus, with `once` at most
 * 1. A weight above 1: the event's value in a cycle is larger than the number of things that
 * happened, and its published encodings compare the value with a counter mask. */
struct pmu_source {
    enum pmu_rate rate;
    enum signal signal, plus;
    int16_t weight, plus_weight;
    bool once;
    /* Per cent that the counter adds too much, and up to how much more it adds, another amount each
     * time it starts; 0 in every personality (--fault). */
    int16_t lie, noise;
};

/* clang-format off */
#define COUNTS(name) { .signal = SIG_##name, .weight = 1 }
#define COUNTS_TIMES(name, n) { .signal = SIG_##name, .weight = (n) }
#define COUNTS_BOTH(one, two) \
    { .signal = SIG_##one, .weight = 1, .plus = SIG_##two, .plus_weight = 1 }
#define COUNTS_EITHER(one, two) /* cycles with one or both */ \
    { .signal = SIG_##one, .weight = 1, .plus = SIG_##two, .plus_weight = 1, .once = true }
#define COUNTS_LESS(all, part) /* `all` minus `part` */ \
    { .signal = SIG_##all, .weight = 1, .plus = SIG_##part, .plus_weight = -1 }
#define COUNTS_TICKS(clock) { .rate = (clock) }
#define COUNTS_TICKS_WHILE(clock, name) /* ticks in the cycles in which the signal is not zero */ \
    { .rate = (clock), .signal = SIG_##name }
#define COUNTS_ACCESS(what) { .rate = (what) }
/* clang-format on */

/* One event encoding. The same code and umask with another cmask, inv or edge is the same row. */
struct pmu_event {
    uint8_t code;
    uint16_t umask;    /* bits 15:8: the unit mask extension, if the part has one */
    uint16_t counters; /* the general-purpose counters that can count it; on others it counts 0 */
    bool core;         /* counts both threads of the core, as with ANY */
    struct pmu_source source;
    const char *name; /* as the vendor publishes it, without its cmask, inv and edge variants */
};

struct event_encoding {
    uint8_t code;
    uint16_t umask;
};

/* The events of a part: rows of its own, over those of another table. */
struct event_table {
    const struct pmu_event *row;
    size_t count;
    /* NULL: none. Of its rows all are the part's, too, but for those whose encoding the part has a
     * row of its own for, and those that it lacks. */
    const struct event_table *like;
    const struct event_encoding *without;
    size_t without_count;
};

/* What an off-core response event counts while its register holds `value`. A value that is in no
 * row counts nothing and is reported at the end of a run. */
struct pmu_response {
    uint64_t value;
    struct pmu_source source;
    const char *name; /* as the vendor publishes it */
};

#define RESPONSE_REGISTERS 2u /* MSR_OFFCORE_RSP_0 and 1; each has an event code */

/* An event that the vendor publishes and that counts nothing on the rig. If it is programmed, the
 * report at the end of a run names it. */
struct uncounted_event {
    uint8_t code;
    uint16_t umask;
    const char *name;
};

#define MACHINE_CHECK_BANKS 4u

/* A register that only holds a value. A write that changes a bit outside `writable` and `ignored`
 * is a #GP: that covers both reserved and read-only bits. */
struct msr_fact {
    uint32_t address;
    bool read_only; /* any write is a #GP */
    bool cleared;   /* so is any but of a zero, which clears it */
    bool canonical; /* holds a linear address: writing a non-canonical address is a #GP */
    uint64_t reset;
    uint64_t writable;
    uint64_t ignored; /* bits that accept any value and keep their own */
    /* Bits of which the threads of a core, and the processors of a package, have one copy. */
    uint64_t core, package;
};

struct cache_fact { /* one sub-leaf of CPUID leaf 4 */
    uint8_t type;   /* 1 data, 2 instruction, 3 unified */
    uint8_t level;
    uint16_t ways;
    uint32_t sets; /* of the last level: sets of one core's slice */
    bool package;  /* shared by all cores; false: by the threads of one core */
};

struct cpuid_fact { /* a leaf that depends neither on the processor's place nor on its counters */
    uint32_t leaf, subleaf, eax, ebx, ecx, edx;
};

/* What a record of the legacy stack holds: IA32_PERF_CAPABILITIES[5:0]. */
enum lbr_format {
    LBR_FORMAT_32,         /* 32-bit addresses */
    LBR_FORMAT_LIP,        /* linear addresses only */
    LBR_FORMAT_EIP,        /* effective addresses: on the rig the same */
    LBR_FORMAT_EIP_FLAGS,  /* FROM[63]: mispredicted */
    LBR_FORMAT_EIP_FLAGS2, /* also FROM[62:61]: in a transaction, aborted */
    LBR_FORMAT_INFO,       /* MSR_LBR_INFO_x holds flags and cycles */
    LBR_FORMAT_TIME,       /* FROM[63]: mispredicted; TO[63:48]: cycles */
    LBR_FORMAT_INFO2,      /* INFO without the flags of transactions */
};

/* What a core answered, as somebody recorded it, and what CPUID makes of it. */
struct cpuid_result;
struct cpuid_record {
    const struct cpuid_fact *row; /* leaf 0 is among them */
    size_t count;
    /* The leaf that answers for this one. */
    uint32_t (*leaf)(const struct cpuid_record *record, uint32_t leaf);
    /* That leaf's answer, where the personality answers `played`. */
    struct cpuid_result (*answer)(const struct cpuid_record *record, uint32_t leaf,
                                  uint32_t subleaf, struct cpuid_result played);
};

struct lbr_parameters {
    unsigned depth; /* entries; 0: no stack; of the architectural stack the largest depth */
    /* the legacy stack */
    enum lbr_format format;
    uint32_t from, to;        /* MSRs of entry 0: 0x680 and 0x6c0, on Core 2 0x40 and 0x60 */
    uint64_t select_writable; /* MSR_LBR_SELECT; 0: no such register */
    bool select_shared;       /* the two threads of a core have one MSR_LBR_SELECT */
    uint64_t info_writable;   /* MSR_LBR_INFO_x or IA32_LBR_x_INFO */
    /* the architectural stack (IA32_LBR_CTL), which has no TOS */
    bool architectural;
    uint32_t control_writable; /* IA32_LBR_CTL */
    struct {
        uint32_t eax, ebx, ecx, edx;
    } leaf; /* CPUID 1CH; EAX[7:0]: the depths that exist */
    /* an erratum of the legacy stack: no call is recorded while near jumps are suppressed */
    bool calls_need_jumps;
};

/* Intel's processor trace. Until Skylake it and the last-branch stack exclude each other: Linux,
 * arch/x86/events/intel/pt.c, says so of all parts that it does not name (lbr_pt_coexist). */
enum processor_trace_kind { TRACE_NONE, TRACE_WITHOUT_LBR, TRACE_BESIDE_LBR };

/* Event-based sampling (PEBS). The record format is in `capabilities`. */
#define ANY_UMASK 0xffff
struct precise_event {
    uint8_t code;
    uint16_t umask; /* or ANY_UMASK */
};

/* How a record encodes where a load's data came from; SDM 3B, "Data Source Encoding for Load
 * Latency Record". A flag that the part lacks is 0. */
struct data_source {
    uint8_t origin[ORIGIN_COUNT];
    uint8_t walked, locked, blocked, aliased;
};

struct pebs_parameters {
    /* IA32_PEBS_ENABLE; 0: no PEBS, and IA32_MISC_ENABLE[12] must be set */
    uint64_t enable_writable;
    uint64_t data_cfg_writable; /* MSR_PEBS_DATA_CFG; 0: no such register */
    bool any_event;             /* extended PEBS: also events that are not precise, with skid */
    /* counters with precise distribution (no shadow), as bits of IA32_PERF_GLOBAL_STATUS */
    uint64_t distributed;
    /* the event for which the general-purpose ones have it; code 0: any precise event */
    struct precise_event distributed_event;
    bool latency_halves; /* the latency is in bits 15:0; bits 47:32 are the cache's part of it */
    const struct data_source *data_source; /* NULL: no load latency */
    const struct precise_event *precise;
    size_t precise_count;
};

/* PERF_METRICS by byte: level 1, and the half of level 2 that the register has. Bad speculation is
 * the rest of the slots after the other three bytes of level 1. */
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

/* MSR_OFFCORE_RSP_0 and 1: bits 15:0 choose requests, the other bits choose where the answer came
 * from. Known are published values of the other bits, and requests that the model distinguishes. */
struct offcore_response {
    uint64_t bits;
    uint32_t origins; /* 1 << enum origin */
};

struct offcore_parameters {
    uint16_t request_known;
    uint32_t request[16]; /* by bit: 1 << enum request; 0: a request that the rig never makes */
    const struct offcore_response *response;
    size_t response_count;
};

/* MSR_PEBS_FRONTEND: a published value, and what must have happened to the instruction's fetch. */
struct frontend_filter {
    uint32_t bits;
    unsigned fetched; /* enum fetched */
};

/* How a byte of PERF_METRICS is rounded; no source says how silicon does it. */
enum metrics_rounding { METRICS_NEAREST, METRICS_DOWN, METRICS_UP };

struct pmu_kind;       /* kind.h */
struct amd_parameters; /* kind/amd.h */

/* What goes wrong with PMIs. */
enum pmi_fault {
    PMI_SOUND,
    PMI_LOST,     /* one in PMI_FAULT_EVERY never comes */
    PMI_SPURIOUS, /* PMI_FAULT_AFTER cycles behind one in PMI_FAULT_EVERY comes another one */
    PMI_STUCK,    /* overflow bits cannot be cleared, and request a PMI whenever counting starts */
    PMI_STORM     /* PMI_STORM_AFTER cycles behind each comes another one while anything counts */
};
#define PMI_FAULT_EVERY 16
#define PMI_FAULT_AFTER 700
#define PMI_STORM_AFTER 100

/* What is wrong with one counter, whatever it counts, in counting windows `first` to `last`. */
enum counter_mode {
    COUNTER_SOUND,
    COUNTER_STUCK,    /* it keeps its value; writes take effect */
    COUNTER_PLUS_ONE, /* each window counts one too many */
    COUNTER_DOUBLE,
    COUNTER_LOW_16, /* it has no bits above these, nor an overflow */
    COUNTER_LOW_32
};
struct counter_trouble {
    enum counter_mode mode;
    uint64_t first, last;
};

struct pmu_parameters {
    /* NULL: the architectural PMU of Intel's family 6, which the members below describe. */
    const struct pmu_kind *kind;
    const struct amd_parameters *amd; /* NULL: not an AMD part */

    /* clocks in MHz, constant; the core's is the clock while the core is not halted */
    unsigned core_mhz, tsc_mhz, crystal_mhz, max_mhz, bus_mhz;
    bool crystal_enumerated; /* CPUID 15H:ECX is not 0 */

    /* counters */
    unsigned version;          /* CPUID 0AH:EAX[7:0]; 2 to 6 */
    unsigned gp_alone, gp_smt; /* of a logical processor without and with a sibling */
    unsigned gp_of_events; /* of the part that `events` are of, where it is another; 0: it is not */
    unsigned fixed;        /* the highest number of a fixed counter, plus 1 */
    uint32_t fixed_absent; /* bit n: fixed counter n, below `fixed`, does not exist */
    unsigned width;        /* bits of every counter */
    unsigned fixed_width;  /* bits of every fixed counter; 0: `width` */
    unsigned architectural_events; /* CPUID 0AH:EAX[31:24] */
    uint32_t architectural_absent; /* CPUID 0AH:EBX: bit n: architectural event n is missing */
    bool anythread;                /* the ANY bits exist */
    /* All of leaf 0AH where it does not state this core's counters: on a hybrid part it states what
     * its kinds of cores have in common. Leaf 0: it states them. */
    struct cpuid_fact common_counters;
    /* The writable bits of a register, as far as the counters do not give them. */
    uint64_t evtsel_writable;      /* IA32_PERFEVTSELx, without ANY */
    uint64_t fixed_ctrl_writable;  /* IA32_FIXED_CTR_CTRL, without the counters' 4-bit fields */
    uint64_t global_ctrl_writable; /* IA32_PERF_GLOBAL_CTRL, without counters and PERF_METRICS */
    uint64_t status_writable;      /* IA32_PERF_GLOBAL_STATUS_RESET, without counters */
    uint64_t capabilities;         /* IA32_PERF_CAPABILITIES; the PMU behaves as it says */
    uint64_t debugctl_writable;
    /* An erratum: a counter that starts with another event than it counted last counts too much,
     * unless IA32_PERFEVTSEL0 to 3 held these values when counting last started; 0: it does not. */
    uint32_t prime[4];
    /* An erratum: an event with a code from the first to the last counts in the sibling's counter
     * of the same number, too, while that one counts; 0: none does. */
    uint8_t leaks_first, leaks_last;
    /* An erratum of Sandy Bridge-EP: load events of L3 count too little while MSR 39CH[0] is 0. */
    bool bypassed_loads;
    /* Microcode takes general counter 3 for transactions while MSR_TSX_FORCE_ABORT[0] is 0; CPUID
     * leaf 7, EDX[13] says that the register is there. */
    bool tsx_takes_counter;
    unsigned pmi_skid;        /* core cycles from an overflow to its PMI */
    enum pmi_fault pmi_fault; /* on demand: no part is so */
    /* The counting windows in which events lie, of each processor; last 0: in all. */
    uint64_t lie_first, lie_last;
    int16_t counter_lie[PMU_GP_MAX]; /* of each general counter, whatever it counts; likewise */
    struct counter_trouble counter_trouble[PMU_GP_MAX], fixed_trouble[PMU_FIXED_MAX]; /* likewise */
    struct pmu_source fixed_source[PMU_FIXED_MAX];
    bool metrics; /* PERF_METRICS over fixed counter 3 */
    enum metrics_rounding metrics_rounding;
    bool metrics_level2; /* PERF_METRICS has its upper four bytes */
    struct pmu_source metric[METRIC_COUNT];
    const struct event_table *events; /* NULL: the kind has events in another form */
    uint8_t
        response_code[RESPONSE_REGISTERS]; /* off-core response, unit mask 1; 0: no such event */
    const struct pmu_response *responses;
    size_t response_count;
    const struct uncounted_event *uncounted; /* events that the published Topdown tree refers to */
    size_t uncounted_count;
    struct lbr_parameters lbr;
    struct pebs_parameters pebs;
    enum processor_trace_kind processor_trace;
    const struct pmu_event *access_events; /* further events, with a rate from PER_SLOW_LOAD on */
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
    uint32_t max_extended; /* the last extended leaf; 0: 80000008H */
    uint32_t max_leaf;     /* the last basic leaf */
    uint32_t core_type;    /* CPUID 1AH:EAX; 0: not a hybrid part */
    /* APIC ids from one core to the next, of which each has two for its threads, and the bits of an
     * id that are the package's at least; 0: cores have as many ids as threads, without gaps. */
    unsigned core_ids, package_bits;
    bool modules; /* leaf 1FH has a level for those ids: the module */
    const struct cache_fact *caches;
    size_t cache_count;
    const struct cpuid_fact *cpuid;
    size_t cpuid_count;
    const struct cpuid_record *recorded; /* --cpuid; NULL: CPUID is as the members above say */
};

#endif
