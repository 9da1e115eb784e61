/* Timelines: what is planned, how many iterations and windows are run, and what each cycle counts.
 * The window itself is replaced here by a core on which a window of n iterations takes 4 + 5 n
 * cycles, and each cycle retires two instructions, but the first two cycles none. */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/machine/apic.h"
#include "boot/text.h"
#include "harness/experiment/timeline/timeline_cycles.h"
#include "harness/experiment/timeline/timeline_record.h"
#include "harness/experiment/timeline/timeline_run.h"
#include "harness/window/window.h"
#include "tests/unit/descriptions.h"
#include "tests/unit/seams.h"

enum {
    DEBUGCTL = 0x1d9,
    FIXED_CTR1 = 0x30a,
    GLOBAL_CTRL = 0x38f,
    FIXED_CTR_CTRL = 0x38d,
    GLOBAL_STATUS = 0x38e,
    RDPMC_FIXED0 = 0x40000000
};

#define LIMIT   30
#define REPEATS 3

static struct {
    unsigned windows, resets, rehearsals;
    bool rehearsed; /* the last window did not count */
    uint64_t delay; /* cycles from the overflow to the freeze */
    bool frozen;    /* an overflow freezes */
    unsigned
        late_from; /* windows from this number on: cycle 8 retires its instructions one later */
    unsigned beyond[2]; /* windows of these numbers count what no kernel does */
    uint32_t lvt;
} core;

const char window_return[1], window_ring_3_return[1], window_in_ring_3[1], window_ring_3_left[1];

uint32_t apic_set_performance(uint32_t entry)
{
    const uint32_t old = core.lvt;

    core.lvt = entry;
    return old;
}

static uint64_t instructions_after(uint64_t cycles)
{
    const bool late = ++core.windows > core.late_from && cycles == 9;

    if (core.windows == core.beyond[0] || core.windows == core.beyond[1])
        return 1ull << 40;
    return cycles < 2 ? 0 : 2 * (cycles - 2) - (late ? 2 : 0);
}

/* A timeline records no branches. */
void window_run_within(const struct window *window, uint32_t msr, uint64_t enable, uint64_t disable)
{
    (void)window;
    (void)msr;
    (void)enable;
    (void)disable;
    fail_msg("branches are recorded");
}

void window_run(const struct window *window)
{
    const uint64_t ends = 4 + 5 * window->n;
    uint64_t preset = 0, debugctl = 0, counted = ends, overflow;

    assert_true(core.lvt & LVT_MASKED);
    core.rehearsed = window->enable == window->disable;
    core.rehearsals += core.rehearsed;
    if (core.rehearsed)
        return;
    (void)seam_msr_value(FIXED_CTR1, &preset);
    (void)seam_msr_value(DEBUGCTL, &debugctl);
    assert_int_equal(debugctl, 0x1000);
    overflow = (1ull << 48) - preset;
    if (core.frozen && overflow + core.delay < ends)
        counted = overflow + core.delay;
    seam_msr(GLOBAL_STATUS, overflow <= ends ? 1ull << 33 : 0);
    seam_rdpmc(RDPMC_FIXED0, instructions_after(counted));
    seam_rdpmc(RDPMC_FIXED0 + 1, (preset + counted) & 0xffffffffffff);
}

static void reset(void)
{
    core.resets++;
}

static void code(void)
{
}

static const struct kernel kernel = {
    .name = "ret.test", .requires = "", .code = code, .reset = reset};
static const struct event instructions = {.name = "INST_RETIRED.ANY", .kind = EVENT_FIXED};
static const struct event cycles = {.name = "CPU_CLK_UNHALTED.THREAD", .kind = EVENT_FIXED};
static const struct facts facts = {.kind = &intel_kind,
                                   .intel = true,
                                   .version = 4,
                                   .fixed_count = 3,
                                   .fixed_mask = 7,
                                   .fixed_width = 48};
