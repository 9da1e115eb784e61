/* The end of a sampled window: what its registers say, or that they cannot be read. Nothing is
 * sampled here. */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#undef fail /* which the source has, too */
#include "harness/sampler/sampler.c"
#include "harness/window/window.h"
#include "tests/unit/seams.h"

enum { GLOBAL_CTRL = 0x38f, GLOBAL_STATUS = 0x38e, RDPMC_SAMPLED = 2, RDPMC_TOTAL = 3 };

/* What measures an interrupt, and windows: none of it runs here. */
const char window_begin[1], window_stopped[1], window_return[1], window_ring_3_return[1];
const char window_ring_3_begin[1], window_ring_3_stopped[1];
const char window_in_ring_3[1], window_ring_3_left[1];

void window_run(const struct window *window)
{
    (void)window;
    assert_true(false);
}

void window_run_within(const struct window *window, uint32_t msr, uint64_t enable, uint64_t disable)
{
    (void)window, (void)msr, (void)enable, (void)disable;
    assert_true(false);
}

bool interrupt_cost_measure(struct sampler *s)
{
    (void)s;
    return false;
}

bool skid_of_branch(struct sampler *s)
{
    (void)s;
    return false;
}

bool skid_gain(struct sampler *s)
{
    (void)s;
    return false;
}

static const uint64_t presets[1] = {7};
static struct core_registers registers;
static struct measurement m;
static struct sampler s;

static void begin(void)
{
    static const struct facts facts = {
        .kind = &intel_kind, .intel = true, .version = 4, .general_count = 4};

    seams_reset();
    seam_clock(0, 1000); /* a reading takes a microsecond */
    seam_msr(GLOBAL_CTRL, 4);
    seam_msr(GLOBAL_STATUS, 0);
    seam_rdpmc(RDPMC_SAMPLED, 5);
    memset(&registers, 0, sizeof(registers));
    m = (struct measurement){.facts = &facts, .registers = &registers};
    s = (struct sampler){.measurement = &m,
                         .plan = {.enable = {GLOBAL_CTRL, 4},
                                  .counter_index = RDPMC_SAMPLED,
                                  .counter_mask = 0xffffffffffff,
                                  .status_msr = GLOBAL_STATUS,
                                  .status_bits = 4,
                                  .total_index = RDPMC_TOTAL,
                                  .total_mask = 0xffffffffffff}};
    s.program.preset = presets;
}

static void a_window_without_an_overflow_lost_nothing_and_one_with_it_an_interrupt(void **state)
{
    (void)state;
    begin();
    assert_true(end_window(&s));
    assert_true(s.lost == 0 && !s.window_lost && s.carried == 5);
    seam_msr(GLOBAL_STATUS, 4);
    assert_true(end_window(&s));
    assert_true(s.lost == 1 && s.window_lost);
}

static void an_overflow_bit_that_cannot_be_read_is_no_window_without_overflow(void **state)
{
    (void)state;
    begin();
    s.plan.status_msr = 0x999; /* that the test's core lacks */
    assert_false(end_window(&s));
    assert_int_equal(s.rc, RC_FAULT);
    assert_string_equal(s.what, "reading the sampled counter's overflow bit");
}

static void cycles_that_cannot_be_read_once_are_not_known_at_all(void **state)
{
    (void)state;
    begin();
    seam_rdpmc(RDPMC_TOTAL, 1000);
    add_total(&s);
    add_total(&s);
    assert_true(s.total_cycles == 2000 && !s.total_unknown && !s.total_off);
    begin();
    add_total(&s);
    assert_true(s.total_unknown);
}

/* 1 % of the clocks' 200000 cycles, and 1000. Where no clock tells, a window of no cycles is none.
 */
static void cycles_that_are_not_those_of_the_clocks_are_off(void **state)
{
    static const struct {
        double clocks;
        uint64_t total;
        bool off;
    } rows[] = {{200000, 200000, false}, {200000, 197000, false},
                {200000, 196999, true},  {200000, 203000, false},
                {200000, 203001, true},  {200000, 0, true},
                {0, 1, false},           {0, 0, true}};

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin();
        s.cycles = rows[i].clocks;
        seam_rdpmc(RDPMC_TOTAL, rows[i].total);
        add_total(&s);
        assert_int_equal(s.total_off, rows[i].off);
        s.cycles = 0; /* a later window that nobody can tell of does not acquit it */
        seam_rdpmc(RDPMC_TOTAL, 1000);
        add_total(&s);
        assert_int_equal(s.total_off, rows[i].off);
    }
}

/* Of readings of 200 the next one is at most 1000 and 8 times that: 2600. A bit beyond the
 * counter's 48 is none of it. */
static void a_reading_that_cannot_be_is_counted_apart(void **state)
{
    static const uint64_t first[] = {200, 201, 199, 1ull << 30, 200};
    static const uint64_t later[] = {2600, 2601, 1ull << 51 | 200, 3};
    static uint64_t records[(PMI_RECORD_WORDS + 1) * COUNT_OF(first)];

    (void)state;
    begin();
    s.plan = (struct sampling_plan){.counter_mask = (1ull << 48) - 1, .read_count = 1};
    s.records = records;
    s.late = (struct seen){.count = 0};
    for (unsigned i = 0; i < COUNT_OF(first); i++)
        records[i * (PMI_RECORD_WORDS + 1) + PMI_RECORD_WORDS] = first[i];
    digest_records(&s, COUNT_OF(first));
    assert_true(s.late.count == 4 && s.late.apart == 1);
    assert_true(s.late.lowest == 199 && s.late.highest == 201);
    digest_records(&s, COUNT_OF(first));
    assert_true(s.late.count == 8 && s.late.apart == 2);
    for (unsigned i = 0; i < COUNT_OF(later); i++)
        records[i * (PMI_RECORD_WORDS + 1) + PMI_RECORD_WORDS] = later[i];
    digest_records(&s, COUNT_OF(later));
    assert_true(s.late.count == 10 && s.late.apart == 4);
    assert_true(s.late.lowest == 3 && s.late.highest == 2600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_without_an_overflow_lost_nothing_and_one_with_it_an_interrupt),
        cmocka_unit_test(an_overflow_bit_that_cannot_be_read_is_no_window_without_overflow),
        cmocka_unit_test(cycles_that_cannot_be_read_once_are_not_known_at_all),
        cmocka_unit_test(cycles_that_are_not_those_of_the_clocks_are_off),
        cmocka_unit_test(a_reading_that_cannot_be_is_counted_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
