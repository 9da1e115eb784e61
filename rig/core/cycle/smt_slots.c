/* The ledger: which thread has which cycle of the allocator, the front end, the ports, the divider.
 */
#include "ports.h"
#include "smt.h"

/* For so many cycles after its allocator found the queue empty, a thread keeps its turns of the
 * front end: a delivery group may take that long. A guess; it decides only which thread has the
 * cycles in which one thread is short of uops and the other is not. */
#define STARVES_FOR 8u

static const struct smt_thread *other_of(const struct model *model)
{
    return &model->smt->thread[1 - model->thread];
}

static struct smt_cycle *ledger(const struct model *model, uint64_t cycle)
{
    struct smt_cycle *entry = &model->smt->ledger[cycle % SMT_LEDGER];

    if (entry->cycle != cycle)
        *entry = (struct smt_cycle){.cycle = cycle};
    return entry;
}

/* Whether the other thread is past this cycle, or is halted in it. */
static bool is_past(const struct smt_thread *other, uint64_t cycle)
{
    return other->model->now > cycle || !other->running;
}

static bool is_turn(const struct model *model, uint64_t cycle)
{
    return cycle % SMT_THREADS == model->thread;
}

bool smt_may_allocate(struct model *model)
{
    struct smt_cycle *cycle = ledger(model, model->now);
    const uint8_t self = (uint8_t)(model->thread + 1);

    if (!cycle->allocator && (is_turn(model, model->now) || is_past(other_of(model), model->now)))
        cycle->allocator = self;
    return cycle->allocator == self;
}

void smt_starves(struct model *model, uint64_t delivered)
{
    model->smt->thread[model->thread].starving = delivered + STARVES_FOR;
}

/* The scheduler goes to the thread that comes first, but one thread cannot fill it: "to ensure
 * fairness, there is a limit on the number of active entries that a logical processor can have in
 * each scheduler's queue" (D. Marr et al., "Hyper-Threading Technology Architecture and
 * Microarchitecture", Intel Technology Journal Q1 2002). The limit is not published; three quarters
 * is a guess. */
unsigned smt_scheduler(const struct model *model)
{
    const struct model *other = other_of(model)->model;
    const unsigned all = model->p->scheduler, most = all - all / 4;
    unsigned held = other->in_scheduler;

    /* the entries that it holds now, less the entries that leave before this thread's cycle */
    for (uint64_t cycle = other->now; held > all - most && cycle < model->now; cycle++) {
        const unsigned left = other->ring[cycle % HORIZON].executed;

        if (cycle - other->now >= HORIZON)
            return most;
        held -= left < held ? left : held;
    }
    return held > all - most ? all - held : most;
}

uint64_t smt_take_port(struct model *model, uint16_t ports, uint64_t ready)
{
    for (uint64_t cycle = ready;; cycle++) {
        struct cycle *note = cycle_at(model, cycle);
        uint16_t *both = &ledger(model, cycle)->ports;
        const uint16_t free = (uint16_t)(ports & ~note->ports & ~*both);
        uint16_t taken;

        if (!free && !(model->p->ideal & IDEAL_CORE))
            continue;
        taken = ports_choose(model, free);
        note->ports = (uint16_t)(note->ports | taken);
        *both = (uint16_t)(*both | taken);
        note->executed++;
        return cycle;
    }
}

uint64_t smt_divider(struct model *model, uint16_t ports, uint64_t ready, unsigned occupies)
{
    uint64_t begun = ready;

    for (unsigned i = 0; i < occupies;) {
        const struct smt_cycle *cycle = ledger(model, begun + i);
        const bool port = i > 0 || (ports & ~(cycle->ports | cycle_at(model, begun)->ports));

        i++;
        if (cycle->divider || !port) {
            begun += i;
            i = 0;
        }
    }
    for (unsigned i = 0; i < occupies; i++)
        ledger(model, begun + i)->divider = true;
    return begun;
}

/* The front end works for one thread a cycle, in turn. A thread whose allocator has enough uops
 * leaves its turns to the other, since its queue is full anyway. */
static bool take_front(struct model *model, uint8_t *owner, uint64_t cycle, uint64_t reached)
{
    const struct smt_thread *other = other_of(model);
    const uint8_t self = (uint8_t)(model->thread + 1);

    if (!*owner && (is_turn(model, cycle) || is_past(other, cycle) || reached > cycle ||
                    cycle >= other->starving))
        *owner = self;
    return *owner == self;
}

uint64_t smt_delivery(struct model *model, uint64_t cycle)
{
    while (!take_front(model, &ledger(model, cycle)->delivery, cycle,
                       other_of(model)->model->front.cycle))
        cycle++;
    return cycle;
}

uint64_t smt_fetch(struct model *model, uint64_t cycle)
{
    while (!take_front(model, &ledger(model, cycle)->fetch, cycle,
                       other_of(model)->model->front.fetched))
        cycle++;
    return cycle;
}
