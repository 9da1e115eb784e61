/* NetBurst: tags, kinds of branches, the branch stack, two threads. Expected numbers come from the
 * manual's tables and hand arithmetic. */
#include "netburst_test.h"

static uint64_t replayed(uint32_t enable, uint32_t matrix, enum signal signal)
{
    struct rig rig;
    uint64_t count;

    rig_begin(&rig, "prescott");
    wrmsr(&rig, PEBS_ENABLE, enable);
    wrmsr(&rig, PEBS_MATRIX_VERT, matrix);
    wrmsr(&rig, CRU_ESCR2, EVENT(9) | MASK(1) | T0_OS);
    wrmsr(&rig, CCCR0 + 16, ON(5));
    run_cycles(&rig, 7, signal, 1);
    count = rdmsr(&rig, COUNTER0 + 16);
    rig_end(&rig);
    return count;
}

/* SDM 3B, the lists of metrics for front-end and replay tagging. */
static void tagged_uops_are_counted_at_retirement(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, CRU_ESCR2, EVENT(8) | MASK(1) | T0_OS);
    wrmsr(&rig, CCCR0 + 12, ON(5));
    run_cycles(&rig, 5, SIG_LOADS, 2);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 0); /* nothing tags */
    wrmsr(&rig, RAT_ESCR0, EVENT(2) | MASK(2) | T0_OS);
    run_cycles(&rig, 5, SIG_LOADS, 2);
    run_cycles(&rig, 5, SIG_STORES, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 10);
    wrmsr(&rig, RAT_ESCR0, EVENT(2) | MASK(4) | T0_OS);
    run_cycles(&rig, 5, SIG_LOADS, 2);
    run_cycles(&rig, 5, SIG_STORES, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 15);
    rig_end(&rig);

    assert_int_equal(replayed(0x1000001, 0x01, SIG_LOADS_L1_MISS), 7);
    assert_int_equal(replayed(0x1000002, 0x01, SIG_LOADS_L2_MISS), 7);
    assert_int_equal(replayed(0x1000004, 0x01, SIG_DTLB_LOAD_WALKS), 7);
    assert_int_equal(replayed(0x1000004, 0x01, SIG_DTLB_STORE_WALKS), 0);
    assert_int_equal(replayed(0x1000004, 0x02, SIG_DTLB_STORE_WALKS), 7);
    assert_int_equal(replayed(0x1000004, 0x03, SIG_DTLB_LOAD_WALKS), 7);
    assert_int_equal(replayed(0x1018000, 0x10, SIG_MISPREDICTS), 7);
    assert_int_equal(replayed(0x0000001, 0x01, SIG_LOADS_L1_MISS), 0); /* no UOP_TAG */
    assert_int_equal(replayed(0x1000001, 0x00, SIG_LOADS_L1_MISS), 0);
}

/* In one cycle three branches are not taken and four are taken; two of the three and one of the
 * four were mispredicted. */
static void retired_branches_come_in_four_kinds(void **state)
{
    static const uint64_t expected[] = {0, 1, 2, 3, 3, 4, 5, 6, 1, 2, 3, 4, 4, 5, 6, 7};
    struct span span = {.cycles = 1};

    (void)state;
    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_BRANCHES_NOT_TAKEN] = 3;
    span.value[SIG_BRANCHES_TAKEN] = 4;
    span.value[SIG_MISPREDICTS] = 3;
    span.value[SIG_MISPREDICTS_TAKEN] = 1;
    for (uint64_t mask = 0; mask < 16; mask++) {
        struct rig rig;

        rig_begin(&rig, "prescott");
        wrmsr(&rig, CRU_ESCR2, EVENT(6) | MASK(mask) | T0_OS);
        wrmsr(&rig, CCCR0 + 12, ON(5));
        pmu_span(rig.pmu, &span);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 12), expected[mask]);
        rig_end(&rig);
    }
}

static void rdpmc_reads_forty_bits_or_the_low_half(void **state)
{
    struct rig rig;
    uint64_t value;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, COUNTER0 + 17, 0x1234567890);
    assert_int_equal(pmu_rdpmc(rig.pmu, 17, 0, false, &value), ACCESS_OK);
    assert_int_equal(value, 0x1234567890);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x80000011, 3, true, &value), ACCESS_OK);
    assert_int_equal(value, 0x34567890);
    assert_int_equal(pmu_rdpmc(rig.pmu, 18, 0, false, &value), ACCESS_FAULT);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x40000000, 0, false, &value), ACCESS_FAULT);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0, 3, false, &value), ACCESS_FAULT);
    rig_end(&rig);
}

static void the_branch_stack_has_sixteen_entries(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, DEBUGCTLA, 1);
    for (uint64_t i = 1; i <= 20; i++) {
        struct retired_branch branch = {.from = 0x1000 + i, .to = 0x2000 + i, .taken = true};

        pmu_branch(rig.pmu, &branch);
        branch.taken = false;
        pmu_branch(rig.pmu, &branch);
    }
    assert_int_equal(rdmsr(&rig, TOS), 4);
    for (unsigned n = 0; n < 16; n++) { /* entry n: the n-th modulo 16, the last 16 of 20 */
        assert_int_equal(rdmsr(&rig, FROM_0 + n), 0x1000 + (n < 5 ? n + 16 : n));
        assert_int_equal(rdmsr(&rig, TO_0 + n), 0x1000 + rdmsr(&rig, FROM_0 + n));
    }
    assert_faults(&rig, TOS, 16);
    assert_faults(&rig, FROM_0, UINT64_C(1) << 47);
    wrmsr(&rig, DEBUGCTLA, 0);
    pmu_branch(rig.pmu, &(struct retired_branch){.from = 1, .to = 2, .taken = true});
    assert_int_equal(rdmsr(&rig, TOS), 4);
    rig_end(&rig);
}

