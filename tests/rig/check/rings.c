/* Privilege and pages: code in ring 3 and its ways back, which counters count there, pages that may
 * not be read, written or executed, and pages of 1 GiB. SDM 3A, "Paging" and "Interrupt and
 * Exception Handling"; SDM 2B, SYSCALL and SYSRET. */
#include "check.h"

#include <efilib.h>

#define KERNEL_CODE      0x38
#define USER_DATA        0x48
#define USER_CODE        0x50
#define STATE_SEGMENT    0x58
#define IST_VECTOR       0x81
#define SHUT_VECTOR      0x82
#define PRESENT          1u
#define WRITABLE         2u
#define USER             4u
#define UNCACHED         0x18u
#define LARGE            0x80u
#define NO_EXECUTE       (1ull << 63)
#define EFER             0xc0000080
#define STAR             0xc0000081
#define LSTAR            0xc0000082
#define FMASK            0xc0000084
#define SCE              1u
#define NXE              0x800u
#define CR4_PCE          0x100u
#define IO_MAP_BYTES     16
#define CLOCK_DATA       0x71
#define STACK_BYTES      4096
#define PERFEVTSEL0      0x186
#define PMC0             0xc1
#define PERF_GLOBAL_CTRL 0x38f

UINT64 __attribute__((sysv_abi)) check_ring_3(void *code, void *stack, UINT64 argument);
extern UINT64 user_flags;
extern char check_ring_3_done[], check_ring_3_call[];
extern char user_loop[], user_level[], user_read[], user_write[], user_cli[], user_hlt[],
    user_cr3[], user_in[], user_rdmsr[], user_int[], user_monitor[], user_counter[], user_call[];

struct __attribute__((packed)) state_segment {
    UINT32 reserved;
    UINT64 rsp[3], none, ist[7], none_either;
    UINT16 reserved_too, io_map;
    UINT8 shut[IO_MAP_BYTES]; /* a bit a port, and a byte of ones behind */
};

static UINT64 top[512] __attribute__((aligned(4096)));
static UINT64 giants[512] __attribute__((aligned(4096)));
static UINT64 directories[4][512] __attribute__((aligned(4096)));
static UINT64 small[512] __attribute__((aligned(4096)));
static UINT8 subject[4096] __attribute__((aligned(4096)));
static UINT8 user_stack[STACK_BYTES] __attribute__((aligned(16)));
static UINT64 ring_stack[STACK_BYTES / 8] __attribute__((aligned(16)));
static UINT64 ist_stack[STACK_BYTES / 8] __attribute__((aligned(16)));
static struct state_segment state;
static UINT64 descriptors[13];
static struct table_register old_gdt;
static UINT64 old_cr3, old_efer;

#define TOP(stack) ((stack) + sizeof(stack) / sizeof((stack)[0]))

static void flush(void)
{
    __asm__ volatile("mov %0, %%cr3" ::"r"(top) : "memory");
}

/* All of the first 4 GiB at its own address and open to ring 3, in pages of 2 MiB; those of
 * `subject` are of 4 KiB. */
static void own_pages(void)
{
    UINT64 around = (UINT64)subject & ~0x1fffffull;

    top[0] = (UINT64)giants | PRESENT | WRITABLE | USER;
    for (UINT64 i = 0; i < 4; i++) {
        giants[i] = (UINT64)directories[i] | PRESENT | WRITABLE | USER;
        for (UINT64 j = 0; j < 512; j++)
            directories[i][j] =
                i << 30 | j << 21 | LARGE | PRESENT | WRITABLE | USER | (i == 3 ? UNCACHED : 0);
    }
    for (UINT64 i = 0; i < 512; i++)
        small[i] = around | i << 12 | PRESENT | WRITABLE | USER;
    directories[around >> 30][around >> 21 & 511] = (UINT64)small | PRESENT | WRITABLE | USER;
    flush();
}

static UINT64 *entry_of_subject(void)
{
    return &small[(UINT64)subject >> 12 & 511];
}

