#include "cell_kept.h"

#include "boot/cpu.h"
#include "boot/context/context.h"
#include "boot/msr.h"
#include "boot/text.h"

static void read_breakpoints(uint64_t breakpoints[4])
{
    __asm__ volatile("mov %%dr0, %0" : "=r"(breakpoints[0]));
    __asm__ volatile("mov %%dr1, %0" : "=r"(breakpoints[1]));
    __asm__ volatile("mov %%dr2, %0" : "=r"(breakpoints[2]));
    __asm__ volatile("mov %%dr3, %0" : "=r"(breakpoints[3]));
}

static void write_breakpoints(const uint64_t breakpoints[4])
{
    __asm__ volatile("mov %0, %%dr0" : : "r"(breakpoints[0]));
    __asm__ volatile("mov %0, %%dr1" : : "r"(breakpoints[1]));
    __asm__ volatile("mov %0, %%dr2" : : "r"(breakpoints[2]));
    __asm__ volatile("mov %0, %%dr3" : : "r"(breakpoints[3]));
}

void cell_keep(struct cell_kept *kept)
{
    *kept = (struct cell_kept){.cr0 = read_cr0(), .cr4 = read_cr4(), .dr7 = read_dr7()};
    read_breakpoints(kept->breakpoints);
    if (kept->cr4 & CR4_OSXSAVE)
        kept->xcr0 = xcr0_read();
    segments_keep(&kept->segments);
}

void cell_reset_floats(void)
{
    const uint32_t mxcsr = 0x1f80;

    __asm__ volatile("fninit; ldmxcsr %0" : : "m"(mxcsr));
}

/* Breakpoints first: what follows must not meet one. */
void cell_put_back(const struct cell_kept *kept)
{
    dr7_write(kept->dr7);
    write_breakpoints(kept->breakpoints);
    write_cr0(kept->cr0);
    if (read_cr4() != kept->cr4)
        write_cr4(kept->cr4);
    if (kept->cr4 & CR4_OSXSAVE && xcr0_read() != kept->xcr0)
        write_xcr0(kept->xcr0);
    segments_put_back(&kept->segments);
    cell_reset_floats();
    if (kept->cr4 & CR4_OSXSAVE && xcr0_read() & XCR0_AVX)
        __asm__ volatile("vzeroupper" : : : "memory");
}
