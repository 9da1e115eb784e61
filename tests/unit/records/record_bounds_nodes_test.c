/* As record_bounds_test.c: records of nodes, estimates and samples. */
#include "harness/experiment/cpi/records_sampling.h"
#include "harness/experiment/multiplex/estimate.h"
#include "harness/experiment/multiplex/records_rotation.h"
#include "harness/experiment/pebs/records_pebs.h"
#include "harness/experiment/timeline/timeline_record.h"
#include "harness/experiment/topdown/records_topdown.h"
#include "harness/outcome/records_brief.h"
#include "harness/rounds/rounds_record.h"
#include "tests/unit/records/bounds.h" /* last: its names are short */

/* ---- nodes ---- */

static void a_ratio_of_counts_may_be_below_0_and_without_bound(void **state)
{
    static const double measured[] = {-2, 0, 1, -1e300, 1e300, 1e9};
    struct pinned pinned[PLAN_EVENTS] = {{0}};
    const struct event *list[PLAN_EVENTS];

    (void)state;
    core.round = 1; /* likewise */
    core.exactness.events = pinned;
    for (unsigned i = 0; i < PLAN_EVENTS; i++) {
        list[i] = &events[i];
        pinned[i] = (struct pinned){.times = i % 7 == 0 ? 0
                                             : i % 2    ? 1
                                                        : UINT32_MAX,
                                    .exact = i % 7 && i % 5 == 0 ? 1 : 0,
                                    .expected = i % 7 == 0 || i % 4 == 0 ? 0 : 300,
                                    .measured = measured[i % 6],
                                    .miscount = (enum miscount)(i % 4)};
    }
    record_exactness(&core, list, PLAN_EVENTS);
    assert_true(records_hold() > 1);
}

/* The first event counts 3 for 2, the second 1 for 2, the third what it should; no kernel pins the
 * fourth. */
static void the_brief_form_names_events_that_are_off_alone(void **state)
{
    struct pinned pinned[4] = {{.times = 1, .expected = 2, .measured = 3},
                               {.times = 1, .expected = 2, .measured = 1},
                               {.times = 1, .exact = 1, .expected = 2, .measured = 2},
                               {.times = 0}};
    const struct event *list[] = {&events[2], &events[0], &events[3], &events[1]};

    (void)state;
    seam_log_form(LOG_BRIEF);
    core.round = 1; /* exactness is said in the first one */
    core.exactness.events = pinned;
    record_exactness(&core, list, 4);
    assert_int_equal(records_hold(), 1);
    assert_non_null(strstr(seam_console(), events[0].name));
    assert_non_null(strstr(seam_console(), "\"is\":\"over\""));
    assert_non_null(strstr(seam_console(), "\"is\":\"under\""));
    assert_null(strstr(seam_console(), events[2].name));
    assert_null(strstr(seam_console(), events[3].name));
}

static void where_none_is_off_the_brief_form_has_no_record_of_it(void **state)
{
    struct pinned pinned[1] = {{.times = 1, .exact = 1, .expected = 2, .measured = 2}};
    const struct event *list[] = {&events[0]};

    (void)state;
    seam_log_form(LOG_BRIEF);
    core.round = 1; /* exactness is said in the first one */
    core.exactness.events = pinned;
    record_exactness(&core, list, 1);
    assert_int_equal(records_hold(), 0);
}

static void a_name_of_an_erratum_is_what_a_description_may_call_it(void **state)
{
    static const char *const names[] = {"SKL089", "#_.:9", "A:B", NAME};
    const struct event *listed[] = {&events[0]};
    static struct erratum errata[4];
    struct pinned pinned[PLAN_EVENTS] = {{0}};

    (void)state;
    core.round = 1;
    core.exactness.events = pinned;
    description.errata = errata;
    for (description.erratum_count = 1; description.erratum_count <= 4; description.erratum_count++)
        for (unsigned first = 0; first < 4; first++) {
            for (unsigned i = 0; i < 4; i++) {
                strcpy(errata[i].name, names[(first + i) % 4]);
                errata[i].events = listed;
                errata[i].event_count = 1;
            }
            record_exactness(&core, listed, 1);
        }
    assert_int_equal(records_hold(), 16);
}

