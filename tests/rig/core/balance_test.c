/* The model's accounts balance for any code: pseudo-random code over pseudo-random data.
 * model_test.h says what must balance. */
#include "model_test.h"

extern const struct model_parameters prescott_core;

#define TURNS 50u

struct mix {
    uint32_t bytes; /* of data */
    unsigned page_shift;
    bool drained; /* after every instruction */
};

#define MIX_CODE  400u /* instructions in the loop, of a kind fixed by the place */
#define MIX_KINDS 24u

static uint64_t mix_address(struct bench *bench)
{
    const struct mix *mix = bench->argument;

    return DATA_START + (next_random(bench) >> 8) % mix->bytes;
}

static void mix_branch(struct bench *bench, unsigned kind)
{
    const uint64_t random = next_random(bench) >> 20;
    const bool taken = kind == 0 ? random % 2 : random % 64 == 0;

    plain(bench, CODE("\xa8\x01"));               /* test al, 1 */
    goes(bench, CODE("\x75\x04"), taken ? 4 : 0); /* jnz over the nop */
    if (!taken)
        plain(bench, NOP);
}

static void mix_arithmetic(struct bench *bench, unsigned kind)
{
    switch (kind) {
    case 0:
        plain(bench, CODE("\x48\x01\xc0")); /* add rax, rax */
        break;
    case 1:
        plain(bench, CODE("\x48\x0f\xaf\xc3")); /* imul rax, rbx */
        break;
    case 2:
        plain(bench, CODE("\x48\x83\xc3\x01")); /* add rbx, 1 */
        break;
    case 3:
        plain(bench, CODE("\x31\xc0")); /* xor eax, eax */
        break;
    case 4:
        plain(bench, CODE("\xf7\xf1")); /* div ecx */
        break;
    case 5:
        plain(bench, CODE("\x48\xf7\xf1")); /* div rcx */
        break;
    case 6:
        plain(bench, CODE("\x66\x0f\x58\xc1")); /* addpd xmm0, xmm1 */
        break;
    case 7:
        plain(bench, CODE("\x66\x0f\x5e\xc1")); /* divpd xmm0, xmm1 */
        break;
    case 8:
        plain(bench, CODE("\x66\x81\xc1\x34\x12")); /* add cx, 0x1234 */
        break;
    default:
        plain(bench, NOP);
        break;
    }
}

static void mix_memory(struct bench *bench, unsigned kind)
{
    const uint64_t address = mix_address(bench);

    switch (kind) {
    case 0:
        reads(bench, CODE("\x48\x8b\x00"), address); /* mov rax, [rax] */
        break;
    case 1:
        reads(bench, CODE("\x48\x8b\x4b\x08"), address); /* mov rcx, [rbx+8] */
        break;
    case 2:
        writes(bench, CODE("\x48\x89\x0b"), address); /* mov [rbx], rcx */
        break;
    case 3:
        modifies(bench, CODE("\x48\x01\x0b"), address); /* add [rbx], rcx */
        break;
    case 4:
        modifies(bench, CODE("\xf0\x48\x01\x0b"), address); /* lock add [rbx], rcx */
        break;
    case 5:
        reads(bench, CODE("\x0f\x18\x0b"), address); /* prefetcht0 [rbx] */
        break;
    default:
        reads(bench, CODE("\x0f\xae\x3b"), address); /* clflush [rbx] */
        break;
    }
}

static void mix_string(struct bench *bench) /* rep movsb of three rounds */
{
    const uint64_t rip = bench->rip, from = mix_address(bench), to = mix_address(bench);

    for (unsigned i = 0; i < 3; i++)
        execute(bench, &(struct executed){
                           .bytes = (const uint8_t *)"\xf3\xa4",
                           .length = 2,
                           .next = i < 2 ? rip : rip + 2,
                           .repeat = i < 2,
                           .accesses = 2,
                           .access = {{from + i, 1, false}, {to + i, 1, true}},
                       });
}

