/* AMD: controls and their aliases, PerfMonV2, the stack of 16 branches, identification.
 * Expected numbers come from the published layouts and hand arithmetic. */
#include "pmu_test.h"

#define EN       UINT64_C(0x400000)
#define OS       UINT64_C(0x020000)
#define USR      UINT64_C(0x010000)
#define EDGE     UINT64_C(0x040000)
#define INT      UINT64_C(0x100000)
#define INV      UINT64_C(0x800000)
#define CMASK(n) ((uint64_t)(n) << 24)
#define GUEST    (UINT64_C(1) << 40)
#define HOST     (UINT64_C(1) << 41)
#define MAX_48   UINT64_C(0xffffffffffff)
#define LBR_FRZ  (UINT64_C(1) << 58)
#define CTR_FRZ  (UINT64_C(1) << 59)

#define RET_INSTR UINT64_C(0xc0)
#define RET_OPS   UINT64_C(0xc1)
#define NO_OPS    UINT64_C(0x1000001a0) /* event 1A0H in bits 35:32 and 7:0, umask 01H */

enum {
    CTL = 0xc0010200,
    CTR = 0xc0010201,
    LEGACY_CTL = 0xc0010000,
    LEGACY_CTR = 0xc0010004,
    STATUS = 0xc0000300,
    GLOBAL = 0xc0000301,
    CLEAR = 0xc0000302,
    SET = 0xc0000303,
    SELECT = 0xc000010e,
    EXTN = 0xc000010f,
    FROM = 0xc0010300,
    TO = 0xc0010301,
    DEBUGCTL = 0x1d9,
    HWCR = 0xc0010015,
};

static void counts_in_six_counters_and_under_the_old_names(void **state)
{
    struct rig rig;
    uint64_t value;

    (void)state;
    rig_begin(&rig, "zen4");
    assert_int_equal(rdmsr(&rig, GLOBAL), 0x3f); /* as software written before PerfMonV2 expects */
    for (uint32_t i = 0; i < 6; i++)
        wrmsr(&rig, CTL + 2 * i, EN | OS | RET_INSTR);
    run_cycles(&rig, 10, SIG_INSTRUCTIONS, 4);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(rdmsr(&rig, CTR + 2 * i), 40);
        assert_int_equal(pmu_rdpmc(rig.pmu, i, 0, false, &value), ACCESS_OK);
        assert_int_equal(value, 40);
    }
    assert_int_equal(pmu_rdpmc(rig.pmu, 6, 0, false, &value), ACCESS_FAULT);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x40000000, 0, false, &value), ACCESS_FAULT);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rdmsr(&rig, LEGACY_CTL + i), EN | OS | RET_INSTR);
        wrmsr(&rig, LEGACY_CTR + i, 100 + i);
        assert_int_equal(rdmsr(&rig, CTR + 2 * i), 100 + i);
    }
    wrmsr(&rig, CTR, UINT64_MAX); /* bits above 47 do not exist */
    assert_int_equal(rdmsr(&rig, CTR), MAX_48);
    wrmsr(&rig, GLOBAL, 0x2);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, CTR), MAX_48);
    assert_int_equal(rdmsr(&rig, CTR + 2), 102);
    rig_end(&rig);
}

static void reserved_bits_and_absent_registers_fault(void **state)
{
    static const uint32_t absent[] = {0x186, 0x38f, 0x345,      0x1a0,      0x1c8,     0x680,
                                      0x600, 0x03b, 0xc001020c, 0xc0010320, 0xc0010230};
    struct rig rig;
    uint64_t value;

    (void)state;
    rig_begin(&rig, "zen4");
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        assert_int_equal(pmu_rdmsr(rig.pmu, absent[i], &value), ACCESS_FAULT);
        assert_faults(&rig, absent[i], 0);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t one = UINT64_C(1) << bit;

        assert_int_equal(pmu_wrmsr(rig.pmu, CTL, one) == ACCESS_FAULT,
                         bit == 19 || bit == 21 || (bit > 35 && bit < 40) || bit > 41);
        assert_int_equal(pmu_wrmsr(rig.pmu, GLOBAL, one) == ACCESS_FAULT, bit > 5);
        assert_int_equal(pmu_wrmsr(rig.pmu, SET, one) == ACCESS_FAULT,
                         bit > 5 && bit != 58 && bit != 59);
        assert_int_equal(pmu_wrmsr(rig.pmu, CLEAR, one) == ACCESS_FAULT,
                         bit > 5 && bit != 58 && bit != 59);
        assert_int_equal(pmu_wrmsr(rig.pmu, SELECT, one) == ACCESS_FAULT, bit > 8);
        assert_int_equal(pmu_wrmsr(rig.pmu, EXTN, one) == ACCESS_FAULT, bit != 6);
    }
    assert_faults(&rig, STATUS, 0);
    rig_end(&rig);
}

