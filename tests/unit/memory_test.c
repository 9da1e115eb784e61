/* Memory from the firmware: as many blocks as are asked for, and each of them given back once. */
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "boot/firmware/memory.c"
#define self last_map /* each of the two sources has its own */
#include "boot/firmware/memory_map.c"
#undef self

/* A stack, a trap stack and counts for each of 512 logical processors, and 1000 blocks more. */
#define WANTED 2536
#define TAKEN  4096

#define MAP_ENTRIES 5
#define ROOM        (64 * PAGE)
#define SPECIAL     0x40000 /* EFI_MEMORY_SP */

static struct {
    EFI_BOOT_SERVICES boot;
    struct firmware firmware;
    struct {
        void *address;
        uint64_t pages;
    } taken[TAKEN];
    unsigned taken_count, given_back, strangers, left;
    EFI_MEMORY_DESCRIPTOR map[MAP_ENTRIES];
    EFI_ALLOCATE_TYPE how; /* the last allocation */
    uint64_t where;        /* its address */
    int depth;             /* of firmware_enter */
    bool outside;
} fake;

static EFI_STATUS EFIAPI allocate(EFI_ALLOCATE_TYPE type, EFI_MEMORY_TYPE kind, UINTN pages,
                                  EFI_PHYSICAL_ADDRESS *address)
{
    void *memory;

    (void)kind;
    fake.how = type;
    fake.where = *address;
    fake.outside = fake.outside || fake.depth != 1;
    if (fake.left == 0 || fake.taken_count == TAKEN)
        return EFI_OUT_OF_RESOURCES;
    fake.left--;
    memory = aligned_alloc(PAGE, pages * PAGE);
    assert_non_null(memory);
    memset(memory, 0xa5, pages * PAGE);
    fake.taken[fake.taken_count].address = memory;
    fake.taken[fake.taken_count++].pages = pages;
    *address = (uintptr_t)memory;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI release(EFI_PHYSICAL_ADDRESS address, UINTN pages)
{
    fake.outside = fake.outside || fake.depth != 1;
    for (unsigned i = 0; i < fake.taken_count; i++) {
        if ((uintptr_t)fake.taken[i].address != address || fake.taken[i].pages != pages)
            continue;
        free(fake.taken[i].address);
        fake.taken[i].address = NULL;
        fake.given_back++;
        return EFI_SUCCESS;
    }
    fake.strangers++;
    return EFI_NOT_FOUND;
}

static VOID EFIAPI set(VOID *memory, UINTN size, UINT8 value)
{
    memset(memory, value, size);
}

const struct firmware *firmware(void)
{
    return &fake.firmware;
}

void firmware_enter(void)
{
    fake.depth++;
}

void firmware_leave(void)
{
    fake.depth--;
}

static EFI_STATUS EFIAPI give_map(UINTN *bytes, EFI_MEMORY_DESCRIPTOR *map, UINTN *key,
                                  UINTN *entry_bytes, UINT32 *version)
{
    const UINTN needed = sizeof(fake.map);
    const bool room = *bytes >= needed;

    *bytes = needed;
    *key = 1;
    *entry_bytes = sizeof(*map);
    *version = 1;
    if (!room)
        return EFI_BUFFER_TOO_SMALL;
    memcpy(map, fake.map, needed);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI pool(EFI_MEMORY_TYPE kind, UINTN bytes, void **buffer)
{
    (void)kind;
    *buffer = malloc(bytes);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(void *buffer)
{
    free(buffer);
    return EFI_SUCCESS;
}

static void begin(unsigned left)
{
    memset(&fake, 0, sizeof(fake));
    fake.boot.AllocatePages = allocate;
    fake.boot.FreePages = release;
    fake.boot.SetMem = set;
    fake.boot.GetMemoryMap = give_map;
    fake.boot.AllocatePool = pool;
    fake.boot.FreePool = free_pool;
    fake.firmware.boot = &fake.boot;
    fake.left = left;
}

static void more_blocks_than_512_cpus_take_are_all_given_and_given_back(void **state)
{
    unsigned zeroed = 0;

    (void)state;
    begin(TAKEN);
    for (unsigned i = 0; i < WANTED; i++) {
        const unsigned char *memory = memory_alloc(PAGE + i % 3 * PAGE);

        assert_non_null(memory);
        zeroed += memory[0] == 0 && memory[PAGE - 1] == 0;
    }
    assert_int_equal(zeroed, WANTED);
    memory_release();
    assert_int_equal(fake.given_back, fake.taken_count);
    assert_true(fake.taken_count > WANTED);
    assert_int_equal(fake.strangers, 0);
    assert_false(fake.outside);
    assert_int_equal(fake.depth, 0);
}

static void memory_is_gone_when_the_firmware_has_none(void **state)
{
    (void)state;
    begin(3);
    assert_non_null(memory_alloc(1));
    assert_non_null(memory_alloc(1));
    assert_null(memory_alloc(1));
    memory_release();
    assert_int_equal(fake.given_back, 3); /* the third one holds the list */
    begin(0);
    assert_null(memory_alloc(1));
    assert_null(memory_alloc(0));
    memory_release();
    assert_int_equal(fake.strangers, 0);
}

static void what_was_given_back_is_not_given_back_again(void **state)
{
    (void)state;
    begin(TAKEN);
    assert_non_null(memory_alloc(1));
    memory_release();
    memory_release();
    assert_int_equal(fake.given_back, 2);
    assert_int_equal(fake.strangers, 0);
    assert_non_null(memory_alloc(1));
    memory_release();
    assert_int_equal(fake.given_back, 4);
}

/* Pages 0 to 63 of the room: 4 of the firmware, 16 free ones, 30 special ones, 12 free ones, and 2
 * of the firmware. */
static void lay_out(const unsigned char *room)
{
    static const struct {
        UINT32 type;
        unsigned pages;
        UINT64 attributes;
    } rows[MAP_ENTRIES] = {{EfiBootServicesData, 4, 0},
                           {EfiConventionalMemory, 16, 0xf},
                           {EfiConventionalMemory, 30, 0xf | SPECIAL},
                           {EfiConventionalMemory, 12, 0xf},
                           {EfiRuntimeServicesData, 2, 0}};
    uint64_t address = (uintptr_t)room;

    for (unsigned i = 0; i < MAP_ENTRIES; i++) {
        fake.map[i] = (EFI_MEMORY_DESCRIPTOR){.Type = rows[i].type,
                                              .PhysicalStart = address,
                                              .NumberOfPages = rows[i].pages,
                                              .Attribute = rows[i].attributes};
        address += rows[i].pages * PAGE;
    }
}

/* The fake firmware gives other pages than those that it is asked for: only what was asked is
 * looked at. */
static void memory_of_a_range_is_the_largest_free_part_in_it(void **state)
{
    unsigned char *room = aligned_alloc(PAGE, ROOM);
    const uint64_t start = (uintptr_t)room;

    (void)state;
    begin(TAKEN);
    lay_out(room);
    assert_true(memory_pages_in(16, start, start + ROOM) != 0);
    assert_true(fake.how == AllocateAddress && fake.where == start + 4 * PAGE);
    assert_int_equal(memory_pages_in(17, start, start + ROOM), 0); /* but not the special ones */
    assert_true(memory_pages_in(3, start + 17 * PAGE + 1, start + ROOM) != 0);
    assert_int_equal(fake.where, start + 50 * PAGE); /* of two and of twelve pages the twelve */
    assert_true(memory_pages_in(2, start + 17 * PAGE + 1, start + 50 * PAGE) != 0);
    assert_int_equal(fake.where, start + 18 * PAGE); /* whole pages */
    assert_int_equal(memory_pages_in(3, start + 17 * PAGE + 1, start + 50 * PAGE), 0);
    assert_int_equal(memory_pages_in(1, 0, 1 << 20), 0); /* nothing is taken below 1 MiB */
    memory_release();
    assert_int_equal(fake.given_back, fake.taken_count);
    free(room);
}

static void after_boot_services_memory_is_the_last_map_s_and_no_special_one(void **state)
{
    unsigned char *room = aligned_alloc(PAGE, ROOM);
    const uint64_t start = (uintptr_t)room;

    (void)state;
    begin(TAKEN);
    lay_out(room);
    assert_non_null(memory_map_read());
    fake.firmware.boot = NULL;
    memset(room, 0xa5, ROOM);
    assert_ptr_equal(memory_alloc(PAGE), room + 4 * PAGE);
    assert_int_equal(room[4 * PAGE], 0);
    assert_int_equal(room[5 * PAGE], 0xa5);
    assert_int_equal(memory_pages_in(2, start + 8 * PAGE, start + 12 * PAGE), start + 8 * PAGE);
    assert_int_equal(memory_pages(12, 0), start + 50 * PAGE);
    assert_int_equal(memory_pages(10, 0), start + 10 * PAGE); /* the longer side of what is left */
    assert_int_equal(memory_pages(1, 0), 0);
    assert_int_equal(memory_pages(1, 1 << 20), 0);
    assert_int_equal(room[20 * PAGE], 0xa5);
    fake.firmware.boot = &fake.boot;
    memory_release();
    free(room);
}

/* Three pages of registers between a page of memory below and one above. */
static void a_range_is_memory_when_any_byte_of_it_is(void **state)
{
    static const UINT32 types[MAP_ENTRIES] = {EfiConventionalMemory, EfiMemoryMappedIO,
                                              EfiReservedMemoryType, EfiUnusableMemory,
                                              EfiRuntimeServicesData};
    const uint64_t start = 0xfffff000, first = start + PAGE, end = first + 3 * PAGE;
    const struct memory_map *map;

    (void)state;
    begin(TAKEN);
    for (unsigned i = 0; i < MAP_ENTRIES; i++)
        fake.map[i] = (EFI_MEMORY_DESCRIPTOR){
            .Type = types[i], .PhysicalStart = start + i * PAGE, .NumberOfPages = 1};
    map = memory_map_read();
    assert_non_null(map);
    assert_false(memory_map_has_ram(map, first, 3 * PAGE));
    assert_true(memory_map_has_ram(map, first - 1, 1));
    assert_false(memory_map_has_ram(map, end - 32, 32));
    assert_true(memory_map_has_ram(map, end - 31, 32)); /* the last byte alone */
    assert_true(memory_map_has_ram(map, start - 31, 32));
    assert_false(memory_map_has_ram(map, start - 32, 32));
    assert_false(memory_map_has_ram(map, end + PAGE, 32));
    assert_true(memory_map_has_ram(map, 0, UINT64_MAX));
    memory_map_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_blocks_than_512_cpus_take_are_all_given_and_given_back),
        cmocka_unit_test(memory_is_gone_when_the_firmware_has_none),
        cmocka_unit_test(what_was_given_back_is_not_given_back_again),
        cmocka_unit_test(memory_of_a_range_is_the_largest_free_part_in_it),
        cmocka_unit_test(after_boot_services_memory_is_the_last_map_s_and_no_special_one),
        cmocka_unit_test(a_range_is_memory_when_any_byte_of_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
