/* Page tables as firmware may leave them: tables that lead to each other in any way, pages of any
 * size, any bits. The walk ends, and says of no range that it is mapped when its first or its last
 * address is not. */
#include <stdlib.h>
#include <string.h>

#include "boot/firmware/page_walk.h"
#include "tests/fuzz/fuzz.h"

#define TABLES  6u /* the first one or two have no pages: those levels lead to tables alone */
#define ENTRIES 512u
#define HEAD    13u /* begin, bytes, levels */
#define EDIT    8u
#define EDITS   128u
#define ROOM    (HEAD + EDITS * EDIT)
#define PAGE    4096u

struct page_table {
    uint64_t entry[ENTRIES];
};

static size_t make(uint64_t *state, char *input)
{
    const size_t size = HEAD + EDIT * random_below(state, EDITS);

    for (size_t i = 0; i < size; i++)
        input[i] = (char)random_next(state);
    if (random_below(state, 8) > 0)
        memset(input + 3, 0, 5); /* low addresses, which the first entries map, */
    for (size_t at = HEAD; at < size; at += EDIT)
        if (random_below(state, 8) > 0) {
            input[at + 1] = (char)random_below(state, 4);
            input[at + 2] = 0;
        }
    memset(input + 10, 0, 2); /* and short ranges */
    return size;
}

const struct fuzz fuzz = {"page tables", 20000, 20261127, ROOM, make};
unsigned fuzz_accepted;

static void edit(struct page_table *tables, const uint8_t *how, unsigned levels)
{
    const unsigned number = how[0] % TABLES, place = (how[1] | how[2] * 256u) % ENTRIES;
    const unsigned top = levels - 3; /* tables without pages */
    uint64_t *entry = &tables[number].entry[place];

    *entry = (how[6] & 0x67u) | (how[7] % 4 > 0);
    if (number + 1 < top)
        *entry |= (uint64_t)(uintptr_t)&tables[1];
    else if (number < top || how[3] % 2)
        *entry |= (uint64_t)(uintptr_t)&tables[top + how[4] % (TABLES - top)];
    else
        *entry |= 0x80 | (uint64_t)place << (12 + 9 * (how[5] % 3)) | (uint64_t)(how[3] >> 7) << 30;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static struct page_table *tables;
    uint64_t begin, cr3;
    uint32_t bytes;
    unsigned levels;

    if (size < HEAD)
        return 0;
    if (tables == NULL)
        tables = aligned_alloc(PAGE, TABLES * PAGE);
    require(tables != NULL, "memory");
    memset(tables, 0, TABLES * PAGE);
    levels = 4 + input[12] % 2;
    for (const uint8_t *how = input + HEAD; how + EDIT <= input + size; how += EDIT)
        edit(tables, how, levels);
    memcpy(&begin, input, sizeof(begin));
    memcpy(&bytes, input + 8, sizeof(bytes));
    bytes = bytes % (1u << 28) + 1;
    cr3 = (uint64_t)(uintptr_t)tables;
    if (!page_walk_maps(cr3, levels, begin, bytes))
        return 0;
    fuzz_accepted++;
    require(begin < PAGE_WALK_END && bytes <= PAGE_WALK_END - begin, "the range is within limits");
    require(page_walk_maps(cr3, levels, begin, 1) &&
                page_walk_maps(cr3, levels, begin + bytes - 1, 1),
            "a range that is mapped begins and ends with what is");
    return 0;
}
