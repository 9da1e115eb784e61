/* The model's decoder on instructions encoded by hand (SDM 2, the opcode maps). The uop counts
 * are the public measurements; all else follows from the definition of the instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/decode/decode.h"

extern const struct model_parameters skylakex_core, icelakex_core, nehalem_core;

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
#define XMM(n) (16 + (n))
#define N      REG_NONE

struct fixture {
    struct decoder *skylake, *icelake, *nehalem;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture.skylake = decoder_new(&skylakex_core);
    fixture.icelake = decoder_new(&icelakex_core);
    fixture.nehalem = decoder_new(&nehalem_core);
    *state = &fixture;
    return fixture.skylake != NULL && fixture.icelake != NULL && fixture.nehalem != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    decoder_free(fixture->skylake);
    decoder_free(fixture->icelake);
    decoder_free(fixture->nehalem);
    return 0;
}

static const struct decoded *get(struct decoder *decoder, const char *bytes, size_t length)
{
    return decoder_get(decoder, 0x100000, (const uint8_t *)bytes, (uint8_t)length);
}

/* Instructions are written as string literals, so that their length is known. */
#define SKYLAKE(bytes) get(((struct fixture *)*state)->skylake, bytes, sizeof(bytes) - 1)
#define ICELAKE(bytes) get(((struct fixture *)*state)->icelake, bytes, sizeof(bytes) - 1)
#define NEHALEM(bytes) get(((struct fixture *)*state)->nehalem, bytes, sizeof(bytes) - 1)

static bool holds(const uint8_t *list, size_t count, unsigned id)
{
    return memchr(list, (int)id, count) != NULL;
}

static void has_sources(const struct uop *uop, unsigned count, unsigned a, unsigned b)
{
    unsigned found = 0;

    while (found < UOP_SOURCES && uop->sources[found] != N)
        found++;
    assert_int_equal(found, count);
    if (a != N)
        assert_true(holds(uop->sources, count, a));
    if (b != N)
        assert_true(holds(uop->sources, count, b));
}

static void has_destinations(const struct uop *uop, unsigned a, unsigned b)
{
    const unsigned count = (a == N ? 0u : 1u) + (b == N ? 0u : 1u);

    assert_int_equal((uop->destinations[0] != N) + (uop->destinations[1] != N), count);
    if (a != N)
        assert_true(holds(uop->destinations, count, a));
    if (b != N)
        assert_true(holds(uop->destinations, count, b));
}

struct expected {
    const char *name;
    const char *bytes;
    size_t length;
    unsigned slots, uops; /* fused and unfused domain, on Skylake */
    int first;            /* fuse_class of the first uop */
    unsigned loads, stores;
    bool microcoded;
};

#define ROW(name, bytes, slots, uops, first, loads, stores, ms)                                    \
    {                                                                                              \
        name, bytes, sizeof(bytes) - 1, slots, uops, CLASS_##first, loads, stores, ms              \
    }