static struct pass passes[1];
static struct core_registers registers;
static uint8_t kept[TIMELINE_PASSES * (LIMIT + 1)];
static uint32_t counts[TIMELINE_EVENTS * (LIMIT + 1) * REPEATS];

static void begin(struct measurement *m, struct timeline *t)
{
    static const uint32_t registers_of_it[] = {DEBUGCTL,       GLOBAL_CTRL,   FIXED_CTR_CTRL,
                                               FIXED_CTR1,     GLOBAL_STATUS, 0x390,
                                               FIXED_CTR1 - 1, FIXED_CTR1 + 1};

    seams_reset();
    memset(&core, 0, sizeof(core));
    core.frozen = true;
    core.late_from = UINT32_MAX;
    core.lvt = 0x400; /* the firmware's: an NMI */
    memset(&registers, 0, sizeof(registers));
    for (unsigned i = 0; i < COUNT_OF(registers_of_it); i++)
        seam_msr(registers_of_it[i], 0);
    guards_probe(&registers.guards, &facts);
    *t = (struct timeline){.limit = LIMIT, .repeats = REPEATS, .kept = kept, .counts = counts};
    timeline_begin(t);
    passes[0] = (struct pass){
        .setup = {{GLOBAL_CTRL, 0}, {FIXED_CTR_CTRL, 0x33}, {FIXED_CTR1, 0}},
        .setup_count = 3,
        .enable = {GLOBAL_CTRL, 3ull << 32},
        .readings = {{&instructions, READING_FIXED, 0, 0}, {&cycles, READING_FIXED, 1, 0}},
        .reading_count = 2,
    };
    t->plan = (struct plan){.passes = passes, .pass_count = 1};
    t->armed[0] = passes[0];
    assert_true(freeze_arm(&t->armed[0], &facts));
    t->events[0] = (struct timeline_event){.name = instructions.name, .event = &instructions};
    *m = (struct measurement){.kernel = &kernel,
                              .facts = &facts,
                              .plan = &t->plan,
                              .registers = &registers,
                              .n = 1000,
                              .repeats = REPEATS};
}

/* 4 + 5 x 5 = 29 cycles fit into 30, 4 + 5 x 6 = 34 do not. */
static void as_many_iterations_run_as_fit_into_the_limit(void **state)
{
    struct measurement m;
    struct timeline t;

    (void)state;
    begin(&m, &t);
    timeline_run(&m, &t);
    assert_null(m.what);
    assert_null(t.absent);
    assert_int_equal(t.n, 5);
    assert_int_equal(t.cycles, 29);
    assert_int_equal(t.last_window - t.first_window + 1, (29 + 1) * REPEATS);
    assert_int_equal(t.undisturbed, t.first_window + 29 / 2);
    assert_int_equal(registers.windows, t.last_window);
    assert_false(m.rehearsed);
}

/* Each window that counts comes right after one that does not; RESET runs before both. */
static void each_window_is_rehearsed(void **state)
{
    struct measurement m;
    struct timeline t;

    (void)state;
    begin(&m, &t);
    timeline_run(&m, &t);
    assert_false(core.rehearsed);
    assert_int_equal(core.windows, registers.windows);
    assert_int_equal(core.rehearsals, registers.windows);
    assert_int_equal(core.resets, 2 * registers.windows);
}

static void each_cycle_counts_what_retires_in_it(void **state)
{
    struct timeline_summary summary;
    struct measurement m;
    struct timeline t;
    uint32_t total;

    (void)state;
    begin(&m, &t);
    timeline_run(&m, &t);
    for (uint64_t cycle = 0; cycle < 29; cycle++) {
        const struct timeline_cycle at = timeline_cycle(&t, 0, cycle);

        assert_true(at.known && at.apart == 0);
        assert_int_equal(at.count, cycle < 2 ? 0 : 2);
    }
    assert_false(timeline_cycle(&t, 0, 29).known);
    assert_true(timeline_total(&t, 0, 0, &total) && total == 0);
    assert_true(timeline_total(&t, 0, 29, &total) && total == 54);
    timeline_summarise(&t, &summary);
    assert_true(summary.cycles == 29 && summary.known == 29 && summary.agreed == 29);
    assert_true(summary.fallen == 0 && summary.counted == 1);
}

