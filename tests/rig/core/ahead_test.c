/* What the model tells of coming cycles, against these cycles when they have come. */
#include "model_test.h"

#define CYCLES_MAX 60000u

/* Signals of both kinds: of retirement, and of every cycle. */
static const enum signal told[] = {SIG_UNHALTED,       SIG_INSTRUCTIONS, SIG_UOPS_RETIRED,
                                   SIG_BRANCHES_TAKEN, SIG_LOADS,        SIG_STORES,
                                   SIG_MISPREDICTS,    SIG_LOADS_L1_MISS};
#define TOLD (sizeof(told) / sizeof(*told))

struct seen {
    struct bench bench;
    uint64_t reported; /* cycles */
    uint16_t value[CYCLES_MAX][TOLD];
    /* what was told of a cycle, when it was final: the cycle before another one that retires */
    uint16_t ahead[CYCLES_MAX][TOLD];
    bool is_told[CYCLES_MAX];
    uint64_t cycle, last; /* of the look that goes on */
};

static void on_span(void *context, const struct span *span)
{
    struct seen *seen = context;

    for (uint64_t i = 0; i < span->cycles; i++, seen->reported++)
        for (unsigned j = 0; j < TOLD && seen->reported < CYCLES_MAX; j++)
            seen->value[seen->reported][j] = span->value[told[j]];
}

static void on_branch(void *context, const struct retired_branch *branch)
{
    (void)context;
    (void)branch;
}

static bool see(void *context, const struct span *span)
{
    struct seen *seen = context;

    for (uint64_t i = 0; i < span->cycles; i++, seen->cycle++) {
        if (seen->cycle >= seen->last || seen->cycle >= CYCLES_MAX)
            continue;
        for (unsigned j = 0; j < TOLD; j++)
            seen->ahead[seen->cycle][j] = span->value[told[j]];
        seen->is_told[seen->cycle] = true;
    }
    return true;
}

static void look(struct seen *seen)
{
    struct model *model = seen->bench.model;

    assert_true(model_report(model));
    assert_int_equal(seen->reported, model_now(model));
    seen->cycle = model_now(model);
    seen->last = model_retired(model);
    model_ahead(model, (struct model_outlook){seen, see});
    assert_true(seen->cycle > seen->last || seen->last < model_now(model));
}

static void one_of(struct bench *bench, unsigned kind)
{
    switch (kind) {
    case 0:
        reads(bench, CODE("\x48\x8b\x03"), DATA_START + next_random(bench) % MIB * 8);
        break;
    case 1:
        plain(bench, CODE("\xf7\xf1")); /* div ecx */
        break;
    case 2:
        goes(bench, CODE("\x75\x02"), next_random(bench) % 2 ? 2 : 0);
        break;
    case 3:
        plain(bench, CODE("\x48\x0f\xc1\xc3")); /* xadd rbx, rax: three uops */
        break;
    default:
        plain(bench, NOP);
        break;
    }
}

static void what_is_told_of_a_cycle_is_what_happens_in_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        static struct seen seen;
        uint64_t known = 0;

        memset(&seen, 0, sizeof(seen));
        begin(&seen.bench, cores[i]);
        model_free(seen.bench.model);
        seen.bench.model = model_new(
            cores[i], 0, seen.bench.shared, (struct model_world){&seen.bench, bench_page_shift},
            (struct model_sink){.context = &seen, .span = on_span, .branch = on_branch});
        assert_non_null(seen.bench.model);
        for (unsigned n = 0; n < 3000; n++) {
            one_of(&seen.bench, next_random(&seen.bench) >> 9 & 15);
            look(&seen);
        }
        model_drain(seen.bench.model);
        for (uint64_t at = 0; at < seen.reported && at < CYCLES_MAX; at++) {
            known += seen.is_told[at];
            for (unsigned j = 0; j < TOLD && seen.is_told[at]; j++)
                assert_int_equal(seen.ahead[at][j], seen.value[at][j]);
        }
        assert_true(known > 1000);
        end(&seen.bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_of_a_cycle_is_what_happens_in_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
