/* Where a line is found: L1, the lines under way, L2 and its prefetchers, other cores, memory. */
#include "lines.h"

#include <stddef.h>

/* A line was asked for beyond L2: the subscriber of the thread that asks is called. */
static void report(struct memory_hierarchy *memory, enum level level, enum late served)
{
    const struct memory_hierarchy *asker = memory->asker;

    if (asker->request != NULL)
        asker->request(asker->request_context, memory->asking, reach_origin(level, served));
}

/* Without a private L2, a line that was written goes on to the shared cache. True: a modified line
 * left L2 for memory. */
static bool put_in_l2(struct memory_hierarchy *memory, uint64_t line, uint64_t flags,
                      uint64_t cycle)
{
    uint64_t victim = memory->caches.l2.sets ? cache_insert(&memory->caches.l2, line, line, flags)
                      : flags & ENTRY_DIRTY  ? line << ENTRY_TAG_SHIFT | ENTRY_VALID | ENTRY_DIRTY
                                             : 0;

    if (victim)
        shared_put_victim(memory->shared, memory->cpu, victim, cycle);
    return victim & ENTRY_DIRTY && !memory->parameters->l3_slice.ways;
}

/* The same, and a line that goes to memory is reported. */
static void place_in_l2(struct memory_hierarchy *memory, uint64_t line, uint64_t flags,
                        uint64_t cycle)
{
    const enum request asking = memory->asking;

    if (!put_in_l2(memory, line, flags, cycle))
        return;
    memory->asking = REQUEST_WRITEBACK;
    report(memory, LEVEL_MEMORY, LATE_MEMORY);
    memory->asking = asking;
}

void waited(struct found_line *found, enum late late, uint64_t cycles)
{
    if (cycles == 0 || cycles < found->longest)
        return;
    found->longest = cycles;
    found->late = late;
}

/* Core cycles of a latency beyond L2: the way through L2 takes cycles of the core, the rest takes
 * time. */
static uint64_t beyond_l2(const struct memory_hierarchy *memory, uint64_t latency)
{
    const uint64_t within = memory->parameters->l2.latency;

    if (memory->mhz == memory->first_mhz || latency <= within)
        return latency;
    return within + ((latency - within) * memory->mhz + memory->first_mhz / 2) / memory->first_mhz;
}

/* The same of L3 and of what comes through it. */
static uint64_t through_l3(const struct memory_hierarchy *memory, uint64_t latency)
{
    return memory->parameters->l3_core_clock ? latency : beyond_l2(memory, latency);
}

/* A line that another core of the package has, which comes through L3. Where no latency is
 * published for it, the latency is L3's; without an L3, memory's. */
static struct found_line from_other_core(const struct memory_hierarchy *memory, bool modified,
                                         uint64_t cycle)
{
    const struct model_parameters *p = memory->parameters;
    const enum late late = modified ? LATE_CONTESTED : LATE_SHARED;
    const uint64_t published = modified ? p->contested_latency : p->shared_latency;
    const uint64_t latency = published          ? through_l3(memory, published)
                             : p->l3_slice.ways ? through_l3(memory, p->l3_slice.latency)
                                                : beyond_l2(memory, p->memory_latency);

    return (struct found_line){.ready = cycle + latency,
                               .longest = latency,
                               .level = LEVEL_L3,
                               .late = late,
                               .served = late};
}

/* A line that comes from afar. Where no latency is published for the caches of another package, it
 * is taken to be that of its memory, which is a guess. */
static struct found_line from_afar(const struct memory_hierarchy *memory, enum late late,
                                   uint64_t cycle)
{
    const struct model_parameters *p = memory->parameters;
    const uint64_t published = late == LATE_FAR_CONTESTED ? p->far_contested_latency
                               : late == LATE_FAR_SHARED  ? p->far_shared_latency
                                                          : 0;
    const uint64_t latency =
        beyond_l2(memory, published ? published : shared_far(memory->shared, p->memory_latency));

    return (struct found_line){.ready = cycle + latency,
                               .longest = latency,
                               .level = LEVEL_MEMORY,
                               .late = late,
                               .served = late};
}

