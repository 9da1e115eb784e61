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

bool selection_named(struct selection *selection, const struct description *description,
                     const char *name)
{
    const struct node *node = description_node(description, name);

    if (node == NULL || node->level == 0)
        return false;
    /* The parser has refused parents in a circle. */
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
