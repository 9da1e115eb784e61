/* Two threads of one core: who gets what. Expected figures are those of the resource that binds:
 * what two users of one thing have of it when it is shared out evenly, and what one has of it alone.
 */
#include "model_smt_test.h"

#define WARM   40000u
#define CYCLES 100000u

/* One multiplication a cycle, from one port: 64 independent ones (imul r, r, 3 on four registers,
 * latency three, so a thread alone is bound by the port). */
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

/* Nothing to execute: the allocator binds. */
static void nops(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 64; i++)
        plain(bench, NOP);
    loop_back(bench);
}

/* A load of a line that nobody has, whose address is the last one's result. */
static void chase(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 8; i++) {
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + bench->next_line); /* mov rax, [rax] */
        bench->next_line = (bench->next_line + 4 * KIB + LINE) % (256u * MIB) |
                           (bench->next_line & (UINT64_C(256) << 20));
    }
    loop_back(bench);
}

/* A chain of divisions. */
static void divides(struct bench *bench, unsigned turn)
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

/* Code beyond every cache of decoded code: 16 bytes a cycle of seven-byte instructions. */
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

static void check_pair(const char *what, body *first, body *second, double first_part,
                       double second_part, double off)
{
    for (unsigned i = 0; i < CORES; i++) {
        struct pair pair;
        double a = alone(cores[i], first), b = alone(cores[i], second);

        pair_begin(&pair, cores[i], first, second);
        pair_measure(&pair, WARM);
        pair_measure(&pair, CYCLES);
        print_message("%s %s: alone %.3f %.3f, together %.3f %.3f (%.3f %.3f)\n", what,
                      cores[i]->name, a, b, pair.per_cycle[0], pair.per_cycle[1],
                      pair.per_cycle[0] / a, pair.per_cycle[1] / b);
        check_near(what, cores[i]->name, pair.per_cycle[0] / a, first_part, off);
        check_near(what, cores[i]->name, pair.per_cycle[1] / b, second_part, off);
        pair_end(&pair);
    }
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
    check_pair("divisions", divides, divides, 1, 1, 0.03);
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
    for (unsigned i = 0; i < CORES; i++) {
        const double each = cores[i]->fetch_bytes / 7.0 / THREADS;
        struct pair pair;

        pair_begin(&pair, cores[i], decodes, decodes);
        pair_measure(&pair, WARM);
        pair_measure(&pair, CYCLES);
        check_near("decoded by the first", cores[i]->name, pair.per_cycle[0], each, 0.03 * each);
        check_near("decoded by the second", cores[i]->name, pair.per_cycle[1], each, 0.03 * each);
        pair_end(&pair);
    }
}

static void a_stalled_thread_leaves_its_turns(void **state)
{
    (void)state;
    check_pair("nops beside a chase", nops, chase, 1, 1, 0.05);
    /* The chain's multiplications come one by one, and each takes a cycle of the allocator. */
    check_pair("nops beside a chain", nops, chain, 2.0 / 3, 1, 0.03);
    check_pair("tosses", tosses, tosses, 0.9, 0.9, 0.1);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
