/* Differences between generations of counters: widths, registers, version 6 with its leaf, masks
 * and blocks. All of them are data of a personality. */
#include "counters_test.h"

#define MAX_40 UINT64_C(0xffffffffff)

static bool exists(struct rig *rig, uint32_t msr)
{
    uint64_t value;

    return pmu_rdmsr(rig->pmu, msr, &value) == ACCESS_OK;
}

/* As on Core 2: two general-purpose and three fixed counters of 40 bits, no full-width writes. */
static void version_2_has_40_bits_and_the_old_registers(void **state)
{
    struct variant other;
    struct pmu_parameters *parameters = variant_of(&other, "skylakex");
    struct rig rig;

    (void)state;
    parameters->version = 2;
    parameters->gp_alone = parameters->gp_smt = 2;
    parameters->width = 40;
    parameters->architectural_events = 7;
    parameters->capabilities = 0;
    parameters->status_writable = UINT64_C(3) << 62;
    rig_make(&rig, &other.personality, 1);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).eax, 0x07280202);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).edx, 0x503);
    wrmsr(&rig, PMC0 + 1, 0x80000000);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), UINT64_C(0xff80000000));
    assert_faults(&rig, PMC0 + 2, 0);
    assert_false(exists(&rig, A_PMC0));
    assert_false(exists(&rig, SET));
    assert_false(exists(&rig, INUSE));
    assert_faults(&rig, RESET, UINT64_C(1) << 58);
    assert_faults(&rig, FIXED_CTR0, MAX_40 + 1);
    wrmsr(&rig, FIXED_CTRL, 1);
    wrmsr(&rig, FIXED_CTR0, MAX_40);
    wrmsr(&rig, CTRL, UINT64_C(1) << 32);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 3);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0), 2);
    assert_int_equal(rdmsr(&rig, STATUS), UINT64_C(1) << 32);
    rig_end(&rig);
}

/* A register of the family at the address of a register of later parts, like the uncore's on
 * Nehalem. */
static void an_address_without_its_register_may_hold_another_register(void **state)
{
    static const struct msr_fact uncore[] = {{.address = SET, .writable = 0xff}};
    struct variant other;
    struct pmu_parameters *parameters = variant_of(&other, "skylakex");
    struct rig rig;

    (void)state;
    parameters->version = 3;
    parameters->msrs = uncore;
    parameters->msr_count = 1;
    rig_make(&rig, &other.personality, 1);
    wrmsr(&rig, SET, 0x55);
    assert_int_equal(rdmsr(&rig, SET), 0x55);
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    rig_end(&rig);
}

static void fixed_counters_follow_the_bitmap(void **state)
{
    struct variant other;
    struct pmu_parameters *parameters = variant_of(&other, "icelakex");
    uint64_t value;
    struct rig rig;

    (void)state;
    parameters->fixed = 7; /* 0 to 2 and 4 to 6, as on an efficient core */
    parameters->fixed_absent = 1 << 3;
    parameters->metrics = false;
    parameters->fixed_source[4] = (struct pmu_source)COUNTS(SLOTS_MISPREDICT);
    rig_make(&rig, &other.personality, 1);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).ecx, 0x77);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).edx & 0x1f, 3); /* contiguous counters */
    assert_false(exists(&rig, FIXED_CTR0 + 3));
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x40000003, 0, false, &value), ACCESS_FAULT);
    assert_faults(&rig, CTRL, UINT64_C(1) << 35);
    assert_faults(&rig, FIXED_CTRL, 0x1000);
    wrmsr(&rig, FIXED_CTRL, 0x10000);
    wrmsr(&rig, CTRL, UINT64_C(1) << 36);
    run_cycles(&rig, 10, SIG_SLOTS_MISPREDICT, 4);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 4), 40);
    rig_end(&rig);
}

/* Ten counters, mask extension and EQ; the registers of each counter also in a block of four. */
static struct pmu_parameters *version_6(struct variant *other)
{
    static const struct pmu_event events[] = {
        {0xc0, 0x00, 0x3ff, false, COUNTS(INSTRUCTIONS), "INST_RETIRED.ANY_P"},
        {0x0e, 0x0201, 0x3ff, false, COUNTS(UOPS_ISSUED), "WITH_EXTENSION"},
    };
    static const struct event_table table = {.row = events, .count = 2};
    struct pmu_parameters *parameters = variant_of(other, "icelakex");

