/* Memory that kernels work on: on each node that a measured core needs, a piece for each page size
 * and each lane. */
#ifndef HARNESS_RUN_ARENA_H
#define HARNESS_RUN_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"

#define ARENA_KINDS 2 /* of 4 KiB pages and of 2 MiB pages */

struct arena {
    uint8_t *base;            /* null: no memory */
    uint64_t bytes_per_piece; /* a multiple of 2 MiB */
    uint32_t node; /* whose memory it is; NODE_UNKNOWN: that of several, or nobody says */
};

/* The arenas of the cores of one node. */
struct arenas {
    uint32_t home;   /* the cores' node, or NODE_UNKNOWN */
    uint32_t wanted; /* the node whose memory they want, NODE_UNKNOWN: any */
    bool refused;    /* they want memory of another node, and no other node has memory */
    unsigned pieces; /* of each arena */
    struct arena of_kind[ARENA_KINDS];
};

/* Which of the arenas the kernel asks for. */
unsigned arena_kind(const struct kernel *kernel);
/* The arenas of the cores of node `home`, without memory and pieces yet. remote: of the memory of
 * the node that is farthest from it. */
struct arenas arenas_of_node(uint32_t home, bool remote);
/* Takes memory for pieces of `bytes` from the wanted node. Where that is the cores' own node and
 * has not that much, from any. False, with the amount in *wanted: there is not that much. */
bool arena_take(struct arenas *arenas, unsigned kind, uint64_t bytes, uint64_t *wanted);
/* That piece for a kernel that asks for `bytes`; *part is null when it asks for none. False: there
 * is no arena that large. */
bool arena_part(const struct arenas *arenas, const struct kernel *kernel, unsigned piece,
                uint64_t bytes, void **part);
/* Whether the memory that the kernel gets is not known to be of the cores' node alone, where their
 * node is known. */
bool arena_is_far(const struct arenas *arenas, const struct kernel *kernel);

#endif
