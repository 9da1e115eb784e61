/* The schema refuses no record that the image can write: the writers of records are given the least
 * and the most that their types and limits allow, as a run in which events lie may give them, and
 * what they write is held against doc/log.schema.json. */
#include "tests/unit/cmocka_all.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "boot/log.h"
#include "boot/machine/cores.h"
#include "harness/judge/estimate.h"
#include "harness/measure/recording.h"
#include "harness/report/records.h"
#include "harness/report/records_brief.h"
#include "harness/report/records_cpuid.h"
#include "harness/report/records_kernel.h"
#include "harness/report/records_pebs.h"
#include "harness/report/records_rotation.h"
#include "harness/report/records_sampling.h"
#include "harness/report/records_settings.h"
#include "harness/report/records_topdown.h"
#include "harness/rounds/rounds_record.h"
#include "harness/timeline/timeline_record.h"
#include "report/log_schema.h"
#include "slotlog/whole_log.h"
#include "tests/unit/seams.h"

#define LEAST (-(1ll << 49)) /* a difference of sums of two counters of 48 bits */
#define MOST  (1ll << 49)
#define NAME                                                                                       \
    "ABCDEFGH.ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz:012345678" /* 71 bytes */
#define LONG "a long kernel's name, as long as one of the user's own may be"

static struct measured_core core;
static struct event events[PLAN_EVENTS];
static struct node nodes[8];
static struct description description;
static struct kernel kernel;
static struct plan plan;
static struct pass pass;
static struct measurement m;
static struct results results;
static uint64_t words[4096];
static struct core_place place;

/* Of the seam that the records of a core need. */
const struct core_place *cores_place(unsigned number)
{
    (void)number;
    return &place;
}

static void note(void *context, const char *text)
{
    (void)context;
    print_error("%s\n", text);
}

/* Holds all records since the log began against the schema; returns how many there are behind the
 * log's first one. */
static unsigned records_hold(void)
{
    const struct log_schema_sink sink = {NULL, note};
    unsigned count = 0;

    for (const char *line = seam_console(); *line; line = strchr(line, '\n') + 1) {
        json_error_t error;
        json_t *record;

        if (*line != '{')
            continue;
        record = json_loads(line, JSON_DISABLE_EOF_CHECK, &error);
        if (record == NULL)
            print_error("%s: %.200s\n", error.text, line);
        assert_non_null(record);
        assert_int_equal(log_schema_check(whole_log_schema(), record, &sink), 0);
        assert_string_not_equal(record_text(record, "type", ""), "error");
        json_decref(record);
        count++;
    }
    return count - 1;
}

static int begin(void **state)
{
    (void)state;
    seams_reset();
    log_start(UINT64_MAX);
    memset(&core, 0, sizeof(core));
    memset(&description, 0, sizeof(description));
    memset(&m, 0, sizeof(m));
    memset(&pass, 0, sizeof(pass));
    for (unsigned i = 0; i < PLAN_EVENTS; i++)
        snprintf(events[i].name, sizeof(events[i].name), "%.68s%03u", NAME, i % 1000);
    for (unsigned i = 0; i < 8; i++) {
        snprintf(nodes[i].name, sizeof(nodes[i].name), "%.69s%02u", NAME, i % 100);
        nodes[i].level = 1;
    }
    description.events = events;
    description.event_count = PLAN_EVENTS;
    description.nodes = nodes;
    description.node_count = 8;
    kernel =
        (struct kernel){.name = "own.ABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789_abcdefghijklmnopqrst",
                        .title = "a title"};
    plan = (struct plan){.passes = &pass, .pass_count = 1};
    core.core = CORES_MAX - 1;
    core.round = UINT64_MAX >> 1;
    core.forced = core.untrusted = true;
    core.description = &description;
    m.kernel = &kernel;
    m.plan = &plan;
    m.n = INT64_MAX / 2;
    m.repeats = STATS_VALUES;
    m.arena_bytes = INT64_MAX;
    m.corunner = "be.mem.false_sharing.remote";
    m.partner = (struct partner){true, CORES_MAX - 1, UINT32_MAX - 1};
    m.passes_of_full_tree = UINT_MAX;
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        m.discarded[i] = INT64_MAX;
    m.kept = INT64_MAX;
    return 0;
}

/* ---- the machine and its cores ---- */

