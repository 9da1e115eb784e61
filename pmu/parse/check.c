#include "check.h"

#include "alias.h"
#include "boot/format.h"
#include "boot/text.h"
#include "derive.h"
#include "inherit.h"

/* What the walk over all formulas found out about a node. */
struct visit {
    uint32_t cost; /* steps to evaluate the node and all nodes that it names; 0: not visited yet */
    uint8_t depth; /* nodes in the longest chain below this node */
    bool open;     /* on the path from the first node of the walk to the present node */
};

struct walk {
    struct parser *parser;
    struct visit *visits;
    unsigned path[DESCRIPTION_DEPTH];
    unsigned path_length;
};

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '#' || c == '.' || c == ':' || c == '=';
}

/* Where the formula mentions the name first, as a whole word. */
static uint32_t name_offset(const struct formula *formula, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i + length <= formula->length; i++)
        if (!memcmp(formula->text + i, name, length) &&
            (i == 0 || !is_name_part(formula->text[i - 1])) &&
            (i + length == formula->length || !is_name_part(formula->text[i + length])))
            return (uint32_t)i;
    return 0;
}

static bool check_names(struct parser *parser, unsigned index)
{
    const struct node *node = &parser->description->nodes[index];
    const struct node_place *place = &parser->node_places[index];

    for (unsigned i = 0; i < node->formula.name_count; i++) {
        const char *name = node->formula.names[i];
        const struct symbol symbol = description_symbol(parser->description, name);

        if (symbol.kind == SYMBOL_NONE)
            return complain_at(parser, place->source, place->line,
                               place->formula_column + name_offset(&node->formula, name),
                               "an event, node, let or parameter of this description",
                               "unknown name %s", name);
        node->formula.names[i] = symbol.name; /* found without a search from now on */
    }
    return true;
}

static bool check_parent(struct parser *parser, unsigned index)
{
    struct description *description = parser->description;
    const struct node_place *place = &parser->node_places[index];
    struct node *node = &description->nodes[index];
    char name[DESCRIPTION_NAME] = "";
    const struct node *parent;

    if (node->level < 2)
        return true;
    if (place->parent.length < DESCRIPTION_NAME)
        memcpy(name, place->parent.text, place->parent.length);
    parent = description_node(description, name);
    if (parent == NULL)
        return complain_at(parser, place->source, place->line, place->parent_column, "a node",
                           "the parent of %s is no node", node->name);
    if (parent->level >= node->level)
        return complain_at(parser, place->source, place->line, place->parent_column,
                           "a node further up", "%s is of level %u and its parent %s of level %u",
                           node->name, node->level, parent->name, parent->level);
    node->parent = (int)(parent - description->nodes);
    return true;
}

static bool check_threshold(struct parser *parser, unsigned index)
{
    const struct description *description = parser->description;
    const struct node_place *place = &parser->node_places[index];
    char name[DESCRIPTION_NAME] = "";
    const struct node *other;

    if (place->or_node.text == NULL)
        return true;
    if (place->or_node.length < DESCRIPTION_NAME)
        memcpy(name, place->or_node.text, place->or_node.length);
    other = description_node(description, name);
    if (other == NULL || other->threshold_kind == NODE_NO_THRESHOLD)
        return complain_at(parser, place->source, place->line, place->or_column,
                           "a node with a threshold", "no threshold to compare with after `or`");
    description->nodes[index].threshold_or = (int)(other - description->nodes);
    return true;
}

static bool complain_cycle(struct walk *walk, unsigned again)
{
    const struct node *nodes = walk->parser->description->nodes;
    const struct node_place *place = &walk->parser->node_places[walk->path[walk->path_length - 1]];
    char names[140];
    size_t length = 0;
    unsigned first = 0;

    while (walk->path[first] != again)
        first++;
    for (unsigned i = first; i < walk->path_length && length < sizeof(names); i++)
        length +=
            format(names + length, sizeof(names) - length, "%s -> ", nodes[walk->path[i]].name);
    return complain_at(walk->parser, place->source, place->line, place->formula_column,
                       "a formula that does not name itself, directly or through others",
                       "cycle between nodes: %s%s", names,
                       length < sizeof(names) ? nodes[again].name : "...");
}

static bool walk_node(struct walk *walk, unsigned index);

