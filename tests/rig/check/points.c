/* What a program sees of faults at a point: a line on COM2 for each thing that it does in turn, to
 * be compared with those of a run without the fault (../fault/points.sh). */
#include "check.h"

#include <efilib.h>

#define COM1         0x3f8
#define COM2         0x2f8
#define LINE_CONTROL 3
#define LINE_STATUS  5
#define READY        0x20
#define TURN_TICKS   10000000ull
#define LINE_TICKS   10000000ull
#define ACCESSES     6
#define WINDOWS      6
#define ROUNDS       2000
#define WRITES       4
#define OVERFLOWS    32

#define PMC0         0xc1
#define PERFEVTSEL0  0x186
#define FIXED_CTR0   0x309
#define FIXED_CTRL   0x38d
#define GLOBAL_CTRL  0x38f
#define GLOBAL_RESET 0x390
#define A_PMC0       0x4c1
#define MCG_STATUS   0x17a
#define BANK_STATUS  0x401
#define SMI_COUNT    0x34
#define INSTRUCTIONS 0x4300c0ull
#define SELECT_INT   0x100000ull
#define LVT_PC       0x340
#define FIRST_VALUE  0x10000f800ull /* the count carries into bit 16 */

static volatile UINT64 seen[32]; /* exceptions by vector */
static volatile UINT64 access_faults;

static void say(const char *s)
{
    while (*s)
        out8(COM2, (UINT8)*s++);
}

static void say_hex(const char *name, UINT64 value)
{
    char digits[17];
    unsigned at = 16;

    digits[16] = 0;
    do
        digits[--at] = "0123456789abcdef"[value & 15];
    while ((value >>= 4) != 0 && at > 0);
    say(" ");
    say(name);
    say("=");
    say(digits + at);
}

static void begin(const char *what, UINT64 number)
{
    say(what);
    say_hex("n", number);
}

/* RDMSR, WRMSR and RDPMC are two bytes long: a #GP goes on behind them. All else comes from outside
 * and goes on where it was. */
static int take(struct frame *frame)
{
    seen[frame->vector & 31]++;
    if (frame->vector == 13) {
        access_faults++;
        frame->rip += 2;
    }
    if (frame->vector == 18)
        wrmsr(MCG_STATUS, 0);
    return 1;
}

static void registers(void)
{
    wrmsr(GLOBAL_CTRL, 0);
    wrmsr(PERFEVTSEL0, 0x100c0);
    for (unsigned i = 0; i < ACCESSES; i++) {
        const UINT64 before = access_faults, value = rdmsr(PERFEVTSEL0);

        begin("rdmsr", i);
        say_hex("value", access_faults == before ? value : 0);
        say_hex("gp", access_faults - before);
        say("\n");
    }
    for (unsigned i = 0; i < ACCESSES; i++) {
        const UINT64 before = access_faults;

        wrmsr(PERFEVTSEL0, 0x10000 + i);
        begin("wrmsr", i);
        say_hex("gp", access_faults - before);
        say_hex("value", rdmsr(PERFEVTSEL0));
        say("\n");
    }
    wrmsr(PERFEVTSEL0, 0);
    wrmsr(PMC0, 0x1234);
    for (unsigned i = 0; i < ACCESSES; i++) {
        UINT32 low, high;

        __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(0));
        begin("rdpmc", i);
        say_hex("value", low | (UINT64)high << 32);
        say("\n");
    }
}

/* A window: a loop of so many rounds, which general counter 0 and fixed counter 0 count. */
static void window(unsigned number)
{
    UINT64 traps[32], nmi = nmis, smi = rdmsr(SMI_COUNT), rounds = ROUNDS, before, after;

    for (unsigned i = 0; i < 32; i++)
        traps[i] = seen[i];
    wrmsr(A_PMC0, FIRST_VALUE);
    wrmsr(FIXED_CTR0, FIRST_VALUE);
    wrmsr(PERFEVTSEL0, INSTRUCTIONS);
    wrmsr(FIXED_CTRL, 3);
    before = tsc();
    wrmsr(GLOBAL_CTRL, 1ull << 32 | 1);
    __asm__ volatile("1: dec %0; jnz 1b" : "+r"(rounds));
    wrmsr(GLOBAL_CTRL, 0);
    after = tsc();
    begin("window", number);
    say_hex("gp0", rdmsr(PMC0));
    say_hex("fixed0", rdmsr(FIXED_CTR0));
    say_hex("tsc", after - before);
    say_hex("smi", rdmsr(SMI_COUNT) - smi);
    say_hex("nmi", nmis - nmi);
    for (unsigned i = 0; i < 32; i++)
        if (seen[i] != traps[i])
            say_hex("vector", i);
    for (unsigned i = 0; i < 4; i++)
        if (rdmsr(BANK_STATUS + 4 * i) != 0) {
            say_hex("bank", i);
            say_hex("status", rdmsr(BANK_STATUS + 4 * i));
            wrmsr(BANK_STATUS + 4 * i, 0);
        }
    say("\n");
}

static void windows(void)
{
    for (unsigned i = 1; i <= WINDOWS; i++)
        window(i);
}

static volatile UINT64 performance;

static void count_interrupt(UINT64 vector)
{
    performance += vector == 0x60;
    apic_write(LVT_PC, 0x60);
}