static void mix_rare(struct bench *bench, unsigned kind)
{
    switch (kind) {
    case 0:
        mix_string(bench);
        break;
    case 1:
        plain(bench, CODE("\xf3\x90")); /* pause */
        break;
    case 2:
        plain(bench, CODE("\x0f\xae\xe8")); /* lfence */
        break;
    case 3:
        plain(bench, CODE("\x0f\xa2")); /* cpuid */
        break;
    default:
        writes(bench, CODE("\x48\x89\x03"), CODE_START + 256); /* to code */
        break;
    }
}

static void run_mix(struct bench *bench, unsigned turn)
{
    const struct mix *mix = bench->argument;
    uint64_t place = UINT64_C(88172645463325252);

    (void)turn;
    for (unsigned i = 0; i < MIX_CODE; i++) {
        unsigned kind;

        place = place * UINT64_C(6364136223846793005) + 1442695040888963407u;
        kind = (unsigned)(place >> 33) % MIX_KINDS;
        if (kind < 2)
            mix_branch(bench, kind);
        else if (kind < 12)
            mix_arithmetic(bench, kind - 2);
        else if (kind < 19)
            mix_memory(bench, kind - 12);
        else if ((place >> 20) % 8 == 0)
            mix_rare(bench, kind - 19);
        else
            plain(bench, NOP);
        if (mix->drained)
            model_drain(bench->model);
    }
}

static void a_mix_of_everything_balances(void **state)
{
    static const struct mix mixes[] = {
        {256, 12, false},      {16 * KIB, 12, false}, {512 * KIB, 21, false}, {4 * MIB, 12, false},
        {32 * MIB, 30, false}, {16 * KIB, 21, true},  {32 * MIB, 12, true},
    };

    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned j = 0; j < sizeof(mixes) / sizeof(*mixes); j++) {
            struct bench bench;

            begin(&bench, cores[i]);
            bench.page_shift = mixes[j].page_shift;
            bench.argument = &mixes[j];
            measure(&bench, run_mix, 3, TURNS);
            end(&bench);
        }
}

static void idle_cycles_are_not_counted(void **state)
{
    static const struct mix mix = {16 * KIB, 12, false};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct model_truth truth;
        struct bench bench;
        uint64_t now;

        begin(&bench, cores[i]);
        bench.argument = &mix;
        turns(&bench, run_mix, 0, 1);
        restart(&bench);
        now = model_now(bench.model);
        model_idle(bench.model, 1000);
        assert_int_equal(model_now(bench.model), now + 1000);
        model_truth(bench.model, &truth);
        assert_int_equal(truth.cycles, 0);
        assert_int_equal(bench.sum[SIG_UNHALTED], 0);
        end(&bench);
    }
}

/* Signals that the order of instructions decides, in whichever cycles they execute. */
static const enum signal ordered[] = {
    SIG_INSTRUCTIONS,      SIG_UOPS_RETIRED, SIG_BRANCHES,  SIG_BRANCHES_TAKEN, SIG_MISPREDICTS,
    SIG_MISPREDICTS_TAKEN, SIG_LOADS,        SIG_STORES,    SIG_MACRO_FUSED,    SIG_ITLB_WALKS,
    SIG_BACLEARS,          SIG_DSB_UOPS,     SIG_MITE_UOPS, SIG_RFO_L2_MISSES,
};

/* Signals that differ only by lines in flight when observation begins, and by loads that a store
 * forwards to, which access neither cache nor TLB. */
static const enum signal nearly[] = {SIG_LOADS_L2_MISS, SIG_LOADS_L3_MISS, SIG_DTLB_LOAD_WALKS,
                                     SIG_DTLB_STORE_WALKS};
#define NEARLY 4u

/* Two turns of three are not observed. In the third turn caches, TLBs, predictors and the uop
 * cache have the same state as if all turns had been observed; which loads pass older stores,
 * and so the number of cycles, is nearly the same. */
