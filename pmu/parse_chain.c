/* Which files a description is made of, and room for what they say. */
#include "parse.h"

#include "boot/format.h"
#include "boot/text.h"

/* A cheap look at a file before it is parsed: the words that begin its lines. */
struct glance {
    const char *at, *stop, *line;
    uint32_t number;
};

static bool next_line(struct glance *glance, struct slice *first, struct slice *second)
{
    struct slice *words[2] = {first, second};
    const char *c = glance->at;

    if (c >= glance->stop)
        return false;
    glance->line = c;
    glance->number++;
    for (unsigned i = 0; i < 2; i++) {
        while (c < glance->stop && (*c == ' ' || *c == '\t'))
            c++;
        words[i]->text = c;
        while (c < glance->stop && *c != ' ' && *c != '\t' && *c != '\r' && *c != '\n')
            c++;
        words[i]->length = (size_t)(c - words[i]->text);
    }
    while (c < glance->stop && *c != '\n')
        c++;
    glance->at = c + 1;
    return true;
}

static struct glance glance_at(const struct source *source)
{
    return (struct glance){
        .at = source->text, .stop = source->text + source->size, .line = source->text};
}

/* The name after `like` when that is the second statement; length 0 when there is none. */
static struct slice like_of(const struct source *source, uint32_t *line, uint32_t *column)
{
    struct glance glance = glance_at(source);
    struct slice first, second;
    unsigned statements = 0;

    while (next_line(&glance, &first, &second)) {
        if (first.length == 0 || (first.text[0] == '#'))
            continue;
        if (++statements < 2)
            continue;
        if (!slice_is(first, "like"))
            break;
        *line = glance.number;
        *column = (uint32_t)(second.text - glance.line) + 1;
        return second;
    }
    return (struct slice){source->text, 0};
}

/* From the library; line and column are where it was asked for, in the source before. */
static bool add_source(struct parser *parser, const char *name, uint32_t line, uint32_t column)
{
    unsigned count = parser->source_count, asker = count ? count - 1 : 0;
    struct source *source = &parser->sources[count];
    struct source found = {.name = name};

    if (count == DESCRIPTION_CHAIN)
        return complain_at(parser, asker, line, column, "at most 8 descriptions in a chain",
                           "`like` goes on too long");
    for (unsigned i = 0; i < count; i++)
        if (strcmp(parser->sources[i].name, name) == 0)
            return complain_at(
                parser, asker, line, column, "a description that does not rest on this one",
                "cycle of `like`: %s comes back to %s", parser->sources[asker].name, name);
    found.text =
        parser->library->text(parser->library->context, name, &found.size, &found.from_stick);
    if (count == 0)
        parser->sources[0] = found;
    if (found.text == NULL)
        return complain_at(parser, asker, line, column, "the name of a description",
                           "there is no description %s", name);
    *source = found;
    parser->source_count++;
    if (found.size > DESCRIPTION_FILE_LIMIT)
        return complain_at(parser, count, 1, 1, "at most 1048576 bytes", "file over 1 MiB");
    return true;
}

static bool follow_likes(struct parser *parser)
{
    for (;;) {
        uint32_t line = 0, column = 0;
        struct slice like = like_of(&parser->sources[parser->source_count - 1], &line, &column);
        char *name;

        if (like.length == 0)
            return true;
        if (like.length >= DESCRIPTION_NAME)
            return complain_at(parser, parser->source_count - 1, line, column, "at most 71 bytes",
                               "name too long");
        name = pool_take(&parser->pool, like.length + 1);
        if (name == NULL)
            return false;
        memcpy(name, like.text, like.length);
        name[like.length] = 0;
        if (!add_source(parser, name, line, column))
            return false;
    }
}

enum { COUNT_EVENTS, COUNT_PARAMETERS, COUNT_NODES, COUNT_ERRATA, COUNT_SIGNATURES, COUNTS };

