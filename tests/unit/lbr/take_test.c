/* Recordings on the core under test. The windows are replaced here: they leave a stack and a count
 * behind, as the run of a kernel would. */
#include "pmu/intel/kind.h"
#include "pmu/kinds/kinds.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/experiment/branches/recording.h"
#include "harness/window/window.h"
#include "kernels/kernel_map.h"
#include "tests/unit/seams.h"

enum { DEBUGCTL = 0x1d9, SELECT = 0x1c8, TOS = 0x1c9, EVTSEL0 = 0x186, A_PMC0 = 0x4c1 };

static const char place[64];
const char window_return[1], window_ring_3_return[1], window_in_ring_3[1], window_ring_3_left[1];

static struct {
    unsigned plain, within;
    uint64_t selected[RECORDINGS]; /* MSR_LBR_SELECT in each plain window */
    uint64_t n[RECORDINGS + 3], evtsel0[RECORDINGS + 3], pmc0[RECORDINGS + 3];
    bool cut_off; /* the stack does not hold the CALL of the kernel */
} seen;

static void put(uint32_t at, uint64_t from, uint64_t to, bool mispredicted)
{
    seam_msr(0x680 + at, from);
    seam_msr(0x6c0 + at, to);
    seam_msr(0xdc0 + at, mispredicted ? 1ull << 63 | 4 : 4);
}

static uint64_t msr(uint32_t number)
{
    uint64_t value = 0;

    assert_true(seam_msr_value(number, &value));
    return value;
}

/* A run of one record, the RET. */
void window_run(const struct window *window)
{
    assert_int_equal(window->msr, DEBUGCTL);
    assert_true(window->enable == 1 && window->disable == 0);
    seen.selected[seen.plain++] = msr(SELECT);
    put(0, (uint64_t)(uintptr_t)place + 20, (uint64_t)(uintptr_t)window_return, false);
}

/* The window's JMP, the CALL of the kernel, a step, the RET, and the RET of window_run. All but the
 * step say mispredicted; only the CALL, the step and the RET lie between the counter's two writes.
 */
void window_run_within(const struct window *window, uint32_t number, uint64_t enable,
                       uint64_t disable)
{
    assert_int_equal(number, DEBUGCTL);
    assert_true((enable & 1) == 1 && disable == 0);
    seen.n[seen.within] = window->n;
    seen.evtsel0[seen.within] = msr(EVTSEL0);
    seen.pmc0[seen.within++] = msr(A_PMC0);
    put(0, 0x1000, 0x2000, true);
    put(1, seen.cut_off ? 0x1000 : 0x2004, (uint64_t)(uintptr_t)place, true);
    if (seen.cut_off)
        put(1, 0x1000, 0x2000, true);
    put(2, (uint64_t)(uintptr_t)place, (uint64_t)(uintptr_t)place + 20, false);
    put(3, (uint64_t)(uintptr_t)place + 20, (uint64_t)(uintptr_t)window_return, true);
    put(4, 0x3000, 0x4000, true);
    seam_msr(TOS, 4);
    seam_rdpmc(0, 2);
}

static const struct kernel_step step = {place, place + 10, MAP_JUMP};
static struct kernel kernel;
static struct event events[2];
static struct description description;
static struct facts facts;
static struct core_registers registers;
static struct recording recordings[RECORDINGS];
static struct measurement m;

static int set_up(void **state)
{
    (void)state;
    seams_reset();
    memset(&seen, 0, sizeof(seen));
    memset(&description, 0, sizeof(description));
    memset(&registers, 0, sizeof(registers));
    for (unsigned i = 0; i < GUARD_KINDS; i++)
        registers.guards.absent[i] = "the test plays none";
    memset(&m, 0, sizeof(m));
    events[0] = (struct event){.name = "INST_RETIRED.ANY_P",
                               .encodable = true,
                               .code = 0xc0,
                               .counters = ~0u,
                               .architectural = 1};
    events[1] = (struct event){.name = "BR_MISP_RETIRED.ALL_BRANCHES",
                               .encodable = true,
                               .code = 0xc5,
                               .counters = ~0u,
                               .architectural = 6};
    description.events = events;
    description.event_count = 2;
    description.lbr = kinds_lbr((struct slice){"skylake32", 9});
    facts = (struct facts){.kind = &intel_kind,
                           .intel = true,
                           .version = 4,
                           .general_count = 4,
                           .general_width = 48,
                           .architectural_events = 0x7f,
                           .pdcm = true,
                           .lbr_format = 5,
                           .full_width_write = true};
    kernel = (struct kernel){.name = "lbr.test", .steps = &step, .step_count = 1, .leaves = &step};
    memcpy(&kernel.code, &(const char *const){place}, sizeof(kernel.code));
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t row = 0; row < 3; row++)
            seam_msr((const uint32_t[]){0x680, 0x6c0, 0xdc0}[row] + i, 0);
    for (uint32_t i = 0; i < 4; i++) {
        seam_msr(EVTSEL0 + i, 0);
        seam_msr(A_PMC0 + i, 0);
    }
    for (unsigned i = 0; i < 6; i++)
        seam_msr((const uint32_t[]){DEBUGCTL, SELECT, TOS, 0x38f, 0x38e, 0x390}[i], 0);
    m = (struct measurement){.kernel = &kernel,
                             .facts = &facts,
                             .description = &description,
                             .registers = &registers,
                             .n = 600,
                             .recordings = recordings};
    m.recording_count = recordings_begin(recordings, &kernel, false);
    assert_int_equal(m.recording_count, RECORDINGS);
    return 0;
}

