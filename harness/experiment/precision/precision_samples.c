#include "precision_samples.h"

#include "boot/format.h"
#include "boot/text.h"
#include "harness/sampler/sampler.h"

#define SLOTS_COUNTER 3u
/* Places in a record: behind them are the sampled counter, SLOTS and PERF_METRICS. */
#define SLOTS_AT   (PMI_RECORD_WORDS + 1)
#define METRICS_AT (PMI_RECORD_WORDS + 2)
/* Samples of a window: the last point begins with number 64 and has PRECISION_WINDOWS of them. */
#define EXPECTED 80u

/* The handler stops all counters but that of all cycles before it reads, so both registers stand
 * still meanwhile, and may be cleared. */
void precision_samples_plan(struct precision_series *series, const struct sampling_plan *plan)
{
    const uint64_t slots = field_of(PERF_GLOBAL_CTRL_EN_FIXED_CTR, 1u << SLOTS_COUNTER);
    struct sampling_plan *group = &series->group;

    *group = *plan;
    for (unsigned i = 0; i < group->setup_count; i++)
        if (group->setup[i].msr == IA32_FIXED_CTR_CTRL)
            group->setup[i].value |= field_of(FIXED_CTR_CTRL_EN0, FIXED_CTR_CTRL_OS_AND_USR)
                                     << SLOTS_COUNTER * FIXED_CTR_CTRL_STEP;
    group->setup[group->setup_count++] = (struct msr_value){IA32_FIXED_CTR0 + SLOTS_COUNTER, 0};
    group->setup[group->setup_count++] = (struct msr_value){MSR_PERF_METRICS, 0};
    group->keep[group->keep_count++] = IA32_FIXED_CTR0 + SLOTS_COUNTER;
    group->keep[group->keep_count++] = MSR_PERF_METRICS;
    group->enable.value |= slots | field_of(PERF_GLOBAL_CTRL_EN_PERF_METRICS, 1);
    group->reads[group->read_count++] = IA32_FIXED_CTR0 + SLOTS_COUNTER;
    group->reads[group->read_count++] = MSR_PERF_METRICS;
}

static void begin(struct precision_series *series, bool reset, uint64_t period)
{
    struct sampler *s = &series->sampler;

    memset(s, 0, sizeof(*s));
    s->measurement = series->measurement;
    s->plan = series->group;
    if (reset) {
        s->plan.clear[s->plan.clear_count++] =
            (struct msr_value){IA32_FIXED_CTR0 + SLOTS_COUNTER, 0};
        s->plan.clear[s->plan.clear_count++] = (struct msr_value){MSR_PERF_METRICS, 0};
    }
    s->counts_cycles = true;
    s->delivery = series->delivery;
    s->periods = sampling_periods_from((uint32_t)period, 0, 0);
    s->n = series->n * EXPECTED;
    s->wanted = UINT64_MAX;
    s->window_limit = 1;
    s->expected = EXPECTED;
    s->room = PRECISION_ROOM;
    s->records = series->words;
    s->presets = series->words + PRECISION_ROOM * (METRICS_AT + 1);
}

/* What sample number `i` has read, and, unless both were cleared since, the sample before it. */
static struct precision_reading reading_of(const struct precision_series *series, unsigned i,
                                           bool reset)
{
    const uint64_t *now = series->words + i * (METRICS_AT + 1), *before = now - (METRICS_AT + 1);

    return (struct precision_reading){
        .slots_before = reset ? 0 : before[SLOTS_AT],
        .metrics_before = reset ? 0 : before[METRICS_AT],
        .slots = now[SLOTS_AT],
        .metrics = now[METRICS_AT],
    };
}

/* The points of this way. */
static void fill(struct precision_series *series, bool reset)
{
    for (unsigned p = 0; p < series->point_count; p++) {
        struct precision_point *point = &series->points[p];

        if (point->before != PRECISION_SAMPLES || point->reset != reset)
            continue;
        for (unsigned i = 0; i < PRECISION_WINDOWS; i++)
            point->readings[i] = reading_of(series, point->length + i, reset);
        point->first_window = series->sampler.first_window;
        point->last_window = series->sampler.last_window;
        point->done = true;
    }
}

static bool sample(struct precision_series *series, bool reset, uint64_t period)
{
    struct sampler *s = &series->sampler;
    const char *why = NULL;

    begin(series, reset, period);
    sampler_run(s);
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        series->measurement->discarded[i] += s->discarded[i];
    if (s->absent != NULL || s->what != NULL)
        why = s->absent != NULL ? s->absent : s->what;
    else if (s->below_cost)
        why = "a sample would cost more than its period";
    else if (s->kept + s->outside < PRECISION_SAMPLES_LEAST)
        why = "fewer samples came than the curve needs";
    else
        fill(series, reset);
    if (why != NULL)
        format(series->why, sizeof(series->why), "%s%s%s", why, s->where[0] != '\0' ? ": " : "",
               s->where);
    return why == NULL;
}

void precision_samples_run(struct precision_series *series, uint64_t slots)
{
    const uint64_t period = slots / series->width;

    if (series->why[0] == '\0' && sample(series, true, period))
        (void)sample(series, false, period);
}