static void a_dose_has_any_share(void **state)
{
    struct experiment experiment = {.kernel = &kernel};
    const struct trial trial = {.experiment = &experiment, .description = &description};
    static const double shares[] = {-1, 2, 0, 1, 0.5};
    struct dose_point points[DOSE_STEPS];
    struct dose_line line;

    (void)state;
    kernel.name = "mix.core.port";
    kernel.doses = DOSE_STEPS;
    for (unsigned i = 0; i < DOSE_STEPS; i++)
        points[i] = (struct dose_point){dose_of_step(DOSE_STEPS, i), shares[i % 5] * 1e6};
    for (unsigned count = 0; count <= DOSE_STEPS; count++) {
        dose_fit(&line, points, count);
        record_dose(&core, &trial, &nodes[0], points, count, &line);
    }
    assert_int_equal(records_hold(), DOSE_STEPS + 1);
}

static void a_duty_has_any_share(void **state)
{
    struct experiment experiment = {.kernel = &kernel};
    const struct trial trial = {
        .experiment = &experiment, .description = &description, .corunner = m.corunner};
    static const double shares[] = {-1, 2, 0, 1, 0.5};
    struct dose_point points[9];
    struct dose_line line;

    (void)state;
    for (unsigned i = 0; i < 9; i++)
        points[i] = (struct dose_point){10 * (i + 1), shares[i % 5] * 1e6};
    for (unsigned count = 1; count <= 9; count++) {
        dose_fit(&line, points, count);
        record_duty(&core, &trial, INT64_MAX, points, count, &line);
    }
    assert_int_equal(records_hold(), 9);
}

static void estimates_of_a_multiplexed_run_have_no_bound(void **state)
{
    struct interval interval = {.first_window = 1, .last_window = INT64_MAX};
    struct rotation rotation = {
        .n = INT64_MAX, .turns = ROTATION_TURNS, .alone = ROTATION_ALONE, .interval = &interval};
    static const double values[] = {0, 1e300, 0.5, 1e18, 1e9};
    struct multiplexed rows[5];

    (void)state;
    plan.pass_count = MEASUREMENT_PASSES;
    for (unsigned i = 0; i < 5; i++)
        rows[i] = (struct multiplexed){.event = &events[i],
                                       .estimate = {.valid = i < 4,
                                                    .why = "no time slice counted it",
                                                    .running = i % 2,
                                                    .value = values[i],
                                                    .share = 1},
                                       .count = values[4 - i],
                                       .error_known = i > 0,
                                       .error = i % 2 ? -1 : values[i],
                                       .cycles_known = i > 1,
                                       .uncertainty = i % 2,
                                       .unreliable = i % 2 ? NULL : "too rare",
                                       .differ = i % 2,
                                       .slice_range = {0, 281474976710655.},
                                       .alone_range = {0, 1}};
    record_multiplex(&core, &m, &rotation, rows, 5);
    assert_int_equal(records_hold(), 1);
}

static uint64_t words[PLAN_COUNTERS * 2 * (STATS_VALUES + 1) + 2 * STATS_VALUES];
static struct rotated rotated[PLAN_COUNTERS];

/* The measurement counted nothing of any event, and the interval as much as a counter holds. */
static void lay_apart(struct interval *interval)
{
    assert_true(measurement_words(&plan, m.repeats) <= sizeof(words) / sizeof(words[0]));
    pass.reading_count = PLAN_COUNTERS;
    for (unsigned i = 0; i < PLAN_COUNTERS; i++) {
        pass.readings[i] = (struct reading){&events[i], READING_GENERAL, (uint8_t)i, 0};
        rotated[i] = (struct rotated){0, i % 2, 281474976710655., false};
    }
    measurement_lay_out(&m, words);
    m.passes[0].complete = true;
    interval->readings = rotated;
    interval->time_slices[0] = 1;
}

