/* Profiles of simulated kernels whose every cycle and execution is known: without bias, with errors
 * that fall as the samples grow in number, and with intervals that hold the truth. */
#include "tests/unit/cmocka_all.h"

#include <string.h>
#include <stdlib.h>

#include "harness/profile/profile_error.h"
#include "tests/unit/profile/walker.h"

enum way {
    WAY_FLOW,
    WAY_INTERVALS,
    WAY_FLOW_FIXED,
    WAY_CLASSIC,
    WAY_RECORDS,
    WAYS,
};

static struct walker walker;
static uint64_t result_memory[1 << 18];
static struct profile profile;
static struct walker_truth truth[DRAWN_INSTRUCTIONS];

/* --- kernels --- */

static void weigh(uint32_t from, uint32_t to, double weight)
{
    walker.weight[drawn_edge(&walker.drawn, from, to)] = weight;
}

static void reset(void)
{
    memset(&walker, 0, sizeof(walker));
    for (uint32_t e = 0; e < DRAWN_EDGES; e++)
        walker.weight[e] = 1;
    for (uint32_t i = 0; i < DRAWN_INSTRUCTIONS; i++)
        walker.cost[i] = i % 3 == 2 ? 0 : 1; /* the third retires with the second */
    walker.cycles = (struct trigger){.period = 97, .jitter = 255};
    walker.fixed_cycles = (struct trigger){.period = 224};
    walker.fixed_instructions = (struct trigger){.period = 120};
    walker.branches = (struct trigger){.period = 21, .jitter = 63};
    walker.skid = 23;
}

/* A diamond whose arms differ in cost, with one long-latency instruction in the arm that is seldom
 * taken. */
static void diamond(void)
{
    reset();
    draw_diamond(&walker.drawn);
    weigh(0, 2, 0.3);
    weigh(0, 1, 0.7);
    weigh(3, 0, 0.999);
    weigh(3, 4, 0.001);
    walker.cost[4] = 40;
}