static void unobserved_instructions_train_as_observed_ones_do(void **state)
{
    static const struct mix mixes[] = {
        {16 * KIB, 12, false}, {4 * MIB, 12, false}, {32 * MIB, 30, true}};

    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned j = 0; j < sizeof(mixes) / sizeof(*mixes); j++) {
            struct bench bench[2];
            enum observation observed = OBSERVED_NOW;

            for (unsigned k = 0; k < 2; k++) {
                begin(&bench[k], cores[i]);
                bench[k].page_shift = mixes[j].page_shift;
                bench[k].argument = &mixes[j];
            }
            model_observed(bench[1].model, &observed);
            for (unsigned turn = 0; turn < TURNS; turn++) {
                struct model_truth truth[2];

                observed = turn % 3 == 2 ? OBSERVED_NOW : OBSERVED_LATER;
                for (unsigned k = 0; k < 2; k++) {
                    restart(&bench[k]);
                    turns(&bench[k], run_mix, turn, 1);
                    model_drain(bench[k].model);
                    model_truth(bench[k].model, &truth[k]);
                }
                if (observed != OBSERVED_NOW) {
                    assert_int_equal(bench[1].sum[SIG_INSTRUCTIONS], 0);
                    assert_int_equal(bench[1].sum[SIG_UNHALTED],
                                     model_now(bench[1].model) - bench[1].begun);
                    assert_int_equal(truth[1].cycles, 0);
                    continue;
                }
                for (unsigned k = 0; k < sizeof(ordered) / sizeof(*ordered); k++)
                    assert_int_equal(bench[1].sum[ordered[k]], bench[0].sum[ordered[k]]);
                for (unsigned k = 0; k < sizeof(nearly) / sizeof(*nearly); k++)
                    assert_in_range(bench[1].sum[nearly[k]] + NEARLY, bench[0].sum[nearly[k]],
                                    bench[0].sum[nearly[k]] + 2 * NEARLY);
                assert_in_range(truth[1].cycles, truth[0].cycles - truth[0].cycles / 10,
                                truth[0].cycles + truth[0].cycles / 10);
            }
            for (unsigned k = 0; k < 2; k++)
                end(&bench[k]);
        }
}

/* A front end that restarts begins at most so many cycles earlier or later than a new one. */
#define RESTART 4u

/* Before the first observation nothing is trained: what is observed then goes as in a new model. */
static void nothing_is_trained_before_the_first_observation(void **state)
{
    static const struct mix mix = {16 * KIB, 12, false};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        enum observation observed = OBSERVED_NEVER;
        struct model_truth truth[2];
        struct bench bench[2];

        for (unsigned k = 0; k < 2; k++) {
            begin(&bench[k], cores[i]);
            bench[k].page_shift = mix.page_shift;
            bench[k].argument = &mix;
        }
        model_observed(bench[1].model, &observed);
        turns(&bench[1], run_mix, 0, 1);
        model_drain(bench[1].model);
        assert_int_equal(bench[1].sum[SIG_INSTRUCTIONS], 0);
        assert_int_equal(bench[1].sum[SIG_UNHALTED], model_now(bench[1].model) - bench[1].begun);
        assert_true(bench[1].sum[SIG_UNHALTED] > 0);
        bench[0].random = bench[1].random;
        observed = OBSERVED_NOW;
        for (unsigned k = 0; k < 2; k++) {
            restart(&bench[k]);
            turns(&bench[k], run_mix, 1, 1);
            model_drain(bench[k].model);
            model_truth(bench[k].model, &truth[k]);
        }
        for (unsigned k = 0; k < sizeof(ordered) / sizeof(*ordered); k++)
            assert_int_equal(bench[1].sum[ordered[k]], bench[0].sum[ordered[k]]);
        for (unsigned k = 0; k < sizeof(nearly) / sizeof(*nearly); k++)
            assert_int_equal(bench[1].sum[nearly[k]], bench[0].sum[nearly[k]]);
        assert_in_range(truth[1].cycles, truth[0].cycles - RESTART, truth[0].cycles + RESTART);
        for (unsigned k = 0; k < 2; k++)
            end(&bench[k]);
    }
}

