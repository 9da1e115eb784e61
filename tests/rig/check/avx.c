/* AVX and what enables it: CR4.OSXSAVE, XCR0, CPUID, memory operands and their faults. SDM 1,
 * "Detection of Intel AVX Instructions"; SDM 2, XGETBV and XSETBV; SDM 3A, "Paging". */
#include "check.h"

#define OSXSAVE  (1ull << 18)
#define CR0_WP   0x10000ull
#define X87      1
#define SSE      2
#define AVX      4
#define AVX512   0xe0
#define UD       6
#define GP       13
#define PF       14
#define WRITABLE 2u

UINT64 check_xgetbv(UINT64 which);
void check_xsetbv(UINT64 which, UINT64 value);
void check_vzeroupper(void);
void check_zmm(void);
void check_vload(UINT64 address);
void check_vload_aligned(UINT64 address);
void check_vstore(UINT64 address);
void check_vcopy(void *to, const void *from);
void check_halves(float *to, const float *from);
void check_sums(float *to, const float *from);
UINT32 check_signs(const float *from);
void check_mask_load(UINT64 address, const UINT32 *mask, UINT32 *to);
void check_mask_store(UINT64 address, const UINT32 *mask, const UINT32 *from);
void check_mask_load_wide(UINT64 address, UINT64 mask, UINT32 *to);
void check_mask_store_wide(UINT64 address, UINT64 mask, const UINT32 *from);

static UINT64 read_cr4(void)
{
    UINT64 cr4;

    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    return cr4;
}

static void write_cr4(UINT64 cr4)
{
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4) : "memory");
}

static struct trapped before;

static void start(void)
{
    before = trapped();
}

/* Exactly one exception came since, with that vector. */
static int faulted(UINT64 vector)
{
    return trapped().count == before.count + 1 && trapped().vector == vector;
}

static int undefined(void (*code)(void))
{
    start();
    code();
    return faulted(UD);
}

static int refused(UINT64 which, UINT64 value)
{
    start();
    check_xsetbv(which, value);
    return faulted(GP) && trapped().error == 0;
}

static void without_osxsave(void)
{
    int bit = cpuid(1).c >> 27 & 1, xgetbv, xsetbv;

    start();
    check_xgetbv(0);
    xgetbv = faulted(UD);
    start();
    check_xsetbv(0, 7);
    xsetbv = faulted(UD);
    check(!bit && xgetbv && xsetbv && undefined(check_vzeroupper),
          "without CR4.OSXSAVE there is no XGETBV, no XSETBV and no AVX");
}

static void what_xcr0_takes(void)
{
    UINT64 offered = cpuid(0xd).a;
    int which;

    check_xsetbv(0, X87);
    check(check_xgetbv(0) == X87 && cpuid(1).c >> 27 & 1, "with it XCR0 can be read and written");
    start();
    check_xgetbv(2);
    which = faulted(GP);
    check(which && refused(1, X87), "and there is no other such register");
    check(refused(0, 0) && refused(0, SSE) && refused(0, X87 | AVX) &&
              refused(0, X87 | 1ull << 62) && refused(0, X87 | SSE | 8),
          "XCR0 takes no AVX without SSE, nothing without x87 and nothing that CPUID lacks");
    check(refused(0, X87 | SSE | AVX | 0x20) && refused(0, X87 | SSE | AVX512) &&
              ((offered & AVX512) == AVX512 || refused(0, X87 | SSE | AVX | AVX512)),
          "nor a part of AVX-512, nor that without AVX");
    check(check_xgetbv(0) == X87, "what it refuses changes nothing");
}

static void what_xcr0_enables(void)
{
    UINT64 offered = cpuid(0xd).a;
    int off, legacy = cpuid(0xd).b == 576;

    check_xsetbv(0, X87 | SSE);
    off = undefined(check_vzeroupper);
    check_xsetbv(0, X87 | SSE | AVX);
    start();
    check_vzeroupper();
    check(off && trapped().count == before.count, "AVX is #UD until XCR0 has it");
    check(legacy && cpuid(0xd).b == 832, "and CPUID says how much room that takes");
    check(undefined(check_zmm), "AVX-512 is not enabled by that");
    if ((offered & AVX512) != AVX512)
        return;
    check_xsetbv(0, X87 | SSE | AVX | AVX512);
    start();
    check_zmm();
    check(trapped().count == before.count && cpuid(0xd).b == cpuid(0xd).c,
          "but with its own bits it is");
}

