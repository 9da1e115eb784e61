/* Linear addresses through the guest's page tables. SDM 3A, "4-Level Paging". */
#ifndef RIG_MACHINE_ENGINE_PAGING_H
#define RIG_MACHINE_ENGINE_PAGING_H

#include <stdbool.h>
#include <stdint.h>

struct core;

#define PAGE_OFFSET_MASK UINT64_C(0xfff)
#define PTE_WRITE        0x02u
#define PTE_USER         0x04u

/* Bits of the error code of #PF. */
enum page_error { PF_PRESENT = 1, PF_WRITE = 2, PF_USER = 4, PF_FETCH = 16 };

struct page_walk {
    uint8_t *place[4]; /* of the host: the entries on the way, last the entry that maps the page */
    unsigned levels;
    unsigned shift;    /* log2 of the size of the page */
    uint64_t rights;   /* PTE_WRITE and PTE_USER where every entry has them */
    uint64_t physical; /* the physical address */
};

/* False when no page maps the address. */
bool paging_walk(const struct core *core, uint64_t address, struct page_walk *walk);
/* Sets the accessed bits on the way, and the dirty bit for a write. */
void paging_mark(const struct page_walk *walk, bool write);
bool paging_maps(const struct core *core, uint64_t address);
/* For the model (model_world): the size of the page that maps the address, 12 when none does. */
unsigned paging_shift(void *core, uint64_t address);
/* Whether bits 63 to 48 of the address repeat bit 47. */
bool paging_is_canonical(uint64_t address);

#endif
