#include "bare_core.h"

#include <stddef.h>

static unsigned page_shift(void *context, uint64_t address)
{
    (void)context;
    (void)address;
    return 12;
}

static void ignore_span(void *context, const struct span *span)
{
    (void)context;
    (void)span;
}

static void ignore_branch(void *context, const struct retired_branch *branch)
{
    (void)context;
    (void)branch;
}

bool bare_core_new(struct bare_core *bare, const struct model_parameters *parameters)
{
    bare->shared = shared_cache_new(parameters, 1);
    if (bare->shared == NULL)
        return false;
    bare->model = model_new(parameters, 0, bare->shared, (struct model_world){NULL, page_shift},
                            (struct model_sink){.span = ignore_span, .branch = ignore_branch});
    if (bare->model == NULL)
        shared_cache_free(bare->shared);
    return bare->model != NULL;
}

void bare_core_free(struct bare_core *bare)
{
    model_free(bare->model);
    shared_cache_free(bare->shared);
}
