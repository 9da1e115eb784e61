/* The PMU of NetBurst parts. */
#ifndef TESTS_RIG_PMU_KIND_NETBURST_H
#define TESTS_RIG_PMU_KIND_NETBURST_H

extern const struct pmu_kind pmu_netburst;

#endif
