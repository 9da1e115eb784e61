#include "chain.h"

#include "boot/format.h"
#include "boot/text.h"

/* A quick scan of a file before it is parsed, for the first two words of every line. */
struct scan {
    const char *at, *stop;
    const char *line; /* the line found last */
    uint32_t number;  /* its number, from 1 */
};

static bool next_line(struct scan *scan, struct slice *first, struct slice *second)
{
    struct slice *words[2] = {first, second};
    const char *c = scan->at;

    if (c >= scan->stop)
        return false;
    scan->line = c;
    scan->number++;
    for (unsigned i = 0; i < 2; i++) {
        while (c < scan->stop && (*c == ' ' || *c == '\t'))
            c++;
        words[i]->text = c;
        while (c < scan->stop && *c != ' ' && *c != '\t' && *c != '\r' && *c != '\n')
            c++;
        words[i]->length = (size_t)(c - words[i]->text);
    }
    c = memchr(c, '\n', (size_t)(scan->stop - c));
    scan->at = (c != NULL ? c : scan->stop) + 1;
    return true;
}

static struct scan scan_of(const struct source *source)
{
    return (struct scan){
        .at = source->text, .stop = source->text + source->size, .line = source->text};
}

/* The name after `like` when that is the second statement; length 0 when there is none. */
static struct slice like_of(const struct source *source, uint32_t *line, uint32_t *column)
{
    struct scan scan = scan_of(source);
    struct slice first, second;
    unsigned statements = 0;

    while (next_line(&scan, &first, &second)) {
        if (first.length == 0 || (first.text[0] == '#'))
            continue;
        if (++statements < 2)
            continue;
        if (!slice_is(first, "like"))
            break;
        *line = scan.number;
        *column = (uint32_t)(second.text - scan.line) + 1;
        return second;
    }
    return (struct slice){source->text, 0};
}

/* Adds the file of that name; line and column are those of the `like` that names it, in the file
 * before. */
static bool add_source(struct parser *parser, const struct description_library *library,
                       const char *name, uint32_t line, uint32_t column)
{
    unsigned count = parser->source_count, asker = count ? count - 1 : 0;
    struct source *source = &parser->sources[count];
    struct source found = {.name = name};

    if (count == DESCRIPTION_CHAIN)
        return complain_at(parser, asker, line, column, "at most 8 descriptions in a chain",
                           "the chain of `like` is too long");
    for (unsigned i = 0; i < count; i++)
        if (strcmp(parser->sources[i].name, name) == 0)
            return complain_at(
                parser, asker, line, column, "a description that does not inherit from this one",
                "cycle of `like`: %s inherits from %s", parser->sources[asker].name, name);
    found.text = library->text(library->context, name, &found.size, &found.from_stick);
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

static bool follow_likes(struct parser *parser, const struct description_library *library)
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
        if (!add_source(parser, library, name, line, column))
            return false;
    }
}

enum {
    COUNT_EVENTS,
    COUNT_PARAMETERS,
    COUNT_NODES,
    COUNT_ERRATA,
    COUNT_UNPINNED,
    COUNT_ALIASES,
    COUNT_SIGNATURES,
    COUNTS
};

/* How often the character is in [at, end). */
static uint32_t times(char c, const char *at, const char *end)
{
    uint32_t count = 0;

    while (at < end && (at = memchr(at, c, (size_t)(end - at))) != NULL) {
        at++;
        count++;
    }
    return count;
}

/* Adds to `counts` how many array entries the lines of a source can define at most. */
static bool count_source(struct parser *parser, unsigned index, uint32_t *counts)
{
    static const struct {
        const char *word;
        unsigned kind;
    } kinds[] = {
        {"event", COUNT_EVENTS},      {"metric", COUNT_EVENTS},        {"slots", COUNT_EVENTS},
        {"outside", COUNT_EVENTS},    {"parameter", COUNT_PARAMETERS}, {"width", COUNT_PARAMETERS},
        {"let", COUNT_NODES},         {"node", COUNT_NODES},           {"erratum", COUNT_ERRATA},
        {"unpinned", COUNT_UNPINNED}, {"alias", COUNT_ALIASES},
    };
    struct scan scan = scan_of(&parser->sources[index]);
    struct slice first, second;

    while (next_line(&scan, &first, &second)) {
        if (slice_is(first, "signature"))
            counts[COUNT_SIGNATURES] += times('_', second.text, scan.at - 1);
        if (slice_is(first, "let") || slice_is(first, "node")) /* modified events */
            counts[COUNT_EVENTS] += times(':', second.text, scan.at - 1);
        for (size_t i = 0; i < COUNT_OF(kinds); i++)
            if (slice_is(first, kinds[i].word))
                counts[kinds[i].kind]++;
        for (unsigned i = 0; i < COUNTS; i++)
            if (counts[i] > DESCRIPTION_STATEMENTS)
                return complain_at(parser, index, scan.number, 1, "at most 4096 of a kind",
                                   "too many statements");
    }
    return true;
}

/* The table of names stays half empty, so that a search ends soon. */
static bool make_room(struct parser *parser, const uint32_t *counts)
{
    struct description *description = parser->description;
    struct pool *pool = &parser->pool;
    uint32_t names = counts[COUNT_EVENTS] + counts[COUNT_PARAMETERS] + counts[COUNT_NODES] +
                     counts[COUNT_ALIASES],
             places = 16;

    while (places < 2 * names + 2)
        places *= 2;
    description->symbols.mask = places - 1;
    description->symbols.places = pool_take(pool, places * sizeof(*description->symbols.places));
    description->events =
        pool_take(pool, (counts[COUNT_EVENTS] + 1) * sizeof(*description->events));
    description->aliases =
        pool_take(pool, (counts[COUNT_ALIASES] + 1) * sizeof(*description->aliases));
    parser->alias_places =
        pool_take(pool, (counts[COUNT_ALIASES] + 1) * sizeof(*parser->alias_places));
    description->parameters =
        pool_take(pool, (counts[COUNT_PARAMETERS] + 1) * sizeof(*description->parameters));
    description->nodes = pool_take(pool, (counts[COUNT_NODES] + 1) * sizeof(*description->nodes));
    description->errata =
        pool_take(pool, (counts[COUNT_ERRATA] + 1) * sizeof(*description->errata));
    description->unpinned =
        pool_take(pool, (counts[COUNT_UNPINNED] + 1) * sizeof(*description->unpinned));
    description->signatures =
        pool_take(pool, (counts[COUNT_SIGNATURES] + 1) * sizeof(*description->signatures));
    parser->node_places = pool_take(pool, (counts[COUNT_NODES] + 1) * sizeof(*parser->node_places));
    parser->erratum_places =
        pool_take(pool, (counts[COUNT_ERRATA] + 1) * sizeof(*parser->erratum_places));
    return description->symbols.places != NULL && description->events != NULL &&
           description->parameters != NULL && description->nodes != NULL &&
           description->errata != NULL && description->unpinned != NULL &&
           description->signatures != NULL && description->aliases != NULL &&
           parser->alias_places != NULL && parser->node_places != NULL &&
           parser->erratum_places != NULL;
}

bool parse_chain(struct parser *parser, const struct description_library *library, const char *name)
{
    uint32_t counts[COUNTS] = {0};

    if (!add_source(parser, library, name, 1, 1) || !follow_likes(parser, library))
        return false;
    for (unsigned i = 0; i < parser->source_count; i++)
        if (!count_source(parser, i, counts))
            return false;
    return make_room(parser, counts);
}
