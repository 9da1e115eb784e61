#include "description.h"

#include "boot/text.h"
#include "symbols.h"

char *symbol_name(const struct description *description, struct symbol symbol)
{
    switch (symbol.kind) {
    case SYMBOL_EVENT:
        return description->events[symbol.index].name;
    case SYMBOL_PARAMETER:
        return description->parameters[symbol.index].name;
    default:
        return description->nodes[symbol.index].name;
    }
}

/* What has this very name, by where the name stands. */
static struct symbol symbol_at(const struct description *description, const char *name)
{
    const size_t event = ((uintptr_t)name - (uintptr_t)description->events) / sizeof(struct event),
                 node = ((uintptr_t)name - (uintptr_t)description->nodes) / sizeof(struct node);

    if (event < description->event_count && name == description->events[event].name)
        return (struct symbol){.kind = SYMBOL_EVENT, .index = (uint16_t)event};
    if (node < description->node_count && name == description->nodes[node].name)
        return (struct symbol){.kind = SYMBOL_NODE, .index = (uint16_t)node};
    return (struct symbol){.kind = SYMBOL_NONE};
}

/* FNV-1a. */
static uint32_t hash(const char *name)
{
    uint32_t sum = 2166136261u;

    for (; *name; name++)
        sum = (sum ^ (uint8_t)*name) * 16777619u;
    return sum;
}

struct symbol *symbol_place(const struct description *description, const char *name)
{
    uint32_t at = hash(name) & description->symbol_mask;

    while (description->symbols[at].kind != SYMBOL_NONE &&
           strcmp(symbol_name(description, description->symbols[at]), name) != 0)
        at = (at + 1) & description->symbol_mask;
    return &description->symbols[at];
}

struct symbol symbol_find(const struct description *description, const char *name)
{
    const struct symbol symbol = symbol_at(description, name);

    return symbol.kind != SYMBOL_NONE ? symbol : *symbol_place(description, name);
}

void symbol_forget(struct description *description, const struct symbol *symbol)
{
    symbol_name(description, *symbol)[0] = '\0';
}

const struct event *description_event(const struct description *description, const char *name)
{
    const struct symbol symbol = symbol_find(description, name);

    return symbol.kind == SYMBOL_EVENT ? &description->events[symbol.index] : NULL;
}

const struct node *description_node(const struct description *description, const char *name)
{
    const struct symbol symbol = symbol_find(description, name);

    return symbol.kind == SYMBOL_NODE ? &description->nodes[symbol.index] : NULL;
}

const struct parameter *description_parameter(const struct description *description,
                                              const char *name)
{
    const struct symbol symbol = symbol_find(description, name);

    return symbol.kind == SYMBOL_PARAMETER ? &description->parameters[symbol.index] : NULL;
}

bool description_matches(const struct description *description, const struct facts *facts)
{
    if (!facts->intel)
        return false;
    for (unsigned i = 0; i < description->signature_count; i++) {
        const struct signature *signature = &description->signatures[i];

        if (signature->family == facts->family && signature->model == facts->model &&
            facts->stepping >= signature->stepping_low &&
            facts->stepping <= signature->stepping_high &&
            (signature->core_type == 0 || signature->core_type == facts->core_type) &&
            (signature->native_model == 0 || signature->native_model == facts->native_model))
            return true;
    }
    return false;
}
