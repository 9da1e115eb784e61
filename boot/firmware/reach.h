/* Whether registers in memory, whose address a table or a PCI function says, may be touched. */
#ifndef BOOT_FIRMWARE_REACH_H
#define BOOT_FIRMWARE_REACH_H

#include <stdint.h>

#include "memory_map.h"

enum reach { REACH_OK, REACH_MEMORY, REACH_NO_MAP, REACH_UNMAPPED };

/* Registers are never where the firmware's map has memory: who says so is wrong, and a write would
 * destroy what is there. Nor can they be reached above 4 GiB where the page tables do not map them,
 * for which the firmware's must be in use; below, they always do. `map` may be null: REACH_NO_MAP.
 * bytes: at least 1. */
enum reach reach_of(const struct memory_map *map, uint64_t begin, uint64_t bytes);
/* Why not, for people. */
const char *reach_text(enum reach reach);

#endif
