/* Compares the profiles in a log with what really happened on the rig.
 *
 *   check_profile LOG PROFILE [LOG PROFILE ...]     TAP on standard output, exit status 0 when
 * every test passes
 *
 * LOG is slotscope's with `samples`, PROFILE the rig's --profile file of the same run. The error is
 * the weighted mean relative error of doc/sampling.md. Bounds are those for BOUND_SAMPLES samples;
 * with n samples they are the root of BOUND_SAMPLES / n wider, and never below what chance makes of
 * the number of places. Runs with different numbers of samples make a table of the error against
 * the samples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_log.h"
#include "truth_log.h"

#define BOUND_SAMPLES 100000.0
#define SERIES        2    /* a CPI has the chance of two: of cycles, and of executions */
#define BLOCKS_RUN    0.01 /* executions of blocks, from branch records */
#define CLASSIC_WORSE 5.0  /* on kernels that are made to mislead, with BOUND_SAMPLES samples */
#define LEAST_SHARE   0.01 /* of the cycles: the largest single error is sought among these */
#define LOWEST_SLOPE  -0.7 /* of the error's logarithm against that of the samples: about -0.5 */
#define HIGHEST_SLOPE -0.3

static const struct {
    const char *name;
    double bound[2];     /* of the CPI's error, by enum truth */
    double mispredicted; /* by TIP, where branches are mispredicted; 0: judge_chance */
} levels[] = {{"instruction", {0.03, 0.05}, 0.12},
              {"block", {0.02, 0.03}, 0.06},
              {"function", {0.01, 0.01}, 0}};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LEVELS       COUNT(levels)

static const char *const full[] = {"cfg", "interval"};
static const char *const shared = "shared"; /* judged by TIP's truth */
static const char *const methods[] = {"cfg",       "interval", "cfg fixed",
                                      "cfg timed", "classic",  "pebs"};
static const char *const precise = "pebs"; /* only with pebs = yes */
static const char *const timed = "timed";  /* the same, where records have latencies; by TIP */
static const char *const others[] = {"cfg fixed", "cfg timed", "classic"};
/* Beside "cfg" and "interval", where branches are sampled as they are executed. */
static const char *const subtracted[] = {"cfg subtracted", "interval subtracted"};

/* Kernels on which a way that is not the full one must be worse, and why. */
static const struct {
    const char *kernel, *method;
} misleading[] = {
    {"cpi.latency", "classic"}, /* the instruction that waits is not the one that is sampled */
    {"cpi.aliased", "classic"}, /* the loop's length divides the period */
    {"cpi.aliased", "cfg fixed"},
};

struct error {
    bool known;
    double mean, largest;
    char worst[64];
    unsigned missing, places; /* that ran */
    unsigned heavy, held; /* with LEAST_SHARE of the cycles; of these, the interval has the truth */
};

/* A kernel whose cycles `shared` cannot place: those of a buffer that a fence keeps empty. */
static const char *const fenced[] = {"cpi.fences"};
static const char *const mispredicted[] = {"cpi.coins", "cpi.switch", "cpi.returns", "prog.search",
                                           "prog.sort"};

static struct tests tests;

static double first_of(const json_t *entry, const char *key, bool *is_there)
{
    const json_t *estimated = json_object_get(entry, key);

    *is_there = json_is_array(estimated);
    return *is_there ? json_number_value(json_array_get(estimated, 0)) : 0;
}

static double sum_of(const json_t *entries, const char *key)
{
    const json_t *entry;
    double sum = 0;
    bool is_there;
    size_t i;

    json_array_foreach (entries, i, entry)
        sum += first_of(entry, key, &is_there);
    return sum;
}

static struct place all_of(const struct profiled *profiled, const json_t *entries)
{
    struct place all = {0};
    const json_t *entry;
    size_t i;

    json_array_foreach (entries, i, entry) {
        const struct place truth = profiled_truth(profiled, entry);

        all.executions += truth.executions;
        all.cycles += truth.cycles;
        all.tip += truth.tip;
    }
    return all;
}

static void note(struct error *error, const json_t *entry, double off, double truth, bool heavy)
{
    const char *label = json_string_value(json_object_get(entry, "label"));

    if (!heavy || !(truth > 0) || (error->worst[0] && off / truth <= error->largest))
        return;
    error->largest = off / truth;
    snprintf(error->worst, sizeof(error->worst), "%s+%lld", label != NULL ? label : "",
             (long long)json_integer_value(json_object_get(entry, "offset")));
}

