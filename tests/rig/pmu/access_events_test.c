/* Load latency, precise stores, off-core response: which events count, and what their records say.
 * Encodings are from the manual ("Data Source Encoding for Load Latency Record") and from the event
 * lists. */
#include "counters_test.h"

static void area(struct rig *rig, unsigned counter)
{
    put_word(rig, AREA + 0x20, BUFFER);
    put_word(rig, AREA + 0x28, BUFFER);
    put_word(rig, AREA + 0x30, BUFFER + 0x1000);
    put_word(rig, AREA + 0x38, BUFFER + 0x1000);
    put_word(rig, AREA + 0x40 + 8 * counter, MAX_48 - 99);
    wrmsr(rig, DS_AREA, AREA);
}

/* A load that begins when the load before has its data, and the instruction boundary after it. */
static void load(struct rig *rig, uint64_t address, uint64_t latency, enum origin origin)
{
    struct retired_access access = {
        .address = address, .begun = rig->now, .latency = latency, .origin = origin};
    struct pmu_boundary boundary = {0x1000, 0x1004, address, 1};

    rig->now += latency;
    if (rig->subscription.accesses)
        pmu_access(rig->pmu, &access);
    run_cycles(rig, 1, SIG_INSTRUCTIONS, 1);
    if (rig->watched)
        pmu_at_boundary(rig->pmu, &boundary);
}

static void loads_above_the_threshold_count(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, LD_LAT, 32);
    wrmsr(&rig, EVTSEL0, EN_OS | 0x1cd);
    assert_true(rig.subscription.accesses);
    assert_false(rig.subscription.requests);
    load(&rig, 0x5000, 5, ORIGIN_L1);
    load(&rig, 0x5000, 32, ORIGIN_L3); /* equal to the threshold */
    load(&rig, 0x5000, 33, ORIGIN_L3);
    load(&rig, 0x5000, 200, ORIGIN_MEMORY);
    assert_int_equal(rdmsr(&rig, PMC0), 2);
    wrmsr(&rig, CTRL, 0);
    assert_false(rig.subscription.accesses);
    load(&rig, 0x5000, 200, ORIGIN_MEMORY);
    assert_int_equal(rdmsr(&rig, PMC0), 2);
    rig_end(&rig);
}

/* While one load is followed, other loads are not counted. */
static void one_load_at_a_time_is_followed(void **state)
{
    struct retired_access access = {.address = 0x5000, .latency = 100, .origin = ORIGIN_MEMORY};
    struct rig rig;
    unsigned i;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, LD_LAT, 3);
    wrmsr(&rig, EVTSEL0, EN_OS | 0x1cd);
    for (i = 0; i < 20; i++) { /* at 1000, 1010 ... 1190: the loads at 1000 and 1100 count */
        access.begun = 1000 + 10 * i;
        pmu_access(rig.pmu, &access);
    }
    assert_int_equal(rdmsr(&rig, PMC0), 2);
    rig_end(&rig);
}

/* Before version 5 a counter counts loads if both its bits in IA32_PEBS_ENABLE are set; on
 * Haswell only counter 3 can. */
static void older_parts_need_both_enable_bits(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "haswell");
    wrmsr(&rig, LD_LAT, 3);
    wrmsr(&rig, EVTSEL0 + 3, EN_OS | 0x1cd);
    wrmsr(&rig, EVTSEL0 + 2, EN_OS | 0x1cd);
    load(&rig, 0x5000, 50, ORIGIN_L3);
    wrmsr(&rig, PEBS_ENABLE, 0x8);
    load(&rig, 0x5000, 50, ORIGIN_L3);
    assert_int_equal(rdmsr(&rig, PMC0 + 3), 0);
    wrmsr(&rig, PEBS_ENABLE, UINT64_C(0xc0000000c));
    load(&rig, 0x5000, 50, ORIGIN_L3);
    assert_int_equal(rdmsr(&rig, PMC0 + 3), 1);
    assert_int_equal(rdmsr(&rig, PMC0 + 2), 0);
    rig_end(&rig);
}

