/* The exceptions of SSE's numbers: flags of MXCSR, #XM. SDM 1, "SSE and SSE2 SIMD Floating-Point
 * Exceptions", "MXCSR Control and Status Register", "Generating SIMD Floating-Point Exceptions". */
#include "check.h"

#define IE         0x01u
#define DE         0x02u
#define ZE         0x04u
#define OE         0x08u
#define UE         0x10u
#define PE         0x20u
#define FLAGS      0x3fu
#define MASKS      0x1f80u
#define TO_MASK    7 /* from a flag to its mask */
#define DAZ        0x40u
#define FTZ        0x8000u
#define OSXMMEXCPT 0x400ull
#define XM         19
#define UD         6
#define ONE        0x3ff0000000000000ull
#define THREE      0x4008000000000000ull
#define SMALL      0x0000000000000001ull /* denormal */
#define TINY       0x0010000000000000ull /* the smallest normal number */
#define HALF       0x3fe0000000000000ull
#define HUGE       0x7fe0000000000000ull
#define QUIET      0x7ff8000000000000ull
#define SIGNALLING 0x7ff0000000000001ull
#define ODD        0x4000000001000001ull /* no single; as an integer neither */

struct numbers {
    UINT32 mxcsr, unused;
    UINT64 mmx; /* MM1, which begins as `first` */
    UINT64 first[2], second[2];
};

#define CODE(name) UINT64 check_##name(struct numbers *numbers);
CODE(addsd)
CODE(mulsd)
CODE(divsd)
CODE(divps)
CODE(sqrtsd)
CODE(comisd)
CODE(ucomisd)
CODE(cmpltsd)
CODE(cmpeqsd)
CODE(cvtsd2ss)
CODE(cvtsd2si)
CODE(cvttsd2si)
CODE(cvtsi2ss)
CODE(cvtps2pi)
CODE(cvttpd2pi)
CODE(cvtpi2ps)
CODE(cvtpi2ps_memory)
CODE(haddpd)
CODE(vdivsd)
CODE(vdivps)
CODE(float_result)
extern char check_divsd_at[];

static const struct example {
    UINT64 (*code)(struct numbers *numbers);
    UINT64 first, second;
    UINT32 mxcsr, raised;
    int small; /* the result is exact, but too small: an underflow when that is not masked */
} examples[] = {
    {check_divsd, ONE, THREE, 0, PE, 0},
    {check_divsd, THREE, ONE, 0, 0, 0},
    {check_divsd, ONE, 0, 0, ZE, 0},
    {check_divsd, 0, 0, 0, IE, 0},
    {check_divsd, QUIET, 0, 0, 0, 0},
    {check_addsd, SMALL, ONE, 0, DE | PE, 0},
    {check_addsd, SMALL, ONE, DAZ, 0, 0},
    {check_addsd, SMALL, SMALL, 0, DE, 1},
    {check_addsd, SIGNALLING, ONE, 0, IE, 0},
    {check_mulsd, HUGE, THREE, 0, OE | PE, 0},
    {check_mulsd, TINY, TINY, 0, UE | PE, 0},
    {check_mulsd, TINY, HALF, 0, 0, 1},
    {check_mulsd, TINY, HALF, FTZ, UE | PE, 1},
    {check_sqrtsd, 0, ONE | 1ull << 63, 0, IE, 0},
    {check_comisd, QUIET, ONE, 0, IE, 0},
    {check_ucomisd, QUIET, ONE, 0, 0, 0},
    {check_cmpltsd, QUIET, ONE, 0, IE, 0},
    {check_cmpeqsd, QUIET, ONE, 0, 0, 0},
    {check_cvtsd2ss, 0, HUGE, 0, OE | PE, 0},
    {check_cvtsd2si, 0, ODD, 0, PE, 0},
    {check_cvttsd2si, 0, HUGE, 0, IE, 0},
    {check_cvtsi2ss, 0, ODD, 0, PE, 0},
    {check_cvtps2pi, 0, 0x3f8000003f000000, 0, PE, 0}, /* a half, and 1 */
    {check_cvtps2pi, 0, 0x3f8000007fc00000, 0, IE, 0},
    {check_cvtps2pi, 0, 0x3f8000003f800000, 0, 0, 0}, /* what is above them is 1.875 */
    {check_cvttpd2pi, 0, ODD, 0, PE, 0},
    {check_cvttpd2pi, 0, HUGE, 0, IE, 0},
    {check_cvtpi2ps, 0, ODD, 0, PE, 0},
    {check_cvtpi2ps, 0, 0x4000000001000000, 0, 0, 0},
    {check_cvtpi2ps_memory, 0, ODD, 0, PE, 0},
    {check_haddpd, HUGE, ONE, 0, PE, 0}, /* to 1 */
};

