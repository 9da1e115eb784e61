/* A processor that the rig can play: all data. One personality is cpu/NAME.c (registers, CPUID,
 * event encodings) and cpu/NAME_core.c (the pipeline). It registers itself by PERSONALITY();
 * nothing else names it. */
#ifndef RIG_PERSONALITY_H
#define RIG_PERSONALITY_H

#include <stdbool.h>
#include <stdint.h>

struct model_parameters;
struct pmu_parameters; /* pmu_parameters.h */

struct personality {
    const char *name;    /* for --cpu: "skylakex" */
    const char *title;   /* for --list */
    const char *omitted; /* for --list --long: what the real part has and this one lacks */
    const struct model_parameters *core;
    const struct pmu_parameters *pmu;
    bool single_thread; /* the part, or what is played of it, has one thread a core: --smt is
                           refused */
    /* The other kind of core of a hybrid part, or NULL; it is not registered by itself. Both kinds
     * have the same clocks, and the shared cache is that of the first. */
    const struct personality *small;
};

#define PERSONALITY(variable)                                                                      \
    static const struct personality *const variable##_entry                                        \
        __attribute__((used, section("personalities"), aligned(sizeof(void *)))) = &variable

const struct personality *personality_find(const char *name);
/* What core number `core` of `cores` is: on a hybrid part the first half, rounded up, are of the
 * first kind. */
const struct personality *personality_of_core(const struct personality *personality, unsigned core,
                                              unsigned cores);
void personality_list(void (*line)(const struct personality *personality));

#endif
