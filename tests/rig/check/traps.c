/* What exceptions push, gates and segments that are not present, accesses that must be aligned, and
 * traps without a condition. SDM 3A, "Interrupt and Exception Handling"; SDM 3B, "Debug Registers";
 * SDM 1, "EFLAGS Register". */
#include "check.h"

#include <efilib.h>

UINT64 check_rdmsr(UINT64), check_undefined(UINT64), check_null(UINT64);
UINT64 check_movaps(UINT64), check_movaps_to(UINT64), check_paddd(UINT64), check_movups(UINT64);
UINT64 check_int3(UINT64), check_int1(UINT64), check_int_absent(UINT64), check_load_ds(UINT64);
UINT64 check_load_ss(UINT64);
extern char check_int1_behind[];

#define RF        0x10000u
#define DR6_CLEAR 0xffff0ff0ull
#define DR6_BD    0x2000u
#define DR6_BS    0x4000u
#define ABSENT    0x90 /* a vector without a gate */
#define IN_IDT    2
#define EXTERNAL  1

static struct frame last;
static UINT64 dr6, seen;

static int keep(struct frame *frame)
{
    last = *frame;
    seen++;
    __asm__ volatile("mov %%dr6, %0" : "=r"(dr6));
    __asm__ volatile("mov %0, %%dr6" ::"r"(DR6_CLEAR));
    return frame->vector == 1 || frame->vector == 3; /* else check_trap goes on at check_resume */
}

static const struct frame *frame_of(UINT64 (*code)(UINT64), UINT64 argument)
{
    last = (struct frame){.vector = 256};
    seen = 0;
    trap_action = keep;
    code(argument);
    trap_action = NULL;
    return &last;
}

static void resume_flag(void)
{
    check(frame_of(check_undefined, 0)->rflags & RF, "#UD pushes RF");
    check(frame_of(check_rdmsr, 0x12345678)->rflags & RF, "so does #GP");
    check(frame_of(check_null, 0x2000000000)->rflags & RF, "and #PF");
    check(frame_of(check_int3, 0)->vector == 3 && !(last.rflags & RF), "INT3, a trap, does not");
}

static void alignment(void)
{
    static UINT8 bytes[64] __attribute__((aligned(64)));
    const UINT64 odd = (UINT64)bytes + 8;

    check(frame_of(check_movaps, odd)->vector == 13 && last.error == 0,
          "a misaligned MOVAPS is #GP(0)");
    check(frame_of(check_movaps_to, odd)->vector == 13 && last.error == 0, "so is one that writes");
    check(frame_of(check_paddd, odd)->vector == 13 && last.error == 0,
          "and an operand in memory of PADDD");
    check(frame_of(check_movups, odd)->vector == 256 &&
              frame_of(check_movaps, odd + 8)->vector == 256,
          "MOVUPS, and MOVAPS where it is aligned, are none");
}

static void turn_gate(unsigned vector)
{
    struct table_register idt;

    __asm__ volatile("sidt %0" : "=m"(idt));
    *(UINT64 *)(idt.base + 16 * vector) ^= 1ull << 47;
}

/* A code segment and a data segment that are not present, behind what the descriptor table has. */
static void absent(void)
{
    static UINT64 descriptors[16];
    struct table_register old, own = {sizeof(descriptors) - 1, (UINT64)descriptors};

    turn_gate(ABSENT);
    turn_gate(6);
    check(frame_of(check_undefined, 0)->vector == 11 && last.error == 8 * 6 + IN_IDT + EXTERNAL,
          "#UD through a gate that is not present is #NP of that gate, from outside");
    turn_gate(6);
    check(frame_of(check_int_absent, 0)->vector == 11 && last.error == 8 * ABSENT + IN_IDT,
          "INT n through a gate that is not present is #NP of the gate");
    __asm__ volatile("sgdt %0" : "=m"(old));
    for (unsigned i = 0; i < 15; i++)
        descriptors[i] = 8 * i + 7 <= old.limit ? ((UINT64 *)old.base)[i] : 0;
    descriptors[15] = 0x00cf13000000ffff; /* data, writable, P clear */
    __asm__ volatile("lgdt %0" ::"m"(own));
    check(frame_of(check_load_ds, 8 * 15)->vector == 11 && last.error == 8 * 15,
          "a data segment that is not present is #NP(selector)");
    check(frame_of(check_load_ss, 8 * 15)->vector == 12 && last.error == 8 * 15,
          "a stack segment that is not present is #SS(selector)");
    __asm__ volatile("lgdt %0" ::"m"(old));
}

static void single_traps(void)
{
    check(frame_of(check_int1, 0)->vector == 1 && last.rip == (UINT64)check_int1_behind &&
              !(dr6 & (DR6_BD | DR6_BS)),
          "INT1 is #DB behind it, and sets no bit of DR6");
}

void traps(void)
{
    resume_flag();
    alignment();
    absent();
    single_traps();
}
