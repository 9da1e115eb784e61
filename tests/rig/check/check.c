/* A UEFI application that tests the virtual machine itself: TAP on COM1, "1..N" last, then
 * ResetSystem. It shares nothing with the image that the machine was made for. Every expectation
 * comes from the processor manuals or the UEFI specification. */
#include "check.h"

#include <efilib.h>

#define PORT       0x3f8
#define PM_TIMER   0x608
#define WAIT_TICKS 2000000000ull /* deadline of every wait, about a second */

extern char check_resume[], check_trampoline[], check_trampoline_end[], check_fixups[];
extern char check_own_block_byte[];
UINT64 check_rdmsr(UINT64), check_null(UINT64), check_divide(UINT64), check_undefined(UINT64),
    check_selector(UINT64), check_noncanonical(UINT64);
UINT32 check_own_block(UINT64 unused, UINT64 value);

static unsigned checks, failures;
static volatile UINT64 last_vector, last_error, last_cr2, trap_count;
volatile UINT64 interrupts[256], nmis, vectors[256];
void (*volatile interrupt_action)(UINT64 vector);
int (*volatile trap_action)(struct frame *frame);
static volatile UINT64 stop_word, phase, echo[256];
static UINT32 tickets;
static int x2apic, leave; /* set by the load options "x" and "l" */
static UINT8 code_page[4096] __attribute__((aligned(4096)));
static UINT64 idt[512] __attribute__((aligned(16)));
static UINT8 stacks[256 * 8192] __attribute__((aligned(16)));

static void text(const char *s)
{
    while (*s)
        out8(PORT, (UINT8)*s++);
}
static void decimal(unsigned value)
{
    if (value >= 10)
        decimal(value / 10);
    out8(PORT, (UINT8)('0' + value % 10));
}
void check(int holds, const char *claim)
{
    text(holds ? "ok " : "not ok ");
    decimal(++checks);
    text(" - ");
    text(claim);
    text("\r\n");
    failures += !holds;
}

__attribute__((sysv_abi)) void check_trap(struct frame *frame)
{
    if (frame->vector == 2) {
        __atomic_fetch_add(&nmis, 1, __ATOMIC_SEQ_CST);
        return;
    }
    if (frame->vector >= 32) {
        interrupts[my_id() & 255]++;
        vectors[frame->vector & 255]++;
        if (interrupt_action != NULL)
            interrupt_action(frame->vector);
        end_of_interrupt();
        return;
    }
    if (trap_action != NULL && trap_action(frame))
        return;
    last_vector = frame->vector;
    last_error = frame->error;
    __asm__ volatile("mov %%cr2, %0" : "=r"(last_cr2));
    trap_count++;
    frame->rip = (UINT64)check_resume;
}

struct trapped trapped(void)
{
    return (struct trapped){trap_count, last_vector, last_error, last_cr2};
}

void set_gate(unsigned vector, void *handler)
{
    UINT64 entry = (UINT64)handler;
    UINT16 cs;

    __asm__ volatile("mov %%cs, %0" : "=r"(cs));
    idt[2 * vector] =
        (entry & 0xffff) | (UINT64)cs << 16 | 0x8e00ull << 32 | (entry >> 16 & 0xffff) << 48;
    idt[2 * vector + 1] = entry >> 32;
}

static void own_idt(struct table_register *old)
{
    struct table_register own = {sizeof(idt) - 1, (UINT64)idt};

    for (unsigned i = 0; i < 256; i++)
        set_gate(i, check_entries + 16 * i);
    __asm__ volatile("sidt %0" : "=m"(*old));
    __asm__ volatile("lidt %0" ::"m"(own));
}

