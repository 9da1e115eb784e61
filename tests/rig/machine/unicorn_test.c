/* Rules of the emulator that a reader of its manual would not expect, a test for each. The machine
 * is built around these rules. When a test fails with a newer libunicorn, the handling that the
 * test names can go or has to change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <unicorn/unicorn.h>

#define CODE  0x1000u
#define DATA  0x3000u
#define PAGE  0x1000u
#define SPACE 0x10000u

struct seen {
    unsigned code, reads, writes, device_writes, interrupts, vector[8];
    bool stop;
};

#define CALLBACK(function)                                                                         \
    ((union {                                                                                      \
         void (*f)(void);                                                                          \
         void *p;                                                                                  \
     }){.f = (void (*)(void))(function)}                                                           \
         .p)

static void on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct seen *seen = user;

    (void)uc;
    (void)address;
    (void)size;
    seen->code++;
}

static void on_memory(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *user)
{
    struct seen *seen = user;

    (void)address;
    (void)size;
    (void)value;
    if (type == UC_MEM_WRITE)
        seen->writes++;
    else
        seen->reads++;
    if (seen->stop)
        uc_emu_stop(uc);
}

/* Does what engine_forget_exception() does. */
static void on_interrupt(uc_engine *uc, uint32_t vector, void *user)
{
    struct seen *seen = user;

    if (seen->interrupts < 8)
        seen->vector[seen->interrupts] = vector;
    seen->interrupts++;
    uc_emu_stop(uc);
}

static uc_engine *engine(struct seen *seen, const uint8_t *code, size_t size)
{
    uc_engine *uc;
    uc_hook ignored;

    memset(seen, 0, sizeof(*seen));
    assert_int_equal(uc_open(UC_ARCH_X86, UC_MODE_64, &uc), UC_ERR_OK);
    assert_int_equal(uc_mem_map(uc, 0, SPACE, UC_PROT_ALL), UC_ERR_OK);
    assert_int_equal(uc_mem_write(uc, CODE, code, size), UC_ERR_OK);
    uc_hook_add(uc, &ignored, UC_HOOK_CODE, CALLBACK(on_code), seen, (uint64_t)1, (uint64_t)0);
    uc_hook_add(uc, &ignored, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, CALLBACK(on_memory), seen,
                (uint64_t)1, (uint64_t)0);
    uc_hook_add(uc, &ignored, UC_HOOK_INTR, CALLBACK(on_interrupt), seen, (uint64_t)1, (uint64_t)0);
    return uc;
}

static uint64_t reg(uc_engine *uc, int id)
{
    uint64_t value = 0;

    uc_reg_read(uc, id, &value);
    return value;
}

static void set(uc_engine *uc, int id, uint64_t value)
{
    uc_reg_write(uc, id, &value);
}

/* mov eax, 0xfff8; mov ds, ax: a #GP at CODE + 5 */
static const uint8_t bad_selector[] = {0xb8, 0xf8, 0xff, 0x00, 0x00, 0x8e, 0xd8};

static void fault_once(uc_engine *uc)
{
    uc_emu_start(uc, CODE, UINT64_MAX, 0, 2);
}

/* Rule 1: a second #GP comes as a double fault, a third not at all. */
static void an_exception_is_remembered_for_ever(void **state)
{
    struct seen seen;
    uc_engine *uc = engine(&seen, bad_selector, sizeof(bad_selector));

    (void)state;
    fault_once(uc);
    fault_once(uc);
    assert_int_equal(seen.interrupts, 2);
    assert_int_equal(seen.vector[0], 13);
    assert_int_equal(seen.vector[1], 8);
    fault_once(uc);
    assert_int_equal(seen.interrupts, 2);
    uc_close(uc);
}