/* clang-format off */
static const struct expected rows[] = {
    ROW("nop", "\x90", 1, 1, NONE, 0, 0, false),
    ROW("nop dword [rax+rax]", "\x0f\x1f\x44\x00\x00", 1, 1, NONE, 0, 0, false),
    ROW("endbr64", "\xf3\x0f\x1e\xfa", 1, 1, NONE, 0, 0, false),
    ROW("add rax, rcx", "\x48\x01\xc8", 1, 1, ALU, 0, 0, false),
    ROW("add rax, [rcx]", "\x48\x03\x01", 1, 2, LOAD, 1, 0, false),
    ROW("add [rcx], rax", "\x48\x01\x01", 2, 4, LOAD, 1, 1, false),
    ROW("lock add [rcx], rax", "\xf0\x48\x01\x01", 8, 10, LOAD, 1, 1, true),
    ROW("mov rax, [rcx]", "\x48\x8b\x01", 1, 1, LOAD, 1, 0, false),
    ROW("mov al, [rcx]", "\x8a\x01", 1, 2, LOAD, 1, 0, false),
    ROW("movzx eax, byte [rcx]", "\x0f\xb6\x01", 1, 1, LOAD, 1, 0, false),
    ROW("mov [rcx], rax", "\x48\x89\x01", 1, 2, STORE_ADDRESS, 0, 1, false),
    ROW("mov dword [rip+0], 1", "\xc7\x05\x00\x00\x00\x00\x01\x00\x00\x00", 2, 2, STORE_ADDRESS,
          0, 1, false),
    ROW("cmp dword [rip+0], 1", "\x83\x3d\x00\x00\x00\x00\x01", 2, 2, LOAD, 1, 0, false),
    ROW("push rax", "\x50", 1, 2, STORE_ADDRESS, 0, 1, false),
    ROW("push [rax]", "\xff\x30", 2, 3, LOAD, 1, 1, false),
    ROW("pop rax", "\x58", 1, 1, LOAD, 1, 0, false),
    ROW("call rel32", "\xe8\x00\x00\x00\x00", 2, 3, STORE_ADDRESS, 0, 1, false),
    ROW("call [rax]", "\xff\x10", 3, 4, LOAD, 1, 1, false),
    ROW("ret", "\xc3", 1, 2, LOAD, 1, 0, false),
    ROW("jmp rel8", "\xeb\x00", 1, 1, BRANCH_TAKEN, 0, 0, false),
    ROW("jz rel8", "\x74\x00", 1, 1, BRANCH, 0, 0, false),
    ROW("loop rel8", "\xe2\x00", 7, 7, ALU, 0, 0, true),
    ROW("lea rax, [rax+rcx]", "\x48\x8d\x04\x08", 1, 1, LEA, 0, 0, false),
    ROW("lea rax, [rax+rcx+1]", "\x48\x8d\x44\x08\x01", 1, 1, SLOW_LEA, 0, 0, false),
    ROW("imul rax, rcx", "\x48\x0f\xaf\xc1", 1, 1, MUL, 0, 0, false),
    ROW("mul rcx", "\x48\xf7\xe1", 2, 2, MUL, 0, 0, false),
    ROW("div ecx", "\xf7\xf1", 10, 10, DIV32, 0, 0, true),
    ROW("div rcx", "\x48\xf7\xf1", 36, 36, DIV64, 0, 0, true),
    ROW("idiv rcx", "\x48\xf7\xf9", 57, 57, IDIV64, 0, 0, true),
    ROW("shl rax, 3", "\x48\xc1\xe0\x03", 1, 1, SHIFT, 0, 0, false),
    ROW("shl rax, cl", "\x48\xd3\xe0", 3, 3, SHIFT, 0, 0, false),
    ROW("popcnt rax, rcx", "\xf3\x48\x0f\xb8\xc1", 1, 1, BIT, 0, 0, false),
    ROW("xchg rax, rcx", "\x48\x91", 3, 3, ALU, 0, 0, false),
    ROW("vzeroall", "\xc5\xfc\x77", 34, 34, VECTOR_ALU, 0, 0, true),
    ROW("vmaskmovps ymm0, ymm1, [rdx]", "\xc4\xe2\x75\x2c\x02", 1, 2, LOAD, 1, 0, false),
    ROW("vmaskmovps [rdx], ymm1, ymm0", "\xc4\xe2\x75\x2e\x02", 2, 3, VECTOR_ALU, 0, 1, false),
    ROW("vmovapd ymm0{k1}, [rdx]", "\x62\xf1\xfd\x29\x28\x02", 1, 2, LOAD, 1, 0, false),
    ROW("vmovapd [rdx]{k1}, ymm0", "\x62\xf1\xfd\x29\x29\x02", 1, 2, STORE_ADDRESS, 0, 1,
          false),
    ROW("vmovapd ymm0, [rdx]", "\x62\xf1\xfd\x28\x28\x02", 1, 1, LOAD, 1, 0, false),
    ROW("xchg [rcx], rax", "\x48\x87\x01", 8, 10, LOAD, 1, 1, true),
    ROW("cmpxchg [rcx], rdx", "\x48\x0f\xb1\x11", 6, 8, LOAD, 1, 1, true),
    ROW("setc al", "\x0f\x92\xc0", 1, 1, SHIFT, 0, 0, false),
    ROW("setc [rax]", "\x0f\x92\x00", 2, 3, SHIFT, 0, 1, false),
    ROW("cmovbe eax, ecx", "\x0f\x46\xc1", 2, 2, SHIFT, 0, 0, false),
    ROW("leave", "\xc9", 3, 4, LOAD, 1, 0, false),
    ROW("std", "\xfd", 6, 6, SHIFT, 0, 0, true),
    ROW("cld", "\xfc", 3, 3, SHIFT, 0, 0, true),
    ROW("pause", "\xf3\x90", 4, 4, MICROCODE, 0, 0, true),
    ROW("cpuid", "\x0f\xa2", 70, 70, MICROCODE, 0, 0, true),
    ROW("prefetcht0 [rax]", "\x0f\x18\x08", 1, 1, LOAD, 1, 0, false),
    ROW("clflush [rdi]", "\x0f\xae\x3f", 4, 4, MICROCODE, 0, 0, false),
    ROW("movsq", "\x48\xa5", 5, 6, LOAD, 1, 1, true),
    ROW("rep stosq", "\xf3\x48\xab", 2, 3, STORE_ADDRESS, 0, 1, true),
    ROW("rep movsb", "\xf3\xa4", 4, 5, LOAD, 1, 1, true),
    ROW("repe cmpsb", "\xf3\xa6", 4, 5, LOAD, 1, 0, true),
    ROW("scasb", "\xae", 3, 4, LOAD, 1, 0, false),
    ROW("addps xmm0, xmm1", "\x0f\x58\xc1", 1, 1, FP_ADD, 0, 0, false),
    ROW("movdqa xmm0, [rax]", "\x66\x0f\x6f\x00", 1, 1, LOAD, 1, 0, false),
    ROW("movdqa [rax], xmm0", "\x66\x0f\x7f\x00", 1, 2, STORE_ADDRESS, 0, 1, false),
    ROW("movq xmm0, rax", "\x66\x48\x0f\x6e\xc0", 1, 1, TO_VECTOR, 0, 0, false),
    ROW("movq rax, xmm0", "\x66\x48\x0f\x7e\xc0", 1, 1, FROM_VECTOR, 0, 0, false),
    ROW("cvtsi2sd xmm0, eax", "\xf2\x0f\x2a\xc0", 2, 2, TO_VECTOR, 0, 0, false),
    ROW("divsd xmm0, xmm1", "\xf2\x0f\x5e\xc1", 1, 1, FP_DIV_DOUBLE, 0, 0, false),
    ROW("pshufd xmm0, xmm1, 0", "\x66\x0f\x70\xc1\x00", 1, 1, VECTOR_SHUFFLE, 0, 0, false),
    ROW("fadd st0, st1", "\xd8\xc1", 1, 1, X87, 0, 0, false),
};
/* clang-format on */

