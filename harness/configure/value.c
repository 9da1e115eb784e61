#include "value.h"

#include "boot/machine/cores.h"
#include "boot/text.h"

const char *value_number(struct slice value, uint64_t low, uint64_t high, uint64_t *number)
{
    if (!slice_is_number(value))
        return "not a number";
    if (!slice_number(value, UINT32_MAX, number) || *number < low || *number > high)
        return "out of range";
    return NULL;
}

const char *value_unsigned(struct slice value, uint64_t low, uint64_t high, unsigned *to)
{
    uint64_t number;
    const char *wrong = value_number(value, low, high, &number);

    if (wrong == NULL)
        *to = (unsigned)number;
    return wrong;
}

const char *value_yes_no(struct slice value, bool *flag)
{
    if (!slice_is(value, "yes") && !slice_is(value, "no"))
        return "neither yes nor no";
    *flag = slice_is(value, "yes");
    return NULL;
}

bool value_cores(struct slice item, uint64_t *low, uint64_t *high)
{
    size_t dash = 0;

    while (dash < item.length && item.text[dash] != '-')
        dash++;
    if (!slice_number(slice_trim((struct slice){item.text, dash}), CORES_MAX - 1, low))
        return false;
    *high = *low;
    if (dash == item.length)
        return true;
    return slice_number(slice_trim((struct slice){item.text + dash + 1, item.length - dash - 1}),
                        CORES_MAX - 1, high) &&
           *low <= *high;
}

const char *value_nodes(struct slice value, char names[CONFIG_NODES][DESCRIPTION_NAME],
                        unsigned *count, size_t *offset)
{
    unsigned taken = 0;
    struct slice rest = value, item;

    while (!slice_is(value, "none") && slice_item(&rest, &item)) {
        *offset = (size_t)(item.text - value.text);
        if (!slice_is_name(item))
            return "not the name of a node";
        if (item.length >= DESCRIPTION_NAME)
            return "name too long";
        if (taken == CONFIG_NODES)
            return "too many names";
        slice_copy(names[taken++], item);
    }
    *count = taken;
    return NULL;
}

/* Records show the texts as they are, so a quote must not be among the characters. Behind an at
 * sign there may be options, with blanks before them. */
static bool is_event_text(struct slice item)
{
    bool options = false;

    for (size_t i = 0; i < item.length; i++) {
        const char c = item.text[i], letter = (char)(c | 0x20);

        if (!(letter >= 'a' && letter <= 'z') && !(c >= '0' && c <= '9') && c != '.' && c != '_' &&
            c != ':' && c != '=' && c != '/' && c != '@' && !(options && (c == ' ' || c == '-')))
            return false;
        options = options || c == '@';
    }
    return item.length > 0;
}

const char *value_events(struct slice value, struct config_event events[CONFIG_EVENTS],
                         unsigned *count, size_t *offset)
{
    struct config_event taken[CONFIG_EVENTS];
    unsigned taken_count = 0;
    struct slice rest = value, item;

    while (!slice_is(value, "none") && slice_item(&rest, &item)) {
        *offset = (size_t)(item.text - value.text);
        if (!is_event_text(item))
            return "not an event";
        if (item.length >= DESCRIPTION_NAME)
            return "name too long";
        for (unsigned i = 0; i < taken_count; i++)
            if (slice_is(item, taken[i].text))
                return "event named twice";
        if (taken_count == CONFIG_EVENTS)
            return "too many events";
        slice_copy(taken[taken_count].text, item);
        taken[taken_count++].place = (struct config_place){.column = (uint32_t)*offset};
    }
    memcpy(events, taken, sizeof(*taken) * taken_count);
    *count = taken_count;
    return NULL;
}

const char *value_kernel(struct slice value, char name[CONFIG_PATTERN])
{
    if (!slice_is_name(value) || value.length >= CONFIG_PATTERN)
        return "not the name of a kernel";
    if (slice_is(value, "none"))
        value.length = 0;
    slice_copy(name, value);
    return NULL;
}

const char *value_interval(struct slice value, uint64_t *microseconds, size_t *offset)
{
    static const struct {
        const char *unit;
        uint64_t microseconds;
    } units[] = {{"us", 1}, {"ms", 1000}, {"s", 1000000}};
    struct slice digits = value, unit;
    uint64_t number;

    if (slice_is(value, "none")) {
        *microseconds = 0;
        return NULL;
    }
    digits.length = 0;
    while (digits.length < value.length && value.text[digits.length] >= '0' &&
           value.text[digits.length] <= '9')
        digits.length++;
    unit = slice_trim((struct slice){value.text + digits.length, value.length - digits.length});
    if (!slice_number(digits, 3600000000u, &number) || number == 0)
        return "not a time";
    *offset = digits.length;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (!slice_is(unit, units[i].unit))
            continue;
        if (number > 3600000000u / units[i].microseconds)
            return "longer than an hour";
        *microseconds = number * units[i].microseconds;
        return NULL;
    }
    return "not a unit of time";
}
