/* libunicorn 2.0.1 treats every store as one that may hit translated code. Each time it makes a
 * collection of the pages around the store, to lock them: memory from the heap, a tree, an entry
 * for each page. It locks none of them (it has one thread) and never reads the collection; in later
 * versions both functions are empty. libunicorn exports both functions, so the linker takes the
 * program's instead. */
#include <stddef.h>
#include <stdint.h>

struct uc_struct;
struct page_collection;

struct page_collection *page_collection_lock_x86_64(struct uc_struct *uc, uint64_t begin,
                                                    uint64_t end)
{
    (void)uc;
    (void)begin;
    (void)end;
    return NULL;
}

void page_collection_unlock_x86_64(struct page_collection *set)
{
    (void)set;
}