/* With a delay of 3 cycles no window ends after 1 to 3 cycles. */
static void a_late_freeze_leaves_the_first_cycles_unknown(void **state)
{
    struct timeline_summary summary;
    struct measurement m;
    struct timeline t;
    uint32_t total;

    (void)state;
    begin(&m, &t);
    core.delay = 3;
    timeline_run(&m, &t);
    assert_null(t.absent);
    assert_true(t.delay_min == 3 && t.delay_max == 3);
    assert_int_equal(t.delays, 8);
    for (uint64_t cycle = 0; cycle < 29; cycle++)
        assert_true(timeline_cycle(&t, 0, cycle).known == (cycle >= 4));
    assert_true(timeline_total(&t, 0, 4, &total) && total == 4);
    timeline_summarise(&t, &summary);
    assert_true(summary.known == 25 && summary.agreed == 25);
}

/* One repeat of three counts cycle 8's instructions in cycle 9. */
static void a_cycle_in_which_repeats_disagree_says_by_how_much(void **state)
{
    struct timeline_summary summary;
    struct measurement m;
    struct timeline t;

    (void)state;
    begin(&m, &t);
    timeline_run(&m, &t);
    begin(&m, &t);
    /* the last repeat; 7 settled window groups, 8 for the delay, and 29 + 1 of each repeat */
    core.late_from = 8 * 7 + 8 + 2 * (29 + 1);
    timeline_run(&m, &t);
    for (uint64_t cycle = 0; cycle < 29; cycle++)
        assert_int_equal(timeline_cycle(&t, 0, cycle).apart, cycle == 8 || cycle == 9 ? 2 : 0);
    assert_int_equal(timeline_cycle(&t, 0, 8).count, 2); /* the median is that of the others */
    timeline_summarise(&t, &summary);
    assert_true(summary.agreed == 27 && summary.fallen == 0);
}

/* 7 groups of settled windows, 8 for the delay; then each repeat has 29 + 1, of which the 9th ends
 * after 9 cycles. */
#define WINDOW_OF(repeat, cycles) (8 * 7 + 8 + (repeat) * (29 + 1) + (cycles))

/* Cycles 8 and 9 are the neighbours of what a window says that ends after 9. */
static void cycles_that_rest_on_fewer_windows_say_so(void **state)
{
    char text[200], why[200];
    struct timeline_summary summary;
    struct measured_core on = {0};
    struct measurement m;
    struct timeline t;

    (void)state;
    for (unsigned dropped = 0; dropped <= 2; dropped++) {
        begin(&m, &t);
        core.beyond[0] = dropped > 0 ? WINDOW_OF(0, 9) : 0;
        core.beyond[1] = dropped > 1 ? WINDOW_OF(2, 9) : 0;
        timeline_run(&m, &t);
        assert_int_equal(t.dropped, dropped);
        for (uint64_t cycle = 0; cycle < 29; cycle++) {
            const bool near = dropped > 0 && (cycle == 8 || cycle == 9);

            assert_int_equal(timeline_cycle(&t, 0, cycle).few, near ? REPEATS - dropped : 0);
            assert_int_equal(timeline_cycle(&t, 0, cycle).count, cycle < 2 ? 0 : 2);
        }
        timeline_summarise(&t, &summary);
        assert_int_equal(summary.agreed, dropped == 2 ? 27 : 29);
        assert_true(timeline_verdict(&on, &m, &t, text, sizeof(text), why, sizeof(why)) ==
                    (dropped == 0));
        assert_string_equal(why, "");
        assert_true(dropped == 0 ||
                    strstr(text, "; windows with counts that no kernel has: ") != NULL);
    }
}

