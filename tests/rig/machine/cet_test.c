/* Control-flow enforcement by the manual's rules: what is pushed, compared and tracked. SDM 1,
 * "Control-flow Enforcement Technology (CET)". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/engine/cet.h"
#include "machine/engine/engine.h"
#include "machine/engine/fault.h"
#include "machine/engine/identify.h"
#include "machine/engine/instruction.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/machine.h"
#include "pmu/personality.h"

#define TABLES 0x100000u /* four levels, of which the last maps the first 2 MiB by 4 KiB */
#define STACK  0x120000u
#define SHADOW 0x130000u /* the page's address */
#define SSP    (SHADOW + 0x800)
#define CODE   0x140000u
#define S_CET  0x6a2u
#define S_BOTH 5u /* SH_STK_EN, ENDBR_EN */

static void put(struct machine *machine, uint64_t address, uint64_t value)
{
    memcpy(memory_at(&machine->memory, address, 8), &value, 8);
}

static uint64_t word(struct machine *machine, uint64_t address)
{
    uint64_t value;

    memcpy(&value, memory_at(&machine->memory, address, 8), 8);
    return value;
}

/* The boot processor in ring 0 with those bits of IA32_S_CET. */
static struct core *begin(struct machine *machine, uint64_t control)
{
    static struct faults faults;
    struct hardware hardware = {.personality = personality_find("sapphirerapids"),
                                .cores = 1,
                                .threads = 1,
                                .sockets = 1,
                                .far_percent = 200,
                                .cet = true,
                                .memory_mib = 32,
                                .seconds = 60,
                                .faults = &faults};
    char why[200] = "";
    struct core *core;

    assert_true(machine_new(machine, &hardware, why, sizeof(why)));
    for (unsigned level = 0; level < 3; level++)
        put(machine, TABLES + level * 0x1000, (TABLES + (level + 1) * 0x1000) | 0x23);
    for (unsigned page = 0; page < 512; page++)
        put(machine, TABLES + 0x3000 + 8 * page,
            page * 0x1000ull | (page == SHADOW / 0x1000 ? 0x61 : 0x63));
    core = &machine->core[0];
    core->long_mode = true;
    core->cr3 = TABLES;
    core->cr0 = CR0_PE | CR0_PG | CR0_WP;
    core->cr4 = CR4_CET | 0x20;
    core->cet.ssp = SSP;
    core_set_register(core, UC_X86_REG_RSP, STACK);
    assert_int_equal(cet_wrmsr(core, S_CET, control), ACCESS_OK);
    return core;
}

static bool offers(void *context, const struct cpuid_bit *bit)
{
    (void)context;
    (void)bit;
    return true;
}

static enum cet_error check(struct core *core, const char *bytes, unsigned length)
{
    struct instruction instruction;

    instruction_decode(&instruction, (const uint8_t *)bytes, length, 64, offers, NULL);
    assert_int_equal(instruction.length, length);
    instruction.address = CODE;
    return cet_check(core, &instruction);
}
#define CHECK(core, bytes) check(core, bytes, sizeof(bytes) - 1)

static void a_call_is_pushed_and_its_return_compared(void **state)
{
    static struct machine machine;
    struct core *core = begin(&machine, 1);

    (void)state;
    assert_int_equal(CHECK(core, "\xe8\x10\x00\x00\x00"), CET_PASSED); /* call +16 */
    assert_int_equal(core->cet.ssp, SSP - 8);
    assert_int_equal(word(&machine, SSP - 8), CODE + 5);
    put(&machine, STACK, CODE + 6);
    assert_int_equal(CHECK(core, "\xc3"), CET_NEAR_RETURN);
    assert_int_equal(core->cet.ssp, SSP - 8);
    put(&machine, STACK, CODE + 5);
    assert_int_equal(CHECK(core, "\xc3"), CET_PASSED);
    assert_int_equal(core->cet.ssp, SSP);
    assert_int_equal(CHECK(core, "\xe8\x00\x00\x00\x00"), CET_PASSED); /* the next instruction */
    assert_int_equal(core->cet.ssp, SSP);
    assert_int_equal(CHECK(core, "\xff\xd0"), CET_PASSED); /* call rax: it is not tracked */
    assert_int_equal(core->cet.ssp, SSP - 8);
    assert_int_equal(CHECK(core, "\x90"), CET_PASSED);
    machine_free(&machine);
}

