#include "named_count.h"

#include "boot/text.h"
#include "select.h"

/* Complains about the place of the complaint in the word. */
static bool complain_in(struct parser *parser, struct slice word, const struct complaint *in_word)
{
    return complain(parser, word.text + in_word->column - 1, in_word->expected, "%s",
                    in_word->message);
}

static char *copy(struct parser *parser, struct slice word)
{
    char *text = pool_take(&parser->pool, word.length + 1);

    if (text != NULL) {
        memcpy(text, word.text, word.length);
        text[word.length] = 0;
    }
    return text;
}

/* Takes EVENT:MASK[:MASK...]; `own` becomes the event. */
static bool parse_selection(struct parser *parser, const void **own, const char **selects)
{
    struct netburst_request request;
    struct complaint complaint;
    struct slice word = parse_word(parser);

    if (!netburst_read(&request, parser->description, word, &complaint))
        return complain_in(parser, word, &complaint);
    *own = request.event;
    *selects = copy(parser, word);
    return *selects != NULL;
}

/* Without `second` both logical processors count by the same masks. An event that counts for both
 * together would be wrong on either, unless its masks tell them apart. */
static bool parse_second(struct parser *parser, struct event *event)
{
    struct slice word = parse_word(parser);

    event->selects[1] = event->selects[0];
    if (word.length == 0)
        return true;
    if (!slice_is(word, "second"))
        return complain(parser, word.text, "second EVENT:MASK", "unknown option of a count");
    return parse_selection(parser, &event->own, &event->selects[1]) && parse_end(parser);
}

bool netburst_parse_count(struct parser *parser, bool *mine)
{
    struct event event = {.kind = EVENT_NAMED, .architectural = -1, .by = parser->kind};
    const char *begin = parser->at, *name_at;
    uint32_t index;

    parse_word(parser);
    *mine = slice_is(parse_word(parser), "counts");
    parser->at = begin;
    if (!*mine)
        return true;
    if (!parse_name(parser, "an event's name", event.name))
        return false;
    name_at = parser->at - strlen(event.name);
    parse_word(parser);
    if (!parse_selection(parser, &event.own, &event.selects[0]) || !parse_second(parser, &event))
        return false;
    index = parse_define(parser, SYMBOL_EVENT, event.name, name_at);
    if (index == UINT32_MAX)
        return false;
    parser->description->events[index] = event;
    return true;
}
