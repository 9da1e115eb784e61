#include "ring_3.h"

#include "boot/firmware/memory.h"
#include "boot/context/segments.h"
#include "core_place.h"
#include "descriptors.h"
#include "memory/paging.h"
#include "vector.h"

#define STACK (32u << 10)

extern const char ImageBase[], ImageEnd[]; /* linker.ld */

static struct {
    struct ring_3 *of; /* a core each; null: no code runs in ring 3 */
    struct segments firmwares;
    bool begun;
} self;

enum rc ring_3_prepare(unsigned cores)
{
    struct ring_3 *of = memory_alloc(cores * sizeof(*of));

    if (of == NULL)
        return RC_NO_SPACE;
    for (unsigned core = 0; core < cores; core++) {
        const uint64_t stack = memory_pages(STACK / 4096, 0);

        if (stack == 0)
            return RC_NO_SPACE;
        paging_open(stack, stack + STACK);
        of[core] = (struct ring_3){.ring_0_stack = descriptors_ring_0_stack(core),
                                   .stack = stack + STACK,
                                   .traps = trap_state_of(core)};
        of[core].traps->ring_0_stack = of[core].ring_0_stack;
    }
    paging_open((uintptr_t)ImageBase, (uintptr_t)ImageEnd);
    self.of = of;
    return RC_OK;
}

void ring_3_leaves_to(uint64_t address)
{
    descriptors_open_gate(VECTOR_LEAVE, address);
    trap_lead_out_of_ring_3(address);
}

const struct ring_3 *ring_3_of(unsigned core)
{
    return self.of != NULL ? &self.of[core] : NULL;
}

void ring_3_begin(void)
{
    if (self.of == NULL)
        return;
    segments_keep(&self.firmwares);
    self.begun = true;
}

void ring_3_end(void)
{
    if (self.begun)
        segments_put_back(&self.firmwares);
    self.begun = false;
}
