/* Freezing all counters of a core at the moment when its counter of core cycles overflows. Pure:
 * which kind of freeze a core has, and passes that use it. */
#ifndef PMU_FREEZE_H
#define PMU_FREEZE_H

#include "pass.h"

enum freeze {
    FREEZE_NONE,
    FREEZE_LEGACY,      /* with the PMI, some cycles after the overflow */
    FREEZE_STREAMLINED, /* with the overflow */
};

/* How a kind of counters freezes them; each function is said below, without its `freeze_`. */
struct freezing {
    enum freeze (*kind)(const struct facts *facts, const char **why);
    bool (*arm)(struct pass *pass);
    void (*preset)(struct pass *pass, const struct facts *facts, uint64_t cycles);
    uint64_t (*counted)(const struct facts *facts, uint64_t cycles, uint64_t value);
    void (*end)(struct pass *pass, const struct facts *facts);
};

/* Which kind the core has; with FREEZE_NONE, *why says why none can be used, and nothing below may
 * be called. */
enum freeze freeze_kind(const struct facts *facts, const char **why);
/* "none", "legacy" or "streamlined". */
const char *freeze_name(enum freeze freeze);

/* Makes the counters of the pass freeze when the counter of core cycles overflows; freeze_preset
 * says when that is. False: the pass does not use that counter, or is full. */
bool freeze_arm(struct pass *pass, const struct facts *facts);
/* Lets that counter begin so that it overflows in cycle number `cycles` of the window, from 1. The
 * pass is armed. */
void freeze_preset(struct pass *pass, const struct facts *facts, uint64_t cycles);
/* How many core cycles the window counted whose pass was preset to `cycles`, from what that counter
 * reads afterwards: it is frozen with the others, so that is the moment of the freeze, or the
 * window's end when the window ended before. */
uint64_t freeze_counted(const struct facts *facts, uint64_t cycles, uint64_t value);
/* A pass without counters that undoes what an armed pass leaves behind. */
void freeze_end(struct pass *pass, const struct facts *facts);

#endif
