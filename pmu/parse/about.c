#include "about.h"

#include "boot/format.h"
#include "boot/text.h"

static bool is_event_or_family(const struct description *description, const char *name)
{
    for (unsigned i = 0; i < description->event_count; i++)
        if (event_is_of(&description->events[i], name))
            return true;
    return false;
}

/* The names of a list that commas separate. */
static bool check_list(struct parser *parser, struct slice list)
{
    const char *end = list.text + list.length;

    for (const char *at = list.text; at <= end; at++) {
        const char *start = at;
        char name[DESCRIPTION_NAME] = "";

        while (at < end && *at != ',')
            at++;
        if (at - start < DESCRIPTION_NAME)
            memcpy(name, start, (size_t)(at - start));
        if (name[0] == 0 || !is_event_or_family(parser->description, name))
            return complain(parser, start,
                            "an event that is stated above, or its part before the `.`",
                            "unknown event %s", name);
    }
    return true;
}

bool parse_refuse(struct parser *parser)
{
    char name[DESCRIPTION_NAME];
    const struct event *event;
    const char *why;

    if (!parse_name(parser, "an event's name", name))
        return false;
    event = description_event(parser->description, name);
    if (event == NULL)
        return complain(parser, parser->at - strlen(name), "an event that is stated above",
                        "unknown event %s", name);
    why = parse_text(parser, "why its counts would be wrong");
    if (why == NULL)
        return false;
    parser->description->events[event - parser->description->events].why = why;
    return true;
}

bool parse_speculative(struct parser *parser)
{
    struct description *description = parser->description;

    do {
        char name[DESCRIPTION_NAME];

        if (description->speculative_count == DESCRIPTION_SPECULATIVE)
            return complain(parser, parser->at, "fewer names", "too many speculative events");
        if (!parse_name(parser, "an event's name, or its part before the `.`", name))
            return false;
        if (!is_event_or_family(description, name))
            return complain(parser, parser->at - strlen(name),
                            "an event that is stated above, or its part before the `.`",
                            "unknown event %s", name);
        format(description->speculative[description->speculative_count++].name, sizeof(name), "%s",
               name);
        while (parser->at < parser->end && *parser->at == ' ')
            parser->at++;
    } while (parser->at < parser->end);
    return parse_end(parser);
}

bool parse_unpinned(struct parser *parser)
{
    struct description *description = parser->description;
    struct unpinned *unpinned = &description->unpinned[description->unpinned_count];
    const struct slice list = parse_word(parser);
    char *names;

    if (list.length == 0)
        return complain(parser, list.text, "NAME[,NAME...]", "events missing");
    if (!check_list(parser, list))
        return false;
    names = pool_take(&parser->pool, list.length + 1);
    if (names == NULL)
        return false;
    memcpy(names, list.text, list.length);
    names[list.length] = 0;
    unpinned->names = names;
    unpinned->why = parse_text(parser, "why no kernel knows what they must count");
    if (unpinned->why == NULL)
        return false;
    if (strlen(unpinned->why) > DESCRIPTION_UNPINNED)
        return complain(parser, parser->end - 1, "a reason of at most 100 bytes",
                        "reason too long");
    description->unpinned_count++;
    return true;
}
