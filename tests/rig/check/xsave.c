/* XSAVE and XRSTOR: a switch of contexts, the format of the area, faults. SDM 1, "Managing State
 * Using the XSAVE Feature Set"; SDM 2, "XSAVE", "XRSTOR". */
#include "check.h"

#define OSXSAVE  (1ull << 18)
#define CR0_WP   0x10000ull
#define X87      1
#define SSE      2
#define AVX      4
#define AVX512   0xe0
#define UD       6
#define NM       7
#define GP       13
#define PF       14
#define WRITABLE 2u
#define HEADER   512
#define FORMAT   520 /* XCOMP_BV */

UINT64 check_xgetbv(UINT64 which); /* avx.asm */
void check_xsetbv(UINT64 which, UINT64 value);
typedef void on_area(UINT8 *area, UINT64 mask); /* xsave.asm */
on_area check_xsave, check_xsave_32, check_xrstor, check_xrstor_32, check_xsaveopt, check_xsavec,
    check_xsaves, check_xsave_ts, check_xrstor_ts;

struct registers {
    UINT8 x87[8][16]; /* three of them, in the order in which they are pushed */
    UINT8 vector[32][64];
    UINT64 mask[8];
    UINT16 control, status;
    UINT32 mxcsr;
};
void check_switch(const struct registers *mine, UINT32 wide, UINT8 *area, UINT32 mask,
                  const struct registers *others, struct registers *found);
void check_restore(UINT8 *area, UINT32 mask, const struct registers *others,
                   struct registers *found);

void check_legacy(const struct registers *mine, UINT8 *area, UINT8 *fxsave);

static struct registers mine, others, found;
static UINT8 area[4096] __attribute__((aligned(64)));
static struct trapped before;

static void start(void)
{
    before = trapped();
}

static int faulted(UINT64 vector)
{
    return trapped().count == before.count + 1 && trapped().vector == vector;
}

static int faults(on_area *code, UINT8 *at, UINT64 mask, UINT64 vector)
{
    start();
    code(at, mask);
    return faulted(vector);
}

static int runs(on_area *code, UINT8 *at, UINT64 mask)
{
    start();
    code(at, mask);
    return trapped().count == before.count;
}

static struct leaf state_leaf(UINT32 part)
{
    struct leaf leaf = {0xd, 0, part, 0};

    __asm__ volatile("cpuid" : "+a"(leaf.a), "=b"(leaf.b), "+c"(leaf.c), "=d"(leaf.d));
    return leaf;
}

static UINT64 quad(unsigned at)
{
    return *(UINT64 *)(area + at);
}

static void set_quad(unsigned at, UINT64 value)
{
    *(UINT64 *)(area + at) = value;
}

static void clear(void *at, unsigned bytes, UINT8 with)
{
    for (unsigned i = 0; i < bytes; i++)
        ((volatile UINT8 *)at)[i] = with;
}

static int same(const void *a, const void *b, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (((const UINT8 *)a)[i] != ((const UINT8 *)b)[i])
            return 0;
    return 1;
}

/* Normal numbers, which x87 loads and stores without a change. */
static void fill(struct registers *registers, UINT8 seed, UINT16 control, UINT32 mxcsr)
{
    for (unsigned i = 0; i < sizeof(*registers); i++)
        ((UINT8 *)registers)[i] = (UINT8)(i * 7 + i / 64 * 13 + seed);
    for (unsigned i = 0; i < 3; i++) {
        registers->x87[i][7] |= 0x80;
        registers->x87[i][8] = (UINT8)(seed + i);
        registers->x87[i][9] = 0x3f;
    }
    registers->control = control;
    registers->mxcsr = mxcsr;
}

static void a_switch(UINT32 parts)
{
    const int wide = (parts & AVX512) == AVX512;
    int good = 1;

    fill(&mine, 1, 0x27f, 0x9f80);
    fill(&others, 99, 0x37f, 0x1f80);
    clear(area, sizeof(area), 0);
    check_switch(&mine, wide, area, parts, &others, &found);
    for (unsigned i = 0; i < (wide ? 32u : 16u); i++)
        good &= same(mine.vector[i], found.vector[i], wide ? 64 : 32);
    check(good && (!wide || same(mine.mask, found.mask, sizeof(mine.mask))),
          "what XSAVE saved of vectors and masks, XRSTOR brings back");
    good = found.control == 0x27f && found.mxcsr == 0x9f80 && found.status == 0;
    for (unsigned i = 0; i < 3; i++)
        good &= same(mine.x87[i], found.x87[i], 10);
    check(good, "and x87's registers, their order and both control words");
    check(quad(HEADER) == parts && quad(FORMAT) == 0 && area[0] == 0x7f && area[1] == 2 &&
              area[24] == 0x80 && area[25] == 0x9f && same(area + 32, mine.x87[2], 10) &&
              same(area + 160 + 3 * 16, mine.vector[3], 16),
          "the legacy region is as FXSAVE's, behind it is what the area holds");
    check(same(area + state_leaf(2).b + 5 * 16, mine.vector[5] + 16, 16) &&
              (!wide || (same(area + state_leaf(5).b, mine.mask, 64) &&
                         same(area + state_leaf(6).b + 32, mine.vector[1] + 32, 32) &&
                         same(area + state_leaf(7).b + 64, mine.vector[17], 64))),
          "the other parts are where CPUID says");
}

