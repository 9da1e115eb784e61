/* This program's stacks. Below each of them is a guard, pages that this program's page tables do
 * not map, so that a stack that overflows is a page fault. They lie together, in 2 MiB of their
 * own where such memory is free, since a guard needs pages of 4 KiB. */
#ifndef BOOT_MACHINE_MEMORY_STACKS_H
#define BOOT_MACHINE_MEMORY_STACKS_H

#include <stdint.h>

#include "boot/rc.h"

/* A core's stacks. On the boot processor, whose work runs on a stack of its own, the main one is
 * where an unexpected trap continues. */
enum stack { STACK_MAIN, STACK_EXCEPTIONS, STACK_NMI, STACK_DF, STACK_MC, STACK_PMI, STACK_KINDS };

/* Calls `work` on a new stack of 256 KiB, of which firmware that is called from there has what the
 * UEFI specification promises it. Without memory for it `work` runs on the firmware's. On the boot
 * processor, once, before paging_build. */
uint64_t stacks_run(uint64_t (*work)(void *argument), void *argument);
/* Makes room for the stacks of so many cores, and takes that of stacks_run its guard; after
 * paging_build. RC_NO_SPACE: no memory. */
enum rc stacks_prepare(unsigned cores);
/* Allocates a core's stacks. RC_NO_SPACE: no memory. */
enum rc stacks_make(unsigned core);
/* Where that stack begins: the address behind its last byte. */
uint64_t stacks_top(unsigned core, enum stack stack);
/* The stack, in words, in whose guard the address is, of those that this core uses; null: in no
 * guard. */
const char *stacks_overflowed(unsigned core, uint64_t address);

#endif
