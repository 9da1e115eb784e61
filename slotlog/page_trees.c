#include "page_trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/builtin.h"
#include "pmu/parse/parse.h"

/* Kept until the program ends, as the description is. */
static void *allocate(size_t size)
{
    return calloc(1, size);
}

static const char *text_of(void *context, const char *name, size_t *size, bool *from_stick)
{
    (void)context;
    *from_stick = false;
    return builtin_text(name, size);
}

static json_t *node_of(const struct description *description, const struct node *node)
{
    const char *parent = node->parent < 0 ? NULL : description->nodes[node->parent].name;

    return json_made(json_pack("{siss?ss#}", "level", (int)node->level, "parent", parent, "formula",
                               node->formula.text, (int)node->formula.length));
}

static json_t *parameters_of(const struct description *description)
{
    json_t *parameters = json_made(json_object());

    for (unsigned i = 0; i < description->parameter_count; i++)
        json_object_set_new(parameters, description->parameters[i].name,
                            json_made(json_real(description->parameters[i].value)));
    return parameters;
}

static json_t *nodes_of(const struct description *description)
{
    json_t *nodes = json_made(json_object());

    for (unsigned i = 0; i < description->node_count; i++)
        json_object_set_new(nodes, description->nodes[i].name,
                            node_of(description, &description->nodes[i]));
    return nodes;
}

/* NULL: this program has no description of that name. */
static json_t *tree_of(const char *name)
{
    const struct description_library library = {NULL, text_of};
    struct description description;
    struct complaint complaint;
    size_t size;

    if (builtin_text(name, &size) == NULL ||
        description_parse(&description, name, &library, allocate, &complaint) != RC_OK)
        return NULL;
    return json_made(json_pack("{sisoso}", "width", (int)description.width, "parameters",
                               parameters_of(&description), "nodes", nodes_of(&description)));
}

static void add_tree(json_t *trees, const json_t *core)
{
    const char *name = record_text(core, "description", "");
    json_t *tree;

    if (json_is_true(json_object_get(core, "description_from_stick")) ||
        json_object_get(trees, name) != NULL)
        return;
    tree = tree_of(name);
    if (tree != NULL)
        json_object_set_new(trees, name, tree);
}

json_t *page_trees(const struct whole_log *logs, size_t count)
{
    json_t *trees = json_made(json_object()), *record;
    size_t k;

    for (size_t i = 0; i < count; i++)
        json_array_foreach (logs[i].records, k, record)
            if (strcmp(record_text(record, "type", ""), "core") == 0)
                add_tree(trees, record);
    return trees;
}
