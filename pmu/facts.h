/* What this core says it has. Filled on the core itself; every absence has a reason. */
#ifndef PMU_FACTS_H
#define PMU_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/rc.h"

struct cache_facts {
    uint32_t bytes, line, ways,
        sharing; /* 0 bytes: the core does not say; sharing = logical processors */
};

struct facts {
    char vendor[13];
    char brand[49];
    bool intel, amd;
    bool hypervisor;
    char hypervisor_name[13];
    uint32_t family, model, stepping; /* display family and model */
    uint32_t microcode;               /* 0: unreadable */
    uint32_t core_type, native_model; /* CPUID 1AH, 0 when absent (0x20 Atom, 0x40 Core) */
    uint32_t apic_id, threads_per_core, smt_id;

    /* Architectural performance monitoring, CPUID 0AH */
    uint32_t version; /* 0: none */
    uint32_t general_count, general_width;
    uint32_t general_reserved; /* bit set: microcode keeps that general counter (PMC3 and TSX) */
    uint32_t fixed_count, fixed_mask, fixed_width;
    uint32_t architectural_events; /* bit set = available (EBX inverted, within its length) */
    bool any_thread;               /* not deprecated */
    bool pdcm, full_width_write;
    uint64_t capabilities; /* IA32_PERF_CAPABILITIES, valid when pdcm */
    bool perf_metrics;     /* PERF_CAP[15], or a P core of a hybrid part that has the register */

    uint32_t lbr_format; /* PERF_CAP[5:0], valid when pdcm */
    bool aperf_mperf, thermal, rdtscp, invariant_tsc;
    bool avx, avx2, fma, avx512f; /* announced, and its registers are enabled */
    struct cache_facts l1d, l1i, l2, l3;
    uint32_t tsc_numerator, tsc_denominator, crystal_hz; /* CPUID 15H, 0 when absent */
    uint32_t base_mhz, maximum_mhz;                      /* CPUID 16H, 0 when absent */

    const char *absent; /* why no counting is possible on this core, null when it is */
};

/* Reads everything of the core it runs on. Never fails: what is missing says so in its field. */
void facts_read(struct facts *facts);

/* The first of the words apart by blanks in `wanted` (avx, avx2, fma, avx512f) that this core does
 * not have, null when it has them all. Words that mean nothing here are missing too. *length gets
 * the length of the word. */
const char *facts_missing(const struct facts *facts, const char *wanted, size_t *length);

#endif
