/* The registers of one logical processor that are not the emulator's: counters, LBR, thermal and
 * frequency registers, CPUID.
 *
 * The machine calls these functions for every RDMSR, WRMSR, RDPMC and CPUID that it does not serve
 * itself (it serves IA32_APIC_BASE, the x2APIC range, EFER, segment bases, PAT and MTRRs). It
 * drains the model first, so counts are exact at the access. What the model reports goes to
 * pmu_span (count.h) and to pmu_branch and its neighbours (retired.h).
 *
 * This header is the door of the room: the life of a PMU, and the headers that the machine needs.
 */
#ifndef RIG_PMU_PMU_H
#define RIG_PMU_PMU_H

#include "clocks.h"
#include "count.h"
#include "cpuid.h"
#include "event_table.h"
#include "foresee.h"
#include "host.h"
#include "msr.h"
#include "retired.h"
#include "running.h"

struct personality; /* personality.h */

/* NULL: the host's memory ran out. */
struct pmu *pmu_new(const struct personality *personality, struct pmu_place place,
                    struct pmu_host host);
void pmu_free(struct pmu *pmu);

/* Power-on reset: clears everything. Not for INIT, which leaves the counters as they are. */
void pmu_reset(struct pmu *pmu);

/* Two logical processors of one core: they share what the part shares. On a part whose core has one
 * set of counters, `pmu` uses the set of `sibling` from now on. To be called before anything
 * counts; neither is used any more when one is freed. */
void pmu_join(struct pmu *pmu, struct pmu *sibling);
/* Two logical processors of one package, of which `other` may have been joined to more: they share
 * the registers of the package. As pmu_join, which it does not replace. */
void pmu_join_package(struct pmu *pmu, struct pmu *other);

/* How late its PMIs are from now on. On a PMU that counts by spans; elsewhere without effect. */
void pmu_delay(struct pmu *pmu, struct pmi_delay delay);

/* Whether the part masks LVT PC when it delivers a PMI. */
bool pmu_masks_lvt(const struct pmu *pmu);

#endif
