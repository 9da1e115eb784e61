/* Fill buffers: which lines are on their way, and when a buffer is free. */
#include "fill.h"

#include <string.h>

#define NO_LINE      UINT64_MAX
#define HINT_SEVERAL 255u

bool fills_init(struct fills *fills, unsigned buffers)
{
    memset(fills, 0, sizeof(*fills));
    fills->limit = buffers ? buffers : 1;
    fills->count = fills->limit * 2;
    for (unsigned i = 0; i < FILLS_MAX; i++)
        fills->fill[i].line = NO_LINE;
    return fills->limit <= FILL_BUFFERS_MAX;
}

/* How many fills are in flight, and when the first of them is over. Without a branch, because which
 * fills are over follows no pattern that a host could learn. A fill that begins later than `cycle`
 * is not counted: its unsigned difference to `cycle` is huge. */
static unsigned under_way(const struct fills *fills, uint64_t cycle, uint64_t *first_over)
{
    uint64_t first = UINT64_MAX;
    unsigned count = 0;

    for (unsigned i = 0; i < fills->count; i++) {
        const struct fill *fill = &fills->fill[i];
        const unsigned busy = cycle - fill->begin < fill->ready - fill->begin;
        const uint64_t ready = fill->ready | ((uint64_t)busy - 1);

        count += busy;
        first = ready < first ? ready : first;
    }
    *first_over = first;
    return count;
}

unsigned fills_busy(const struct fills *fills, uint64_t cycle)
{
    uint64_t ignored;

    return cycle < fills->last_ready ? under_way(fills, cycle, &ignored) : 0;
}

uint64_t fill_begin(struct fills *fills, uint64_t cycle)
{
    uint64_t from = cycle, first_over;

    if (fills->full_from <= cycle && cycle < fills->full_to) {
        from = fills->full_from;
        cycle = fills->full_to;
    }
    while (cycle < fills->last_ready && under_way(fills, cycle, &first_over) >= fills->limit)
        cycle = first_over;
    fills->full_from = from;
    fills->full_to = cycle;
    return cycle;
}

static void hints_renew(struct fills *fills)
{
    memset(fills->hint, 0, sizeof(fills->hint));
    for (unsigned i = 0; i < fills->count; i++) {
        uint8_t *hint = &fills->hint[fills->fill[i].line % FILL_HINTS];

        if (fills->fill[i].line != NO_LINE)
            *hint = (uint8_t)(*hint ? HINT_SEVERAL : i + 1);
    }
}

/* All fills are over: back to the number of places at the start. */
static void shrink(struct fills *fills)
{
    while (fills->count > fills->limit * 2)
        fills->fill[--fills->count] = (struct fill){.line = NO_LINE};
    hints_renew(fills);
}

void fill_note(struct fills *fills, const struct fill *made, uint64_t cycle)
{
    unsigned oldest = 0;
    uint64_t old;

    if (fills->count > fills->limit * 2 && cycle >= fills->last_ready)
        shrink(fills);
    for (unsigned i = 0; i < fills->count; i++) {
        if (fills->fill[i].line == made->line)
            fills->fill[i].line = NO_LINE;
        if (fills->fill[i].ready < fills->fill[oldest].ready)
            oldest = i;
    }
    if (fills->fill[oldest].ready > cycle && fills->count < FILLS_MAX)
        oldest = fills->count++;
    old = fills->fill[oldest].line;
    fills->fill[oldest] = *made;
    if (fills->hint[old % FILL_HINTS] == oldest + 1)
        fills->hint[old % FILL_HINTS] = 0;
    if (fills->hint[old % FILL_HINTS] || fills->hint[made->line % FILL_HINTS])
        hints_renew(fills);
    else
        fills->hint[made->line % FILL_HINTS] = (uint8_t)(oldest + 1);
    if (made->ready > fills->last_ready)
        fills->last_ready = made->ready;
}

struct fill *fill_pending(struct fills *fills, uint64_t line, uint64_t cycle)
{
    unsigned hint = fills->hint[line % FILL_HINTS], first = hint - 1, end = hint;

    if (cycle >= fills->last_ready || !hint)
        return NULL;
    if (hint == HINT_SEVERAL) {
        first = 0;
        end = fills->count;
    }
    for (unsigned i = first; i < end; i++) {
        if (fills->fill[i].line == line)
            return cycle < fills->fill[i].ready ? &fills->fill[i] : NULL;
    }
    return NULL;
}

bool fill_join(struct fills *fills, struct fill *fill, uint64_t cycle)
{
    if (cycle >= fill->begin)
        return false;
    fill->ready -= fill->begin - cycle;
    fill->begin = cycle;
    fills->full_to = 0;
    return true;
}
