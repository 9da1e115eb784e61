#include "sampling.h"

#include "boot/clock.h"
#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/plan/block_counts.h"
#include "harness/profile/profile_error.h"
#include "harness/profile/resteer.h"
#include "branch_series.h"
#include "sampling_profiles.h"
#include "sampling_series.h"

/* Records that there is room for, however few are asked for: twice what a window of 128 samples of
 * cycles makes of instructions, at four of them a cycle. */
#define ROOM_AT_LEAST 1024u
/* Of the PEBS buffer. */
#define PRECISE_BYTES 65536u
/* What an interrupt costs at most, about, in cycles: for the time that the samples will take. */
#define INTERRUPT_CYCLES 5000.0
/* Words of the longest record, with its preset. */
#define RECORD_WORDS (PMI_RECORD_WORDS + SAMPLING_READS + 1)

bool sampling_wanted(const struct config *config, const char *kernel)
{
    return config->samples > 0 &&
           (kernel_map_of(kernel) != NULL || config_names_kernel(config, kernel));
}

/* Of each series, whatever the time that they take. */
static uint32_t samples_of(const struct config *config, const struct kernel_map *map)
{
    const uint64_t needed = profile_samples(map->instruction_count);

    if (config->samples != CONFIG_SAMPLES_AUTO)
        return config->samples;
    return needed < CONFIG_SAMPLES_MAX ? (uint32_t)needed : CONFIG_SAMPLES_MAX;
}

static uint64_t words_of(const struct kernel_map *map)
{
    return code_index_words(map) + SERIES_COUNT * addresses_words(map) +
           addresses_timed_words(map) + 2 * branches_words(map) + map->block_count +
           profile_words(map) + sampling_profiles_words(map);
}

struct sampling *sampling_take(const struct config *config, const char *const *kernels,
                               unsigned count)
{
    uint64_t room = ROOM_AT_LEAST, bytes, words = 0;
    struct sampling *sampling;
    char where[48], expected[120];

    for (unsigned i = 0; i < count && config->samples > 0; i++) {
        const struct kernel_map *map = kernel_map_of(kernels[i]);

        if (map != NULL && words_of(map) > words)
            words = words_of(map);
        if (map != NULL && samples_of(config, map) > room)
            room = samples_of(config, map);
    }
    if (words == 0)
        return NULL;
    if (room > SAMPLER_ROOM)
        room = SAMPLER_ROOM;
    bytes = (room * RECORD_WORDS + 1) * sizeof(uint64_t);
    sampling = memory_alloc(sizeof(*sampling));
    if (sampling != NULL) {
        if (config->pebs)
            sampling->precise =
                (struct precise_memory){memory_alloc(sizeof(*sampling->precise.area)),
                                        memory_alloc(PRECISE_BYTES), PRECISE_BYTES};
        sampling->room = room;
        sampling->records = memory_alloc(bytes);
        sampling->words = (struct words){memory_alloc(words * sizeof(uint64_t)), words};
        if (sampling->records != NULL && sampling->words.next != NULL &&
            (!config->pebs || (sampling->precise.area != NULL && sampling->precise.buffer != NULL)))
            return sampling;
    }
    format(where, sizeof(where), "samples = %u", config->samples);
    format(expected, sizeof(expected), "%llu bytes of free memory: %llu samples of %u bytes",
           (unsigned long long)(bytes + words * sizeof(uint64_t)), (unsigned long long)room,
           (unsigned)(RECORD_WORDS * sizeof(uint64_t)));
    log_error("no memory for the samples: nothing is sampled",
              config->samples == CONFIG_SAMPLES_AUTO ? "samples = auto" : where, expected);
    return NULL;
}

static bool is_counted(const struct sampling_job *job, const char *event)
{
    const char *reason;
    double value;

    return results_value(job->results, event, &value, &reason);
}

