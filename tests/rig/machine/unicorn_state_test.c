/* More rules of the emulator, a test for each: which state of the processor it keeps, what its
 * hooks and registers show, and what it leaves to its host. See unicorn_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <unicorn/unicorn.h>

#define CODE   0x1000u
#define TABLE  0x2000u /* descriptors */
#define STACK  0x4000u
#define TABLES 0x8000u /* of pages */
#define DEVICE 0x100000u
#define PAGE   0x1000u
#define SPACE  0x40000u
#define EFER   0xc0000080u

#define USER_CODE 0x1bu
#define USER_DATA 0x23u

struct callbacks {
    unsigned hooks, interrupts, vector;
    uint64_t first[8]; /* where code hooks were */
    uint32_t size[8];
    uint64_t rip; /* in the callback of a device or port */
};

#define CALLBACK(function)                                                                         \
    ((union {                                                                                      \
         void (*f)(void);                                                                          \
         void *p;                                                                                  \
     }){.f = (void (*)(void))(function)}                                                           \
         .p)

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

static void on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct callbacks *seen = user;

    (void)uc;
    if (seen->hooks < 8) {
        seen->first[seen->hooks] = address;
        seen->size[seen->hooks] = size;
    }
    seen->hooks++;
}

static void on_interrupt(uc_engine *uc, uint32_t vector, void *user)
{
    struct callbacks *seen = user;

    seen->interrupts++;
    seen->vector = vector;
    uc_emu_stop(uc);
}

static bool on_invalid(uc_engine *uc, void *user)
{
    (void)uc;
    (void)user;
    return false;
}

static uint32_t on_in(uc_engine *uc, uint32_t port, int size, void *user)
{
    struct callbacks *seen = user;

    (void)port;
    (void)size;
    seen->rip = reg(uc, UC_X86_REG_RIP);
    return 0x5a;
}

static uint64_t on_device_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    struct callbacks *seen = user;

    (void)offset;
    (void)size;
    seen->rip = reg(uc, UC_X86_REG_RIP);
    return 0;
}

static void on_device_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value,
                            void *user)
{
    (void)value;
    on_device_read(uc, offset, size, user);
}

/* An engine with that code at CODE; `hooked`: with a code hook. */
static uc_engine *engine(struct callbacks *seen, const uint8_t *code, size_t size, bool hooked)
{
    uc_engine *uc;
    uc_hook ignored;

    memset(seen, 0, sizeof(*seen));
    assert_int_equal(uc_open(UC_ARCH_X86, UC_MODE_64, &uc), UC_ERR_OK);
    assert_int_equal(uc_ctl_exits_enable(uc), UC_ERR_OK);
    assert_int_equal(uc_mem_map(uc, 0, SPACE, UC_PROT_ALL), UC_ERR_OK);
    assert_int_equal(uc_mem_write(uc, CODE, code, size), UC_ERR_OK);
    if (hooked)
        uc_hook_add(uc, &ignored, UC_HOOK_CODE, CALLBACK(on_code), seen, (uint64_t)1, (uint64_t)0);
    uc_hook_add(uc, &ignored, UC_HOOK_INTR, CALLBACK(on_interrupt), seen, (uint64_t)1, (uint64_t)0);
    uc_hook_add(uc, &ignored, UC_HOOK_INSN_INVALID, CALLBACK(on_invalid), seen, (uint64_t)1,
                (uint64_t)0);
    uc_hook_add(uc, &ignored, UC_HOOK_INSN, CALLBACK(on_in), seen, (uint64_t)1, (uint64_t)0,
                UC_X86_INS_IN);
    return uc;
}

static uc_err go(uc_engine *uc, uint64_t from, size_t count)
{
    return uc_emu_start(uc, from, UINT64_MAX, 0, count);
}

/* Page tables that map each page to itself, but for `page`, which gets that entry; and paging on.
 */
