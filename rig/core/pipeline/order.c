/* Loads and older stores: forwarding, disambiguation, 4 KiB aliases; and writes of other cores to
 * lines that loads have read.
 *
 * The model sees instructions in program order and knows in which cycle the address of every older
 * store was known. A load may begin earlier when it is predicted to overlap no such store. The
 * predictor follows J. Doweck, "Inside Intel Core Microarchitecture and Smart Memory Access"
 * (Intel, 2006) and US patent 8549263: a saturating counter for each of 256 loads. When store
 * addresses were unknown, the counter counts up if the load overlapped no store, and starts again
 * at zero if it did; only a load with a saturated counter may pass. Left out is the watchdog that
 * switches the predictor off. */
#include "order.h"

#include <stddef.h>
#include <string.h>

#define PASSES_SATURATED 15u  /* of a counter of four bits */
#define ALIAS_MASK       4095 /* address bits by which loads are first compared with stores */
#define ALIAS_GRANULES   512u /* of 8 bytes, in 4 KiB */

/* The stores to the unit, the youngest first; those of another unit may be in their place. */
static struct store_seen *stores_to(struct stores *stores, uint64_t granule)
{
    return stores->seen[granule % FORWARD_ENTRIES];
}

/* Remembers the store to the unit. Older stores to the same unit stay, unless the store covers
 * them. */
static void remember(struct store_seen *stores, const struct store_seen *store)
{
    const struct store_seen *first = &stores[0];
    const bool covered = store->address <= first->address &&
                         first->address + first->size <= store->address + store->size;

    if (first->granule == store->granule && !covered)
        memmove(stores + 1, stores, (FORWARD_STORES - 1) * sizeof(*stores));
    else if (first->granule != store->granule)
        for (unsigned i = 1; i < FORWARD_STORES; i++)
            stores[i].granule = NOWHERE;
    stores[0] = *store;
}

void order_store(struct stores *stores, const struct access *access, const struct store_seen *store)
{
    struct store_seen seen = *store;

    seen.address = access->address;
    seen.size = access->size;
    for (seen.granule = access->address / 8;
         seen.granule <= (access->address + access->size - 1) / 8; seen.granule++)
        remember(stores_to(stores, seen.granule), &seen);
    stores->addresses_known = later(stores->addresses_known, store->known);
}

/* The youngest of the unit's stores that overlaps the load and is in the store buffer at `cycle`,
 * or NULL. */
static const struct store_seen *youngest_overlap(const struct store_seen *stores, uint64_t granule,
                                                 const struct access *access, uint64_t cycle)
{
    for (unsigned i = 0; i < FORWARD_STORES && stores[i].granule == granule; i++)
        if (stores[i].commit > cycle && stores[i].address < access->address + access->size &&
            access->address < stores[i].address + stores[i].size)
            return &stores[i];
    return NULL;
}

/* The youngest older store still in the store buffer at `cycle` that overlaps this load, or NULL.
 */
static const struct store_seen *overlapping_store(struct stores *stores,
                                                  const struct access *access, uint64_t cycle)
{
    for (uint64_t granule = access->address / 8;
         granule <= (access->address + access->size - 1) / 8; granule++) {
        const struct store_seen *store =
            youngest_overlap(stores_to(stores, granule), granule, access, cycle);

        if (store != NULL)
            return store;
    }
    return NULL;
}

static bool aliases(const struct store_seen *store, const struct access *access, uint64_t cycle)
{
    const uint64_t load_at = access->address & ALIAS_MASK, store_at = store->address & ALIAS_MASK;

    return store->granule != NOWHERE && store->commit > cycle && store->known <= cycle &&
           store->address >> 12 != access->address >> 12 && store_at < load_at + access->size &&
           load_at < store_at + store->size;
}

/* Whether a store to the same offset of another page is still in the store buffer: its lower
 * address bits match, and only a second comparison shows that it is another address. */
static bool aliased(struct stores *stores, const struct access *access, uint64_t cycle)
{
    const uint64_t granule = access->address / 8;

    return aliases(stores_to(stores, granule), access, cycle) ||
           aliases(stores_to(stores, granule + ALIAS_GRANULES), access, cycle);
}

