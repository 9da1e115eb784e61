/* What published formulas make of the rig's truth where they are no plain shares of slots: in the
 * domain of cycles, or of what the decoders made. The rig states those cycles and slots in its
 * truth (never as events); the formulas are written here a second time, from TMA 5.2's tables. */
#ifndef TESTS_PUBLISHED_H
#define TESTS_PUBLISHED_H

#include <math.h>

#include "truth_log.h"

enum form { FORM_SLOTS, FORM_HASWELL, FORM_SKYLAKE, FORM_ICELAKE };

static inline enum form form_of(const char *description)
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

/* The first pass of a trial that counted the event, which is the one that formulas rest on; -1:
 * none did. */
static inline json_int_t pass_of(const struct run *run, const json_t *topdown, const char *event)
{
    json_int_t pass = -1;

    for (size_t i = 0; i < run->counts.count; i++) {
        const json_t *record = run->counts.items[i];

        if (is_same_trial(record, topdown) &&
            json_object_get(json_object_get(record, "events"), event) != NULL &&
            (pass < 0 || whole(record, "pass") < pass))
            pass = whole(record, "pass");
    }
    return pass;
}

static inline double more_of(const struct run *run, const json_t *topdown, const char *member,
                             const char *name)
{
    return more_in(run, topdown, -1, member, name);
}

static inline double slots_more(const struct run *run, const json_t *topdown)
{
    static const char *const level1[] = {"tma_frontend_bound", "tma_bad_speculation",
                                         "tma_backend_bound", "tma_retiring"};
    double sum = 0;

    for (size_t i = 0; i < sizeof(level1) / sizeof(level1[0]); i++)
        sum += more_of(run, topdown, "nodes", level1[i]);
    return sum;
}

/* #Memory_Bound_Fraction: cycles without a uop that memory is held responsible for, among those
 * that count as the back end's. Events of cycles in which one or two uops begin weigh them whole.
 */
static inline double memory_fraction(const struct run *run, const json_t *topdown, enum form form)
{
    const json_int_t pass = pass_of(run, topdown,
                                    form == FORM_HASWELL ? "CYCLE_ACTIVITY.STALLS_LDM_PENDING"
                                                         : "CYCLE_ACTIVITY.STALLS_MEM_ANY");
    const double loads = more_in(run, topdown, pass, "cycles_by", "waits_for_loads");
    const double stores = more_in(run, topdown, pass, "cycles_by", "waits_for_stores");
    const double idle = more_in(run, topdown, pass, "cycles_by", "idle");
    const double one = more_in(run, topdown, pass, "cycles_by", "one");
    const double two = more_in(run, topdown, pass, "cycles_by", "two");
    const double slots = slots_more(run, topdown);
    const double cycles = more_in(run, topdown, pass, NULL, "cycles");
    double few, empty = 0;

    if (form == FORM_HASWELL) {
        few = one + (more_in(run, topdown, pass, NULL, "instructions") > 1.8 * cycles ? two : 0);
        if (more_of(run, topdown, "nodes", "tma_fetch_latency") > 0.1 * slots)
            empty = more_in(run, topdown, pass, NULL, "scheduler_empty");
    } else {
        few = one + two * more_of(run, topdown, "nodes", "tma_retiring") / slots;
    }
    return (loads + stores) / (loads + idle + few - empty + stores);
}

/* Before Skylake all that the sequencer delivers is heavy and nothing else; Ice Lake adds what its
 * first decoder made beyond one uop, as the share that it is of what the decoders delivered. */
static inline double heavy_slots(const struct run *run, const json_t *topdown, enum form form)
{
    const double microcode = more_of(run, topdown, "nodes", "tma_microcode_sequencer");

    if (form == FORM_HASWELL)
        return microcode;
    return microcode + more_of(run, topdown, "nodes", "tma_retiring") *
                           more_of(run, topdown, NULL, "decoded_beyond") /
                           more_of(run, topdown, NULL, "decoded");
}

/* Whether the formula of a node divides by uops of the decoders when they made next to none: those
 * of a window's edges, which differ from pass to pass. */
static inline bool rests_on_edges(const struct run *run, const json_t *topdown, const char *node)
{
    return form_of(run->descriptions[whole(topdown, "core")]) == FORM_ICELAKE &&
           (strcmp(node, "tma_heavy_operations") == 0 ||
            strcmp(node, "tma_light_operations") == 0) &&
           more_of(run, topdown, NULL, "decoded") <
               0.01 * more_of(run, topdown, "nodes", "tma_retiring");
}

static inline bool is_back_end(const char *node)
{
    return strcmp(node, "tma_memory_bound") == 0 || strcmp(node, "tma_core_bound") == 0;
}

/* The value that the published formula of a node should have, given those of level 1, which are
 * held against the truth by themselves; NAN: it is the share of slots, or has no finite value, or
 * rests on what the truth does not have: with two threads, before Skylake, cycles by how many uops
 * of both begin in them. */
static inline double published_value(const struct run *run, const json_t *topdown, const char *node)
{
    const enum form form = form_of(run->descriptions[whole(topdown, "core")]);
    const json_t *values = json_object_get(topdown, "nodes");
    const double slots = slots_more(run, topdown);
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

#endif