static void switch_paging_on(uc_engine *uc, uint64_t page, uint64_t entry)
{
    const uint64_t top = (TABLES + PAGE) | 7, middle = (TABLES + 2 * PAGE) | 7,
                   large = (TABLES + 3 * PAGE) | 7;

    uc_mem_write(uc, TABLES, &top, sizeof(top));
    uc_mem_write(uc, TABLES + PAGE, &middle, sizeof(middle));
    uc_mem_write(uc, TABLES + 2 * PAGE, &large, sizeof(large));
    for (uint64_t i = 0; i < SPACE / PAGE; i++) {
        const uint64_t same = i * PAGE | 7;

        uc_mem_write(uc, TABLES + 3 * PAGE + 8 * i, i == page ? &entry : &same, sizeof(same));
    }
    set(uc, UC_X86_REG_CR4, 0x20);
    set(uc, UC_X86_REG_CR3, TABLES);
    set(uc, UC_X86_REG_CR0, 0x80010011);
}

/* Rule 2: a fault gives its vector, CR2 and RIP. It pushes nothing, and no register holds the error
 * code, which must be computed from the access and the tables. */
static void a_page_fault_tells_where_and_pushes_nothing(void **state)
{
    static const uint8_t code[] = {0x90, 0x48, 0x89, 0x03}; /* nop; mov [rbx], rax */
    struct callbacks seen;
    uc_engine *uc = engine(&seen, code, sizeof(code), false);

    (void)state;
    switch_paging_on(uc, 0x20, 0);
    set(uc, UC_X86_REG_RBX, 0x20123);
    set(uc, UC_X86_REG_RSP, STACK);
    go(uc, CODE, 0);
    assert_int_equal(seen.interrupts, 1);
    assert_int_equal(seen.vector, 14);
    assert_int_equal(reg(uc, UC_X86_REG_CR2), 0x20123);
    assert_int_equal(reg(uc, UC_X86_REG_RIP), CODE + 1);
    assert_int_equal(reg(uc, UC_X86_REG_RSP), STACK);
    uc_close(uc);
}

/* Rule 12: the tables say who may use a page, and not where it is. */
static void a_page_is_where_its_address_says_wherever_it_is_mapped(void **state)
{
    static const uint8_t code[] = {0x48, 0x8b, 0x03}; /* mov rax, [rbx] */
    const uint64_t here = 1, there = 2;
    struct callbacks seen;
    uc_engine *uc = engine(&seen, code, sizeof(code), false);

    (void)state;
    uc_mem_write(uc, 0x20000, &here, sizeof(here));
    uc_mem_write(uc, 0x30000, &there, sizeof(there));
    switch_paging_on(uc, 0x20, 0x30000 | 7);
    set(uc, UC_X86_REG_RBX, 0x20000);
    go(uc, CODE, 1);
    assert_int_equal(reg(uc, UC_X86_REG_RAX), 1); /* a processor reads 2 */
    uc_close(uc);
}

static uint64_t rip_in_device(bool hooked)
{
    static const uint8_t code[] = {0x90, 0x90, 0x89, 0x03, 0xf4}; /* nop; nop; mov [rbx], eax */
    struct callbacks seen;
    uc_engine *uc = engine(&seen, code, sizeof(code), hooked);

    assert_int_equal(uc_mmio_map(uc, DEVICE, PAGE, on_device_read, &seen, on_device_write, &seen),
                     UC_ERR_OK);
    set(uc, UC_X86_REG_RBX, DEVICE);
    go(uc, CODE, 0);
    uc_close(uc);
    return seen.rip;
}

/* Rule 4. The machine always has a code hook. */
static void a_device_sees_the_blocks_start_unless_code_is_hooked(void **state)
{
    (void)state;
    assert_int_equal(rip_in_device(false), CODE);
    assert_int_equal(rip_in_device(true), CODE + 2);
}

