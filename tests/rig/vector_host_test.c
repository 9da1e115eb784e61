/* Instructions in VEX and EVEX encodings: every one of a list against the host's own, on registers
 * and memory full of numbers where the rules are, in five ways to round; skipped where the host has
 * it not. */
#include <stdlib.h>
#include <sys/mman.h>

#include "vector_test.h"

#define PAGE   4096
#define ROUNDS 200
#define RET    0xc3

/* Loads all registers from the image, calls the code, stores them all. */
void vector_host_512(struct image *image, const void *code);
void vector_host_256(struct image *image, const void *code);

#define EACH_16(M)                                                                                 \
    M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)
#define LOAD_256(n)  "vmovdqu 64*" #n "(%rdi), %ymm" #n "\n"
#define STORE_256(n) "vmovdqu %ymm" #n ", 64*" #n "(%rdi)\n"

__asm__(
    ".text\n"
    "vector_host_256:\n"
    "push %rdi\n" EACH_16(
        LOAD_256) "mov 2120(%rdi), %rcx\n lea 2240(%rdi), %rdx\n call *%rsi\n pop %rdi\n"
                  "mov %rcx, 2120(%rdi)\n" EACH_16(
                      STORE_256) "vzeroupper\n ret\n"
                                 "vector_host_512:\n"
                                 "push %rdi\n"
                                 ".irp "
                                 "n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
                                 "24,25,26,27,28,29,"
                                 "30,31\n vmovdqu64 64*\\n(%rdi), %zmm\\n\n .endr\n"
                                 ".irp n,0,1,2,3,4,5,6,7\n kmovq 2048+8*\\n(%rdi), %k\\n\n .endr\n"
                                 "mov 2120(%rdi), %rcx\n lea 2240(%rdi), %rdx\n call *%rsi\n pop "
                                 "%rdi\n"
                                 "mov %rcx, 2120(%rdi)\n"
                                 ".irp "
                                 "n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
                                 "24,25,26,27,28,29,"
                                 "30,31\n vmovdqu64 %zmm\\n, 64*\\n(%rdi)\n .endr\n"
                                 ".irp n,0,1,2,3,4,5,6,7\n kmovq %k\\n, 2048+8*\\n(%rdi)\n .endr\n"
                                 "vzeroupper\n ret\n");

#define FMA_NAMES                                                                                  \
    "vfmadd132,vfmadd213,vfmadd231,vfmsub132,vfmsub213,vfmsub231,"                                 \
    "vfnmadd132,vfnmadd213,vfnmadd231,vfnmsub132,vfnmsub213,vfnmsub231"

/* The instructions: VEX's of AVX, AVX2 and FMA first, then those of AVX-512. */
extern const uint8_t vector_list[], vector_list_512[], vector_list_end[];

