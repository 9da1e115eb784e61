/* The kernels run for real here, on whatever x86-64 CPU this is, and are counted by means that
 * share nothing with the harness: a child process is single-stepped through each kernel, which
 * counts instructions, branches and their targets, and page faults count loads and stores. The
 * exact expectations of every kernel must agree, and those of the cal.* kernels with counts made by
 * hand from their sources too. */
#include "tests/unit/kernels/kernel_steps.h"

#include <ucontext.h>

/* ---- Loads and stores: an arena without access ---- */

#define PAGE_FAULT_WAS_A_WRITE 2 /* error code of a page fault, bit 1 */

static volatile uint64_t read_faults, write_faults;
static uint64_t watched_bytes; /* of the arena: what the kernel asked for, in whole pages */

static void protect(uint64_t bytes, int protection)
{
    if (mprotect(arena, bytes, protection) != 0)
        abort();
}

static void on_access(int signal, siginfo_t *info, void *context)
{
    ucontext_t *user = context;
    uint8_t *address = info->si_addr;

    (void)signal;
    if (address < arena || address >= arena + watched_bytes)
        abort();
    if (user->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WAS_A_WRITE)
        write_faults++;
    else
        read_faults++;
    protect(watched_bytes, PROT_READ | PROT_WRITE);
    user->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void after_access(int signal, siginfo_t *info, void *context)
{
    ucontext_t *user = context;

    (void)signal;
    (void)info;
    protect(watched_bytes, PROT_NONE);
    user->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

/* Counts the accesses to the arena of one run of the code. */
static void count_accesses(const struct kernel *kernel, uint64_t n, int64_t *loads, int64_t *stores)
{
    struct sigaction access = {.sa_sigaction = on_access, .sa_flags = SA_SIGINFO};
    struct sigaction step = {.sa_sigaction = after_access, .sa_flags = SA_SIGINFO};
    struct sigaction old_access, old_step;

    if (kernel->reset != NULL)
        kernel_call(kernel->reset, n, arena, arena_of(kernel), 0);
    read_faults = write_faults = 0;
    sigaction(SIGSEGV, &access, &old_access);
    sigaction(SIGTRAP, &step, &old_step);
    watched_bytes = (arena_of(kernel) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    protect(ARENA_BYTES, PROT_NONE);
    kernel_call(kernel->code, n, arena, arena_of(kernel), 0);
    protect(ARENA_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC);
    sigaction(SIGTRAP, &old_step, NULL);
    sigaction(SIGSEGV, &old_access, NULL);
    *loads = (int64_t)read_faults;
    *stores = (int64_t)write_faults;
}

/* ---- The claims ---- */

/* The kernel's trace, which is made once for all tests: single steps are slow. */
static const struct kernel_trace *traced(const struct kernel *kernel)
{
    static struct kernel_trace *traces;
    struct kernel_trace *trace;

    if (traces == NULL)
        traces = calloc(kernels_count(), sizeof(*traces));
    assert_non_null(traces);
    trace = &traces[kernel - kernels_at(0)];
    if (trace->n == 0)
        trace_kernel(kernel, trace);
    return trace;
}

/* Whether this CPU and its system have what the kernel needs. */
static bool runs_here(const struct kernel *kernel)
{
    const struct {
        const char *name;
        bool present;
    } words[] = {
        {"avx", __builtin_cpu_supports("avx")},
        {"avx2", __builtin_cpu_supports("avx2")},
        {"fma", __builtin_cpu_supports("fma")},
        {"avx512f", __builtin_cpu_supports("avx512f")},
    };
    char wanted[64];
    char *rest = wanted;

    assert_true(strlen(kernel->requires) < sizeof(wanted));
    strcpy(wanted, kernel->requires);
    for (char *word; ((word = strtok_r(rest, " ", &rest)) != NULL);) {
        bool known = false;

        for (size_t i = 0; i < COUNT_OF(words); i++) {
            if (strcmp(word, words[i].name) != 0)
                continue;
            known = true;
            if (!words[i].present) {
                print_message("%s is not run: no %s here\n", kernel->name, word);
                return false;
            }
        }
        if (!known)
            fail_msg("%s requires '%s', which is unknown", kernel->name, word);
    }
    return true;
}

/* Fails unless the counts of windows of n and 2n are what the kernel states of the event, if
 * anything. */
static void hold(const struct kernel *kernel, uint64_t n, const char *event, uint64_t once,
                 uint64_t twice)
{
    const struct kernel_expectation *expectation = expectation_of(kernel, event);
    double bytes = (double)arena_of(kernel), counted = (double)twice - (double)once;

    if (expectation == NULL)
        return;
    if (counted < evaluate(expectation->low, (double)n, bytes) ||
        counted > evaluate(expectation->high, (double)n, bytes))
        fail_msg("%s: %s is %f for n = %lu, not in [%s, %s]", kernel->name, event, counted,
                 (unsigned long)n, expectation->low, expectation->high);
}

/* Limits the length of a window and of RESET at scale 1, so that an emulated run stays short. The
 * longest is exact.decode: the 120 uops that a mispredicted branch may add are half a per cent of
 * 24,600. */
static void hold_budget(const struct kernel *kernel, const struct kernel_trace *t)
{
    uint64_t scale = iterations_of(kernel) / t->n;
    uint64_t code = (t->twice.steps - t->once.steps) * scale, reset = t->reset_2n.steps * scale;

    if (code > 25000 || reset > 20000)
        fail_msg("%s is too long: code %lu, reset %lu steps", kernel->name, (unsigned long)code,
                 (unsigned long)reset);
}

static void exact_instructions_and_branches_are_what_a_debugger_counts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);
        const struct kernel_trace *t;

        assert_non_null(expectation_of(kernel, "INST_RETIRED.ANY"));
        assert_non_null(expectation_of(kernel, "BR_INST_RETIRED.ALL_BRANCHES"));
        if (!runs_here(kernel))
            continue;
        t = traced(kernel);
        hold(kernel, t->n, "INST_RETIRED.ANY", t->once.instructions, t->twice.instructions);
        hold(kernel, t->n, "BR_INST_RETIRED.ALL_BRANCHES", t->once.branches, t->twice.branches);
        hold(kernel, t->n, "BR_INST_RETIRED.NEAR_TAKEN", t->once.taken, t->twice.taken);
        hold(kernel, t->n, "BR_INST_RETIRED.NEAR_CALL", t->once.calls, t->twice.calls);
        hold(kernel, t->n, "BR_INST_RETIRED.NEAR_RETURN", t->once.returns, t->twice.returns);
        hold_budget(kernel, t);
    }
}

