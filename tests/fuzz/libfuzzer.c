/* Gives libFuzzer the inputs of the seeded loop to start from; it needs no files of examples then.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"

#define FRESH 16 /* one input in so many is a new one */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint64_t state = (uint64_t)seed * 2685821657736338717ULL | 1;
    char *input;

    if (random_below(&state, FRESH) != 0)
        return LLVMFuzzerMutate(data, size, room);
    input = malloc(fuzz.room);
    require(input != NULL, "memory");
    size = fuzz.make(&state, input);
    size = size < room ? size : room;
    memcpy(data, input, size);
    free(input);
    return size;
}
