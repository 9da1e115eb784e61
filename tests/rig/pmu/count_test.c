/* Counting: wrap, cmask, inv and edge, freeze, PMI, PERF_METRICS, constraints and clocks.
 * Expected numbers come from the manual's rules or from a cycle-by-cycle reference in this file,
 * never from the code under test. */
#include "counters_test.h"

#define INT         UINT64_C(0x100000)
#define USR         UINT64_C(0x010000)
#define INST_ANY_P  UINT64_C(0xc0)
#define THREAD_P    UINT64_C(0x3c)
#define UOPS_ISSUED UINT64_C(0x10e)

static void wraps_at_48_bits_and_sets_its_status_bit(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, EVTSEL0 + 2, EN_OS | INST_ANY_P);
    wrmsr(&rig, A_PMC0 + 2, MAX_48 - 9);
    wrmsr(&rig, CTRL, 4);
    run_cycles(&rig, 3, SIG_INSTRUCTIONS, 3);
    assert_int_equal(rdmsr(&rig, PMC0 + 2), MAX_48);
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 4);
    assert_int_equal(rdmsr(&rig, PMC0 + 2), 3);
    assert_int_equal(rdmsr(&rig, STATUS), 4);
    assert_int_equal(rig.pmis, 0); /* INT is clear */
    wrmsr(&rig, RESET, 4);
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    rig_end(&rig);
}

static void counts_only_when_globally_and_locally_on_in_ring_0(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, CTRL, 0);
    wrmsr(&rig, EVTSEL0, EN_OS | INST_ANY_P);
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 0);
    wrmsr(&rig, CTRL, 1);
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 5);
    wrmsr(&rig, EVTSEL0, (EN_OS & ~UINT64_C(0x20000)) | USR | INST_ANY_P);
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 5); /* USR only, and this is ring 0 */
    wrmsr(&rig, EVTSEL0, 0x20000 | INST_ANY_P);
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 5); /* EN clear */
    rig_end(&rig);
}

/* The reference counts cycle by cycle. */
struct naive {
    unsigned cmask;
    bool inv, edge, before;
    uint64_t count;
};

static void naive_cycle(struct naive *naive, unsigned value)
{
    bool met = naive->cmask ? (value >= naive->cmask) != naive->inv : value > 0;

    if (naive->edge)
        naive->count += met && !naive->before;
    else if (naive->cmask)
        naive->count += met;
    else
        naive->count += value;
    naive->before = met;
}

static void cmask_inv_and_edge_agree_with_a_reference_cycle_by_cycle(void **state)
{
    uint64_t seed = 0x9e3779b97f4a7c15;
    unsigned round, index, step;

    (void)state;
    for (round = 0; round < 200; round++) {
        struct naive naive[8] = {0};
        struct rig rig;

        rig_begin(&rig, "skylakex");
        for (index = 0; index < 8; index++) {
            uint64_t random = next_random(&seed);

            naive[index].cmask = (unsigned)(random & 7);
            naive[index].inv = random >> 3 & 1;
            naive[index].edge = random >> 4 & 1;
            wrmsr(&rig, EVTSEL0 + index,
                  EN_OS | UOPS_ISSUED | (uint64_t)naive[index].cmask << 24 |
                      (uint64_t)naive[index].inv << 23 | (uint64_t)naive[index].edge << 18);
        }
        wrmsr(&rig, CTRL, 0xff);
        for (step = 0; step < 50; step++) {
            uint64_t random = next_random(&seed), cycles = 1 + (random >> 8) % 7, i;
            uint16_t value = random & 1 ? (uint16_t)(random >> 1 & 7) : 0;

            run_cycles(&rig, cycles, SIG_UOPS_ISSUED, value);
            for (i = 0; i < cycles; i++)
                for (index = 0; index < 8; index++)
                    naive_cycle(&naive[index], value);
        }
        for (index = 0; index < 8; index++)
            assert_int_equal(rdmsr(&rig, PMC0 + index), naive[index].count);
        rig_end(&rig);
    }
}

/* Random starts, random spans, random stops: nothing is lost or counted twice over wraps and
 * freezes. */
