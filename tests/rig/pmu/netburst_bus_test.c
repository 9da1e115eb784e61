/* NetBurst: events of the bus. A mask is worked out by hand from SDM 3B's table of non-retirement
 * events; that of BSQ_allocation from the table of metrics in the Optimization Reference Manual. */
#include "netburst_test.h"
#include "pmu/retired.h"

enum { BSU_ESCR0 = 0x3a0, FSB_ESCR1 = 0x3a3 };

/* Of every request the model makes a different number, so that a sum says which are counted. */
enum { READ = 1, OWN = 10, CODE = 100, PREFETCHED = 1000, STREAMED = 10000, WRITTEN = 100000 };

static void requests(struct rig *rig)
{
    static const struct {
        enum request request;
        unsigned times;
    } made[] = {
        {REQUEST_DATA_READ, READ},
        {REQUEST_OWNERSHIP, OWN},
        {REQUEST_CODE_READ, CODE},
        {REQUEST_PREFETCH_READ, PREFETCHED / 4},
        {REQUEST_PREFETCH_OWNERSHIP, PREFETCHED / 4},
        {REQUEST_SOFTWARE_PREFETCH, PREFETCHED / 4},
        {REQUEST_L1_PREFETCH, PREFETCHED / 4},
        {REQUEST_STREAMING, STREAMED},
        {REQUEST_WRITEBACK, WRITTEN},
    };

    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
        for (unsigned k = 0; rig->subscription.requests && k < made[i].times; k++)
            pmu_offcore(rig->pmu, made[i].request, ORIGIN_MEMORY);
}

/* What counter 0 counts of all requests; `cccr`: more bits of its CCCR. */
static uint64_t counted(const char *part, uint32_t escr, uint32_t value, uint64_t cccr)
{
    const unsigned select = escr == BSU_ESCR0 ? 7 : 6;
    struct rig rig;
    uint64_t count;

    rig_begin(&rig, part);
    wrmsr(&rig, escr, value);
    requests(&rig);
    wrmsr(&rig, CCCR0, ON(select) | cccr);
    requests(&rig);
    count = rdmsr(&rig, COUNTER0);
    wrmsr(&rig, CCCR0, 0);
    assert_false(rig.subscription.requests);
    rig_end(&rig);
    return count;
}

static uint64_t ioq(const char *part, uint32_t mask)
{
    return counted(part, FSB_ESCR0, (uint32_t)(EVENT(0x03) | MASK(mask) | T0_OS), COMPARE | EDGE);
}

/* Bits 0 to 4: request type, 1 by default; 5, 6: reads, writes; 8: WC; 11: WB; 13: own; 15:
 * prefetch. */
static void a_mask_of_the_queue_selects_reads_writes_and_types_of_memory(void **state)
{
    (void)state;
    for (unsigned part = 0; part < 2; part++) {
        const char *name = part ? "prestonia" : "prescott";

        assert_int_equal(ioq(name, 0x2821), READ + OWN + CODE);
        assert_int_equal(ioq(name, 0xa821), READ + OWN + CODE + PREFETCHED);
        assert_int_equal(ioq(name, 0x2841), WRITTEN);
        assert_int_equal(ioq(name, 0x2141), STREAMED);
        assert_int_equal(ioq(name, 0x2861), READ + OWN + CODE + WRITTEN);
        assert_int_equal(ioq(name, 0xaf61), READ + OWN + CODE + PREFETCHED + STREAMED + WRITTEN);
        assert_int_equal(ioq(name, 0x2081 | 0x20), 0); /* UC: there is none */
        /* perfex: reads and writes without memory type and agent */
        assert_int_equal(ioq(name, 0x0061), READ + OWN + CODE + STREAMED + WRITTEN);
    }
}

static void what_the_model_does_not_know_counts_nothing(void **state)
{
    (void)state;
    assert_int_equal(ioq("prescott", 0x2820), 0); /* another request type */
    assert_int_equal(ioq("prescott", 0x2801), 0); /* neither reads nor writes */
    assert_int_equal(ioq("prescott", 0x6821), 0); /* and of other agents */
    assert_int_equal(counted("prescott", FSB_ESCR0, (uint32_t)(EVENT(3) | MASK(0x2821) | T0_OS),
                             COMPARE | COMPLEMENT),
                     0);
}

/* "Known to ignore CPL in early implementations; fixed starting with signature 0xF27." Kernels of
 * this test run in ring 0. */
static void the_ring_counts_from_signature_f27h_on(void **state)
{
    const uint32_t user = (uint32_t)(EVENT(3) | MASK(0x2821) | 4);
    struct variant early;
    struct rig rig;

    (void)state;
    assert_int_equal(counted("prescott", FSB_ESCR0, user, 0), 0);
    assert_int_equal(counted("prestonia", FSB_ESCR0, user, 0), 0);
    variant_of(&early, "prestonia")->signature = 0xf24;
    rig_make(&rig, &early.personality, 1);
    wrmsr(&rig, FSB_ESCR0, user);
    wrmsr(&rig, CCCR0, ON(6));
    requests(&rig);
    assert_int_equal(rdmsr(&rig, COUNTER0), READ + OWN + CODE);
    rig_end(&rig);
}

