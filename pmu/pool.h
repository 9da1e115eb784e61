/* Hands out small pieces of large blocks, so that a formula does not take a page of its own.
 * Nothing is ever freed. */
#ifndef PMU_POOL_H
#define PMU_POOL_H

#include <stddef.h>
#include <stdint.h>

struct pool {
    void *(*allocate)(size_t size); /* zeroed memory or null */
    size_t chunk;                   /* bytes to allocate at once, more for a larger piece */
    uint8_t *next;
    size_t left;
};

/* Returns `size` bytes, zeroed and aligned to 16; null when `allocate` has no more. */
static inline void *pool_take(struct pool *pool, size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;

    if (rounded < size)
        return NULL;
    if (rounded > pool->left) {
        size_t chunk = rounded > pool->chunk ? rounded : pool->chunk;
        uint8_t *block = pool->allocate(chunk);

        if (block == NULL)
            return NULL;
        pool->next = block;
        pool->left = chunk;
    }
    pool->next += rounded;
    pool->left -= rounded;
    return pool->next - rounded;
}

#endif
