/* Processor trace: SDM 3C, "Intel Processor Trace", "Configuration and Control" and "IA32_RTIT_CTL
 * MSR". */
#include "counters_test.h"

#define RTIT_BASE     0x560
#define RTIT_MASK     0x561
#define RTIT_CTL      0x570
#define RTIT_STATUS   0x571
#define RTIT_CR3      0x572
#define TRACE_EN      1
#define BRANCH_EN     0x2000
#define LEAF7_TRACE   (1u << 25)
#define RECORDER_BITS (RECORDER_LBR | RECORDER_BTS | RECORDER_PT)

static void while_it_is_on_only_trace_en_can_be_cleared(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, RTIT_BASE, 0x1000);
    wrmsr(&rig, RTIT_MASK, 0xfff);
    wrmsr(&rig, RTIT_CTL, BRANCH_EN);
    assert_int_equal(pmu_recorders(rig.pmu), 0);
    wrmsr(&rig, RTIT_CTL, BRANCH_EN | TRACE_EN);
    assert_int_equal(pmu_recorders(rig.pmu), RECORDER_PT);
    assert_faults(&rig, RTIT_BASE, 0x1000);
    assert_faults(&rig, RTIT_MASK, 0xfff);
    assert_faults(&rig, RTIT_STATUS, 0);
    assert_faults(&rig, RTIT_CR3, 0);
    assert_faults(&rig, RTIT_CTL, 0);        /* BranchEn would change, too */
    assert_faults(&rig, RTIT_CTL, TRACE_EN); /* likewise */
    wrmsr(&rig, RTIT_CTL, BRANCH_EN | TRACE_EN);
    wrmsr(&rig, RTIT_CTL, BRANCH_EN);
    wrmsr(&rig, RTIT_CTL, 0);
    wrmsr(&rig, RTIT_BASE, 0);
    assert_int_equal(rdmsr(&rig, RTIT_MASK), 0xfff);
    assert_faults(&rig, RTIT_CTL, 1u << 18); /* reserved */
    assert_faults(&rig, RTIT_BASE, 1);
    rig_end(&rig);
}

/* Until Skylake the two exclude each other, says Linux of all parts without lbr_pt_coexist. */
static void skylake_has_no_last_branches_beside_it(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, DEBUGCTL, 1);
    wrmsr(&rig, RTIT_CTL, TRACE_EN);
    assert_int_equal(rdmsr(&rig, DEBUGCTL), 0);
    assert_int_equal(pmu_recorders(rig.pmu), RECORDER_PT);
    assert_faults(&rig, DEBUGCTL, 1);
    wrmsr(&rig, DEBUGCTL, 0x4000);
    wrmsr(&rig, RTIT_CTL, 0);
    wrmsr(&rig, DEBUGCTL, 1);
    rig_end(&rig);
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, RTIT_CTL, TRACE_EN);
    wrmsr(&rig, DEBUGCTL, 0xc1); /* LBR, TR, BTS */
    assert_int_equal(pmu_recorders(rig.pmu), RECORDER_BITS);
    rig_end(&rig);
}

static void cpuid_announces_it_where_its_registers_are(void **state)
{
    static const char *const with[] = {"skylakex", "icelakex", "sapphirerapids", "graniterapids",
                                       "alderlake"};
    static const char *const without[] = {"core2", "nehalem", "ivybridge", "haswell"};
    struct rig rig;

    (void)state;
    for (unsigned i = 0; i < sizeof(with) / sizeof(*with); i++) {
        rig_begin(&rig, with[i]);
        assert_true(pmu_cpuid(rig.pmu, 7, 0, 0).ebx & LEAF7_TRACE);
        assert_int_equal(pmu_cpuid(rig.pmu, 0x14, 0, 0).eax, 1);
        assert_int_equal(rdmsr(&rig, RTIT_CTL), 0);
        rig_end(&rig);
    }
    for (unsigned i = 0; i < sizeof(without) / sizeof(*without); i++) {
        rig_begin(&rig, without[i]);
        assert_false(pmu_cpuid(rig.pmu, 7, 0, 0).ebx & LEAF7_TRACE);
        assert_faults(&rig, RTIT_CTL, 0);
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_it_is_on_only_trace_en_can_be_cleared),
        cmocka_unit_test(skylake_has_no_last_branches_beside_it),
        cmocka_unit_test(cpuid_announces_it_where_its_registers_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
