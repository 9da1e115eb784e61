/* NetBurst: wiring, reserved bits, comparators, overflow, cascades. Expected numbers come from the
 * manual's tables and hand arithmetic. */
#include <stdio.h>

#include "netburst_test.h"

/* SDM 3B, the table of counters with their CCCRs and ESCRs. */
#define BPU0 0x00003u
#define BPU1 0x0000cu
#define MS0  0x00030u
#define MS1  0x000c0u
#define FL0  0x00300u
#define FL1  0x00c00u
#define IQ0  0x13000u
#define IQ1  0x2c000u
static const struct wire {
    uint32_t escr;
    unsigned select;
    uint32_t counters;
} wires[] = {
    {0x3a0, 7, BPU0}, {0x3a1, 7, BPU1}, {0x3a2, 6, BPU0}, {0x3a3, 6, BPU1}, {0x3a4, 1, FL0},
    {0x3a5, 1, FL1},  {0x3a6, 0, FL0},  {0x3a7, 0, FL1},  {0x3a8, 5, FL0},  {0x3a9, 5, FL1},
    {0x3aa, 2, BPU0}, {0x3ab, 2, BPU1}, {0x3ac, 4, BPU0}, {0x3ad, 4, BPU1}, {0x3ae, 2, FL0},
    {0x3af, 2, FL1},  {0x3b0, 3, FL0},  {0x3b1, 3, FL1},  {0x3b2, 0, BPU0}, {0x3b3, 0, BPU1},
    {0x3b4, 1, BPU0}, {0x3b5, 1, BPU1}, {0x3b6, 3, BPU0}, {0x3b7, 3, BPU1}, {0x3b8, 4, IQ0},
    {0x3b9, 4, IQ1},  {0x3ba, 0, IQ0},  {0x3bb, 0, IQ1},  {0x3bc, 2, IQ0},  {0x3bd, 2, IQ1},
    {0x3be, 3, IQ0},  {0x3c0, 0, MS0},  {0x3c1, 0, MS1},  {0x3c2, 2, MS0},  {0x3c3, 2, MS1},
    {0x3c4, 1, MS0},  {0x3c5, 1, MS1},  {0x3c8, 5, BPU0}, {0x3c9, 5, BPU1}, {0x3ca, 1, IQ0},
    {0x3cb, 1, IQ1},  {0x3cc, 5, IQ0},  {0x3cd, 5, IQ1},  {0x3e0, 6, IQ0},  {0x3e1, 6, IQ1},
};
#define WIRES (sizeof(wires) / sizeof(wires[0]))

/* A comparator that every input satisfies counts each cycle if the counter is wired to an ESCR
 * with an event, else nothing. */
static bool is_wired(struct rig *rig, unsigned counter, unsigned select)
{
    wrmsr(rig, COUNTER0 + counter, 0);
    wrmsr(rig, CCCR0 + counter, ON(select) | COMPARE | COMPLEMENT | OVER(15));
    run_cycles(rig, 1, SIG_UNHALTED, 1);
    wrmsr(rig, CCCR0 + counter, 0);
    return rdmsr(rig, COUNTER0 + counter) == 1;
}

static void each_counter_is_wired_to_the_escrs_of_the_table(void **state)
{
    struct rig rig;

    (void)state;
    assert_int_equal(WIRES, 45);
    rig_begin(&rig, "prescott");
    for (size_t i = 0; i < WIRES; i++) {
        if (wires[i].escr == IQ_ESCR0 || wires[i].escr == IQ_ESCR1)
            continue; /* not on this model (absent in netburst_msr.c) */
        wrmsr(&rig, wires[i].escr, EVENT(1));
        for (unsigned counter = 0; counter < 18; counter++)
            for (unsigned select = 0; select < 8; select++)
                assert_int_equal(is_wired(&rig, counter, select),
                                 select == wires[i].select && wires[i].counters >> counter & 1);
        wrmsr(&rig, wires[i].escr, 0);
    }
    rig_end(&rig);
}

static void the_table_is_the_published_one(void **state)
{
    FILE *file = fopen("../shared/facts/netburst_escr.csv", "r");
    char line[1024], name[64], list[64], group[16];
    unsigned address, select, rows = 0;

    (void)state;
    if (file == NULL) {
        print_message("no ../shared/facts: the table in the test is compared with nothing\n");
        skip();
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        uint32_t counters = 0;

        if (sscanf(line, "%63[^,],%x,%15[^,],%u,%*[^,],%63[^,]", name, &address, group, &select,
                   list) != 5)
            continue; /* the heading */
        for (char *word = strtok(list, ";"); word != NULL; word = strtok(NULL, ";"))
            counters |= 1u << strtoul(word, NULL, 10);
        assert_true(rows < WIRES);
        assert_int_equal(address, wires[rows].escr);
        assert_int_equal(select, wires[rows].select);
        assert_int_equal(counters, wires[rows].counters);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, WIRES);
}

