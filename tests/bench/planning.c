/* How many passes each level of each CPU's tree takes, what a lower bound allows, and how long the
 * planning takes on this machine. One line a CPU, level and number of general counters:
 *
 *   CPU LEVEL COUNTERS EVENTS PASSES BOUND MICROSECONDS
 *
 * The bound is what the counters alone demand: for every set of counters that some event is bound
 * to, the events that fit nowhere else over the size of the set, rounded up. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/selection.h"
#include "pmu/plan.h"
#include "pmu/topdown.h"

#define ROUNDS 20

static void *allocate(size_t size)
{
    return calloc(1, size);
}

static const char *text_of(void *context, const char *name, size_t *size, bool *from_stick)
{
    (void)context;
    *from_stick = false;
    return builtin_text(name, size);
}

static struct facts facts_of(const struct description *description, unsigned counters)
{
    const bool metrics = description->method == TOPDOWN_PERF_METRICS;

    return (struct facts){.intel = true,
                          .family = 6,
                          .version = metrics ? 5 : 4,
                          .general_count = counters,
                          .general_width = 48,
                          .fixed_count = metrics ? 4 : 3,
                          .fixed_mask = metrics ? 15 : 7,
                          .fixed_width = 48,
                          .architectural_events = 0xff,
                          .any_thread = !metrics,
                          .pdcm = true,
                          .full_width_write = true,
                          .perf_metrics = metrics};
}

/* The events of levels 1 to `levels`, in the order in which a run asks for them. */
static unsigned events_of(const struct counts *given, unsigned levels, const struct event **events)
{
    const struct description *description = given->description;
    unsigned count = 0;

    for (unsigned level = 1; level <= levels; level++)
        for (unsigned i = 0; i < description->node_count; i++)
            if (description->nodes[i].level == level)
                count = topdown_events_given(given, &description->nodes[i].formula, events, count,
                                             PLAN_EVENTS, NULL);
    return count;
}

static unsigned bound_of(const struct plan *plan, unsigned counters)
{
    uint32_t masks[PLAN_EVENTS];
    unsigned count = 0, bound = plan->pass_count > 0;

    for (unsigned p = 0; p < plan->pass_count; p++)
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++)
            if (plan->passes[p].readings[i].kind == READING_GENERAL && count < PLAN_EVENTS)
                masks[count++] =
                    plan->passes[p].readings[i].event->counters & ((1u << counters) - 1);
    for (unsigned i = 0; i <= count; i++) {
        const uint32_t set = i < count ? masks[i] : (1u << counters) - 1;
        const unsigned size = (unsigned)__builtin_popcount(set);
        unsigned inside = 0;

        for (unsigned j = 0; j < count; j++)
            inside += (masks[j] & ~set) == 0;
        if ((inside + size - 1) / size > bound)
            bound = (inside + size - 1) / size;
    }
    return bound;
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void show(const struct description *description, unsigned levels, unsigned counters)
{
    const struct facts facts = facts_of(description, counters);
    const struct extra extras[] = {
        {"#SMT_on", 0}, {"#EBS_Mode", 0}, {"#PERF_METRICS_MSR", facts.perf_metrics}};
    const struct counts given = {description, NULL, 0, extras, 3};
    const struct event *events[PLAN_EVENTS];
    struct plan *plan = calloc(1, sizeof(*plan));
    double best = 1e9;
    unsigned count = 0;

    for (unsigned i = 0; i < ROUNDS; i++) {
        const double begun = now_us();

        free(plan->passes);
        count = events_of(&given, levels, events);
        if (plan_make(plan, &facts, description, events, count, allocate) != RC_OK)
            exit(1);
        if (now_us() - begun < best)
            best = now_us() - begun;
    }
    printf("%-18s %u %u %3u %3u %3u %7.0f\n", description->name, levels, counters, count,
           plan->pass_count, bound_of(plan, counters), best);
    free(plan->passes);
    free(plan);
}

int main(void)
{
    const struct description_library library = {NULL, text_of};

    for (unsigned i = 0; builtin_name(i); i++) {
        struct description *description = calloc(1, sizeof(*description));
        struct complaint complaint;

        if (description_parse(description, builtin_name(i), &library, allocate, &complaint) !=
            RC_OK) {
            fprintf(stderr, "%s: %s\n", complaint.file, complaint.message);
            return 1;
        }
        for (unsigned levels = 1; levels <= selection_depth(description); levels++) {
            show(description, levels, 8);
            show(description, levels, 4);
        }
        free(description);
    }
    return 0;
}