/* The offset of the vector in a context: the only int that the fault changed from -1 to 13. */
static size_t place_of_exception(void)
{
    struct seen seen;
    uc_engine *uc = engine(&seen, bad_selector, sizeof(bad_selector));
    uc_context *before, *after;
    size_t found = 0, size = uc_context_size(uc);
    unsigned places = 0;

    uc_context_alloc(uc, &before);
    uc_context_alloc(uc, &after);
    uc_context_save(uc, before);
    fault_once(uc);
    uc_context_save(uc, after);
    for (size_t at = 0; at + sizeof(int) <= size; at += sizeof(int)) {
        int was, is;

        memcpy(&was, (const uint8_t *)before + at, sizeof(was));
        memcpy(&is, (const uint8_t *)after + at, sizeof(is));
        if (was == -1 && is == 13) {
            found = at;
            places++;
        }
    }
    assert_int_equal(places, 1);
    uc_context_free(before);
    uc_context_free(after);
    uc_close(uc);
    return found;
}

/* The handling: -1 is written there in a saved context. */
static void an_exception_that_is_forgotten_comes_again(void **state)
{
    size_t place = place_of_exception();
    struct seen seen;
    uc_engine *uc = engine(&seen, bad_selector, sizeof(bad_selector));
    uc_context *context;
    int none = -1;

    (void)state;
    uc_context_alloc(uc, &context);
    for (unsigned i = 0; i < 8; i++) {
        fault_once(uc);
        assert_int_equal(seen.interrupts, i + 1);
        assert_int_equal(seen.vector[i], 13);
        uc_context_save(uc, context);
        memcpy((uint8_t *)context + place, &none, sizeof(none));
        uc_context_restore(uc, context);
    }
    uc_context_free(context);
    uc_close(uc);
}

static uint32_t stopped_word(const uint8_t code[4], struct seen *seen)
{
    uc_engine *uc = engine(seen, code, 4);
    uint32_t word = 1;

    set(uc, UC_X86_REG_RBX, DATA);
    set(uc, UC_X86_REG_RAX, 5);
    seen->stop = true;
    uc_emu_start(uc, CODE, UINT64_MAX, 0, 3);
    assert_int_equal(reg(uc, UC_X86_REG_RIP), CODE);
    uc_mem_read(uc, DATA, &word, sizeof(word));
    uc_close(uc);
    return word;
}

/* Rule 3: after a stop in the hook of a read the instruction has not run. After a stop in the hook
 * of a write it has, but RIP is still on the instruction, which would run twice. So neither hook
 * may stop. */
static void a_stop_in_a_memory_hook_leaves_rip_on_the_instruction(void **state)
{
    static const uint8_t add[] = {0x01, 0x03, 0x90, 0x90};   /* add [rbx], eax; nop; nop */
    static const uint8_t store[] = {0x89, 0x03, 0x90, 0x90}; /* mov [rbx], eax; nop; nop */
    struct seen seen;

    (void)state;
    assert_int_equal(stopped_word(add, &seen), 0);
    assert_int_equal(seen.reads, 1);
    assert_int_equal(seen.writes, 0);
    assert_int_equal(stopped_word(store, &seen), 5);
    assert_int_equal(seen.writes, 1);
}

static void on_device_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                            void *user)
{
    struct seen *seen = user;

    (void)offset;
    (void)size;
    (void)value;
    seen->device_writes++;
    if (seen->stop)
        uc_emu_stop(uc);
}

static uint64_t on_device_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    (void)uc;
    (void)offset;
    (void)size;
    (void)user;
    return 0;
}

static uc_engine *device_engine(struct seen *seen, const uint8_t *code, size_t size)
{
    uc_engine *uc = engine(seen, code, size);

    assert_int_equal(uc_mmio_map(uc, 0x100000, PAGE, on_device_read, seen, on_device_write, seen),
                     UC_ERR_OK);
    set(uc, UC_X86_REG_RBX, 0x100000);
    return uc;
}

/* Rule 3: after a stop in the callback of a device RIP is on the instruction although the write has
 * run: begun again, it writes twice. So callbacks set a flag, and the next code hook stops. */
