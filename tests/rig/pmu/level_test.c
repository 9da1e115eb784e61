/* Counting and recording by privilege level. Bits: SDM 3B, "IA32_PERFEVTSELx MSRs",
 * "IA32_FIXED_CTR_CTRL MSR", "Filtering of Last Branch Records"; APM 2, "Performance Counters". */
#include "pmu_test.h"

/* OS lets in level 0, USR the other three levels: for general-purpose and fixed counters,
 * PERF_METRICS, and the counters of Zen and NetBurst. */
static void counters_see_the_levels_they_let_in(void **state)
{
    /* the register that selects, its value without levels, the bits of the levels, the counter */
    static const struct {
        const char *part;
        uint32_t select, counter, enable;
        uint64_t value, os, usr, enables;
    } rows[] = {
        {"icelakex", 0x186, 0xc1, 0x38f, 0x4000c0, 1 << 17, 1 << 16, 1},
        {"icelakex", 0x38d, 0x309, 0x38f, 0, 1, 2, UINT64_C(1) << 32},
        {"core2", 0x187, 0xc2, 0x38f, 0x4000c0, 1 << 17, 1 << 16, 2},
        {"zen4", 0xc0010200, 0xc0010201, 0, 0x4000c0, 1 << 17, 1 << 16, 0},
    };
    unsigned row, levels, cpl;

    (void)state;
    for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
        for (levels = 0; levels < 4; levels++)
            for (cpl = 0; cpl < 4; cpl++) {
                bool seen = levels & (cpl ? 2 : 1);
                struct rig rig;

                rig_begin(&rig, rows[row].part);
                wrmsr(&rig, rows[row].select,
                      rows[row].value | (levels & 1 ? rows[row].os : 0) |
                          (levels & 2 ? rows[row].usr : 0));
                if (rows[row].enable)
                    wrmsr(&rig, rows[row].enable, rows[row].enables);
                pmu_privilege(rig.pmu, cpl);
                run_cycles(&rig, 100, SIG_INSTRUCTIONS, 2);
                assert_int_equal(rdmsr(&rig, rows[row].counter), seen ? 200 : 0);
                pmu_privilege(rig.pmu, 0);
                assert_int_equal(rdmsr(&rig, rows[row].counter), seen ? 200 : 0);
                run_cycles(&rig, 100, SIG_INSTRUCTIONS, 2);
                assert_int_equal(rdmsr(&rig, rows[row].counter),
                                 (seen ? 200 : 0) + (levels & 1 ? 200 : 0));
                rig_end(&rig);
            }
}

/* MSR_LBR_SELECT: bit 0 suppresses level 0, bit 1 the other levels; IA32_LBR_CTL: bit 1 enables
 * level 0, bit 2 the other levels. */
static void branch_records_are_chosen_by_level(void **state)
{
    struct retired_branch branch = {0x500, 0x600, 0, BRANCH_JUMP, true, false};
    unsigned levels, cpl;

    (void)state;
    for (levels = 0; levels < 4; levels++)
        for (cpl = 0; cpl < 4; cpl += 3) {
            bool in = levels >> (cpl > 0) & 1;
            struct rig rig;

            rig_begin(&rig, "skylakex");
            wrmsr(&rig, 0x1c8, ~levels & 3);
            wrmsr(&rig, 0x1d9, 1);
            pmu_privilege(rig.pmu, cpl);
            pmu_branch(rig.pmu, &branch);
            assert_int_equal(rdmsr(&rig, 0x680 + 1), in ? 0x500 : 0);
            rig_end(&rig);
            rig_begin(&rig, "sapphirerapids");
            wrmsr(&rig, 0x14ce, 0x7f0001 | levels << 1);
            pmu_privilege(rig.pmu, cpl);
            pmu_branch(rig.pmu, &branch);
            assert_int_equal(rdmsr(&rig, 0x1500), in ? 0x500 : 0);
            rig_end(&rig);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_see_the_levels_they_let_in),
        cmocka_unit_test(branch_records_are_chosen_by_level),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
