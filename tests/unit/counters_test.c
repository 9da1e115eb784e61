/* Applying a pass: what is written, read and restored, and which register is named when one faults.
 */
#include "pmu/intel/kind.h"
#include "pmu/netburst/kind.h"
#include "pmu/netburst/registers.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/counters.h"
#include "pmu/registers.h"
#include "tests/unit/seams.h"

static const struct facts facts = {
    .kind = &intel_kind, .version = 4, .general_width = 48, .fixed_width = 48};

struct differences {
    unsigned count;
    uint32_t msr[8];
    uint64_t was[8], is[8];
    bool readable[8];
};

static void note(void *context, uint32_t msr, uint64_t was, uint64_t is, bool readable)
{
    struct differences *differences = context;

    differences->msr[differences->count] = msr;
    differences->was[differences->count] = was;
    differences->is[differences->count] = is;
    differences->readable[differences->count++] = readable;
}

static void setup_writes_in_order_and_names_the_register_that_faults(void **state)
{
    const struct pass pass = {.setup = {{0x38f, 0}, {0x186, 0x43003c}, {0xc1, 0}},
                              .setup_count = 3};
    const struct seam_write *writes;
    uint32_t failed = 0;

    (void)state;
    seams_reset();
    seam_msr(0x38f, 7);
    seam_msr(0x186, 1);
    assert_int_equal(counters_setup(&pass, &failed), RC_FAULT);
    assert_int_equal(failed, 0xc1);
    assert_int_equal(seam_writes(&writes), 2);
    assert_int_equal(writes[0].msr, 0x38f);
    assert_int_equal(writes[1].msr, 0x186);
    assert_true(writes[1].value == 0x43003c);
    seam_msr(0xc1, 99);
    assert_int_equal(counters_setup(&pass, &failed), RC_OK);
}

static const struct pass metrics_pass = {
    .readings =
        {
            {NULL, READING_FIXED, 1, 0},
            {NULL, READING_SLOTS, 3, 0},
            {NULL, READING_METRIC, 0, 0},
            {NULL, READING_METRIC, 0, 3},
            {NULL, READING_GENERAL, 5, 0},
        },
    .reading_count = 5,
};

static void seam_counters(void)
{
    seams_reset();
    seam_rdpmc(0x40000001, 1234);
    seam_rdpmc(0x40000003, 51000);
    seam_rdpmc(0x20000000, 0x33cc2255);
    seam_rdpmc(5, 0xffff000000000007); /* bits above the width are cut off */
    seam_msr(0x38e, 1ULL << 48 | 1ULL << 33 | 1 << 5);
}

static void readings_go_by_rdpmc_and_metrics_become_slots(void **state)
{
    struct raw_counts raw;
    uint32_t failed;

    (void)state;
    seam_counters();
    assert_int_equal(counters_read(&metrics_pass, &facts, &raw, &failed), RC_OK);
    assert_true(raw.value[0] == 1234);
    assert_true(raw.value[1] == 51000 && raw.slots == 51000);
    assert_true(raw.value[2] == 17000); /* 0x55 of 0xff */
    assert_true(raw.value[3] == 10200); /* 0x33 of 0xff */
    assert_true(raw.metrics == 0x33cc2255);
    assert_true(raw.value[4] == 7);
}

static void overflow_bits_belong_to_their_counters(void **state)
{
    static const bool expected[] = {true, false, true, true, true};
    struct raw_counts raw;
    uint32_t failed;

    (void)state;
    seam_counters();
    assert_int_equal(counters_read(&metrics_pass, &facts, &raw, &failed), RC_OK);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(raw.overflowed[i], expected[i]);
}

static void a_counter_that_cannot_be_read_is_named(void **state)
{
    const struct pass pass = {.readings = {{NULL, READING_GENERAL, 6, 0}}, .reading_count = 1};
    struct raw_counts raw;
    uint32_t failed = 0;

    (void)state;
    seam_counters();
    assert_int_equal(counters_read(&pass, &facts, &raw, &failed), RC_FAULT);
    assert_int_equal(failed, 6);
    seams_reset();
    seam_rdpmc(0x40000003, 1);
    assert_int_equal(counters_read(&metrics_pass, &facts, &raw, &failed), RC_FAULT);
    assert_int_equal(failed, 0x20000000);
}

