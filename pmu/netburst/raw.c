#include "raw.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/formula/number.h"
#include "registers.h"

/* Bits of an ESCR that are reserved without HyperThreading. perfex passes them on, and its lines
 * have them set. */
#define SECOND_THREAD (field_mask(ESCR_T1_USR) | field_mask(ESCR_T1_OS))

struct reader {
    const struct description *description;
    const struct netburst_core *core;
    bool hyperthreading;
    struct complaint *complaint;
    const char *begin;
    struct slice cccr, escr, counter, options; /* of the text */
};

/* Complains about a part of the text and returns false. The caller may write what is expected. */
static bool refuse(const struct reader *reader, struct slice part, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(const struct reader *reader, struct slice part, const char *pattern, ...)
{
    struct complaint *complaint = reader->complaint;
    va_list arguments;

    *complaint = (struct complaint){.line = 1, .column = (uint32_t)(part.text - reader->begin) + 1};
    va_start(arguments, pattern);
    format_list(complaint->message, sizeof(complaint->message), pattern, arguments);
    va_end(arguments);
    return false;
}

static bool expect(const struct reader *reader, const char *expected)
{
    format(reader->complaint->expected, sizeof(reader->complaint->expected), "%s", expected);
    return false;
}

/* Takes the word before the next blanks off *rest, and the blanks. */
static struct slice next_word(struct slice *rest)
{
    struct slice word = {rest->text, 0};

    while (word.length < rest->length && word.text[word.length] != ' ')
        word.length++;
    *rest = slice_trim((struct slice){rest->text + word.length, rest->length - word.length});
    return word;
}

/* Splits the text at its bar, its at sign and the first blank behind it. */
static bool split(struct reader *reader, struct slice text)
{
    const char *end = text.text + text.length;
    const char *bar = text.length > 0 ? memchr(text.text, '/', text.length) : NULL;
    const char *at = bar != NULL ? memchr(bar, '@', (size_t)(end - bar)) : NULL;

    if (at == NULL) {
        refuse(reader, text, "no register values of NetBurst");
        return expect(reader, "CCCR/ESCR@COUNTER such as 0x00039000/0x04000204@12");
    }
    reader->cccr = (struct slice){text.text, (size_t)(bar - text.text)};
    reader->escr = (struct slice){bar + 1, (size_t)(at - bar - 1)};
    reader->options = slice_trim((struct slice){at + 1, (size_t)(end - at - 1)});
    reader->counter = next_word(&reader->options);
    return true;
}

static bool read_value(const struct reader *reader, struct slice part, const char *what,
                       uint64_t *value)
{
    if (number_unsigned(part.text, part.length, value))
        return true;
    refuse(reader, part, "malformed value of the %s", what);
    return expect(reader, "a number such as 12 or 0x00039000");
}

static bool check_reserved(const struct reader *reader, struct slice part, const char *name,
                           uint64_t value, uint64_t reserved)
{
    if ((value & reserved) == 0)
        return true;
    refuse(reader, part, "%s: reserved bits 0x%llx are set", name,
           (unsigned long long)(value & reserved));
    return expect(reader, "0 in all reserved bits");
}

static bool starts(struct slice word, const char *with)
{
    return word.length >= strlen(with) && memcmp(word.text, with, strlen(with)) == 0;
}

/* Reads --p4pe=VALUE and --p4pmv=VALUE, in any order. */
static bool read_options(struct reader *reader, struct netburst_raw *raw)
{
    const struct {
        const char *name, *what;
        uint32_t *value;
        uint64_t writable;
    } options[] = {{"--p4pe=", "MSR_PEBS_ENABLE", &raw->pebs_enable, NETBURST_REPLAY_ENABLE},
                   {"--p4pmv=", "MSR_PEBS_MATRIX_VERT", &raw->matrix, NETBURST_REPLAY_MATRIX}};

    while (reader->options.length > 0) {
        struct slice word = next_word(&reader->options);
        uint64_t value;
        unsigned i = 0;

        while (i < COUNT_OF(options) && !starts(word, options[i].name))
            i++;
        if (i == COUNT_OF(options)) {
            refuse(reader, word, "unknown option");
            return expect(reader, "--p4pe=VALUE or --p4pmv=VALUE");
        }
        word.text += strlen(options[i].name);
        word.length -= strlen(options[i].name);
        if (!read_value(reader, word, options[i].what, &value) ||
            !check_reserved(reader, word, options[i].what, value, ~options[i].writable))
            return false;
        *options[i].value = (uint32_t)value;
    }
    return true;
}

/* The counters that count from ESCRs of the event that the values select; where no event of the
 * description is meant, from any ESCR with that CCCR select. */
static uint32_t suitable(const struct reader *reader, uint32_t cccr, uint32_t escr)
{
    const unsigned select = (unsigned)field_get(cccr, CCCR_ESCR_SELECT);
    const struct description *description = reader->description;
    uint32_t of_event = 0, of_select = 0;

    for (unsigned i = 0; i < description->event_count; i++) {
        const struct netburst_event *event = description->events[i].own;
        struct netburst_choice choice;

        if (event == NULL || event->select != field_get(escr, ESCR_EVENT_SELECT) ||
            netburst_escrs[event->escrs[0]].select != select)
            continue;
        netburst_choose(&choice, event, event->escrs, event->escr_count, reader->core);
        of_event |= netburst_counters_of(&choice);
    }
    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].select == select && netburst_has_escr(i, reader->core->model))
            of_select |= netburst_escrs[i].counters;
    return of_event != 0 ? of_event : of_select;
}

