/* What every fuzz driver has: a function that takes any bytes, and a maker of bytes that get far.
 * The seeded loop of seeded.c calls both, the same way run after run; so does libFuzzer
 * (libfuzzer.c). */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct fuzz {
    const char *inputs; /* what they are, in the plural */
    unsigned runs;      /* of the seeded loop, */
    uint64_t seed;      /* unless its command line says otherwise */
    size_t room;        /* bytes of the longest input that `make` makes */
    /* Makes an input, returns its size. */
    size_t (*make)(uint64_t *state, char *input);
};

/* Defined by the driver. */
extern const struct fuzz fuzz;
extern unsigned fuzz_accepted; /* inputs so far that were well formed */
/* Tries one input of exactly `size` bytes; aborts when something does not hold. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

/* xorshift64*. The state must not be 0. */
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

/* Aborts unless the condition holds, which it must for every input. */
static inline void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

#endif
