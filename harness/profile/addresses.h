/* Samples that are an address: how often each instruction of a kernel was met. One of these for
 * each counter and way of sampling: cycles with a random period, cycles with a fixed one,
 * instructions. */
#ifndef HARNESS_ADDRESSES_H
#define HARNESS_ADDRESSES_H

#include "code_index.h"
#include "groups.h"
#include "pmu/lbr.h"

struct addresses {
    const struct code_index *index;
    uint32_t *at; /* [PROFILE_GROUPS][instructions]: the saved address */
    uint32_t
        *through; /* [PROFILE_GROUPS][edges]: samples in `at` that came to a block by the edge */
    struct groups groups;
    uint64_t used;      /* samples that are in `at` */
    uint64_t outside;   /* the address is not in the kernel's code */
    uint64_t broken;    /* it is, and no instruction begins there */
    uint64_t ambiguous; /* the branch record leads to no edge of the map */
    uint64_t full;      /* samples that came after a count of 32 bits could overflow */
};

uint64_t addresses_words(const struct kernel_map *map);
/* `planned` samples are to come, as nearly as the caller knows. False: too few words. */
bool addresses_make(struct addresses *addresses, const struct code_index *index, uint64_t planned,
                    struct words *words);
/* Counts a sample at the address that the interrupt saved. */
void addresses_add(struct addresses *addresses, uint64_t address);
/* The same, with the newest branch record of the kernel at that moment (not that of the interrupt;
 * null: there is none): at the begin of a block it tells which instruction came before. Without it
 * a profile shares such samples out by the flow, which is wrong where branches to one block wait
 * for different times. */
void addresses_add_after(struct addresses *addresses, uint64_t address,
                         const struct lbr_entry *newest);

#endif
