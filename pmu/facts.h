/* The facts that this core states about itself, read on the core. An absent feature is 0, false or
 * a reason. */
#ifndef PMU_FACTS_H
#define PMU_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_facts {
    uint32_t bytes; /* 0: the core does not say */
    uint32_t line;  /* bytes */
    uint32_t ways;
    uint32_t sharing; /* logical processors that share the cache, at most */
};

/* The architectural last-branch stack, CPUID 1CH. Depth 0: there is none. */
struct lbr_facts {
    uint32_t depth;       /* records, the most that the core offers up to LBR_FACTS_DEPTH */
    uint32_t depth_found; /* what IA32_LBR_DEPTH held when the core was surveyed */
    bool level_filter, branch_filter, call_stack;
    bool mispredicts, cycles, types; /* recorded in IA32_LBR_x_INFO */
};
#define LBR_FACTS_DEPTH 32u /* no processor so far has more */

#define FACTS_UNKNOWN  UINT32_MAX
#define CORE_TYPE_CORE 0x40u /* leaf 1AH, "Native Model ID Enumeration": a P core */

#define CORE_TYPE_ATOM 0x20u

/* What the description says of the counters' errata. */
#define QUIRK_CODES 4
struct quirks {
    /* IA32_PERFEVTSEL0 to 3, before counters are selected, enabled once; all 0: nothing is needed.
     */
    uint32_t prime[4];
    /* Events with these codes also count in the counter of the same number of the other thread, if
     * that one counts. */
    uint8_t leaks[QUIRK_CODES];
    unsigned leak_count;
};

struct pmu_kind;

struct facts {
    char vendor[13];
    char brand[49];
    bool intel, amd;
    bool hypervisor;
    char hypervisor_name[13];
    uint32_t family, model, stepping; /* display family and model */
    uint32_t microcode;               /* 0: unreadable */
    uint32_t core_type, native_model; /* CPUID 1AH, 0 when absent (CORE_TYPE_ATOM, 0x40 Core) */
    uint32_t apic_id, smt_id;
    uint32_t package;          /* FACTS_UNKNOWN: nothing says it */
    uint32_t threads_per_core; /* 0: nothing says it */

    /* The kind of its counters; null: none that slotscope counts with. */
    const struct pmu_kind *kind;
    const char *signatures; /* the vendor that its signatures in descriptions name; null: Intel's
                               name none */

    /* Architectural performance monitoring, CPUID 0AH and 23H; AMD's core counters are general ones
     */
    uint32_t version; /* 0: none; from 2 on one write starts and stops all counters, as with AMD's
                         PerfMonV2, which is version 2 */
    uint32_t general_count, general_width;
    uint32_t general_reserved; /* bit n: microcode uses general counter n itself (PMC3, for TSX), or
                                  the core has no such counter below the last, or it is off */
    uint32_t general_kept;     /* of these, the counters that microcode uses itself */
    uint32_t general_off; /* of these, the counters that count otherwise than most (not CPUID's) */
    uint32_t fixed_count, fixed_mask, fixed_width; /* fixed_mask: bit n for fixed counter n */
    uint32_t fixed_off; /* fixed counters that are not in fixed_mask because they count wrongly */
    uint32_t architectural_events; /* bit set: available (EBX inverted, within its length) */
    bool any_thread;               /* the ANY bit of event selects is not deprecated */
    bool pdcm;
    bool full_width_write;  /* a general counter can be set to any value that it holds */
    bool capabilities_lost; /* CPUID announces IA32_PERF_CAPABILITIES, which cannot be read */
    uint64_t capabilities;  /* IA32_PERF_CAPABILITIES, valid when pdcm */
    bool perf_metrics;      /* announced there, or found on a P core of a hybrid part */

    bool debug_store;      /* the DS area, in 64-bit format */
    bool pebs_unavailable; /* IA32_MISC_ENABLE says so, or cannot be read */
    uint32_t lbr_format;   /* IA32_PERF_CAPABILITIES[5:0], valid when pdcm */
    struct lbr_facts lbr;
    bool transactions;    /* CPUID announces RTM or HLE */
    bool processor_trace; /* CPUID announces it */
    bool aperf_mperf, thermal;
    bool avx, avx2, fma, avx512f; /* announced, and XCR0 enables its registers */
    struct cache_facts l1d, l1i, l2, l3;

    /* Not the core's own statements. */
    struct quirks quirks;
    bool user_only;  /* kernels run in ring 3: an event that names no ring counts in rings 1 to 3 */
    bool both_count; /* the other thread of this core counts at the same time */

    /* What leaf 0AH or 23H says of counters that no processor has, and what was expected; empty
     * when all can be true. Of such a core no fact about counters is set. */
    char contradiction[96];
    const char *absent; /* why this core cannot count at all; null when it can. It may point to
                         * `contradiction`, in the facts that were read. */
};

/* Returns the first of the words in `wanted` (avx, avx2, fma, avx512f; separated by blanks) that
 * this core does not have, and sets *length to the word's length; null when the core has them all.
 * An unknown word counts as missing. */
const char *facts_missing(const struct facts *facts, const char *wanted, size_t *length);

/* Returns what differs first between the counters of two logical processors, in words. Null:
 * nothing does, and one plan fits both. */
const char *facts_counters_differ(const struct facts *a, const struct facts *b);

#endif
