#include "measured_core.h"

#include "boot/format.h"

bool measured_core_sizes(const struct measured_core *core, enum threads threads,
                         const struct experiment *experiment, uint32_t scale,
                         struct extra extras[PARAMETERS_MAX], unsigned *extra_count,
                         struct experiment_size *size)
{
    *extra_count = parameters_of_core(extras, &core->facts, core->description, threads);
    return experiment_sizes(experiment, core->description, extras, extra_count, scale, size);
}

void measured_core_lose(struct measured_core *core, const char *why)
{
    core->lost = true;
    format(core->why, sizeof(core->why), "%s", why);
}

void measured_core_distrust(struct measured_core *core, const char *why)
{
    if (core->untrusted)
        return;
    core->untrusted = true;
    format(core->distrust, sizeof(core->distrust), "%s", why);
}

void measured_core_discarded(struct measured_core *core, const uint64_t windows[GUARD_KINDS])
{
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        core->discarded += windows[i];
}

/* Threads of one core have the same APIC id, apart from the bits that number the thread. */
bool measured_core_is_sibling(const struct measured_core *a, const struct measured_core *b)
{
    return a != b && a->facts.apic_id - a->facts.smt_id == b->facts.apic_id - b->facts.smt_id;
}