static void own_segments(void)
{
    struct table_register gdt = {sizeof(descriptors) - 1, (UINT64)descriptors};
    UINT64 base = (UINT64)&state, limit = sizeof(state) - 1;

    __asm__ volatile("sgdt %0" : "=m"(old_gdt));
    for (unsigned i = 0; i < 9; i++) /* the program goes on with the selectors it has */
        descriptors[i] = 8 * i + 7 <= old_gdt.limit ? ((UINT64 *)old_gdt.base)[i] : 0;
    descriptors[USER_DATA / 8] = 0x00cff3000000ffff;
    descriptors[USER_CODE / 8] = 0x00affb000000ffff;
    descriptors[STATE_SEGMENT / 8] =
        limit | (base & 0xffffff) << 16 | 0x89ull << 40 | (base >> 24 & 0xff) << 56;
    descriptors[STATE_SEGMENT / 8 + 1] = base >> 32;
    state.rsp[0] = (UINT64)TOP(ring_stack);
    state.ist[0] = (UINT64)TOP(ist_stack);
    state.io_map = sizeof(state) - IO_MAP_BYTES;
    SetMem(state.shut, IO_MAP_BYTES, 0xff);
    __asm__ volatile("lgdt %0; ltr %w1" ::"m"(gdt), "r"(STATE_SEGMENT) : "memory");
}

static void set_user_gate(unsigned vector, void *handler, unsigned ist)
{
    struct table_register idt;
    UINT64 *gate;

    set_gate(vector, handler);
    __asm__ volatile("sidt %0" : "=m"(idt));
    gate = (UINT64 *)(idt.base + 16 * vector);
    *gate |= 3ull << 45 | (UINT64)ist << 32;
}

static UINT64 run(char *code, UINT64 argument)
{
    return check_ring_3(code, TOP(user_stack) - 8, argument);
}

/* True when `code` raised exactly one exception, with that vector and error code. */
static int faults_once(char *code, UINT64 argument, UINT64 vector, UINT64 error)
{
    struct trapped before = trapped(), after;

    run(code, argument);
    after = trapped();
    return after.count == before.count + 1 && after.vector == vector && after.error == error;
}

static UINT64 seen_stack, seen_ss;

static void look(UINT64 vector)
{
    (void)vector;
    seen_stack = (UINT64)__builtin_frame_address(0);
    __asm__ volatile("mov %%ss, %0" : "=r"(seen_ss));
}

static int within(const UINT64 *stack)
{
    return seen_stack > (UINT64)stack && seen_stack < (UINT64)(stack + STACK_BYTES / 8);
}

/* The five words that an interrupt from ring 3 pushes are the first on the stack that the TSS
 * names. */
static void stacks(void)
{
    const UINT64 *frame = TOP(ring_stack) - 5;

    check((run(user_level, 0) & 0xffff) == (USER_CODE | 3), "IRETQ goes to ring 3");
    interrupt_action = look;
    send(my_id(), 0x4043); /* pending until IRETQ lets it in */
    run(user_level, 0);
    check(within(ring_stack), "an interrupt from ring 3 comes on the stack of ring 0");
    __asm__ volatile("int $0x81");
    check(within(ist_stack), "and one with a stack of its own on that one, from ring 0 too");
    interrupt_action = 0;
    check(faults_once(user_cli, 0, 13, 0) && frame[1] == (USER_CODE | 3) &&
              frame[3] > (UINT64)user_stack && frame[3] < (UINT64)TOP(user_stack) &&
              frame[4] == (USER_DATA | 3),
          "its frame has the selectors and the stack of ring 3");
}

static void no_stack_segment(void)
{
    interrupt_action = look;
    seen_ss = ~0ull;
    send(my_id(), 0x4043);
    run(user_level, 0);
    interrupt_action = 0;
    check((seen_ss & 0xffff) == 0, "SS is null in a handler that comes from ring 3");
}