/* Rule 6: so lengths come from the machine's own decoder. */
static void an_invalid_opcode_has_no_length(void **state)
{
    static const uint8_t code[] = {0x90, 0x0f, 0x0b, 0xf4}; /* nop; ud2; hlt */
    struct callbacks seen;
    uc_engine *uc = engine(&seen, code, sizeof(code), true);

    (void)state;
    go(uc, CODE, 0);
    assert_int_equal(seen.hooks, 2);
    assert_int_equal(seen.size[0], 1);
    assert_int_equal(seen.size[1], 0xf1f1f1f1);
    assert_int_equal(seen.interrupts, 0); /* nor does the interrupt hook fire */
    uc_close(uc);
}

/* As engine_enter_real_mode() does: the state of a 16-bit engine in a 64-bit one. Six INC AX at
 * 8000H. */
static uc_engine *real_mode(struct callbacks *seen)
{
    static const uint8_t code[] = {0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0xf4};
    uc_engine *uc = engine(seen, code, sizeof(code), false), *real;
    uc_context *context;
    const uint16_t selector = 0x800;

    uc_mem_write(uc, 0x8000, code, sizeof(code));
    assert_int_equal(uc_open(UC_ARCH_X86, UC_MODE_16, &real), UC_ERR_OK);
    uc_context_alloc(real, &context);
    uc_reg_write(real, UC_X86_REG_CS, &selector);
    uc_context_save(real, context);
    uc_context_restore(uc, context);
    uc_context_free(context);
    uc_close(real);
    return uc;
}

/* Rule 8: code begins at an offset, but the hook gives a linear address. The machine runs such code
 * in one slice, and subtracts the base where it begins again. */
static void real_mode_goes_astray_when_it_goes_on_where_it_says(void **state)
{
    struct callbacks seen;
    uc_engine *uc = real_mode(&seen);

    (void)state;
    go(uc, 0, 0);
    assert_int_equal(reg(uc, UC_X86_REG_AX) & 0xffff, 6);
    uc_close(uc);
    uc = real_mode(&seen);
    go(uc, 0, 1);
    assert_int_equal(reg(uc, UC_X86_REG_RIP), 0x8001);
    go(uc, 0x8001, 1);
    assert_int_equal(reg(uc, UC_X86_REG_AX) & 0xffff, 1); /* what ran was not the second INC */
    uc_close(uc);
    uc = real_mode(&seen);
    for (unsigned i = 0; i < 6; i++)
        go(uc, i, 1);
    assert_int_equal(reg(uc, UC_X86_REG_AX) & 0xffff, 6);
    uc_close(uc);
}

/* mov byte [rip + 1], 5; mov eax, 0; hlt: the first writes the second's operand. */
static const uint8_t own_block[] = {0xc6, 0x05, 0x01, 0, 0, 0, 5, 0xb8, 0, 0, 0, 0, 0xf4};

/* Rule 9: hence is_restart(), and no counts. */
static void a_block_that_writes_into_itself_begins_again(void **state)
{
    struct callbacks seen;
    uc_engine *uc = engine(&seen, own_block, sizeof(own_block), true);

    (void)state;
    go(uc, CODE, 0);
    assert_int_equal(reg(uc, UC_X86_REG_RAX), 5);
    assert_int_equal(seen.hooks, 4); /* of three instructions */
    assert_int_equal(seen.first[0], CODE);
    assert_int_equal(seen.first[1], CODE);
    uc_close(uc);
    uc = engine(&seen, own_block, sizeof(own_block), true);
    for (unsigned i = 0; i < 3; i++) {
        go(uc, CODE, 1);
        assert_int_equal(reg(uc, UC_X86_REG_RIP), CODE);
    }
    uc_close(uc);
}

/* Rule 11: HLT with interrupts on ends at once, and no interrupt is ever delivered: waiting,
 * waking, the shadow of STI, priorities and stacks are left to the machine. */
static void waiting_is_the_hosts_work(void **state)
{
    static const uint8_t code[] = {0xfb, 0xf4, 0x90}; /* sti; hlt */
    struct callbacks seen;
    uc_engine *uc = engine(&seen, code, sizeof(code), false);

    (void)state;
    assert_int_equal(go(uc, CODE, 0), UC_ERR_OK);
    assert_int_equal(reg(uc, UC_X86_REG_RIP), CODE + 2);
    assert_int_equal(reg(uc, UC_X86_REG_EFLAGS) & 0x200, 0x200);
    assert_int_equal(seen.interrupts, 0);
    uc_close(uc);
}

