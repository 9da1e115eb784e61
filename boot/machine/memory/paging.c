#include "paging.h"

#include "boot/cpu.h"
#include "boot/firmware/memory.h"
#include "boot/msr.h"

#define PRESENT  (1ull << 0)
#define WRITABLE (1ull << 1)
#define USER     (1ull << 2)
#define UNCACHED (3ull << 3) /* PWT and PCD: UC in the PAT as processors have it after a reset */
#define ACCESSED (1ull << 5) /* with DIRTY set in advance, so that no page walk has to write it */
#define DIRTY    (1ull << 6)
#define LARGE    (1ull << 7)
#define TABLE    (PRESENT | WRITABLE | ACCESSED)
#define LEAF     (PRESENT | WRITABLE | ACCESSED | DIRTY)
#define ADDRESS  0x000ffffffffff000ull

#define GIB        (1ull << 30)
#define MIB2       (2ull << 20)
#define DEVICE_MAX GIB /* longer ranges of device registers above 4 GiB are not mapped */

#define FIRST_STOCK 16 /* pages of the first stock of tables; stocks double up to MOST_STOCK */
#define MOST_STOCK  1024

static struct {
    uint64_t root; /* the value for CR3 */
    uint64_t *top; /* the table of 512 GiB entries, below the root when LA57 is on */
    unsigned generation;
    uint64_t limit;       /* end of the physical addresses */
    uint64_t stock, left; /* the next free table, and how many are free from there on */
    uint64_t ask;         /* pages of the next stock */
    bool ring_3;          /* what paging_map maps is open to ring 3 from the top on */
} self;

static uint64_t *new_table(void)
{
    if (!self.left) {
        self.ask = self.ask ? self.ask : FIRST_STOCK;
        self.stock = memory_pages(self.ask, 0);
        if (!self.stock)
            return NULL;
        self.left = self.ask;
        self.ask = self.ask < MOST_STOCK ? 2 * self.ask : MOST_STOCK;
    }
    self.left--;
    self.stock += 4096;
    return (uint64_t *)(uintptr_t)(self.stock - 4096);
}

/* The table below an entry that maps 1 << shift bytes. If the entry is a page, it is first split
 * into 512 smaller ones, as open to ring 3 as it was. */
static uint64_t *table_below(uint64_t *entry, unsigned shift)
{
    const uint64_t open = *entry & USER;
    uint64_t *table;

    if (*entry & PRESENT && !(*entry & LARGE))
        return (uint64_t *)(uintptr_t)(*entry & ADDRESS);
    table = new_table();
    if (table == NULL)
        return NULL;
    if (*entry & LARGE) {
        uint64_t start = *entry & ADDRESS, below = shift - 9;

        for (uint64_t i = 0; i < 512; i++)
            table[i] = (start + (i << below)) | LEAF | open | (below > 12 ? LARGE : 0);
    }
    *entry = (uintptr_t)table | TABLE | open;
    return table;
}

/* leaf: the entry's bits; 0: the page is not mapped. */
static enum rc map_page(uint64_t address, unsigned page_shift, uint64_t leaf)
{
    uint64_t *table = self.top;
    unsigned shift = 39;

    while (shift > page_shift) {
        table = table_below(&table[address >> shift & 511], shift);
        if (table == NULL)
            return RC_NO_SPACE;
        shift -= 9;
    }
    table[address >> shift & 511] = leaf ? address | leaf | (shift > 12 ? LARGE : 0) : 0;
    return RC_OK;
}

static enum rc map_as(uint64_t start, uint64_t end, unsigned page_shift, uint64_t leaf)
{
    for (uint64_t address = start; address < end; address += 1ull << page_shift) {
        enum rc rc = map_page(address, page_shift, leaf);

        if (rc != RC_OK)
            return rc;
    }
    return RC_OK;
}

static enum rc map_range(uint64_t start, uint64_t end, unsigned page_shift)
{
    return map_as(start, end, page_shift, LEAF);
}

static enum rc changed(enum rc rc)
{
    self.generation++;
    if (read_cr3() == self.root)
        write_cr3(self.root);
    return rc;
}

/* Opens to ring 3 the entries that lead to the address, the page's own too. Returns the end of the
 * page, or, where nothing is mapped, of what the entry without a table would map. */
static uint64_t open_page(uint64_t address)
{
    uint64_t *table = self.top;
    unsigned shift = 39;

    for (;; shift -= 9) {
        uint64_t *entry = &table[address >> shift & 511];

        if (*entry & PRESENT)
            *entry |= USER;
        if (shift == 12 || !(*entry & PRESENT) || *entry & LARGE)
            return (address >> shift << shift) + (1ull << shift);
        table = (uint64_t *)(uintptr_t)(*entry & ADDRESS);
    }
}

static void open_range(uint64_t start, uint64_t end)
{
    uint64_t *root = (uint64_t *)(uintptr_t)self.root;

    if (root != self.top)
        root[0] |= USER;
    while (start < end)
        start = open_page(start);
}

