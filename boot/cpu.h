/* One instruction each, for boot/ alone: I/O ports, MSRs, control registers, the interrupt flag,
 * waiting. */
#ifndef BOOT_CPU_H
#define BOOT_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interrupt_safe.h"

#define CR4_PAE        (1ull << 5)
#define CR4_PGE        (1ull << 7)
#define CR4_OSFXSR     (1ull << 9)
#define CR4_OSXMMEXCPT (1ull << 10)
#define CR4_LA57       (1ull << 12)
#define CR4_OSXSAVE    (1ull << 18)
#define CR4_SMEP       (1ull << 20)
#define CR4_SMAP       (1ull << 21)

#define RFLAGS_IF (1ull << 9)

#define IA32_APIC_BASE 0x1b
#define IA32_EFER      0xc0000080
#define EFER_LME       (1u << 8)
#define EFER_NXE       (1u << 11)

static inline void port_out(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline void port_out_string(uint16_t port, const char *text, size_t length)
{
    __asm__ volatile("rep outsb" : "+S"(text), "+c"(length) : "d"(port) : "memory");
}

INTERRUPT_SAFE static inline uint8_t port_in(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline uint16_t port_in16(uint16_t port)
{
    uint16_t value;

    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline uint32_t port_in32(uint16_t port)
{
    uint32_t value;

    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static inline void port_out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

/* For MSRs that are known to exist (IA32_EFER; IA32_APIC_BASE where there is a local APIC; its
 * registers in x2APIC mode): a fault here ends the work as an unexpected trap. All other MSRs go
 * through msr.h. */
INTERRUPT_SAFE static inline uint64_t plain_rdmsr(uint32_t msr)
{
    uint32_t low, high;

    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (uint64_t)high << 32 | low;
}

INTERRUPT_SAFE static inline void plain_wrmsr(uint32_t msr, uint64_t value)
{
    __asm__ volatile("wrmsr"
                     :
                     : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
                     : "memory");
}

INTERRUPT_SAFE static inline uint64_t read_cr2(void)
{
    uint64_t value;

    __asm__ volatile("mov %%cr2, %0" : "=r"(value));
    return value;
}

static inline uint64_t read_cr0(void)
{
    uint64_t value;

    __asm__ volatile("mov %%cr0, %0" : "=r"(value));
    return value;
}

static inline void write_cr0(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr0" : : "r"(value) : "memory");
}

static inline void write_cr4(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr4" : : "r"(value) : "memory");
}

static inline uint64_t read_cr3(void)
{
    uint64_t value;

    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    return value;
}

static inline void write_cr3(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr3" : : "r"(value) : "memory");
}

static inline uint64_t read_cr4(void)
{
    uint64_t value;

    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

static inline uint64_t read_dr7(void)
{
    uint64_t value;

    __asm__ volatile("mov %%dr7, %0" : "=r"(value));
    return value;
}

/* Only where CR4 has OSXSAVE, with a value that was read there. */
static inline void write_xcr0(uint64_t value)
{
    __asm__ volatile("xsetbv" : : "c"(0), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)));
}

static inline uint64_t read_rflags(void)
{
    uint64_t value;

    __asm__ volatile("pushfq; popq %0" : "=r"(value) : : "memory");
    return value;
}

static inline void interrupts_off(void)
{
    __asm__ volatile("cli" : : : "memory");
}

static inline void interrupts_on(void)
{
    __asm__ volatile("sti" : : : "memory");
}

/* Halts until an interrupt was taken; interrupts are off before and after. None is taken between
 * STI and HLT. */
static inline void wait_for_interrupt(void)
{
    __asm__ volatile("sti; hlt; cli" : : : "memory");
}

/* Takes the pending interrupts. The processor takes none before the end of the instruction after
 * STI, hence two NOPs; not PAUSE, after which an emulator may still take none. */
static inline void take_interrupts(void)
{
    __asm__ volatile("sti; nop; nop; cli" : : : "memory");
}

static inline void pause(void)
{
    __asm__ volatile("pause" : : : "memory");
}

/* Never returns: interrupts off, halted. */
__attribute__((noreturn)) static inline void halt_forever(void)
{
    for (;;)
        __asm__ volatile("cli; hlt" : : : "memory");
}

#define CPUID_1_ECX_RDRAND (1u << 30)

/* Where CPUID leaf 1 says so. False: there is no random number just now. */
static inline bool rdrand(uint64_t *value)
{
    bool there;

    __asm__ volatile("rdrand %0" : "=r"(*value), "=@ccc"(there));
    return there;
}

#endif
