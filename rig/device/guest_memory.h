/* Guest memory: RAM from address 0 on, the frame buffer, and where in the physical address space
 * they and the devices lie. */
#ifndef RIG_DEVICE_GUEST_MEMORY_H
#define RIG_DEVICE_GUEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BYTES      4096u
#define PAGES_OF(bytes) (((bytes) + PAGE_BYTES - 1) / PAGE_BYTES)

#define LEGACY_BEGIN       0xa0000u /* adapter and BIOS area: no RAM there */
#define LEGACY_END         0x100000u
#define FRAMEBUFFER_BASE   0xc0000000u
#define FRAMEBUFFER_WIDTH  1024u
#define FRAMEBUFFER_HEIGHT 768u
#define FRAMEBUFFER_BYTES  (FRAMEBUFFER_WIDTH * FRAMEBUFFER_HEIGHT * 4u)
#define PCI_BASE           0xe0000000u /* configuration space, 1 MiB a bus */
#define PCI_BYTES          0x10000000u
#define PCI_HIGH_BASE      UINT64_C(0x700000000) /* or here */
#define PCI_BASE_1         0xd0000000u /* where bus 0 of segment 1 would be; it has 16, from 40H on */
#define PCI_FIRST_1        0x40u
#define PCI_LAST_1         0x4fu
#define PCI_BEGIN_1        (PCI_BASE_1 + (PCI_FIRST_1 << 20))
#define PCI_BYTES_1        ((PCI_LAST_1 - PCI_FIRST_1 + 1) << 20)

struct guest_memory {
    uint8_t *ram;
    uint8_t *framebuffer; /* FRAMEBUFFER_BYTES; blue, green, red, reserved a pixel */
    uint64_t size;        /* of the RAM, with the legacy area */
};

/* All zeros; false when the host has no memory left. */
bool memory_new(struct guest_memory *memory, uint64_t bytes);
void memory_free(struct guest_memory *memory);

/* Host address of [address, address + size) when all of it is RAM, else NULL. */
void *memory_at(const struct guest_memory *memory, uint64_t address, uint64_t size);

#endif