uint64_t order_renamed(struct stores *stores, uint64_t now, const struct access *access,
                       unsigned spill)
{
    const uint64_t last = access->address + access->size - 1;
    const struct store_seen *store = stores_to(stores, access->address / 8);
    const struct store_seen *end = stores_to(stores, last / 8);

    if (store->granule != access->address / 8 || end->granule != last / 8 ||
        store->address != access->address || store->size != access->size ||
        end->address != access->address || end->size != access->size || store->spill != spill ||
        access->address / 64 != last / 64 || store->commit <= now)
        return NOWHERE;
    return store->value;
}

/* The addresses of older stores are not known when that of the load is: in the cycle behind the one
 * in which the load could begin. Gives the cycle in which the load begins, and learns. `store`: the
 * store that it overlaps, or NULL. */
static uint64_t pass_or_wait(const struct model_parameters *p, struct loads *loads,
                             const struct stores *stores, uint64_t rip,
                             const struct store_seen *store, uint64_t cycle)
{
    uint8_t *passes = &loads->passes[rip % PASSING_LOADS];
    const bool free = *passes == PASSES_SATURATED;
    const bool conflicts = store != NULL && store->known > cycle + 1;

    if (conflicts)
        *passes = 0;
    else if (!free)
        ++*passes;
    if (!free && !(p->ideal & IDEAL_MEMORY))
        return stores->addresses_known;
    loads->passed_wrongly |= free && conflicts;
    return conflicts ? store->known : cycle;
}

void order_trust_loads(struct loads *loads)
{
    memset(loads->passes, PASSES_SATURATED, sizeof(loads->passes));
}

/* The load from memory at `cycle`; if it crosses a line, when a split register is free. */
static struct reach load_from_memory(const struct model_parameters *p,
                                     struct memory_hierarchy *memory,
                                     struct split_registers_state *registers,
                                     const struct access *access, bool locked, uint64_t cycle,
                                     uint32_t *flags)
{
    const bool split = (access->address ^ (access->address + access->size - 1)) / 64 != 0;
    uint64_t *held = split && p->split_registers.count
                         ? split_registers_first(&p->split_registers, registers)
                         : NULL;
    const uint64_t begin = held != NULL ? later(cycle, *held) : cycle;
    struct reach reach =
        (locked ? memory_load_locked : memory_load)(memory, access->address, access->size, begin);

    if (held != NULL)
        *held = reach.done;
    if (begin == cycle)
        return reach;
    *flags |= RETIRE_SPLIT_BLOCKED;
    if (begin - cycle >= reach.done - begin)
        reach.late = LATE_SPLIT;
    return reach;
}

struct reach order_load(struct model *model, uint64_t rip, const struct access *access, bool locked,
                        uint64_t cycle, uint32_t *flags)
{
    const struct model_parameters *p = model->p;
    const struct store_seen *store = overlapping_store(&model->stores, access, cycle);
    struct reach reach = {.level = LEVEL_L1};
    uint64_t begin = cycle;

    if (cycle + 1 < model->stores.addresses_known) {
        begin = pass_or_wait(model->p, &model->loads, &model->stores, rip, store, cycle);
        if (store != NULL && store->commit <= begin)
            store = NULL;
    }
    if (store != NULL && (p->ideal & IDEAL_MEMORY ||
                          (store->address <= access->address &&
                           access->address + access->size <= store->address + store->size))) {
        reach.done = later(begin, store->data_begun) + p->forward_latency;
    } else if (store != NULL) {
        reach.done = later(begin, store->commit) + p->forward_blocked;
        reach.late = LATE_FORWARD_BLOCKED;
        *flags |= RETIRE_FORWARD_BLOCKED;
        return reach;
    } else {
        const bool alias = p->alias_penalty && aliased(&model->stores, access, begin);

        if (alias) {
            begin += p->alias_penalty;
            *flags |= RETIRE_ALIAS;
        }
        reach = load_from_memory(model->p, model->memory, &model->mechanisms.split_registers,
                                 access, locked, begin, flags);
        if (alias && reach.late == LATE_NOT)
            reach.late = LATE_ALIAS;
    }
    if (reach.late == LATE_NOT && begin > cycle)
        reach.late = LATE_UNKNOWN_STORE;
    return reach;
}

void order_snoop(struct loads *loads, uint64_t now, uint64_t line)
{
    for (uint64_t i = loads->count; i > 0 && loads->count - i < SLOT_RING; i--) {
        const unsigned index = (unsigned)((i - 1) % SLOT_RING);
        const struct load_seen *load = &loads->seen[index];

        if (loads->freed[index] <= now)
            return;
        if (load->done <= now && load->first <= line && line <= load->last) {
            loads->snooped = true;
            return;
        }
    }
}
