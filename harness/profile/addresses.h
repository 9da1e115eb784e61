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
    uint32_t *at; /* [PROFILE_GROUPS][instructions] */
    struct groups groups;
    uint64_t used;      /* samples that are in `at` */
    uint64_t outside;   /* the address is not in the kernel's code */
    uint64_t broken;    /* it is, and no instruction begins there */
    uint64_t ambiguous; /* the instruction before it is not known, or not in the kernel's code */
    uint64_t full;      /* samples that came after a count of 32 bits could overflow */
};

uint64_t addresses_words(const struct kernel_map *map);
/* `planned` samples are to come, as nearly as the caller knows. False: too few words. */
bool addresses_make(struct addresses *addresses, const struct code_index *index, uint64_t planned,
                    struct words *words);
/* Counts a sample whose address is that of the instruction to be blamed: what a PMI saves is the
 * oldest instruction that has not retired. */
void addresses_add(struct addresses *addresses, uint64_t address);
/* Counts a sample whose address is that of the instruction after, as in a PEBS record without the
 * address of the event. `newest` is the newest branch record of that moment; null: there is none.
 * At the begin of a block only that record can tell which branch came before. */
void addresses_add_after(struct addresses *addresses, uint64_t address,
                         const struct lbr_entry *newest);

#endif
