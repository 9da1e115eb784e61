#include "prepare.h"

#include "boot/format.h"
#include "boot/text.h"
#include "choose_corunner.h"
#include "drill.h"
#include "harness/experiment/pebs/pebs_outcome.h"
#include "harness/outcome/rotation_setup.h"
#include "launch.h"

/* Makes *plan, and room for its values in lane->words. RC_OK, or why there is no plan. */
static enum rc make_plan(struct plan_cache *plans, unsigned repeats, struct lane *lane,
                         struct experiment *experiment, const struct counts *given,
                         const struct plan **plan)
{
    const struct measured_core *core = lane->core;
    size_t words;
    enum rc rc;

    lane->asked = core->first;
    if (lane->drill != NULL)
        rc = drill_begin(lane, experiment, given);
    else
        rc = experiment_plan(experiment, plans, &core->facts, given, &core->first);
    if (rc != RC_OK)
        return rc;
    *plan = lane->drill != NULL ? &lane->drill->plan : experiment->plan;
    words = lane->drill != NULL ? drill_words(repeats) : measurement_words(*plan, repeats);
    if ((*plan)->pass_count > MEASUREMENT_PASSES || !lane_take_words(lane, words))
        return RC_NO_SPACE;
    return RC_OK;
}

/* A core that measures for longer than `timeout` would be taken for one that does not come back.
 * Windows that are run again and whatever lies between windows take time, too, so that half of it
 * must do. False: the measurement is short enough; else lane->blocked says why not. */
static bool takes_too_long(const struct config *config, struct lane *lane, const struct plan *plan)
{
    const uint64_t us = window_length_total(lane->length.took_us, plan->pass_count, config->repeats,
                                            config->warmup);

    if (config->window_us == 0 || 2 * us < (uint64_t)config->timeout * 1000000)
        return false;
    format(lane->blocked, sizeof(lane->blocked),
           "%u passes of %u repeats with windows of %u us take about %llu s, more than half of "
           "timeout",
           plan->pass_count, config->repeats, lane->length.took_us,
           (unsigned long long)(us / 1000000) + 1);
    return true;
}

static void plan_measurement(struct plan_cache *plans, const struct config *config,
                             struct lane *lane, struct experiment *experiment,
                             const struct counts *given)
{
    struct measurement *m = &lane->measurement;
    const struct plan *plan = NULL;
    enum rc rc = make_plan(plans, config->repeats, lane, experiment, given, &plan);
    uint64_t *words;
    char why[80];

    if (rc != RC_OK) {
        format(why, sizeof(why), "its events cannot be planned: %s", rc_name(rc));
        lane_give_up(lane, why);
        return;
    }
    if (plan->pass_count == 0) {
        lane_block(lane, "no counter of this core counts any of its events");
        return;
    }
    if (takes_too_long(config, lane, plan))
        return;
    m->plan = plan;
    if (experiment->kernel->doses == 0)
        lane->job.rotation = rotation_setup_kernel(config, lane);
    if (m->cell == NULL) /* the records' buffer is not mapped there */
        lane->job.pebs = pebs_prepare(lane->pebs, lane->core, experiment->kernel, config->scale);
    words = measurement_lay_out(m, lane->words);
    if (lane->drill != NULL) {
        lane->drill->words = words;
        m->passes_of_full_tree = lane->drill->passes_of_full_tree;
    }
}

/* Whether both threads of the lane's core work: then the counts are of one of two threads. */
static bool is_loaded(const struct run_cores *cores, const struct config *config,
                      const struct lane *lane)
{
    if (lane->core->facts.threads_per_core <= 1)
        return false;
    return config->parallel ? choose_sibling_of(cores, lane->core) != NULL
                            : lane->sibling_load != NULL;
}