static struct machine_facts machine_with(char letter)
{
    struct machine_facts machine = {
        .firmware_revision = UINT32_MAX,
        .uefi_revision = UINT32_MAX,
        .memory_bytes = INT64_MAX,
        .cores_found = UINT_MAX,
        .cores_started = CORES_MAX,
    };

    memset(machine.firmware_vendor, letter, sizeof(machine.firmware_vendor) - 1);
    memset(machine.smbios.bios, letter, sizeof(machine.smbios.bios) - 1);
    memset(machine.smbios.board, letter, sizeof(machine.smbios.board) - 1);
    memset(machine.serial, letter, sizeof(machine.serial) - 1);
    strcpy(machine.apic_mode, "x2apic");
    return machine;
}

static struct config config_of(unsigned names)
{
    struct config config = {.levels = CONFIG_LEVELS,
                            .repeats = CONFIG_REPEATS_MAX,
                            .warmup = 1000,
                            .scale = CONFIG_SCALE_MAX,
                            .node_count = names};

    for (unsigned i = 0; i < names; i++)
        snprintf(config.nodes[i], sizeof(config.nodes[i]), "%.69s%02u", NAME, i % 100);
    return config;
}

static void a_machine_has_texts_of_any_bytes_and_as_long_as_their_room(void **state)
{
    static const char letters[] = {'a', '\xff', '\x01', '"'};
    struct facts facts = {.hypervisor = true};
    struct config config = config_of(0);

    (void)state;
    memset(facts.hypervisor_name, '\x80', sizeof(facts.hypervisor_name) - 1);
    for (unsigned i = 0; i < sizeof(letters); i++) {
        const struct machine_facts machine = machine_with(letters[i]);

        record_machine(&machine, &facts, &config);
    }
    config = config_of(CONFIG_NODES);
    config.window_us = CONFIG_WINDOW_MAX;
    config.drill = true;
    record_machine(&(struct machine_facts){.apic_mode = "none", .serial = "none", .cores_found = 1},
                   &(struct facts){0}, &config);
    assert_int_equal(records_hold(), 5); /* of the form that the seam keeps */
}

static void a_core_may_say_the_most_of_itself_or_nothing(void **state)
{
    const struct cache_facts cache = {UINT32_MAX, 4096, 1024, 4096};
    struct facts *facts = &core.facts;

    (void)state;
    place.node = CORE_NODE_UNKNOWN;
    core.description = NULL;
    facts->absent = "a reason";
    facts->package = FACTS_UNKNOWN;
    record_core(&core);
    memset(facts->vendor, '\xff', sizeof(facts->vendor) - 1);
    memset(facts->brand, '\x1b', sizeof(facts->brand) - 1);
    *facts = (struct facts){.family = 0x10e,
                            .model = 0xff,
                            .stepping = 0xf,
                            .microcode = UINT32_MAX,
                            .core_type = 0xff,
                            .apic_id = UINT32_MAX,
                            .package = UINT32_MAX - 1,
                            .threads_per_core = 0xffff,
                            .version = 0xff,
                            .general_count = 0xff,
                            .general_width = 0xff,
                            .general_kept = UINT32_MAX,
                            .general_off = UINT32_MAX,
                            .fixed_count = 31,
                            .fixed_width = 0xff,
                            .fixed_off = UINT32_MAX,
                            .pdcm = true,
                            .capabilities = UINT64_MAX,
                            .l1d = cache,
                            .l1i = cache,
                            .l2 = cache,
                            .l3 = cache};
    place.node = UINT32_MAX - 1;
    strcpy(description.name, "a-name_of.letters");
    core.description = &description;
    description.width = UINT32_MAX;
    record_core(&core);
    *facts = (struct facts){.family = 0xf, .netburst = true, .general_count = 18};
    description.width = 0;
    record_core(&core);
    assert_int_equal(records_hold(), 3);
}

static void a_core_has_all_guards_or_none(void **state)
{
    (void)state;
    core.round = 1; /* it is the first alone that says so */
    record_guards(&core);
    record_guard(&core, &m);
    core.registers.guards.is_steady = true;
    core.registers.guards.banks = GUARD_BANKS;
    core.registers.guards.banks_beyond = 255 - GUARD_BANKS;
    core.registers.guards.bank_absent = UINT32_MAX;
    record_guards(&core);
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        core.registers.guards.absent[i] = "a reason";
    record_guards(&core);
    record_guard(&core, &m);
    assert_int_equal(records_hold(), 5);
}

