#include "selection.h"

#include "boot/text.h"

bool selection_is_empty(const struct selection *selection)
{
    for (unsigned i = 0; i < DESCRIPTION_STATEMENTS / 64; i++) {
        if (selection->nodes[i] != 0)
            return false;
    }
    return true;
}

void selection_join(struct selection *selection, const struct selection *more)
{
    for (unsigned i = 0; i < DESCRIPTION_STATEMENTS / 64; i++)
        selection->nodes[i] |= more->nodes[i];
}

void selection_levels(struct selection *selection, const struct description *description,
                      unsigned levels)
{
    memset(selection, 0, sizeof(*selection));
    for (unsigned i = 0; i < description->node_count; i++) {
        if (description->nodes[i].level > 0 && description->nodes[i].level <= levels)
            selection_add(selection, i);
    }
}

const struct node *selection_node(const struct description *description, const char *name)
{
    /* TMA 5.2 renamed them; Linux perf up to 6.12 has the older names. */
    static const struct {
        const char *older, *name;
    } renamed[] = {
        {"tma_dram_bound", "tma_l3_miss_bound"},
        {"tma_pmm_bound", "tma_cxl_mem_bound"},
        {"tma_l1_hit_latency", "tma_l1_latency_dependency"},
    };
    const struct node *node = description_node(description, name);

    for (size_t i = 0; node == NULL && i < COUNT_OF(renamed); i++) {
        if (strcmp(name, renamed[i].older) == 0)
            node = description_node(description, renamed[i].name);
    }
    return node != NULL && node->level > 0 ? node : NULL;
}

bool selection_named(struct selection *selection, const struct description *description,
                     const char *name)
{
    const struct node *node = selection_node(description, name);

    if (node == NULL)
        return false;
    /* This ends: the parser refuses parents in a circle. */
    for (int at = (int)(node - description->nodes); at >= 0; at = description->nodes[at].parent)
        selection_add(selection, (unsigned)at);
    return true;
}

void selection_children(struct selection *selection, const struct description *description,
                        const struct selection *over, const struct selection *measured)
{
    memset(selection, 0, sizeof(*selection));
    for (unsigned i = 0; i < description->node_count; i++) {
        const int parent = description->nodes[i].parent;

        if (parent >= 0 && selection_has(over, (unsigned)parent) && !selection_has(measured, i))
            selection_add(selection, i);
    }
}

unsigned selection_depth(const struct description *description)
{
    unsigned depth = 0;

    for (unsigned i = 0; i < description->node_count; i++) {
        if (description->nodes[i].level > depth)
            depth = description->nodes[i].level;
    }
    return depth;
}
