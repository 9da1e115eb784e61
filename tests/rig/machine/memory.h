/* Guest memory: RAM from 0, its UEFI memory map in pages, and checked access for the host. */
#ifndef RIG_MEMORY_H
#define RIG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_BYTES         4096u
#define PAGES_OF(bytes)    (((bytes) + PAGE_BYTES - 1) / PAGE_BYTES)
#define LEGACY_BEGIN       0xa0000u /* adapter and BIOS area: no RAM there */
#define LEGACY_END         0x100000u
#define FRAMEBUFFER_BASE   0xc0000000u
#define FRAMEBUFFER_WIDTH  1024u
#define FRAMEBUFFER_HEIGHT 768u
#define FRAMEBUFFER_BYTES  (FRAMEBUFFER_WIDTH * FRAMEBUFFER_HEIGHT * 4u)
#define PCI_BASE           0xe0000000u /* configuration space, 1 MiB a bus */
#define PCI_BYTES          0x10000000u
#define APIC_BASE          0xfee00000u

/* EFI_MEMORY_TYPE of the UEFI specification, "EFI_BOOT_SERVICES.AllocatePages()". */
enum memory_type {
    MEMORY_RESERVED,
    MEMORY_LOADER_CODE,
    MEMORY_LOADER_DATA,
    MEMORY_BOOT_CODE,
    MEMORY_BOOT_DATA,
    MEMORY_RUNTIME_CODE,
    MEMORY_RUNTIME_DATA,
    MEMORY_CONVENTIONAL,
    MEMORY_UNUSABLE,
    MEMORY_ACPI_RECLAIM,
    MEMORY_ACPI_NVS,
    MEMORY_MMIO,
    MEMORY_TYPES = 14,
    MEMORY_ABSENT = 255 /* not described by the memory map */
};

struct memory_block { /* a pool allocation or a hole between two, in address order */
    uint64_t address, size;
    uint8_t type;
    bool used;
};

struct guest_memory {
    uint8_t *ram;
    uint8_t *framebuffer;
    uint64_t size;
    uint8_t *type; /* one a page */
    struct memory_block *block;
    size_t blocks, block_room;
    uint64_t key; /* changes with every change of the map */
};

bool memory_new(struct guest_memory *memory, uint64_t bytes);
void memory_free(struct guest_memory *memory);

/* Host address of [address, address + size) when all of it is RAM, else NULL. */
void *memory_at(const struct guest_memory *memory, uint64_t address, uint64_t size);

enum memory_where { MEMORY_ANYWHERE, MEMORY_BELOW, MEMORY_EXACTLY }; /* EFI_ALLOCATE_TYPE */
/* Gives 0 when there is no room. `limit` is the highest address for MEMORY_BELOW, the address for
 * MEMORY_EXACTLY. */
uint64_t memory_allocate(struct guest_memory *memory, enum memory_where where, uint8_t type,
                         uint64_t pages, uint64_t limit);
/* False when a page of the range was not allocated. */
bool memory_release(struct guest_memory *memory, uint64_t address, uint64_t pages);
uint64_t memory_pool(struct guest_memory *memory, uint8_t type,
                     uint64_t bytes); /* 16-byte aligned, 0 when there is no room */
bool memory_pool_release(struct guest_memory *memory, uint64_t address);
/* The n-th run of equal pages: false after the last. */
bool memory_run(const struct guest_memory *memory, uint64_t *next_page, uint64_t *address,
                uint64_t *pages, uint8_t *type);

#endif
