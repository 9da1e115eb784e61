/* What writes of control registers and of the local APIC's base refuse, and what faults and single
 * steps push. SDM 3A, "Control Registers", "Local APIC State", "Debug Registers"; SDM 2,
 * "MOV - Move to/from Control Registers". */
#include "check.h"

#include <efilib.h>

UINT64 check_set_cr0(UINT64), check_set_cr3(UINT64), check_set_cr4(UINT64), check_set_cr8(UINT64),
    check_get_cr8(void);

#define APIC_BASE   0x1b
#define APIC_ENABLE 0x800u
#define CR0_WP      0x10000u
#define CR0_NW      0x20000000u
#define CR0_CD      0x40000000u
#define CR0_PG      0x80000000u
#define CR4_PAE     0x20u
#define TASK_VECTOR 0x61

/* Bits of CR4 that CPUID announces, by leaf (subleaf 0), register and bit. */
static const struct announced {
    unsigned bit;
    UINT32 leaf;
    char where;
    unsigned at;
} announced[] = {
    {11, 7, 'c', 2},  /* UMIP */
    {12, 7, 'c', 16}, /* LA57 */
    {13, 1, 'c', 5},  /* VMXE */
    {14, 1, 'c', 6},  /* SMXE */
    {16, 7, 'b', 0},  /* FSGSBASE */
    {17, 1, 'c', 17}, /* PCIDE */
    {18, 1, 'c', 26}, /* OSXSAVE */
    {20, 7, 'b', 7},  /* SMEP */
    {21, 7, 'b', 20}, /* SMAP */
    {22, 7, 'c', 3},  /* PKE */
    {24, 7, 'c', 31}, /* PKS */
    {25, 7, 'd', 5},  /* UINTR */
};

