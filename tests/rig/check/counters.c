/* Counting windows: which instructions are in a window, and an interrupt at an overflow. SDM 3B,
 * "Architectural Performance Monitoring". */
#include "check.h"

#define PERF_GLOBAL_CTRL        0x38f
#define PERF_GLOBAL_STATUS      0x38e
#define PERF_GLOBAL_OVF_CTRL    0x390
#define FIXED_CTR_CTRL          0x38d
#define FIXED_CTR0              0x309
#define PERFEVTSEL0             0x186
#define PMC0                    0xc1
#define INSTRUCTIONS_OS_ENABLED 0x4200c0u
#define BRANCHES_OS_ENABLED     0x4200c4u
#define INTERRUPT_ENABLE        0x100000u
#define VECTOR                  0x51

void reset_counters(void)
{
    static const UINT32 values[4] = {0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1};
    static const UINT8 models[] = {0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f};
    const UINT32 signature = cpuid(1).a;
    unsigned hit = 0;

    for (unsigned i = 0; i < sizeof(models); i++)
        hit |= is_intel() && (signature >> 8 & 0xf) == 6 &&
               ((signature >> 12 & 0xf0) | (signature >> 4 & 0xf)) == models[i];
    if (!hit)
        return;
    for (UINT32 i = 0; i < 4; i++)
        wrmsr(PERFEVTSEL0 + i, values[i]);
    wrmsr(PERF_GLOBAL_CTRL, 0xf);
    wrmsr(PERF_GLOBAL_CTRL, 0);
    for (UINT32 i = 0; i < 4; i++)
        wrmsr(PERFEVTSEL0 + i, 0);
}

/* Enables with `mask`, runs 1 + 2 * rounds instructions, disables. The three instructions that
 * prepare the second write are counted, too, and so is the second write. */
static void window(UINT32 mask, UINT64 rounds)
{
    __asm__ volatile("xor %%edx, %%edx\n\t"
                     "mov $0x38f, %%ecx\n\t"
                     "wrmsr\n\t"
                     "mov %[rounds], %%rbx\n"
                     "1: dec %%rbx\n\t"
                     "jnz 1b\n\t"
                     "xor %%eax, %%eax\n\t"
                     "xor %%edx, %%edx\n\t"
                     "mov $0x38f, %%ecx\n\t"
                     "wrmsr"
                     :
                     : "a"(mask), [rounds] "r"(rounds)
                     : "rbx", "rcx", "rdx", "memory", "cc");
}

static void exact(void)
{
    unsigned good = 0;

    for (UINT64 rounds = 1; rounds <= 1000; rounds *= 10) {
        reset_counters();
        wrmsr(FIXED_CTR_CTRL, 1);
        wrmsr(FIXED_CTR0, 0);
        wrmsr(PERFEVTSEL0, BRANCHES_OS_ENABLED);
        wrmsr(PMC0, 0);
        window(1, rounds);
        good += rdmsr(PMC0) == rounds;
        reset_counters();
        wrmsr(PERFEVTSEL0, INSTRUCTIONS_OS_ENABLED);
        wrmsr(PMC0, 0);
        __asm__ volatile("" ::: "memory");
        window(1, rounds);
        good += rdmsr(PMC0) == 1 + 2 * rounds + 4;
    }
    check(good == 8, "instructions and branches of a window are counted exactly");
}

#define OFFCORE_RSP_0        0x1a6
#define MISC_FEATURE_CONTROL 0x1a4
#define OFFCORE_RESPONSE     0x4201b7u
#define DATA_READ_ANY        0x10001
#define LINES                64

static UINT8 room[LINES * 64] __attribute__((aligned(64)));

/* Reads beyond L2 while every line is loaded once. */
static UINT64 requests(int flushed)
{
    for (unsigned i = 0; i < LINES; i++)
        if (flushed)
            __asm__ volatile("clflush (%0)" ::"r"(room + 64 * i) : "memory");
    __asm__ volatile("mfence" ::: "memory");
    wrmsr(PMC0, 0);
    wrmsr(PERF_GLOBAL_CTRL, 1);
    for (unsigned i = 0; i < LINES; i++)
        __asm__ volatile("movb (%0), %%al" ::"r"(room + 64 * i) : "rax", "memory");
    wrmsr(PERF_GLOBAL_CTRL, 0);
    return rdmsr(PMC0);
}

