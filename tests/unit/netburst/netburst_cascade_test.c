/* Cascades of NetBurst's counters: values by hand from the fields of the manual, "CCCR MSRs". */
#include "pmu/netburst/kind.h"
#include "tests/unit/cmocka_all.h"

#include "pmu/netburst/cascade.h"
#include "tests/unit/descriptions.h"

static struct description prescott;
static const struct facts alone = {
    .kind = &netburst_kind, .family = 15, .model = 4, .stepping = 1, .threads_per_core = 1};
static const struct facts second = {.kind = &netburst_kind,
                                    .family = 15,
                                    .model = 4,
                                    .stepping = 1,
                                    .threads_per_core = 2,
                                    .smt_id = 1};
static const struct facts first = {
    .kind = &netburst_kind, .family = 15, .model = 4, .stepping = 1, .threads_per_core = 2};
static const struct facts willamette = {
    .kind = &netburst_kind, .family = 15, .model = 1, .stepping = 2, .threads_per_core = 1};

static int parse_description(void **state)
{
    (void)state;
    tests_builtin(&prescott, "prescott");
    return 0;
}

static const char *make(struct cascade *cascade, const struct facts *facts, enum cascading how)
{
    return netburst_cascade_make(cascade, facts, &prescott,
                                 description_event(&prescott, "INST_RETIRED.ANY"), how, 100);
}

static uint64_t written(const struct cascade *cascade, uint32_t msr)
{
    for (unsigned i = cascade->pass.setup_count; i > 0; i--)
        if (cascade->pass.setup[i - 1].msr == msr)
            return cascade->pass.setup[i - 1].value;
    fail_msg("MSR 0x%x is not written", msr);
    return 0;
}

/* "Cascading Counters": IQ_COUNTER0 (12) is started by IQ_COUNTER2 (14), which overflows after 100
 * events from 2^40 - 100. CCCR bit 30 is CASCADE, bit 12 ENABLE. Both ESCRs of the unit select. */
static void the_second_counter_waits_for_the_overflow_of_the_first(void **state)
{
    struct cascade cascade;

    (void)state;
    assert_null(make(&cascade, &alone, CASCADING));
    assert_int_equal(cascade.second, 12);
    assert_int_equal(cascade.first, 14);
    assert_int_equal(written(&cascade, 0x36c), 0x40038000);
    assert_int_equal(written(&cascade, 0x36e), 0x00038000);
    assert_int_equal(written(&cascade, 0x30c), 0);
    assert_int_equal(written(&cascade, 0x30e), 0xffffffff9c);
    assert_int_equal(written(&cascade, 0x3b8), 0x0400060c); /* MSR_CRU_ESCR0, of counter 12 */
    assert_int_equal(written(&cascade, 0x3b9), 0x0400060c); /* MSR_CRU_ESCR1, of counter 14 */
    assert_int_equal(cascade.pass.enable.msr, 0x36e);
    assert_int_equal(cascade.pass.enable.value, 0x00039000);
    assert_int_equal(cascade.stop.msr, 0x36c);
    assert_int_equal(cascade.stop.value, 0x00038000);
    assert_int_equal(cascade.counter, 0x30c);
}

/* "EXTENDED CASCADING", bit 11: IQ_CCCR0 is started by IQ_COUNTER4 (16). Came with model 2. */
static void an_extended_cascade_stays_within_its_half(void **state)
{
    struct cascade cascade;

    (void)state;
    assert_null(make(&cascade, &alone, EXTENDED_CASCADING));
    assert_int_equal(cascade.second, 12);
    assert_int_equal(cascade.first, 16);
    assert_int_equal(written(&cascade, 0x36c), 0x00038800);
    assert_non_null(make(&cascade, &willamette, EXTENDED_CASCADING));
}

/* Of the second half are counters 14, 15 and 17: IQ_CCCR3 (15) is started by IQ_COUNTER5 (17), and
 * IQ_CCCR5 by IQ_COUNTER3. Of the first half no CCCR's CASCADE is for a counter of that half that
 * counts instructions. */
static void a_logical_processor_cascades_its_own_counters(void **state)
{
    struct cascade cascade;

    (void)state;
    assert_null(make(&cascade, &second, EXTENDED_CASCADING));
    assert_int_equal(cascade.second, 15);
    assert_int_equal(cascade.first, 17);
    assert_int_equal(written(&cascade, 0x3b9), 0x04000603);
    assert_null(make(&cascade, &second, CASCADING));
    assert_int_equal(cascade.second, 17);
    assert_int_equal(cascade.first, 15);
    assert_non_null(make(&cascade, &first, CASCADING));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_counter_waits_for_the_overflow_of_the_first),
        cmocka_unit_test(an_extended_cascade_stays_within_its_half),
        cmocka_unit_test(a_logical_processor_cascades_its_own_counters),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("netburst_cascade", tests, parse_description, NULL);
}
