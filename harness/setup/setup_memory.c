/* The memory is never freed; plans and the words for their values are taken kernel by kernel. */
#include "setup_memory.h"

#include "boot/firmware/memory.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "harness/experiment/pebs/pebs_outcome.h"
#include "harness/outcome/rotation_setup.h"

/* The kernel of that number: those that are measured, then the two that a key may name; null: that
 * key names none. */
static const struct experiment *wanted_kernel(const struct run *run, unsigned number)
{
    if (number < run->experiment_count)
        return &run->experiments[number];
    return number == run->experiment_count ? run->sibling_load : run->timeline;
}

/* The largest arena of the kind, below `limit`, that a wanted kernel asks for on any core of these
 * arenas; 0: none asks for one. */
static uint64_t largest_arena(const struct run *run, const struct arenas *arenas, unsigned kind,
                              uint64_t limit)
{
    uint64_t largest = 0;

    for (unsigned i = 0; i < run->core_count; i++) {
        const struct measured_core *core = &run->cores[i];

        if (core->lost || &run->arenas[core->arenas] != arenas)
            continue;
        for (unsigned j = 0; j < run->experiment_count + 2; j++) {
            const struct experiment *experiment = wanted_kernel(run, j);
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

static struct arenas *arenas_for(struct run *run, uint32_t home)
{
    for (unsigned i = 0; i < run->arenas_count; i++)
        if (run->arenas[i].home == home)
            return &run->arenas[i];
    run->arenas[run->arenas_count] = arenas_of_node(home, run->config.remote);
    return &run->arenas[run->arenas_count++];
}

/* A piece of its node's arenas for each core that measures at the same time as others do, and one
 * for the sibling thread. */
static bool take_arenas(struct run *run)
{
    run->arenas = memory_alloc(sizeof(*run->arenas) * (run->core_count + 1));
    if (run->arenas == NULL)
        return false;
    for (unsigned i = 0; i < run->core_count; i++) {
        struct measured_core *core = &run->cores[i];
        struct arenas *arenas = arenas_for(run, cores_place(core->core)->node);

        core->arenas = (unsigned)(arenas - run->arenas);
        core->piece = run->config.parallel ? arenas->pieces : 0;
        arenas->pieces = core->piece + 1;
    }
    for (unsigned i = 0; i < run->arenas_count; i++) {
        if (run->arenas[i].wanted != run->arenas[i].home)
            log_comment("kernels on cores of node %u work on memory of node %u",
                        (unsigned)run->arenas[i].home, (unsigned)run->arenas[i].wanted);
        run->arenas[i].pieces += run->sibling_load != NULL;
        for (unsigned kind = 0; kind < ARENA_KINDS; kind++)
            take_arena(run, &run->arenas[i], kind);
    }
    return true;
}

/* Without memory for repeats, the brief log has no `result` records, and says so. */
static void take_repeats(struct run *run)
{
    struct repeats *room = memory_alloc(sizeof(*room));
    const unsigned count = run->node_count + 1;

    if (room != NULL) {
        room->memos = memory_alloc(sizeof(*room->memos) * count);
        room->nodes = memory_alloc(sizeof(*room->nodes) * count);
        room->ranges = memory_alloc(sizeof(*room->ranges) * count);
    }
    if (room != NULL && room->memos != NULL && room->nodes != NULL && room->ranges != NULL)
        run->repeats = room;
    else
        log_error("no memory for the repeats of nodes", NULL, NULL);
}

/* Lanes and table rows, and the values of the largest description's nodes. */
static bool take_results(struct run *run)
{
    run->lane_count = run->config.parallel ? run->core_count : 1;
    run->lanes = memory_alloc(sizeof(*run->lanes) * (run->lane_count + 1));
    run->rows = memory_alloc(sizeof(*run->rows) * (run->experiment_count * run->core_count + 1));
    for (unsigned i = 0; i < run->core_count; i++) {
        const struct description *description = run->cores[i].description;

        if (description != NULL && description->node_count > run->node_count)
            run->node_count = description->node_count;
    }
    run->nodes = memory_alloc(sizeof(*run->nodes) * (run->node_count + 1));
    run->memos = memory_alloc(sizeof(*run->memos) * (run->node_count + 1));
    take_repeats(run);
    return run->lanes != NULL && run->rows != NULL && run->nodes != NULL && run->memos != NULL;
}

/* Without memory for the exactness of events, the run has no `exactness` records. */
static void take_exactness(struct run *run)
{
    for (unsigned i = 0; i < run->core_count; i++) {
        struct measured_core *core = &run->cores[i];

        if (core->description != NULL)
            core->exactness.events =
                memory_alloc(sizeof(struct pinned) * (core->description->event_count + 1));
    }
}

/* For each kernel that is measured, and for the two that a key may name. */
static bool take_given_up(struct run *run)
{
    const unsigned room = run->experiment_count + 2;

    for (unsigned i = 0; i < run->core_count; i++) {
        struct measured_core *core = &run->cores[i];

        core->given_up = memory_alloc(sizeof(*core->given_up) * room);
        if (core->given_up == NULL)
            return false;
        core->given_up_room = room;
    }
    return true;
}

static bool take_drills(struct run *run)
{
    for (unsigned i = 0; run->config.drill && i <= run->lane_count; i++) {
        run->lanes[i].drill = memory_alloc(sizeof(*run->lanes[i].drill));
        if (run->lanes[i].drill == NULL)
            return false;
    }
    return true;
}

static bool take_rotations(struct run *run)
{
    if (!rotation_setup_wanted(run))
        return true;
    run->multiplexed = memory_alloc(sizeof(*run->multiplexed) * PLAN_EVENTS);
    run->interval_counts = memory_alloc(sizeof(*run->interval_counts) * PLAN_EVENTS);
    run->drifts = memory_alloc(sizeof(*run->drifts) * (run->node_count + 1));
    if (run->multiplexed == NULL || run->interval_counts == NULL || run->drifts == NULL)
        return false;
    for (unsigned i = 0; i < run->lane_count; i++) {
        if (!rotation_setup_memory(run, &run->lanes[i]))
            return false;
    }
    return true;
}

static bool take_pebs(struct run *run)
{
    for (unsigned i = 0; run->config.pebs && i < run->lane_count; i++) {
        run->lanes[i].pebs = pebs_take();
        if (run->lanes[i].pebs == NULL)
            return false;
    }
    return true;
}

/* Without memory for samples everything else is still measured. */
static void take_samples(struct run *run)
{
    const char **names = memory_alloc(sizeof(*names) * (run->experiment_count + 1));

    for (unsigned i = 0; names != NULL && i < run->experiment_count; i++)
        names[i] = run->experiments[i].kernel->name;
    if (names != NULL && run->config.samples > 0)
        run->sampling = sampling_take(&run->config, names, run->experiment_count);
}

/* One for each lane. */
static bool take_timelines(struct run *run)
{
    const unsigned limit = run->config.timeline_cycles, repeats = run->config.repeats;

    for (unsigned i = 0; run->timeline != NULL && i < run->lane_count; i++) {
        struct timeline *timeline = memory_alloc(sizeof(*timeline));

        if (timeline == NULL)
            return false;
        timeline->limit = limit;
        timeline->repeats = repeats;
        timeline->kept = memory_alloc(timeline_kept_bytes(limit));
        timeline->counts = memory_alloc(timeline_counts_bytes(limit, repeats));
        if (timeline->kept == NULL || timeline->counts == NULL)
            return false;
        run->lanes[i].timeline = timeline;
    }
    return true;
}

static void take_skid(struct run *run)
{
    const struct kernel **kernels = memory_alloc(sizeof(*kernels) * (run->experiment_count + 1));

    for (unsigned i = 0; kernels != NULL && i < run->experiment_count; i++)
        kernels[i] = run->experiments[i].kernel;
    if (kernels != NULL)
        run->skid = skid_take(&run->config, kernels, run->experiment_count);
}

/* With several rounds: a row for each kernel, at each of its doses, on each core. */
static bool take_rounds(struct run *run)
{
    size_t rows = 0;

    run->rounds.wanted = run->config.rounds;
    if (!rounds_wanted(&run->rounds))
        return true;
    run->round_rows = memory_alloc(sizeof(*run->round_rows) * (run->experiment_count + 1));
    for (unsigned i = 0; run->round_rows != NULL && i < run->experiment_count; i++) {
        const uint64_t doses = run->experiments[i].kernel->doses;

        run->round_rows[i] = rows;
        rows += (size_t)(doses > 0 ? doses : 1) * run->core_count;
    }
    run->rounds.rows = memory_alloc(sizeof(*run->rounds.rows) * (rows + 1));
    return run->round_rows != NULL && run->rounds.rows != NULL;
}

/* Null, or what there is no memory for. */
static const char *take_all(struct run *run)
{
    if (!take_results(run))
        return "no memory for measuring";
    take_exactness(run);
    if (!take_given_up(run))
        return "no memory for the names of kernels that are given up";
    if (!take_rounds(run))
        return "no memory for comparing rounds";
    if (!take_drills(run))
        return "no memory for drilling down";
    if (!take_rotations(run))
        return "no memory for multiplexing or intervals";
    if (!take_timelines(run))
        return "no memory for a timeline";
    if (!take_pebs(run))
        return "no memory for PEBS buffers";
    if (!take_arenas(run))
        return "no memory for arenas";
    take_samples(run);
    if (run->config.skid)
        take_skid(run);
    if (run->config.overhead_count > 0)
        run->overhead = overhead_take(run->lane_count);
    return NULL;
}

bool setup_memory(struct run *run)
{
    const char *missing;

    if (run->refused || run->helped)
        return false;
    missing = take_all(run);
    if (missing != NULL)
        log_error(missing, NULL, NULL);
    return missing == NULL;
}
