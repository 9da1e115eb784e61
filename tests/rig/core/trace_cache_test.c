/* What only a core of the kind of NetBurst has: a trace cache that delivers or builds, and uops of
 * a wrong path that leave the re-order buffer in order. Expected numbers are arithmetic by hand
 * with the sizes in cpu/prescott.inc. */
#include "smt_test.h"

extern const struct model_parameters prescott_core;

#define TURNS 200u
#define WIDTH 3u
#define ROB   126u
#define COLD  (CODE_START + 16 * MIB) /* code that no turn has run before */

/* The turns, with the pipeline drained before and after; sums are in the bench. */
static void run(struct bench *bench, body *turn, unsigned warm, unsigned count)
{
    turns(bench, turn, 0, warm);
    restart(bench);
    turns(bench, turn, warm, count);
    model_drain(bench->model);
}

/* --- cancelled uops --- */

/* Four uops that wait for memory; everything before them has retired. The NOP keeps the comparison
 * and the jump from being one uop. */
static void run_guess(struct bench *bench, unsigned turn)
{
    const bool taken = next_random(bench) & 1;

    plain(bench, CODE("\x0f\xae\xe8")); /* lfence */
    reads(bench, CODE("\x48\x8b\x03"), DATA_START + turn * LINE);
    plain(bench, CODE("\x48\x39\xd0"));   /* cmp rax, rdx */
    plain(bench, CODE("\x90"));           /* nop */
    goes(bench, CODE("\x75\x01"), taken); /* jnz over the next NOP */
    if (!taken)
        plain(bench, CODE("\x90"));
}

/* Memory answers after 346 cycles, in which wrong-path uops fill the re-order buffer, less the
 * four, three a cycle. They leave it behind the jump, three a cycle: 122 in 41 cycles. */
static void wrong_path_uops_leave_the_buffer_behind_their_branch(void **state)
{
    struct bench bench;

    (void)state;
    for (unsigned at_length = 0; at_length < 2; at_length++) {
        begin(&bench, &prescott_core);
        model_at_length(bench.model, at_length);
        run(&bench, run_guess, 20, TURNS);
        assert_in_range(bench.sum[SIG_MISPREDICTS], TURNS / 4, TURNS);
        assert_int_equal(bench.sum[SIG_UOPS_CANCELLED], (ROB - 4) * bench.sum[SIG_MISPREDICTS]);
        assert_int_equal(bench.any[SIG_UOPS_CANCELLED], 41 * bench.sum[SIG_MISPREDICTS]);
        assert_int_equal(bench.sum[SIG_UOPS_ISSUED],
                         bench.sum[SIG_UOPS_RETIRED] + bench.sum[SIG_UOPS_CANCELLED]);
        assert_int_equal(bench.sum[SIG_WRONG_DELIVERED], bench.sum[SIG_UOPS_CANCELLED]);
        assert_int_equal(bench.sum[SIG_WRONG_BUILT], 0);
        end(&bench);
    }
    begin(&bench, &skylakex_core);
    run(&bench, run_guess, 20, TURNS);
    assert_int_equal(bench.sum[SIG_UOPS_CANCELLED], 0);
    end(&bench);
}

/* Stores to the code that comes next: a machine clear. What it throws away was on the right path,
 * so it is not cancelled as bogus. */
static void run_modified(struct bench *bench, unsigned turn)
{
    (void)turn;
    writes(bench, CODE("\x48\x89\x10"), CODE_START); /* mov [rax], rdx */
    plain(bench, CODE("\x90"));
}

