/* Instructions in VEX and EVEX encodings: every instruction of a list, compared with the host, on
 * registers and memory full of numbers at the edges of the rules, in five rounding modes. Skipped
 * where the host lacks them. */
#include <stdlib.h>
#include <sys/mman.h>

#include "vector_test.h"

#define PAGE   4096
#define ROUNDS 200
#define RET    0xc3

/* vector_host.s. Loads all registers from the image, calls the code, stores them all. */
void vector_host_512(struct register_image *image, const void *code);
void vector_host_256(struct register_image *image, const void *code);
/* The instructions: those of AVX, AVX2 and FMA, then those of AVX-512. */
extern const uint8_t vector_list[], vector_list_512[], vector_list_end[];

__asm__(".include \"tests/rig/vector/vector_host.s\"");

static uint64_t seed = UINT64_C(0x853c49e6748fea9b);

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Numbers at the edges of the rules: zeros, ones, the smallest and the largest, infinities, both
 * kinds of NaN, and random ones. */
static uint32_t any_single(void)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 1,
                                       0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
                                       0xff800000, 0x7fc00001, 0xffc00002, 0x7f800003, 0xff800004};
    const uint64_t pick = draw() % 32;

    return pick < sizeof(special) / sizeof(*special) ? special[pick] : (uint32_t)(draw() >> 16);
}

static uint64_t any_double(void)
{
    static const uint64_t special[] = {0,
                                       UINT64_C(0x8000000000000000),
                                       UINT64_C(0x3ff0000000000000),
                                       UINT64_C(0xbff0000000000000),
                                       1,
                                       UINT64_C(0x8000000000000001),
                                       UINT64_C(0x000fffffffffffff),
                                       UINT64_C(0x0010000000000000),
                                       UINT64_C(0x7fefffffffffffff),
                                       UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0xfff0000000000000),
                                       UINT64_C(0x7ff8000000000001),
                                       UINT64_C(0xfff8000000000002),
                                       UINT64_C(0x7ff0000000000003),
                                       UINT64_C(0xfff0000000000004)};
    const uint64_t pick = draw() % 32;

    return pick < sizeof(special) / sizeof(*special) ? special[pick] : draw();
}

static void fill(void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t value = any_double();

        if (draw() & 1)
            value = (uint64_t)any_single() << 32 | any_single();
        memcpy((uint8_t *)at + i, &value, sizeof(value));
    }
}

static void fill_image(struct register_image *image)
{
    memset(image, 0, sizeof(*image));
    fill(image->file.vector, sizeof(image->file.vector));
    fill(image->memory, sizeof(image->memory));
    for (unsigned i = 0; i < VECTOR_MASKS; i++)
        image->file.mask[i] = draw();
    image->general[1] = draw();
    image->flags = 0x202 | (draw() & 0x8d5);
}

static void set_mxcsr(uint32_t mxcsr)
{
    __asm__ volatile("ldmxcsr %0" ::"m"(mxcsr));
}

static uint32_t get_mxcsr(void)
{
    uint32_t mxcsr;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return mxcsr;
}

static void differ(const struct register_image *host, const struct register_image *ours,
                   const uint8_t *bytes, unsigned length, uint32_t mxcsr)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];
    const uint8_t *a = (const uint8_t *)host, *b = (const uint8_t *)ours;
    size_t at = 0;

    decode(bytes, &decoded, list);
    while (a[at] == b[at])
        at++;
    fail_msg("%s of %u bytes (%02x %02x %02x %02x %02x), MXCSR 0x%x: at %zu host %02x, here %02x",
             ZydisMnemonicGetString(decoded.mnemonic), length, bytes[0], bytes[1], bytes[2],
             bytes[3], bytes[4], mxcsr, at, a[at], b[at]);
}

static unsigned length_of(const uint8_t *bytes)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];

    assert_true(decode(bytes, &decoded, list));
    return decoded.length;
}

/* Compares registers up to `width` bytes: the host may lack wider ones. */
static void compare(const uint8_t *bytes, unsigned length, uint8_t *page, bool wide, uint32_t mxcsr)
{
    static struct register_image host, ours;

    memcpy(page, bytes, length);
    page[length] = RET;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill_image(&host);
        if (!wide)
            for (unsigned i = 0; i < 16; i++)
                memset(host.file.vector[i] + 32, 0, 32);
        ours = host;
        set_mxcsr(mxcsr);
        (wide ? vector_host_512 : vector_host_256)(&host, page);
        host.raised = get_mxcsr() & RAISED;
        set_mxcsr(MXCSR);
        if (!play(&ours, bytes, mxcsr))
            fail_msg("%02x %02x %02x %02x %02x is not played", bytes[0], bytes[1], bytes[2],
                     bytes[3], bytes[4]);
        if (memcmp(&host, &ours, sizeof(host)) != 0)
            differ(&host, &ours, bytes, length, mxcsr);
    }
}

static void compare_all(const uint8_t *from, const uint8_t *to, bool wide)
{
    static const uint32_t words[] = {MXCSR, MXCSR | DAZ_FTZ, MXCSR | ROUND_DOWN,
                                     MXCSR | 2 * ROUND_DOWN, MXCSR | 3 * ROUND_DOWN | DAZ_FTZ};
    uint8_t *page =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned count = 0;

    assert_ptr_not_equal(page, MAP_FAILED);
    while (from < to) {
        const unsigned length = length_of(from);

        for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++, count++)
            compare(from, length, page, wide, words[i]);
        from += length;
    }
    munmap(page, PAGE);
    print_message("# %u instructions and modes, %u times each\n", count, ROUNDS);
}

static void avx_is_as_on_the_host(void **state)
{
    (void)state;
    assert_int_equal(offsetof(struct register_image, file.mask), 2048);
    assert_int_equal(offsetof(struct register_image, general[1]), 2120);
    assert_int_equal(offsetof(struct register_image, memory), 2240);
    assert_int_equal(offsetof(struct register_image, flags), 2304);
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        print_message("# skipped: this host has no AVX2 and FMA\n");
        skip();
    }
    compare_all(vector_list, vector_list_512, __builtin_cpu_supports("avx512bw"));
}

static void avx512_is_as_on_the_host(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) {
        print_message("# skipped: this host has no AVX-512\n");
        skip();
    }
    compare_all(vector_list_512, vector_list_end, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(avx_is_as_on_the_host),
        cmocka_unit_test(avx512_is_as_on_the_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
