/* SRAT and SLIT of any bytes: every range of memory that a node has is the node's, and the farthest
 * node has memory. */
#include <string.h>

#include "boot/nodes.h"
#include "tests/fuzz/fuzz.h"

#define ROOM     600u
#define RANGES   64u
#define AFFINITY 40u /* bytes of a memory affinity structure */
#define HEADER   48u /* of an SRAT */

/* The size of the SLIT comes first; behind it an SRAT of memory affinity structures. */
static size_t make(uint64_t *state, char *input)
{
    const unsigned slit = 44 + random_below(state, 6) * 8, count = random_below(state, 8);
    size_t size = 2 + slit + HEADER;

    for (size_t i = 0; i < ROOM; i++)
        input[i] = (char)(random_below(state, 4) ? 0 : random_next(state));
    input[0] = (char)slit;
    input[1] = 0;
    input[2 + 36] = (char)random_below(state, 4); /* localities of the SLIT */
    for (unsigned i = 0; i < count && size + AFFINITY <= ROOM; i++, size += AFFINITY) {
        char *at = input + size;

        at[0] = 1;
        at[1] = random_below(state, 16) ? (char)AFFINITY : (char)random_next(state);
        at[2] = (char)random_below(state, 4);
        at[28] = 1;
    }
    return random_below(state, 8) ? size : random_below(state, (unsigned)size);
}

const struct fuzz fuzz = {"tables of nodes", 20000, 20261127, ROOM, make};
unsigned fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const size_t wanted = size >= 2 ? input[0] | (size_t)input[1] << 8 : 0;
    const size_t slit = size < 2 ? 0 : wanted < size - 2 ? wanted : size - 2;
    /* Copies of their own sizes, so that the sanitizer sees a byte too far. */
    uint8_t *slit_bytes = malloc(slit + 1), *srat_bytes = malloc(size + 1);
    const size_t srat = size < 2 ? 0 : size - 2 - slit;
    struct acpi_memory memory;
    bool any = false;

    require(slit_bytes != NULL && srat_bytes != NULL, "memory");
    slit_bytes = realloc(slit_bytes, slit + (slit == 0));
    srat_bytes = realloc(srat_bytes, srat + (srat == 0));
    if (size >= 2) {
        memcpy(slit_bytes, input + 2, slit);
        memcpy(srat_bytes, input + 2 + slit, srat);
    }
    nodes_start(srat > 0 ? srat_bytes : NULL, srat, slit > 0 ? slit_bytes : NULL, slit);
    for (uint32_t node = 0; node < 8; node++) {
        const uint32_t farthest = nodes_farthest(node);

        for (unsigned i = 0; i < RANGES && nodes_memory(node, i, &memory); i++) {
            any = true;
            require(memory.node == node, "a node's memory is its own");
        }
        require(farthest == NODE_UNKNOWN || nodes_memory(farthest, 0, &memory),
                "the farthest node has memory");
        (void)nodes_of((uint64_t)node << 30);
    }
    (void)nodes_highest();
    fuzz_accepted += any;
    nodes_start(NULL, 0, NULL, 0);
    free(slit_bytes);
    free(srat_bytes);
    return 0;
}