void paging_open(uint64_t start, uint64_t end)
{
    self.ring_3 = true;
    open_range(start, end);
    (void)changed(RC_OK);
}

enum rc paging_map(uint64_t start, uint64_t end, unsigned page_shift)
{
    const enum rc rc = map_as(start, end, page_shift, LEAF | USER);

    if (rc == RC_OK && self.ring_3)
        open_range(start, end);
    return changed(rc);
}

uint64_t paging_entry(uint64_t address)
{
    const uint64_t *table = self.top;

    for (unsigned shift = 39; shift > 21; shift -= 9)
        table = (const uint64_t *)(uintptr_t)(table[address >> shift & 511] & ADDRESS);
    return table[address >> 21 & 511];
}

enum rc paging_map_device(uint64_t start, uint64_t end)
{
    return changed(map_as(start, end, 12, LEAF | UNCACHED));
}

enum rc paging_unmap(uint64_t start, uint64_t end)
{
    return changed(map_as(start, end, 12, 0));
}

uint64_t paging_root(void)
{
    return self.root;
}

unsigned paging_generation(void)
{
    return self.generation;
}

/* The end of the memory that continues from entry *index without a hole; *index becomes the last
 * entry of that memory. Firmware sorts its map; in an unsorted map the pieces are only shorter. */
static uint64_t end_of_memory(const struct memory_map *map, unsigned *index)
{
    const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, *index);
    uint64_t end = entry->PhysicalStart + entry->NumberOfPages * 4096;

    while (*index + 1 < memory_map_count(map)) {
        entry = memory_map_entry(map, *index + 1);
        if (entry->PhysicalStart != end || !memory_map_is_ram(entry))
            break;
        end += entry->NumberOfPages * 4096;
        ++*index;
    }
    return end;
}

/* Maps what is above 4 GiB, by 2 MiB pages. */
static enum rc map_above_4_gib(const struct memory_map *map)
{
    for (unsigned i = 0; i < memory_map_count(map); i++) {
        const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, i);
        uint64_t start = entry->PhysicalStart, end = start + entry->NumberOfPages * 4096;
        enum rc rc;

        if (end <= 4 * GIB || end < start || end > self.limit ||
            (!memory_map_is_ram(entry) && end - start > DEVICE_MAX))
            continue;
        start = start < 4 * GIB ? 4 * GIB : start / MIB2 * MIB2;
        rc = map_range(start, (end + MIB2 - 1) / MIB2 * MIB2, 21);
        if (rc != RC_OK)
            return rc;
    }
    return RC_OK;
}

/* Maps memory, and only memory, by pages of the requested size. */
static enum rc map_memory(const struct memory_map *map, unsigned page_shift)
{
    uint64_t page = 1ull << page_shift;

    for (unsigned i = 0; i < memory_map_count(map); i++) {
        const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, i);
        uint64_t start = entry->PhysicalStart, end;
        enum rc rc;

        if (!memory_map_is_ram(entry))
            continue;
        end = end_of_memory(map, &i);
        if (end < start || end > self.limit)
            continue;
        rc = map_range((start + page - 1) / page * page, end / page * page, page_shift);
        if (rc != RC_OK)
            return rc;
    }
    return RC_OK;
}

static bool has_gigabyte_pages(void)
{
    return cpuid_read(0x80000000, 0).eax >= 0x80000001 && cpuid_read(0x80000001, 0).edx >> 26 & 1;
}

static uint64_t end_of_addresses(void)
{
    if (cpuid_read(0x80000000, 0).eax < 0x80000008)
        return 1ull << 36;
    return 1ull << (cpuid_read(0x80000008, 0).eax & 0xff);
}

enum rc paging_build(const struct memory_map *map, unsigned page_shift)
{
    uint64_t *root = (uint64_t *)(uintptr_t)memory_pages(1, 4 * GIB);
    enum rc rc;

    if (root == NULL)
        return RC_NO_SPACE;
    self.top = root;
    self.limit = end_of_addresses();
    if (self.limit > 1ull << 47) /* what four levels map, without the sign-extended half */
        self.limit = 1ull << 47;
    if (read_cr4() & CR4_LA57) {
        self.top = new_table();
        if (self.top == NULL)
            return RC_NO_SPACE;
        root[0] = (uintptr_t)self.top | TABLE;
    }
    if (page_shift == 30 && !has_gigabyte_pages())
        page_shift = 21;

    rc = map_range(0, 4 * GIB, 21);
    if (rc == RC_OK && map != NULL)
        rc = map_above_4_gib(map);
    if (rc == RC_OK && map != NULL && page_shift != 21)
        rc = map_memory(map, page_shift);
    if (rc == RC_OK)
        rc = map_range(0, MIB2, 12);
    if (rc == RC_OK)
        self.root = (uintptr_t)root;
    return rc;
}
