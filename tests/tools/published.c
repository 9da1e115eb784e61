#include "published.h"

#include <math.h>
#include <string.h>

enum form form_of(const char *description)
{
    static const struct {
        const char *description;
        enum form form;
    } forms[] = {
        {"ivybridge", FORM_HASWELL},
        {"haswell", FORM_HASWELL},
        {"skylakex", FORM_SKYLAKE},
        {"icelakex", FORM_ICELAKE},
    };

    for (size_t i = 0; description != NULL && i < sizeof(forms) / sizeof(forms[0]); i++)
        if (strcmp(forms[i].description, description) == 0)
            return forms[i].form;
    return FORM_SLOTS;
}

/* The first pass of the trial that counted the event, from which formulas take its count; -1: none
 * did.
 */
static json_int_t pass_of(struct run *run, const json_t *topdown, const char *event)
{
    json_int_t pass = -1;

    for (size_t i = 0; i < run->counts.count; i++) {
        const json_t *record = run->counts.items[i];

        if (is_same_trial(record, topdown) &&
            json_object_get(json_object_get(record, "events"), event) != NULL &&
            (pass < 0 || integer_of(record, "pass") < pass))
            pass = integer_of(record, "pass");
    }
    return pass;
}

static double net_of_all(struct run *run, const json_t *topdown, const char *member,
                         const char *name)
{
    return net_of(run, topdown, -1, member, name);
}

static double net_slots(struct run *run, const json_t *topdown)
{
    static const char *const level1[] = {"tma_frontend_bound", "tma_bad_speculation",
                                         "tma_backend_bound", "tma_retiring"};
    double sum = 0;

    for (size_t i = 0; i < sizeof(level1) / sizeof(level1[0]); i++)
        sum += net_of_all(run, topdown, "nodes", level1[i]);
    return sum;
}

/* #Memory_Bound_Fraction: of the cycles that the formula takes for the back end's, the share in
 * which no uop began because of memory. A cycle in which one or two uops begin counts whole. */
static double memory_fraction(struct run *run, const json_t *topdown, enum form form)
{
    const json_int_t pass = pass_of(run, topdown,
                                    form == FORM_HASWELL ? "CYCLE_ACTIVITY.STALLS_LDM_PENDING"
                                                         : "CYCLE_ACTIVITY.STALLS_MEM_ANY");
    const double loads = net_of(run, topdown, pass, "cycles_by", "waits_for_loads");
    const double stores = net_of(run, topdown, pass, "cycles_by", "waits_for_stores");
    const double idle = net_of(run, topdown, pass, "cycles_by", "idle");
    const double one = net_of(run, topdown, pass, "cycles_by", "one");
    const double two = net_of(run, topdown, pass, "cycles_by", "two");
    const double slots = net_slots(run, topdown);
    const double cycles = net_of(run, topdown, pass, NULL, "cycles");
    double few, empty = 0;

    if (form == FORM_HASWELL) {
        few = one + (net_of(run, topdown, pass, NULL, "instructions") > 1.8 * cycles ? two : 0);
        if (net_of_all(run, topdown, "nodes", "tma_fetch_latency") > 0.1 * slots)
            empty = net_of(run, topdown, pass, NULL, "scheduler_empty");
    } else {
        few = one + two * net_of_all(run, topdown, "nodes", "tma_retiring") / slots;
    }
    return (loads + stores) / (loads + idle + few - empty + stores);
}

/* Before Skylake the heavy slots are those of the microcode sequencer. Ice Lake adds what its first
 * decoder made beyond one uop, as a share of what the decoders delivered. */
static double heavy_slots(struct run *run, const json_t *topdown, enum form form)
{
    const double microcode = net_of_all(run, topdown, "nodes", "tma_microcode_sequencer");

    if (form == FORM_HASWELL)
        return microcode;
    return microcode + net_of_all(run, topdown, "nodes", "tma_retiring") *
                           net_of_all(run, topdown, NULL, "decoded_beyond") /
                           net_of_all(run, topdown, NULL, "decoded");
}

bool rests_on_edges(struct run *run, const json_t *topdown, const char *node)
{
    return form_of(run->descriptions[integer_of(topdown, "core")]) == FORM_ICELAKE &&
           (strcmp(node, "tma_heavy_operations") == 0 ||
            strcmp(node, "tma_light_operations") == 0) &&
           net_of_all(run, topdown, NULL, "decoded") <
               0.01 * net_of_all(run, topdown, "nodes", "tma_retiring");
}

bool is_back_end(const char *node)
{
    return strcmp(node, "tma_memory_bound") == 0 || strcmp(node, "tma_core_bound") == 0;
}

double published_value(struct run *run, const json_t *topdown, const char *node)
{
    const enum form form = form_of(run->descriptions[integer_of(topdown, "core")]);
    const json_t *values = json_object_get(topdown, "nodes");
    const double slots = net_slots(run, topdown);
    const double back = json_number_value(json_object_get(values, "tma_backend_bound"));
    const double retiring = json_number_value(json_object_get(values, "tma_retiring"));

    if (form == FORM_SLOTS || rests_on_edges(run, topdown, node))
        return NAN;
    if (form == FORM_HASWELL && is_core_wide(topdown) && is_back_end(node))
        return NAN;
    if (strcmp(node, "tma_memory_bound") == 0)
        return back * memory_fraction(run, topdown, form);
    if (strcmp(node, "tma_core_bound") == 0)
        return back * (1 - memory_fraction(run, topdown, form));
    if (form == FORM_SKYLAKE)
        return NAN;
    if (strcmp(node, "tma_heavy_operations") == 0)
        return heavy_slots(run, topdown, form) / slots;
    if (strcmp(node, "tma_light_operations") == 0)
        return retiring - heavy_slots(run, topdown, form) / slots;
    return NAN;
}