/* "RDPMC": with bit 31 of the index, bits 31:0 of the counter; the counter has 40. */
static void the_fast_form_must_agree_with_the_low_half(void **state)
{
    static const struct facts netburst = {.general_width = 40};
    const struct pass pass = {
        .readings = {{NULL, READING_GENERAL, 12, 0}}, .reading_count = 1, .fast = true};
    struct raw_counts raw;
    uint32_t failed = 0;

    (void)state;
    seams_reset();
    seam_rdpmc(12, 0x1234567890);
    assert_int_equal(counters_read(&pass, &netburst, &raw, &failed), RC_FAULT);
    assert_int_equal(failed, 0x8000000c); /* there is none */
    seam_rdpmc(0x8000000c, 0x34567890);
    assert_int_equal(counters_read(&pass, &netburst, &raw, &failed), RC_OK);
    assert_true(raw.value[0] == 0x1234567890);
    seam_rdpmc(0x8000000c, 0x34567891);
    failed = 0;
    assert_int_equal(counters_read(&pass, &netburst, &raw, &failed), RC_FAULT);
    assert_int_equal(failed, 0x8000000c);
    seam_rdpmc(0x8000000c, 0x34567890);
    for (unsigned first = 1; first <= 2; first++) { /* a reading that is wrong once is no count */
        seam_rdpmc_flips(first, 1);
        assert_int_equal(counters_read(&pass, &netburst, &raw, &failed), RC_OK);
        assert_true(raw.value[0] == 0x1234567890);
    }
}

/* The pass reads four counters: RDPMC 3 is its third register, RDPMC 7 the same one again. */
static void a_reading_that_is_wrong_once_is_no_count(void **state)
{
    struct raw_counts raw;
    uint32_t failed;

    (void)state;
    for (unsigned first = 1; first <= 8; first++) {
        seam_counters();
        seam_rdpmc_flips(first, 1);
        assert_int_equal(counters_read(&metrics_pass, &facts, &raw, &failed), RC_OK);
        assert_true(raw.value[0] == 1234 && raw.value[1] == 51000 && raw.value[4] == 7);
        assert_true(raw.slots == 51000 && raw.metrics == 0x33cc2255);
    }
}

static void a_counter_that_reads_differently_each_time_is_named(void **state)
{
    const struct pass pass = {.readings = {{NULL, READING_FIXED, 1, 0}}, .reading_count = 1};
    struct raw_counts raw;
    uint32_t failed = 0;

    (void)state;
    seam_counters();
    seam_rdpmc_flips(1, 4);
    assert_int_equal(counters_read(&pass, &facts, &raw, &failed), RC_FAULT);
    assert_int_equal(failed, 0x40000001);
    seam_rdpmc_flips(1, 2);
    assert_int_equal(counters_read(&pass, &facts, &raw, &failed), RC_OK);
    assert_true(raw.value[0] == 1234);
}

/* SDM 2B, "RDPMC": ECX is below 32 for a general counter, 40000000H and up for a fixed one,
 * 20000000H for PERF_METRICS. */
static void what_could_not_be_read_is_a_counter_by_index_or_a_register_by_name(void **state)
{
    static const struct {
        uint32_t failed;
        const char *name;
    } rows[] = {
        {0, "RDPMC 0x0"},
        {17, "RDPMC 0x11"},
        {0x40000003, "RDPMC 0x40000003"},
        {0x20000000, "RDPMC 0x20000000"},
        {0x38e, "IA32_PERF_GLOBAL_STATUS"},
        {0x38f, "IA32_PERF_GLOBAL_CTRL"},
        {0x186, "IA32_PERFEVTSEL0"},
    };
    char out[40];

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(failed_name(&facts, rows[i].failed, out, sizeof(out)), rows[i].name);
}

static void version_1_has_no_overflow_register_to_read(void **state)
{
    const struct pass pass = {.readings = {{NULL, READING_GENERAL, 0, 0}}, .reading_count = 1};
    const struct facts version_1 = {.kind = &intel_kind, .version = 1, .general_width = 40};
    struct raw_counts raw;
    uint32_t failed;

    (void)state;
    seams_reset();
    seam_rdpmc(0, 5);
    assert_int_equal(counters_read(&pass, &version_1, &raw, &failed), RC_OK);
    assert_true(raw.value[0] == 5);
}

