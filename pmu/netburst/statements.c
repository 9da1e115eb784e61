#include "statements.h"

#include "boot/text.h"
#include "event.h"
#include "named_count.h"
#include "pmu/formula/number.h"
#include "registers.h"

#define SELECT_LIMIT 0x3f

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Copies a name, which may begin with a digit as those of the manual do. */
static bool copy_name(struct parser *parser, struct slice word, const char *expected, char *name)
{
    if (word.length == 0)
        return complain(parser, word.text, expected, "name missing");
    if (word.length >= NETBURST_NAME)
        return complain(parser, word.text, "at most 39 bytes", "name too long");
    for (size_t i = 0; i < word.length; i++)
        if (!is_plain(word.text[i]))
            return complain(parser, word.text + i, "letters, digits and _", "malformed name");
    memcpy(name, word.text, word.length);
    name[word.length] = 0;
    return true;
}

/* Takes the part before the separator off *rest. */
static struct slice cut(struct slice *rest, char separator)
{
    struct slice part = {rest->text, 0};

    while (part.length < rest->length && part.text[part.length] != separator)
        part.length++;
    rest->text += part.length + (part.length < rest->length);
    rest->length -= part.length + (part.length < rest->length);
    return part;
}

static bool ends_with_separator(struct slice word)
{
    return word.length > 0 &&
           (word.text[word.length - 1] == ',' || word.text[word.length - 1] == ':');
}

/* Takes one ESCR, or two with a comma between them. */
static bool parse_escrs(struct parser *parser, uint8_t escrs[2], uint8_t *count)
{
    static const char expected[] = "an ESCR or two such as CRU_ESCR0,CRU_ESCR1";
    struct slice rest = parse_word(parser);

    *count = 0;
    if (rest.length == 0 || ends_with_separator(rest))
        return complain(parser, rest.text, expected, "ESCR missing");
    while (rest.length > 0) {
        struct slice name = cut(&rest, ',');
        unsigned escr = netburst_escr_named(name);

        if (escr == NETBURST_NONE)
            return complain(parser, name.text, expected, "unknown ESCR '%.*s'",
                            (int)(name.length > 40 ? 40 : name.length), name.text);
        if (*count == 2 || (*count == 1 && !netburst_are_pair(*escrs, escr)))
            return complain(parser, name.text, expected, "these ESCRs are no pair");
        escrs[(*count)++] = (uint8_t)escr;
    }
    return true;
}

static bool parse_second_from(struct parser *parser, struct netburst_event *event)
{
    uint64_t model, stepping;

    if (event->escr_count < 2)
        return complain(parser, parser->at, "two ESCRs", "there is no second ESCR");
    if (!parse_number(parser, 6, "a model from 0 to 6", &model) ||
        !parse_number(parser, 15, "a stepping from 0 to 15", &stepping))
        return false;
    event->second_model = (uint8_t)model;
    event->second_stepping = (uint8_t)stepping;
    return true;
}

static bool parse_options(struct parser *parser, struct netburst_event *event)
{
    for (;;) {
        struct slice word = parse_word(parser);

        if (word.length == 0)
            return true;
        if (slice_is(word, "second_from")) {
            if (!parse_second_from(parser, event))
                return false;
        } else if (slice_is(word, "thread_independent")) {
            event->thread_independent = true;
        } else if (slice_is(word, "tags_only")) {
            event->tags_only = true;
        } else {
            return complain(parser, word.text, "second_from, thread_independent or tags_only",
                            "unknown option '%.*s' of an event",
                            (int)(word.length > 40 ? 40 : word.length), word.text);
        }
    }
}

static bool define(struct parser *parser, struct netburst_event *escr, const char *name_at)
{
    struct event event = {
        .kind = EVENT_MASKED, .architectural = -1, .by = parser->kind, .own = escr};
    uint32_t index = parse_define(parser, SYMBOL_EVENT, escr->name, name_at);

    if (index == UINT32_MAX)
        return false;
    memcpy(event.name, escr->name, sizeof(escr->name));
    parser->description->events[index] = event;
    parser->open = escr;
    return true;
}

