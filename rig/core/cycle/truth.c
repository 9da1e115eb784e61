/* The truth: slots by node and by level-2 cause, cycles by kind. */
#include "truth.h"

#include <string.h>

#include "cycle_memo.h"

static const enum truth_node cause_nodes[] = {
#define CAUSE_NODE(name, node) [CAUSE_##name] = NODE_##name,
    SLOT_CAUSES(CAUSE_NODE)
#undef CAUSE_NODE
};

static const struct {
    const char *name;
    uint8_t parent;
} nodes[] = {
#define NODE_ROW(name, perf, parent) [NODE_##name] = {perf, NODE_##parent},
    TRUTH_NODES(NODE_ROW)
#undef NODE_ROW
};

_Static_assert(NODE_COUNT <= UINT8_MAX, "a node fits a byte");

const char *model_node_name(enum truth_node node)
{
    return nodes[node].name;
}

enum truth_node model_node_parent(enum truth_node node)
{
    return (enum truth_node)nodes[node].parent;
}

const char *model_cause_name(enum slot_cause cause)
{
    return model_node_name(cause_nodes[cause]);
}

const char *model_cycle_name(enum cycle_kind kind)
{
    static const char *const names[] = {
#define CYCLE_NAME(name, key) [CYCLES_##name] = key,
        CYCLE_KINDS(CYCLE_NAME)
#undef CYCLE_NAME
    };

    return names[kind];
}

enum cycle_kind truth_cycles(const struct window *window, struct model_truth *truth, enum idle why,
                             unsigned executed, uint64_t cycles)
{
    enum cycle_kind kind = CYCLES_IDLE;

    if (executed > 0)
        kind = executed == 1 ? CYCLES_ONE : executed == 2 ? CYCLES_TWO : CYCLES_MORE;
    else if (window->outstanding[OUT_ANY] > 0)
        kind = CYCLES_LOADS;
    else if (idle_for_stores(why))
        kind = CYCLES_STORES;
    truth->cycles += cycles;
    truth->kinds[kind] += cycles;
    if (window->in_scheduler == 0)
        truth->scheduler_empty += cycles;
    return kind;
}

/* A part that the core lacks cannot be the cause of anything. */
bool model_has_node(const struct model *model, enum truth_node node)
{
    const struct model_parameters *p = model->p;

    switch (node) {
    case NODE_DSB:
    case NODE_DSB_SWITCHES:
        return p->dsb_ways > 0;
    case NODE_LSD:
        return p->loop_uops > 0;
    case NODE_LCP:
        return p->lcp_stall > 0;
    case NODE_MS_SWITCHES:
        return p->ms_switch > 0;
    case NODE_UNKNOWN_BRANCHES:
        return p->btb_miss_resteer > 0;
    case NODE_DECODER0_ALONE:
        return p->decoders > 1;
    default:
        return true;
    }
}

void truth_reset(struct previous *previous, struct output *output, struct model_truth *truth)
{
    memset(truth, 0, sizeof(*truth));
    cycle_memos_forget(output);
    previous->node = NODE_NONE;
}

/* The parent of the node on this core (few_uops_are_light). */
static enum truth_node parent_here(const struct model_parameters *p, enum truth_node node)
{
    return node == NODE_FEW_UOPS_INSTRUCTIONS && p->few_uops_are_light
               ? NODE_LIGHT_OPERATIONS
               : (enum truth_node)nodes[node].parent;
}

/* Parents come before their children, so from the last node to the first, every node is complete
 * when it is added to its parent. */
void truth_get(const struct model *model, struct model_truth *truth)
{
    uint64_t waited[NODE_COUNT];

    *truth = model->truth;
    cycle_memos_add(&model->output, truth);
    memcpy(truth->nodes, truth->exact, sizeof(truth->nodes));
    memcpy(waited, truth->waited_exact, sizeof(waited));
    for (unsigned i = NODE_COUNT; i-- > 0;) {
        const enum truth_node parent = parent_here(model->p, (enum truth_node)i);

        if (parent == NODE_NONE)
            continue;
        truth->nodes[parent] += truth->nodes[i];
        waited[parent] += waited[i];
    }
    for (unsigned i = 0; i < CAUSE_COUNT; i++) {
        truth->slots[i] = truth->nodes[cause_nodes[i]];
        truth->waited[i] = waited[cause_nodes[i]];
    }
}
