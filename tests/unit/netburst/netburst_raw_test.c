/* Register values as a user writes them: what is taken, and what is refused and why. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/netburst/raw.h"
#include "pmu/netburst/registers.h"
#include "tests/unit/descriptions.h"

static struct description prescott;
static const struct netburst_core northwood = {2, 9, false}, nocona = {4, 1, false},
                                  willamette = {1, 2, false};

static int parse_description(void **state)
{
    (void)state;
    tests_builtin(&prescott, "prescott");
    return 0;
}

static struct slice slice_of(const char *text)
{
    return (struct slice){text, strlen(text)};
}

static struct netburst_raw read_on(const struct netburst_core *core, const char *text,
                                   bool hyperthreading)
{
    struct netburst_raw raw;
    struct complaint complaint;

    if (!netburst_raw_read(&raw, &prescott, slice_of(text), core, hyperthreading, &complaint))
        fail_msg("%s: %s", text, complaint.message);
    return raw;
}

static void the_published_example_is_read(void **state)
{
    const struct netburst_raw raw = read_on(&nocona, "0x00039000/0x04000204@0x8000000C", false);

    (void)state;
    assert_int_equal(raw.cccr, 0x39000);
    assert_int_equal(raw.escr, 0x4000204);
    assert_int_equal(raw.counter, 12);
    assert_true(raw.fast);
    assert_int_equal(netburst_escrs[raw.escr_index].address, 0x3b8); /* CRU_ESCR0 */
}

static void a_counter_of_the_other_half_means_the_other_escr(void **state)
{
    struct netburst_raw raw = read_on(&nocona, "0x39000/0x4000204@14", false);

    (void)state;
    assert_int_equal(netburst_escrs[raw.escr_index].address, 0x3b9);
    assert_false(raw.fast);
    raw = read_on(&northwood, "0x3d000/0x0600c205@0", true);
    assert_int_equal(netburst_escrs[raw.escr_index].address, 0x3a2); /* FSB_ESCR0 */
}

/* SDM, "Non-Sleep Clockticks": neither rings nor logical processors matter. */
static void clockticks_need_no_ring(void **state)
{
    (void)state;
    assert_int_equal(read_on(&nocona, "0x00ff9000/0x04000200@17", false).counter, 17);
}

/* SDM, "EXTENDED CASCADING": the value of its example, without ENABLE. */
static void a_cascade_needs_no_enable_bit(void **state)
{
    (void)state;
    assert_int_equal(read_on(&northwood, "0x04038800/0x04000204@12", false).cccr, 0x4038800);
    assert_int_equal(read_on(&nocona, "0x40038000/0x04000204@12", false).cccr, 0x40038000);
}

