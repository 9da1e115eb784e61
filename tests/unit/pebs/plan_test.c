/* Plans of PEBS: registers and the DS area, against the manual's rules; the table of kinds against
 * the vendor's events, where they are beside the project. */
#include "pmu/intel/kind.h"
#include "pmu/kinds/kinds.h"
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/sampling/pebs.h"
#include "tests/unit/descriptions.h"
#include "tests/unit/vendor.h"

#define AREA 0x7000

static struct facts facts_of(unsigned version, uint64_t capabilities)
{
    return (struct facts){.kind = &intel_kind,
                          .intel = true,
                          .version = version,
                          .general_count = version >= 5 ? 8 : 4,
                          .general_width = 48,
                          .fixed_count = version >= 5 ? 4 : 3,
                          .fixed_mask = version >= 5 ? 0xf : 7,
                          .fixed_width = 48,
                          .pdcm = true,
                          .full_width_write = true,
                          .debug_store = true,
                          .capabilities = capabilities,
                          .lbr_format = (uint32_t)capabilities & 0x3f};
}

/* The value that the setup writes last to the register; fails when it does not write it. */
static uint64_t written(const struct pebs_plan *plan, uint32_t msr)
{
    for (unsigned i = plan->pass.setup_count; i > 0; i--)
        if (plan->pass.setup[i - 1].msr == msr)
            return plan->pass.setup[i - 1].value;
    fail_msg("MSR 0x%x is not written", msr);
    return 0;
}

/* INST_RETIRED.PREC_DIST on PMC1, counted by fixed counter 0 too. */
static void skylake_samples_instructions_on_counter_1(void **state)
{
    static const struct msr_value expected[] = {
        {0x38f, 0},
        {0x3f1, 0},
        {0x390, 1ull << 62 | 3ull << 58 | 7ull << 32 | 0xf},
        {0x600, AREA},
        {0x38d, 0x3},
        {0x186, 0},
        {0x187, 0x4301c0},
        {0x4c2, 0xffffffffff7d}, /* 2^48 - 131 */
        {0x188, 0},
        {0x189, 0},
        {0x309, 0},
        {0x3f1, 2},
    };
    const struct facts facts = facts_of(4, 0x33c5);
    struct description description;
    struct pebs_plan plan;

    (void)state;
    tests_builtin(&description, "skylakex");
    assert_null(pebs_absent(&facts, &description));
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_INSTRUCTIONS, AREA));
    assert_int_equal(plan.pass.setup_count, sizeof(expected) / sizeof(expected[0]));
    for (unsigned i = 0; i < plan.pass.setup_count; i++) {
        assert_int_equal(plan.pass.setup[i].msr, expected[i].msr);
        assert_int_equal(plan.pass.setup[i].value, expected[i].value);
    }
    assert_int_equal(plan.pass.enable.msr, 0x38f);
    assert_int_equal(plan.pass.enable.value, 1ull << 32 | 2);
    assert_true(plan.distributed);
    assert_int_equal(plan.record_bytes, 200);
    assert_int_equal(plan.after[0].msr, 0x3f1);
    assert_int_equal(plan.after[0].value, 0);
    tests_free();
}

/* pmu-tools, latego.py: event CDH/01H of Sandy Bridge-EP, not of Sandy Bridge. */
static void an_event_that_the_description_refuses_makes_no_records(void **state)
{
    const struct facts facts = facts_of(3, 0x31c3);
    struct description description;
    struct pebs_plan plan;

    (void)state;
    tests_builtin(&description, "jaketown");
    assert_string_equal(pebs_plan(&plan, &facts, &description, PEBS_LATENCY, AREA),
                        "it counts wrongly here unless MSR 39CH[0] and PCI registers are set");
    assert_non_null(pebs_plan(&plan, &facts, &description, PEBS_LONG_LATENCY, AREA));
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_LOADS, AREA));
    tests_builtin(&description, "sandybridge");
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_LATENCY, AREA));
    tests_free();
}

