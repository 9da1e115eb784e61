/* The UEFI memory map (which pages of RAM are allocated, and as what) and the pool. They hold
 * addresses; the contents are in guest memory. UEFI specification, "Memory Allocation Services". */
#ifndef RIG_FIRMWARE_MEMORY_MAP_H
#define RIG_FIRMWARE_MEMORY_MAP_H

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_ABSENT 255u /* the type of a page that the memory map does not describe */
/* That of free pages with EFI_MEMORY_SP, which the firmware never chooses by itself. */
#define MEMORY_SPECIAL 254u

struct memory_block { /* a pool allocation, or a free block between two, in address order */
    uint64_t address, size;
    uint8_t type;
    bool used;
};

struct memory_map {
    uint64_t pages;
    uint8_t *type; /* EFI_MEMORY_TYPE of each page, or one of those above */
    struct memory_block *block;
    size_t blocks, block_room;
    uint64_t key; /* changes with every change of the map */
};

/* A map of `bytes` of RAM; false when the host has no memory left. */
bool memory_map_new(struct memory_map *map, uint64_t bytes);
void memory_map_free(struct memory_map *map);

/* `limit` is the highest address for AllocateMaxAddress, the address for AllocateAddress. Gives the
 * address, 0 when there is no room. */
uint64_t memory_map_allocate(struct memory_map *map, EFI_ALLOCATE_TYPE where, uint8_t type,
                             uint64_t pages, uint64_t limit);
/* False when a page of the range is not allocated. */
bool memory_map_release(struct memory_map *map, uint64_t address, uint64_t pages);
/* Gives an address that is a multiple of 16, 0 when there is no room. */
uint64_t memory_map_pool(struct memory_map *map, uint8_t type, uint64_t bytes);
/* False when no pool allocation begins there. */
bool memory_map_pool_release(struct memory_map *map, uint64_t address);

/* Pages of one type side by side. */
struct memory_run {
    uint64_t address, pages;
    uint8_t type;
};
/* The run that contains page `*page` or follows it; `*page` becomes the page behind the run. False
 * after the last. */
bool memory_map_next(const struct memory_map *map, uint64_t *page, struct memory_run *run);

#endif
