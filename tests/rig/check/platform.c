/* What a program finds on the machine (memory map, ACPI tables, services), then its own page tables
 * and descriptors, and every clock compared with the others. */
#include "check.h"

#include <efilib.h>

#define PM_TIMER  0x608
#define PIT_HZ    1193182ull
#define PM_HZ     3579545ull
#define MAP_BYTES 65536
#define HPET(r)   (*(volatile UINT64 *)(hpet_base + (r)))
#define DEADLINE  0x6e0
#define TIMER_LVT 0x320

static UINT8 map[MAP_BYTES] __attribute__((aligned(8)));
static UINTN map_size, map_key, entry_size;
static UINT64 hpet_base;
UINT32 listed_processors;
static UINT64 tables[6][512] __attribute__((aligned(4096))); /* PML4, PDPT, four page directories */
static UINT64 descriptors[8] = {0, 0, 0, 0, 0, 0, 0x00cf93000000ffff, 0x00af9b000000ffff};

static inline UINT8 in8(UINT16 port)
{
    UINT8 value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static EFI_MEMORY_DESCRIPTOR *entry(UINTN i)
{
    return (EFI_MEMORY_DESCRIPTOR *)(map + i * entry_size);
}

static int read_map(void)
{
    UINT32 version;

    map_size = sizeof(map);
    return uefi_call_wrapper(BS->GetMemoryMap, 5, &map_size, entry(0), &map_key, &entry_size,
                             &version) == EFI_SUCCESS;
}

static void memory(void)
{
    UINT64 last = 0, conventional = 0, all = 0;
    unsigned disorder = 0, kinds[16] = {0}, odd = 0;

    check(read_map() && entry_size > sizeof(EFI_MEMORY_DESCRIPTOR),
          "the memory map's entries are larger than the structure");
    for (UINTN i = 0; i < map_size / entry_size; i++) {
        EFI_MEMORY_DESCRIPTOR *e = entry(i);
        int runtime = e->Type == EfiRuntimeServicesCode || e->Type == EfiRuntimeServicesData ||
                      e->Type == EfiMemoryMappedIO;

        disorder += e->PhysicalStart < last || !e->NumberOfPages;
        last = e->PhysicalStart + e->NumberOfPages * 4096;
        kinds[e->Type & 15]++;
        conventional += e->Type == EfiConventionalMemory ? e->NumberOfPages : 0;
        all += e->Type != EfiMemoryMappedIO && e->PhysicalStart < 0xc0000000 ? e->NumberOfPages : 0;
        odd += !(e->Attribute >> 63) != !runtime;
        odd += e->Type == EfiConventionalMemory && (e->Attribute & 15) != 15;
        odd += e->Type == EfiMemoryMappedIO && (e->Attribute & 15) != 1;
    }
    check(!disorder, "it is in order, without overlap or empty entry");
    check(conventional * 2 > all, "most of memory is free");
    check(kinds[EfiReservedMemoryType] && kinds[EfiACPIReclaimMemory] && kinds[EfiACPIMemoryNVS] &&
              kinds[EfiRuntimeServicesCode] && kinds[EfiRuntimeServicesData] &&
              kinds[EfiMemoryMappedIO],
          "it has the kinds of entries that firmware has");
    check(!odd, "only run-time services and devices ask for a virtual address, and RAM can be "
                "cached in every way");
}

static int sums(const UINT8 *bytes, UINT32 length)
{
    UINT8 sum = 0;

    for (UINT32 i = 0; i < length; i++)
        sum = (UINT8)(sum + bytes[i]);
    return sum == 0;
}

/* The table with that signature in the XSDT; NULL when there is none or its checksum is wrong. */
static const UINT8 *table_of(EFI_SYSTEM_TABLE *system, const char *signature)
{
    static EFI_GUID acpi_2 = ACPI_20_TABLE_GUID;
    const UINT8 *rsdp = NULL, *xsdt;

    for (UINTN i = 0; i < system->NumberOfTableEntries; i++)
        if (!CompareGuid(&system->ConfigurationTable[i].VendorGuid, &acpi_2))
            rsdp = system->ConfigurationTable[i].VendorTable;
    if (rsdp == NULL || !sums(rsdp, 36))
        return NULL;
    xsdt = *(const UINT8 *const *)(rsdp + 24);
    for (UINT32 at = 36; at + 8 <= *(const UINT32 *)(xsdt + 4); at += 8) {
        const UINT8 *table = *(const UINT8 *const *)(xsdt + at);

        if (!CompareMem(table, signature, 4))
            return sums(table, *(const UINT32 *)(table + 4)) ? table : NULL;
    }
    return NULL;
}

static void acpi(EFI_SYSTEM_TABLE *system)
{
    const UINT8 *madt = table_of(system, "APIC"), *hpet = table_of(system, "HPET"),
                *fadt = table_of(system, "FACP"), *mcfg = table_of(system, "MCFG"), *facs;
    unsigned ioapics = 0;

    listed_processors = 0;

    check(madt != NULL && hpet != NULL && fadt != NULL && mcfg != NULL &&
              table_of(system, "SPCR") != NULL,
          "MADT, HPET, FADT, MCFG and SPCR are whole");
    for (UINT32 at = 44; madt != NULL && at < *(const UINT32 *)(madt + 4); at += madt[at + 1]) {
        listed_processors += madt[at] == 0 || madt[at] == 9;
        if (madt[at] == 1) {
            volatile UINT32 *io = (volatile UINT32 *)(UINT64) * (const UINT32 *)(madt + at + 4);

            io[0] = 1;
            ioapics += (io[4] >> 16 & 0xff) == 23;
            io[0] = 0x10;
            ioapics += io[4] >> 16 & 1;
        }
    }
    check(ioapics == 2, "the MADT names an I/O APIC of 24 pins, which are masked");
    facs = fadt != NULL ? (const UINT8 *)(UINT64) * (const UINT32 *)(fadt + 36) : NULL;
    check(facs != NULL && !CompareMem(facs, "FACS", 4) && (UINT64)facs % 64 == 0,
          "the FADT names an aligned FACS");
    hpet_base = hpet != NULL ? *(const UINT64 *)(hpet + 44) : 0;
}

static void services(EFI_SYSTEM_TABLE *system)
{
    UINT8 scratch;
    static EFI_GUID vendor = {0x5107, 0x5c09, 0xe, {1, 2, 3, 4, 5, 6, 7, 8}};
    EFI_INPUT_KEY key = {0, 0};
    EFI_EVENT event;
    EFI_TIME time;
    UINT32 value = 42, found = 0, attributes;
    UINTN size = sizeof(found), index;
    UINT64 begin;

    uefi_call_wrapper(RT->SetVariable, 5, L"Check", &vendor, 6, sizeof(value), &value);
    check(uefi_call_wrapper(RT->GetVariable, 5, L"Check", &vendor, &attributes, &size, &found) ==
                  EFI_SUCCESS &&
              found == 42 && attributes == 6,
          "a variable is kept");
    uefi_call_wrapper(BS->CreateEvent, 5, EVT_TIMER, 0, NULL, NULL, &event);
    uefi_call_wrapper(BS->SetTimer, 3, event, TimerRelative, 10000);
    begin = tsc();
    check(uefi_call_wrapper(BS->WaitForEvent, 3, 1, &event, &index) == EFI_SUCCESS &&
              tsc() - begin > 1000000,
          "waiting for a timer of 1 ms takes that long");
    check(uefi_call_wrapper(system->ConIn->ReadKeyStroke, 2, system->ConIn, &key) == EFI_SUCCESS
              ? key.UnicodeChar == 'q' && uefi_call_wrapper(system->ConIn->ReadKeyStroke, 2,
                                                            system->ConIn, &key) == EFI_NOT_READY
              : key.UnicodeChar == 0,
          "a key is read once");
    check(uefi_call_wrapper(RT->GetTime, 2, &time, NULL) == EFI_SUCCESS && time.Year >= 2020 &&
              time.Month >= 1 && time.Month <= 12,
          "the time of day is one");
    out8(0x70, 0x32);
    check(in8(0x71) == 0x20, "and the clock's century is this one");
    scratch = in8(0x2ff);
    out8(0x2ff, 0x5a);
    check(in8(0x2ff) == 0x5a, "COM2 has a scratch register");
    out8(0x2ff, scratch);
}

void platform_firmware(EFI_SYSTEM_TABLE *system)
{
    memory();
    acpi(system);
    services(system);
}

int platform_leave(EFI_HANDLE image)
{
    struct __attribute__((packed)) {
        UINT16 limit;
        UINT64 base;
    } gdt = {sizeof(descriptors) - 1, (UINT64)descriptors};

    if (!read_map())
        return 0;
    services_stale_key(image, map_key);
    if (!read_map() || uefi_call_wrapper(BS->ExitBootServices, 2, image, map_key) != EFI_SUCCESS)
        return 0;
    tables[0][0] = (UINT64)tables[1] | 3;
    for (UINT64 i = 0; i < 4; i++) {
        tables[1][i] = (UINT64)tables[2 + i] | 3;
        for (UINT64 j = 0; j < 512; j++)
            tables[2 + i][j] =
                i << 30 | j << 21 | 0x83 | (i == 3 ? 0x18 : 0); /* devices are not cached */
    }
    __asm__ volatile("cli; mov %0, %%cr3; lgdt %1" ::"r"(tables[0]), "m"(gdt) : "memory");
    services_after();
    return 1;
}

/* Whether `ticks` of a clock of `hz`, counted while channel 2 of the PIT counts 10 ms, are right
 * within 1 %. */
static int agrees(UINT64 ticks, UINT64 hz)
{
    UINT64 should = hz / 100;

    return ticks > should - should / 100 && ticks < should + should / 100;
}

void platform_clocks(void)
{
    UINT64 fs, counter, begin_tsc, hpet_hz, tsc_hz, before;
    UINT32 pm, a = 1, b = 0, c = 0, d = 0;

    fs = hpet_base ? HPET(0) >> 32 : 0;
    check(fs > 0 && fs <= 100000000, "the HPET's period is one that its specification allows");
    if (!fs)
        return;
    hpet_hz = 1000000000000000ull / fs;
    HPET(0xf0) = 0;
    check(HPET(0xf0) == 0, "its counter stands until it is started");
    HPET(0x10) = 1;
    out8(0x61, (UINT8)((in8(0x61) & ~2) & ~1));
    out8(0x43, 0xb0);
    out8(0x42, (UINT8)(PIT_HZ / 100));
    out8(0x42, (UINT8)(PIT_HZ / 100 >> 8));
    out8(0x61, (UINT8)(in8(0x61) | 1));
    pm = in32(PM_TIMER);
    counter = HPET(0xf0);
    begin_tsc = tsc();
    while (!(in8(0x61) & 0x20))
        __asm__ volatile("pause");
    tsc_hz = (tsc() - begin_tsc) * 100;
    counter = HPET(0xf0) - counter;
    pm = (in32(PM_TIMER) - pm) & 0xffffff;
    check(agrees(counter, hpet_hz), "10 ms of the interval timer are 10 ms of the HPET");
    check(agrees(pm, PM_HZ), "and of the ACPI timer");
    apic_write(0xf0, 0x1ff);
    apic_write(0x3e0, 0xb);
    apic_write(TIMER_LVT, 0x10000);
    apic_write(0x380, 0xffffffff);
    counter = HPET(0xf0);
    begin_tsc = 0xffffffff - apic_read(0x390);
    while (HPET(0xf0) - counter < hpet_hz / 1000)
        __asm__ volatile("pause");
    check(0xffffffff - apic_read(0x390) > begin_tsc, "the APIC timer counts down meanwhile");
    apic_write(0x380, 0);
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (!(c >> 24 & 1))
        return;
    before = interrupts[my_id() & 255];
    apic_write(TIMER_LVT, 2 << 17 | 0x40);
    begin_tsc = tsc();
    wrmsr(DEADLINE, begin_tsc + tsc_hz / 1000);
    __asm__ volatile("sti; hlt; cli");
    check(interrupts[my_id() & 255] == before + 1 && tsc() - begin_tsc >= tsc_hz / 1000 &&
              rdmsr(DEADLINE) == 0,
          "the TSC deadline ends HLT when it is reached, and disarms itself");
    apic_write(TIMER_LVT, 0x10000);
}
