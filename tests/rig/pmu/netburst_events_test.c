/* NetBurst: which events count which signals. Expected numbers come from the manual's tables of
 * events and hand arithmetic. */
#include "netburst_test.h"

/* Five cycles in which two uops retire and a bogus one does. */
static void uops_retired_are_bogus_or_not(void **state)
{
    static const uint64_t expected[] = {0, 10, 5, 15}; /* by mask: NBOGUS, BOGUS */
    struct span span = {.cycles = 5, .rare = true};

    (void)state;
    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_UOPS_RETIRED] = 2;
    span.value[SIG_UOPS_CANCELLED] = 1;
    for (uint64_t mask = 0; mask < 4; mask++) {
        struct rig rig;

        rig_begin(&rig, "prescott");
        wrmsr(&rig, CRU_ESCR0, EVENT(1) | MASK(mask) | T0_OS);
        wrmsr(&rig, CCCR0 + 12, ON(4));
        pmu_span(rig.pmu, &span);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 12), expected[mask]);
        rig_end(&rig);
    }
}

/* --- tags --- */

/* What instr_retired counts in five cycles, in each of which five instructions retire: two load,
 * three store, one of them does both. */
static uint64_t instructions(uint64_t types, uint64_t mask)
{
    struct span span = {.cycles = 5, .rare = true};
    struct rig rig;
    uint64_t count;

    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_INSTRUCTIONS] = 5;
    span.value[SIG_LOADS] = 2;
    span.value[SIG_STORES] = 3;
    span.value[SIG_LOAD_STORES] = 1;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, RAT_ESCR0, EVENT(types ? 2 : 0) | MASK(types) | T0_OS);
    wrmsr(&rig, CRU_ESCR0, EVENT(2) | MASK(mask) | T0_OS);
    wrmsr(&rig, CCCR0 + 12, ON(4));
    pmu_span(rig.pmu, &span);
    count = rdmsr(&rig, COUNTER0 + 12);
    rig_end(&rig);
    return count;
}

static void instructions_are_tagged_by_their_uops(void **state)
{
    static const struct {
        uint64_t types, untagged, tagged; /* types: TAGLOADS 2, TAGSTORES 4 */
    } row[] = {{0, 25, 0}, {2, 15, 10}, {4, 10, 15}, {6, 5, 20}};

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        assert_int_equal(instructions(row[i].types, 0), 0);
        assert_int_equal(instructions(row[i].types, 1), row[i].untagged);
        assert_int_equal(instructions(row[i].types, 2), row[i].tagged);
        assert_int_equal(instructions(row[i].types, 3), 25);
        assert_int_equal(instructions(row[i].types, 4), 0); /* BOGUSNTAG: not known */
    }
}

/* A replay tag that needs an event of another unit; SDM 3B, the list of metrics for replay tagging,
 * and "Powering down": the other unit needs a counter that is on. */
static void some_replay_tags_need_another_event(void **state)
{
    static const struct {
        uint32_t enable, matrix, escr;
        uint64_t event, mask;
        unsigned clock, select;
        enum signal signal;
    } row[] = {
        {0x1000200, 1, MOB_ESCR0, 3, 0x30, 0, 2, SIG_FORWARD_BLOCKED},
        {0x1000400, 1, SAAT_ESCR0 + 1, 4, 2, 8, 2, SIG_SPLIT_LOADS},
        {0x1000400, 2, SAAT_ESCR0, 5, 2, 8, 2, SIG_SPLIT_STORES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        struct rig rig;

        rig_begin(&rig, "prescott");
        wrmsr(&rig, PEBS_ENABLE, row[i].enable);
        wrmsr(&rig, PEBS_MATRIX_VERT, row[i].matrix);
        wrmsr(&rig, CRU_ESCR2, EVENT(9) | MASK(1) | T0_OS);
        wrmsr(&rig, CCCR0 + 16, ON(5));
        run_cycles(&rig, 7, row[i].signal, 1);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 16), 0); /* nothing tags */
        wrmsr(&rig, row[i].escr, EVENT(row[i].event) | MASK(row[i].mask) | T0_OS);
        run_cycles(&rig, 7, row[i].signal, 1);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 16), 0); /* it has no clock */
        wrmsr(&rig, CCCR0 + row[i].clock, ON(row[i].select));
        run_cycles(&rig, 7, row[i].signal, 1);
        run_cycles(&rig, 5, SIG_LOADS_L1_MISS, 1);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 16), 7);
        wrmsr(&rig, row[i].escr, EVENT(row[i].event) | MASK(1) | T0_OS); /* another bit */
        run_cycles(&rig, 7, row[i].signal, 1);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 16), 7);
        rig_end(&rig);
    }
}

