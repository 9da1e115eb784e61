/* What the CPUID of a personality announces, and what the rig can execute. No feature is announced
 * whose instructions the rig lacks, and no instruction that it cannot execute is run as another
 * one. Of AVX, AVX2, FMA and AVX-512 the rig plays a part (vector/rows.c) and stops at other
 * instructions. Opcodes: SDM 2; "AMD64 Architecture Programmer's Manual", volumes 3 and 4. */
#include "machine/engine/instruction.h"
#include "tests/rig/pmu/pmu_test.h"

/* clang-format off */
#define LEAF(eax_, reg_, bit_) {.leaf = (eax_), .reg = CPUID_##reg_, .bit = (bit_)}
/* clang-format on */

/* Features whose instructions neither the emulator nor special_play can execute. */
static const struct {
    const char *name;
    struct cpuid_bit bit;
    uint8_t bytes[8];
    uint8_t length; /* 0: only the bit */
} beyond[] = {
    {"PCLMULQDQ", LEAF(1, ECX, 1), {0x66, 0x0f, 0x3a, 0x44, 0xc1, 0x00}, 6},
    {"VMX", LEAF(1, ECX, 5), {0x0f, 0x01, 0xc1}, 3},
    {"SMX", LEAF(1, ECX, 6), {0x0f, 0x37}, 2},
    {"PCID", LEAF(1, ECX, 17), {0}, 0},
    {"F16C", LEAF(1, ECX, 29), {0xc4, 0xe2, 0x79, 0x13, 0xc1}, 5},
    {"FSGSBASE", LEAF(7, EBX, 0), {0xf3, 0x0f, 0xae, 0xc0}, 4},
    {"SGX", LEAF(7, EBX, 2), {0x0f, 0x01, 0xd7}, 3},
    {"BMI1", LEAF(7, EBX, 3), {0xc4, 0xe2, 0x70, 0xf2, 0xc2}, 5},
    {"HLE", LEAF(7, EBX, 4), {0}, 0},
    {"SMEP", LEAF(7, EBX, 7), {0}, 0},
    {"BMI2", LEAF(7, EBX, 8), {0xc4, 0xe2, 0xf3, 0xf6, 0xc2}, 5},
    {"INVPCID", LEAF(7, EBX, 10), {0x66, 0x0f, 0x38, 0x82, 0x03}, 5},
    {"RTM", LEAF(7, EBX, 11), {0x0f, 0x01, 0xd5}, 3},
    {"MPX", LEAF(7, EBX, 14), {0}, 0},
    {"AVX512CD", LEAF(7, EBX, 28), {0x62, 0xf2, 0x7d, 0x48, 0xc4, 0xc1}, 6},
    {"SMAP", LEAF(7, EBX, 20), {0x0f, 0x01, 0xca}, 3},
    {"SHA", LEAF(7, EBX, 29), {0x0f, 0x38, 0xc8, 0xc1}, 4},
    {"PKU", LEAF(7, ECX, 3), {0x0f, 0x01, 0xee}, 3},
    {"WAITPKG", LEAF(7, ECX, 5), {0xf3, 0x0f, 0xae, 0xf0}, 4},
    {"CET_SS", LEAF(7, ECX, 7), {0}, 0},
    {"GFNI", LEAF(7, ECX, 8), {0x66, 0x0f, 0x38, 0xcf, 0xc1}, 5},
    {"LA57", LEAF(7, ECX, 16), {0}, 0},
    {"MOVDIRI", LEAF(7, ECX, 27), {0x0f, 0x38, 0xf9, 0x03}, 4},
    {"SERIALIZE", LEAF(7, EDX, 14), {0x0f, 0x01, 0xe8}, 3},
    {"CET_IBT", LEAF(7, EDX, 20), {0}, 0},
    {"AMX", LEAF(7, EDX, 24), {0}, 0},
    {"XSAVES", LEAF(0xd | CPUID_SUBLEAF(1), EAX, 3), {0x0f, 0xc7, 0x2b}, 3},
    {"SVM", LEAF(0x80000001, ECX, 2), {0x0f, 0x01, 0xd8}, 3},
    {"SSE4A", LEAF(0x80000001, ECX, 6), {0xf2, 0x0f, 0x79, 0xc1}, 4},
    {"XOP", LEAF(0x80000001, ECX, 11), {0x8f, 0xe8, 0x78, 0xa2, 0xc1, 0x10}, 6},
    {"3DNow!", LEAF(0x80000001, EDX, 31), {0x0f, 0x0f, 0xc1, 0x9e}, 4},
};