/* The first load arms the counter, the second is in the record: address, data source, latency. */
static void check_source(const char *part, unsigned counter, uint64_t enable, uint16_t event,
                         const struct retired_access *second, uint64_t source)
{
    struct retired_access first = {.address = 0x7000, .begun = 0, .latency = 50};
    struct pmu_boundary boundary = {0x1000, 0x1004, 0x9999, 1};
    struct rig rig;

    rig_begin(&rig, part);
    area(&rig, counter);
    wrmsr(&rig, LD_LAT, 4);
    wrmsr(&rig, EVTSEL0 + counter, EN_OS | event);
    pmu_wrmsr(rig.pmu, A_PMC0 + counter, MAX_48);
    pmu_wrmsr(rig.pmu, PMC0 + counter, UINT32_MAX); /* without full-width writes */
    wrmsr(&rig, PEBS_ENABLE, enable);
    wrmsr(&rig, CTRL, UINT64_C(1) << counter);
    pmu_access(rig.pmu, &first);
    pmu_at_boundary(rig.pmu, &boundary);
    pmu_access(rig.pmu, second);
    pmu_at_boundary(rig.pmu, &boundary);
    assert_int_equal(word(&rig, BUFFER + 0x98), second->address);
    assert_int_equal(word(&rig, BUFFER + 0xa0), source);
    assert_int_equal(word(&rig, BUFFER + 0xa8), second->latency);
    rig_end(&rig);
}

static void records_say_where_the_data_came_from(void **state)
{
    static const uint64_t nehalem[] = {1, 2, 3, 4, 0xc, 0xd, 8, 9},
                          skylake[] = {1, 2, 3, 4, 0xa, 0xb, 0xc, 0xd};
    struct retired_access second = {.address = 0xabc8, .begun = 100, .latency = 77};
    enum origin origin;

    (void)state;
    for (origin = ORIGIN_L1; origin < ORIGIN_COUNT; origin++) {
        second.origin = origin;
        second.walked = second.locked = false;
        check_source("nehalem", 0, UINT64_C(0x100000001), 0x100b, &second, nehalem[origin]);
        check_source("ivybridge", 3, UINT64_C(0x800000008), 0x01cd, &second, nehalem[origin]);
        check_source("skylakex", 1, UINT64_C(0x200000002), 0x01cd, &second, skylake[origin]);
        second.walked = second.locked = true; /* Nehalem's record has neither */
        check_source("nehalem", 0, UINT64_C(0x100000001), 0x100b, &second, nehalem[origin]);
        check_source("haswell", 3, UINT64_C(0x800000008), 0x01cd, &second, nehalem[origin] | 0x30);
    }
}

static void a_precise_store_says_whether_it_hit(void **state)
{
    struct retired_access store = {.address = 0xabc0, .write = true, .hit = true};
    struct retired_access arming = store;
    struct pmu_boundary boundary = {0x1000, 0x1004, 0x9999, 1};
    struct rig rig;
    unsigned i;

    (void)state;
    for (i = 0; i < 4; i++) {
        store.hit = i & 1;
        store.walked = i & 2;
        rig_begin(&rig, "ivybridge");
        area(&rig, 3);
        wrmsr(&rig, EVTSEL0 + 3, EN_OS | 0x2cd);
        wrmsr(&rig, A_PMC0 + 3, MAX_48);
        wrmsr(&rig, PEBS_ENABLE, UINT64_C(0x8000000000000008));
        wrmsr(&rig, CTRL, 8);
        pmu_access(rig.pmu, &arming);
        pmu_at_boundary(rig.pmu, &boundary);
        pmu_access(rig.pmu, &store);
        pmu_at_boundary(rig.pmu, &boundary);
        assert_int_equal(word(&rig, AREA + 0x28), BUFFER + 176);
        assert_int_equal(word(&rig, BUFFER + 0x98), 0xabc0);
        assert_int_equal(word(&rig, BUFFER + 0xa0), (i & 1) | (i & 2) << 3);
        rig_end(&rig);
    }
    rig_begin(&rig, "haswell");
    assert_faults(&rig, PEBS_ENABLE, UINT64_C(1) << 63); /* only Sandy and Ivy Bridge */
    rig_end(&rig);
}

