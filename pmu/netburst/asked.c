#include "asked.h"

#include "raw.h"
#include "select.h"

static struct netburst_core core_of(const struct facts *facts)
{
    return (struct netburst_core){(uint8_t)facts->model, (uint8_t)facts->stepping};
}

struct kept {
    struct netburst_raw raw;
    char note[NETBURST_NOTE];
};

/* An event with that text as its name; with what is kept of register values unless it is null. */
static enum rc make(const struct event **event, const struct asked_text *asked,
                    const struct kept *kept, bool noted)
{
    struct event *made = pool_take(asked->pool, sizeof(*made));

    if (made == NULL)
        return RC_NO_SPACE;
    *made = (struct event){.kind = EVENT_NAMED,
                           .by = asked->by,
                           .values = kept != NULL ? &kept->raw : NULL,
                           .note = noted ? kept->note : NULL,
                           .architectural = -1};
    slice_copy(made->name, asked->text);
    *event = made;
    return RC_OK;
}

enum rc netburst_asked_masked(const struct event **event, const struct asked_text *asked)
{
    const struct netburst_core core = core_of(asked->facts);
    struct netburst_selection selection;

    if (!netburst_select(&selection, asked->description, asked->text, &core, NETBURST_T0,
                         asked->complaint))
        return RC_BAD_INPUT;
    return make(event, asked, NULL, false);
}

/* CCCR/ESCR@COUNTER */
enum rc netburst_asked_registers(const struct event **event, const struct asked_text *asked)
{
    const struct netburst_core core = core_of(asked->facts);
    struct kept *kept = pool_take(asked->pool, sizeof(*kept));

    if (kept == NULL)
        return RC_NO_SPACE;
    if (!netburst_raw_read(&kept->raw, asked->description, asked->text, &core,
                           asked->facts->threads_per_core > 1, asked->complaint))
        return RC_BAD_INPUT;
    return make(event, asked, kept, netburst_raw_note(&kept->raw, &core, kept->note));
}