/* --- branches --- */

/* The kinds of branches that retire in one cycle, how many, and the bits that count them:
 * CONDITIONAL 2, CALL 4, RETURN 8, INDIRECT 16. */
struct branches {
    unsigned count;
    uint64_t bits;
};

static uint64_t matching(const struct branches *kinds, size_t count, uint64_t mask)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += kinds[i].bits & mask ? kinds[i].count : 0;
    return sum;
}

static void branches_of_several_types_are_counted_once(void **state)
{
    /* conditional, direct call, indirect call, return, indirect jump */
    static const struct branches retired[] = {{1, 2}, {1, 4}, {2, 4 | 16}, {3, 8 | 16}, {4, 16}};
    static const struct branches mispredicted[] = {{1, 2}, {2, 4 | 16}, {3, 8 | 16}, {4, 16}};
    struct span span = {.cycles = 1, .rare = true};

    (void)state;
    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_BRANCHES_CONDITIONAL] = span.value[SIG_MISPREDICTS_CONDITIONAL] = 1;
    span.value[SIG_BRANCHES_CALL] = 3;
    span.value[SIG_BRANCHES_CALL_INDIRECT] = span.value[SIG_MISPREDICTS_CALL_INDIRECT] = 2;
    span.value[SIG_BRANCHES_RETURN] = span.value[SIG_MISPREDICTS_RETURN] = 3;
    span.value[SIG_BRANCHES_INDIRECT] = 4;
    span.value[SIG_MISPREDICTS_INDIRECT] = 6; /* jumps and calls */
    for (uint64_t mask = 0; mask < 32; mask += 2) {
        struct rig rig;

        rig_begin(&rig, "prescott");
        wrmsr(&rig, TBPU_ESCR0, EVENT(4) | MASK(mask) | T0_OS);
        wrmsr(&rig, CCCR0 + 4, ON(2));
        wrmsr(&rig, TBPU_ESCR0 + 1, EVENT(5) | MASK(mask) | T0_OS);
        wrmsr(&rig, CCCR0 + 6, ON(2));
        pmu_span(rig.pmu, &span);
        assert_int_equal(rdmsr(&rig, COUNTER0 + 4), matching(retired, 5, mask));
        assert_int_equal(rdmsr(&rig, COUNTER0 + 6), matching(mispredicted, 4, mask));
        rig_end(&rig);
    }
}

/* --- modes of the trace cache --- */

enum mode { D, B, I, HALTED };

static void set_mode(struct span *span, enum mode mode)
{
    *span = (struct span){.cycles = 1, .rare = true};
    span->value[SIG_UNHALTED] = 1;
    span->value[SIG_TC_DELIVERS] = mode == D;
    span->value[SIG_TC_BUILDS] = mode == B;
}

/* A cycle of two logical processors in these modes, as the model reports it. */
static void run_modes(struct rig *first, enum mode of_first, struct rig *second,
                      enum mode of_second)
{
    struct span span[2];

    set_mode(&span[0], of_first);
    set_mode(&span[1], of_second);
    span[0].sibling = of_second == HALTED ? NULL : span[1].value;
    span[1].sibling = of_first == HALTED ? NULL : span[0].value;
    if (of_first != HALTED)
        pmu_span(first->pmu, &span[0]);
    if (of_second != HALTED)
        pmu_span(second->pmu, &span[1]);
}

/* SDM 3B, TC_deliver_mode: of the two letters of a bit the first is the mode of logical processor
 * 0. Inactive is also a logical processor that is halted. */
static void each_pair_of_modes_has_its_bit(void **state)
{
    static const struct {
        enum mode first, second;
        uint64_t mask;
    } pairs[] = {
        {D, D, 1},       {D, B, 2},       {D, I, 4},        {B, D, 8},      {B, B, 16},
        {B, I, 32},      {I, D, 64},      {I, B, 128},      {I, I, 0},      {D, HALTED, 4},
        {B, HALTED, 32}, {HALTED, D, 64}, {HALTED, B, 128}, {I, HALTED, 0}, {HALTED, I, 0},
    };

    (void)state;
    for (uint64_t mask = 0; mask < 256; mask++) {
        struct rig first, second;
        uint64_t cycles = 0;

        rig_make(&first, personality_find("prescott"), 2);
        rig_make_sibling(&second, &first);
        /* TI: both logical processors, although T0_OS alone is set */
        wrmsr(&first, TC_ESCR0, EVENT(1) | MASK(mask) | T0_OS);
        wrmsr(&first, CCCR0 + 4, ON(1));
        for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
            run_modes(&first, pairs[i].first, &second, pairs[i].second);
            cycles += (pairs[i].mask & mask) != 0;
            assert_int_equal(rdmsr(&first, COUNTER0 + 4), cycles);
        }
        rig_end(&second);
        rig_end(&first);
    }
}