/* Expects the counters that would do. */
static bool expect_counters(const struct reader *reader, uint32_t cccr, uint32_t escr)
{
    char counters[NETBURST_COUNTERS_TEXT];

    netburst_counters_text(suitable(reader, cccr, escr), counters);
    format(reader->complaint->expected, sizeof(reader->complaint->expected),
           "counter %s, which can count from such an ESCR", counters);
    return false;
}

static bool check_cccr(const struct reader *reader, unsigned counter, uint64_t value)
{
    const char *name = netburst_counters[counter].cccr_name;
    const uint64_t start =
        field_mask(CCCR_ENABLE) | field_mask(CCCR_CASCADE) | field_mask(CCCR_EXTENDED_CASCADE);
    const unsigned threads = (unsigned)field_get(value, CCCR_ACTIVE_THREAD);

    if (!check_reserved(reader, reader->cccr, name, value,
                        netburst_cccr_reserved(counter, reader->core->model) |
                            (reader->hyperthreading ? 0 : field_mask(CCCR_OVF_PMI_T1))))
        return false;
    if (threads == 0 || (!reader->hyperthreading && threads != CCCR_ACTIVE_THREAD_ANY)) {
        refuse(reader, reader->cccr, "%s: bits 16 and 17 must be set", name);
        return expect(reader, "0x00030000 among the bits");
    }
    if ((value & start) == 0) {
        refuse(reader, reader->cccr, "%s: neither ENABLE nor a cascade is set", name);
        return expect(reader, "bit 12 (ENABLE), 30 or 11");
    }
    return true;
}

/* What counts while the input is at most the threshold counts in all rings: "Non-Sleep
 * Clockticks". */
static bool needs_rings(uint64_t cccr)
{
    return !(field_get(cccr, CCCR_COMPARE) && field_get(cccr, CCCR_COMPLEMENT));
}

static bool check_escr(const struct reader *reader, unsigned escr, uint64_t value, uint64_t cccr)
{
    const char *name = netburst_escrs[escr].name;
    const uint64_t rings = SECOND_THREAD | field_mask(ESCR_T0_USR) | field_mask(ESCR_T0_OS);

    if (!check_reserved(reader, reader->escr, name, value, ESCR_RESERVED))
        return false;
    if (field_get(value, ESCR_EVENT_SELECT) == 0) {
        refuse(reader, reader->escr, "%s: no event is selected", name);
        return expect(reader, "an event select in bits 25 to 30");
    }
    if ((value & rings) == 0 && needs_rings(cccr)) {
        refuse(reader, reader->escr, "%s: no ring is selected", name);
        return expect(reader, "bit 2 (rings 1 to 3) or 3 (ring 0); of logical processor 1: 0 or 1");
    }
    return true;
}