__asm__(
    ".section .rodata\nvector_list:\n"
    ".irp op,vadd,vsub,vmul,vdiv,vmin,vmax\n"
    "\\op\\()ps %ymm2, %ymm1, %ymm0\n \\op\\()pd %ymm2, %ymm1, %ymm0\n"
    "\\op\\()ps %xmm2, %xmm1, %xmm0\n \\op\\()pd (%rdx), %xmm1, %xmm0\n"
    "\\op\\()ss %xmm2, %xmm1, %xmm0\n \\op\\()sd %xmm2, %xmm1, %xmm0\n"
    "\\op\\()ss (%rdx), %xmm1, %xmm9\n \\op\\()sd (%rdx), %xmm1, %xmm9\n"
    "\\op\\()pd (%rdx), %ymm15, %ymm8\n \\op\\()ps (%rdx), %ymm15, %ymm8\n .endr\n"
    "vsqrtps %ymm3, %ymm1\n vsqrtpd %ymm3, %ymm1\n vsqrtps (%rdx), %xmm1\n"
    "vsqrtss %xmm3, %xmm2, %xmm1\n vsqrtsd (%rdx), %xmm2, %xmm1\n"
    ".irp op," FMA_NAMES "\n"
    "\\op\\()ps %ymm2, %ymm1, %ymm0\n \\op\\()pd %ymm2, %ymm1, %ymm0\n"
    "\\op\\()ps (%rdx), %xmm1, %xmm0\n \\op\\()pd (%rdx), %ymm1, %ymm0\n"
    "\\op\\()ss %xmm2, %xmm1, %xmm0\n \\op\\()sd (%rdx), %xmm1, %xmm0\n"
    ".endr\n"
    ".irp op,vandps,vandpd,vandnps,vandnpd,vorps,vorpd,vxorps,vxorpd,vpand,vpandn,vpor,vpxor,"
    "vpaddb,vpaddw,vpaddd,vpaddq,vpsubb,vpsubw,vpsubd,vpsubq,vpmullw,vpmulld,vpmuludq\n"
    "\\op %ymm2, %ymm1, %ymm0\n \\op %xmm2, %xmm1, %xmm0\n \\op (%rdx), %ymm11, %ymm12\n"
    ".endr\n"
    ".irp op,vmovaps,vmovapd,vmovups,vmovupd,vmovdqa,vmovdqu\n"
    "\\op %ymm5, %ymm6\n \\op %xmm5, %xmm6\n \\op (%rdx), %ymm7\n \\op %ymm5, (%rdx)\n"
    "\\op (%rdx), %xmm7\n \\op %xmm5, (%rdx)\n .endr\n"
    "vlddqu (%rdx), %ymm4\n vmovntps %ymm5, (%rdx)\n vmovntpd %xmm5, (%rdx)\n"
    "vmovntdq %ymm5, (%rdx)\n"
    "vmovss %xmm3, %xmm2, %xmm1\n vmovsd %xmm3, %xmm2, %xmm1\n vmovss (%rdx), %xmm1\n"
    "vmovsd (%rdx), %xmm1\n vmovss %xmm1, (%rdx)\n vmovsd %xmm1, (%rdx)\n"
    "vmovd %ecx, %xmm1\n vmovq %rcx, %xmm1\n vmovd %xmm1, %ecx\n vmovq %xmm1, %rcx\n"
    "vmovd (%rdx), %xmm1\n vmovq (%rdx), %xmm1\n vmovd %xmm1, (%rdx)\n vmovq %xmm1, (%rdx)\n"
    "vmovq %xmm3, %xmm1\n"
    "vbroadcastss %xmm1, %ymm2\n vbroadcastss %xmm1, %xmm2\n vbroadcastsd %xmm1, %ymm2\n"
    "vbroadcastss (%rdx), %xmm2\n vbroadcastsd (%rdx), %ymm2\n vbroadcastf128 (%rdx), %ymm2\n"
    "vbroadcasti128 (%rdx), %ymm2\n"
    ".irp op,vpbroadcastb,vpbroadcastw,vpbroadcastd,vpbroadcastq\n"
    "\\op %xmm1, %ymm2\n \\op %xmm1, %xmm2\n \\op (%rdx), %ymm2\n .endr\n"
    "vextractf128 $1, %ymm3, %xmm4\n vextractf128 $0, %ymm3, (%rdx)\n"
    "vextracti128 $1, %ymm3, (%rdx)\n vextracti128 $0, %ymm3, %xmm3\n"
    "vinsertf128 $1, %xmm5, %ymm4, %ymm3\n vinsertf128 $0, (%rdx), %ymm4, %ymm3\n"
    "vinserti128 $1, (%rdx), %ymm4, %ymm3\n vinserti128 $0, %xmm5, %ymm4, %ymm4\n"
    "vzeroupper\n vzeroall\n"
    "vector_list_512:\n"
    ".irp op,vadd,vsub,vmul,vdiv,vmin,vmax\n"
    "\\op\\()ps %zmm18, %zmm17, %zmm0\n \\op\\()pd %zmm18, %zmm17, %zmm31\n"
    "\\op\\()ps (%rdx), %zmm1, %zmm0\n \\op\\()pd (%rdx){1to8}, %zmm1, %zmm0\n"
    "\\op\\()ps (%rdx){1to16}, %zmm1, %zmm0\n \\op\\()ps (%rdx){1to8}, %ymm1, %ymm0\n"
    "\\op\\()pd %zmm2, %zmm1, %zmm0{%k1}\n \\op\\()ps %zmm2, %zmm1, %zmm0{%k2}{z}\n"
    "\\op\\()ps %ymm18, %ymm1, %ymm0{%k3}\n \\op\\()pd %xmm18, %xmm1, %xmm0{%k4}{z}\n"
    "\\op\\()sd %xmm18, %xmm1, %xmm0{%k5}\n \\op\\()ss %xmm18, %xmm1, %xmm0{%k6}{z}\n .endr\n"
    ".irp op,vadd,vsub,vmul,vdiv\n"
    "\\op\\()pd {rd-sae}, %zmm2, %zmm1, %zmm0\n \\op\\()ps {ru-sae}, %zmm2, %zmm1, %zmm0\n"
    "\\op\\()ps {rz-sae}, %zmm2, %zmm1, %zmm0\n \\op\\()sd {rn-sae}, %xmm2, %xmm1, %xmm0\n"
    ".endr\n"
    "vsqrtpd %zmm20, %zmm21\n vsqrtps (%rdx), %zmm21\n"
    ".irp op," FMA_NAMES "\n"
    "\\op\\()pd %zmm22, %zmm21, %zmm20{%k1}\n"
    "\\op\\()ps (%rdx){1to16}, %zmm21, %zmm20\n"
    "\\op\\()sd %xmm22, %xmm21, %xmm20{%k3}\n"
    "\\op\\()ss {ru-sae}, %xmm22, %xmm21, %xmm20\n .endr\n"
    ".irp op,vandps,vandnpd,vorps,vxorpd,vpandd,vpandnq,vpord,vporq,vpxord,vpxorq,vpaddd,"
    "vpaddq,vpaddb,vpaddw,vpsubd,vpsubb,vpmulld,vpmuludq\n"
    "\\op %zmm18, %zmm17, %zmm16{%k1}\n \\op (%rdx), %zmm1, %zmm0\n"
    "\\op %ymm18, %ymm17, %ymm16{%k2}{z}\n .endr\n"
    "vpaddd (%rdx){1to16}, %zmm1, %zmm2\n vpaddq (%rdx){1to8}, %zmm1, %zmm2\n"
    "vmovaps %zmm1, %zmm2{%k1}\n vmovapd %zmm1, %zmm2{%k1}{z}\n vmovups %ymm1, %ymm18{%k3}\n"
    "vmovdqa32 (%rdx), %zmm30\n vmovdqa64 %zmm30, (%rdx)\n vmovdqu32 %xmm1, %xmm30{%k5}\n"
    "vmovdqu64 (%rdx), %ymm29\n vmovdqu8 %zmm1, %zmm2{%k1}\n vmovdqu16 %zmm1, %zmm2{%k1}{z}\n"
    "vmovntps %zmm3, (%rdx)\n vmovntdq %zmm3, (%rdx)\n"
    "vmovss %xmm18, %xmm2, %xmm1{%k1}\n vmovsd %xmm18, %xmm2, %xmm1{%k2}{z}\n"
    "vmovd %ecx, %xmm17\n vmovq %xmm17, %rcx\n"
    "vbroadcastss %xmm1, %zmm2{%k1}\n vbroadcastsd (%rdx), %zmm2\n"
    "vbroadcastf32x4 (%rdx), %zmm2\n vbroadcasti64x4 (%rdx), %zmm2\n"
    "vpbroadcastd %xmm1, %zmm17\n vpbroadcastq (%rdx), %zmm17\n vpbroadcastd %ecx, %zmm4{%k1}\n"
    "vpbroadcastq %rcx, %zmm4\n vpbroadcastb %xmm1, %zmm2{%k7}{z}\n"
    "vextractf32x4 $3, %zmm3, %xmm4{%k1}\n vextractf64x4 $1, %zmm3, %ymm20\n"
    "vextracti32x4 $2, %zmm3, (%rdx)\n vextracti64x4 $0, %zmm3, (%rdx)\n"
    "vinsertf32x4 $2, %xmm20, %zmm3, %zmm4\n vinserti64x4 $1, (%rdx), %zmm3, %zmm4\n"
    "vinsertf64x4 $0, %ymm20, %zmm3, %zmm4{%k1}\n vinserti32x4 $1, %xmm20, %ymm3, %ymm4\n"
    "kmovw %ecx, %k1\n kmovw %k1, %ecx\n kmovw %k2, %k3\n kmovw (%rdx), %k4\n kmovw %k4, (%rdx)\n"
    "kmovb %ecx, %k1\n kmovb %k1, %ecx\n kmovd %ecx, %k1\n kmovq %rcx, %k5\n kmovq %k5, %rcx\n"
    "kmovd %k5, %ecx\n"
    "vector_list_end:\n.text\n");

