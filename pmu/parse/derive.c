#include "derive.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/formula/number.h"
#include "pmu/kind.h"

enum modifier {
    CMASK,
    EDGE,
    INV,
    EQ,
    UMASK,
    KERNEL,
    USER,
    MSR_VALUE,
    RETIRE_LATENCY,
    PER_CORE,
    MODIFIERS
};

static const struct {
    const char *word;
    bool number;
    uint64_t limit;
} modifiers[MODIFIERS] = {
    [CMASK] = {"c", true, 0xff},
    [EDGE] = {"e", true, 1},
    [INV] = {"i", true, 1},
    [EQ] = {"eq", true, 1},
    [UMASK] = {"u", true, 0xff},
    [KERNEL] = {"SUP", false, 0},
    [USER] = {"USER", false, 0},
    [MSR_VALUE] = {"ocr_msr_val=", true, UINT64_MAX},
    [RETIRE_LATENCY] = {"retire_latency", false, 0},
    [PER_CORE] = {"percore", false, 0},
};

/* The modifier that the text between two colons spells; MODIFIERS when it spells none. */
static enum modifier modifier_of(const char *text, size_t length, uint64_t *value)
{
    for (unsigned i = 0; i < MODIFIERS; i++) {
        size_t word = strlen(modifiers[i].word);

        if (length < word || memcmp(text, modifiers[i].word, word) != 0)
            continue;
        if (!modifiers[i].number && length == word)
            return (enum modifier)i;
        if (modifiers[i].number && number_unsigned(text + word, length - word, value) &&
            *value <= modifiers[i].limit)
            return (enum modifier)i;
    }
    return MODIFIERS;
}

static void no_counter(struct event *event, const char *why)
{
    event->kind = EVENT_OUTSIDE;
    event->encodable = false;
    event->why = why;
}

static void modify(struct event *event, enum modifier modifier, uint64_t value)
{
    switch (modifier) {
    case CMASK:
        event->cmask = (uint8_t)value;
        break;
    case EDGE:
        event->edge = value != 0;
        break;
    case INV:
        event->inv = value != 0;
        break;
    case EQ:
        event->eq = value != 0;
        break;
    case UMASK:
        if (event->second.umask != event->umask)
            event->second.msr = 0; /* the unit mask selected the register */
        event->umask = event->second.umask = (uint8_t)value;
        break;
    case KERNEL:
        event->rings = RINGS_KERNEL;
        break;
    case USER:
        event->rings = RINGS_USER;
        break;
    case MSR_VALUE:
        event->msr_value = value;
        break;
    case RETIRE_LATENCY:
        no_counter(event, "the mean latency at retirement comes from sampling");
        break;
    default:
        no_counter(
            event,
            "it is a sum over all threads of a core, and a thread's counters count that thread");
        break;
    }
}

static bool complain_name(struct parser *parser, const struct node_place *place, const char *name,
                          const char *expected, const char *message)
{
    return complain_at(parser, place->source, place->line, place->formula_column, expected,
                       "%s: %s", name, message);
}

static bool apply(struct parser *parser, const struct node_place *place, struct event *event)
{
    const char *at = strchr(event->name, ':');

    while (at != NULL) {
        const char *start = at + 1;
        enum modifier modifier;
        uint64_t value = 0;

        at = strchr(start, ':');
        modifier = modifier_of(start, at != NULL ? (size_t)(at - start) : strlen(start), &value);
        if (modifier == MODIFIERS)
            return complain_name(parser, place, event->name,
                                 ":cN :eN :iN :eqN :uN :SUP :USER :ocr_msr_val=N :retire_latency "
                                 "or :percore",
                                 "unknown modifier");
        if (modifier == MSR_VALUE && !event->msr)
            return complain_name(parser, place, event->name, "an event with msr ADDRESS VALUE",
                                 "no register says what it counts");
        modify(event, modifier, value);
    }
    return true;
}

/* The event that the name modifies; null when there is no such event. */
static const struct event *base_of(const struct description *description, const char *name,
                                   const char *colon)
{
    char base[DESCRIPTION_NAME] = "";

    if (colon - name < DESCRIPTION_NAME)
        memcpy(base, name, (size_t)(colon - name));
    return description_event(description, base);
}

/* Enters an event of the description, which has room for it. */
static void enter(struct description *description, const struct event *event)
{
    struct event *entry = &description->events[description->event_count];

    *entry = *event;
    *symbols_place(&description->symbols, entry->name) = (struct symbol){
        .name = entry->name, .kind = SYMBOL_EVENT, .index = (uint16_t)description->event_count};
    description->event_count++;
}

/* NAME:MASK... of a kind of counters, whose modifiers are other ones. */
static bool check_masks(struct parser *parser, const struct node_place *place, const char *name,
                        const struct pmu_kind *by)
{
    const struct slice text = {name, strlen(name)};
    struct complaint complaint;

    return by->check_masks(parser->description, text, &complaint) ||
           complain_name(parser, place, name, complaint.expected, complaint.message);
}

static bool derive(struct parser *parser, const struct node_place *place, const char *name)
{
    struct description *description = parser->description;
    const char *colon = strchr(name, ':');
    const struct event *base;
    struct event event;

    if (colon == NULL || description_symbol(description, name).kind != SYMBOL_NONE)
        return true;
    base = base_of(description, name, colon);
    if (base == NULL)
        return true; /* parse_check complains about the unknown name */
    event = *base;
    format(event.name, sizeof(event.name), "%s", name);
    if (event.kind == EVENT_MASKED) {
        if (!check_masks(parser, place, name, event.by))
            return false;
        event.kind = EVENT_NAMED;
        enter(description, &event);
        return true;
    }
    event.kind = EVENT_GENERAL; /* a fixed counter has no fields to modify */
    event.architectural = -1;
    if (!apply(parser, place, &event))
        return false;
    if (event.kind == EVENT_GENERAL && !event.encodable)
        return complain_name(parser, place, name, "an event with a code",
                             "only a general counter counts a modified event");
    enter(description, &event);
    return true;
}

bool parse_derive(struct parser *parser)
{
    const struct description *description = parser->description;

    for (unsigned i = 0; i < description->node_count; i++)
        for (unsigned n = 0; n < description->nodes[i].formula.name_count; n++)
            if (!derive(parser, &parser->node_places[i], description->nodes[i].formula.names[n]))
                return false;
    return true;
}
