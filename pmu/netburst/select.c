#include "select.h"

#include "boot/format.h"
#include "boot/text.h"
#include "pmu/formula/number.h"
#include "registers.h"

struct reader {
    const struct description *description;
    struct netburst_request *request;
    struct complaint *complaint;
    const char *begin;
    bool masks; /* masks are named */
};

struct netburst_core netburst_core_of(const struct facts *facts)
{
    return (struct netburst_core){(uint8_t)facts->model, (uint8_t)facts->stepping,
                                  facts->user_only};
}

static int shown(struct slice word)
{
    return (int)(word.length > 40 ? 40 : word.length);
}

/* Writes the complaint without its expectation, and returns false. */
static bool refuse(const struct reader *reader, const char *at, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(const struct reader *reader, const char *at, const char *pattern, ...)
{
    struct complaint *complaint = reader->complaint;
    va_list arguments;

    *complaint = (struct complaint){.line = 1, .column = (uint32_t)(at - reader->begin) + 1};
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

/* Expects one of the event's masks or tagged counts, by name. */
static bool expect_names(const struct reader *reader, bool masks)
{
    const struct netburst_event *event = reader->request->event;
    char *out = reader->complaint->expected;
    size_t size = sizeof(reader->complaint->expected), length = 0;

    for (unsigned i = 0; masks && i < event->mask_count && length < size; i++)
        length += format(out + length, size - length, "%s%s", length > 0 ? ", " : "",
                         event->masks[i].name);
    for (const struct netburst_tagged *t = event->tagged; t != NULL && length < size; t = t->next)
        length += format(out + length, size - length, "%s%s", length > 0 ? ", " : "", t->name);
    return length > 0 ? false : expect(reader, "an event whose description states masks");
}

static bool take_mask(struct reader *reader, struct slice word)
{
    const struct netburst_event *event = reader->request->event;

    for (unsigned i = 0; i < event->mask_count; i++) {
        if (!slice_is(word, event->masks[i].name))
            continue;
        if (!reader->masks)
            reader->request->mask = 0;
        reader->masks = true;
        reader->request->mask |= (uint16_t)(1u << event->masks[i].bit);
        return true;
    }
    return false;
}

/* thr=N, or thrN, which a formula can hold. */
static bool read_threshold(struct slice word, uint64_t *number)
{
    const size_t skip = word.length > 3 && word.text[3] == '=' ? 4 : 3;

    return word.length > skip && memcmp(word.text, "thr", 3) == 0 &&
           number_unsigned(word.text + skip, word.length - skip, number) && *number <= 15;
}

static bool take_modifier(struct netburst_request *request, struct slice word)
{
    uint64_t number;

    if (slice_is(word, "u")) {
        request->user = true;
    } else if (slice_is(word, "k")) {
        request->kernel = true;
    } else if (slice_is(word, "e")) {
        request->edge = true;
    } else if (slice_is(word, "cmpl")) {
        request->complement = true;
    } else if (word.length == 4 && memcmp(word.text, "TAG", 3) == 0 && word.text[3] >= '0' &&
               word.text[3] <= '3') {
        request->tag |= (uint8_t)(1u << (word.text[3] - '0'));
    } else if (read_threshold(word, &number)) {
        request->threshold = (uint8_t)number;
    } else {
        return false;
    }
    return true;
}

static const struct netburst_tagged *tagged_named(const struct netburst_event *event,
                                                  struct slice word)
{
    const struct netburst_tagged *tagged = event->tagged;

    while (tagged != NULL && !slice_is(word, tagged->name) &&
           !(tagged->also[0] && slice_is(word, tagged->also)))
        tagged = tagged->next;
    return tagged;
}

static bool take_word(struct reader *reader, struct slice word)
{
    struct netburst_request *request = reader->request;
    const struct netburst_tagged *tagged;

    if (take_mask(reader, word) || take_modifier(request, word))
        return true;
    tagged = tagged_named(request->event, word);
    if (tagged == NULL) {
        refuse(reader, word.text, "%s has no mask '%.*s'", request->event->name, shown(word),
               word.text);
        return expect_names(reader, true);
    }
    if (request->tagged != NULL && request->tagged != tagged) {
        refuse(reader, word.text, "%s and %s need different tags", request->tagged->name,
               tagged->name);
        return expect(reader, "one count of tagged uops");
    }
    request->tagged = tagged;
    if (!reader->masks)
        request->mask = tagged->mask;
    return true;
}

/* Takes the word before the next colon off *rest. */
static struct slice next_word(struct slice *rest)
{
    struct slice word = {rest->text, 0};
    size_t taken;

    while (word.length < rest->length && word.text[word.length] != ':')
        word.length++;
    taken = word.length + (word.length < rest->length);
    rest->text += taken;
    rest->length -= taken;
    return word;
}

static bool take_event(struct reader *reader, struct slice name)
{
    char text[DESCRIPTION_NAME] = "";
    const struct event *event;

    if (name.length < sizeof(text))
        memcpy(text, name.text, name.length);
    event = description_event(reader->description, text);
    if (event == NULL || event->kind != EVENT_MASKED) {
        refuse(reader, name.text, "'%.*s' is no event of %s", shown(name), name.text,
               reader->description->name);
        return expect(reader, "an event that an ESCR selects, such as instr_retired:NBOGUSNTAG");
    }
    reader->request->event = event->own;
    return true;
}

bool netburst_read(struct netburst_request *request, const struct description *description,
                   struct slice text, struct complaint *complaint)
{
    struct reader reader = {description, request, complaint, text.text, false};
    struct slice rest = text;

    *request = (struct netburst_request){0};
    if (!take_event(&reader, next_word(&rest)))
        return false;
    if (request->event->mask_count == 1)
        request->mask = (uint16_t)(1u << request->event->masks[0].bit);
    while (rest.length > 0)
        if (!take_word(&reader, next_word(&rest)))
            return false;
    if (text.length > 0 && text.text[text.length - 1] == ':') {
        refuse(&reader, text.text + text.length, "nothing follows the colon");
        return expect_names(&reader, true);
    }
    if (request->mask == 0) {
        refuse(&reader, text.text + text.length, "%s needs a mask", request->event->name);
        return expect_names(&reader, true);
    }
    if (!request->user && !request->kernel)
        request->user = request->kernel = request->every_ring = true;
    return true;
}

static uint32_t rings(const struct netburst_request *request, unsigned threads)
{
    const bool t0 = threads & NETBURST_T0, t1 = threads & NETBURST_T1;

    return (uint32_t)(field_of(ESCR_T0_USR, t0 && request->user) |
                      field_of(ESCR_T0_OS, t0 && request->kernel) |
                      field_of(ESCR_T1_USR, t1 && request->user) |
                      field_of(ESCR_T1_OS, t1 && request->kernel));
}

uint32_t netburst_escr_value(const struct netburst_request *request, unsigned threads)
{
    return rings(request, threads) |
           (uint32_t)(field_of(ESCR_EVENT_SELECT, request->event->select) |
                      field_of(ESCR_EVENT_MASK, request->mask) |
                      field_of(ESCR_TAG_ENABLE, request->tag != 0) |
                      field_of(ESCR_TAG_VALUE, request->tag));
}

uint32_t netburst_cccr_value(const struct netburst_request *request)
{
    const uint8_t select = netburst_escrs[request->event->escrs[0]].select;
    const bool compare = request->threshold > 0 || request->complement || request->edge;

    return (uint32_t)(field_of(CCCR_ENABLE, 1) | field_of(CCCR_ESCR_SELECT, select) |
                      field_of(CCCR_ACTIVE_THREAD, CCCR_ACTIVE_THREAD_ANY) |
                      field_of(CCCR_COMPARE, compare) |
                      field_of(CCCR_COMPLEMENT, request->complement) |
                      field_of(CCCR_THRESHOLD, request->threshold) |
                      field_of(CCCR_EDGE, request->edge));
}

/* Whether the event's ESCR can select it on that core. */
static bool usable(const struct netburst_event *event, uint8_t escr,
                   const struct netburst_core *core)
{
    if (!netburst_has_escr(escr, core->model))
        return false;
    if (event->escr_count < 2 || escr != event->escrs[1])
        return true;
    return core->model > event->second_model ||
           (core->model == event->second_model && core->stepping >= event->second_stepping);
}

void netburst_choose(struct netburst_choice *choice, const struct netburst_event *event,
                     const uint8_t *escrs, unsigned count, const struct netburst_core *core)
{
    choice->count = 0;
    for (unsigned i = 0; i < count; i++)
        if (usable(event, escrs[i], core))
            choice->escrs[choice->count++] = escrs[i];
}

/* What tags the uops. The upstream event tags for the same rings and threads. */
static void select_upstream(struct netburst_selection *selection,
                            const struct netburst_request *request,
                            const struct netburst_core *core, unsigned threads)
{
    const struct netburst_tagged *tagged = request->tagged;
    const struct netburst_request upstream = {.event = tagged->upstream,
                                              .mask = tagged->upstream_mask,
                                              .tag = tagged->upstream_tag,
                                              .user = request->user,
                                              .kernel = request->kernel};

    selection->pebs_enable = tagged->pebs_enable;
    selection->matrix = tagged->matrix;
    if (tagged->upstream == NULL)
        return;
    selection->upstream.value = netburst_escr_value(&upstream, threads);
    netburst_choose(&selection->upstream, tagged->upstream, tagged->upstream_escrs,
                    tagged->upstream_escr_count, core);
}

/* Execution tags: bit n of the mask counts uops with bit n of ESCR_TAG_VALUE that are not bogus,
 * bit 4 + n those that are. */
static bool tags_what_it_counts(const struct netburst_request *request)
{
    const uint8_t tag = request->tagged->upstream_tag;

    return tag == 0 || ((request->mask | request->mask >> 4) & 0xf & ~tag) == 0;
}

/* A request that would count nothing is refused: its zero would be taken for a count. */
static bool counts(const struct reader *reader)
{
    const struct netburst_event *event = reader->request->event;

    if (event->tags_only) {
        refuse(reader, reader->begin, "%s tags uops and counts none", event->name);
        return expect(reader, "the event that counts them, such as front_end_event:memory_loads");
    }
    if (event->tagged != NULL && reader->request->tagged == NULL) {
        refuse(reader, reader->begin, "%s counts tagged uops, and nothing tags any", event->name);
        return expect_names(reader, false);
    }
    if (event->tagged != NULL && !tags_what_it_counts(reader->request)) {
        refuse(reader, reader->begin, "%s: the masks count a tag that no uop has",
               reader->request->tagged->name);
        return expect(reader, "masks of tag 0, such as NBOGUS0 and BOGUS0");
    }
    return true;
}

bool netburst_select(struct netburst_selection *selection, const struct description *description,
                     struct slice text, const struct netburst_core *core, unsigned threads,
                     struct complaint *complaint)
{
    struct netburst_request request;
    const struct reader reader = {description, &request, complaint, text.text, false};

    *selection = (struct netburst_selection){0};
    if (!netburst_read(&request, description, text, complaint) || !counts(&reader))
        return false;
    if (request.every_ring && core->user_only)
        request.kernel = false;
    selection->event = request.event;
    selection->tagged = request.tagged;
    selection->escr.value = netburst_escr_value(&request, threads);
    selection->cccr = netburst_cccr_value(&request);
    netburst_choose(&selection->escr, request.event, request.event->escrs,
                    request.event->escr_count, core);
    if (request.tagged != NULL)
        select_upstream(selection, &request, core, threads);
    if (selection->escr.count == 0 ||
        (selection->upstream.value != 0 && selection->upstream.count == 0)) {
        refuse(&reader, text.text, "this core has no ESCR for %.*s", shown(text), text.text);
        return expect(&reader, "an event of this model");
    }
    return true;
}

uint32_t netburst_counters_of(const struct netburst_choice *choice)
{
    uint32_t counters = 0;

    for (unsigned i = 0; i < choice->count; i++)
        counters |= netburst_escrs[choice->escrs[i]].counters;
    return counters;
}
