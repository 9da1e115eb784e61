/* How long an interrupt waits behind an instruction that holds interrupts back. SDM 2, "STI" and
 * "MOV"; SDM 3A, "Masking Exceptions and Interrupts When Switching Stacks". */
#include "check.h"

typedef UINT64 __attribute__((sysv_abi)) code(const volatile UINT64 *counter);

code check_shadow_sti, check_shadow_sti_nop, check_shadow_sti_rdtsc, check_shadow_sti_pause;
code check_shadow_sti_sti, check_shadow_ss_rdtsc, check_shadow_div;
extern char check_shadow_div_handler[];

#define VECTOR    0x41
#define DIVIDE    0
#define TRAP_GATE (1ull << 40) /* the handler keeps IF */

/* How often the interrupt that waits has come when `behind` looks. */
static UINT64 come(code *behind)
{
    volatile UINT64 *counter = &interrupts[my_id() & 255];
    const UINT64 before = *counter;
    UINT64 seen;

    send(my_id(), 0x4000 | VECTOR);
    seen = behind(counter) - before;
    return *counter == before + 1 ? seen : 99; /* it comes in the end */
}

/* The handler of #DE begins with interrupts on. */
static void exception(void)
{
    struct table_register idt;

    set_gate(DIVIDE, check_shadow_div_handler);
    __asm__ volatile("sidt %0" : "=m"(idt));
    *(volatile UINT64 *)(idt.base + 16 * DIVIDE) |= TRAP_GATE;
    check(come(check_shadow_div) == 1, "an exception in that instruction's place ends it, too");
    set_gate(DIVIDE, check_entries + 16 * DIVIDE);
}

void shadow(void)
{
    check(come(check_shadow_sti) == 0, "no interrupt comes between STI and the next instruction");
    check(come(check_shadow_sti_nop) == 1, "but behind that one");
    check(come(check_shadow_sti_rdtsc) == 1, "also when it is RDTSC");
    check(come(check_shadow_sti_pause) == 1, "or PAUSE");
    check(come(check_shadow_sti_sti) == 1, "STI holds no interrupt back when interrupts are on");
    exception();
    check(come(check_shadow_ss_rdtsc) == 1, "nor do STI, MOV SS and RDTSC in a row");
}
