/* Gives libFuzzer the inputs of the seeded loop to start from; it needs no files of examples then.
 * At the end it says how many inputs were well formed: executions that stop at the first byte of a
 * parser are worth little. */
#include <string.h>

#include "tests/fuzz/fuzz.h"

#define FRESH 16 /* one input in so many is a new one */
#define TRIES 8

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
int LLVMFuzzerInitialize(int *count, char ***arguments);

static void print_accepted(void)
{
    fprintf(stderr, "stat::well_formed: %u\n", fuzz_accepted);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    require(atexit(print_accepted) == 0, "a place among what is called at the end");
    return 0;
}

/* Puts an input of `make` into the room and returns its size; 0: none of several fitted. One that
 * were cut would end within a record. */
static size_t make_fitting(uint64_t *state, uint8_t *data, size_t room)
{
    char *input = malloc(fuzz.room);
    size_t size = 0;

    require(input != NULL, "memory");
    for (unsigned i = 0; size == 0 && i < TRIES; i++) {
        size = fuzz.make(state, input);
        size = size <= room ? size : 0;
    }
    memcpy(data, input, size);
    free(input);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint64_t state = (uint64_t)seed * 2685821657736338717ULL | 1;
    const size_t made = random_below(&state, FRESH) == 0 ? make_fitting(&state, data, room) : 0;

    return made > 0 ? made : LLVMFuzzerMutate(data, size, room);
}
