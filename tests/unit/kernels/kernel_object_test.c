/* Objects of kernel files, made section by section as the format says. */
#include "tools/kernel_object.h"

#include <elf.h>
#include <string.h>

#include "tests/unit/cmocka_all.h"

#define NAMES      "\0.text\0kernel_map" /* .text at 1, kernel_map at 7 */
#define STATEMENTS "K\0\0\0\0\0\0\0\0name"

struct object {
    Elf64_Ehdr header;
    Elf64_Shdr sections[4]; /* none, names, statements, code */
    char names[sizeof(NAMES)];
    char statements[sizeof(STATEMENTS)];
    uint8_t code[4];
};

/* The kernel `name` has no bytes of the code; the last section is the code's when `count` is 4. */
static struct object object_of(uint16_t count)
{
    return (struct object){
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                   .e_shoff = offsetof(struct object, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = count,
                   .e_shstrndx = 1},
        .sections = {[1] = {.sh_type = SHT_STRTAB,
                            .sh_offset = offsetof(struct object, names),
                            .sh_size = sizeof(NAMES)},
                     [2] = {.sh_name = 7,
                            .sh_type = SHT_PROGBITS,
                            .sh_offset = offsetof(struct object, statements),
                            .sh_size = sizeof(STATEMENTS)},
                     [3] = {.sh_name = 1,
                            .sh_type = SHT_PROGBITS,
                            .sh_offset = offsetof(struct object, code),
                            .sh_size = 4}},
        .names = NAMES,
        .statements = STATEMENTS,
    };
}

static bool is_read(const struct object *image)
{
    struct kernel_object object;
    const char *error;
    const bool read = kernel_object_read(&object, (const uint8_t *)image, sizeof(*image), &error);

    if (read)
        assert_string_equal(object.name, "name");
    kernel_object_free(&object);
    return read;
}

static void an_object_with_code_and_statements_is_read(void **state)
{
    const struct object image = object_of(4);

    (void)state;
    assert_true(is_read(&image));
}

static void statements_about_code_that_is_not_there_are_refused(void **state)
{
    const struct object image = object_of(3);

    (void)state;
    assert_false(is_read(&image));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_with_code_and_statements_is_read),
        cmocka_unit_test(statements_about_code_that_is_not_there_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