static struct found_line from_memory(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle)
{
    const uint64_t latency = beyond_l2(memory, memory->parameters->memory_latency),
                   begin = shared_read_memory(memory->shared, memory->cpu, line, cycle);
    struct found_line found = {.ready = begin + latency, .level = LEVEL_MEMORY};

    if (shared_is_remote(memory->shared, memory->cpu, line)) {
        found = from_afar(memory, LATE_FAR_MEMORY, begin);
    } else {
        found.served = LATE_MEMORY;
        waited(&found, LATE_MEMORY, latency);
    }
    waited(&found, LATE_BANDWIDTH, begin - cycle);
    return found;
}

/* A line that the caches of another core have. */
static struct found_line from_caches(const struct memory_hierarchy *memory, enum shared_found where,
                                     uint64_t cycle)
{
    if (where == SHARED_REMOTE_CLEAN || where == SHARED_REMOTE_MODIFIED)
        return from_afar(
            memory, where == SHARED_REMOTE_CLEAN ? LATE_FAR_SHARED : LATE_FAR_CONTESTED, cycle);
    return from_other_core(memory, where == SHARED_MODIFIED, cycle);
}

/* The line takes an entry of L2's queue from `begin` until it is ready. */
static void note_read(struct memory_hierarchy *memory, uint64_t line, uint64_t begin,
                      const struct found_line *found, uint64_t cycle)
{
    const struct fill made = {.line = line, .begin = begin, .ready = found->ready};

    if (memory->parameters->superqueue)
        fill_note(&memory->queue, &made, cycle);
    if ((memory->reading || memory->parameters->superqueue) && memory->read_count < LINE_READS)
        memory->reads[memory->read_count++] =
            (struct line_read){begin, found->ready, memory->reading};
}

/* Finds the line below L2, as soon as L2's queue has a free entry, and leaves it in L2. */
static struct found_line bring_to_l2(struct memory_hierarchy *memory, uint64_t line, uint64_t asked)
{
    const struct model_parameters *p = memory->parameters;
    const uint64_t cycle = p->superqueue ? fill_begin(&memory->queue, asked) : asked;
    struct found_line found = {.level = LEVEL_L3, .served = LATE_L3};
    uint64_t flags;
    const enum shared_found where = shared_take(memory->shared, memory->cpu, line, &flags, cycle);

    if (where == SHARED_L3) {
        flags |= ENTRY_REUSED;
        found.ready = cycle + through_l3(memory, p->l3_slice.latency);
        waited(&found, LATE_L3, found.ready - cycle);
    } else if (where == SHARED_NOWHERE) {
        found = from_memory(memory, line, cycle);
    } else {
        found = from_caches(memory, where, cycle);
    }
    report(memory, found.level, found.served);
    place_in_l2(memory, line, flags, cycle);
    waited(&found, LATE_QUEUE, cycle - asked);
    note_read(memory, line, cycle, &found, asked);
    return found;
}

/* Asks for the lines that the prefetchers of L2 want after an access to this line. */
static void prefetch_from(struct memory_hierarchy *memory, uint64_t line, bool missed,
                          uint64_t cycle)
{
    struct prefetcher *prefetcher = &memory->prefetcher;
    uint64_t lines[PREFETCH_LINES];
    const unsigned count = prefetch_lines(prefetcher, memory->parameters, line, missed, lines);

    memory->asking =
        memory->asking == REQUEST_OWNERSHIP ? REQUEST_PREFETCH_OWNERSHIP : REQUEST_PREFETCH_READ;
    for (unsigned i = 0; i < count; i++) {
        struct prefetch_flight *flight = prefetch_room(prefetcher, memory->parameters, cycle);
        struct found_line found;

        if (flight == NULL || (memory->parameters->superqueue &&
                               fills_busy(&memory->queue, cycle) >= memory->queue.limit))
            return;
        if (cache_has(&memory->caches.l2, lines[i], lines[i]))
            continue;
        found = bring_to_l2(memory, lines[i], cycle);
        *flight = (struct prefetch_flight){.line = lines[i],
                                           .ready = found.ready,
                                           .level = (uint8_t)found.level,
                                           .late = (uint8_t)found.late,
                                           .served = (uint8_t)found.served};
        if (found.ready > prefetcher->last_ready)
            prefetcher->last_ready = found.ready;
    }
}

