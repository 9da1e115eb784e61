/* Sampling into memory: layouts of the records, arming, reload, the interrupt at the threshold.
 * Offsets and sizes are from the manual. */
#include "counters_test.h"

#define PREC_DIST  UINT64_C(0x01c0)
#define NEAR_TAKEN UINT64_C(0x20c4)

/* A buffer for `records` records of this size, with an interrupt at the `threshold`-th record. */
static void area(struct rig *rig, uint64_t size, unsigned records, unsigned threshold)
{
    unsigned i;

    put_word(rig, AREA + 0x20, BUFFER);
    put_word(rig, AREA + 0x28, BUFFER);
    put_word(rig, AREA + 0x30, BUFFER + records * size);
    put_word(rig, AREA + 0x38, BUFFER + threshold * size);
    wrmsr(rig, DS_AREA, AREA);
    rig->registers.rflags = 0x246;
    for (i = 0; i < 16; i++) {
        rig->registers.gpr[i] = 0xa0 + i;
        memset(rig->registers.xmm[i], (int)(0x10 + i), 16);
    }
}

/* An instruction at `ip` of four bytes retires, so many cycles after the one before; then its
 * boundary, if host.watch asked for boundaries. */
static void retire_after(struct rig *rig, uint64_t ip, enum signal event, uint64_t latency)
{
    struct span span = {.cycles = 1};
    struct pmu_boundary boundary = {ip, ip + 4, ip + 0x10000, latency};

    span.value[SIG_UNHALTED] = span.value[SIG_ALONE] = span.value[SIG_ALLOCATOR] = 1;
    span.value[SIG_INSTRUCTIONS] = 1;
    span.value[event] = 1;
    rig->now++;
    pmu_span(rig->pmu, &span);
    if (rig->watched)
        pmu_at_boundary(rig->pmu, &boundary);
}

static void retire(struct rig *rig, uint64_t ip, enum signal event)
{
    retire_after(rig, ip, event, 1);
}

static void sample(struct rig *rig, uint64_t select, uint64_t reset)
{
    wrmsr(rig, EVTSEL0, EN_OS | select);
    wrmsr(rig, A_PMC0, reset);
    put_word(rig, AREA + 0x40, reset);
    wrmsr(rig, PEBS_ENABLE, 1);
    wrmsr(rig, CTRL, 1);
}

/* Period 3: the third taken branch overflows, the fourth is in the record. Between the branches
 * are other instructions. */
static void the_instruction_after_the_overflow_is_recorded(void **state)
{
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "skylakex");
    area(&rig, 200, 4, 4);
    sample(&rig, NEAR_TAKEN, MAX_48 - 2);
    for (i = 0; i < 3; i++)
        retire(&rig, 0x1000 + 0x10 * i, SIG_BRANCHES_TAKEN);
    assert_int_equal(rdmsr(&rig, STATUS), 1);
    assert_true(rig.watched);
    retire(&rig, 0x2000, SIG_NOPS_RETIRED);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER);
    retire(&rig, 0x3000, SIG_BRANCHES_TAKEN);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER + 200);
    assert_int_equal(word(&rig, BUFFER + 0xb0), 0x3000); /* EventingIP */
    assert_int_equal(word(&rig, BUFFER + 0x08), 0x3004); /* the record is made after it */
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    assert_int_equal(rdmsr(&rig, PMC0), MAX_48 - 2);
    assert_false(rig.watched);
    assert_int_equal(rig.pmis, 0);
    rig_end(&rig);
}

