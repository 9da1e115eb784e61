#include "verdict_share.h"

#include "boot/format.h"

#define EVENTS 64 /* more than any formula of a node has */

/* The errata of all events that the formula rests on, each event's once. */
static void add_errata(struct verdict *verdict, const struct trial *trial, const struct node *node)
{
    const struct event *events[EVENTS];
    const unsigned count =
        topdown_events_given(&trial->counts, &node->formula, events, 0, EVENTS, NULL);

    for (unsigned i = 0; i < count; i++)
        verdict_errata(verdict, trial, events[i]);
}

/* False, and the verdict says so: the value is no share. */
static bool ask_range(struct verdict *verdict, const struct trial *trial, const struct node *node)
{
    const double value = trial_given(trial, node)->value;
    const double beyond = value < 0 ? -value : value - 1;
    const double error = trial_error(trial, node);

    if (!trial_is_no_share(trial, node))
        return true;
    if (beyond <= error) {
        verdict->outcome = VERDICT_SKIP;
        format(verdict->reason, sizeof(verdict->reason),
               "its formula gives %.3f, outside of 0 to 1, and may be off by %.3f", value, error);
        return false;
    }
    verdict_append(verdict, ", but no share: outside of 0 to 1 by more than its error of %.3f",
                   error);
    verdict->outcome = VERDICT_FAIL;
    return false;
}

/* Level 2 divides each node of level 1 by two. Below it a node may be more than its parent: it
 * counts cycles, and the parent counts slots. */
static void ask_parent(struct verdict *verdict, const struct trial *trial, const struct node *node)
{
    const struct node *parent;
    double error;

    if (node->level != 2 || node->parent < 0)
        return;
    parent = &trial->description->nodes[node->parent];
    if (!trial_given(trial, parent)->finite)
        return;
    error = trial_error(trial, node) + trial_error(trial, parent);
    if (trial_given(trial, node)->value - trial_given(trial, parent)->value <= error)
        return;
    verdict_append(verdict, ", but by more than its error of %.3f more than %s %.3f", error,
                   parent->name, trial_given(trial, parent)->value);
    verdict->outcome = VERDICT_FAIL;
}

void verdict_ask_share(struct verdict *verdict, const struct trial *trial, const struct node *node)
{
    if (verdict->outcome != VERDICT_PASS)
        return;
    if (ask_range(verdict, trial, node))
        ask_parent(verdict, trial, node);
    if (verdict->outcome != VERDICT_FAIL)
        return;
    verdict->no_share = node;
    add_errata(verdict, trial, node);
}
