/* Descriptions: whatever the bytes are, the parser ends, and complains with a place or gives a
 * description that can be evaluated and planned. */
#include <string.h>

#include "boot/text.h"
#include "pmu/intel/kind.h"
#include "pmu/plan.h"
#include "pmu/topdown.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/descriptions.h"

#define ROOM  40064
#define RARE  64
#define SHORT 2048 /* bytes of a description */

static const char small[] =
    "cpu test\nlike architectural\nwithout TOPDOWN.SLOTS\nsignature 06_55 stepping 0-4 core 0x40 "
    "native "
    "0x3\nwidth 4\nslots "
    "S\nmetric M 3\n"
    "event A.B 0x3c umask 0 cmask 2 edge inv any counters 0-3,5 architectural 1\nevent F - fixed "
    "1\nevent O.R 0xb7 umask 1 umask2 2 eq msr 0x1a6 0x10001\noutside TSC no counter\ntable SKX X\n"
    "parameter #SMT_on 0\nlet x = A.B:c1:e1 / 2 if #SMT_on else min( F , 3 ) * M\n"
    "let y = NA if O.R:ocr_msr_val=0x12 else A.B:retire_latency * TSC + A.B:USER\n"
    "node n level 1 = ( x + 1 ) / ( A.B - F ) above 0.1\nnode m level 2 parent n = n - 0.5 below "
    "1 or n & parent\n"
    "event 1U escr 0x2 RAT_ESCR0,RAT_ESCR1 tags_only\nmasks 1 TAG 2 GAT\n"
    "event R escr 9 CRU_ESCR2,CRU_ESCR3 second_from 2 7 thread_independent\nmasks 0 NB 1 BG\n"
    "tagged x,y NB:BG pebs_enable 0x1000001 matrix 1 by 1U:TAG:GAT tag 2 on RAT_ESCR1\n"
    "let z = R:NB:BG:u:thr2:e\n"
    "topdown perf_metrics levels 2\nlbr skylake32\nerratum E1 A.B,F is wrong\n";

static const char *const splices[] = {
    " ( ",
    " ) ",
    " / 0 ",
    " if ",
    " else ",
    "\n",
    "\nlike test\n",
    "#",
    "0x",
    "-",
    ",",
    " min( ",
    "99999999999999999999",
    " above ",
    "\nnode n level 2 parent n = n\n",
    "\nlet x = x\n",
    "\nevent ",
    "\nevent Z escr 1 ",
    "\nmasks ",
    "\ntagged ",
    ",CRU_ESCR1",
    " fixed 31 ",
    " counters 0-31 ",
    "_",
    ":c",
    ":e1",
    ":ocr_msr_val=0x1",
    "\nwithout A.B ",
    " & parent",
    " or n",
    " NA ",
    " native 0x3",
    "\r\n",
    "\xff",
};

static size_t whole(char *text)
{
    memcpy(text, small, strlen(small));
    return strlen(small);
}

/* The first line of `small`, and each of the others or not. */
static size_t some_lines(uint64_t *state, char *text)
{
    const unsigned kept = 1 + random_below(state, 15); /* in 16 */
    size_t size = 0;

    for (const char *line = small; *line != '\0';) {
        const size_t length = (size_t)(strchr(line, '\n') + 1 - line);

        if (line == small || random_below(state, 16) < kept) {
            memcpy(text + size, line, length);
            size += length;
        }
        line += length;
    }
    return size;
}

/* A description of the image, under the name `test`. */
static size_t renamed(char *text, const char *name, const char *found, size_t size)
{
    const char *line = strstr(found, "cpu ");
    const size_t before = (size_t)(line - found), skip = before + 4 + strlen(name);

    memcpy(text, found, before);
    memcpy(text + before, "cpu test", 8);
    memcpy(text + before + 8, found + skip, size - skip);
    return size - skip + before + 8;
}

/* Lines of a description of the image, of which `test` may inherit the rest. */
static size_t excerpt(uint64_t *state, char *text, const char *name, const char *found, size_t size)
{
    const char *line = found + random_below(state, (unsigned)size), *stop = found + size;
    unsigned count = 1 + random_below(state, 16);
    size_t length =
        (size_t)sprintf(text, random_below(state, 2) ? "cpu test\nlike %s\n" : "cpu test\n", name);

    while (line > found && line[-1] != '\n')
        line--;
    for (; count > 0 && line < stop; count--) {
        const size_t piece =
            (size_t)((const char *)memchr(line, '\n', (size_t)(stop - line)) - line) + 1;

        memcpy(text + length, line, piece);
        length += piece;
        line += piece;
    }
    return length;
}

static size_t seed_text(uint64_t *state, char *text)
{
    static const char *const names[] = {"skylake", "skylakex", "icelakex", "alderlake_e",
                                        "core2",   "prescott", "netburst"};
    const char *name = names[random_below(state, COUNT_OF(names))];
    size_t size;
    const char *found = builtin_text(name, &size);

    switch (random_below(state, 6)) {
    case 0:
        return renamed(text, name, found, size);
    case 1:
        return excerpt(state, text, name, found, size);
    case 2:
    case 3:
        return some_lines(state, text);
    default:
        return whole(text);
    }
}

