#include "cell_view.h"

#include "boot/cpu.h"
#include "boot/firmware/memory.h"
#include "boot/machine/memory/paging.h"
#include "boot/text.h"

#define PRESENT  (1ull << 0)
#define ACCESSED (1ull << 5) /* with DIRTY set in advance, so that no page walk has to write it */
#define DIRTY    (1ull << 6)
#define LARGE    (1ull << 7) /* the entry maps 2 MiB itself */
#define TABLE    (PRESENT | VIEW_WRITABLE | ACCESSED)
#define ADDRESS  0x000ffffffffff000ull

#define PAGE 4096u
#define MIB2 (2u << 20)

/* 0: no memory. */
static uint64_t new_table(struct cell_view *view)
{
    struct view_tables *tables = view->tables;
    uint64_t page;

    if (tables->used < tables->count) {
        page = tables->address[tables->used++];
        memset((void *)(uintptr_t)page, 0, PAGE);
        return page;
    }
    page = tables->count < VIEW_TABLES ? memory_pages(1, 0) : 0;
    if (page != 0) {
        tables->address[tables->count++] = page;
        tables->used++;
    }
    return page;
}

bool view_begin(struct cell_view *view)
{
    if (view->tables == NULL)
        view->tables = memory_alloc(sizeof(*view->tables));
    if (view->tables == NULL)
        return false;
    view->tables->used = 0;
    view->ring_0 = new_table(view);
    view->ring_3 = new_table(view);
    return view->ring_0 != 0 && view->ring_3 != 0;
}

/* The entry for the address in a table whose entries map 1 << low bytes; null: no memory. The
 * entries of ring_0 close to ring 3 what is below them. */
static uint64_t *entry_of(struct cell_view *view, uint64_t linear, unsigned low)
{
    uint64_t *table = (uint64_t *)(uintptr_t)view->ring_0, rights = TABLE;
    unsigned shift = read_cr4() & CR4_LA57 ? 48 : 39;

    for (; shift > low; shift -= 9) {
        uint64_t *entry = &table[linear >> shift & 511];

        if (!(*entry & PRESENT)) {
            const uint64_t below = new_table(view);

            if (below == 0)
                return NULL;
            *entry = below | rights;
        }
        table = (uint64_t *)(uintptr_t)(*entry & ADDRESS);
        rights = TABLE | VIEW_USER;
    }
    return &table[linear >> low & 511];
}

bool view_map(struct cell_view *view, uint64_t start, uint64_t bytes, uint64_t rights)
{
    for (uint64_t at = start; at < start + bytes; at += PAGE) {
        uint64_t *entry = entry_of(view, at, 12);

        if (entry == NULL)
            return false;
        *entry = at | PRESENT | ACCESSED | DIRTY | rights;
    }
    return true;
}

bool view_share(struct cell_view *view, uint64_t start, uint64_t bytes)
{
    const uint64_t end = start + bytes;

    for (uint64_t at = start; at < end; at += MIB2) {
        const uint64_t mapped = paging_entry(at);
        uint64_t *entry;

        if (end - at < MIB2 && !(mapped & LARGE))
            return view_map(view, at, end - at, VIEW_WRITABLE | VIEW_USER);
        entry = entry_of(view, at, 21);
        if (entry == NULL)
            return false;
        *entry = mapped | VIEW_USER;
    }
    return true;
}

void view_finish(struct cell_view *view)
{
    const uint64_t *from = (const uint64_t *)(uintptr_t)view->ring_0;
    uint64_t *to = (uint64_t *)(uintptr_t)view->ring_3;

    for (unsigned i = 0; i < 512; i++)
        to[i] = from[i] & PRESENT ? from[i] | VIEW_USER : 0;
}
