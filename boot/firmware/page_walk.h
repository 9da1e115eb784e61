/* The firmware's page tables, as they are: what is identity-mapped. Pure: they are read where they
 * lie in memory. SDM 3A, "4-Level Paging and 5-Level Paging". */
#ifndef BOOT_FIRMWARE_PAGE_WALK_H
#define BOOT_FIRMWARE_PAGE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_WALK_END (1ull << 47) /* addresses from here on are never said to be mapped */

/* Whether each address of [begin, begin + bytes) is mapped to itself, for ring 0. cr3: the value of
 * CR3, `levels` of tables below it (4 or 5), which must be mapped to themselves. bytes: at least 1.
 */
bool page_walk_maps(uint64_t cr3, unsigned levels, uint64_t begin, uint64_t bytes);

#endif