static void a_register_is_kept_once_with_its_first_value(void **state)
{
    struct saved_registers saved = {.count = 0};

    (void)state;
    seams_reset();
    seam_msr(0x186, 11);
    assert_int_equal(saved_keep(&saved, 0x186), RC_OK);
    seam_msr(0x186, 22);
    assert_int_equal(saved_keep(&saved, 0x186), RC_OK);
    assert_int_equal(saved.count, 1);
    assert_true(saved.registers[0].value == 11);
    assert_int_equal(saved_keep(&saved, 0x187), RC_FAULT);
    saved.count = SAVED_REGISTERS;
    assert_int_equal(saved_keep(&saved, 0x188), RC_NO_SPACE);
}

/* SDM 4, Pentium 4: MSR_BPU_CCCR0 (360H), MSR_BSU_ESCR0 (3A0H) and IA32_PEBS_ENABLE (3F1H) are
 * shared, IA32_DEBUGCTL (1D9H) is unique to each thread. */
static void what_threads_share_is_kept_as_the_first_of_them_found_it(void **state)
{
    static const uint32_t shared[] = {0x360, 0x3a0, 0x3f1};
    struct saved_registers first = {.count = 0},
                           second = {.beside = &first, .is_shared = netburst_has_register};

    (void)state;
    seams_reset();
    for (unsigned i = 0; i < 3; i++) {
        seam_msr(shared[i], 11);
        assert_int_equal(saved_keep(&first, shared[i]), RC_OK);
        seam_msr(shared[i], 22);
        assert_int_equal(saved_keep(&second, shared[i]), RC_OK);
        assert_int_equal(second.registers[i].value, 11);
    }
    seam_msr(0x1d9, 33);
    assert_int_equal(saved_keep(&first, 0x1d9), RC_OK);
    seam_msr(0x1d9, 44);
    assert_int_equal(saved_keep(&second, 0x1d9), RC_OK);
    assert_int_equal(second.registers[3].value, 44);
    seam_msr(0x361, 55);
    assert_int_equal(saved_keep(&second, 0x361), RC_OK); /* the other thread did not need it */
    assert_int_equal(second.registers[4].value, 55);
}

