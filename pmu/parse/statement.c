#include "statement.h"

#include "about.h"
#include "alias.h"
#include "boot/format.h"
#include "boot/text.h"
#include "event.h"
#include "inherit.h"
#include "node.h"
#include "pmu/formula/number.h"
#include "pmu/kinds/kinds.h"
#include "signature.h"

enum statement {
    CPU,
    LIKE,
    WITHOUT,
    SIGNATURE,
    TABLE,
    WIDTH,
    EVENT,
    METRIC,
    SLOTS,
    OUTSIDE,
    LET,
    PARAMETER,
    NODE,
    TOPDOWN,
    LBR,
    PEBS,
    ERRATUM,
    PRIME,
    LEAKS,
    REFUSE,
    SPECULATIVE,
    UNPINNED,
    ALIAS,
    STATEMENTS
};

static bool parse_cpu(struct parser *parser)
{
    struct slice word = parse_word(parser);

    if (!slice_is(word, parser->sources[parser->source].name))
        return complain(parser, word.text, "the name of the file without .def",
                        "not the name of this file");
    return parse_end(parser);
}

/* parse_chain has followed the name already; only the place of the statement is left to check. */
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
    return true;
}

static bool parse_width(struct parser *parser)
{
    uint64_t width;

    if (!parse_number(parser, 64, "issue slots per cycle from 1 to 64", &width))
        return false;
    if (width == 0)
        return complain(parser, parser->at - 1, "issue slots per cycle from 1 to 64",
                        "a width of 0");
    parser->description->width = (unsigned)width;
    return define_parameter(parser, "width", (double)width, parser->begin) && parse_end(parser);
}

static bool parse_parameter(struct parser *parser)
{
    char name[DESCRIPTION_NAME];
    const char *at;
    struct slice word;
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
    struct event event = {.kind = EVENT_METRIC, .architectural = -1};
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
    struct event event = {.kind = EVENT_SLOTS, .fixed = 3, .architectural = -1};

    return parse_name(parser, "a name for the slots of PERF_METRICS", event.name) &&
           define_event(parser, &event, parser->at - strlen(event.name));
}

static bool parse_outside(struct parser *parser)
{
    struct event event = {.kind = EVENT_OUTSIDE, .architectural = -1};
    const char *at;

    if (!parse_name(parser, "a name for a value from outside", event.name))
        return false;
    at = parser->at - strlen(event.name);
    event.why = parse_text(parser, "why no counter of a core counts it");
    return event.why != NULL && define_event(parser, &event, at);
}

/* The tables of an inherited file are read and not kept. */
static bool parse_table(struct parser *parser)
{
    struct description *description = parser->description;
    unsigned count = 0;

    for (;;) {
        struct slice word = parse_word(parser);

        if (word.length == 0 && count == 0)
            return complain(parser, word.text, "KEY ...", "name of a table missing");
        if (word.length == 0)
            break;
        if (count == DESCRIPTION_TABLES || word.length >= sizeof(description->tables[0].name))
            return complain(parser, word.text, "at most 4 names of at most 15 bytes",
                            "too many tables, or a name too long");
        if (parser->source == 0)
            memcpy(description->tables[count].name, word.text, word.length);
        count++;
    }
    if (parser->source == 0)
        description->table_count = count;
    return true;
}

/* False: no method has that name. */
static bool topdown_method(struct slice word, struct description *description)
{
    static const char *const names[] = {
        [TOPDOWN_NONE] = "none",
        [TOPDOWN_FORMULA] = "formula",
        [TOPDOWN_PERF_METRICS] = "perf_metrics",
    };

    description->kind = NULL;
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (slice_is(word, names[i])) {
            description->method = (enum topdown_method)i;
            return true;
        }
    for (unsigned i = 0; (description->kind = pmu_kind_at(i)) != NULL; i++)
        if (description->kind->name != NULL && slice_is(word, description->kind->name)) {
            description->method = TOPDOWN_OWN;
            return true;
        }
    return false;
}

static bool complain_method(struct parser *parser, struct slice word)
{
    char expected[120] = "formula, perf_metrics";
    const struct pmu_kind *kind;

    for (unsigned i = 0; (kind = pmu_kind_at(i)) != NULL; i++)
        if (kind->name != NULL)
            format(expected + strlen(expected), sizeof(expected) - strlen(expected), ", %s",
                   kind->name);
    format(expected + strlen(expected), sizeof(expected) - strlen(expected), " or none");
    return complain(parser, word.text, expected, "unknown Topdown method");
}

static bool parse_topdown(struct parser *parser)
{
    struct slice word = parse_word(parser);
    struct description *description = parser->description;
    uint64_t levels;

    description->levels = 0;
    if (!topdown_method(word, description))
        return complain_method(parser, word);
    if (description->method == TOPDOWN_NONE)
        return parse_end(parser);
    word = parse_word(parser);
    if (!slice_is(word, "levels"))
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
    struct slice word = parse_word(parser);
    const struct lbr_kind *kind = kinds_lbr(word);
    char names[KINDS_NAMES];

    if (kind == NULL && !slice_is(word, "none"))
        return complain(parser, word.text, kinds_lbr_names(names),
                        "unknown kind of last-branch record");
    parser->description->lbr = kind;
    return parse_end(parser);
}

static bool parse_pebs(struct parser *parser)
{
    struct slice word = parse_word(parser);
    const struct pebs_kind *kind = kinds_pebs(word);
    char names[KINDS_NAMES];

    if (kind == NULL && !slice_is(word, "none"))
        return complain(parser, word.text, kinds_pebs_names(names), "unknown kind of PEBS record");
    parser->description->pebs = kind;
    return parse_end(parser);
}

