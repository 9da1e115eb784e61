/* Runs kernels in a child process that is single-stepped, on whatever x86-64 CPU this is: which
 * instructions, branches and targets a kernel has is then said by that CPU, and by opcodes that are
 * decoded here. A function that cannot do its work fails or skips the running test. */
#ifndef TESTS_UNIT_KERNELS_KERNEL_STEPS_H
#define TESTS_UNIT_KERNELS_KERNEL_STEPS_H

#include "tests/unit/kernels/kernel_texts.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARENA_BYTES     (32ul << 20)
#define ARENA_ALIGNMENT (2ul << 20)
#define PAGE_BYTES      4096ul

static uint8_t *arena; /* shared with the children */

/* ---- Instructions and branches: a single-stepped child ---- */

#define RECORDS       32
#define STEP_LIMIT    2000000
#define NOT_PERMITTED 77
#define TRAP_FLAG     0x100 /* EFLAGS.TF */

/* Called for each step, from one instruction to the next. */
typedef void step_visitor(void *context, uint64_t from, uint64_t to);

struct trace {
    step_visitor *visit; /* may be null */
    void *context;
    uint64_t steps; /* instructions; each round of a REP is one step */
    uint64_t instructions, branches, taken, calls, returns, pushes, pops;
    struct kernel_branch last[RECORDS]; /* taken branch number i is entry i % RECORDS */
};

enum branch { BRANCH_NONE, BRANCH_JUMP, BRANCH_CONDITIONAL, BRANCH_CALL, BRANCH_RETURN };

/* Near branches by their opcodes, from the manual's "Opcode Map". *length is set for conditional
 * branches, *repeated for every instruction. */
static inline enum branch branch_at(const uint8_t *code, bool *repeated, uint64_t *length)
{
    const uint8_t *at = code;

    *repeated = false;
    for (; memchr("\x66\x2e\x3e\xf2\xf3", *at, 5) != NULL || (*at & 0xf0) == 0x40; at++)
        *repeated |= *at == 0xf2 || *at == 0xf3;
    *length = (uint64_t)(at - code) + (*at == 0x0f ? 6 : 2);

    if ((*at & 0xf0) == 0x70 || (*at & 0xfc) == 0xe0 || (*at == 0x0f && (at[1] & 0xf0) == 0x80))
        return BRANCH_CONDITIONAL;
    if (*at == 0xc3 || *at == 0xc2)
        return BRANCH_RETURN;
    if (*at == 0xe8 || (*at == 0xff && (at[1] >> 3 & 7) == 2))
        return BRANCH_CALL;
    if (*at == 0xe9 || *at == 0xeb || (*at == 0xff && (at[1] >> 3 & 7) == 4))
        return BRANCH_JUMP;
    return BRANCH_NONE;
}

/* PUSH and POP of a general register ("Opcode Map"), with or without REX. */
static inline void count_stack(struct trace *trace, const uint8_t *code)
{
    const uint8_t opcode = (*code & 0xf0) == 0x40 ? code[1] : *code;

    trace->pushes += (opcode & 0xf8) == 0x50;
    trace->pops += (opcode & 0xf8) == 0x58;
}

static inline void count_step(struct trace *trace, uint64_t from, uint64_t to)
{
    bool repeated;
    uint64_t length;
    enum branch branch = branch_at((const uint8_t *)from, &repeated, &length);

    trace->steps++;
    if (trace->visit != NULL)
        trace->visit(trace->context, from, to);
    if (repeated && from == to)
        return;
    trace->instructions++;
    count_stack(trace, (const uint8_t *)from);
    if (branch == BRANCH_NONE)
        return;
    trace->branches++;
    trace->calls += branch == BRANCH_CALL;
    trace->returns += branch == BRANCH_RETURN;
    if (branch == BRANCH_CONDITIONAL && to == from + length)
        return;
    trace->last[trace->taken % RECORDS] =
        (struct kernel_branch){(const void *)from, (const void *)to};
    trace->taken++;
}

