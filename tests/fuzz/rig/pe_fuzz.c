/* Images for the rig's loader: whatever the bytes are, they are refused with a reason and leave no
 * memory allocated, or lie within the guest's memory with their entry in them. */
#include <string.h>

#include "device/guest_memory.h"
#include "firmware/memory_map.h"
#include "firmware/pe.h"
#include "tests/fuzz/fuzz.h"

#define GUEST           (UINT64_C(16) << 20)
#define FILE_BYTES      0x600u
#define PE              0x80u
#define OPTIONAL_HEADER (PE + 24)
#define SECTIONS        (OPTIONAL_HEADER + 240)

static void put(char *file, size_t at, uint64_t value, unsigned size)
{
    memcpy(file + at, &value, size);
}

/* Headers, a section of code and one of relocations. */
static void make_whole(char *file)
{
    memset(file, 0, FILE_BYTES);
    memcpy(file, "MZ", 2);
    put(file, 0x3c, PE, 4);
    memcpy(file + PE, "PE\0\0", 4);
    put(file, PE + 4, 0x8664, 2);
    put(file, PE + 6, 2, 2);
    put(file, PE + 20, 240, 2);
    put(file, PE + 22, 0x22, 2);
    put(file, OPTIONAL_HEADER, 0x20b, 2);
    put(file, OPTIONAL_HEADER + 16, 0x1000, 4);
    put(file, OPTIONAL_HEADER + 24, 0x140000000, 8);
    put(file, OPTIONAL_HEADER + 32, 0x1000, 4);
    put(file, OPTIONAL_HEADER + 36, 0x200, 4);
    put(file, OPTIONAL_HEADER + 56, 0x3000, 4);
    put(file, OPTIONAL_HEADER + 60, 0x200, 4);
    put(file, OPTIONAL_HEADER + 68, 10, 2);
    put(file, OPTIONAL_HEADER + 108, 16, 4);
    put(file, OPTIONAL_HEADER + 112 + 40, 0x2000, 4);
    put(file, OPTIONAL_HEADER + 112 + 44, 12, 4);
    for (unsigned i = 0; i < 2; i++) {
        put(file, SECTIONS + 40 * i + 8, 0x200, 4);
        put(file, SECTIONS + 40 * i + 12, 0x1000 * (i + 1), 4);
        put(file, SECTIONS + 40 * i + 16, 0x200, 4);
        put(file, SECTIONS + 40 * i + 20, 0x200 + 0x200 * i, 4);
    }
    put(file, 0x208, 0x140001000, 8);
    put(file, 0x400, 0x1000, 4);
    put(file, 0x404, 12, 4);
    put(file, 0x408, 0xa008, 2);
}

/* Fields that are near others' limits do more harm than any bits. */
static uint64_t value(uint64_t *state)
{
    static const uint64_t near[] = {0,
                                    1,
                                    0xfff,
                                    0x1000,
                                    0x2fff,
                                    0x3000,
                                    0x600,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0xfffff000,
                                    0x4000000,
                                    0xfffffffffffff000};

    return random_below(state, 2) ? near[random_below(state, 13)] : random_next(state);
}

static size_t make(uint64_t *state, char *file)
{
    make_whole(file);
    for (unsigned i = random_below(state, 4); i > 0; i--)
        put(file, random_below(state, SECTIONS + 80), value(state), 1u << random_below(state, 3));
    return random_below(state, 8) ? FILE_BYTES : random_below(state, FILE_BYTES);
}

const struct fuzz fuzz = {"images for the rig", 20000, 20261127, FILE_BYTES, make};
unsigned fuzz_accepted;

/* Where the next page would be: it tells whether something is allocated. */
static uint64_t next_page(struct memory_map *map)
{
    const uint64_t page = memory_map_allocate(map, AllocateAnyPages, EfiLoaderData, 1, 0);

    memory_map_release(map, page, 1);
    return page;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct guest_memory memory;
    static struct memory_map map;
    struct pe_image image;
    char why[128] = "";
    uint64_t before;

    if (memory.ram == NULL)
        require(memory_new(&memory, GUEST) && memory_map_new(&map, GUEST), "memory");
    before = next_page(&map);
    (void)pe_is_foreign(bytes, size);
    if (!pe_load(&memory, &map, bytes, size, &image, why, sizeof(why))) {
        require(why[0] != 0 && memchr(why, 0, sizeof(why)) != NULL, "a refusal has a reason");
        require(next_page(&map) == before, "and leaves nothing allocated");
        return 0;
    }
    fuzz_accepted++;
    require(memory_at(&memory, image.base, image.size) != NULL, "an image lies in memory");
    require(image.entry >= image.base && image.entry < image.base + image.size,
            "its entry lies in it");
    require(memory_map_release(&map, image.base, PAGES_OF(image.size)), "its pages are allocated");
    require(next_page(&map) == before, "and nothing else is");
    return 0;
}
