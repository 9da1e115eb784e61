/* How many passes the tree of each CPU takes, how many a lower bound demands, and how long planning
 * takes on this machine. One line for each CPU, level and number of general counters:
 *
 *   CPU LEVEL COUNTERS EVENTS PASSES BOUND TOGETHER/FAMILIES MICROSECONDS
 *
 * The bound is the largest of what counters and registers demand, each taken alone. A set of
 * counters demands the number of events that fit only there, divided by the size of the set,
 * rounded up. A set of registers (two for off-core responses, one for the front end) demands the
 * number of values, divided by the size of the set, rounded up. Each event that counts alone
 * demands a pass more. A family is two or more events on general counters that the children of one
 * parent need first; it is together when all of them are in one pass.
 *
 * With an argument, one line for each CPU and number of counters: CPU COUNTERS, PASSES/BOUND for
 * each level, MICROSECONDS of the slowest level. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/plan/selection.h"
#include "pmu/builtin.h"
#include "pmu/intel/kind.h"
#include "pmu/parse/parse.h"
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

    return (struct facts){.kind = &intel_kind,
                          .intel = true,
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

/* The events of levels 1 to `levels`, in the order in which the harness requests them. */
static unsigned events_of(const struct counts *given, unsigned levels, const struct event **events,
                          uint16_t *families)
{
    const struct description *description = given->description;
    unsigned count = 0;

    for (unsigned level = 1; level <= levels; level++)
        for (unsigned i = 0; i < description->node_count; i++) {
            const unsigned before = count;

            if (description->nodes[i].level == level)
                count = topdown_events_given(given, &description->nodes[i].formula, events, count,
                                             PLAN_EVENTS, NULL);
            for (unsigned added = before; added < count; added++)
                families[added] = (uint16_t)(description->nodes[i].parent + 2);
        }
    return count;
}

/* The pass in which the event shares the general counters with others; pass_count when there is
 * none. */
static unsigned pass_of(const struct plan *plan, const struct event *event)
{
    for (unsigned p = 0; p < plan->pass_count && !event->alone; p++)
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++)
            if (plan->passes[p].readings[i].event == event &&
                plan->passes[p].readings[i].kind == READING_GENERAL)
                return p;
    return plan->pass_count;
}

static unsigned families_of(const struct plan *plan, const struct event *const *events,
                            const uint16_t *families, unsigned count, unsigned *together)
{
    unsigned all = 0;

    *together = 0;
    for (unsigned family = 1; family <= DESCRIPTION_STATEMENTS + 1; family++) {
        unsigned members = 0, first = plan->pass_count;
        bool split = false;

        for (unsigned i = 0; i < count; i++) {
            const unsigned pass =
                families[i] == family ? pass_of(plan, events[i]) : plan->pass_count;

            if (pass == plan->pass_count)
                continue;
            first = members++ == 0 ? pass : first;
            split |= pass != first;
        }
        all += members > 1;
        *together += members > 1 && !split;
    }
    return all;
}

/* The events of a plan on general counters; events that count alone are only counted, in *alone. */
static unsigned general_of(const struct plan *plan, const struct event **general, unsigned *alone)
{
    unsigned count = 0;

    *alone = 0;
    for (unsigned p = 0; p < plan->pass_count; p++)
        for (unsigned i = 0; i < plan->passes[p].reading_count; i++) {
            const struct reading *reading = &plan->passes[p].readings[i];

            if (reading->kind != READING_GENERAL)
                continue;
            if (reading->event->alone)
                ++*alone;
            else
                general[count++] = reading->event;
        }
    return count;
}

/* The bound, raised to what `demand` places need when a pass has `a_pass` of them. */
static unsigned at_least(unsigned bound, unsigned demand, unsigned a_pass)
{
    const unsigned passes = (demand + a_pass - 1) / a_pass;

    return passes > bound ? passes : bound;
}

/* How many values the events need in the registers of this event. */
static unsigned values_of(const struct event *event, const struct event *const *events,
                          unsigned count)
{
    unsigned values = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0;

        if (events[i]->msr != event->msr)
            continue;
        while (before < i && (events[before]->msr != event->msr ||
                              events[before]->msr_value != events[i]->msr_value))
            before++;
        values += before == i;
    }
    return values;
}

static unsigned bound_of(const struct plan *plan, unsigned counters)
{
    const struct event *events[PLAN_EVENTS];
    const uint32_t all = (1u << counters) - 1;
    unsigned alone, count = general_of(plan, events, &alone);
    unsigned bound = at_least(plan->pass_count > alone, count, counters);

    for (unsigned i = 0; i < count; i++) {
        const uint32_t set = events[i]->counters & all;
        unsigned inside = 0;

        for (unsigned j = 0; j < count; j++)
            inside += (events[j]->counters & all & ~set) == 0;
        bound = at_least(bound, inside, (unsigned)__builtin_popcount(set));
        if (events[i]->msr)
            bound =
                at_least(bound, values_of(events[i], events, count), events[i]->second.msr ? 2 : 1);
    }
    return bound + alone;
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Prints the plan's figures; returns the microseconds that planning took, the best of ROUNDS. */
static double show(const struct description *description, unsigned levels, unsigned counters,
                   bool brief)
{
    const struct facts facts = facts_of(description, counters);
    const struct extra extras[] = {
        {"#SMT_on", 0}, {"#EBS_Mode", 0}, {"#PERF_METRICS_MSR", facts.perf_metrics}};
    const struct counts given = {.description = description, .extras = extras, .extra_count = 3};
    const struct event *events[PLAN_EVENTS];
    struct pool pool = {.allocate = allocate};
    struct plan *plan = calloc(1, sizeof(*plan));
    uint16_t families[PLAN_EVENTS];
    double best = 1e9;
    unsigned count = 0, together, all;

    for (unsigned i = 0; i < ROUNDS; i++) {
        const double begun = now_us();

        pool_rewind(&pool);
        count = events_of(&given, levels, events, families);
        if (plan_make(plan, &facts, description, events, families, count, &pool) != RC_OK)
            exit(1);
        if (now_us() - begun < best)
            best = now_us() - begun;
    }
    all = families_of(plan, events, families, count, &together);
    if (brief)
        printf(" %u/%u", plan->pass_count, bound_of(plan, counters));
    else
        printf("%-18s %u %u %3u %3u %3u %2u/%-2u %7.0f\n", description->name, levels, counters,
               count, plan->pass_count, bound_of(plan, counters), together, all, best);
    free(pool.first);
    free(plan);
    return best;
}

static void show_levels(const struct description *description, unsigned counters, bool brief)
{
    double longest = 0;

    if (brief)
        printf("%s %u", description->name, counters);
    for (unsigned levels = 1; levels <= selection_depth(description); levels++) {
        const double took = show(description, levels, counters, brief);

        longest = took > longest ? took : longest;
    }
    if (brief)
        printf(" %.0f\n", longest);
}

int main(int argc, char **argv)
{
    const bool brief = argc > 1;
    const struct description_library library = {NULL, text_of};

    (void)argv;
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        struct description *description = calloc(1, sizeof(*description));
        struct complaint complaint;

        if (description_parse(description, builtin_name(i), &library, allocate, &complaint) !=
            RC_OK) {
            fprintf(stderr, "%s: %s\n", complaint.file, complaint.message);
            return 1;
        }
        if (selection_depth(description) > 0) {
            show_levels(description, 8, brief);
            show_levels(description, 4, brief);
        }
        free(description);
    }
    return 0;
}
