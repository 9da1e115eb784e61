/* Registers: widths, reserved bits, indices, the last-branch stack and CPUID. Expected numbers
 * come from the manual's rules, never from the code under test. */
#include "counters_test.h"

static void legacy_writes_are_sign_extended_from_32_bits(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, PMC0 + 7, 0x7fffffff);
    assert_int_equal(rdmsr(&rig, PMC0 + 7), 0x7fffffff);
    wrmsr(&rig, PMC0 + 7, 0x80000000);
    assert_int_equal(rdmsr(&rig, PMC0 + 7), UINT64_C(0xffff80000000));
    assert_int_equal(rdmsr(&rig, A_PMC0 + 7), UINT64_C(0xffff80000000));
    wrmsr(&rig, PMC0 + 7, UINT64_C(0x1234567800000005)); /* EDX is ignored */
    assert_int_equal(rdmsr(&rig, PMC0 + 7), 5);
    wrmsr(&rig, A_PMC0 + 7, MAX_48);
    assert_int_equal(rdmsr(&rig, PMC0 + 7), MAX_48);
    assert_faults(&rig, A_PMC0 + 7, MAX_48 + 1);
    assert_faults(&rig, FIXED_CTR0, MAX_48 + 1);
    wrmsr(&rig, FIXED_CTR0, MAX_48);
    rig_end(&rig);
}

static void absent_counters_fault(void **state)
{
    uint64_t value;
    struct rig rig;

    (void)state;
    rig_make(&rig, personality_find("skylakex"), 2);
    wrmsr(&rig, EVTSEL0 + 3, 0);
    assert_faults(&rig, EVTSEL0 + 4, 0); /* only four counters with a sibling */
    assert_faults(&rig, PMC0 + 4, 0);
    assert_faults(&rig, A_PMC0 + 4, 0);
    assert_faults(&rig, FIXED_CTR0 + 3, 0);
    assert_faults(&rig, CTRL, 0x10);
    assert_int_equal(pmu_rdmsr(rig.pmu, 0x329, &value), ACCESS_FAULT);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).eax >> 8 & 0xff, 4);
    rig_end(&rig);
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, EVTSEL0 + 7, 0);
    assert_faults(&rig, EVTSEL0 + 8, 0);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).eax >> 8 & 0xff, 8);
    rig_end(&rig);
}

/* Writable bits, from the manual. */
/* clang-format off */
static const struct { const char *cpu; uint32_t msr; uint64_t writable; } fields[] = {
    { "skylakex", EVTSEL0, 0xffffffff },
    { "skylakex", FIXED_CTRL, 0xfff },
    { "skylakex", CTRL, UINT64_C(0x7000000ff) },
    { "skylakex", RESET, UINT64_C(0xfc800007000000ff) },
    { "skylakex", SET, UINT64_C(0x7c800007000000ff) },
    { "skylakex", DEBUGCTL, 0x7fc3 },
    { "skylakex", LBR_SELECT, 0x3ff },
    { "skylakex", LBR_TOS, 0x1f },
    { "skylakex", LBR_INFO + 5, UINT64_C(0xe00000000000ffff) },
    { "skylakex", 0x3f1, UINT64_C(0xf0000000f) },
    { "skylakex", 0x1a4, 0xf },
    { "skylakex", 0x1a6, UINT64_C(0x3fffff8fff) },
    { "skylakex", 0x3f7, 0x7fff17 },
    { "icelakex", EVTSEL0, UINT64_C(0x4ffdfffff) },
    { "icelakex", FIXED_CTRL, UINT64_C(0x11110000bbbb) },
    { "icelakex", CTRL, UINT64_C(0x1000f000000ff) },
    { "icelakex", RESET, UINT64_C(0xfc81000f000000ff) },
    { "icelakex", SET, UINT64_C(0x7c81000f000000ff) },
    { "icelakex", LBR_INFO, UINT64_C(0x800000000000ffff) },
    { "icelakex", 0x3f1, UINT64_C(0xf000000ff) },
    { "icelakex", 0x3f2, 0xff00000f },
};
/* clang-format on */

static void no_reserved_bit_is_ever_accepted(void **state)
{
    uint64_t seed = 0x853c49e6748fea9b;
    unsigned i, round;

    (void)state;
    for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        bool command = fields[i].msr == RESET || fields[i].msr == SET;
        struct rig rig;

        rig_begin(&rig, fields[i].cpu);
        for (round = 0; round < 2000; round++) {
            uint64_t value = next_random(&seed), before = rdmsr(&rig, fields[i].msr);

            if (round % 3)
                value &= fields[i].writable | UINT64_C(1) << value % 64;
            if (value & ~fields[i].writable) {
                assert_faults(&rig, fields[i].msr, value);
                value = before;
            } else {
                wrmsr(&rig, fields[i].msr, value);
            }
            if (!command)
                assert_int_equal(rdmsr(&rig, fields[i].msr), value);
        }
        rig_end(&rig);
    }
}

