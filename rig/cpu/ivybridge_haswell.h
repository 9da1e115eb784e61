/* The events and registers that Ivy Bridge and Haswell have in common. */
#ifndef RIG_CPU_IVYBRIDGE_HASWELL_H
#define RIG_CPU_IVYBRIDGE_HASWELL_H

#include "pmu/parameters.h"
#include "event_rows.h"
#include "rows.h"

#define IVYBRIDGE_HASWELL_CACHES 4
extern const struct event_table ivybridge_haswell_events;
extern const struct cache_fact ivybridge_haswell_caches[IVYBRIDGE_HASWELL_CACHES];

/* clang-format off */

/* The events above that both lists mark as precise. */
#define IVYBRIDGE_HASWELL_PRECISE \
    { 0xc4, 0x01 }, { 0xc4, 0x02 }, { 0xc4, 0x08 }, { 0xc4, 0x20 }, { 0xc5, 0x01 }, \
    { 0xc5, 0x20 }, { 0xc2, 0x02 }, { 0xc2, 0x01 }, { 0xd0, 0x81 }, { 0xd0, 0x82 }, \
    { 0xd1, 0x01 }, { 0xd1, 0x02 }, { 0xd1, 0x04 }, { 0xd1, 0x08 }, { 0xd1, 0x10 }, \
    { 0xd1, 0x20 }, { 0xd1, 0x40 }, { 0xc0, 0x01 }, { 0xcd, 0x01 }

#define IVYBRIDGE_HASWELL_MSRS \
    MSRS_SINCE_IVYBRIDGE, \
    PERF_STATUS_AND_CTL(0x2500), /* ratio 37 */ \
    TEMPERATURE_TARGET(105), \
    MISC_FEATURE_CONTROL(0xf), \
    OFFCORE_RSP(0x3fffff8fff), \
    TURBO_RATIO_LIMIT(0x25262727)

#define IVYBRIDGE_HASWELL_CPUID \
    CPUID_AVX_STATE, \
    { .leaf = 0xd, .subleaf = 1, .eax = 0x1 }, /* XSAVEOPT */ \
    { .leaf = 0x80000006, .ecx = 0x01006040 }

/* clang-format on */

#endif