#define FAULT(call) ((void)(call), trap_count)
static void faults(void)
{
    UINT64 before = trap_count;
    unsigned good = 0;

    for (unsigned i = 0; i < 100; i++) {
        FAULT(check_rdmsr(0x12345678));
        good += last_vector == 13 && last_error == 0;
    }
    check(good == 100 && trap_count - before == 100,
          "RDMSR of no register is #GP(0), 100 times in a row");
    good = 0;
    for (unsigned i = 0; i < 100; i++) {
        FAULT(check_selector(0));
        good += last_vector == 13 && last_error == 0xfff8;
    }
    check(good == 100, "a bad selector is #GP(selector), 100 times in a row");
    good = 0;
    for (unsigned i = 0; i < 100; i++) {
        FAULT(check_null(0x2000000000));
        good += last_vector == 14 && last_error == 0 && last_cr2 == 0x2000000000;
        FAULT(check_write(0x2000000008));
        good += last_vector == 14 && last_error == 2 && last_cr2 == 0x2000000008;
    }
    check(good == 200, "page faults have the right error code and CR2, 200 times in a row");
    good = 0;
    for (unsigned i = 0; i < 50; i++) {
        FAULT(check_divide(0));
        good += last_vector == 0;
        FAULT(check_undefined(0));
        good += last_vector == 6;
        FAULT(check_noncanonical(0));
        good += last_vector == 13 && last_error == 0;
    }
    check(good == 150, "#DE, #UD and a non-canonical access, 150 times in turn");
}

static void rewriting(void)
{
    UINT32 (*code)(void) = (UINT32(*)(void))code_page;
    unsigned good = 0;

    code_page[0] = 0xb8; /* mov eax, imm32; ret */
    code_page[5] = 0xc3;
    for (UINT32 i = 0; i < 200; i++) {
        *(volatile UINT32 *)(code_page + 1) = i;
        good += code() == i;
    }
    check(good == 200, "code rewritten 200 times by the core that runs it");
    good = 0;
    for (UINT32 i = 0; i < 100; i++)
        good += ((UINT32(__attribute__((sysv_abi)) *)(UINT64, UINT64))check_own_block)(0, i) == i;
    check(good == 100, "code rewritten 100 times from its own block");
}

static void clocks(void)
{
    UINT32 pm = in32(PM_TIMER);
    UINT64 begin = tsc(), end = begin, ratio;

    while (((in32(PM_TIMER) - pm) & 0xffffff) < 35795) /* 10 ms */
        end = tsc();
    ratio = (end - begin) / 10000;
    check(ratio > 1000 && ratio < 5000, "the TSC runs at 1 to 5 GHz against the ACPI timer");
    begin = tsc();
    end = tsc();
    check(end >= begin && end - begin < 1000, "two readings of the TSC are close");
}

static void others(void)
{
    UINT64 value = 0x123456789abcdef0, count = 0, swapped = 0;
    UINT32 a = 1, b = 0, c = 0, d = 0;

    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (c >> 23 & 1) {
        __asm__ volatile("popcnt %1, %0" : "=r"(count) : "m"(value));
        check(count == 32, "POPCNT from memory");
    }
    if (c >> 22 & 1) {
        __asm__ volatile("movbe %1, %0" : "=r"(swapped) : "m"(value));
        check(swapped == 0xf0debc9a78563412, "MOVBE from memory");
    }
    if (c >> 3 & 1) {
        UINT64 in = (UINT64)&stop_word, extensions = 0;

        __asm__ volatile("monitor; movq $1, (%%rax); xor %%eax, %%eax; mwait"
                         : "+a"(in), "+c"(extensions)
                         : "d"(0)
                         : "memory");
        check(stop_word == 1, "MWAIT goes on when the line has been written");
    }
}

static int wait_for(volatile UINT64 *word, UINT64 value)
{
    UINT64 begin = tsc();

    while (*word < value) {
        if (tsc() - begin > WAIT_TICKS)
            return 0;
        __asm__ volatile("pause");
    }
    return 1;
}

static void timer(void)
{
    UINT64 before = interrupts[my_id() & 255];

    apic_write(0xf0, 0x1ff);
    apic_write(0x3e0, 0xb);
    apic_write(0x320, 0x40);
    apic_write(0x380, 100000);
    __asm__ volatile("sti; hlt; cli");
    check(interrupts[my_id() & 255] == before + 1, "a one-shot APIC timer ends HLT");
    apic_write(0x320, 0x20040);
    apic_write(0x380, 1000);
    for (unsigned i = 0; i < 5; i++)
        __asm__ volatile("sti; hlt; cli");
    apic_write(0x380, 0);
    apic_write(0x320, 0x10000);
    check(interrupts[my_id() & 255] >= before + 6, "a periodic APIC timer ends HLT five times");
}