static void read_only_and_absent_registers_fault(void **state)
{
    static const uint32_t read_only[] = {STATUS, INUSE, 0x345, 0x34,  0xce,
                                         0x179,  0x3a,  0x198, 0x1dd, 0x1de};
    static const uint32_t absent[] = {0x4e, 0x606, 0x611, 0x770, 0x10a, 0x1e0, 0x14ce, 0x1f2};
    static const uint32_t elsewhere[] = {0x1b, 0x277, 0x250, 0x802, 0x6e0, 0xc0000080};
    uint64_t value;
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "icelakex");
    for (i = 0; i < sizeof(read_only) / sizeof(read_only[0]); i++) {
        value = rdmsr(&rig, read_only[i]);
        assert_faults(&rig, read_only[i], value);
    }
    for (i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        assert_int_equal(pmu_rdmsr(rig.pmu, absent[i], &value), ACCESS_FAULT);
        assert_faults(&rig, absent[i], 0);
    }
    for (i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
        assert_int_equal(pmu_rdmsr(rig.pmu, elsewhere[i], &value), ACCESS_NOT_MINE);
    wrmsr(&rig, 0x401, 0); /* IA32_MC0_STATUS: zero only */
    assert_faults(&rig, 0x401, 1);
    wrmsr(&rig, 0x19c, 0); /* zeroes clear log bits, other bits stay */
    assert_int_equal(rdmsr(&rig, 0x19c) >> 31, 1);
    assert_int_equal(rdmsr(&rig, 0x1a0) >> 7 & 1, 1);
    wrmsr(&rig, 0x600, UINT64_C(0xffff800000000000));
    assert_faults(&rig, 0x600, UINT64_C(0x0000800000000000));
    rig_end(&rig);
}

static void rdpmc_takes_three_forms_and_no_other(void **state)
{
    static const uint32_t bad[] = {8, 0x40000004, 0x20000001, 0x80000000, 0x10000000, 0x40010000};
    uint64_t value;
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, PMC0 + 7, 77);
    wrmsr(&rig, FIXED_CTR0 + 3, 33);
    assert_int_equal(pmu_rdpmc(rig.pmu, 7, 0, false, &value), ACCESS_OK);
    assert_int_equal(value, 77);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x40000003, 3, true, &value), ACCESS_OK);
    assert_int_equal(value, 33);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x20000000, 0, false, &value), ACCESS_OK);
    assert_int_equal(pmu_rdpmc(rig.pmu, 7, 3, false, &value), ACCESS_FAULT);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(pmu_rdpmc(rig.pmu, bad[i], 0, true, &value), ACCESS_FAULT);
    rig_end(&rig);
    rig_begin(&rig, "skylakex");
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x20000000, 0, true, &value), ACCESS_FAULT);
    rig_end(&rig);
}

static void inuse_shows_what_is_programmed(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    assert_int_equal(rdmsr(&rig, INUSE), 0);
    wrmsr(&rig, EVTSEL0 + 2, 0xc0);
    wrmsr(&rig, FIXED_CTRL, 0x30);
    assert_int_equal(rdmsr(&rig, INUSE), UINT64_C(0x200000004));
    wrmsr(&rig, FIXED_CTRL, 0xb0);
    assert_int_equal(rdmsr(&rig, INUSE), UINT64_C(0x8000000200000004));
    rig_end(&rig);
}

static void retire(struct rig *rig, enum branch_kind kind, uint64_t from, uint64_t to,
                   bool mispredicted)
{
    struct retired_branch branch = {from, to, rig->now, kind, true, mispredicted};

    pmu_branch(rig->pmu, &branch);
}

static void lbr_is_a_ring_of_32_with_the_newest_at_tos(void **state)
{
    struct retired_branch untaken = {.from = 1, .to = 2};
    struct rig rig;
    uint64_t i;

    (void)state;
    rig_begin(&rig, "skylakex");
    retire(&rig, BRANCH_JUMP, 1, 2, false); /* DEBUGCTL.LBR is clear */
    assert_int_equal(rdmsr(&rig, LBR_TOS), 0);
    wrmsr(&rig, DEBUGCTL, 1);
    for (i = 0; i < 40; i++) {
        rig.now += 10 + i;
        retire(&rig, BRANCH_CONDITIONAL, 0x1000 + i, UINT64_C(0xffff800000000000) + i, i % 2);
        pmu_branch(rig.pmu, &untaken);
    }
    assert_int_equal(rdmsr(&rig, LBR_TOS), 8); /* 40 modulo 32; the first record went to entry 1 */
    for (i = 0; i < 32; i++) {                 /* the entry i before the newest is branch 39 - i */
        uint32_t entry = (uint32_t)(8 + 32 - i) % 32;
        uint64_t branch = 39 - i;

        assert_int_equal(rdmsr(&rig, LBR_FROM + entry), 0x1000 + branch);
        assert_int_equal(rdmsr(&rig, LBR_TO + entry), UINT64_C(0xffff800000000000) + branch);
        assert_int_equal(rdmsr(&rig, LBR_INFO + entry), (10 + branch) | (branch % 2) << 63);
    }
    rig.now += 100000; /* the cycle count saturates */
    retire(&rig, BRANCH_CONDITIONAL, 1, 2, false);
    assert_int_equal(rdmsr(&rig, LBR_INFO + 9), 0xffff);
    assert_faults(&rig, LBR_FROM, UINT64_C(0x0000800000000000));
    assert_faults(&rig, LBR_FROM + 32, 0);
    rig_end(&rig);
}

