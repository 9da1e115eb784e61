#include "edges.h"

static bool is_before(const struct edge *edge, const struct lbr_entry *entry)
{
    return edge->from != entry->from ? edge->from < entry->from : edge->to < entry->to;
}

/* The row of the entry's edge, made when it is not there; null: no room. */
static struct edge *row_of(struct edges *edges, const struct lbr_entry *entry)
{
    unsigned place = 0;

    while (place < edges->count && is_before(&edges->rows[place], entry))
        place++;
    if (place < edges->count && edges->rows[place].from == entry->from &&
        edges->rows[place].to == entry->to)
        return &edges->rows[place];
    if (edges->count == edges->limit)
        return NULL;
    for (unsigned i = edges->count++; i > place; i--)
        edges->rows[i] = edges->rows[i - 1];
    edges->rows[place] = (struct edge){.from = entry->from, .to = entry->to, .type = entry->type};
    return &edges->rows[place];
}

void edges_add(struct edges *edges, const struct lbr_stack *stack)
{
    for (unsigned i = 0; i < stack->count; i++) {
        const struct lbr_entry *entry = &stack->entries[i];
        struct edge *edge = row_of(edges, entry);

        if (edge == NULL) {
            edges->dropped++;
            continue;
        }
        edges->records++;
        edge->count++;
        edge->flags += entry->mispredict_valid;
        edge->mispredicted += entry->mispredicted;
        edge->timed += entry->cycles_valid;
        edge->cycles += entry->cycles_valid ? entry->cycles : 0;
    }
}
