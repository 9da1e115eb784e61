#include "sampling_profiles.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/profile/profile_error.h"
#include "records_sampling.h"
#include "sampling_series.h"

/* The mean relative error that executions of blocks may have (profile_bound). */
#define BOUND 0.01

#define NO_SERIES SERIES_COUNT

/* Which series each way needs. */
static const struct {
    const char *name;
    enum profile_executions executions;
    enum profile_cycles cycles;
    enum series cycles_at, instructions_at;
    bool shares;
    bool subtracts; /* mispredicted branches from the executed ones */
} ways[] = {
    {"cfg", EXECUTIONS_FLOW, CYCLES_ADDRESSES, SERIES_CYCLES, SERIES_BRANCHES, false, false},
    {"shared", EXECUTIONS_FLOW, CYCLES_ADDRESSES, SERIES_CYCLES, SERIES_BRANCHES, true, false},
    {"interval", EXECUTIONS_INTERVALS, CYCLES_ADDRESSES, SERIES_CYCLES, SERIES_BRANCHES, false,
     false},
    {"cfg subtracted", EXECUTIONS_FLOW, CYCLES_ADDRESSES, SERIES_CYCLES, SERIES_BRANCHES, false,
     true},
    {"interval subtracted", EXECUTIONS_INTERVALS, CYCLES_ADDRESSES, SERIES_CYCLES, SERIES_BRANCHES,
     false, true},
    {"cfg fixed", EXECUTIONS_FLOW, CYCLES_ADDRESSES, SERIES_CLASSIC_CYCLES, SERIES_BRANCHES, false,
     false},
    {"cfg timed", EXECUTIONS_FLOW, CYCLES_BRANCH_RECORDS, NO_SERIES, SERIES_BRANCHES, false, false},
    {"classic", EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, SERIES_CLASSIC_CYCLES,
     SERIES_CLASSIC_INSTRUCTIONS, false, false},
    {"pebs", EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, SERIES_CYCLES, SERIES_PRECISE, false, false},
    {"timed", EXECUTIONS_FLOW, CYCLES_LATENCIES, SERIES_PRECISE, SERIES_BRANCHES, true, false},
};

static uint64_t words_of_truth(const struct kernel_map *map)
{
    return (uint64_t)map->block_count * (sizeof(double) / sizeof(uint64_t));
}

uint64_t sampling_profiles_words(const struct kernel_map *map)
{
    return words_of_truth(map);
}

static struct profile_method method_of(struct sampling *sampling, unsigned way)
{
    const bool branches = ways[way].instructions_at == SERIES_BRANCHES;
    const bool before = ways[way].instructions_at == SERIES_PRECISE;

    return (struct profile_method){
        .name = ways[way].name,
        .executions = ways[way].executions,
        .cycles = ways[way].cycles,
        .cycles_at =
            ways[way].cycles_at != NO_SERIES ? &sampling->addresses[ways[way].cycles_at] : NULL,
        .instructions_at = branches ? NULL : &sampling->addresses[ways[way].instructions_at],
        .branches = branches || before ? &sampling->branches : NULL,
        .blame = before ? BLAME_BEFORE : BLAME_USUAL,
        .less = ways[way].subtracts ? &sampling->mispredicted : NULL,
        .less_weight = ways[way].subtracts ? sampling->weight[SERIES_MISPREDICTED] /
                                                 sampling->weight[SERIES_BRANCHES]
                                           : 0,
        .shares = ways[way].shares,
        .code = (const uint8_t *)(uintptr_t)sampling->index.code,
    };
}

