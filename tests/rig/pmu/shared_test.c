/* Registers of which several processors have one copy: whatever one of them writes, the others
 * read.
 *
 * Scopes: SDM 4, tables of Nehalem and later: MSR_MISC_FEATURE_CONTROL[3:0] "Core"; of
 * IA32_MISC_ENABLE bits 16 and 38 "Package", the others "Thread"; MSR_POWER_CTL[1] "Package".
 * Intel, "Disclosure of Hardware Prefetcher Control on Some Intel Processors": the threads of a
 * core share MSR 1A4H. */
#include "counters_test.h"

enum { MISC_ENABLE = 0x1a0, FEATURE_CONTROL = 0x1a4, ENERGY_BIAS = 0x1b0, POWER_CTL = 0x1fc };
#define TURBO_OFF (UINT64_C(1) << 38)
#define SPEEDSTEP (UINT64_C(1) << 16)
#define MONITOR   (UINT64_C(1) << 18)

/* Two cores of two threads, all of one package. */
static void package_of_four(struct rig rig[4], const char *name)
{
    for (unsigned i = 0; i < 4; i++) {
        rig_make(&rig[i], personality_find(name), 2);
        if (i > 0)
            pmu_join_package(rig[i].pmu, rig[i - 1].pmu);
    }
    pmu_join(rig[1].pmu, rig[0].pmu);
    pmu_join(rig[3].pmu, rig[2].pmu);
}

static void end_four(struct rig rig[4])
{
    for (unsigned i = 0; i < 4; i++)
        rig_end(&rig[i]);
}

static void assert_all(struct rig rig[4], uint32_t msr, uint64_t bits, uint64_t a, uint64_t b,
                       uint64_t c, uint64_t d)
{
    const uint64_t expected[] = {a, b, c, d};

    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rdmsr(&rig[i], msr) & bits, expected[i]);
}

static const char *const parts[] = {"nehalem",  "ivybridge",      "haswell",      "skylakex",
                                    "icelakex", "sapphirerapids", "graniterapids"};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

static void threads_of_a_core_share_the_switches_of_prefetchers(void **state)
{
    struct rig rig[4];

    (void)state;
    for (unsigned i = 0; i < PARTS; i++) {
        package_of_four(rig, parts[i]);
        wrmsr(&rig[1], FEATURE_CONTROL, 0xf);
        assert_all(rig, FEATURE_CONTROL, ~UINT64_C(0), 0xf, 0xf, 0, 0);
        wrmsr(&rig[0], FEATURE_CONTROL, 0);
        wrmsr(&rig[2], FEATURE_CONTROL, 0x5);
        assert_all(rig, FEATURE_CONTROL, ~UINT64_C(0), 0, 0, 0x5, 0x5);
        end_four(rig);
    }
}

static void a_package_has_one_switch_of_turbo(void **state)
{
    struct rig rig[4];

    (void)state;
    for (unsigned i = 0; i < PARTS; i++) {
        package_of_four(rig, parts[i]);
        wrmsr(&rig[3], MISC_ENABLE, rdmsr(&rig[3], MISC_ENABLE) | TURBO_OFF);
        assert_all(rig, MISC_ENABLE, TURBO_OFF, TURBO_OFF, TURBO_OFF, TURBO_OFF, TURBO_OFF);
        wrmsr(&rig[0], MISC_ENABLE, rdmsr(&rig[0], MISC_ENABLE) & ~(TURBO_OFF | SPEEDSTEP));
        assert_all(rig, MISC_ENABLE, TURBO_OFF | SPEEDSTEP, 0, 0, 0, 0);
        wrmsr(&rig[2], POWER_CTL, 2);
        assert_all(rig, POWER_CTL, 2, 2, 2, 2, 2);
        end_four(rig);
    }
}

static void other_bits_and_registers_are_each_threads_own(void **state)
{
    struct rig rig[4];

    (void)state;
    package_of_four(rig, "skylakex");
    wrmsr(&rig[1], MISC_ENABLE, (rdmsr(&rig[1], MISC_ENABLE) | TURBO_OFF) & ~MONITOR);
    assert_all(rig, MISC_ENABLE, MONITOR, MONITOR, 0, MONITOR, MONITOR);
    wrmsr(&rig[0], OFFCORE_RSP_0, 0x10001);
    assert_all(rig, OFFCORE_RSP_0, ~UINT64_C(0), 0x10001, 0, 0, 0);
    wrmsr(&rig[0], ENERGY_BIAS, 0);
    assert_all(rig, ENERGY_BIAS, ~UINT64_C(0), 0, 6, 6, 6);
    end_four(rig);
}

/* A write that is only tried, or that faults, reaches nobody. */
static void what_is_not_written_is_not_shared(void **state)
{
    struct rig rig[4];

    (void)state;
    package_of_four(rig, "skylakex");
    assert_false(pmu_wrmsr_faults(rig[1].pmu, FEATURE_CONTROL, 0xf));
    assert_true(pmu_wrmsr_faults(rig[1].pmu, FEATURE_CONTROL, 0x1f));
    assert_faults(&rig[1], FEATURE_CONTROL, 0x1f);
    assert_all(rig, FEATURE_CONTROL, ~UINT64_C(0), 0, 0, 0, 0);
    assert_false(
        pmu_wrmsr_faults(rig[2].pmu, MISC_ENABLE, rdmsr(&rig[2], MISC_ENABLE) | TURBO_OFF));
    assert_all(rig, MISC_ENABLE, TURBO_OFF, 0, 0, 0, 0);
    end_four(rig);
}

/* The kinds of cores of a hybrid are of one package. */
static void p_and_e_cores_share_turbo(void **state)
{
    struct rig p, e;

    (void)state;
    rig_begin(&p, "alderlake");
    rig_make(&e, personality_of_core(personality_find("alderlake"), 1, 2), 1);
    pmu_join_package(e.pmu, p.pmu);
    assert_string_not_equal(personality_find("alderlake")->name,
                            personality_of_core(personality_find("alderlake"), 1, 2)->name);
    wrmsr(&e, MISC_ENABLE, rdmsr(&e, MISC_ENABLE) | TURBO_OFF);
    assert_int_equal(rdmsr(&p, MISC_ENABLE) & TURBO_OFF, TURBO_OFF);
    wrmsr(&p, FEATURE_CONTROL, 0xf);
    assert_int_equal(rdmsr(&e, FEATURE_CONTROL), 0);
    rig_end(&p);
    rig_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_a_core_share_the_switches_of_prefetchers),
        cmocka_unit_test(a_package_has_one_switch_of_turbo),
        cmocka_unit_test(other_bits_and_registers_are_each_threads_own),
        cmocka_unit_test(what_is_not_written_is_not_shared),
        cmocka_unit_test(p_and_e_cores_share_turbo),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