/* Formats 0 to 3: the fields of each, and their offsets. */
static void fixed_formats_are_laid_out_as_the_manual_says(void **state)
{
    static const unsigned sizes[] = {144, 176, 192, 200};
    static const unsigned order[] = {0, 3, 1, 2, 6, 7, 5, 4}; /* A B C D SI DI BP SP */
    unsigned format, i;

    (void)state;
    for (format = 0; format < 4; format++) {
        struct personality other = *personality_find("skylakex");
        struct pmu_parameters parameters = *other.pmu;
        struct rig rig;

        parameters.capabilities = (parameters.capabilities & ~UINT64_C(0xf00)) | format << 8;
        other.pmu = &parameters;
        rig_make(&rig, &other, 1);
        area(&rig, sizes[format], 1, 2);
        sample(&rig, NEAR_TAKEN, MAX_48);
        for (i = 0; i < 3; i++)
            retire(&rig, 0x1000 + 4 * i, SIG_BRANCHES_TAKEN);
        assert_int_equal(word(&rig, AREA + 0x28), BUFFER + sizes[format]);
        assert_int_equal(word(&rig, BUFFER), 0x246);
        assert_int_equal(word(&rig, BUFFER + 8), 0x1008);
        for (i = 0; i < 8; i++)
            assert_int_equal(word(&rig, BUFFER + 0x10 + 8 * i), 0xa0 + order[i]);
        for (i = 8; i < 16; i++)
            assert_int_equal(word(&rig, BUFFER + 0x10 + 8 * i), 0xa0 + i);
        if (format >= 1) {
            assert_int_equal(word(&rig, BUFFER + 0x90), 1); /* counter 0 */
            assert_int_equal(word(&rig, BUFFER + 0x98), format == 1 ? 0 : 0x11004);
        }
        if (format >= 2)
            assert_int_equal(word(&rig, BUFFER + 0xb0), 0x1004);
        if (format >= 3)
            assert_int_equal(word(&rig, BUFFER + 0xc0), pmu_tsc(rig.pmu) - 1);
        assert_int_equal(word(&rig, BUFFER + sizes[format]), 0);
        rig_end(&rig);
    }
}

/* PMC1 has overflowed before and takes no records: format 2 shows its bit, format 3 does not. */
static void until_format_2_a_record_has_the_status_of_all_counters(void **state)
{
    unsigned format;

    (void)state;
    for (format = 2; format < 4; format++) {
        struct personality other = *personality_find("skylakex");
        struct pmu_parameters parameters = *other.pmu;
        struct rig rig;
        unsigned i;

        parameters.capabilities = (parameters.capabilities & ~UINT64_C(0xf00)) | format << 8;
        other.pmu = &parameters;
        rig_make(&rig, &other, 1);
        area(&rig, format == 2 ? 192 : 200, 1, 2);
        wrmsr(&rig, EVTSEL0 + 1, EN_OS | NEAR_TAKEN);
        wrmsr(&rig, A_PMC0 + 1, MAX_48);
        sample(&rig, NEAR_TAKEN, MAX_48);
        wrmsr(&rig, CTRL, 3);
        for (i = 0; i < 3; i++)
            retire(&rig, 0x1000 + 4 * i, SIG_BRANCHES_TAKEN);
        assert_int_equal(word(&rig, BUFFER + 0x90), format == 2 ? 3 : 1);
        rig_end(&rig);
    }
}

/* All four groups with two branches: 32 + 32 + 144 + 256 + 48 bytes. */
static void adaptive_records_hold_the_groups_that_were_asked_for(void **state)
{
    struct retired_branch branch = {0x500, 0x600, 0, BRANCH_JUMP, true, false};
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "icelakex");
    area(&rig, 512, 2, 2);
    wrmsr(&rig, DATA_CFG, 0x0100000f);
    wrmsr(&rig, DEBUGCTL, 1);
    pmu_branch(rig.pmu, &branch);
    sample(&rig, UINT64_C(0x4000000c0), MAX_48); /* INST_RETIRED.ANY_P, adaptive */
    for (i = 0; i < 3; i++)
        retire(&rig, 0x1000 + 4 * i, SIG_UNHALTED);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER + 512);
    assert_int_equal(word(&rig, BUFFER), UINT64_C(512) << 48 | 0x0100000f);
    assert_int_equal(word(&rig, BUFFER + 8), 0x1004);
    assert_int_equal(word(&rig, BUFFER + 16), 1);
    assert_int_equal(word(&rig, BUFFER + 32), 0x11004);
    assert_int_equal(word(&rig, BUFFER + 64), 0x246);
    for (i = 0; i < 16; i++) /* in the order of their numbers here */
        assert_int_equal(word(&rig, BUFFER + 64 + 16 + 8 * i), 0xa0 + i);
    assert_int_equal(word(&rig, BUFFER + 208 + 16), UINT64_C(0x1111111111111111));
    assert_int_equal(word(&rig, BUFFER + 464), 0x500);
    assert_int_equal(word(&rig, BUFFER + 472), 0x600);
    rig_end(&rig);
}

