/* This program's page tables, an identity map: virtual = physical, all of it readable, writable and
 * executable by ring 0. The MTRRs set the memory types.
 *
 * Below 4 GiB every address is mapped, holes too, since device registers are there, but for the
 * guards of the stacks (stacks.h). Above 4 GiB the
 * memory that the firmware's map names is mapped, and device registers up to 1 GiB in one piece;
 * others only by paging_map_device.
 * What paging_map maps is open to ring 3, but the entries at the top are not: so ring 3 reaches
 * nothing, unless paging_open opens them. The first 2 MiB always have 4 KiB pages: the fixed MTRRs
 * give that area several memory types. */
#ifndef BOOT_MACHINE_MEMORY_PAGING_H
#define BOOT_MACHINE_MEMORY_PAGING_H

#include <stdint.h>

#include "boot/firmware/memory_map.h"
#include "boot/rc.h"

/* Builds the page tables: memory by pages of 1 << page_shift bytes (12, 21 or 30) where whole such
 * pages fit, all else by 2 MiB pages. 30 falls back to 21 on a processor without 1 GiB pages.
 * RC_NO_SPACE: no memory for the tables. */
enum rc paging_build(const struct memory_map *map, unsigned page_shift);
/* Maps [start, end), both multiples of the page size, by pages of 1 << page_shift bytes, splitting
 * or replacing the pages there. The calling core sees the change at once, the others before their
 * next work. RC_NO_SPACE: no memory for a table. */
enum rc paging_map(uint64_t start, uint64_t end, unsigned page_shift);
/* Opens the pages that map [start, end) to ring 3, whatever their size is, and from now on what
 * paging_map maps. Where nothing is mapped nothing is opened. */
void paging_open(uint64_t start, uint64_t end);
/* The entry of the table of 2 MiB entries that maps the address, which paging_map has mapped. */
uint64_t paging_entry(uint64_t address);
/* Maps [start, end), multiples of 4 KiB, uncached: device registers. Else as paging_map. */
enum rc paging_map_device(uint64_t start, uint64_t end);
/* Makes every access to [start, end), multiples of 4 KiB, a page fault. Else as paging_map. */
enum rc paging_unmap(uint64_t start, uint64_t end);
/* The value for CR3, below 4 GiB; 0 before paging_build. */
uint64_t paging_root(void);
/* A number that every paging_map changes: a core with an older one must reload CR3. */
unsigned paging_generation(void);

#endif