/* Why the kernel cannot be sampled on this core; null: it can. */
static const char *why_not(const struct sampling_job *job)
{
    const struct measured_core *core = job->core;

    if (job->measurement->cell != NULL)
        return "samples is not for kernels of the user's own: they have no map";
    if (kernel_map_of(job->measurement->kernel->name) == NULL)
        return "the kernel has no map: no instruction of it is known by its address";
    if (job->sampling == NULL)
        return "there is no memory for the samples";
    if (job->results == NULL)
        return core->facts.absent != NULL ? core->facts.absent : "the kernel was not counted";
    if (measured_core_refuses(core, sampling_series_event(job, SERIES_BRANCHES)) != NULL)
        return measured_core_refuses(core, sampling_series_event(job, SERIES_BRANCHES));
    if (core->threads != ONE_THREAD)
        return "nothing is sampled while the sibling thread is loaded";
    if (sampling_counted(job, "CPU_CLK_UNHALTED.THREAD") == 0)
        return "its cycles were not counted";
    if (job->config->repeats == 1 && job->config->warmup == 0)
        return "its cycles were counted once, without a warm-up: a cold run is not the sampled one";
    return NULL;
}

/* Cycles of a sample, with both random parts of its period, which are half of `jitter` each. */
static double cycles_of_sample(const struct config *config)
{
    return (double)config->period + config->jitter + INTERRUPT_CYCLES;
}

/* With samples = auto: no more than too_long lets pass, which the log says then. */
static void choose_samples(const struct sampling_job *job)
{
    struct sampling *sampling = job->sampling;
    const struct config *config = job->config;
    const uint32_t places = sampling->map->instruction_count;
    const double ticks = config->timeout * ((double)clock_ticks_per_us() * 1e6) / 2;
    const double most = (ticks - 1) / cycles_of_sample(config);

    sampling->samples = samples_of(config, sampling->map);
    if (config->samples != CONFIG_SAMPLES_AUTO || sampling->samples <= most)
        return;
    sampling->samples = most > 1 ? (uint32_t)most : 1;
    log_comment("core %u %s: samples = auto takes %u, as many as half of timeout has room for; "
                "chance leaves %.1f %% of the CPI of instructions",
                job->core->core, job->measurement->kernel->name, sampling->samples,
                100 * profile_chance(places, sampling->samples));
}

/* A series that takes longer than `timeout` would be taken for a core that does not come back. The
 * estimate takes core cycles for ticks of the TSC, so half the time must do. Null: it is short
 * enough; else why not, in `text`. */
static const char *too_long(const struct config *config, uint32_t samples, char *text,
                            unsigned size)
{
    const double cycles = samples * cycles_of_sample(config);
    const double seconds = cycles / ((double)clock_ticks_per_us() * 1e6);

    if (2 * seconds < config->timeout)
        return NULL;
    format(text, size, "%u samples at a period of %u take about %llu s, more than half of timeout",
           samples, config->period, (unsigned long long)seconds + 1);
    return text;
}

/* The instructions of a window by how often its blocks run; 0: that is not known of every block. */
static double instructions_of(const struct kernel_map *map, const double *executed)
{
    double sum = 0;

    for (uint32_t b = 0; b < map->block_count; b++) {
        if (executed[b] < 0)
            return 0;
        sum += executed[b] * map->blocks[b].instructions;
    }
    return sum;
}

/* From where a branch was found mispredicted to the first uop behind it: while the allocator
 * recovers, and while it waits for the new way's uops (the vendor's event files). When the branch
 * itself has retired, the buffer is empty. Clears have such cycles, too. Below 0: it is not known,
 * and *missing says why, or nothing was mispredicted. */
static double resteer_of(const struct sampling_job *job, double mispredicts, const char **missing)
{
    const double cycles =
        sampling_counted(job, RECOVERY_CYCLES) + sampling_counted(job, CLEAR_RESTEER_CYCLES);
    double each;

    if (!is_counted(job, RECOVERY_CYCLES) || !is_counted(job, CLEAR_RESTEER_CYCLES) ||
        !is_counted(job, MACHINE_CLEARS))
        *missing = "the cycles behind a mispredicted branch were not counted";
    else if (cycles > sampling_counted(job, "CPU_CLK_UNHALTED.THREAD"))
        *missing = "more cycles were counted behind mispredicted branches than in all";
    else if (cycles == 0)
        *missing = "no cycle was counted behind mispredicted branches";
    if (*missing != NULL || !(mispredicts > 0))
        return -1;
    each = cycles / (mispredicts + sampling_counted(job, MACHINE_CLEARS)) - RESTEER_RETIRES;
    if (each < 0)
        *missing = "fewer cycles were counted behind a mispredicted branch than it takes to retire";
    return each;
}