/* The adaptive memory group; on Golden Cove the latency has 16 bits. */
static void the_memory_group_has_the_load(void **state)
{
    struct retired_access slow = {.address = 0xabc8,
                                  .begun = 100,
                                  .latency = 70000,
                                  .origin = ORIGIN_MEMORY,
                                  .walked = true,
                                  .blocked = true};
    struct retired_access first = {.address = 0x7000, .begun = 0, .latency = 50};
    struct pmu_boundary boundary = {0x1000, 0x1004, 0x9999, 1};
    static const char *const parts[] = {"icelakex", "sapphirerapids"};
    unsigned i;

    (void)state;
    for (i = 0; i < 2; i++) {
        struct rig rig;

        rig_begin(&rig, parts[i]);
        area(&rig, 1);
        wrmsr(&rig, LD_LAT, 4);
        wrmsr(&rig, DATA_CFG, 1);
        wrmsr(&rig, EVTSEL0 + 1, EN_OS | UINT64_C(0x4000001cd));
        wrmsr(&rig, A_PMC0 + 1, MAX_48);
        wrmsr(&rig, PEBS_ENABLE, 2);
        wrmsr(&rig, CTRL, 2);
        pmu_access(rig.pmu, &first);
        pmu_at_boundary(rig.pmu, &boundary);
        pmu_access(rig.pmu, &slow);
        pmu_at_boundary(rig.pmu, &boundary);
        assert_int_equal(word(&rig, BUFFER), UINT64_C(64) << 48 | 1);
        assert_int_equal(word(&rig, BUFFER + 32), 0xabc8);
        assert_int_equal(word(&rig, BUFFER + 40), i ? 0x5a : 0x1a);
        assert_int_equal(word(&rig, BUFFER + 48), i ? 0xffff : 70000);
        assert_int_equal(word(&rig, BUFFER + 56), 0);
        rig_end(&rig);
    }
}

/* Every request from both origins once. */
static void ask_for_everything(struct rig *rig)
{
    enum request request;

    for (request = 0; request < REQUEST_COUNT; request++) {
        pmu_offcore(rig->pmu, request, ORIGIN_L3);
        pmu_offcore(rig->pmu, request, ORIGIN_MEMORY);
    }
}

/* Each origin beyond L2 once. */
static uint64_t supplied_by(const char *part, uint32_t event, uint64_t filter)
{
    uint64_t value;
    struct rig rig;

    rig_begin(&rig, part);
    wrmsr(&rig, OFFCORE_RSP_0, filter);
    wrmsr(&rig, EVTSEL0, EN_OS | event);
    for (enum origin origin = ORIGIN_L3; origin < ORIGIN_COUNT; origin++)
        pmu_offcore(rig.pmu, REQUEST_DATA_READ, origin);
    value = rdmsr(&rig, PMC0);
    rig_end(&rig);
    return value;
}

/* L3, near and far memory, clean and modified caches of another package. */
static void filters_tell_packages_apart(void **state)
{
    (void)state;
    assert_int_equal(supplied_by("skylakex", 0x1b7, 0x10001), 5);
    assert_int_equal(supplied_by("skylakex", 0x1b7, UINT64_C(0x3f803c0001)), 1);
    /* OFFCORE_RESPONSE.DEMAND_DATA_RD.L3_MISS.ANY_SNOOP, .L3_MISS_REMOTE_DRAM.SNOOP_MISS_OR_... */
    assert_int_equal(supplied_by("skylakex", 0x1b7, UINT64_C(0x3fbc000001)), 4);
    assert_int_equal(supplied_by("skylakex", 0x1b7, UINT64_C(0x63b800001)), 1);
    /* OCR.DEMAND_DATA_RD.L3_MISS, .L3_MISS_LOCAL, .DRAM, .LOCAL_DRAM, .REMOTE_DRAM */
    assert_int_equal(supplied_by("icelakex", 0x1b7, UINT64_C(0x3fbfc00001)), 4);
    assert_int_equal(supplied_by("icelakex", 0x1b7, UINT64_C(0x3f84400001)), 1);
    assert_int_equal(supplied_by("icelakex", 0x1b7, UINT64_C(0x73c000001)), 2);
    assert_int_equal(supplied_by("icelakex", 0x1b7, UINT64_C(0x104000001)), 1);
    assert_int_equal(supplied_by("icelakex", 0x1b7, UINT64_C(0x730000001)), 1);
}

static uint64_t counted_by(const char *part, uint32_t event, uint32_t msr, uint64_t filter)
{
    uint64_t value;
    struct rig rig;

    rig_begin(&rig, part);
    wrmsr(&rig, msr, filter);
    wrmsr(&rig, EVTSEL0, EN_OS | event);
    assert_true(rig.subscription.requests);
    ask_for_everything(&rig);
    value = rdmsr(&rig, PMC0);
    rig_end(&rig);
    return value;
}