/* Two cycles of 6, three of 1, one of 6, one of none. */
static uint64_t masked(uint64_t how)
{
    struct rig rig;
    uint64_t count;

    rig_begin(&rig, "zen4");
    wrmsr(&rig, CTL, EN | OS | NO_OPS | how);
    run_cycles(&rig, 2, SIG_FE_UNDELIVERED, 6);
    run_cycles(&rig, 3, SIG_FE_UNDELIVERED, 1);
    run_cycles(&rig, 1, SIG_FE_UNDELIVERED, 6);
    run_cycles(&rig, 1, SIG_FE_UNDELIVERED, 0);
    count = rdmsr(&rig, CTR);
    rig_end(&rig);
    return count;
}

static void compares_with_the_mask(void **state)
{
    (void)state;
    assert_int_equal(masked(0), 12 + 3 + 6);
    assert_int_equal(masked(CMASK(6)), 3);
    assert_int_equal(masked(CMASK(1)), 6);
    assert_int_equal(masked(CMASK(6) | INV), 3 + 1);
    assert_int_equal(masked(CMASK(6) | EDGE), 2);
    assert_int_equal(masked(CMASK(1) | EDGE), 1);
    assert_int_equal(masked(GUEST), 0);
    assert_int_equal(masked(HOST), 21);
    assert_int_equal(masked(GUEST | HOST), 21);
}

static void overflow_sets_status_and_interrupts(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "zen4");
    assert_false(pmu_masks_lvt(rig.pmu));
    wrmsr(&rig, CTL + 4, EN | OS | RET_OPS | INT);
    wrmsr(&rig, CTR + 4, MAX_48 - 4);
    wrmsr(&rig, CTL + 6, EN | OS | RET_OPS); /* no INT */
    wrmsr(&rig, CTR + 6, MAX_48);
    run_cycles(&rig, 1, SIG_UOPS_RETIRED, 4);
    assert_int_equal(rdmsr(&rig, STATUS), 8);
    assert_int_equal(rig.pmis, 0);
    run_cycles(&rig, 1, SIG_UOPS_RETIRED, 4);
    assert_int_equal(rdmsr(&rig, STATUS), 12);
    assert_int_equal(rdmsr(&rig, CTR + 4), 3);
    assert_int_equal(rig.pmis, 1);
    wrmsr(&rig, CLEAR, 8);
    assert_int_equal(rdmsr(&rig, STATUS), 4);
    wrmsr(&rig, SET, 1);
    assert_int_equal(rdmsr(&rig, STATUS), 5);
    rig_end(&rig);
}

static void freezes_on_a_pmi_until_the_status_is_cleared(void **state)
{
    struct rig rig;
    struct retired_branch branch = {.from = 1, .to = 2, .kind = BRANCH_JUMP, .taken = true};

    (void)state;
    rig_begin(&rig, "zen4");
    wrmsr(&rig, DEBUGCTL, 0x1800);
    wrmsr(&rig, EXTN, 0x40);
    wrmsr(&rig, CTL, EN | OS | RET_OPS | INT);
    wrmsr(&rig, CTR, MAX_48);
    run_cycles(&rig, 1, SIG_UOPS_RETIRED, 1);
    run_cycles(&rig, 9, SIG_UOPS_RETIRED, 1);
    pmu_branch(rig.pmu, &branch);
    assert_int_equal(rdmsr(&rig, CTR), 0);
    assert_int_equal(rdmsr(&rig, STATUS), 1 | LBR_FRZ | CTR_FRZ);
    assert_int_equal(rdmsr(&rig, TO), 0);
    wrmsr(&rig, CLEAR, 1 | LBR_FRZ | CTR_FRZ);
    run_cycles(&rig, 9, SIG_UOPS_RETIRED, 1);
    pmu_branch(rig.pmu, &branch);
    assert_int_equal(rdmsr(&rig, CTR), 9);
    assert_int_equal(rdmsr(&rig, TO), 2 | UINT64_C(1) << 63);
    rig_end(&rig);
}

