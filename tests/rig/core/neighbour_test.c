/* What a core counts of lines that another core had before, of its own package or of another one.
 */
#include "model_test.h"

extern const struct model_parameters sapphirerapids_core;

#define EACH   4u /* cores of a package */
#define NODE   UINT64_C(0x80000000)
#define ROUNDS 50u
#define LOADS  10u /* lines in a turn */
#define COUNT  (ROUNDS * LOADS)

static const struct model_parameters *const servers[] = {&skylakex_core, &icelakex_core,
                                                         &sapphirerapids_core};

/* Who has a line before the measured core, core 0 of package 0, asks for it. */
enum holder { NOBODY, NEAR, FAR };

struct lines {
    enum holder holder;
    bool it_writes, we_write;
    uint64_t first; /* byte of the node whose memory it is */
    struct model *model;
};

/* The signals that tell where lines came from. */
static const enum signal origins[] = {SIG_LOADS_XSNP_HIT,        SIG_LOADS_XSNP_HITM,
                                      SIG_RFOS_XSNP_HITM,        SIG_LOADS_LOCAL_DRAM,
                                      SIG_LOADS_REMOTE_DRAM,     SIG_LOADS_REMOTE_CLEAN,
                                      SIG_LOADS_REMOTE_MODIFIED, SIG_RFOS_REMOTE_MODIFIED};

/* mov [rbx], rax or mov rax, [rax] */
static void access_on(struct model *model, bool writes, uint64_t address)
{
    model_execute(model, &(struct executed){
                             .rip = CODE_START,
                             .next = CODE_START + 3,
                             .bytes = (const uint8_t *)(writes ? "\x48\x89\x03" : "\x48\x8b\x00"),
                             .length = 3,
                             .accesses = 1,
                             .access = {{address, 8, writes}}});
    model_drain(model);
}

static void run_lines(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < LOADS; i++) {
        const uint64_t address =
            lines->first + DATA_START + ++bench->next_line * (4096 + (uint64_t)LINE);

        if (lines->holder != NOBODY)
            access_on(lines->model, lines->it_writes, address);
        if (!lines->we_write) {
            reads(bench, CODE("\x48\x8b\x00"), address);
            continue;
        }
        model_snoop_write(lines->model, address, 8);
        writes(bench, CODE("\x48\x89\x03"), address);
    }
}

static struct figures measure_lines(const struct model_parameters *core, struct lines lines)
{
    const struct model_packages two = {
        .count = 2, .processors = EACH, .node_bytes = NODE, .far_percent = 200};
    struct figures figures;
    struct bench bench;

    begin(&bench, core);
    assert_true(shared_cache_packages(bench.shared, &two));
    lines.model = model_new(core, lines.holder == FAR ? EACH : 1, bench.shared,
                            (struct model_world){&bench, bench_page_shift},
                            (struct model_sink){.span = ignore_span, .branch = ignore_branch});
    assert_non_null(lines.model);
    bench.argument = &lines;
    figures = measure(&bench, run_lines, ROUNDS, ROUNDS);
    model_free(lines.model);
    end(&bench);
    return figures;
}

/* Intel's event lists: MEM_LOAD_L3_MISS_RETIRED counts loads that missed L3, REMOTE_HITM those
 * whose data source was a remote cache that had the line modified, REMOTE_FWD those to which a
 * remote cache forwarded it, REMOTE_DRAM and LOCAL_DRAM those that memory served.
 * MEM_LOAD_L3_HIT_RETIRED.XSNP_* counts loads that hit L3, with snoops of cores on the same
 * package. */
static void a_line_counts_as_what_its_holder_is(void **state)
{
    static const struct {
        struct lines lines;
        enum signal signal; /* that counts each line; SIG_NEVER: none of `origins` does */
    } row[] = {
        {{.holder = NOBODY}, SIG_LOADS_LOCAL_DRAM},
        {{.holder = NOBODY, .first = NODE}, SIG_LOADS_REMOTE_DRAM},
        {{.holder = NEAR}, SIG_LOADS_XSNP_HIT},
        {{.holder = NEAR, .it_writes = true}, SIG_LOADS_XSNP_HITM},
        {{.holder = FAR}, SIG_LOADS_REMOTE_CLEAN},
        {{.holder = FAR, .first = NODE}, SIG_LOADS_REMOTE_CLEAN},
        {{.holder = FAR, .it_writes = true}, SIG_LOADS_REMOTE_MODIFIED},
        {{.holder = FAR, .it_writes = true, .first = NODE}, SIG_LOADS_REMOTE_MODIFIED},
        {{.holder = NEAR, .it_writes = true, .we_write = true}, SIG_RFOS_XSNP_HITM},
        {{.holder = FAR, .it_writes = true, .we_write = true}, SIG_RFOS_REMOTE_MODIFIED},
        {{.holder = FAR, .we_write = true}, SIG_NEVER},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(servers) / sizeof(*servers); i++)
        for (unsigned j = 0; j < sizeof(row) / sizeof(*row); j++) {
            const struct figures figures = measure_lines(servers[i], row[j].lines);
            const bool near = row[j].lines.holder == NEAR;

            for (unsigned k = 0; k < sizeof(origins) / sizeof(*origins); k++)
                assert_int_equal(figures.sum[origins[k]], origins[k] == row[j].signal ? COUNT : 0);
            if (row[j].lines.we_write)
                continue;
            assert_int_equal(figures.sum[SIG_LOADS_L3_HIT], near ? COUNT : 0);
            assert_int_equal(figures.sum[SIG_LOADS_L3_MISS], near ? 0 : COUNT);
        }
}

/* Each load waits for the one before. Core cycles, from the nanoseconds of the published costs and
 * the frequency: of SKX 110 x 2.7 and 47.5 x 2.7, of ICX 120 x 2.6 and 48 x 2.6, of SPR 170 x 2.6
 * and 81 x 2.6. */
static void a_modified_line_takes_longer_from_the_other_package(void **state)
{
    static const double across[] = {297, 312, 442}, within[] = {128, 125, 211};

    (void)state;
    for (unsigned i = 0; i < sizeof(servers) / sizeof(*servers); i++) {
        struct figures figures =
            measure_lines(servers[i], (struct lines){.holder = FAR, .it_writes = true});

        check_near("across", servers[i]->name, (double)figures.truth.cycles / COUNT, across[i], 2);
        figures = measure_lines(servers[i], (struct lines){.holder = NEAR, .it_writes = true});
        check_near("within", servers[i]->name, (double)figures.truth.cycles / COUNT, within[i], 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_counts_as_what_its_holder_is),
        cmocka_unit_test(a_modified_line_takes_longer_from_the_other_package),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
