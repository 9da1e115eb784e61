/* What each statement but `event` and `signature` says. */
#include "parse.h"

#include "boot/format.h"
#include "boot/text.h"
#include "number.h"

enum statement {
    CPU,
    LIKE,
    SIGNATURE,
    WIDTH,
    EVENT,
    METRIC,
    SLOTS,
    LET,
    PARAMETER,
    NODE,
    TOPDOWN,
    LBR,
    ERRATUM,
    STATEMENTS
};

static bool parse_cpu(struct parser *parser)
{
    struct word word = parse_word(parser);

    if (!word_is(word, parser->sources[parser->source].name))
        return complain(parser, word.text, "the name of the file without .def",
                        "the description does not name its file");
    return parse_end(parser);
}

/* The chain was followed before; here only its place is checked. */
static bool parse_like(struct parser *parser)
{
    if (parser->statements != 2)
        return complain(parser, parser->begin, "`like` directly after `cpu`",
                        "`like` comes too late");
    if (parse_word(parser).length == 0)
        return complain(parser, parser->at, "the name of a description", "name missing");
    return parse_end(parser);
}

static bool define_parameter(struct parser *parser, const char *name, double value, const char *at)
{
    uint32_t index = parse_define(parser, SYMBOL_PARAMETER, name, at);
    struct parameter *parameter;

    if (index == UINT32_MAX)
        return false;
    parameter = &parser->description->parameters[index];
    format(parameter->name, sizeof(parameter->name), "%s", name);
    parameter->value = value;
    parameter->line = parser->line;
    return true;
}

static bool parse_width(struct parser *parser)
{
    uint64_t width;

    if (!parse_number(parser, 64, "issue slots per cycle from 1 to 64", &width))
        return false;
    if (width == 0)
        return complain(parser, parser->at - 1, "issue slots per cycle from 1 to 64",
                        "no CPU is that narrow");
    parser->description->width = (unsigned)width;
    return define_parameter(parser, "width", (double)width, parser->begin) && parse_end(parser);
}

static bool parse_parameter(struct parser *parser)
{
    char name[DESCRIPTION_NAME];
    const char *at;
    struct word word;
    double value;

    if (!parse_name(parser, "a parameter's name", name))
        return false;
    at = parser->at - strlen(name);
    word = parse_word(parser);
    if (!number_real(word.text, word.length, &value))
        return complain(parser, word.text, "a number such as 4, 0x40 or 0.5", "malformed number");
    return define_parameter(parser, name, value, at) && parse_end(parser);
}

static bool define_event(struct parser *parser, const struct event *event, const char *at)
{
    uint32_t index = parse_define(parser, SYMBOL_EVENT, event->name, at);

    if (index == UINT32_MAX)
        return false;
    parser->description->events[index] = *event;
    return parse_end(parser);
}

static bool parse_metric(struct parser *parser)
{
    struct event event = {.kind = EVENT_METRIC, .architectural = -1, .line = parser->line};
    const char *at;
    uint64_t field;

    if (!parse_name(parser, "a name for a byte of PERF_METRICS", event.name))
        return false;
    at = parser->at - strlen(event.name);
    if (!parse_number(parser, 7, "a byte of PERF_METRICS from 0 to 7", &field))
        return false;
    event.field = (uint8_t)field;
    return define_event(parser, &event, at);
}

static bool parse_slots(struct parser *parser)
{
    struct event event = {
        .kind = EVENT_SLOTS, .fixed = 3, .architectural = -1, .line = parser->line};

    return parse_name(parser, "a name for the slots of PERF_METRICS", event.name) &&
           define_event(parser, &event, parser->at - strlen(event.name));
}

/* The formula stands between `=` and `above`, `below` or the end of the line. */
static bool parse_formula(struct parser *parser, struct node *node, struct node_place *place)
{
    struct word word = parse_word(parser);
    struct formula_error error;
    const char *start, *end;
    enum rc rc;

    if (!word_is(word, "="))
        return complain(parser, word.text, "= FORMULA", "'=' missing");
    while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t'))
        parser->at++;
    start = end = parser->at;
    for (word = parse_word(parser); word.length > 0; word = parse_word(parser)) {
        if (word_is(word, "above") || word_is(word, "below"))
            break;
        end = parser->at;
    }
    parser->at = word.text;
    place->formula_column = parse_column(parser, start);
    rc = formula_compile_in(&node->formula, start, (size_t)(end - start), &parser->pool, &error);
    if (rc == RC_BAD_INPUT)
        return complain(parser, start + error.offset, error.expected, "%s", error.message);
    return rc == RC_OK;
}

