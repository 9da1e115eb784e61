/* A personality: the data of a processor that the rig can play. It consists of cpu/NAME.inc (the
 * pipeline, registers, CPUID) and cpu/NAME.c (event encodings), and registers itself by
 * PERSONALITY(), so that no other file names it. */
#ifndef RIG_PMU_PERSONALITY_H
#define RIG_PMU_PERSONALITY_H

#include <stdbool.h>
#include <stdint.h>

struct model_parameters;
struct pmu_parameters; /* parameters.h */

struct personality {
    const char *name;    /* for --cpu: "skylakex" */
    const char *title;   /* for --list */
    const char *omitted; /* for --list --long: what silicon has and the personality lacks */
    const struct model_parameters *core;
    const struct pmu_parameters *pmu;
    bool cet;           /* silicon has control-flow enforcement, which --cet announces */
    bool single_thread; /* one thread a core, or only one is modelled: --smt is refused, or adds
                         * none to the cores of this kind */
    /* A hybrid part: the other kind of core, which is not registered by itself; else NULL. Both
     * kinds have the same clocks, and the shared cache has the figures of the first kind. */
    const struct personality *small;
};

#define PERSONALITY(variable)                                                                      \
    static const struct personality *const variable##_entry                                        \
        __attribute__((used, section("personalities"), aligned(sizeof(void *)))) = &variable

/* NULL: no personality has this name. */
const struct personality *personality_find(const char *name);
/* The personality of core number `core` of `cores`: on a hybrid part the first half of the cores,
 * rounded up, are of the first kind. */
const struct personality *personality_of_core(const struct personality *personality, unsigned core,
                                              unsigned cores);
/* The place of a logical processor: in which core it is, as which thread of how many. */
struct personality_seat {
    unsigned core, thread, threads;
    const struct personality *kind;
};

/* The logical processors that so many cores have, the cores of each kind one after the other.
 * `threads`: of a core whose kind can have as many. */
unsigned personality_processors(const struct personality *personality, unsigned cores,
                                unsigned threads);
/* The place of logical processor `index`, below personality_processors(). */
struct personality_seat personality_seat(const struct personality *personality, unsigned cores,
                                         unsigned threads, unsigned index);
/* Its APIC id: as leaves 4 and 0BH of its kind divide it. */
uint32_t personality_apic_id(const struct personality_seat *seat);
/* Calls `line` for every personality. */
void personality_list(void (*line)(const struct personality *personality));

#endif
