#include "asked.h"

#include "raw.h"
#include "registers.h"
#include "select.h"

struct kept {
    struct netburst_raw raw;
    char note[NETBURST_NOTE];
};

/* The rings that an ESCR's value selects, of either logical processor. */
static enum event_rings rings_of(uint32_t escr)
{
    const bool user = field_get(escr, ESCR_T0_USR) || field_get(escr, ESCR_T1_USR);
    const bool kernel = field_get(escr, ESCR_T0_OS) || field_get(escr, ESCR_T1_OS);

    return user == kernel ? RINGS_ALL : user ? RINGS_USER : RINGS_KERNEL;
}

/* An event with that text as its name; with what is kept of register values unless it is null. */
static enum rc make(const struct event **event, const struct asked_text *asked, uint32_t escr,
                    const struct kept *kept, bool noted)
{
    struct event *made = pool_take(asked->pool, sizeof(*made));

    if (made == NULL)
        return RC_NO_SPACE;
    *made = (struct event){.kind = EVENT_NAMED,
                           .by = asked->by,
                           .rings = (uint8_t)rings_of(escr),
                           .values = kept != NULL ? &kept->raw : NULL,
                           .note = noted ? kept->note : NULL,
                           .architectural = -1};
    slice_copy(made->name, asked->text);
    *event = made;
    return RC_OK;
}

enum rc netburst_asked_masked(const struct event **event, const struct asked_text *asked)
{
    const struct netburst_core core = netburst_core_of(asked->facts);
    struct netburst_selection selection;

    if (!netburst_select(&selection, asked->description, asked->text, &core, NETBURST_T0,
                         asked->complaint))
        return RC_BAD_INPUT;
    return make(event, asked, selection.escr.value, NULL, false);
}

/* CCCR/ESCR@COUNTER */
enum rc netburst_asked_registers(const struct event **event, const struct asked_text *asked)
{
    const struct netburst_core core = netburst_core_of(asked->facts);
    struct kept *kept = pool_take(asked->pool, sizeof(*kept));

    if (kept == NULL)
        return RC_NO_SPACE;
    if (!netburst_raw_read(&kept->raw, asked->description, asked->text, &core,
                           asked->facts->threads_per_core > 1, asked->complaint))
        return RC_BAD_INPUT;
    return make(event, asked, kept->raw.escr, kept,
                netburst_raw_note(&kept->raw, &core, kept->note));
}
