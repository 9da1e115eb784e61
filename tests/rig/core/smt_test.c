/* Two threads of one core share its resources. Expected figures come from the resource that limits
 * the loop: what each of two users gets if it is shared evenly, and what one user gets alone. */
#include <stdio.h>

#include "core/cycle/smt.h"
#include "smt_test.h"

#define WARM   40000u
#define CYCLES 100000u

/* One multiplication a cycle, on one port: 64 independent multiplications (imul r, r, 3 on four
 * registers, latency three, so the port limits a thread that runs alone). */
static void multiplies(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 16; i++) {
        plain(bench, CODE("\x6b\xc3\x03")); /* imul eax, ebx, 3 */
        plain(bench, CODE("\x6b\xcb\x03")); /* imul ecx, ebx, 3 */
        plain(bench, CODE("\x6b\xd3\x03")); /* imul edx, ebx, 3 */
        plain(bench, CODE("\x6b\xf3\x03")); /* imul esi, ebx, 3 */
    }
    loop_back(bench);
}

/* A chain: one multiplication every three cycles. */
static void chain(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 64; i++)
        plain(bench, CODE("\x48\x0f\xaf\xc0")); /* imul rax, rax */
    loop_back(bench);
}

/* Nothing to execute: the allocator is the limit. */
static void nops(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 64; i++)
        plain(bench, NOP);
    loop_back(bench);
}

/* A load of a line that no cache has; its address is the result of the load before. */
static void chase(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 2; i++) {
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + bench->next_line); /* mov rax, [rax] */
        bench->next_line = (bench->next_line + 4 * KIB + LINE) % (256u * MIB) |
                           (bench->next_line & (UINT64_C(256) << 20));
    }
    loop_back(bench);
}

/* A chain of divisions. */
static void divisions(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        plain(bench, CODE("\x66\x0f\x5e\xc1")); /* divpd xmm0, xmm1 */
    loop_back(bench);
}

/* Half of the tosses are mispredicted. */
static void tosses(struct bench *bench, unsigned turn)
{
    const bool taken = next_random(bench) >> 20 & 1;

    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        plain(bench, NOP);
    plain(bench, CODE("\xa8\x01"));
    goes(bench, CODE("\x75\x04"), taken ? 4 : 0);
    if (!taken)
        plain(bench, NOP);
    loop_back(bench);
}

/* Code that no uop cache can hold: seven-byte instructions, fetched at 16 bytes a cycle. */
static void decodes(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 60; i++)
        plain(bench, CODE("\x0f\x1f\x80\x00\x00\x00\x00")); /* nop [rax+0], 7 bytes */
    if (++bench->next_line % 50 == 0)
        loop_back(bench);
}

static double alone(const struct model_parameters *parameters, body *run)
{
    struct pair pair;
    double rate;

    pair_begin(&pair, parameters, run, NULL);
    pair_measure(&pair, WARM);
    pair_measure(&pair, CYCLES);
    rate = pair.per_cycle[0];
    pair_end(&pair);
    return rate;
}

static void check_pair_of(const struct model_parameters *core, const char *what, body *first,
                          body *second, double first_part, double second_part, double off)
{
    const double a = alone(core, first), b = alone(core, second);
    struct pair pair;

    pair_begin(&pair, core, first, second);
    pair_measure(&pair, WARM);
    pair_measure(&pair, CYCLES);
    check_near(what, core->name, pair.per_cycle[0] / a, first_part, off);
    check_near(what, core->name, pair.per_cycle[1] / b, second_part, off);
    pair_end(&pair);
}

static void check_pair(const char *what, body *first, body *second, double first_part,
                       double second_part, double off)
{
    for (unsigned i = 0; i < CORES; i++)
        check_pair_of(cores[i], what, first, second, first_part, second_part, off);
}

static void one_port_is_shared_evenly(void **state)
{
    (void)state;
    check_pair("multiplies", multiplies, multiplies, 0.5, 0.5, 0.03);
}

static void two_chains_run_at_full_speed(void **state)
{
    (void)state;
    check_pair("chains", chain, chain, 1, 1, 0.03);
    check_pair("divisions", divisions, divisions, 1, 1, 0.03);
}

static void misses_of_two_threads_overlap(void **state)
{
    (void)state;
    check_pair("chases", chase, chase, 1, 1, 0.05);
}

static void the_allocator_alternates(void **state)
{
    (void)state;
    check_pair("nops", nops, nops, 0.5, 0.5, 0.03);
}

