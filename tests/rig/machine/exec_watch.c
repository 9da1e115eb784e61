/* The machine as event-based sampling sees it: an instruction at a time, its registers, its memory.
 */
#include <string.h>

#include "exec.h"
#include "machine.h"

#define PAGE_MASK UINT64_C(0xfff)

/* Piece by piece, because pages need not lie side by side. */
static uint8_t *piece(const struct core *core, uint64_t address, size_t room, size_t *size)
{
    uint64_t mask, entry;
    unsigned shift;

    if (!paging_walk(core, address, &shift, &entry))
        return NULL;
    *size = PAGE_MASK + 1 - (address & PAGE_MASK);
    if (*size > room)
        *size = room;
    mask = (UINT64_C(1) << shift) - 1;
    address = (entry & UINT64_C(0x000ffffffffff000) & ~mask) | (address & mask);
    return memory_at(&core->machine->memory, address, *size);
}

static bool transfer(struct core *core, uint64_t address, uint8_t *to, const uint8_t *from,
                     size_t size)
{
    while (size) {
        size_t part;
        uint8_t *place = piece(core, address, size, &part);

        if (place == NULL)
            return false;
        if (from != NULL)
            memcpy(place, from, part);
        else
            memcpy(to, place, part);
        address += part;
        size -= part;
        if (from != NULL)
            from += part;
        else
            to += part;
    }
    return true;
}

bool core_guest_read(void *core, uint64_t address, void *data, size_t size)
{
    return transfer(core, address, data, NULL, size);
}

bool core_guest_write(void *core, uint64_t address, const void *data, size_t size)
{
    return transfer(core, address, NULL, data, size);
}

void core_snapshot(void *context, struct pmu_registers *registers)
{
    static const int ids[] = {
        UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX,
        UC_X86_REG_RSP, UC_X86_REG_RBP, UC_X86_REG_RSI, UC_X86_REG_RDI,
        UC_X86_REG_R8,  UC_X86_REG_R9,  UC_X86_REG_R10, UC_X86_REG_R11,
        UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15,
    };
    const struct core *core = context;

    registers->rip = core->rip;
    registers->rflags = core_register(core, UC_X86_REG_EFLAGS);
    for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        registers->gpr[i] = core_register(core, ids[i]);
    for (int i = 0; i < 16; i++)
        uc_reg_read(core->uc, UC_X86_REG_XMM0 + i, registers->xmm[i]);
}

void core_subscribe(void *context, struct pmu_subscription subscription)
{
    struct core *core = context;

    model_subscribe(core->model,
                    (struct model_subscriber){.context = core->pmu,
                                              .fetch = subscription.fetches ? pmu_fetched : NULL,
                                              .access = subscription.accesses ? pmu_access : NULL,
                                              .request = subscription.requests ? pmu_offcore : NULL});
}

void core_watch(void *context, bool on)
{
    ((struct core *)context)->watched = on;
}

void core_boundary(struct core *core, const struct executed *executed)
{
    struct pmu_boundary boundary = {
        .ip = executed->rip,
        .next = executed->next,
        .data = executed->accesses ? executed->access[0].address : 0,
    };

    if (executed->end != END_NEXT)
        return;
    model_drain(core->model);
    pmu_at_boundary(core->pmu, &boundary);
}
