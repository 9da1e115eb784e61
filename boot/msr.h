/* Safe accesses to model-specific registers (MSRs) and performance counters; CPUID and XGETBV. A
 * seam: the host tests link their own.
 *
 * A register that does not exist, a reserved bit or a bad RDPMC index raises #GP (or #UD); the
 * fix-up table (machine/trap.c) turns that into `false`. Elsewhere only the measuring window,
 * plain_rdmsr and plain_wrmsr (cpu.h), and the trampoline execute RDMSR or WRMSR, and nothing
 * handles a fault there. */
#ifndef BOOT_MSR_H
#define BOOT_MSR_H

#include <stdbool.h>
#include <stdint.h>

/* False when the access faulted; *value is then unchanged. */
bool msr_read(uint32_t msr, uint64_t *value);
bool msr_write(uint32_t msr, uint64_t value);
bool rdpmc_read(uint32_t index, uint64_t *value);

/* Writes DR7, also when it is guarded (bit GD): the first try is then an exception, which ends the
 * guard. SDM 3B, "Debug Control Register (DR7)". */
void dr7_write(uint64_t value);

struct cpuid {
    uint32_t eax, ebx, ecx, edx;
};
/* CPUID with EAX = leaf and ECX = subleaf. */
struct cpuid cpuid_read(uint32_t leaf, uint32_t subleaf);

/* XCR0: which register state is enabled (SDM 1, "XCR0"). */
#define XCR0_X87    (1ull << 0)
#define XCR0_SSE    (1ull << 1)
#define XCR0_AVX    (1ull << 2)
#define XCR0_AVX512 (7ull << 5) /* opmask, upper halves of ZMM0-15, ZMM16-31 */
/* Only where CPUID leaf 1 says OSXSAVE. */
uint64_t xcr0_read(void);

#endif
