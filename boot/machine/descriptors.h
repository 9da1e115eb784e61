/* This program's descriptor tables, and the stacks that they name. The GDT is laid out as context.h
 * says. IST: 1 exceptions, 2 NMI, 3 #DF, 4 #MC, 5 VECTOR_PMI; 6 and 7 are those of a cell
 * (boot/cell). Other interrupts use the interrupted stack. */
#ifndef BOOT_MACHINE_DESCRIPTORS_H
#define BOOT_MACHINE_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/context/context.h"
#include "boot/rc.h"

/* Builds GDT, IDT and TSSs for `cores` cores. ring_3: kernels run in ring 3 (ring_3.h), so CR4 has
 * neither SMEP nor SMAP. RC_NO_SPACE: no memory. */
enum rc descriptors_build(unsigned cores, bool ring_3);
/* Makes the code at `address` that of the vector, on all cores. */
void descriptors_gate(unsigned vector, uint64_t address);
/* The same, and INT of ring 3 may raise it. */
void descriptors_open_gate(unsigned vector, uint64_t address);
/* Where that core's TSS keeps RSP0: the stack of what interrupts ring 3 and has no IST. The address
 * is that of a field without alignment, which x86 reads and writes all the same. */
uint64_t *descriptors_ring_0_stack(unsigned core);
/* Makes a core's stacks (stacks.h) those of its TSS. *top is where its main stack of 64 KiB begins,
 * aligned as after a CALL. RC_NO_SPACE: no memory. */
enum rc descriptors_stacks(unsigned core, uint64_t *top);
/* Sets the stacks of IST 6 and 7 of that core: where each begins. */
void descriptors_cell_stacks(unsigned core, uint64_t ist_6, uint64_t ist_7);
/* Where that core's TSS is in memory, and how long it is. */
uint64_t descriptors_tss(unsigned core, unsigned *bytes);
/* This program's context for that core. After descriptors_build and paging_build. */
struct context descriptors_context(unsigned core);

#endif