/* Of executed instructions, as shares of all. */
static struct error executions_error(const struct profiled *profiled, const char *method,
                                     const char *level)
{
    const json_t *entries = profiled_entries(profiled, method, level), *entry;
    const struct place all = all_of(profiled, entries);
    const double estimated = sum_of(entries, "instructions");
    struct error error = {.known = all.executions > 0 && estimated > 0};
    size_t i;

    json_array_foreach (entries, i, entry) {
        const struct place truth = profiled_truth(profiled, entry);
        bool is_there;
        const double share = first_of(entry, "instructions", &is_there) / estimated;
        const double is = truth.executions / all.executions;

        error.missing += !is_there && is > 0;
        error.places += is > 0;
        error.mean += fabs(share - is);
        note(&error, entry, fabs(share - is), is, truth.cycles >= LEAST_SHARE * all.cycles);
    }
    return error;
}

/* Which of the rig's two truths says whose a cycle is: the oldest instruction's, or as TIP has it.
 */
enum truth { TRUTH_OLDEST, TRUTH_TIP, TRUTHS };
static const char *const truth_names[TRUTHS] = {"", " by TIP"};

static double cycles_of(const struct place *place, enum truth by)
{
    return by == TRUTH_TIP ? place->tip : place->cycles;
}

/* Whether the interval of the entry's CPI has this value in it; null has none. */
static bool holds(const json_t *entry, double is)
{
    const json_t *cpi = json_object_get(entry, "cpi");

    return json_array_size(cpi) == 3 && json_number_value(json_array_get(cpi, 1)) <= is &&
           is <= json_number_value(json_array_get(cpi, 2));
}

static struct error cpi_error(const struct profiled *profiled, const char *method,
                              const char *level, enum truth by)
{
    const json_t *entries = profiled_entries(profiled, method, level), *entry;
    const struct place all = all_of(profiled, entries);
    const double cycles = cycles_of(&all, by);
    struct error error = {.known = cycles > 0};
    size_t i;

    json_array_foreach (entries, i, entry) {
        const struct place truth = profiled_truth(profiled, entry);
        bool is_there;
        const double cpi = first_of(entry, "cpi", &is_there);
        const double is = truth.executions > 0 ? cycles_of(&truth, by) / truth.executions : 0;
        bool heavy;

        error.missing += !is_there && truth.executions > 0;
        error.places += truth.executions > 0;
        error.mean += truth.executions * fabs(cpi - is) / cycles;
        heavy = cycles_of(&truth, by) >= LEAST_SHARE * cycles;
        error.heavy += heavy;
        error.held += heavy && holds(entry, is);
        note(&error, entry, fabs(cpi - is), is, heavy);
    }
    return error;
}

static double wider(double samples)
{
    return samples < BOUND_SAMPLES && samples > 0 ? sqrt(BOUND_SAMPLES / samples) : 1;
}

/* Of so many samples. Chance alone makes root(2 / pi) root(places / samples) at most, on average,
 * of each series; a quarter is allowed on top. */
static double bound_of(const struct error *error, double systematic, double samples, double series)
{
    return fmax(systematic * wider(samples), sqrt(series * error->places / fmax(samples, 1)));
}

static void show(const struct profiled *profiled, const char *method, const char *what,
                 const struct error *error)
{
    if (!error->known)
        return;
    printf("# core %lld %s %s %s: %.4f off, at most %.4f (%s), %u missing",
           (long long)profiled->core, profiled->kernel, method, what, error->mean, error->largest,
           error->worst, error->missing);
    if (error->heavy > 0)
        printf(", %u of %u intervals have it", error->held, error->heavy);
    putchar('\n');
}

static void judge(const struct profiled *profiled, const char *method, const char *what,
                  const struct error *error, double bound)
{
    char text[240];

    show(profiled, method, what, error);
    snprintf(text, sizeof(text), "core %lld %s %s: %s %.4f off, at most %.4f",
             (long long)profiled->core, profiled->kernel, method, what, error->mean, bound);
    result(&tests, error->known && error->mean <= bound, text);
}

static void skip(const struct profiled *profiled, const char *method)
{
    char text[160];

    snprintf(text, sizeof(text), "core %lld %s %s # SKIP the log has no such profile",
             (long long)profiled->core, profiled->kernel, method);
    result(&tests, true, text);
}

