/* The ledger: which thread has which cycle of the allocator, the front end, the ports, the divider.
 */
#include "ports.h"
#include "smt.h"

/* For so many cycles after its allocator found the queue empty, a thread keeps its turns of the
 * front end: a delivery group may take that long. A guess; it decides only which thread has the
 * cycles in which one thread is short of uops and the other is not. */
#define STARVES_FOR 8u

static const struct smt_thread *other_of(struct smt *smt, unsigned thread)
{
    return &smt->thread[1 - thread];
}

static struct smt_cycle *ledger(struct smt *smt, uint64_t cycle)
{
    struct smt_cycle *entry = &smt->ledger[cycle % SMT_LEDGER];

    if (entry->cycle != cycle)
        *entry = (struct smt_cycle){.cycle = cycle};
    return entry;
}

/* Whether the other thread is past this cycle, or is halted in it. */
static bool is_past(const struct smt_thread *other, uint64_t cycle)
{
    return other->model->time.now > cycle || !other->running;
}

static bool is_turn(unsigned thread, uint64_t cycle)
{
    return cycle % SMT_THREADS == thread;
}

bool smt_may_allocate(struct smt *smt, unsigned thread, uint64_t now)
{
    struct smt_cycle *cycle = ledger(smt, now);
    const uint8_t self = (uint8_t)(thread + 1);

    if (!cycle->allocator && (is_turn(thread, now) || is_past(other_of(smt, thread), now)))
        cycle->allocator = self;
    return cycle->allocator == self;
}

void smt_starves(struct smt *smt, unsigned thread, uint64_t delivered)
{
    smt->thread[thread].starving = delivered + STARVES_FOR;
}

/* The scheduler goes to the thread that comes first, but one thread cannot fill it: "to ensure
 * fairness, there is a limit on the number of active entries that a logical processor can have in
 * each scheduler's queue" (D. Marr et al., "Hyper-Threading Technology Architecture and
 * Microarchitecture", Intel Technology Journal Q1 2002). The limit is not published; three quarters
 * is a guess. */
unsigned smt_scheduler(const struct model_parameters *p, struct smt *smt, unsigned thread,
                       uint64_t now)
{
    const struct model *other = other_of(smt, thread)->model;
    const unsigned all = p->scheduler, most = all - all / 4;
    unsigned held = other->window.in_scheduler;

    /* the entries that it holds now, less the entries that leave before this thread's cycle */
    for (uint64_t cycle = other->time.now; held > all - most && cycle < now; cycle++) {
        const unsigned left = other->time.ring[cycle % HORIZON].executed;

        if (cycle - other->time.now >= HORIZON)
            return most;
        held -= left < held ? left : held;
    }
    return held > all - most ? all - held : most;
}

uint64_t smt_take_port(struct model *model, uint16_t ports, uint64_t ready)
{
    for (uint64_t cycle = ready;; cycle++) {
        struct cycle *note = cycle_at(&model->time, cycle);
        uint16_t *both = &ledger(model->smt, cycle)->ports;
        const uint16_t free = (uint16_t)(ports & ~note->ports & ~*both);
        uint16_t taken;

        if (!free && !(model->p->ideal & IDEAL_CORE))
            continue;
        taken = ports_choose(model->p, &model->dispatch, free);
        note->ports = (uint16_t)(note->ports | taken);
        *both = (uint16_t)(*both | taken);
        note->executed++;
        return cycle;
    }
}

uint64_t smt_divider(struct smt *smt, struct timeline *time, uint16_t ports, uint64_t ready,
                     unsigned occupies)
{
    uint64_t begun = ready;

    for (unsigned i = 0; i < occupies;) {
        const struct smt_cycle *cycle = ledger(smt, begun + i);
        const bool port = i > 0 || (ports & ~(cycle->ports | cycle_at(time, begun)->ports));

        i++;
        if (cycle->divider || !port) {
            begun += i;
            i = 0;
        }
    }
    for (unsigned i = 0; i < occupies; i++)
        ledger(smt, begun + i)->divider = true;
    return begun;
}

/* The front end works for one thread a cycle, in turn. A thread whose allocator has enough uops
 * leaves its turns to the other, since its queue is full anyway. */
static bool take_front(struct smt *smt, unsigned thread, uint8_t *owner, uint64_t cycle,
                       uint64_t reached)
{
    const struct smt_thread *other = other_of(smt, thread);
    const uint8_t self = (uint8_t)(thread + 1);

    if (!*owner && (is_turn(thread, cycle) || is_past(other, cycle) || reached > cycle ||
                    cycle >= other->starving))
        *owner = self;
    return *owner == self;
}

uint64_t smt_delivery(struct smt *smt, unsigned thread, uint64_t cycle)
{
    while (!take_front(smt, thread, &ledger(smt, cycle)->delivery, cycle,
                       other_of(smt, thread)->model->front.cycle))
        cycle++;
    return cycle;
}

uint64_t smt_fetch(struct smt *smt, unsigned thread, uint64_t cycle)
{
    while (!take_front(smt, thread, &ledger(smt, cycle)->fetch, cycle,
                       other_of(smt, thread)->model->front.fetched))
        cycle++;
    return cycle;
}
