/* Breakpoints of the debug registers. SDM 3B, "Debug Registers", "Debug Exceptions"; SDM 2,
 * "MOV - Move to/from Debug Registers". */
#include "check.h"

#define TF     0x100u
#define RF     0x10000u
#define DB     1
#define UD     6
#define GP     13
#define PF     14
#define CLEAR  0xffff0ff0ull /* DR6 without a bit that says something */
#define BD     0x2000u
#define BS     0x4000u
#define GD     0x2000ull
#define CR4_DE 8ull

#define SEEN_MAX 16

enum { EXECUTION, WRITES, PORTS, ACCESSES };

UINT64 check_breaks(void), check_store(UINT8 *, UINT64), check_store_8(UINT8 *, UINT64),
    check_load(UINT8 *, UINT64), check_load_popcnt(UINT8 *, UINT64),
    check_store_16(UINT8 *, UINT64), check_store_special(UINT8 *, UINT64),
    check_repeat(UINT8 *, UINT64), check_write_nowhere(UINT8 *),
    check_stepped_store(UINT8 *, UINT64);
UINT64 check_out_byte(UINT64, UINT8 *), check_out_word(UINT64, UINT8 *),
    check_in_byte(UINT64, UINT8 *), check_out_string(UINT64, UINT8 *);
UINT64 check_stack_switch(UINT16 *, UINT64);
UINT64 check_set_dr0(UINT64), check_set_dr1(UINT64), check_set_dr2(UINT64), check_set_dr3(UINT64),
    check_set_dr4(UINT64), check_set_dr6(UINT64), check_set_dr7(UINT64);
UINT64 check_get_dr0(void), check_get_dr4(void), check_get_dr6(void), check_get_dr7(void);
extern char break_1[], break_2[], break_last[], check_store_behind[], check_store_8_behind[],
    check_load_behind[], check_load_popcnt_behind[], check_store_16_behind[],
    check_store_special_behind[], check_repeat_at[], check_stepped_store_behind[],
    check_get_dr0_at[], check_out_byte_behind[], check_out_word_behind[], check_in_byte_behind[],
    check_out_string_at[], stack_switch_behind[], stack_switch_next[];

static UINT8 bytes[64] __attribute__((aligned(64)));
static UINT64 rip[SEEN_MAX], dr6[SEEN_MAX], flags[SEEN_MAX], in_dr7[SEEN_MAX];
static unsigned count;
static int resume;  /* the handler sets RF; else it does from the third time on */
static UINT64 left; /* what the handler leaves in DR7; not written when 0 */

static int on_debug(struct frame *frame)
{
    if (frame->vector != DB)
        return 0;
    if (count < SEEN_MAX) {
        in_dr7[count] = check_get_dr7();
        rip[count] = frame->rip;
        flags[count] = frame->rflags;
        dr6[count] = check_get_dr6() & ~CLEAR;
    }
    count++;
    check_set_dr6(CLEAR);
    frame->rflags &= ~(UINT64)TF;
    if (resume || count > 2)
        frame->rflags |= RF;
    if (left)
        check_set_dr7(left);
    return 1;
}

static void set(unsigned number, UINT64 address)
{
    UINT64(*const setters[])
    (UINT64) = {check_set_dr0, check_set_dr1, check_set_dr2, check_set_dr3};

    setters[number](address);
}

/* DR7 for one breakpoint. */
static UINT64 enabled(unsigned number, unsigned kind, unsigned length)
{
    const unsigned coded = length == 8 ? 2 : length - 1;

    return 0x400 | 2ull << 2 * number | (UINT64)(kind | coded << 2) << (16 + 4 * number);
}

static void begin(UINT64 enables)
{
    count = 0;
    resume = 1;
    left = 0;
    trap_action = on_debug;
    check_set_dr6(CLEAR);
    check_set_dr7(enables);
}

static void end(void)
{
    check_set_dr7(0x400);
    trap_action = 0;
}

static int met(unsigned at, const void *where, UINT64 bits)
{
    return at < count && rip[at] == (UINT64)where && dr6[at] == bits;
}