/* Counter 0 overflows so many times, each with an interrupt. */
static void overflows(void)
{
    interrupt_action = count_interrupt;
    apic_write(0xf0, 0x1ff);
    apic_write(LVT_PC, 0x60);
    for (unsigned i = 0; i < OVERFLOWS; i++) {
        UINT64 rounds = ROUNDS;

        wrmsr(PERFEVTSEL0, INSTRUCTIONS | SELECT_INT);
        wrmsr(A_PMC0, (1ull << 48) - 1000);
        wrmsr(GLOBAL_CTRL, 1);
        __asm__ volatile("sti; 1: dec %0; jnz 1b; cli" : "+r"(rounds));
        wrmsr(GLOBAL_CTRL, 0);
        wrmsr(GLOBAL_RESET, 1);
    }
    apic_write(LVT_PC, 0x10000);
    __asm__ volatile("sti; nop; nop; cli"); /* one that is left */
    interrupt_action = NULL;
    begin("pmis", performance);
    say("\n");
}

static UINT8 line_status(void)
{
    UINT8 status;

    __asm__ volatile("inb %1, %0" : "=a"(status) : "Nd"((UINT16)(COM1 + LINE_STATUS)));
    return status;
}

/* Bytes A, B, C... with the line status before each, and whether the transmitter was ready in time.
 */
static void line(void)
{
    for (unsigned i = 0; i < 8; i++) {
        const UINT64 from = tsc();
        const UINT8 status = line_status();

        while (!(line_status() & READY) && tsc() - from < LINE_TICKS)
            ;
        begin("uart", i);
        say_hex("lsr", status);
        say_hex("ready", line_status() >> 5 & 1);
        say_hex("late", tsc() - from > 1000000);
        say("\n");
        out8(COM1, (UINT8)('A' + i));
    }
}

static void files(EFI_HANDLE image)
{
    EFI_LOADED_IMAGE *loaded = NULL;
    EFI_FILE_HANDLE root = NULL, file = NULL;
    CHAR8 bytes[64] = {0};
    UINTN size;
    EFI_STATUS status;

    uefi_call_wrapper(BS->HandleProtocol, 3, image, &LoadedImageProtocol, (void **)&loaded);
    root = LibOpenRoot(loaded->DeviceHandle);
    status =
        uefi_call_wrapper(root->Open, 5, root, &file, L"\\POINTS.TXT", 3 | EFI_FILE_MODE_CREATE, 0);
    begin("open", status);
    say("\n");
    for (unsigned i = 0; i < WRITES && !EFI_ERROR(status); i++) {
        EFI_STATUS written;

        size = 8;
        SetMem(bytes, 8, (UINT8)('a' + i));
        written = uefi_call_wrapper(file->Write, 3, file, &size, bytes);
        begin("write", i);
        say_hex("status", written);
        say_hex("size", size);
        say("\n");
    }
    if (EFI_ERROR(status))
        return;
    begin("position", uefi_call_wrapper(file->SetPosition, 2, file, 0));
    size = sizeof(bytes);
    status = uefi_call_wrapper(file->Read, 3, file, &size, bytes);
    say_hex("read", status);
    say_hex("size", size);
    say("\n");
    begin("close", uefi_call_wrapper(file->Close, 1, file));
    say("\n");
}

/* The bytes of the ACPI tables that the root table lists, each table by its own sum. */
static void tables(EFI_SYSTEM_TABLE *system)
{
    static EFI_GUID acpi = ACPI_20_TABLE_GUID;
    UINT8 *root = NULL;

    for (UINTN i = 0; i < system->NumberOfTableEntries; i++)
        if (CompareGuid(&system->ConfigurationTable[i].VendorGuid, &acpi) == 0)
            root = *(UINT8 **)((UINT8 *)system->ConfigurationTable[i].VendorTable + 24);
    if (root == NULL)
        return;
    for (UINT32 at = 28; at < *(UINT32 *)(root + 4); at += 8) {
        const UINT8 *table = at == 28 ? root : *(UINT8 **)(root + at);
        UINT8 sum = 0;

        for (UINT32 i = 0; i < *(UINT32 *)(table + 4); i++)
            sum = (UINT8)(sum + table[i]);
        begin("table", *(UINT32 *)table);
        say_hex("sum", sum);
        say("\n");
    }
}

void points_firmware(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    out8(COM2 + LINE_CONTROL, 0x83); /* 115200 baud, 8 bits */
    out8(COM2, 1);
    out8(COM2 + 1, 0);
    out8(COM2 + LINE_CONTROL, 3);
    files(image);
    for (unsigned i = 0; i < 4; i++) {
        begin("stall", i);
        say_hex("status", uefi_call_wrapper(BS->Stall, 1, 10));
        say("\n");
    }
    tables(system);
}

/* Long enough for turns of this core to begin. */
static void turns(void)
{
    const UINT64 from = tsc();

    while (tsc() - from < TURN_TICKS)
        ;
    begin("turns", 0);
    say_hex("nmi", nmis);
    for (unsigned i = 0; i < 32; i++)
        if (seen[i] != 0)
            say_hex("vector", i);
    say("\n");
}

void points(void)
{
    const UINT64 now = tsc();

    trap_action = take;
    begin("tsc", now);
    say("\n");
    turns();
    registers();
    windows();
    overflows();
    line();
    say("end\n");
    trap_action = NULL;
}
