/* The sweep's comparator: what a reader of a log would believe. Each log here is one kernel on one
 * core, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/sweep/gap.h"
#include "tests/sweep/sort.h"

#define KERNEL                                                                                     \
    "{\"type\":\"kernel\",\"core\":0,\"kernel\":\"be.one\",\"iterations\":100,"                    \
    "\"per_iterations\":{\"MEM_INST_RETIRED.ALL_LOADS\":{\"min\":400,\"median\":400,\"max\":400}," \
    "\"INST_RETIRED.ANY\":{\"min\":900,\"median\":900,\"max\":900},"                               \
    "\"STALLS\":{\"min\":90,\"median\":95,\"max\":99},"                                            \
    "\"CYCLES_LOST\":{\"min\":0,\"median\":0,\"max\":0},"                                          \
    "\"UOPS_LOST\":{\"min\":0,\"median\":0,\"max\":0}}}"
#define COUNTS(n, windows, instructions)                                                           \
    "{\"type\":\"counts\",\"core\":0,\"kernel\":\"be.one\",\"pass\":0,\"iterations\":" n           \
    ",\"windows\":" windows ",\"events\":{\"INST_RETIRED.ANY\":{\"min\":" instructions             \
    ",\"median\":" instructions ",\"max\":" instructions "}}}"
#define TOPDOWN                                                                                    \
    "{\"type\":\"topdown\",\"core\":0,\"kernel\":\"be.one\",\"iterations\":100,\"method\":"        \
    "\"formula\",\"nodes\":{\"tma_retiring\":0.2500,\"tma_backend_bound\":0.7500},\"reasons\":{}}"
#define SAMPLES                                                                                    \
    "{\"type\":\"sampling\",\"core\":0,\"kernel\":\"be.one\",\"first_window\":1,\"last_window\":"  \
    "1,"                                                                                           \
    "\"windows\":2,\"outside\":0,\"lost\":0,\"late\":{\"min\":10,\"mean\":20.00,\"max\":44},"      \
    "\"handler\":{\"min\":300,\"median\":300,"                                                     \
    "\"max\":300}}"
#define BYTES                                                                                      \
    "{\"type\":\"counts\",\"core\":0,\"kernel\":\"be.one\",\"pass\":1,\"iterations\":100,"         \
    "\"windows\":[1,3,5],\"events\":{\"TOPDOWN.SLOTS\":{\"min\":1000,\"median\":1000,\"max\":"     \
    "1000},\"PERF_METRICS.RETIRING\":{\"min\":280,\"median\":280,\"max\":280}}}"
#define PROFILE                                                                                    \
    "{\"type\":\"cpi\",\"core\":0,\"kernel\":\"be.one\",\"method\":\"cfg\",\"entries\":[{"         \
    "\"offset\":0,"                                                                                \
    "\"cpi\":[5.0000,4.5000,5.5000]}]}"
#define CPI                                                                                        \
    "{\"type\":\"cpi\",\"core\":0,\"kernel\":\"be.one\",\"iterations\":100,"                       \
    "\"cycles_per_iteration\":8.0000}"
#define UOPS(slices, count)                                                                        \
    "\"slices\":" slices ",\"events\":{\"UOPS\":{\"estimate\":8000.0,\"count\":" count
#define MULTIPLEX                                                                                  \
    "{\"type\":\"multiplex\",\"core\":0,\"kernel\":\"be.one\"," UOPS("8", "8000") "}}}"
#define INTERVAL(number, frontend)                                                                 \
    "{\"type\":\"topdown\",\"core\":0,\"kernel\":\"be.one\",\"interval\":" number                  \
    ",\"nodes\":{\"tma_frontend_bound\":" frontend "}"
#define LOADS(use, cycles)                                                                         \
    "{\"type\":\"pebs\",\"core\":0,\"kernel\":\"be.one\",\"use\":\"" use                           \
    "\",\"l2_cycles\":" cycles "}"
#define TOOK(cycles) "{\"records\":1,\"min\":" cycles ",\"mean\":" cycles ".00,\"max\":" cycles "}"
#define APART        ",\"apart\":{\"UOPS\":{\"min\":0,\"max\":9,\"measured\":9}}"
#define BRIEF(cpi, retiring, instructions)                                                         \
    "{\"type\":\"result\",\"core\":0,\"kernel\":\"be.two\",\"iterations\":100,\"cpi\":" cpi        \
    ",\"nodes\":{\"tma_retiring\":[" retiring "," retiring "," retiring                            \
    "]},\"counts\":{\"INST_RETIRED.ANY\":" instructions "}}"
#define END "{\"type\":\"end\",\"reason\":\"complete\",\"discarded\":0}"

static const char *const sound_log[] = {KERNEL,
                                        COUNTS("100", "[1,3,5]", "910"),
                                        COUNTS("200", "[2,4,6]", "1810"),
                                        TOPDOWN,
                                        SAMPLES,
                                        PROFILE,
                                        CPI,
                                        MULTIPLEX,
                                        INTERVAL("3", "0.3000") "}",
                                        BYTES,
                                        LOADS("loads above 3 cycles", "null"),
                                        LOADS("loads above 9 cycles", TOOK("14")),
                                        BRIEF("0.050", "0.246", "900"),
                                        END,
                                        NULL};

/* A run in the making. */
struct run_of {
    struct outcome outcome;
};