static void loses_no_count_over_wraps_freezes_and_stops(void **state)
{
    uint64_t seed = 0x2545f4914f6cdd1d, expected = 0, wraps = 0;
    struct rig rig;
    unsigned step;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, DEBUGCTL, 1 << 12);
    wrmsr(&rig, EVTSEL0, EN_OS | INT | INST_ANY_P);
    wrmsr(&rig, CTRL, 1);
    wrmsr(&rig, A_PMC0, MAX_48 - 99);
    for (step = 0; step < 20000; step++) {
        uint64_t random = next_random(&seed), cycles = 1 + (random >> 8) % 9;
        bool on = rdmsr(&rig, CTRL) & 1, frozen = rdmsr(&rig, STATUS) >> 59 & 1;
        uint16_t each = (uint16_t)(random >> 16 & 3);

        run_cycles(&rig, cycles, SIG_INSTRUCTIONS, each);
        /* cycle by cycle: the hundredth count freezes */
        for (; cycles && on && !frozen; cycles--) {
            expected += each;
            frozen = expected >= 100 * (wraps + 1);
        }
        if (rdmsr(&rig, STATUS) & 1) {
            assert_true(rdmsr(&rig, STATUS) >> 59 & 1);
            run_cycles(&rig, SKID, SIG_UNHALTED, 1);
            assert_int_equal(rig.pmis, ++wraps);
            assert_int_equal(rdmsr(&rig, PMC0) + 100 * wraps, expected);
            wrmsr(&rig, A_PMC0, MAX_48 - 99 + rdmsr(&rig, PMC0));
            wrmsr(&rig, RESET, UINT64_C(1) << 59 | 1);
        }
        if ((random >> 20) % 8 == 0)
            wrmsr(&rig, CTRL, random >> 24 & 1);
    }
    assert_true(wraps > 100);
    rig_end(&rig);
}

static void several_overflows_in_one_span_make_one_pmi(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, EVTSEL0, EN_OS | INT | INST_ANY_P);
    wrmsr(&rig, FIXED_CTRL, 0x9);
    wrmsr(&rig, PMC0, UINT32_MAX);
    wrmsr(&rig, FIXED_CTR0, MAX_48);
    wrmsr(&rig, CTRL, UINT64_C(0x100000001));
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 2);
    assert_int_equal(rig.pmis, 0);
    run_cycles(&rig, SKID, SIG_UNHALTED, 1);
    assert_int_equal(rig.pmis, 1);
    assert_int_equal(rdmsr(&rig, STATUS), UINT64_C(0x100000001));
    assert_int_equal(rdmsr(&rig, PMC0), 1);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0), 1);
    rig_end(&rig);
}

static void streamlined_freeze_stops_counters_until_the_status_is_cleared(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, DEBUGCTL, 1 << 12);
    wrmsr(&rig, EVTSEL0, EN_OS | INT | INST_ANY_P);
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | THREAD_P);
    wrmsr(&rig, PMC0, UINT32_MAX);
    wrmsr(&rig, CTRL, 3);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    run_cycles(&rig, 10, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 0);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 1);
    assert_int_equal(rdmsr(&rig, STATUS), UINT64_C(1) << 59 | 1);
    assert_int_equal(rdmsr(&rig, CTRL), 3);
    wrmsr(&rig, RESET, UINT64_C(1) << 59);
    run_cycles(&rig, 10, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 11);
    wrmsr(&rig, SET, UINT64_C(1) << 59); /* software may freeze too */
    run_cycles(&rig, 10, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 11);
    rig_end(&rig);
}

/* Five instructions a cycle, overflow with the 13th: in the third cycle of ten. The other
 * counters stop in that cycle too, although the model reports all ten cycles at once. */
static void a_freeze_stops_the_others_in_the_cycle_of_the_overflow(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, DEBUGCTL, 1 << 12);
    wrmsr(&rig, EVTSEL0, EN_OS | INT | INST_ANY_P);
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | THREAD_P);
    wrmsr(&rig, A_PMC0, MAX_48 - 12);
    wrmsr(&rig, CTRL, 3);
    run_cycles(&rig, 10, SIG_INSTRUCTIONS, 5);
    assert_int_equal(rdmsr(&rig, PMC0), 2);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 3);
    assert_int_equal(rig.pmis, 0);
    run_cycles(&rig, SKID - 8, SIG_UNHALTED, 1); /* 7 cycles of the skid are among the ten */
    assert_int_equal(rig.pmis, 0);
    run_cycles(&rig, 1, SIG_UNHALTED, 1);
    assert_int_equal(rig.pmis, 1);
    rig_end(&rig);
}

