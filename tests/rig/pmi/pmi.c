/* A UEFI application that takes one performance-monitoring interrupt in each of many counting
 * windows, with other events and periods, and says on COM1 where it was interrupted:
 *
 *   pmi WINDOW EVENT PERIOD RIP COUNT
 *
 * A period of 0 stands for an LVT entry that is masked. Load options: "v" delivers by a vector and
 * not as NMI. The first window of each event is a rehearsal, which predictors and caches learn. */
#include <efi.h>

#define PORT            0x3f8
#define PMC0            0xc1
#define PERFEVTSEL0     0x186
#define FIXED_CTR1      0x30a
#define FIXED_CTR_CTRL  0x38d
#define GLOBAL_CTRL     0x38f
#define GLOBAL_OVF_CTRL 0x390
#define OS_INT_ENABLE   0x520000u
#define LVT_PERFORMANCE 0x340
#define LVT_NMI         0x400
#define LVT_MASK        0x10000
#define VECTOR          0x52
#define ROUNDS          40
#define PERIODS         24
#define SEED            0x2545f491u

__attribute__((sysv_abi)) void window(UINT64 rounds, void *table, UINT64 enable, UINT64 seed);
void taken(void);
extern volatile UINT64 taken_rip, taken_count;

static UINT64 idt[512] __attribute__((aligned(16)));
static UINT8 table[0x11000] __attribute__((aligned(4096)));
static UINT64 windows;

static void out8(UINT8 value)
{
    __asm__ volatile("outb %0, %1" ::"a"(value), "Nd"((UINT16)PORT));
}
static void text(const char *s)
{
    while (*s)
        out8((UINT8)*s++);
}
static void number(UINT64 value, unsigned base)
{
    if (value >= base)
        number(value / base, base);
    out8((UINT8) "0123456789abcdef"[value % base]);
}
static void wrmsr(UINT32 msr, UINT64 value)
{
    __asm__ volatile("wrmsr" ::"c"(msr), "a"((UINT32)value), "d"((UINT32)(value >> 32)) : "memory");
}
static void apic_write(UINT32 offset, UINT32 value)
{
    *(volatile UINT32 *)(UINTN)(0xfee00000 + offset) = value;
}

static void set_gate(unsigned vector, UINT64 entry)
{
    UINT16 cs;

    __asm__ volatile("mov %%cs, %0" : "=r"(cs));
    idt[2 * vector] =
        (entry & 0xffff) | (UINT64)cs << 16 | 0x8e00ull << 32 | (entry >> 16 & 0xffff) << 48;
    idt[2 * vector + 1] = entry >> 32;
}

static const struct event {
    const char *name;
    UINT32 select;      /* 0: fixed counter 1 */
    UINT64 first, step; /* periods */
    int new_seeds;      /* so that branches mispredict */
} events[] = {
    {"cycles", 0x3c, 40, 11, 0},    {"instructions", 0xc0, 100, 41, 0},
    {"taken", 0x20c4, 3, 5, 0},     {"mispredicts", 0xc5, 1, 1, 1},
    {"stores", 0x82d0, 2, 3, 0},    {"slots", 0x2c2, 90, 37, 0},
    {"fixed-cycles", 0, 47, 10, 0}, {"unlearnt-cycles", 0x3c, 41, 23, 1},
    {"issued", 0x10e, 90, 37, 1},   {"undelivered", 0x19c, 30, 53, 1},
};

static void one(const struct event *event, UINT64 period, UINT64 seed, UINT32 entry)
{
    UINT64 enable = event->select ? 1 : 2ull << 32;
    UINT64 before = taken_count, start = (UINT64)-period & 0xffffffff;

    apic_write(LVT_PERFORMANCE, period ? entry : entry | LVT_MASK);
    taken_rip = 0;
    wrmsr(PERFEVTSEL0, event->select ? event->select | OS_INT_ENABLE : 0);
    wrmsr(FIXED_CTR_CTRL, event->select ? 0 : 0x90);
    wrmsr(PMC0, start);
    wrmsr(FIXED_CTR1, (UINT64)-period & 0xffffffffffff);
    if (!period)
        wrmsr(PMC0, (UINT64)-500 & 0xffffffff);
    if (entry & LVT_NMI)
        window(ROUNDS, table, enable, seed);
    else {
        __asm__ volatile("sti");
        window(ROUNDS, table, enable, seed);
        __asm__ volatile("cli");
    }
    wrmsr(GLOBAL_OVF_CTRL, 1 | 7ull << 32);
    text("pmi ");
    number(++windows, 10);
    text(" ");
    text(event->name);
    text(" ");
    number(period, 10);
    text(" ");
    number(taken_rip, 16);
    text(" ");
    number(taken_count - before, 10);
    text("\n");
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    static EFI_GUID loaded_image = LOADED_IMAGE_PROTOCOL;
    struct __attribute__((packed)) {
        UINT16 limit;
        UINT64 base;
    } own = {sizeof(idt) - 1, (UINT64)idt}, old;
    EFI_LOADED_IMAGE *loaded = NULL;
    UINT32 entry = LVT_NMI;

    system->BootServices->HandleProtocol(image, &loaded_image, (void **)&loaded);
    if (loaded->LoadOptionsSize && *(CHAR16 *)loaded->LoadOptions == 'v')
        entry = VECTOR;
    __asm__ volatile("cli");
    for (unsigned i = 0; i < 256; i++)
        set_gate(i, (UINT64)taken);
    __asm__ volatile("sidt %0" : "=m"(old));
    __asm__ volatile("lidt %0" ::"m"(own));
    apic_write(0xf0, 0x1ff);
    wrmsr(GLOBAL_CTRL, 0);
    for (unsigned i = 0; i < sizeof(events) / sizeof(*events); i++) {
        one(&events[i], 0, SEED, entry);
        for (UINT64 j = 0; j < PERIODS; j++)
            one(&events[i], events[i].first + events[i].step * j,
                events[i].new_seeds ? SEED * (j + 2) | 1 : SEED, entry);
    }
    __asm__ volatile("lidt %0" ::"m"(old));
    system->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
    return EFI_ABORTED;
}
