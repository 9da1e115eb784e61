/* Which masked memory accesses fault, compared with the host: operands that begin before a page or
 * end after it, with any mask. Skipped where the host lacks AVX-512. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "vector_test.h"

#define PAGE   4096
#define ROUNDS 64
#define RET    0xc3

extern const uint8_t vector_list_masked[], vector_list_end[];

__asm__(".include \"tests/rig/vector/vector_host.s\"");

static sigjmp_buf back;
static uint64_t seed = UINT64_C(0xda942042e4dd58b5);

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void on_fault(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* K1 has the mask. */
static bool faults_on_the_host(const void *code, const uint8_t *at, uint64_t mask)
{
    static const uint32_t masked = MXCSR;

    if (sigsetjmp(back, 1))
        return true;
    __asm__ volatile("kmovq %[mask], %%k1; call *%[code]; vzeroupper; ldmxcsr %[mxcsr]"
                     :
                     : [code] "r"(code), "d"(at), [mask] "r"(mask), [mxcsr] "m"(masked)
                     : "memory", "cc", "xmm1", "xmm2", "xmm3", "xmm4");
    return false;
}

/* VMOVAPS and its kin need an aligned operand. */
static bool is_misaligned(const struct vector_step *step, const uint8_t *at, unsigned bytes)
{
    return step->row->shape == VECTOR_COPY && step->row->block && (uintptr_t)at % bytes;
}

/* `open`: a misaligned operand of which the mask leaves nothing faults by the manual, but not on
 * AMD processors. */
static bool faults_here(const uint8_t *bytes, const uint8_t *at, uint64_t mask, const uint8_t *page,
                        bool *open)
{
    static struct vector_file file;
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];
    struct vector_step step = {.file = &file};
    uint64_t reached;
    unsigned size = 0;

    *open = false;
    file.mask[1] = mask;
    assert_true(decode(bytes, &decoded, list) && vector_prepare(&step, &decoded, list));
    for (unsigned i = 0; i < step.operands; i++)
        if (step.operand[i]->type == ZYDIS_OPERAND_TYPE_MEMORY)
            size = step.operand[i]->size / 8u;
    reached = mask_reached(&step);
    for (unsigned i = 0; i < size; i++)
        if (reached >> i & 1 && (at + i < page || at + i >= page + PAGE))
            return true;
    *open = !reached && is_misaligned(&step, at, size);
    return is_misaligned(&step, at, size);
}

static unsigned length_of(const uint8_t *bytes)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];

    assert_true(decode(bytes, &decoded, list));
    return decoded.length;
}

/* Some masks are of few elements, or of none. */
static uint64_t any_mask(void)
{
    const uint64_t mask = draw() & draw();

    return draw() & 3 ? mask : draw() & 1 ? 0 : UINT64_C(1) << draw() % 64;
}

static void compare(const uint8_t *bytes, uint8_t *code, uint8_t *page, unsigned *faults)
{
    const unsigned length = length_of(bytes);
    const char *place[] = {"before", "behind"};

    memcpy(code, bytes, length);
    code[length] = RET;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint64_t mask = any_mask();
        const bool behind = draw() & 1;
        const unsigned by = draw() & 1 ? (unsigned)(draw() % 64) : (unsigned)(draw() % 5) * 16;
        const uint8_t *at = (behind ? page + PAGE : page) - by;
        bool open;
        const bool here = faults_here(bytes, at, mask, page, &open);

        if (!open && faults_on_the_host(code, at, mask) != here)
            fail_msg("%02x %02x %02x %02x %02x %02x, %u bytes %s a page, mask 0x%llx: here %d",
                     bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], by, place[behind],
                     (unsigned long long)mask, here);
        *faults += here;
    }
}

static void masks_suppress_faults_as_on_the_host(void **state)
{
    struct sigaction action = {.sa_handler = on_fault};
    const uint8_t *from = vector_list_masked;
    unsigned count = 0, faults = 0;
    uint8_t *pages;

    (void)state;
    if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq")) {
        print_message("# skipped: this host has no AVX-512\n");
        skip();
    }
    pages = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE);
    mprotect(pages + 3 * PAGE, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
    sigaction(SIGSEGV, &action, NULL);
    for (; from < vector_list_end; from += length_of(from), count++)
        compare(from, pages + 3 * PAGE, pages + PAGE, &faults);
    signal(SIGSEGV, SIG_DFL);
    munmap(pages, 4 * PAGE);
    print_message("# %u instructions, %u times each, %u faults\n", count, ROUNDS, faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_suppress_faults_as_on_the_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
