#include "choose_corunner.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"

/* Iterations of a partner's routine between two looks at whether the measurement is over. */
#define PARTNER_ROUND 64

static bool is_elsewhere(const struct measured_core *core, const struct measured_core *other)
{
    return core->facts.package != FACTS_UNKNOWN && other->facts.package != FACTS_UNKNOWN &&
           core->facts.package != other->facts.package;
}

/* How well the candidate suits as a partner: the same kind of core counts more than the same
 * package. 0: not at all. */
static unsigned suits(const struct measured_core *core, const struct measured_core *candidate,
                      uint64_t place)
{
    const bool elsewhere = is_elsewhere(core, candidate);

    if (candidate == core || candidate->lost || measured_core_is_sibling(candidate, core))
        return 0;
    if (place != PARTNER_ANYWHERE && elsewhere != (place == PARTNER_OTHER_PACKAGE))
        return 0;
    return 1u + !elsewhere + 2u * (candidate->description == core->description);
}

/* Another core, not a thread of the same one; null: none. */
static struct measured_core *partner_for(struct run_cores *cores, const struct measured_core *core,
                                         uint64_t place)
{
    struct measured_core *best = NULL;
    unsigned most = 0;

    for (unsigned i = 0; i < cores->count; i++) {
        const unsigned points = suits(core, &cores->of[i], place);

        if (points > most) {
            most = points;
            best = &cores->of[i];
        }
    }
    return best;
}

struct measured_core *choose_sibling_of(const struct run_cores *cores,
                                        const struct measured_core *core)
{
    for (unsigned i = 0; i < cores->count; i++) {
        struct measured_core *candidate = &cores->of[i];

        if (!candidate->lost && measured_core_is_sibling(candidate, core))
            return candidate;
    }
    return NULL;
}

struct experiment *choose_sibling_load(const struct run_experiments *experiments,
                                       const struct lane *lane, const struct experiment *experiment)
{
    struct experiment *load = experiments->sibling_load;
    size_t length;

    if (load == NULL || lane->core->lost)
        return NULL;
    /* It would trap on the sibling, which has the features of this thread. */
    if (facts_missing(&lane->core->facts, load->kernel->requires, &length) != NULL)
        return NULL;
    /* Kernels that prove the counters run alone. */
    if (experiment->self_check || strncmp(experiment->kernel->name, "exact.", 6) == 0)
        return NULL;
    return load;
}

static const char *why_no_partner(const struct config *config, const struct kernel *kernel)
{
    if (config->parallel)
        return "it needs two cores, and all run in parallel";
    return kernel->partner_place == PARTNER_OTHER_PACKAGE  ? "it needs cores of two packages"
           : kernel->partner_place == PARTNER_SAME_PACKAGE ? "it needs two cores of one package"
                                                           : "it needs two cores";
}

static bool choose_partner(struct run_cores *cores, const struct config *config, struct lane *lane,
                           const struct kernel *kernel)
{
    struct measured_core *core =
        config->parallel ? NULL : partner_for(cores, lane->core, kernel->partner_place);
    struct measurement *m = &lane->measurement;

    lane->corunner_core = core;
    if (core == NULL) {
        format(lane->blocked, sizeof(lane->blocked), "%s", why_no_partner(config, kernel));
        return false;
    }
    if (is_elsewhere(lane->core, core))
        log_comment("core %u %s: its partner, core %u, is in another package, %u", lane->core->core,
                    kernel->name, core->core, core->facts.package);
    m->partner = (struct partner){true, core->core, core->facts.package};
    lane->corunner = (struct corunner){
        .routine = kernel->partner,
        .n = PARTNER_ROUND,
        .arena = m->arena,
        .arena_bytes = m->arena_bytes,
        .dose = m->dose,
    };
    return true;
}

/* The two threads have an arena each: the first lane's, and the spare one's. */
static bool choose_sibling(const struct run_cores *cores, const struct run_arenas *all,
                           const struct config *config, struct lane *lane)
{
    const struct experiment *load = lane->sibling_load;
    const struct arenas *arenas = &all->of[lane->core->arenas];
    struct measured_core *sibling = choose_sibling_of(cores, lane->core);
    struct extra extras[PARAMETERS_MAX];
    struct experiment_size size;
    unsigned count;
    void *arena;

    if (sibling == NULL) {
        format(lane->blocked, sizeof(lane->blocked),
               "it has no sibling thread that could be loaded");
        return false;
    }
    if (!measured_core_sizes(sibling, ONE_OF_TWO, load, config->scale, extras, &count, &size)) {
        format(lane->blocked, sizeof(lane->blocked), "%s on the sibling: %s", load->kernel->name,
               size.detail);
        return false;
    }
    if (!arena_part(arenas, load->kernel, lane->spare ? lane->core->piece : arenas->pieces - 1,
                    size.arena, &arena)) {
        format(lane->blocked, sizeof(lane->blocked), "no memory for the sibling's arena");
        return false;
    }
    lane->corunner_core = sibling;
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

bool choose_corunner(struct run_cores *cores, const struct run_arenas *arenas,
                     const struct config *config, struct lane *lane,
                     const struct experiment *experiment)
{
    const struct kernel *kernel = experiment->kernel;

    if (kernel->partner == NULL && lane->sibling_load == NULL)
        return true;
    if (kernel->partner != NULL && lane->sibling_load != NULL) {
        format(lane->blocked, sizeof(lane->blocked),
               "it needs a second core, and the sibling thread is loaded");
        return false;
    }
    if (lane->sibling_load != NULL ? !choose_sibling(cores, arenas, config, lane)
                                   : !choose_partner(cores, config, lane, kernel))
        return false;
    memset(&lane->rendezvous, 0, sizeof(lane->rendezvous));
    lane->corunner.timeout_us = (uint64_t)config->timeout * 1000000;
    lane->job.rendezvous = &lane->rendezvous;
    return true;
}