static void it_observes_while_it_counts_or_records_and_while_a_pmi_is_pending(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    assert_false(rig.observes);
    wrmsr(&rig, DEBUGCTL, 0x1000); /* freeze: with the overflow, before the PMI */
    wrmsr(&rig, EVTSEL0, EN_OS | INT | INST_ANY_P);
    wrmsr(&rig, PMC0, UINT32_MAX);
    assert_true(rig.observes == (rdmsr(&rig, CTRL) & 1)); /* enabled after power-on */
    wrmsr(&rig, CTRL, 0);
    assert_false(rig.observes);
    wrmsr(&rig, CTRL, 1);
    assert_true(rig.observes);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    run_cycles(&rig, SKID - 1, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 0); /* frozen */
    assert_int_equal(rig.pmis, 0);
    assert_true(rig.observes);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rig.pmis, 1);
    assert_false(rig.observes);
    wrmsr(&rig, DEBUGCTL, 1); /* LBR */
    assert_true(rig.observes);
    wrmsr(&rig, DEBUGCTL, 0x80); /* BTS, but not TR */
    assert_false(rig.observes);
    wrmsr(&rig, DEBUGCTL, 0xc0);
    assert_true(rig.observes);
    wrmsr(&rig, DEBUGCTL, 0);
    assert_false(rig.observes);
    rig_end(&rig);
    rig_begin(&rig, "sapphirerapids");
    assert_false(rig.observes);
    wrmsr(&rig, 0x14ce, 3); /* IA32_LBR_CTL: LBREn, OS */
    assert_true(rig.observes);
    wrmsr(&rig, 0x14ce, 2);
    assert_false(rig.observes);
    rig_end(&rig);
}

static void a_counter_written_while_it_runs_goes_on_from_there(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, EVTSEL0, EN_OS | INST_ANY_P);
    wrmsr(&rig, CTRL, 1);
    run_cycles(&rig, 4, SIG_INSTRUCTIONS, 2);
    wrmsr(&rig, PMC0, 100);
    run_cycles(&rig, 4, SIG_INSTRUCTIONS, 2);
    assert_int_equal(rdmsr(&rig, PMC0), 108);
    wrmsr(&rig, A_PMC0, MAX_48);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 3);
    assert_int_equal(rdmsr(&rig, PMC0), 2);
    assert_int_equal(rdmsr(&rig, STATUS), 1);
    rig_end(&rig);
}

static void legacy_freeze_clears_global_ctrl_and_the_lbr_bit(void **state)
{
    struct pmu_parameters parameters = *personality_find("skylakex")->pmu;
    struct personality older = *personality_find("skylakex");
    struct rig rig;

    (void)state;
    parameters.version = 3;
    older.pmu = &parameters;
    rig_make(&rig, &older, 1);
    wrmsr(&rig, DEBUGCTL, 0x1801);
    wrmsr(&rig, EVTSEL0, EN_OS | INT | INST_ANY_P);
    wrmsr(&rig, PMC0, UINT32_MAX);
    wrmsr(&rig, CTRL, 1);
    run_cycles(&rig, 1 + SKID + 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, PMC0), SKID); /* it counted until the PMI */
    assert_int_equal(rig.pmis, 1);
    assert_int_equal(rdmsr(&rig, CTRL), 0);
    assert_int_equal(rdmsr(&rig, DEBUGCTL), 0x1800);
    assert_int_equal(rdmsr(&rig, STATUS), 1);
    assert_faults(&rig, SET, 1); /* the register exists from version 4 on */
    rig_end(&rig);
}

