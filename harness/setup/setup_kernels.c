#include "setup_kernels.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/text.h"
#include "harness/run/complaints.h"

/* Kernels run in this order: the self-check, which always runs, then the kernels that pin events
 * down, then all others. */
#define TURNS 3

static unsigned turn_of(const struct kernel *kernel)
{
    return strncmp(kernel->name, "cal.", 4) == 0     ? 0
           : strncmp(kernel->name, "exact.", 6) == 0 ? 1
                                                     : 2;
}

/* A kernel that is not chosen by its name runs when the node that it puts on trial is measured; one
 * with a known cause when skid is. */
static bool is_wanted(const struct run *run, const struct kernel *kernel)
{
    if (turn_of(kernel) == 0)
        return true;
    if (!config_wants_kernel(&run->config, kernel->name))
        return false;
    if (kernel->cause != NULL && !run->config.skid)
        return config_names_kernel(&run->config, kernel->name);
    return run->config.node_count > 0 || kernel->level <= run->config.levels ||
           config_names_kernel(&run->config, kernel->name);
}

static void make_experiments(struct run *run)
{
    run->experiments = memory_alloc(sizeof(*run->experiments) * (kernels_count() + 1));
    if (run->experiments == NULL) {
        complaints_refuse_file(run, "kernels", "no memory for the kernels", "");
        return;
    }
    for (unsigned turn = 0; turn < TURNS; turn++) {
        for (const struct kernel *kernel = kernels_after(NULL); kernel != NULL;
             kernel = kernels_after(kernel)) {
            struct complaint complaint = {.line = 0};

            if (turn_of(kernel) != turn || !is_wanted(run, kernel))
                continue;
            if (experiment_make(&run->experiments[run->experiment_count], kernel, &run->pool,
                                &complaint) == RC_BAD_INPUT)
                complaints_log(run, &complaint);
            run->experiment_count++;
        }
    }
}

static const struct kernel *kernel_named(const char *name)
{
    const struct kernel *kernel = kernels_after(NULL);

    while (kernel != NULL && strcmp(kernel->name, name) != 0)
        kernel = kernels_after(kernel);
    return kernel;
}

/* The kernel for sibling threads: any kernel that needs no second core. */
static void make_sibling_load(struct run *run)
{
    const struct kernel *kernel = kernel_named(run->config.sibling);
    char message[160] = "", expected[120];
    struct complaint complaint = {.line = 0};

    if (kernel == NULL)
        format(message, sizeof(message), "no kernel has this name: %s", run->config.sibling);
    else if (kernel->partner != NULL)
        format(message, sizeof(message), "it needs two cores: %s", run->config.sibling);
    else if (run->config.parallel)
        format(message, sizeof(message), "sibling and parallel = yes exclude each other");
    if (message[0] != '\0') {
        format(expected, sizeof(expected), "a kernel for one core, such as %s",
               kernels_at(0)->name);
        complaints_refuse_value(run, &run->config.sibling_place, message, expected);
        return;
    }
    run->sibling_load = memory_alloc(sizeof(*run->sibling_load));
    if (run->sibling_load == NULL ||
        experiment_make(run->sibling_load, kernel, &run->pool, &complaint) != RC_OK)
        complaints_refuse_file(run, "sibling", "no memory for the sibling's kernel", "");
}

void setup_kernels(struct run *run)
{
    make_experiments(run);
    if (run->config.sibling[0] != '\0')
        make_sibling_load(run);
}