static void intervals_and_drifts_have_values_or_reasons(void **state)
{
    struct interval interval[2] = {
        {.first_window = 1, .last_window = 1, .begun = 0, .ended = 0},
        {.first_window = 2, .last_window = INT64_MAX, .begun = 1ull << 62, .ended = INT64_MAX}};
    const struct rotation rotation = {.interval = interval, .done = 1000};
    struct node_share shares[8] = {{0}};
    const struct selection asked = {.nodes = {UINT64_MAX}};
    const struct trial trial = {.description = &description,
                                .nodes = shares,
                                .asked = &asked,
                                .counts = {.description = &description}};
    struct drift drifts[8];

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        shares[i].result = (struct formula_result){
            .finite = i % 2, .value = i == 1 ? -1e18 : 1e18, .reason = "a reason"};
        drifts[i] = (struct drift){.lowest = -1e18,
                                   .highest = 1e18,
                                   .early = -9e18,
                                   .late = 9e18,
                                   .early_count = 1,
                                   .late_count = 1};
    }
    assert_int_equal(record_interval(&core, &trial, &m, &rotation, 0), 0);
    lay_apart(&interval[1]);
    assert_int_equal(record_interval(&core, &trial, &m, &rotation, 1), PLAN_COUNTERS);
    record_interval(&core, &trial, &m, &rotation, 1);
    assert_null(strstr(seam_console(), "\"us\":null,"));
    seam_clock_unknown(true);
    record_interval(&core, &trial, &m, &rotation, 1);
    assert_non_null(strstr(seam_console(), "\"from_us\":null,\"us\":null,"));
    record_drift(&core, &trial, &m, &rotation, drifts);
    assert_non_null(strstr(seam_console(), "\"intervals\":1000,"));
    assert_non_null(
        strstr(seam_console(), "{\"intervals\":2,\"min\"")); /* of a node: one in each half */
    assert_true(records_hold() >= 6);
}

/* ---- sampling ---- */

static void what_an_interrupt_cost_may_be_below_0(void **state)
{
    const struct signed_spread any = {INT64_MIN, -1, INT64_MAX};
    struct sampler s = {.measurement = &m, .periods = {.period = 1}, .cost = {.skid_windows = 9}};

    (void)state;
    core.untrusted = false; /* else nothing is sampled */
    s.n = 1;
    record_sampling(&core, &s, "cycles", "CPU_CLK_UNHALTED.THREAD", 0, -1e300);
    s.periods.period = UINT32_MAX;
    s.periods.jitter = UINT32_MAX;
    s.n = s.windows = s.kept = s.outside = s.lost = s.spurious = s.no_room = INT64_MAX;
    s.ended_early = s.thrown_away = s.total_cycles = INT64_MAX;
    s.first_window = 1;
    s.last_window = 1ull << 60;
    for (unsigned i = 0; i < GUARD_PROBED; i++)
        s.discarded[i] = INT64_MAX;
    s.late =
        (struct seen){.count = 1, .highest = (1ull << 48) - 1, .apart = INT64_MAX, .sum = 0x1p48};
    s.cost = (struct interrupt_cost){.handler = any,
                                     .handler_known = true,
                                     .skid_windows = 1,
                                     .gain_windows = GAIN_WINDOWS - 1,
                                     .gain = any,
                                     .skid = any,
                                     .refill = any,
                                     .gain_known = true};
    record_sampling(&core, &s, "branches", "BR_INST_RETIRED.NEAR_TAKEN", UINT32_MAX, 1e300);
    s.cost.handler_off = s.total_off = true;
    record_sampling(&core, &s, "cycles", "CPU_CLK_UNHALTED.THREAD", 1, 0);
    s.cost.skid_missing = "a reason";
    s.memory.area = (void *)&s;
    record_sampling(&core, &s, "precise instructions", "INST_RETIRED.PREC_DIST", 1, 0);
    assert_int_equal(records_hold(), 4);
}