static void privileged(void)
{
    unsigned good = 0;

    for (unsigned i = 0; i < 50; i++) {
        good += faults_once(user_cli, 0, 13, 0);
        good += faults_once(user_hlt, 0, 13, 0);
        good += faults_once(user_cr3, 0, 13, 0);
        good += faults_once(user_in, CLOCK_DATA, 13, 0);
        good += faults_once(user_rdmsr, 0, 13, 0);
    }
    check(good == 250, "privileged instructions are #GP(0) in ring 3, 50 times in turn");
    check(faults_once(user_int, 0, 13, SHUT_VECTOR * 8 + 2),
          "INT through a gate that is not for ring 3 is #GP with the gate's index");
    check(faults_once(user_monitor, 0, 6, 0) || !(cpuid(1).c >> 3 & 1), "MONITOR is #UD in ring 3");
}

/* Ports are open by their bits in the map, closed beyond its end, and all open by the level in
 * RFLAGS. */
static void ports(void)
{
    state.shut[CLOCK_DATA / 8] = (UINT8) ~(1u << CLOCK_DATA % 8);
    check(!faults_once(user_in, CLOCK_DATA, 13, 0) && faults_once(user_in, CLOCK_DATA + 1, 13, 0) &&
              faults_once(user_in, 0x3fd, 13, 0),
          "the TSS opens the ports whose bits are clear, and no others");
    state.shut[CLOCK_DATA / 8] = 0xff;
    user_flags = 0x3000;
    check(!faults_once(user_in, CLOCK_DATA, 13, 0), "an I/O privilege level of 3 opens all");
    user_flags = 0;
}

static void calls(void)
{
    UINT64 star = rdmsr(STAR), lstar = rdmsr(LSTAR), mask = rdmsr(FMASK);

    wrmsr(STAR, (UINT64)KERNEL_CODE << 32 | (UINT64)(USER_DATA - 8) << 48);
    wrmsr(LSTAR, (UINT64)check_ring_3_call);
    wrmsr(FMASK, 0x200);
    wrmsr(EFER, rdmsr(EFER) | SCE);
    check(run(user_call, 21) == 42, "SYSCALL goes to LSTAR and SYSRET back");
    wrmsr(EFER, rdmsr(EFER) & ~(UINT64)SCE);
    wrmsr(STAR, star);
    wrmsr(LSTAR, lstar);
    wrmsr(FMASK, mask);
}

/* Error codes: 1 the page is there, 2 a write, 4 from ring 3, 16 a fetch. */
static void pages(void)
{
    UINT64 *entry = entry_of_subject(), plain = *entry, place = (UINT64)subject;
    struct trapped before;
    UINT64 cr0;

    *entry = plain & ~(UINT64)USER;
    flush();
    check(faults_once(user_read, place, 14, 5), "ring 3 may not read a page of the supervisor");
    check(faults_once(user_write, place, 14, 7), "nor write there");
    check(trapped().address == place, "and CR2 says where it was");
    *(volatile UINT64 *)subject = 7;
    check(*(volatile UINT64 *)subject == 7, "but ring 0 may");
    *entry = plain & ~(UINT64)WRITABLE;
    flush();
    check(run(user_read, place) == 7 && faults_once(user_write, place, 14, 7),
          "a page without W can be read in ring 3 and not written");
    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("mov %0, %%cr0" ::"r"(cr0 | 0x10000));
    before = trapped();
    check_write(place);
    check(trapped().count == before.count + 1 && trapped().error == 3, "nor in ring 0 with CR0.WP");
    __asm__ volatile("mov %0, %%cr0" ::"r"(cr0 & ~0x10000ull));
    before = trapped();
    check_write(place);
    check(trapped().count == before.count, "but without CR0.WP in ring 0");
    __asm__ volatile("mov %0, %%cr0" ::"r"(cr0));
    *entry = 0;
    flush();
    check(faults_once(user_read, place, 14, 4), "a page that is not there has no P in its code");
    *entry = plain;
    flush();
    avx_pages(subject, entry);
    xsave_pages(subject, entry);
}