static void a_window_whose_counter_overflowed_is_dropped(void **state)
{
    const struct raw_counts raw = {.value = {7, 9}, .overflowed = {true, true}};
    struct measurement m;
    struct timeline t;

    (void)state;
    begin(&m, &t);
    timeline_keep(&t, 0, 9, &raw);
    assert_int_equal(t.dropped, 1);
    assert_int_equal(timeline_kept(&t, 0, 9), 0);
}

static void an_iteration_longer_than_the_limit_is_cut_off(void **state)
{
    struct timeline_summary summary;
    struct measurement m;
    struct timeline t;

    (void)state;
    begin(&m, &t);
    t.limit = 6;
    timeline_run(&m, &t);
    assert_int_equal(t.n, 1);
    assert_int_equal(t.cycles, 9);
    timeline_summarise(&t, &summary);
    assert_true(summary.cycles == 6 && summary.known == 6);
}

static void counters_that_go_on_are_no_timeline(void **state)
{
    struct measurement m;
    struct timeline t;

    (void)state;
    begin(&m, &t);
    core.frozen = false;
    timeline_run(&m, &t);
    assert_null(m.what);
    assert_non_null(strstr(t.absent, "went on"));
}

static void nothing_freezes_afterwards_and_the_pmi_is_delivered_as_before(void **state)
{
    struct measurement m;
    struct timeline t;
    uint64_t value;

    (void)state;
    begin(&m, &t);
    timeline_run(&m, &t);
    assert_true(seam_msr_value(DEBUGCTL, &value) && value == 0);
    assert_true(seam_msr_value(FIXED_CTR_CTRL, &value) && value == 0);
    assert_int_equal(core.lvt, 0x400);
}

static void events_that_the_cpu_lacks_are_named(void **state)
{
    static const struct facts haswell = {.kind = &intel_kind,
                                         .intel = true,
                                         .version = 3,
                                         .general_count = 4,
                                         .general_width = 48,
                                         .fixed_count = 3,
                                         .fixed_mask = 7,
                                         .fixed_width = 48,
                                         .architectural_events = 0x7f};
    struct description description;
    struct timeline t = {.limit = LIMIT, .repeats = REPEATS, .kept = kept, .counts = counts};
    unsigned missing = 0;

    (void)state;
    tests_builtin(&description, "haswell");
    timeline_begin(&t);
    assert_true(timeline_plan(&t, &haswell, &description, &tests_pool));
    assert_int_equal(t.freeze, FREEZE_LEGACY);
    for (unsigned i = 0; i < TIMELINE_EVENTS; i++) {
        assert_true((t.events[i].event == NULL) == (t.events[i].missing != NULL));
        missing += t.events[i].event == NULL;
    }
    assert_true(missing > 0 && missing < TIMELINE_EVENTS);
    assert_string_equal(t.events[1].name, "UOPS_RETIRED.RETIRE_SLOTS");
    for (unsigned p = 0; p < t.plan.pass_count; p++)
        assert_int_equal(t.armed[p].setup_count, t.plan.passes[p].setup_count + 1);
    tests_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_iterations_run_as_fit_into_the_limit),
        cmocka_unit_test(each_window_is_rehearsed),
        cmocka_unit_test(each_cycle_counts_what_retires_in_it),
        cmocka_unit_test(a_late_freeze_leaves_the_first_cycles_unknown),
        cmocka_unit_test(a_cycle_in_which_repeats_disagree_says_by_how_much),
        cmocka_unit_test(cycles_that_rest_on_fewer_windows_say_so),
        cmocka_unit_test(a_window_whose_counter_overflowed_is_dropped),
        cmocka_unit_test(an_iteration_longer_than_the_limit_is_cut_off),
        cmocka_unit_test(counters_that_go_on_are_no_timeline),
        cmocka_unit_test(nothing_freezes_afterwards_and_the_pmi_is_delivered_as_before),
        cmocka_unit_test(events_that_the_cpu_lacks_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