static bool walk_names(struct walk *walk, unsigned index)
{
    const struct description *description = walk->parser->description;
    const struct formula *formula = &description->nodes[index].formula;
    const struct node_place *place = &walk->parser->node_places[index];
    struct visit *visit = &walk->visits[index];
    uint32_t cost = formula->step_count + 1u;

    for (unsigned i = 0; i < formula->step_count; i++) {
        struct symbol symbol;

        if (formula->steps[i].operation != STEP_NAME)
            continue;
        symbol = description_symbol(description, formula->names[formula->steps[i].name]);
        if (symbol.kind != SYMBOL_NODE)
            continue;
        if (!walk_node(walk, symbol.index))
            return false;
        cost += walk->visits[symbol.index].cost;
        if (walk->visits[symbol.index].depth >= visit->depth)
            visit->depth = (uint8_t)(walk->visits[symbol.index].depth + 1);
        if (cost > DESCRIPTION_COST || visit->depth >= DESCRIPTION_DEPTH)
            return complain_at(walk->parser, place->source, place->line, place->formula_column,
                               "at most 32 nodes in a chain and 100000 steps in all",
                               "formula needs too many others");
    }
    visit->cost = cost;
    return true;
}

static bool walk_node(struct walk *walk, unsigned index)
{
    struct visit *visit = &walk->visits[index];
    const struct node_place *place = &walk->parser->node_places[index];
    bool ok;

    if (visit->open)
        return complain_cycle(walk, index);
    if (visit->cost > 0)
        return true;
    if (walk->path_length == DESCRIPTION_DEPTH)
        return complain_at(walk->parser, place->source, place->line, place->formula_column,
                           "at most 32 nodes in a chain", "formula needs too many others");
    visit->open = true;
    walk->path[walk->path_length++] = index;
    ok = walk_names(walk, index);
    walk->path_length--;
    visit->open = false;
    return ok;
}

static bool check_erratum(struct parser *parser, unsigned index)
{
    struct erratum *erratum = &parser->description->errata[index];
    const struct erratum_place *place = &parser->erratum_places[index];
    const char *at = place->events.text, *end = at + place->events.length;
    unsigned count = 1;

    for (const char *c = at; c < end; c++)
        count += *c == ',';
    erratum->events = pool_take(&parser->pool, count * sizeof(*erratum->events));
    if (erratum->events == NULL)
        return false;
    for (; count > 0; count--) {
        const char *start = at;
        char name[DESCRIPTION_NAME] = "";

        while (at < end && *at != ',')
            at++;
        if (at - start < DESCRIPTION_NAME)
            memcpy(name, start, (size_t)(at - start));
        erratum->events[erratum->event_count] = description_event(parser->description, name);
        if (erratum->events[erratum->event_count++] == NULL)
            return complain_at(parser, place->source, place->line,
                               place->column + (uint32_t)(start - place->events.text),
                               "an event of this description", "erratum %s names an unknown event",
                               erratum->name);
        at++;
    }
    return true;
}

static bool check_topdown(struct parser *parser)
{
    const struct description *description = parser->description;
    unsigned deepest = 0, slots = 0, metrics = 0;

    for (unsigned i = 0; i < description->node_count; i++)
        if (description->nodes[i].level > deepest)
            deepest = description->nodes[i].level;
    for (unsigned i = 0; i < description->event_count; i++) {
        slots += description->events[i].kind == EVENT_SLOTS;
        metrics += description->events[i].kind == EVENT_METRIC;
    }
    if (description->levels > deepest)
        return complain_at(parser, 0, 1, 1, "nodes of every level",
                           "topdown states %u levels, the nodes have %u", description->levels,
                           deepest);
    if ((metrics > 0 || description->method == TOPDOWN_PERF_METRICS) && slots == 0)
        return complain_at(parser, 0, 1, 1, "slots NAME",
                           "PERF_METRICS needs a name for its slots");
    return true;
}

bool parse_check(struct parser *parser)
{
    struct description *description = parser->description;
    struct walk walk = {.parser = parser};

    parse_close_up(parser);
    if (!parse_enter_aliases(parser) || !parse_derive(parser))
        return false;
    walk.visits = pool_take(&parser->pool, (description->node_count + 1) * sizeof(*walk.visits));
    if (walk.visits == NULL)
        return false;
    for (unsigned i = 0; i < description->node_count; i++)
        if (!check_names(parser, i) || !check_parent(parser, i) || !check_threshold(parser, i))
            return false;
    for (unsigned i = 0; i < description->node_count; i++)
        if (!walk_node(&walk, i))
            return false;
    for (unsigned i = 0; i < description->erratum_count; i++)
        if (!check_erratum(parser, i))
            return false;
    return check_topdown(parser);
}