static void clear(struct lane *lane)
{
    memset(&lane->measurement, 0, sizeof(lane->measurement));
    lane->job = (struct job){.measurement = &lane->measurement};
    lane->ready = lane->failed = lane->given_up = lane->idle = lane->in_timeline = false;
    lane->blocked[0] = '\0';
    lane->corunner_core = NULL;
}

/* Whether this core can run the kernel. */
static bool can_run(struct lane *lane, const struct experiment *experiment)
{
    const struct measured_core *core = lane->core;
    const char *missing;
    size_t length;

    if (core->lost || experiment->broken != NULL) {
        lane_block(lane, core->lost ? core->why : experiment->broken);
        lane->failed = !core->lost;
        return false;
    }
    if (core->facts.absent != NULL) /* the kernel runs all the same, to show that it does */
        lane_block(lane, core->facts.absent);
    missing = facts_missing(&core->facts, experiment->kernel->requires, &length);
    if (missing == NULL)
        return true;
    format(lane->blocked, sizeof(lane->blocked), "this core has no %.*s", (int)length, missing);
    return false;
}

static void fill_measurement(const struct run_arenas *arenas, const struct config *config,
                             struct lane *lane, const struct experiment *experiment,
                             const struct experiment_size *size, unsigned dose)
{
    struct measurement *m = &lane->measurement;

    m->kernel = experiment->kernel;
    m->facts = &lane->core->facts;
    m->description = lane->core->description;
    m->shares_core = lane->core->threads == ONE_OF_TWO;
    if (config->parallel && m->shares_core)
        m->corunner = experiment->kernel->name;
    m->registers = &lane->core->registers;
    m->n = size->n;
    m->arena_bytes = size->arena;
    m->arena_node = size->arena != 0
                        ? arenas->of[lane->core->arenas].of_kind[arena_kind(m->kernel)].node
                        : CORE_NODE_UNKNOWN;
    m->dose = dose;
    m->repeats = config->repeats;
    m->warmup = config->warmup;
}

/* The spare lane has the last piece of the core's arenas. */
static unsigned piece_of(const struct arenas *arenas, const struct lane *lane)
{
    return lane->spare ? arenas->pieces - 1 : lane->core->piece;
}

/* A kernel of the user's own gets a cell; false: there is no memory for it. */
static bool prepare_cell(const struct own_kernel *list, struct lane *lane,
                         const struct kernel *kernel)
{
    const struct own_kernel *own = own_kernel_of(list, kernel);
    struct measurement *m = &lane->measurement;
    struct cell_code code;

    if (own == NULL)
        return true;
    code = (struct cell_code){
        .code = (const void *)(uintptr_t)kernel->code,
        .bytes = own->files[OWN_CODE].size,
        .buffer = m->arena,
        .buffer_bytes = m->arena_bytes,
        .deadline_us = own->deadline_us,
        .ring_3 = lane->core->registers.ring_3 != NULL,
    };
    m->cell = cell_prepare(&lane->cell, lane->core->core, &code) == RC_OK ? lane->cell : NULL;
    if (m->cell == NULL)
        lane_block(lane, "no memory for its cell");
    return m->cell != NULL;
}