static void a_counter_without_its_adaptive_bit_gets_the_basic_group(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    area(&rig, 32, 2, 2);
    wrmsr(&rig, DATA_CFG, 0xf);
    put_word(&rig, AREA + 0x40 + 8 * 8, MAX_48 - 9); /* slot 8: fixed counter 0 of format 4 */
    wrmsr(&rig, FIXED_CTRL, 1);
    wrmsr(&rig, FIXED_CTR0, MAX_48);
    wrmsr(&rig, PEBS_ENABLE, UINT64_C(1) << 32);
    wrmsr(&rig, CTRL, UINT64_C(1) << 32);
    retire(&rig, 0x1000, SIG_UNHALTED);
    assert_int_equal(word(&rig, BUFFER), UINT64_C(32) << 48);
    assert_int_equal(word(&rig, BUFFER + 16), UINT64_C(1) << 32);
    assert_int_equal(rdmsr(&rig, FIXED_CTR0), MAX_48 - 9);
    rig_end(&rig);
}

/* Four records fit, the third reaches the threshold; after the fourth nothing is written. */
static void the_threshold_interrupts_and_a_full_buffer_takes_no_more(void **state)
{
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "skylakex");
    area(&rig, 200, 4, 3);
    sample(&rig, NEAR_TAKEN, MAX_48);
    for (i = 0; i < 4; i++) /* two loads for each record: one overflows, one is recorded */
        retire(&rig, 0x1000, SIG_BRANCHES_TAKEN);
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    for (i = 0; i < 2; i++)
        retire(&rig, 0x1000, SIG_BRANCHES_TAKEN);
    assert_int_equal(rdmsr(&rig, STATUS), UINT64_C(1) << 62);
    run_cycles(&rig, SKID, SIG_UNHALTED, 1);
    assert_int_equal(rig.pmis, 1);
    wrmsr(&rig, RESET, UINT64_C(1) << 62);
    for (i = 0; i < 20; i++)
        retire(&rig, 0x1000, SIG_BRANCHES_TAKEN);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER + 800);
    assert_int_equal(word(&rig, BUFFER + 800), 0);
    rig_end(&rig);
}

/* On Skylake only precise events make records; with the PEBS baseline other events make records
 * too, with skid. */
static void events_that_are_not_precise_skid_or_make_none(void **state)
{
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "skylakex");
    area(&rig, 200, 4, 4);
    sample(&rig, 0x010e, MAX_48); /* UOPS_ISSUED.ANY */
    for (i = 0; i < 9; i++)
        retire(&rig, 0x1000, SIG_UOPS_ISSUED);
    assert_int_equal(word(&rig, AREA + 0x28), BUFFER);
    assert_int_equal(rdmsr(&rig, STATUS), 1); /* an ordinary overflow */
    rig_end(&rig);
    rig_begin(&rig, "icelakex");
    area(&rig, 32, 4, 4);
    sample(&rig, 0x010e, MAX_48);
    retire(&rig, 0x1000, SIG_UOPS_ISSUED);
    retire(&rig, 0x2000, SIG_NOPS_RETIRED); /* it did not cause the event, but is in the record */
    assert_int_equal(word(&rig, BUFFER + 8), 0x2000);
    rig_end(&rig);
}

/* A pipeline that is drained only while host.watch asks for boundaries: otherwise seven
 * instructions retire together. */
