#include "inherit.h"

#include "boot/text.h"

bool parse_without(struct parser *parser)
{
    char name[DESCRIPTION_NAME];
    unsigned count = 0;

    for (;;) {
        struct slice word = parse_word(parser);
        struct symbol *symbol;

        if (word.length == 0 && count > 0)
            return true;
        parser->at = word.text;
        if (!parse_name(parser, "a name that is inherited", name))
            return false;
        symbol = symbols_place(&parser->description->symbols, name);
        if (symbol->kind == SYMBOL_NONE)
            return complain(parser, word.text, "a name that is inherited", "unknown name %s", name);
        if (symbol->source == parser->source)
            return complain(parser, word.text, "a name that is inherited",
                            "%s is stated in this file", name);
        parse_drop(symbol);
        count++;
    }
}

static void enter(struct description *description, char *name, enum symbol_kind kind,
                  unsigned index)
{
    *symbols_place(&description->symbols, name) =
        (struct symbol){.name = name, .kind = (uint8_t)kind, .index = (uint16_t)index};
}

static void close_up_nodes(struct parser *parser)
{
    struct description *description = parser->description;
    unsigned kept = 0;

    for (unsigned i = 0; i < description->node_count; i++) {
        if (!description->nodes[i].name[0])
            continue;
        description->nodes[kept] = description->nodes[i];
        parser->node_places[kept] = parser->node_places[i];
        kept++;
    }
    description->node_count = kept;
    for (unsigned i = 0; i < kept; i++)
        enter(description, description->nodes[i].name, SYMBOL_NODE, i);
}

void parse_close_up(struct parser *parser)
{
    struct description *description = parser->description;
    unsigned kept = 0;

    memset(description->symbols.places, 0,
           (description->symbols.mask + 1u) * sizeof(*description->symbols.places));
    for (unsigned i = 0; i < description->event_count; i++)
        if (description->events[i].name[0])
            description->events[kept++] = description->events[i];
    description->event_count = kept;
    for (unsigned i = 0; i < kept; i++)
        enter(description, description->events[i].name, SYMBOL_EVENT, i);
    kept = 0;
    for (unsigned i = 0; i < description->parameter_count; i++)
        if (description->parameters[i].name[0])
            description->parameters[kept++] = description->parameters[i];
    description->parameter_count = kept;
    for (unsigned i = 0; i < kept; i++)
        enter(description, description->parameters[i].name, SYMBOL_PARAMETER, i);
    close_up_nodes(parser);
}