/* The errata of an inherited file are read and not kept. */
static bool parse_erratum(struct parser *parser)
{
    struct description *description = parser->description;
    struct erratum *erratum = &description->errata[description->erratum_count];
    struct erratum_place *place = &parser->erratum_places[description->erratum_count];

    if (!parse_name(parser, "an erratum's name", erratum->name))
        return false;
    *place = (struct erratum_place){.source = parser->source, .line = parser->line};
    place->events = parse_word(parser);
    place->column = parse_column(parser, place->events.text);
    if (place->events.length == 0)
        return complain(parser, parser->at, "EVENT[,EVENT...]", "events missing");
    erratum->text = parse_text(parser, "what is wrong with the events");
    if (erratum->text == NULL)
        return false;
    description->erratum_count += parser->source == 0;
    return true;
}

/* Whether the statement says `none`, which ends it. */
static bool parse_none(struct parser *parser)
{
    const char *at = parser->at;

    if (slice_is(parse_word(parser), "none"))
        return true;
    parser->at = at;
    return false;
}

static bool parse_prime(struct parser *parser)
{
    struct quirks *quirks = &parser->description->quirks;

    memset(quirks->prime, 0, sizeof(quirks->prime));
    if (parse_none(parser))
        return parse_end(parser);
    for (unsigned i = 0; i < COUNT_OF(quirks->prime); i++) {
        uint64_t value;

        if (!parse_number(parser, UINT32_MAX, "four values of IA32_PERFEVTSELx, or none", &value))
            return false;
        quirks->prime[i] = (uint32_t)value;
    }
    return parse_end(parser);
}

static bool parse_leaks(struct parser *parser)
{
    struct quirks *quirks = &parser->description->quirks;

    quirks->leak_count = 0;
    if (parse_none(parser))
        return parse_end(parser);
    do {
        uint64_t code;

        if (quirks->leak_count == QUIRK_CODES)
            return complain(parser, parser->at, "at most 4 codes of events", "too many codes");
        if (!parse_number(parser, 0xff, "codes of events, or none", &code))
            return false;
        quirks->leaks[quirks->leak_count++] = (uint8_t)code;
        while (parser->at < parser->end && *parser->at == ' ')
            parser->at++;
    } while (parser->at < parser->end);
    return parse_end(parser);
}

/* The statement of that name of a kind of counters; null: none has it. */
static const struct kind_statement *own_statement(struct parser *parser, struct slice word)
{
    const struct pmu_kind *kind;

    for (unsigned i = 0; (kind = pmu_kind_at(i)) != NULL; i++)
        for (unsigned k = 0; k < kind->statement_count; k++)
            if (slice_is(word, kind->statements[k].name)) {
                parser->kind = kind;
                return &kind->statements[k];
            }
    return NULL;
}

static bool complain_unknown(struct parser *parser, struct slice word)
{
    static const char all[] = "cpu, like, without, signature, table, width, event, metric, slots, "
                              "outside, let, parameter, node, topdown, lbr, pebs, erratum, prime, "
                              "leaks, refuse, speculative, unpinned, alias";
    const struct pmu_kind *kind;
    char expected[300];

    format(expected, sizeof(expected), "%s", all);
    for (unsigned i = 0; (kind = pmu_kind_at(i)) != NULL; i++)
        for (unsigned k = 0; k < kind->statement_count; k++)
            format(expected + strlen(expected), sizeof(expected) - strlen(expected), ", %s",
                   kind->statements[k].name);
    return complain(parser, word.text, expected, "unknown statement '%.*s'",
                    (int)(word.length > 40 ? 40 : word.length), word.text);
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
        [WITHOUT] = {"without", parse_without, false},
        [SIGNATURE] = {"signature", parse_signature, false},
        [TABLE] = {"table", parse_table, true},
        [WIDTH] = {"width", parse_width, true},
        [EVENT] = {"event", parse_event, false},
        [METRIC] = {"metric", parse_metric, false},
        [SLOTS] = {"slots", parse_slots, true},
        [OUTSIDE] = {"outside", parse_outside, false},
        [LET] = {"let", parse_let, false},
        [PARAMETER] = {"parameter", parse_parameter, false},
        [NODE] = {"node", parse_node, false},
        [TOPDOWN] = {"topdown", parse_topdown, true},
        [LBR] = {"lbr", parse_lbr, true},
        [PEBS] = {"pebs", parse_pebs, true},
        [ERRATUM] = {"erratum", parse_erratum, false},
        [PRIME] = {"prime", parse_prime, true},
        [LEAKS] = {"leaks", parse_leaks, true},
        [REFUSE] = {"refuse", parse_refuse, false},
        [SPECULATIVE] = {"speculative", parse_speculative, false},
        [UNPINNED] = {"unpinned", parse_unpinned, false},
        [ALIAS] = {"alias", parse_alias, false},
    };
    struct slice word = parse_word(parser);
    const struct kind_statement *own;
    unsigned statement = 0;

    while (statement < STATEMENTS && !slice_is(word, statements[statement].name))
        statement++;
    own = statement == STATEMENTS ? own_statement(parser, word) : NULL;
    if (statement == STATEMENTS && own == NULL)
        return complain_unknown(parser, word);
    if (parser->statements++ == 0 && statement != CPU)
        return complain(parser, word.text, "cpu NAME", "a description begins with its name");
    if (own != NULL)
        return own->parse(parser);
    if (statements[statement].once && parser->once & 1u << statement)
        return complain(parser, word.text, "this statement once", "%s is stated twice",
                        statements[statement].name);
    parser->once |= 1u << statement;
    parser->open = NULL;
    return statements[statement].parse(parser);
}
