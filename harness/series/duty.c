#include "duty.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "harness/outcome/outcome.h"
#include "harness/outcome/outcome_duty.h"
#include "launch.h"
#include "prepare.h"

/* A window holds many naps, since how much of the last one falls into it is chance. On an emulator,
 * where `scale` asks for no time, windows are shorter and naps wake at once. */
#define NAPS_IN_A_WINDOW 40
#define WINDOW_TIMES     20  /* so much longer than other windows */
#define EMULATED_US      100 /* where these have no length in time */

static uint64_t window_us(const struct config *config)
{
    return config->window_us > 0 ? (uint64_t)config->window_us * WINDOW_TIMES : EMULATED_US;
}

/* The plan for the cycles of the core. */
static enum rc make_plan(struct plan_cache *cache, const struct lane *lane,
                         const struct experiment *experiment, struct plan **plan)
{
    const struct measured_core *core = lane->core;
    const struct node *node = description_node(core->description, DUTY_CORE_CYCLES);
    const struct event *events[PLAN_EVENTS];
    struct extra extras[PARAMETERS_MAX];
    struct counts given = {.description = core->description, .extras = extras};
    struct experiment_size size;
    unsigned count;

    if (node == NULL || !measured_core_sizes(core, core->threads, experiment, lane->scale, extras,
                                             &given.extra_count, &size))
        return RC_ABSENT;
    count = topdown_events_given(&given, &node->formula, events, 0, PLAN_EVENTS, NULL);
    return plan_cache_make(cache, plan, &core->facts, core->description, events, NULL, count);
}

/* Makes the lane ready once more, for windows `times` as long, beside a sibling of that duty.
 * False: lane->blocked says why not. */
static bool prepare(struct run *run, struct lane *lane, struct experiment *experiment,
                    unsigned dose, unsigned duty, uint64_t times, struct plan **plan)
{
    enum rc rc = RC_OK;
    char why[80];

    prepare_lane(run, lane, experiment, dose);
    if (!lane_counted(lane))
        return false;
    if (*plan == NULL)
        rc = make_plan(&run->plan_cache, lane, experiment, plan);
    if (rc == RC_OK && !lane_renew(lane, *plan))
        rc = RC_NO_SPACE;
    if (rc != RC_OK) {
        format(why, sizeof(why), "the core's cycles cannot be planned: %s", rc_name(rc));
        lane_give_up(lane, why);
        return false;
    }
    lane->measurement.n *= times;
    lane->corunner.duty = duty;
    lane->corunner.core = lane->corunner_core->core;
    lane->corunner.nap_ticks = window_us(&run->config) * clock_ticks_per_us() / NAPS_IN_A_WINDOW;
    return true;
}

static void launch(struct run *run, struct lane *lane, const struct experiment *experiment)
{
    launch_lanes(run, lane, 1, experiment->kernel->name);
    if (lane->corunner.no_timer)
        lane_give_up(lane, "the firmware needs the timer that would wake the sibling");
}

/* How many times the iterations a window needs; 0: more than the kernel can run at once. */
static uint64_t times_longer(const struct run *run, const struct lane *lane, double cycles)
{
    const double wanted = (double)(window_us(&run->config) * clock_ticks_per_us());
    const uint64_t most = lane->length.most / (lane->scale > 0 ? lane->scale : 1);
    const uint64_t times = cycles >= 1 && cycles < wanted ? (uint64_t)(wanted / cycles) + 1 : 1;

    return times <= most ? times : 0;
}

/* Whether the windows of n and of 2n of all passes take less than half of `timeout`, which a core
 * that waits for the other may not pass. */
static bool is_short(const struct run *run, const struct lane *lane)
{
    const struct measurement *m = &lane->measurement;
    const uint64_t windows = (uint64_t)m->plan->pass_count * (m->warmup + m->repeats);

    return 2 * 3 * windows * window_us(&run->config) < (uint64_t)run->config.timeout * 1000000;
}

void duty_measure(struct run *run, struct lane *lane, struct experiment *experiment, unsigned dose)
{
    const struct config_duty *wanted = &run->config.duty;
    struct outcome_duty duty = {.count = 0};
    struct plan *plan = NULL;
    uint64_t times = 0;

    if (wanted->first == 0)
        return;
    for (unsigned now = wanted->first; now <= wanted->last;) {
        if (!prepare(run, lane, experiment, dose, now, times > 0 ? times : 1, &plan))
            break;
        launch(run, lane, experiment);
        outcome_trouble(lane->core, &lane->measurement);
        if (!lane_counted(lane))
            break;
        if (times == 0) { /* the first one says how long a window is */
            times = times_longer(run, lane, outcome_duty_cycles(run, lane, experiment));
            if (times == 0)
                lane_give_up(lane, "its iterations cannot last as long as many halts do");
            else if (!is_short(run, lane))
                lane_give_up(lane, "windows that hold many halts take more than half of timeout");
            else
                continue;
            break;
        }
        outcome_duty_add(run, lane, experiment, now, &duty);
        now += CONFIG_DUTY_STEP;
    }
    outcome_duty(run, lane, experiment, &duty);
}