static void restore_stops_first_restores_newest_first_and_starts_last(void **state)
{
    static const uint32_t order[] = {0x38f, 0x30c, 0x186, 0x329, 0x38f};
    struct saved_registers saved = {.count = 0};
    struct differences differences = {.count = 0};
    const struct seam_write *writes;

    (void)state;
    seams_reset();
    seam_msr(0x38f, 0x70000000f);
    seam_msr(0x186, 0x43003c);
    seam_msr(0x329, 0xff);
    seam_msr(0x30c, 100);
    saved_keep(&saved, 0x38f);
    saved_keep(&saved, 0x186);
    saved_keep(&saved, 0x329);
    saved_keep(&saved, 0x30c);
    assert_int_equal(saved_restore(&saved, note, &differences), 0);
    assert_int_equal(seam_writes(&writes), 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(writes[i].msr,
                         order[i]); /* PERF_METRICS after the slots, of which it is a share */
    assert_true(writes[0].value == 0);
    assert_true(writes[4].value == 0x70000000f);
}

static void a_register_that_does_not_take_its_old_value_is_reported(void **state)
{
    struct saved_registers saved = {.count = 0};
    struct differences differences = {.count = 0};

    (void)state;
    seams_reset();
    seam_msr(0x186, 1);
    seam_msr(0x187, 2);
    seam_msr(0x188, 3);
    saved_keep(&saved, 0x186);
    saved_keep(&saved, 0x187);
    saved_keep(&saved, 0x188);
    seam_msr_ignores(0x186, 77);
    seam_msr_absent(0x187);
    assert_int_equal(saved_restore(&saved, note, &differences), 2);
    assert_int_equal(differences.msr[0], 0x187);
    assert_false(differences.readable[0]);
    assert_int_equal(differences.msr[1], 0x186);
    assert_true(differences.readable[1]);
    assert_true(differences.was[1] == 1 && differences.is[1] == 77);
}

static void registers_are_named_as_in_the_manual(void **state)
{
    static const struct {
        uint32_t msr;
        const char *name;
    } names[] = {
        {0xc1, "IA32_PMC0"},
        {0x189, "IA32_PERFEVTSEL3"},
        {0x30b, "IA32_FIXED_CTR2"},
        {0x4c8, "IA32_A_PMC7"},
        {0x38d, "IA32_FIXED_CTR_CTRL"},
        {0x38e, "IA32_PERF_GLOBAL_STATUS"},
        {0x38f, "IA32_PERF_GLOBAL_CTRL"},
        {0x390, "IA32_PERF_GLOBAL_OVF_CTRL"},
        {0x329, "MSR_PERF_METRICS"},
        {0x345, "IA32_PERF_CAPABILITIES"},
        {0x1d9, "IA32_DEBUGCTL"},
        {0x1c8, "MSR_LBR_SELECT"},
        {0x1c9, "MSR_LASTBRANCH_TOS"},
        {0x680, "MSR_LASTBRANCH_0_FROM_IP"},
        {0x6df, "MSR_LASTBRANCH_31_TO_IP"},
        {0xdc1, "MSR_LBR_INFO_1"},
        {0x34, "MSR 0x34"},
    };
    char out[32];

    (void)state;
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_string_equal(msr_name(&(struct facts){0}, names[i].msr, out, sizeof(out)),
                            names[i].name);
}

static void fields_lie_where_the_manual_puts_them(void **state)
{
    (void)state;
    assert_true(field_mask(PERFEVTSEL_CMASK) == 0xff000000);
    assert_true(field_of(PERFEVTSEL_UMASK, 0x1ff) == 0xff00);
    assert_true(field_get(0x8000000000001234, LBR_INFO_MISPRED) == 1);
    assert_true(field_get(0x8000000000001234, LBR_INFO_CYC_CNT) == 0x1234);
    assert_true(field_mask(PERF_GLOBAL_CTRL_EN_PERF_METRICS) == 1ULL << 48);
    assert_true(field_get(0x31c3, PERF_CAPABILITIES_LBR_FMT) == 3);
    assert_true(field_get(0x31c3, PERF_CAPABILITIES_FW_WRITE) == 1);
}

static void a_counter_is_at_work_when_its_enable_bits_are_set(void **state)
{
    static const struct {
        uint32_t msr;
        uint64_t value;
        bool at_work;
    } rows[] = {
        {0x186, 0x4300c0, true},     /* IA32_PERFEVTSEL0, bit 22 */
        {0x187, 0x0300c0, false},    /* selected, not enabled */
        {0x38d, 0x030, true},        /* IA32_FIXED_CTR_CTRL: counter 1 in both rings */
        {0x38d, 0x8c8, false},       /* PMI and AnyThread bits alone */
        {0x38f, 0x70000000f, false}, /* IA32_PERF_GLOBAL_CTRL is set by a reset */
        {0x1d9, 0x80, true},         /* IA32_DEBUGCTL.BTS */
        {0x1d9, 0x1, true},          /* LBR */
        {0x1d9, 0x1000, true},       /* FREEZE_PERFMON_ON_PMI would stop counters in a window */
        {0x1d9, 0x4000, false},      /* FREEZE_WHILE_SMM alone disturbs nothing */
        {0x1d9, 0x8002, false},      /* BTF and RTM_DEBUG neither */
        {0x3f1, 0, false},
        {0x3f1, 1ULL << 35, true}, /* IA32_PEBS_ENABLE: a load latency */
        {0x570, 0x2008, false},    /* IA32_RTIT_CTL: BranchEn and User, but not TraceEn */
        {0x570, 0x2009, true},     /* TraceEn */
        {0x14ce, 0x7f0006, false}, /* IA32_LBR_CTL: kinds of branches, but not LBREn */
        {0x14ce, 0x7f0007, true},  /* LBREn */
    };
    const struct facts core = {.kind = &intel_kind, .processor_trace = true, .lbr.depth = 32};

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(counters_at_work(&core, &(struct msr_value){rows[i].msr, rows[i].value}),
                         rows[i].at_work);
    /* NetBurst's MSR_DEBUGCTLA: bit 3 is BTS; bit 7 is none of its recorders. */
    assert_true(
        counters_at_work(&(struct facts){.kind = &netburst_kind}, &(struct msr_value){0x1d9, 8}));
    assert_false(counters_at_work(&(struct facts){.kind = &netburst_kind},
                                  &(struct msr_value){0x1d9, 0x80}));
}

/* SDM 3C, "Intel Processor Trace": clearing TraceEn is the only change that is allowed while it is
 * set; so the other bits are written back as they were. */
static void what_records_is_switched_off_and_put_back(void **state)
{
    const struct facts core = {.kind = &intel_kind, .processor_trace = true, .lbr.depth = 32};
    struct saved_registers saved = {0};
    const struct seam_write *writes;
    struct differences differences = {0};
    uint32_t failed = 0;

    (void)state;
    seams_reset();
    seam_msr(0x570, 0x2009);
    seam_msr(0x14ce, 0x7f0007);
    seam_msr(0x1d9, 0x5841); /* FREEZE_WHILE_SMM, FREEZE_PERFMON_ON_PMI and _LBRS_, TR, LBR */
    seam_msr(0x3f1, 0);
    assert_int_equal(counters_silence(&saved, &core, &failed), RC_OK);
    assert_int_equal(seam_writes(&writes), 3);
    assert_int_equal(writes[0].msr, 0x570);
    assert_int_equal(writes[0].value, 0x2008);
    assert_int_equal(writes[1].msr, 0x14ce);
    assert_int_equal(writes[1].value, 0x7f0006);
    assert_int_equal(writes[2].msr, 0x1d9);
    assert_int_equal(writes[2].value, 0x4000);
    assert_int_equal(counters_silence(&saved, &core, &failed), RC_OK); /* nothing is left to do */
    assert_int_equal(seam_writes(&writes), 3);
    assert_int_equal(saved_restore(&saved, note, &differences), 0);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t value;

        assert_true(seam_msr_value(((const uint32_t[]){0x570, 0x14ce, 0x1d9})[i], &value));
        assert_int_equal(value, ((const uint64_t[]){0x2009, 0x7f0007, 0x5841})[i]);
    }
}

