#include "node.h"

#include "boot/text.h"
#include "pmu/formula/formula.h"
#include "pmu/formula/number.h"

/* The formula is between `=` and `above`, `below` or the end of the line. */
static bool parse_formula(struct parser *parser, struct node *node, struct node_place *place)
{
    struct slice word = parse_word(parser);
    struct formula_error error;
    const char *start, *end;
    enum rc rc;

    if (!slice_is(word, "="))
        return complain(parser, word.text, "= FORMULA", "'=' missing");
    while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t'))
        parser->at++;
    start = end = parser->at;
    for (word = parse_word(parser); word.length > 0; word = parse_word(parser)) {
        if (slice_is(word, "above") || slice_is(word, "below"))
            break;
        end = parser->at;
    }
    parser->at = word.text;
    place->formula_column = parse_column(parser, start);
    rc = formula_compile(&node->formula, start, (size_t)(end - start), &parser->pool, &error);
    if (rc == RC_BAD_INPUT)
        return complain(parser, start + error.offset, error.expected, "%s", error.message);
    return rc == RC_OK;
}

/* [above X | below X] [or NODE] [& parent] */
static bool parse_threshold(struct parser *parser, struct node *node, struct node_place *place)
{
    static const char expected[] = "or NODE, & parent or the end of the line";
    struct slice word = parse_word(parser);

    if (word.length == 0)
        return true;
    node->threshold_kind = slice_is(word, "above") ? NODE_ABOVE : NODE_BELOW;
    word = parse_word(parser);
    if (!number_real(word.text, word.length, &node->threshold))
        return complain(parser, word.text, "a number such as 0.15", "malformed threshold");
    word = parse_word(parser);
    if (slice_is(word, "or")) {
        place->or_node = parse_word(parser);
        place->or_column = parse_column(parser, place->or_node.text);
        word = parse_word(parser);
    }
    if (word.length == 0)
        return true;
    if (!slice_is(word, "&") || !slice_is(parse_word(parser), "parent"))
        return complain(parser, word.text, expected, "malformed threshold");
    if (node->level == 1)
        return complain(parser, word.text, "the end of the line",
                        "a node of level 1 has no parent");
    node->threshold_parent = true;
    return parse_end(parser);
}

static bool define_node(struct parser *parser, const struct node *node,
                        const struct node_place *place, const char *at)
{
    uint32_t index = parse_define(parser, SYMBOL_NODE, node->name, at);

    if (index == UINT32_MAX)
        return false;
    parser->description->nodes[index] = *node;
    parser->node_places[index] = *place;
    return true;
}

bool parse_let(struct parser *parser)
{
    struct node node = {.parent = -1, .threshold_or = -1};
    struct node_place place = {.source = parser->source, .line = parser->line};
    const char *at;

    if (!parse_name(parser, "a name for the formula", node.name))
        return false;
    at = parser->at - strlen(node.name);
    return parse_formula(parser, &node, &place) && parse_end(parser) &&
           define_node(parser, &node, &place, at);
}

static bool parse_parent(struct parser *parser, const struct node *node, struct node_place *place)
{
    const char *before = parser->at;
    struct slice word = parse_word(parser);

    if (!slice_is(word, "parent")) {
        parser->at = before;
        if (node->level > 1)
            return complain(parser, word.text, "parent NODE", "%s is of level %u and has no parent",
                            node->name, node->level);
        return true;
    }
    if (node->level == 1)
        return complain(parser, word.text, "=", "a node of level 1 has no parent");
    place->parent = parse_word(parser);
    place->parent_column = parse_column(parser, place->parent.text);
    return true;
}

bool parse_node(struct parser *parser)
{
    struct node node = {.parent = -1, .threshold_or = -1};
    struct node_place place = {.source = parser->source, .line = parser->line};
    const char *at;
    struct slice word;
    uint64_t level;

    if (!parse_name(parser, "a node's name", node.name))
        return false;
    at = parser->at - strlen(node.name);
    word = parse_word(parser);
    if (!slice_is(word, "level"))
        return complain(parser, word.text, "level N", "level missing");
    if (!parse_number(parser, 9, "a level from 1 to 9", &level))
        return false;
    if (level == 0)
        return complain(parser, parser->at - 1, "a level from 1 to 9",
                        "the tree begins with level 1");
    node.level = (unsigned)level;
    return parse_parent(parser, &node, &place) && parse_formula(parser, &node, &place) &&
           parse_threshold(parser, &node, &place) && define_node(parser, &node, &place, at);
}
