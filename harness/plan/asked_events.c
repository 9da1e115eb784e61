#include "asked_events.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/netburst/raw.h"
#include "pmu/selector.h"

/* A text, and the kind of core that it is read for. */
struct reader {
    struct slice text;
    const struct description *description;
    const struct facts *facts;
    struct pool *pool;
    struct complaint *complaint;
};

static struct netburst_core core_of(const struct facts *facts)
{
    return (struct netburst_core){(uint8_t)facts->model, (uint8_t)facts->stepping};
}

/* An event of NetBurst with that text as its name; with `raw` unless it is null. */
static enum rc make_netburst(const struct event **event, const struct reader *reader,
                             const struct netburst_raw *raw)
{
    struct event *made = pool_take(reader->pool, sizeof(*made));
    struct netburst_raw *kept = raw != NULL ? pool_take(reader->pool, sizeof(*kept)) : NULL;

    if (made == NULL || (raw != NULL && kept == NULL))
        return RC_NO_SPACE;
    if (raw != NULL)
        *kept = *raw;
    *made = (struct event){.kind = EVENT_NAMED, .raw = kept, .architectural = -1};
    slice_copy(made->name, reader->text);
    *event = made;
    return RC_OK;
}

/* CCCR/ESCR@COUNTER */
static enum rc read_registers(const struct event **event, const struct reader *reader)
{
    const struct netburst_core core = core_of(reader->facts);
    struct netburst_raw raw;

    if (!reader->facts->netburst) {
        *reader->complaint = (struct complaint){
            .line = 1, .column = 1, .message = "register values of NetBurst on another core"};
        format(reader->complaint->expected, sizeof(reader->complaint->expected),
               "0xEEUU, event select and unit mask, such as 0xC000");
        return RC_BAD_INPUT;
    }
    if (!netburst_raw_read(&raw, reader->description, reader->text, &core,
                           reader->facts->threads_per_core > 1, reader->complaint))
        return RC_BAD_INPUT;
    return make_netburst(event, reader, &raw);
}

/* 0xEEUU */
static enum rc read_selector(const struct event **event, const struct reader *reader)
{
    struct event *made, read;

    if (reader->facts->netburst) {
        *reader->complaint = (struct complaint){
            .line = 1, .column = 1, .message = "a raw selector, which no counter of NetBurst has"};
        format(reader->complaint->expected, sizeof(reader->complaint->expected),
               "CCCR/ESCR@COUNTER such as 0x00039000/0x04000204@12");
        return RC_BAD_INPUT;
    }
    if (!selector_read(&read, reader->text, reader->complaint))
        return RC_BAD_INPUT;
    selector_restrict(&read, reader->description);
    made = pool_take(reader->pool, sizeof(*made));
    if (made == NULL)
        return RC_NO_SPACE;
    *made = read;
    *event = made;
    return RC_OK;
}

static size_t alike(const char *a, const char *b)
{
    size_t length = 0;

    while (a[length] != '\0' && a[length] == b[length])
        length++;
    return length;
}

/* Expects an event of the description, and names the one that begins most like the text. */
static enum rc refuse_name(const struct reader *reader)
{
    const struct description *description = reader->description;
    const char *nearest = NULL;
    struct complaint *complaint = reader->complaint;

    for (unsigned i = 0; i < description->event_count; i++) {
        const char *name = description->events[i].name;

        if (nearest == NULL || alike(name, reader->text.text) > alike(nearest, reader->text.text))
            nearest = name;
    }
    *complaint = (struct complaint){.line = 1, .column = 1};
    format(complaint->message, sizeof(complaint->message), "%s has no event %s", description->name,
           reader->text.text);
    format(complaint->expected, sizeof(complaint->expected),
           "an event of cpu\\%s.def, such as %s, or 0xEEUU", description->name,
           nearest != NULL ? nearest : "INST_RETIRED.ANY");
    return RC_BAD_INPUT;
}

static bool has_escrs(const struct description *description)
{
    for (unsigned i = 0; i < description->event_count; i++)
        if (description->events[i].escr != NULL)
            return true;
    return false;
}

static enum rc read_name(const struct event **event, const struct reader *reader)
{
    const struct event *known = description_event(reader->description, reader->text.text);
    const struct netburst_core core = core_of(reader->facts);
    struct netburst_selection selection;

    if (known != NULL && known->kind != EVENT_ESCR) {
        *event = known;
        return RC_OK;
    }
    if (!has_escrs(reader->description))
        return refuse_name(reader);
    if (!netburst_select(&selection, reader->description, reader->text, &core, NETBURST_T0,
                         reader->complaint))
        return RC_BAD_INPUT;
    return make_netburst(event, reader, NULL);
}

enum rc asked_event(const struct event **event, const char *text,
                    const struct description *description, const struct facts *facts,
                    struct pool *pool, struct complaint *complaint)
{
    const struct reader reader = {{text, strlen(text)}, description, facts, pool, complaint};

    if (memchr(text, '/', reader.text.length) != NULL)
        return read_registers(event, &reader);
    if (selector_is(reader.text))
        return read_selector(event, &reader);
    return read_name(event, &reader);
}

const struct event *asked_event_unknown(const char *text, const struct description *description,
                                        struct pool *pool)
{
    const size_t size = DESCRIPTION_NAME + 40;
    struct event *made = pool_take(pool, sizeof(*made));
    char *why = pool_take(pool, size);

    if (made == NULL || why == NULL)
        return NULL;
    format(why, size, "cpu\\%s.def has no such event", description->name);
    *made = (struct event){.kind = EVENT_OUTSIDE, .why = why, .architectural = -1};
    format(made->name, sizeof(made->name), "%s", text);
    return made;
}
