/* A sequence of spans that comes many times at once counts as the same spans one by one. */
#include "pmu_test.h"

#include "pmu/registers.h"

#define SPANS 5u
#define TURNS 40u
#define RUNS  300u

/* Spans of small random values, in a random order. */
struct random_sequence {
    struct span span[SPANS];
    struct span_turn turn[TURNS];
    struct span_sequence all;
};

static void make_sequence(struct random_sequence *made, uint64_t *seed)
{
    memset(made, 0, sizeof(*made));
    made->all = (struct span_sequence){made->span, made->turn, SPANS, TURNS};
    for (unsigned i = 0; i < SPANS; i++) {
        for (unsigned j = 0; j < SIGNAL_COUNT; j++)
            made->span[i].value[j] = (uint16_t)(next_random(seed) % 4);
        made->span[i].value[SIG_UNHALTED] = made->span[i].value[SIG_ALONE] = 1;
        made->span[i].value[SIG_ALLOCATOR] = 1;
        made->span[i].rare = true;
    }
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t number = (uint32_t)(next_random(seed) % SPANS);

        made->turn[i] = (struct span_turn){number, 1 + (uint32_t)(next_random(seed) % 9)};
        made->span[number].cycles += made->turn[i].cycles;
    }
}

static void one_by_one(struct rig *rig, const struct random_sequence *sequence, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        for (unsigned j = 0; j < TURNS; j++) {
            struct span span = sequence->span[sequence->turn[j].number];

            span.cycles = sequence->turn[j].cycles;
            pmu_span(rig->pmu, &span);
        }
}

/* The same random counters in both: events with and without cmask, INV and edges. */
static void set_up(struct rig *rigs, const char *name, uint64_t *seed)
{
    static const uint32_t events[] = {0x00c0, 0x003c, 0x010e, 0x02c2,
                                      0x01b1, 0x00c4, 0x013c, 0x010d};
    const uint64_t fixed =
        0x3333 & (uint64_t)(personality_find(name)->pmu->fixed > 3 ? ~0u : 0xfff);

    for (unsigned i = 0; i < 4; i++) {
        const uint64_t random = next_random(seed);
        const uint64_t select = 0x430000 | events[random % 8] | (random >> 8 & 3) << 24 |
                                (random >> 16 & 1) << 23 | (random >> 17 & 1) << 18;

        for (unsigned j = 0; j < 2; j++)
            wrmsr(&rigs[j], 0x186 + i, select);
    }
    for (unsigned j = 0; j < 2; j++) {
        wrmsr(&rigs[j], 0x38d, fixed);
        wrmsr(&rigs[j], 0x38f,
              UINT64_C(0xf) | UINT64_C(7) << 32 |
                  (fixed > 0xfff ? UINT64_C(1) << 35 | UINT64_C(1) << 48 : 0));
    }
}

static void compare(struct rig *rigs, const char *name)
{
    const unsigned fixed = personality_find(name)->pmu->fixed;

    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rdmsr(&rigs[0], 0xc1 + i), rdmsr(&rigs[1], 0xc1 + i));
    for (unsigned i = 0; i < fixed; i++)
        assert_int_equal(rdmsr(&rigs[0], 0x309 + i), rdmsr(&rigs[1], 0x309 + i));
    if (fixed > 3)
        assert_int_equal(rdmsr(&rigs[0], 0x329), rdmsr(&rigs[1], 0x329));
    assert_int_equal(pmu_tsc(rigs[0].pmu), pmu_tsc(rigs[1].pmu));
    assert_int_equal(pmu_quiet(rigs[0].pmu), pmu_quiet(rigs[1].pmu));
}

static void a_sequence_counts_as_its_spans(void **state)
{
    static const char *const names[] = {"skylakex", "icelakex", "haswell"};
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

    (void)state;
    for (unsigned run = 0; run < RUNS; run++) {
        const char *name = names[run % 3];
        struct variant variant;
        struct random_sequence sequence;
        struct rig rigs[2];

        variant_of(&variant, name)->counter_lie[run % 4] = run % 5 ? 0 : 37;
        for (unsigned i = 0; i < 2; i++)
            rig_make(&rigs[i], &variant.personality, 1);
        set_up(rigs, name, &seed);
        for (unsigned part = 0; part < 3; part++) {
            const uint64_t times = 1 + next_random(&seed) % (part ? 50 : 2);

            make_sequence(&sequence, &seed);
            one_by_one(&rigs[0], &sequence, times);
            pmu_repeat(rigs[1].pmu, &sequence.all, times);
            compare(rigs, name);
            one_by_one(&rigs[0], &sequence, 1); /* an edge may follow from the last span */
            one_by_one(&rigs[1], &sequence, 1);
            compare(rigs, name);
        }
        for (unsigned i = 0; i < 2; i++)
            rig_end(&rigs[i]);
    }
}

/* With a period of 1000 the counter overflows within far fewer cycles than a sequence may have. */
static void nothing_is_quiet_near_an_overflow(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    assert_int_equal(pmu_quiet(rig.pmu), UINT64_MAX - (1u << 20));
    wrmsr(&rig, 0x186, 0x43003c);
    wrmsr(&rig, 0x38f, 1);
    assert_true(pmu_quiet(rig.pmu) > 1u << 30);
    wrmsr(&rig, 0xc1, UINT64_C(0xfffffc18));
    wrmsr(&rig, 0xc1, (uint64_t)(int64_t)-1000 & 0xffffffff);
    assert_int_equal(pmu_quiet(rig.pmu), 0);
    rig_end(&rig);
}

/* A record of branches must see each of them; an edge alone needs only the order. */
static void records_are_never_quiet(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, 0x186, 0x147010d); /* edges of INT_MISC.RECOVERY_CYCLES, CMASK=1 */
    wrmsr(&rig, 0x38f, 1);
    assert_int_equal(pmu_order_slack(rig.pmu), 0);
    assert_true(pmu_quiet(rig.pmu) > 0);
    wrmsr(&rig, 0x1d9, 1); /* IA32_DEBUGCTL.LBR */
    assert_int_equal(pmu_quiet(rig.pmu), 0);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sequence_counts_as_its_spans),
        cmocka_unit_test(nothing_is_quiet_near_an_overflow),
        cmocka_unit_test(records_are_never_quiet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
