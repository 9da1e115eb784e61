/* The code that a started application processor runs first (trampoline.asm), to be copied to a page
 * below 1 MiB. */
#ifndef BOOT_MACHINE_TRAMPOLINE_H
#define BOOT_MACHINE_TRAMPOLINE_H

#include <stdint.h>

/* The data of the code, at trampoline_data in its copy; trampoline.asm knows these offsets. */
struct trampoline_data {
    uint32_t cr3, cr4, efer, count;
    uint64_t ids, stacks, entry; /* APIC ids (uint32_t) and stack tops (uint64_t), `count` each */
    uint32_t to_protected;       /* linear address of trampoline_protected in the copy */
    uint16_t code_32, unused1;
    uint32_t to_long; /* of trampoline_long */
    uint16_t code_64, unused2;
    uint64_t descriptors[4];
    uint16_t gdt_limit;
    uint16_t gdt_base[2]; /* linear address of `descriptors` in the copy */
    uint16_t unused3;
};

/* Places in the image's own copy of the code; the copied part ends at trampoline_end. */
extern const char trampoline_start[], trampoline_protected[], trampoline_long[], trampoline_data[],
    trampoline_end[];

#endif
