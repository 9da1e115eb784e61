/* A machine for host tests: registers, CPUID, time, interrupts and the log's sink, linked in place
 * of boot/'s. A register is absent until a test sets it. */
#ifndef TESTS_UNIT_SEAMS_H
#define TESTS_UNIT_SEAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/log.h"

#define SEAM_REGISTERS 512
#define SEAM_WRITES    4096
#define SEAM_CONSOLE   (1u << 20)

struct seam_write {
    uint32_t msr;
    uint64_t value;
};

/* Forgets all settings and results. Call it at the start of each test. */
void seams_reset(void);

/* From here on the MSR exists, with this value; reads and writes succeed. */
void seam_msr(uint32_t msr, uint64_t value);
/* Gives the MSR's value; false: it does not exist. */
bool seam_msr_value(uint32_t msr, uint64_t *value);
/* The MSR exists and can be read, but a write raises #GP. */
void seam_msr_readonly(uint32_t msr, uint64_t value);
/* The MSR exists; writes succeed and change nothing, as with a command register. */
void seam_msr_ignores(uint32_t msr, uint64_t value);
/* Asked first from here on: gives the value of an MSR at a time of the clock; false: it has none.
 */
void seam_msr_at(bool (*value_at)(uint32_t msr, uint64_t now, uint64_t *value));
/* The MSR no longer exists. */
void seam_msr_absent(uint32_t msr);
/* Gives the successful writes since seams_reset, oldest first, and returns their number. */
unsigned seam_writes(const struct seam_write **writes);

/* Sets the value that RDPMC reads at this index. */
void seam_rdpmc(uint32_t index, uint64_t value);
/* Of the RDPMC from now on, the `first`-th (1 is the next) and the `count` - 1 after it read a
 * value with another bit flipped each. */
void seam_rdpmc_flips(unsigned first, unsigned count);

/* Sets a CPUID leaf. Leaves that were not set read as zero. */
void seam_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t eax, uint32_t ebx, uint32_t ecx,
                uint32_t edx);

/* Sets the value that XGETBV reads; the test sets OSXSAVE in CPUID leaf 1 itself. */
void seam_xcr0(uint64_t value);

/* Sets the clock; each reading then adds `step` ticks. */
void seam_clock(uint64_t now, uint64_t step);
/* Nobody has found the rate of the time stamp counter. */
void seam_clock_unknown(bool unknown);

/* No timer ends a nap; else each nap takes as long as it was asked to, and these are all of them in
 * ticks. */
void seam_no_timer(bool none);
uint64_t seam_napped(void);

/* There is one core. Interrupting any other core at once runs the answer that the one core has set
 * (interrupt_answer), unless interrupts are blocked. */
void seam_block_interrupts(bool blocked);
/* NMIs that nobody asked for: so many came since seams_reset. */
void seam_stray_nmis(uint64_t count);
/* Interrupts that were sent since seams_reset. */
unsigned seam_interrupts(void);

/* Sets what log_flush calls; null: nothing. */
void seam_log_flush(void (*flush)(bool urgent));
/* The console shows the lines of this form of the log; after seams_reset the full form. */
void seam_log_form(enum log_form form);
/* The text that was logged since seams_reset. */
const char *seam_console(void);

/* A cell that runs nothing; call number `fails_at` from 1 does not come back (0: all do). How many
 * calls there were. */
struct cell *seam_cell(unsigned fails_at);
unsigned seam_cell_calls(void);
/* An interrupt comes into each call from number `from` on. */
void seam_cell_interrupts(unsigned from);

#endif