static void absent(const struct profiled *profiled, const char *method)
{
    char text[160];

    snprintf(text, sizeof(text), "core %lld %s has a profile by %s", (long long)profiled->core,
             profiled->kernel, method);
    result(&tests, false, text);
}

static bool is_one_of(const struct profiled *profiled, const char *const *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(kernels[i], profiled->kernel) == 0)
            return true;
    return false;
}

/* Chance decides how many branches are mispredicted in the windows that were counted, by which
 * everything is scaled: all of a function's error comes from there, and its interval must have it.
 */
static void judge_chance(const struct profiled *profiled, const char *method, const char *what,
                         const struct error *error)
{
    char text[240];

    show(profiled, method, what, error);
    snprintf(text, sizeof(text), "core %lld %s %s: %s %.4f off, and %u of %u intervals have it",
             (long long)profiled->core, profiled->kernel, method, what, error->mean, error->held,
             error->heavy);
    result(&tests, error->known && error->heavy > 0 && error->held == error->heavy, text);
}

/* `executions`, `cycles`: the series that they come from. */
static void judge_cpi(const struct profiled *profiled, const char *method, const char *executions,
                      const char *cycles, enum truth by)
{
    const double executed = profiled_samples(profiled, executions);
    const double samples = profiled_samples(profiled, cycles);
    const bool hard = by == TRUTH_TIP && is_one_of(profiled, mispredicted, COUNT(mispredicted));

    for (size_t i = 0; i < LEVELS; i++) {
        const struct error error = cpi_error(profiled, method, levels[i].name, by);
        char what[64];

        snprintf(what, sizeof(what), "CPI of each %s%s", levels[i].name, truth_names[by]);
        if (hard && !(levels[i].mispredicted > 0))
            judge_chance(profiled, method, what, &error);
        else
            judge(profiled, method, what, &error,
                  bound_of(&error, hard ? levels[i].mispredicted : levels[i].bound[by],
                           fmin(samples, executed), SERIES));
    }
}

static void judge_full(const struct profiled *profiled, const char *method)
{
    struct error error;

    if (profiled_entries(profiled, method, "instruction") == NULL) {
        absent(profiled, method);
        return;
    }
    error = executions_error(profiled, method, "block");
    judge(profiled, method, "executions of blocks", &error,
          bound_of(&error, BLOCKS_RUN, profiled_samples(profiled, "branches"), 1));
    judge_cpi(profiled, method, "branches", "cycles", TRUTH_OLDEST);
}

static void show_cpi(const struct profiled *profiled, const char *method, enum truth by)
{
    for (size_t i = 0; i < LEVELS; i++) {
        struct error error = cpi_error(profiled, method, levels[i].name, by);
        char what[64];

        snprintf(what, sizeof(what), "CPI of each %s%s", levels[i].name, truth_names[by]);
        show(profiled, method, what, &error);
    }
}

/* What taking out mispredicted branches does, for better or worse. */
static void show_subtracted(const struct profiled *profiled, const char *method)
{
    struct error error;

    if (profiled_entries(profiled, method, "instruction") == NULL)
        return;
    error = executions_error(profiled, method, "block");
    show(profiled, method, "executions of blocks", &error);
    show_cpi(profiled, method, TRUTH_OLDEST);
}

/* With fewer samples the full way itself is further off, by the root. */
static void judge_misleading(const struct profiled *profiled, const char *method)
{
    const struct error best = cpi_error(profiled, "cfg", "instruction", TRUTH_OLDEST);
    const struct error other = cpi_error(profiled, method, "instruction", TRUTH_OLDEST);
    const double worse = CLASSIC_WORSE / wider(profiled_samples(profiled, "cycles"));
    char text[200];

    if (!best.known || !other.known) {
        skip(profiled, method);
        return;
    }
    snprintf(text, sizeof(text), "core %lld %s: %s is %.1f times as far off as cfg, at least %.1f",
             (long long)profiled->core, profiled->kernel, method, other.mean / best.mean, worse);
    result(&tests, other.mean >= worse * best.mean, text);
}

/* A method that shares what retires together. With few samples the bounds are wide; that sharing is
 * nearer to the truth than not sharing needs none. */
