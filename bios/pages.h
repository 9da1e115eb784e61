/* Which pages are in use: the memory map of a board without UEFI, with the memory types of the UEFI
 * specification. Pure. */
#ifndef BIOS_PAGES_H
#define BIOS_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGES_RANGES 512
#define PAGES_BYTES  4096ull
/* Memory from here on is in the map and never given away: it is not mapped yet. */
#define PAGES_REACH (1ull << 32)

/* Types, as the UEFI specification numbers them (EFI_MEMORY_TYPE). */
enum pages_type {
    PAGES_RESERVED = 0,
    PAGES_LOADER_CODE = 1,
    PAGES_LOADER_DATA = 2,
    PAGES_FIRMWARE_CODE = 3,
    PAGES_FREE = 7,
    PAGES_UNUSABLE = 8,
    PAGES_ACPI = 9,
    PAGES_NVS = 10,
};

/* Sorted, apart from each other, in whole pages. */
struct pages {
    struct pages_range {
        uint64_t begin, end;
        uint32_t type;
    } ranges[PAGES_RANGES];
    unsigned count;
    uint64_t changes; /* since the start */
};

/* What overlaps [begin, end) gets that type; the rest of the range is added. Free memory loses the
 * pages that it does not fill, all other types gain them. False: there is no room for more ranges,
 * and nothing has changed. */
bool pages_set(struct pages *pages, uint64_t begin, uint64_t end, uint32_t type);
/* `count` pages that end at or below `last`, the highest that are free; below 1 MiB only when
 * `last` is. 0: there are none. */
uint64_t pages_take(struct pages *pages, uint64_t count, uint64_t last, uint32_t type);
/* Gives pages back. False: not all of them are of a type that pages_take has given. */
bool pages_give(struct pages *pages, uint64_t begin, uint64_t count);

#endif
