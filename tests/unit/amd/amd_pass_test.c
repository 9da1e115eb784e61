/* The registers of a pass on AMD. Addresses and bits: APM volume 2, "Performance Monitoring
 * Counters"; the values are worked out by hand. */
#include "tests/unit/cmocka_all.h"

#include "pmu/amd/kind.h"
#include "pmu/amd/pass.h"
#include "pmu/counters.h"
#include "pmu/pass_turn.h"
#include "pmu/plan.h"
#include "tests/unit/descriptions.h"

static const struct facts genoa = {.kind = &amd_kind,
                                   .amd = true,
                                   .family = 0x19,
                                   .model = 0x11,
                                   .version = 2,
                                   .general_count = 6,
                                   .general_width = 48,
                                   .full_width_write = true};

static struct description zen4;

static int set_up(void **state)
{
    (void)state;
    tests_builtin(&zen4, "zen4");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static void make(struct plan *plan, const struct facts *facts, const char *const *names)
{
    const struct event *events[16];
    unsigned count = 0;

    for (; names[count] != NULL; count++) {
        events[count] = description_event(&zen4, names[count]);
        assert_non_null(events[count]);
    }
    assert_int_equal(plan_make(plan, facts, &zen4, events, NULL, count, &tests_pool), RC_OK);
}

/* Bits 35:32 of PERF_CTL have the event select's bits 11:8: 1A0H with mask 60H is 1004360A0H. The
 * counters are stopped, the status is cleared, with both frozen bits, and then all is selected. */
static void one_write_starts_the_counters_of_a_pass(void **state)
{
    static const char *const names[] = {"ls_not_halted_cyc", "ex_ret_instr",
                                        "de_no_dispatch_per_slot.smt_contention", NULL};
    static const struct msr_value setup[] = {
        {0xc0000301, 0},           {0xc0000302, 0x0c0000000000003f},
        {0xc0010200, 0x430076},    {0xc0010202, 0x4300c0},
        {0xc0010204, 0x1004360a0}, {0xc0010206, 0},
        {0xc0010208, 0},           {0xc001020a, 0},
        {0xc0010201, 0},           {0xc0010203, 0},
        {0xc0010205, 0},
    };
    const struct pass *pass;
    struct plan plan;

    (void)state;
    make(&plan, &genoa, names);
    assert_int_equal(plan.pass_count, 1);
    pass = &plan.passes[0];
    assert_int_equal(pass->setup_count, COUNT_OF(setup));
    for (unsigned i = 0; i < COUNT_OF(setup); i++) {
        assert_int_equal(pass->setup[i].msr, setup[i].msr);
        assert_int_equal(pass->setup[i].value, setup[i].value);
    }
    assert_int_equal(pass->enable.msr, 0xc0000301);
    assert_int_equal(pass->enable.value, 7);
    assert_int_equal(pass->disable, 0);
    assert_int_equal(pass_turns(pass), 3);
}

/* Six events of level 1 take all six counters; what follows is in a pass of its own, with the
 * cycles and the instructions by which passes are compared. */
static void level_one_is_one_pass_and_each_further_pass_counts_cycles_and_instructions(void **state)
{
    static const char *const names[] = {"ls_not_halted_cyc",
                                        "de_no_dispatch_per_slot.no_ops_from_frontend",
                                        "de_src_op_disp.all",
                                        "ex_ret_ops",
                                        "de_no_dispatch_per_slot.backend_stalls",
                                        "de_no_dispatch_per_slot.smt_contention",
                                        "ex_ret_brn",
                                        NULL};
    struct plan plan;

    (void)state;
    make(&plan, &genoa, names);
    assert_int_equal(plan.pass_count, 2);
    assert_int_equal(plan.passes[0].reading_count, 6);
    assert_int_equal(plan.passes[1].reading_count, 3);
    assert_string_equal(plan.passes[1].readings[0].event->name, "ex_ret_brn");
    assert_string_equal(plan.passes[1].readings[1].event->name, "ls_not_halted_cyc");
    assert_string_equal(plan.passes[1].readings[2].event->name, "ex_ret_instr");
}

/* Milan: the enable bit (22) of the one control starts and stops the counter. */
static void without_perfmonv2_a_pass_counts_one_event(void **state)
{
    static const char *const names[] = {"ls_not_halted_cyc", "ex_ret_instr", NULL};
    struct facts milan = genoa;
    struct plan plan;

    (void)state;
    milan.version = 1;
    make(&plan, &milan, names);
    assert_int_equal(plan.pass_count, 2);
    assert_int_equal(plan.passes[1].enable.msr, 0xc0010200);
    assert_int_equal(plan.passes[1].enable.value, 0x4300c0);
    assert_int_equal(plan.passes[1].disable, 0x0300c0);
    milan.general_count = 4; /* no PerfCtrExtCore */
    make(&plan, &milan, names);
    assert_int_equal(plan.passes[0].enable.msr, 0xc0010000);
    assert_int_equal(plan.passes[0].setup[4].msr, 0xc0010004);
}

static void commands_are_not_kept_and_registers_have_amds_names(void **state)
{
    static const char *const names[] = {"ls_not_halted_cyc", NULL};
    static const struct {
        uint32_t msr;
        const char *name;
    } rows[] = {
        {0xc0010204, "PERF_CTL2"},
        {0xc001020b, "PERF_CTR5"},
        {0xc0010001, "PERF_LEGACY_CTL1"},
        {0xc0010007, "PERF_LEGACY_CTR3"},
        {0xc0000301, "PERF_CNTR_GLOBAL_CTL"},
    };
    uint32_t registers[64];
    char name[40];
    unsigned count;
    struct plan plan;

    (void)state;
    make(&plan, &genoa, names);
    count = plan_registers(&plan, registers, COUNT_OF(registers));
    assert_int_equal(count, 9); /* the global control, six controls, two counters */
    for (unsigned i = 0; i < count; i++)
        assert_int_not_equal(registers[i], 0xc0000302);
    for (unsigned i = 0; i < COUNT_OF(rows); i++)
        assert_string_equal(msr_name(&genoa, rows[i].msr, name, sizeof(name)), rows[i].name);
}

static void a_control_with_its_enable_bit_counts(void **state)
{
    (void)state;
    assert_true(counters_at_work(&genoa, &(struct msr_value){0xc0010208, 0x430076}));
    assert_false(counters_at_work(&genoa, &(struct msr_value){0xc0010208, 0x030076}));
    assert_false(counters_at_work(&genoa, &(struct msr_value){0xc0010209, 0x430076}));
    assert_true(counters_at_work(&genoa, &(struct msr_value){0xc000010f, 0x40}));    /* LbrExtV2 */
    assert_true(counters_at_work(&genoa, &(struct msr_value){0xc0011033, 0x20000})); /* IBS op */
}

static void a_merged_event_is_refused_with_the_reason(void **state)
{
    static const char *const names[] = {"fp_ret_sse_avx_ops.all", NULL};
    struct plan plan;

    (void)state;
    make(&plan, &genoa, names);
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].reason,
                        "it needs the odd neighbour to count the merge event, too");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_write_starts_the_counters_of_a_pass),
        cmocka_unit_test(
            level_one_is_one_pass_and_each_further_pass_counts_cycles_and_instructions),
        cmocka_unit_test(without_perfmonv2_a_pass_counts_one_event),
        cmocka_unit_test(commands_are_not_kept_and_registers_have_amds_names),
        cmocka_unit_test(a_control_with_its_enable_bit_counts),
        cmocka_unit_test(a_merged_event_is_refused_with_the_reason),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