struct found_line bring(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle)
{
    const struct prefetch_flight *flight;
    struct found_line found = {
        .ready = cycle + memory->parameters->l2.latency, .level = LEVEL_L2, .served = LATE_L2};

    if (!cache_touch(&memory->caches.l2, line, line, ENTRY_REUSED))
        return bring_to_l2(memory, line, cycle);
    waited(&found, LATE_L2, memory->parameters->l2.latency);
    flight = prefetch_pending(&memory->prefetcher, line, memory->parameters, cycle);
    if (flight == NULL || flight->ready <= found.ready)
        return found;
    return (struct found_line){.ready = flight->ready,
                               .longest = flight->ready - cycle,
                               .level = (enum level)flight->level,
                               .late = (enum late)flight->late,
                               .served = (enum late)flight->served};
}

/* The line is in this core's caches and is about to be written to: no other core may keep it. */
static void own_line(struct memory_hierarchy *memory, uint64_t line, struct found_line *found)
{
    const enum shared_found others = shared_own(memory->shared, memory->cpu, line);
    struct found_line asked;

    memory->beyond++;
    if (others == SHARED_NOWHERE)
        return;
    asked = from_caches(memory, others, found->ready);
    report(memory, asked.level, asked.served);
    waited(&asked, found->late, found->longest);
    *found = asked;
}

/* Sends a line that streaming stores wrote, whether all of it is written or not. Its buffer is kept
 * as long as a read from memory takes. That is a guess: McCalpin (in Intel's forum, on streaming
 * stores of one core) says that their rate is limited by how long a buffer is kept. */
void send_stream(struct memory_hierarchy *memory, const struct stream_line *open, uint64_t cycle)
{
    const uint64_t begin = shared_write_memory(memory->shared, memory->cpu,
                                               cycle > open->opened ? cycle : open->opened);
    const uint64_t latency = memory->parameters->memory_latency;
    const bool far = shared_is_remote(memory->shared, memory->cpu, open->line);
    const enum late late = far ? LATE_FAR_MEMORY : LATE_MEMORY;
    const struct fill made = {
        .line = open->line,
        .begin = open->opened,
        .ready = begin + beyond_l2(memory, far ? shared_far(memory->shared, latency) : latency),
        .level = LEVEL_MEMORY,
        .late = late,
        .served = late};

    fill_note(&memory->fills, &made, cycle);
    if (made.ready > memory->streams.gone)
        memory->streams.gone = made.ready;
    memory->asking = REQUEST_STREAMING;
    report(memory, LEVEL_MEMORY, late);
    stream_close(&memory->streams, open);
}