/* A cycle of both is one input of the comparator, and so is a cycle of either. */
static void a_pair_of_modes_has_one_comparator(void **state)
{
    static const enum mode cycles[][2] = {{I, D}, {HALTED, D}, {D, D}, {D, B}, {I, D}, {HALTED, I}};
    struct rig first, second;

    (void)state;
    rig_make(&first, personality_find("prescott"), 2);
    rig_make_sibling(&second, &first);
    wrmsr(&first, TC_ESCR0, EVENT(1) | MASK(64) | T0_OS);
    wrmsr(&first, CCCR0 + 4, ON(1) | COMPARE | COMPLEMENT);
    wrmsr(&first, CCCR0 + 5, ON(1) | COMPARE | EDGE);
    for (size_t i = 0; i < sizeof(cycles) / sizeof(*cycles); i++)
        run_modes(&first, cycles[i][0], &second, cycles[i][1]);
    assert_int_equal(rdmsr(&first, COUNTER0 + 4), 3); /* not ID: the third, fourth, last */
    assert_int_equal(rdmsr(&first, COUNTER0 + 5), 2); /* ID begins in the first and the fifth */
    rig_end(&second);
    rig_end(&first);
}

static void one_logical_processor_is_in_bits_2_and_5(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, TC_ESCR0, EVENT(1) | MASK(4) | T0_OS);
    wrmsr(&rig, CCCR0 + 4, ON(1));
    wrmsr(&rig, TC_ESCR0 + 1, EVENT(1) | MASK(32) | T0_OS);
    wrmsr(&rig, CCCR0 + 6, ON(1));
    run_cycles(&rig, 7, SIG_TC_DELIVERS, 1);
    run_cycles(&rig, 5, SIG_TC_BUILDS, 1);
    run_cycles(&rig, 3, SIG_UNHALTED, 1); /* a machine clear */
    assert_int_equal(rdmsr(&rig, COUNTER0 + 4), 7);
    assert_int_equal(rdmsr(&rig, COUNTER0 + 6), 5);
    rig_end(&rig);
}

/* --- one signal each --- */

static void events_with_one_signal_count_it(void **state)
{
    static const struct {
        uint32_t escr;
        unsigned select, counter;
        uint64_t event, mask;
        enum signal signal;
    } row[] = {
        {BPU_ESCR0, 0, 0, 0x3, 1, SIG_TC_MISSES},
        {ALF_ESCR0, 1, 12, 0x1, 32, SIG_STORE_BUFFER_STALL},
        {MS_ESCR0, 0, 4, 0x9, 1, SIG_WRONG_BUILT},
        {MS_ESCR0, 0, 4, 0x9, 2, SIG_WRONG_DELIVERED},
        {SAAT_ESCR0, 2, 8, 0x8, 1, SIG_SPLIT_LOADS_DONE},
        {SAAT_ESCR0, 2, 8, 0x8, 2, SIG_SPLIT_STORES_DONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        struct rig rig;

        rig_begin(&rig, "prescott");
        wrmsr(&rig, row[i].escr, EVENT(row[i].event) | MASK(row[i].mask) | T0_OS);
        wrmsr(&rig, CCCR0 + row[i].counter, ON(row[i].select));
        run_cycles(&rig, 7, row[i].signal, 1);
        run_cycles(&rig, 3, SIG_UNHALTED, 1);
        assert_int_equal(rdmsr(&rig, COUNTER0 + row[i].counter), 7);
        wrmsr(&rig, row[i].escr, EVENT(row[i].event) | T0_OS);
        run_cycles(&rig, 7, row[i].signal, 1);
        assert_int_equal(rdmsr(&rig, COUNTER0 + row[i].counter), 7);
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uops_retired_are_bogus_or_not),
        cmocka_unit_test(instructions_are_tagged_by_their_uops),
        cmocka_unit_test(some_replay_tags_need_another_event),
        cmocka_unit_test(branches_of_several_types_are_counted_once),
        cmocka_unit_test(each_pair_of_modes_has_its_bit),
        cmocka_unit_test(a_pair_of_modes_has_one_comparator),
        cmocka_unit_test(one_logical_processor_is_in_bits_2_and_5),
        cmocka_unit_test(events_with_one_signal_count_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
