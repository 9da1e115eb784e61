/* What the file NAME.c of a part begins with. NAME.c has the part's events and says what the rig
 * leaves out; NAME.inc has its figures: members of struct part, which NAME.c, and NAME.c of any
 * part that is like this one, include in an initialiser. */
#ifndef RIG_CPU_PART_H
#define RIG_CPU_PART_H

#include <stddef.h>

#include "core/parameters.h"
#include "pmu/kind/amd.h"
#include "pmu/kind/netburst.h"
#include "pmu/parameters.h"
#include "pmu/personality.h"
#include "access_events.h"
#include "alderlake_rows.h"
#include "event_rows.h"
#include "golden_cove.h"
#include "ivybridge_haswell.h"
#include "omitted.h"
#include "responses.h"
#include "rows.h"

/* A part that is like another part begins with `#include "OTHER.inc"`, and then sets the members
 * that differ. If a member is initialised twice, the later value counts (C11, 6.7.9). GCC's -Wextra
 * warns of that; such a NAME.c defines PART_IS_LIKE_ANOTHER before all else, since it is intended.
 */
#ifdef PART_IS_LIKE_ANOTHER
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

struct part {
    struct model_parameters core;
    struct pmu_parameters pmu; /* but `events` and `amd`, which NAME.c sets */
};

/* The pipeline's figures of `part`, which tests of the model alone know as NAME_core. */
#define CORE(name)                                                                                 \
    extern const struct model_parameters name##_core __attribute__((alias("part")));               \
    _Static_assert(offsetof(struct part, core) == 0, "the figures come first")

/* clang-format off */

/* The tables of a part, as members of struct part: rows, where the member has their place and
 * number. */
#define PRECISE_ROWS(...) \
    PART_ROWS(pmu.pebs.precise, pmu.pebs.precise_count, struct precise_event, __VA_ARGS__)
#define MSR_ROWS(...)       PART_ROWS(pmu.msrs, pmu.msr_count, struct msr_fact, __VA_ARGS__)
#define CACHE_ROWS(...)     PART_ROWS(pmu.caches, pmu.cache_count, struct cache_fact, __VA_ARGS__)
#define CPUID_ROWS(...)     PART_ROWS(pmu.cpuid, pmu.cpuid_count, struct cpuid_fact, __VA_ARGS__)
#define UNCOUNTED_ROWS(...) \
    PART_ROWS(pmu.uncounted, pmu.uncounted_count, struct uncounted_event, __VA_ARGS__)
#define PART_ROWS(rows, number, type, ...) \
    .rows = (const type[]){ __VA_ARGS__ }, \
    .number = COUNT_OF(((const type[]){ __VA_ARGS__ }))

/* clang-format on */

#endif
