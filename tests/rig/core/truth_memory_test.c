/* Memory as a cause of lost slots: lines that come in time, a busy memory, another core's lines. */
#include "truth_shares.h"

/* --- memory that nothing waits for --- */

#define IN_L2 (128 * KIB / 8) /* numbers: more than any L1 and less than any L2 */

/* A sum over numbers in L2: only the additions depend on each other. */
static void run_sum(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40)
    {
        bench->next_line = (bench->next_line + 1) % IN_L2;
        reads(bench, CODE("\xf2\x0f\x10\x03"), DATA_START + 8 * bench->next_line); /* movsd xmm0 */
        plain(bench, CODE("\xf2\x0f\x58\xc8"));                                    /* addsd xmm1 */
    }
}

/* An addition takes four cycles, sixteen slots on Skylake and twenty on Ice Lake, of which it and
 * its load have two. A line from L2 takes 14 cycles and is eight additions ahead. */
static void lines_that_come_in_time_are_no_cause(void **state)
{
    static const double core[CORES] = {14.0 / 16, 18.0 / 20};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct figures figures;
        struct bench bench;

        begin(&bench, cores[i]);
        figures = measure(&bench, run_sum, IN_L2 / 40, IN_L2 / 40);
        assert_true(figures.sum[SIG_LOADS_L2_HIT] > IN_L2 / 9);
        check_near("core bound", cores[i]->name, part(&bench, &figures, NODE_CORE_BOUND), core[i],
                   0.02);
        /* a difference of two measurements, which may be below 0 */
        check_near(
            "memory bound", cores[i]->name,
            share(&bench, (double)(int64_t)figures.truth.nodes[NODE_MEMORY_BOUND], &figures.truth),
            0, 0.02);
        end(&bench);
    }
}

/* --- memory that is busy, lines of another core --- */

/* Eight chains: fewer than there are fill buffers. */
static void run_eight_chases(struct bench *bench, unsigned turn)
{
    static const char loads[8][5] = {
        "\x4d\x8b\x00", "\x4d\x8b\x09",     "\x4d\x8b\x12",     "\x4d\x8b\x1b",
        "\x4d\x8b\x36", "\x4d\x8b\x24\x24", "\x4d\x8b\x6d\x00", "\x4d\x8b\x3f",
    }; /* mov rN, [rN], from r8 to r15 */

    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        reads(bench, (const uint8_t *)loads[i], i == 5 || i == 6 ? 4 : 3,
              DATA_START + ++bench->next_line * (4096 + LINE));
}

/* 800 cycles for eight lines, of which a load's own latency is 240 or 250. */
static void a_busy_memory_is_the_cause(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct model_parameters slow = *cores[i];
        struct figures figures;
        struct bench bench;

        slow.memory_interval = 100;
        begin(&bench, &slow);
        figures = measure(&bench, run_eight_chases, 100, 200);
        assert_true(part(&bench, &figures, NODE_MEM_BANDWIDTH) > 0.9);
        end(&bench);
    }
}

/* Eight lines at a time through two entries: each line waits for three pairs before it, 720
 * cycles. */
static void a_full_queue_is_the_cause(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct model_parameters narrow = *cores[i];
        struct figures figures;
        struct bench bench;

        narrow.superqueue = 2;
        begin(&bench, &narrow);
        figures = measure(&bench, run_eight_chases, 100, 200);
        assert_true(part(&bench, &figures, NODE_SQ_FULL) > 0.9);
        check_near("full", cores[i]->name,
                   (double)figures.sum[SIG_SUPERQUEUE_FULL] / (double)figures.truth.cycles, 1,
                   0.03);
        end(&bench);
    }
}

struct neighbour {
    struct model *model;
    bool it_writes, we_write;
};

/* The other core has each line first. */
static void run_after_neighbour(struct bench *bench, unsigned turn)
{
    const struct neighbour *neighbour = bench->argument;

    (void)turn;
    REPEAT(10)
    {
        const uint64_t address = DATA_START + ++bench->next_line * (4096 + LINE);

        model_execute(
            neighbour->model,
            &(struct executed){
                .rip = CODE_START,
                .next = CODE_START + 3,
                .bytes = (const uint8_t *)(neighbour->it_writes ? "\x48\x89\x03" : "\x48\x8b\x00"),
                .length = 3,
                .accesses = 1,
                .access = {{address, 8, neighbour->it_writes}}});
        model_drain(neighbour->model);
        if (!neighbour->we_write) {
            reads(bench, CODE("\x48\x8b\x00"), address);
            continue;
        }
        model_snoop_write(neighbour->model, address, 8);
        writes(bench, CODE("\x48\x89\x03"), address);
    }
}

static void lines_of_another_core_are_the_cause(void **state)
{
    static const struct {
        bool it_writes, we_write;
        enum truth_node node;
        enum signal signal; /* that counts these loads */
    } row[] = {{true, false, NODE_CONTESTED_ACCESSES, SIG_LOADS_XSNP_HITM},
               {false, false, NODE_DATA_SHARING, SIG_LOADS_XSNP_HIT},
               {true, true, NODE_FALSE_SHARING, SIG_NEVER}};

    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned j = 0; j < sizeof(row) / sizeof(*row); j++) {
            struct neighbour neighbour = {NULL, row[j].it_writes, row[j].we_write};
            struct figures figures;
            struct bench bench;

            begin(&bench, cores[i]);
            neighbour.model =
                model_new(cores[i], 1, bench.shared, (struct model_world){&bench, bench_page_shift},
                          (struct model_sink){.span = ignore_span, .branch = ignore_branch});
            assert_non_null(neighbour.model);
            bench.argument = &neighbour;
            figures = measure(&bench, run_after_neighbour, 50, 50);
            if (part(&bench, &figures, row[j].node) < 0.8)
                show(&bench, &figures);
            assert_true(part(&bench, &figures, row[j].node) >= 0.8);
            assert_int_equal(figures.sum[row[j].signal], row[j].we_write ? 0 : 500);
            model_free(neighbour.model);
            end(&bench);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_come_in_time_are_no_cause),
        cmocka_unit_test(a_full_queue_is_the_cause),
        cmocka_unit_test(a_busy_memory_is_the_cause),
        cmocka_unit_test(lines_of_another_core_are_the_cause),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