/* Two callers of one function with a loop inside. */
static void calls(void)
{
    struct drawn *drawn = &walker.drawn;

    reset();
    draw_begin(drawn, "calls");
    for (uint32_t b = 0; b < 4; b++)
        draw_block(drawn, 3);
    draw_function(drawn, "callee");
    for (uint32_t b = 0; b < 3; b++)
        draw_block(drawn, 2 + b);
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(drawn, 0, 4, MAP_CALL);
    draw_edge(drawn, 6, 1, MAP_RETURN);
    draw_edge(drawn, 1, 0, MAP_CONDITIONAL);
    draw_edge(drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(drawn, 2, 4, MAP_CALL);
    draw_edge(drawn, 6, 3, MAP_RETURN);
    draw_edge(drawn, 3, 0, MAP_JUMP);
    draw_edge(drawn, 3, OUTSIDE, MAP_RETURN);
    draw_edge(drawn, 4, 5, MAP_FALL_THROUGH);
    draw_edge(drawn, 5, 5, MAP_CONDITIONAL);
    draw_edge(drawn, 5, 6, MAP_FALL_THROUGH);
    weigh(1, 0, 0.6);
    weigh(1, 2, 0.4);
    weigh(3, 0, 0.99);
    weigh(3, OUTSIDE, 0.01);
    weigh(5, 5, 0.8);
    weigh(5, 6, 0.2);
    walker.cost[9] = 17;
    walker.cost[20] = 5;
}

/* A loop of 64 cycles that never varies: 64 divides the period of 1024. */
static void metronome(void)
{
    struct drawn *drawn = &walker.drawn;

    reset();
    draw_begin(drawn, "metronome");
    draw_block(drawn, 16);
    draw_block(drawn, 16);
    draw_block(drawn, 1);
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    draw_edge(drawn, 0, 1, MAP_JUMP);
    draw_edge(drawn, 1, 0, MAP_CONDITIONAL);
    draw_edge(drawn, 1, 2, MAP_FALL_THROUGH);
    draw_edge(drawn, 2, OUTSIDE, MAP_RETURN);
    weigh(1, 2, 0);
    for (uint32_t i = 0; i < 33; i++)
        walker.cost[i] = 2;
    walker.cycles.period = walker.fixed_cycles.period = 1024;
}

/* --- profiles --- */

static struct profile_method method_of(enum way way)
{
    const struct profile_method methods[WAYS] = {
        {"cfg", EXECUTIONS_FLOW, CYCLES_ADDRESSES, &walker.random_at, 0, &walker.stacks, 0, false,
         0, 0, 0},
        {"interval", EXECUTIONS_INTERVALS, CYCLES_ADDRESSES, &walker.random_at, 0, &walker.stacks,
         0, false, 0, 0, 0},
        {"fixed", EXECUTIONS_FLOW, CYCLES_ADDRESSES, &walker.fixed_at, 0, &walker.stacks, 0, false,
         0, 0, 0},
        {"classic", EXECUTIONS_ADDRESSES, CYCLES_ADDRESSES, &walker.fixed_at,
         &walker.instructions_at, 0, 0, false, 0, 0, 0},
        {"records", EXECUTIONS_INTERVALS, CYCLES_BRANCH_RECORDS, 0, 0, &walker.stacks, 0, false, 0,
         0, 0},
    };

    return methods[way];
}

/* Walks long enough for about that many samples of each kind. */
static void sample(uint64_t seed, uint64_t samples)
{
    const uint64_t period = walker.cycles.period + walker.cycles.jitter / 2 + walker.skid;

    walker_begin(&walker, seed, samples, 16);
    walker_walk(&walker, samples * period);
}

static void make(enum way way)
{
    const struct profile_method method = method_of(way);
    const struct profile_totals totals = walker_totals(&walker);
    struct words words = {result_memory, sizeof(result_memory) / 8};

    assert_true(profile_make(&profile, &walker.drawn.map, &method, &totals, &words));
    if (profile.reason)
        print_message("# %s\n", profile.reason);
    assert_null(profile.reason);
}

/* The sum of true instructions x |CPI - true CPI|, over all cycles. No estimate is a CPI of 0. */
static double cpi_error(enum profile_level level)
{
    double cycles = 0, off = 0;

    walker_truth(&walker, &profile, level, truth);
    for (uint32_t i = 0; i < profile.count[level]; i++) {
        const struct estimated *cpi = &profile.entries[level][i].cpi;

        cycles += truth[i].cycles;
        off += fabs((cpi->reason ? 0 : cpi->value) * truth[i].instructions - truth[i].cycles);
    }
    assert_true(cycles > 0);
    return off / cycles;
}

static double executions_error(enum profile_level level)
{
    double instructions[DRAWN_INSTRUCTIONS], error, unknown;

    walker_truth(&walker, &profile, level, truth);
    for (uint32_t i = 0; i < profile.count[level]; i++)
        instructions[i] = truth[i].instructions;
    assert_null(profile_error(&error, &unknown, &profile, level, instructions));
    return error;
}

/* --- claims --- */

typedef void kernel(void);
static kernel *const kernels[] = {diamond, calls};
#define KERNELS 2

/* The bounds for 100,000 samples; and a counter of instructions overflows anywhere, but its
 * interrupt finds what takes long. */
static void bounds_are_met_where_the_classic_way_is_five_times_worse(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KERNELS; k++) {
        double full = 0;

        kernels[k]();
        sample(k + 1, 100000);
        for (enum way way = WAY_FLOW; way <= WAY_INTERVALS; way++) {
            make(way);
            full = cpi_error(PROFILE_INSTRUCTION);
            print_message("# %s %s: blocks %.5f, CPI %.5f %.5f %.5f\n", walker.drawn.map.kernel,
                          profile.method, executions_error(PROFILE_BLOCK), full,
                          cpi_error(PROFILE_BLOCK), cpi_error(PROFILE_FUNCTION));
            assert_true(executions_error(PROFILE_BLOCK) < 0.01);
            assert_true(full < 0.03);
            assert_true(cpi_error(PROFILE_BLOCK) < 0.02);
            assert_true(cpi_error(PROFILE_FUNCTION) < 0.01);
        }
        make(WAY_CLASSIC);
        print_message("# %s classic: CPI %.4f\n", walker.drawn.map.kernel,
                      cpi_error(PROFILE_INSTRUCTION));
        assert_true(cpi_error(PROFILE_INSTRUCTION) > 5 * full);
    }
}

/* Ten times the samples, 3.16 times less error. */
static void the_error_falls_with_the_root_of_the_samples(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KERNELS; k++) {
        double before = 0;

        kernels[k]();
        for (uint64_t samples = 100; samples <= 10000; samples *= 10) {
            const unsigned runs = samples == 10000 ? 8 : 25;
            double error = 0;

            for (unsigned run = 0; run < runs; run++) {
                sample(run + 1, samples);
                make(WAY_FLOW);
                error += cpi_error(PROFILE_INSTRUCTION) / runs;
            }
            print_message("# %s %lu samples: %.5f\n", walker.drawn.map.kernel,
                          (unsigned long)samples, error);
            if (before > 0)
                assert_true(before / error > 2.3 && before / error < 4.3);
            before = error;
        }
    }
}

/* Estimates of one number in many runs: how they lie about the truth. */
struct tries {
    double sum, squares;
    unsigned all, held;
};