/* A loop whose cycles repeat. */
static void run_tight(struct bench *bench, unsigned turn)
{
    for (unsigned i = 0; i < 40; i++) {
        plain(bench, CODE("\x48\x83\xc3\x01")); /* add rbx, 1 */
        plain(bench, CODE("\x48\x01\xd8"));     /* add rax, rbx */
        if (i % 8 == 3)
            reads(bench, CODE("\x48\x8b\x0e"),
                  DATA_START + 64 * (i + turn % 4)); /* mov rcx, [rsi] */
        if (i % 16 == 5)
            writes(bench, CODE("\x48\x89\x0f"), DATA_START + 8192 + 8 * i); /* mov [rdi], rcx */
        if (i % 10 == 7)
            mix_branch(bench, turn % 37 == 5 ? 0 : 2);
    }
}

/* Cycles that begin or end with uops of the sequencer, from one instruction or two. */
static void run_sequenced(struct bench *bench, unsigned turn)
{
    for (unsigned i = 0; i < 30; i++) {
        for (unsigned j = 0; j < (i * 7 + turn) % 6; j++)
            plain(bench, NOP);
        plain(bench, CODE("\xfa")); /* cli */
        if (i % 3 == 0)
            plain(bench, CODE("\x48\x0f\xc1\xc3")); /* xadd rbx, rax */
    }
}

#define KINDS 3u /* of cores */
#define WAYS  3u /* without shortcuts; in order; in any order */

static void check_alike(const struct bench *bench, const struct model_truth *truth)
{
    for (unsigned way = 1; way < WAYS; way++) {
        assert_int_equal(model_now(bench[way].model), model_now(bench[0].model));
        assert_memory_equal(&truth[way], &truth[0], sizeof(*truth));
        for (unsigned i = 0; i < SIGNAL_COUNT; i++) {
            assert_int_equal(bench[way].sum[i], bench[0].sum[i]);
            assert_int_equal(bench[way].any[i], bench[0].any[i]);
            assert_int_equal(bench[way].wide[i], bench[0].wide[i]);
            if (!bench[way].order_slack)
                assert_int_equal(bench[way].rise[i], bench[0].rise[i]);
        }
        assert_int_equal(bench[way].branches, bench[0].branches);
        assert_int_equal(bench[way].taken, bench[0].taken);
        assert_int_equal(bench[way].mispredicted, bench[0].mispredicted);
    }
}

/* Most instructions and most cycles take shortcuts, and spans may come in any order while the
 * order is free: every signal and the truth are the same as without shortcuts. */
static void shortcuts_change_nothing(void **state)
{
    static const struct model_parameters *const kinds[] = {&skylakex_core, &icelakex_core,
                                                           &prescott_core};
    static const struct mix mixes[] = {{16 * KIB, 12, false}, {4 * MIB, 12, false}};
    static const uint64_t order_slacks[] = {1, 2, 100, 5000, UINT64_MAX};
    static body *const bodies[] = {run_tight, run_mix, run_sequenced};

    (void)state;
    for (unsigned run = 0; run < KINDS * 6; run++) {
        struct bench bench[WAYS];
        struct model_truth truth[WAYS];

        for (unsigned way = 0; way < WAYS; way++) {
            begin(&bench[way], kinds[run % KINDS]);
            bench[way].page_shift = 12;
            bench[way].argument = &mixes[run / KINDS % 2];
        }
        model_at_length(bench[0].model, true);
        for (unsigned turn = 0; turn < TURNS; turn++) {
            for (unsigned way = 0; way < WAYS; way++) {
                restart(&bench[way]);
                bench[way].order_slack = way == 2 ? order_slacks[turn % 5] : 0;
                turns(&bench[way], bodies[run / KINDS / 2], turn * 4, turn % 7 + 1);
                model_drain(bench[way].model);
                model_truth(bench[way].model, &truth[way]);
            }
            check_alike(bench, truth);
        }
        for (unsigned way = 0; way < WAYS; way++)
            end(&bench[way]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_of_everything_balances),
        cmocka_unit_test(idle_cycles_are_not_counted),
        cmocka_unit_test(unobserved_instructions_train_as_observed_ones_do),
        cmocka_unit_test(nothing_is_trained_before_the_first_observation),
        cmocka_unit_test(shortcuts_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