/* Accesses to the stack, which is no part of the arena, of `n` iterations. */
static void count_stack_accesses(const struct kernel *kernel, int64_t n, int64_t *loads,
                                 int64_t *stores)
{
    const struct kernel_trace *t = traced(kernel);

    *loads = (int64_t)(t->twice.pops + t->twice.returns - t->once.pops - t->once.returns) * n /
             (int64_t)t->n;
    *stores = (int64_t)(t->twice.pushes + t->twice.calls - t->once.pushes - t->once.calls) * n /
              (int64_t)t->n;
}

static void exact_loads_and_stores_are_what_page_faults_count(void **state)
{
    enum { N = 10 };

    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);
        int64_t loads[2], stores[2], pops, pushes;

        if (expectation_of(kernel, "MEM_INST_RETIRED.ALL_LOADS") == NULL || !runs_here(kernel))
            continue;
        count_stack_accesses(kernel, N, &pops, &pushes);
        if (kernel->prepare != NULL)
            kernel_call(kernel->prepare, N, arena, arena_of(kernel), 0);
        count_accesses(kernel, N, &loads[0], &stores[0]);
        count_accesses(kernel, 2 * N, &loads[1], &stores[1]);
        hold(kernel, N, "MEM_INST_RETIRED.ALL_LOADS", (uint64_t)loads[0],
             (uint64_t)(loads[1] + pops));
        hold(kernel, N, "MEM_INST_RETIRED.ALL_STORES", (uint64_t)stores[0],
             (uint64_t)(stores[1] + pushes));
    }
}

/* Counts of one iteration, by hand from the sources; loads and stores are accesses to the arena. */
static const struct {
    const char *name;
    uint64_t instructions, branches, taken, calls, returns;
    int64_t loads, stores;
} by_hand[] = {
    {"cal.empty", 0, 0, 0, 0, 0, 0, 0},        {"cal.instructions", 3 * 10 + 2, 1, 1, 0, 0, 0, 0},
    {"cal.loads", 8 + 2, 1, 1, 0, 0, 8, 0},    {"cal.stores", 8 + 2, 1, 1, 0, 0, 0, 8},
    {"cal.branches", 7 + 2, 7, 5, 0, 0, 0, 0}, {"cal.mixed", 11 + 8, 11, 9, 3, 3, 0, 0},
};

static void calibration_kernels_cost_what_their_source_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(by_hand); i++) {
        const struct kernel *kernel = kernel_named(by_hand[i].name);
        const struct kernel_trace *t = traced(kernel);

        assert_int_equal(t->twice.instructions - t->once.instructions,
                         t->n * by_hand[i].instructions);
        assert_int_equal(t->twice.branches - t->once.branches, t->n * by_hand[i].branches);
        assert_int_equal(t->twice.taken - t->once.taken, t->n * by_hand[i].taken);
        assert_int_equal(t->twice.calls - t->once.calls, t->n * by_hand[i].calls);
        assert_int_equal(t->twice.returns - t->once.returns, t->n * by_hand[i].returns);
    }
}