static void judge_sharing(const struct profiled *profiled, const char *method,
                          const char *executions, const char *cycles)
{
    const struct error apart = cpi_error(profiled, "cfg", "instruction", TRUTH_TIP);
    struct error error;
    char text[200];

    if (is_one_of(profiled, fenced, COUNT(fenced))) {
        show_cpi(profiled, method, TRUTH_TIP);
        return;
    }
    judge_cpi(profiled, method, executions, cycles, TRUTH_TIP);
    error = cpi_error(profiled, method, "instruction", TRUTH_TIP);
    snprintf(text, sizeof(text), "core %lld %s: %s is %.4f off by TIP, less than cfg, %.4f",
             (long long)profiled->core, profiled->kernel, method, error.mean, apart.mean);
    result(&tests, error.known && apart.known && error.mean < apart.mean, text);
}

static void check(const struct profiled *profiled)
{
    for (size_t i = 0; i < sizeof(full) / sizeof(full[0]); i++)
        judge_full(profiled, full[i]);
    for (size_t i = 0; i < COUNT(subtracted); i++)
        show_subtracted(profiled, subtracted[i]);
    if (profiled_entries(profiled, precise, "instruction") != NULL)
        judge_cpi(profiled, precise, "precise instructions", "cycles", TRUTH_OLDEST);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        show_cpi(profiled, others[i], TRUTH_OLDEST);
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (profiled_entries(profiled, methods[i], "instruction") != NULL)
            show_cpi(profiled, methods[i], TRUTH_TIP);
    if (profiled_entries(profiled, shared, "instruction") != NULL)
        judge_sharing(profiled, shared, "branches", "cycles");
    else
        absent(profiled, shared);
    if (profiled_entries(profiled, timed, "instruction") != NULL)
        judge_sharing(profiled, timed, "branches", "precise instructions");
    for (size_t i = 0; i < sizeof(misleading) / sizeof(misleading[0]); i++)
        if (strcmp(misleading[i].kernel, profiled->kernel) == 0)
            judge_misleading(profiled, misleading[i].method);
}

/* --- several runs --- */

/* A line through the logarithms of error and samples. */
struct line {
    double n, x, y, xx, xy;
};

static void add_point(struct line *line, double samples, double error)
{
    const double x = log(samples), y = log(error);

    line->n++;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

static void tabulate(const struct profiles *runs, int count, const struct profiled *of)
{
    struct line line = {0};
    double slope;
    char text[160];

    for (int run = 0; run < count; run++)
        for (size_t i = 0; i < runs[run].count; i++) {
            const struct profiled *profiled = &runs[run].items[i];
            const double samples = profiled_samples(profiled, "cycles");
            struct error error;

            if (profiled->core != of->core || strcmp(profiled->kernel, of->kernel) != 0)
                continue;
            error = cpi_error(profiled, "cfg", "instruction", TRUTH_OLDEST);
            if (!error.known || !(error.mean > 0) || !(samples > 0))
                continue;
            printf("# %-20s %10.0f samples  CPI of each instruction %.5f off\n", of->kernel,
                   samples, error.mean);
            add_point(&line, samples, error.mean);
        }
    slope = (line.n * line.xy - line.x * line.y) / (line.n * line.xx - line.x * line.x);
    if (line.n < 3 || !isfinite(slope))
        return;
    snprintf(text, sizeof(text),
             "core %lld %s: the error goes with the samples to the power of %.2f, %.1f to %.1f",
             (long long)of->core, of->kernel, slope, LOWEST_SLOPE, HIGHEST_SLOPE);
    result(&tests, slope >= LOWEST_SLOPE && slope <= HIGHEST_SLOPE, text);
}

int main(int argc, char **argv)
{
    const int count = (argc - 1) / 2;
    struct profiles *runs = calloc((size_t)count + 1, sizeof(*runs));

    if (count < 1 || argc % 2 == 0 || runs == NULL) {
        fprintf(stderr, "usage: check_profile LOG PROFILE [LOG PROFILE ...]\n");
        return 2;
    }
    for (int run = 0; run < count; run++) {
        profiles_read(&runs[run], argv[1 + 2 * run]);
        profiles_read_truth(&runs[run], argv[2 + 2 * run]);
        for (size_t i = 0; i < runs[run].count; i++)
            if (json_object_size(runs[run].items[i].series) > 0)
                check(&runs[run].items[i]);
    }
    for (size_t i = 0; count > 1 && i < runs[0].count; i++)
        tabulate(runs, count, &runs[0].items[i]);
    result(&tests, tests.done > 0, "the log has profiles");
    printf("1..%lu\n", tests.done);
    for (int run = 0; run < count; run++)
        profiles_free(&runs[run]);
    free(runs);
    return tests.failed != 0;
}