static bool is_of_unit(const struct netburst_event *event, unsigned escr)
{
    for (unsigned i = 0; i < event->escr_count; i++)
        if (event->escrs[i] == escr || netburst_are_pair(event->escrs[i], escr))
            return true;
    return false;
}

/* Whether the ESCR, an index, can select that event on the core: some can be selected by one of a
 * unit's two ESCRs alone. An event that the description does not know may be one. */
static bool check_event(const struct reader *reader, unsigned escr, uint32_t cccr, uint32_t value)
{
    const struct netburst_event *other = NULL;

    for (unsigned i = 0; i < reader->description->event_count; i++) {
        const struct netburst_event *event = reader->description->events[i].own;
        struct netburst_choice choice;

        if (event == NULL || event->select != field_get(value, ESCR_EVENT_SELECT) ||
            !is_of_unit(event, escr))
            continue;
        netburst_choose(&choice, event, event->escrs, event->escr_count, reader->core);
        for (unsigned j = 0; j < choice.count; j++)
            if (choice.escrs[j] == escr)
                return true;
        other = event;
    }
    if (other == NULL)
        return true;
    refuse(reader, reader->counter, "%s cannot select %s", netburst_escrs[escr].name, other->name);
    return expect_counters(reader, cccr, value);
}

bool netburst_raw_read(struct netburst_raw *raw, const struct description *description,
                       struct slice text, const struct netburst_core *core, bool hyperthreading,
                       struct complaint *complaint)
{
    struct reader reader = {.description = description,
                            .core = core,
                            .hyperthreading = hyperthreading,
                            .complaint = complaint,
                            .begin = text.text};
    uint64_t cccr, escr, index, counter;
    unsigned select, found;

    if (!split(&reader, text) || !read_value(&reader, reader.cccr, "CCCR", &cccr) ||
        !read_value(&reader, reader.escr, "ESCR", &escr) ||
        !read_value(&reader, reader.counter, "counter", &index))
        return false;
    counter = index & ~(uint64_t)RDPMC_FAST;
    if (counter >= NETBURST_COUNTERS) {
        refuse(&reader, reader.counter, "there is no counter %llu", (unsigned long long)counter);
        return expect_counters(&reader, (uint32_t)cccr, (uint32_t)escr);
    }
    if (!check_cccr(&reader, (unsigned)counter, cccr))
        return false;
    select = (unsigned)field_get(cccr, CCCR_ESCR_SELECT);
    found = netburst_escr_of((unsigned)counter, select, core->model);
    if (found == NETBURST_NONE) {
        refuse(&reader, reader.counter, "%s: ESCR select %u leads to no ESCR",
               netburst_counters[counter].cccr_name, select);
        return expect_counters(&reader, (uint32_t)cccr, (uint32_t)escr);
    }
    *raw = (struct netburst_raw){.cccr = (uint32_t)cccr,
                                 .ignored = hyperthreading ? 0 : (uint32_t)(escr & SECOND_THREAD),
                                 .counter = (uint8_t)counter,
                                 .escr_index = (uint8_t)found,
                                 .fast = (index & RDPMC_FAST) != 0};
    raw->escr = (uint32_t)escr & ~raw->ignored;
    return check_escr(&reader, found, escr & ~(uint64_t)raw->ignored, cccr) &&
           check_event(&reader, found, raw->cccr, raw->escr) && read_options(&reader, raw);
}

