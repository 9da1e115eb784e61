#include "skid_series.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/judge/measured_core_run.h"
#include "harness/judge/measured_core_sample.h"

/* From interrupt to interrupt at least so many laps, so that the counter never overflows while the
 * handler works; and up to so many more, so that samples are not all of the same lap. */
#define LAPS        2
#define JITTER_LAPS 1
/* Events of the code that measures an interrupt (harness/sampler/probe.asm), behind the interrupt.
 */
#define MARGIN_OF_PROBE 8u
/* Samples of a window of interrupts. */
#define WINDOW_SAMPLES 64u
/* Laps that PEBS takes for its records at most: with precise distribution a period is long. */
#define PEBS_LAPS_MAX   8000u
#define PEBS_SHORT      3u /* the period without it, in events that one instruction causes */
#define PEBS_RECORDS(n) ((n)*3 / 4)

#define CYCLES   "CPU_CLK_UNHALTED.THREAD"
#define BRANCHES "BR_INST_RETIRED.ALL_BRANCHES"

const char *skid_method_name(enum skid_method method)
{
    static const char *const names[SKID_METHODS] = {
        [SKID_PMI_VECTOR] = "PMI",
        [SKID_PMI_NMI] = "PMI",
        [SKID_PEBS] = "PEBS",
        [SKID_PEBS_DISTRIBUTED] = "PEBS with precise distribution",
    };

    return names[method];
}

const char *skid_method_delivery(enum skid_method method)
{
    return method == SKID_PMI_VECTOR ? "vector" : method == SKID_PMI_NMI ? "nmi" : NULL;
}

static void miss(struct skid *skid, const char *why)
{
    format(skid->missing, sizeof(skid->missing), "%s", why);
}

#define MEASURED "was measured for its skid"

static uint64_t timeout_of(const struct skid_job *job)
{
    return (uint64_t)job->config->timeout * 1000000;
}

/* What the skid was to be measured by failed on its core, or took the core with it. */
static void fail(struct skid *skid, const char *why)
{
    miss(skid, why);
    skid->failed = true;
}

/* What came back, but did not work. */
static void give_up(const struct skid_job *job, const char *what, const char *at)
{
    measured_core_trouble(job->core, job->measurement->kernel->name, what, at);
    fail(job->skid, what);
    measured_core_give_up(job->core, job->measurement->kernel->name);
}

/* --- interrupts --- */

static uint64_t at_least_1(double value)
{
    return value >= 1 ? (uint64_t)(value + 0.5) : 1;
}

static void take(void *context, uint64_t address, uint64_t since)
{
    struct skid *skid = context;

    skid_distances_address(&skid->distances, &skid->index, address, &skid->laps, since);
}

/* `refill`: events between the handler's last write and the interrupted code, as measured;
 * `margin`: by how many it may be more in truth. */
static const char *plan_pmi(const struct skid_job *job, enum skid_method method, uint64_t refill,
                            uint64_t margin)
{
    struct skid *skid = job->skid;
    struct sampler *s = &skid->sampler;
    const uint64_t samples = skid->wanted < WINDOW_SAMPLES ? skid->wanted : WINDOW_SAMPLES;
    const char *why;

    memset(s, 0, sizeof(*s));
    why = sampling_plan_make(&s->plan, &job->core->facts, job->core->description, skid->event,
                             description_event(job->core->description, CYCLES), NULL);
    if (why != NULL)
        return why;
    skid->period = at_least_1(skid->per_lap * LAPS) + refill + margin;
    skid->jitter = at_least_1(skid->per_lap * JITTER_LAPS);
    s->measurement = job->measurement;
    s->addresses = &skid->addresses;
    s->take = take;
    s->take_context = skid;
    s->delivery = method == SKID_PMI_NMI ? PMI_NMI : PMI_VECTOR;
    s->periods =
        sampling_periods_from((uint32_t)skid->period, (uint32_t)skid->jitter, job->config->seed);
    s->n = (uint64_t)((double)(samples * (skid->period + skid->jitter - refill)) / skid->per_lap);
    s->wanted = skid->wanted;
    s->expected = samples + 1;
    sampler_give_room(s, skid->records, skid->room);
    return NULL;
}

static void conclude_pmi(const struct skid_job *job)
{
    struct skid *skid = job->skid;
    const struct sampler *s = &skid->sampler;

    if (s->absent != NULL) {
        miss(skid, s->absent);
        return;
    }
    skid->windows = s->windows;
    if (s->what != NULL)
        give_up(job, s->what, s->where);
}

static bool sample_on_core(const struct skid_job *job)
{
    if (measured_core_sample(job->core, &job->skid->sampler, timeout_of(job), MEASURED))
        return true;
    fail(job->skid, job->core->why);
    return false;
}

/* The sampler measures with a branch how late interrupts are, in cycles. */
static void plan_chain(const struct skid_job *job)
{
    struct skid *skid = job->skid;
    const struct description *description = job->core->description;

    if (sampling_plan_make(&skid->branch_plan, &job->core->facts, description,
                           description_event(description, BRANCHES),
                           description_event(description, CYCLES), NULL) == NULL)
        skid->sampler.branch_plan = &skid->branch_plan;
}

/* What the first run has measured tells the lap of the samples of the second. Where an interrupt
 * waits for the next event, the counter has that one, too, and does not tell. */
