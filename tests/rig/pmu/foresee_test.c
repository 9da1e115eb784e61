/* When the next PMI will come: what the PMU says of coming cycles, against the cycle in which the
 * same cycles raise it. */
#include "counters_test.h"

#define INT        UINT64_C(0x100000)
#define INSTRUCTED (EN_OS | INT | 0xc0)
#define CYCLES     (EN_OS | INT | 0x3c)
#define PORT_0     (EN_OS | INT | 0x1a1) /* skylakex: UOPS_DISPATCHED_PORT.PORT_0 */

static bool foresees;
static unsigned told;
static uint64_t unhalted_at_pmi;

static void on_foresee(void *context, bool on)
{
    (void)context;
    foresees = on;
    told++;
}

static void on_pmi(void *context)
{
    struct rig *rig = context;

    rig->pmis++;
    unhalted_at_pmi = pmu_unhalted(rig->pmu);
}

static void begin(struct rig *rig, const char *name)
{
    struct pmu_host host = {.context = rig,
                            .pmi = on_pmi,
                            .counting = rig_counting,
                            .observes = rig_observes,
                            .now = rig_now,
                            .foresee = on_foresee};

    memset(rig, 0, sizeof(*rig));
    foresees = false;
    rig->pmu =
        pmu_new(personality_find(name),
                (struct pmu_place){.cores = 1, .threads_per_core = 1, .processors = 1}, host);
    assert_non_null(rig->pmu);
}

static struct span span_of(uint64_t cycles, uint16_t instructions)
{
    struct span span = {.cycles = cycles};

    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_INSTRUCTIONS] = instructions;
    return span;
}

/* 7 cycles with 3 instructions each and 5 without any, in turn, so often. */
static uint64_t foreseen(struct rig *rig, unsigned rounds, uint64_t *cycle, uint64_t *instructions)
{
    struct pmu_foresight sight;

    pmu_foresee_begin(&sight, rig->pmu, 1000);
    for (unsigned i = 0; i < rounds; i++) {
        const struct span busy = span_of(7, 3), idle = span_of(5, 0);

        if (!pmu_foresee_span(&sight, &busy) || !pmu_foresee_span(&sight, &idle))
            break;
    }
    pmu_foresee_end(&sight, cycle, instructions);
    return sight.accepted;
}

/* The cycle, from 1000, in which the PMI comes when these cycles pass. */
static uint64_t happens(struct rig *rig)
{
    for (unsigned i = 0;; i++) {
        const struct span span = span_of(1, i % 12 < 7 ? 3 : 0);

        if (rig->pmis)
            return 1000 + i;
        pmu_span(rig->pmu, &span);
    }
}

static void a_pmi_comes_in_the_foreseen_cycle(void **state)
{
    static const uint64_t selects[] = {CYCLES, INSTRUCTED, INSTRUCTED | UINT64_C(2) << 24,
                                       INSTRUCTED | UINT64_C(1) << 24 | UINT64_C(1) << 23,
                                       INSTRUCTED | UINT64_C(1) << 24 | UINT64_C(1) << 18};

    (void)state;
    for (unsigned i = 0; i < sizeof(selects) / sizeof(*selects); i++)
        for (uint64_t period = 1; period < 40; period += 3) {
            struct rig rig;
            uint64_t cycle, instructions, accepted;

            begin(&rig, "skylakex");
            wrmsr(&rig, CTRL, 1);
            wrmsr(&rig, EVTSEL0, selects[i]);
            wrmsr(&rig, PMC0, -period & UINT32_MAX);
            assert_true(foresees);
            accepted = foreseen(&rig, 100, &cycle, &instructions);
            assert_int_equal(accepted, cycle);
            assert_int_equal(accepted, happens(&rig));
            assert_false(foresees && rig.pmis == 0);
            rig_end(&rig);
        }
}

/* NetBurst's counters of cycles (global_power_events, FSB_ESCR0, select 6) and of instructions
 * (instr_retired, CRU_ESCR0, select 4), with and without a threshold. The PMI comes with the first
 * event after the overflow. */
