#include "skid.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "skid_record.h"
#include "skid_verdict.h"

/* Room for the samples of a window, several times what is expected of it. */
#define WINDOW_ROOM 512u

#define SAMPLES_DEFAULT 1000u /* of each method; the configuration's `samples` otherwise */

/* A loop of that pace retires one instruction a cycle. */
#define PACE_ERROR 0.02

bool skid_wanted(const struct config *config, const struct kernel *kernel)
{
    return config->skid && kernel->cause != NULL;
}

static uint64_t words_of(const struct kernel_map *map)
{
    return code_index_words(map) + addresses_words(map);
}

/* The most words that a kernel needs; 0: none wants any. */
static uint64_t most_words(const struct config *config, const struct kernel *const *kernels,
                           unsigned count)
{
    uint64_t words = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct kernel_map *map = kernel_map_of(kernels[i]->name);

        if (skid_wanted(config, kernels[i]) && map != NULL && words_of(map) > words)
            words = words_of(map);
    }
    return words;
}

struct skid *skid_take(const struct config *config, const struct kernel *const *kernels,
                       unsigned count)
{
    const bool stated = config->samples > 0 && config->samples != CONFIG_SAMPLES_AUTO;
    const uint64_t samples = stated ? config->samples : SAMPLES_DEFAULT;
    const uint64_t wanted = samples < SAMPLER_ROOM ? samples : SAMPLER_ROOM;
    const uint64_t room = wanted + WINDOW_ROOM;
    const uint64_t record_words = PMI_RECORD_WORDS + SAMPLING_READS + 1;
    const uint64_t words = most_words(config, kernels, count);
    struct skid *skid;

    if (words == 0)
        return NULL;
    skid = memory_alloc(sizeof(*skid));
    if (skid != NULL) {
        skid->room = room;
        skid->wanted = wanted;
        skid->records = memory_alloc((room * record_words + 1) * sizeof(uint64_t));
        skid->words = (struct words){memory_alloc(words * sizeof(uint64_t)), words};
        skid->pebs.memory = (struct precise_memory){memory_alloc(sizeof(*skid->pebs.memory.area)),
                                                    memory_alloc(SKID_PEBS_BYTES), SKID_PEBS_BYTES};
        if (skid->records != NULL && skid->words.next != NULL && skid->pebs.memory.area != NULL &&
            skid->pebs.memory.buffer != NULL)
            return skid;
    }
    log_error("no memory for samples: no skid is measured", "skid = yes", NULL);
    return NULL;
}

/* The first of the cause's names that is an event of this CPU and was counted. */
static const struct event *find_event(const struct skid_job *job, double *counted)
{
    struct slice name = {job->measurement->kernel->cause_event, 0};

    while (*name.text != '\0') {
        char text[DESCRIPTION_NAME];
        const char *reason;

        for (name.length = 0; name.text[name.length] != '\0' && name.text[name.length] != ' ';)
            name.length++;
        if (name.length < sizeof(text)) {
            slice_copy(text, name);
            if (results_value(job->results, text, counted, &reason) && *counted > 0)
                return description_event(job->core->description, text);
        }
        for (name.text += name.length; *name.text == ' ' || *name.text == '|';)
            name.text++;
    }
    return NULL;
}

/* Cycles of an instruction while the loop keeps its pace; 0: it keeps none. */
static double pace_of(const struct skid_job *job)
{
    const double instructions = (double)job->measurement->n * job->skid->loop.count;
    const char *reason;
    double cycles;

    if (job->measurement->kernel->cause_kind != CAUSE_STEADY ||
        !results_value(job->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) ||
        cycles < instructions * (1 - PACE_ERROR) || cycles > instructions * (1 + PACE_ERROR))
        return 0;
    return cycles / instructions;
}

static const char *why_not(const struct skid_job *job)
{
    const struct measured_core *core = job->core;

    if (job->skid == NULL)
        return "there is no memory for the samples";
    if (job->results == NULL)
        return core->facts.absent != NULL ? core->facts.absent : "the kernel was not counted";
    if (core->untrusted)
        return core->distrust;
    if (core->threads != ONE_THREAD)
        return "nothing is sampled while the sibling thread is loaded";
    return NULL;
}

/* Null, or why this kernel's skid cannot be measured here. */
static const char *begin(const struct skid_job *job)
{
    const struct kernel *kernel = job->measurement->kernel;
    struct skid *skid = job->skid;
    const char *why;
    double counted = 0;

    skid->map = kernel_map_of(kernel->name);
    if (skid->map == NULL)
        return "its kernel has no map";
    skid->left = skid->words;
    why = code_index_make(&skid->index, skid->map, (uintptr_t)kernel->code, &skid->left);
    if (why == NULL)
        why = skid_loop_find(&skid->loop, skid->map,
                             (uintptr_t)kernel->cause - (uintptr_t)kernel->code);
    if (why != NULL)
        return why;
    skid->event = find_event(job, &counted);
    if (skid->event == NULL)
        return "the event that its cause makes was not counted";
    skid->per_lap = counted / (double)job->measurement->n;
    skid->pace = pace_of(job);
    return NULL;
}

void skid_kernel(const struct skid_job *job)
{
    const char *why = why_not(job);

    if (why == NULL)
        why = begin(job);
    if (why != NULL) {
        log_skip(why, "core %u %s: skid", job->core->core, job->measurement->kernel->name);
        return;
    }
    skid_table_begin(job);
    for (unsigned method = 0; method < SKID_METHODS && !job->core->lost; method++) {
        skid_series_run(job, (enum skid_method)method);
        if (job->skid->missing[0] == '\0') {
            skid_record(job, (enum skid_method)method);
            skid_table_row(job, (enum skid_method)method);
        }
        skid_verdict(job, (enum skid_method)method);
    }
}
