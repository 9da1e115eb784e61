/* Single-stepping on instructions and on branches, and the record of the last branch before an
 * exception or interrupt. SDM 3B, "Single-Stepping on Branches", "Last Exception Records",
 * "Architectural Last Branch Records". */
#include "check.h"

#include <efilib.h>

#define DEBUGCTL          0x1d9
#define DEBUGCTL_LBR      1u
#define DEBUGCTL_BTF      2u
#define LBR_CTL           0x14ce
#define LBR_CTL_ALL       0x7f0003u /* on, both levels, every kind of branch */
#define LER_FROM          0x1dd
#define LER_FROM_NETBURST 0x1d7
#define LER_INFO          0x1e0
#define TYPE_DIRECT_JUMP  2u
#define DR6_BS            0x4000u
#define SEEN_MAX          16
#define PERFEVTSEL0       0x186
#define PMC0              0xc1
#define PERF_GLOBAL_CTRL  0x38f
#define NEAR_TAKEN        0x4220c4u

void check_stepped(void), check_last_fault(void), check_last_int(void), check_last_interrupt(void),
    check_untaken(void);
extern char step_1[], step_taken[], step_4[], step_5[], step_6[], step_far[], step_9[], step_10[],
    step_last[];
extern char last_fault_from[], last_fault_to[], last_int_from[], last_int_to[],
    last_interrupt_from[], last_interrupt_to[];

static UINT64 seen[SEEN_MAX], status[SEEN_MAX];
static unsigned count;
static UINT64 again; /* what the handler writes to DEBUGCTL */
static UINT64 kept;  /* what DEBUGCTL was in the first handler */

static int on_debug(struct frame *frame)
{
    if (frame->vector != 1)
        return 0;
    if (count < SEEN_MAX) {
        seen[count] = frame->rip;
        __asm__ volatile("mov %%dr6, %0" : "=r"(status[count]));
    }
    __asm__ volatile("mov %0, %%dr6" ::"r"(0xffff0ff0ull));
    if (count == 0)
        kept = rdmsr(DEBUGCTL);
    count++;
    if (again)
        wrmsr(DEBUGCTL, again);
    return 1;
}

static int step(UINT64 control, UINT64 control_again, char *const *places, unsigned number)
{
    unsigned good = 0;

    count = 0;
    again = control_again;
    wrmsr(DEBUGCTL, control);
    trap_action = on_debug;
    check_stepped();
    trap_action = 0;
    wrmsr(DEBUGCTL, 0);
    for (unsigned i = 0; i < number && i < count; i++)
        good += seen[i] == (UINT64)places[i] && status[i] & DR6_BS;
    return count == number && good == number;
}

static void stepping(void)
{
    static char *const all[] = {step_1,   step_taken, step_4,  step_5,   step_6,
                                step_far, step_9,     step_10, step_last};
    static char *const branches[] = {step_taken, step_far};
    static char *const after_one[] = {step_taken, step_4, step_5,  step_6,
                                      step_far,   step_9, step_10, step_last};

    check(step(0, 0, all, 9), "TF stops behind every instruction");
    check(step(DEBUGCTL_BTF, DEBUGCTL_BTF, branches, 2),
          "with BTF behind branches that are taken, and nowhere else");
    check(step(DEBUGCTL_BTF, 0, after_one, 8) && !(kept & DEBUGCTL_BTF),
          "a debug exception clears BTF: the next step is of an instruction");
}

int is_intel(void)
{
    return cpuid(0).b == 0x756e6547; /* "Genu" */
}

static int is_architectural(void)
{
    return cpuid(0).a >= 7 && cpuid(7).d >> 19 & 1;
}

static void record(int on)
{
    if (is_architectural())
        wrmsr(LBR_CTL, on ? LBR_CTL_ALL : 0);
    else
        wrmsr(DEBUGCTL, on ? DEBUGCTL_LBR : 0);
}

static int last_was(const char *from, const char *to)
{
    UINT32 first = (cpuid(1).a >> 8 & 0xf) == 0xf ? LER_FROM_NETBURST : LER_FROM;
    UINT64 address = ~0ull >> 16; /* formats with flags keep them in the upper bits */

    return (rdmsr(first) & address) == (UINT64)from && (rdmsr(first + 1) & address) == (UINT64)to;
}

static void last_branches(void)
{
    record(1);
    check_last_fault();
    record(0);
    check(last_was(last_fault_from, last_fault_to), "the last branch before a fault is kept");
    if (is_architectural())
        check((rdmsr(LER_INFO) >> 56 & 0xf) == TYPE_DIRECT_JUMP, "with its type");
    record(1);
    check_last_int();
    record(0);
    check(last_was(last_int_from, last_int_to), "the one before INT is not INT itself");
    send(my_id(), 0x4041);
    record(1);
    check_last_interrupt();
    record(0);
    check(last_was(last_interrupt_from, last_interrupt_to),
          "that of an interrupt right behind it has its own target");
    check_last_fault();
    check(last_was(last_interrupt_from, last_interrupt_to),
          "without recording an exception leaves it as it is");
}

/* The number of taken branches around `code`: a branch that is not taken adds none. The branches of
 * the handler are the same as after an interrupt behind a NOP. */
static UINT64 taken_around(void (*code)(void))
{
    wrmsr(PMC0, 0);
    send(my_id(), 0x4041);
    wrmsr(PERF_GLOBAL_CTRL, 1);
    code();
    wrmsr(PERF_GLOBAL_CTRL, 0);
    return rdmsr(PMC0);
}

static void interrupted(void)
{
    UINT64 taken, untaken;

    if (cpuid(0).a < 10 || (cpuid(10).a & 0xff) < 4 ||
        !is_intel()) /* older versions have another encoding */
        return;
    wrmsr(PERFEVTSEL0, NEAR_TAKEN);
    taken_around(check_untaken);
    untaken = taken_around(check_untaken);
    taken = taken_around(check_last_interrupt);
    wrmsr(PERFEVTSEL0, 0);
    check(taken == untaken + 1, "a branch behind which an interrupt comes is taken or not as ever");
}

void debug(void)
{
    stepping();
    if (is_intel())
        last_branches();
    interrupted();
}
