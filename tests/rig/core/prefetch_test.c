/* The prefetchers of L2 and their switches (Optimization Reference Manual, "Data Prefetching"; SDM
 * 4, MSR_MISC_FEATURE_CONTROL): bit 0 switches off streams, bit 1 the adjacent line. */
#include "model_test.h"

#define STREAM   2u /* the bits that leave only one prefetcher on */
#define ADJACENT 1u
#define NOTHING  3u

#define LOADS 64u

struct steps {
    unsigned step;  /* lines from one load to the next */
    unsigned lines; /* the next round begins after these */
};

/* The address of each load waits for the load before. */
static void run_walk(struct bench *bench, unsigned turn)
{
    const struct steps *walk = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < LOADS; i++) {
        reads(bench, CODE("\x48\x8b\x00"),
              DATA_START + bench->next_line * LINE); /* mov rax, [rax] */
        bench->next_line = (bench->next_line + walk->step) % walk->lines;
    }
}

struct walked {
    double cycles, from_l2, from_memory; /* cycles of a load; shares of all loads */
};

/* Less than a round: 1/16 to warm up, then windows of 1/4 and 2/4. So every line is a new one. */
static struct walked walked(const struct model_parameters *core, struct steps walk, unsigned off)
{
    const unsigned round = walk.lines / walk.step / LOADS;
    struct figures figures;
    struct bench bench;
    double loads;

    begin(&bench, core);
    bench.argument = &walk;
    model_prefetch(bench.model, off);
    figures = measure(&bench, run_walk, round / 16, round / 4);
    end(&bench);
    loads = (double)figures.truth.loads;
    return (struct walked){(double)figures.truth.cycles / loads,
                           (double)figures.sum[SIG_LOADS_L2_HIT] / loads,
                           (double)figures.sum[SIG_LOADS_L3_MISS] / loads};
}

static const struct steps forward = {1, 16 * MIB / LINE};

/* In a new core all prefetchers are off; the machine switches them on, as a reset does. */
static void without_prefetchers_every_line_comes_from_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct walked off = walked(cores[i], forward, NOTHING);

        check_near("a load", cores[i]->name, off.cycles, cores[i]->memory_latency, 5);
        check_near("from memory", cores[i]->name, off.from_memory, 1, 0);
    }
}

/* The second line of a pair comes with the first: half of the loads wait for memory, half take
 * L2's 14 cycles. */
static void the_adjacent_line_serves_every_other_load(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct walked pairs = walked(cores[i], forward, ADJACENT);

        check_near("from L2", cores[i]->name, pairs.from_l2, 0.5, 0.001);
        check_near("a load", cores[i]->name, pairs.cycles, (cores[i]->memory_latency + 14) / 2.0,
                   5);
    }
}

/* The first two lines of a page show the direction, and the third triggers prefetches, which
 * then gain two lines on every load. Of 64 lines at most a few take the whole memory latency, so
 * the mean latency is far below half of it. */
static void a_stream_runs_ahead_within_its_page(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct walked stream = walked(cores[i], forward, STREAM);

        assert_true(stream.cycles < cores[i]->memory_latency / 2.0);
        assert_true(stream.from_memory >= 3.0 / 64);
        assert_true(stream.from_l2 > 0.5);
    }
}

/* One line of every page: there is no stream to learn, and nothing is prefetched beyond a page. */
static void no_stream_leaves_its_page(void **state)
{
    const struct steps pages = {4096 / LINE, 16 * 1024 * 4096 / LINE};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        const struct walked off = walked(cores[i], pages, NOTHING);
        const struct walked stream = walked(cores[i], pages, STREAM);

        assert_true(off.cycles == stream.cycles);
        check_near("from memory", cores[i]->name, stream.from_memory, 1, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_prefetchers_every_line_comes_from_memory),
        cmocka_unit_test(the_adjacent_line_serves_every_other_load),
        cmocka_unit_test(a_stream_runs_ahead_within_its_page),
        cmocka_unit_test(no_stream_leaves_its_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