static const struct recording *recording_of(enum recording_kind kind)
{
    for (unsigned i = 0; i < m.recording_count; i++)
        if (recordings[i].way->kind == kind)
            return &recordings[i];
    fail();
    return NULL;
}

static void each_filter_has_a_window_of_its_own(void **state)
{
    /* all; JCC, jump, indirect jump, call, indirect call, RET alone; ring 0; other rings */
    static const uint64_t selected[] = {0, 0x1f8, 0x17c, 0x1bc, 0x1f4, 0x1ec, 0x1dc, 0x2, 0x1};

    (void)state;
    recordings_take(&m);
    assert_null(m.what);
    assert_int_equal(seen.plain, 9);
    for (unsigned i = 0; i < 9; i++)
        assert_true(seen.selected[i] == selected[i]);
    for (unsigned i = 0; i < m.recording_count; i++)
        assert_true(recordings[i].taken && recordings[i].depth == 32);
}

/* 2^48 - 1000; the PMI of the counter is bit 20 of its select. The passes before and after preset
 * nothing. */
static void a_freeze_comes_1000_instructions_after_the_begin(void **state)
{
    (void)state;
    recordings_take(&m);
    assert_int_equal(seen.within, 1 + 4);
    assert_true(seen.n[0] == 600 && seen.pmc0[0] == 0xfffffffffc18);
    assert_true(seen.evtsel0[0] == (0xc0 | 1u << 16 | 1u << 17 | 1u << 20 | 1u << 22));
    assert_true(seen.n[1] == 1 && seen.pmc0[1] == 0);
    assert_true(seen.evtsel0[1] == (0xc5 | 1u << 16 | 1u << 17 | 1u << 22));
    assert_false(recording_of(RECORDING_FROZEN)->frozen); /* the window's RET is on record */
}

/* Two of the three records in the window say so, in each of four runs. */
static void flags_outside_of_the_window_are_not_taken_for_the_kernels(void **state)
{
    const struct recording *recording;

    (void)state;
    recordings_take(&m);
    recording = recording_of(RECORDING_MISPREDICTED);
    assert_true(recording->whole && recording->flags);
    assert_true(recording->flagged == 8 && recording->counted == 8);
}

static void a_run_that_the_stack_does_not_hold_is_not_whole(void **state)
{
    (void)state;
    seen.cut_off = true;
    recordings_take(&m);
    assert_false(recording_of(RECORDING_MISPREDICTED)->whole);
}

static void what_is_not_there_is_missing_with_its_reason(void **state)
{
    (void)state;
    facts.architectural_events = 1u << 1;
    recordings_take(&m);
    assert_null(m.what);
    assert_string_equal(recording_of(RECORDING_MISPREDICTED)->missing,
                        "this core does not count mispredicted branches");
    assert_true(recording_of(RECORDING_FROZEN)->taken);
}

static void a_shared_filter_is_left_alone_while_the_other_thread_works(void **state)
{
    const struct seam_write *writes;

    (void)state;
    description.lbr = kinds_lbr((struct slice){"nehalem16", 9});
    facts.lbr_format = 3;
    m.shares_core = true;
    recordings_take(&m);
    assert_string_equal(recordings[0].missing,
                        "the other thread works too, and both threads share the filter");
    assert_int_equal(seam_writes(&writes), 0);
}

static void a_register_that_cannot_be_kept_ends_it_with_its_name(void **state)
{
    (void)state;
    seam_msr_absent(SELECT);
    recordings_take(&m);
    assert_int_equal(m.rc, RC_FAULT);
    assert_string_equal(m.where, "MSR_LBR_SELECT");
    assert_false(recordings[0].taken);
    assert_int_equal(seen.plain + seen.within, 0);
}

/* The first record's `from`, with a bit flipped in every reading before the one that `good` names.
 */
static unsigned readings, good;

static bool flipped(uint32_t number, uint64_t now, uint64_t *value)
{
    (void)now;
    if (number != 0x680)
        return false;
    readings++;
    *value = (uint64_t)(uintptr_t)place + 20;
    if (readings < good)
        *value ^= 1ull << (40 + readings);
    return true;
}

static void a_stack_is_believed_when_two_readings_agree(void **state)
{
    (void)state;
    readings = 0;
    good = 3; /* the stack is kept first, for putting it back */
    seam_msr_at(flipped);
    recordings_take(&m);
    assert_null(m.what);
    assert_true(recordings[0].taken);
    assert_int_equal(recordings[0].stack.entries[0].from, (uint64_t)(uintptr_t)place + 20);
}

static void one_that_never_agrees_is_none(void **state)
{
    (void)state;
    readings = 0;
    good = 99;
    seam_msr_at(flipped);
    recordings_take(&m);
    assert_false(recordings[0].taken);
    assert_string_equal(m.what, "branch records were not the same when they were read again");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_filter_has_a_window_of_its_own, set_up),
        cmocka_unit_test_setup(a_freeze_comes_1000_instructions_after_the_begin, set_up),
        cmocka_unit_test_setup(flags_outside_of_the_window_are_not_taken_for_the_kernels, set_up),
        cmocka_unit_test_setup(a_run_that_the_stack_does_not_hold_is_not_whole, set_up),
        cmocka_unit_test_setup(what_is_not_there_is_missing_with_its_reason, set_up),
        cmocka_unit_test_setup(a_shared_filter_is_left_alone_while_the_other_thread_works, set_up),
        cmocka_unit_test_setup(a_register_that_cannot_be_kept_ends_it_with_its_name, set_up),
        cmocka_unit_test_setup(a_stack_is_believed_when_two_readings_agree, set_up),
        cmocka_unit_test_setup(one_that_never_agrees_is_none, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
