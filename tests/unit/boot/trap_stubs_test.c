/* The stubs of the vectors, entered as a processor enters them: with the words that it pushes below
 * a multiple of 16 (SDM 3A, "64-Bit Mode Stack Frame"). And what a trap is called. */
#include "tests/unit/cmocka_all.h"

#include <stdbool.h>
#include <string.h>

#include "boot/trap_frame.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define STACK          4096 /* words */
#define ABOVE          UINT64_C(0x5a5a5a5a5a5a5a5a)

uint64_t trap_stub(unsigned vector);
void trap_dispatch(struct trap_frame *frame);

/* SDM 3A, "Protected-Mode Exceptions and Interrupts"; APM 2, "Error Codes", for 29 and 30. */
static const unsigned with_error_code[] = {8, 10, 11, 12, 13, 14, 17, 21, 29, 30};

static _Alignas(16) uint64_t stack[STACK + 2]; /* the last two are not the stack's */
static struct trap_frame seen;
static bool aligned;

/* What the processor pushes, and what the trap returns to. */
static struct {
    uint64_t rip, cs, rflags, rsp, ss, error, with_error;
} pushed, host;

/* The handler notes the frame, and goes on in the test. */
void trap_dispatch(struct trap_frame *frame)
{
    seen = *frame;
    aligned = (uintptr_t)frame == (uintptr_t)(stack + STACK) - sizeof(*frame);
    frame->rip = host.rip;
    frame->cs = host.cs;
    frame->rflags = host.rflags;
    frame->rsp = host.rsp;
    frame->ss = host.ss;
}

static void enter(unsigned vector)
{
    memset(&seen, 0, sizeof(seen));
    stack[STACK] = stack[STACK + 1] = ABOVE;
    __asm__ volatile(
        "mov %%rsp, %[host_rsp]\n"
        "lea 1f(%%rip), %%rax\n"
        "mov %%rax, %[host_rip]\n"
        "mov %%cs, %[host_cs]\n"
        "mov %%ss, %[host_ss]\n"
        "mov %[top], %%rsp\n"
        "pushfq\n"
        "pop %%rax\n"
        "mov %%rax, %[host_rflags]\n"
        "push %[ss]\n"
        "push %[rsp]\n"
        "push %[rflags]\n"
        "push %[cs]\n"
        "push %[rip]\n"
        "cmpq $0, %[with_error]\n"
        "je 0f\n"
        "push %[error]\n"
        "0:\n"
        "mov $0x1122334455667788, %%rax\n"
        "jmp *%[stub]\n"
        "1:\n"
        : [host_rsp] "=m"(host.rsp), [host_rip] "=m"(host.rip), [host_cs] "+m"(host.cs),
          [host_ss] "+m"(host.ss), [host_rflags] "=m"(host.rflags)
        : [top] "r"(stack + STACK), [stub] "r"(trap_stub(vector)), [ss] "m"(pushed.ss),
          [rsp] "m"(pushed.rsp), [rflags] "m"(pushed.rflags), [cs] "m"(pushed.cs),
          [rip] "m"(pushed.rip), [error] "m"(pushed.error), [with_error] "m"(pushed.with_error)
        : "rax", "memory", "cc");
    assert_true(aligned);
    assert_true(stack[STACK] == ABOVE && stack[STACK + 1] == ABOVE);
}

static void sees(unsigned vector, uint64_t error)
{
    enter(vector);
    assert_int_equal(seen.vector, vector);
    assert_true(seen.error == error);
    assert_true(seen.rip == pushed.rip);
    assert_true(seen.cs == pushed.cs);
    assert_true(seen.rflags == pushed.rflags);
    assert_true(seen.rsp == pushed.rsp);
    assert_true(seen.ss == pushed.ss);
    assert_true(seen.rax == UINT64_C(0x1122334455667788));
}

/* In ring 0, in ring 3 with this program's selectors, in code that loaded others, and words of
 * which each looks like another one. */
static void push_place(unsigned place)
{
    static const uint64_t places[][5] = {
        {0x1f7a100d, 0x08, 0x246, 0x1f7c0ff8, 0x10},
        {0x1f7a100d, 0x23, 0x10206, 0x1f7c0ff8, 0x1b},
        {0xffff800000001000, 0x38, 0x2, 0x0, 0x0},
        {0x08, 0x246, 0x08, 0x10, 0x08},
    };

    pushed.rip = places[place][0];
    pushed.cs = places[place][1];
    pushed.rflags = places[place][2];
    pushed.rsp = places[place][3];
    pushed.ss = places[place][4];
}
#define PLACES 4

static void an_error_code_is_found(void **state)
{
    (void)state;
    for (unsigned place = 0; place < PLACES; place++) {
        push_place(place);
        pushed.with_error = 1;
        for (size_t i = 0; i < COUNT_OF(with_error_code); i++) {
            pushed.error = i % 2 ? 0x6a : 0;
            sees(with_error_code[i], pushed.error);
            assert_false(trap_is_no_exception(&seen));
        }
    }
}

static void int_n_of_such_a_vector_has_none(void **state)
{
    (void)state;
    for (unsigned place = 0; place < PLACES; place++) {
        push_place(place);
        pushed.with_error = 0;
        for (size_t i = 0; i < COUNT_OF(with_error_code); i++) {
            sees(with_error_code[i], TRAP_NO_ERROR_CODE);
            assert_true(trap_is_no_exception(&seen));
        }
    }
}

static bool has_error_code(unsigned vector)
{
    for (size_t i = 0; i < COUNT_OF(with_error_code); i++) {
        if (with_error_code[i] == vector)
            return true;
    }
    return false;
}

static void all_others_have_none_and_are_what_they_are(void **state)
{
    (void)state;
    push_place(0);
    pushed.with_error = 0;
    for (unsigned vector = 0; vector < 256; vector++) {
        if (has_error_code(vector))
            continue;
        sees(vector, TRAP_NO_ERROR_CODE);
        assert_false(trap_is_no_exception(&seen));
    }
}

static void a_trap_has_a_name(void **state)
{
    static const struct {
        uint64_t vector, error;
        const char *name;
    } named[] = {
        {6, TRAP_NO_ERROR_CODE, "#UD"},
        {13, 0, "#GP"},
        {13, TRAP_NO_ERROR_CODE, "INT 13 or interrupt 13"},
        {30, TRAP_NO_ERROR_CODE, "INT 30 or interrupt 30"},
        {18, TRAP_NO_ERROR_CODE, "#MC"},
        {9, TRAP_NO_ERROR_CODE, "vector 9"},
        {241, TRAP_NO_ERROR_CODE, "vector 241"},
    };
    char text[TRAP_WORDS];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        const struct trap_frame frame = {.vector = named[i].vector, .error = named[i].error};

        assert_string_equal(trap_words(&frame, text), named[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_code_is_found),
        cmocka_unit_test(int_n_of_such_a_vector_has_none),
        cmocka_unit_test(all_others_have_none_and_are_what_they_are),
        cmocka_unit_test(a_trap_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