/* While the pipeline is cleared, the trace cache neither delivers nor builds. */
static void a_machine_clear_cancels_nothing_and_has_no_mode(void **state)
{
    const uint64_t *sum;
    struct bench bench;

    (void)state;
    begin(&bench, &prescott_core);
    run(&bench, run_modified, 20, TURNS);
    sum = bench.sum;
    assert_int_equal(sum[SIG_MACHINE_CLEARS_SMC], TURNS);
    assert_int_equal(sum[SIG_MISPREDICTS], 0);
    assert_int_equal(sum[SIG_UOPS_CANCELLED], 0);
    assert_int_equal(sum[SIG_UOPS_ISSUED],
                     sum[SIG_UOPS_RETIRED] + sum[SIG_WRONG_BUILT] + sum[SIG_WRONG_DELIVERED]);
    assert_int_equal(sum[SIG_UNHALTED] - sum[SIG_TC_DELIVERS] - sum[SIG_TC_BUILDS],
                     TURNS * prescott_core.clear_recovery);
    end(&bench);
}

/* --- modes of the trace cache --- */

static void run_nops(struct bench *bench, unsigned turn)
{
    const unsigned *count = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < *count; i++)
        plain(bench, NOP);
}

static void a_loop_is_delivered_or_built(void **state)
{
    /* The trace cache holds 12K uops: 100 and 4096 fit. Of 64K one after the other the least
     * recently used ones are always gone. */
    static const unsigned fits[] = {100, 4096}, large = 65536;
    struct bench bench;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin(&bench, &prescott_core);
        bench.argument = &fits[i];
        run(&bench, run_nops, 20, TURNS);
        assert_int_equal(bench.sum[SIG_TC_DELIVERS], bench.sum[SIG_UNHALTED]);
        assert_int_equal(bench.sum[SIG_TC_BUILDS], 0);
        assert_int_equal(bench.sum[SIG_TC_MISSES], 0);
        end(&bench);
    }

    begin(&bench, &prescott_core);
    bench.argument = &large;
    run(&bench, run_nops, 2, 2);
    assert_int_equal(bench.sum[SIG_TC_BUILDS], bench.sum[SIG_UNHALTED]);
    assert_int_equal(bench.sum[SIG_TC_DELIVERS], 0);
    /* a miss while it builds is none */
    assert_int_equal(bench.sum[SIG_TC_MISSES], 0);
    end(&bench);

    begin(&bench, &skylakex_core);
    bench.argument = &fits[0];
    run(&bench, run_nops, 20, TURNS);
    assert_int_equal(bench.sum[SIG_TC_DELIVERS] + bench.sum[SIG_TC_BUILDS], 0);
    end(&bench);
}

/* While the decoders work on a line, the fetch waits for the next line. What both did is noted in
 * the same cycles, so nothing is left to wait for behind the last instruction: at most the eight
 * cycles that the fetch is ahead, and the 28 of L2 for a line. */
static void fetch_and_decoders_work_at_the_same_time(void **state)
{
    static const unsigned large = 65536;
    uint64_t retired;
    struct bench bench;

    (void)state;
    begin(&bench, &prescott_core);
    bench.argument = &large;
    turns(&bench, run_nops, 0, 2);
    retired = model_retired(bench.model);
    model_drain(bench.model);
    assert_in_range(model_now(bench.model), retired, retired + 8 + 28);
    end(&bench);
}

/* Leaves the loop for ten instructions that no turn has run before. */
static void run_cold(struct bench *bench, unsigned turn)
{
    const uint64_t cold = COLD + turn * 4 * KIB;
    uint64_t back;

    for (unsigned i = 0; i < 50; i++)
        plain(bench, NOP);
    back = bench->rip + 2;
    goes(bench, CODE("\xff\xe0"), (int64_t)(cold - back)); /* jmp rax */
    for (unsigned i = 0; i < 9; i++)
        plain(bench, NOP);
    goes(bench, CODE("\xff\xe0"), (int64_t)(back - cold - 9 * 4 - 2));
}