static void settings_and_answers_are_any_bits(void **state)
{
    struct settings settings;
    struct cpuid_answers answers;

    (void)state;
    memset(&settings, 0, sizeof(settings));
    record_settings(&core, &settings);
    memset(settings.value, 0xff, sizeof(settings.value));
    memset(settings.present, 1, sizeof(settings.present));
    record_settings(&core, &settings);
    memset(&answers, 0xff, sizeof(answers));
    for (unsigned i = 0; i < CPUID_ANSWERS; i++)
        answers.answer[i].subleaf = 0xff;
    answers.count = CPUID_ANSWERS;
    record_cpuid(&core, &answers);
    answers.count = 1;
    record_cpuid(&core, &answers);
    assert_true(records_hold() >= 4);
}

/* ---- counts ---- */

/* Every third event is missing. */
static void fill_results(int64_t least, int64_t most)
{
    results.count = PLAN_EVENTS;
    for (unsigned i = 0; i < PLAN_EVENTS; i++)
        results.tallies[i] = (struct tally){.event = &events[i],
                                            .measured = i % 3 != 0,
                                            .difference = {least, i % 2 ? least : most, most},
                                            .reason = "a reason"};
}

static void a_difference_of_counts_may_be_below_0(void **state)
{
    (void)state;
    fill_results(LEAST, MOST);
    record_kernel(&core, &kernel, &m, &results);
    fill_results(LEAST, LEAST);
    record_kernel(&core, &kernel, &m, &results);
    plan.pass_count = 0; /* no counter counts any of its events */
    m.n = 1;
    m.partner.package = FACTS_UNKNOWN;
    record_kernel(&core, &kernel, &m, &results);
    assert_true(records_hold() > 3);
}

static void raw_counts_are_all_that_a_counter_holds(void **state)
{
    (void)state;
    pass.reading_count = 8; /* long names: more of them do not fit into a record */
    for (unsigned i = 0; i < pass.reading_count; i++)
        pass.readings[i].event = &events[i];
    assert_true(measurement_words(&plan, m.repeats) <= sizeof(words) / sizeof(*words));
    measurement_lay_out(&m, words);
    for (unsigned i = 0; i < pass.reading_count; i++)
        for (unsigned k = 0; k < 2 * m.repeats; k++)
            pass_values(&m.passes[0], i, false, m.repeats)[k] = i % 2 ? 0 : (1ull << 49) - 2;
    for (unsigned k = 0; k < 2 * m.repeats; k++)
        m.passes[0].windows[k] = (1ull << 40) + k;
    m.passes[0].overflowed[3] = true;
    m.passes[0].complete = true;
    record_counts(&core, &m);
    assert_int_equal(records_hold(), 2);
}

static void cycles_may_be_any_and_instructions_none(void **state)
{
    static const char *const names[] = {"CPU_CLK_UNHALTED.THREAD", "INST_RETIRED.ANY",
                                        "CPU_CLK_UNHALTED.REF_TSC"};
    static const int64_t values[] = {LEAST, -1, 0, 1, MOST};

    (void)state;
    for (unsigned i = 0; i < 5 * 5; i++) {
        const int64_t of[] = {values[i % 5], values[i / 5], values[i % 5]};

        memset(&results, 0, sizeof(results));
        for (unsigned k = 0; k < 3; k++) {
            strcpy(events[k].name, names[k]);
            results.tallies[k] = (struct tally){
                .event = &events[k], .measured = true, .difference = {of[k], of[k], of[k]}};
        }
        results.count = 3;
        record_cpi(&core, &m, &results);
    }
    assert_int_equal(records_hold(), 25);
}

