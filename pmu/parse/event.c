#include "event.h"

#include "boot/text.h"
#include "pmu/formula/number.h"
#include "pmu/kinds/kinds.h"

enum option {
    UMASK,
    UMASK2,
    CMASK,
    EDGE,
    INV,
    ANY,
    EQ,
    COUNTERS,
    MSR,
    ALONE,
    FIXED,
    ARCHITECTURAL,
    OPTIONS
};

/* A list such as 0-3 or 0,2 or 0-3,7 into bits, bit n for general counter n. */
static bool parse_counters(struct parser *parser, uint32_t *counters)
{
    static const char expected[] = "counters from 0 to 31 such as 0-3 or 0,2";
    struct slice word = parse_word(parser);
    const char *at = word.text, *end = word.text + word.length;

    *counters = 0;
    while (at < end) {
        uint64_t range[2];
        unsigned parts = 0;

        do {
            const char *start = at += parts;

            while (at < end && *at >= '0' && *at <= '9')
                at++;
            if (!number_unsigned(start, (size_t)(at - start), &range[parts]) || range[parts] > 31)
                return complain(parser, start, expected, "malformed list of counters");
            parts++;
        } while (parts < 2 && at < end && *at == '-');
        if (parts == 2 && range[1] < range[0])
            return complain(parser, word.text, expected, "range of counters runs backwards");
        for (uint64_t i = range[0]; i <= range[parts - 1]; i++)
            *counters |= 1u << i;
        if (at < end && (*at++ != ',' || at == end))
            return complain(parser, at - 1, expected, "malformed list of counters");
    }
    return *counters != 0 || complain(parser, word.text, expected, "list of counters missing");
}

/* One number, or two (0xb7,0xbb); one number counts for both. */
struct either {
    uint64_t first, second;
};

static bool either_of(struct slice word, struct either *either)
{
    size_t length = 0;

    while (length < word.length && word.text[length] != ',')
        length++;
    if (!number_unsigned(word.text, length, &either->first))
        return false;
    either->second = either->first;
    return length == word.length ||
           number_unsigned(word.text + length + 1, word.length - length - 1, &either->second);
}

static bool parse_either(struct parser *parser, uint64_t limit, const char *expected,
                         struct either *either)
{
    struct slice word = parse_word(parser);

    if (word.length == 0)
        return complain(parser, word.text, expected, "number missing");
    if (!either_of(word, either))
        return complain(parser, word.text, expected, "malformed number");
    if (either->first > limit || either->second > limit)
        return complain(parser, word.text, expected, "number too large");
    return true;
}

static bool parse_msr(struct parser *parser, struct event *event)
{
    static const char expected[] = "a register from 1 to 0xffff, or two such as 0x1a6,0x1a7";
    struct either address;

    if (!parse_either(parser, 0xffff, expected, &address))
        return false;
    if (address.first == 0 || address.second == 0)
        return complain(parser, parser->at - 1, expected, "0 is no register");
    event->msr = (uint32_t)address.first;
    if (address.second != address.first)
        event->second.msr = (uint32_t)address.second;
    return parse_number(parser, UINT64_MAX, "the value of that register", &event->msr_value);
}

static bool parse_umask(struct parser *parser, struct event *event)
{
    struct either umask;

    if (!parse_either(parser, 0xff, "a unit mask of at most 0xff", &umask))
        return false;
    event->umask = (uint8_t)umask.first;
    event->second.umask = (uint8_t)umask.second;
    return true;
}

/* An event has two registers exactly when it has two codes or two unit masks. */
static bool check_second(struct parser *parser, const struct event *event, const char *at)
{
    const bool differs = event->second.code != event->code || event->second.umask != event->umask;

    if (differs == (event->second.msr != 0))
        return true;
    if (differs)
        return complain(parser, at, "msr ADDRESS,ADDRESS VALUE",
                        "%s has two selections and not two registers", event->name);
    return complain(parser, at, "two codes or two unit masks, such as 0xb7,0xbb",
                    "%s has two registers and one selection", event->name);
}

