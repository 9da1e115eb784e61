#include "segments.h"

#include "boot/cpu.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "context.h"

#define IA32_FS_BASE 0xc0000100
#define IA32_GS_BASE 0xc0000101

void segments_keep(struct segments *segments)
{
    *segments = (struct segments){0};
    __asm__ volatile("mov %%fs, %0; mov %%gs, %1" : "=r"(segments->fs), "=r"(segments->gs));
    segments->has_fs = msr_read(IA32_FS_BASE, &segments->fs_base);
    segments->has_gs = msr_read(IA32_GS_BASE, &segments->gs_base);
}

/* FS and GS are the firmware's, and IRETQ to ring 3 clears both; this program's GDT has no such
 * descriptors. So they are loaded from a table that has flat ones wherever the selectors point; the
 * bases follow by MSR. Selectors beyond it stay null. */
static void load(const struct segments *segments)
{
    static const uint64_t flat = 0x00cff3000000ffffull; /* data, present, for any level */
    struct table_pointer own, table;
    uint64_t descriptors[64];
    const unsigned fs = segments->fs / 8u, gs = segments->gs / 8u;

    memset(descriptors, 0, sizeof(descriptors));
    descriptors[fs < COUNT_OF(descriptors) ? fs : 0] = flat;
    descriptors[gs < COUNT_OF(descriptors) ? gs : 0] = flat;
    table = (struct table_pointer){sizeof(descriptors) - 1, (uintptr_t)descriptors};
    __asm__ volatile("sgdt %0" : "=m"(own));
    __asm__ volatile("lgdt %0" : : "m"(table), "m"(descriptors));
    __asm__ volatile("mov %0, %%fs; mov %1, %%gs"
                     :
                     : "r"(fs < COUNT_OF(descriptors) ? segments->fs : 0),
                       "r"(gs < COUNT_OF(descriptors) ? segments->gs : 0));
    __asm__ volatile("lgdt %0" : : "m"(own));
}

void segments_put_back(const struct segments *segments)
{
    uint16_t fs, gs;

    __asm__ volatile("mov %%fs, %0; mov %%gs, %1" : "=r"(fs), "=r"(gs));
    if (fs != segments->fs || gs != segments->gs)
        load(segments);
    if (segments->has_fs)
        (void)msr_write(IA32_FS_BASE, segments->fs_base);
    if (segments->has_gs)
        (void)msr_write(IA32_GS_BASE, segments->gs_base);
}