static uint64_t seed = UINT64_C(0x853c49e6748fea9b);

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Numbers where the rules are: zeros, ones, the smallest and the largest, infinities, both kinds of
 * NaN, and any. */
static uint32_t any_single(void)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 1,
                                       0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
                                       0xff800000, 0x7fc00001, 0xffc00002, 0x7f800003, 0xff800004};
    const uint64_t pick = draw() % 32;

    return pick < sizeof special / sizeof *special ? special[pick] : (uint32_t)(draw() >> 16);
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

    return pick < sizeof special / sizeof *special ? special[pick] : draw();
}

static void fill(void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t value = any_double();

        if (draw() & 1)
            value = (uint64_t)any_single() << 32 | any_single();
        memcpy((uint8_t *)at + i, &value, sizeof value);
    }
}

static void fill_image(struct image *image)
{
    memset(image, 0, sizeof *image);
    fill(image->file.vector, sizeof image->file.vector);
    fill(image->memory, sizeof image->memory);
    for (unsigned i = 0; i < VECTOR_MASKS; i++)
        image->file.mask[i] = draw();
    image->general[1] = draw();
}

static void set_mxcsr(uint32_t mxcsr)
{
    __asm__ volatile("ldmxcsr %0" ::"m"(mxcsr));
}

static void differ(const struct image *host, const struct image *ours, const uint8_t *bytes,
                   unsigned length, uint32_t mxcsr)
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

/* Registers beyond `width` bytes stay as they are on the host only where it has such registers. */
static void compare(const uint8_t *bytes, unsigned length, uint8_t *page, bool wide, uint32_t mxcsr)
{
    static struct image host, ours;

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
        set_mxcsr(MXCSR);
        if (!play(&ours, bytes, mxcsr))
            fail_msg("%02x %02x %02x %02x %02x is not played", bytes[0], bytes[1], bytes[2],
                     bytes[3], bytes[4]);
        if (memcmp(&host, &ours, sizeof host) != 0)
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

        for (unsigned i = 0; i < sizeof words / sizeof *words; i++, count++)
            compare(from, length, page, wide, words[i]);
        from += length;
    }
    munmap(page, PAGE);
    print_message("# %u instructions and modes, %u times each\n", count, ROUNDS);
}

static void avx_is_as_on_the_host(void **state)
{
    (void)state;
    assert_int_equal(offsetof(struct image, file.mask), 2048);
    assert_int_equal(offsetof(struct image, general[1]), 2120);
    assert_int_equal(offsetof(struct image, memory), 2240);
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