static void instructions_take_the_published_slots(void **state)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct expected *expected = &rows[i];
        const struct decoded *d =
            get(((struct fixture *)*state)->skylake, expected->bytes, expected->length);

        if (d->slots != expected->slots || d->uop_count + (unsigned)d->extra != expected->uops ||
            d->uops[0].class_id != expected->first || d->loads != expected->loads ||
            d->stores != expected->stores || d->microcoded != expected->microcoded)
            fail_msg(
                "%s: %u slots, %u uops, first fuse_class %u, %u loads, %u stores, microcoded %u",
                expected->name, d->slots, d->uop_count + (unsigned)d->extra, d->uops[0].class_id,
                d->loads, d->stores, d->microcoded);
    }
}

static void a_load_feeds_the_arithmetic_in_the_same_slot(void **state)
{
    const struct decoded *d = SKYLAKE("\x48\x03\x44\xca\x08"); /* add rax, [rdx+rcx*8+8] */

    has_sources(&d->uops[0], 2, RDX, RCX);
    has_destinations(&d->uops[0], REG_TEMP0, N);
    assert_int_equal(d->uops[1].class_id, CLASS_ALU);
    assert_true(d->uops[1].fused);
    has_sources(&d->uops[1], 2, REG_TEMP0, RAX);
    has_destinations(&d->uops[1], RAX, REG_FLAGS);
}

