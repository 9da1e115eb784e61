/* Hands out small pieces of large blocks, so that a formula does not take a page of its own. Single
 * pieces are never freed; a rewound pool hands its blocks out again. */
#ifndef BOOT_POOL_H
#define BOOT_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "text.h"

struct pool_block {
    struct pool_block *next;
    size_t size; /* of what is behind this head */
};

struct pool {
    void *(*allocate)(size_t size); /* zeroed memory, aligned to 16, or null */
    size_t chunk;                   /* bytes to allocate at once, more for a larger piece */
    struct pool_block *first, *now; /* null: nothing was handed out yet */
    uint8_t *next;
    size_t left;
};

_Static_assert(sizeof(struct pool_block) % 16 == 0, "what is behind it is aligned");

static inline void pool_open(struct pool *pool, struct pool_block *block)
{
    pool->now = block;
    pool->next = (uint8_t *)(block + 1);
    pool->left = block->size;
}

/* Goes on to the next block, of at least `size` bytes. False: there is none. */
static inline bool pool_go_on(struct pool *pool, size_t size)
{
    const size_t chunk = size > pool->chunk ? size : pool->chunk;
    struct pool_block *block = pool->now != NULL ? pool->now->next : pool->first, *last = pool->now;

    for (; block != NULL && block->size < size; block = block->next)
        last = block;
    if (block == NULL) {
        block = pool->allocate(sizeof(*block) + chunk);
        if (block == NULL)
            return false;
        *block = (struct pool_block){.size = chunk};
        *(last != NULL ? &last->next : &pool->first) = block;
    }
    pool_open(pool, block);
    return true;
}

/* Returns `size` bytes, zeroed and aligned to 16; null when `allocate` has no more. */
static inline void *pool_take(struct pool *pool, size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;

    if (rounded < size || (rounded > pool->left && !pool_go_on(pool, rounded)))
        return NULL;
    pool->next += rounded;
    pool->left -= rounded;
    return memset(pool->next - rounded, 0, rounded);
}

/* All pieces are given back: nobody may use one of them any more. */
static inline void pool_rewind(struct pool *pool)
{
    pool->now = NULL;
    pool->next = NULL;
    pool->left = 0;
}

#endif
