/* Address translation: two levels of TLBs and page walks. */
#include "tlb.h"

#include <string.h>

#define PAGE_4K 12
#define PAGE_2M 21
#define PAGE_1G 30

/* Pages of different sizes never share a tag: its low two bits name the size. */
enum page_size { SIZE_4K, SIZE_2M, SIZE_1G };

static const uint8_t page_shift[] = {PAGE_4K, PAGE_2M, PAGE_1G};

static uint64_t page_tag(uint64_t address, enum page_size size)
{
    return (address >> page_shift[size]) << 2 | size;
}

/* The tag without the size: neighbouring pages go to neighbouring sets. */
static uint64_t page_index(uint64_t tag)
{
    return tag >> 2;
}

static bool tlb_init(struct tlb *tlb, const struct tlb_geometry *geometry)
{
    uint32_t ways_4k = geometry->ways_4k, ways_2m = geometry->ways_2m;

    memset(tlb, 0, sizeof(*tlb));
    if ((ways_4k && geometry->entries_4k % ways_4k) || (ways_2m && geometry->entries_2m % ways_2m))
        return false;
    tlb->unified = !geometry->entries_2m;
    tlb->last = UINT64_MAX;
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
    tlb->last = UINT64_MAX; /* no page has that number */
}

/* The cache that holds pages of this one's size. */
static struct cache *tlb_cache(struct tlb *tlb, uint64_t page)
{
    return (page & 3) == SIZE_4K || tlb->unified ? &tlb->small : &tlb->large;
}

static bool tlb_touch_page(struct tlb *tlb, uint64_t page)
{
    if (!cache_touch(tlb_cache(tlb, page), page_index(page), page, 0))
        return false;
    tlb->last = page_index(page);
    tlb->last_shift = page_shift[page & 3];
    return true;
}

/* Whether the TLB has the page of this address; *page: the tag of the page found. */
static bool tlb_touch(struct tlb *tlb, uint64_t address, uint64_t *page)
{
    *page = page_tag(address, SIZE_4K);
    if (tlb_touch_page(tlb, *page))
        return true;
    *page = page_tag(address, SIZE_2M);
    if (tlb_touch_page(tlb, *page))
        return true;
    *page = page_tag(address, SIZE_1G);
    return tlb->has_1g && tlb_touch_page(tlb, *page);
}

bool translation_held(struct tlb *first, uint64_t address)
{
    uint64_t page;

    return tlb_touch(first, address, &page);
}

static void tlb_insert(struct tlb *tlb, uint64_t page)
{
    tlb->has_1g |= (page & 3) == SIZE_1G;
    cache_insert(tlb_cache(tlb, page), page_index(page), page, 0);
    tlb_touch_page(tlb, page);
}

bool translation_init(struct translation *translation, const struct model_parameters *parameters,
                      struct model_world world)
{
    memset(translation, 0, sizeof(*translation));
    translation->parameters = parameters;
    translation->world = world;
    translation->walkers = parameters->walkers ? parameters->walkers : 1;
    return translation->walkers <= WALKS / 2 && tlb_init(&translation->data, &parameters->dtlb) &&
           tlb_init(&translation->code, &parameters->itlb) &&
           tlb_init(&translation->second, &parameters->stlb);
}

void translation_free(struct translation *translation)
{
    tlb_free(&translation->data);
    tlb_free(&translation->code);
    tlb_free(&translation->second);
}

void translation_flush_first(struct translation *translation)
{
    tlb_clear(&translation->data);
}

void translation_flush(struct translation *translation)
{
    tlb_clear(&translation->data);
    tlb_clear(&translation->code);
    tlb_clear(&translation->second);
    memset(translation->walk, 0, sizeof(translation->walk));
    translation->last_end = 0;
}

static uint64_t page_of(const struct translation *translation, uint64_t address)
{
    unsigned shift = translation->world.page_shift(translation->world.context, address);

    if (shift >= PAGE_1G)
        return page_tag(address, SIZE_1G);
    return page_tag(address, shift >= PAGE_2M ? SIZE_2M : SIZE_4K);
}

/* The first cycle from `cycle` on in which a walker is free. Accesses come in program order, not in
 * the order of their cycles: a walk that begins later than this access does not delay it. */
static uint64_t walker_idle(const struct translation *translation, uint64_t cycle)
{
    for (;;) {
        uint64_t first = UINT64_MAX;
        unsigned busy = 0;

        for (unsigned i = 0; i < WALKS; i++) {
            const struct walk_interval *walk = &translation->walk[i];

            if (walk->begin <= cycle && cycle < walk->end) {
                busy++;
                first = walk->end < first ? walk->end : first;
            }
        }
        if (busy < translation->walkers)
            return cycle;
        cycle = first;
    }
}

/* Gives the cycle in which the walk is over. The walk is remembered in place of the walk that was
 * over first. */
static uint64_t walk_begin(struct translation *translation, uint64_t page, uint64_t cycle)
{
    struct walk_interval made = {.page = page, .begin = walker_idle(translation, cycle)};
    struct walk_interval *oldest = &translation->walk[0];

    made.end = made.begin + translation->parameters->walk_latency;
    for (unsigned i = 1; i < WALKS; i++) {
        if (translation->walk[i].end < oldest->end)
            oldest = &translation->walk[i];
    }
    *oldest = made;
    if (made.end > translation->last_end)
        translation->last_end = made.end;
    return made.end;
}

/* The page is in the first level as soon as its walk begins, but its address is known only when the
 * walk ends. Gives the cycle in which the walk ends; without a walk of the page, `cycle`. */
static uint64_t walk_pending(const struct translation *translation, uint64_t page, uint64_t cycle)
{
    for (unsigned i = 0; i < WALKS; i++) {
        const struct walk_interval *walk = &translation->walk[i];

        if (walk->page == page && cycle >= walk->begin && cycle < walk->end)
            return walk->end;
    }
    return cycle;
}

enum tlb_level { TLB_FIRST, TLB_SECOND, TLB_NOWHERE };

/* Where the page of the address was found; *page: its tag. Afterwards both levels have it. */
static enum tlb_level find(struct translation *translation, struct tlb *first, uint64_t address,
                           uint64_t *page)
{
    if (tlb_touch(first, address, page))
        return TLB_FIRST;
    translation->beyond++;
    *page = page_of(translation, address);
    tlb_insert(first, *page);
    if (tlb_touch_page(&translation->second, *page))
        return TLB_SECOND;
    tlb_insert(&translation->second, *page);
    return TLB_NOWHERE;
}

struct translated translate_other(struct translation *translation, struct tlb *first,
                                  uint64_t address, uint64_t cycle)
{
    struct translated result = {.ready = cycle};
    uint64_t page;

    switch (find(translation, first, address, &page)) {
    case TLB_FIRST:
        if (cycle < translation->last_end)
            result.ready = walk_pending(translation, page, cycle);
        break;
    case TLB_SECOND:
        result.second_level = true;
        result.ready += translation->parameters->stlb_latency;
        break;
    case TLB_NOWHERE:
        result.walk = true;
        result.ready = walk_begin(translation, page, cycle);
        break;
    }
    return result;
}

void translation_keep(struct translation *translation, struct tlb *first, uint64_t address)
{
    uint64_t page;

    find(translation, first, address, &page);
}