#define BEYOND (sizeof(beyond) / sizeof(*beyond))

static bool offers(void *context, const struct cpuid_bit *bit)
{
    struct rig *rig = context;
    struct cpuid_result leaf = pmu_cpuid(rig->pmu, bit->leaf & 0x80000000u, 0, 0);
    uint32_t value[4];

    if (leaf.eax < (bit->leaf & ~CPUID_SUBLEAVES))
        return false;
    leaf = pmu_cpuid(rig->pmu, bit->leaf & ~CPUID_SUBLEAVES, bit->leaf >> 16 & 0xff, 0);
    value[CPUID_EAX] = leaf.eax, value[CPUID_EBX] = leaf.ebx;
    value[CPUID_ECX] = leaf.ecx, value[CPUID_EDX] = leaf.edx;
    return value[bit->reg] >> bit->bit & 1;
}

static void check_announced(const struct personality *personality)
{
    struct rig rig;

    rig_make(&rig, personality, 1);
    for (size_t i = 0; i < BEYOND; i++)
        if (offers(&rig, &beyond[i].bit))
            fail_msg("%s announces %s, which the rig does not play", personality->name,
                     beyond[i].name);
    rig_end(&rig);
}

static void check_both(const struct personality *personality)
{
    check_announced(personality);
    if (personality->small != NULL)
        check_announced(personality->small);
}

static void cpuid_announces_nothing_beyond_the_emulator(void **state)
{
    (void)state;
    personality_list(check_both);
}

static bool everything(void *context, const struct cpuid_bit *bit)
{
    (void)context;
    (void)bit;
    return true;
}

static bool nothing(void *context, const struct cpuid_bit *bit)
{
    (void)context;
    (void)bit;
    return false;
}

/* With the bit they stop the rig; without it they are #UD or stop the rig. They never reach the
 * emulator. */
static void what_the_emulator_lacks_never_reaches_it(void **state)
{
    struct instruction instruction;

    (void)state;
    for (size_t i = 0; i < BEYOND; i++) {
        if (!beyond[i].length)
            continue;
        instruction_decode(&instruction, beyond[i].bytes, sizeof(beyond[i].bytes), 64, everything,
                           NULL);
        if (instruction.kind != KIND_UNSUPPORTED || instruction.length != beyond[i].length)
            fail_msg("%s: kind %u, %u bytes", beyond[i].name, instruction.kind, instruction.length);
        instruction_decode(&instruction, beyond[i].bytes, sizeof(beyond[i].bytes), 64, nothing,
                           NULL);
        if (instruction.kind != KIND_UNSUPPORTED && instruction.kind != KIND_UNDEFINED)
            fail_msg("%s without its bit: kind %u", beyond[i].name, instruction.kind);
    }
}

/* Played by special_play when announced, and undefined otherwise. */
static void what_is_played_goes_by_its_bit(void **state)
{
    static const struct {
        uint8_t bytes[8];
        enum instruction_kind kind;
    } played[] = {
        {{0xf3, 0x0f, 0xb8, 0xc3}, KIND_POPCNT},
        {{0x0f, 0x38, 0xf0, 0x03}, KIND_MOVBE},
        {{0x0f, 0xc7, 0xf0}, KIND_RANDOM},
        {{0x0f, 0xc7, 0xf8}, KIND_RANDOM},
        {{0xf3, 0x0f, 0xc7, 0xf8}, KIND_RDPID},
        {{0x0f, 0x01, 0xf9}, KIND_RDTSCP},
        {{0x66, 0x0f, 0xae, 0x3b}, KIND_FLUSH},
        {{0x66, 0x0f, 0xae, 0x33}, KIND_FLUSH},
        {{0x0f, 0x01, 0xc8}, KIND_MONITOR},
        {{0x0f, 0x01, 0xc9}, KIND_MWAIT},
        {{0x66, 0x0f, 0x38, 0xdc, 0xc1}, KIND_ORDINARY}, /* AESENC, by the emulator */
        {{0x0f, 0x01, 0xd0}, KIND_XGETBV},
        {{0x0f, 0x01, 0xd1}, KIND_XSETBV},
        {{0x0f, 0xae, 0x23}, KIND_XSAVE},
        {{0x0f, 0xae, 0x2b}, KIND_XSAVE},                    /* XRSTOR */
        {{0x48, 0x0f, 0xae, 0x33}, KIND_XSAVE},              /* XSAVEOPT64 */
        {{0x0f, 0xc7, 0x23}, KIND_XSAVE},                    /* XSAVEC */
        {{0xc5, 0xf8, 0x77}, KIND_VECTOR},                   /* VZEROUPPER */
        {{0xc5, 0xf5, 0xfe, 0xc2}, KIND_VECTOR},             /* VPADDD ymm */
        {{0xc4, 0xe2, 0xf1, 0x98, 0xc2}, KIND_VECTOR},       /* VFMADD132PD */
        {{0x62, 0xf1, 0x75, 0x48, 0xfe, 0xc2}, KIND_VECTOR}, /* VPADDD zmm */
        {{0xc5, 0xf8, 0x92, 0xc9}, KIND_VECTOR},             /* KMOVW k1, ecx */
    };
    struct instruction instruction;

    (void)state;
    for (size_t i = 0; i < sizeof(played) / sizeof(*played); i++) {
        instruction_decode(&instruction, played[i].bytes, 8, 64, everything, NULL);
        assert_int_equal(instruction.kind, played[i].kind);
        instruction_decode(&instruction, played[i].bytes, 8, 64, nothing, NULL);
        assert_int_equal(instruction.kind, KIND_UNDEFINED);
    }
}

