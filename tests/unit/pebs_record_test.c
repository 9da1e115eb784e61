/* The decoder of PEBS records, against records laid out by hand: offsets and sizes are the manual's
 * ("PEBS Record Format" of each microarchitecture, "Adaptive PEBS"), of the counters' group Linux'.
 */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/pebs_record.h"

static uint8_t bytes[4096];

static void put(unsigned offset, uint64_t value)
{
    memcpy(bytes + offset, &value, sizeof(value));
}

/* Each word holds its own offset, so a field shows where it was read. */
static void fill(void)
{
    for (unsigned offset = 0; offset < sizeof(bytes); offset += 8)
        put(offset, offset);
}

static void the_fixed_layouts_begin_with_the_same_registers(void **state)
{
    static const struct {
        enum pebs_field field;
        unsigned offset;
    } places[] = {
        {PEBS_FLAGS, 0x00}, {PEBS_RIP, 0x08}, {PEBS_RAX, 0x10}, {PEBS_RBX, 0x18},
        {PEBS_RCX, 0x20},   {PEBS_RDX, 0x28}, {PEBS_RSI, 0x30}, {PEBS_RDI, 0x38},
        {PEBS_RBP, 0x40},   {PEBS_RSP, 0x48}, {PEBS_R8, 0x50},  {PEBS_R15, 0x88},
    };
    static const size_t sizes[] = {144, 176, 192, 200};

    (void)state;
    fill();
    for (unsigned format = 0; format < 4; format++) {
        const struct pebs_layout layout = {.format = format};
        struct pebs_record record;

        assert_int_equal(pebs_record_size(&layout, 0xf), sizes[format]);
        assert_int_equal(pebs_decode(&layout, bytes, sizes[format], &record), RC_OK);
        assert_int_equal(record.size, sizes[format]);
        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
            assert_true(pebs_has(&record, places[i].field));
            assert_int_equal(record.field[places[i].field], places[i].offset);
        }
        assert_int_equal(pebs_decode(&layout, bytes, sizes[format] - 1, &record), RC_BAD_INPUT);
    }
}

/* What a format lacks is not a 0 of it. */
static void a_field_that_a_format_lacks_is_absent(void **state)
{
    static const struct {
        unsigned format;
        enum pebs_field field;
        unsigned offset; /* 0: this format has no such field */
    } cases[] = {
        {0, PEBS_STATUS, 0},         {0, PEBS_ADDRESS, 0},        {1, PEBS_STATUS, 0x90},
        {1, PEBS_ADDRESS, 0x98},     {1, PEBS_SOURCE, 0xa0},      {1, PEBS_ACCESS_LATENCY, 0xa8},
        {1, PEBS_EVENTING_IP, 0},    {2, PEBS_STATUS, 0x90},      {2, PEBS_APPLICABLE, 0},
        {2, PEBS_EVENTING_IP, 0xb0}, {2, PEBS_TRANSACTION, 0xb8}, {2, PEBS_TSC, 0},
        {3, PEBS_STATUS, 0},         {3, PEBS_APPLICABLE, 0x90},  {3, PEBS_EVENTING_IP, 0xb0},
        {3, PEBS_TSC, 0xc0},         {3, PEBS_RETIRE_LATENCY, 0}, {3, PEBS_CACHE_LATENCY, 0},
    };

    (void)state;
    fill();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct pebs_layout layout = {.format = cases[i].format};
        struct pebs_record record;

        assert_int_equal(pebs_decode(&layout, bytes, sizeof(bytes), &record), RC_OK);
        assert_int_equal(pebs_has(&record, cases[i].field), cases[i].offset != 0);
        if (cases[i].offset != 0)
            assert_int_equal(record.field[cases[i].field], cases[i].offset);
    }
}

/* 32 + 32 + 144 + 256 + 2 x 24 = 512 bytes. */
static void an_adaptive_record_has_the_groups_of_its_first_word(void **state)
{
    const struct pebs_layout layout = {.format = 4, .adaptive = true};
    struct pebs_record record;
    struct pebs_branch branch;

    (void)state;
    fill();
    put(0, 512ull << 48 | 0x0100000f);
    assert_int_equal(pebs_record_size(&layout, 0x0100000f), 512);
    assert_int_equal(pebs_decode(&layout, bytes, 512, &record), RC_OK);
    assert_int_equal(record.size, 512);
    assert_int_equal(record.field[PEBS_EVENTING_IP], 0x08);
    assert_int_equal(record.field[PEBS_APPLICABLE], 0x10);
    assert_int_equal(record.field[PEBS_TSC], 0x18);
    assert_int_equal(record.field[PEBS_ADDRESS], 32);
    assert_int_equal(record.field[PEBS_SOURCE], 40);
    assert_int_equal(record.field[PEBS_ACCESS_LATENCY], 48);
    assert_int_equal(record.field[PEBS_FLAGS], 64);
    assert_int_equal(record.field[PEBS_RCX], 64 + 0x18); /* not the fixed layouts' order */
    assert_int_equal(record.field[PEBS_RDI], 64 + 0x48);
    assert_int_equal(record.field[PEBS_R15], 64 + 0x88);
    assert_int_equal(pebs_xmm_low(&record, 7), 208 + 112);
    assert_int_equal(record.branch_count, 2);
    branch = pebs_branch_at(&record, 1);
    assert_int_equal(branch.from, 464 + 24);
    assert_int_equal(branch.to, 464 + 32);
    assert_int_equal(branch.info, 464 + 40);
    assert_false(pebs_has(&record, PEBS_CACHE_LATENCY));
    assert_null(record.counters);
}