static void an_event_on_a_counter_that_cannot_count_it_counts_nothing_and_is_named(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, EVTSEL0 + 3, EN_OS | 0x81d0); /* MEM_INST_RETIRED.ALL_LOADS: counters 0 to 3 */
    wrmsr(&rig, EVTSEL0 + 4, EN_OS | 0x81d0);
    wrmsr(&rig, EVTSEL0 + 5, EN_OS | 0x01ee);
    wrmsr(&rig, EVTSEL0 + 6, EN_OS | 0x0208); /* known by name, not counted */
    wrmsr(&rig, CTRL, 0xff);
    run_cycles(&rig, 4, SIG_LOADS, 2);
    assert_int_equal(rdmsr(&rig, PMC0 + 3), 8);
    assert_int_equal(rdmsr(&rig, PMC0 + 4), 0);
    assert_int_equal(rdmsr(&rig, PMC0 + 5), 0);
    pmu_report_unknown(rig.pmu, 0, out);
    fclose(out);
    assert_string_equal(text, "cpu 0: 3 events counted nothing: MEM_INST_RETIRED.ALL_LOADS on "
                              "counter 4, which cannot, 0xee umask 0x01, "
                              "DTLB_LOAD_MISSES.WALK_COMPLETED_4K\n");
    free(text);
    rig_end(&rig);
}

static void published_cmasks_of_cycle_activity_count_cycles(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, EVTSEL0, EN_OS | 0x14a3 | UINT64_C(20) << 24);    /* STALLS_MEM_ANY */
    wrmsr(&rig, EVTSEL0 + 1, EN_OS | 0x40a6 | UINT64_C(2) << 24); /* BOUND_ON_STORES */
    run_cycles(&rig, 30, SIG_STALL_MEM_ANY, 1);
    run_cycles(&rig, 7, SIG_BOUND_ON_STORES, 1);
    assert_int_equal(rdmsr(&rig, PMC0), 30);
    assert_int_equal(rdmsr(&rig, PMC0 + 1), 7);
    rig_end(&rig);
}

/* 100 cycles of 5 slots: 200 retired, 150 not delivered, 100 blocked, so bad speculation has the
 * other 50. In 255ths that is 102, 76.5, 51 and 25.5. */
static void metrics_window(struct rig *rig)
{
    struct span span = {.cycles = 50};

    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_UOPS_RETIRED] = 4;
    span.value[SIG_BE_BLOCKED] = 1;
    pmu_span(rig->pmu, &span);
    span.value[SIG_UOPS_RETIRED] = 0;
    span.value[SIG_FE_UNDELIVERED] = 3;
    pmu_span(rig->pmu, &span);
}

static void perf_metrics_are_shares_of_the_slots_in_255ths(void **state)
{
    uint64_t value;
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, FIXED_CTRL, 0x1000);
    wrmsr(&rig, CTRL, UINT64_C(1) << 35);
    metrics_window(&rig);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 3), 500);
    assert_int_equal(rdmsr(&rig, METRICS), 0); /* EN_PERF_METRICS is clear */
    wrmsr(&rig, CTRL, 0);
    wrmsr(&rig, FIXED_CTR0 + 3, 0);
    wrmsr(&rig, METRICS, 0);
    wrmsr(&rig, CTRL, UINT64_C(1) << 48); /* without SLOTS nothing counts */
    metrics_window(&rig);
    assert_int_equal(rdmsr(&rig, METRICS), 0);
    wrmsr(&rig, CTRL, UINT64_C(1) << 48 | UINT64_C(1) << 35);
    metrics_window(&rig);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x20000000, 0, false, &value), ACCESS_OK);
    assert_int_equal(value, rdmsr(&rig, METRICS));
    assert_int_equal(value & 0xff, 102);
    assert_in_range(value >> 8 & 0xff, 25, 26);
    assert_in_range(value >> 16 & 0xff, 76, 77);
    assert_int_equal(value >> 24, 51);
    assert_faults(&rig, METRICS, UINT64_C(1) << 32);
    wrmsr(&rig, CTRL, 0);
    wrmsr(&rig, METRICS, 0x11223344);
    assert_int_equal(rdmsr(&rig, METRICS), 0x11223344);
    rig_end(&rig);
}

/* The same 500 slots: of the 200 retired slots 100 are heavy (51 of 255), none is a mispredict,
 * all 150 of the front end are latency (76.5), 50 of the back end are memory (25.5). */
