#include "high_bytes.h"

#include "core/cycle/cycles.h"
#include "core/cycle/retire.h"
#include "core/pipeline/allocate.h"
#include "core/pipeline/execute.h"

#define HIGH_BYTES 4u /* of RAX, RCX, RDX, RBX: registers 0 to 3 */

static void merge(struct model *model, struct flow *flow, unsigned id)
{
    const struct uop uop = {.class_id = CLASS_LEA,
                            .sources = {(uint8_t)id, REG_NONE, REG_NONE, REG_NONE},
                            .destinations = {(uint8_t)id, REG_NONE}};

    if (model->allocator.issued > 0)
        cycle_wait(model, model->time.now + 1, IDLE_BACK);
    allocate_slot(model, flow, model->time.now, false);
    retire_slot(model->p, &model->time, &model->retirement, execute_uop(model, flow, &uop));
    cycle_wait(model, model->time.now + 1, IDLE_BACK);
}

unsigned high_bytes_merge(struct model *model, struct flow *flow)
{
    const unsigned merges = model->mechanisms.high_bytes.written & flow->decoded->wide_read;

    for (unsigned id = 0; id < HIGH_BYTES; id++)
        if (merges >> id & 1)
            merge(model, flow, id);
    return (unsigned)__builtin_popcount(merges);
}

/* The cycle is added to the register's, as the uops take it as one. */
unsigned high_bytes_wait(struct model *model, const struct decoded *decoded)
{
    const unsigned waits = decoded->high_read & ~(unsigned)model->mechanisms.high_bytes.written;

    for (unsigned id = 0; id < HIGH_BYTES; id++)
        model->renamer.register_ready[id] += waits >> id & 1;
    return waits;
}

static bool writes(const struct decoded *decoded, unsigned id)
{
    bool any = false;

    for (unsigned i = 0; i < decoded->uop_count; i++)
        any |= decoded->uops[i].destinations[0] == id || decoded->uops[i].destinations[1] == id;
    return any;
}

/* A register that the instruction has written is ready when its result is. */
void high_bytes_done(struct model *model, const struct decoded *decoded, unsigned waited)
{
    for (unsigned id = 0; id < HIGH_BYTES; id++)
        if (waited >> id & 1 && !writes(decoded, id))
            model->renamer.register_ready[id]--;
    model->mechanisms.high_bytes.written &= (uint8_t)~decoded->wide;
    model->mechanisms.high_bytes.written |= decoded->high_write;
}

static void forget(struct high_bytes_state *state)
{
    state->written = 0;
}

const struct high_bytes_rules high_bytes_rules = {.unobserved = forget};
