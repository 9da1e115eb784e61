/* Samples that are an address: how often each instruction of a kernel was met. One of these for
 * each counter and way of sampling: cycles with a random period, cycles with a fixed one,
 * instructions. */
#ifndef HARNESS_PROFILE_ADDRESSES_H
#define HARNESS_PROFILE_ADDRESSES_H

#include "code_index.h"
#include "groups.h"
#include "pmu/sampling/lbr.h"

struct addresses {
    const struct code_index *index;
    uint32_t *at; /* [PROFILE_GROUPS][instructions]: the saved address */
    uint32_t
        *through; /* [PROFILE_GROUPS][edges]: samples in `at` that came to a block by the edge */
    /* Of samples with a latency of retirement; null without addresses_make_timed. */
    uint64_t *latency; /* [PROFILE_GROUPS][instructions]: their sum */
    uint32_t *waited;  /* [PROFILE_GROUPS][instructions]: samples whose latency is not 0 */
    uint64_t timed;    /* samples in `at` that have a latency */
    uint64_t endless;  /* of these, the ones at the end of the field: it may have been longer */
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
/* Makes room for latencies of retirement, too. False: too few words. */
uint64_t addresses_timed_words(const struct kernel_map *map);
bool addresses_make_timed(struct addresses *addresses, struct words *words);
/* Counts a sample at the address that the interrupt saved. */
void addresses_add(struct addresses *addresses, uint64_t address);
/* The same, with the branch records of that moment (null: there are none), recorded without a
 * freeze: at the begin of a block the newest one that leads into the kernel tells which instruction
 * came before. Those of the interrupt and its handler lead elsewhere. Without records a profile
 * shares such samples out by the flow, which is wrong where branches to one block wait for
 * different times. */
void addresses_add_after(struct addresses *addresses, uint64_t address,
                         const struct lbr_stack *stack);
/* Counts a sample of the instruction at the address, which retired so many core cycles after the
 * one before; ADDRESSES_ENDLESS: so many or more. */
#define ADDRESSES_ENDLESS 0xffff
void addresses_add_timed(struct addresses *addresses, uint64_t address, uint64_t latency);

#endif
