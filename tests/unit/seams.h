/* The machine as host tests program it: registers, CPUID, time and the console. Everything is
 * absent until a test sets it. */
#ifndef TESTS_SEAMS_H
#define TESTS_SEAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEAM_REGISTERS 512
#define SEAM_WRITES    1024
#define SEAM_CONSOLE   (1u << 20)

struct seam_write {
    uint32_t msr;
    uint64_t value;
};

/* Forgets everything; call it at the start of each test. */
void seams_reset(void);

/* An MSR that exists with this value; reads and writes succeed from then on. */
void seam_msr(uint32_t msr, uint64_t value);
/* What is in it now; false when it does not exist. */
bool seam_msr_value(uint32_t msr, uint64_t *value);
/* It exists and can be read, but a write raises #GP. */
void seam_msr_readonly(uint32_t msr, uint64_t value);
/* Writes succeed and change nothing, as of a command register. */
void seam_msr_ignores(uint32_t msr, uint64_t value);
/* It no longer exists. */
void seam_msr_absent(uint32_t msr);
/* Successful writes since the reset, oldest first. */
unsigned seam_writes(const struct seam_write **writes);

/* What RDPMC gives for this index. */
void seam_rdpmc(uint32_t index, uint64_t value);

/* Leaves that were not set read as zero. */
void seam_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t eax, uint32_t ebx, uint32_t ecx,
                uint32_t edx);

/* What XGETBV gives; whether a program may ask is the test's to say in leaf 1. */
void seam_xcr0(uint64_t value);

/* Each look at the clock adds `step` ticks after it. */
void seam_clock(uint64_t now, uint64_t step);

/* There is one core: interrupting any other runs what was set as the answer, at once; a core that
 * is deaf does not hear it. */
void seam_deaf(bool deaf);
unsigned seam_interrupts(void);

/* What log_flush calls; null: nothing. */
void seam_log_flush(void (*flush)(void));
/* What was logged since the reset, terminated. */
const char *seam_console(void);

#endif