    parameters->version = 6;
    parameters->gp_alone = parameters->gp_smt = 10;
    parameters->max_leaf = 0x23;
    parameters->evtsel_writable |= UINT64_C(0xff) << 40 | UINT64_C(3) << 36;
    parameters->fixed_ctrl_writable |= UINT64_C(1) << 33;
    parameters->events = &table;
    parameters->core_type = 0x40000003;
    return parameters;
}

static void version_6_is_described_by_leaf_23(void **state)
{
    struct cpuid_result leaf;
    struct variant other;
    struct rig rig;

    (void)state;
    version_6(&other);
    rig_make(&rig, &other.personality, 2);
    leaf = pmu_cpuid(rig.pmu, 0x23, 0, 0);
    assert_int_equal(leaf.eax, 0xb); /* sub-leaves 0, 1 and 3 */
    assert_int_equal(leaf.ebx, 7);   /* mask extension, EQ, USER_DISABLE for RDPMC */
    leaf = pmu_cpuid(rig.pmu, 0x23, 1, 0);
    assert_int_equal(leaf.eax, 0x3ff);
    assert_int_equal(leaf.ebx, 0xf);
    assert_int_equal(pmu_cpuid(rig.pmu, 0x23, 3, 0).eax, 0xff);
    assert_int_equal(pmu_cpuid(rig.pmu, 0x1a, 0, 0).eax, 0x40000003);
    leaf = pmu_cpuid(rig.pmu, 0x1f, 1, 0); /* four cores of two threads */
    assert_int_equal(leaf.eax, 3);
    assert_int_equal(leaf.ebx, 8);
    assert_int_equal(leaf.ecx, 0x201);
    rig_end(&rig);
}

static void version_6_counts_by_extended_mask_and_by_equality(void **state)
{
    struct variant other;
    uint64_t value;
    struct rig rig;

    (void)state;
    version_6(&other);
    rig_make(&rig, &other.personality, 1);
    wrmsr(&rig, EVTSEL0, EN_OS | UINT64_C(0x02000000010e));
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | 0x010e); /* another event, which the part does not know */
    wrmsr(&rig, GP0_CFG_A + 4 * 9, EN_OS | UINT64_C(0x02100000010e) | 2 << 24); /* exactly two */
    wrmsr(&rig, CTRL, 0x3ff);
    run_cycles(&rig, 5, SIG_UOPS_ISSUED, 2);
    run_cycles(&rig, 3, SIG_UOPS_ISSUED, 3);
    assert_int_equal(rdmsr(&rig, PMC0), 19);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 0);
    assert_int_equal(rdmsr(&rig, GP0_CTR + 4 * 9), 5);
    assert_int_equal(rdmsr(&rig, PMC0 + 9), 5);
    assert_int_equal(rdmsr(&rig, EVTSEL0 + 9), rdmsr(&rig, GP0_CFG_A + 4 * 9));
    wrmsr(&rig, GP0_CTR, UINT64_C(0x123456789abc)); /* full width */
    assert_int_equal(rdmsr(&rig, PMC0), UINT64_C(0x123456789abc));
    wrmsr(&rig, FX0_CTR + 4, 7);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 1), 7);
    assert_false(exists(&rig, GP0_CTR + 4 * 10));
    assert_false(exists(&rig, GP0_CTR + 2));
    /* bit 37: user code reads 0 */
    wrmsr(&rig, EVTSEL0, UINT64_C(1) << 37);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0, 3, true, &value), ACCESS_OK);
    assert_int_equal(value, 0);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0, 0, true, &value), ACCESS_OK);
    assert_int_equal(value, UINT64_C(0x123456789abc));
    assert_faults(&rig, EVTSEL0, UINT64_C(1) << 38);
    rig_end(&rig);
    rig_begin(&rig, "icelakex");
    assert_false(exists(&rig, GP0_CTR));
    rig_end(&rig);
}

static void a_debug_exception_stops_the_legacy_stack(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, DEBUGCTL, 0x801);
    pmu_debug_exception(rig.pmu);
    assert_int_equal(rdmsr(&rig, DEBUGCTL), 0x800);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_2_has_40_bits_and_the_old_registers),
        cmocka_unit_test(an_address_without_its_register_may_hold_another_register),
        cmocka_unit_test(fixed_counters_follow_the_bitmap),
        cmocka_unit_test(version_6_is_described_by_leaf_23),
        cmocka_unit_test(version_6_counts_by_extended_mask_and_by_equality),
        cmocka_unit_test(a_debug_exception_stops_the_legacy_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
