/* What an interrupt costs: the sampled counter read before and after an INT instruction that goes
 * to the handler of the performance-monitoring interrupt (probe.asm). */
#ifndef HARNESS_SAMPLER_PROBE_H
#define HARNESS_SAMPLER_PROBE_H

#include <stddef.h>
#include <stdint.h>

struct probe {
    uint64_t msr, enable, disable;
    uint64_t counter, total; /* RDPMC indices */
    uint64_t vector;         /* of the INT instruction: 2, VECTOR_PMI, or 0: none */
    /* What came of it. */
    uint64_t enabled; /* the counter after the write of `enable` */
    uint64_t before, after;
    uint64_t total_before, total_after;
};

_Static_assert(offsetof(struct probe, vector) == 40 && offsetof(struct probe, total_after) == 80,
               "probe.asm uses these offsets");

/* On the core under test, with a program open (boot/machine/pmi.h). */
void probe_run(struct probe *probe);

#endif