static void far_returns_take_three_words(void **state)
{
    static struct machine machine;
    struct core *core = begin(&machine, 1);

    (void)state;
    cet_delivered(core, 0x38, CODE + 100, false);
    assert_int_equal(core->cet.ssp, SSP - 24);
    assert_int_equal(word(&machine, SSP - 8), 0x38);
    assert_int_equal(word(&machine, SSP - 16), CODE + 100);
    assert_int_equal(word(&machine, SSP - 24), SSP);
    put(&machine, STACK, CODE + 100);
    put(&machine, STACK + 8, 0x40);
    assert_int_equal(CHECK(core, "\x48\xcf"), CET_FAR_RETURN); /* iretq to another segment */
    put(&machine, STACK + 8, 0x38);
    assert_int_equal(CHECK(core, "\x48\xcf"), CET_PASSED);
    assert_int_equal(core->cet.ssp, SSP);
    assert_int_equal(CHECK(core, "\x48\xcb"), CET_FAR_RETURN); /* retfq: nothing was pushed */
    machine_free(&machine);
}

static void an_indirect_branch_must_go_to_endbr64(void **state)
{
    static struct machine machine;
    struct core *core = begin(&machine, 4);
    uint64_t value;

    (void)state;
    assert_int_equal(CHECK(core, "\xff\xe0"), CET_PASSED); /* jmp rax */
    assert_int_equal(cet_rdmsr(core, S_CET, &value), ACCESS_OK);
    assert_int_equal(value, 0x804); /* TRACKER */
    assert_int_equal(CHECK(core, "\x90"), CET_ENDBRANCH);
    assert_int_equal(CHECK(core, "\xf3\x0f\x1e\xfb"), CET_ENDBRANCH); /* endbr32 */
    assert_int_equal(CHECK(core, "\xf3\x0f\x1e\xfa"), CET_PASSED);
    assert_int_equal(CHECK(core, "\x90"), CET_PASSED);
    assert_int_equal(CHECK(core, "\x3e\xff\xe0"), CET_PASSED); /* notrack jmp rax, */
    assert_int_equal(CHECK(core, "\x90"), CET_ENDBRANCH);      /* without NO_TRACK_EN */
    assert_int_equal(cet_wrmsr(core, S_CET, 0x14), ACCESS_OK);
    assert_int_equal(CHECK(core, "\x3e\xff\xe0"), CET_PASSED);
    assert_int_equal(CHECK(core, "\x90"), CET_PASSED);
    assert_int_equal(CHECK(core, "\xc3"), CET_PASSED); /* returns are not tracked */
    assert_int_equal(core->cet.ssp, SSP);
    cet_delivered(core, 0x38, CODE, false); /* a handler must begin with ENDBR64, too */
    assert_int_equal(CHECK(core, "\x90"), CET_ENDBRANCH);
    machine_free(&machine);
}

static void registers_refuse_what_the_manual_reserves(void **state)
{
    static struct machine machine;
    struct core *core = begin(&machine, S_BOTH);
    uint64_t value;

    (void)state;
    assert_int_equal(cet_wrmsr(core, S_CET, 0x40), ACCESS_FAULT);
    assert_int_equal(cet_wrmsr(core, S_CET, 0xc00), ACCESS_FAULT); /* SUPPRESS and TRACKER */
    assert_int_equal(cet_wrmsr(core, S_CET, UINT64_C(1) << 63), ACCESS_FAULT);
    assert_int_equal(cet_wrmsr(core, 0x6a4, 0x1002), ACCESS_FAULT); /* IA32_PL0_SSP */
    assert_int_equal(cet_wrmsr(core, 0x6a4, 0x1004), ACCESS_OK);
    assert_int_equal(cet_rdmsr(core, 0x6a4, &value), ACCESS_OK);
    assert_int_equal(value, 0x1004);
    assert_int_equal(cet_rdmsr(core, 0x6a3, &value), ACCESS_NOT_MINE);
    assert_int_equal(core_cpuid(core, 7, 0).ecx >> 7 & 1, 1);
    core->cet.offered = false;
    assert_int_equal(cet_rdmsr(core, S_CET, &value), ACCESS_NOT_MINE);
    assert_int_equal(core_cpuid(core, 7, 0).ecx >> 7 & 1, 0);
    machine_free(&machine);
}

static void a_page_that_can_be_written_is_no_shadow_stack(void **state)
{
    static struct machine machine;
    struct core *core = begin(&machine, 1);

    (void)state;
    core->cet.ssp = STACK;
    CHECK(core, "\xe8\x10\x00\x00\x00");
    assert_true(machine.ended);
    assert_non_null(strstr(machine.message, "no shadow stack at 0x11fff8"));
    machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_pushed_and_its_return_compared),
        cmocka_unit_test(far_returns_take_three_words),
        cmocka_unit_test(an_indirect_branch_must_go_to_endbr64),
        cmocka_unit_test(registers_refuse_what_the_manual_reserves),
        cmocka_unit_test(a_page_that_can_be_written_is_no_shadow_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
