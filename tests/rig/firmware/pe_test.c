/* The image loader and images that are broken on purpose. The file is at the end of a page that no
 * page follows, so that a read beyond it ends the test; a canary shows writes beyond the image. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "device/guest_memory.h"
#include "firmware/memory_map.h"
#include "firmware/pe.h"

#define HOST_PAGE       4096u
#define GUEST           (UINT64_C(32) << 20)
#define FILE_BYTES      0x600u
#define PE              0x80u
#define OPTIONAL_HEADER (PE + 24)
#define SECTIONS        (OPTIONAL_HEADER + 240)
#define CANARY          0xa5

static void put_field(uint8_t *file, size_t at, uint64_t value, unsigned size)
{
    memcpy(file + at, &value, size);
}

/* Headers, one section of code at 1000H and one of relocations at 2000H. */
static void make(uint8_t file[FILE_BYTES])
{
    memset(file, 0, FILE_BYTES);
    memcpy(file, "MZ", 2);
    put_field(file, 0x3c, PE, 4);
    memcpy(file + PE, "PE\0\0", 4);
    put_field(file, PE + 4, 0x8664, 2);
    put_field(file, PE + 6, 2, 2);
    put_field(file, PE + 20, 240, 2);
    put_field(file, PE + 22, 0x22, 2);
    put_field(file, OPTIONAL_HEADER, 0x20b, 2);
    put_field(file, OPTIONAL_HEADER + 16, 0x1000, 4);
    put_field(file, OPTIONAL_HEADER + 24, 0x140000000, 8);
    put_field(file, OPTIONAL_HEADER + 32, 0x1000, 4);
    put_field(file, OPTIONAL_HEADER + 36, 0x200, 4);
    put_field(file, OPTIONAL_HEADER + 56, 0x3000, 4);
    put_field(file, OPTIONAL_HEADER + 60, 0x200, 4);
    put_field(file, OPTIONAL_HEADER + 68, 10, 2);
    put_field(file, OPTIONAL_HEADER + 108, 16, 4);
    put_field(file, OPTIONAL_HEADER + 112 + 40, 0x2000, 4);
    put_field(file, OPTIONAL_HEADER + 112 + 44, 12, 4);
    for (unsigned i = 0; i < 2; i++) {
        put_field(file, SECTIONS + 40 * i + 8, 0x200, 4);
        put_field(file, SECTIONS + 40 * i + 12, 0x1000 * (i + 1), 4);
        put_field(file, SECTIONS + 40 * i + 16, 0x200, 4);
        put_field(file, SECTIONS + 40 * i + 20, 0x200 + 0x200 * i, 4);
    }
    put_field(file, 0x208, 0x140001000, 8); /* relocated by the entry for 1008H */
    put_field(file, 0x400, 0x1000, 4);
    put_field(file, 0x404, 12, 4);
    put_field(file, 0x408, 0xa008, 2);
}

/* `size` bytes that end where the mapping ends. */
static uint8_t *at_the_edge(uint8_t *pages, size_t size)
{
    return pages + HOST_PAGE - size;
}

static uint8_t *edge(void)
{
    uint8_t *pages =
        mmap(NULL, 2 * HOST_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + HOST_PAGE, HOST_PAGE, PROT_NONE), 0);
    return pages;
}

static void a_whole_image_is_placed_and_relocated(void **state)
{
    struct guest_memory memory;
    struct memory_map map;
    struct pe_image image;
    uint8_t file[FILE_BYTES], *place;
    uint64_t pointer;
    char why[128];

    (void)state;
    make(file);
    assert_true(memory_new(&memory, GUEST) && memory_map_new(&map, GUEST));
    assert_true(pe_load(&memory, &map, file, sizeof(file), &image, why, sizeof(why)));
    place = memory_at(&memory, image.base, image.size);
    memcpy(&pointer, place + 0x1008, sizeof(pointer));
    assert_int_equal(pointer, image.base + 0x1000);
    assert_int_equal(image.entry, image.base + 0x1000);
    assert_int_equal(image.size, 0x3000);
    memory_map_free(&map);
    memory_free(&memory);
}

/* Every file that lacks a byte is refused, and leaves no memory allocated. */
static void a_truncated_image_is_refused_at_every_length(void **state)
{
    struct guest_memory memory;
    struct memory_map map;
    struct pe_image image;
    uint8_t *pages = edge(), file[FILE_BYTES];
    uint64_t first = 0;
    char why[128];

    (void)state;
    make(file);
    assert_true(memory_new(&memory, GUEST) && memory_map_new(&map, GUEST));
    for (size_t size = 0; size < 0x600; size++) {
        uint8_t *cut = at_the_edge(pages, size);
        uint64_t next;

        memcpy(cut, file, size);
        why[0] = 0;
        assert_false(pe_load(&memory, &map, cut, size, &image, why, sizeof(why)));
        assert_true(why[0] != 0);
        next = memory_map_allocate(&map, AllocateAnyPages, EfiLoaderData, 1, 0);
        memory_map_release(&map, next, 1);
        if (!first)
            first = next;
        assert_int_equal(next, first);
    }
    munmap(pages, 2 * HOST_PAGE);
    memory_map_free(&map);
    memory_free(&memory);
}

static uint64_t any(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* One to four bytes of the headers or relocations changed, most often to an extreme. */
static void a_mutated_image_writes_nowhere_else(void **state)
{
    static const uint8_t extremes[] = {0x00, 0xff, 0x7f, 0x80, 0x01, 0x10};
    struct guest_memory memory;
    struct memory_map map;
    struct pe_image image;
    uint8_t *pages = edge(), *file = at_the_edge(pages, FILE_BYTES), *canary;
    uint64_t seed = 88172645463325252u, fence;
    unsigned loaded = 0;
    char why[128];

    (void)state;
    assert_true(memory_new(&memory, GUEST) && memory_map_new(&map, GUEST));
    /* Allocation goes downwards, so the fence lies right behind the image. */
    fence = memory_map_allocate(&map, AllocateAnyPages, EfiLoaderData, 64, 0);
    canary = memory_at(&memory, fence, 64 * PAGE_BYTES);
    memset(canary, CANARY, 64 * PAGE_BYTES);
    for (unsigned round = 0; round < 100000; round++) {
        make(file);
        for (uint64_t n = any(&seed) % 4 + 1; n; n--) {
            uint64_t at = any(&seed) % 0x410;

            file[at] =
                any(&seed) % 2 ? extremes[any(&seed) % sizeof(extremes)] : (uint8_t)any(&seed);
        }
        if (!pe_load(&memory, &map, file, FILE_BYTES, &image, why, sizeof(why)))
            continue;
        loaded++;
        assert_true(image.entry >= image.base && image.entry < image.base + image.size);
        memory_map_release(&map, image.base, PAGES_OF(image.size));
    }
    assert_in_range(loaded, 1000, 99000);
    for (size_t i = 0; i < 64 * PAGE_BYTES; i++)
        assert_int_equal(canary[i], CANARY);
    munmap(pages, 2 * HOST_PAGE);
    memory_map_free(&map);
    memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_image_is_placed_and_relocated),
        cmocka_unit_test(a_truncated_image_is_refused_at_every_length),
        cmocka_unit_test(a_mutated_image_writes_nowhere_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
