/* Timer events whose notification functions interrupt the program, as the firmware's timer tick
 * does on a real machine. */
#include "check.h"

#include <efilib.h>

#define TENTHS_IN_MS 10000

static volatile UINT64 ticks, urgent, seen_inside, millisecond;

static EFIAPI void count(EFI_EVENT event, void *context)
{
    (void)event;
    ++*(volatile UINT64 *)context;
}

static void wait_ms(UINT64 quarters)
{
    UINT64 end = tsc() + quarters * millisecond / 4;

    while (tsc() < end)
        __asm__ volatile("pause");
}

/* Runs for a millisecond; a more urgent function may interrupt it. */
static EFIAPI void slow(EFI_EVENT event, void *context)
{
    UINT64 before = urgent;

    (void)event;
    wait_ms(4);
    seen_inside = urgent - before;
    ++*(volatile UINT64 *)context;
}

static EFI_EVENT timer_of(UINTN level, EFI_EVENT_NOTIFY function, volatile UINT64 *counter,
                          UINT64 period, EFI_TIMER_DELAY kind)
{
    EFI_EVENT event = NULL;

    uefi_call_wrapper(BS->CreateEvent, 5, EVT_TIMER | EVT_NOTIFY_SIGNAL, level, function,
                      (void *)counter, &event);
    uefi_call_wrapper(BS->SetTimer, 3, event, kind, period);
    return event;
}

/* Uses every register and flag that an interruption between two instructions could lose; the sum of
 * 1 to n. */
static UINT64 sum_in_registers(UINT64 n)
{
    UINT64 sum = 0;

    __asm__ volatile(
        "mov %1, %%rbx; xor %%r8d, %%r8d; xor %%r15d, %%r15d; pxor %%xmm7, %%xmm7\n"
        "1: add %%rbx, %%r8; adc $0, %%r15; movq %%rbx, %%xmm0; paddq %%xmm0, %%xmm7\n"
        "dec %%rbx; jnz 1b; movq %%xmm7, %%rax; cmp %%rax, %%r8; sete %%al; movzx %%al, %%eax\n"
        "imul %%r8, %%rax; add %%r15, %%rax; mov %%rax, %0"
        : "=r"(sum)
        : "r"(n)
        : "rax", "rbx", "r8", "r15", "xmm0", "xmm7", "cc");
    return sum;
}

static void measure_ms(void)
{
    UINT64 begin = tsc();

    uefi_call_wrapper(BS->Stall, 1, 1000);
    millisecond = tsc() - begin;
}

/* EDK II sets the firmware's own timer to 10 ms. */
static void halts(void)
{
    UINT64 begin, took;

    __asm__ volatile("hlt");
    begin = tsc();
    __asm__ volatile("hlt; hlt");
    took = tsc() - begin;
    check(took > 19 * millisecond && took < 21 * millisecond,
          "the firmware's own timer ends HLT, too, every 10 ms");
}

void events(void)
{
    EFI_EVENT event, other;
    EFI_TPL old;
    UINT64 before;

    measure_ms();
    event = timer_of(TPL_CALLBACK, count, &ticks, TENTHS_IN_MS / 4, TimerPeriodic);
    wait_ms(10);
    check(ticks >= 9 && ticks <= 10, "a timer's function runs while the program calls no service");
    before = ticks;
    check(sum_in_registers(1000000) == 500000500000 && ticks > before,
          "and leaves the program's registers as they were");
    before = ticks;
    __asm__ volatile("cli");
    wait_ms(4);
    check(ticks == before, "not with interrupts off");
    __asm__ volatile("sti");
    wait_ms(4);
    check(ticks >= before + 4, "but when they are on again");
    before = ticks;
    __asm__ volatile("hlt");
    check(ticks == before + 1, "it ends HLT");
    old = uefi_call_wrapper(BS->RaiseTPL, 1, TPL_NOTIFY);
    before = ticks;
    wait_ms(4);
    check(ticks == before, "not under a task priority as high as its own");
    uefi_call_wrapper(BS->RestoreTPL, 1, old);
    check(ticks == before + 1, "but at once when that is lowered");
    uefi_call_wrapper(BS->CloseEvent, 1, event);
    event = timer_of(TPL_CALLBACK, slow, &ticks, TENTHS_IN_MS / 4, TimerRelative);
    other = timer_of(TPL_NOTIFY, count, &urgent, TENTHS_IN_MS / 4, TimerPeriodic);
    before = ticks;
    wait_ms(8);
    check(ticks == before + 1 && seen_inside >= 3,
          "a more urgent function interrupts a less urgent one");
    uefi_call_wrapper(BS->CloseEvent, 1, event);
    uefi_call_wrapper(BS->CloseEvent, 1, other);
    before = urgent;
    wait_ms(4);
    check(urgent == before, "a closed event's function runs no more");
    halts();
}