static void reserved_bits_and_absent_registers_fault(void **state)
{
    static const uint32_t absent[] = {IQ_ESCR0, IQ_ESCR1, 0x3bf, 0x186, 0x38f, 0x345,
                                      0x1c9,    0x4c1,    0x0e7, 0x312, 0x372};
    static const unsigned extended[] = {12, 15, 16, 17};
    struct rig rig;
    uint64_t value;

    (void)state;
    rig_begin(&rig, "prescott");
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        assert_int_equal(pmu_rdmsr(rig.pmu, absent[i], &value), ACCESS_FAULT);
        assert_faults(&rig, absent[i], 0);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t one = UINT64_C(1) << bit;

        assert_int_equal(pmu_wrmsr(rig.pmu, CRU_ESCR0, one) == ACCESS_FAULT, bit < 2 || bit > 30);
        assert_int_equal(pmu_wrmsr(rig.pmu, COUNTER0, one) == ACCESS_FAULT, bit > 39);
        assert_int_equal(pmu_wrmsr(rig.pmu, PEBS_ENABLE, one) == ACCESS_FAULT,
                         !(bit < 13 || bit == 15 || bit == 16 || bit == 24 || bit == 25));
        assert_int_equal(pmu_wrmsr(rig.pmu, PEBS_MATRIX_VERT, one) == ACCESS_FAULT, bit > 12);
        assert_int_equal(pmu_wrmsr(rig.pmu, DEBUGCTLA, one) == ACCESS_FAULT, bit > 6);
        for (unsigned i = 0; i < 18; i++) {
            bool has_11 = false;

            for (unsigned k = 0; k < 4; k++)
                has_11 |= extended[k] == i;
            assert_int_equal(pmu_wrmsr(rig.pmu, CCCR0 + i, one) == ACCESS_FAULT,
                             bit < 11 || (bit == 11 && !has_11) || bit == 27 || bit == 28 ||
                                 bit == 29 || bit > 31);
        }
    }
    rig_end(&rig);
}

/* SDM 3B, "Extended Cascading", Example 18-2: ESCR and CCCR values as printed there, the ESCR in
 * the register that the CCCR selects. */
static void counts_the_manuals_example(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, CRU_ESCR0, 0x0400060c);
    wrmsr(&rig, CCCR0 + 16, 0x00039000);
    assert_int_equal(rig.started, 1);
    run_cycles(&rig, 10, SIG_INSTRUCTIONS, 3);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 16), 30);
    wrmsr(&rig, COUNTER0 + 16, MAX_40);
    wrmsr(&rig, COUNTER0 + 12, MAX_40);
    wrmsr(&rig, CCCR0 + 12, 0x04038800); /* started by counter 16, interrupts */
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, CCCR0 + 16), 0x00039000 | OVF);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), MAX_40);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, CCCR0 + 12), 0x04038800 | OVF);
    assert_int_equal(rig.pmis, 0);
    run_cycles(&rig, 1, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rig.pmis, 1);
    wrmsr(&rig, CCCR0 + 16, 0);
    assert_int_equal(rig.stopped, 0); /* counter 12 is still on */
    wrmsr(&rig, CCCR0 + 12, 0);
    assert_int_equal(rig.stopped, 1);
    rig_end(&rig);
}

static void counts_nothing_when_powered_down_or_not_for_any_thread(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, CRU_ESCR0, MASK(3) | T0_OS); /* no event */
    wrmsr(&rig, CCCR0 + 12, ON(4) | COMPARE | COMPLEMENT | OVER(15));
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 0);
    wrmsr(&rig, CRU_ESCR0, EVENT(2) | MASK(3) | T0_OS);
    for (uint64_t threads = 0; threads < 3; threads++) {
        wrmsr(&rig, CCCR0 + 12, ENABLE | FROM(4) | threads << 16);
        run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 0);
    }
    wrmsr(&rig, CCCR0 + 12, ON(4));
    wrmsr(&rig, CRU_ESCR0, EVENT(2) | MASK(3) | 4); /* T0_USR, and this is ring 0 */
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 0);
    pmu_privilege(rig.pmu, 3); /* and this ring 3 */
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 12), 5);
    rig_end(&rig);
}

/* Three cycles of 2 uops, two of none, four of 1, one of 3. */
static uint64_t compared(uint64_t how)
{
    struct rig rig;
    uint64_t count;

    rig_begin(&rig, "prescott");
    wrmsr(&rig, CRU_ESCR1, EVENT(1) | MASK(1) | T0_OS);
    wrmsr(&rig, CCCR0 + 14, ON(4) | how);
    run_cycles(&rig, 3, SIG_UOPS_RETIRED, 2);
    run_cycles(&rig, 2, SIG_UOPS_RETIRED, 0);
    run_cycles(&rig, 4, SIG_UOPS_RETIRED, 1);
    run_cycles(&rig, 1, SIG_UOPS_RETIRED, 3);
    count = rdmsr(&rig, COUNTER0 + 14);
    rig_end(&rig);
    return count;
}

