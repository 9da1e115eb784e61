/* Plans for selected nodes, made once for all kernels and for all cores that count alike. Pure. */
#ifndef HARNESS_PLAN_PLAN_CACHE_H
#define HARNESS_PLAN_PLAN_CACHE_H

#include "boot/pool.h"
#include "parameters.h"
#include "selection.h"

#define PLAN_CACHE_PLANS 4

/* A cache is empty when all members but `pool` are zero. A full cache drops its oldest entry. */
struct plan_cache {
    struct pool *pool; /* for plans and their passes */
    struct cached_plan {
        bool filled;
        struct facts facts; /* as they were then: a counter may be taken out of use later */
        const struct description *description;
        enum threads threads;
        struct selection selection;
        const struct event *events[PLAN_EVENTS];
        uint16_t families[PLAN_EVENTS]; /* as plan_make wants them */
        unsigned event_count;
        struct plan *plan; /* of these events and no others; null: none was needed yet */
    } plans[PLAN_CACHE_PLANS];
    unsigned next;
};

/* Whether a plan for one of the two cores also fits the second core. */
bool plan_cache_alike(const struct facts *a, const struct facts *b);

/* The entry for this selection, description and number of threads on such a core; its events are
 * found when the cache has no such entry yet. Valid until the next call. */
struct cached_plan *plan_cache_find(struct plan_cache *cache, const struct facts *facts,
                                    const struct counts *given, const struct selection *selection);

/* A plan for these events, made in the cache's memory but not kept in it. Returns the codes of
 * plan_make. */
enum rc plan_cache_make(const struct plan_cache *cache, struct plan **plan,
                        const struct facts *facts, const struct description *description,
                        const struct event *const *events, const uint16_t *families,
                        unsigned event_count);

/* Empties the cache, whose pool is rewound. */
void plan_cache_forget(struct plan_cache *cache);

/* The plan for the selected nodes and CPI. Returns the codes of plan_make. */
enum rc plan_cache_plan(struct plan_cache *cache, struct plan **plan, const struct facts *facts,
                        const struct counts *given, const struct selection *selection);

#endif