/* Compares bytes 0 to 415 except the pointers of x87, which AMD processors save only with an
 * exception pending. */
static void as_fxsave(void)
{
    static UINT8 fxsave[512] __attribute__((aligned(64)));

    clear(area, sizeof(area), 0);
    check_legacy(&mine, area, fxsave);
    check(same(area, fxsave, 6) && same(area + 24, fxsave + 24, 416 - 24) && area[3] == 0x30 &&
              area[4] == 0xc0,
          "XSAVE's legacy region is what FXSAVE saves");
}

static void parts_of_it(void)
{
    UINT8 zeros[64] = {0};

    clear(area, sizeof(area), 0xee);
    set_quad(HEADER, X87);
    start();
    check_xsave(area, AVX);
    check(trapped().count == before.count && area[0] == 0xee && area[160] == 0xee &&
              (quad(HEADER) & ~(UINT64)AVX) == X87,
          "XSAVE leaves alone what it is not asked for");
    clear(area, sizeof(area), 0);
    area[24] = 0x80, area[25] = 0x3f; /* is loaded although SSE is not held */
    check_restore(area, X87 | SSE, &mine, &found);
    check(found.control == 0x37f && found.status == 0 && found.mxcsr == 0x3f80 &&
              same(found.vector[4], zeros, 16) &&
              same(found.vector[4] + 16, mine.vector[4] + 16, 16),
          "XRSTOR resets what the area does not hold, and leaves alone what it is not asked for");
}

static void alignment_and_header(UINT32 parts)
{
    clear(area, sizeof(area), 0);
    area[24] = 0x80, area[25] = 0x1f;
    check(runs(check_xrstor, area, parts) && runs(check_xsave_32, area, parts) &&
              runs(check_xrstor_32, area, parts),
          "XSAVE and XRSTOR have a form with and one without REX.W");
    check(faults(check_xsave, area + 32, parts, GP) && trapped().error == 0 &&
              faults(check_xrstor, area + 32, parts, GP) && faults(check_xsave, area + 8, 0, GP),
          "an area that is not at a multiple of 64 is #GP");
    set_quad(HEADER, 1ull << 40);
    check(faults(check_xrstor, area, parts, GP), "so is a header with parts that there are not");
    set_quad(HEADER, parts);
    set_quad(FORMAT + 8, 1);
    check(faults(check_xrstor, area, parts, GP), "one with reserved bits");
    set_quad(FORMAT + 8, 0);
    set_quad(FORMAT, 1);
    check(faults(check_xrstor, area, parts, GP), "one of a format that there is not");
    set_quad(FORMAT, 0);
    area[26] = 1;
    check(faults(check_xrstor, area, parts, GP) && runs(check_xrstor, area, X87),
          "reserved bits of MXCSR, where that is asked for");
    area[26] = 0;
    check(faults(check_xsave, (UINT8 *)0x8000000000000000ull, parts, GP), "no address is #GP");
}

static void what_turns_it_off(UINT64 cr4)
{
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 & ~OSXSAVE));
    check(faults(check_xsave, area + 1, 7, UD) && faults(check_xrstor, area, 7, UD),
          "without CR4.OSXSAVE XSAVE and XRSTOR are #UD");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | OSXSAVE));
    check(faults(check_xsave_ts, area + 1, 7, NM) && faults(check_xrstor_ts, area, 7, NM),
          "with CR0.TS they are #NM");
}

/* The size of a compacted area with these parts. */
static UINT32 compacted(UINT32 parts)
{
    UINT32 bytes = 576;

    for (UINT32 part = 2; part < 32; part++)
        if (parts >> part & 1)
            bytes += state_leaf(part).a;
    return bytes;
}

