/* L2's prefetchers: streams and pairs. */
#include "prefetch.h"

#include <stddef.h>

#define PAGE_LINES 64u
#define PER_ACCESS 2u /* a stream asks for no more at a time */

static struct prefetch_stream *find_stream(struct prefetcher *prefetcher, uint64_t line)
{
    struct prefetch_stream *oldest = prefetcher->stream;
    const uint64_t page = line / PAGE_LINES + 1;

    for (unsigned i = 0; i < PREFETCH_STREAMS; i++) {
        struct prefetch_stream *stream = &prefetcher->stream[i];

        if (stream->page == page)
            return stream;
        if (stream->used < oldest->used)
            oldest = stream;
    }
    *oldest = (struct prefetch_stream){.page = page, .last = line, .ahead = line};
    return oldest;
}

/* Two accesses in the same direction make a stream; an access in the other direction ends it. */
static unsigned follow(struct prefetch_stream *stream, uint64_t line, unsigned ahead,
                       uint64_t *lines)
{
    const int64_t step = (int64_t)(line - stream->last);
    const int8_t direction = step > 0 ? 1 : -1;
    unsigned count = 0;

    if (step == 0)
        return 0;
    stream->last = line;
    if (direction != stream->direction) {
        stream->direction = direction;
        stream->ahead = line;
        return 0;
    }
    if ((int64_t)(stream->ahead - line) * direction < 0)
        stream->ahead = line;
    while (count < PER_ACCESS && (uint64_t)((int64_t)(stream->ahead - line) * direction) < ahead) {
        const uint64_t next = stream->ahead + (uint64_t)(int64_t)direction;

        if (next / PAGE_LINES + 1 != stream->page)
            break;
        stream->ahead = next;
        lines[count++] = next;
    }
    return count;
}

unsigned prefetch_lines(struct prefetcher *prefetcher, const struct model_parameters *parameters,
                        uint64_t line, bool missed, uint64_t lines[PREFETCH_LINES])
{
    unsigned count = 0;

    if (parameters->stream_ahead > 0 && !(prefetcher->off & PREFETCH_STREAM_OFF)) {
        struct prefetch_stream *stream = find_stream(prefetcher, line);

        stream->used = ++prefetcher->clock;
        count = follow(stream, line, parameters->stream_ahead, lines);
    }
    if (missed && parameters->adjacent_line && !(prefetcher->off & PREFETCH_ADJACENT_OFF))
        lines[count++] = line ^ 1;
    return count;
}

static unsigned flights(const struct model_parameters *parameters)
{
    return parameters->prefetch_flights ? parameters->prefetch_flights : PREFETCH_FLIGHTS;
}

struct prefetch_flight *prefetch_room(struct prefetcher *prefetcher,
                                      const struct model_parameters *parameters, uint64_t cycle)
{
    for (unsigned i = 0; i < flights(parameters); i++)
        if (prefetcher->flight[i].ready <= cycle)
            return &prefetcher->flight[i];
    return NULL;
}

const struct prefetch_flight *prefetch_pending(const struct prefetcher *prefetcher, uint64_t line,
                                               const struct model_parameters *parameters,
                                               uint64_t cycle)
{
    if (cycle >= prefetcher->last_ready)
        return NULL;
    for (unsigned i = 0; i < flights(parameters); i++)
        if (prefetcher->flight[i].line == line && prefetcher->flight[i].ready > cycle)
            return &prefetcher->flight[i];
    return NULL;
}