static void level_2_is_in_the_upper_four_bytes(void **state)
{
    struct personality newer = *personality_find("icelakex");
    struct pmu_parameters parameters = *newer.pmu;
    struct span span = {.cycles = 50};
    uint64_t value;
    struct rig rig;

    (void)state;
    parameters.metrics_level2 = true;
    parameters.metric[METRIC_HEAVY] = (struct pmu_source)COUNTS(SLOTS_HEAVY);
    parameters.metric[METRIC_MISPREDICT] = (struct pmu_source)COUNTS(SLOTS_MISPREDICT);
    parameters.metric[METRIC_FETCH_LATENCY] = (struct pmu_source)COUNTS(FE_LATENCY_SLOTS);
    parameters.metric[METRIC_MEMORY] = (struct pmu_source)COUNTS(BE_MEMORY_SLOTS);
    newer.pmu = &parameters;
    rig_make(&rig, &newer, 1);
    wrmsr(&rig, FIXED_CTRL, 0x1000);
    wrmsr(&rig, CTRL, UINT64_C(1) << 48 | UINT64_C(1) << 35);
    span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_UNHALTED] = span.value[SIG_BE_BLOCKED] = span.value[SIG_BE_MEMORY_SLOTS] = 1;
    span.value[SIG_UOPS_RETIRED] = 4;
    span.value[SIG_SLOTS_HEAVY] = 2;
    pmu_span(rig.pmu, &span);
    span.value[SIG_UOPS_RETIRED] = span.value[SIG_SLOTS_HEAVY] = 0;
    span.value[SIG_BE_MEMORY_SLOTS] = 0;
    span.value[SIG_FE_UNDELIVERED] = span.value[SIG_FE_LATENCY_SLOTS] = 3;
    pmu_span(rig.pmu, &span);
    value = rdmsr(&rig, METRICS);
    assert_int_equal(value & 0xff, 102);
    assert_int_equal(value >> 32 & 0xff, 51);
    assert_int_equal(value >> 40 & 0xff, 0);
    assert_in_range(value >> 48 & 0xff, 76, 77);
    assert_in_range(value >> 56, 25, 26);
    wrmsr(&rig, CTRL, 0);
    wrmsr(&rig, METRICS, UINT64_C(0x1122334455667788));
    assert_int_equal(rdmsr(&rig, METRICS), UINT64_C(0x1122334455667788));
    rig_end(&rig);
}

/* FIXED_CTR_CTRL[14], where the part has it: RDPMC of the metrics also clears the slots. */
static void rdpmc_of_the_metrics_clears_them_when_asked(void **state)
{
    struct personality newer = *personality_find("icelakex");
    struct pmu_parameters parameters = *newer.pmu;
    uint64_t value;
    struct rig rig;

    (void)state;
    parameters.fixed_ctrl_writable |= 1 << 14;
    newer.pmu = &parameters;
    rig_make(&rig, &newer, 1);
    wrmsr(&rig, FIXED_CTRL, 0x5000);
    wrmsr(&rig, CTRL, UINT64_C(1) << 48 | UINT64_C(1) << 35);
    metrics_window(&rig);
    assert_int_equal(pmu_rdpmc(rig.pmu, 0x20000000, 0, false, &value), ACCESS_OK);
    assert_int_equal(value & 0xff, 102);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 3), 0);
    metrics_window(&rig);
    assert_int_equal(rdmsr(&rig, METRICS) & 0xff, 102);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 3), 500); /* RDMSR does not */
    rig_end(&rig);
}

/* Clearing PERF_METRICS but not SLOTS leaves the old slots in the denominator. */
static void perf_metrics_need_both_registers_cleared(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, FIXED_CTRL, 0x1000);
    wrmsr(&rig, CTRL, UINT64_C(1) << 48 | UINT64_C(1) << 35);
    metrics_window(&rig);
    wrmsr(&rig, METRICS, 0);
    metrics_window(&rig);
    assert_int_equal(rdmsr(&rig, METRICS) & 0xff, 51); /* 200 of 1000 */
    rig_end(&rig);
}

/* 2.7 GHz against 2.1 GHz and 25 MHz: 2700 cycles are 2100 and 25 ticks. */
static void reference_clocks_run_at_their_own_rate(void **state)
{
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, EVTSEL0, EN_OS | 0x013c);
    wrmsr(&rig, FIXED_CTRL, 0x110);
    wrmsr(&rig, CTRL, UINT64_C(0x600000001));
    for (i = 0; i < 900; i++)
        run_cycles(&rig, 3, SIG_UNHALTED, 1);
    rig.now += 2700; /* halted */
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 1), 2700);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 2), 2100);
    assert_int_equal(rdmsr(&rig, PMC0), 25);
    assert_int_equal(rdmsr(&rig, 0xe7), 2100);
    assert_int_equal(rdmsr(&rig, 0xe8), 2700);
    assert_int_equal(rdmsr(&rig, 0x10), 4200);
    wrmsr(&rig, 0x10, 1000);
    assert_int_equal(pmu_tsc(rig.pmu), 1000);
    assert_int_equal(rdmsr(&rig, 0x3b), (uint64_t)-3200);
    rig_end(&rig);
}