static void a_read_modify_write_stores_what_it_computed(void **state)
{
    const struct decoded *d = SKYLAKE("\x48\x29\x0a"); /* sub [rdx], rcx */

    assert_int_equal(d->uops[2].class_id, CLASS_STORE_ADDRESS);
    has_sources(&d->uops[2], 1, RDX, N);
    assert_int_equal(d->uops[3].class_id, CLASS_STORE_DATA);
    assert_true(d->uops[3].fused);
    has_sources(&d->uops[3], 1, d->uops[1].destinations[0], N);
    has_sources(&d->uops[1], 2, REG_TEMP0, RCX);
    assert_true(holds(d->uops[1].destinations, 2, REG_FLAGS));
}

static void a_load_that_is_a_copy_writes_its_register_itself(void **state)
{
    const struct decoded *d = SKYLAKE("\x4d\x8b\x04\x24"); /* mov r8, [r12] */

    has_sources(&d->uops[0], 1, 12, N);
    has_destinations(&d->uops[0], 8, N);
}

static void writing_a_part_of_a_register_reads_the_rest(void **state)
{
    has_sources(&SKYLAKE("\xb0\x01")->uops[0], 1, RAX, N);                 /* mov al, 1 */
    has_sources(&SKYLAKE("\x66\x89\xc8")->uops[0], 2, RAX, RCX);           /* mov ax, cx */
    has_sources(&SKYLAKE("\xb8\x01\x00\x00\x00")->uops[0], 0, N, N);       /* mov eax, 1 */
    has_sources(&SKYLAKE("\xf2\x0f\x51\xc1")->uops[0], 2, XMM(0), XMM(1)); /* sqrtsd xmm0, xmm1 */
    has_sources(&SKYLAKE("\x0f\x51\xc1")->uops[0], 1, XMM(1), N);          /* sqrtps xmm0, xmm1 */
    has_sources(&SKYLAKE("\xf2\x0f\x10\xc1")->uops[0], 2, XMM(0), XMM(1)); /* movsd xmm0, xmm1 */
    has_sources(&SKYLAKE("\xf2\x0f\x10\x01")->uops[0], 1, RCX, N);         /* movsd xmm0, [rcx] */
}

static void conditions_depend_on_flags_and_the_old_value(void **state)
{
    const struct decoded *d = SKYLAKE("\x0f\x44\xc1"); /* cmovz eax, ecx */

    has_sources(&d->uops[0], 3, RAX, RCX);
    assert_true(holds(d->uops[0].sources, 3, REG_FLAGS));
    has_destinations(&d->uops[0], RAX, N);
    d = SKYLAKE("\x48\x11\xc8"); /* adc rax, rcx */
    has_sources(&d->uops[0], 3, RAX, REG_FLAGS);
    has_destinations(&d->uops[0], RAX, REG_FLAGS);
    has_sources(&SKYLAKE("\x75\x00")->uops[0], 1, REG_FLAGS, N); /* jnz */
}