/* Their numbers are other registers' there. */
static void a_recorder_that_is_not_announced_is_left_alone(void **state)
{
    struct saved_registers saved = {0};
    const struct seam_write *writes;
    uint32_t failed = 0;

    (void)state;
    seams_reset();
    seam_msr(0x570, 1);
    seam_msr(0x14ce, 1);
    seam_msr(0x1d9, 0x4000);
    assert_int_equal(counters_silence(&saved, &(struct facts){0}, &failed), RC_OK);
    assert_int_equal(seam_writes(&writes), 0);
    assert_int_equal(saved.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_is_at_work_when_its_enable_bits_are_set),
        cmocka_unit_test(what_records_is_switched_off_and_put_back),
        cmocka_unit_test(a_recorder_that_is_not_announced_is_left_alone),
        cmocka_unit_test(setup_writes_in_order_and_names_the_register_that_faults),
        cmocka_unit_test(readings_go_by_rdpmc_and_metrics_become_slots),
        cmocka_unit_test(the_fast_form_must_agree_with_the_low_half),
        cmocka_unit_test(overflow_bits_belong_to_their_counters),
        cmocka_unit_test(a_counter_that_cannot_be_read_is_named),
        cmocka_unit_test(a_reading_that_is_wrong_once_is_no_count),
        cmocka_unit_test(a_counter_that_reads_differently_each_time_is_named),
        cmocka_unit_test(what_could_not_be_read_is_a_counter_by_index_or_a_register_by_name),
        cmocka_unit_test(version_1_has_no_overflow_register_to_read),
        cmocka_unit_test(a_register_is_kept_once_with_its_first_value),
        cmocka_unit_test(what_threads_share_is_kept_as_the_first_of_them_found_it),
        cmocka_unit_test(restore_stops_first_restores_newest_first_and_starts_last),
        cmocka_unit_test(a_register_that_does_not_take_its_old_value_is_reported),
        cmocka_unit_test(registers_are_named_as_in_the_manual),
        cmocka_unit_test(fields_lie_where_the_manual_puts_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
