/* Counting with two threads a core: what a counter of one thread counts of both threads.
 * Expected numbers are computed by hand from the manual's rules (SDM 3B, "Architectural
 * Performance Monitoring Version 3", AnyThread) and the vendor's event lists. */
#include "counters_test.h"

#define ANY      UINT64_C(0x200000)
#define EDGE     UINT64_C(0x40000)
#define CMASK(n) ((uint64_t)(n) << 24)

/* Cycles in which both threads run, as reported to one of them: `signal` has the value
 * `measured` in this thread and `in_sibling` in its sibling; the allocator serves them in turn. */
static void together(struct rig *rig, uint64_t cycles, enum signal signal, uint16_t measured,
                     uint16_t in_sibling)
{
    for (uint64_t i = 0; i < cycles; i++) {
        struct span own = {.cycles = 1}, sibling = {.cycles = 1};

        own.value[SIG_UNHALTED] = sibling.value[SIG_UNHALTED] = 1;
        own.value[SIG_ALLOCATOR] = i % 2 == 0;
        sibling.value[SIG_ALLOCATOR] = i % 2;
        own.value[signal] = measured;
        sibling.value[signal] = in_sibling;
        own.sibling = sibling.value;
        rig->now++;
        pmu_span(rig->pmu, &own);
    }
}

static void any_adds_what_the_sibling_does(void **state)
{
    struct rig rig;

    (void)state;
    rig_make(&rig, personality_find("skylakex"), 2);
    wrmsr(&rig, EVTSEL0, EN_OS | 0x10e);           /* UOPS_ISSUED.ANY of this thread */
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | ANY | 0x10e); /* of both threads */
    wrmsr(&rig, EVTSEL0 + 2, EN_OS | ANY | CMASK(5) | 0x10e);
    wrmsr(&rig, EVTSEL0 + 3, EN_OS | CMASK(3) | 0x2b1); /* UOPS_EXECUTED.CORE_CYCLES_GE_3 */
    wrmsr(&rig, FIXED_CTRL, 0x007);                     /* INST_RETIRED.ANY of both threads */
    wrmsr(&rig, CTRL, 0xf | UINT64_C(1) << 32);
    together(&rig, 10, SIG_UOPS_ISSUED, 2, 3);
    together(&rig, 7, SIG_UOPS_ISSUED, 2, 1);
    together(&rig, 5, SIG_UOPS_EXECUTED, 1, 2);
    together(&rig, 4, SIG_UOPS_EXECUTED, 1, 1);
    together(&rig, 6, SIG_INSTRUCTIONS, 1, 4);
    assert_int_equal(rdmsr(&rig, PMC0), 34);     /* 10 * 2 + 7 * 2 */
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 71); /* 10 * 5 + 7 * 3 */
    assert_int_equal(rdmsr(&rig, PMC0 + 2), 10);
    assert_int_equal(rdmsr(&rig, PMC0 + 3), 5);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0), 30);
    run_cycles(&rig, 8, SIG_UOPS_ISSUED, 4); /* the sibling is halted */
    assert_int_equal(rdmsr(&rig, PMC0), 34 + 32);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 71 + 32);
    rig_end(&rig);
}

/* A cycle in which both run is one cycle of the core. */
static void any_cycles_are_core_cycles(void **state)
{
    struct rig rig;

    (void)state;
    rig_make(&rig, personality_find("haswell"), 2);
    wrmsr(&rig, EVTSEL0, EN_OS | ANY | 0x3c);                 /* THREAD_P_ANY */
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | ANY | CMASK(1) | 0x30d); /* RECOVERY_CYCLES_ANY */
    wrmsr(&rig, FIXED_CTRL, 0x070);                           /* THREAD_ANY */
    wrmsr(&rig, CTRL, 3 | UINT64_C(2) << 32);
    together(&rig, 9, SIG_RECOVERY, 0, 1);
    together(&rig, 4, SIG_RECOVERY, 1, 0);
    together(&rig, 3, SIG_RECOVERY, 0, 0);
    assert_int_equal(rdmsr(&rig, PMC0), 16);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 13);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 1), 16);
    rig_end(&rig);
}

/* "Counts the number of speculative clears" (perfmon, INT_MISC.CLEARS_COUNT): a clear whose
 * recovery is interrupted or hidden by cycles of the other thread counts once. */
