/* Memory from the firmware: as many blocks as are asked for, and each of them given back once. */
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "boot/firmware/memory.c"

/* A stack, a trap stack and counts for each of 512 logical processors, and 1000 blocks more. */
#define WANTED 2536
#define TAKEN  4096

static struct {
    EFI_BOOT_SERVICES boot;
    struct firmware firmware;
    struct {
        void *address;
        uint64_t pages;
    } taken[TAKEN];
    unsigned taken_count, given_back, strangers, left;
    int depth; /* of firmware_enter */
    bool outside;
} fake;

static EFI_STATUS EFIAPI allocate(EFI_ALLOCATE_TYPE type, EFI_MEMORY_TYPE kind, UINTN pages,
                                  EFI_PHYSICAL_ADDRESS *address)
{
    void *memory;

    (void)type;
    (void)kind;
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

const struct memory_map *memory_map_read(void)
{
    return NULL;
}

void memory_map_release(void)
{
}

unsigned memory_map_count(const struct memory_map *map)
{
    (void)map;
    return 0;
}

const EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, unsigned index)
{
    (void)map;
    (void)index;
    return NULL;
}

static void begin(unsigned left)
{
    memset(&fake, 0, sizeof(fake));
    fake.boot.AllocatePages = allocate;
    fake.boot.FreePages = release;
    fake.boot.SetMem = set;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_blocks_than_512_cpus_take_are_all_given_and_given_back),
        cmocka_unit_test(memory_is_gone_when_the_firmware_has_none),
        cmocka_unit_test(what_was_given_back_is_not_given_back_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
