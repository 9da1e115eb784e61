/* Address translation of one core: a first level for data and one for code, the second level for
 * both, page walkers. */
#ifndef RIG_CORE_MEMORY_TLB_H
#define RIG_CORE_MEMORY_TLB_H

#include "core/model.h"
#include "core/cache.h"
#include "core/parameters.h"

/* Walks that are remembered, whether they go on now or begin later. A full store buffer of Golden
 * Cove walks 112 times. */
#define WALKS 64

/* One level. Entries for 2 MiB pages also serve 1 GiB pages, each of which takes one of them. */
struct tlb {
    struct cache small, large; /* 4 KiB; 2 MiB and 1 GiB */
    bool unified;              /* `small` holds all sizes */
    bool has_1g;               /* it got a page of 1 GiB: only then are they looked for */
    uint64_t last;             /* number of the page used last, which is the latest of its set */
    unsigned last_shift;       /* log2 of its size */
};

struct walk_interval {
    uint64_t page; /* its tag in the TLBs */
    uint64_t begin, end;
};

struct translation {
    const struct model_parameters *parameters;
    struct model_world world;
    struct tlb data, code, second;
    uint64_t linear_above; /* bytes from an address of data to the one that is translated */
    uint64_t beyond;       /* how often a first level lacked a page */
    uint64_t last_end;     /* no walk goes on at this cycle or later */
    struct walk_interval walk[WALKS];
    unsigned walkers; /* at most WALKS / 2 */
};

struct translated {
    uint64_t ready; /* cycle from which the address is known */
    bool second_level, walk;
};

/* False when memory ran out or a figure is impossible. */
bool translation_init(struct translation *translation, const struct model_parameters *parameters,
                      struct model_world world);
void translation_free(struct translation *translation);
void translation_flush(struct translation *translation);
/* The first level for data loses what it has. */
void translation_flush_first(struct translation *translation);
/* Whether the first level `first` holds the translation; a use of it. */
bool translation_held(struct tlb *first, uint64_t address);
/* Leaves the translation in `first` and the second level, as translate() does, without a walk. */
void translation_keep(struct translation *translation, struct tlb *first, uint64_t address);
/* The part of translate() for any page but the one used last. */
struct translated translate_other(struct translation *translation, struct tlb *first,
                                  uint64_t address, uint64_t cycle);

/* Translates `address` for an access at `cycle`; `first` is `data` or `code` of `translation`. */
static inline struct translated translate(struct translation *translation, struct tlb *first,
                                          uint64_t address, uint64_t cycle)
{
    if (address >> first->last_shift == first->last && cycle >= translation->last_end)
        return (struct translated){.ready = cycle};
    return translate_other(translation, first, address, cycle);
}

#endif
