#include "selector.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/formula/number.h"

#define SELECTOR_LENGTH 6 /* 0xEEUU */

/* Writes the complaint, whose place is `at` in the text, and returns false. */
static bool refuse(struct complaint *complaint, struct slice text, size_t at, const char *message,
                   const char *expected)
{
    *complaint = (struct complaint){.line = 1, .column = (uint32_t)at + 1};
    format(complaint->message, sizeof(complaint->message), "%s: %.*s", message,
           (int)(text.length < 60 ? text.length : 60), text.text);
    format(complaint->expected, sizeof(complaint->expected), "%s", expected);
    return false;
}

static bool take_flag(bool *flag)
{
    const bool first = !*flag;

    *flag = true;
    return first;
}

static bool take_cmask(struct event *event, struct slice word)
{
    static const char name[] = "cmask=";
    const size_t length = sizeof(name) - 1;
    uint64_t number;

    if (event->cmask != 0 || word.length <= length || memcmp(word.text, name, length) != 0 ||
        !number_unsigned(word.text + length, word.length - length, &number) || number > UINT8_MAX)
        return false;
    event->cmask = (uint8_t)number;
    return true;
}

/* Rings 1 to 3, or ring 0; one of the two, since neither means both. */
static bool take_rings(struct event *event, enum event_rings rings)
{
    if (event->rings != RINGS_ALL)
        return false;
    event->rings = (uint8_t)rings;
    return true;
}

static bool take_modifier(struct event *event, struct slice word)
{
    if (slice_is(word, "inv"))
        return take_flag(&event->inv);
    if (slice_is(word, "edge"))
        return take_flag(&event->edge);
    if (slice_is(word, "any"))
        return take_flag(&event->any);
    if (slice_is(word, "u"))
        return take_rings(event, RINGS_USER);
    if (slice_is(word, "k"))
        return take_rings(event, RINGS_KERNEL);
    return take_cmask(event, word);
}

static bool take_modifiers(struct event *event, struct slice text, struct complaint *complaint)
{
    size_t at = SELECTOR_LENGTH;

    while (at < text.length) {
        struct slice word = {text.text + at + 1, 0};

        while (at + 1 + word.length < text.length && word.text[word.length] != ':')
            word.length++;
        if (text.text[at] != ':' || !take_modifier(event, word))
            return refuse(
                complaint, text, at, "not a modifier of a raw selector",
                "each at most once: :cmask=N with N of 0..255, :inv, :edge, :any; :u or :k");
        at += 1 + word.length;
    }
    if (event->inv && event->cmask == 0)
        return refuse(complaint, text, 0,
                      "inv inverts the comparison with cmask, and there is none",
                      ":cmask=N too, N of 1..255");
    return true;
}

bool selector_read(struct event *event, struct slice text, struct complaint *complaint)
{
    static const char expected[] =
        "0xEEUU, event select and unit mask in two hexadecimal digits each, such as 0xC000";
    uint64_t number;

    if (text.length < SELECTOR_LENGTH || text.length >= DESCRIPTION_NAME ||
        (text.length > SELECTOR_LENGTH && text.text[SELECTOR_LENGTH] != ':') ||
        !number_hex(text.text + 2, SELECTOR_LENGTH - 2, &number))
        return refuse(complaint, text, 0, "not a raw selector", expected);
    if (number >> 8 == 0)
        return refuse(complaint, text, 0, "event select 0 selects no event", expected);
    *event = (struct event){.kind = EVENT_GENERAL,
                            .encodable = true,
                            .code = (uint8_t)(number >> 8),
                            .umask = (uint8_t)number,
                            .counters = UINT32_MAX,
                            .architectural = -1};
    slice_copy(event->name, text);
    return take_modifiers(event, text, complaint);
}

static bool is_same(const struct event *event, const struct event *known)
{
    if (!known->encodable || known->umask2 != 0)
        return false;
    return (known->code == event->code && known->umask == event->umask) ||
           (known->second.msr != 0 && known->second.code == event->code &&
            known->second.umask == event->umask);
}

void selector_restrict(struct event *event, const struct description *description)
{
    for (unsigned i = 0; i < description->event_count; i++) {
        const struct event *known = &description->events[i];

        if (!is_same(event, known))
            continue;
        event->counters &= known->counters;
        event->alone |= known->alone;
        if (known->msr == 0)
            continue;
        event->kind = EVENT_OUTSIDE;
        event->encodable = false;
        event->why = "another register says what it counts, and a raw selector does not set that";
        return;
    }
}
