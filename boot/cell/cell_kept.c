#include "cell_kept.h"

#include "boot/cpu.h"
#include "boot/firmware/context.h"
#include "boot/msr.h"
#include "boot/text.h"

#define IA32_FS_BASE 0xc0000100
#define IA32_GS_BASE 0xc0000101

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
    __asm__ volatile("mov %%fs, %0; mov %%gs, %1" : "=r"(kept->fs), "=r"(kept->gs));
    kept->has_fs = msr_read(IA32_FS_BASE, &kept->fs_base);
    kept->has_gs = msr_read(IA32_GS_BASE, &kept->gs_base);
}

/* FS and GS are the firmware's, and IRETQ to ring 3 clears both; this program's GDT has no such
 * descriptors. So they are loaded from a table that has flat ones wherever the selectors point; the
 * bases follow by MSR. Selectors beyond it stay null. */
static void load_segments(const struct cell_kept *kept)
{
    static const uint64_t flat = 0x00cff3000000ffffull; /* data, present, for any level */
    struct table_pointer own, table;
    uint64_t descriptors[64];
    const unsigned fs = kept->fs / 8u, gs = kept->gs / 8u;

    memset(descriptors, 0, sizeof(descriptors));
    descriptors[fs < COUNT_OF(descriptors) ? fs : 0] = flat;
    descriptors[gs < COUNT_OF(descriptors) ? gs : 0] = flat;
    table = (struct table_pointer){sizeof(descriptors) - 1, (uintptr_t)descriptors};
    __asm__ volatile("sgdt %0" : "=m"(own));
    __asm__ volatile("lgdt %0" : : "m"(table), "m"(descriptors));
    __asm__ volatile("mov %0, %%fs; mov %1, %%gs"
                     :
                     : "r"(fs < COUNT_OF(descriptors) ? kept->fs : 0),
                       "r"(gs < COUNT_OF(descriptors) ? kept->gs : 0));
    __asm__ volatile("lgdt %0" : : "m"(own));
}

static void put_back_segments(const struct cell_kept *kept)
{
    uint16_t fs, gs;

    __asm__ volatile("mov %%fs, %0; mov %%gs, %1" : "=r"(fs), "=r"(gs));
    if (fs != kept->fs || gs != kept->gs)
        load_segments(kept);
    if (kept->has_fs)
        (void)msr_write(IA32_FS_BASE, kept->fs_base);
    if (kept->has_gs)
        (void)msr_write(IA32_GS_BASE, kept->gs_base);
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
    put_back_segments(kept);
    cell_reset_floats();
    if (kept->cr4 & CR4_OSXSAVE && xcr0_read() & XCR0_AVX)
        __asm__ volatile("vzeroupper" : : : "memory");
}