static void compares_with_the_threshold(void **state)
{
    (void)state;
    assert_int_equal(compared(0), 6 + 4 + 3);
    assert_int_equal(compared(EDGE), 13); /* without COMPARE neither acts */
    assert_int_equal(compared(COMPLEMENT | OVER(1)), 13);
    assert_int_equal(compared(COMPARE), 3 + 4 + 1);
    assert_int_equal(compared(COMPARE | OVER(1)), 3 + 1);
    assert_int_equal(compared(COMPARE | COMPLEMENT | OVER(1)), 2 + 4);
    assert_int_equal(compared(COMPARE | OVER(1) | EDGE), 2);
    assert_int_equal(compared(COMPARE | COMPLEMENT | OVER(1) | EDGE), 1);
    assert_int_equal(compared(COMPARE | OVER(3)), 0);
}

static void interrupts_at_the_event_after_the_overflow(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, CRU_ESCR0, EVENT(3) | MASK(1) | T0_OS);
    wrmsr(&rig, COUNTER0 + 13, MAX_40 - 2); /* 1 - 4 */
    wrmsr(&rig, CCCR0 + 13, ON(4) | PMI_T0);
    for (unsigned event = 1; event <= 3; event++)
        run_cycles(&rig, 1, SIG_MISPREDICTS, 1);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 13), 0);
    assert_int_equal(rdmsr(&rig, CCCR0 + 13), ON(4) | PMI_T0 | OVF);
    assert_int_equal(rig.pmis, 0);
    run_cycles(&rig, 100, SIG_MISPREDICTS, 0);
    assert_int_equal(rig.pmis, 0);
    run_cycles(&rig, 1, SIG_MISPREDICTS, 1);
    assert_int_equal(rig.pmis, 1);
    run_cycles(&rig, 5, SIG_MISPREDICTS, 1);
    assert_int_equal(rig.pmis, 1);
    assert_true(rdmsr(&rig, CCCR0 + 13) & OVF); /* until software clears it */
    wrmsr(&rig, CCCR0 + 13, ON(4) | PMI_T0 | FORCE_OVF);
    for (unsigned event = 1; event <= 5; event++)
        run_cycles(&rig, 1, SIG_MISPREDICTS, 1);
    assert_int_equal(rig.pmis, 1 + 4); /* from the second on */
    rig_end(&rig);
}

/* The counter that an overflow of `from` starts, if any: 14 and 15 start two. */
static bool starts(unsigned from, unsigned to)
{
    static const int8_t partner[16] = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13};

    return (from < 16 && partner[from] == (int)to) || (from == 14 && to == 16) ||
           (from == 15 && to == 17);
}

static const struct wire *any_wire(unsigned counter)
{
    for (size_t i = 0; i < WIRES; i++)
        if (wires[i].counters >> counter & 1 && wires[i].escr != IQ_ESCR0 &&
            wires[i].escr != IQ_ESCR1)
            return &wires[i];
    return NULL;
}

static uint64_t cascaded(unsigned from, unsigned to, uint64_t bit)
{
    const struct wire *one = any_wire(from), *two = any_wire(to);
    const uint64_t cycles = ANY_THREAD | COMPARE | COMPLEMENT | OVER(15);
    struct rig rig;
    uint64_t count;

    rig_begin(&rig, "prescott");
    wrmsr(&rig, one->escr, EVENT(1));
    wrmsr(&rig, two->escr, EVENT(1));
    wrmsr(&rig, COUNTER0 + from, MAX_40);
    wrmsr(&rig, CCCR0 + to, cycles | FROM(two->select) | bit);
    wrmsr(&rig, CCCR0 + from, cycles | FROM(one->select) | ENABLE);
    run_cycles(&rig, 1, SIG_UNHALTED, 1);
    run_cycles(&rig, 5, SIG_UNHALTED, 1);
    count = rdmsr(&rig, COUNTER0 + to);
    rig_end(&rig);
    return count;
}

static void an_overflow_starts_its_partners(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 18; from++)
        for (unsigned to = 0; to < 18; to++)
            if (from != to)
                assert_int_equal(cascaded(from, to, CASCADE), starts(from, to) ? 5 : 0);
    for (unsigned from = 0; from < 18; from++) {
        if (from != 12)
            assert_int_equal(cascaded(from, 12, 0x800), from == 16 ? 5 : 0);
        if (from != 15)
            assert_int_equal(cascaded(from, 15, 0x800), from == 17 ? 5 : 0);
        if (from != 16)
            assert_int_equal(cascaded(from, 16, 0x800), from == 17 ? 5 : 0);
        if (from != 17)
            assert_int_equal(cascaded(from, 17, 0x800), from == 16 ? 5 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_counter_is_wired_to_the_escrs_of_the_table),
        cmocka_unit_test(the_table_is_the_published_one),
        cmocka_unit_test(reserved_bits_and_absent_registers_fault),
        cmocka_unit_test(counts_the_manuals_example),
        cmocka_unit_test(counts_nothing_when_powered_down_or_not_for_any_thread),
        cmocka_unit_test(compares_with_the_threshold),
        cmocka_unit_test(interrupts_at_the_event_after_the_overflow),
        cmocka_unit_test(an_overflow_starts_its_partners),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
