/* Memory that kernels work on: executable and writable, by pages of a chosen size. */
#ifndef BOOT_ARENA_H
#define BOOT_ARENA_H

#include <stddef.h>

/* `size` bytes, zeroed, aligned to 2 MiB, mapped by pages of 4 KiB (shift 12) or 2 MiB (shift 21);
 * arenas taken before the page tables are built are mapped by arena_map_all. Null: no memory, or 8
 * arenas exist already. */
void *arena_alloc(size_t size, unsigned page_shift);
/* Maps all arenas so far; call it when paging_build is done. */
void arena_map_all(void);

#endif
