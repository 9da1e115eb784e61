/* Our identity map: physical = virtual, everything readable, writable and executable by ring 0;
 * memory types are the MTRRs'.
 *
 * Below 4 GiB everything is mapped, holes too (device registers live there); above it what the
 * firmware's map names. The first 2 MiB are always 4 KiB pages: the fixed MTRRs give that area
 * several memory types. */
#ifndef BOOT_PAGING_H
#define BOOT_PAGING_H

#include <stdint.h>

#include "boot/firmware/memory_map.h"
#include "boot/rc.h"

/* Builds the map; memory by pages of 1 << page_shift (12, 21 or 30) where whole such pages fit,
 * all else by 2 MiB. 30 falls back to 21 on a processor without 1 GiB pages. RC_NO_SPACE: no
 * memory for the tables. */
enum rc paging_build(const struct memory_map *map, unsigned page_shift);
/* Maps [start, end), both aligned, by pages of that size, splitting or replacing what was there.
 * It is seen by this core at once and by the others before their next work. */
enum rc paging_map(uint64_t start, uint64_t end, unsigned page_shift);
/* For CR3, below 4 GiB; 0 before paging_build. */
uint64_t paging_root(void);
/* Goes up by one with every change of the map. */
unsigned paging_generation(void);

#endif