static bool parse_threshold(struct parser *parser, struct node *node)
{
    struct word kind = parse_word(parser), number;

    if (kind.length == 0)
        return true;
    number = parse_word(parser);
    if (!number_real(number.text, number.length, &node->threshold))
        return complain(parser, number.text, "a number such as 0.15", "malformed threshold");
    node->threshold_kind = word_is(kind, "above") ? NODE_ABOVE : NODE_BELOW;
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

static bool parse_let(struct parser *parser)
{
    struct node node = {.parent = -1, .line = parser->line};
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
    struct word word = parse_word(parser);

    if (!word_is(word, "parent")) {
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

static bool parse_node(struct parser *parser)
{
    struct node node = {.parent = -1, .line = parser->line};
    struct node_place place = {.source = parser->source, .line = parser->line};
    const char *at;
    struct word word;
    uint64_t level;

    if (!parse_name(parser, "a node's name", node.name))
        return false;
    at = parser->at - strlen(node.name);
    word = parse_word(parser);
    if (!word_is(word, "level"))
        return complain(parser, word.text, "level N", "level missing");
    if (!parse_number(parser, 9, "a level from 1 to 9", &level))
        return false;
    if (level == 0)
        return complain(parser, parser->at - 1, "a level from 1 to 9",
                        "the tree begins with level 1");
    node.level = (unsigned)level;
    return parse_parent(parser, &node, &place) && parse_formula(parser, &node, &place) &&
           parse_threshold(parser, &node) && define_node(parser, &node, &place, at);
}

static bool parse_topdown(struct parser *parser)
{
    struct word word = parse_word(parser);
    struct description *description = parser->description;
    uint64_t levels;

    description->levels = 0;
    if (word_is(word, "none")) {
        description->method = TOPDOWN_NONE;
        return parse_end(parser);
    }
    if (!word_is(word, "formula") && !word_is(word, "perf_metrics"))
        return complain(parser, word.text, "formula, perf_metrics or none",
                        "unknown Topdown method");
    description->method = word_is(word, "formula") ? TOPDOWN_FORMULA : TOPDOWN_PERF_METRICS;
    word = parse_word(parser);
    if (!word_is(word, "levels"))
        return complain(parser, word.text, "levels N", "levels missing");
    if (!parse_number(parser, 9, "levels from 1 to 9", &levels))
        return false;
    if (levels == 0)
        return complain(parser, parser->at - 1, "levels from 1 to 9",
                        "a tree without levels is `topdown none`");
    description->levels = (unsigned)levels;
    return parse_end(parser);
}

static bool parse_lbr(struct parser *parser)
{
    struct word word = parse_word(parser);

    if (!word_is(word, "skylake32") && !word_is(word, "none"))
        return complain(parser, word.text, "skylake32 or none",
                        "unknown kind of last-branch record");
    parser->description->lbr = word_is(word, "none") ? LBR_NONE : LBR_SKYLAKE32;
    return parse_end(parser);
}

static bool parse_erratum(struct parser *parser)
{
    struct description *description = parser->description;
    struct erratum *erratum = &description->errata[description->erratum_count];
    struct erratum_place *place = &parser->erratum_places[description->erratum_count];
    size_t length;
    char *text;

    if (!parse_name(parser, "an erratum's name", erratum->name))
        return false;
    *place = (struct erratum_place){.source = parser->source, .line = parser->line};
    place->events = parse_word(parser);
    place->column = parse_column(parser, place->events.text);
    if (place->events.length == 0)
        return complain(parser, parser->at, "EVENT[,EVENT...]", "events missing");
    while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t'))
        parser->at++;
    length = (size_t)(parser->end - parser->at);
    if (length == 0)
        return complain(parser, parser->at, "what is wrong with the events", "text missing");
    text = pool_take(&parser->pool, length + 1);
    if (!text)
        return false;
    memcpy(text, parser->at, length);
    text[length] = 0;
    erratum->text = text;
    erratum->line = parser->line;
    description->erratum_count++;
    return true;
}

bool parse_statement(struct parser *parser)
{
    static const struct {
        const char *name;
        bool (*parse)(struct parser *parser);
        bool once;
    } statements[STATEMENTS] = {
        [CPU] = {"cpu", parse_cpu, true},
        [LIKE] = {"like", parse_like, true},
        [SIGNATURE] = {"signature", parse_signature, false},
        [WIDTH] = {"width", parse_width, true},
        [EVENT] = {"event", parse_event, false},
        [METRIC] = {"metric", parse_metric, false},
        [SLOTS] = {"slots", parse_slots, true},
        [LET] = {"let", parse_let, false},
        [PARAMETER] = {"parameter", parse_parameter, false},
        [NODE] = {"node", parse_node, false},
        [TOPDOWN] = {"topdown", parse_topdown, true},
        [LBR] = {"lbr", parse_lbr, true},
        [ERRATUM] = {"erratum", parse_erratum, false},
    };
    struct word word = parse_word(parser);
    unsigned statement = 0;

    while (statement < STATEMENTS && !word_is(word, statements[statement].name))
        statement++;
    if (statement == STATEMENTS)
        return complain(parser, word.text,
                        "cpu, like, signature, width, event, metric, slots, let, parameter, node, "
                        "topdown, lbr, erratum",
                        "unknown statement '%.*s'", (int)(word.length > 40 ? 40 : word.length),
                        word.text);
    if (parser->statements++ == 0 && statement != CPU)
        return complain(parser, word.text, "cpu NAME", "a description begins with its name");
    if (statements[statement].once && parser->once & 1u << statement)
        return complain(parser, word.text, "this statement once", "%s is stated twice",
                        statements[statement].name);
    parser->once |= 1u << statement;
    return statements[statement].parse(parser);
}
