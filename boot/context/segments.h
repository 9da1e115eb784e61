/* FS and GS, which are the firmware's: no code of this program uses them, and what runs in ring 3
 * or in a cell may lose them. */
#ifndef BOOT_CONTEXT_SEGMENTS_H
#define BOOT_CONTEXT_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct segments {
    uint64_t fs_base, gs_base;
    uint16_t fs, gs;
    bool has_fs, has_gs; /* the bases can be read */
};

void segments_keep(struct segments *segments);
void segments_put_back(const struct segments *segments);

#endif