/* One record of the log with `from` in it gets `to` in its place; NULL: none. An `extra` record
 * comes at the end. */
static void make(struct run_of *made, const char *from, const char *to, const char *extra)
{
    struct stream *stream = &made->outcome.streams[STREAM_STICK];
    bool changed = from == NULL;

    outcome_free(&made->outcome);
    *made = (struct run_of){0};
    stream->log.records = json_array();
    stream->log.verdicts = calloc(8, sizeof(struct log_verdict));
    stream->log.totals = (struct reader_totals){.ended = true, .planned = true, .begun = true};
    for (const char *const *line = sound_log; *line != NULL; line++) {
        const char *at = changed ? NULL : strstr(*line, from);
        char text[1024];

        if (at != NULL && to == NULL) {
            changed = true;
            continue;
        }
        snprintf(text, sizeof(text), "%.*s%s%s", (int)(at != NULL ? at - *line : 1023), *line,
                 at != NULL ? to : "", at != NULL ? at + strlen(from) : "");
        changed = changed || at != NULL;
        json_array_append_new(stream->log.records, json_loads(text, 0, NULL));
    }
    if (extra != NULL)
        json_array_append_new(stream->log.records, json_loads(extra, 0, NULL));
    assert_true(changed);
    made->outcome.truth = calloc(1, sizeof(struct run));
    keep_records(made->outcome.truth, stream->log.records);
}

static void say(struct run_of *made, bool ok, const char *claim, const char *reason)
{
    struct whole_log *log = &made->outcome.streams[STREAM_STICK].log;

    log->verdicts[log->verdict_count++] =
        (struct log_verdict){.claim = claim, .reason = reason, .ok = ok, .skipped = reason[0] != 0};
}

/* Windows of n and 2n with so many instructions; the first one takes `first` cycles, the others
 * 500. Of the slots 0.246 retire. */
static void write_windows(struct run *run, int n, int twice, int first)
{
    char name[] = "/tmp/sort_test.XXXXXX";
    FILE *file = fdopen(mkstemp(name), "w");

    assert_non_null(file);
    for (int i = 1; i <= 6; i++)
        fprintf(file,
                "{\"core\":0,\"window\":%d,\"instructions\":%d,\"cycles\":%d,"
                "\"slots\":{\"all\":%d},\"nodes\":{\"tma_retiring\":%d}}\n",
                i, i % 2 ? n : twice, i == 1 ? first : 500, i % 2 ? 1000 : 2000, i % 2 ? 246 : 492);
    fclose(file);
    read_lines(run, name, true);
    remove(name);
}