/* A started processor: waits for work in HLT, with interrupts on. */
#define WAKE_UPS 500
static volatile UINT64 ready, woken, answered, wake_up, awake;
static __attribute__((sysv_abi)) void processor(UINT32 ticket)
{
    UINT32 (*code)(void) = (UINT32(*)(void))code_page;

    if (x2apic)
        wrmsr(0x1b, rdmsr(0x1b) | 0x400);
    apic_write(0xf0, 0x1ff);
    echo[ticket & 255] = my_id();
    __asm__ volatile("lock incq %0" : "+m"(ready));
    while (phase == 0)
        __asm__ volatile("pause");
    for (UINT64 round = 1; round <= 100; round++) { /* run what another core writes */
        while (phase < round)
            __asm__ volatile("pause");
        if (code() == round)
            __asm__ volatile("lock incq %0" : "+m"(answered));
        else
            __asm__ volatile("lock addq $1000000, %0" : "+m"(answered));
    }
    while (interrupts[my_id() & 255] == 0)
        __asm__ volatile("sti; hlt; cli");
    __asm__ volatile("lock incq %0" : "+m"(woken));
    for (UINT64 round = 1; round <= WAKE_UPS; round++) {
        while (wake_up < round) /* looked at with interrupts off: STI shields the HLT */
            __asm__ volatile("sti; hlt; cli");
        __asm__ volatile("lock incq %0" : "+m"(awake));
    }
    __asm__ volatile("lock incq %0" : "+m"(woken));
    __asm__ volatile("cli; hlt"); /* only an NMI gets through */
    __asm__ volatile("lock incq %0" : "+m"(woken));
}

/* Wake-ups at every distance from the STI before a HLT. An interrupt between the two would be lost.
 */
static void wake_processors(UINT32 count)
{
    UINT64 round;

    for (round = 1; round <= WAKE_UPS; round++) {
        for (UINT64 i = 0; i < round % 61; i++)
            __asm__ volatile("nop");
        wake_up = round;
        for (UINT32 id = 1; id <= count; id++)
            send(id, 0x4050);
        if (!wait_for(&awake, round * count))
            break;
    }
    check(round > WAKE_UPS, "no wake-up comes between STI and HLT, 500 times");
}

static void processors(UINT64 trampoline)
{
    UINT32 count = listed_processors - 1, a = 0, b = 0, c = 0, d = 0;
    UINT64 *fixups = (UINT64 *)(trampoline + (UINT64)(check_fixups - check_trampoline)), cr3;
    struct table_register own = {sizeof(idt) - 1, (UINT64)idt};
    unsigned distinct = 0;
    UINT64 stubborn;

    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (a >= 0xb) {
        a = 0xb, c = 1;
        __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
        check((b & 0xffff) == listed_processors, "CPUID and the MADT agree on the processors");
    }
    __asm__ volatile("mov %%cr3, %0" : "=r"(cr3));
    CopyMem((void *)trampoline, check_trampoline, (UINTN)(check_trampoline_end - check_trampoline));
    fixups[0] = cr3;
    fixups[1] = (UINT64)&tickets;
    fixups[2] = (UINT64)stacks;
    fixups[3] = (UINT64)processor;
    CopyMem(&fixups[4], &own, sizeof(own));
    for (UINT32 id = 1; id <= count; id++) {
        send(id, 0x4500);
        send(id, 0x4600 | (UINT32)(trampoline >> 12));
        send(id, 0x4600 | (UINT32)(trampoline >> 12));
    }
    check(wait_for(&ready, count), "every processor starts");
    for (UINT32 id = 1; id <= count; id++)
        for (unsigned i = 0; i < count; i++)
            distinct += echo[i] == id;
    check(distinct == count, "every processor has an APIC identifier of its own");
    for (UINT32 round = 1; round <= 100; round++) {
        *(volatile UINT32 *)(code_page + 1) = round;
        phase = round;
        if (!wait_for(&answered, (UINT64)round * count))
            break;
    }
    check(answered == 100ull * count, "code written by another core is seen, 100 times");
    stubborn = tsc();
    while (tsc() - stubborn < 100000)
        __asm__ volatile("pause");
    check(woken == 0, "nobody wakes without an interrupt");
    for (UINT32 id = 1; id <= count; id++)
        send(id, 0x4050);
    check(wait_for(&woken, count), "a fixed interrupt ends HLT on every processor");
    wake_processors(count);
    check(wait_for(&woken, 2 * count), "and the processors go on");
    /* The processor that woke last must have reached its second HLT: an NMI before it would not end
     * it. */
    stubborn = tsc();
    while (tsc() - stubborn < 100000)
        __asm__ volatile("pause");
    for (UINT32 id = 1; id <= count; id++)
        send(id, 0x4400);
    check(wait_for(&woken, 3 * count) && nmis == count,
          "an NMI ends HLT with interrupts off on every processor");
}

