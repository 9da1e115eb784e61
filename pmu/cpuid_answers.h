/* What CPUID answers on a core: the leaves from which its facts are read, and those about its
 * clocks, power and caches, as they are. */
#ifndef PMU_CPUID_ANSWERS_H
#define PMU_CPUID_ANSWERS_H

#include "boot/msr.h"

/* As many as the leaves of cpuid_answers.c have subleaves, each list cut at its limit there. */
#define CPUID_ANSWERS 48

struct cpuid_answers {
    struct cpuid_answer {
        uint32_t leaf, subleaf;
        struct cpuid value;
    } answer[CPUID_ANSWERS];
    unsigned count;
};

/* Asks the core that this is called on. Leaves that it does not have are left out: the highest one
 * of each range is in EAX of 0, 40000000H, 80000000H (SDM 2A, "CPUID"). */
void cpuid_answers_read(struct cpuid_answers *answers);
/* Whether two cores answer alike, except for the number of the core itself: its APIC id. */
bool cpuid_answers_alike(const struct cpuid_answers *a, const struct cpuid_answers *b);

#endif