static UINT64 cr0(void)
{
    UINT64 value;

    __asm__ volatile("mov %%cr0, %0" : "=r"(value));
    return value;
}
static UINT64 cr3(void)
{
    UINT64 value;

    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    return value;
}
static UINT64 cr4(void)
{
    UINT64 value;

    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

/* Whether the write is #GP(0). */
static int refused(UINT64 (*set)(UINT64), UINT64 value)
{
    const UINT64 before = trapped().count;

    set(value);
    return trapped().count == before + 1 && trapped().vector == 13 && trapped().error == 0;
}

static int is_announced(const struct announced *bit)
{
    struct leaf leaf;

    if (cpuid(0).a < bit->leaf)
        return 0;
    leaf = cpuid(bit->leaf);
    return (bit->where == 'b' ? leaf.b : bit->where == 'c' ? leaf.c : leaf.d) >> bit->at & 1;
}

static void bits_of_cr4(void)
{
    const UINT64 before = cr4();
    unsigned refusals = 0, wanted = 0;

    for (unsigned i = 0; i < sizeof(announced) / sizeof(announced[0]); i++) {
        if (is_announced(&announced[i]) || before >> announced[i].bit & 1)
            continue;
        wanted++;
        refusals += refused(check_set_cr4, before | 1ull << announced[i].bit) && cr4() == before;
    }
    check(refusals == wanted,
          "bits of CR4 that CPUID does not announce are #GP(0), and stay clear");
    refusals = 0;
    for (unsigned bit = 29; bit < 64; bit++)
        refusals += refused(check_set_cr4, before | 1ull << bit);
    check(refusals == 35 && refused(check_set_cr4, before | 1u << 15),
          "so are reserved bits of CR4");
    check(refused(check_set_cr4, before & ~(UINT64)CR4_PAE) && cr4() == before,
          "CR4.PAE stays set in 64-bit mode");
}

/* CR4.PCIDE, where CPUID announces it, needs a CR3 without low bits when it is set. */
static void process_contexts(void)
{
    const UINT64 before = cr4(), table = cr3();

    if (!(cpuid(1).c >> 17 & 1))
        return;
    check_set_cr3(table | 8); /* PWT: without PCIDE not a part of a number */
    check(refused(check_set_cr4, before | 1u << 17), "CR4.PCIDE is #GP(0) while CR3 has low bits");
    check_set_cr3(table);
    check(!refused(check_set_cr4, before | 1u << 17) && cr4() == (before | 1u << 17),
          "and is set when CR3 has none");
    check_set_cr4(before);
}

static void bits_of_cr0(void)
{
    const UINT64 before = cr0();

    check(refused(check_set_cr0, before | 1ull << 32) &&
              refused(check_set_cr0, before | 1ull << 63),
          "bits 32 and 63 of CR0 are #GP(0)");
    check(refused(check_set_cr0, (before | CR0_NW) & ~(UINT64)CR0_CD),
          "CR0.NW without CD is #GP(0)");
    check(refused(check_set_cr0, before & ~(UINT64)CR0_PG), "paging stays on in 64-bit mode");
    check(refused(check_set_cr0, before & ~1ull) && cr0() == before, "as does protection");
}

static void other_registers(void)
{
    const UINT64 table = cr3(), width = cpuid(0x80000008).a & 0xff;

    check(refused(check_set_cr3, table | 1ull << width),
          "CR3 beyond the physical addresses is #GP(0)");
    check(cr3() == table, "and keeps its value");
    check(refused(check_set_cr8, 16), "a task priority above 15 is #GP(0)");
}

/* SDM 3A, "Task Priority in IA-32e Mode". */
static void task_priority(void)
{
    const UINT64 before = vectors[TASK_VECTOR];
    UINT64 held;

    apic_write(0xf0, 0x1ff);
    apic_write(0x80, 0x37);
    check(check_get_cr8() == 3, "CR8 is the upper half of the APIC's task priority");
    check_set_cr8(TASK_VECTOR >> 4);
    check(apic_read(0x80) == (TASK_VECTOR & 0xf0), "writing it clears the lower half");
    send(my_id(), 0x4000 | TASK_VECTOR);
    __asm__ volatile("sti; nop; nop; cli");
    held = vectors[TASK_VECTOR];
    check_set_cr8((TASK_VECTOR >> 4) - 1);
    __asm__ volatile("sti; nop; nop; cli");
    check(held == before && vectors[TASK_VECTOR] == before + 1,
          "it holds back interrupts of its class, until it is lower");
    check_set_cr8(0);
}

/* SDM 3A, "Enabling or Disabling the Local APIC". In x2APIC mode the way back would be another. */
static void apic_off(void)
{
    const UINT64 base = rdmsr(APIC_BASE);
    const UINT32 version = apic_read(0x30), spurious = apic_read(0xf0);

    if (in_x2apic_mode())
        return;
    check_set_cr8(5);
    wrmsr(APIC_BASE, base & ~(UINT64)APIC_ENABLE);
    check_set_cr8(9);
    check(check_get_cr8() == 0, "CR8 is dead while the local APIC is off");
    check(!(cpuid(1).d >> 9 & 1), "without its local APIC a processor announces none");
    check(APIC[0x30 / 4] == ~0u, "and none answers at its page");
    wrmsr(APIC_BASE, base);
    check(cpuid(1).d >> 9 & 1 && apic_read(0x30) == version && apic_read(0xf0) == spurious &&
              check_get_cr8() == 5,
          "with it again, all is there");
    check_set_cr8(0);
}

/* SDM 3A, "APIC Timer": a one-shot count that has reached 0 stays there until another is written.
 */
static void timer_over(void)
{
    unsigned left = 0;

    apic_write(0xf0, 0x1ff);
    apic_write(0x3e0, 0xb);     /* by 1 */
    apic_write(0x320, 0x10040); /* one-shot, masked */
    apic_write(0x380, 1000);
    for (unsigned i = 0; i < 1000000 && apic_read(0x390) != 0; i++)
        ;
    check(apic_read(0x390) == 0, "a one-shot count reaches 0");
    apic_write(0x3e0, 0xa); /* by 128 */
    left += apic_read(0x390);
    apic_write(0x320, 0x30040); /* periodic */
    left += apic_read(0x390);
    check(left == 0 && apic_read(0x380) == 1000,
          "and stays there when the divider or the mode is another");
    apic_write(0x380, 0);
    apic_write(0x320, 0x10000);
    apic_write(0x3e0, 0xb);
    apic_write(0x380, 1000000000);
    while (apic_read(0x390) > 999990000)
        ;
    left = apic_read(0x390);
    apic_write(0x3e0, 0xa);
    check(apic_read(0x390) <= left && apic_read(0x390) > left - 1000,
          "a count under way goes on from where it is");
    apic_write(0x380, 0);
    apic_write(0x3e0, 0xb);
}

void control(void)
{
    apic_off();
    task_priority();
    timer_over();
    bits_of_cr4();
    process_contexts();
    bits_of_cr0();
    other_registers();
}
