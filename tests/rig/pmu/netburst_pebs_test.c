/* NetBurst: execution tags, and sampling with MSR_IQ_COUNTER4. Expected values: SDM 3B,
 * "At-Retirement Counting", "Processor Event-Based Sampling (PEBS)", the tables of at-retirement
 * events and of metrics for execution tagging, and "DS Save Area" in its 64-bit format. */
#include "netburst_test.h"

#define RECORD     144
#define FIRM_ESCR0 0x3a4
#define FIRM_ESCR1 0x3a5
#define FLAME      8  /* MSR_FLAME_COUNTER0 */
#define SAMPLER    16 /* MSR_IQ_COUNTER4 */
#define MY_THREAD  UINT64_C(0x2000000)
#define ALL        MASK(0x8000)
#define TAG(n)     (UINT64_C(0x10) | (uint64_t)(n) << 5)
#define PACKED_SP  EVENT(0x08)
#define PACKED_DP  EVENT(0x0c)
#define SCALAR_SP  EVENT(0x0a)
#define SCALAR_DP  EVENT(0x0e)
#define EXECUTION  EVENT(0x0c)

/* The value of counter 12 with `mask` of execution_event after three packed single, five packed
 * double, seven scalar single and eleven scalar double instructions. */
static uint64_t executed(struct rig *rig, uint64_t mask)
{
    uint64_t count;

    wrmsr(rig, CRU_ESCR2, EXECUTION | MASK(mask) | T0_OS);
    wrmsr(rig, COUNTER0 + 12, 0);
    wrmsr(rig, CCCR0 + 12, ON(5));
    run_cycles(rig, 3, SIG_FP_PACKED_SINGLE, 1);
    run_cycles(rig, 5, SIG_FP_PACKED_DOUBLE, 1);
    run_cycles(rig, 7, SIG_FP_SCALAR_SINGLE, 1);
    run_cycles(rig, 11, SIG_FP_SCALAR_DOUBLE, 1);
    count = rdmsr(rig, COUNTER0 + 12);
    wrmsr(rig, CCCR0 + 12, 0);
    return count;
}

static void each_kind_of_arithmetic_is_counted_by_its_tag(void **state)
{
    static const struct {
        uint64_t event, count;
    } kinds[] = {
        {PACKED_SP, 3},
        {PACKED_DP, 5},
        {SCALAR_SP, 7},
        {SCALAR_DP, 11},
    };

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned slot = 0; slot < 4; slot++) {
            struct rig rig;

            rig_begin(&rig, "prescott");
            wrmsr(&rig, CCCR0 + FLAME, ON(1));
            wrmsr(&rig, FIRM_ESCR0, kinds[i].event | ALL | TAG(1u << slot) | T0_OS);
            for (unsigned other = 0; other < 4; other++)
                assert_int_equal(executed(&rig, 1u << other), other == slot ? kinds[i].count : 0);
            rig_end(&rig);
        }
}

static void tags_need_what_the_manual_says(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, FIRM_ESCR0, PACKED_SP | ALL | TAG(1) | T0_OS);
    assert_int_equal(executed(&rig, 1), 0); /* powered down: no FLAME counter is on */
    wrmsr(&rig, CCCR0 + FLAME, ON(1));
    assert_int_equal(executed(&rig, 1), 3);
    wrmsr(&rig, FIRM_ESCR0, PACKED_SP | ALL | (TAG(1) & ~UINT64_C(0x10)) | T0_OS);
    assert_int_equal(executed(&rig, 1), 0); /* tag enable is clear */
    wrmsr(&rig, FIRM_ESCR0, PACKED_SP | TAG(1) | T0_OS);
    assert_int_equal(executed(&rig, 1), 0); /* without ALL nothing is tagged */
    wrmsr(&rig, FIRM_ESCR0, PACKED_SP | ALL | TAG(1) | T0_OS);
    wrmsr(&rig, FIRM_ESCR1, SCALAR_DP | ALL | TAG(2) | T0_OS);
    assert_int_equal(executed(&rig, 1), 3);
    assert_int_equal(executed(&rig, 2), 11);
    assert_int_equal(executed(&rig, 3), 14);
    wrmsr(&rig, FIRM_ESCR1, PACKED_SP | ALL | TAG(2) | T0_OS);
    assert_int_equal(executed(&rig, 3), 3); /* a uop with two tags is one uop */
    wrmsr(&rig, FIRM_ESCR1, EVENT(0x04) | ALL | TAG(2) | T0_OS);
    assert_int_equal(executed(&rig, 2), 0); /* x87 has no signal, so the event is named */
    rig_end(&rig);
}

/* An instruction at `ip` of four bytes retires; then its boundary, if host.watch asked for
 * boundaries. */
static void retire(struct rig *rig, uint64_t ip, enum signal event)
{
    struct pmu_boundary boundary = {ip, ip + 4, 0, 1};

    rig->registers.rip = ip + 4;
    run_cycles(rig, 1, event, 1);
    if (rig->watched)
        pmu_at_boundary(rig->pmu, &boundary);
}

