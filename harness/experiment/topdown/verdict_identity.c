#include "verdict_identity.h"

#include "boot/text.h"

/* Counters are started and stopped together, so that a window's counts belong to the same cycles,
 * except for uops that are in the pipeline when the window begins or ends. */
#define TOLERANCE 0.01
#define LEVEL_ONE 4u    /* bytes of PERF_METRICS that are level 1: SDM 3B, "Performance Metrics" */
#define ALL       255.0 /* what they add up to */
/* The four shares add up to 1, so their 255ths, which are rounded, to 255. Rounded to the nearest,
 * each is off by 1/2 at most, the sum by 2. Rounded down, each is less than 1 too small, so the
 * whole sum is less than 4 too small, and being whole at most 3: four shares of 63 3/4 are four
 * bytes of 63, 252. Rounded up, it is at most 3 too large: 258. How a core rounds is not published,
 * so the bound is 3. The four bytes of level 2 are parts of these, and in no sum. */
#define ROUNDED 3.0

/* A window of a pass: the counts of its readings. */
struct window {
    const struct measurement *m;
    unsigned pass, repeat;
};

struct found {
    bool any;
    double value; /* of the worst window */
};

/* What this reading counted. False: its counter overflowed, so nothing is known. */
static bool count_at(const struct window *window, unsigned reading, double *count)
{
    const struct pass_result *result = &window->m->passes[window->pass];

    if (result->overflowed[reading])
        return false;
    *count = (double)pass_values(result, reading, true, window->m->repeats)[window->repeat];
    return true;
}

/* What the window counted of the first of these events that its pass counts. */
static bool count_of(const struct window *window, const char *const *names, double *count)
{
    const struct pass *pass = &window->m->plan->passes[window->pass];

    for (; *names != NULL; names++) {
        for (unsigned i = 0; i < pass->reading_count; i++) {
            const char *name = pass->readings[i].event->name;

            if (name[0] == **names && strcmp(name, *names) == 0)
                return count_at(window, i, count);
        }
    }
    return false;
}

static bool sum_of(const struct window *window, const char *const *const *events, double *sum)
{
    double count;

    for (*sum = 0; *events != NULL; events++) {
        if (!count_of(window, *events, &count))
            return false;
        *sum += count;
    }
    return true;
}

static const char *const cycles_event[] = {"CPU_CLK_UNHALTED.THREAD", "ls_not_halted_cyc", NULL};
static const char *const slots_event[] = {"TOPDOWN.SLOTS", "TOPDOWN.SLOTS:perf_metrics", NULL};
static const char *const issued[] = {"UOPS_ISSUED.ANY", "de_src_op_disp.all", NULL};
static const char *const retired[] = {"UOPS_RETIRED.RETIRE_SLOTS", "UOPS_RETIRED.SLOTS",
                                      "ex_ret_ops", NULL};
static const char *const undelivered[] = {"IDQ_UOPS_NOT_DELIVERED.CORE", NULL};
static const char *const no_frontend[] = {"TOPDOWN_FE_BOUND.ALL", "TOPDOWN_FE_BOUND.ALL_P", NULL};
static const char *const no_backend[] = {"TOPDOWN_BE_BOUND.ALL", "TOPDOWN_BE_BOUND.ALL_P", NULL};
static const char *const bad[] = {"TOPDOWN_BAD_SPECULATION.ALL", "TOPDOWN_BAD_SPECULATION.ALL_P",
                                  NULL};
static const char *const good[] = {"TOPDOWN_RETIRING.ALL", "TOPDOWN_RETIRING.ALL_P", NULL};

/* AMD's: a slot has an op, or one of three reasons why it has none. */
static const char *const empty[] = {"de_no_dispatch_per_slot.no_ops_from_frontend", NULL};
static const char *const stalled[] = {"de_no_dispatch_per_slot.backend_stalls", NULL};
static const char *const contended[] = {"de_no_dispatch_per_slot.smt_contention", NULL};

/* The events' sum, of the slots that the cycles have. */
static bool of_slots(const struct window *window, unsigned width, const char *const *const *events,
                     double *value)
{
    double cycles, sum;

    if (!count_of(window, cycles_event, &cycles) || cycles < TRIAL_CYCLES_MIN || width == 0 ||
        !sum_of(window, events, &sum))
        return false;
    *value = sum / (width * cycles);
    return true;
}