static void branches_have_any_address_and_time(void **state)
{
    static const struct recording_way way = {.name = "every branch"};
    struct recording recording = {.way = &way, .stack = {.count = LBR_DEPTH}};

    (void)state;
    m.recordings = &recording;
    for (unsigned i = 0; i < LBR_DEPTH; i++)
        recording.stack.entries[i] = (struct lbr_entry){
            .from = UINT64_MAX - i,
            .to = i,
            .cycles = UINT16_MAX,
            .cycles_valid = i % 2,
            .mispredicted = true,
            .mispredict_valid = i % 3 != 0,
            .type = (uint8_t)(i % (LBR_TYPE_UNKNOWN + 1)),
        };
    record_lbr(&core, &m);
    record_edges(&core, &m);
    recording.stack.count = 0;
    record_lbr(&core, &m);
    record_edges(&core, &m);
    assert_true(records_hold() >= 4);
}

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
                                       .estimate = {true, i % 2, values[i], 1},
                                       .count = values[4 - i],
                                       .error = i % 2 ? -1 : values[i],
                                       .uncertainty = i % 2,
                                       .unreliable = i % 2 ? NULL : "too rare"};
    record_multiplex(&core, &m, &rotation, rows, 5);
    assert_int_equal(records_hold(), 1);
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
    record_interval(&core, &trial, &m, &rotation, 0);
    record_interval(&core, &trial, &m, &rotation, 1);
    record_drift(&core, &trial, &m, &rotation, drifts);
    assert_true(records_hold() >= 3);
}

/* ---- sampling ---- */

static void what_an_interrupt_cost_may_be_below_0(void **state)
{
    const struct signed_spread any = {INT64_MIN, -1, INT64_MAX};
    struct sampler s = {.measurement = &m, .periods = {.period = 1}};

    (void)state;
    s.n = 1;
    record_sampling(&core, &s, "cycles", "CPU_CLK_UNHALTED.THREAD", 0, -1e300);
    s.periods.period = UINT32_MAX;
    s.periods.jitter = UINT32_MAX;
    s.n = s.windows = s.kept = s.outside = s.lost = s.spurious = s.no_room = INT64_MAX;
    s.ended_early = s.thrown_away = s.total_cycles = INT64_MAX;
    s.first_window = 1;
    s.last_window = 1ull << 60;
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        s.discarded[i] = INT64_MAX;
    s.late = (struct seen){1, 0, (1ull << 48) - 1, 0x1p48, 0};
    s.cost = (struct interrupt_cost){.handler = any,
                                     .handler_known = true,
                                     .gain = any,
                                     .skid = any,
                                     .refill = any,
                                     .gain_known = true};
    record_sampling(&core, &s, "branches", "BR_INST_RETIRED.NEAR_TAKEN", UINT32_MAX, 1e300);
    s.cost.skid_missing = "a reason";
    s.memory.area = (void *)words;
    record_sampling(&core, &s, "precise instructions", "INST_RETIRED.PREC_DIST", 1, 0);
    assert_int_equal(records_hold(), 3);
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
        places[i].at = (const uint8_t *)words + i;
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
    for (unsigned i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        counts[i] = i / STATS_VALUES % 2 ? 0 : UINT32_MAX - i % 2;
    t.cycles = t.n = t.delay_min = t.delay_max = INT64_MAX;
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
    static struct map_instruction instructions[2] = {{.offset = 0}, {.offset = UINT32_MAX}};
    static struct map_block blocks[2] = {{.label = NAME}, {.label = "."}};
    static struct map_function functions[2] = {{.name = NAME}, {.name = "f"}};
    struct kernel_map map = {
        .instructions = instructions, .blocks = blocks, .functions = functions};
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
#define TEST(name) cmocka_unit_test_setup(name, begin)
        TEST(a_machine_has_texts_of_any_bytes_and_as_long_as_their_room),
        TEST(a_core_may_say_the_most_of_itself_or_nothing),
        TEST(a_core_has_all_guards_or_none),
        TEST(settings_and_answers_are_any_bits),
        TEST(a_difference_of_counts_may_be_below_0),
        TEST(raw_counts_are_all_that_a_counter_holds),
        TEST(cycles_may_be_any_and_instructions_none),
        TEST(branches_have_any_address_and_time),
        TEST(a_ratio_of_counts_may_be_below_0_and_without_bound),
        TEST(a_name_of_an_erratum_is_what_a_description_may_call_it),
        TEST(a_dose_has_any_share),
        TEST(estimates_of_a_multiplexed_run_have_no_bound),
        TEST(intervals_and_drifts_have_values_or_reasons),
        TEST(what_an_interrupt_cost_may_be_below_0),
        TEST(latencies_and_gaps_of_precise_records_have_no_bound),
        TEST(a_timeline_has_counts_of_any_size_or_reasons),
        TEST(a_profile_has_estimates_from_0_on),
        TEST(a_round_has_values_of_any_size_or_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