static void find_laps(const struct skid_job *job)
{
    struct skid *skid = job->skid;
    const struct sampler *s = &skid->sampler;
    const bool every = job->measurement->kernel->cause_kind == CAUSE_EVERY;
    const bool counter =
        !every && s->cost.own_known && s->cost.own.median >= 0 && !s->plan.interrupts_with_next;

    skid->chain_known =
        s->branch_plan != NULL && s->cost.skid_missing == NULL && s->cost.skid.median >= 0;
    skid->chain = skid->chain_known ? (uint64_t)s->cost.skid.median : 0;
    skid->laps = (struct skid_laps){
        .length = every ? 0 : skid->loop.count,
        .events = counter ? skid_laps_events(skid->per_lap) : 0,
        .own = counter ? (uint64_t)s->cost.own.median : 0,
        .expected = skid->chain_known && skid->pace > 0 ? (double)skid->chain / skid->pace + 1 : 0,
    };
}

/* First no sample is wanted: that measures what the handler's end counts of the event, which the
 * period must be longer than, or the handler would be interrupted for ever. */
static void run_pmi(const struct skid_job *job, enum skid_method method)
{
    struct skid *skid = job->skid;
    struct sampler *s = &skid->sampler;
    struct words words = skid->left;
    const char *why = plan_pmi(job, method, 0, 0);
    int64_t refill;

    if (why == NULL && !addresses_make(&skid->addresses, &skid->index, skid->room, &words))
        why = "there is no memory for its addresses";
    if (why != NULL) {
        miss(skid, why);
        return;
    }
    s->wanted = 0;
    plan_chain(job);
    if (!sample_on_core(job))
        return;
    find_laps(job);
    refill = s->cost.least_refill.maximum;
    if (s->absent == NULL && s->what == NULL) {
        plan_pmi(job, method, refill > 0 ? (uint64_t)refill : 0, MARGIN_OF_PROBE);
        if (!sample_on_core(job))
            return;
    }
    conclude_pmi(job);
}

/* --- PEBS --- */

/* Whether the name is one of those in `names`, separated by " | ". */
static bool is_among(const char *names, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = names; *at != '\0'; at++)
        if ((at == names || at[-1] == ' ') && strncmp(at, name, length) == 0 &&
            (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The use that samples the cause's event on this core. Null, or why there is none. */
static const char *find_use(const struct skid_job *job, enum pebs_use *use)
{
    const struct pebs_kind *kind = job->core->description->pebs;

    for (unsigned i = PEBS_INSTRUCTIONS; kind != NULL && i <= PEBS_LOADS; i++) {
        const char *name = kind->events[i].name;

        if (name == NULL || !is_among(job->measurement->kernel->cause_event, name))
            continue;
        *use = (enum pebs_use)i;
        return NULL;
    }
    return "slotscope makes no PEBS records of this event on this CPU";
}

static const char *plan_pebs(const struct skid_job *job, enum skid_method method)
{
    const bool every = job->measurement->kernel->cause_kind == CAUSE_EVERY;
    const struct pebs_choice choice = {.loose = method == SKID_PEBS,
                                       .period = method == SKID_PEBS && !every ? PEBS_SHORT : 0};
    struct skid_pebs *s = &job->skid->pebs;
    enum pebs_use use;
    const char *why = pebs_absent(&job->core->facts, job->core->description);

    if (why == NULL)
        why = find_use(job, &use);
    if (why == NULL)
        why = pebs_plan_chosen(&s->plan, &job->core->facts, job->core->description, use,
                               (uint64_t)(uintptr_t)s->memory.area, &choice);
    if (why == NULL && method == SKID_PEBS_DISTRIBUTED && !s->plan.distributed)
        why = "no counter of this CPU has precise distribution of this event";
    return why;
}

/* Where every instruction causes the event, a window of as many laps as the period has events (or a
 * multiple) meets each instruction equally often. */
static void size_pebs(const struct skid_job *job)
{
    struct skid *skid = job->skid;
    struct skid_pebs *s = &skid->pebs;
    const uint64_t room = PEBS_RECORDS(precise_window_room(&s->memory, &s->plan)),
                   period = s->plan.period;
    const uint64_t wanted = skid->wanted, most = PEBS_LAPS_MAX / period + 1;

    if (job->measurement->kernel->cause_kind == CAUSE_EVERY) {
        s->n = period * (room / skid->loop.count + (room < skid->loop.count));
        s->wanted = wanted;
        return;
    }
    s->wanted = wanted < most ? wanted : most;
    s->n = period * (s->wanted < room ? s->wanted : room);
}

static void run_pebs(const struct skid_job *job, enum skid_method method)
{
    struct skid *skid = job->skid;
    struct skid_pebs *s = &skid->pebs;
    const char *why = plan_pebs(job, method);

    if (why != NULL) {
        miss(skid, why);
        return;
    }
    s->measurement = job->measurement;
    s->index = &skid->index;
    s->distances = &skid->distances;
    s->windows = s->undecoded = s->full = 0;
    s->done = false;
    size_pebs(job);
    skid->period = s->plan.period;
    if (!measured_core_run(job->core, skid_pebs_work, s, timeout_of(job),
                           job->measurement->kernel->name, MEASURED)) {
        fail(skid, job->core->why);
        return;
    }
    skid->windows = s->windows;
    skid->distances.broken += s->undecoded;
    skid->due = s->plan.trap && !s->plan.layout.adaptive && s->plan.layout.format < 2 ? 1 : 0;
    if (!s->done)
        give_up(job, job->measurement->what, job->measurement->where);
}

void skid_series_run(const struct skid_job *job, enum skid_method method)
{
    struct skid *skid = job->skid;

    skid->missing[0] = '\0';
    skid->failed = false;
    skid->period = skid->jitter = skid->windows = 0;
    skid->due = 0;
    skid->chain_known = false;
    skid->laps = (struct skid_laps){0};
    skid_distances_begin(&skid->distances, &skid->loop);
    if (method == SKID_PMI_VECTOR || method == SKID_PMI_NMI)
        run_pmi(job, method);
    else
        run_pebs(job, method);
}