/* Values of the event lists: requests in bits 15:0, the supplier of the line in the bits above. */
static void filters_choose_requests_and_suppliers(void **state)
{
    (void)state;
    /* OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE, .L3_HIT.ANY_SNOOP, .L3_MISS.ANY_SNOOP */
    assert_int_equal(counted_by("skylakex", 0x1b7, OFFCORE_RSP_0, 0x10001), 2);
    assert_int_equal(counted_by("skylakex", 0x1b7, OFFCORE_RSP_0, UINT64_C(0x3f803c0001)), 1);
    assert_int_equal(counted_by("skylakex", 0x1bb, OFFCORE_RSP_1, UINT64_C(0x3fbc000001)), 1);
    /* a supplier in another package */
    assert_int_equal(counted_by("skylakex", 0x1b7, OFFCORE_RSP_0, UINT64_C(0x63b800001)), 0);
    /* OCR.READS_TO_CORE: three demand requests, prefetches of L2 (two kinds), of L1 and by
     * software: seven */
    assert_int_equal(counted_by("icelakex", 0x1b7, OFFCORE_RSP_0, UINT64_C(0x3f3ffc0477)), 14);
    assert_int_equal(counted_by("icelakex", 0x1bb, OFFCORE_RSP_1, UINT64_C(0x73c000477)), 7);
    assert_int_equal(counted_by("icelakex", 0x1b7, OFFCORE_RSP_0, 0x10070), 4); /* OCR.HWPF_L2 */
    assert_int_equal(counted_by("sapphirerapids", 0x12a, OFFCORE_RSP_0, UINT64_C(0x3f003c4477)), 7);
    assert_int_equal(counted_by("sapphirerapids", 0x12b, OFFCORE_RSP_1, 0x14000), 2); /* SWPF_RD */
    assert_int_equal(counted_by("sapphirerapids", 0x12b, OFFCORE_RSP_1, 0x10400), 2); /* HWPF_L1D */
    /* STREAMING_WR.ANY_RESPONSE */
    assert_int_equal(counted_by("icelakex", 0x1b7, OFFCORE_RSP_0, 0x10800), 2);
    assert_int_equal(counted_by("sapphirerapids", 0x12b, OFFCORE_RSP_1, 0x10800), 2);
    assert_int_equal(counted_by("alderlake", 0x12a, OFFCORE_RSP_0, UINT64_C(0x184000001)), 1);
    assert_int_equal(counted_by("ivybridge", 0x1b7, OFFCORE_RSP_0, UINT64_C(0x300400002)), 1);
    assert_int_equal(counted_by("haswell", 0x1bb, OFFCORE_RSP_1, UINT64_C(0x3fffc00004)), 1);
}

/* FRONTEND_RETIRED: MSR_PEBS_FRONTEND chooses what counts. One instruction missed everything;
 * another missed only the uop cache. */
static void fetches_count_by_what_happened_to_them(void **state)
{
    static const struct {
        uint64_t filter, count;
    } rows[] = {
        {0x12, 1}, {0x13, 1}, {0x14, 1}, {0x15, 1}, {0x01, 2}, /* ANY_DSB_MISS */
    };
    static const struct {
        const char *part;
        uint32_t event;
    } parts[] = {
        {"skylakex", 0x1c6},      {"icelakex", 0x1c6},  {"sapphirerapids", 0x1c6},
        {"graniterapids", 0x3c6}, {"alderlake", 0x1c6},
    };
    unsigned i, row;

    (void)state;
    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
            struct rig rig;

            rig_begin(&rig, parts[i].part);
            wrmsr(&rig, EVTSEL0, EN_OS | parts[i].event);
            assert_false(rig.subscription.fetches); /* the register chooses nothing */
            wrmsr(&rig, FRONTEND, rows[row].filter);
            assert_true(rig.subscription.fetches);
            pmu_fetched(rig.pmu, 0x1f);
            pmu_fetched(rig.pmu, FETCHED_DSB_MISS);
            assert_int_equal(rdmsr(&rig, PMC0), rows[row].count);
            wrmsr(&rig, FRONTEND, 0x400106); /* LATENCY_GE_1: the model does not report it */
            assert_false(rig.subscription.fetches);
            rig_end(&rig);
        }
}