/* The decoders take an instruction a cycle, so ten of them take at least ten cycles. */
static void new_code_is_a_miss_and_is_built(void **state)
{
    struct bench bench;

    (void)state;
    for (unsigned at_length = 0; at_length < 2; at_length++) {
        begin(&bench, &prescott_core);
        model_at_length(bench.model, at_length);
        run(&bench, run_cold, 20, TURNS);
        assert_int_equal(bench.sum[SIG_TC_DELIVERS] + bench.sum[SIG_TC_BUILDS],
                         bench.sum[SIG_UNHALTED]);
        assert_int_equal(bench.sum[SIG_MITE_UOPS], 10 * TURNS);
        assert_int_equal(bench.sum[SIG_TC_MISSES], TURNS);
        assert_int_equal(bench.rise[SIG_TC_BUILDS], TURNS);
        assert_true(bench.sum[SIG_TC_BUILDS] >= 10 * TURNS);
        assert_true(bench.sum[SIG_TC_DELIVERS] > 0);
        end(&bench);
    }
}

/* --- loads, stores, branches --- */

static void run_stores(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        writes(bench, CODE("\x48\x89\x10"), DATA_START + 8 * i); /* mov [rax], rdx */
}

/* A store leaves its buffer every other cycle. With all 32 buffers taken, the allocator takes one
 * store in a cycle, and in the next cycle nothing. */
static void the_allocator_stalls_for_every_other_cycle(void **state)
{
    struct bench bench;

    (void)state;
    begin(&bench, &prescott_core);
    turns(&bench, run_stores, 0, 20);
    restart(&bench);
    turns(&bench, run_stores, 20, TURNS);
    model_drain(bench.model);
    /* 32 stores fill the buffers after a drain, and the rest stall */
    assert_in_range(bench.sum[SIG_STORE_BUFFER_STALL], 8 * TURNS - 64, 8 * TURNS);
    assert_in_range(bench.rise[SIG_STORE_BUFFER_STALL], 8 * TURNS - 64, 8 * TURNS);
    end(&bench);
}

/* Two kinds of turns, in which as many instructions, loads and stores retire behind the chain of
 * multiplications: one kind has an instruction that does both. */
static void run_accesses(struct bench *bench, unsigned turn)
{
    for (unsigned i = 0; i < 10; i++)
        plain(bench, CODE("\x48\x0f\xaf\xc0")); /* imul rax, rax */
    for (unsigned i = 0; i < 3; i++)
        plain(bench, CODE("\x90"));
    if (turn % 2) {
        modifies(bench, CODE("\x48\x01\x0b"), DATA_START); /* add [rbx], rcx */
        plain(bench, CODE("\x48\xff\xc6"));                /* inc rsi */
        plain(bench, CODE("\x48\xff\xc6"));
    } else {
        reads(bench, CODE("\x48\x03\x0b"), DATA_START);             /* add rcx, [rbx] */
        writes(bench, CODE("\x48\x89\x13"), DATA_START + 8 * LINE); /* mov [rbx], rdx */
        plain(bench, CODE("\x48\x0f\xce"));                         /* bswap rsi */
    }
    plain(bench, CODE("\x0f\xae\xe8")); /* lfence */
}

static void instructions_that_load_and_store_are_counted(void **state)
{
    const struct model_parameters *const both[] = {&prescott_core, &skylakex_core};
    struct bench bench;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin(&bench, both[i]);
        run(&bench, run_accesses, 20, TURNS);
        assert_int_equal(bench.sum[SIG_LOADS], TURNS);
        assert_int_equal(bench.sum[SIG_STORES], TURNS);
        assert_int_equal(bench.sum[SIG_LOAD_STORES], TURNS / 2);
        end(&bench);
    }
}

/* A load of eight bytes that has one of them in the next line, two such stores, and neighbours that
 * stay in their lines. */