/* The event of Skylake to Ice Lake, without the prefetchers of L2. */
static void offcore_response(void)
{
    UINT32 a = 1, b = 0, c = 0, d = 0;
    UINT64 prefetchers;

    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if ((a & 0xffff0) != 0x50650 && (a & 0xffff0) != 0x606a0)
        return;
    prefetchers = rdmsr(MISC_FEATURE_CONTROL);
    wrmsr(MISC_FEATURE_CONTROL, 0xf);
    wrmsr(OFFCORE_RSP_0, DATA_READ_ANY);
    wrmsr(PERFEVTSEL0, OFFCORE_RESPONSE);
    check(requests(1) == LINES, "each flushed line is one data read beyond L2");
    check(requests(0) == 0, "and a line that was just read is none");
    wrmsr(PERFEVTSEL0, 0);
    wrmsr(MISC_FEATURE_CONTROL, prefetchers);
}

static void overflow(void)
{
    UINT64 before = interrupts[my_id() & 255];

    apic_write(0x340, VECTOR);
    reset_counters();
    wrmsr(PERFEVTSEL0, INSTRUCTIONS_OS_ENABLED | INTERRUPT_ENABLE);
    wrmsr(PMC0, (UINT64)-500 & 0xffffffff);
    __asm__ volatile("sti");
    window(1, 1000);
    __asm__ volatile("cli");
    check(interrupts[my_id() & 255] == before + 1, "one overflow makes one interrupt");
    check(apic_read(0x340) == (VECTOR | 0x10000),
          "which masks its entry of the local vector table");
    check(rdmsr(PERF_GLOBAL_STATUS) & 1, "and leaves its bit in the status register");
    wrmsr(PERF_GLOBAL_OVF_CTRL, 1);
    check(!(rdmsr(PERF_GLOBAL_STATUS) & 1), "until it is cleared");
    wrmsr(PERFEVTSEL0, 0);
}

/* The same with an LVT entry that delivers an NMI, which does not wait for STI. */
static void overflow_as_nmi(void)
{
    UINT64 before = nmis;

    apic_write(0x340, 0x400);
    reset_counters();
    wrmsr(PERFEVTSEL0, INSTRUCTIONS_OS_ENABLED | INTERRUPT_ENABLE);
    wrmsr(PMC0, (UINT64)-500 & 0xffffffff);
    window(1, 1000);
    check(nmis == before + 1 && apic_read(0x340) == 0x10400,
          "an overflow makes an NMI where its entry says so");
    nmis = before; /* other parts count from 0 */
    wrmsr(PERF_GLOBAL_OVF_CTRL, 1);
    wrmsr(PERFEVTSEL0, 0);
}

/* A window with `rounds` instructions of two bytes that fault, through a handler of three
 * instructions. Each round retires six: the load of ECX, the handler, DEC and JNZ; the faulting
 * instruction does not retire. Around them are five as in window(), and the load of EDX. */
#define FAULTING_WINDOW(instruction)                                                               \
    __asm__ volatile("xor %%edx, %%edx\n\t"                                                        \
                     "mov $0x38f, %%ecx\n\t"                                                       \
                     "wrmsr\n\t"                                                                   \
                     "mov %[rounds], %%rbx\n\t"                                                    \
                     "mov $-1, %%edx\n"                                                            \
                     "1: mov %[reg], %%ecx\n\t" instruction "\n\t"                                 \
                     "dec %%rbx\n\t"                                                               \
                     "jnz 1b\n\t"                                                                  \
                     "xor %%eax, %%eax\n\t"                                                        \
                     "xor %%edx, %%edx\n\t"                                                        \
                     "mov $0x38f, %%ecx\n\t"                                                       \
                     "wrmsr"                                                                       \
                     :                                                                             \
                     : "a"(1), [rounds] "r"(rounds), [reg] "r"(reg)                                \
                     : "rbx", "rcx", "rdx", "memory", "cc")

