/* Signals of things that few instructions do: as often as the instructions are there. */
#include "model_test.h"

extern const struct model_parameters haswell_core, sapphirerapids_core;

#define TURNS 100u

static void run_rare(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\x31\xd2"));         /* xor edx, edx */
    plain(bench, CODE("\xf7\xf1"));         /* div ecx */
    plain(bench, CODE("\x0f\xae\xe8"));     /* lfence */
    plain(bench, CODE("\x0f\xae\xf0"));     /* mfence, which is none */
    plain(bench, CODE("\x66\x0f\xfe\xc1")); /* paddd xmm0, xmm1 */
    plain(bench, CODE("\x66\x0f\xf6\xc1")); /* psadbw xmm0, xmm1 */
    plain(bench, CODE("\x66\x0f\xef\xc1")); /* pxor xmm0, xmm1: neither adds nor subtracts */
    plain(bench, CODE("\xf3\x90"));         /* pause */
}

static void each_is_counted_as_often_as_it_retires(void **state)
{
    static const struct model_parameters *const both[] = {&haswell_core, &sapphirerapids_core};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench bench;

        begin(&bench, both[i]);
        turns(&bench, run_rare, 0, TURNS);
        model_drain(bench.model);
        assert_int_equal(bench.sum[SIG_DIVISIONS], TURNS);
        assert_int_equal(bench.sum[SIG_LFENCES], TURNS);
        assert_int_equal(bench.sum[SIG_INTEGER_VECTORS], 2 * TURNS);
        assert_int_equal(bench.sum[SIG_PAUSES], TURNS);
        /* It pauses that long at least but for what the allocator has left of the cycle. */
        assert_in_range(bench.sum[SIG_PAUSING], TURNS * (both[i]->pause_latency - 1u),
                        TURNS * (both[i]->pause_latency + 1u));
        /* What has retired was delivered: the sequencer wastes nothing without branches. */
        assert_int_equal(bench.sum[SIG_MS_UOPS_RETIRED], bench.sum[SIG_MS_UOPS]);
        end(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_counted_as_often_as_it_retires),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
