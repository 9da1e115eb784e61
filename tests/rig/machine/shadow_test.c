/* What an instruction that delays interrupts holds back at the boundary behind it. SDM 2, "STI";
 * SDM 3A, "Masking Exceptions and Interrupts When Switching Stacks". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/engine/instruction.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"

static bool offers(void *context, const struct cpuid_bit *bit)
{
    (void)context;
    (void)bit;
    return true;
}

/* Whether a waiting NMI can be taken behind this instruction. */
static bool takes_nmi_behind(const char *bytes, unsigned length)
{
    static struct core core;
    struct instruction instruction = {.address = 0x1000};

    instruction_decode(&instruction, (const uint8_t *)bytes, length, 64, offers, NULL);
    core.long_mode = core.nmi_pending = true;
    core.pending.instruction = &instruction;
    return trap_interrupt_ready(&core, instruction.flags & FLAG_SHADOW);
}

static void behind_mov_ss_an_nmi_waits(void **state)
{
    (void)state;
    assert_false(takes_nmi_behind("\x8e\xd0", 2));     /* MOV SS, EAX */
    assert_false(takes_nmi_behind("\x48\x8e\xd0", 3)); /* MOV SS, RAX */
    assert_false(takes_nmi_behind("\x8e\x57\xfb", 3)); /* MOV SS, [RDI - 5] */
}

static void behind_others_it_does_not(void **state)
{
    (void)state;
    assert_true(takes_nmi_behind("\xfb", 1));         /* STI */
    assert_true(takes_nmi_behind("\x8e\xd8", 2));     /* MOV DS, EAX */
    assert_true(takes_nmi_behind("\x8c\xd0", 2));     /* MOV EAX, SS */
    assert_true(takes_nmi_behind("\x0f\xb2\x20", 3)); /* LSS ESP, [RAX] */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_mov_ss_an_nmi_waits),
        cmocka_unit_test(behind_others_it_does_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
