/* A snapshot: all of a unit's state that what it does next follows from, written one word after the
 * other. Two equal snapshots say that the unit will do the same with the same input. Cycles are
 * written as their distance from a given one, and what is over has one value, however long ago. */
#ifndef RIG_CORE_SNAPSHOT_H
#define RIG_CORE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct snapshot {
    uint64_t *word;
    size_t count, room;
    bool full; /* there was more than `room`: not a snapshot of everything */
};

/* One more word. */
static inline void snapshot_add(struct snapshot *snapshot, uint64_t word)
{
    if (snapshot->count < snapshot->room)
        snapshot->word[snapshot->count++] = word;
    else
        snapshot->full = true;
}

/* So many bytes, which are values alone: no cycles, no pointers. */
static inline void snapshot_bytes(struct snapshot *snapshot, const void *from, size_t bytes)
{
    const size_t words = (bytes + 7) / 8;

    if (snapshot->room - snapshot->count < words) {
        snapshot->full = true;
        return;
    }
    if (words > 0)
        snapshot->word[snapshot->count + words - 1] = 0;
    memcpy(&snapshot->word[snapshot->count], from, bytes);
    snapshot->count += words;
}

/* `cycle` as its distance from `now`. A cycle that came more than `most` cycles earlier counts as
 * that early. */
static inline void snapshot_cycle(struct snapshot *snapshot, uint64_t cycle, uint64_t now,
                                  uint64_t most)
{
    snapshot_add(snapshot, cycle + most < now ? UINT64_MAX - most : cycle - now);
}

static inline bool snapshot_equal(const struct snapshot *a, const struct snapshot *b)
{
    return !a->full && !b->full && a->count == b->count &&
           memcmp(a->word, b->word, a->count * sizeof(*a->word)) == 0;
}

#endif