static size_t mutate(uint64_t *state, char *text, size_t size)
{
    unsigned at = random_below(state, (unsigned)size + 1), length = random_below(state, 40),
             to = random_below(state, (unsigned)size + 1);
    const char *splice = splices[random_below(state, sizeof(splices) / sizeof(splices[0]))];

    switch (random_below(state, 5)) {
    case 0: /* change a byte */
        if (at < size)
            text[at] = (char)random_next(state);
        return size;
    case 1: /* take a piece out */
        if (at + length > size)
            return at;
        memmove(text + at, text + at + length, size - at - length);
        return size - length;
    case 2: /* repeat a piece elsewhere */
        if (at + length > size || size + length > ROOM)
            return size;
        {
            char piece[40];

            memcpy(piece, text + at, length);
            memmove(text + to + length, text + to, size - to);
            memcpy(text + to, piece, length);
        }
        return size + length;
    default: /* put in a piece that means something */
        if (size + strlen(splice) > ROOM)
            return size;
        memmove(text + at + strlen(splice), text + at, size - at);
        memcpy(text + at, splice, strlen(splice));
        return size + strlen(splice);
    }
}

static size_t make(uint64_t *state, char *text)
{
    size_t size = seed_text(state, text);

    for (unsigned i = random_below(state, 5); i > 0; i--)
        size = mutate(state, text, size);
    return size;
}

const struct fuzz fuzz = {"descriptions", 60000, 20260813, ROOM, make};
unsigned fuzz_accepted;

struct seen {
    const struct counts *counts;
    struct formula_result result;
};

static const struct formula_result *evaluated(void *context, const struct node *node)
{
    struct seen *seen = context;

    topdown_node(seen->counts, node, &seen->result);
    return &seen->result;
}

/* Everything that the harness does with a description, on random counts and a random core. */
static void use(const struct description *description, const char *text, size_t size,
                uint64_t *state)
{
    static struct count counts[DESCRIPTION_STATEMENTS];
    const struct facts facts = {.kind = &intel_kind,
                                .intel = true,
                                .version = 5,
                                .general_count = 1 + random_below(state, 10),
                                .fixed_mask = 0xf,
                                .architectural_events = 0xff,
                                .any_thread = true,
                                .perf_metrics = true};
    const struct event *events[PLAN_EVENTS];
    struct counts all = {
        .description = description, .counts = counts, .count_count = description->event_count};
    unsigned event_count = 0;
    struct plan plan;
    struct seen seen = {.counts = &all};
    const struct topdown_results results = {&seen, evaluated};

    for (unsigned i = 0; i < description->event_count; i++)
        counts[i] = (struct count){&description->events[i], random_below(state, 8) > 0,
                                   (double)random_below(state, 4), (double)random_below(state, 3),
                                   "fuzzed"};
    for (unsigned i = 0; i < description->node_count; i++) {
        struct formula_result result;

        topdown_node(&all, &description->nodes[i], &result);
        require(result.finite ? __builtin_isfinite(result.value) && result.reason == NULL
                              : result.reason != NULL,
                "finite or reason");
        topdown_flagged(description, &description->nodes[i], &results);
        event_count = topdown_events(description, &description->nodes[i].formula, events,
                                     event_count, PLAN_EVENTS, NULL);
        event_count = topdown_events_given(&all, &description->nodes[i].formula, events,
                                           event_count, PLAN_EVENTS, NULL);
    }
    if (plan_make(&plan, &facts, description, events, NULL, event_count, &tests_pool) == RC_OK)
        require(plan.pass_count > 0 || event_count == plan.missing_count,
                "events are planned or missing");
    description_matches(description, &facts);
    description_claims(text, size, &facts);
}

/* Random, but always the same for an input. FNV-1a. */
static uint64_t state_of(const uint8_t *input, size_t size)
{
    uint64_t sum = 14695981039346656037ULL;

    for (size_t i = 0; i < size; i++)
        sum = (sum ^ input[i]) * 1099511628211ULL;
    return sum | 1;
}

struct library {
    const char *text; /* of `test` */
    size_t size;
    bool whole;
};

/* What `test` inherits. A description of the image is read the same way each time, which takes a
 * hundred times longer than to read the input: one input in RARE inherits it as it is, and the
 * others the lines of `small` under its name. */
static const char *text_for(void *context, const char *name, size_t *size, bool *from_stick)
{
    const struct library *library = context;
    const char *lines = strstr(small, "signature"), *text;
    char *made;

    *from_stick = strcmp(name, "test") == 0;
    *size = library->size;
    if (*from_stick)
        return library->text;
    text = builtin_text(name, size);
    if (text == NULL || library->whole || *size <= SHORT)
        return text;
    *size = strlen("cpu \n") + strlen(name) + strlen(lines);
    made = tests_allocate(*size + 1);
    sprintf(made, "cpu %s\n%s", name, lines);
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    uint64_t state = state_of(input, size);
    struct library given = {(const char *)input, size, random_below(&state, RARE) == 0};
    const struct description_library library = {&given, text_for};
    struct description description;
    struct complaint complaint;
    enum rc rc = description_parse(&description, "test", &library, tests_allocate, &complaint);

    require(rc == RC_OK || rc == RC_BAD_INPUT, "parsed or refused");
    if (rc == RC_OK)
        use(&description, given.text, size, &state);
    else
        require(complaint.line > 0 && complaint.column > 0 && complaint.message[0] &&
                    complaint.expected[0] && complaint.file[0],
                "a complaint has file, line, column, message and expectation");
    fuzz_accepted += rc == RC_OK;
    tests_free();
    return 0;
}
