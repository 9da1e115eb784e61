/* The memory is never freed; plans and the words for their values are taken kernel by kernel. */
#include "setup_memory.h"

#include "boot/firmware/memory.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "harness/experiment/pebs/pebs_outcome.h"
#include "harness/outcome/rotation_setup.h"

/* The kernel of that number: those that are measured, then the two that a key may name; null: that
 * key names none. */
static const struct experiment *wanted_kernel(const struct run_experiments *experiments,
                                              unsigned number)
{
    if (number < experiments->count)
        return &experiments->of[number];
    return number == experiments->count ? experiments->sibling_load : experiments->timeline;
}

/* The largest arena of the kind, below `limit`, that a wanted kernel asks for on any core of these
 * arenas; 0: none asks for one. */
static uint64_t largest_arena(const struct run *run, const struct arenas *arenas, unsigned kind,
                              uint64_t limit)
{
    uint64_t largest = 0;

    for (unsigned i = 0; i < run->cores.count; i++) {
        const struct measured_core *core = &run->cores.of[i];

        if (core->lost || &run->arenas.of[core->arenas] != arenas)
            continue;
        for (unsigned j = 0; j < run->experiments.count + 2; j++) {
            const struct experiment *experiment = wanted_kernel(&run->experiments, j);
            struct extra extras[PARAMETERS_MAX];
            struct experiment_size size;
            unsigned count;

            if (experiment == NULL || experiment->broken != NULL ||
                arena_kind(experiment->kernel) != kind ||
                !measured_core_sizes(core, core->threads, experiment, run->config.scale, extras,
                                     &count, &size))
                continue;
            if (size.arena > largest && size.arena < limit)
                largest = size.arena;
        }
    }
    return largest;
}

/* Where there is no memory for the largest arena, the next smaller one is tried: the kernels that
 * ask for more are skipped then. */
static void take_arena(struct run *run, struct arenas *arenas, unsigned kind)
{
    uint64_t bytes = largest_arena(run, arenas, kind, UINT64_MAX), wanted;

    while (bytes != 0 && !arena_take(arenas, kind, bytes, &wanted)) {
        if (!arenas->refused && arenas->wanted != arenas->home)
            log_comment("node %u has no %llu bytes for an arena: the kernels that ask for it are "
                        "skipped",
                        (unsigned)arenas->wanted, (unsigned long long)wanted);
        else if (!arenas->refused)
            log_comment("no memory for an arena of %llu bytes: the kernels that ask for it are "
                        "skipped",
                        (unsigned long long)wanted);
        bytes = largest_arena(run, arenas, kind, bytes);
    }
}

static struct arenas *arenas_for(struct run_arenas *arenas, uint32_t home, bool remote)
{
    for (unsigned i = 0; i < arenas->count; i++)
        if (arenas->of[i].home == home)
            return &arenas->of[i];
    arenas->of[arenas->count] = arenas_of_node(home, remote);
    return &arenas->of[arenas->count++];
}

/* A piece of its node's arenas for each core that measures at the same time as others do, and one
 * for the sibling thread. */
static bool take_arenas(struct run *run)
{
    run->arenas.of = memory_alloc(sizeof(*run->arenas.of) * (run->cores.count + 1));
    if (run->arenas.of == NULL)
        return false;
    for (unsigned i = 0; i < run->cores.count; i++) {
        struct measured_core *core = &run->cores.of[i];
        struct arenas *arenas =
            arenas_for(&run->arenas, cores_place(core->core)->node, run->config.remote);

        core->arenas = (unsigned)(arenas - run->arenas.of);
        core->piece = run->config.parallel ? arenas->pieces : 0;
        arenas->pieces = core->piece + 1;
    }
    for (unsigned i = 0; i < run->arenas.count; i++) {
        if (run->arenas.of[i].wanted != run->arenas.of[i].home)
            log_comment("kernels on cores of node %u work on memory of node %u",
                        (unsigned)run->arenas.of[i].home, (unsigned)run->arenas.of[i].wanted);
        run->arenas.of[i].pieces += run->experiments.sibling_load != NULL;
        for (unsigned kind = 0; kind < ARENA_KINDS; kind++)
            take_arena(run, &run->arenas.of[i], kind);
    }
    return true;
}

