#include "setup_kernels.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "harness/own/own_files.h"
#include "harness/run/complaints.h"

/* Built-in kernels run in this order: the self-check, which always runs, then the kernels that pin
 * events down, then all others. The user's own kernels follow. */
#define TURNS 3

static unsigned turn_of(const struct kernel *kernel)
{
    return strncmp(kernel->name, "cal.", 4) == 0     ? 0
           : strncmp(kernel->name, "exact.", 6) == 0 ? 1
                                                     : 2;
}

/* Kernels that are there to be sampled, and nothing samples them. */
static bool is_idle(const struct config *config, const struct kernel *kernel)
{
    if (kernel->cause != NULL)
        return !config->skid;
    return strncmp(kernel->name, "cpi.", 4) == 0 && config->samples == 0 &&
           config->overhead_count == 0;
}

/* With skid = yes all kernels that make events by a known cause run, unless some are named. */
static bool is_wanted_for_skid(const struct config *config, const struct kernel *kernel)
{
    if (!config->skid || kernel->cause == NULL)
        return false;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *other = kernels_linked(i);

        if (other->cause != NULL && config_wants_kernel(config, other->name))
            return false;
    }
    return true;
}

/* A kernel that is not chosen by its name runs when the node that it puts on trial is measured, or
 * when the configuration asks for what the kernel's family shows. */
static bool is_wanted(const struct config *config, const struct kernel *kernel)
{
    if (turn_of(kernel) == 0 || is_wanted_for_skid(config, kernel))
        return true;
    if (!config_wants_kernel(config, kernel->name))
        return false;
    if (is_idle(config, kernel))
        return config_names_kernel(config, kernel->name);
    return kernel->level <= (config->node_count > 0 ? CONFIG_LEVELS : config->levels) ||
           config_names_kernel(config, kernel->name);
}

static void make_experiment(struct run *run, const struct kernel *kernel)
{
    struct experiment *experiment = &run->experiments.of[run->experiments.count++];
    struct complaint complaint = {.line = 0};

    if (experiment_make(experiment, kernel, &run->pool, &complaint) == RC_BAD_INPUT)
        complaints_log(&run->complaints, &complaint);
    experiment->sampled = run->config.samples > 0;
}

static unsigned count_own(const struct own_kernel *own)
{
    unsigned count = 0;

    for (; own != NULL; own = own->next)
        count++;
    return count;
}

static void make_experiments(struct run *run)
{
    const unsigned count = kernels_count();
    struct run_experiments *experiments = &run->experiments;
    const struct kernel **sorted = memory_alloc(sizeof(const struct kernel *) * (count + 1));

    experiments->of = memory_alloc(sizeof(*experiments->of) * (count + count_own(run->own) + 1));
    if (experiments->of == NULL || sorted == NULL) {
        complaints_refuse_file(&run->complaints, "kernels", "no memory for the kernels", "");
        return;
    }
    kernels_sort(sorted);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        for (unsigned i = 0; i < count; i++) {
            if (turn_of(sorted[i]) == turn && is_wanted(&run->config, sorted[i]))
                make_experiment(run, sorted[i]);
        }
    }
    for (const struct own_kernel *own = run->own; own != NULL; own = own->next)
        if (is_wanted(&run->config, &own->kernel))
            make_experiment(run, &own->kernel);
}

/* Why the key cannot have the kernel of this name; null: it can. */
static const char *why_not_named(const struct own_kernel *own, const char *name)
{
    const struct kernel *kernel = kernels_named(name);

    if (kernel == NULL)
        return own_kernel_named(own, name) != NULL ? "this key takes no kernel of the user's own"
                                                   : "no kernel has this name";
    return kernel->partner != NULL ? "it needs two cores" : NULL;
}

/* The kernel that `key` asks for, ready to be judged; null: the run is refused, where it must not
 * have that kernel for the reason `why`. */
static struct experiment *make_named(const char *key, const char *name,
                                     const struct config_place *place, const char *why,
                                     struct pool *pool, struct complaints *complaints)
{
    struct complaint complaint = {.line = 0};
    struct experiment *experiment;
    char message[160], expected[120];

    if (why != NULL) {
        format(message, sizeof(message), "%s = %s: %s", key, name, why);
        format(expected, sizeof(expected), "a built-in kernel for one core, such as %s",
               kernels_at(0)->name);
        complaints_refuse_value(complaints, place, message, expected);
        return NULL;
    }
    experiment = memory_alloc(sizeof(*experiment));
    if (experiment != NULL &&
        experiment_make(experiment, kernels_named(name), pool, &complaint) == RC_OK)
        return experiment;
    complaints_refuse_file(complaints, key, "no memory for the kernel", "");
    return NULL;
}

/* Says once which of the keys that are set pass own kernels over without a verdict. */
static void say_not_for_own(const struct config *config, const struct run_experiments *experiments,
                            const struct own_kernel *list)
{
    const struct {
        const char *name;
        bool set;
    } keys[] = {{"pebs", config->pebs},
                {"skid", config->skid},
                {"overhead", config->overhead_count > 0},
                {"precision", config->precision},
                {"samples", config->samples > 0}};
    const char *name = NULL;

    for (unsigned i = 0; i < experiments->count; i++)
        if (own_kernel_of(list, experiments->of[i].kernel) != NULL)
            name = experiments->of[i].kernel->name;
    if (name == NULL)
        return;
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].set)
            log_comment("%s: not for kernels of the user's own, such as %s", keys[i].name, name);
}

/* The log says what it measured. */
static void log_own(const struct run_experiments *experiments, const struct own_kernel *list)
{
    for (unsigned i = 0; i < experiments->count; i++) {
        const struct own_kernel *own = own_kernel_of(list, experiments->of[i].kernel);

        if (own != NULL)
            own_files_log(own);
    }
}

void setup_kernels(struct run *run)
{
    const struct config *config = &run->config;

    make_experiments(run);
    if (run_measures(run)) {
        say_not_for_own(config, &run->experiments, run->own);
        log_own(&run->experiments, run->own);
    }
    if (config->sibling[0] != '\0')
        run->experiments.sibling_load =
            make_named("sibling", config->sibling, &config->sibling_place,
                       why_not_named(run->own, config->sibling), &run->pool, &run->complaints);
    if (config->timeline[0] != '\0')
        run->experiments.timeline =
            make_named("timeline", config->timeline, &config->timeline_place,
                       why_not_named(run->own, config->timeline), &run->pool, &run->complaints);
}