/* "Asserted 4 processor clocks for full line writes", and for reads; with an edge, once. */
static void data_lines_are_ready_for_four_clocks_a_line(void **state)
{
    const uint32_t escr = (uint32_t)(EVENT(0x17) | T0_OS);

    (void)state;
    assert_int_equal(counted("prescott", FSB_ESCR0, escr | MASK(1), 0), 4 * (WRITTEN + STREAMED));
    assert_int_equal(counted("prescott", FSB_ESCR0, escr | MASK(2), COMPARE | EDGE),
                     READ + OWN + CODE + PREFETCHED);
    assert_int_equal(counted("prescott", FSB_ESCR0, escr | MASK(8), 0), 0); /* DBSY */
}

/* In 7 cycles with 3 lines for loads and 2 for stores on their way; bit 11: WB, 13: own. No edge.
 */
static void active_entries_add_up_cycle_by_cycle(void **state)
{
    struct span span = {.cycles = 7};
    struct rig rig;

    (void)state;
    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_READS_OUTSTANDING] = 3;
    span.value[SIG_RFOS_OUTSTANDING] = 2;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, FSB_ESCR1, EVENT(0x1a) | MASK(0x2821) | T0_OS);
    wrmsr(&rig, CCCR0 + 2, ON(6));
    pmu_span(rig.pmu, &span);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 2), 35);
    rig_end(&rig);
}

/* REQ_TYPE, REQ_LEN, CACHE, DEM, ORD and MEM_TYPE of one kind of request each. */
static void the_bus_sequence_unit_tells_requests_apart(void **state)
{
    static const struct {
        uint32_t mask;
        unsigned expected;
    } rows[] = {
        {0x328c, READ + CODE}, {0x368d, OWN},        {0x328f, WRITTEN},
        {0x0a0e, STREAMED},    {0x308c, PREFETCHED}, {0x3280, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(counted("prescott", BSU_ESCR0,
                                 (uint32_t)(EVENT(0x05) | MASK(rows[i].mask) | T0_OS),
                                 COMPARE | EDGE),
                         rows[i].expected);
}

/* RD_2ndL_MISS: loads and RFOs; RD_2ndL_HITS, HITE, HITM together; RD_3rdL_MISS: there is no third
 * level. */
static void references_of_the_second_level_are_hits_and_misses(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, BSU_ESCR0, EVENT(0x0c) | MASK(0x307) | T0_OS);
    wrmsr(&rig, CCCR0, ON(7));
    requests(&rig);
    run_cycles(&rig, 5, SIG_LOADS_L2_HIT, 2);
    run_cycles(&rig, 3, SIG_RFO_L2_HITS, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0), READ + OWN + 10 + 3);
    rig_end(&rig);
    assert_int_equal(counted("prescott", BSU_ESCR0, (uint32_t)(EVENT(0x0c) | MASK(1) | T0_OS), 0),
                     0);
}

/* Counter 0 is set to 1 - 4: the fourth write-back interrupts. */
static void a_request_can_overflow_a_counter(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, FSB_ESCR0, EVENT(0x03) | MASK(0x2841) | T0_OS);
    wrmsr(&rig, COUNTER0, MAX_40 - 2);
    wrmsr(&rig, CCCR0, ON(6) | PMI_T0);
    for (unsigned i = 1; i <= 3; i++)
        pmu_offcore(rig.pmu, REQUEST_WRITEBACK, ORIGIN_MEMORY);
    assert_int_equal(rig.pmis, 0);
    pmu_offcore(rig.pmu, REQUEST_WRITEBACK, ORIGIN_MEMORY);
    assert_int_equal(rig.pmis, 1);
    rig_end(&rig);
}

/* SDM 3B, the table of ESCRs: 45 on models before 3; 4 branch records in a register each. */
static void the_xeon_of_2002_has_forty_five_escrs_and_four_branch_records(void **state)
{
    unsigned escrs = 0, records = 0;
    struct rig rig;
    uint64_t value;

    (void)state;
    rig_begin(&rig, "prestonia");
    for (uint32_t msr = 0x3a0; msr <= 0x3e1; msr++)
        escrs += pmu_rdmsr(rig.pmu, msr, &value) == ACCESS_OK;
    for (uint32_t msr = 0x1db; msr <= 0x1e2; msr++)
        records += pmu_rdmsr(rig.pmu, msr, &value) == ACCESS_OK;
    assert_int_equal(escrs, 45);
    assert_int_equal(records, 4);
    assert_int_equal(pmu_rdmsr(rig.pmu, FROM_0, &value), ACCESS_FAULT);
    assert_int_equal(pmu_cpuid(rig.pmu, 1, 0, 0).eax, 0xf27);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_of_the_queue_selects_reads_writes_and_types_of_memory),
        cmocka_unit_test(what_the_model_does_not_know_counts_nothing),
        cmocka_unit_test(the_ring_counts_from_signature_f27h_on),
        cmocka_unit_test(data_lines_are_ready_for_four_clocks_a_line),
        cmocka_unit_test(active_entries_add_up_cycle_by_cycle),
        cmocka_unit_test(the_bus_sequence_unit_tells_requests_apart),
        cmocka_unit_test(references_of_the_second_level_are_hits_and_misses),
        cmocka_unit_test(a_request_can_overflow_a_counter),
        cmocka_unit_test(the_xeon_of_2002_has_forty_five_escrs_and_four_branch_records),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