/* Without memory for repeats, the brief log has no `result` records, and says so. */
static void take_repeats(struct judged *judged)
{
    struct repeats *room = memory_alloc(sizeof(*room));
    const unsigned count = judged->node_count + 1;

    if (room != NULL) {
        room->memos = memory_alloc(sizeof(*room->memos) * count);
        room->nodes = memory_alloc(sizeof(*room->nodes) * count);
        room->ranges = memory_alloc(sizeof(*room->ranges) * count);
    }
    if (room != NULL && room->memos != NULL && room->nodes != NULL && room->ranges != NULL)
        judged->repeats = room;
    else
        log_error("no memory for the repeats of nodes", NULL, NULL);
}

/* `count` lanes and the spare one. */
static void take_lanes(struct run_lanes *lanes, unsigned count)
{
    lanes->count = count;
    lanes->of = memory_alloc(sizeof(*lanes->of) * (count + 1));
    if (lanes->of != NULL)
        lanes->of[count].spare = true;
}

static void take_rows(struct run_rows *rows, unsigned experiments, unsigned cores)
{
    rows->cores = cores;
    rows->of = memory_alloc(sizeof(*rows->of) * (experiments * cores + 1));
}

/* The values of the largest description's nodes. */
static void take_nodes(struct judged *judged, const struct run_cores *cores)
{
    for (unsigned i = 0; i < cores->count; i++) {
        const struct description *description = cores->of[i].description;

        if (description != NULL && description->node_count > judged->node_count)
            judged->node_count = description->node_count;
    }
    judged->nodes = memory_alloc(sizeof(*judged->nodes) * (judged->node_count + 1));
    judged->memos = memory_alloc(sizeof(*judged->memos) * (judged->node_count + 1));
    take_repeats(judged);
}

/* Without memory for the exactness of events, the run has no `exactness` records. */
static void take_exactness(struct run_cores *cores)
{
    for (unsigned i = 0; i < cores->count; i++) {
        struct measured_core *core = &cores->of[i];

        if (core->description != NULL)
            core->exactness.events =
                memory_alloc(sizeof(struct pinned) * (core->description->event_count + 1));
    }
}

/* For each kernel that is measured, and for the two that a key may name. */
static bool take_given_up(struct run_cores *cores, unsigned kernels)
{
    const unsigned room = kernels + 2;

    for (unsigned i = 0; i < cores->count; i++) {
        struct measured_core *core = &cores->of[i];

        core->given_up = memory_alloc(sizeof(*core->given_up) * room);
        if (core->given_up == NULL)
            return false;
        core->given_up_room = room;
    }
    return true;
}

static bool take_drills(struct run_lanes *lanes, const struct config *config)
{
    for (unsigned i = 0; config->drill && i <= lanes->count; i++) {
        lanes->of[i].drill = memory_alloc(sizeof(*lanes->of[i].drill));
        if (lanes->of[i].drill == NULL)
            return false;
    }
    return true;
}

static bool take_rotations(struct run_lanes *lanes, struct judged *judged,
                           const struct config *config)
{
    if (!rotation_setup_wanted(config))
        return true;
    judged->multiplexed = memory_alloc(sizeof(*judged->multiplexed) * PLAN_EVENTS);
    judged->interval_counts = memory_alloc(sizeof(*judged->interval_counts) * PLAN_EVENTS);
    judged->drifts = memory_alloc(sizeof(*judged->drifts) * (judged->node_count + 1));
    if (judged->multiplexed == NULL || judged->interval_counts == NULL || judged->drifts == NULL)
        return false;
    for (unsigned i = 0; i < lanes->count; i++) {
        if (!rotation_setup_memory(config, &lanes->of[i]))
            return false;
    }
    return true;
}

static bool take_pebs(struct run_lanes *lanes, const struct config *config)
{
    for (unsigned i = 0; config->pebs && i < lanes->count; i++) {
        lanes->of[i].pebs = pebs_take();
        if (lanes->of[i].pebs == NULL)
            return false;
    }
    return true;
}

