/* The seeded loop of a fuzz driver: the same count and seed try the same inputs. TAP on standard
 * output. Usage: NAME_fuzz [runs [seed]] */
#include <string.h>

#include "tests/fuzz/fuzz.h"

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : fuzz.runs;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : fuzz.seed;
    char *room = malloc(fuzz.room);
    bool good;

    require(room != NULL && state != 0, "memory, and a seed other than 0");
    for (unsigned run = 0; run < runs; run++) {
        const size_t size = fuzz.make(&state, room);
        uint8_t *input = malloc(size > 0 ? size : 1); /* the sanitizer sees a byte read too far */

        require(input != NULL && size <= fuzz.room, "memory, and an input within its room");
        memcpy(input, room, size);
        LLVMFuzzerTestOneInput(input, size);
        free(input);
    }
    free(room);
    good = fuzz_accepted > 0 && fuzz_accepted < runs;
    printf("%s 1 - %u %s, %u of them well formed\n1..1\n", good ? "ok" : "not ok", runs,
           fuzz.inputs, fuzz_accepted);
    return good ? 0 : 1;
}
