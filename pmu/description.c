#include "description.h"

#include "boot/format.h"
#include "boot/text.h"

/* Whether `name` is the name of an element of the array: its first member. */
static inline bool is_in(const void *array, unsigned count, size_t size, const char *name,
                         uint16_t *index)
{
    const size_t offset = (size_t)((uintptr_t)name - (uintptr_t)array);

    if (offset >= count * size)
        return false;
    *index = (uint16_t)(offset / size);
    return offset % size == 0;
}

/* The symbol of the event, node or parameter that holds this very name. */
static struct symbol symbol_at(const struct description *description, const char *name)
{
    struct symbol symbol = {.kind = SYMBOL_NONE};

    const struct event *event = description_event_at(description, name);

    if (event != NULL)
        symbol =
            (struct symbol){.kind = SYMBOL_EVENT, .index = (uint16_t)(event - description->events)};
    else if (is_in(description->nodes, description->node_count, sizeof(struct node), name,
                   &symbol.index))
        symbol.kind = SYMBOL_NODE;
    else if (is_in(description->parameters, description->parameter_count, sizeof(struct parameter),
                   name, &symbol.index))
        symbol.kind = SYMBOL_PARAMETER;
    return symbol;
}

struct symbol description_symbol(const struct description *description, const char *name)
{
    const struct symbol symbol = symbol_at(description, name);

    return symbol.kind != SYMBOL_NONE ? symbol : *symbols_place(&description->symbols, name);
}

const struct event *description_event(const struct description *description, const char *name)
{
    const struct symbol symbol = description_symbol(description, name);

    return symbol.kind == SYMBOL_EVENT ? &description->events[symbol.index] : NULL;
}

const char *description_name(const struct description *description, const char *name)
{
    const struct symbol symbol = description_symbol(description, name);

    return symbol.kind == SYMBOL_EVENT  ? description->events[symbol.index].name
           : symbol.kind == SYMBOL_NODE ? description->nodes[symbol.index].name
                                        : name;
}

bool event_is_of(const struct event *event, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(event->name, name, length) == 0 &&
           (event->name[length] == '.' || event->name[length] == ':' ||
            event->name[length] == '\0');
}

/* An inverted event counts cycles without such uops. */
bool description_speculates(const struct description *description, const struct event *event)
{
    for (unsigned i = 0; i < description->speculative_count && !event->inv; i++)
        if (event_is_of(event, description->speculative[i].name))
            return true;
    return false;
}

/* Whether the event is of one of the names. */
static bool is_of_one(const struct event *event, const char *names)
{
    while (*names != '\0') {
        char name[DESCRIPTION_NAME] = "";
        size_t length = 0;

        while (names[length] != '\0' && names[length] != ',')
            length++;
        if (length < sizeof(name))
            memcpy(name, names, length);
        if (name[0] != '\0' && event_is_of(event, name))
            return true;
        names += length + (names[length] == ',');
    }
    return false;
}

const char *description_unpinned(const struct description *description, const struct event *event)
{
    if (event->why != NULL)
        return event->why;
    if (event->kind == EVENT_METRIC || event->kind == EVENT_SLOTS)
        return "it belongs to PERF_METRICS: shares of slots, which timing distributes";
    for (unsigned i = description->unpinned_count; i > 0; i--)
        if (is_of_one(event, description->unpinned[i - 1].names))
            return description->unpinned[i - 1].why;
    return event->cmask > 0 && !event->edge ? "it counts cycles of a state that timing decides"
                                            : NULL;
}

bool description_is_speculative(const struct description *description,
                                const struct formula *formula)
{
    for (unsigned i = 0; i < formula->name_count; i++) {
        const struct event *event = description_event(description, formula->names[i]);

        if (event != NULL && description_speculates(description, event))
            return true;
    }
    return false;
}

const struct node *description_node(const struct description *description, const char *name)
{
    const struct symbol symbol = description_symbol(description, name);

    return symbol.kind == SYMBOL_NODE ? &description->nodes[symbol.index] : NULL;
}

const struct parameter *description_parameter(const struct description *description,
                                              const char *name)
{
    const struct symbol symbol = description_symbol(description, name);

    return symbol.kind == SYMBOL_PARAMETER ? &description->parameters[symbol.index] : NULL;
}

/* Whether `name` is `listed`, or `listed` with modifiers behind a colon. */
static bool is_about(const char *listed, const char *name)
{
    const size_t length = strlen(listed);

    return strncmp(listed, name, length) == 0 && (name[length] == '\0' || name[length] == ':');
}

static bool erratum_lists(const struct erratum *erratum, const struct event *event)
{
    for (unsigned i = 0; i < erratum->event_count; i++)
        if (is_about(erratum->events[i]->name, event->name))
            return true;
    return false;
}

unsigned description_errata(const struct description *description, const struct event *event,
                            char out[DESCRIPTION_ERRATA])
{
    unsigned count = 0;
    size_t length = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < description->erratum_count; i++) {
        const struct erratum *erratum = &description->errata[i];

        if (!erratum_lists(erratum, event))
            continue;
        count++;
        if (length + strlen(erratum->name) + 2 <= DESCRIPTION_ERRATA)
            length += format(out + length, DESCRIPTION_ERRATA - length, "%s%s",
                             length > 0 ? " " : "", erratum->name);
    }
    return count;
}

/* Dies that have P cores alone may state no type of core (leaf 1AH is 0: Core i3-12100). A
 * hypervisor may hide the type of any core. */
static bool core_type_matches(const struct signature *signature, const struct facts *facts)
{
    return signature->core_type == 0 || signature->core_type == facts->core_type ||
           (signature->core_type == CORE_TYPE_CORE && facts->core_type == 0 && !facts->hypervisor);
}

static bool vendor_matches(const struct signature *signature, const char *vendor)
{
    return vendor == NULL || signature->vendor == NULL ? vendor == signature->vendor
                                                       : strcmp(vendor, signature->vendor) == 0;
}

const char *description_foreign(const struct description *description, const struct facts *facts)
{
    const struct signature intel = {.vendor = NULL};

    for (unsigned i = 0; i < description->signature_count; i++)
        if (vendor_matches(&description->signatures[i], facts->signatures))
            return NULL;
    if (description->signature_count == 0 && vendor_matches(&intel, facts->signatures))
        return NULL;
    return "the events of its description are of another vendor's counters";
}

bool description_matches(const struct description *description, const struct facts *facts)
{
    if (facts->kind == NULL)
        return false;
    for (unsigned i = 0; i < description->signature_count; i++) {
        const struct signature *signature = &description->signatures[i];

        if (vendor_matches(signature, facts->signatures) && signature->family == facts->family &&
            facts->model >= signature->model && facts->model <= signature->model_last &&
            facts->stepping >= signature->stepping_low &&
            facts->stepping <= signature->stepping_high && core_type_matches(signature, facts) &&
            (signature->native_model == 0 || signature->native_model == facts->native_model))
            return true;
    }
    return false;
}