static void what_cannot_be_is_refused_with_its_register_and_what_would_do(void **state)
{
    static const char iq[] = "counter 12, 13, 14, 15, 16, 17, which can count from such an ESCR";
    static const struct {
        const char *text, *message, *expected;
        const struct netburst_core *core;
        bool hyperthreading;
        uint32_t column;
    } cases[] = {
        {"", "no register values of NetBurst", "CCCR/ESCR@COUNTER such as 0x00039000/0x04000204@12",
         &nocona, false, 1},
        {"0x39000@12/0x4000204", "no register values of NetBurst",
         "CCCR/ESCR@COUNTER such as 0x00039000/0x04000204@12", &nocona, false, 1},
        {"0x3900g/0x4000204@12", "malformed value of the CCCR", "a number such as 12 or 0x00039000",
         &nocona, false, 1},
        {"0x39000/@12", "malformed value of the ESCR", "a number such as 12 or 0x00039000", &nocona,
         false, 9},
        {"0x39000/0x4000204@", "malformed value of the counter",
         "a number such as 12 or 0x00039000", &nocona, false, 19},
        {"0x39000/0x4000204@18", "there is no counter 18", iq, &nocona, false, 19},
        {"0x39000/0x4000204@0x80000012", "there is no counter 18", iq, &nocona, false, 19},
        {"0x39000/0x4000204@0x10000000c", "there is no counter 4294967308", iq, &nocona, false, 19},
        {"0x39000/0x4000204@4", "MSR_MS_CCCR0: ESCR select 4 leads to no ESCR", iq, &nocona, false,
         19},
        {"0x3f000/0x0a000204@12", "MSR_IQ_CCCR0: ESCR select 7 leads to no ESCR",
         "counter 0, 1, which can count from such an ESCR", &nocona, false, 20},
        {"0x37000/0x7e000204@14", "MSR_IQ_CCCR2: ESCR select 3 leads to no ESCR",
         "counter 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 16, which can count from such an ESCR", &nocona,
         false, 20},
        {"0x3d000/0x06008204@4", "MSR_MS_CCCR0: ESCR select 6 leads to no ESCR",
         "counter 0, 1, which can count from such an ESCR", &willamette, false, 20},
        {"0x31000/0x02000204@12", "MSR_IQ_CCCR0: ESCR select 0 leads to no ESCR",
         "counter 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, which can count from such an ESCR", &nocona,
         false, 20},
        {"0x39001/0x4000204@12", "MSR_IQ_CCCR0: reserved bits 0x1 are set",
         "0 in all reserved bits", &nocona, false, 1},
        {"0x39800/0x4000204@13", "MSR_IQ_CCCR1: reserved bits 0x800 are set",
         "0 in all reserved bits", &nocona, false, 1},
        {"0x38800/0x4000204@12", "MSR_IQ_CCCR0: reserved bits 0x800 are set",
         "0 in all reserved bits", &willamette, false, 1},
        {"0x100039000/0x4000204@12", "MSR_IQ_CCCR0: reserved bits 0x100000000 are set",
         "0 in all reserved bits", &nocona, false, 1},
        {"0x8039000/0x4000204@12", "MSR_IQ_CCCR0: reserved bits 0x8000000 are set",
         "0 in all reserved bits", &nocona, false, 1},
        {"0x39000/0x84000204@12", "MSR_CRU_ESCR0: reserved bits 0x80000000 are set",
         "0 in all reserved bits", &nocona, false, 9},
        /* BSQ_allocation: BSU_ESCR0 alone; IOQ_active_entries: FSB_ESCR1 alone; IOQ_allocation:
         * FSB_ESCR1 from CPUID signature F27H on */
        {"0x3f000/0x0a000204@2", "MSR_BSU_ESCR1 cannot select BSQ_allocation",
         "counter 0, 1, which can count from such an ESCR", &nocona, false, 20},
        {"0x3d000/0x34004204@1", "MSR_FSB_ESCR0 cannot select IOQ_active_entries",
         "counter 2, 3, which can count from such an ESCR", &nocona, false, 20},
        {"0x3d000/0x0600c204@2", "MSR_FSB_ESCR1 cannot select IOQ_allocation",
         "counter 0, 1, which can count from such an ESCR", &willamette, false, 20},
        {"0x39000/0x4000201@12", "MSR_CRU_ESCR0: no ring is selected",
         "bit 2 (rings 1 to 3) or 3 (ring 0); of logical processor 1: 0 or 1", &nocona, false, 9},
        {"0x3b000/0x12000204@12 --pe=1", "unknown option", "--p4pe=VALUE or --p4pmv=VALUE", &nocona,
         false, 23},
        {"0x3b000/0x12000204@12 --p4pe=", "malformed value of the MSR_PEBS_ENABLE",
         "a number such as 12 or 0x00039000", &nocona, false, 30},
        /* bit 25 makes records, bit 13 of the other register is none of its 13 */
        {"0x3b000/0x12000204@12 --p4pe=0x3000001",
         "MSR_PEBS_ENABLE: reserved bits 0x2000000 are set", "0 in all reserved bits", &nocona,
         false, 30},
        {"0x3b000/0x12000204@12  --p4pmv=0x2001",
         "MSR_PEBS_MATRIX_VERT: reserved bits 0x2000 are set", "0 in all reserved bits", &nocona,
         false, 32},
        {"0x9000/0x4000204@12", "MSR_IQ_CCCR0: bits 16 and 17 must be set",
         "0x00030000 among the bits", &nocona, false, 1},
        {"0x19000/0x4000204@12", "MSR_IQ_CCCR0: bits 16 and 17 must be set",
         "0x00030000 among the bits", &nocona, false, 1},
        {"0x9000/0x4000204@12", "MSR_IQ_CCCR0: bits 16 and 17 must be set",
         "0x00030000 among the bits", &nocona, true, 1},
        {"0x38000/0x4000204@12", "MSR_IQ_CCCR0: neither ENABLE nor a cascade is set",
         "bit 12 (ENABLE), 30 or 11", &nocona, false, 1},
        {"0x39000/0x00000204@12", "MSR_CRU_ESCR0: no event is selected",
         "an event select in bits 25 to 30", &nocona, false, 9},
        {"0x39000/0x4000200@15", "MSR_CRU_ESCR1: no ring is selected",
         "bit 2 (rings 1 to 3) or 3 (ring 0); of logical processor 1: 0 or 1", &nocona, false, 9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct netburst_raw raw;
        struct complaint complaint;

        if (netburst_raw_read(&raw, &prescott, slice_of(cases[i].text), cases[i].core,
                              cases[i].hyperthreading, &complaint))
            fail_msg("%s was taken", cases[i].text);
        assert_string_equal(complaint.message, cases[i].message);
        assert_string_equal(complaint.expected, cases[i].expected);
        assert_int_equal(complaint.column, cases[i].column);
    }
}

static const char *note_of(const struct netburst_core *core, const char *text, bool hyperthreading)
{
    static char note[NETBURST_NOTE];
    const struct netburst_raw raw = read_on(core, text, hyperthreading);

    return netburst_raw_note(&raw, core, note) ? note : "";
}

/* perfex: reads and writes of the bus, with T0_USR and T1_USR. SDM, "ESCR MSRs": without
 * HyperThreading bits 0 and 1 are reserved; "IOQ_allocation": models below 2 need a source agent
 * only, and others a memory type too. */
static void bits_of_a_second_logical_processor_are_left_out_and_that_is_said(void **state)
{
    static const char line[] = "0x0003D000/0x0600C205@0x80000000";
    const struct netburst_raw alone = read_on(&nocona, line, false);

    (void)state;
    assert_int_equal(alone.escr, 0x600c204);
    assert_int_equal(alone.ignored, 1);
    assert_int_equal(read_on(&northwood, line, true).escr, 0x600c205);
    assert_string_equal(
        note_of(&willamette, line, false),
        "bits 0x1 of MSR_FSB_ESCR0 are those of a second logical processor: not written");
    assert_string_equal(
        note_of(&northwood, line, true),
        "MSR_FSB_ESCR0 selects no memory type (bits 16 to 20) and no agent (22, 23): by the "
        "manual nothing is counted then, but lines of perfex are so");
    assert_non_null(strstr(note_of(&nocona, line, false), "not written; MSR_FSB_ESCR0 selects"));
    /* WB, and OWN */
    assert_non_null(
        strstr(note_of(&nocona, "0x3d000/0x0610c204@0", false), "no agent (bits 22, 23)"));
    assert_non_null(
        strstr(note_of(&nocona, "0x3d000/0x0640c204@0", false), "no memory type (bits"));
    assert_string_equal(note_of(&nocona, "0x3d000/0x0650c204@0", false), "");
    assert_string_equal(note_of(&nocona, "0x39000/0x04000204@12", false), "");
    assert_string_equal(note_of(&nocona, "0x31000/0x06000204@0", false),
                        ""); /* BPU_ESCR0, event 3 */
}

/* perfex: "L1 cache read misses". SDM, "List of Metrics Available for Replay Tagging". */
static void replay_tags_come_with_options_as_perfex_has_them(void **state)
{
    static const char line[] = "0x0003B000/0x12000204@0x8000000C --p4pe=0x01000001 --p4pmv=0x1";
    static const char tagless[] =
        "its event counts tagged uops, and these register values tag none";
    struct netburst_raw raw = read_on(&nocona, line, false);

    (void)state;
    assert_int_equal(raw.pebs_enable, 0x1000001);
    assert_int_equal(raw.matrix, 1);
    assert_null(netburst_raw_absent(&raw, &prescott, 0, false));
    raw = read_on(&nocona, "0x3b000/0x12000204@12   --p4pmv=1 --p4pe=0x1000004", false);
    assert_null(netburst_raw_absent(&raw, &prescott, 0, false));
    /* no metric has matrix 4; MOB_load_replay must tag for the next, and front_end_event needs
     * uop_type */
    raw = read_on(&nocona, "0x3b000/0x12000204@12 --p4pmv=4 --p4pe=0x1000004", false);
    assert_string_equal(netburst_raw_absent(&raw, &prescott, 0, false), tagless);
    raw = read_on(&nocona, "0x3b000/0x12000204@12 --p4pmv=1 --p4pe=0x1000200", false);
    assert_string_equal(netburst_raw_absent(&raw, &prescott, 0, false), tagless);
    raw = read_on(&nocona, "0x3b000/0x10000204@12 --p4pmv=1 --p4pe=0x1000001", false);
    assert_string_equal(netburst_raw_absent(&raw, &prescott, 0, false), tagless);
}

static void hyperthreading_allows_the_bits_of_the_other_logical_processor(void **state)
{
    (void)state;
    assert_int_equal(read_on(&nocona, "0x8039000/0x4000203@12", true).escr, 0x4000203);
    assert_int_equal(read_on(&nocona, "0x19000/0x4000204@12", true).cccr, 0x19000);
}

/* What a name selects can be written as values, on each counter that it can use. */
static void the_values_of_every_name_are_taken_on_each_of_its_counters(void **state)
{
    unsigned taken = 0;

    (void)state;
    for (unsigned i = 0; i < prescott.event_count; i++) {
        const struct netburst_event *event = prescott.events[i].own;
        char name[96], text[64];
        struct netburst_request request;
        struct complaint complaint;

        if (prescott.events[i].kind != EVENT_MASKED)
            continue;
        snprintf(name, sizeof(name), "%s:%s", event->name, event->masks[0].name);
        assert_true(netburst_read(&request, &prescott, slice_of(name), &complaint));
        for (unsigned e = 0; e < event->escr_count; e++)
            for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
                if (!(netburst_escrs[event->escrs[e]].counters >> c & 1))
                    continue;
                snprintf(text, sizeof(text), "0x%x/0x%x@%u", netburst_cccr_value(&request),
                         netburst_escr_value(&request, NETBURST_T0), c);
                assert_int_equal(read_on(&nocona, text, false).escr_index, event->escrs[e]);
                taken++;
            }
    }
    /* 44 events with two ESCRs, 3 with one; 12 of the first on the IQ group with 6 counters */
    assert_int_equal(taken, 12 * 6 + 32 * 4 + 3 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_example_is_read),
        cmocka_unit_test(a_counter_of_the_other_half_means_the_other_escr),
        cmocka_unit_test(clockticks_need_no_ring),
        cmocka_unit_test(a_cascade_needs_no_enable_bit),
        cmocka_unit_test(what_cannot_be_is_refused_with_its_register_and_what_would_do),
        cmocka_unit_test(bits_of_a_second_logical_processor_are_left_out_and_that_is_said),
        cmocka_unit_test(replay_tags_come_with_options_as_perfex_has_them),
        cmocka_unit_test(hyperthreading_allows_the_bits_of_the_other_logical_processor),
        cmocka_unit_test(the_values_of_every_name_are_taken_on_each_of_its_counters),
    };
    int failed = cmocka_run_group_tests(tests, parse_description, NULL);

    tests_free();
    return failed;
}
