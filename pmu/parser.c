#include "parser.h"

#include <stdarg.h>

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/formula/number.h"

static bool complain_list(struct parser *parser, unsigned source, uint32_t line, uint32_t column,
                          const char *expected, const char *pattern, va_list arguments)
{
    struct complaint *complaint = parser->complaint;

    format(complaint->file, sizeof(complaint->file), "%s.def", parser->sources[source].name);
    complaint->line = line;
    complaint->column = column;
    format_list(complaint->message, sizeof(complaint->message), pattern, arguments);
    format(complaint->expected, sizeof(complaint->expected), "%s", expected);
    return false;
}

bool complain_at(struct parser *parser, unsigned source, uint32_t line, uint32_t column,
                 const char *expected, const char *pattern, ...)
{
    va_list arguments;

    va_start(arguments, pattern);
    complain_list(parser, source, line, column, expected, pattern, arguments);
    va_end(arguments);
    return false;
}

bool complain(struct parser *parser, const char *at, const char *expected, const char *pattern, ...)
{
    va_list arguments;

    va_start(arguments, pattern);
    complain_list(parser, parser->source, parser->line, parse_column(parser, at), expected, pattern,
                  arguments);
    va_end(arguments);
    return false;
}

uint32_t parse_column(const struct parser *parser, const char *at)
{
    return (uint32_t)(at - parser->begin) + 1;
}

static bool is_space_or_tab(char c)
{
    return c == ' ' || c == '\t';
}

typedef char __attribute__((vector_size(16), aligned(1), may_alias)) bytes_16;

/* The first space or tab from `at` on, or `end`. */
static const char *word_end(const char *at, const char *end)
{
    while (end - at >= (ptrdiff_t)sizeof(bytes_16)) {
        const bytes_16 bytes = *(const bytes_16 *)at;
        const unsigned blanks =
            (unsigned)__builtin_ia32_pmovmskb128((bytes == ' ') | (bytes == '\t'));

        if (blanks)
            return at + __builtin_ctz(blanks);
        at += sizeof(bytes_16);
    }
    while (at < end && !is_space_or_tab(*at))
        at++;
    return at;
}

struct slice parse_word(struct parser *parser)
{
    const char *at = parser->at, *end = parser->end;
    struct slice word;

    while (at < end && is_space_or_tab(*at))
        at++;
    word.text = at;
    parser->at = word_end(at, end);
    word.length = (size_t)(parser->at - at);
    return word;
}

bool parse_end(struct parser *parser)
{
    struct slice word = parse_word(parser);

    if (word.length == 0)
        return true;
    return complain(parser, word.text, "the end of the line", "unexpected '%.*s'",
                    (int)(word.length > 60 ? 60 : word.length), word.text);
}

bool parse_number(struct parser *parser, uint64_t limit, const char *expected, uint64_t *value)
{
    struct slice word = parse_word(parser);

    if (word.length == 0)
        return complain(parser, word.text, expected, "number missing");
    if (!number_unsigned(word.text, word.length, value))
        return complain(parser, word.text, expected, "malformed number");
    if (*value > limit)
        return complain(parser, word.text, expected, "number too large");
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether formulas can mention the word as a name. */
static bool is_formula_name(struct slice word)
{
    static const char *const reserved[] = {"if", "else", "min", "max", "NA", "above", "below"};

    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        if (slice_is(word, reserved[i]))
            return false;
    for (size_t i = 0; i < word.length; i++) {
        char c = word.text[i];
        bool start = is_letter(c) || c == '_' || c == '#';

        if (!start && (i == 0 || !((c >= '0' && c <= '9') || c == '.' || c == ':')))
            return false;
    }
    return word.length > 0;
}

bool parse_name(struct parser *parser, const char *expected, char *name)
{
    struct slice word = parse_word(parser);

    if (word.length == 0)
        return complain(parser, word.text, expected, "name missing");
    if (word.length >= DESCRIPTION_NAME)
        return complain(parser, word.text, "at most 71 bytes", "name too long");
    if (!is_formula_name(word))
        return complain(parser, word.text, "letters, digits, _ . : # after a letter, _ or #",
                        "malformed name");
    memcpy(name, word.text, word.length);
    name[word.length] = 0;
    return true;
}

const char *parse_text(struct parser *parser, const char *expected)
{
    size_t length;
    char *text;

    while (parser->at < parser->end && is_space_or_tab(*parser->at))
        parser->at++;
    length = (size_t)(parser->end - parser->at);
    while (length > 0 && is_space_or_tab(parser->at[length - 1]))
        length--;
    if (length == 0) {
        complain(parser, parser->at, expected, "text missing");
        return NULL;
    }
    text = pool_take(&parser->pool, length + 1);
    if (text == NULL)
        return NULL;
    memcpy(text, parser->at, length);
    text[length] = 0;
    parser->at = parser->end;
    return text;
}

/* A new entry of that kind: its index, and where its name will be. */
static struct symbol new_entry(struct description *description, enum symbol_kind kind)
{
    struct symbol symbol = {.kind = (uint8_t)kind};

    switch (kind) {
    case SYMBOL_EVENT:
        symbol.index = (uint16_t)description->event_count++;
        symbol.name = description->events[symbol.index].name;
        break;
    case SYMBOL_PARAMETER:
        symbol.index = (uint16_t)description->parameter_count++;
        symbol.name = description->parameters[symbol.index].name;
        break;
    default:
        symbol.index = (uint16_t)description->node_count++;
        symbol.name = description->nodes[symbol.index].name;
    }
    return symbol;
}

uint32_t parse_define(struct parser *parser, enum symbol_kind kind, const char *name,
                      const char *at)
{
    static const char *const kinds[] = {"nothing", "an event", "a parameter", "a node"};
    const struct symbols *symbols = &parser->description->symbols;
    struct symbol *symbol = symbols_place(symbols, name);

    if (symbol->kind != SYMBOL_NONE && symbol->source == parser->source) {
        if (symbol->kind == kind)
            complain(parser, at, "each name once", "%s is stated twice", name);
        else
            complain(parser, at, "another name", "%s is %s already", name, kinds[symbol->kind]);
        return UINT32_MAX;
    }
    if (symbol->kind != SYMBOL_NONE && symbol->kind != kind) { /* inherited as another kind */
        parse_drop(symbol);
        symbol = symbols_place(symbols, name);
    }
    if (symbol->kind == SYMBOL_NONE)
        *symbol = new_entry(parser->description, kind);
    symbol->source = (uint8_t)parser->source;
    return symbol->index;
}

void parse_drop(struct symbol *symbol)
{
    symbol->name[0] = '\0';
}
