/* The processor state that differs between the firmware and this program: descriptor tables,
 * segments, page tables, CR4, XCR0. Saving it and loading it.
 *
 * This program's GDT: 0 null, 08H code, 10H data, 18H data and 20H code of ring 3, from 30H a TSS
 * of 16 bytes for each core, so that the task register says which core it is. machine/descriptors.c
 * builds it. */
#ifndef BOOT_CONTEXT_CONTEXT_H
#define BOOT_CONTEXT_CONTEXT_H

#include <stdint.h>

#include "boot/interrupt_safe.h"

#define SELECTOR_CODE      0x08
#define SELECTOR_DATA      0x10
#define SELECTOR_USER_DATA 0x18
#define SELECTOR_USER_CODE 0x20
#define SELECTOR_TSS       0x30 /* of core 0 */
#define TSS_STEP           16   /* from one core's selector to the next core's */
#define SELECTOR_LEVEL     3u   /* bits of a selector in CS: the privilege level */

struct __attribute__((packed)) table_pointer {
    uint16_t limit;
    uint64_t base;
};

/* context.asm knows these offsets. */
struct context {
    struct table_pointer gdt; /*  0 */
    uint16_t cs, ss, ds;      /* 10, 12, 14 */
    struct table_pointer idt; /* 16 */
    uint16_t es, tr, unused;  /* 26, 28, 30 */
    uint64_t cr3, cr4;        /* 32, 40 */
    uint64_t xcr0;            /* 48; 0: this processor has no XSAVE (bit 0 is always set) */
};

/* Interrupts must be off around both. A task register of 0 is left as it is (LTR refuses it). */
void context_save(struct context *context);
void context_load(const struct context *context);

/* The index of the core that calls. Only where this program's context is loaded. */
INTERRUPT_SAFE static inline unsigned context_core(void)
{
    uint16_t selector;

    __asm__ volatile("str %0" : "=r"(selector));
    return (unsigned)(selector - SELECTOR_TSS) / TSS_STEP;
}

#endif