static void wide_results_are_ready_one_after_the_other(void **state)
{
    const struct decoded *d = SKYLAKE("\x48\xf7\xe1"); /* mul rcx */

    has_sources(&d->uops[0], 2, RAX, RCX);
    assert_true(holds(d->uops[0].destinations, 2, RAX));
    assert_int_equal(d->uops[1].class_id, CLASS_MUL_HIGH);
    has_destinations(&d->uops[1], RDX, REG_FLAGS);
    d = SKYLAKE("\x48\xf7\xf1"); /* div rcx */
    has_sources(&d->uops[0], 3, RAX, RDX);
    has_destinations(&d->uops[0], RAX, RDX);
}

static void the_stack_pointer_is_no_dependency_of_push_and_pop(void **state)
{
    const struct decoded *d = SKYLAKE("\x53"); /* push rbx */

    has_sources(&d->uops[0], 1, RSP, N); /* its address */
    has_destinations(&d->uops[0], N, N);
    has_sources(&d->uops[1], 1, RBX, N);
    d = SKYLAKE("\x41\x5f"); /* pop r15 */
    has_destinations(&d->uops[0], 15, N);
    d = SKYLAKE("\xff\xd0"); /* call rax */
    assert_int_equal(d->uops[2].class_id, CLASS_BRANCH_TAKEN);
    has_sources(&d->uops[2], 1, RAX, N);
    has_sources(&d->uops[1], 0, N, N);
    d = SKYLAKE("\x48\x83\xec\x08"); /* sub rsp, 8 */
    has_destinations(&d->uops[0], RSP, REG_FLAGS);
}

static void repeated_strings_advance_by_short_chains(void **state)
{
    const struct decoded *d = SKYLAKE("\xf3\x48\xa5"); /* rep movsq */

    assert_true(d->rep);
    has_sources(&d->uops[0], 1, RSI, N);
    has_sources(&d->uops[1], 1, RDI, N);
    has_sources(&d->uops[2], 1, REG_TEMP0, N);
    has_destinations(&d->uops[3], RSI, RDI);
    has_destinations(&d->uops[4], RCX, N);
    d = SKYLAKE("\xf3\xaa"); /* rep stosb */
    has_sources(&d->uops[1], 1, RAX, N);
    has_destinations(&d->uops[2], RDI, RCX);
    d = SKYLAKE("\x48\xad"); /* lodsq */
    assert_false(d->rep);
    has_destinations(&d->uops[1], RAX, N);
    has_sources(&d->uops[1], 1, REG_TEMP0, N);
    has_destinations(&d->uops[2], RSI, N);
    d = SKYLAKE("\xf2\xae"); /* repne scasb */
    has_sources(&d->uops[0], 1, RDI, N);
    has_sources(&d->uops[1], 2, REG_TEMP0, RAX);
    has_destinations(&d->uops[1], REG_FLAGS, N);
    assert_int_equal(d->slots, 6); /* "at least 6n": A. Fog, "Instruction tables" */
}

static void the_renamer_clears_registers_by_itself(void **state)
{
    const struct decoded *d = SKYLAKE("\x31\xc0"); /* xor eax, eax */

    assert_int_equal(d->uops[0].class_id, CLASS_NONE);
    has_sources(&d->uops[0], 0, N, N);
    has_destinations(&d->uops[0], RAX, REG_FLAGS);
    assert_false(d->nop);
    d = SKYLAKE("\x66\x0f\xef\xd2"); /* pxor xmm2, xmm2 */
    assert_int_equal(d->uops[0].class_id, CLASS_NONE);
    has_destinations(&d->uops[0], XMM(2), N);
    assert_int_equal(SKYLAKE("\x31\xc8")->uops[0].class_id, CLASS_ALU); /* xor eax, ecx */
    assert_int_equal(SKYLAKE("\x30\xc0")->uops[0].class_id, CLASS_ALU); /* xor al, al */
    d = SKYLAKE("\x66\x0f\x76\xc0"); /* pcmpeqd xmm0, xmm0: all ones, executed */
    assert_int_equal(d->uops[0].class_id, CLASS_VECTOR_ALU);
    has_sources(&d->uops[0], 0, N, N);
}

