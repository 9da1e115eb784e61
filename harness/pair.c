/* Two cores at one measurement: a kernel's partner on another core, or a loaded sibling thread. */
#include "boot/format.h"
#include "boot/text.h"
#include "run.h"

/* Iterations of a partner's routine between two looks at whether the measurement is over. */
#define PARTNER_ROUND 64

/* Whether two logical processors are threads of one core: their APIC ids without the thread's part.
 */
static bool are_siblings(const struct facts *a, const struct facts *b)
{
    return a->apic_id - a->smt_id == b->apic_id - b->smt_id;
}

/* Another core that can run something meanwhile, of the same kind if there is one; null: none. */
static struct core_state *partner_for(struct run *run, const struct core_state *core)
{
    struct core_state *other = NULL;

    for (unsigned i = 0; i < run->core_count; i++) {
        struct core_state *candidate = &run->cores[i];

        if (candidate == core || candidate->lost || are_siblings(&candidate->facts, &core->facts))
            continue;
        if (candidate->description == core->description)
            return candidate;
        if (other == NULL)
            other = candidate;
    }
    return other;
}

static struct core_state *sibling_of(struct run *run, const struct core_state *core)
{
    for (unsigned i = 0; i < run->core_count; i++) {
        struct core_state *candidate = &run->cores[i];

        if (candidate != core && !candidate->lost && are_siblings(&candidate->facts, &core->facts))
            return candidate;
    }
    return NULL;
}

struct experiment *pair_beside(struct run *run, const struct slot *slot,
                               const struct experiment *experiment)
{
    size_t length;

    /* It would trap on the other thread, which has what this one has. */
    if (run->sibling != NULL &&
        facts_missing(&slot->core->facts, run->sibling->kernel->requires, &length) != NULL)
        return NULL;
    /* What proves the counters runs alone. */
    if (run->sibling == NULL || experiment->self_check ||
        strncmp(experiment->kernel->name, "exact.", 6) == 0 || slot->core->lost)
        return NULL;
    return run->sibling;
}

static bool invite_partner(struct run *run, struct slot *slot, const struct kernel *kernel)
{
    const struct measurement *m = &slot->measurement;

    slot->other = run->config.parallel ? NULL : partner_for(run, slot->core);
    if (slot->other == NULL) {
        format(slot->blocked, sizeof(slot->blocked), "%s",
               run->config.parallel ? "it needs two cores, and all run in parallel"
                                    : "it needs two cores");
        return false;
    }
    slot->company = (struct company){
        .routine = kernel->partner,
        .n = PARTNER_ROUND,
        .arena = m->arena,
        .arena_bytes = m->arena_bytes,
        .dose = m->dose,
    };
    return true;
}

/* The kernel `slot->beside` on the other thread, with the arena of the other slot. */
static bool invite_sibling(struct run *run, struct slot *slot)
{
    const struct experiment *beside = slot->beside;
    const unsigned index = slot == &run->slots[run->slot_count] ? 0 : run->slot_count;
    struct core_state *other = sibling_of(run, slot->core);
    struct extra extras[EXPERIMENT_EXTRAS];
    struct experiment_size size;
    unsigned count;
    void *arena;

    if (other == NULL) {
        format(slot->blocked, sizeof(slot->blocked),
               "it has no sibling thread that could be loaded");
        return false;
    }
    count = experiment_extras(extras, &other->facts, other->description, ONE_OF_TWO);
    if (!experiment_sizes(beside, other->description, extras, &count, run->config.scale, &size)) {
        format(slot->blocked, sizeof(slot->blocked), "%s on the sibling: %s", beside->kernel->name,
               size.detail);
        return false;
    }
    if (!arena_of(run, beside->kernel, index, size.arena, &arena)) {
        format(slot->blocked, sizeof(slot->blocked), "no memory for the sibling's arena");
        return false;
    }
    slot->other = other;
    slot->company = (struct company){
        .prepare = beside->kernel->prepare,
        .reset = beside->kernel->reset,
        .routine = beside->kernel->code,
        .n = size.n,
        .arena = arena,
        .arena_bytes = size.arena,
        .dose = slot->beside_dose,
    };
    slot->measurement.beside = beside->kernel->name;
    return true;
}

bool pair_invite(struct run *run, struct slot *slot, const struct experiment *experiment)
{
    const struct kernel *kernel = experiment->kernel;

    if (kernel->partner == NULL && slot->beside == NULL)
        return true;
    if (kernel->partner != NULL && slot->beside != NULL) {
        format(slot->blocked, sizeof(slot->blocked),
               "it needs a core of its own beside, and the sibling is loaded");
        return false;
    }
    if (slot->beside != NULL ? !invite_sibling(run, slot) : !invite_partner(run, slot, kernel))
        return false;
    memset(&slot->meeting, 0, sizeof(slot->meeting));
    slot->company.timeout_us = (uint64_t)run->config.timeout * 1000000;
    slot->measurement.meeting = &slot->meeting;
    return true;
}

enum rc pair_run(struct slot *slot, uint64_t timeout_us)
{
    struct job measured = {.measurement = &slot->measurement, .meeting = &slot->meeting};
    struct job other = {.company = &slot->company, .meeting = &slot->meeting};
    void *arguments[CORES_MAX] = {NULL};
    enum rc rc;

    arguments[slot->core->core] = &measured;
    arguments[slot->other->core] = &other;
    rc = cores_run_all(company_work, arguments, timeout_us);
    if (!cores_place(slot->other->core)->online)
        core_lose(slot->other, "it did not come back from keeping another core company");
    if (slot->company.late && slot->measurement.what == NULL) {
        slot->measurement.rc = RC_TIMEOUT;
        slot->measurement.what = "the core that keeps company ended too early";
    }
    return rc;
}