static void a_stop_in_a_device_callback_would_write_twice(void **state)
{
    static const uint8_t code[] = {0x89, 0x03, 0x90, 0x90};
    struct seen seen;
    uc_engine *uc = device_engine(&seen, code, sizeof(code));

    (void)state;
    seen.stop = true;
    uc_emu_start(uc, CODE, UINT64_MAX, 0, 3);
    assert_int_equal(reg(uc, UC_X86_REG_RIP), CODE);
    seen.stop = false;
    uc_emu_start(uc, reg(uc, UC_X86_REG_RIP), UINT64_MAX, 0, 1);
    assert_int_equal(seen.device_writes, 2);
    uc_close(uc);
}

/* An access of 8 bytes reaches a device as two of 4 (HPET registers are written so). */
static void a_device_sees_eight_bytes_as_two_accesses(void **state)
{
    static const uint8_t code[] = {0x48, 0x89, 0x03}; /* mov [rbx], rax */
    struct seen seen;
    uc_engine *uc = device_engine(&seen, code, sizeof(code));

    (void)state;
    uc_emu_start(uc, CODE, UINT64_MAX, 0, 1);
    assert_int_equal(seen.device_writes, 2);
    uc_close(uc);
}

/* Rule 5: REP makes a code hook for each iteration and one more. */
static void a_repeat_makes_one_hook_more_than_iterations(void **state)
{
    static const uint8_t code[] = {0xf3, 0xaa, 0x90}; /* rep stosb; nop */
    struct seen seen;
    uc_engine *uc = engine(&seen, code, sizeof(code));

    (void)state;
    set(uc, UC_X86_REG_RCX, 5);
    set(uc, UC_X86_REG_RDI, DATA);
    uc_emu_start(uc, CODE, CODE + 2, 0, 0);
    assert_int_equal(seen.writes, 5);
    assert_int_equal(seen.code, 6);
    uc_close(uc);
}

/* Rule 5: the parts of one access. */
static void an_access_can_make_several_events(void **state)
{
    static const uint8_t across[] = {0x48, 0x8b, 0x03};  /* mov rax, [rbx] */
    static const uint8_t sixteen[] = {0x0f, 0x10, 0x03}; /* movups xmm0, [rbx] */
    struct seen seen;
    uc_engine *uc = engine(&seen, across, sizeof(across));

    (void)state;
    set(uc, UC_X86_REG_RBX, DATA + PAGE - 4);
    uc_emu_start(uc, CODE, CODE + 3, 0, 0);
    assert_int_equal(seen.reads, 3);
    uc_close(uc);
    uc = engine(&seen, sixteen, sizeof(sixteen));
    set(uc, UC_X86_REG_RBX, DATA);
    uc_emu_start(uc, CODE, CODE + 3, 0, 0);
    assert_int_equal(seen.reads, 2);
    uc_close(uc);
}

/* Rule 7: code that the host changes runs as before until its translation is dropped. */
static void changed_code_runs_as_it_was_until_it_is_dropped(void **state)
{
    static uint8_t memory[SPACE] __attribute__((aligned(4096)));
    static const uint8_t code[] = {0xb8, 0x01, 0x00, 0x00, 0x00, 0xf4}; /* mov eax, 1; hlt */
    uc_engine *uc;

    (void)state;
    assert_int_equal(uc_open(UC_ARCH_X86, UC_MODE_64, &uc), UC_ERR_OK);
    assert_int_equal(uc_ctl_exits_enable(uc), UC_ERR_OK);
    assert_int_equal(uc_mem_map_ptr(uc, 0, SPACE, UC_PROT_ALL, memory), UC_ERR_OK);
    memcpy(memory + CODE, code, sizeof(code));
    uc_emu_start(uc, CODE, UINT64_MAX, 0, 0);
    assert_int_equal(reg(uc, UC_X86_REG_RAX), 1);
    memory[CODE + 1] = 2;
    uc_emu_start(uc, CODE, UINT64_MAX, 0, 0);
    assert_int_equal(reg(uc, UC_X86_REG_RAX), 1);
    uc_ctl_remove_cache(uc, CODE, CODE + 5);
    uc_emu_start(uc, CODE, UINT64_MAX, 0, 0);
    assert_int_equal(reg(uc, UC_X86_REG_RAX), 2);
    uc_close(uc);
}

