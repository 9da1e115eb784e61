/* Descriptions bent out of shape: whatever the bytes are, the parser ends, complains with a place
 * or gives something that can be evaluated and planned. Deterministic: the same count and seed do
 * the same. Usage: description_fuzz [runs [seed]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/plan.h"
#include "pmu/topdown.h"
#include "tests/fuzz/random.h"
#include "tests/unit/descriptions.h"

#define LIMIT 40000

/* xorshift64* */
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

static size_t seed_text(uint64_t *state, char *text)
{
    size_t size = strlen(small);

    if (random_below(state, 3) == 0) { /* a description of the image, renamed */
        static const char *const names[] = {"skylake", "skylakex", "icelakex", "alderlake_e",
                                            "core2"};
        const char *name = names[random_below(state, 5)];
        const char *found = builtin_text(name, &size);
        const char *line = strstr(found, "cpu ");
        size_t before = (size_t)(line - found), skip = before + 4 + strlen(name);

        memcpy(text, found, before);
        memcpy(text + before, "cpu test", 8);
        memcpy(text + before + 8, found + skip, size - skip);
        return size - skip + before + 8;
    }
    memcpy(text, small, size);
    return size;
}

static size_t mutate(uint64_t *state, char *text, size_t size)
{
    unsigned at = random_below(state, (unsigned)size + 1), length = random_below(state, 40),
             to = random_below(state, (unsigned)size + 1);
    const char *splice = splices[random_below(state, sizeof(splices) / sizeof(splices[0]))];

    switch (random_below(state, 5)) {
    case 0: /* flip a byte */
        if (at < size)
            text[at] = (char)random_next(state);
        return size;
    case 1: /* cut a piece */
        if (at + length > size)
            return at;
        memmove(text + at, text + at + length, size - at - length);
        return size - length;
    case 2: /* repeat a piece elsewhere */
        if (at + length > size || size + length > LIMIT)
            return size;
        {
            char piece[40];

            memcpy(piece, text + at, length);
            memmove(text + to + length, text + to, size - to);
            memcpy(text + to, piece, length);
        }
        return size + length;
    default: /* put in what means something */
        if (size + strlen(splice) > LIMIT)
            return size;
        memmove(text + at + strlen(splice), text + at, size - at);
        memcpy(text + at, splice, strlen(splice));
        return size + strlen(splice);
    }
}

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

/* Everything that a harness does with a description. */
static void use(const struct description *description, const char *text, size_t size,
                uint64_t *state)
{
    static struct count counts[DESCRIPTION_STATEMENTS];
    const struct facts facts = {.intel = true,
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
                                   (double)random_below(state, 4), "fuzzed"};
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
    if (plan_make(&plan, &facts, description, events, NULL, event_count, tests_allocate) == RC_OK)
        require(plan.pass_count > 0 || event_count == plan.missing_count,
                "events are planned or missing");
    description_matches(description, &facts);
    description_claims(text, size, &facts);
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 20000, good = 0;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : 20260813;
    static char text[LIMIT + 64];

    for (unsigned run = 0; run < runs; run++) {
        struct description description;
        struct complaint complaint;
        size_t size = seed_text(&state, text);
        char *exact;
        enum rc rc;

        for (unsigned i = random_below(&state, 5); i > 0; i--)
            size = mutate(&state, text, size);
        exact = malloc(size ? size : 1); /* so that a byte read too far is noticed */
        memcpy(exact, text, size);
        rc = tests_parse_bytes(&description, exact, size, &complaint);
        require(rc == RC_OK || rc == RC_BAD_INPUT, "parsed or refused");
        if (rc == RC_OK)
            use(&description, exact, size, &state);
        else
            require(complaint.line > 0 && complaint.column > 0 && complaint.message[0] &&
                        complaint.expected[0] && complaint.file[0],
                    "a complaint has file, line, column, message and expectation");
        good += rc == RC_OK;
        free(exact);
        tests_free();
    }
    printf("ok 1 - %u descriptions bent, %u of them still good\n1..1\n", runs, good);
    return 0;
}