/* Finds the line below L1 from `cycle` on and puts it in L1. */
static struct found_line fetch_line(struct memory_hierarchy *memory, uint64_t line, uint64_t flags,
                                    uint64_t cycle)
{
    struct fill made = {.line = line, .begin = fill_begin(&memory->fills, cycle)};
    const uint64_t l2_entry = flags ? cache_entry(&memory->caches.l2, line, line) : 0;
    struct found_line found;
    const enum request asking = memory->asking;
    struct stream_line *open = stream_find(&memory->streams, line);
    uint64_t victim;

    memory->beyond++;
    if (open != NULL)
        send_stream(memory, open, cycle);
    memory->asking = asking;
    memory->reading = flags == 0;
    found = bring(memory, line, made.begin);
    if (l2_entry && !(l2_entry & ENTRY_DIRTY))
        own_line(memory, line, &found);
    else if (flags)
        shared_claim(memory->shared, memory->cpu, line);
    prefetch_from(memory, line, found.level > LEVEL_L2, made.begin);
    memory->reading = false;
    victim = cache_insert(&memory->caches.l1d, line, line, flags);
    if (victim & ENTRY_DIRTY)
        place_in_l2(memory, entry_tag(victim), ENTRY_DIRTY, made.begin);
    waited(&found, LATE_FILL_BUFFER, made.begin - cycle);
    made.ready = found.ready;
    made.level = found.level;
    made.late = found.late;
    made.served = found.served;
    found.buffered = made.begin;
    fill_note(&memory->fills, &made, cycle);
    return found;
}

struct found_line reach_line(struct memory_hierarchy *memory, uint64_t line, uint64_t flags,
                             uint64_t cycle)
{
    struct found_line found = {.ready = cycle, .level = LEVEL_L1};
    struct fill *fill;
    bool owned;

    if (!cache_touch(&memory->caches.l1d, line, line, 0))
        return fetch_line(memory, line, flags, cycle);
    fill = fill_pending(&memory->fills, line, cycle);
    if (fill != NULL) {
        found.level = fill_join(&memory->fills, fill, cycle) ? fill->level : LEVEL_FILL_BUFFER;
        found.ready = fill->ready;
        found.served = fill->served;
        waited(&found, fill->late, fill->ready - cycle);
    }
    if (!flags)
        return found;
    owned = cache_set(&memory->caches.l1d, line)[0] & ENTRY_DIRTY;
    cache_set(&memory->caches.l1d, line)[0] |= flags;
    if (!owned)
        own_line(memory, line, &found);
    return found;
}

/* Dropped when half of the fill buffers are busy: the manual says "not many other load misses" and
 * gives no number. */
void prefetch_to_l1(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle)
{
    if (cache_has(&memory->caches.l1d, line, line) ||
        fills_busy(&memory->fills, cycle) >= memory->fills.limit / 2)
        return;
    memory->asking = REQUEST_L1_PREFETCH;
    fetch_line(memory, line, 0, cycle);
}

/* The line comes to L2, unless L2 has it. */
static void keep_in_l2(struct memory_hierarchy *memory, uint64_t line, uint64_t cycle)
{
    uint64_t flags;
    enum shared_found where;

    if (cache_touch(&memory->caches.l2, line, line, ENTRY_REUSED))
        return;
    where = shared_take(memory->shared, memory->cpu, line, &flags, cycle);
    if (where == SHARED_NOWHERE)
        shared_read_memory(memory->shared, memory->cpu, line, cycle);
    put_in_l2(memory, line, flags | (where == SHARED_L3 ? ENTRY_REUSED : 0), cycle);
}

void keep_line(struct memory_hierarchy *memory, uint64_t line, uint64_t flags, uint64_t cycle)
{
    struct bus *bus = &memory->caches.bus;
    const uint32_t interval = bus->interval;
    const uint64_t last = bus->last;
    uint64_t victim;

    if (cache_touch(&memory->caches.l1d, line, line, 0)) {
        if (flags && !(cache_set(&memory->caches.l1d, line)[0] & ENTRY_DIRTY)) {
            memory->beyond++;
            shared_own(memory->shared, memory->cpu, line);
        }
        cache_set(&memory->caches.l1d, line)[0] |= flags;
        return;
    }
    memory->beyond++;
    bus->interval = 0; /* nothing is booked */
    keep_in_l2(memory, line, cycle);
    if (flags)
        shared_own(memory->shared, memory->cpu, line);
    victim = cache_insert(&memory->caches.l1d, line, line, flags);
    if (victim & ENTRY_DIRTY)
        put_in_l2(memory, entry_tag(victim), ENTRY_DIRTY, cycle);
    bus->interval = interval;
    bus->last = last;
}