/* Rule 10. */
static void the_control_words_are_zero_at_reset(void **state)
{
    uc_engine *uc;

    (void)state;
    assert_int_equal(uc_open(UC_ARCH_X86, UC_MODE_64, &uc), UC_ERR_OK);
    assert_int_equal(reg(uc, UC_X86_REG_MXCSR), 0);
    assert_int_equal(reg(uc, UC_X86_REG_FPCW), 0);
    uc_close(uc);
}

/* VEX.128 runs as SSE with two operands, silently: VADDPD xmm0, xmm1, xmm2 adds to xmm0. So no VEX
 * opcode is let through. */
static void a_vex_instruction_runs_as_another(void **state)
{
    static const uint8_t code[] = {0xc5, 0xf1, 0xfe, 0xc2}; /* vpaddd xmm0, xmm1, xmm2 */
    static const uint32_t a[4] = {1, 1, 1, 1}, b[4] = {10, 10, 10, 10}, c[4] = {100, 100, 100, 100};
    uint32_t result[4];
    struct seen seen;
    uc_engine *uc = engine(&seen, code, sizeof(code));

    (void)state;
    uc_reg_write(uc, UC_X86_REG_XMM0, a);
    uc_reg_write(uc, UC_X86_REG_XMM1, b);
    uc_reg_write(uc, UC_X86_REG_XMM2, c);
    uc_emu_start(uc, CODE, CODE + 4, 0, 0);
    uc_reg_read(uc, UC_X86_REG_XMM0, result);
    assert_int_not_equal(result[0], 110);
    uc_close(uc);
}

/* Instructions that the emulator lacks; special_play has them. */
static void some_instructions_are_unknown(void **state)
{
    static const uint8_t codes[][5] = {
        {0xf3, 0x0f, 0xb8, 0xc3}, /* popcnt eax, ebx */
        {0x0f, 0xc7, 0xf0},       /* rdrand eax */
        {0x0f, 0x33},             /* rdpmc */
        {0x0f, 0x01, 0xd0},       /* xgetbv */
        {0x66, 0x0f, 0xae, 0x3b}, /* clflushopt [rbx] */
        {0x0f, 0x38, 0xf0, 0x03}, /* movbe eax, [rbx] */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        struct seen seen;
        uc_engine *uc = engine(&seen, codes[i], sizeof(codes[i]));

        set(uc, UC_X86_REG_RBX, DATA);
        uc_emu_start(uc, CODE, UINT64_MAX, 0, 1);
        assert_int_equal(reg(uc, UC_X86_REG_RIP), CODE);
        uc_close(uc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exception_is_remembered_for_ever),
        cmocka_unit_test(an_exception_that_is_forgotten_comes_again),
        cmocka_unit_test(a_stop_in_a_memory_hook_leaves_rip_on_the_instruction),
        cmocka_unit_test(a_stop_in_a_device_callback_would_write_twice),
        cmocka_unit_test(a_device_sees_eight_bytes_as_two_accesses),
        cmocka_unit_test(a_repeat_makes_one_hook_more_than_iterations),
        cmocka_unit_test(an_access_can_make_several_events),
        cmocka_unit_test(changed_code_runs_as_it_was_until_it_is_dropped),
        cmocka_unit_test(the_control_words_are_zero_at_reset),
        cmocka_unit_test(a_vex_instruction_runs_as_another),
        cmocka_unit_test(some_instructions_are_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