static void lbr_select_suppresses_each_kind(void **state)
{
    static const struct {
        unsigned bit;
        enum branch_kind kind;
    } kinds[] = {
        {2, BRANCH_CONDITIONAL}, {3, BRANCH_CALL}, {4, BRANCH_CALL_INDIRECT}, {5, BRANCH_RETURN},
        {7, BRANCH_JUMP},        {8, BRANCH_FAR},  {6, BRANCH_JUMP_INDIRECT},
    };
    unsigned bit, k;

    (void)state;
    for (bit = 0; bit < 9; bit++)
        for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            struct rig rig;

            rig_begin(&rig, "icelakex");
            wrmsr(&rig, LBR_SELECT, UINT64_C(1) << bit);
            wrmsr(&rig, DEBUGCTL, 1);
            retire(&rig, kinds[k].kind, 1, 2, false);
            assert_int_equal(rdmsr(&rig, LBR_TOS), !(bit == 0 || bit == kinds[k].bit));
            rig_end(&rig);
        }
}

static void call_stack_mode_pops_on_return(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, LBR_SELECT, 0x3c6); /* call stack, not CPL above 0, JCC, jumps, far */
    wrmsr(&rig, DEBUGCTL, 1);
    retire(&rig, BRANCH_CALL, 0x10, 0x20, false);
    retire(&rig, BRANCH_CONDITIONAL, 0x21, 0x22, false);
    retire(&rig, BRANCH_CALL_INDIRECT, 0x30, 0x40, false);
    retire(&rig, BRANCH_RETURN, 0x41, 0x35, false);
    assert_int_equal(rdmsr(&rig, LBR_TOS), 1);
    assert_int_equal(rdmsr(&rig, LBR_FROM + 1), 0x10);
    assert_int_equal(rdmsr(&rig, LBR_FROM + 2), 0);
    rig_end(&rig);
}

static void a_pmi_freezes_the_lbr_when_asked(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, DEBUGCTL, 1 | 1 << 11);
    wrmsr(&rig, FIXED_CTRL, 0x9);
    wrmsr(&rig, FIXED_CTR0, MAX_48);
    wrmsr(&rig, CTRL, UINT64_C(1) << 32);
    retire(&rig, BRANCH_JUMP, 1, 2, false);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, STATUS), UINT64_C(1) << 58 | UINT64_C(1) << 32);
    retire(&rig, BRANCH_JUMP, 3, 4, false);
    assert_int_equal(rdmsr(&rig, LBR_TOS), 1);
    assert_int_equal(rdmsr(&rig, DEBUGCTL), 1 | 1 << 11);
    run_cycles(&rig, 4, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0), 4); /* counters go on: bit 12 is clear */
    wrmsr(&rig, RESET, UINT64_C(1) << 58);
    retire(&rig, BRANCH_JUMP, 5, 6, false);
    assert_int_equal(rdmsr(&rig, LBR_TOS), 2);
    rig_end(&rig);
}

