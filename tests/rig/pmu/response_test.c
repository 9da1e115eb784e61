/* Off-core response: the register of an event code says what the event counts. Codes, registers
 * and values are from the vendor's event lists (skylakex_core.json and sapphirerapids_core.json
 * at github.com/intel/perfmon). */
#include "counters_test.h"

#define UMASK_1   UINT64_C(0x100)
#define READ_HITM UINT64_C(0x10003c0001)
#define RFO_HITM  UINT64_C(0x10003c0002)

static void counts_of(const char *name, uint64_t first, uint64_t second)
{
    struct rig rig;

    rig_begin(&rig, name);
    wrmsr(&rig, OFFCORE_RSP_0, READ_HITM);
    wrmsr(&rig, OFFCORE_RSP_1, RFO_HITM);
    wrmsr(&rig, EVTSEL0, EN_OS | UMASK_1 | first);
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | UMASK_1 | second);
    wrmsr(&rig, CTRL, 3);
    run_cycles(&rig, 10, SIG_LOADS_XSNP_HITM, 1);
    run_cycles(&rig, 20, SIG_RFOS_XSNP_HITM, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 10);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 20);

    /* The register is written again while the counter runs. */
    wrmsr(&rig, OFFCORE_RSP_0, RFO_HITM);
    run_cycles(&rig, 30, SIG_RFOS_XSNP_HITM, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 40);
    rig_end(&rig);
}

static void each_code_has_a_register_that_says_what_it_counts(void **state)
{
    (void)state;
    counts_of("skylakex", 0xb7, 0xbb);
    counts_of("haswell", 0xb7, 0xbb);
    counts_of("sapphirerapids", 0x2a, 0x2b);
}

static void another_value_counts_nothing(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, OFFCORE_RSP_0, 1);
    wrmsr(&rig, EVTSEL0, EN_OS | UMASK_1 | 0xb7);
    wrmsr(&rig, CTRL, 1);
    run_cycles(&rig, 10, SIG_LOADS_XSNP_HITM, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 0);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_has_a_register_that_says_what_it_counts),
        cmocka_unit_test(another_value_counts_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
