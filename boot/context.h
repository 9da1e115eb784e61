/* The processor state that belongs either to the firmware or to us: descriptor tables, segments,
 * page tables, CR4, XCR0.
 *
 * GDT: 0 null, 08H code, 10H data, 20H and up a TSS of 16 bytes for each core, so that the task
 * register says which core it is. IST: 1 exceptions, 2 NMI, 3 #DF, 4 #MC. Interrupts use the
 * stack they find. */
#ifndef BOOT_CONTEXT_H
#define BOOT_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "rc.h"

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

/* Builds GDT, IDT and the TSSs of `cores` cores. RC_NO_SPACE: no memory. */
enum rc context_build(unsigned cores);
/* Gives a core its stacks: the main one of MAIN_STACK bytes; *top is where it begins, aligned as
 * after a CALL. */
enum rc context_stacks(unsigned core, uint64_t *top);
/* Our context for that core, with our page tables. */
struct context context_own(unsigned core);
/* From the task register, in our context only. */
unsigned context_core(void);

#define MAIN_STACK (64u << 10)

#endif
