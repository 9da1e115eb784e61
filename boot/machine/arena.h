/* Memory that kernels work on: executable and writable, by pages of a chosen size. */
#ifndef BOOT_MACHINE_ARENA_H
#define BOOT_MACHINE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "boot/nodes.h"

/* `size` bytes of the node's memory (NODE_UNKNOWN: of any), zeroed, aligned to 2 MiB, mapped by
 * pages of 4 KiB (shift 12) or 2 MiB (shift 21). After machine_take. Null: no memory. */
void *arena_alloc(size_t size, unsigned page_shift, uint32_t node);

#endif