static void moves_are_eliminated_where_the_core_does_it(void **state)
{
    const struct decoded *d = SKYLAKE("\x48\x89\xc8"); /* mov rax, rcx */

    assert_int_equal(d->uops[0].class_id, CLASS_NONE);
    has_sources(&d->uops[0], 1, RCX, N);
    has_destinations(&d->uops[0], RAX, N);
    assert_int_equal(ICELAKE("\x48\x89\xc8")->uops[0].class_id, CLASS_ALU);
    assert_int_equal(ICELAKE("\x0f\x28\xc1")->uops[0].class_id, CLASS_NONE); /* movaps xmm0, xmm1 */
    assert_int_equal(SKYLAKE("\x0f\xb6\xc1")->uops[0].class_id, CLASS_NONE); /* movzx eax, cl */
    assert_int_equal(SKYLAKE("\x0f\xb6\xc5")->uops[0].class_id, CLASS_ALU);  /* movzx eax, ch */
    assert_int_equal(SKYLAKE("\x89\xc0")->uops[0].class_id, CLASS_ALU);      /* mov eax, eax */
    assert_int_equal(SKYLAKE("\x66\x89\xc8")->uops[0].class_id, CLASS_ALU);  /* mov ax, cx */
}

static void division_is_cheap_on_ice_lake(void **state)
{
    assert_int_equal(ICELAKE("\x48\xf7\xf1")->slots, 4);
    assert_false(ICELAKE("\x48\xf7\xf1")->microcoded);
    assert_int_equal(ICELAKE("\xf7\xf1")->slots, 4);
}

static void a_prefix_that_shortens_an_immediate_stalls_predecode(void **state)
{
    assert_true(SKYLAKE("\x66\x05\x34\x12")->lcp);     /* add ax, 0x1234 */
    assert_true(SKYLAKE("\x66\x81\xc1\x34\x12")->lcp); /* add cx, 0x1234 */
    assert_true(SKYLAKE("\x66\xf7\xc1\x34\x12")->lcp); /* test cx, 0x1234 */
    assert_false(SKYLAKE("\x66\x83\xc1\x12")->lcp);    /* add cx, 0x12 */
    assert_false(SKYLAKE("\x66\x01\xc8")->lcp);        /* add ax, cx */
    assert_false(SKYLAKE("\x66\xb8\x34\x12")->lcp);    /* mov ax, 0x1234 */
    assert_true(NEHALEM("\x66\xb8\x34\x12")->lcp);
    assert_false(SKYLAKE("\x05\x34\x12\x00\x00")->lcp);                      /* add eax, 0x1234 */
    assert_true(SKYLAKE("\x48\xb8\x08\x07\x06\x05\x04\x03\x02\x01")->imm64); /* movabs rax */
    assert_false(SKYLAKE("\x48\xc7\xc0\x04\x03\x02\x01")->imm64);            /* mov rax, imm32 */
    assert_false(SKYLAKE("\x66\x48\x05\x34\x12\x00\x00")->lcp); /* REX.W wins over the prefix */
    assert_false(SKYLAKE("\xc2\x08\x00")->lcp);                 /* ret 8 */
}

static bool fuse(struct decoder *decoder, const char *first, size_t first_length, const char *jump)
{
    const struct decoded *a = get(decoder, first, first_length);
    const bool first_can = a->fuses_first;
    const unsigned fuse_class = a->fuse_class;

    return first_can && get(decoder, jump, 2)->fuses_with & fuse_class;
}

#define FUSE(first, jump) fuse(((struct fixture *)*state)->skylake, first, sizeof(first) - 1, jump)

