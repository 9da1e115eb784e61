#include "pages.h"

#define LOW_MEMORY (1ull << 20)

static void append(struct pages *to, uint64_t begin, uint64_t end, uint32_t type)
{
    struct pages_range *last = &to->ranges[to->count];

    if (begin >= end)
        return;
    if (to->count > 0 && last[-1].end == begin && last[-1].type == type)
        last[-1].end = end;
    else if (to->count < PAGES_RANGES)
        to->ranges[to->count++] = (struct pages_range){begin, end, type};
    else
        to->count = PAGES_RANGES + 1; /* full: the caller drops it */
}

/* Copies `pages` with [begin, end) of another type. False: it has more ranges than there is room
 * for. */
static bool copy_with(struct pages *to, const struct pages *pages, uint64_t begin, uint64_t end,
                      uint32_t type)
{
    bool put = false;

    to->count = 0;
    for (unsigned i = 0; i < pages->count && to->count <= PAGES_RANGES; i++) {
        const struct pages_range *range = &pages->ranges[i];

        append(to, range->begin, range->end < begin ? range->end : begin, range->type);
        if (!put && range->end > begin && to->count <= PAGES_RANGES) {
            append(to, begin, end, type);
            put = true;
        }
        if (to->count <= PAGES_RANGES)
            append(to, range->begin > end ? range->begin : end, range->end, range->type);
    }
    if (!put && to->count <= PAGES_RANGES)
        append(to, begin, end, type);
    return to->count <= PAGES_RANGES;
}

bool pages_set(struct pages *pages, uint64_t begin, uint64_t end, uint32_t type)
{
    static struct pages changed;

    if (end < begin || end > UINT64_MAX - PAGES_BYTES)
        end = UINT64_MAX - PAGES_BYTES;
    if (type == PAGES_FREE) {
        begin = (begin + PAGES_BYTES - 1) & ~(PAGES_BYTES - 1);
        end &= ~(PAGES_BYTES - 1);
    } else {
        begin &= ~(PAGES_BYTES - 1);
        end = (end + PAGES_BYTES - 1) & ~(PAGES_BYTES - 1);
    }
    if (begin >= end)
        return true;
    if (!copy_with(&changed, pages, begin, end, type))
        return false;
    changed.changes = pages->changes + 1;
    *pages = changed;
    return true;
}

uint64_t pages_take(struct pages *pages, uint64_t count, uint64_t last, uint32_t type)
{
    const uint64_t limit = last < PAGES_REACH ? last + 1 : PAGES_REACH;
    const uint64_t least = last < LOW_MEMORY ? PAGES_BYTES : LOW_MEMORY;

    if (count == 0 || count > PAGES_REACH / PAGES_BYTES)
        return 0;
    for (unsigned i = pages->count; i-- > 0;) {
        const struct pages_range *range = &pages->ranges[i];
        const uint64_t begin = range->begin > least ? range->begin : least;
        const uint64_t end = (range->end < limit ? range->end : limit) & ~(PAGES_BYTES - 1);

        if (range->type != PAGES_FREE || end <= begin || end - begin < count * PAGES_BYTES)
            continue;
        return pages_set(pages, end - count * PAGES_BYTES, end, type) ? end - count * PAGES_BYTES
                                                                      : 0;
    }
    return 0;
}

static bool is_given(uint32_t type)
{
    return type == PAGES_LOADER_CODE || type == PAGES_LOADER_DATA;
}

bool pages_give(struct pages *pages, uint64_t begin, uint64_t count)
{
    const uint64_t end = begin + count * PAGES_BYTES;
    uint64_t at = begin;

    if (begin % PAGES_BYTES || count == 0 || count > PAGES_REACH / PAGES_BYTES)
        return false;
    for (unsigned i = 0; i < pages->count && at < end; i++) {
        const struct pages_range *range = &pages->ranges[i];

        if (range->begin <= at && at < range->end && is_given(range->type))
            at = range->end;
    }
    return at >= end && pages_set(pages, begin, end, PAGES_FREE);
}