/* A Northwood, 0F_24H. SDM 4, tables of MSRs of NetBurst: MSR_LASTBRANCH_0 to 3 are at 1DBH to 1DEH
 * on models 0 to 2 alone, 680H and 6C0H on later models alone. */
static void early_models_keep_four_branches_in_a_register_each(void **state)
{
    const struct personality *prescott = personality_find("prescott");
    struct pmu_parameters parameters = *prescott->pmu;
    struct personality northwood = *prescott;
    struct rig rig;

    (void)state;
    parameters.signature = 0xf24;
    northwood.pmu = &parameters;
    rig_make(&rig, &northwood, 1);
    wrmsr(&rig, DEBUGCTLA, 1);
    for (uint64_t i = 1; i <= 6; i++)
        pmu_branch(rig.pmu,
                   &(struct retired_branch){.from = 0x1000 + i, .to = 0x2000 + i, .taken = true});
    assert_int_equal(rdmsr(&rig, TOS), 2);
    assert_int_equal(rdmsr(&rig, 0x1db), UINT64_C(0x0000200400001004)); /* the fourth */
    assert_int_equal(rdmsr(&rig, 0x1dd), UINT64_C(0x0000200600001006));
    assert_int_equal(rdmsr(&rig, 0x1de), UINT64_C(0x0000200300001003));
    wrmsr(&rig, 0x1de, UINT64_C(0x1234567800000001));
    assert_int_equal(rdmsr(&rig, 0x1de), UINT64_C(0x1234567800000001));
    assert_faults(&rig, TOS, 4);
    assert_faults(&rig, FROM_0, 0);
    assert_faults(&rig, TO_0, 0);
    rig_end(&rig);
}

/* Two logical processors share one set of counters: ESCR bits choose whose events count, CCCR
 * bits choose which of them is interrupted. */
static void two_threads_share_the_counters(void **state)
{
    struct rig first, second;

    (void)state;
    rig_make(&first, personality_find("prescott"), 2);
    rig_make_sibling(&second, &first);
    wrmsr(&first, CRU_ESCR0, 0x04000603); /* the second's instructions */
    wrmsr(&first, CCCR0 + 12, ON(4) | PMI_T1);
    wrmsr(&second, COUNTER0 + 12, MAX_40);
    run_cycles(&first, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&first, COUNTER0 + 12), MAX_40);
    run_cycles(&second, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&first, COUNTER0 + 12), 4);
    assert_int_equal(first.pmis, 0);
    assert_int_equal(second.pmis, 1);
    wrmsr(&second, CRU_ESCR0, 0x0400060f); /* both */
    wrmsr(&second, CCCR0 + 12, ON(4) | PMI_T0);
    run_cycles(&first, 3, SIG_INSTRUCTIONS, 1);
    run_cycles(&second, 2, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&second, COUNTER0 + 12), 9);
    wrmsr(&first, PMH_ESCR0, EVENT(1) | MASK(1) | T0_OS); /* walks: always of both threads */
    wrmsr(&first, CCCR0 + 0, ON(4));
    run_cycles(&second, 2, SIG_DTLB_LOAD_WALKS, 1);
    assert_int_equal(rdmsr(&first, COUNTER0 + 0), 2);
    wrmsr(&first, FSB_ESCR0, EVENT(0x13) | MASK(1) | T0_OS); /* clocks: only of the first */
    wrmsr(&first, CCCR0 + 1, ON(6));
    run_cycles(&second, 7, SIG_UNHALTED, 1);
    run_cycles(&first, 4, SIG_UNHALTED, 1);
    assert_int_equal(rdmsr(&second, COUNTER0 + 1), 4);
    rig_end(&second);
    rig_end(&first);
}

static void it_observes_while_it_counts_or_records(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    assert_false(rig.observes);
    wrmsr(&rig, CRU_ESCR2, EVENT(9) | MASK(1) | T0_OS);
    assert_false(rig.observes);
    wrmsr(&rig, CCCR0 + 16, ON(5));
    assert_true(rig.observes);
    wrmsr(&rig, CCCR0 + 16, 0);
    assert_false(rig.observes);
    wrmsr(&rig, DEBUGCTLA, 1); /* LBR */
    assert_true(rig.observes);
    wrmsr(&rig, DEBUGCTLA, 0);
    assert_false(rig.observes);
    rig_end(&rig);
}

/* SDM 3B, machine_clear: CLEAR counts cycles while the machine is cleared, and clears with EDGE. */
static void clears_are_counted_by_cycles_or_by_edges(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, CRU_ESCR2, EVENT(2) | MASK(1) | T0_OS);
    wrmsr(&rig, CCCR0 + 12, ON(5));
    run_cycles(&rig, 1, SIG_MACHINE_CLEARS, 1);
    run_cycles(&rig, 6, SIG_CLEAR_WAIT, 1);
    run_cycles(&rig, 9, SIG_UNHALTED, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 6);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tagged_uops_are_counted_at_retirement),
        cmocka_unit_test(clears_are_counted_by_cycles_or_by_edges),
        cmocka_unit_test(retired_branches_come_in_four_kinds),
        cmocka_unit_test(rdpmc_reads_forty_bits_or_the_low_half),
        cmocka_unit_test(the_branch_stack_has_sixteen_entries),
        cmocka_unit_test(early_models_keep_four_branches_in_a_register_each),
        cmocka_unit_test(two_threads_share_the_counters),
        cmocka_unit_test(it_observes_while_it_counts_or_records),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