/* A filter that the model cannot apply counts nothing, and the event is named. */
static void an_unknown_filter_is_named(void **state)
{
    static const uint64_t filters[] = {
        UINT64_C(0x2003c0001), /* DEMAND_DATA_RD.L3_HIT.SNOOP_MISS: the snoop is unknown */
        0x18000,               /* OTHER.ANY_RESPONSE */
        0x10808,               /* MODIFIED_WRITE: no write-backs */
        0,
    };
    unsigned i;

    (void)state;
    for (i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        char text[200] = "";
        struct rig rig;
        FILE *out;

        rig_begin(&rig, "icelakex");
        wrmsr(&rig, OFFCORE_RSP_0, filters[i]);
        wrmsr(&rig, EVTSEL0, EN_OS | 0x1b7);
        assert_false(rig.subscription.requests);
        ask_for_everything(&rig);
        assert_int_equal(rdmsr(&rig, PMC0), 0);
        out = fmemopen(text, sizeof(text), "w");
        pmu_report_unknown(rig.pmu, 0, out);
        fclose(out);
        assert_non_null(strstr(text, "1 event counted nothing: "));
        assert_non_null(strstr(text, " in this form"));
        rig_end(&rig);
    }
}

static void the_filters_refuse_reserved_bits(void **state)
{
    /* Linux' extra_regs and the manual: these bits may be written and no others */
    static const struct {
        const char *part;
        uint64_t filter, latency, frontend;
    } parts[] = {
        {"ivybridge", UINT64_C(0x3fffff8fff), 0xffff, 0},
        {"haswell", UINT64_C(0x3fffff8fff), 0xffff, 0},
        {"skylakex", UINT64_C(0x3fffff8fff), 0xffff, 0x7fff17},
        {"icelakex", UINT64_C(0x3fffffbfff), 0xffff, 0x7fff17},
        {"sapphirerapids", UINT64_C(0x3fffffffff), 0xffff, 0x7fff1f},
    };
    unsigned i, bit;

    (void)state;
    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        for (bit = 0; bit < 64; bit++) {
            uint64_t value = UINT64_C(1) << bit;
            struct rig rig;

            rig_begin(&rig, parts[i].part);
            assert_int_equal(pmu_wrmsr(rig.pmu, OFFCORE_RSP_0, value),
                             parts[i].filter & value ? ACCESS_OK : ACCESS_FAULT);
            assert_int_equal(pmu_wrmsr(rig.pmu, OFFCORE_RSP_1, value),
                             parts[i].filter & value ? ACCESS_OK : ACCESS_FAULT);
            assert_int_equal(pmu_wrmsr(rig.pmu, LD_LAT, value),
                             parts[i].latency & value ? ACCESS_OK : ACCESS_FAULT);
            assert_int_equal(pmu_wrmsr(rig.pmu, FRONTEND, value),
                             parts[i].frontend & value ? ACCESS_OK : ACCESS_FAULT);
            rig_end(&rig);
        }
}

/* An overflow sets the status bit, raises the PMI and freezes. */
static void counters_of_access_events_overflow_like_all_others(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "icelakex");
    wrmsr(&rig, 0x1d9, 0x1000);
    wrmsr(&rig, OFFCORE_RSP_0, 0x10001);
    wrmsr(&rig, A_PMC0, MAX_48 - 1);
    wrmsr(&rig, EVTSEL0, EN_OS | UINT64_C(0x1001b7));
    pmu_offcore(rig.pmu, REQUEST_DATA_READ, ORIGIN_L3);
    assert_int_equal(rdmsr(&rig, STATUS), 0);
    pmu_offcore(rig.pmu, REQUEST_DATA_READ, ORIGIN_L3);
    assert_int_equal(rdmsr(&rig, STATUS), UINT64_C(1) << 59 | 1);
    pmu_offcore(rig.pmu, REQUEST_DATA_READ, ORIGIN_L3); /* frozen */
    assert_int_equal(rdmsr(&rig, PMC0), 0);
    run_cycles(&rig, SKID, SIG_UNHALTED, 1);
    assert_int_equal(rig.pmis, 1);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_above_the_threshold_count),
        cmocka_unit_test(one_load_at_a_time_is_followed),
        cmocka_unit_test(older_parts_need_both_enable_bits),
        cmocka_unit_test(records_say_where_the_data_came_from),
        cmocka_unit_test(a_precise_store_says_whether_it_hit),
        cmocka_unit_test(the_memory_group_has_the_load),
        cmocka_unit_test(filters_choose_requests_and_suppliers),
        cmocka_unit_test(filters_tell_packages_apart),
        cmocka_unit_test(fetches_count_by_what_happened_to_them),
        cmocka_unit_test(an_unknown_filter_is_named),
        cmocka_unit_test(the_filters_refuse_reserved_bits),
        cmocka_unit_test(counters_of_access_events_overflow_like_all_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
