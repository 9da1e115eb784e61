#include "sampling.h"

#include <string.h>

#include "engine.h"
#include "paging.h"
#include "state.h"

/* The part of [address, address + room) that is in one page: pages need not lie side by side. */
static uint8_t *piece(const struct core *core, uint64_t address, size_t room, size_t *size)
{
    struct page_walk walk;

    if (!paging_walk(core, address, &walk))
        return NULL;
    *size = PAGE_OFFSET_MASK + 1 - (address & PAGE_OFFSET_MASK);
    if (*size > room)
        *size = room;
    return memory_at(&core->machine->memory, walk.physical, *size);
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

bool sampling_read(void *core, uint64_t address, void *data, size_t size)
{
    return transfer(core, address, data, NULL, size);
}

bool sampling_write(void *core, uint64_t address, const void *data, size_t size)
{
    return transfer(core, address, NULL, data, size);
}

void sampling_registers(void *context, struct pmu_registers *registers)
{
    const struct core *core = context;

    registers->rip = core->rip;
    registers->rflags = core_register(core, UC_X86_REG_EFLAGS);
    for (unsigned i = 0; i < sizeof(registers->gpr) / sizeof(registers->gpr[0]); i++)
        registers->gpr[i] = core_register(core, engine_general(i));
    for (int i = 0; i < 16; i++)
        uc_reg_read(core->uc, UC_X86_REG_XMM0 + i, registers->xmm[i]);
}

void sampling_subscribe(void *context, struct pmu_subscription subscription)
{
    struct core *core = context;

    model_subscribe(core->model, (struct model_subscriber){
                                     .context = core->pmu,
                                     .fetch = subscription.fetches ? pmu_fetched : NULL,
                                     .access = subscription.accesses ? pmu_access : NULL,
                                     .request = subscription.requests ? pmu_offcore : NULL});
}

void sampling_watch(void *context, bool on)
{
    struct core *core = context;

    if (on && !core->watched)
        core->before = model_now(core->model);
    core->watched = on;
    core->unwatched = 0;
}

/* Whether the instruction accounted for last may make a record. Where that is foreseen, nothing in
 * flight was disturbed before, and this is the very instruction that overflows the counter. */
static bool is_due(struct core *core)
{
    struct pmu_foresight sight;
    uint64_t cycle;

    if (core->unwatched > 0 && --core->unwatched > 0)
        return false;
    if (!model_report(core->model) ||
        !pmu_foresee_record(&sight, core->pmu, model_now(core->model)))
        return true;
    model_ahead(core->model, (struct model_outlook){&sight, pmu_foresee_span});
    pmu_foresee_end(&sight, &cycle, &core->unwatched);
    return sight.accepted != FORESEE_NEVER;
}

/* A repetition of a string instruction is not yet its retirement. */
void sampling_boundary(struct core *core, const struct executed *executed)
{
    struct pmu_boundary boundary = {
        .ip = executed->rip,
        .next = executed->next,
        .data = executed->accesses ? executed->access[0].address : 0,
    };
    const bool due = executed->end == END_NEXT && is_due(core);

    if (due)
        model_drain(core->model);
    boundary.latency = model_retired(core->model) - core->before;
    if (!executed->repeat)
        core->before = model_retired(core->model);
    if (due)
        pmu_at_boundary(core->pmu, &boundary);
}