/* "Load Latency Performance Monitoring Facility": the threshold, and both enable bits. */
static void load_latency_has_a_threshold_and_an_enable_bit_of_its_own(void **state)
{
    const struct facts facts = facts_of(3, 0x32c4);
    struct description description;
    struct pebs_plan plan;

    (void)state;
    tests_builtin(&description, "haswell");
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_LATENCY, AREA));
    assert_int_equal(plan.counter, 3);
    assert_int_equal(written(&plan, 0x3f6), 3);
    assert_int_equal(written(&plan, 0x3f1), 8ull << 32 | 8);
    assert_int_equal(written(&plan, 0x189), 0x4301cd);
    assert_int_equal(plan.witness, -1);
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_LONG_LATENCY, AREA));
    assert_int_equal(written(&plan, 0x3f6), 9);
    tests_free();
}

/* Fixed counter 0, its adaptive bit 32, memory and general registers in the record. */
static void icelake_samples_instructions_on_fixed_counter_0(void **state)
{
    const struct facts facts = facts_of(5, 0xf4c7);
    struct description description;
    struct pebs_plan plan;

    (void)state;
    tests_builtin(&description, "icelakex");
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_INSTRUCTIONS, AREA));
    assert_int_equal(plan.counter, 32);
    assert_int_equal(written(&plan, 0x38d), 1ull << 32 | 3);
    assert_int_equal(written(&plan, 0x3f2), 3);
    assert_int_equal(written(&plan, 0x3f1), 1ull << 32);
    assert_int_equal(written(&plan, 0x309), (1ull << 48) - 131);
    assert_int_equal(written(&plan, 0x186), 0x4300c0); /* the witness */
    assert_int_equal(plan.record_bytes, 32 + 32 + 144);
    tests_free();
}

/* A taken branch's record has XMM registers and four branches; counter bit 34 asks for them. */
static void a_taken_branch_takes_its_last_branches_along(void **state)
{
    struct facts facts = facts_of(5, 0xf4c7);
    struct description description;
    struct pebs_plan plan;

    (void)state;
    tests_builtin(&description, "icelakex");
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_TAKEN, AREA));
    assert_int_equal(written(&plan, 0x3f2), 3ull << 24 | 0xf);
    assert_int_equal(written(&plan, 0x186), 1ull << 34 | 0x4320c4);
    assert_int_equal(written(&plan, 0x187), 0x4320c4);
    assert_int_equal(written(&plan, 0x1d9), 1);
    assert_int_equal(plan.record_bytes, 32 + 32 + 144 + 256 + 4 * 24);
    assert_false(plan.distributed);
    tests_free();
}

/* Golden Cove needs a second event beside load latency, and does not count it on counter 0. */
static void golden_cove_counts_an_auxiliary_event_beside_load_latency(void **state)
{
    const struct facts facts = facts_of(5, 0xf4ff);
    struct description description;
    struct pebs_plan plan;

    (void)state;
    tests_builtin(&description, "sapphirerapids");
    assert_null(pebs_plan(&plan, &facts, &description, PEBS_LATENCY, AREA));
    assert_int_equal(plan.counter, 1);
    assert_int_equal(written(&plan, 0x186), 0x438203);
    assert_int_equal(written(&plan, 0x187), 1ull << 34 | 0x4301cd);
    assert_int_equal(written(&plan, 0x3f1), 2);
    assert_int_equal(plan.pass.enable.value, 3);
    tests_free();
}

/* Linux, commit c87a31093c70: announced by IA32_PERF_CAPABILITIES[17], and Meteor Lake's fixed
 * counter 0 has none all the same. */
