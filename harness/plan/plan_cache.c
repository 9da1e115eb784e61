#include "plan_cache.h"

#include "boot/text.h"
#include "pmu/kind.h"
#include "selection_events.h"

bool plan_cache_alike(const struct facts *a, const struct facts *b)
{
    return a->version == b->version && a->general_count == b->general_count &&
           a->general_width == b->general_width && a->fixed_count == b->fixed_count &&
           a->fixed_mask == b->fixed_mask && a->fixed_width == b->fixed_width &&
           a->architectural_events == b->architectural_events && a->any_thread == b->any_thread &&
           a->pdcm == b->pdcm && a->full_width_write == b->full_width_write &&
           a->capabilities == b->capabilities && a->perf_metrics == b->perf_metrics &&
           a->family == b->family && a->model == b->model && a->core_type == b->core_type &&
           a->general_reserved == b->general_reserved && a->both_count == b->both_count &&
           a->kind == b->kind &&
           (!kind_of(a)->threads_share || (a->smt_id == b->smt_id && a->stepping == b->stepping));
}

struct cached_plan *plan_cache_find(struct plan_cache *cache, const struct facts *facts,
                                    const struct counts *given, const struct selection *selection)
{
    const enum threads threads = parameters_threads(given);
    uint16_t families[PLAN_EVENTS + 1];
    struct cached_plan *cached;

    for (unsigned i = 0; i < PLAN_CACHE_PLANS; i++) {
        cached = &cache->plans[i];
        if (cached->filled && cached->description == given->description &&
            cached->threads == threads && plan_cache_alike(&cached->facts, facts) &&
            memcmp(&cached->selection, selection, sizeof(*selection)) == 0)
            return cached;
    }
    cached = &cache->plans[cache->next++ % PLAN_CACHE_PLANS];
    cached->filled = true;
    cached->facts = *facts;
    cached->description = given->description;
    cached->threads = threads;
    cached->selection = *selection;
    cached->plan = NULL;
    cached->event_count = selection_events(selection, given, cached->events, families);
    memcpy(cached->families, families, sizeof(cached->families));
    return cached;
}

enum rc plan_cache_make(const struct plan_cache *cache, struct plan **plan,
                        const struct facts *facts, const struct description *description,
                        const struct event *const *events, const uint16_t *families,
                        unsigned event_count)
{
    struct plan *made = pool_take(cache->pool, sizeof(*made));
    enum rc rc;

    if (made == NULL)
        return RC_NO_SPACE;
    rc = plan_make(made, facts, description, events, families, event_count, cache->pool);
    if (rc == RC_OK)
        *plan = made;
    return rc;
}

enum rc plan_cache_plan(struct plan_cache *cache, struct plan **plan, const struct facts *facts,
                        const struct counts *given, const struct selection *selection)
{
    struct cached_plan *cached = plan_cache_find(cache, facts, given, selection);
    struct facts counting = *facts;
    enum rc rc = RC_OK;

    counting.both_count |= cached->threads == BOTH_THREADS;
    if (cached->plan == NULL)
        rc = plan_cache_make(cache, &cached->plan, &counting, given->description, cached->events,
                             cached->families, cached->event_count);
    *plan = cached->plan;
    return rc;
}

void plan_cache_forget(struct plan_cache *cache)
{
    *cache = (struct plan_cache){.pool = cache->pool};
}