/* The event of the description that the values select; null: no event that it knows. */
static const struct netburst_event *event_of(const struct netburst_raw *raw,
                                             const struct description *description)
{
    for (unsigned i = 0; i < description->event_count; i++) {
        const struct netburst_event *event = description->events[i].own;

        for (unsigned j = 0; event != NULL && j < event->escr_count; j++)
            if (event->select == field_get(raw->escr, ESCR_EVENT_SELECT) &&
                event->escrs[j] == raw->escr_index)
                return event;
    }
    return NULL;
}

/* With HyperThreading: the rings of the other logical processor must be left out. */
static const char *why_not_alone(const struct netburst_raw *raw, const struct netburst_event *event,
                                 unsigned thread)
{
    const uint64_t rings[2] = {field_mask(ESCR_T0_USR) | field_mask(ESCR_T0_OS),
                               field_mask(ESCR_T1_USR) | field_mask(ESCR_T1_OS)};

    if (needs_rings(raw->cccr) && !(raw->escr & rings[thread]))
        return "its ESCR value counts for the core's other logical processor";
    if (raw->escr & rings[!thread] || (event != NULL && event->thread_independent))
        return "it counts for both logical processors of a core together";
    return NULL;
}

/* Whether the values choose replays that the event counts, and nothing else need tag them. */
static bool tags_replays(const struct netburst_raw *raw, const struct netburst_event *event)
{
    for (const struct netburst_tagged *t = event->tagged; t != NULL; t = t->next)
        if (t->pebs_enable != 0 && t->upstream == NULL && t->pebs_enable == raw->pebs_enable &&
            t->matrix == raw->matrix)
            return true;
    return false;
}

const char *netburst_raw_absent(const struct netburst_raw *raw,
                                const struct description *description, unsigned thread,
                                bool hyperthreading)
{
    const struct netburst_event *event = event_of(raw, description);

    if (event != NULL && event->tags_only)
        return "its event tags uops and counts none";
    if (event != NULL && event->tagged != NULL && !tags_replays(raw, event))
        return "its event counts tagged uops, and these register values tag none";
    if (!field_get(raw->cccr, CCCR_ENABLE))
        return "its CCCR has no ENABLE, and no other counter cascades to it";
    if (field_get(raw->cccr, CCCR_OVF_PMI_T0) || field_get(raw->cccr, CCCR_OVF_PMI_T1))
        return "its CCCR asks for interrupts, and none may come within a window";
    return hyperthreading ? why_not_alone(raw, event, thread) : NULL;
}

/* "IOQ_allocation", for models 2 and above: request type, and read or write, and memory type, and
 * source agent. Lines of perfex leave the last two out, and count all the same. */
static const char *left_out(const struct netburst_raw *raw, const struct netburst_core *core)
{
    enum { IOQ_ALLOCATION = 0x03, IOQ_ACTIVE_ENTRIES = 0x1a };
    const uint64_t event = field_get(raw->escr, ESCR_EVENT_SELECT);
    const uint64_t mask = field_get(raw->escr, ESCR_EVENT_MASK);
    const bool memory = mask & 0x0f80, agent = mask & 0x6000;

    if (netburst_escrs[raw->escr_index].select != 6 || core->model < 2 || (memory && agent) ||
        (event != IOQ_ALLOCATION && event != IOQ_ACTIVE_ENTRIES))
        return NULL;
    return memory  ? "agent (bits 22, 23)"
           : agent ? "memory type (bits 16 to 20)"
                   : "memory type (bits 16 to 20) and no agent (22, 23)";
}

bool netburst_raw_note(const struct netburst_raw *raw, const struct netburst_core *core,
                       char out[NETBURST_NOTE])
{
    const char *name = netburst_escrs[raw->escr_index].name, *left = left_out(raw, core);
    size_t length = 0;

    if (raw->ignored != 0)
        length = format(out, NETBURST_NOTE,
                        "bits 0x%x of %s are those of a second logical processor: not written",
                        raw->ignored, name);
    if (left != NULL)
        format(
            out + length, NETBURST_NOTE - length,
            "%s%s selects no %s: by the manual nothing is counted then, but lines of perfex are so",
            length > 0 ? "; " : "", name, left);
    return raw->ignored != 0 || left != NULL;
}