/* At most this many array entries follow from a line that begins with this word. */
static bool count_source(struct parser *parser, unsigned index, uint32_t *counts)
{
    static const struct {
        const char *word;
        unsigned kind;
    } kinds[] = {
        {"event", COUNT_EVENTS},   {"metric", COUNT_EVENTS},        {"slots", COUNT_EVENTS},
        {"outside", COUNT_EVENTS}, {"parameter", COUNT_PARAMETERS}, {"width", COUNT_PARAMETERS},
        {"let", COUNT_NODES},      {"node", COUNT_NODES},           {"erratum", COUNT_ERRATA},
    };
    struct glance glance = glance_at(&parser->sources[index]);
    struct slice first, second;

    while (next_line(&glance, &first, &second)) {
        if (slice_is(first, "signature"))
            for (const char *c = second.text; c < glance.at - 1; c++)
                counts[COUNT_SIGNATURES] += *c == '_';
        if (slice_is(first, "let") || slice_is(first, "node")) /* events that formulas modify */
            for (const char *c = second.text; c < glance.at - 1; c++)
                counts[COUNT_EVENTS] += *c == ':';
        for (size_t i = 0; i < COUNT_OF(kinds); i++)
            if (slice_is(first, kinds[i].word))
                counts[kinds[i].kind]++;
        for (unsigned i = 0; i < COUNTS; i++)
            if (counts[i] > DESCRIPTION_STATEMENTS)
                return complain_at(parser, index, glance.number, 1, "at most 4096 of a kind",
                                   "too many statements");
    }
    return true;
}

static bool make_room(struct parser *parser, const uint32_t *counts)
{
    struct description *description = parser->description;
    struct pool *pool = &parser->pool;
    uint32_t names = counts[COUNT_EVENTS] + counts[COUNT_PARAMETERS] + counts[COUNT_NODES],
             places = 16;

    while (places < 2 * names + 2)
        places *= 2;
    description->symbol_mask = places - 1;
    description->symbols = pool_take(pool, places * sizeof(*description->symbols));
    description->events =
        pool_take(pool, (counts[COUNT_EVENTS] + 1) * sizeof(*description->events));
    description->parameters =
        pool_take(pool, (counts[COUNT_PARAMETERS] + 1) * sizeof(*description->parameters));
    description->nodes = pool_take(pool, (counts[COUNT_NODES] + 1) * sizeof(*description->nodes));
    description->errata =
        pool_take(pool, (counts[COUNT_ERRATA] + 1) * sizeof(*description->errata));
    description->signatures =
        pool_take(pool, (counts[COUNT_SIGNATURES] + 1) * sizeof(*description->signatures));
    parser->node_places = pool_take(pool, (counts[COUNT_NODES] + 1) * sizeof(*parser->node_places));
    parser->erratum_places =
        pool_take(pool, (counts[COUNT_ERRATA] + 1) * sizeof(*parser->erratum_places));
    return description->symbols != NULL && description->events != NULL &&
           description->parameters != NULL && description->nodes != NULL &&
           description->errata != NULL && description->signatures != NULL &&
           parser->node_places != NULL && parser->erratum_places != NULL;
}

bool parse_chain(struct parser *parser, const char *name)
{
    uint32_t counts[COUNTS] = {0};

    if (!add_source(parser, name, 1, 1) || !follow_likes(parser))
        return false;
    for (unsigned i = 0; i < parser->source_count; i++)
        if (!count_source(parser, i, counts))
            return false;
    return make_room(parser, counts);
}

enum rc description_parse(struct description *description, const char *name,
                          const struct description_library *library, description_allocate allocate,
                          struct complaint *complaint)
{
    struct parser parser = {
        .description = description,
        .library = library,
        .complaint = complaint,
        .pool = {.allocate = allocate, .chunk = 16384},
    };
    bool ok;

    *description = (struct description){0};
    *complaint = (struct complaint){0};
    if (strlen(name) >= DESCRIPTION_NAME)
        name = "?"; /* no library has a longer one */
    ok = parse_chain(&parser, name);
    for (unsigned i = parser.source_count; ok && i > 0; i--)
        ok = parse_source(&parser, i - 1);
    ok = ok && parse_check(&parser);
    if (!ok)
        return complaint->message[0] ? RC_BAD_INPUT : RC_NO_SPACE;
    format(description->name, sizeof(description->name), "%s", name);
    format(description->file, sizeof(description->file), "%s.def", name);
    description->from_stick = parser.sources[0].from_stick;
    return RC_OK;
}