static void cpuid_says_what_the_counters_are(void **state)
{
    struct cpuid_result leaf;
    char name[13] = {0};
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    assert_int_equal(pmu_cpuid(rig.pmu, 1, 0, 0).eax, 0x606a6);
    leaf = pmu_cpuid(rig.pmu, 0xa, 0, 0);
    assert_int_equal(leaf.eax, 0x08300805);
    assert_int_equal(leaf.ebx, 0);
    assert_int_equal(leaf.ecx, 0xf);
    assert_int_equal(leaf.edx, 0x8604);
    leaf = pmu_cpuid(rig.pmu, 0x15, 0, 0); /* 25 MHz * 160 / 2 = 2000 MHz */
    assert_int_equal((uint64_t)leaf.ecx * leaf.ebx / leaf.eax, 2000000000);
    leaf = pmu_cpuid(rig.pmu, 4, 3, 0); /* 4 cores of 1.5 MiB */
    assert_int_equal(((leaf.ebx >> 22) + 1) * 64 * (leaf.ecx + 1), 6 << 20);
    assert_int_equal(leaf.eax & 0x1f, 3);
    assert_int_equal(pmu_cpuid(rig.pmu, 4, 4, 0).eax, 0);
    leaf = pmu_cpuid(rig.pmu, 0xb, 1, 0);
    assert_int_equal(leaf.eax, 2);
    assert_int_equal(leaf.ebx, 4);
    leaf = pmu_cpuid(rig.pmu, 0x40000000, 0, 0);
    memcpy(name, &leaf.ebx, 4);
    memcpy(name + 4, &leaf.ecx, 4);
    memcpy(name + 8, &leaf.edx, 4);
    assert_string_equal(name, "slotscopeRIG");
    /* XSAVE, and OSXSAVE as in CR4 */
    assert_int_equal(pmu_cpuid(rig.pmu, 1, 0, UINT64_MAX).ecx >> 26 & 3, 3);
    assert_int_equal(pmu_cpuid(rig.pmu, 1, 0, 0).ecx >> 26 & 3, 1);
    assert_null(personality_find("pentium"));
    rig_end(&rig);
    rig_begin(&rig, "skylakex");
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).eax, 0x07300804);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).edx, 0x603);
    leaf = pmu_cpuid(rig.pmu, 4, 3, 0); /* 4 cores of 1.375 MiB */
    assert_int_equal(((leaf.ebx >> 22) + 1) * 64 * (leaf.ecx + 1), 5632 << 10);
    rig_end(&rig);
}

/* Leaf 0AH: version, counters of a thread that has the core to itself, 48 bits, events in EAX;
 * fixed counters in ECX (a bitmap from version 5 on) and EDX[4:0], AnyThread deprecated in
 * EDX[15]. Leaf 1CH: depths 8, 16 and 32, deep C-states reset it; all filters; mispredictions,
 * cycles and kinds. Processor trace (7H:EBX[25], 14H); 23H is beyond the last leaf. */
static void cpuid_of_newer_parts(void **state)
{
    static const struct {
        const char *part;
        uint32_t eax, ecx, edx;
    } parts[] = {
        {"sapphirerapids", 0x08300805, 0xf, 0x8604},
        {"graniterapids", 0x08300805, 0xf, 0x8604},
        {"alderlake", 0x07300605, 0x7, 0x8603}, /* what both of its kinds of cores have */
        {"alderlake_e", 0x07300605, 0x7, 0x8603},
    };
    unsigned i;

    (void)state;
    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct cpuid_result leaf;
        struct rig rig;

        if (i == 3) /* not a registered personality */
            rig_make(&rig, personality_find("alderlake")->small, 1);
        else
            rig_begin(&rig, parts[i].part);
        leaf = pmu_cpuid(rig.pmu, 0xa, 0, 0);
        assert_int_equal(leaf.eax, parts[i].eax);
        assert_int_equal(leaf.ebx, 0);
        assert_int_equal(leaf.ecx, parts[i].ecx);
        assert_int_equal(leaf.edx, parts[i].edx);
        leaf = pmu_cpuid(rig.pmu, 0x1c, 0, 0);
        assert_int_equal(leaf.eax, 0x4000000b);
        assert_int_equal(leaf.ebx, 7);
        assert_int_equal(leaf.ecx, 7);
        assert_int_equal(pmu_cpuid(rig.pmu, 7, 0, 0).ebx >> 25 & 1, 1);
        assert_int_equal(pmu_cpuid(rig.pmu, 0x14, 0, 0).eax, 1);
        assert_true(pmu_cpuid(rig.pmu, 0, 0, 0).eax < 0x23);
        assert_int_equal(rdmsr(&rig, 0x345) >> 15 & 1, i < 2); /* PERF_METRICS; 0 on hybrid parts */
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legacy_writes_are_sign_extended_from_32_bits),
        cmocka_unit_test(absent_counters_fault),
        cmocka_unit_test(no_reserved_bit_is_ever_accepted),
        cmocka_unit_test(read_only_and_absent_registers_fault),
        cmocka_unit_test(rdpmc_takes_three_forms_and_no_other),
        cmocka_unit_test(inuse_shows_what_is_programmed),
        cmocka_unit_test(lbr_is_a_ring_of_32_with_the_newest_at_tos),
        cmocka_unit_test(lbr_select_suppresses_each_kind),
        cmocka_unit_test(call_stack_mode_pops_on_return),
        cmocka_unit_test(a_pmi_freezes_the_lbr_when_asked),
        cmocka_unit_test(cpuid_says_what_the_counters_are),
        cmocka_unit_test(cpuid_of_newer_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
