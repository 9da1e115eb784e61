#include "parse.h"

#include "boot/format.h"
#include "boot/text.h"
#include "chain.h"
#include "check.h"
#include "pmu/parser.h"
#include "signature.h"
#include "statement.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_printable(char c)
{
    return c == '\t' || (c >= ' ' && c <= '~');
}

typedef char __attribute__((vector_size(16), aligned(1), may_alias)) bytes_16;

/* Whether the 16 bytes from there on are printable and neither a tab nor a #. */
static bool is_plain(const char *at)
{
    const bytes_16 bytes = *(const bytes_16 *)at;

    return __builtin_ia32_pmovmskb128((bytes < ' ') | (bytes > '~') | (bytes == '#')) == 0;
}

/* Where the line's comment begins, or an earlier byte that is not printable. A # that directly
 * precedes a letter belongs to a name. */
static const char *text_end(const char *at, const char *end)
{
    while (end - at >= (ptrdiff_t)sizeof(bytes_16) && is_plain(at))
        at += sizeof(bytes_16);
    while (at < end && is_printable(*at) && (*at != '#' || (at + 1 < end && is_letter(at[1]))))
        at++;
    return at;
}

static bool parse_line(struct parser *parser, const char *end)
{
    if (end > parser->begin && end[-1] == '\r')
        end--;
    parser->at = parser->begin;
    parser->end = text_end(parser->begin, end);
    if (parser->end < end && !is_printable(*parser->end))
        return complain(parser, parser->end, "printable ASCII", "unexpected byte 0x%02x",
                        (unsigned)(uint8_t)*parser->end);
    if (parse_word(parser).length == 0)
        return true;
    parser->at = parser->begin;
    return parse_statement(parser);
}

/* The line without its newline. */
static const char *line_end(const char *text, const char *stop)
{
    const char *end = memchr(text, '\n', (size_t)(stop - text));

    return end != NULL ? end : stop;
}

static bool parse_source(struct parser *parser, unsigned source)
{
    const char *text = parser->sources[source].text, *stop = text + parser->sources[source].size;

    if (stop - text >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        text += 3; /* a byte order mark, as some editors leave it */
    parser->source = source;
    parser->line = 0;
    parser->statements = 0;
    parser->once = 0;
    while (text < stop) {
        const char *end = line_end(text, stop);

        parser->line++;
        parser->begin = text;
        if (!parse_line(parser, end))
            return false;
        text = end + 1;
    }
    if (parser->statements == 0)
        return complain_at(parser, source, parser->line ? parser->line : 1, 1, "cpu NAME",
                           "the description is empty");
    return true;
}

enum rc description_parse(struct description *description, const char *name,
                          const struct description_library *library, description_allocate allocate,
                          struct complaint *complaint)
{
    struct parser parser = {
        .description = description,
        .complaint = complaint,
        .pool = {.allocate = allocate, .chunk = 16384},
    };
    bool ok;

    *description = (struct description){0};
    *complaint = (struct complaint){0};
    if (strlen(name) >= DESCRIPTION_NAME)
        name = "?"; /* no library has so long a name */
    ok = parse_chain(&parser, library, name);
    for (unsigned i = parser.source_count; ok && i > 0; i--) /* what is inherited comes first */
        ok = parse_source(&parser, i - 1);
    ok = ok && parse_check(&parser);
    if (!ok)
        return complaint->message[0] ? RC_BAD_INPUT : RC_NO_SPACE;
    format(description->name, sizeof(description->name), "%s", name);
    format(description->file, sizeof(description->file), "%s.def", name);
    for (unsigned i = 0; i < parser.source_count; i++)
        description->from_stick |= parser.sources[i].from_stick;
    return RC_OK;
}

/* Whether the line is a signature that matches. */
static bool line_claims(const char *begin, const char *end, const struct facts *facts)
{
    struct signature signatures[SIGNATURES_A_LINE];
    struct description description = {.signatures = signatures};
    struct complaint complaint;
    struct parser parser = {.description = &description,
                            .complaint = &complaint,
                            .sources = {{.name = ""}},
                            .line = 1,
                            .begin = begin,
                            .at = begin};

    while (begin < end && *begin != '#' && *begin != '\r')
        begin++;
    parser.end = begin;
    return slice_is(parse_word(&parser), "signature") && parse_signature(&parser) &&
           description_matches(&description, facts);
}

/* Whether the line begins with the first letter of `signature`; most lines do not. */
static bool may_claim(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at < end && *at == 's';
}

bool description_claims(const char *text, size_t size, const struct facts *facts)
{
    const char *stop = text + size;

    while (text < stop) {
        const char *end = line_end(text, stop);

        if (may_claim(text, end) && line_claims(text, end, facts))
            return true;
        text = end + 1;
    }
    return false;
}
