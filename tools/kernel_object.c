#include "tools/kernel_object.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    const uint8_t *at;
    size_t left;
};

/* ---- Sections ---- */

static bool inside(size_t whole, uint64_t offset, uint64_t bytes)
{
    return offset <= whole && bytes <= whole - offset;
}

static bool section_at(const uint8_t *image, size_t bytes, unsigned index, Elf64_Shdr *section)
{
    Elf64_Ehdr header;

    memcpy(&header, image, sizeof(header));
    if (index >= header.e_shnum || header.e_shentsize != sizeof(*section) ||
        !inside(bytes, header.e_shoff, (uint64_t)header.e_shnum * sizeof(*section)))
        return false;
    memcpy(section, image + header.e_shoff + index * sizeof(*section), sizeof(*section));
    return inside(bytes, section->sh_offset, section->sh_type == SHT_NOBITS ? 0 : section->sh_size);
}

/* The contents of the section of that name; empty when there is none. */
static struct bytes section_named(const uint8_t *image, size_t bytes, const char *name)
{
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    size_t length = strlen(name) + 1;

    memcpy(&header, image, sizeof(header));
    if (!section_at(image, bytes, header.e_shstrndx, &names) || names.sh_type != SHT_STRTAB)
        return (struct bytes){NULL, 0};
    for (unsigned i = 1; i < header.e_shnum; i++)
        if (section_at(image, bytes, i, &section) && section.sh_type == SHT_PROGBITS &&
            inside(names.sh_size, section.sh_name, length) &&
            memcmp(image + names.sh_offset + section.sh_name, name, length) == 0)
            return (struct bytes){image + section.sh_offset, section.sh_size};
    return (struct bytes){NULL, 0};
}

/* ---- Statements ---- */

static bool take_number(struct bytes *from, uint32_t *number)
{
    if (from->left < sizeof(*number))
        return false;
    memcpy(number, from->at, sizeof(*number));
    from->at += sizeof(*number);
    from->left -= sizeof(*number);
    return true;
}

static bool take_text(struct bytes *from, const char **text)
{
    const uint8_t *end = from->left > 0 ? memchr(from->at, '\0', from->left) : NULL;

    if (end == NULL)
        return false;
    *text = (const char *)from->at;
    from->left -= (size_t)(end + 1 - from->at);
    from->at = end + 1;
    return true;
}

static bool take_block(struct kernel_object *object, struct bytes *from)
{
    struct stated_block *block = &object->blocks[object->block_count++];

    return take_number(from, &block->offset) && take_text(from, &block->label) &&
           take_text(from, &block->count);
}

static bool take_target(struct kernel_object *object, struct bytes *from)
{
    struct stated_target *target = &object->targets[object->target_count++];

    return take_number(from, &target->branch) && take_number(from, &target->target) &&
           take_text(from, &target->branch_label) && take_text(from, &target->target_label);
}

static bool take_kernel(struct kernel_object *object, struct bytes *from, struct bytes text)
{
    uint32_t offset;

    if (text.at == NULL) /* statements about code that is not there */
        return false;
    if (object->name != NULL || !take_number(from, &offset) || !take_number(from, &object->bytes) ||
        !take_text(from, &object->name) || !inside(text.left, offset, object->bytes))
        return false;
    object->code = text.at + offset;
    return true;
}

static bool take_statements(struct kernel_object *object, struct bytes from, struct bytes text)
{
    bool good = true;

    while (good && from.left > 0) {
        uint8_t letter = *from.at++;

        from.left--;
        good = letter == 'B'   ? take_block(object, &from)
               : letter == 'T' ? take_target(object, &from)
               : letter == 'K' ? take_kernel(object, &from, text)
                               : false;
    }
    return good && object->name != NULL;
}

/* ---- The object ---- */

bool kernel_object_read(struct kernel_object *object, const uint8_t *image, size_t bytes,
                        const char **error)
{
    struct bytes statements, text;
    Elf64_Ehdr header;

    *object = (struct kernel_object){0};
    *error = "expected an ELF object of 64 bits";
    if (bytes < sizeof(header))
        return false;
    memcpy(&header, image, sizeof(header));
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
        return false;

    text = section_named(image, bytes, ".text");
    statements = section_named(image, bytes, "kernel_map");
    if (statements.left == 0)
        return true;

    /* A statement has more than one byte, so there are fewer of them than bytes. */
    object->blocks = calloc(statements.left, sizeof(*object->blocks));
    object->targets = calloc(statements.left, sizeof(*object->targets));
    *error = "out of memory";
    if (object->blocks == NULL || object->targets == NULL)
        return false;
    *error = "expected statements in the section kernel_map as kernel.inc writes them";
    return take_statements(object, statements, text);
}

void kernel_object_free(struct kernel_object *object)
{
    free(object->blocks);
    free(object->targets);
    *object = (struct kernel_object){0};
}