static void a_pmi_of_netburst_comes_in_the_foreseen_cycle(void **state)
{
    static const struct {
        uint32_t escr, counter;
        uint64_t event, cccr;
    } rows[] = {
        {0x3a2, 0, UINT64_C(0x13) << 25 | 0x200 | 8, UINT64_C(0x4031000) | 6 << 13},
        {0x3b8, 12, UINT64_C(0x02) << 25 | 0x600 | 8, UINT64_C(0x4031000) | 4 << 13},
        {0x3b8, 12, UINT64_C(0x02) << 25 | 0x600 | 8, UINT64_C(0x4271000) | 4 << 13},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (uint64_t period = 1; period < 40; period += 3) {
            struct rig rig;
            uint64_t cycle, instructions, accepted;

            begin(&rig, "prescott");
            wrmsr(&rig, rows[i].escr, rows[i].event);
            wrmsr(&rig, 0x300 + rows[i].counter, -period & UINT64_C(0xffffffffff));
            wrmsr(&rig, 0x360 + rows[i].counter, rows[i].cccr);
            assert_true(foresees);
            accepted = foreseen(&rig, 100, &cycle, &instructions);
            assert_int_equal(accepted, cycle);
            assert_int_equal(accepted, happens(&rig));
            rig_end(&rig);
        }
}

/* The counter overflows in cycle 39 of the span, and the PMI comes in cycle 40. */
static void a_pmi_of_netburst_comes_within_a_span(void **state)
{
    struct span span = span_of(100, 0);
    struct rig rig;

    (void)state;
    begin(&rig, "prescott");
    wrmsr(&rig, 0x3a2, UINT64_C(0x13) << 25 | 0x200 | 8);
    wrmsr(&rig, 0x300, -UINT64_C(39) & UINT64_C(0xffffffffff));
    wrmsr(&rig, 0x360, UINT64_C(0x4031000) | 6 << 13);
    assert_int_equal(pmu_unhalted(rig.pmu), 0);
    pmu_span(rig.pmu, &span);
    assert_int_equal(rig.pmis, 1);
    assert_int_equal(unhalted_at_pmi, 40);
    rig_end(&rig);
}

/* An instruction count of 10 overflows in the fourth cycle of 3, 1003; SKID cycles later the PMI is
 * there: in cycle 1004 + SKID. */
static void the_interrupt_is_there_the_skid_behind_the_overflow(void **state)
{
    struct rig rig;
    uint64_t cycle, instructions;

    (void)state;
    begin(&rig, "icelakex");
    wrmsr(&rig, CTRL, 1);
    wrmsr(&rig, EVTSEL0, INSTRUCTED);
    wrmsr(&rig, PMC0, (uint64_t)-10 & UINT32_MAX);
    assert_int_equal(foreseen(&rig, 1, &cycle, &instructions), 1004 + SKID);
    run_cycles(&rig, 4, SIG_INSTRUCTIONS, 3); /* requested, and not yet there */
    assert_int_equal(foreseen(&rig, 1, &cycle, &instructions), 1000 + SKID);
    rig_end(&rig);
}

static void without_a_pmi_in_sight_there_is_a_bound(void **state)
{
    struct rig rig;
    uint64_t cycle, instructions;

    (void)state;
    begin(&rig, "skylakex");
    wrmsr(&rig, CTRL, 3);
    wrmsr(&rig, EVTSEL0, INSTRUCTED);
    wrmsr(&rig, PMC0, (uint64_t)-1000 & UINT32_MAX);
    assert_true(foreseen(&rig, 1, &cycle, &instructions) == FORESEE_NEVER);
    assert_int_equal(instructions, 1000 - 21 - 1);
    assert_true(cycle == FORESEE_NEVER);
    wrmsr(&rig, EVTSEL0 + 1, CYCLES);
    wrmsr(&rig, PMC0 + 1, (uint64_t)-500 & UINT32_MAX);
    foreseen(&rig, 1, &cycle, &instructions);
    assert_int_equal(cycle, 1012 + 500 - 12 - 1);
    rig_end(&rig);
}

static void only_what_the_model_knows_ahead_is_foreseen(void **state)
{
    struct rig rig;
    uint64_t cycle, instructions;

    (void)state;
    begin(&rig, "skylakex");
    wrmsr(&rig, CTRL, 1);
    wrmsr(&rig, PMC0, 0xfffff000);
    wrmsr(&rig, EVTSEL0, PORT_0);
    assert_true(foresees);
    assert_true(foreseen(&rig, 1, &cycle, &instructions) == FORESEE_NEVER);
    assert_true(cycle <= 1001); /* 0x1000 events may come in a cycle of which nothing is known */
    wrmsr(&rig, EVTSEL0, PORT_0 | UINT64_C(1) << 24); /* and 0x1000 cycles with such events */
    assert_true(foreseen(&rig, 1, &cycle, &instructions) == FORESEE_NEVER);
    assert_int_equal(cycle, 1000 + 0xfff);
    wrmsr(&rig, EVTSEL0, INSTRUCTED & ~INT); /* no PMI */
    assert_false(foresees);
    wrmsr(&rig, EVTSEL0, INSTRUCTED);
    assert_true(foresees);
    wrmsr(&rig, CTRL, 0);
    assert_false(foresees);
    rig_end(&rig);
}

/* What was foreseen is void when software writes the counter. */
static void a_write_of_the_counter_is_told(void **state)
{
    struct rig rig;
    unsigned before;

    (void)state;
    begin(&rig, "skylakex");
    wrmsr(&rig, CTRL, 1);
    wrmsr(&rig, EVTSEL0, CYCLES);
    before = told;
    wrmsr(&rig, PMC0, 0xfffffff0);
    assert_true(told > before);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pmi_comes_in_the_foreseen_cycle),
        cmocka_unit_test(a_pmi_of_netburst_comes_in_the_foreseen_cycle),
        cmocka_unit_test(a_pmi_of_netburst_comes_within_a_span),
        cmocka_unit_test(the_interrupt_is_there_the_skid_behind_the_overflow),
        cmocka_unit_test(without_a_pmi_in_sight_there_is_a_bound),
        cmocka_unit_test(only_what_the_model_knows_ahead_is_foreseen),
        cmocka_unit_test(a_write_of_the_counter_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