/* At CODE in ring 3, by an IRETQ of its own. */
static uc_engine *ring_3(struct callbacks *seen, const uint8_t *code, size_t size)
{
    static const uint8_t iretq[] = {0x48, 0xcf};
    static const uint64_t descriptors[] = {0, 0x00af9b000000ffff, 0x00cf93000000ffff,
                                           0x00affb000000ffff, 0x00cff3000000ffff};
    static const uint64_t frame[] = {CODE, USER_CODE, 2, STACK, USER_DATA};
    const uc_x86_mmr table = {0, TABLE, sizeof(descriptors) - 1, 0};
    uc_engine *uc = engine(seen, code, size, false);

    uc_mem_write(uc, CODE + 0x800, iretq, sizeof(iretq));
    uc_mem_write(uc, TABLE, descriptors, sizeof(descriptors));
    uc_mem_write(uc, STACK, frame, sizeof(frame));
    uc_reg_write(uc, UC_X86_REG_GDTR, &table);
    set(uc, UC_X86_REG_RSP, STACK);
    assert_int_equal(go(uc, CODE + 0x800, 1), UC_ERR_OK);
    assert_int_equal(reg(uc, UC_X86_REG_CS), USER_CODE);
    return uc;
}

/* A selector of ring 0 that the host writes leaves CLI forbidden: engine_set_level(). */
static void a_selector_does_not_bring_its_level(void **state)
{
    static const uint8_t code[] = {0xfa, 0x90}; /* cli */
    const uint16_t kernel = 8;
    struct callbacks seen;
    uc_engine *uc = ring_3(&seen, code, sizeof(code));

    (void)state;
    assert_int_equal(uc_reg_write(uc, UC_X86_REG_CS, &kernel), UC_ERR_OK);
    assert_int_equal(reg(uc, UC_X86_REG_CS), kernel);
    go(uc, CODE, 1);
    assert_int_equal(seen.vector, 13);
    uc_close(uc);
}

/* Ports in ring 3 without permission: special_port_is_open(). */
static void ports_are_open_to_every_level(void **state)
{
    static const uint8_t code[] = {0xe4, 0x71, 0x90}; /* in al, 71h */
    struct callbacks seen;
    uc_engine *uc = ring_3(&seen, code, sizeof(code));

    (void)state;
    go(uc, CODE, 1);
    assert_int_equal(seen.interrupts, 0);
    assert_int_equal(reg(uc, UC_X86_REG_RAX) & 0xff, 0x5a);
    uc_close(uc);
}

/* SYSCALL is skipped, whatever EFER says: play_syscall(). */
static void syscall_is_passed_over(void **state)
{
    static const uint8_t code[] = {0x0f, 0x05, 0x90};
    struct callbacks seen;
    uc_engine *uc = engine(&seen, code, sizeof(code), false);

    (void)state;
    set(uc, UC_X86_REG_RCX, 1);
    go(uc, CODE, 1);
    assert_int_equal(reg(uc, UC_X86_REG_RIP), CODE + 2);
    assert_int_equal(reg(uc, UC_X86_REG_RCX), 1);
    assert_int_equal(seen.interrupts, 0);
    uc_close(uc);
}

/* The bits SCE and NXE of EFER are lost: engine_set_efer(). */
static void efer_loses_two_bits(void **state)
{
    uc_x86_msr efer = {EFER, 0xd01};
    struct callbacks seen;
    uc_engine *uc = engine(&seen, own_block, sizeof(own_block), false);

    (void)state;
    uc_reg_write(uc, UC_X86_REG_MSR, &efer);
    uc_reg_read(uc, UC_X86_REG_MSR, &efer);
    assert_int_equal(efer.value, 0x500);
    uc_close(uc);
}