static void run_splits(struct bench *bench, unsigned turn)
{
    (void)turn;
    reads(bench, CODE("\x48\x8b\x03"), DATA_START + LINE - 7);
    reads(bench, CODE("\x48\x8b\x03"), DATA_START + LINE - 8);
    writes(bench, CODE("\x48\x89\x10"), DATA_START + 3 * LINE - 1);
    writes(bench, CODE("\x48\x89\x10"), DATA_START + 5 * LINE - 4);
    writes(bench, CODE("\x48\x89\x10"), DATA_START + 5 * LINE + 8);
}

static void split_accesses_are_counted_as_they_are_done(void **state)
{
    struct bench bench;

    (void)state;
    for (unsigned at_length = 0; at_length < 2; at_length++) {
        begin(&bench, &prescott_core);
        model_at_length(bench.model, at_length);
        run(&bench, run_splits, 20, TURNS);
        assert_int_equal(bench.sum[SIG_SPLIT_LOADS_DONE], TURNS);
        assert_int_equal(bench.sum[SIG_SPLIT_STORES_DONE], 2 * TURNS);
        end(&bench);
    }
}

/* A direct call, an indirect one and an indirect jump, each to the next instruction. */
static void run_calls(struct bench *bench, unsigned turn)
{
    (void)turn;
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\xe8\0\0\0",
                                      .length = 5,
                                      .accesses = 1,
                                      .access = {{DATA_START, 8, true}}});
    execute(bench, &(struct executed){.bytes = (const uint8_t *)"\xff\xd0", /* call rax */
                                      .length = 2,
                                      .accesses = 1,
                                      .access = {{DATA_START + 8, 8, true}}});
    goes(bench, CODE("\xff\xe0"), 0); /* jmp rax */
}

static void indirect_calls_are_a_part_of_calls(void **state)
{
    struct bench bench;

    (void)state;
    begin(&bench, &prescott_core);
    run(&bench, run_calls, 20, TURNS);
    assert_int_equal(bench.sum[SIG_BRANCHES_CALL], 2 * TURNS);
    assert_int_equal(bench.sum[SIG_BRANCHES_CALL_INDIRECT], TURNS);
    assert_int_equal(bench.sum[SIG_BRANCHES_INDIRECT], TURNS);
    end(&bench);
}

/* --- two threads --- */

static void turn_small(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 20; i++)
        plain(bench, NOP);
    loop_back(bench);
}

static void turn_large(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 100; i++)
        plain(bench, NOP);
    if (bench->rip > CODE_START + 256 * KIB)
        loop_back(bench);
}

/* Each thread has its own mode: one loop fits the trace cache, the other is 64K instructions. */
static void each_thread_has_its_mode(void **state)
{
    struct pair pair;

    (void)state;
    pair_begin(&pair, &prescott_core, turn_small, turn_large);
    pair_measure(&pair, 300000);
    pair_measure(&pair, 300000);
    assert_int_equal(pair.sum[0][SIG_TC_DELIVERS], pair.sum[0][SIG_UNHALTED]);
    assert_int_equal(pair.sum[0][SIG_TC_BUILDS], 0);
    assert_int_equal(pair.sum[1][SIG_TC_BUILDS], pair.sum[1][SIG_UNHALTED]);
    assert_int_equal(pair.sum[1][SIG_TC_DELIVERS], 0);
    pair_end(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_path_uops_leave_the_buffer_behind_their_branch),
        cmocka_unit_test(a_machine_clear_cancels_nothing_and_has_no_mode),
        cmocka_unit_test(a_loop_is_delivered_or_built),
        cmocka_unit_test(fetch_and_decoders_work_at_the_same_time),
        cmocka_unit_test(new_code_is_a_miss_and_is_built),
        cmocka_unit_test(the_allocator_stalls_for_every_other_cycle),
        cmocka_unit_test(instructions_that_load_and_store_are_counted),
        cmocka_unit_test(split_accesses_are_counted_as_they_are_done),
        cmocka_unit_test(indirect_calls_are_a_part_of_calls),
        cmocka_unit_test(each_thread_has_its_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
