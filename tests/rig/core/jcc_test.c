/* "Mitigations for Jump Conditional Code Erratum" (Intel, 341810-001): with the microcode update
 * the uop cache of processors derived from Skylake keeps no jump that crosses a boundary of 32
 * bytes or ends on one, nor the pair of an instruction and the conditional jump that it fuses
 * with. The legacy decoders deliver the window of 32 bytes in which it begins, each time (A. Abel
 * and J. Reineke, "uiCA"). */
#include "model_test.h"

#define TURNS 200u
#define PAIR  9u /* bytes of the loop's DEC and JNZ, which fuse */

struct turn {
    unsigned before; /* bytes of NOPs */
    bool jumps;      /* over nothing, with a JMP of 5 bytes, behind the NOPs */
    unsigned after;
};

static void pad(struct bench *bench, unsigned bytes)
{
    for (; bytes >= 4; bytes -= 4)
        plain(bench, NOP);
    for (; bytes > 0; bytes--)
        plain(bench, CODE("\x90"));
}

static void run_turn(struct bench *bench, unsigned turn)
{
    const struct turn *content = bench->argument;

    (void)turn;
    pad(bench, content->before);
    if (content->jumps)
        goes(bench, CODE("\xe9\x00\x00\x00\x00"), 0);
    pad(bench, content->after);
}

/* Uops that the legacy decoders deliver in a turn of the steady loop. */
static double decoded(const struct model_parameters *core, struct turn content)
{
    struct bench bench;
    double uops;

    begin(&bench, core);
    bench.argument = &content;
    turns(&bench, run_turn, 0, TURNS);
    restart(&bench);
    turns(&bench, run_turn, TURNS, TURNS);
    model_drain(bench.model);
    uops = (double)bench.sum[SIG_MITE_UOPS] / TURNS;
    end(&bench);
    return uops;
}

/* By hand: a jump that begins at byte `begin` of the page and has its last byte at `end` - 1
 * touches two blocks of 32 bytes or ends on the boundary between them. */
static bool touches(unsigned begin, unsigned end)
{
    return end % 32 < end - begin;
}

/* By hand: NOPs of the loop that begin in the 32 bytes of byte `at`, where the NOPs end: they are
 * of four bytes as long as four are left. */
static unsigned nops_beside(unsigned at)
{
    const unsigned four = at / 4, from = at / 32 * 32;

    return four - (from + 3) / 4 + at % 4;
}

static void check_decoded(struct turn content, double uops)
{
    check_near("decoded uops", "skylakex", decoded(&skylakex_core, content), uops, 0.1);
}

static void the_window_of_a_fused_pair_at_a_boundary_is_decoded_each_time(void **state)
{
    (void)state;
    for (unsigned at = 15; at < 60; at++)
        check_decoded((struct turn){.before = at},
                      touches(at, at + PAIR) ? nops_beside(at) + 1 : 0);
}

/* The windows before and behind are in the uop cache. */
static void so_is_that_of_a_jump(void **state)
{
    (void)state;
    check_decoded((struct turn){58, true, 8}, 0);         /* in bytes 58 to 62 */
    check_decoded((struct turn){59, true, 8}, 6 + 3 + 1); /* 59 to 63: ends on 64 */
    check_decoded((struct turn){63, true, 8}, 7 + 3 + 1);
    check_decoded((struct turn){64, true, 8}, 0);
}

static void other_processors_keep_them(void **state)
{
    (void)state;
    for (unsigned at = 15; at < 40; at++)
        assert_true(decoded(&icelakex_core, (struct turn){.before = at}) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_of_a_fused_pair_at_a_boundary_is_decoded_each_time),
        cmocka_unit_test(so_is_that_of_a_jump),
        cmocka_unit_test(other_processors_keep_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
