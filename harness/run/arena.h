/* Memory that kernels work on: one piece for each page size, a part of it for each lane. */
#ifndef HARNESS_ARENA_H
#define HARNESS_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"

#define ARENA_KINDS 2 /* of 4 KiB pages and of 2 MiB pages */

struct arena {
    uint8_t *base;           /* null: no memory */
    uint64_t bytes_per_lane; /* a multiple of 2 MiB */
};

/* Which of the arenas the kernel asks for. */
unsigned arena_kind(const struct kernel *kernel);
/* Takes memory for `bytes` on each of `lanes` lanes. False, with the amount in *wanted: there is
 * not that much. */
bool arena_take(struct arena arenas[ARENA_KINDS], unsigned kind, uint64_t bytes, unsigned lanes,
                uint64_t *wanted);
/* The lane's part for a kernel that asks for `bytes`; *part is null when it asks for none. False:
 * there is no arena that large. */
bool arena_part(const struct arena arenas[ARENA_KINDS], const struct kernel *kernel, unsigned lane,
                uint64_t bytes, void **part);

#endif