static void on_instructions(void)
{
    UINT64 result;

    set(0, (UINT64)break_1);
    set(2, (UINT64)break_2);
    set(3, (UINT64)break_1);
    begin(enabled(0, EXECUTION, 1) | enabled(2, EXECUTION, 1) | enabled(3, EXECUTION, 1));
    result = check_breaks();
    end();
    check(count == 2 && met(0, break_1, 9) && met(1, break_2, 4) && result == 1,
          "a breakpoint faults before its instruction, and DR6 says which ones were met");
    check(!(flags[0] & RF) && !(flags[1] & RF), "without RF in the frame");
    begin(enabled(0, EXECUTION, 1));
    resume = 0;
    left = enabled(2, EXECUTION, 1);
    check_breaks();
    end();
    check(count == 3 && met(0, break_1, 1) && met(1, break_2, 4) && met(2, break_2, 4),
          "an instruction that is returned to without RF meets what is enabled now");
    begin(0x400);
    check_breaks();
    end();
    check(count == 0, "without an enable in DR7 there is none");
}

/* The trap's frame is behind the access. */
static int trapped_at(UINT64 (*code)(UINT8 *, UINT64), const char *behind, unsigned offset,
                      UINT64 enables, UINT64 bits)
{
    begin(enables);
    code(bytes + offset, 0x0102030405060708);
    end();
    return bits ? count == 1 && met(0, behind, bits) : count == 0;
}

static void on_data(void)
{
    const UINT64 word = enabled(1, WRITES, 2);
    int good;

    set(0, (UINT64)bytes + 8);
    set(1, (UINT64)bytes + 17); /* of two bytes: the lowest bit is ignored */
    good =
        trapped_at(check_store, check_store_behind, 8, enabled(0, WRITES, 1), 1) && bytes[8] == 8;
    check(good, "a breakpoint on a write traps behind it");
    check(trapped_at(check_load, check_load_behind, 8, enabled(0, WRITES, 1), 0) &&
              trapped_at(check_load, check_load_behind, 8, enabled(0, ACCESSES, 1), 1),
          "a read meets one on reads and writes alone");
    check(trapped_at(check_store, check_store_behind, 16, word, 2) &&
              trapped_at(check_store, check_store_behind, 17, word, 2) &&
              trapped_at(check_store, check_store_behind, 15, word, 0) &&
              trapped_at(check_store, check_store_behind, 18, word, 0),
          "it covers as many bytes as DR7 says, aligned by its length");
    check(trapped_at(check_store, check_store_behind, 15, enabled(0, WRITES, 8), 1) &&
              trapped_at(check_store, check_store_behind, 16, enabled(0, WRITES, 8), 0) &&
              trapped_at(check_store, check_store_behind, 11, enabled(0, WRITES, 4), 1) &&
              trapped_at(check_store, check_store_behind, 12, enabled(0, WRITES, 4), 0),
          "8 bytes and 4");
    check(trapped_at(check_store_8, check_store_8_behind, 1, enabled(0, WRITES, 1), 1) &&
              trapped_at(check_store_8, check_store_8_behind, 0, enabled(0, WRITES, 1), 0),
          "any byte of a wide access meets it");
    check(trapped_at(check_store_16, check_store_16_behind, 0,
                     enabled(0, WRITES, 1) | enabled(1, WRITES, 1), 1) &&
              trapped_at(check_store_16, check_store_16_behind, 2,
                         enabled(0, WRITES, 1) | enabled(1, WRITES, 1), 3),
          "and one access several");
}

/* Instructions that the emulator does not run itself. */
static void on_played(void)
{
    const struct leaf leaf = cpuid(1);

    if (leaf.c >> 23 & 1)
        check(
            trapped_at(check_load_popcnt, check_load_popcnt_behind, 1, enabled(0, ACCESSES, 1), 1),
            "POPCNT meets one");
    if (leaf.c >> 22 & 1)
        check(trapped_at(check_store_special, check_store_special_behind, 1, enabled(0, WRITES, 1),
                         1),
              "and MOVBE");
}

static void on_others(void)
{
    check(trapped_at(check_stepped_store, check_stepped_store_behind, 8, enabled(0, WRITES, 1),
                     BS | 1),
          "it is reported together with a single step");
    begin(enabled(0, WRITES, 1));
    check_repeat(bytes + 5, 7);
    end();
    check(count == 1 && met(0, check_repeat_at, 1), "a repeated store traps between two of them");
    set(3, (UINT64)check_repeat_at);
    begin(enabled(3, EXECUTION, 1));
    check_repeat(bytes + 5, 7);
    end();
    check(count == 1 && met(0, check_repeat_at, 8),
          "a breakpoint on a repeated instruction is met once");
    begin(enabled(0, ACCESSES, 1));
    check_write_nowhere(bytes + 8);
    trap_action = on_debug;
    end();
    check(count == 0 && trapped().vector == PF,
          "an access of an instruction that faults meets none");
}

/* POST's port: nothing answers there. */
#define POST 0x80u

