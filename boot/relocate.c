/* The image relocates itself before anything else runs: the firmware may load it anywhere. */
#include <elf.h>
#include <stdint.h>

void image_relocate(uint64_t base, const Elf64_Dyn *dynamic);

/* Adds the load address where the linker left a distance from the image's start. Only
 * R_X86_64_RELATIVE can occur: the image is linked symbolically and takes nothing from outside.
 * Must not itself need a relocated pointer. */
void image_relocate(uint64_t base, const Elf64_Dyn *dynamic)
{
    uint64_t table = 0, size = 0, step = sizeof(Elf64_Rela);

    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_RELA)
            table = base + dynamic->d_un.d_ptr;
        else if (dynamic->d_tag == DT_RELASZ)
            size = dynamic->d_un.d_val;
        else if (dynamic->d_tag == DT_RELAENT)
            step = dynamic->d_un.d_val;
    }
    for (uint64_t at = 0; at < size; at += step) {
        const Elf64_Rela *entry = (const Elf64_Rela *)(uintptr_t)(table + at);

        if (ELF64_R_TYPE(entry->r_info) == R_X86_64_RELATIVE)
            *(uint64_t *)(uintptr_t)(base + entry->r_offset) = base + (uint64_t)entry->r_addend;
    }
}
