#include "measured_core.h"

#include "boot/format.h"
#include "boot/text.h"

bool measured_core_sizes(const struct measured_core *core, enum threads threads,
                         const struct experiment *experiment, uint32_t scale,
                         struct extra extras[PARAMETERS_MAX], unsigned *extra_count,
                         struct experiment_size *size)
{
    *extra_count = parameters_of_core(extras, &core->facts, core->description, threads);
    if (core->far_arena)
        extras[(*extra_count)++] = (struct extra){"memory_latency", FORMULA_NA};
    return experiment_sizes(experiment, core->description, extras, extra_count, scale, size);
}

void measured_core_lose(struct measured_core *core, const char *why)
{
    if (core->lost)
        return;
    core->lost = true;
    format(core->why, sizeof(core->why), "%s", why);
}

void measured_core_lose_while(struct measured_core *core, enum rc rc, const char *subject,
                              const char *what)
{
    char why[sizeof(core->why)];

    format(why, sizeof(why), "core %u %s while %s %s", core->core,
           rc == RC_FAULT ? "trapped" : "did not come back", subject, what);
    measured_core_lose(core, why);
}

void measured_core_give_up(struct measured_core *core, const char *kernel)
{
    for (unsigned i = 0; i < core->given_up_count; i++)
        if (strcmp(core->given_up[i], kernel) == 0)
            return;
    if (core->given_up_count < core->given_up_room)
        core->given_up[core->given_up_count++] = kernel;
}

void measured_core_distrust(struct measured_core *core, const char *why)
{
    if (core->untrusted)
        return;
    core->untrusted = true;
    format(core->distrust, sizeof(core->distrust), "%s", why);
}

const char *measured_core_refuses(const struct measured_core *core, const char *event)
{
    const struct event *found;

    if (core->untrusted)
        return core->distrust;
    found = core->description != NULL ? description_event(core->description, event) : NULL;
    if (found == NULL || !exactness_refuses(&core->exactness, core->description, found))
        return NULL;
    return "an event on which it rests was off in the self-check";
}

void measured_core_renew(struct measured_core *core, uint64_t round)
{
    if (core->exactness.events != NULL)
        memset(core->exactness.events, 0,
               sizeof(*core->exactness.events) * core->description->event_count);
    core->round = round;
    core->untrusted = core->fixed_off;
    core->proven = core->left_out = core->unsaid = 0;
}

void measured_core_discarded(struct measured_core *core, const uint64_t windows[GUARD_KINDS])
{
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        core->discarded += windows[i];
}

/* Threads of one core have the same APIC id, apart from the bits that number the thread. */
uint64_t measured_cores_discarded(const struct measured_core *cores, unsigned count)
{
    uint64_t windows = 0;

    for (unsigned i = 0; i < count; i++)
        windows += cores[i].discarded;
    return windows;
}

bool measured_core_is_sibling(const struct measured_core *a, const struct measured_core *b)
{
    return a != b && a->facts.apic_id - a->facts.smt_id == b->facts.apic_id - b->facts.smt_id;
}

static bool any_count(const struct trial *trial)
{
    for (unsigned i = 0; i < trial->counts.count_count; i++)
        if (trial->counts.counts[i].measured)
            return true;
    return false;
}

/* Whether a node that was asked for has a value; *reason is why the last one has none, and null
 * when there is no node to ask for. */
static bool any_node(const struct trial *trial, const char **reason)
{
    *reason = NULL;
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];
        const struct formula_result *result;

        if (node->level == 0 || !trial_asks(trial, node))
            continue;
        result = trial_node(trial, node);
        if (result->finite)
            return true;
        *reason = result->reason;
    }
    return false;
}

void measured_core_note(struct measured_core *core, const struct trial *trial)
{
    const char *reason = trial->blocked;

    if (core->counted && core->has_node)
        return;
    if (trial->results != NULL) {
        core->counted = core->counted || any_count(trial);
        core->has_node =
            !core->undescribed && (any_node(trial, &reason) || reason == NULL || core->has_node);
    }
    if (reason != NULL)
        format(core->unmeasured, sizeof(core->unmeasured), "%s", reason);
}