/* In place of 910 and 1810 instructions. */
static void write_truth(struct run *run)
{
    write_windows(run, 920, 1840, 500);
}

static struct run_of sound;

static enum sort sort_with(struct run_of *made, const struct allowed *allowed)
{
    struct baseline baseline = {0};
    struct finding finding;

    make(&sound, NULL, NULL, NULL);
    write_windows(sound.outcome.truth, 910, 1810, 500);
    stream_fill(&sound.outcome.streams[STREAM_STICK]);
    stream_fill(&made->outcome.streams[STREAM_STICK]);
    assert_true(baseline_add(&baseline, &sound.outcome, 0));
    baseline_end(&baseline);
    sort_run(&finding, &made->outcome, &baseline, allowed, NULL);
    baseline_free(&baseline);
    return finding.sort;
}

static enum sort sort_of(struct run_of *made)
{
    return sort_with(made, &(struct allowed){0});
}

static struct run_of made;

static void the_same_log_is_quiet_and_right(void **state)
{
    make(&made, NULL, NULL, NULL);
    assert_int_equal(sort_of(&made), SORT_QUIET);
    (void)state;
}

static void one_changed_count_is_silent_and_wrong(void **state)
{
    make(&made, "\"median\":400", "\"median\":401", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "0.7500", "0.0000", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void the_same_with_a_failed_verdict_on_it_is_loud(void **state)
{
    make(&made, "\"median\":400", "\"median\":401", NULL);
    say(&made, false, "core 0 be.one MEM_INST_RETIRED.ALL_LOADS 401 in [400, 400]", "");
    assert_int_equal(sort_of(&made), SORT_LOUD);
    (void)state;
}

static void a_failed_verdict_elsewhere_does_not_doubt_it(void **state)
{
    static const char *const elsewhere[] = {
        "core 0 be.two MEM_INST_RETIRED.ALL_LOADS 401 in [400, 400]",
        "core 1 be.one MEM_INST_RETIRED.ALL_LOADS 401 in [400, 400]",
        "core 0 be.one STORES 401 in [400, 400]",
        "core 0 be.one.more MEM_INST_RETIRED.ALL_LOADS 401 in [400, 400]"};

    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
        make(&made, "\"median\":400", "\"median\":401", NULL);
        say(&made, false, elsewhere[i], "");
        assert_int_equal(sort_of(&made), SORT_WRONG);
    }
    (void)state;
}

static void a_node_is_doubted_by_a_failed_count_of_its_kernel(void **state)
{
    make(&made, "0.7500", "0.0000", NULL);
    say(&made, false, "core 0 be.one MEM_INST_RETIRED.ALL_LOADS 401 in [400, 400]", "");
    assert_int_equal(sort_of(&made), SORT_LOUD);
    (void)state;
}

static void a_verdict_that_rests_on_an_event_that_is_off_is_a_doubt(void **state)
{
    make(&made, "0.7500", "0.0000", NULL);
    say(&made, true,
        "core 0 be.one tma_backend_bound 0.000 in [0.000, 1.000], but MEM_INST_RETIRED.ALL_LOADS "
        "counts 1.050 of what "
        "it should",
        "");
    assert_int_equal(sort_of(&made), SORT_LOUD);
    make(&made, "0.7500", "0.0000", NULL);
    say(&made, true, "core 0 be.one tma_backend_bound 0.000 in [0.000, 1.000]", "");
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void a_counter_that_is_not_used_any_more_doubts_nothing_by_itself(void **state)
{
    make(&made, "\"median\":400", "\"median\":401", NULL);
    say(&made, false, "core 0 general counter 3 counts 10 in [5, 5]: it is not used", "");
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void a_doubt_record_doubts_its_records_alone(void **state)
{
    static const char *const doubts[] = {
        "{\"type\":\"doubt\",\"core\":0,\"why\":\"clocks\",\"records\":[6,9]}",
        "{\"type\":\"doubt\",\"core\":0,\"why\":\"clocks\",\"records\":[8,9]}",
        "{\"type\":\"doubt\",\"core\":1,\"why\":\"clocks\",\"records\":[6,9]}",
        "{\"type\":\"doubt\",\"core\":0,\"why\":\"clocks\",\"records\":null}"};

    for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
        make(&made, "0.7500", "0.1000", doubts[i]);
        json_object_set_new(json_array_get(made.outcome.streams[STREAM_STICK].log.records, 3),
                            "seq", json_integer(7));
        assert_int_equal(sort_of(&made), i == 0 ? SORT_LOUD : SORT_WRONG);
    }
    (void)state;
}

static void a_number_that_was_left_out_as_doubted_is_loud(void **state)
{
    struct whole_log *log = &made.outcome.streams[STREAM_STICK].log;

    make(&made, "\"type\":\"kernel\"", NULL, NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "\"type\":\"kernel\"", NULL, NULL);
    log->left_out = json_array();
    json_array_append_new(log->left_out, json_loads(KERNEL, 0, NULL));
    assert_int_equal(sort_of(&made), SORT_LOUD);
    (void)state;
}

static void an_error_record_doubts_what_it_names(void **state)
{
    make(&made, "\"median\":400", "\"median\":401",
         "{\"type\":\"error\",\"what\":\"#GP\",\"where\":\"core 0, kernel be.one, IA32_PMC0\"}");
    assert_int_equal(sort_of(&made), SORT_LOUD);
    make(&made, "\"median\":400", "\"median\":401",
         "{\"type\":\"error\",\"what\":\"#GP\",\"where\":\"core 0, kernel be.two, IA32_PMC0\"}");
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "\"median\":400", "\"median\":401",
         "{\"type\":\"error\",\"what\":\"no file gets another name\",\"where\":null}");
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void an_error_over_right_numbers_is_loud(void **state)
{
    make(&made, NULL, NULL,
         "{\"type\":\"error\",\"what\":\"no file gets another name\",\"where\":null}");
    assert_int_equal(sort_of(&made), SORT_LOUD);
    (void)state;
}

static void an_untrusted_record_is_loud(void **state)
{
    make(&made, "\"tma_retiring\":0.2500", "\"tma_retiring\":0.9000", NULL);
    json_object_set_new(json_array_get(made.outcome.streams[STREAM_STICK].log.records, 3),
                        "trusted", json_false());
    assert_int_equal(sort_of(&made), SORT_LOUD);
    (void)state;
}

static void null_is_loud_and_zero_is_wrong(void **state)
{
    make(&made, "0.7500", "null", NULL);
    assert_int_not_equal(sort_of(&made), SORT_WRONG);
    make(&made, "0.7500", "0", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void a_record_that_is_missing_must_be_explained(void **state)
{
    make(&made, "\"type\":\"topdown\"", NULL, NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "\"type\":\"topdown\"", NULL, NULL);
    say(&made, true, "core 0 be.one tma_backend_bound", "too many windows were disturbed");
    assert_int_equal(sort_of(&made), SORT_LOUD);
    make(&made, "\"type\":\"topdown\"", NULL, NULL);
    say(&made, true, "core 0 be.two tma_backend_bound", "too many windows were disturbed");
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void what_repeats_differ_by_is_right(void **state)
{
    make(&made, "\"median\":95", "\"median\":92", NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "\"median\":95", "\"median\":60", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* 1 % above 5.5. Two samplings agree where their ranges meet. */
static void the_cpi_of_a_profile_is_right_where_the_sound_one_says_it_lies(void **state)
{
    make(&made, "[5.0000,4.5000,5.5000]", "[5.5500,5.2000,9.0000]", NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "[5.0000,4.5000,5.5000]", "[5.5600,5.5600,5.7000]", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "[5.0000,4.5000,5.5000]", "[0.0000,0.0000,4.4400]", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* Two cycles of a hundred iterations. */
static void the_edges_may_be_two_cycles_of_all_iterations(void **state)
{
    make(&made, "8.0000", "7.9800", NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "8.0000", "7.9790", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* The handler stops the counter after branches of its own: one may be mispredicted. */
static void of_samples_the_mean_is_judged(void **state)
{
    make(&made, "\"max\":44}", "\"max\":99}", NULL);
    assert_int_equal(sort_of(&made), SORT_QUIET);
    make(&made, "20.00", "36.00", NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "20.00", "36.50", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* Two windows, each with a begin and an end outside of the kernel. */
static void a_sample_may_meet_the_edge_of_a_window(void **state)
{
    make(&made, "\"outside\":0", "\"outside\":4", NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "\"outside\":0", "\"outside\":5", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "\"lost\":0", "\"lost\":1", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* 1 % of 1000 counts of a slice, and 8 for its edges: 18, of 8 slices 144. */
static void a_multiplexed_count_is_one_of_slices_however_many_they_are(void **state)
{
    make(&made, UOPS("8", "8000"), UOPS("8", "8144"), NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, UOPS("8", "8000"), UOPS("8", "8145"), NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, UOPS("8", "8000") "}",
         UOPS("8", "8145") ",\"slice_range\":[1000,1000],\"alone_range\":[1000,1145]}", NULL);
    assert_int_equal(sort_of(&made), SORT_LOUD);
    make(&made, UOPS("8", "8000"),
         "\"slices\":16,\"events\":{\"UOPS\":{\"estimate\":16000.0,\"count\":16000", NULL);
    assert_int_equal(sort_of(&made), SORT_QUIET);
    (void)state;
}

static void an_interval_may_differ_by_its_edges_or_says_what_lies_apart(void **state)
{
    make(&made, "0.3000", "0.3050", NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "0.3000", "0.3060", NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "0.3000}", "0.3060}" APART, NULL);
    assert_int_equal(sort_of(&made), SORT_LOUD);
    make(&made, "0.3000}", "0.3060}", INTERVAL("2", "null") APART "}");
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void what_really_happened_is_right(void **state)
{
    make(&made, "\"median\":900", "\"median\":920", NULL);
    write_truth(made.outcome.truth);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "\"median\":900", "\"median\":921", NULL);
    write_truth(made.outcome.truth);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* The log's numbers of 920 and 1840 instructions, in windows whose numbers are one higher than the
 * truth's from `first` on. */
static void count_a_window_more(struct run_of *of, json_int_t first)
{
    json_t *record, *number, *count;
    const char *member;
    size_t i, j;

    json_array_foreach (of->outcome.streams[STREAM_STICK].log.records, i, record) {
        const json_int_t instructions = integer_of(record, "iterations") == 100 ? 920 : 1840;

        count = json_object_get(json_object_get(record, "events"), "INST_RETIRED.ANY");
        json_object_foreach (count, member, number)
            json_integer_set(number, instructions);
        json_array_foreach (json_object_get(record, "windows"), j, number)
            if (count != NULL && json_integer_value(number) >= first)
                json_integer_set(number, json_integer_value(number) + 1);
    }
}

/* A lost write starts no window, and the log counts it: before all others, or between two. */
static void a_window_that_the_truth_lacks_moves_the_others(void **state)
{
    for (json_int_t first = 1; first <= 5; first += 4) {
        make(&made, "\"median\":900", "\"median\":920", NULL);
        count_a_window_more(&made, first);
        write_truth(made.outcome.truth);
        assert_int_equal(sort_of(&made), SORT_WRONG);
        assert_int_equal(gap_fill(made.outcome.truth), 1);
        assert_int_equal(sort_of(&made), SORT_RIGHT);
    }
    make(&made, "\"median\":900", "\"median\":921", NULL);
    count_a_window_more(&made, 1);
    write_truth(made.outcome.truth);
    assert_int_equal(gap_fill(made.outcome.truth), 1);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* No record names its windows: those of 910 and 1810 instructions are 900 apart, and take 100
 * cycles more, or none: a CPI of 0 to 0.111. Of their slots 0.246 retire, and a node may be off by
 * 0.01. */
static void a_number_without_windows_is_among_those_of_its_instructions(void **state)
{
    static const struct {
        const char *from, *to;
        enum sort sort;
    } rows[] = {
        {"0.050", "0.112", SORT_RIGHT},
        {"0.050", "0.000", SORT_RIGHT},
        {"0.050", "0.114", SORT_WRONG},
        {"[0.246,0.246,0.246]", "[0.255,0.255,0.255]", SORT_RIGHT},
        {"[0.246,0.246,0.246]", "[0.237,0.237,0.237]", SORT_RIGHT},
        {"[0.246,0.246,0.246]", "[0.258,0.258,0.258]", SORT_WRONG},
        {"[0.246,0.246,0.246]", "[0.234,0.234,0.234]", SORT_WRONG},
        {":900}}", ":901}}", SORT_WRONG},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make(&made, rows[i].from, rows[i].to, NULL);
        write_windows(made.outcome.truth, 910, 1810, 400);
        assert_int_equal(sort_of(&made), rows[i].sort);
    }
    make(&made, "0.050", "0.100", NULL);
    write_truth(made.outcome.truth); /* 920 more */
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* One record that fits nowhere, or all of them where they stand: no window is missing. */
static void a_wrong_count_is_no_window_that_the_truth_lacks(void **state)
{
    make(&made, NULL, NULL, NULL);
    write_windows(made.outcome.truth, 910, 1810, 500);
    assert_int_equal(gap_fill(made.outcome.truth), 0);
    make(&made, "\"min\":1810", "\"min\":1811", NULL);
    write_windows(made.outcome.truth, 910, 1810, 500);
    assert_int_equal(gap_fill(made.outcome.truth), 0);
    make(&made, NULL, NULL, NULL);
    write_truth(made.outcome.truth);
    assert_int_equal(gap_fill(made.outcome.truth), 0);
    (void)state;
}

/* The sound run has 0.250 of it, the truth 0.246: a number may be off by 0.01 more than the one, or
 * by 0.01 less than the other. */
static void a_node_is_no_further_off_than_the_sound_runs(void **state)
{
    static const struct {
        const char *retiring;
        enum sort sort;
    } rows[] = {{"0.2350", SORT_WRONG},
                {"0.2370", SORT_RIGHT},
                {"0.2590", SORT_RIGHT},
                {"0.2610", SORT_WRONG}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make(&made, "0.2500", rows[i].retiring, NULL);
        write_windows(made.outcome.truth, 910, 1810, 500);
        assert_int_equal(sort_of(&made), rows[i].sort);
    }
    (void)state;
}

/* 246 of 1000 slots retire, and the sound run counts 280: three steps of 1000/255 and 2 are usual,
 * and three steps and 8 around what really retired. */
static void a_byte_of_perf_metrics_is_judged_by_the_slots_of_its_windows(void **state)
{
    static const struct {
        const char *retiring;
        enum sort sort;
    } rows[] = {{"\"median\":227", SORT_RIGHT},
                {"\"median\":226", SORT_WRONG},
                {"\"median\":265", SORT_RIGHT},
                {"\"median\":266", SORT_WRONG}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make(&made, "\"median\":280", rows[i].retiring, NULL);
        write_windows(made.outcome.truth, 910, 1810, 500);
        assert_int_equal(sort_of(&made), rows[i].sort);
    }
    (void)state;
}

/* The window takes 4 % longer than in the sound run: so samples come later, and none is cheaper for
 * that, nor is the handler another. */
static void samples_of_windows_that_took_longer_may_be_later(void **state)
{
    make(&made, "\"mean\":20.00", "\"mean\":37.00", NULL);
    write_windows(made.outcome.truth, 910, 1810, 500);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "\"mean\":20.00", "\"mean\":37.00", NULL);
    write_windows(made.outcome.truth, 910, 1810, 520);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "\"mean\":20.00", "\"mean\":3.00", NULL);
    write_windows(made.outcome.truth, 910, 1810, 520);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "\"min\":300,\"median\":300,\"max\":300", "\"min\":317,\"median\":317,\"max\":317",
         NULL);
    write_windows(made.outcome.truth, 910, 1810, 520);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* A misprediction is 16 cycles. */
static void a_handler_may_have_a_misprediction_more(void **state)
{
    make(&made, "\"min\":300,\"median\":300,\"max\":300", "\"min\":316,\"median\":316,\"max\":320",
         NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "\"min\":300,\"median\":300,\"max\":300", "\"min\":317,\"median\":318,\"max\":320",
         NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* The edges of two windows may have two cycles, of four uops each. */
static void the_edges_may_lose_two_cycles(void **state)
{
#define LOST(event, count) "\"" event "_LOST\":{\"min\":" count ",\"median\":" count
    make(&made, LOST("CYCLES", "0"), LOST("CYCLES", "-2"), NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, LOST("CYCLES", "0"), LOST("CYCLES", "-3"), NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, LOST("UOPS", "0"), LOST("UOPS", "-8"), NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, LOST("UOPS", "0"), LOST("UOPS", "-9"), NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* Of STALLS, which the truth does not have: 90 to 99 in the sound run. */
static void the_edges_of_windows_that_went_otherwise_may_count_otherwise(void **state)
{
    make(&made, "\"median\":95", "\"median\":30", NULL);
    write_windows(made.outcome.truth, 910, 1810, 500);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, "\"median\":95", "\"median\":30", NULL);
    write_windows(made.outcome.truth, 910, 1810, 501);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "\"median\":95", "\"median\":20", NULL);
    write_windows(made.outcome.truth, 910, 1810, 501);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

static void a_slower_load_takes_what_the_slow_ones_take(void **state)
{
    make(&made, "\"l2_cycles\":null", "\"l2_cycles\":" TOOK("14"), NULL);
    assert_int_equal(sort_of(&made), SORT_RIGHT);
    make(&made, "\"l2_cycles\":null", "\"l2_cycles\":" TOOK("15"), NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    make(&made, TOOK("14"), TOOK("15"), NULL);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    (void)state;
}

/* The truth is 0.246, in the sound run and in this one. */
static void a_node_is_right_within_the_range_of_its_repeats(void **state)
{
    static const struct {
        const char *value, *range;
        enum sort sort;
    } rows[] = {{"0.2700", NULL, SORT_WRONG},
                {"0.2700", "[0.2450,0.2750]", SORT_RIGHT},
                {"0.2700", "[0.2555,0.2750]", SORT_RIGHT},
                {"0.2700", "[0.2565,0.2750]", SORT_WRONG},  /* the truth is not among them */
                {"0.2700", "[0.2200,0.2590]", SORT_WRONG}}; /* the value is not */

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[200];

        snprintf(text, sizeof(text), "%s,\"tma_backend_bound\":0.7500}%s%s%s", rows[i].value,
                 rows[i].range != NULL ? ",\"ranges\":{\"tma_retiring\":" : "",
                 rows[i].range != NULL ? rows[i].range : "", rows[i].range != NULL ? "}" : "");
        make(&made, "0.2500,\"tma_backend_bound\":0.7500}", text, NULL);
        write_windows(made.outcome.truth, 910, 1810, 500);
        assert_int_equal(sort_of(&made), rows[i].sort);
    }
    (void)state;
}

static void another_machine_is_judged_by_the_truth_alone(void **state)
{
    const struct allowed other = {.machine = MACHINE_OTHER};

    make(&made, "\"median\":95", "\"median\":60", NULL);
    write_truth(made.outcome.truth);
    assert_int_equal(sort_of(&made), SORT_WRONG);
    assert_int_equal(sort_with(&made, &other), SORT_RIGHT);
    make(&made, "\"median\":900", "\"median\":921", NULL);
    write_truth(made.outcome.truth);
    assert_int_equal(sort_with(&made, &other), SORT_WRONG);
    (void)state;
}

static void a_log_that_is_cut_has_no_end_unless_the_fault_cuts_it(void **state)
{
    make(&made, "\"type\":\"end\"", NULL, NULL);
    made.outcome.streams[STREAM_STICK].log.totals.ended = false;
    assert_int_equal(sort_of(&made), SORT_ENDLESS);
    assert_int_equal(sort_with(&made, &(struct allowed){.stick = true}), SORT_LOUD);
    (void)state;
}

static void a_run_that_the_rig_stopped_has_no_end(void **state)
{
    make(&made, NULL, NULL, NULL);
    made.outcome.status = 1;
    assert_int_equal(sort_of(&made), SORT_ENDLESS);
    (void)state;
}

static int free_both(void **state)
{
    outcome_free(&made.outcome);
    outcome_free(&sound.outcome);
    (void)state;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_log_is_quiet_and_right),
        cmocka_unit_test(one_changed_count_is_silent_and_wrong),
        cmocka_unit_test(the_same_with_a_failed_verdict_on_it_is_loud),
        cmocka_unit_test(a_failed_verdict_elsewhere_does_not_doubt_it),
        cmocka_unit_test(a_node_is_doubted_by_a_failed_count_of_its_kernel),
        cmocka_unit_test(a_verdict_that_rests_on_an_event_that_is_off_is_a_doubt),
        cmocka_unit_test(a_counter_that_is_not_used_any_more_doubts_nothing_by_itself),
        cmocka_unit_test(a_doubt_record_doubts_its_records_alone),
        cmocka_unit_test(a_number_that_was_left_out_as_doubted_is_loud),
        cmocka_unit_test(an_error_record_doubts_what_it_names),
        cmocka_unit_test(an_error_over_right_numbers_is_loud),
        cmocka_unit_test(an_untrusted_record_is_loud),
        cmocka_unit_test(null_is_loud_and_zero_is_wrong),
        cmocka_unit_test(a_record_that_is_missing_must_be_explained),
        cmocka_unit_test(what_repeats_differ_by_is_right),
        cmocka_unit_test(the_cpi_of_a_profile_is_right_where_the_sound_one_says_it_lies),
        cmocka_unit_test(the_edges_may_be_two_cycles_of_all_iterations),
        cmocka_unit_test(of_samples_the_mean_is_judged),
        cmocka_unit_test(a_sample_may_meet_the_edge_of_a_window),
        cmocka_unit_test(a_multiplexed_count_is_one_of_slices_however_many_they_are),
        cmocka_unit_test(an_interval_may_differ_by_its_edges_or_says_what_lies_apart),
        cmocka_unit_test(what_really_happened_is_right),
        cmocka_unit_test(a_window_that_the_truth_lacks_moves_the_others),
        cmocka_unit_test(a_number_without_windows_is_among_those_of_its_instructions),
        cmocka_unit_test(a_wrong_count_is_no_window_that_the_truth_lacks),
        cmocka_unit_test(a_node_is_no_further_off_than_the_sound_runs),
        cmocka_unit_test(a_byte_of_perf_metrics_is_judged_by_the_slots_of_its_windows),
        cmocka_unit_test(samples_of_windows_that_took_longer_may_be_later),
        cmocka_unit_test(a_handler_may_have_a_misprediction_more),
        cmocka_unit_test(the_edges_of_windows_that_went_otherwise_may_count_otherwise),
        cmocka_unit_test(a_node_is_right_within_the_range_of_its_repeats),
        cmocka_unit_test(the_edges_may_lose_two_cycles),
        cmocka_unit_test(a_slower_load_takes_what_the_slow_ones_take),
        cmocka_unit_test(another_machine_is_judged_by_the_truth_alone),
        cmocka_unit_test(a_log_that_is_cut_has_no_end_unless_the_fault_cuts_it),
        cmocka_unit_test(a_run_that_the_rig_stopped_has_no_end),
    };

    return cmocka_run_group_tests(tests, NULL, free_both);
}
