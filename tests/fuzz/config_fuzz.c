/* Configurations: every complaint has a place inside the text and an expectation, and every
 * accepted value is within its limits; every event is one of the core's, or has a complaint. */
#include <string.h>

#include "boot/text.h"
#include "harness/configure/config_reader.h"
#include "harness/plan/asked_events.h"
#include "pmu/intel/kind.h"
#include "pmu/netburst/kind.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/descriptions.h"

#define ROOM 65536

static const char *const lines[] = {
    "kernels = be.*,ret.nop # some\n",
    "kernels = all, !be.mem.dram !cpi.*\n",
    "cores=0-3,6\n",
    "cores=all\n",
    "levels = 2\n",
    "levels = auto\n",
    "nodes = tma_l2_bound,tma_retiring\n",
    "explain = tma_l2_bound\n",
    "events = 0xC000:cmask=2:inv,INST_RETIRED.ANY,instr_retired:NBOGUSNTAG:thr=2\n",
    "events = 0x39000/0x4000204@12\n",
    "sibling = be.core.chain\n",
    "timeline = ret.nop\n",
    "timeline_cycles = 40\n",
    "multiplex = yes\n",
    "both = no\n",
    "precision = metrics\n",
    "pebs = yes\n",
    "skid = yes\n",
    "interval = 100ms\n",
    "intervals = 12\n",
    "samples = 1000\n",
    "samples = auto\n",
    "period = 1009\n",
    "jitter = 7\n",
    "seed = 4294967295\n",
    "delivery = vector\n",
    "overhead = 1000,20000\n",
    "loop = forever\n",
    "repeats = 3\n",
    "repeats = auto\n",
    "warmup = 2\n",
    "scale = 10\n",
    "scale = auto\n",
    "scale = 200us\n",
    "node = remote\n",
    "parallel = no\n",
    "turbo = off\n",
    "prefetch = found\n",
    "pages = 4k\n",
    "cpu = skylakex\n",
    "serial = 0x2f8\n",
    "baud = 115200\n",
    "screen = no\n",
    "log = a.log\n",
    "detail = full\n",
    "log_detail = brief\n",
    "exclusive = yes\n",
    "help = no\n",
    "timeout = 60\n",
    "end = halt\n",
};

/* Some of the lines, in the table's order from any line on. */
static size_t make_lines(uint64_t *state, char *text)
{
    const unsigned wanted = 1 + random_below(state, 12);
    size_t size = 0, line = random_below(state, COUNT_OF(lines));

    for (unsigned i = 0; i < wanted; i++) {
        memcpy(text + size, lines[line], strlen(lines[line]));
        size += strlen(lines[line]);
        line = (line + 1 + random_below(state, 6)) % COUNT_OF(lines);
    }
    return size;
}

/* In half of them up to seven bytes are changed or taken out, or the text is doubled. */
static size_t make(uint64_t *state, char *text)
{
    size_t size = make_lines(state, text);

    for (unsigned i = random_below(state, random_below(state, 2) ? 8 : 1); i > 0; i--) {
        size_t at = random_below(state, (unsigned)size);

        switch (random_below(state, 4)) {
        case 0:
            text[at] = (char)random_next(state);
            break;
        case 1:
            text[at] = "=#,-*\n\r\t 0x9ykn.\\"[random_below(state, 17)];
            break;
        case 2:
            memmove(text + at, text + at + 1, size - at - 1);
            size -= size > 1;
            break;
        default:
            if (2 * size < ROOM) {
                memcpy(text + size, text, size);
                size *= 2;
            }
        }
    }
    return size;
}

const struct fuzz fuzz = {"configurations", 50000, 20261121, ROOM, make};
unsigned fuzz_accepted;

struct received {
    size_t size; /* of the text */
    unsigned complaints;
};

static void receive(void *context, const struct complaint *complaint)
{
    struct received *received = context;

    received->complaints++;
    require(complaint->message[0] != '\0', "a complaint says what is wrong");
    require(complaint->expected[0] != '\0', "a complaint says what was expected");
    require(complaint->line <= received->size + 1 && complaint->column <= received->size + 1,
            "a complaint's place is in the text");
    require(memchr(complaint->message, 0, sizeof(complaint->message)) != NULL, "a complaint ends");
}

