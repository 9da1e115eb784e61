#include "sound.h"

#include <stdio.h>
#include <string.h>

/* They differ in what must change no number. */
static const struct {
    const char *args, *more;
} sound_runs[SOUND_RUNS] = {
    {"", ""}, {"warmup=1", ""}, {"warmup=3", ""}, {"warmup=5", ""}, {"", "--memory 256"},
};

struct sounding {
    struct sound *sound;
    const struct setup *setup;
    const bool *used;
    bool good;
};

static void run_one(void *context, size_t job, char *result, size_t size)
{
    const size_t base = job / SOUND_RUNS, number = job % SOUND_RUNS;
    const struct sounding *sounding = context;
    char folder[512];

    if (!sounding->used[base]) {
        snprintf(result, size, "0");
        return;
    }
    run_folder(sounding->setup, folder, sizeof(folder), "sound", base, number);
    snprintf(result, size, "%d",
             run_rig(sounding->setup, &bases[base], folder, sound_runs[number].args,
                     sound_runs[number].more, ""));
}

static void take_one(void *context, size_t job, const char *result)
{
    struct sounding *sounding = context;
    const size_t base = job / SOUND_RUNS, number = job % SOUND_RUNS;
    char folder[512];

    if (!sounding->used[base])
        return;
    run_folder(sounding->setup, folder, sizeof(folder), "sound", base, number);
    if (strcmp(result, "0") != 0) {
        fprintf(stderr, "sweep: %s without a fault: the rig ends with status %s, see %s\n",
                bases[base].name, result, folder);
        sounding->good = false;
        return;
    }
    outcome_read(&sounding->sound->outcomes[base][number], folder, 0);
}

bool sound_run(struct sound *sound, const struct setup *setup, const struct options *options)
{
    struct sounding sounding = {sound, setup, options->used, true};
    const struct jobs jobs = {
        base_count * SOUND_RUNS, (unsigned)options->at_once, 0, &sounding, run_one, take_one};

    if (!run_jobs(&jobs) || !sounding.good)
        return false;
    for (size_t i = 0; i < base_count; i++) {
        if (!options->used[i])
            continue;
        for (unsigned j = 0; j < SOUND_RUNS; j++)
            if (!baseline_add(&sound->baselines[i], &sound->outcomes[i][j], j))
                return false;
        baseline_end(&sound->baselines[i]);
        extent_read(&sound->extents[i], &sound->baselines[i].clean);
    }
    return true;
}
