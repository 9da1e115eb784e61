#include "descriptors.h"

#include <stddef.h>

#include "boot/cpu.h"
#include "boot/firmware/memory.h"
#include "boot/msr.h"
#include "memory/paging.h"
#include "memory/stacks.h"
#include "trap.h"
#include "vector.h"

#define DESCRIPTOR_CODE      0x00af9b000000ffffull /* present, ring 0, 64-bit, accessed */
#define DESCRIPTOR_DATA      0x00cf93000000ffffull /* present, ring 0, writable, accessed */
#define DESCRIPTOR_USER_DATA 0x00cff3000000ffffull
#define DESCRIPTOR_USER_CODE 0x00affb000000ffffull
#define TSS_AVAILABLE        0x89u
#define INTERRUPT_GATE       0x8eu
#define OPEN_GATE            0xeeu /* which ring 3 may name in INT n */

#define IST_STACKS (STACK_KINDS - STACK_EXCEPTIONS) /* IST 1 and those that follow */

/* SDM 3A, "Task Management in 64-bit Mode". */
struct __attribute__((packed)) tss {
    uint32_t reserved0;
    uint64_t rsp[3];
    uint64_t reserved1;
    uint64_t ist[7];
    uint64_t reserved2;
    uint16_t reserved3, io_map;
};

struct gate {
    uint16_t offset_low, selector;
    uint8_t ist, type;
    uint16_t offset_middle;
    uint32_t offset_high, reserved;
};

static struct {
    uint64_t *gdt;
    struct gate *idt;
    struct tss *tss;
    uint64_t cr4, xcr0;
    unsigned cores;
} self;

static uint8_t stack_of_vector(unsigned vector)
{
    switch (vector) {
    case VECTOR_NMI:
        return 2;
    case VECTOR_DF:
        return 3;
    case VECTOR_MC:
        return 4;
    case VECTOR_PMI: /* a kernel's stack pointer may be anything */
        return 5;
    default:
        return vector < VECTOR_FIRST_INTERRUPT ? 1 : 0;
    }
}

void descriptors_gate(unsigned vector, uint64_t address)
{
    self.idt[vector] = (struct gate){
        .offset_low = (uint16_t)address,
        .offset_middle = (uint16_t)(address >> 16),
        .offset_high = (uint32_t)(address >> 32),
        .selector = SELECTOR_CODE,
        .ist = stack_of_vector(vector),
        .type = INTERRUPT_GATE,
    };
}

void descriptors_open_gate(unsigned vector, uint64_t address)
{
    descriptors_gate(vector, address);
    self.idt[vector].type = OPEN_GATE;
}

static void build_idt(void)
{
    for (unsigned vector = 0; vector < 256; vector++)
        descriptors_gate(vector, trap_stub(vector));
}

static void build_gdt(void)
{
    self.gdt[SELECTOR_CODE / 8] = DESCRIPTOR_CODE;
    self.gdt[SELECTOR_DATA / 8] = DESCRIPTOR_DATA;
    self.gdt[SELECTOR_USER_DATA / 8] = DESCRIPTOR_USER_DATA;
    self.gdt[SELECTOR_USER_CODE / 8] = DESCRIPTOR_USER_CODE;
    for (unsigned core = 0; core < self.cores; core++) {
        uint64_t base = (uintptr_t)&self.tss[core];
        uint64_t *descriptor = self.gdt + (SELECTOR_TSS + TSS_STEP * (size_t)core) / 8;

        self.tss[core].io_map = sizeof(struct tss);
        descriptor[0] = (sizeof(struct tss) - 1) | (base & 0xffffff) << 16 |
                        (uint64_t)TSS_AVAILABLE << 40 | (base >> 24 & 0xff) << 56;
        descriptor[1] = base >> 32;
    }
}

/* SDM 1, "Enabling the XSAVE Feature Set and XSAVE-Enabled Features": x87 and SSE, and the
 * registers of AVX and AVX-512 where CPUID leaf 0DH offers them. 0 without XSAVE. Only kernels use
 * the registers of AVX, so nothing saves them. */
static uint64_t own_xcr0(void)
{
    uint64_t xcr0 = XCR0_X87 | XCR0_SSE, offered;

    if (!(cpuid_read(1, 0).ecx >> 26 & 1) || cpuid_read(0, 0).eax < 0xd)
        return 0;
    offered = cpuid_read(0xd, 0).eax;
    if (offered & XCR0_AVX)
        xcr0 |= XCR0_AVX;
    if (offered & XCR0_AVX && (offered & XCR0_AVX512) == XCR0_AVX512)
        xcr0 |= XCR0_AVX512; /* all three or none */
    return xcr0;
}

enum rc descriptors_build(unsigned cores, bool ring_3)
{
    self.cores = cores;
    self.gdt = memory_alloc(SELECTOR_TSS + TSS_STEP * (size_t)cores);
    self.idt = memory_alloc(256 * sizeof(*self.idt));
    self.tss = memory_alloc(cores * sizeof(*self.tss));
    if (self.gdt == NULL || self.idt == NULL || self.tss == NULL)
        return RC_NO_SPACE;

    build_gdt();
    build_idt();
    self.cr4 = (read_cr4() & ~CR4_PGE) | CR4_OSFXSR | CR4_OSXMMEXCPT;
    if (ring_3) /* what is open to ring 3 is used and executed by ring 0, too */
        self.cr4 &= ~(CR4_SMEP | CR4_SMAP);
    self.xcr0 = own_xcr0();
    if (self.xcr0 != 0)
        self.cr4 |= CR4_OSXSAVE;
    return RC_OK;
}

enum rc descriptors_stacks(unsigned core, uint64_t *top)
{
    enum rc rc = stacks_make(core);

    if (rc != RC_OK)
        return rc;
    *top = stacks_top(core, STACK_MAIN) - 8;
    self.tss[core].rsp[0] = stacks_top(core, STACK_MAIN);
    for (unsigned ist = 0; ist < IST_STACKS; ist++)
        self.tss[core].ist[ist] = stacks_top(core, (enum stack)(STACK_EXCEPTIONS + ist));
    return RC_OK;
}

void descriptors_cell_stacks(unsigned core, uint64_t ist_6, uint64_t ist_7)
{
    self.tss[core].ist[5] = ist_6;
    self.tss[core].ist[6] = ist_7;
}

uint64_t *descriptors_ring_0_stack(unsigned core)
{
    return (uint64_t *)(uintptr_t)((char *)&self.tss[core] + offsetof(struct tss, rsp));
}

uint64_t descriptors_tss(unsigned core, unsigned *bytes)
{
    *bytes = sizeof(struct tss);
    return (uintptr_t)&self.tss[core];
}

struct context descriptors_context(unsigned core)
{
    return (struct context){
        .gdt = {(uint16_t)(SELECTOR_TSS + TSS_STEP * self.cores - 1), (uintptr_t)self.gdt},
        .idt = {(uint16_t)(256 * sizeof(*self.idt) - 1), (uintptr_t)self.idt},
        .cs = SELECTOR_CODE,
        .ss = SELECTOR_DATA,
        .ds = SELECTOR_DATA,
        .es = SELECTOR_DATA,
        .tr = (uint16_t)(SELECTOR_TSS + TSS_STEP * core),
        .cr3 = paging_root(),
        .cr4 = self.cr4,
        .xcr0 = self.xcr0,
    };
}