static void files(EFI_HANDLE image)
{
    EFI_LOADED_IMAGE *loaded = NULL;
    EFI_FILE_HANDLE root, file = NULL;
    CHAR8 bytes[16] = {0};
    UINTN size = 4;
    EFI_STATUS status;

    uefi_call_wrapper(BS->HandleProtocol, 3, image, &LoadedImageProtocol, (void **)&loaded);
    root = LibOpenRoot(loaded->DeviceHandle);
    status =
        uefi_call_wrapper(root->Open, 5, root, &file, L"\\New.Txt", 3 | EFI_FILE_MODE_CREATE, 0);
    check(status == EFI_SUCCESS, "a file can be created");
    uefi_call_wrapper(file->Write, 3, file, &size, "one\n");
    uefi_call_wrapper(file->Close, 1, file);
    uefi_call_wrapper(root->Open, 5, root, &file, L"efi\\..\\NEW.TXT", 3, 0);
    uefi_call_wrapper(file->SetPosition, 2, file, 0xffffffffffffffff);
    size = 4;
    uefi_call_wrapper(file->Write, 3, file, &size, "two\n");
    uefi_call_wrapper(file->SetPosition, 2, file, 0);
    size = sizeof(bytes);
    status = uefi_call_wrapper(file->Read, 3, file, &size, bytes);
    check(status == EFI_SUCCESS && size == 8 && !CompareMem(bytes, "one\ntwo\n", 8),
          "what was appended is read back, whatever the case");
    status = uefi_call_wrapper(root->Open, 5, root, &file, L"\\..\\..\\..\\etc\\passwd", 1, 0);
    check(status == EFI_NOT_FOUND, "no path leads out of the folder");
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    EFI_LOADED_IMAGE *loaded = NULL;
    EFI_PHYSICAL_ADDRESS trampoline = 0x9ffff;
    struct table_register old;
    EFI_STATUS status;

    InitializeLib(image, system);
    uefi_call_wrapper(BS->HandleProtocol, 3, image, &LoadedImageProtocol, (void **)&loaded);
    if (loaded->LoadOptionsSize && image_child(image, *(CHAR16 *)loaded->LoadOptions, &status))
        return status;
    x2apic = loaded->LoadOptionsSize && *(CHAR16 *)loaded->LoadOptions == 'x';
    leave = loaded->LoadOptionsSize && *(CHAR16 *)loaded->LoadOptions == 'l';
    if (loaded->LoadOptionsSize && *(CHAR16 *)loaded->LoadOptions == 'f') {
        points_firmware(image, system);
        __asm__ volatile("cli");
        own_idt(&old);
        points();
        __asm__ volatile("lidt %0; sti" ::"m"(old));
        return EFI_SUCCESS;
    }
    if (loaded->LoadOptionsSize && !x2apic && !leave) {
        end_by(*(CHAR16 *)loaded->LoadOptions);
        return *(CHAR16 *)loaded->LoadOptions == 'E' ? EFI_ABORTED : EFI_SUCCESS;
    }
    Print(L"check: the console\n");
    files(image);
    platform_firmware(system);
    services_before(system);
    images(image);
    events();
    uefi_call_wrapper(BS->AllocatePages, 4, AllocateMaxAddress, EfiLoaderCode, 1, &trampoline);
    __asm__ volatile("cli");
    if (leave)
        check(platform_leave(image), "boot services end, and own tables hold");
    own_idt(&old);
    if (x2apic)
        wrmsr(0x1b, rdmsr(0x1b) | 0x400);
    faults();
    rewriting();
    clocks();
    others();
    platform_clocks();
    lines();
    timer();
    rules();
    shadow();
    control();
    traps();
    floats();
    counters();
    avx();
    xsave();
    rings();
    debug();
    breakpoints();
    processors(trampoline);
    if (!leave)
        __asm__ volatile("lidt %0; sti" ::"m"(old));
    text("1..");
    decimal(checks);
    text("\r\n");
    if (failures == 0)
        uefi_call_wrapper(RT->ResetSystem, 4, EfiResetShutdown, EFI_SUCCESS, 0, NULL);
    return EFI_ABORTED;
}
