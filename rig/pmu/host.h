/* What the PMU and the machine exchange: the place of a logical processor, the PMU's calls to the
 * machine, and what the functions of pmu.h take and return. */
#ifndef RIG_PMU_HOST_H
#define RIG_PMU_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model.h"

struct pmu;

struct pmu_place {
    unsigned cpu; /* number of the logical processor, from 0 */
    uint32_t apic_id;
    unsigned cores, threads_per_core; /* of the package; this core */
    unsigned processors;              /* logical ones, of the package */
};

/* The processor's registers, for a sampling record; `gpr` in the order of the numbers that
 * instructions give them. */
struct pmu_registers {
    uint64_t rip, rflags;
    uint64_t gpr[16];
    uint8_t xmm[16][16];
};

/* Which access events of the model the enabled counters need (model_subscribe). */
struct pmu_subscription {
    bool accesses, requests, fetches;
};

/* The PMU's calls to the machine. */
struct pmu_host {
    void *context;
    /* An overflow raises the PMI now: deliver it through LVT PC. */
    void (*pmi)(void *context);
    /* The processor's counters went from stopped to counting, or back. */
    void (*counting)(void *context, bool counting);
    /* Between these, whether one of the counters that are enabled counts at the privilege level at
     * hand: from now on, or no longer. Of NetBurst and AMD it always does. May be NULL. */
    void (*sees)(void *context, bool sees);
    /* From now on the PMU needs spans and branches, or it needs none. While it needs none, a span
     * only advances the clocks that stop in a halted core: no counter is enabled, no branch is
     * recorded and no PMI is pending. A new PMU needs none. May be NULL. */
    void (*observes)(void *context, bool observes);
    /* model_now of this core. */
    uint64_t (*now)(void *context);
    /* Guest memory by linear address. False: not all of it is mapped RAM. */
    bool (*read)(void *context, uint64_t address, void *data, size_t size);
    bool (*write)(void *context, uint64_t address, const void *data, size_t size);
    void (*registers)(void *context, struct pmu_registers *registers);
    /* From now on call pmu_access, pmu_offcore and pmu_fetched as the subscription says. May be
     * NULL. */
    void (*subscribe)(void *context, struct pmu_subscription subscription);
    /* From now on a PMI may come whose cycle pmu_foresee_begin and its neighbours can tell before
     * it comes, or no longer. Called again when what they would answer has changed. May be NULL. */
    void (*foresee)(void *context, bool on);
    /* From now on call pmu_at_boundary after every instruction, or after each behind which
     * pmu_foresee_record sees a record; or no longer. Called again when what that would answer has
     * changed. May be NULL. */
    void (*watch)(void *context, bool on);
};

/* An instruction has retired, and the model has reported everything up to it. */
struct pmu_boundary {
    uint64_t ip, next; /* the instruction, and the instruction that follows it */
    uint64_t data;     /* the address that it accessed first; 0: it accessed none */
    uint64_t latency;  /* core cycles from the retirement of the instruction before to its own */
};

enum access_result { ACCESS_OK, ACCESS_FAULT /* #GP(0) */, ACCESS_NOT_MINE };

struct cpuid_result {
    uint32_t eax, ebx, ecx, edx;
};

#endif