static void the_decoders_alternate(void **state)
{
    (void)state;
    /* Ice Lake's second thread loses 3.4 %: turns of the front end that it left to the first
     * thread, which did not use them. */
    for (unsigned i = 0; i < CORES; i++) {
        const double each = cores[i]->fetch_bytes / 7.0 / THREADS;
        struct pair pair;

        pair_begin(&pair, cores[i], decodes, decodes);
        pair_measure(&pair, WARM);
        pair_measure(&pair, CYCLES);
        check_near("decoded by the first", cores[i]->name, pair.per_cycle[0], each, 0.05 * each);
        check_near("decoded by the second", cores[i]->name, pair.per_cycle[1], each, 0.05 * each);
        pair_end(&pair);
    }
}

static void a_stalled_thread_leaves_its_turns(void **state)
{
    (void)state;
    check_pair("nops with a chase", nops, chase, 1, 1, 0.05);
    /* A multiplication of the chain begins every three cycles. As many as have room in a cycle of
     * the allocator take it together. */
    for (unsigned i = 0; i < CORES; i++) {
        const unsigned together = cores[i]->allocates_groups ? cores[i]->width : 1;

        check_pair_of(cores[i], "nops with a chain", nops, chain, 1 - 1.0 / (3 * together), 1,
                      0.03);
    }
    check_pair("tosses", tosses, tosses, 0.9, 0.9, 0.1);
}

static double of_core(const struct pair *pair, unsigned a, unsigned b)
{
    const double slots = (double)pair->thread[0].parameters->width * (double)pair->cycles;

    return (double)(pair->truth[0].slots[a] + pair->truth[0].slots[b] + pair->truth[1].slots[a] +
                    pair->truth[1].slots[b]) /
           slots;
}

static double both(const struct pair *pair, enum signal signal)
{
    return (double)(pair->sum[0][signal] + pair->sum[1][signal]);
}

/* Skylake's formulas of level 1 with #SMT_on and without #EBS_Mode (perfmon, SKX): counts of
 * both threads, core clocks half of THREAD_ANY, recovery half of RECOVERY_CYCLES_ANY. */
static void check_formulas(const char *what, const struct pair *pair)
{
    const struct model_parameters *core = pair->thread[0].parameters;
    const double width = core->width;
    const double slots = width * (double)pair->cycles;
    const double frontend = both(pair, SIG_FE_UNDELIVERED) / slots;
    const double issued = both(pair, SIG_UOPS_ISSUED) / slots;
    const double retiring = both(pair, SIG_UOPS_RETIRED) / slots;
    const double recovery = both(pair, SIG_RECOVERY) * width / slots;
    const double bad = issued - retiring + recovery;

    check_near(what, "frontend bound", frontend,
               of_core(pair, CAUSE_FETCH_LATENCY, CAUSE_FETCH_BANDWIDTH), LEVEL1_OFF);
    check_near(what, "retiring", retiring,
               of_core(pair, CAUSE_LIGHT_OPERATIONS, CAUSE_HEAVY_OPERATIONS), LEVEL1_OFF);
    check_near(what, "bad speculation", bad,
               of_core(pair, CAUSE_BRANCH_MISPREDICTS, CAUSE_MACHINE_CLEARS), LEVEL1_OFF);
    check_near(what, "backend bound", 1 - frontend - issued - recovery,
               of_core(pair, CAUSE_MEMORY_BOUND, CAUSE_CORE_BOUND), LEVEL1_OFF);
}

static const struct {
    const char *name;
    body *run;
} loops[] = {
    {"multiplies", multiplies}, {"chain", chain},   {"nops", nops},       {"chase", chase},
    {"divisions", divisions},   {"tosses", tosses}, {"decodes", decodes},
};
#define LOOPS (sizeof(loops) / sizeof(*loops))

/* Every pair of loops. The slots of each thread add up to width times its cycles, and the slots
 * of both threads without the node SIBLING add up to width times the core's cycles. */