extern char check_skip_two[];

static int retires_none(unsigned which, UINT32 reg, UINT64 rounds)
{
    wrmsr(FIXED_CTR_CTRL, 0);
    reset_counters();
    wrmsr(PERFEVTSEL0, INSTRUCTIONS_OS_ENABLED);
    wrmsr(PMC0, 0);
    set_gate(13, check_skip_two);
    if (which == 0)
        FAULTING_WINDOW("rdmsr");
    else if (which == 1)
        FAULTING_WINDOW("wrmsr");
    else
        FAULTING_WINDOW("rdpmc");
    set_gate(13, check_entries + 16 * 13);
    return rdmsr(PMC0) == 6 + 6 * rounds;
}

static void faulting(void)
{
    check(retires_none(0, 0x12345678, 1) && retires_none(0, 0x12345678, 100),
          "an RDMSR that faults does not retire");
    check(retires_none(1, 0x12345678, 1) && retires_none(1, 0x12345678, 100),
          "nor does a WRMSR of no register");
    check(retires_none(1, PERFEVTSEL0, 1) && retires_none(1, PERFEVTSEL0, 100),
          "nor one of reserved bits of an event select");
    check(retires_none(1, 0x800, 100), "nor one of a register of the local APIC");
    check(retires_none(2, 0x12345678, 1) && retires_none(2, 0x12345678, 100),
          "nor does an RDPMC of no counter");
    wrmsr(PERFEVTSEL0, 0);
}

#define CRU_ESCR0            0x3b8
#define IQ_COUNTER0          0x30c
#define IQ_CCCR0             0x36c
#define INSTRUCTIONS_RETIRED 0x04000608u /* event 2, not bogus, at ring 0 */
#define ON_SELECT_4          0x00039000u
#define FORCE_OVF            0x02000000u
#define OVF_PMI_T0           0x04000000u

/* Interrupts while a few instructions are counted from 0 on, with these bits of the CCCR. */
static UINT64 forced(UINT32 bits, UINT64 *counted)
{
    const UINT64 before = interrupts[my_id() & 255];

    apic_write(0x340, VECTOR);
    wrmsr(CRU_ESCR0, INSTRUCTIONS_RETIRED);
    wrmsr(IQ_COUNTER0, 0);
    __asm__ volatile("sti");
    wrmsr(IQ_CCCR0, ON_SELECT_4 | bits);
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop");
    wrmsr(IQ_CCCR0, 0);
    __asm__ volatile("cli");
    *counted = rdmsr(IQ_COUNTER0);
    wrmsr(CRU_ESCR0, 0);
    return interrupts[my_id() & 255] - before;
}

/* "FORCE_OVF: forces a counter overflow on every counter increment". The counter is far from an
 * overflow of its own. */
static void forced_overflow(void)
{
    UINT64 counted;

    check(forced(FORCE_OVF | OVF_PMI_T0, &counted) == 1 && counted < 1000,
          "a forced overflow of NetBurst makes an interrupt");
    check(apic_read(0x340) == (VECTOR | 0x10000), "which masks its entry, too");
    check(forced(OVF_PMI_T0, &counted) == 0 && counted < 1000, "none is made where none is forced");
    check(forced(FORCE_OVF, &counted) == 0, "nor where none is asked for");
}

void counters(void)
{
    UINT32 a = 0, b = 0, c = 0, d = 0;

    if ((cpuid(1).a >> 8 & 0xf) == 0xf && cpuid(0).b == 0x756e6547) {
        if (!(rdmsr(MISC_ENABLE) >> 12 & 1)) /* with HyperThreading there are two to interrupt */
            forced_overflow();
        sampling_netburst();
    }
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (a < 10)
        return;
    a = 10, c = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if ((a & 0xff) < 2)
        return;
    exact();
    faulting();
    offcore_response();
    overflow();
    overflow_as_nmi();
    sampling();
}
