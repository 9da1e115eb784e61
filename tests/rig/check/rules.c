/* Rules of the emulator under the machine that need care (test/machine), each seen from inside the
 * guest. */
#include "check.h"

static UINT8 from[300], to[300];

static void initial_values(void)
{
    static UINT8 fxsave[512] __attribute__((aligned(16)));
    UINT32 mxcsr;
    UINT16 control;

    __asm__ volatile("stmxcsr %0; fnstcw %1; fxsave64 %2"
                     : "=m"(mxcsr), "=m"(control), "=m"(fxsave));
    check(fxsave[4] == 0, "all registers of x87 are empty");
    check(mxcsr == 0x1f80 && control == 0x37f,
          "MXCSR and the x87 control word are as UEFI hands them over");
}

/* A write to a device must run once, and its effect must come at once. */
static void callbacks(void)
{
    UINT64 before = interrupts[my_id() & 255];
    unsigned late = 0;

    apic_write(0xf0, 0x1ff);
    __asm__ volatile("sti");
    for (unsigned i = 1; i <= 100; i++) {
        send(my_id(), 0x4041);
        __asm__ volatile("nop; nop");
        late += interrupts[my_id() & 255] != before + i;
    }
    __asm__ volatile("cli");
    check(interrupts[my_id() & 255] == before + 100 && late == 0,
          "an interrupt that a core sends itself arrives once, 100 times");
}

static void repeats(void)
{
    UINT64 count = 200, source = (UINT64)from, place = (UINT64)to;
    unsigned good = 0;

    for (unsigned i = 0; i < sizeof(from); i++)
        from[i] = (UINT8)(i * 7 + 1);
    __asm__ volatile("rep movsb" : "+c"(count), "+S"(source), "+D"(place)::"memory");
    for (unsigned i = 0; i < sizeof(from); i++)
        good += to[i] == (i < 200 ? from[i] : 0);
    check(good == sizeof(from) && count == 0 && source == (UINT64)from + 200 &&
              place == (UINT64)to + 200,
          "REP MOVSB moves what it says and leaves its registers so");
    count = 0;
    __asm__ volatile("rep stosb" : "+c"(count), "+D"(place) : "a"(0xff) : "memory");
    check(place == (UINT64)to + 200 && to[200] == 0, "a count of zero moves nothing");
}

void rules(void)
{
    initial_values();
    callbacks();
    repeats();
}