static bool parse_option(struct parser *parser, enum option option, struct event *event)
{
    uint64_t value = 0;

    switch (option) {
    case UMASK:
        return parse_umask(parser, event);
    case UMASK2:
        if (!parse_number(parser, 0xff, "a second unit mask of at most 0xff", &value))
            return false;
        event->umask2 = (uint8_t)value;
        return true;
    case CMASK:
        if (!parse_number(parser, 0xff, "a counter mask of at most 255", &value))
            return false;
        event->cmask = (uint8_t)value;
        return true;
    case COUNTERS:
        return parse_counters(parser, &event->counters);
    case MSR:
        return parse_msr(parser, event);
    case FIXED:
        if (!parse_number(parser, 15, "a fixed counter from 0 to 15", &value))
            return false;
        event->kind = EVENT_FIXED;
        event->fixed = (uint8_t)value;
        return true;
    case ARCHITECTURAL:
        if (!parse_number(parser, 31, "a bit of CPUID 0AH:EBX from 0 to 31", &value))
            return false;
        event->architectural = (int8_t)value;
        return true;
    default:
        event->edge |= option == EDGE;
        event->inv |= option == INV;
        event->any |= option == ANY;
        event->eq |= option == EQ;
        event->alone |= option == ALONE;
        return true;
    }
}

static bool parse_options(struct parser *parser, struct event *event, uint32_t *seen)
{
    static const char *const names[OPTIONS] = {"umask", "umask2", "cmask", "edge",
                                               "inv",   "any",    "eq",    "counters",
                                               "msr",   "alone",  "fixed", "architectural"};

    for (;;) {
        struct slice word = parse_word(parser);
        unsigned option = 0;

        if (word.length == 0)
            return true;
        while (option < OPTIONS && !slice_is(word, names[option]))
            option++;
        if (option == OPTIONS)
            return complain(parser, word.text,
                            "umask, umask2, cmask, edge, inv, any, eq, counters, msr, alone, fixed "
                            "or architectural",
                            "unknown option '%.*s' of an event",
                            (int)(word.length > 40 ? 40 : word.length), word.text);
        if (*seen & 1u << option)
            return complain(parser, word.text, "each option once", "%s is stated twice",
                            names[option]);
        *seen |= 1u << option;
        if (!parse_option(parser, (enum option)option, event))
            return false;
    }
}

/* Lets each kind of counters that has events of its own read the line; *own: one of them did. */
static bool parse_own_event(struct parser *parser, bool *own)
{
    const struct pmu_kind *kind;
    bool ok = true;

    *own = false;
    for (unsigned i = 0; ok && !*own && (kind = pmu_kind_at(i)) != NULL; i++) {
        if (kind->parse_event == NULL)
            continue;
        parser->kind = kind;
        ok = kind->parse_event(parser, own);
    }
    return ok;
}

/* Of the kind of counters that the description has named. */
static uint64_t highest_code(const struct parser *parser)
{
    const struct pmu_kind *kind = parser->description->kind;

    return kind != NULL && kind->codes != 0 ? kind->codes : 0xff;
}

bool parse_event(struct parser *parser)
{
    struct event event = {.kind = EVENT_GENERAL, .counters = UINT32_MAX, .architectural = -1};
    uint32_t seen = 0, index;
    const char *name_at, *code_at;
    struct slice word;
    struct either code = {0, 0};
    bool own;

    if (!parse_own_event(parser, &own))
        return false;
    if (own)
        return true;
    if (!parse_name(parser, "an event's name", event.name))
        return false;
    name_at = parser->at - strlen(event.name);
    word = parse_word(parser);
    code_at = word.text;
    event.encodable = !slice_is(word, "-");
    if (event.encodable && (!either_of(word, &code) || code.first > highest_code(parser) ||
                            code.second > highest_code(parser)))
        return complain(parser, code_at,
                        highest_code(parser) > 0xff
                            ? "an event code of at most 0xfff"
                            : "an event code of at most 0xff, or - when only a fixed counter "
                              "counts it",
                        "malformed event code");
    event.code = (uint16_t)code.first;
    event.second.code = (uint16_t)code.second;
    if (!parse_options(parser, &event, &seen))
        return false;
    if (event.encodable && !(seen & 1u << UMASK))
        return complain(parser, parser->at, "umask UMASK", "%s has a code and no umask",
                        event.name);
    if (!event.encodable && (seen & ~(1u << FIXED | 1u << ARCHITECTURAL)) != 0)
        return complain(parser, code_at, "an event code",
                        "%s has no code, so only `fixed` and `architectural` can follow",
                        event.name);
    if (!event.encodable && event.kind != EVENT_FIXED)
        return complain(parser, code_at, "an event code or fixed N",
                        "%s has neither code nor fixed counter", event.name);
    if (!check_second(parser, &event, code_at))
        return false;
    index = parse_define(parser, SYMBOL_EVENT, event.name, name_at);
    if (index == UINT32_MAX)
        return false;
    parser->description->events[index] = event;
    return true;
}