static void a_basic_record_has_no_registers(void **state)
{
    const struct pebs_layout layout = {.format = 4, .adaptive = true, .retire_latency = true};
    struct pebs_record record;

    (void)state;
    fill();
    put(0, 32ull << 48 | 77ull << 32);
    assert_int_equal(pebs_decode(&layout, bytes, 32, &record), RC_OK);
    assert_int_equal(record.field[PEBS_RETIRE_LATENCY], 77);
    assert_false(pebs_has(&record, PEBS_RDI));
    assert_false(pebs_has(&record, PEBS_ADDRESS));
    assert_null(record.xmm);
    assert_int_equal(record.branch_count, 0);
}

static void latencies_of_two_halves_are_told_apart(void **state)
{
    const struct pebs_layout layout = {.format = 5, .adaptive = true, .latency_halves = true};
    struct pebs_record record;

    (void)state;
    fill();
    put(0, 64ull << 48 | 1);
    put(48, 21ull << 32 | 34);
    assert_int_equal(pebs_decode(&layout, bytes, 64, &record), RC_OK);
    assert_int_equal(record.field[PEBS_ACCESS_LATENCY], 34);
    assert_int_equal(record.field[PEBS_CACHE_LATENCY], 21);
}

/* Two general counters, one fixed counter, the metrics: 16 + 4 x 8 bytes after the basic group. */
static void counters_follow_their_masks(void **state)
{
    const struct pebs_layout layout = {.format = 6, .adaptive = true};
    struct pebs_record record;

    (void)state;
    fill();
    put(0, 80ull << 48 | 0x30);
    put(32, 1ull << 32 | 5);
    put(40, 1);
    assert_int_equal(pebs_record_size(&layout, 1ull << 48 | 5ull << 32 | 0x30), 80);
    assert_int_equal(pebs_decode(&layout, bytes, 80, &record), RC_OK);
    assert_int_equal(record.counter_count, 4);
    put(32, 1ull << 32 | 7); /* asks for one word more than there is */
    assert_int_equal(pebs_decode(&layout, bytes, 80, &record), RC_BAD_INPUT);
}

static void a_record_whose_size_is_not_its_groups_is_refused(void **state)
{
    const struct pebs_layout layout = {.format = 4, .adaptive = true};
    static const uint64_t firsts[] = {
        0,               /* no size */
        31ull << 48,     /* shorter than the basic group */
        40ull << 48,     /* longer than its groups */
        32ull << 48 | 1, /* the memory group does not fit */
        1000ull << 48,   /* longer than what may be read */
    };
    struct pebs_record record;

    (void)state;
    fill();
    for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
        put(0, firsts[i]);
        assert_int_equal(pebs_decode(&layout, bytes, 512, &record), RC_BAD_INPUT);
    }
    assert_int_equal(pebs_decode(&layout, bytes, 31, &record), RC_BAD_INPUT);
}

static void an_unknown_format_has_no_size(void **state)
{
    const struct pebs_layout layout = {.format = 4};
    struct pebs_record record;

    (void)state;
    assert_int_equal(pebs_record_size(&layout, 0), 0);
    assert_int_equal(pebs_decode(&layout, bytes, sizeof(bytes), &record), RC_ABSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fixed_layouts_begin_with_the_same_registers),
        cmocka_unit_test(a_field_that_a_format_lacks_is_absent),
        cmocka_unit_test(an_adaptive_record_has_the_groups_of_its_first_word),
        cmocka_unit_test(a_basic_record_has_no_registers),
        cmocka_unit_test(latencies_of_two_halves_are_told_apart),
        cmocka_unit_test(counters_follow_their_masks),
        cmocka_unit_test(a_record_whose_size_is_not_its_groups_is_refused),
        cmocka_unit_test(an_unknown_format_has_no_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