static bool parse_escr_event(struct parser *parser, bool *mine)
{
    const char *begin = parser->at;
    struct slice name = parse_word(parser);
    struct netburst_event *event;
    uint64_t select;

    *mine = slice_is(parse_word(parser), "escr");
    if (!*mine) {
        parser->at = begin;
        return true;
    }
    event = pool_take(&parser->pool, sizeof(*event));
    if (event == NULL || !copy_name(parser, name, "an event's name", event->name))
        return false;
    if (!parse_number(parser, SELECT_LIMIT, "a value of ESCR_EVENT_SELECT from 1 to 0x3f", &select))
        return false;
    if (select == 0)
        return complain(parser, parser->at - 1, "a value of ESCR_EVENT_SELECT from 1 to 0x3f",
                        "0 selects no event");
    event->select = (uint8_t)select;
    return parse_escrs(parser, event->escrs, &event->escr_count) && parse_options(parser, event) &&
           define(parser, event, name.text);
}

bool netburst_parse_event(struct parser *parser, bool *mine)
{
    if (!parse_escr_event(parser, mine))
        return false;
    return *mine || netburst_parse_count(parser, mine);
}

/* The event above, or null after a complaint. */
static struct netburst_event *event_above(struct parser *parser)
{
    if (parser->open == NULL)
        complain(parser, parser->begin, "event NAME escr SELECT ESCR on a line above",
                 "no event of an ESCR is above");
    return parser->open;
}

static bool parse_masks(struct parser *parser)
{
    static const char expected[] = "BIT NAME ..., bits from 0 to 15";
    struct netburst_event *event = event_above(parser);

    if (event == NULL)
        return false;
    do {
        struct netburst_mask mask;
        uint64_t bit;

        if (!parse_number(parser, NETBURST_MASKS - 1, expected, &bit) ||
            !copy_name(parser, parse_word(parser), expected, mask.name))
            return false;
        mask.bit = (uint8_t)bit;
        for (unsigned i = 0; i < event->mask_count; i++)
            if (event->masks[i].bit == bit || strcmp(event->masks[i].name, mask.name) == 0)
                return complain(parser, parser->at - strlen(mask.name), "each bit and name once",
                                "bit or name of a mask stated twice");
        event->masks[event->mask_count++] = mask;
        while (parser->at < parser->end && is_blank(*parser->at))
            parser->at++;
    } while (parser->at < parser->end);
    return true;
}

/* Takes names of masks off *rest, with colons between them. */
static bool parse_mask_names(struct parser *parser, const struct netburst_event *event,
                             struct slice rest, uint16_t *mask)
{
    *mask = 0;
    if (rest.length == 0 || ends_with_separator(rest))
        return complain(parser, rest.text, "MASK or MASK:MASK of the event", "mask missing");
    while (rest.length > 0) {
        struct slice name = cut(&rest, ':');
        unsigned i = 0;

        while (i < event->mask_count && !slice_is(name, event->masks[i].name))
            i++;
        if (i == event->mask_count)
            return complain(parser, name.text, "a mask of the event", "%s has no mask '%.*s'",
                            event->name, (int)(name.length > 40 ? 40 : name.length), name.text);
        *mask |= (uint16_t)(1u << event->masks[i].bit);
    }
    return true;
}

static bool parse_value(struct parser *parser, uint32_t *value)
{
    uint64_t number;

    if (!parse_number(parser, UINT32_MAX, "a value of at most 32 bits", &number))
        return false;
    if (number == 0)
        return complain(parser, parser->at - 1, "a value that is not 0", "0 tags nothing");
    *value = (uint32_t)number;
    return true;
}

