/* Whether a write would fault, asked before the write: the answer agrees with the write, and
 * asking changes nothing. */
#include "counters_test.h"

#define FIRST_AMD 0xc0000000u
#define INT       UINT64_C(0x100000)

static void try(struct rig *rig, uint32_t msr, uint64_t value)
{
    uint64_t before = 0, after = 0;
    enum access_result read = pmu_rdmsr(rig->pmu, msr, &before), result;
    unsigned started = rig->started, stopped = rig->stopped;
    bool watched = rig->watched, foresees = rig->foresees,
         faults = pmu_wrmsr_faults(rig->pmu, msr, value);

    assert_int_equal(pmu_rdmsr(rig->pmu, msr, &after), read);
    assert_int_equal(after, before);
    assert_int_equal(rig->started, started);
    assert_int_equal(rig->stopped, stopped);
    assert_int_equal(rig->watched, watched);
    assert_int_equal(rig->foresees, foresees);
    result = pmu_wrmsr(rig->pmu, msr, value);
    if ((result == ACCESS_FAULT) != faults)
        fail_msg("register 0x%x, value 0x%llx: asked %d, written %d", msr,
                 (unsigned long long)value, faults, (int)result);
}

/* All addresses at which any part has counters, controls or records, with each single bit. */
static void check_kind(const struct personality *personality)
{
    static const struct {
        uint32_t first, count;
    } ranges[] = {{0, 0x800},      {0xd90, 0x10},      {0x1200, 0x300},
                  {0x1900, 0x100}, {FIRST_AMD, 0x400}, {0xc0010000, 0x400}};
    struct rig rig;

    rig_make(&rig, personality, 1);
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
        for (uint32_t msr = ranges[i].first; msr < ranges[i].first + ranges[i].count; msr++) {
            uint64_t value;

            if (pmu_rdmsr(rig.pmu, msr, &value) == ACCESS_FAULT)
                try(&rig, msr, 0);
            else
                for (unsigned bit = 0; bit <= 64; bit++)
                    try(&rig, msr, bit < 64 ? UINT64_C(1) << bit : 0);
        }
    rig_end(&rig);
}

static void a_probe_answers_what_the_write_then_does(void **state)
{
    (void)state;
    personality_list(check_kind);
}

/* A counter that may raise a PMI counts on until the write that stops it takes effect. */
static void a_probe_leaves_a_pmi_in_sight(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    assert_int_equal(pmu_wrmsr(rig.pmu, EVTSEL0, EN_OS | INT | 0x3c), ACCESS_OK);
    try(&rig, CTRL, 1);
    assert_true(rig.foresees);
    try(&rig, CTRL, 0);
    assert_false(rig.foresees);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_probe_answers_what_the_write_then_does),
                                       cmocka_unit_test(a_probe_leaves_a_pmi_in_sight)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