/* The part that needs no plan: the kernel can run on this core, and has its arena. */
static bool prepare_kernel(struct run *run, struct lane *lane, const struct experiment *experiment,
                           unsigned dose, struct extra extras[PARAMETERS_MAX],
                           unsigned *extra_count)
{
    struct measured_core *core = lane->core;
    const struct arenas *arenas = &run->arenas.of[core->arenas];
    struct experiment_size size;

    clear(lane);
    lane->measurement.recordings = lane->recordings;
    lane->measurement.recording_count = recordings_begin(lane->recordings, experiment->kernel,
                                                         lane->core->registers.ring_3 != NULL);
    if (!can_run(lane, experiment))
        return false;
    core->threads = is_loaded(&run->cores, &run->config, lane) ? ONE_OF_TWO : ONE_THREAD;
    core->far_arena = arena_is_far(arenas, experiment->kernel);
    lane->scale = run->config.scale;
    if (!measured_core_sizes(core, core->threads, experiment, lane->scale, extras, extra_count,
                             &size)) {
        lane_block(lane, size.detail);
        return false;
    }
    lane->length = (struct window_length){.wanted_us = run->config.window_us, .most = size.most};
    fill_measurement(&run->arenas, &run->config, lane, experiment, &size, dose);
    if (arena_part(arenas, experiment->kernel, piece_of(arenas, lane), size.arena,
                   &lane->measurement.arena))
        return prepare_cell(run->own, lane, experiment->kernel);
    if (arenas->refused)
        format(size.detail, sizeof(size.detail), "no other node is known to have memory");
    else
        format(size.detail, sizeof(size.detail), "no memory for an arena of %llu bytes",
               (unsigned long long)size.arena);
    lane_block(lane, size.detail);
    return false;
}

/* Finds the scale on this core alone, unless it was found on a core of its kind. False: the kernel
 * did not come back. */
static bool choose_scale(struct run *run, struct lane *lane, struct experiment *experiment,
                         unsigned dose)
{
    const struct measured_core *core = lane->core;
    struct window_scale chosen;

    if (run->config.window_us == 0 || core->facts.absent != NULL)
        return true;
    chosen = experiment_scale(experiment, core->description, dose);
    lane->scale = chosen.scale;
    lane->length.took_us = chosen.window_us;
    if (lane->scale != 0)
        return true;
    lane->job.length = &lane->length;
    lane->ready = true;
    launch_lanes(run, lane, 1, experiment->kernel->name);
    lane->job.length = NULL;
    if (!lane->ready)
        return false;
    lane->ready = false;
    lane->scale = lane->length.scale;
    chosen = (struct window_scale){lane->scale, lane->length.took_us};
    experiment_choose_scale(experiment, core->description, dose, chosen);
    return true;
}

/* The same with the iterations that the run asks for. */
static bool prepare_scaled(struct run *run, struct lane *lane, struct experiment *experiment,
                           unsigned dose, struct extra extras[PARAMETERS_MAX],
                           unsigned *extra_count)
{
    struct experiment_size size;

    if (!prepare_kernel(run, lane, experiment, dose, extras, extra_count) ||
        !choose_scale(run, lane, experiment, dose) ||
        !measured_core_sizes(lane->core, lane->core->threads, experiment, lane->scale, extras,
                             extra_count, &size))
        return false;
    lane->measurement.n = size.n;
    return true;
}

void prepare_lane(struct run *run, struct lane *lane, struct experiment *experiment, unsigned dose)
{
    struct extra extras[PARAMETERS_MAX];
    struct counts given = {.extras = extras};

    if (!prepare_scaled(run, lane, experiment, dose, extras, &given.extra_count) ||
        !choose_corunner(&run->cores, &run->arenas, &run->config, lane, experiment))
        return;
    lane->ready = true;
    if (lane->core->facts.absent != NULL)
        return;
    given.description = lane->core->description;
    plan_measurement(&run->plan_cache, &run->config, lane, experiment, &given);
}

void prepare_timeline(struct run *run, struct lane *lane)
{
    const unsigned dose = run->experiments.timeline->kernel->doses > 0 ? TIMELINE_DOSE : 0;
    struct timeline *timeline = lane->timeline;
    struct extra extras[PARAMETERS_MAX];
    unsigned extra_count;

    lane->sibling_load = NULL;
    timeline_begin(timeline);
    if (!prepare_kernel(run, lane, run->experiments.timeline, dose, extras, &extra_count))
        return;
    if (!timeline_plan(timeline, &lane->core->facts, lane->core->description, &run->round_pool)) {
        lane_block(lane, timeline->absent);
        return;
    }
    lane->measurement.plan = &timeline->plan;
    lane->in_timeline = lane->ready = true;
}