/* Loads, by front-end tags; the third overflows. */
static void sample_loads(struct rig *rig, unsigned threads, unsigned records, unsigned threshold)
{
    rig_make(rig, personality_find("prescott"), threads);
    put_word(rig, AREA + 0x20, BUFFER);
    put_word(rig, AREA + 0x28, BUFFER);
    put_word(rig, AREA + 0x30, BUFFER + records * RECORD);
    put_word(rig, AREA + 0x38, BUFFER + threshold * RECORD);
    put_word(rig, AREA + 0x40, MAX_40 - 2);
    for (unsigned i = 0; i < 16; i++)
        rig->registers.gpr[i] = 0xa0 + i;
    rig->registers.rflags = 0x246;
    wrmsr(rig, DS_AREA, AREA);
    wrmsr(rig, RAT_ESCR0, EVENT(2) | MASK(2) | T0_OS);
    wrmsr(rig, CRU_ESCR2, EVENT(8) | MASK(1) | T0_OS);
    wrmsr(rig, COUNTER0 + SAMPLER, MAX_40 - 2);
    wrmsr(rig, PEBS_ENABLE, MY_THREAD);
    wrmsr(rig, CCCR0 + SAMPLER, ON(5));
}

static void the_load_after_the_overflow_is_recorded(void **state)
{
    static const unsigned order[] = {0, 3, 1, 2, 6, 7, 5, 4}; /* A B C D SI DI BP SP */
    struct rig rig;

    (void)state;
    sample_loads(&rig, 1, 4, 2);
    for (unsigned i = 0; i < 3; i++)
        retire(&rig, 0x1000 + 0x10 * i, SIG_LOADS);
    assert_int_equal(rdmsr(&rig, CCCR0 + SAMPLER) & OVF, OVF);
    assert_true(rig.watched);
    retire(&rig, 0x2000, SIG_NOPS_RETIRED);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER);
    retire(&rig, 0x3000, SIG_LOADS);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER + RECORD);
    assert_int_equal(word(&rig, BUFFER), 0x246);
    assert_int_equal(word(&rig, BUFFER + 8), 0x3004);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(word(&rig, BUFFER + 0x10 + 8 * i), 0xa0 + order[i]);
    for (unsigned i = 8; i < 16; i++)
        assert_int_equal(word(&rig, BUFFER + 0x10 + 8 * i), 0xa0 + i);
    assert_int_equal(rdmsr(&rig, COUNTER0 + SAMPLER), MAX_40 - 2);
    assert_false(rig.watched);
    assert_int_equal(rig.pmis, 0);
    for (unsigned i = 0; i < 4; i++)
        retire(&rig, 0x4000 + 0x10 * i, SIG_LOADS);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER + 2 * RECORD);
    assert_int_equal(rig.pmis, 1); /* the threshold */
    rig_end(&rig);
}

static bool records(struct rig *rig)
{
    for (unsigned i = 0; i < 8; i++)
        retire(rig, 0x1000 + 0x10 * i, SIG_LOADS);
    return word(rig, AREA + 0x28) != BUFFER;
}

static void only_the_sampling_counter_of_tagged_events_makes_records(void **state)
{
    struct rig rig;

    (void)state;
    sample_loads(&rig, 1, 4, 4);
    assert_true(records(&rig));
    rig_end(&rig);
    sample_loads(&rig, 1, 4, 4);
    wrmsr(&rig, PEBS_ENABLE, 0);
    assert_false(records(&rig));
    rig_end(&rig);
    sample_loads(&rig, 1, 4, 4); /* the same event on a counter that cannot sample */
    wrmsr(&rig, CCCR0 + SAMPLER, 0);
    wrmsr(&rig, COUNTER0 + 12, MAX_40 - 2);
    wrmsr(&rig, CCCR0 + 12, ON(5));
    assert_false(records(&rig));
    rig_end(&rig);
    sample_loads(&rig, 1, 4, 4); /* branch_retired has no tags */
    wrmsr(&rig, CRU_ESCR2, EVENT(6) | MASK(15) | T0_OS);
    for (unsigned i = 0; i < 8; i++)
        retire(&rig, 0x1000, SIG_BRANCHES_TAKEN);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER);
    rig_end(&rig);
    sample_loads(&rig, 2, 4, 4); /* two threads: no sampling, as IA32_MISC_ENABLE[12] says */
    assert_int_equal(rdmsr(&rig, 0x1a0) >> 12 & 1, 1);
    assert_false(records(&rig));
    rig_end(&rig);
    sample_loads(&rig, 1, 0, 0); /* no room */
    assert_int_equal(rdmsr(&rig, 0x1a0) >> 12 & 1, 0);
    assert_false(records(&rig));
    assert_int_equal(rig.pmis, 0);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_arithmetic_is_counted_by_its_tag),
        cmocka_unit_test(tags_need_what_the_manual_says),
        cmocka_unit_test(the_load_after_the_overflow_is_recorded),
        cmocka_unit_test(only_the_sampling_counter_of_tagged_events_makes_records),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