static void all_slots_have_one_cause_and_one_thread(void **state)
{
    (void)state;
    for (unsigned n = 0; n < CORES * LOOPS * LOOPS; n++) {
        const struct model_parameters *core = cores[n / (LOOPS * LOOPS)];
        const unsigned a = n / LOOPS % LOOPS, b = n % LOOPS;
        uint64_t without_sibling = 0;
        char what[64];
        struct pair pair;

        snprintf(what, sizeof(what), "%s: %s, %s", core->name, loops[a].name, loops[b].name);
        pair_begin(&pair, core, loops[a].run, loops[b].run);
        pair_measure(&pair, WARM / 2);
        pair_measure(&pair, CYCLES / 2);
        for (unsigned i = 0; i < THREADS; i++) {
            uint64_t sum = 0, waited = 0;

            for (unsigned cause = 0; cause < CAUSE_COUNT; cause++) {
                sum += pair.truth[i].slots[cause];
                waited += pair.truth[i].waited[cause];
            }
            assert_true(waited <= pair.truth[i].slots[CAUSE_SIBLING]);
            assert_int_equal(sum, pair.truth[i].cycles * core->width);
            without_sibling += sum - pair.truth[i].slots[CAUSE_SIBLING];
            assert_int_equal(pair.truth[i].slots[CAUSE_LIGHT_OPERATIONS] +
                                 pair.truth[i].slots[CAUSE_HEAVY_OPERATIONS],
                             pair.truth[i].uops_retired);
            assert_int_equal(pair.sum[i][SIG_ALLOCATOR] * core->width,
                             sum - pair.truth[i].slots[CAUSE_SIBLING]);
            assert_int_equal(pair.sum[i][SIG_FE_LATENCY_SLOTS],
                             pair.truth[i].slots[CAUSE_FETCH_LATENCY]);
            assert_int_equal(pair.sum[i][SIG_BE_MEMORY_SLOTS],
                             pair.truth[i].slots[CAUSE_MEMORY_BOUND]);
        }
        /* Slots that a thread left to the other thread after the end of its window belong to
         * neither. */
        check_near(what, "slots of a core",
                   (double)without_sibling / (double)(pair.cycles * core->width), 1, 0.001);
        if (core == &skylakex_core)
            check_formulas(what, &pair);
        pair_end(&pair);
    }
}

/* A chain has room for a uop in every third cycle. Of the other two, which NOPs have, it may spend
 * one waiting for its turn; in the rest its scheduler is full: it waits for the core. */
static void cycles_of_the_other_thread_have_a_reason(void **state)
{
    (void)state;
    for (unsigned n = 0; n < CORES; n++) {
        uint64_t waited = 0;
        struct pair pair;

        pair_begin(&pair, cores[n], chain, nops);
        pair_measure(&pair, WARM);
        pair_measure(&pair, CYCLES);
        for (unsigned cause = 0; cause < CAUSE_COUNT; cause++)
            waited += pair.truth[0].waited[cause];
        assert_true(2 * waited >= pair.truth[0].slots[CAUSE_SIBLING]);
        check_near(cores[n]->name, "a chain waits for the core",
                   (double)pair.truth[0].waited[CAUSE_CORE_BOUND] / (double)waited, 1, 0.01);
        pair_end(&pair);
    }
}

/* With the other thread halted, all signals of a loop are the same as on a core of one thread. */
static void a_halted_thread_gives_its_half_back(void **state)
{
    (void)state;
    for (unsigned n = 0; n < CORES * LOOPS; n++) {
        struct pair pair;
        struct bench bench;
        uint64_t sum[SIGNAL_COUNT];

        begin(&bench, cores[n / LOOPS]);
        pair_begin(&pair, cores[n / LOOPS], loops[n % LOOPS].run, NULL);
        bench.random = pair.thread[0].random;
        restart(&bench);
        restart(&pair.thread[0]);
        for (unsigned i = 0; i < 500; i++) {
            loops[n % LOOPS].run(&bench, 0);
            pair_turn(&pair);
        }
        model_drain(bench.model);
        model_drain(pair.thread[0].model);
        memcpy(sum, pair.thread[0].sum, sizeof(sum));
        assert_int_equal(model_now(bench.model), model_now(pair.thread[0].model));
        assert_memory_equal(sum, bench.sum, sizeof(sum));
        end(&bench);
        pair_end(&pair);
    }
}

/* A thread that halts leaves the core to the other thread, and takes its share again when it
 * wakes. */
