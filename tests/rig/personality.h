/* A processor that the rig can play: all data. One personality is cpu/NAME.c (registers, CPUID, event encodings) and
 * cpu/NAME_core.c (the pipeline). It registers itself by PERSONALITY(); nothing else names it. */
#ifndef RIG_PERSONALITY_H
#define RIG_PERSONALITY_H

#include <stdint.h>

struct model_parameters;
struct pmu_parameters; /* pmu_parameters.h */

struct personality {
    const char *name;    /* for --cpu: "skylakex" */
    const char *title;   /* for --list */
    const char *omitted; /* for --list --long: what the real part has and this one lacks */
    const struct model_parameters *core;
    const struct pmu_parameters *pmu;
};

#define PERSONALITY(variable)                                                                          \
    static const struct personality *const variable##_entry                                            \
        __attribute__((used, section("personalities"), aligned(sizeof(void *)))) = &variable

const struct personality *personality_find(const char *name);
void personality_list(void (*line)(const struct personality *personality));

#endif