static uint64_t run_ahead(struct rig *rig, unsigned first, unsigned count)
{
    unsigned i = 0;

    while (i < count) {
        unsigned together = rig->watched ? 1 : 7;
        struct pmu_boundary boundary = {.ip = 0};
        struct span span = {.cycles = 1};

        span.value[SIG_UNHALTED] = 1;
        span.value[SIG_INSTRUCTIONS] = (uint16_t)together;
        rig->now++;
        i += together;
        pmu_span(rig->pmu, &span);
        boundary.ip = first + i - 1;
        if (rig->watched)
            pmu_at_boundary(rig->pmu, &boundary);
    }
    return i;
}

/* INST_RETIRED.PREC_DIST: the counter is loaded for 3000, and every 3000th instruction is in a
 * record, because the record is of the instruction that overflows the counter. Any other event is
 * late by the instructions in flight and the instruction that is recorded. */
static void precise_distribution_has_no_shadow(void **state)
{
    static const struct {
        const char *part;
        uint32_t select, counter;
        uint64_t event, enable;
    } cases[] = {
        {"icelakex", FIXED_CTRL, FIXED_CTR0, 1, UINT64_C(1) << 32},
        {"sapphirerapids", FIXED_CTRL, FIXED_CTR0, 1, UINT64_C(1) << 32},
        {"sapphirerapids", EVTSEL0, A_PMC0, EN_OS | 0xc0, 1},
        {"skylakex", EVTSEL0 + 1, A_PMC0 + 1, EN_OS | PREC_DIST, 2},
        {"icelakex", EVTSEL0 + 1, A_PMC0 + 1, EN_OS | 0xc0, 2}, /* without */
    };
    unsigned c, i;

    (void)state;
    for (c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        bool fixed = cases[c].enable >> 32, exact = c < 4;
        unsigned slot = fixed ? 8 : cases[c].enable == 2;
        unsigned place = c == 3 ? 0xb0 : 8, size = c == 3 ? 200 : 32;
        struct rig rig;

        rig_begin(&rig, cases[c].part);
        area(&rig, size, 8, 9);
        put_word(&rig, AREA + 0x40 + 8 * slot, MAX_48 - 2999);
        wrmsr(&rig, cases[c].select, cases[c].event);
        wrmsr(&rig, cases[c].counter, MAX_48 - 2999);
        wrmsr(&rig, PEBS_ENABLE, cases[c].enable);
        wrmsr(&rig, CTRL, cases[c].enable);
        run_ahead(&rig, 1, 5 * 3000 + (exact ? 0 : 20));
        for (i = 0; exact && i < 5; i++)
            assert_int_equal(word(&rig, BUFFER + i * size + place), 3000 * (i + 1));
        if (!exact)
            assert_true(word(&rig, BUFFER + place) > 3000);
        rig_end(&rig);
    }
}

/* The basic group alone, of the instruction that overflows fixed counter 0. Bits 47:32 of the first
 * word, where bit 17 of IA32_PERF_CAPABILITIES is set: Linux, basic group of a record, and commit
 * c87a31093c70. The field's 16 bits end at 65535. */
static void where_timing_is_announced_a_record_has_the_latency_of_retirement(void **state)
{
    static const struct {
        const char *part;
        unsigned announced;
        uint64_t latency, recorded;
    } cases[] = {
        {"graniterapids", 1, 0, 0},         {"graniterapids", 1, 17, 17},
        {"graniterapids", 1, 65534, 65534}, {"graniterapids", 1, 65535, 65535},
        {"graniterapids", 1, 65536, 65535}, {"graniterapids", 1, UINT64_C(1) << 40, 65535},
        {"sapphirerapids", 0, 17, 0},       {"icelakex", 0, 17, 0},
    };
    unsigned c;

    (void)state;
    for (c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct rig rig;

        rig_begin(&rig, cases[c].part);
        assert_int_equal(rdmsr(&rig, 0x345) >> 17, cases[c].announced);
        area(&rig, 32, 2, 2);
        wrmsr(&rig, FIXED_CTRL, 1);
        wrmsr(&rig, FIXED_CTR0, MAX_48);
        wrmsr(&rig, PEBS_ENABLE, UINT64_C(1) << 32);
        wrmsr(&rig, CTRL, UINT64_C(1) << 32);
        retire_after(&rig, 0x1000, SIG_UNHALTED, cases[c].latency);
        assert_int_equal(word(&rig, BUFFER), UINT64_C(32) << 48 | cases[c].recorded << 32);
        assert_int_equal(word(&rig, BUFFER + 8), 0x1000);
        rig_end(&rig);
    }
}