/* What XSAVE and XRSTOR need: the registers of x87 by their own numbers, two bits of tag for each,
 * TOP in the status word; MXCSR takes effect (1 / 3 rounds up to
 * ...56), and SSE sets none of its flags. */
static void x87_and_mxcsr_can_be_read_and_written(void **state)
{
    static const uint8_t push[] = {0xdb, 0xe3, 0xd9, 0xe8, 0xd9, 0xee}; /* fninit; fld1; fldz */
    /* fstp qword [STACK]; divsd xmm0, xmm1; stmxcsr [STACK + 8] */
    static const uint8_t pop[] = {0xdd, 0x1c, 0x25, 0,    0x40, 0,    0,    0xf2, 0x0f, 0x5e,
                                  0xc1, 0x0f, 0xae, 0x1c, 0x25, 0x08, 0x40, 0,    0};
    static const uint8_t one[10] = {0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f};
    static const double thirds[2] = {1, 0}, three[2] = {3, 0};
    uint8_t value[16] = {0};
    uint64_t stored;
    uc_engine *uc;

    (void)state;
    uc_open(UC_ARCH_X86, UC_MODE_64, &uc);
    uc_mem_map(uc, CODE, 4 * PAGE, UC_PROT_ALL);
    set(uc, UC_X86_REG_CR4, 0x600);
    uc_mem_write(uc, CODE, push, sizeof(push));
    assert_int_equal(uc_emu_start(uc, CODE, CODE + sizeof(push), 0, 0), UC_ERR_OK);
    assert_int_equal(reg(uc, UC_X86_REG_FPSW), 6 << 11);
    assert_int_equal(reg(uc, UC_X86_REG_FPTAG), 0x1fff); /* 7 valid, 6 zero, the others empty */
    uc_reg_read(uc, UC_X86_REG_FP7, value);
    assert_memory_equal(value, one, sizeof(one));
    memcpy(value, one, sizeof(one));
    uc_reg_write(uc, UC_X86_REG_FP2, value);
    set(uc, UC_X86_REG_FPSW, 2 << 11);
    set(uc, UC_X86_REG_FPTAG, 0xffcf);
    set(uc, UC_X86_REG_MXCSR, 0x5f80); /* upward */
    uc_reg_write(uc, UC_X86_REG_XMM0, thirds);
    uc_reg_write(uc, UC_X86_REG_XMM1, three);
    uc_mem_write(uc, CODE, pop, sizeof(pop));
    assert_int_equal(uc_emu_start(uc, CODE, CODE + sizeof(pop), 0, 0), UC_ERR_OK);
    uc_mem_read(uc, STACK, &stored, sizeof(stored));
    assert_true(stored == UINT64_C(0x3ff0000000000000));
    uc_reg_read(uc, UC_X86_REG_XMM0, value);
    memcpy(&stored, value, sizeof(stored));
    assert_true(stored == UINT64_C(0x3fd5555555555556));
    uc_mem_read(uc, STACK + 8, &stored, sizeof(stored));
    assert_int_equal(stored & 0xffff, 0x5f80); /* no flag says that the division was inexact */
    assert_int_equal(reg(uc, UC_X86_REG_FPSW), 3 << 11);
    uc_close(uc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_fault_tells_where_and_pushes_nothing),
        cmocka_unit_test(a_page_is_where_its_address_says_wherever_it_is_mapped),
        cmocka_unit_test(a_device_sees_the_blocks_start_unless_code_is_hooked),
        cmocka_unit_test(an_invalid_opcode_has_no_length),
        cmocka_unit_test(real_mode_goes_astray_when_it_goes_on_where_it_says),
        cmocka_unit_test(a_block_that_writes_into_itself_begins_again),
        cmocka_unit_test(waiting_is_the_hosts_work),
        cmocka_unit_test(a_selector_does_not_bring_its_level),
        cmocka_unit_test(ports_are_open_to_every_level),
        cmocka_unit_test(syscall_is_passed_over),
        cmocka_unit_test(efer_loses_two_bits),
        cmocka_unit_test(x87_and_mxcsr_can_be_read_and_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
