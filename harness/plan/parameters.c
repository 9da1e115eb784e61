#include "parameters.h"

#include "boot/text.h"

/* Parameters of the published formulas. */
static const char metrics_name[] = "#PERF_METRICS_MSR"; /* 1: PERF_METRICS is read; 0: counters */
static const char smt_name[] = "#SMT_on";               /* 1: the sibling thread works too */
static const char one_of_two_name[] = "#EBS_Mode";      /* 1: counts are of one of two threads */

/* What kernels ask, and what the answer is unless the description states another one. */
static const struct {
    const char *name;
    double value;
} usual[] = {
    {"lcp_stalls", 1},           /* a length-changing prefix stops the length decoder */
    {RECOVERY_IS_BAD, 1},        /* see parameters.h */
    {"uop_cache_covers_l1i", 0}, /* code of long instructions that fits L1I fits the uop cache */
};

unsigned parameters_of_core(struct extra extras[PARAMETERS_MAX], const struct facts *facts,
                            const struct description *description, enum threads threads)
{
    const struct {
        const char *name;
        uint32_t value; /* 0: the core does not state it; the description may */
    } sizes[] = {
        {"l1d_size", facts->l1d.bytes}, {"l1i_size", facts->l1i.bytes},
        {"l2_size", facts->l2.bytes},   {"l3_size", facts->l3.bytes},
        {"line", facts->l1d.line},      {"width", description->width},
    };
    unsigned count = 0;

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        if (sizes[i].value != 0)
            extras[count++] = (struct extra){sizes[i].name, sizes[i].value};
    }
    for (size_t i = 0; i < COUNT_OF(usual); i++) {
        if (description_parameter(description, usual[i].name) == NULL)
            extras[count++] = (struct extra){usual[i].name, usual[i].value};
    }
    extras[count++] = (struct extra){smt_name, threads != ONE_THREAD};
    extras[count++] = (struct extra){one_of_two_name, threads == ONE_OF_TWO};
    extras[count++] = (struct extra){metrics_name, facts->perf_metrics ? 1 : 0};
    return count;
}

/* Null: no extra has the name. */
static const struct extra *find(const struct counts *given, const char *name)
{
    for (unsigned i = 0; i < given->extra_count; i++)
        if (given->extras[i].name[0] == name[0] && strcmp(given->extras[i].name, name) == 0)
            return &given->extras[i];
    return NULL;
}

double parameters_value(const struct counts *given, const char *name)
{
    const struct extra *extra = find(given, name);
    const struct parameter *parameter = description_parameter(given->description, name);

    return extra != NULL ? extra->value : parameter != NULL ? parameter->value : 0;
}

static bool is_set(const struct counts *given, const char *name)
{
    const struct extra *extra = find(given, name);

    return extra != NULL && extra->value != 0;
}

enum threads parameters_threads(const struct counts *given)
{
    if (!is_set(given, smt_name))
        return ONE_THREAD;
    return is_set(given, one_of_two_name) ? ONE_OF_TWO : BOTH_THREADS;
}

enum topdown_method parameters_method(const struct counts *given)
{
    const struct extra *metrics = find(given, metrics_name);

    if (given->description->method == TOPDOWN_PERF_METRICS && metrics != NULL &&
        metrics->value == 0)
        return TOPDOWN_FORMULA;
    return given->description->method;
}

struct counts parameters_without_metrics(const struct counts *given,
                                         struct extra extras[PARAMETERS_MAX])
{
    struct counts without = *given;
    bool found = false;

    for (unsigned i = 0; i < given->extra_count; i++) {
        extras[i] = given->extras[i];
        if (strcmp(extras[i].name, metrics_name) != 0)
            continue;
        extras[i].value = 0;
        found = true;
    }
    if (!found && given->extra_count < PARAMETERS_MAX)
        extras[without.extra_count++] = (struct extra){metrics_name, 0};
    without.extras = extras;
    return without;
}
