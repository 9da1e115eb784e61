/* Memory that kernels work on. */
#include "boot/log.h"
#include "boot/machine/arena.h"
#include "boot/text.h"
#include "run.h"

#define LARGE_PAGE (1ull << 21)

static unsigned arena_index(const struct kernel *kernel)
{
    return kernel->page_shift == 21 ? 1 : 0;
}

/* The most that a wanted kernel with such pages asks for on any core, below `limit`; 0 when none
 * does. */
static uint64_t most_wanted(struct run *run, unsigned index, uint64_t limit)
{
    uint64_t most = 0;

    for (unsigned i = 0; i < run->core_count; i++) {
        const struct measured_core *core = &run->cores[i];

        for (unsigned j = 0; !core->lost && j <= run->experiment_count; j++) {
            struct experiment *experiment =
                j < run->experiment_count ? &run->experiments[j] : run->sibling_load;
            struct extra extras[EXPERIMENT_EXTRAS];
            unsigned count =
                experiment_extras(extras, &core->facts, core->description, core->threads);
            struct experiment_size size;

            if (experiment == NULL || experiment->broken != NULL ||
                arena_index(experiment->kernel) != index ||
                !experiment_sizes(experiment, core->description, extras, &count, run->config.scale,
                                  &size))
                continue;
            if (size.arena > most && size.arena < limit)
                most = size.arena;
        }
    }
    return most;
}

/* When there is no room for the largest, the next smaller demand is tried: the kernels above it are
 * skipped then. */
static void take(struct run *run, unsigned index)
{
    static const unsigned shifts[2] = {12, 21};
    const unsigned slices = run->lane_count + (run->sibling_load != NULL);
    uint64_t limit = UINT64_MAX;

    for (;;) {
        uint64_t bytes = most_wanted(run, index, limit),
                 slice = (bytes + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);

        if (bytes == 0)
            return;
        run->arenas[index].base = arena_alloc((size_t)(slice * slices), shifts[index]);
        run->arenas[index].slice = slice;
        if (run->arenas[index].base != NULL)
            return;
        log_comment("no memory for an arena of %llu bytes: the kernels that ask for it are skipped",
                    (unsigned long long)(slice * slices));
        limit = bytes;
    }
}

void arenas_take(struct run *run)
{
    take(run, 0);
    take(run, 1);
}

bool arena_of(const struct run *run, const struct kernel *kernel, unsigned lane, uint64_t bytes,
              void **arena)
{
    const struct arena *from = &run->arenas[arena_index(kernel)];

    *arena = NULL;
    if (bytes == 0)
        return true;
    if (from->base == NULL || bytes > from->slice)
        return false;
    *arena = from->base + lane * from->slice;
    return true;
}