static void comparisons_fuse_with_the_jumps_that_the_vendor_lists(void **state)
{
    static const char jz[] = "\x74\x00", jb[] = "\x72\x00", js[] = "\x78\x00", jl[] = "\x7c\x00",
                      jo[] = "\x70\x00";
    static const char ja[] = "\x77\x00", jmp[] = "\xeb\x00";

    assert_true(FUSE("\x48\x85\xc0", js)); /* test rax, rax */
    assert_true(FUSE("\x48\x85\xc0", jo));
    assert_true(FUSE("\x83\xe0\x01", jz)); /* and eax, 1 */
    assert_true(FUSE("\x48\x39\xc8", jb)); /* cmp rax, rcx */
    assert_true(FUSE("\x48\x39\xc8", ja));
    assert_true(FUSE("\x48\x39\xc8", jl));
    assert_false(FUSE("\x48\x39\xc8", js));
    assert_false(FUSE("\x48\x39\xc8", jmp));
    assert_true(FUSE("\x48\xff\xc8", jz)); /* dec rax */
    assert_true(FUSE("\x48\xff\xc8", jl));
    assert_false(FUSE("\x48\xff\xc8", jb));
    assert_false(FUSE("\x48\xff\xc8", ja));
    assert_true(FUSE("\x48\x3b\x01", jz));  /* cmp rax, [rcx] */
    assert_true(FUSE("\x48\x39\x01", jz));  /* cmp [rcx], rax */
    assert_false(FUSE("\x83\x39\x01", jz)); /* cmp dword [rcx], 1 */
    assert_false(FUSE("\x48\xff\x09", jz)); /* dec qword [rcx] */
    assert_false(FUSE("\x48\x09\xc8", jz)); /* or rax, rcx */
}

static void branches_are_sorted_as_the_lbr_sorts_them(void **state)
{
    assert_int_equal(SKYLAKE("\x74\x00")->kind, BRANCH_CONDITIONAL);
    assert_true(SKYLAKE("\x0f\x84\x00\x00\x00\x00")->conditional);
    assert_true(SKYLAKE("\xe3\x00")->conditional); /* jrcxz */
    assert_int_equal(SKYLAKE("\xe9\x00\x00\x00\x00")->kind, BRANCH_JUMP);
    assert_int_equal(SKYLAKE("\xff\xe0")->kind, BRANCH_JUMP_INDIRECT);
    assert_int_equal(SKYLAKE("\xe8\x00\x00\x00\x00")->kind, BRANCH_CALL);
    assert_int_equal(SKYLAKE("\xff\xd0")->kind, BRANCH_CALL_INDIRECT);
    assert_int_equal(SKYLAKE("\xc3")->kind, BRANCH_RETURN);
    assert_int_equal(SKYLAKE("\x48\xcf")->kind, BRANCH_FAR); /* iretq */
    assert_int_equal(SKYLAKE("\x48\xcb")->kind, BRANCH_FAR); /* retf */
    assert_int_equal(SKYLAKE("\xcc")->kind, BRANCH_FAR);     /* int3 */
    assert_false(SKYLAKE("\x90")->branch);
    assert_false(SKYLAKE("\x90")->conditional);
    assert_false(SKYLAKE("\x0f\x0b")->branch); /* ud2 */
}