/* Of all passes, since each counted them; of the first alone where a repeat of it lies apart, as
 * one with an SMI does. */
static void spread_cycles(const struct sampling_job *job, double times)
{
    const struct tally *tally = results_find(job->results, "CPU_CLK_UNHALTED.THREAD");
    struct profile_totals *totals = &job->sampling->totals;

    if (tally == NULL || tally->lowest == tally->highest)
        return;
    totals->cycles_low = (double)(tally->apart > 0 ? tally->kept.minimum : tally->lowest) * times;
    totals->cycles_high = (double)(tally->apart > 0 ? tally->kept.maximum : tally->highest) * times;
    if (totals->cycles_low < 0)
        totals->cycles_low = 0;
}

/* What a window of n iterations counts. The counted instructions are those of the iterations; what
 * runs once in a window is known from the kernel's file only. */
static void make_totals(const struct sampling_job *job, uint64_t n, double *executed)
{
    struct sampling *sampling = job->sampling;
    const double times = (double)n / (double)job->measurement->n;
    const double mispredicts = sampling_counted(job, MISPREDICTED_BRANCHES);
    const char *missing = NULL;
    const double resteer = resteer_of(job, mispredicts, &missing);

    sampling->totals = (struct profile_totals){
        .cycles = sampling_counted(job, "CPU_CLK_UNHALTED.THREAD") * times,
        .instructions = sampling_counted(job, "INST_RETIRED.ANY") * times,
        .mispredicts = is_counted(job, MISPREDICTED_BRANCHES) ? mispredicts * times : -1,
        .resteer = resteer,
        .resteer_missing = missing,
        .executed =
            block_counts(executed, sampling->map, job->given, n, job->pool) ? executed : NULL,
    };
    spread_cycles(job, times);
    if (sampling->totals.executed != NULL && instructions_of(sampling->map, executed) > 0)
        sampling->totals.instructions = instructions_of(sampling->map, executed);
}

/* Null, or what is wrong with the map. */
static const char *begin(struct sampling *sampling, const struct kernel *kernel)
{
    struct words *left = &sampling->left;
    const char *wrong;

    *left = sampling->words;
    memset(sampling->done, 0, sizeof(sampling->done));
    memset(sampling->missing, 0, sizeof(sampling->missing));
    wrong = code_index_make(&sampling->index, sampling->map, (uintptr_t)kernel->code, left);
    for (unsigned i = 0; i < SERIES_COUNT && wrong == NULL; i++)
        if (i != SERIES_BRANCHES && i != SERIES_MISPREDICTED &&
            !addresses_make(&sampling->addresses[i], &sampling->index, sampling->samples, left))
            wrong = "no memory for its addresses";
    return wrong;
}

void sampling_kernel(const struct sampling_job *job)
{
    struct sampling *sampling = job->sampling;
    const struct kernel *kernel = job->measurement->kernel;
    const char *why = why_not(job);
    double *executed;
    char text[120];

    if (why == NULL) {
        sampling->map = kernel_map_of(kernel->name);
        choose_samples(job);
        why = too_long(job->config, sampling->samples, text, sizeof(text));
    }
    if (why == NULL)
        why = begin(sampling, kernel);
    if (why != NULL) {
        log_skip(why, "core %u %s is sampled", job->core->core, kernel->name);
        return;
    }
    executed = (double *)words_take(&sampling->left, sampling->map->block_count);
    if (executed == NULL)
        return;
    make_totals(job, sampling_series_n(job), executed);
    for (unsigned i = 0; i < SERIES_COUNT; i++)
        if (sampling_series_wanted(job, (enum series)i))
            sampling_series_run(job, (enum series)i);
    sampling_profiles_report(job);
}
