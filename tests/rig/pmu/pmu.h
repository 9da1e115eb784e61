/* The registers of one logical processor that are not the emulator's: counters, LBR, thermal and
 * frequency registers, CPUID.
 *
 * The machine asks here for every RDMSR, WRMSR, RDPMC and CPUID that it does not serve itself (it
 * serves IA32_APIC_BASE, the x2APIC range, EFER, segment bases, PAT and MTRRs). It drains the model
 * first, so counts are exact at the access. */
#ifndef RIG_PMU_H
#define RIG_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/model.h"

struct personality; /* personality.h */
struct pmu;

struct pmu_place { /* where this logical processor sits */
    unsigned cpu;  /* from 0, counts logical processors */
    uint32_t apic_id;
    unsigned cores, threads_per_core;
};

/* What a sampling record holds of the processor; gpr in the order in which instructions number
 * them. */
struct pmu_registers {
    uint64_t rip, rflags;
    uint64_t gpr[16];
    uint8_t xmm[16][16];
};

struct pmu_requests { /* what counts at present */
    bool accesses, requests, fetches;
};

/* What the PMU tells the machine, and asks it. */
struct pmu_host {
    void *context;
    void (*pmi)(void *context); /* an overflow asks for a PMI now: deliver through LVT PC */
    void (*counting)(
        void *context,
        bool counting); /* this core's counters went from stopped to counting or back */
    /* While it does not hear, spans change nothing but the clocks that stand still in a halted
     * core: no counter is enabled, no branch recorded and no interrupt on its way. Told when that
     * changes; a new PMU does not hear. NULL: nobody asks. */
    void (*observes)(void *context, bool observes);
    uint64_t (*now)(void *context); /* model_now of this core */
    /* Guest memory by linear address; false when not all of it is mapped RAM. */
    bool (*read)(void *context, uint64_t address, void *data, size_t size);
    bool (*write)(void *context, uint64_t address, const void *data, size_t size);
    void (*registers)(void *context, struct pmu_registers *registers);
    /* From now on, or no longer: pmu_access for every load and store, pmu_offcore, pmu_fetched. */
    void (*subscribe)(void *context, struct pmu_requests requests);
    /* From now on, or no longer: pmu_at_boundary after every instruction. */
    void (*watch)(void *context, bool on);
};

struct pmu *pmu_new(const struct personality *personality, struct pmu_place place,
                    struct pmu_host host);
void pmu_free(struct pmu *pmu);

/* The model's reports: hand these two to the model as its sink, with the pmu as context. */
void pmu_span(void *pmu, const struct span *span);
/* For how many cycles it does not matter to any counter in which order spans come (model_sink). */
uint64_t pmu_order_slack(void *pmu);
void pmu_branch(void *pmu, const struct retired_branch *branch);

/* As told by the model when the host was asked to listen (model_subscribe). */
void pmu_access(void *pmu, const struct retired_access *access);
void pmu_fetched(void *pmu, unsigned fetched);
void pmu_offcore(void *pmu, enum request request, enum origin origin);

/* An instruction has retired, and the model has reported everything up to it. */
struct pmu_boundary {
    uint64_t ip, next; /* the instruction, and the one that follows it */
    uint64_t data;     /* the address it accessed first, 0 when none */
};
void pmu_at_boundary(struct pmu *pmu, const struct pmu_boundary *boundary);

/* The current privilege level is another one from here on; what retired before has been reported.
 */
void pmu_privilege(struct pmu *pmu, unsigned cpl);

/* A #DB is delivered: the legacy last-branch stack and single-stepping on branches stop. */
void pmu_debug_exception(struct pmu *pmu);
/* TF stops behind taken branches only. */
bool pmu_steps_branches(const struct pmu *pmu);
/* Another exception or an interrupt is delivered, and what retired before has been reported: the
 * last branch before it is kept. Asked for while branches are recorded. */
bool pmu_keeps_events(const struct pmu *pmu);
void pmu_event(struct pmu *pmu);

enum access_result { ACCESS_OK, ACCESS_FAULT /* #GP(0) */, ACCESS_NOT_MINE };
enum access_result pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);
/* Whether that would be a #GP; changes nothing. */
bool pmu_wrmsr_faults(const struct pmu *pmu, uint32_t msr, uint64_t value);
enum access_result pmu_rdpmc(struct pmu *pmu, uint32_t index, unsigned cpl, bool cr4_pce,
                             uint64_t *value);
/* The time stamp counter in the personality's TSC ticks, from core cycles. */
uint64_t pmu_tsc(const struct pmu *pmu);

struct cpuid_result {
    uint32_t eax, ebx, ecx, edx;
};
struct cpuid_result pmu_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf, uint64_t cr4);

/* True when the part masks LVT PC as a PMI is delivered. */
bool pmu_masks_lvt(const struct pmu *pmu);

/* Two logical processors of a core: where the part has one set of counters between them, `pmu`
 * uses that of `sibling` from now on, which must live longer. Before anything is counted. */
void pmu_join(struct pmu *pmu, struct pmu *sibling);

/* INIT leaves the counters as they were; power-on reset clears them. */
void pmu_reset(struct pmu *pmu);

/* Says on `out`, in one line, which events were programmed and counted nothing because the
 * personality does not know them or because the counter cannot count them: of this logical
 * processor and `others` like it. Nothing is written when there were none. */
void pmu_report_unknown(const struct pmu *pmu, unsigned others, FILE *out);
/* What `from` would report, `to` does from now on; false when they are not of one kind. */
bool pmu_gather_unknown(struct pmu *to, struct pmu *from);

#endif