static inline bool stopped_by(pid_t child, int signal)
{
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_PERMITTED)
        return false;
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != signal)
        fail_msg("the child ended or stopped with wait status 0x%x", (unsigned)status);
    return true;
}

/* The child has stopped itself before a call of `routine`: steps through that call and counts it.
 */
static inline void step_through(pid_t child, void (*routine)(void), struct trace *trace)
{
    struct user_regs_struct registers;
    uint64_t entry_stack = 0, from;

    *trace = (struct trace){.visit = trace->visit, .context = trace->context};
    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    for (unsigned steps = 0; steps < STEP_LIMIT; steps++) {
        from = registers.rip;
        if (from == (uintptr_t)routine && entry_stack == 0)
            entry_stack = registers.rsp;
        ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
        stopped_by(child, SIGTRAP);
        ptrace(PTRACE_GETREGS, child, NULL, &registers);
        if (entry_stack == 0)
            continue;
        count_step(trace, from, registers.rip);
        if (registers.rsp > entry_stack)
            return;
    }
    fail_msg("did not return within %d steps", STEP_LIMIT);
}

struct kernel_trace {
    uint64_t n;
    struct trace reset_2n, once, twice; /* RESET before 2n; windows of n and of 2n iterations */
};

static inline void call_when_traced(void (*routine)(void), uint64_t n, uint64_t arena_bytes)
{
    raise(SIGSTOP);
    kernel_call(routine, n, arena, arena_bytes, 0);
}

static inline void child_runs(const struct kernel *kernel, uint64_t n, uint64_t arena_bytes)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(NOT_PERMITTED);
    if (kernel->prepare != NULL)
        kernel_call(kernel->prepare, n, arena, arena_bytes, 0);
    if (kernel->reset != NULL)
        kernel_call(kernel->reset, n, arena, arena_bytes, 0);
    call_when_traced(kernel->code, n, arena_bytes);
    if (kernel->reset != NULL)
        call_when_traced(kernel->reset, n * 2, arena_bytes);
    call_when_traced(kernel->code, n * 2, arena_bytes);
    _exit(0);
}

/* Linux takes an IRET that is stepped for the program's own way to set the trap flag, and leaves
 * the flag set behind it. */
static inline void end_steps(pid_t child)
{
    struct user_regs_struct registers;

    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    registers.eflags &= ~(unsigned long long)TRAP_FLAG;
    ptrace(PTRACE_SETREGS, child, NULL, &registers);
    ptrace(PTRACE_CONT, child, NULL, NULL);
}

static inline bool step_part(pid_t child, void (*routine)(void), struct trace *trace)
{
    if (routine == NULL)
        return true;
    if (!stopped_by(child, SIGSTOP))
        return false;
    step_through(child, routine, trace);
    end_steps(child);
    return true;
}

/* Counts a window of n and a window of 2n iterations, and the RESET before the second. n is a part
 * of the kernel's iterations: single steps are slow, and a claim holds for any n. Skips the test
 * where tracing is forbidden. *trace is all 0, apart from visitors. */
static inline void trace_kernel(const struct kernel *kernel, struct kernel_trace *trace)
{
    uint64_t n = (iterations_of(kernel) + 31) / 32, arena_bytes = arena_of(kernel);
    pid_t child;

    trace->n = n;
    memset(arena, 0x5a, arena_bytes);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        child_runs(kernel, n, arena_bytes);
    if (!step_part(child, kernel->code, &trace->once)) {
        print_message("skipped: this system does not permit tracing a child\n");
        skip();
    }
    step_part(child, kernel->reset, &trace->reset_2n);
    step_part(child, kernel->code, &trace->twice);
    waitpid(child, NULL, 0);
}

static inline int map_arena(void **state)
{
    uint8_t *mapped = mmap(NULL, ARENA_BYTES + ARENA_ALIGNMENT, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void)state;
    if (mapped == MAP_FAILED)
        return -1;
    arena = mapped + (ARENA_ALIGNMENT - (uintptr_t)mapped % ARENA_ALIGNMENT) % ARENA_ALIGNMENT;
    return 0;
}

#endif