static bool slots(const struct window *window, unsigned width, double *value)
{
    return of_slots(window, width, (const char *const *const[]){slots_event, NULL}, value);
}

static bool causes(const struct window *window, unsigned width, double *value)
{
    return of_slots(window, width,
                    (const char *const *const[]){no_frontend, no_backend, bad, good, NULL}, value);
}

/* Where the published bad speculation is the rest. */
static bool causes_but_bad(const struct window *window, unsigned width, double *value)
{
    return of_slots(window, width,
                    (const char *const *const[]){no_frontend, no_backend, good, NULL}, value);
}

/* A slot that got no uop and a slot that issued one are not the same slot. */
static bool taken(const struct window *window, unsigned width, double *value)
{
    return of_slots(window, width, (const char *const *const[]){undelivered, issued, NULL}, value);
}

static bool dispatched(const struct window *window, unsigned width, double *value)
{
    return of_slots(window, width,
                    (const char *const *const[]){empty, stalled, contended, issued, NULL}, value);
}

static bool retiring(const struct window *window, unsigned width, double *value)
{
    double sent, came;

    (void)width;
    if (!count_of(window, issued, &sent) || !count_of(window, retired, &came) ||
        sent < TRIAL_CYCLES_MIN)
        return false;
    *value = came / sent;
    return true;
}

/* The sum of PERF_METRICS' bytes of level 1, as they were read: a reading is a byte in slots. */
static bool metrics(const struct window *window, unsigned width, double *value)
{
    const struct pass *pass = &window->m->plan->passes[window->pass];
    double all = 0, count = 0;
    unsigned fields = 0;

    (void)width;
    *value = 0;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        const struct reading *reading = &pass->readings[i];

        if (reading->kind == READING_SLOTS && !count_at(window, i, &all))
            return false;
        if (reading->kind != READING_METRIC || reading->field >= LEVEL_ONE)
            continue;
        if (!count_at(window, i, &count))
            return false;
        *value += count;
        fields++;
    }
    if (fields != LEVEL_ONE || all < TRIAL_CYCLES_MIN)
        return false;
    *value = (double)(int64_t)(*value * ALL / all + 0.5); /* bytes are whole */
    return true;
}

static const struct identity {
    const char *subject;
    bool (*value)(const struct window *window, unsigned width, double *value);
    double low, high, middle;
    bool alone; /* holds for a thread that has its core to itself */
} identities[IDENTITIES] = {
    {"slots, of width x cycles", slots, 1 - TOLERANCE, 1 + TOLERANCE, 1, true},
    {"bytes of PERF_METRICS, level 1", metrics, ALL - ROUNDED, ALL + ROUNDED, ALL, false},
    {"slots by cause, of width x cycles", causes, 1 - TOLERANCE, 1 + TOLERANCE, 1, true},
    {"slots by cause but bad speculation, of width x cycles", causes_but_bad, 0, 1 + TOLERANCE, 0,
     true},
    {"uops undelivered and issued, of width x cycles", taken, 0, 1 + TOLERANCE, 0, false},
    {"uops retired, of those issued", retiring, 0, 1 + TOLERANCE, 0, false},
    {"slots with and without ops, of width x cycles", dispatched, 1 - TOLERANCE, 1 + TOLERANCE, 1,
     false},
};

static double distance(double value, double from)
{
    return value < from ? from - value : value - from;
}

static void look(const struct identity *identity, const struct window *window, unsigned width,
                 struct found *found)
{
    double value;

    if (!identity->value(window, width, &value))
        return;
    if (!found->any || distance(value, identity->middle) > distance(found->value, identity->middle))
        found->value = value;
    found->any = true;
}

bool verdict_identity(struct verdict *verdict, const struct trial *trial,
                      const struct measurement *measurement, unsigned index)
{
    const struct identity *identity = &identities[index];
    struct found found = {0};

    if (trial->blocked != NULL || trial->results == NULL ||
        (identity->alone && trial->corunner != NULL))
        return false;
    for (unsigned pass = 0; pass < measurement->plan->pass_count; pass++)
        for (unsigned i = 0; measurement->passes[pass].complete && i < measurement->repeats; i++) {
            const struct window window = {measurement, pass, i};

            look(identity, &window, trial->description->width, &found);
        }
    if (!found.any)
        return false;
    verdict_begin(verdict, trial, identity->subject);
    verdict_in_range(verdict, trial, identity->subject, found.value, identity->low, identity->high,
                     identity->middle < ALL);
    return true;
}