static void the_newest_branch_is_entry_0(void **state)
{
    struct rig rig;
    struct retired_branch call = {.kind = BRANCH_CALL, .taken = true};

    (void)state;
    rig_begin(&rig, "zen4");
    wrmsr(&rig, EXTN, 0x40);
    wrmsr(&rig, SELECT, 1u << 2); /* no conditional branches */
    for (uint64_t i = 0; i < 20; i++) {
        pmu_branch(rig.pmu,
                   &(struct retired_branch){
                       .from = 0x1000 + i, .to = 0x2000 + i, .kind = BRANCH_RETURN, .taken = true});
        pmu_branch(rig.pmu, &(struct retired_branch){.kind = BRANCH_CONDITIONAL, .taken = true});
    }
    for (uint32_t n = 0; n < 16; n++) {
        assert_int_equal(rdmsr(&rig, FROM + 2 * n), 0x1000 + 19 - n);
        assert_int_equal(rdmsr(&rig, TO + 2 * n), (0x2000 + 19 - n) | UINT64_C(1) << 63);
    }
    /* A high address: FROM keeps the sign up to bit 62 and the flag in 63, TO up to bit 60. */
    call.from = call.to = UINT64_C(0xffffffff80001234);
    pmu_branch(rig.pmu, &call);
    assert_int_equal(rdmsr(&rig, FROM), UINT64_C(0x7fffffff80001234));
    assert_int_equal(rdmsr(&rig, TO), UINT64_C(0x9fffffff80001234));
    call.mispredicted = true;
    pmu_branch(rig.pmu, &call);
    assert_int_equal(rdmsr(&rig, FROM), UINT64_C(0xffffffff80001234));
    wrmsr(&rig, SELECT, 1); /* nothing of ring 0 */
    call.from = 1;
    pmu_branch(rig.pmu, &call);
    assert_int_equal(rdmsr(&rig, FROM), UINT64_C(0xffffffff80001234));
    rig_end(&rig);
}

/* The level-1 formulas of Linux perf for this part, over slots that add up. */
static void dispatch_slots_add_up(void **state)
{
    static const uint64_t controls[] = {NO_OPS, 0x100001ea0, 0x7aa, 0x1000060a0};
    struct span span = {.cycles = 100};
    uint64_t slots = 0;
    struct rig rig;

    (void)state;
    rig_begin(&rig, "zen4");
    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_FE_UNDELIVERED] = 1;
    span.value[SIG_BE_BLOCKED] = 2;
    span.value[SIG_UOPS_ISSUED] = 3;
    for (uint32_t i = 0; i < 4; i++)
        wrmsr(&rig, CTL + 2 * i, EN | OS | controls[i]);
    wrmsr(&rig, CTL + 8, EN | OS | 0x76);
    pmu_span(rig.pmu, &span);
    memset(&span, 0, sizeof(span));
    span.cycles = 10;
    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_RECOVERY] = 1; /* nothing is dispatched */
    pmu_span(rig.pmu, &span);
    for (uint32_t i = 0; i < 4; i++)
        slots += rdmsr(&rig, CTR + 2 * i);
    assert_int_equal(slots, 6 * 110);
    assert_int_equal(rdmsr(&rig, CTR + 8), 110);
    assert_int_equal(rdmsr(&rig, CTR), 100 + 60);
    rig_end(&rig);
}