static void values(void)
{
    static const float from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, signs[8] = {-1, 2, -3, 4, 5, 6, 7, -8},
                       zeros[8];
    float to[16];
    int good = 1;

    check_halves(to, from);
    for (unsigned i = 0; i < 8; i++)
        good &= to[i] == (i < 4 ? 2 : 1) * from[i] && to[8 + i] == (i < 4 ? 4 * from[i] : 0);
    check(good, "SSE keeps the upper half of a register, VEX clears it");
    check_sums(to, from);
    good = 1;
    for (unsigned i = 0; i < 4; i++)
        good &= to[i] == 3 * from[i] && to[4 + i] == from[4 + i] && to[8 + i] == 0;
    check(good, "SSE and VEX see what the other wrote");
    check(check_signs(signs) == (0x85 | 0x200) && check_signs(zeros) == 0x300,
          "VMOVMSKPS gives signs, VPTEST sets the flags");
}

static void inexact(void)
{
    static const float one = 1, three = 3;
    UINT32 mxcsr = 0x1f80, after;

    __asm__ volatile("ldmxcsr %1; movss %2, %%xmm1; movss %3, %%xmm2;"
                     ".byte 0xc5, 0xf2, 0x5e, 0xc2;" /* vdivss xmm0, xmm1, xmm2 */
                     "stmxcsr %0; ldmxcsr %1"
                     : "=m"(after)
                     : "m"(mxcsr), "m"(one), "m"(three)
                     : "xmm0", "xmm1", "xmm2");
    check(after == 0x1fa0, "MXCSR has a flag of what AVX computed");
}

static void rewritten(void)
{
    static UINT8 code[64] __attribute__((aligned(64)));
    UINT8 next[16] = {0xb8, 0, 0, 0, 0, 0xc3}; /* mov eax, imm32; ret */
    unsigned good = 0;

    for (UINT8 i = 0; i < 50; i++) {
        next[1] = i;
        check_vcopy(code, next);
        good += ((UINT32(*)(void))code)() == i;
    }
    check(good == 50, "code that AVX writes runs as written, 50 times");
}

void avx(void)
{
    UINT64 cr4 = read_cr4(), xcr0;

    if (!(cpuid(1).c >> 26 & 1)) {
        start();
        check_xgetbv(0);
        check(faulted(UD), "XGETBV is #UD without XSAVE");
        return;
    }
    write_cr4(cr4 & ~OSXSAVE);
    without_osxsave();
    write_cr4(cr4 | OSXSAVE);
    xcr0 = check_xgetbv(0);
    what_xcr0_takes();
    what_xcr0_enables();
    values();
    inexact();
    floats_avx();
    rewritten();
    check_xsetbv(0, xcr0);
    write_cr4(cr4);
}

/* --- memory --- */

static void flush(void)
{
    UINT64 cr3;

    __asm__ volatile("mov %%cr3, %0; mov %0, %%cr3" : "=r"(cr3)::"memory");
}

static int page_fault(UINT64 error, UINT64 address)
{
    return faulted(PF) && trapped().error == error && trapped().address == address;
}

static void not_there(UINT64 place, UINT64 *entry)
{
    UINT64 plain = *entry;

    *entry = 0;
    flush();
    start();
    check_vload(place + 64);
    check(page_fault(0, place + 64), "a load of AVX from a page that is not there says so");
    start();
    check_vstore(place);
    check(page_fault(2, place), "and a store");
    start();
    check_vload(place - 16);
    check(page_fault(0, place), "one that begins before it faults where the page begins");
    *entry = plain;
    flush();
}

static void not_writable(UINT64 place, UINT64 *entry)
{
    UINT64 plain = *entry, cr0;

    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("mov %0, %%cr0" ::"r"(cr0 | CR0_WP));
    *entry = plain & ~(UINT64)WRITABLE & ~0x60ull;
    flush();
    start();
    check_vload(place);
    check(trapped().count == before.count && (*entry & 0x60) == 0x20,
          "a load from a page without W marks it accessed");
    start();
    check_vstore(place);
    check(page_fault(3, place) && (*entry & 0x40) == 0, "a store faults and leaves it clean");
    *entry = plain & ~0x60ull;
    flush();
    check_vstore(place);
    check((*entry & 0x60) == 0x60, "one that may be done marks it dirty");
    __asm__ volatile("mov %0, %%cr0" ::"r"(cr0));
    *entry = plain;
    flush();
}