static void clears_are_counted_whichever_thread_the_allocator_serves(void **state)
{
    struct rig rig;

    (void)state;
    rig_make(&rig, personality_find("icelakex"), 2);
    wrmsr(&rig, EVTSEL0, EN_OS | EDGE | CMASK(1) | 0x10d); /* CLEARS_COUNT */
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | 0x10d);               /* RECOVERY_CYCLES */
    wrmsr(&rig, CTRL, 3);
    for (unsigned i = 0; i < 5; i++) {
        together(&rig, 1, SIG_CLEARS, 1, 0);
        for (unsigned j = 0; j < 4; j++) {
            together(&rig, 1, SIG_RECOVERY, 1, 0);
            together(&rig, 1, SIG_RECOVERY, 0, 0); /* the other thread's cycle */
        }
    }
    together(&rig, 2, SIG_CLEARS, 1, 0);
    assert_int_equal(rdmsr(&rig, PMC0), 7);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 20);
    rig_end(&rig);
}

/* CORE_CLKS = THREAD / 2 * (1 + ONE_THREAD_ACTIVE / REF_XCLK), perfmon, SKX with #EBS_Mode: if
 * the sibling runs for half of the time, the thread's share of the core's cycles is 3/4 of its
 * cycles. */
static void one_thread_active_is_the_clock_while_alone(void **state)
{
    struct rig rig;

    (void)state;
    rig_make(&rig, personality_find("skylakex"), 2);
    wrmsr(&rig, EVTSEL0, EN_OS | 0x13c);     /* REF_XCLK */
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | 0x23c); /* ONE_THREAD_ACTIVE */
    wrmsr(&rig, CTRL, 3);
    /* 25 MHz of 2700 MHz: 108 cycles a tick */
    together(&rig, 5400, SIG_UNHALTED, 1, 1);
    run_cycles(&rig, 5400, SIG_UNHALTED, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 100);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 50);
    rig_end(&rig);
}

/* TOPDOWN.SLOTS: "distributed among unhalted logical processors who share the same physical
 * core"; CPU_CLK_UNHALTED.DISTRIBUTED: the sum of both threads is the core's (perfmon, ICX). */
static void slots_are_shared_out(void **state)
{
    struct rig rig;

    (void)state;
    rig_make(&rig, personality_find("icelakex"), 2);
    wrmsr(&rig, EVTSEL0, EN_OS | 0x2ec);     /* DISTRIBUTED */
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | 0x1a4); /* TOPDOWN.SLOTS_P */
    wrmsr(&rig, FIXED_CTRL, 0x1010);
    wrmsr(&rig, CTRL, 3 | UINT64_C(8) << 32 | UINT64_C(2) << 32 | UINT64_C(1) << 48);
    together(&rig, 100, SIG_UOPS_RETIRED, 2, 3); /* 200 of this thread's 250 slots */
    assert_int_equal(rdmsr(&rig, PMC0), 50);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 250);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 3), 250);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 1), 100);
    assert_int_equal(rdmsr(&rig, METRICS) & 0xff, 204); /* 0.8 of 255 */
    run_cycles(&rig, 10, SIG_UOPS_RETIRED, 5);
    assert_int_equal(rdmsr(&rig, PMC0), 60);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 3), 300);
    rig_end(&rig);
}

/* de_no_dispatch_per_slot.smt_contention (Linux perf, amdzen4): slots in which dispatch served the
 * other thread. */
static void zen_counts_contention(void **state)
{
    struct rig rig;

    (void)state;
    rig_make(&rig, personality_find("zen4"), 2);
    wrmsr(&rig, 0xc0010200, 0x100000000 | EN_OS | 0x60a0);
    wrmsr(&rig, 0xc0000301, 1);
    together(&rig, 100, SIG_INSTRUCTIONS, 1, 1);
    run_cycles(&rig, 50, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, 0xc0010201), 300); /* six slots in 50 cycles */
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_adds_what_the_sibling_does),
        cmocka_unit_test(clears_are_counted_whichever_thread_the_allocator_serves),
        cmocka_unit_test(any_cycles_are_core_cycles),
        cmocka_unit_test(one_thread_active_is_the_clock_while_alone),
        cmocka_unit_test(slots_are_shared_out),
        cmocka_unit_test(zen_counts_contention),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
