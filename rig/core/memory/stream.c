/* The lines that streaming stores have open. */
#include "stream.h"

#include <stddef.h>
#include <string.h>

struct stream_line *stream_find(struct streams *streams, uint64_t line)
{
    for (unsigned i = 0; i < streams->count; i++)
        if (streams->open[i].line == line)
            return &streams->open[i];
    return NULL;
}

struct stream_line *stream_open(struct streams *streams, uint64_t line, uint64_t cycle)
{
    struct stream_line *open = &streams->open[streams->count++];

    *open = (struct stream_line){.line = line, .opened = cycle};
    return open;
}

bool stream_write(struct stream_line *open, unsigned first, unsigned size)
{
    const uint64_t bytes = size < 64 ? (UINT64_C(1) << size) - 1 : UINT64_MAX;

    open->written |= bytes << first;
    return open->written == UINT64_MAX;
}

void stream_close(struct streams *streams, const struct stream_line *open)
{
    const size_t index = (size_t)(open - streams->open);

    streams->count--;
    memmove(&streams->open[index], &streams->open[index + 1],
            (streams->count - index) * sizeof(*open));
}