/* EVENT:MASK[:MASK...], and the ESCRs of that event for a start. */
static bool parse_upstream(struct parser *parser, struct netburst_tagged *tagged)
{
    struct slice rest = parse_word(parser), name = cut(&rest, ':');
    char text[DESCRIPTION_NAME] = "";
    const struct netburst_event *own;
    const struct event *event;

    if (name.length < sizeof(text))
        memcpy(text, name.text, name.length);
    event = description_event(parser->description, text);
    if (event == NULL || event->kind != EVENT_MASKED)
        return complain(parser, name.text, "EVENT:MASK of an event stated above",
                        "'%.*s' is no event that could tag",
                        (int)(name.length > 40 ? 40 : name.length), name.text);
    own = event->own;
    tagged->upstream = own;
    memcpy(tagged->upstream_escrs, own->escrs, sizeof(own->escrs));
    tagged->upstream_escr_count = own->escr_count;
    return parse_mask_names(parser, own, rest, &tagged->upstream_mask);
}

static bool parse_tag(struct parser *parser, struct netburst_tagged *tagged)
{
    uint64_t tag;

    if (!parse_number(parser, 15, "a tag value from 1 to 15", &tag))
        return false;
    if (tag == 0)
        return complain(parser, parser->at - 1, "a tag value from 1 to 15", "0 tags nothing");
    tagged->upstream_tag = (uint8_t)tag;
    return true;
}

static bool parse_tagged_options(struct parser *parser, struct netburst_tagged *tagged)
{
    for (;;) {
        struct slice word = parse_word(parser);
        bool ok;

        if (word.length == 0)
            break;
        if (slice_is(word, "pebs_enable"))
            ok = parse_value(parser, &tagged->pebs_enable);
        else if (slice_is(word, "matrix"))
            ok = parse_value(parser, &tagged->matrix);
        else if (slice_is(word, "by"))
            ok = parse_upstream(parser, tagged);
        else if (slice_is(word, "tag") && tagged->upstream != NULL)
            ok = parse_tag(parser, tagged);
        else if (slice_is(word, "on") && tagged->upstream != NULL)
            ok = parse_escrs(parser, tagged->upstream_escrs, &tagged->upstream_escr_count);
        else
            ok = complain(parser, word.text, "pebs_enable, matrix, by, then tag and on",
                          "unknown option '%.*s' of tagged uops",
                          (int)(word.length > 40 ? 40 : word.length), word.text);
        if (!ok)
            return false;
    }
    if (!tagged->pebs_enable != !tagged->matrix)
        return complain(parser, parser->at, "pebs_enable and matrix",
                        "a replay tag needs both registers");
    if (!tagged->pebs_enable && tagged->upstream == NULL)
        return complain(parser, parser->at, "pebs_enable and matrix, or by EVENT:MASK",
                        "nothing tags the uops");
    return true;
}

static bool parse_tagged(struct parser *parser)
{
    static const char expected[] = "NAME[,NAME] MASK ...";
    struct netburst_event *event = event_above(parser);
    struct netburst_tagged *tagged, **last;
    struct slice names, name;

    if (event == NULL)
        return false;
    tagged = pool_take(&parser->pool, sizeof(*tagged));
    if (tagged == NULL)
        return false;
    names = parse_word(parser);
    name = cut(&names, ',');
    if (!copy_name(parser, name, expected, tagged->name) ||
        (names.length > 0 && !copy_name(parser, names, expected, tagged->also)) ||
        !parse_mask_names(parser, event, parse_word(parser), &tagged->mask) ||
        !parse_tagged_options(parser, tagged))
        return false;
    for (last = &event->tagged; *last != NULL; last = &(*last)->next)
        if (strcmp((*last)->name, tagged->name) == 0)
            return complain(parser, name.text, "each name once", "%s is stated twice",
                            tagged->name);
    *last = tagged;
    return true;
}

const struct kind_statement netburst_statements[NETBURST_STATEMENTS] = {
    {"masks", parse_masks},
    {"tagged", parse_tagged},
};