/* Announced, but not played: the rig stops instead of guessing. */
static void a_vector_instruction_that_is_not_played_stops_the_rig(void **state)
{
    static const uint8_t codes[][8] = {
        {0xc4, 0xe3, 0x7d, 0x08, 0xc1, 0x00}, /* VROUNDPS ymm0, ymm1, 0 */
        {0xc4, 0xe3, 0x75, 0x40, 0xc2, 0x00}, /* VDPPS ymm0, ymm1, ymm2, 0 */
        {0xc5, 0xff, 0xf0, 0x00},             /* VLDDQU is, */
        {0x62, 0xf1, 0x74, 0x48, 0xc2, 0xca}, /* VCMPPS k1, zmm1, zmm2 is not */
        {0xc4, 0xe2, 0x70, 0xf2, 0xc2},       /* ANDN */
    };
    struct instruction instruction;

    (void)state;
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        instruction_decode(&instruction, codes[i], 8, 64, everything, NULL);
        assert_int_equal(instruction.kind, i == 2 ? KIND_VECTOR : KIND_UNSUPPORTED);
    }
}

static const struct cpuid_bit *denied;

static bool all_but_one(void *context, const struct cpuid_bit *bit)
{
    (void)context;
    return bit->leaf != denied->leaf || bit->reg != denied->reg || bit->bit != denied->bit;
}

/* SDM 2, the instructions' own pages: shorter vectors in EVEX encoding also need AVX512VL. */
static void each_of_two_features_is_asked_for(void **state)
{
    static const struct cpuid_bit f = LEAF(7, EBX, 16), vl = LEAF(7, EBX, 31),
                                  dq = LEAF(7, EBX, 17), avx2 = LEAF(7, EBX, 5);
    static const struct {
        const struct cpuid_bit *bit;
        uint8_t bytes[8];
        bool needed;
    } rows[] = {
        {&f, {0x62, 0xf1, 0x75, 0x28, 0xfe, 0xc2}, true}, /* VPADDD ymm, EVEX */
        {&vl, {0x62, 0xf1, 0x75, 0x28, 0xfe, 0xc2}, true},
        {&vl, {0x62, 0xf1, 0x75, 0x48, 0xfe, 0xc2}, false}, /* VPADDD zmm */
        {&dq, {0x62, 0xf1, 0x74, 0x48, 0x57, 0xc2}, true},  /* VXORPS zmm */
        {&dq, {0x62, 0xf1, 0x75, 0x48, 0xef, 0xc2}, false}, /* VPXORD zmm */
        {&avx2, {0xc5, 0xf5, 0xfe, 0xc2}, true},            /* VPADDD ymm, VEX */
        {&avx2, {0xc5, 0xf1, 0xfe, 0xc2}, false},           /* VPADDD xmm, VEX */
        {&f, {0xc5, 0xf5, 0xfe, 0xc2}, false},
    };
    struct instruction instruction;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        denied = rows[i].bit;
        instruction_decode(&instruction, rows[i].bytes, 8, 64, all_but_one, NULL);
        assert_int_equal(instruction.kind, rows[i].needed ? KIND_UNDEFINED : KIND_VECTOR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpuid_announces_nothing_beyond_the_emulator),
        cmocka_unit_test(what_the_emulator_lacks_never_reaches_it),
        cmocka_unit_test(what_is_played_goes_by_its_bit),
        cmocka_unit_test(a_vector_instruction_that_is_not_played_stops_the_rig),
        cmocka_unit_test(each_of_two_features_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