/* A mask of VMASKMOV for eight singles, four before a page boundary and four behind it. */
static const UINT32 *singles(unsigned bits)
{
    static UINT32 mask[8];

    for (unsigned i = 0; i < 8; i++)
        mask[i] = bits >> i & 1 ? 0x80000000 : 0x7fffffff;
    return mask;
}

static int is_copy(const UINT32 *to, const UINT32 *from, unsigned bits, unsigned count)
{
    int good = 1;

    for (unsigned i = 0; i < count; i++)
        good &= to[i] == (bits >> i & 1 ? from[i] : 0);
    return good;
}

static void masked(UINT64 place, UINT64 *entry, int wide)
{
    const UINT32 *at = (const UINT32 *)(place - 16);
    UINT64 plain = *entry;
    UINT32 to[16] = {0};

    *entry = 0;
    flush();
    start();
    check_mask_load(place - 16, singles(0x0b), to);
    check(trapped().count == before.count && is_copy(to, at, 0x0b, 8),
          "a masked load does not fault for what its mask leaves out, and clears it");
    start();
    check_mask_load(place - 16, singles(0x21), to);
    check(faulted(PF) && trapped().error == 0 && trapped().address >> 12 == place >> 12,
          "it does for what the mask has");
    start();
    check_mask_store(place, singles(0), to);
    check(trapped().count == before.count, "a masked store of nothing does nothing");
    start();
    check_mask_store(place - 16, singles(0x80), to);
    check(faulted(PF) && trapped().error == 2, "one of something faults");
    if (wide) {
        start();
        check_mask_load_wide(place - 16, 0x0005, to);
        check(trapped().count == before.count && is_copy(to, at, 0x0005, 16),
              "masks of AVX-512 do the same for loads");
        start();
        check_mask_load_wide(place - 16, 0x0015, to);
        check(faulted(PF) && trapped().error == 0, "and do not hide what they have");
        start();
        check_mask_store_wide(place - 16, 0x8000, to);
        check(faulted(PF) && trapped().error == 2, "nor from stores");
        start();
        check_mask_store_wide(0x1234567812345678, 0, to);
        check(trapped().count == before.count, "a store of nothing may go anywhere");
    }
    *entry = plain;
    flush();
}

/* A store does not change what its mask leaves out. */
static void masked_values(UINT64 place, int wide)
{
    UINT32 *at = (UINT32 *)place, from[16], good = 1;

    for (unsigned i = 0; i < 16; i++)
        at[i] = i, from[i] = 100 + i;
    check_mask_store(place, singles(0x5a), from);
    for (unsigned i = 0; i < 8; i++)
        good &= at[i] == (0x5a >> i & 1 ? 100 + i : i);
    if (wide) {
        check_mask_store_wide(place, 0x8100, from);
        for (unsigned i = 8; i < 16; i++)
            good &= at[i] == (0x8100 >> i & 1 ? 100 + i : i);
    }
    check(good, "a masked store writes what its mask has");
}

void avx_pages(UINT8 *page, UINT64 *entry)
{
    UINT64 cr4 = read_cr4(), place = (UINT64)page, xcr0;
    int wide;

    if (!(cpuid(1).c >> 28 & 1))
        return;
    wide = (cpuid(0xd).a & AVX512) == AVX512;
    write_cr4(cr4 | OSXSAVE);
    xcr0 = check_xgetbv(0);
    check_xsetbv(0, cpuid(0xd).a);
    not_there(place, entry);
    masked(place, entry, wide);
    masked_values(place, wide);
    not_writable(place, entry);
    start();
    check_vload_aligned(place + 16);
    check(faulted(GP), "VMOVAPS is #GP where its operand is not aligned");
    start();
    check_vload(place + 1);
    check(trapped().count == before.count, "and VMOVUPS is not");
    start();
    check_vload(0x1234567812345678);
    check(faulted(GP), "an address that is not canonical is #GP");
    check_xsetbv(0, xcr0);
    write_cr4(cr4);
}