/* Bits 0 to 3 of leaf 0DH's subleaf 1: XSAVEOPT, XSAVEC, XGETBV with 1 in ECX, XSAVES. */
static void other_forms(UINT32 parts)
{
    const UINT32 forms = state_leaf(1).a;

    clear(area, sizeof(area), 0xee);
    clear(area + HEADER, 64, 0);
    area[24] = 0x80, area[25] = 0x1f, area[26] = area[27] = 0;
    check_xrstor(area, parts); /* all as after a reset */
    check(forms & 1 ? runs(check_xsaveopt, area, parts) && quad(FORMAT) == 0
                    : faults(check_xsaveopt, area, parts, UD),
          "XSAVEOPT goes by CPUID");
    check(!(forms & 2) || state_leaf(1).b == compacted(parts),
          "XSAVEC's area is as long as CPUID says");
    check(forms & 2 ? runs(check_xsavec, area, parts) && quad(FORMAT) == (parts | 1ull << 63) &&
                          runs(check_xrstor, area, parts)
                    : faults(check_xsavec, area, parts, UD),
          "so does XSAVEC, whose area XRSTOR takes");
    start();
    check(forms & 4
              ? (check_xgetbv(1) & ~(UINT64)(X87 | SSE)) == 0 && trapped().count == before.count
              : (check_xgetbv(1), faulted(GP)),
          "so does XGETBV of what is in use");
    check(forms & 8 || faults(check_xsaves, area, parts, UD), "and XSAVES");
}

static UINT64 enable(void)
{
    UINT64 cr4;

    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | OSXSAVE));
    return cr4;
}

static void set_mxcsr(UINT32 value)
{
    __asm__ volatile("ldmxcsr %0" ::"m"(value));
}

void xsave(void)
{
    UINT64 cr4, xcr0;
    UINT32 parts;

    if (!(cpuid(1).c >> 26 & 1)) {
        check(faults(check_xsave, area, 3, UD) && faults(check_xrstor, area, 3, UD),
              "XSAVE and XRSTOR are #UD where CPUID has them not");
        return;
    }
    cr4 = enable();
    what_turns_it_off(cr4);
    xcr0 = check_xgetbv(0);
    parts = state_leaf(0).a;
    check_xsetbv(0, parts);
    a_switch(parts);
    as_fxsave();
    parts_of_it();
    alignment_and_header(parts);
    other_forms(parts);
    set_mxcsr(0x1f80);
    check_xsetbv(0, xcr0);
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4));
}

/* --- memory --- */

static void flush(void)
{
    UINT64 cr3;

    __asm__ volatile("mov %%cr3, %0; mov %0, %%cr3" : "=r"(cr3)::"memory");
}

static int page_fault(on_area *code, UINT8 *at, UINT64 mask, UINT64 error, const UINT8 *page)
{
    return faults(code, at, mask, PF) && trapped().error == error &&
           (trapped().address & ~4095ull) == (UINT64)page;
}

void xsave_pages(UINT8 *page, UINT64 *entry)
{
    UINT64 cr4, xcr0, cr0, plain = *entry;
    UINT8 *across = page - 576, kept[576]; /* the part of AVX on the page, the others before it */

    if (!(cpuid(1).c >> 28 & 1))
        return;
    cr4 = enable();
    xcr0 = check_xgetbv(0);
    check_xsetbv(0, X87 | SSE | AVX);
    for (unsigned i = 0; i < sizeof(kept); i++)
        kept[i] = across[i];
    *entry = 0;
    flush();
    check(page_fault(check_xsave, page, 7, 2, page) && page_fault(check_xrstor, page, 7, 0, page),
          "XSAVE and XRSTOR fault on a page that is not there");
    check(page_fault(check_xsave, across, 7, 2, page), "also with but a part of the area there");
    start();
    check_xsave(across, 3);
    check(trapped().count == before.count, "unless that part is not asked for");
    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("mov %0, %%cr0" ::"r"(cr0 | CR0_WP));
    *entry = plain | WRITABLE;
    flush();
    clear(page, 1024, 0);
    *entry = plain & ~(UINT64)WRITABLE;
    flush();
    check(page_fault(check_xsave, page, 7, 3, page) && runs(check_xrstor, page, 1),
          "XRSTOR reads from a page without W, XSAVE faults");
    __asm__ volatile("mov %0, %%cr0" ::"r"(cr0));
    *entry = plain;
    flush();
    for (unsigned i = 0; i < sizeof(kept); i++)
        ((volatile UINT8 *)across)[i] = kept[i];
    check_xsetbv(0, xcr0);
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4));
}