/* Null, or why this way has no profile. */
static const char *why_not(const struct sampling *sampling, unsigned way)
{
    if (!sampling->done[ways[way].instructions_at])
        return sampling->missing[ways[way].instructions_at];
    if (ways[way].instructions_at == SERIES_PRECISE && !sampling->done[SERIES_BRANCHES])
        return sampling
            ->missing[SERIES_BRANCHES]; /* their records say where a cycle's sample came from */
    if (ways[way].subtracts && !sampling->done[SERIES_MISPREDICTED])
        return sampling->missing[SERIES_MISPREDICTED];
    if (ways[way].cycles_at != NO_SERIES && !sampling->done[ways[way].cycles_at])
        return sampling->missing[ways[way].cycles_at];
    if (ways[way].cycles == CYCLES_LATENCIES && !sampling->addresses[SERIES_PRECISE].latency)
        return "the counter that makes these records has no latency of retirement";
    if (ways[way].cycles == CYCLES_BRANCH_RECORDS && !sampling->lbr.cycles)
        return "the branch records of this CPU have no cycle counts";
    return NULL;
}

/* The share of executions is the way's that first rests on the branches; cycles do not matter. */
static bool is_judged(unsigned way)
{
    return ways[way].cycles_at == SERIES_CYCLES && ways[way].instructions_at == SERIES_BRANCHES &&
           !ways[way].shares && !ways[way].subtracts;
}

/* Only the executions are known in the image: of cycles nothing is. */
static void judge(const struct sampling_job *job, const struct profile *profile, unsigned way,
                  struct words *words)
{
    const struct sampling *sampling = job->sampling;
    const struct kernel_map *map = sampling->map;
    const double stacks = (double)sampling->branches.stacks;
    const char *reason;
    double *truth, error, unknown, bound, ran = 0;
    char text[280];

    format(text, sizeof(text), "core %u %s executions of blocks by %s", job->core->core,
           job->measurement->kernel->name, ways[way].name);
    if (sampling->totals.executed == NULL) {
        log_skip("the kernel's file does not say how often its blocks run", "%s", text);
        return;
    }
    truth = (double *)words_take(words, words_of_truth(map));
    if (truth == NULL)
        return;
    for (uint32_t b = 0; b < map->block_count; b++) {
        if (sampling->totals.executed[b] < 0) {
            log_skip("how often some blocks run is not known", "%s", text);
            return;
        }
        truth[b] = sampling->totals.executed[b] * map->blocks[b].instructions;
        ran += truth[b] > 0;
    }
    bound = profile_bound(BOUND, ran, stacks > 0 ? stacks : 1);
    reason = profile_error(&error, &unknown, profile, PROFILE_BLOCK, truth);
    if (reason == NULL && unknown > bound)
        reason = "too large a part of what ran has no estimate";
    if (reason != NULL) {
        log_skip(reason, "%s", text);
        return;
    }
    format(text, sizeof(text), "core %u %s executions of blocks by %s are %.4f off, at most %.4f",
           job->core->core, job->measurement->kernel->name, ways[way].name, error, bound);
    job->verdict(job->context, error <= bound, text);
}

static void report(const struct sampling_job *job, unsigned way)
{
    struct sampling *sampling = job->sampling;
    const struct profile_method method = method_of(sampling, way);
    struct words words = sampling->left;
    struct profile profile;

    if (!profile_make(&profile, sampling->map, &method, &sampling->totals, &words)) {
        log_error("no memory for a profile", job->measurement->kernel->name, NULL);
        return;
    }
    if (profile.reason != NULL) {
        log_skip(profile.reason, "core %u %s has a profile by %s", job->core->core,
                 job->measurement->kernel->name, ways[way].name);
        return;
    }
    for (unsigned level = 0; level < PROFILE_LEVELS; level++)
        record_profile(job->core, job->measurement->kernel->name, &profile,
                       (enum profile_level)level, sampling_series_n(job));
    if (is_judged(way))
        judge(job, &profile, way, &words);
}

void sampling_profiles_report(const struct sampling_job *job)
{
    for (unsigned way = 0; way < COUNT_OF(ways); way++) {
        const char *why = why_not(job->sampling, way);

        if ((ways[way].subtracts && !sampling_series_wanted(job, SERIES_MISPREDICTED)) ||
            !sampling_series_wanted(job, ways[way].instructions_at) ||
            !sampling_series_wanted(job, ways[way].cycles_at))
            continue;
        if (why == NULL)
            report(job, way);
        else
            log_skip(why, "core %u %s has a profile by %s", job->core->core,
                     job->measurement->kernel->name, ways[way].name);
    }
}
