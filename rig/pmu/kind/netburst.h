/* The PMU of NetBurst parts. */
#ifndef RIG_PMU_KIND_NETBURST_H
#define RIG_PMU_KIND_NETBURST_H

extern const struct pmu_kind pmu_netburst;

#endif
