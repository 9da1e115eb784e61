/* The image relocates itself before anything else runs: the firmware may load it anywhere. */
#include <elf.h>
#include <stdint.h>

void image_relocate(uint64_t base, const Elf64_Dyn *dynamic);

/* Relocates the words that the packed table names ("Relative Relocation Table", generic ELF ABI).
 * An even entry is the offset of one word; an odd entry is a bitmap of the next 63 words,
 * after those of the entry before. */
static void relocate_packed(uint64_t base, const uint64_t *entry, uint64_t size)
{
    uint64_t *word = (uint64_t *)(uintptr_t)base;

    for (; size >= sizeof(*entry); size -= sizeof(*entry), entry++) {
        if ((*entry & 1) == 0) {
            word = (uint64_t *)(uintptr_t)(base + *entry);
            *word++ += base;
            continue;
        }
        for (unsigned i = 0; i < 63; i++) {
            if (*entry >> (i + 1) & 1)
                word[i] += base;
        }
        word += 63;
    }
}

/* Adds the load address `base` to each word that holds an offset into the image. Only relative
 * relocations occur: the image is linked with -Bsymbolic and imports nothing. Called by start.asm.
 * This function itself must not need a relocated pointer. */
void image_relocate(uint64_t base, const Elf64_Dyn *dynamic)
{
    uint64_t table = 0, size = 0, step = sizeof(Elf64_Rela), packed = 0, packed_size = 0;

    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_RELA)
            table = base + dynamic->d_un.d_ptr;
        else if (dynamic->d_tag == DT_RELASZ)
            size = dynamic->d_un.d_val;
        else if (dynamic->d_tag == DT_RELAENT)
            step = dynamic->d_un.d_val;
        else if (dynamic->d_tag == DT_RELR)
            packed = base + dynamic->d_un.d_ptr;
        else if (dynamic->d_tag == DT_RELRSZ)
            packed_size = dynamic->d_un.d_val;
    }
    relocate_packed(base, (const uint64_t *)(uintptr_t)packed, packed_size);
    for (uint64_t at = 0; at < size; at += step) {
        const Elf64_Rela *entry = (const Elf64_Rela *)(uintptr_t)(table + at);

        if (ELF64_R_TYPE(entry->r_info) == R_X86_64_RELATIVE)
            *(uint64_t *)(uintptr_t)(base + entry->r_offset) = base + (uint64_t)entry->r_addend;
    }
}