static void a_thread_that_wakes_takes_its_share_again(void **state)
{
    (void)state;
    for (unsigned n = 0; n < CORES; n++) {
        const double whole = alone(cores[n], nops);
        struct pair pair;

        pair_begin(&pair, cores[n], nops, nops);
        pair_measure(&pair, WARM);
        for (unsigned round = 0; round < 3; round++) {
            pair_measure(&pair, CYCLES / 2);
            check_near("both", cores[n]->name, pair.per_cycle[0], whole / 2, 0.03 * whole);
            check_near("both", cores[n]->name, pair.per_cycle[1], whole / 2, 0.03 * whole);
            pair_settle(&pair);
            model_running(pair.thread[1].model, false);
            pair.halted[1] = true;
            pair_measure(&pair, CYCLES / 2);
            check_near("one", cores[n]->name, pair.per_cycle[0], whole, 0.01 * whole);
            assert_int_equal(pair.truth[1].cycles, 0);
            assert_int_equal(pair.truth[0].slots[CAUSE_SIBLING], 0);
            model_running(pair.thread[1].model, true);
            pair.halted[1] = false;
        }
        pair_end(&pair);
    }
}

/* A program that accounts for all of its instructions again and again (a call of the firmware does)
 * must not run away from the other thread. */
static void a_slice_ends_when_its_thread_is_far_ahead(void **state)
{
    unsigned turns = 0;
    struct pair pair;

    (void)state;
    pair_begin(&pair, cores[0], nops, nops);
    for (; turns < 100000 && !model_slice_over(pair.thread[0].model, 0); turns++) {
        pair.run[0](&pair.thread[0], 0);
        model_sync(pair.thread[0].model);
    }
    assert_in_range(turns, 10, 99999);
    assert_false(model_slice_over(pair.thread[1].model, 0));
    pair_end(&pair);
}

/* What the last cycles of a halted thread held back does not grow with what the other one runs. */
static void a_thread_alone_keeps_no_log(void **state)
{
    struct pair pair;

    (void)state;
    pair_begin(&pair, cores[0], divisions, chase);
    for (unsigned i = 0; i < 1000; i++)
        pair_turn(&pair);
    model_running(pair.thread[0].model, false);
    pair.halted[0] = true;
    for (unsigned i = 0; i < 1000; i++)
        pair.run[1](&pair.thread[1], 0); /* and nothing asks for the cycles */
    assert_true(pair.thread[0].model->time.now < pair.thread[1].model->time.now);
    assert_false(is_shared(pair.thread[1].model->smt));
    pair_end(&pair);
}

/* A thread alone is warmed, as a core of one thread is; from the cycle on in which the other one
 * wakes, both are simulated, observed or not. */
static void an_unobserved_thread_shares_again(void **state)
{
    (void)state;
    for (unsigned n = 0; n < CORES; n++) {
        const double whole = alone(cores[n], nops);
        enum observation observed = OBSERVED_LATER;
        struct pair pair;

        pair_begin(&pair, cores[n], nops, nops);
        for (unsigned i = 0; i < THREADS; i++)
            model_observed(pair.thread[i].model, &observed);
        pair_measure(&pair, WARM);
        for (unsigned round = 0; round < 3; round++) {
            observed = OBSERVED_LATER;
            pair_settle(&pair);
            model_running(pair.thread[1].model, false);
            pair.halted[1] = true;
            pair_measure(&pair, CYCLES / 2);
            assert_int_equal(pair.truth[0].cycles, 0);
            assert_true(pair.sum[0][SIG_UNHALTED] >= CYCLES / 2);
            assert_int_equal(pair.sum[0][SIG_ALONE], pair.sum[0][SIG_UNHALTED]);
            model_running(pair.thread[1].model, true);
            pair.halted[1] = false;
            observed = round > 0 ? OBSERVED_NOW : OBSERVED_LATER;
            pair_measure(&pair, CYCLES / 2);
            check_near("both", cores[n]->name, pair.per_cycle[0], whole / 2, 0.03 * whole);
            check_near("both", cores[n]->name, pair.per_cycle[1], whole / 2, 0.03 * whole);
        }
        pair_end(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_port_is_shared_evenly),
        cmocka_unit_test(two_chains_run_at_full_speed),
        cmocka_unit_test(misses_of_two_threads_overlap),
        cmocka_unit_test(the_allocator_alternates),
        cmocka_unit_test(the_decoders_alternate),
        cmocka_unit_test(a_stalled_thread_leaves_its_turns),
        cmocka_unit_test(a_halted_thread_gives_its_half_back),
        cmocka_unit_test(a_thread_that_wakes_takes_its_share_again),
        cmocka_unit_test(a_slice_ends_when_its_thread_is_far_ahead),
        cmocka_unit_test(a_thread_alone_keeps_no_log),
        cmocka_unit_test(an_unobserved_thread_shares_again),
        cmocka_unit_test(all_slots_have_one_cause_and_one_thread),
        cmocka_unit_test(cycles_of_the_other_thread_have_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
