/* Stores in the emulator, two of whose functions engine_pages.c replaces. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <unicorn/unicorn.h>

#define CODE  0x1000u
#define SPACE 0x10000u

struct page_collection;

static uc_engine *engine(const uint8_t *code, size_t size)
{
    uc_engine *uc;

    assert_int_equal(uc_open(UC_ARCH_X86, UC_MODE_64, &uc), UC_ERR_OK);
    assert_int_equal(uc_mem_map(uc, 0, SPACE, UC_PROT_ALL), UC_ERR_OK);
    assert_int_equal(uc_mem_write(uc, CODE, code, size), UC_ERR_OK);
    return uc;
}

static uint64_t run(uc_engine *uc, uint64_t from, uint64_t until)
{
    uint64_t rax = 0;

    assert_int_equal(uc_emu_start(uc, from, until, 0, 0), UC_ERR_OK);
    uc_reg_read(uc, UC_X86_REG_RAX, &rax);
    return rax;
}

static void a_store_into_the_block_that_runs_is_seen(void **state)
{
    /* mov byte [rip + 1], 3 (the 1 becomes it); mov eax, 1; hlt */
    static const uint8_t code[] = {0xc6, 0x05, 0x01, 0x00, 0x00, 0x00, 0x03,
                                   0xb8, 0x01, 0x00, 0x00, 0x00, 0xf4};
    uc_engine *uc = engine(code, sizeof(code));

    (void)state;
    assert_int_equal(run(uc, CODE, CODE + 12), 3);
    uc_close(uc);
}

/* Two rounds of one run, so that the block is translated when it is written to. */
static void a_store_into_a_block_that_has_run_is_seen(void **state)
{
    /* 0: mov eax, 1; dec ecx; jz 18; mov byte [rip - 15], 2 (the 1 becomes it); jmp 0; 18: hlt */
    static const uint8_t code[] = {0xb8, 0x01, 0x00, 0x00, 0x00, 0xff, 0xc9, 0x74, 0x09, 0xc6,
                                   0x05, 0xf1, 0xff, 0xff, 0xff, 0x02, 0xeb, 0xee, 0xf4};
    uc_engine *uc = engine(code, sizeof(code));
    const uint64_t rounds = 2;

    (void)state;
    uc_reg_write(uc, UC_X86_REG_RCX, &rounds);
    assert_int_equal(run(uc, CODE, CODE + 18), 2);
    uc_close(uc);
}

/* The emulator calls the function of the program, not its own of that name. */
static void the_pages_of_a_store_are_not_collected(void **state)
{
    struct page_collection *(*lock)(struct uc_struct *, uint64_t, uint64_t);
    void *found = dlsym(RTLD_DEFAULT, "page_collection_lock_x86_64");
    Dl_info where;

    (void)state;
    assert_non_null(found);
    assert_int_not_equal(dladdr(found, &where), 0);
    assert_null(strstr(where.dli_fname, "libunicorn"));
    memcpy(&lock, &found, sizeof(lock));
    assert_null(lock(NULL, CODE, CODE + 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_into_the_block_that_runs_is_seen),
        cmocka_unit_test(a_store_into_a_block_that_has_run_is_seen),
        cmocka_unit_test(the_pages_of_a_store_are_not_collected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
