/* Which nodes a core's measurements are about, as the configuration asks. */
#include "boot/format.h"
#include "boot/text.h"
#include "run.h"

static void refuse(struct run *run, const struct config_place *place, const char *message,
                   const char *expected)
{
    struct complaint complaint = {.line = place->line, .column = place->column};

    format(complaint.file, sizeof(complaint.file), "%s", place->file);
    format(complaint.message, sizeof(complaint.message), "%s", message);
    format(complaint.expected, sizeof(complaint.expected), "%s", expected);
    run->refused = true;
    run_complain(run, &complaint);
}

/* Whether a core before this one has the same description: what it lacks was said then. */
static bool is_known(const struct run *run, const struct core_state *core)
{
    for (unsigned i = 0; i < run->core_count; i++) {
        if (&run->cores[i] != core && run->cores[i].description == core->description)
            return true;
    }
    return false;
}

static void add_named(struct run *run, struct core_state *core, bool known,
                      const char names[][DESCRIPTION_NAME], unsigned count,
                      const struct config_place *place)
{
    const struct description *description = core->description;

    for (unsigned i = 0; i < count; i++) {
        char message[160], expected[120];

        if (selection_named(&core->first, description, names[i]) || known)
            continue;
        format(message, sizeof(message), "%s has no node %s", description->name, names[i]);
        if (description->node_count > 0)
            format(expected, sizeof(expected), "a node of cpu\\%s.def", description->name);
        else
            format(expected, sizeof(expected), "no nodes: this CPU has no formulas");
        refuse(run, place, message, expected);
    }
}

void nodes_choose(struct run *run, struct core_state *core)
{
    const struct config *config = &run->config;
    const bool known = is_known(run, core);

    memset(&core->first, 0, sizeof(core->first));
    if (config->node_count == 0)
        selection_levels(&core->first, core->description, config->drill ? 1 : config->levels);
    core->first.both = config->both && core->facts.perf_metrics;
    add_named(run, core, known, config->nodes, config->node_count, &config->nodes_place);
    add_named(run, core, known, config->explain, config->explain_count, &config->explain_place);
}

void nodes_check_levels(struct run *run)
{
    const struct config *config = &run->config;
    const struct core_state *deepest = NULL;
    char message[160], expected[120];
    unsigned depth = 0;

    for (unsigned i = 0; i < run->core_count; i++) {
        const struct core_state *core = &run->cores[i];

        if (core->description != NULL && selection_depth(core->description) > depth) {
            depth = selection_depth(core->description);
            deepest = core;
        }
    }
    if (config->node_count > 0 || config->drill || config->levels_place.file == NULL ||
        deepest == NULL || config->levels <= depth)
        return;
    format(message, sizeof(message), "too deep: %s has %u levels", deepest->description->name,
           depth);
    format(expected, sizeof(expected), "a number of 1..%u, or auto", depth);
    refuse(run, &config->levels_place, message, expected);
}