static void samples_that_no_profile_uses_are_said(void **state)
{
    struct addresses addresses = {.used = 900, .outside = 7};
    struct branches branches = {.records = 900, .outside = 7};
    struct sampler s = {.measurement = &m, .periods = {.period = 1}, .n = 1};

    core.untrusted = false;
    s.cost.skid_missing = "a reason";
    s.addresses = &addresses;
    record_sampling(&core, &s, "cycles", "CPU_CLK_UNHALTED.THREAD", 0, 0);
    s.branches = &branches;
    record_sampling(&core, &s, "cycles", "CPU_CLK_UNHALTED.THREAD", 0, 0);
    assert_null(strstr(seam_console(), "left_out"));
    addresses.broken = 1;
    addresses.ambiguous = 2;
    addresses.full = 4;
    s.branches = NULL;
    record_sampling(&core, &s, "cycles", "CPU_CLK_UNHALTED.THREAD", 0, 0);
    assert_non_null(
        strstr(seam_console(), "\"left_out\":{\"samples\":7,\"records\":0,\"intervals\":0}"));
    assert_int_equal(records_hold(), 3);
    bounds_begin(state);
    core.untrusted = false;
    branches.short_stacks = 1;
    branches.full = INT64_MAX - 1;
    branches.broken = 3;
    branches.broken_intervals = 4;
    s.branches = &branches;
    record_sampling(&core, &s, "branches", "BR_INST_RETIRED.NEAR_TAKEN", 0, 0);
    assert_non_null(
        strstr(seam_console(), "{\"samples\":9223372036854775807,\"records\":3,\"intervals\":4}"));
    assert_int_equal(records_hold(), 1);
}

static void latencies_and_gaps_of_precise_records_have_no_bound(void **state)
{
    static struct pebs_sampling sampling;
    static struct kernel_cause places[CAUSES_MAX];
    static struct kernel_causes causes;
    struct pebs_tally *tally;

    (void)state;
    memset(&sampling, 0, sizeof(sampling));
    causes.count = CAUSES_MAX;
    for (unsigned i = 0; i < CAUSES_MAX; i++)
        places[i].at = (const uint8_t *)&sampling + i;
    causes.causes = places;
    sampling.causes = &causes;
    for (unsigned use = 0; use < PEBS_USES; use++) {
        static const struct pebs_event event = {.name = "INST_RETIRED.PREC_DIST"};
        struct pebs_plan *of = &sampling.uses[use].plan;

        of->use = (enum pebs_use)use;
        of->event = &event;
        of->layout.format = 15;
        of->record_bytes = use ? 1 : INT32_MAX;
        of->period = use ? 1 : INT64_MAX;
        of->counter = use ? 63 : 0;
        of->witness = use ? -1 : 35;
        tally = &sampling.uses[use].tallies[0];
        if (use > 0)
            memset(tally, 0x3f, sizeof(*tally));
        for (unsigned i = 0; i < PEBS_THRESHOLDS; i++)
            record_pebs(&core, &m, &sampling, (enum pebs_use)use, (enum pebs_threshold)i);
    }
    assert_int_equal(records_hold(), PEBS_USES * PEBS_THRESHOLDS);
}