static void check_sampling(const struct config *config)
{
    require((config->samples <= CONFIG_SAMPLES_MAX || config->samples == CONFIG_SAMPLES_AUTO) &&
                config->period >= 1 && config->period <= CONFIG_PERIOD_MAX &&
                config->jitter <= CONFIG_JITTER_MAX,
            "samples");
    require(config->intervals >= 1 && config->intervals <= 1000, "intervals");
    require(config->timeline_cycles >= 1 && config->timeline_cycles <= CONFIG_TIMELINE_MAX,
            "timeline");
    require(config->rounds <= CONFIG_ROUNDS_MAX, "rounds");
    require(config->overhead_count <= CONFIG_OVERHEADS, "periods of the overhead table");
    for (unsigned i = 0; i < config->overhead_count; i++)
        require(config->overhead[i] >= 1 && config->overhead[i] <= CONFIG_OVERHEAD_MAX,
                "a period of the overhead table");
}

static void check(const struct config *config)
{
    check_sampling(config);
    require(config->levels >= 1 && config->levels <= CONFIG_LEVELS, "levels");
    require(config->repeats <= 101 && (config->repeats % 2 == 1 || config->repeats == 0),
            "repeats");
    require(config->warmup <= 1000, "warmup");
    require(config->scale <= 1000000 && config->window_us <= 10000 &&
                (config->window_us == 0 || config->scale == 1),
            "scale");
    require(config->timeout >= 1 && config->timeout <= 3600, "timeout");
    require(config->page_shift == 12 || config->page_shift == 21 || config->page_shift == 30,
            "pages");
    require(config->event_count <= CONFIG_EVENTS, "events");
    require(config->kernel_count <= CONFIG_PATTERNS && config->node_count <= CONFIG_NODES &&
                config->explain_count <= CONFIG_NODES,
            "names");
    for (unsigned i = 0; i < config->event_count; i++) {
        const struct config_event *event = &config->events[i];

        require(memchr(event->text, 0, sizeof(event->text)) != NULL, "an event's text ends");
        /* options of perfex behind an at sign have blanks before them */
        require(event->text[0] != '\0' && strpbrk(event->text, "\"\\,#\t\r\n") == NULL &&
                    (strchr(event->text, ' ') == NULL || strchr(event->text, '@') != NULL),
                "an event can be shown as it is");
        require(event->place.file != NULL && event->place.line > 0 && event->place.column > 0,
                "an event has a place");
    }
    require(memchr(config->log, 0, sizeof(config->log)) != NULL, "log");
    require(config->baud == 0 || 115200 % config->baud == 0, "baud");
}

/* What `events` names on a core with counters of that kind. */
static void check_events(const struct config *config, const struct description *description,
                         const struct facts *facts)
{
    struct pool pool = {.allocate = tests_allocate, .chunk = 4096};

    for (unsigned i = 0; i < config->event_count; i++) {
        const char *text = config->events[i].text;
        const struct event *event = NULL;
        struct complaint complaint = {.line = 0};
        const enum rc rc = asked_event(&event, text, description, facts, &pool, &complaint);

        require(rc == RC_OK || rc == RC_BAD_INPUT, "there is memory");
        require(rc != RC_OK || strcmp(event->name, text) == 0, "an event has the text as its name");
        require(rc == RC_OK || (complaint.message[0] != '\0' && complaint.expected[0] != '\0' &&
                                complaint.column >= 1 && complaint.column <= strlen(text) + 1),
                "a refused event has a complaint with a place in it");
    }
}

static void check_all_events(const struct config *config)
{
    static const struct facts skylake = {.kind = &intel_kind, .version = 4, .general_count = 4};
    static const struct facts nocona = {.family = 15, .model = 4, .kind = &netburst_kind};
    static struct description skylakex, prescott;
    static struct block *kept; /* the memory of the descriptions */

    if (kept == NULL) {
        tests_builtin(&skylakex, "skylakex");
        tests_builtin(&prescott, "prescott");
        kept = blocks;
    }
    blocks = NULL;
    check_events(config, &skylakex, &skylake);
    check_events(config, &prescott, &nocona);
    tests_free();
    blocks = kept;
}

/* The input as a file, then as load options, which end with 0. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct received received = {size, 0};
    struct complaint_sink sink = {&received, receive};
    struct config config;
    char *options = malloc(size + 1);

    require(options != NULL, "memory");
    config_defaults(&config);
    require(config_read_file(&config, "fuzz.cfg", (const char *)input, size, &sink) ==
                received.complaints,
            "every complaint is received");
    check(&config);
    check_all_events(&config);
    fuzz_accepted += received.complaints == 0;
    for (size_t i = 0; i < size; i++)
        options[i] = input[i] == 0 ? ' ' : (char)input[i];
    options[size] = '\0';
    config_read_options(&config, options, &sink);
    check(&config);
    free(options);
    return 0;
}