/* At half of 2.7 GHz 1350 cycles are 2100 and 25 ticks. The change is made known when 300 cycles
 * more have passed, 100 of them halted. */
static void they_keep_their_rate_when_the_clock_changes(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, EVTSEL0, EN_OS | 0x013c);
    wrmsr(&rig, FIXED_CTRL, 0x110);
    wrmsr(&rig, CTRL, UINT64_C(0x600000001));
    run_cycles(&rig, 2700, SIG_UNHALTED, 1);
    pmu_clock(rig.pmu, 2700, 1350);
    run_cycles(&rig, 1350, SIG_UNHALTED, 1);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 1), 4050);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0 + 2), 4200);
    assert_int_equal(rdmsr(&rig, PMC0), 50);
    assert_int_equal(rdmsr(&rig, 0xe7), 4200);
    assert_int_equal(rdmsr(&rig, 0xe8), 4050);
    assert_int_equal(rdmsr(&rig, 0x10), 4200);
    rig.now += 300; /* halted */
    pmu_clock(rig.pmu, 4150, 2700);
    assert_int_equal(rdmsr(&rig, 0xe7), 4200);
    assert_int_equal(rdmsr(&rig, 0x10), 4200 + 155 + 155); /* 100 at 1350, 200 at 2700 MHz */
    rig_end(&rig);
}

static void tells_the_host_when_counting_starts_and_stops(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, CTRL, 0);
    wrmsr(&rig, EVTSEL0, EN_OS | INST_ANY_P);
    wrmsr(&rig, FIXED_CTRL, 0x3);
    assert_int_equal(rig.started, 0);
    wrmsr(&rig, CTRL, UINT64_C(0x100000001));
    wrmsr(&rig, CTRL, 1);
    assert_int_equal(rig.started, 1);
    assert_int_equal(rig.stopped, 0);
    wrmsr(&rig, CTRL, 0);
    assert_int_equal(rig.stopped, 1);
    wrmsr(&rig, CTRL, 2); /* counter 1 has no EN */
    assert_int_equal(rig.started, 1);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wraps_at_48_bits_and_sets_its_status_bit),
        cmocka_unit_test(counts_only_when_globally_and_locally_on_in_ring_0),
        cmocka_unit_test(cmask_inv_and_edge_agree_with_a_reference_cycle_by_cycle),
        cmocka_unit_test(loses_no_count_over_wraps_freezes_and_stops),
        cmocka_unit_test(several_overflows_in_one_span_make_one_pmi),
        cmocka_unit_test(streamlined_freeze_stops_counters_until_the_status_is_cleared),
        cmocka_unit_test(a_freeze_stops_the_others_in_the_cycle_of_the_overflow),
        cmocka_unit_test(it_observes_while_it_counts_or_records_and_while_a_pmi_is_pending),
        cmocka_unit_test(a_counter_written_while_it_runs_goes_on_from_there),
        cmocka_unit_test(legacy_freeze_clears_global_ctrl_and_the_lbr_bit),
        cmocka_unit_test(an_event_on_a_counter_that_cannot_count_it_counts_nothing_and_is_named),
        cmocka_unit_test(published_cmasks_of_cycle_activity_count_cycles),
        cmocka_unit_test(perf_metrics_are_shares_of_the_slots_in_255ths),
        cmocka_unit_test(level_2_is_in_the_upper_four_bytes),
        cmocka_unit_test(rdpmc_of_the_metrics_clears_them_when_asked),
        cmocka_unit_test(perf_metrics_need_both_registers_cleared),
        cmocka_unit_test(reference_clocks_run_at_their_own_rate),
        cmocka_unit_test(they_keep_their_rate_when_the_clock_changes),
        cmocka_unit_test(tells_the_host_when_counting_starts_and_stops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