static void records_have_a_latency_of_retirement_where_core_and_counter_have_it(void **state)
{
    static const struct {
        const char *cpu;
        uint64_t capabilities;
        bool instructions, taken;
    } cases[] = {
        {"sapphirerapids", 0xf4ff, false, false}, {"graniterapids", 0xf4ff, false, false},
        {"graniterapids", 0x2f4ff, true, true},   {"meteorlake", 0x2f4ff, false, true},
        {"lunarlake", 0x2f4ff, true, true},
    };
    struct description description;
    struct pebs_plan plan;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct facts facts = facts_of(5, cases[i].capabilities);

        tests_builtin(&description, cases[i].cpu);
        assert_null(pebs_plan(&plan, &facts, &description, PEBS_INSTRUCTIONS, AREA));
        assert_int_equal(plan.counter, 32);
        assert_int_equal(plan.layout.retire_latency, cases[i].instructions);
        assert_null(pebs_plan(&plan, &facts, &description, PEBS_TAKEN, AREA));
        assert_int_equal(plan.layout.retire_latency, cases[i].taken);
        tests_free();
    }
}

/* Slot n of general counter n; fixed counter 0 at 8, from format 5 on at 32. */
static void the_reset_value_is_in_the_slot_of_the_counter(void **state)
{
    static const struct {
        const char *cpu;
        unsigned version;
        uint64_t capabilities;
        unsigned slot;
    } cases[] = {
        {"skylakex", 4, 0x33c5, 1}, {"icelakex", 5, 0xf4c7, 8}, {"sapphirerapids", 5, 0xf5ff, 32}};
    uint8_t buffer[8];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct facts facts = facts_of(cases[i].version, cases[i].capabilities);
        const uint64_t base = (uint64_t)(uintptr_t)buffer;
        struct description description;
        struct pebs_plan plan;
        struct ds_area area;

        tests_builtin(&description, cases[i].cpu);
        assert_null(pebs_plan(&plan, &facts, &description, PEBS_INSTRUCTIONS, AREA));
        ds_area_begin(&area, &plan, buffer, 10, 3);
        assert_int_equal(area.base, base);
        assert_int_equal(area.index, base);
        assert_int_equal(area.maximum, base + 10 * plan.record_bytes);
        assert_int_equal(area.threshold, base + 3 * plan.record_bytes);
        for (unsigned slot = 0; slot < 48; slot++)
            assert_int_equal(area.reset[slot], slot == cases[i].slot ? plan.reset : 0);
        tests_free();
    }
}

static void a_full_buffer_and_a_stray_index_are_told(void **state)
{
    const struct pebs_plan plan = {.record_bytes = 200};
    struct ds_area area = {.base = 1000, .index = 1000, .maximum = 1000 + 400};
    unsigned records;
    bool full;

    (void)state;
    assert_true(ds_area_end(&area, &plan, &records, &full) && records == 0 && !full);
    area.index = 1200;
    assert_true(ds_area_end(&area, &plan, &records, &full) && records == 1 && !full);
    area.index = 1400;
    assert_true(ds_area_end(&area, &plan, &records, &full) && records == 2 && full);
    area.index = 1201;
    assert_false(ds_area_end(&area, &plan, &records, &full));
    area.index = 1600;
    assert_false(ds_area_end(&area, &plan, &records, &full));
    area.index = 800;
    assert_false(ds_area_end(&area, &plan, &records, &full));
}

static void a_core_without_pebs_has_a_reason(void **state)
{
    struct facts facts = facts_of(4, 0x33c5);
    struct description description;

    (void)state;
    tests_builtin(&description, "skylakex");
    assert_null(pebs_absent(&facts, &description));
    facts.pebs_unavailable = true;
    assert_non_null(pebs_absent(&facts, &description));
    facts.pebs_unavailable = false;
    facts.debug_store = false;
    assert_non_null(pebs_absent(&facts, &description));
    facts = facts_of(4, 0x37c5); /* format 7 without groups */
    assert_non_null(pebs_absent(&facts, &description));
    facts = facts_of(5, 0x73c5); /* groups need format 4 at least */
    assert_non_null(pebs_absent(&facts, &description));
    facts = facts_of(4, 0x33c5);
    description.pebs = kinds_pebs((struct slice){"architectural", 13});
    assert_non_null(pebs_absent(&facts, &description));
    description.pebs = NULL;
    assert_non_null(pebs_absent(&facts, &description));
    tests_free();
}

