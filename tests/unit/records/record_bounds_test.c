/* The schema refuses no record that the image can write: the writers of records are given the least
 * and the most that their types and limits allow, as a run in which events lie may give them, and
 * what they write is held against doc/log.schema.json. */
#include "boot/machine/cores.h"
#include "harness/experiment/branches/recording.h"
#include "harness/experiment/branches/records_branches.h"
#include "harness/own/own_files.h"
#include "harness/own/own_reader.h"
#include "harness/records/records.h"
#include "harness/records/records_cpuid.h"
#include "harness/records/records_kernel.h"
#include "harness/records/records_settings.h"
#include "pmu/intel/kind.h"
#include "pmu/netburst/kind.h"
#include "tests/unit/records/bounds.h" /* last: its names are short */

#define LEAST (-(1ll << 49)) /* a difference of sums of two counters of 48 bits */
#define MOST  (1ll << 49)

static struct results results;
static uint64_t words[4096];
static struct core_place place;

/* Of the seam that the records of a core need. */
const struct core_place *cores_place(unsigned number)
{
    (void)number;
    return &place;
}

/* ---- the machine and its cores ---- */

static struct machine_facts machine_with(char letter)
{
    struct machine_facts machine = {
        .firmware_revision = UINT32_MAX,
        .uefi_revision = UINT32_MAX,
        .memory_known = true,
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
    struct facts facts = {.kind = &intel_kind, .hypervisor = true};
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
    record_machine(&(struct machine_facts){.apic_mode = "none", .serial = "none"},
                   &(struct facts){0}, &config);
    assert_int_equal(records_hold(), 5); /* of the form that the seam keeps */
}

static void what_a_machine_does_not_know_is_null_and_no_number(void **state)
{
    const struct machine_facts machine = {.apic_mode = "none", .serial = "none", .cores_found = 1};
    const struct config config = config_of(0);

    (void)state;
    seam_clock_unknown(true);
    record_machine(&machine, &(struct facts){0}, &config);
    assert_int_equal(records_hold(), 1);
    assert_non_null(strstr(seam_console(), "\"memory_bytes\":null,"));
    assert_non_null(strstr(seam_console(), "\"tsc_ticks_per_us\":null,\"tsc_source\":null,"));
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
    *facts = (struct facts){.family = 0xf, .kind = &netburst_kind, .general_count = 18};
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
    core.registers.guards.logged = 1u << GUARD_THERMAL | 1u << GUARD_PACKAGE_THERMAL;
    record_guards(&core);
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        core.registers.guards.absent[i] = "a reason";
    record_guards(&core);
    record_guard(&core, &m);
    assert_int_equal(records_hold(), 5);
}

/* SDM volume 4: bit 38 of IA32_MISC_ENABLE disables turbo, bit 32 of IA32_PERF_CTL disengages it.
 * Where the second cannot be read, turbo is known to be off by the first alone. */
static void turbo_is_on_where_both_registers_say_so_and_else_off_or_unknown(void **state)
{
    static const struct {
        uint64_t enable, control;
        bool has_enable, has_control;
        const char *turbo;
    } rows[] = {
        {0, 0, true, true, "true"},           {0, 1ull << 32, true, true, "false"},
        {1ull << 38, 0, true, true, "false"}, {1ull << 38, 0, true, false, "false"},
        {0, 0, true, false, "null"},          {0, 0, false, true, "null"},
    };

    for (unsigned row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        struct settings settings = {.turbo_announced = true};
        char wanted[32];

        bounds_begin(state);
        for (unsigned i = 0; i < SETTINGS_REGISTERS; i++) {
            const uint32_t msr = settings_register(i)->msr;

            if (msr == 0x1a0) {
                settings.present[i] = rows[row].has_enable;
                settings.value[i] = rows[row].enable;
            } else if (msr == 0x199) {
                settings.present[i] = rows[row].has_control;
                settings.value[i] = rows[row].control;
            }
        }
        record_settings(&core, &settings);
        snprintf(wanted, sizeof(wanted), "\"turbo\":%s,", rows[row].turbo);
        assert_non_null(strstr(seam_console(), wanted));
    }
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

/* The form that the seam keeps has the bytes of files up to 16 KiB. */
static void a_file_of_an_own_kernel_has_any_bytes_up_to_a_mebibyte(void **state)
{
    static char bytes[OWN_CODE_LIMIT];
    struct own_kernel own = {.kernel = kernel};

    (void)state;
    memset(bytes, 0xa5, sizeof(bytes));
    own.files[OWN_CODE] = (struct own_file){"kernels\\a.bin", bytes, 1};
    own.files[OWN_EXPECTED] = (struct own_file){"kernels\\a.exp", bytes, 16384};
    own_files_log(&own);
    own.files[OWN_CODE].size = sizeof(bytes);
    own.files[OWN_EXPECTED].size = 65536;
    own_files_log(&own);
    assert_int_equal(records_hold(), 1 + 16 + 2);
}

/* ---- counts ---- */

/* Every third event is missing. */
static void fill_results(int64_t least, int64_t most)
{
    results.count = PLAN_EVENTS;
    for (unsigned i = 0; i < PLAN_EVENTS; i++) {
        results.tallies[i] = (struct tally){.event = &events[i],
                                            .measured = i % 3 != 0,
                                            .difference = {least, i % 2 ? least : most, most},
                                            .kept = {least, i % 2 ? least : most, most},
                                            .reason = "a reason"};
        results.counts[i] = (struct count){.event = &events[i],
                                           .measured = i % 3 != 0,
                                           .value = (double)(i % 2 ? least : most),
                                           .reason = "a reason"};
    }
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
            results.counts[k] =
                (struct count){.event = &events[k], .measured = true, .value = (double)of[k]};
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

/* Of two records of a branch the longer one has no cycles, because its counter was full: the mean
 * is of the other. */
static void cycles_of_an_edge_say_of_how_many_records_they_are(void **state)
{
    static struct recording recording;
    static const struct recording_way way = {.name = "every branch"};

    (void)state;
    recording = (struct recording){.way = &way};
    m.recordings = &recording;
    m.recording_count = 1;
    recording.stack.count = 2;
    for (unsigned i = 0; i < 2; i++)
        recording.stack.entries[i] =
            (struct lbr_entry){.from = 9, .to = 1, .cycles = 20, .cycles_valid = i == 0};
    record_edges(&core, &m);
    assert_non_null(strstr(seam_console(), "\"cycles\":20.00,\"timed\":1}"));
    bounds_begin(state);
    m.recordings = &recording;
    recording.stack.entries[1].cycles_valid = true;
    record_edges(&core, &m);
    assert_non_null(strstr(seam_console(), "\"cycles\":20.00}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, bounds_begin)
        TEST(what_a_machine_does_not_know_is_null_and_no_number),
        TEST(a_machine_has_texts_of_any_bytes_and_as_long_as_their_room),
        TEST(a_core_may_say_the_most_of_itself_or_nothing),
        TEST(a_core_has_all_guards_or_none),
        TEST(turbo_is_on_where_both_registers_say_so_and_else_off_or_unknown),
        TEST(settings_and_answers_are_any_bits),
        TEST(a_file_of_an_own_kernel_has_any_bytes_up_to_a_mebibyte),
        TEST(a_difference_of_counts_may_be_below_0),
        TEST(raw_counts_are_all_that_a_counter_holds),
        TEST(cycles_may_be_any_and_instructions_none),
        TEST(branches_have_any_address_and_time),
        TEST(cycles_of_an_edge_say_of_how_many_records_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
