/* Shared by the parts of the check image: registers, ports, the local APIC. */
#ifndef TESTS_RIG_CHECK_CHECK_H
#define TESTS_RIG_CHECK_CHECK_H

#include <efi.h>

#define MISC_ENABLE 0x1a0
#define APIC        ((volatile UINT32 *)0xfee00000)

void check(int holds, const char *claim); /* one TAP line */
void counters(void);                      /* counters.c */
/* Before an event is selected: Nehalem's and Westmere's counters count wrong unless their selects
 * held certain values when counting started (errata AAK100, AAP53, BD53). Clears all selects there.
 */
void reset_counters(void);
void sampling(void); /* sampling.c */
void sampling_netburst(void);
void rules(void);       /* rules.c */
void shadow(void);      /* shadow.c */
void control(void);     /* control.c */
void traps(void);       /* traps.c */
void rings(void);       /* rings.c */
void debug(void);       /* debug.c */
void breakpoints(void); /* breakpoints.c */
int is_intel(void);
void avx(void); /* avx.c */
/* A page of 4 KiB that no other part uses now, and its entry in the page tables. */
void avx_pages(UINT8 *page, UINT64 *entry);
void xsave(void); /* xsave.c */
void xsave_pages(UINT8 *page, UINT64 *entry);
void floats(void); /* floats.c; the other one for when AVX is enabled */
void floats_avx(void);
/* ends.c: ends the run in the way of that letter, so that every exit status of the machine can be
 * seen. */
void end_by(CHAR16 how);
/* points.c: before and behind own interrupt entries */
void points_firmware(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);
void points(void);
void lines(void); /* lines.c */
/* route() writes an entry of the I/O APIC. during() leaves interrupts on for so many quarters of a
 * millisecond, and gives how many came with that vector. */
void route(unsigned pin, UINT32 entry, UINT32 destination);
UINT64 during(UINT64 quarters, unsigned vector);
int about(UINT64 count, UINT64 should); /* whether they differ by one at most */
void clock_lines(void);                 /* clock.c */
/* services.c: with boot services; with the key of an old memory map; without boot services */
void services_before(EFI_SYSTEM_TABLE *system);
void services_stale_key(EFI_HANDLE image, UINTN old);
void services_after(void);
void images(EFI_HANDLE image); /* images.c */
void events(void);             /* events.c */
/* True when this image was started as a child of images(). */
int image_child(EFI_HANDLE image, CHAR16 what, EFI_STATUS *status);
/* platform.c: with boot services; the end of boot services (false when it fails); the clocks, with
 * own interrupt entries */
void platform_firmware(EFI_SYSTEM_TABLE *system);
int platform_leave(EFI_HANDLE image);
extern UINT32 listed_processors; /* in the MADT */
void platform_clocks(void);
void set_gate(unsigned vector, void *entry);  /* in this program's own interrupt table */
extern char check_entries[];                  /* 16 bytes a vector */
extern volatile UINT64 interrupts[256], nmis; /* by processor */
extern volatile UINT64 vectors[256];          /* by vector */
/* GDTR or IDTR, as LGDT and LIDT take it. */
struct __attribute__((packed)) table_register {
    UINT16 limit;
    UINT64 base;
};
struct frame {
    UINT64 r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax, vector, error, rip, cs, rflags, rsp,
        ss;
};
/* Called first at an exception: true when no other handler is to run. */
extern int (*volatile trap_action)(struct frame *frame);
/* The number of exceptions so far, and the last of them. */
struct trapped {
    UINT64 count, vector, error, address;
};
struct trapped trapped(void);
UINT64 check_write(UINT64 address);
/* Called at an interrupt, before its end. */
extern void (*volatile interrupt_action)(UINT64 vector);

static inline void out8(UINT16 port, UINT8 value)
{
    __asm__ volatile("outb %0, %1" ::"a"(value), "Nd"(port));
}
static inline UINT32 in32(UINT16 port)
{
    UINT32 value;
    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}
static inline UINT64 tsc(void)
{
    UINT32 low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low | (UINT64)high << 32;
}
struct leaf {
    UINT32 a, b, c, d;
};
static inline struct leaf cpuid(UINT32 number)
{
    struct leaf leaf = {number, 0, 0, 0};
    __asm__ volatile("cpuid" : "+a"(leaf.a), "=b"(leaf.b), "+c"(leaf.c), "=d"(leaf.d));
    return leaf;
}
static inline UINT64 rdmsr(UINT32 msr)
{
    UINT32 low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return low | (UINT64)high << 32;
}
static inline void wrmsr(UINT32 msr, UINT64 value)
{
    __asm__ volatile("wrmsr" ::"c"(msr), "a"((UINT32)value), "d"((UINT32)(value >> 32)) : "memory");
}
/* A register of the local APIC by its offset, in whichever mode it is. */
static inline int in_x2apic_mode(void)
{
    return rdmsr(0x1b) >> 10 & 1;
}
static inline UINT32 apic_read(UINT32 offset)
{
    return in_x2apic_mode() ? (UINT32)rdmsr(0x800 + offset / 16) : APIC[offset / 4];
}
static inline void apic_write(UINT32 offset, UINT32 value)
{
    if (in_x2apic_mode())
        wrmsr(0x800 + offset / 16, value);
    else
        APIC[offset / 4] = value;
}
static inline UINT32 my_id(void)
{
    return apic_read(0x20) >> (in_x2apic_mode() ? 0 : 24);
}
static inline void end_of_interrupt(void)
{
    apic_write(0xb0, 0);
}
static inline void send(UINT32 id, UINT32 command)
{
    if (in_x2apic_mode()) {
        wrmsr(0x830, (UINT64)id << 32 | command);
        return;
    }
    APIC[0x310 / 4] = id << 24;
    APIC[0x300 / 4] = command;
}

#endif