/* Whether a description has PEBS at all follows from its generation; AMD has none (APM 2: IBS). */
static void every_description_of_a_processor_names_a_kind(void **state)
{
    (void)state;
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        const char *name = builtin_name(i);
        struct description description;

        tests_builtin(&description, name);
        assert_int_equal(description.pebs == NULL,
                         strcmp(name, "architectural") == 0 || strncmp(name, "zen", 3) == 0);
    }
    tests_free();
}

static uint64_t counters_of(const char *list)
{
    uint64_t counters = 0;

    if (strncmp(list, "Fixed counter ", 14) == 0)
        return 1ull << (32 + strtoul(list + 14, NULL, 10));
    for (; *list; list += *list == ',')
        counters |= 1ull << strtoul(list, (char **)&list, 10);
    return counters;
}

static unsigned row_of(const struct sheet *events, const char *name)
{
    const unsigned row = vendor_row(events, "EventName", name);
    char above[96];

    snprintf(above, sizeof(above), "%s_GT_4", name);
    return row > 0 ? row : vendor_row(events, "EventName", above);
}

static void assert_event(const struct description *description, const struct sheet *events,
                         const struct pebs_event *event, uint64_t present)
{
    const unsigned row = row_of(events, event->name);
    uint64_t counters;

    if (row == 0)
        print_error("%s: %s is not among the vendor's events\n", description->name, event->name);
    assert_true(row > 0);
    counters = counters_of(vendor_at(events, row, "Counter"));
    if (event->counters != 1ull << 32 || counters >> 32) {
        assert_int_equal(strtoul(vendor_at(events, row, "EventCode"), NULL, 0), event->code);
        assert_int_equal(strtoul(vendor_at(events, row, "UMask"), NULL, 0), event->umask);
        assert_int_equal(counters & present, event->counters & present);
    }
    assert_string_not_equal(vendor_at(events, row, "PEBS"), "0");
}

/* Names, encodings and counters of every event of every kind. */
static void the_events_are_the_vendors(void **state)
{
    unsigned seen = 0;

    (void)state;
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        struct description description;
        struct sheet events, uarch;

        tests_builtin(&description, builtin_name(i));
        if (description.pebs == NULL || description.pebs->unusable != NULL)
            continue;
        for (unsigned t = 0; t < description.table_count; t++) {
            const char *key = description.tables[t].name;
            uint64_t present;

            if (!vendor_open(&uarch, ".", "uarch.csv") || !vendor_open(&events, key, "events.csv"))
                continue;
            present = (1ull << strtoul(
                           vendor_at(&uarch, vendor_row(&uarch, "key", key), "gp_counters_smt_off"),
                           NULL, 10)) -
                      1;
            for (unsigned use = 0; use <= PEBS_LATENCY; use++)
                assert_event(&description, &events, &description.pebs->events[use],
                             present | 1ull << 32);
            seen++;
            vendor_close(&events);
            vendor_close(&uarch);
        }
    }
    tests_free();
    if (seen == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skylake_samples_instructions_on_counter_1),
        cmocka_unit_test(an_event_that_the_description_refuses_makes_no_records),
        cmocka_unit_test(load_latency_has_a_threshold_and_an_enable_bit_of_its_own),
        cmocka_unit_test(icelake_samples_instructions_on_fixed_counter_0),
        cmocka_unit_test(a_taken_branch_takes_its_last_branches_along),
        cmocka_unit_test(golden_cove_counts_an_auxiliary_event_beside_load_latency),
        cmocka_unit_test(records_have_a_latency_of_retirement_where_core_and_counter_have_it),
        cmocka_unit_test(the_reset_value_is_in_the_slot_of_the_counter),
        cmocka_unit_test(a_full_buffer_and_a_stray_index_are_told),
        cmocka_unit_test(a_core_without_pebs_has_a_reason),
        cmocka_unit_test(every_description_of_a_processor_names_a_kind),
        cmocka_unit_test(the_events_are_the_vendors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