static void a_timeline_has_counts_of_any_size_or_reasons(void **state)
{
    static uint8_t kept[TIMELINE_PASSES * 3];
    static uint32_t counts[TIMELINE_EVENTS * 3 * STATS_VALUES];
    struct timeline t = {.freeze = FREEZE_LEGACY,
                         .limit = 2,
                         .repeats = STATS_VALUES,
                         .n = 1,
                         .kept = kept,
                         .counts = counts};

    (void)state;
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++)
        t.events[i] = (struct timeline_event){.name = "INST_RETIRED.ANY", .missing = "a reason"};
    timeline_record(&core, &m, &t);
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++)
        t.events[i] = (struct timeline_event){.name = "INST_RETIRED.ANY", .event = &events[0]};
    memset(kept, STATS_VALUES, sizeof(kept));
    kept[1] = STATS_VALUES - 1;
    for (unsigned i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        counts[i] = i / STATS_VALUES % 2 ? 0 : UINT32_MAX - i % 2;
    t.cycles = t.n = t.delay_min = t.delay_max = INT64_MAX;
    t.delays = 8;
    t.dropped = INT64_MAX;
    t.undisturbed = t.first_window = t.last_window = INT64_MAX;
    timeline_record(&core, &m, &t);
    assert_true(records_hold() >= 2 * TIMELINE_EVENTS);
}

static struct estimated any_of(double value)
{
    return (struct estimated){.value = value, .low = 0, .high = value * 100};
}

static void a_profile_has_estimates_from_0_on(void **state)
{
    static struct map_block blocks[2] = {{.label = NAME},
                                         {.label = ".", .offset = UINT32_MAX, .first = 1}};
    static struct map_function functions[2] = {{.name = NAME}, {.name = "f"}};
    struct kernel_map map = {.blocks = blocks, .functions = functions, .block_count = 2};
    struct profile_entry entries[2] = {
        {.first = 0,
         .count = 1,
         .executions = any_of(1e15),
         .instructions = any_of(1e15),
         .cycles = any_of(1e15),
         .cpi = any_of(1e9),
         .share = any_of(1),
         .executed_share = 1,
         .samples = INT64_MAX},
        {.first = 1, .count = UINT32_MAX, .executed_share = -1},
    };
    struct profile profile = {
        .method = "cfg", .map = &map, .entries = {entries, entries, entries}, .count = {2, 2, 2}};

    (void)state;
    core.untrusted = false; /* likewise */
    entries[1].executions = entries[1].instructions = entries[1].cycles = entries[1].cpi =
        entries[1].share = (struct estimated){.reason = "a reason"};
    for (unsigned level = 0; level < PROFILE_LEVELS; level++)
        record_profile(&core, kernel.name, &profile, (enum profile_level)level, 1);
    assert_int_equal(records_hold(), PROFILE_LEVELS);
}

static void a_round_has_values_of_any_size_or_none(void **state)
{
    struct rounds rounds = {.wanted = 0, .number = 1};

    (void)state;
    rounds_record(&rounds, 0, 0);
    rounds.wanted = UINT32_MAX;
    rounds.number = UINT32_MAX;
    rounds.results = rounds.unsaid = UINT_MAX;
    rounds.node = (struct round_value){kernel.name, &nodes[0], CORES_MAX - 1, 100, -1e18, 1e18};
    rounds.widest = (struct round_value){kernel.name, &nodes[1], 0, 0, 1e18, -1e18};
    rounds.cpi = (struct round_value){kernel.name, NULL, 1, 1, -1e18, 1e300};
    rounds_record(&rounds, INT64_MAX, INT64_MAX);
    assert_int_equal(records_hold(), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, bounds_begin)
        TEST(a_ratio_of_counts_may_be_below_0_and_without_bound),
        TEST(the_brief_form_names_events_that_are_off_alone),
        TEST(where_none_is_off_the_brief_form_has_no_record_of_it),
        TEST(a_name_of_an_erratum_is_what_a_description_may_call_it),
        TEST(a_dose_has_any_share),
        TEST(a_duty_has_any_share),
        TEST(estimates_of_a_multiplexed_run_have_no_bound),
        TEST(intervals_and_drifts_have_values_or_reasons),
        TEST(what_an_interrupt_cost_may_be_below_0),
        TEST(samples_that_no_profile_uses_are_said),
        TEST(latencies_and_gaps_of_precise_records_have_no_bound),
        TEST(a_timeline_has_counts_of_any_size_or_reasons),
        TEST(a_profile_has_estimates_from_0_on),
        TEST(a_round_has_values_of_any_size_or_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
