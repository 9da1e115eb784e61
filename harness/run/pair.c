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
static struct measured_core *partner_for(struct run *run, const struct measured_core *core)
{
    struct measured_core *other = NULL;

    for (unsigned i = 0; i < run->core_count; i++) {
        struct measured_core *candidate = &run->cores[i];

        if (candidate == core || candidate->lost || are_siblings(&candidate->facts, &core->facts))
            continue;
        if (candidate->description == core->description)
            return candidate;
        if (other == NULL)
            other = candidate;
    }
    return other;
}

static struct measured_core *sibling_of(struct run *run, const struct measured_core *core)
{
    for (unsigned i = 0; i < run->core_count; i++) {
        struct measured_core *candidate = &run->cores[i];

        if (candidate != core && !candidate->lost && are_siblings(&candidate->facts, &core->facts))
            return candidate;
    }
    return NULL;
}

struct experiment *pair_load(struct run *run, const struct lane *lane,
                             const struct experiment *experiment)
{
    size_t length;

    /* It would trap on the other thread, which has what this one has. */
    if (run->sibling_load != NULL &&
        facts_missing(&lane->core->facts, run->sibling_load->kernel->requires, &length) != NULL)
        return NULL;
    /* What proves the counters runs alone. */
    if (run->sibling_load == NULL || experiment->self_check ||
        strncmp(experiment->kernel->name, "exact.", 6) == 0 || lane->core->lost)
        return NULL;
    return run->sibling_load;
}

static bool invite_partner(struct run *run, struct lane *lane, const struct kernel *kernel)
{
    const struct measurement *m = &lane->measurement;

    lane->other = run->config.parallel ? NULL : partner_for(run, lane->core);
    if (lane->other == NULL) {
        format(lane->blocked, sizeof(lane->blocked), "%s",
               run->config.parallel ? "it needs two cores, and all run in parallel"
                                    : "it needs two cores");
        return false;
    }
    lane->corunner = (struct corunner){
        .routine = kernel->partner,
        .n = PARTNER_ROUND,
        .arena = m->arena,
        .arena_bytes = m->arena_bytes,
        .dose = m->dose,
    };
    return true;
}

/* The kernel `lane->sibling_load` on the other thread, with the arena of the other lane. */
static bool invite_sibling(struct run *run, struct lane *lane)
{
    const struct experiment *load = lane->sibling_load;
    const unsigned index = lane == &run->lanes[run->lane_count] ? 0 : run->lane_count;
    struct measured_core *other = sibling_of(run, lane->core);
    struct extra extras[EXPERIMENT_EXTRAS];
    struct experiment_size size;
    unsigned count;
    void *arena;

    if (other == NULL) {
        format(lane->blocked, sizeof(lane->blocked),
               "it has no sibling thread that could be loaded");
        return false;
    }
    count = experiment_extras(extras, &other->facts, other->description, ONE_OF_TWO);
    if (!experiment_sizes(load, other->description, extras, &count, run->config.scale, &size)) {
        format(lane->blocked, sizeof(lane->blocked), "%s on the sibling: %s", load->kernel->name,
               size.detail);
        return false;
    }
    if (!arena_of(run, load->kernel, index, size.arena, &arena)) {
        format(lane->blocked, sizeof(lane->blocked), "no memory for the sibling's arena");
        return false;
    }
    lane->other = other;
    lane->corunner = (struct corunner){
        .prepare = load->kernel->prepare,
        .reset = load->kernel->reset,
        .routine = load->kernel->code,
        .n = size.n,
        .arena = arena,
        .arena_bytes = size.arena,
        .dose = lane->sibling_dose,
    };
    lane->measurement.corunner = load->kernel->name;
    return true;
}

bool pair_invite(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    const struct kernel *kernel = experiment->kernel;

    if (kernel->partner == NULL && lane->sibling_load == NULL)
        return true;
    if (kernel->partner != NULL && lane->sibling_load != NULL) {
        format(lane->blocked, sizeof(lane->blocked),
               "it needs a core of its own beside, and the sibling is loaded");
        return false;
    }
    if (lane->sibling_load != NULL ? !invite_sibling(run, lane)
                                   : !invite_partner(run, lane, kernel))
        return false;
    memset(&lane->rendezvous, 0, sizeof(lane->rendezvous));
    lane->corunner.timeout_us = (uint64_t)run->config.timeout * 1000000;
    lane->measurement.rendezvous = &lane->rendezvous;
    return true;
}

enum rc pair_run(struct lane *lane, uint64_t timeout_us)
{
    struct job measured = {.measurement = &lane->measurement, .rendezvous = &lane->rendezvous};
    struct job other = {.corunner = &lane->corunner, .rendezvous = &lane->rendezvous};
    void *arguments[CORES_MAX] = {NULL};
    enum rc rc;

    arguments[lane->core->core] = &measured;
    arguments[lane->other->core] = &other;
    rc = cores_run_all(corunner_work, arguments, timeout_us);
    if (!cores_place(lane->other->core)->online)
        core_lose(lane->other, "it did not come back from keeping another core company");
    if (lane->corunner.late && lane->measurement.what == NULL) {
        lane->measurement.rc = RC_TIMEOUT;
        lane->measurement.what = "the core that keeps company ended too early";
    }
    return rc;
}