/* Formats as Linux prints them at boot ("PEBS fmtN") on these parts, Granite Rapids excepted;
 * bits from the manual's tables of IA32_PEBS_ENABLE and, from Ice Lake on, from Linux' masks. */
static void pebs_registers_refuse_reserved_bits(void **state)
{
    static const struct {
        const char *name;
        unsigned format;
        uint64_t enable, data_cfg;
    } parts[] = {
        {"core2", 0, 0x1, 0},
        {"nehalem", 1, UINT64_C(0xf0000000f), 0},
        {"ivybridge", 1, UINT64_C(0x8000000f0000000f), 0},
        {"haswell", 2, UINT64_C(0xf0000000f), 0},
        {"skylakex", 3, UINT64_C(0xf0000000f), 0},
        {"icelakex", 4, UINT64_C(0xf000000ff), 0xff00000f},
        {"sapphirerapids", 4, UINT64_C(0xf000000ff), 0xff00000f},
        {"alderlake", 4, UINT64_C(0xf000000ff), 0xff00000f},
    };
    unsigned part, bit;
    uint64_t value;
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    assert_faults(&rig, PEBS_ENABLE, 0x10);
    assert_int_equal(pmu_rdmsr(rig.pmu, DATA_CFG, &value), ACCESS_FAULT);
    assert_faults(&rig, DS_AREA, UINT64_C(0x0000800000000000));
    assert_int_equal(rdmsr(&rig, 0x1a0) >> 12 & 1, 0); /* IA32_MISC_ENABLE: PEBS is available */
    rig_end(&rig);
    rig_begin(&rig, "icelakex");
    assert_faults(&rig, PEBS_ENABLE, 0x100);
    assert_faults(&rig, DATA_CFG, 0x10);
    rig_end(&rig);
    for (part = 0; part < sizeof(parts) / sizeof(parts[0]); part++) {
        rig_begin(&rig, parts[part].name);
        for (bit = 0; bit < 64; bit++) {
            value = UINT64_C(1) << bit;
            assert_int_equal(pmu_wrmsr(rig.pmu, PEBS_ENABLE, value),
                             parts[part].enable & value ? ACCESS_OK : ACCESS_FAULT);
            assert_int_equal(pmu_wrmsr(rig.pmu, DATA_CFG, value),
                             parts[part].data_cfg & value ? ACCESS_OK : ACCESS_FAULT);
        }
        assert_int_equal(rdmsr(&rig, 0x345) >> 8 & 0xf, parts[part].format);
        assert_int_equal(rdmsr(&rig, 0x345) >> 16, 0); /* no PEBS to PT, no timing */
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_instruction_after_the_overflow_is_recorded),
        cmocka_unit_test(fixed_formats_are_laid_out_as_the_manual_says),
        cmocka_unit_test(until_format_2_a_record_has_the_status_of_all_counters),
        cmocka_unit_test(adaptive_records_hold_the_groups_that_were_asked_for),
        cmocka_unit_test(a_counter_without_its_adaptive_bit_gets_the_basic_group),
        cmocka_unit_test(the_threshold_interrupts_and_a_full_buffer_takes_no_more),
        cmocka_unit_test(events_that_are_not_precise_skid_or_make_none),
        cmocka_unit_test(precise_distribution_has_no_shadow),
        cmocka_unit_test(where_timing_is_announced_a_record_has_the_latency_of_retirement),
        cmocka_unit_test(pebs_registers_refuse_reserved_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