static void clocks_have_read_only_copies(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "zen4");
    run_cycles(&rig, 3400, SIG_INSTRUCTIONS, 2);
    assert_int_equal(rdmsr(&rig, 0xc00000e9), 0); /* IRPERF is off */
    wrmsr(&rig, HWCR, UINT64_C(1) << 30);
    run_cycles(&rig, 3400, SIG_INSTRUCTIONS, 2);
    assert_int_equal(rdmsr(&rig, 0xc00000e9), 6800);
    assert_int_equal(rdmsr(&rig, 0x0e9), 6800);
    assert_int_equal(rdmsr(&rig, 0xc00000e8), 6800); /* APERF: core cycles */
    assert_int_equal(rdmsr(&rig, 0xc00000e7), 4800); /* MPERF: 2400 of 3400 */
    assert_int_equal(rdmsr(&rig, 0x0e8), 6800);
    assert_faults(&rig, 0xc00000e8, 0);
    wrmsr(&rig, 0x0e8, 0);
    assert_int_equal(rdmsr(&rig, 0xc00000e8), 0);
    rig_end(&rig);
}

static void cpuid_identifies_the_part(void **state)
{
    struct cpuid_result leaf;
    struct rig rig;

    (void)state;
    rig_begin(&rig, "zen4");
    leaf = pmu_cpuid(rig.pmu, 0, 0, 0);
    assert_memory_equal(&leaf.ebx, "Auth", 4);
    assert_memory_equal(&leaf.edx, "enti", 4);
    assert_memory_equal(&leaf.ecx, "cAMD", 4);
    leaf = pmu_cpuid(rig.pmu, 1, 0, 0); /* 19_11H: family 0FH + 0AH, model 1H and 1H */
    assert_int_equal((leaf.eax >> 8 & 15) + (leaf.eax >> 20 & 255), 0x19);
    assert_int_equal((leaf.eax >> 4 & 15) | (leaf.eax >> 16 & 15) << 4, 0x11);
    assert_int_equal(pmu_cpuid(rig.pmu, 0xa, 0, 0).eax, 0);
    assert_int_equal(pmu_cpuid(rig.pmu, 0x15, 0, 0).eax, 0);
    assert_true(pmu_cpuid(rig.pmu, 0x80000001, 0, 0).ecx >> 23 & 1);
    leaf = pmu_cpuid(rig.pmu, 0x80000022, 0, 0);
    assert_int_equal(leaf.eax, 7);
    assert_int_equal(leaf.ebx, 6 | 16 << 4);
    leaf = pmu_cpuid(rig.pmu, 0x8000001d, 2, 0); /* 1 MiB: ways, line, sets */
    assert_int_equal(((leaf.ebx >> 22) + 1) * ((leaf.ebx & 0xfff) + 1) * (leaf.ecx + 1), 1 << 20);
    assert_int_equal(pmu_cpuid(rig.pmu, 0x8000001d, 4, 0).eax, 0);
    leaf = pmu_cpuid(rig.pmu, 0x80000006, 0, 0); /* 4 cores x 4 MiB in units of 512 KiB */
    assert_int_equal(leaf.edx >> 18, 32);
    rig_end(&rig);
}

static void it_observes_while_it_counts_or_records(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "zen4");
    assert_false(rig.observes);
    wrmsr(&rig, CTL, EN | OS | RET_INSTR);
    assert_true(rig.observes);
    wrmsr(&rig, GLOBAL, 0);
    assert_false(rig.observes);
    wrmsr(&rig, EXTN, 0x40); /* LBRV2EN */
    assert_true(rig.observes);
    wrmsr(&rig, EXTN, 0);
    assert_false(rig.observes);
    wrmsr(&rig, HWCR, UINT64_C(1) << 30); /* IRPERF */
    assert_true(rig.observes);
    wrmsr(&rig, HWCR, 0);
    assert_false(rig.observes);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_in_six_counters_and_under_the_old_names),
        cmocka_unit_test(reserved_bits_and_absent_registers_fault),
        cmocka_unit_test(compares_with_the_mask),
        cmocka_unit_test(overflow_sets_status_and_interrupts),
        cmocka_unit_test(freezes_on_a_pmi_until_the_status_is_cleared),
        cmocka_unit_test(the_newest_branch_is_entry_0),
        cmocka_unit_test(dispatch_slots_add_up),
        cmocka_unit_test(clocks_have_read_only_copies),
        cmocka_unit_test(cpuid_identifies_the_part),
        cmocka_unit_test(it_observes_while_it_counts_or_records),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