/* The vector of the exception, 0 without one. */
static UINT64 compute(UINT64 (*code)(struct numbers *numbers), struct numbers *numbers)
{
    const UINT64 before = trapped().count;

    code(numbers);
    check_float_result(numbers);
    return trapped().count == before ? 0 : trapped().vector;
}

static UINT64 play(const struct example *example, UINT32 mxcsr, struct numbers *numbers)
{
    *numbers = (struct numbers){mxcsr, 0, 0, {example->first, ONE}, {example->second, ONE}};
    return compute(example->code, numbers);
}

/* Of each exception that it raises, alone not masked: whether it faults, and nothing is stored. */
static int faults_as_raised(const struct example *example)
{
    struct numbers numbers;
    int good = 1;

    for (UINT32 flag = IE; flag <= PE; flag <<= 1) {
        const UINT32 mxcsr = (MASKS | example->mxcsr) & ~(flag << TO_MASK);
        const int due = example->raised & flag || (flag == UE && example->small);
        const UINT64 vector = play(example, mxcsr, &numbers);

        good &= due ? vector == XM && numbers.first[0] == example->first &&
                          numbers.mmx == example->first && numbers.mxcsr & flag
                    : vector == 0;
    }
    return good;
}

static void flags(void)
{
    const unsigned count = sizeof(examples) / sizeof(*examples);
    struct numbers numbers;
    unsigned masked = 0, faulting = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct example *example = &examples[i];

        masked += play(example, MASKS | example->mxcsr, &numbers) == 0 &&
                  (numbers.mxcsr & FLAGS) == example->raised;
        faulting += faults_as_raised(example);
    }
    check(masked == count, "SSE sets the flags of MXCSR that it raises, and no others");
    check(faulting == count, "an exception that is not masked is #XM, and stores nothing");
    play(&examples[1], MASKS | ZE | OE, &numbers);
    check(numbers.mxcsr == (MASKS | ZE | OE), "flags stay set, and fault nothing by themselves");
}

/* 1/3 and 1/0 at once: the division by zero is found before anything is divided. */
static void both_at_once(UINT64 (*code)(struct numbers *numbers), const char *claim)
{
    const UINT64 ones = 0x3f8000003f800000, three_and_zero = 0x0000000040400000;
    struct numbers numbers = {MASKS, 0, 0, {ones, ones}, {three_and_zero, ones}};
    UINT32 masked;
    UINT64 vector;

    compute(code, &numbers);
    masked = numbers.mxcsr & FLAGS;
    numbers =
        (struct numbers){MASKS & ~(ZE << TO_MASK), 0, 0, {ones, ones}, {three_and_zero, ones}};
    vector = compute(code, &numbers);
    check(masked == (ZE | PE) && vector == XM && (numbers.mxcsr & FLAGS) == ZE &&
              numbers.first[0] == ones,
          claim);
}

static UINT64 faulting_rip, faulting_flags;
static int keep(struct frame *frame)
{
    faulting_rip = frame->rip;
    faulting_flags = frame->rflags;
    return 0;
}

static void without_osxmmexcpt(void)
{
    static const struct example by_zero = {check_divsd, ONE, 0, 0, ZE, 0};
    struct numbers numbers;
    UINT64 cr4, vector;

    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    trap_action = keep;
    play(&by_zero, MASKS & ~(ZE << TO_MASK), &numbers);
    trap_action = 0;
    check(faulting_rip == (UINT64)check_divsd_at && faulting_flags & 0x10000,
          "#XM is a fault: its frame names the instruction, and has RF");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 & ~OSXMMEXCPT));
    vector = play(&by_zero, MASKS & ~(ZE << TO_MASK), &numbers);
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4));
    check(vector == UD, "without CR4.OSXMMEXCPT it is #UD");
}

void floats(void)
{
    UINT64 cr4;

    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | OSXMMEXCPT));
    flags();
    both_at_once(check_divps, "operands that fault leave no flag of a result");
    without_osxmmexcpt();
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4));
}

void floats_avx(void)
{
    static const struct example by_zero = {check_vdivsd, ONE, 0, 0, ZE, 0};
    struct numbers numbers;

    check(play(&by_zero, MASKS & ~(ZE << TO_MASK), &numbers) == XM && numbers.first[0] == ONE &&
              (numbers.mxcsr & FLAGS) == ZE && play(&by_zero, MASKS, &numbers) == 0,
          "so it is in VEX encoding");
    both_at_once(check_vdivps, "with the same flags");
}
