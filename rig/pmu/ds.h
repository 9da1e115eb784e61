/* The debug store (DS) area: the state of one of its two buffers, as guest memory holds it. SDM 3B,
 * "64 Bit Format of the DS Save Area". */
#ifndef RIG_PMU_DS_H
#define RIG_PMU_DS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ds_buffer {
    uint64_t base, index, maximum, threshold;
};

/* Whether a record of this size fits at `index`. */
static inline bool ds_has_room(const struct ds_buffer *buffer, size_t size)
{
    return buffer->index >= buffer->base && buffer->index + size <= buffer->maximum;
}

#endif
