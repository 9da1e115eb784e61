/* Random numbers for the fuzzers: xorshift64*, the same run after run. */
#ifndef TESTS_FUZZ_RANDOM_H
#define TESTS_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717ULL;
}

/* 0 .. limit - 1 */
static inline unsigned random_below(uint64_t *state, unsigned limit)
{
    return (unsigned)(random_next(state) >> 33) % limit;
}

/* What must hold whatever came in. */
static inline void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

#endif
