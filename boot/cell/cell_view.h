/* The page tables of a cell: two roots above the same tables, one of which opens to ring 3 what the
 * tables open to it. */
#ifndef BOOT_CELL_CELL_VIEW_H
#define BOOT_CELL_CELL_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#define VIEW_TABLES 510u

/* Rights of mapped memory. */
#define VIEW_WRITABLE (1ull << 1)
#define VIEW_USER     (1ull << 2)

struct cell_view {
    uint64_t ring_0, ring_3; /* values for CR3 */
    struct view_tables {     /* a page: the tables, which are used again */
        uint64_t count, used;
        uint64_t address[VIEW_TABLES];
    } * tables;
};

/* Functions that return bool return false when there is no memory. */

/* An empty view; the tables that it had are used again. */
bool view_begin(struct cell_view *view);
/* Maps [start, start + bytes), the last page whole, by pages of 4 KiB; linear = physical. */
bool view_map(struct cell_view *view, uint64_t start, uint64_t bytes, uint64_t rights);
/* Maps [start, start + bytes), which begins at 2 MiB, with the pages that paging_map has mapped it
 * by, the last page whole, writable and open to ring 3. */
bool view_share(struct cell_view *view, uint64_t start, uint64_t bytes);
/* Makes ring_3. */
void view_finish(struct cell_view *view);

#endif
