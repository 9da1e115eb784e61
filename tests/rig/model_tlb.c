#include "model_tlb.h"

#include <string.h>

#define PAGE_4K 12
#define PAGE_2M 21
#define PAGE_1G 30

/* Pages of different sizes never share a tag: its low two bits name the size. */
enum page_class { CLASS_4K, CLASS_2M, CLASS_1G };

static uint64_t page_tag(uint64_t address, enum page_class size)
{
    static const uint8_t shift[] = { PAGE_4K, PAGE_2M, PAGE_1G };

    return (address >> shift[size]) << 2 | size;
}

/* The tag without the size: neighbouring pages go to neighbouring sets. */
static uint64_t page_index(uint64_t tag)
{
    return tag >> 2;
}

static bool tlb_init(struct tlb *tlb, const struct tlb_geometry *geometry)
{
    uint32_t ways_4k = geometry->ways_4k, ways_2m = geometry->ways_2m;

    memset(tlb, 0, sizeof *tlb);
    if ((ways_4k && geometry->entries_4k % ways_4k) || (ways_2m && geometry->entries_2m % ways_2m))
        return false;
    tlb->unified = !geometry->entries_2m;
    return cache_init(&tlb->small, ways_4k ? geometry->entries_4k / ways_4k : 0, ways_4k) &&
           cache_init(&tlb->large, ways_2m ? geometry->entries_2m / ways_2m : 0, ways_2m);
}

static void tlb_free(struct tlb *tlb)
{
    cache_free(&tlb->small);
    cache_free(&tlb->large);
}

static void tlb_clear(struct tlb *tlb)
{
    cache_clear(&tlb->small);
    cache_clear(&tlb->large);
    tlb->has_1g = false;
}

/* Gives the tag of the page that serves the address in *page. */
static bool tlb_touch(struct tlb *tlb, uint64_t address, uint64_t *page)
{
    struct cache *large = tlb->unified ? &tlb->small : &tlb->large;

    *page = page_tag(address, CLASS_4K);
    if (cache_touch(&tlb->small, page_index(*page), *page, 0))
        return true;
    *page = page_tag(address, CLASS_2M);
    if (cache_touch(large, page_index(*page), *page, 0))
        return true;
    *page = page_tag(address, CLASS_1G);
    return tlb->has_1g && cache_touch(large, page_index(*page), *page, 0);
}

static void tlb_insert(struct tlb *tlb, uint64_t page)
{
    enum page_class size = (enum page_class)(page & 3);
    struct cache *cache = size == CLASS_4K || tlb->unified ? &tlb->small : &tlb->large;

    tlb->has_1g |= size == CLASS_1G;
    cache_insert(cache, page_index(page), page, 0);
}

static bool tlb_touch_page(struct tlb *tlb, uint64_t page)
{
    struct cache *cache = (page & 3) == CLASS_4K || tlb->unified ? &tlb->small : &tlb->large;

    return cache_touch(cache, page_index(page), page, 0);
}

bool translation_init(struct translation *translation, const struct model_parameters *parameters,
                      struct model_world world)
{
    memset(translation, 0, sizeof *translation);
    translation->parameters = parameters;
    translation->world = world;
    translation->walkers = parameters->walkers ? parameters->walkers : 1;
    return translation->walkers <= WALKERS_MAX && tlb_init(&translation->data, &parameters->dtlb) &&
           tlb_init(&translation->code, &parameters->itlb) &&
           tlb_init(&translation->second, &parameters->stlb);
}

void translation_free(struct translation *translation)
{
    tlb_free(&translation->data);
    tlb_free(&translation->code);
    tlb_free(&translation->second);
}

void translation_flush(struct translation *translation)
{
    tlb_clear(&translation->data);
    tlb_clear(&translation->code);
    tlb_clear(&translation->second);
    memset(translation->walker, 0, sizeof translation->walker);
    translation->last_end = 0;
}

static uint64_t page_of(const struct translation *translation, uint64_t address)
{
    unsigned shift = translation->world.page_shift(translation->world.context, address);

    if (shift >= PAGE_1G)
        return page_tag(address, CLASS_1G);
    return page_tag(address, shift >= PAGE_2M ? CLASS_2M : CLASS_4K);
}

/* A walker that is idle at `cycle`, or NULL. Accesses come in program order, so a walk that was booked for later than this
 * access does not stand in its way. */
static struct walk *idle_walker(struct translation *translation, uint64_t cycle)
{
    for (unsigned i = 0; i < translation->walkers; i++) {
        struct walk *walk = &translation->walker[i];

        if (cycle >= walk->end || cycle < walk->begin)
            return walk;
    }
    return NULL;
}

/* Gives the cycle in which the walk is over. */
static uint64_t walk_begin(struct translation *translation, uint64_t page, uint64_t cycle)
{
    struct walk *walk = idle_walker(translation, cycle);
    uint64_t end;

    if (!walk) {
        walk = &translation->walker[0];
        for (unsigned i = 1; i < translation->walkers; i++) {
            if (translation->walker[i].end < walk->end)
                walk = &translation->walker[i];
        }
        cycle = walk->end;
    }
    end = cycle + translation->parameters->walk_latency;
    if (cycle >= walk->end) /* keep a booking that is later than this one */
        *walk = (struct walk){ page, cycle, end };
    if (end > translation->last_end)
        translation->last_end = end;
    return end;
}

/* The page is in the first level as soon as its walk begins; the address is known when the walk ends. */
static uint64_t walk_pending(const struct translation *translation, uint64_t page, uint64_t cycle)
{
    for (unsigned i = 0; i < translation->walkers; i++) {
        const struct walk *walk = &translation->walker[i];

        if (walk->page == page && cycle >= walk->begin && cycle < walk->end)
            return walk->end;
    }
    return cycle;
}

struct translated translate(struct translation *translation, struct tlb *first, uint64_t address,
                            uint64_t cycle)
{
    struct translated result = { .ready = cycle };
    uint64_t page;

    if (tlb_touch(first, address, &page)) {
        if (cycle < translation->last_end)
            result.ready = walk_pending(translation, page, cycle);
        return result;
    }
    page = page_of(translation, address);
    tlb_insert(first, page);
    if (tlb_touch_page(&translation->second, page)) {
        result.second_level = true;
        result.ready += translation->parameters->stlb_latency;
        return result;
    }
    tlb_insert(&translation->second, page);
    result.walk = true;
    result.ready = walk_begin(translation, page, cycle);
    return result;
}

struct translated translate_untimed(struct translation *translation, struct tlb *first,
                                    uint64_t address)
{
    struct translated result = { 0 };
    uint64_t page;

    if (tlb_touch(first, address, &page))
        return result;
    page = page_of(translation, address);
    tlb_insert(first, page);
    result.second_level = tlb_touch_page(&translation->second, page);
    if (result.second_level) {
        result.ready = translation->parameters->stlb_latency;
        return result;
    }
    tlb_insert(&translation->second, page);
    result.walk = true;
    result.ready = translation->parameters->walk_latency;
    return result;
}