/* Without memory for samples everything else is still measured. */
static struct sampling *take_samples(const struct config *config,
                                     const struct run_experiments *experiments)
{
    const char **names = memory_alloc(sizeof(*names) * (experiments->count + 1));

    for (unsigned i = 0; names != NULL && i < experiments->count; i++)
        names[i] = experiments->of[i].kernel->name;
    return names != NULL && config->samples > 0 ? sampling_take(config, names, experiments->count)
                                                : NULL;
}

/* One for each lane. */
static bool take_timelines(struct run_lanes *lanes, const struct config *config)
{
    const unsigned limit = config->timeline_cycles, repeats = config->repeats;

    for (unsigned i = 0; i < lanes->count; i++) {
        struct timeline *timeline = memory_alloc(sizeof(*timeline));

        if (timeline == NULL)
            return false;
        timeline->limit = limit;
        timeline->repeats = repeats;
        timeline->kept = memory_alloc(timeline_kept_bytes(limit));
        timeline->counts = memory_alloc(timeline_counts_bytes(limit, repeats));
        if (timeline->kept == NULL || timeline->counts == NULL)
            return false;
        lanes->of[i].timeline = timeline;
    }
    return true;
}

static struct skid *take_skid(const struct config *config,
                              const struct run_experiments *experiments)
{
    const struct kernel **kernels = memory_alloc(sizeof(*kernels) * (experiments->count + 1));

    for (unsigned i = 0; kernels != NULL && i < experiments->count; i++)
        kernels[i] = experiments->of[i].kernel;
    return kernels != NULL ? skid_take(config, kernels, experiments->count) : NULL;
}

/* With several rounds: a row for each kernel, at each of its doses, on each core. */
static bool take_rounds(struct rounds *rounds, const struct run_experiments *experiments,
                        unsigned cores)
{
    size_t rows = 0;

    if (!rounds_wanted(rounds))
        return true;
    rounds->kernel_rows = memory_alloc(sizeof(*rounds->kernel_rows) * (experiments->count + 1));
    for (unsigned i = 0; rounds->kernel_rows != NULL && i < experiments->count; i++) {
        const uint64_t doses = experiments->of[i].kernel->doses;

        rounds->kernel_rows[i] = rows;
        rows += (size_t)(doses > 0 ? doses : 1) * cores;
    }
    rounds->rows = memory_alloc(sizeof(*rounds->rows) * (rows + 1));
    return rounds->kernel_rows != NULL && rounds->rows != NULL;
}

/* Null, or what there is no memory for. */
static const char *take_all(struct run *run)
{
    const struct config *config = &run->config;

    take_lanes(&run->lanes, config->parallel ? run->cores.count : 1);
    take_rows(&run->rows, run->experiments.count, run->cores.count);
    take_nodes(&run->judged, &run->cores);
    if (run->lanes.of == NULL || run->rows.of == NULL || run->judged.nodes == NULL ||
        run->judged.memos == NULL)
        return "no memory for measuring";
    take_exactness(&run->cores);
    if (!take_given_up(&run->cores, run->experiments.count))
        return "no memory for the names of kernels that are given up";
    run->rounds.wanted = run->config.rounds;
    if (!take_rounds(&run->rounds, &run->experiments, run->cores.count))
        return "no memory for comparing rounds";
    if (!take_drills(&run->lanes, config))
        return "no memory for drilling down";
    if (!take_rotations(&run->lanes, &run->judged, config))
        return "no memory for multiplexing or intervals";
    if (run->experiments.timeline != NULL && !take_timelines(&run->lanes, config))
        return "no memory for a timeline";
    if (!take_pebs(&run->lanes, config))
        return "no memory for PEBS buffers";
    if (!take_arenas(run))
        return "no memory for arenas";
    run->sampling = take_samples(config, &run->experiments);
    if (config->skid)
        run->skid = take_skid(config, &run->experiments);
    if (config->precision)
        run->precision = precision_take();
    if (config->overhead_count > 0)
        run->overhead = overhead_take(run->lanes.count);
    return NULL;
}

bool setup_memory(struct run *run)
{
    const char *missing;

    if (!run_measures(run))
        return false;
    missing = take_all(run);
    if (missing != NULL)
        log_error(missing, NULL, NULL);
    return missing == NULL;
}