static void no_execute(void)
{
    UINT64 *entry = entry_of_subject(), plain = *entry, place = (UINT64)subject;
    struct trapped before = trapped();

    if (!(cpuid(0x80000001).d >> 20 & 1))
        return;
    wrmsr(EFER, rdmsr(EFER) | NXE);
    subject[0] = 0xc3; /* RET */
    *entry = plain | NO_EXECUTE;
    flush();
    check(*(volatile UINT8 *)subject == 0xc3, "a page with NX can be read");
    ((void (*)(void))place)();
    check(trapped().count == before.count + 1 && trapped().vector == 14 &&
              trapped().error == 0x11 && trapped().address == place,
          "and not executed: a page fault with the bits of a fetch");
    *entry = plain;
    flush();
    ((void (*)(void))place)();
    check(trapped().count == before.count + 1, "without it it is executed");
}

static void giant_pages(void)
{
    UINT64 one = giants[0], before = trapped().count;

    if (!(cpuid(0x80000001).d >> 26 & 1))
        return;
    for (UINT64 i = 0; i < 3; i++)
        giants[i] = i << 30 | LARGE | PRESENT | WRITABLE | USER;
    flush();
    *(volatile UINT64 *)subject = 0x1234;
    check(run(user_read, (UINT64)subject) == 0x1234 && trapped().count == before,
          "a page of 1 GiB holds the program and ring 3");
    giants[2] &= ~(UINT64)USER;
    flush();
    check(faults_once(user_read, 0x80000000, 14, 5), "and its protection holds for all of it");
    giants[0] = one;
    for (UINT64 i = 1; i < 3; i++)
        giants[i] = (UINT64)directories[i] | PRESENT | WRITABLE | USER;
    flush();
}

/* One window around `turns` turns in ring 3: what PMC0 to PMC2 count. */
static void count(UINT64 turns, UINT64 counts[3])
{
    for (UINT32 i = 0; i < 3; i++)
        wrmsr(PMC0 + i, 0);
    wrmsr(PERF_GLOBAL_CTRL, 7);
    run(user_loop, turns);
    wrmsr(PERF_GLOBAL_CTRL, 0);
    for (UINT32 i = 0; i < 3; i++)
        counts[i] = rdmsr(PMC0 + i);
}

static void levels(void)
{
    static const UINT32 events[3] = {0x4100c0, 0x4200c0,
                                     0x4300c0}; /* instructions: USR, OS, both */
    UINT64 once[3], twice[3], cr4;

    if (cpuid(0).a < 10 || (cpuid(10).a & 0xff) < 2 || (cpuid(10).a >> 8 & 0xff) < 3)
        return;
    reset_counters();
    for (UINT32 i = 0; i < 3; i++)
        wrmsr(PERFEVTSEL0 + i, events[i]);
    count(1000, once);
    count(2000, twice);
    check(twice[0] - once[0] == 2000, "instructions of ring 3 count where USR is set");
    check(twice[1] == once[1], "and not where OS alone is");
    check(once[0] + once[1] == once[2] && twice[0] + twice[1] == twice[2],
          "each instruction counts for one level");
    /* two instructions a turn, a load before and an INT behind; IRETQ and INT may count for either
     * ring */
    check(once[0] >= 2001 && once[0] <= 2003,
          "the window's user instructions are those of the code");
    for (UINT32 i = 0; i < 3; i++)
        wrmsr(PERFEVTSEL0 + i, 0);
    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 & ~(UINT64)CR4_PCE));
    check(faults_once(user_counter, 0, 13, 0), "RDPMC is #GP(0) in ring 3 without CR4.PCE");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | CR4_PCE));
    check(run(user_counter, 0) == 1, "and is not with it");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4));
}

void rings(void)
{
    old_efer = rdmsr(EFER);
    __asm__ volatile("mov %%cr3, %0" : "=r"(old_cr3));
    own_pages();
    own_segments();
    set_user_gate(0x80, check_ring_3_done, 0);
    set_user_gate(IST_VECTOR, check_entries + 16 * IST_VECTOR, 1);
    stacks();
    no_stack_segment();
    privileged();
    ports();
    calls();
    pages();
    no_execute();
    giant_pages();
    levels();
    set_gate(0x80, check_entries + 16 * 0x80);
    set_gate(IST_VECTOR, check_entries + 16 * IST_VECTOR);
    wrmsr(EFER, old_efer);
    __asm__ volatile("mov %0, %%cr3; lgdt %1" ::"r"(old_cr3), "m"(old_gdt) : "memory");
}