static void calibration_kernels_touch_memory_as_their_source_says(void **state)
{
    enum { N = 10 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(by_hand); i++) {
        const struct kernel *kernel = kernel_named(by_hand[i].name);
        int64_t loads[2], stores[2];

        count_accesses(kernel, N, &loads[0], &stores[0]);
        count_accesses(kernel, 2 * N, &loads[1], &stores[1]);
        assert_int_equal(loads[1] - loads[0], N * by_hand[i].loads);
        assert_int_equal(stores[1] - stores[0], N * by_hand[i].stores);
    }
}

/* The newest taken branch is the RET that leaves the kernel; the list starts with the branch before
 * it.
 */
static void listed_branches_are_the_last_ones_taken(void **state)
{
    const struct kernel *branches = kernel_named("cal.branches");

    (void)state;
    assert_int_equal(branches->branch_count, 14);
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);
        const struct kernel_trace *t;

        if (kernel->branch_count == 0)
            continue;
        assert_true(kernel->branch_count < RECORDS);
        t = traced(kernel);
        for (uint64_t k = 0; k < kernel->branch_count; k++) {
            const struct kernel_branch *taken = &t->once.last[(t->once.taken - 2 - k) % RECORDS];

            assert_ptr_equal(taken->from, kernel->branches[k].from);
            assert_ptr_equal(taken->to, kernel->branches[k].to);
        }
    }
}

/* Every taken branch of a window of n iterations, oldest first: n times the steps, with the last of
 * them taken n - 1 times; then the branch to the RET. RECORDS of them are looked at. */
static void listed_steps_are_all_branches_taken(void **state)
{
    const struct kernel *kernel = kernel_named("lbr.sequence");
    const uint64_t count = kernel->step_count;
    const struct kernel_trace *t = traced(kernel);

    (void)state;
    assert_int_equal(count, 8);
    assert_int_equal(t->once.taken, t->n * count - 1 + 2);
    assert_ptr_equal(t->once.last[(t->once.taken - 1) % RECORDS].from, kernel->leaves->to);
    for (uint64_t k = 1; k < RECORDS; k++) {
        const struct kernel_branch *taken = &t->once.last[(t->once.taken - 1 - k) % RECORDS];
        const struct kernel_step *step =
            k == 1 ? kernel->leaves : &kernel->steps[(t->n * count - k) % count];

        assert_ptr_equal(taken->from, step->from);
        assert_ptr_equal(taken->to, step->to);
    }
}

/* Of a window's calls those stay open that no return has answered; the debugger's records hold the
 * newest of them with the leaf's calls and returns in between. */
static void listed_open_calls_are_those_that_no_return_answered(void **state)
{
    const struct kernel *kernel = kernel_named("lbr.calls");
    const uint64_t count = kernel->stacked_count;
    unsigned answered = 0, open = 0;
    const struct kernel_trace *t = traced(kernel);

    (void)state;
    assert_int_equal(count, 3);
    /* 39 calls of the ring and 13 of the leaf an iteration; 13 returns, and the last RET */
    assert_int_equal(t->once.calls, t->n * (39 + 13));
    assert_int_equal(t->once.returns, t->n * 13 + 1);
    for (uint64_t k = 0; k < RECORDS && k < t->once.taken; k++) {
        const struct kernel_branch *taken = &t->once.last[(t->once.taken - 1 - k) % RECORDS];
        bool repeated;
        uint64_t length;
        enum branch branch = branch_at((const uint8_t *)taken->from, &repeated, &length);

        if (branch == BRANCH_RETURN)
            answered++;
        else if (branch == BRANCH_CALL && answered > 0)
            answered--;
        else if (branch == BRANCH_CALL) {
            assert_ptr_equal(taken->from, kernel->stacked[open % count].from);
            assert_ptr_equal(taken->to, kernel->stacked[open % count].to);
            open++;
        }
    }
    assert_true(open >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_instructions_and_branches_are_what_a_debugger_counts),
        cmocka_unit_test(exact_loads_and_stores_are_what_page_faults_count),
        cmocka_unit_test(calibration_kernels_cost_what_their_source_says),
        cmocka_unit_test(calibration_kernels_touch_memory_as_their_source_says),
        cmocka_unit_test(listed_branches_are_the_last_ones_taken),
        cmocka_unit_test(listed_steps_are_all_branches_taken),
        cmocka_unit_test(listed_open_calls_are_those_that_no_return_answered),
    };

    return cmocka_run_group_tests(tests, map_arena, NULL);
}
