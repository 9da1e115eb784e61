#include "survey_nodes.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"

/* Another kind of core may have a node that this one's description lacks: see survey_nodes_check.
 */
static void add_named(struct measured_core *core, const char names[][DESCRIPTION_NAME],
                      unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        selection_named(&core->first, core->description, names[i]);
}

void survey_nodes_choose(const struct config *config, struct measured_core *core)
{
    memset(&core->first, 0, sizeof(core->first));
    if (config->node_count == 0)
        selection_levels(&core->first, core->description, config->drill ? 1 : config->levels);
    core->first.both = config->both && core->facts.perf_metrics;
    add_named(core, config->nodes, config->node_count);
    add_named(core, config->explain, config->explain_count);
}

const struct measured_core *survey_next_kind(const struct run_cores *cores, unsigned index)
{
    for (; index < cores->count; index++) {
        const struct measured_core *core = &cores->of[index];
        unsigned before = 0;

        while (before < index && cores->of[before].description != core->description)
            before++;
        if (before == index && core->description != NULL)
            return core;
    }
    return NULL;
}

static void check_name(const struct run_cores *cores, const char *name,
                       const struct config_place *place, struct complaints *complaints)
{
    const struct measured_core *first = survey_next_kind(cores, 0), *kind;
    char message[160], expected[120];
    bool found = false;

    for (kind = first; kind != NULL;
         kind = survey_next_kind(cores, (unsigned)(kind - cores->of) + 1))
        found = found || selection_node(kind->description, name) != NULL;
    for (kind = first; kind != NULL && found;
         kind = survey_next_kind(cores, (unsigned)(kind - cores->of) + 1))
        if (selection_node(kind->description, name) == NULL)
            log_comment("%s has no node %s: its cores leave it out", kind->description->name, name);
    if (found || first == NULL)
        return;
    format(message, sizeof(message), "%s has no node %s", first->description->name, name);
    if (first->description->node_count > 0)
        format(expected, sizeof(expected), "a node of cpu\\%s.def", first->description->name);
    else
        format(expected, sizeof(expected), "no nodes: this CPU has no formulas");
    complaints_refuse_value(complaints, place, message, expected);
}

/* The levels of an ordinary run. A configuration that asks for them fits each CPU, however deep its
 * tree is. */
#define USUAL_LEVELS 2u

static void check_levels(const struct run_cores *cores, const struct config *config,
                         struct complaints *complaints)
{
    const struct measured_core *deepest = NULL;
    char message[160], expected[120];
    unsigned depth = 0;

    for (unsigned i = 0; i < cores->count; i++) {
        const struct measured_core *core = &cores->of[i];

        if (core->description != NULL && selection_depth(core->description) > depth) {
            depth = selection_depth(core->description);
            deepest = core;
        }
    }
    if (config->node_count > 0 || config->drill || config->levels_place.file == NULL ||
        deepest == NULL || config->levels <= depth)
        return;
    if (config->levels <= USUAL_LEVELS) {
        log_comment("levels = %u: %s has level %u alone, and that is measured", config->levels,
                    deepest->description->name, depth);
        return;
    }
    format(message, sizeof(message), "too deep: %s has %u levels", deepest->description->name,
           depth);
    format(expected, sizeof(expected), "a number of 1..%u, or auto", depth);
    complaints_refuse_value(complaints, &config->levels_place, message, expected);
}

void survey_nodes_check(const struct run_cores *cores, const struct config *config,
                        struct complaints *complaints)
{
    for (unsigned i = 0; i < config->node_count; i++)
        check_name(cores, config->nodes[i], &config->nodes_place, complaints);
    for (unsigned i = 0; i < config->explain_count; i++)
        check_name(cores, config->explain[i], &config->explain_place, complaints);
    check_levels(cores, config, complaints);
}