static void what_serialises_drains(void **state)
{
    assert_true(SKYLAKE("\x0f\xa2")->serialising);     /* cpuid */
    assert_true(SKYLAKE("\x0f\x30")->serialising);     /* wrmsr */
    assert_true(SKYLAKE("\x0f\x22\xd8")->serialising); /* mov cr3, rax */
    assert_true(SKYLAKE("\x48\xcf")->serialising);     /* iretq */
    assert_false(SKYLAKE("\x0f\x31")->serialising);    /* rdtsc */
    assert_false(SKYLAKE("\x0f\x33")->serialising);    /* rdpmc */
    assert_false(SKYLAKE("\xc3")->serialising);
    assert_false(SKYLAKE("\x48\xcb")->serialising); /* retf */
    assert_true(SKYLAKE("\x0f\xae\xe8")->fence);    /* lfence */
    assert_false(SKYLAKE("\x0f\xae\xe8")->drains_stores);
    assert_true(SKYLAKE("\x0f\xae\xf0")->drains_stores); /* mfence */
    assert_true(SKYLAKE("\x87\x01")->locked);            /* xchg [rcx], eax */
    assert_false(SKYLAKE("\x87\xc8")->locked);
    assert_true(SKYLAKE("\xf0\xff\x01")->locked); /* lock inc dword [rcx] */
}

static void address_only_instructions_access_nothing(void **state)
{
    assert_true(SKYLAKE("\x0f\xae\x3f")->flush);     /* clflush [rdi] */
    assert_true(SKYLAKE("\x66\x0f\xae\x3f")->flush); /* clflushopt [rdi] */
    has_sources(&SKYLAKE("\x0f\xae\x3f")->uops[0], 1, RDI, N);
    assert_true(SKYLAKE("\x0f\x18\x08")->prefetch); /* prefetcht0 [rax] */
    has_destinations(&SKYLAKE("\x0f\x18\x08")->uops[0], N, N);
    assert_true(SKYLAKE("\x66\x90")->nop);
    assert_false(SKYLAKE("\xf3\x90")->nop); /* pause */
    assert_true(SKYLAKE("\xf3\x90")->pause);
    assert_int_equal(SKYLAKE("\x48\x8d\x01")->loads, 0); /* lea rax, [rcx] */
}

static void changed_code_is_decoded_again(void **state)
{
    const struct decoded *d = SKYLAKE("\x48\x01\xc8");

    assert_int_equal(d->uops[0].class_id, CLASS_ALU);
    d = SKYLAKE("\x48\x8b\xc8");
    assert_false(d->uops[0].class_id == CLASS_ALU);
    assert_ptr_equal(SKYLAKE("\x48\x8b\xc8"), d);
    d = SKYLAKE("\x05\x01\x00\x00\x00");
    assert_true(d->length == 5);
    d = SKYLAKE("\x05\x01\x00\x01\x00");
    assert_int_equal(d->bytes[3], 1);
}

static void unknown_bytes_are_one_uop(void **state)
{
    const struct decoded *d = SKYLAKE("\x0f\xff\xff\xff"); /* longer than its length in any mode */

    assert_int_equal(d->slots, 1);
    assert_int_equal(d->uop_count, 1);
    assert_int_equal(d->uops[0].class_id, CLASS_MICROCODE);
    assert_false(d->branch);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(instructions_take_the_published_slots),
        TEST(a_load_feeds_the_arithmetic_in_the_same_slot),
        TEST(a_read_modify_write_stores_what_it_computed),
        TEST(a_load_that_is_a_copy_writes_its_register_itself),
        TEST(writing_a_part_of_a_register_reads_the_rest),
        TEST(conditions_depend_on_flags_and_the_old_value),
        TEST(wide_results_are_ready_one_after_the_other),
        TEST(the_stack_pointer_is_no_dependency_of_push_and_pop),
        TEST(repeated_strings_advance_by_short_chains),
        TEST(the_renamer_clears_registers_by_itself),
        TEST(moves_are_eliminated_where_the_core_does_it),
        TEST(division_is_cheap_on_ice_lake),
        TEST(a_prefix_that_shortens_an_immediate_stalls_predecode),
        TEST(comparisons_fuse_with_the_jumps_that_the_vendor_lists),
        TEST(branches_are_sorted_as_the_lbr_sorts_them),
        TEST(what_serialises_drains),
        TEST(address_only_instructions_access_nothing),
        TEST(changed_code_is_decoded_again),
        TEST(unknown_bytes_are_one_uop),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