static void try_instructions(enum way way, struct tries *tries)
{
    make(way);
    walker_truth(&walker, &profile, PROFILE_INSTRUCTION, truth);
    for (uint32_t i = 0; i < profile.count[PROFILE_INSTRUCTION]; i++) {
        const struct estimated *cpi = &profile.entries[PROFILE_INSTRUCTION][i].cpi;
        const double is = truth[i].cycles / truth[i].instructions;

        if (truth[i].instructions < 500 || truth[i].cycles <= 0)
            continue;
        assert_null(cpi->reason);
        tries[i].sum += cpi->value - is;
        tries[i].squares += (cpi->value - is) * (cpi->value - is);
        tries[i].held += cpi->low <= is && is <= cpi->high;
        tries[i].all++;
    }
}

/* How many standard errors the mean of the estimates is off the truth. */
static double bias_of(const struct tries *tries)
{
    return fabs(tries->sum) / sqrt(tries->squares);
}

/* The mean of 100 estimates is off by no more than its standard error says, and 95 % of the
 * intervals hold the truth; of some thousand that depend on each other, 92 to 99 %. */
static void estimates_are_not_biased_and_their_intervals_hold_the_truth(void **state)
{
    static struct tries tries[WAY_INTERVALS + 1][DRAWN_INSTRUCTIONS];

    (void)state;
    for (unsigned k = 0; k < KERNELS; k++) {
        memset(tries, 0, sizeof(tries));
        kernels[k]();
        for (unsigned run = 0; run < 100; run++) {
            sample(run + 1, 1600);
            for (enum way way = WAY_FLOW; way <= WAY_INTERVALS; way++)
                try_instructions(way, tries[way]);
        }
        for (enum way way = WAY_FLOW; way <= WAY_INTERVALS; way++) {
            unsigned held = 0, all = 0;

            for (uint32_t i = 0; i < profile.count[PROFILE_INSTRUCTION]; i++) {
                assert_true(!tries[way][i].all || bias_of(&tries[way][i]) < 4);
                held += tries[way][i].held;
                all += tries[way][i].all;
            }
            print_message("# %s: %u of %u intervals\n", walker.drawn.map.kernel, held, all);
            assert_true(held > 0.92 * all && held < 0.99 * all);
        }
    }
}

/* Every sample of the fixed period meets the same few instructions of 32. */
static void a_fixed_period_aliases_and_a_random_one_does_not(void **state)
{
    (void)state;
    metronome();
    walker.skid = 0;
    sample(1, 10000);
    make(WAY_FLOW_FIXED);
    assert_true(cpi_error(PROFILE_INSTRUCTION) > 1);
    make(WAY_FLOW);
    assert_true(cpi_error(PROFILE_INSTRUCTION) < 0.06);
}

/* The stack freezes with the interrupt, 40 cycles after the overflow: the records of these cycles
 * belong to whatever takes long. */
static void records_after_the_overflow_make_intervals_wrong(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 3; way++) {
        diamond();
        walker.skid = 40;
        walker.ignore_newer = way == 0;
        walker.freeze_at_overflow = way == 2;
        sample(5, 10000);
        make(WAY_INTERVALS);
        print_message("# %.4f\n", executions_error(PROFILE_BLOCK));
        if (way == 0)
            assert_true(executions_error(PROFILE_BLOCK) > 0.05);
        else
            assert_true(executions_error(PROFILE_BLOCK) < 0.01);
    }
}

/* The interrupt starts the next period, so that a fixed one would begin where time is spent. */
static void a_fixed_period_of_branches_makes_intervals_wrong(void **state)
{
    (void)state;
    diamond();
    walker.skid = 40;
    walker.branches = (struct trigger){.period = 53};
    sample(5, 10000);
    make(WAY_INTERVALS);
    assert_true(executions_error(PROFILE_BLOCK) > 0.02);
}

/* Both blocks of the metronome end with a taken branch: 16 instructions of 2 cycles each. */
static void branch_records_time_blocks_between_taken_branches(void **state)
{
    (void)state;
    metronome();
    sample(1, 200);
    make(WAY_RECORDS);
    for (uint32_t b = 0; b < 2; b++) {
        const struct profile_entry *block = &profile.entries[PROFILE_BLOCK][b];

        assert_null(block->cpi.reason);
        assert_near(block->cpi.value, 2, 1e-4);
        assert_near(block->split, 0, 0);
    }
    assert_string_equal(profile.entries[PROFILE_INSTRUCTION][0].cpi.reason,
                        "branch records have cycles of whole blocks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_met_where_the_classic_way_is_five_times_worse),
        cmocka_unit_test(the_error_falls_with_the_root_of_the_samples),
        cmocka_unit_test(estimates_are_not_biased_and_their_intervals_hold_the_truth),
        cmocka_unit_test(a_fixed_period_aliases_and_a_random_one_does_not),
        cmocka_unit_test(records_after_the_overflow_make_intervals_wrong),
        cmocka_unit_test(a_fixed_period_of_branches_makes_intervals_wrong),
        cmocka_unit_test(branch_records_time_blocks_between_taken_branches),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, 0, 0);
}