/* An access to `port` meets the breakpoint 0 on POST, as `enables` has it. */
static int port_meets(UINT64 (*code)(UINT64, UINT8 *), const char *behind, UINT64 port,
                      UINT64 enables)
{
    begin(enables);
    code(port, bytes);
    end();
    return count == 1 && met(0, behind, 1);
}

static void on_ports(void)
{
    const UINT64 byte = enabled(0, PORTS, 1), word = enabled(0, PORTS, 2);
    UINT64 cr4;

    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | CR4_DE));
    set(0, POST);
    check(port_meets(check_out_byte, check_out_byte_behind, POST, byte) &&
              port_meets(check_in_byte, check_in_byte_behind, POST, byte),
          "with CR4.DE a breakpoint on a port traps behind OUT and IN");
    check(!port_meets(check_out_byte, check_out_byte_behind, POST + 1, byte) && count == 0 &&
              port_meets(check_out_byte, check_out_byte_behind, POST + 1, word) &&
              port_meets(check_out_word, check_out_word_behind, POST - 1, byte) &&
              !port_meets(check_out_word, check_out_word_behind, POST - 2, word) && count == 0,
          "it covers as many ports as DR7 says, and any of an access meets it");
    begin(byte);
    check_out_string(POST, bytes);
    end();
    check(count == 2 && met(0, check_out_string_at, 1) && dr6[1] == 1,
          "repeated OUTS meets it each time");
    check(!port_meets(check_out_byte, check_out_byte_behind, POST, enabled(0, ACCESSES, 1)) &&
              count == 0,
          "one on data is met by no port");
    begin(byte);
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 & ~CR4_DE));
    check_out_byte(POST, bytes);
    end();
    check(count == 0, "nor is it without CR4.DE");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4));
}

/* SDM 3A, "Masking Exceptions and Interrupts When Switching Stacks". */
static void behind_stack_switches(void)
{
    UINT16 *const selector = (UINT16 *)(bytes + 32);

    __asm__ volatile("mov %%ss, %0" : "=m"(*selector));
    set(0, (UINT64)selector);
    set(1, (UINT64)stack_switch_behind);
    set(2, (UINT64)stack_switch_next);
    begin(enabled(1, EXECUTION, 1));
    check_stack_switch(selector, 0);
    end();
    check(count == 0, "a breakpoint on the instruction behind MOV SS is not met");
    begin(enabled(1, EXECUTION, 1) | enabled(2, EXECUTION, 1));
    check_stack_switch(selector, 0);
    end();
    check(count == 1 && met(0, stack_switch_next, 4), "one on the instruction behind that is");
    begin(enabled(0, ACCESSES, 2));
    check_stack_switch(selector, 0);
    end();
    check(count == 1 && met(0, stack_switch_next, 1),
          "a breakpoint on data that MOV SS reads traps one instruction later");
    begin(0x400);
    check_stack_switch(selector, TF);
    end();
    check(count == 1 && met(0, stack_switch_next, BS),
          "nor is there a single step right behind MOV SS");
}

static int faults(UINT64 (*code)(UINT64), UINT64 argument, UINT64 vector)
{
    const UINT64 before = trapped().count;

    code(argument);
    return trapped().count == before + 1 && trapped().vector == vector;
}

static void registers(void)
{
    UINT64 cr4, other;

    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    check_set_dr7(0);
    check_set_dr6(0);
    check(check_get_dr7() == 0x400 && check_get_dr6() == CLEAR, "fixed bits of DR6 and DR7 stay");
    check(faults(check_set_dr7, 1ull << 32, GP) && faults(check_set_dr6, 1ull << 63, GP),
          "their upper halves are #GP");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | CR4_DE));
    check(faults(check_set_dr4, 0, UD), "with CR4.DE there is no DR4");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 & ~CR4_DE));
    check_set_dr4(2);
    other = check_get_dr6();
    check_set_dr6(CLEAR);
    check(other == (CLEAR | 2) && check_get_dr4() == CLEAR, "without it that is DR6");
    __asm__ volatile("mov %0, %%cr4" ::"r"(cr4));
    set(0, 0x123456789abc);
    begin(0x400 | GD);
    other = check_get_dr0();
    end();
    check(count == 1 && met(0, check_get_dr0_at, BD) && flags[0] & RF && !(in_dr7[0] & GD) &&
              other == 0x123456789abc,
          "DR7.GD faults before an access to a debug register, and is clear in the handler");
}

void breakpoints(void)
{
    on_instructions();
    on_data();
    on_played();
    on_others();
    on_ports();
    behind_stack_switches();
    registers();
    set(0, 0);
    set(1, 0);
    set(2, 0);
    set(3, 0);
}
