/* What the checker of logs says of verdicts that hold: arithmetic by hand, from the tolerances of
 * doc/measuring.md. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "tests/tools/share_verdicts.h"

static const char no_share[] = "a verdict that holds names what is no share";
static const char no_value[] = "a verdict that holds names a node that its record has no value of";
static const char alone[] = "a verdict that holds compares a node with nothing";

static struct share_verdicts shares;

static void record(const char *text)
{
    json_t *record = json_loads(text, 0, NULL);

    assert_non_null(record);
    share_verdicts_record(&shares, record);
    json_decref(record);
}

/* 12000 cycles: the edges are 0.01. */
static int set_up(void **state)
{
    (void)state;
    memset(&shares, 0, sizeof(shares));
    record("{\"type\":\"kernel\",\"core\":1,\"kernel\":\"be.x\",\"per_iterations\":"
           "{\"CPU_CLK_UNHALTED.THREAD\":{\"median\":12000}}}");
    record("{\"type\":\"topdown\",\"core\":1,\"kernel\":\"be.x\",\"method\":\"formula\",\"part\":1,"
           "\"nodes\":{\"tma_a\":0.5}}");
    record("{\"type\":\"topdown\",\"core\":1,\"kernel\":\"be.x\",\"method\":\"formula\",\"part\":2,"
           "\"nodes\":{\"tma_b\":null}}");
    record("{\"type\":\"topdown\",\"core\":1,\"kernel\":\"be.x\",\"method\":\"formula\",\"part\":1,"
           "\"interval\":0,\"nodes\":{\"tma_a\":null}}");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    share_verdicts_free(&shares);
    return 0;
}

static void assert_wrong(const char *line, const char *why)
{
    const char *wrong = share_verdicts_wrong(&shares, line);

    if (why == NULL)
        assert_null(wrong);
    else
        assert_string_equal(wrong, why);
}

static void a_value_beyond_the_tolerance_is_no_share(void **state)
{
    (void)state;
    assert_wrong("ok 7 - core 1 be.x tma_a 1.011 is the largest of its siblings", NULL);
    assert_wrong("ok 7 - core 1 be.x tma_a 1.012 is the largest of its siblings", no_share);
    assert_wrong("ok 7 - core 1 be.x tma_a -0.012 in [-1.000, 1.010]", no_share);
    assert_wrong("ok 7 - core 1 be.x tma_a 7910.000 is the largest of level 1", no_share);
    assert_wrong("ok 7 - core 1 be.x tma_a 1.500 is above 0, without siblings", no_share);
    assert_wrong("not ok 7 - core 1 be.x tma_a 1.500 is the largest of level 1", NULL);
    assert_wrong("ok 7 - core 1 be.x INST_RETIRED.ANY 7910 in [7910, 7910]", NULL);
}

/* 3/255 twice is 0.024. */
static void bytes_of_perf_metrics_add_their_steps(void **state)
{
    (void)state;
    record("{\"type\":\"topdown\",\"core\":1,\"kernel\":\"be.x\",\"method\":\"perf_metrics\","
           "\"part\":1,\"nodes\":{\"tma_a\":1.03}}");
    assert_wrong("ok 7 - core 1 be.x tma_a 1.035 is the largest of level 1", NULL);
    assert_wrong("ok 7 - core 1 be.x tma_a 1.036 is the largest of level 1", no_share);
}

static void a_node_without_a_value_is_in_no_verdict_that_holds(void **state)
{
    (void)state;
    assert_wrong("ok 7 - core 1 be.x tma_b 0.500 is the largest of level 1", no_value);
    assert_wrong("ok 7 - core 1 be.x tma_a 0.500 is the largest of level 1", NULL);
    assert_wrong("ok 7 - core 0 be.x tma_b 0.500 is the largest of level 1", NULL); /* unknown */
}

static void a_node_is_compared_with_another(void **state)
{
    (void)state;
    assert_wrong(
        "ok 7 - core 1 be.x tma_a 0.5 is the largest of its siblings; 1 of 2 have no value", alone);
    assert_wrong(
        "ok 7 - core 1 be.x tma_a 0.5 is the largest of its siblings; 1 of 3 have no value", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_value_beyond_the_tolerance_is_no_share, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(bytes_of_perf_metrics_add_their_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_node_without_a_value_is_in_no_verdict_that_holds, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_node_is_compared_with_another, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
