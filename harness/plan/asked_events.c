#include "asked_events.h"

#include "boot/alike.h"
#include "boot/format.h"
#include "boot/text.h"
#include "pmu/kind.h"

/* What a kind of counters that has no such event takes instead, or the others take. */
static enum rc refuse(const struct asked_text *asked, const char *message, const char *expected)
{
    *asked->complaint = (struct complaint){.line = 1, .column = 1};
    format(asked->complaint->message, sizeof(asked->complaint->message), "%s", message);
    format(asked->complaint->expected, sizeof(asked->complaint->expected), "%s", expected);
    return RC_BAD_INPUT;
}

/* CCCR/ESCR@COUNTER */
static enum rc read_registers(const struct event **event, const struct asked_text *asked)
{
    const struct pmu_kind *kind = kind_of(asked->facts);
    struct asked_text own = *asked;

    own.by = kind;
    return kind->read_registers != NULL
               ? kind->read_registers(event, &own)
               : refuse(asked, "register values, on a core that has no CCCR and no ESCR",
                        "0xEEUU, event select and unit mask, such as 0xC000");
}

/* An event of that name that no counter counts; null: there is no memory. */
static const struct event *outside(const char *name, const char *why, struct pool *pool)
{
    struct event *made = pool_take(pool, sizeof(*made));

    if (made == NULL)
        return NULL;
    *made = (struct event){.kind = EVENT_OUTSIDE, .why = why, .architectural = -1};
    format(made->name, sizeof(made->name), "%s", name);
    return made;
}

/* 0xEEUU */
static enum rc read_selector(const struct event **event, const struct asked_text *asked)
{
    const struct pmu_kind *kind = kind_of(asked->facts);

    if (kind->read_selector != NULL)
        return kind->read_selector(event, asked);
    if (kind->no_selector != NULL)
        return refuse(asked, kind->no_selector, kind->instead);
    *event = outside(asked->text.text, asked->facts->absent, asked->pool); /* it cannot count */
    return *event != NULL ? RC_OK : RC_NO_SPACE;
}

/* Expects an event of the description, and names the one that begins most like the text. */
static enum rc refuse_name(const struct asked_text *asked)
{
    const struct description *description = asked->description;
    const char *nearest = NULL;
    struct complaint *complaint = asked->complaint;

    for (unsigned i = 0; i < description->event_count; i++) {
        const char *name = description->events[i].name;

        if (nearest == NULL || alike(name, asked->text.text) > alike(nearest, asked->text.text))
            nearest = name;
    }
    *complaint = (struct complaint){.line = 1, .column = 1};
    format(complaint->message, sizeof(complaint->message), "%s has no event %s", description->name,
           asked->text.text);
    format(complaint->expected, sizeof(complaint->expected),
           "an event of cpu\\%s.def, such as %s, or 0xEEUU", description->name,
           nearest != NULL ? nearest : "INST_RETIRED.ANY");
    return RC_BAD_INPUT;
}

/* The kind of counters that has events with masks; null: the description is of none. */
static const struct pmu_kind *masks_of(const struct description *description)
{
    for (unsigned i = 0; i < description->event_count; i++)
        if (description->events[i].by != NULL)
            return description->events[i].by;
    return NULL;
}

static enum rc read_name(const struct event **event, const struct asked_text *asked)
{
    const struct event *known = description_event(asked->description, asked->text.text);
    const struct pmu_kind *kind = masks_of(asked->description);
    struct asked_text own = *asked;

    if (known != NULL && known->kind != EVENT_MASKED) {
        *event = known;
        return RC_OK;
    }
    if (kind == NULL)
        return refuse_name(asked);
    own.by = kind;
    return kind->read_masked(event, &own);
}

/* 0xEEUU and what follows */
static bool is_selector(struct slice text)
{
    return text.length >= 2 && text.text[0] == '0' && (text.text[1] | 0x20) == 'x';
}

enum rc asked_event(const struct event **event, const char *text,
                    const struct description *description, const struct facts *facts,
                    struct pool *pool, struct complaint *complaint)
{
    const struct asked_text asked = {
        {text, strlen(text)}, description, facts, pool, complaint, NULL};

    if (memchr(text, '/', asked.text.length) != NULL)
        return read_registers(event, &asked);
    if (is_selector(asked.text))
        return read_selector(event, &asked);
    return read_name(event, &asked);
}

const struct event *asked_event_unknown(const char *text, const struct description *description,
                                        struct pool *pool)
{
    const size_t size = DESCRIPTION_NAME + 40;
    char *why = pool_take(pool, size);

    if (why == NULL)
        return NULL;
    format(why, size, "cpu\\%s.def has no such event", description->name);
    return outside(text, why, pool);
}
