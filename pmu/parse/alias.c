#include "alias.h"

#include "boot/format.h"
#include "boot/text.h"

/* The entry of that name: an inherited one is replaced. Null after a complaint. */
static struct alias *entry_of(struct parser *parser, const char *name, const char *at)
{
    struct description *description = parser->description;
    unsigned index = 0;

    while (index < description->alias_count && strcmp(description->aliases[index].name, name) != 0)
        index++;
    if (index < description->alias_count && parser->alias_places[index].source == parser->source) {
        complain(parser, at, "each name once", "%s is stated twice", name);
        return NULL;
    }
    description->alias_count += index == description->alias_count;
    parser->alias_places[index] = (struct alias_place){
        .source = parser->source, .line = parser->line, .column = parse_column(parser, at)};
    return &description->aliases[index];
}

bool parse_alias(struct parser *parser)
{
    struct alias alias, *entry;
    const char *at;

    if (!parse_name(parser, "a name that kernels use", alias.name))
        return false;
    at = parser->at - strlen(alias.name);
    if (!parse_name(parser, "the event or node that has the name, too", alias.of))
        return false;
    entry = entry_of(parser, alias.name, at);
    if (entry == NULL)
        return false;
    *entry = alias;
    return parse_end(parser);
}

static bool enter(struct parser *parser, unsigned index)
{
    const struct description *description = parser->description;
    struct alias *alias = &description->aliases[index];
    const struct alias_place *place = &parser->alias_places[index];
    struct symbol *symbol = symbols_place(&description->symbols, alias->name);
    const struct symbol of = *symbols_place(&description->symbols, alias->of);

    if (symbol->kind != SYMBOL_NONE)
        return complain_at(parser, place->source, place->line, place->column, "another name",
                           "%s is a name of its own already", alias->name);
    if (of.kind != SYMBOL_EVENT && of.kind != SYMBOL_NODE)
        return complain_at(parser, place->source, place->line, place->column,
                           "an event or node of this description", "unknown name %s", alias->of);
    *symbol = of;
    symbol->name = alias->name;
    return true;
}

bool parse_enter_aliases(struct parser *parser)
{
    for (unsigned i = 0; i < parser->description->alias_count; i++)
        if (!enter(parser, i))
            return false;
    return true;
}
