/* Branch trace store: records, the ring, the threshold, the levels. Layout: SDM 3B, "64 Bit Format
 * of the DS Save Area"; IA32_DEBUGCTL: bit 6 TR, 7 BTS, 8 BTINT, 9 BTS_OFF_OS, 10 BTS_OFF_USR. */
#include "counters_test.h"

#define RECORD 24

static void traced(struct rig *rig, const char *part, unsigned records, unsigned threshold,
                   uint64_t debugctl)
{
    uint64_t area[4] = {BUFFER, BUFFER, BUFFER + records * RECORD, BUFFER + threshold * RECORD};

    rig_begin(rig, part);
    assert_int_equal(rdmsr(rig, 0x1a0) >> 11 & 1, 0); /* IA32_MISC_ENABLE: BTS is available */
    assert_true(rig_write(rig, AREA, area, sizeof(area)));
    wrmsr(rig, DS_AREA, AREA);
    wrmsr(rig, DEBUGCTL, debugctl);
}

static void branch(struct rig *rig, uint64_t from, bool taken, bool mispredicted)
{
    struct retired_branch branch = {from, from + 0x100, 0, BRANCH_CONDITIONAL, taken, mispredicted};

    pmu_branch(rig->pmu, &branch);
}

static void taken_branches_are_written_with_their_prediction(void **state)
{
    static const char *const parts[] = {"nehalem", "skylakex", "icelakex", "sapphirerapids"};
    unsigned i;

    (void)state;
    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct rig rig;

        traced(&rig, parts[i], 4, 4, 0xc0);
        branch(&rig, 0x1000, true, false);
        branch(&rig, 0x2000, false, false);
        branch(&rig, 0x3000, true, true);
        assert_int_equal(word(&rig, AREA + 8), BUFFER + 2 * RECORD);
        assert_int_equal(word(&rig, BUFFER), 0x1000);
        assert_int_equal(word(&rig, BUFFER + 8), 0x1100);
        assert_int_equal(word(&rig, BUFFER + 16), 0x10);
        assert_int_equal(word(&rig, BUFFER + RECORD), 0x3000);
        assert_int_equal(word(&rig, BUFFER + RECORD + 16), 0);
        wrmsr(&rig, DEBUGCTL, 0x80); /* TR alone or BTS alone writes nothing */
        branch(&rig, 0x4000, true, false);
        wrmsr(&rig, DEBUGCTL, 0x40);
        branch(&rig, 0x4000, true, false);
        assert_int_equal(word(&rig, AREA + 8), BUFFER + 2 * RECORD);
        rig_end(&rig);
    }
}

/* Room for three records: the fourth overwrites the first. */
static void without_btint_the_buffer_is_a_ring(void **state)
{
    struct rig rig;
    unsigned i;

    (void)state;
    traced(&rig, "skylakex", 3, 2, 0xc0);
    for (i = 1; i <= 4; i++)
        branch(&rig, 0x1000 * i, true, false);
    assert_int_equal(word(&rig, BUFFER), 0x4000);
    assert_int_equal(word(&rig, BUFFER + RECORD), 0x2000);
    assert_int_equal(word(&rig, AREA + 8), BUFFER + RECORD);
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    run_cycles(&rig, 100, SIG_UNHALTED, 1);
    assert_int_equal(rig.pmis, 0);
    rig_end(&rig);
}

static void with_btint_the_threshold_interrupts_and_nothing_is_overwritten(void **state)
{
    struct rig rig;
    unsigned i;

    (void)state;
    traced(&rig, "skylakex", 3, 2, 0x1c0);
    branch(&rig, 0x1000, true, false);
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    branch(&rig, 0x2000, true, false);
    assert_int_equal(rdmsr(&rig, STATUS), UINT64_C(1) << 62);
    run_cycles(&rig, SKID, SIG_UNHALTED, 1);
    assert_int_equal(rig.pmis, 1);
    for (i = 3; i <= 5; i++)
        branch(&rig, 0x1000 * i, true, false);
    assert_int_equal(word(&rig, AREA + 8), BUFFER + 3 * RECORD);
    assert_int_equal(word(&rig, BUFFER), 0x1000);
    assert_int_equal(word(&rig, BUFFER + 3 * RECORD), 0);
    rig_end(&rig);
}

static void levels_can_be_left_out(void **state)
{
    unsigned off, cpl;

    (void)state;
    for (off = 0; off < 4; off++)
        for (cpl = 0; cpl < 4; cpl++) {
            bool left_out = off >> (cpl > 0) & 1;
            struct rig rig;

            traced(&rig, "haswell", 3, 4, 0xc0 | off << 9);
            pmu_privilege(rig.pmu, cpl);
            branch(&rig, 0x1000, true, false);
            assert_int_equal(word(&rig, AREA + 8), left_out ? BUFFER : BUFFER + RECORD);
            rig_end(&rig);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_branches_are_written_with_their_prediction),
        cmocka_unit_test(without_btint_the_buffer_is_a_ring),
        cmocka_unit_test(with_btint_the_threshold_interrupts_and_nothing_is_overwritten),
        cmocka_unit_test(levels_can_be_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
