/* Instructions in VEX and EVEX encodings: what vector_execute makes of them, compared with values
 * worked out by hand. */
#include <math.h>

#include "vector_test.h"

static void put_double(struct register_image *image, unsigned id, unsigned lane, double value)
{
    memcpy(image->file.vector[id] + 8 * lane, &value, sizeof(value));
}

static double get_double(const struct register_image *image, unsigned id, unsigned lane)
{
    double value;

    memcpy(&value, image->file.vector[id] + 8 * lane, sizeof(value));
    return value;
}

static uint64_t lane(const struct register_image *image, unsigned id, unsigned lane)
{
    uint64_t value;

    memcpy(&value, image->file.vector[id] + 8 * lane, sizeof(value));
    return value;
}

/* 1 to 8 in ZMM1, ten times that in ZMM2, ones all over ZMM0. */
static void numbers(struct register_image *image)
{
    memset(image, 0, sizeof(*image));
    memset(image->file.vector[0], 0xff, VECTOR_BYTES);
    for (unsigned i = 0; i < 8; i++) {
        put_double(image, 1, i, i + 1);
        put_double(image, 2, i, 10 * (i + 1));
    }
}

static void an_instruction_clears_what_lies_above_it(void **state)
{
    static const uint8_t xmm[] = {0xc5, 0xf1, 0x58, 0xc2}, /* vaddpd xmm0, xmm1, xmm2 */
        ymm[] = {0xc5, 0xf5, 0x58, 0xc2}, scalar[] = {0xc5, 0xf3, 0x58, 0xc2}, /* vaddsd */
        zmm[] = {0x62, 0xf1, 0xf5, 0x48, 0x58, 0xc2};
    struct register_image image;

    (void)state;
    numbers(&image);
    assert_true(play(&image, zmm, MXCSR));
    for (unsigned i = 0; i < 8; i++)
        assert_true(get_double(&image, 0, i) == 11.0 * (i + 1));
    assert_true(play(&image, ymm, MXCSR));
    for (unsigned i = 0; i < 8; i++)
        assert_true(get_double(&image, 0, i) == (i < 4 ? 11.0 * (i + 1) : 0));
    assert_true(play(&image, xmm, MXCSR));
    assert_true(get_double(&image, 0, 1) == 22 && lane(&image, 0, 2) == 0 &&
                lane(&image, 0, 3) == 0);
    memset(image.file.vector[0], 0xff, VECTOR_BYTES);
    assert_true(play(&image, scalar, MXCSR)); /* its second lane is the first source's */
    assert_true(get_double(&image, 0, 0) == 11 && get_double(&image, 0, 1) == 2);
    assert_true(lane(&image, 0, 2) == 0 && lane(&image, 0, 7) == 0);
}

static void zeroupper_leaves_the_lower_and_the_later_registers(void **state)
{
    static const uint8_t upper[] = {0xc5, 0xf8, 0x77}, all[] = {0xc5, 0xfc, 0x77};
    struct register_image image;

    (void)state;
    numbers(&image);
    memset(image.file.vector[16], 0xee, VECTOR_BYTES);
    assert_true(play(&image, upper, MXCSR));
    assert_true(get_double(&image, 1, 0) == 1 && get_double(&image, 1, 1) == 2);
    for (unsigned i = 2; i < 8; i++)
        assert_true(lane(&image, 0, i) == 0 && lane(&image, 2, i) == 0);
    assert_true(lane(&image, 16, 7) == UINT64_C(0xeeeeeeeeeeeeeeee));
    assert_true(play(&image, all, MXCSR));
    assert_true(lane(&image, 1, 0) == 0 && lane(&image, 16, 0) == UINT64_C(0xeeeeeeeeeeeeeeee));
}

/* (1 + 2^-30)(1 - 2^-30) - 1 is -2^-60; rounded in between it would be 0. The digits give the order
 * of the operands: with 2, 3 and 10 in the three registers they give 2*10+3, 3*2+10, 3*10+2. */
static void a_fused_multiplication_rounds_once(void **state)
{
    static const uint8_t code[3][5] = {{0xc4, 0xe2, 0xf1, 0x98, 0xc2},  /* vfmadd132pd */
                                       {0xc4, 0xe2, 0xf1, 0xa8, 0xc2},  /* vfmadd213pd */
                                       {0xc4, 0xe2, 0xf1, 0xb8, 0xc2}}; /* vfmadd231pd */
    static const double results[] = {23, 16, 32};
    struct register_image image;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        memset(&image, 0, sizeof(image));
        put_double(&image, 0, 1, 2);
        put_double(&image, 1, 1, 3);
        put_double(&image, 2, 1, 10);
        assert_true(play(&image, code[i], MXCSR));
        assert_true(get_double(&image, 0, 1) == results[i]);
    }
    put_double(&image, 0, 0, 1 + 0x1p-30);
    put_double(&image, 1, 0, 1 - 0x1p-30);
    put_double(&image, 2, 0, -1);
    assert_true(play(&image, code[1], MXCSR));
    assert_true(get_double(&image, 0, 0) == -0x1p-60);
}

/* 1/3 is 0x3fd5555555555555 to the nearest and downward, one more upward. Half of the smallest
 * normal number is 2^51 units in the last place of denormal numbers, or zero when these are
 * flushed. */
static void mxcsr_says_how_to_round(void **state)
{
    static const uint8_t divide[] = {0xc5, 0xf1, 0x5e, 0xc2}; /* vdivpd xmm0, xmm1, xmm2 */
    static const uint64_t third = UINT64_C(0x3fd5555555555555);
    struct register_image image;

    (void)state;
    numbers(&image);
    put_double(&image, 2, 0, 3);
    put_double(&image, 1, 1, 0x1p-1022);
    put_double(&image, 2, 1, 2);
    assert_true(play(&image, divide, MXCSR));
    assert_true(lane(&image, 0, 0) == third && lane(&image, 0, 1) == UINT64_C(1) << 51);
    assert_true(play(&image, divide, MXCSR | 2 * ROUND_DOWN));
    assert_true(lane(&image, 0, 0) == third + 1);
    assert_true(play(&image, divide, MXCSR | DAZ_FTZ));
    assert_true(lane(&image, 0, 0) == third && lane(&image, 0, 1) == 0);
}

/* SDM 2, VMINPD: when an operand is a NaN, or both are zero, the second source is the result. SDM
 * 1: an invalid operation gives the negative quiet NaN. */
static void what_is_no_number(void **state)
{
    static const uint8_t min[] = {0xc5, 0xf1, 0x5d, 0xc2}, sub[] = {0xc5, 0xf1, 0x5c, 0xc2};
    struct register_image image;

    (void)state;
    numbers(&image);
    put_double(&image, 1, 0, NAN);
    put_double(&image, 1, 1, 0.0);
    put_double(&image, 2, 1, -0.0);
    assert_true(play(&image, min, MXCSR));
    assert_true(get_double(&image, 0, 0) == 10 && lane(&image, 0, 1) == UINT64_C(1) << 63);
    put_double(&image, 1, 0, INFINITY);
    put_double(&image, 2, 0, INFINITY);
    assert_true(play(&image, sub, MXCSR));
    assert_true(lane(&image, 0, 0) == UINT64_C(0xfff8000000000000));
}

/* SDM 1, "SSE and SSE2 SIMD Floating-Point Exceptions": IE 1, DE 2, ZE 4, OE 8, UE 16, PE 32. */
static void exceptions_are_noted(void **state)
{
    static const uint8_t divide[] = {0xc5, 0xf3, 0x5e, 0xc2}; /* vdivsd xmm0, xmm1, xmm2 */
    static const uint8_t masked[] = {0x62, 0xf1, 0xf5, 0x49, 0x5e, 0xc2}; /* vdivpd zmm0{k1} */
    static const uint8_t quiet[] = {0xc5, 0xf8, 0x2e, 0xca},              /* vucomiss xmm1, xmm2 */
        loud[] = {0xc5, 0xf8, 0x2f, 0xca};                                /* vcomiss */
    static const struct {
        double a, b;
        uint32_t mxcsr, raised;
    } rows[] = {
        {8, 2, MXCSR, 0},
        {1, 3, MXCSR, 0x20},
        {1, 0, MXCSR, 0x04},
        {0, 0, MXCSR, 0x01},
        {0x1p1000, 0x1p-1000, MXCSR, 0x28},
        {0x1p-1000, 0x1.8p1000, MXCSR, 0x30},
        {0x1p-1022, 2, MXCSR, 0}, /* small, and exact */
        {0x1p-1022, 2, MXCSR | DAZ_FTZ, 0x30},
        {0x1p-1074, 0x1p-1000, MXCSR, 0x02},
        {0x1p-1074, 1, MXCSR | DAZ_FTZ, 0},
        {0x1p-1074, 0, MXCSR, 0x04},
        {NAN, 0x1p-1074, MXCSR, 0},
    };
    struct register_image image;

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        numbers(&image);
        put_double(&image, 1, 0, rows[i].a);
        put_double(&image, 2, 0, rows[i].b);
        assert_true(play(&image, divide, rows[i].mxcsr));
        assert_int_equal(image.raised, rows[i].raised);
    }
    numbers(&image);
    put_double(&image, 2, 3, 0);
    image.file.mask[1] = 0xf7; /* all elements except the division by zero */
    assert_true(play(&image, masked, MXCSR));
    assert_int_equal(image.raised & 0x04, 0);
    put_double(&image, 1, 0, 0); /* a quiet NaN beside it */
    memset(image.file.vector[2], 0xff, 4);
    assert_true(play(&image, quiet, MXCSR));
    assert_int_equal(image.raised, 0);
    assert_true(play(&image, loud, MXCSR));
    assert_int_equal(image.raised, 0x01);
}

/* vaddpd zmm0{k1}, zmm1, zmm2 with and without {z}: bits 1 and 7 of the mask are set. */
static void a_mask_keeps_or_clears(void **state)
{
    static const uint8_t merge[] = {0x62, 0xf1, 0xf5, 0x49, 0x58, 0xc2},
                         zero[] = {0x62, 0xf1, 0xf5, 0xc9, 0x58, 0xc2};
    struct register_image image;

    (void)state;
    numbers(&image);
    image.file.mask[1] = 0x82;
    assert_true(play(&image, merge, MXCSR));
    for (unsigned i = 0; i < 8; i++)
        assert_true(i == 1 || i == 7 ? get_double(&image, 0, i) == 11.0 * (i + 1)
                                     : lane(&image, 0, i) == UINT64_MAX);
    assert_true(play(&image, zero, MXCSR));
    assert_true(lane(&image, 0, 0) == 0 && get_double(&image, 0, 7) == 88);
}

/* With bits 1 and 7: what a load leaves out stays or becomes zero, what a store leaves out stays.
 */
static void a_mask_goes_for_memory_too(void **state)
{
    static const uint8_t load[] = {0x62, 0xf1, 0xfd,
                                   0x49, 0x28, 0x02},     /* vmovapd zmm0{k1}, [rdx] */
        cleared[] = {0x62, 0xf1, 0xfd, 0xc9, 0x28, 0x02}, /* zmm0{k1}{z} */
        store[] = {0x62, 0xf1, 0xfd, 0x49, 0x29, 0x0a},   /* [rdx]{k1}, zmm1 */
        all[] = {0x62, 0xf1, 0xf5, 0x59, 0x58, 0x02};     /* vaddpd zmm0{k1}, zmm1, [rdx]{1to8} */
    struct register_image image;

    (void)state;
    numbers(&image);
    image.file.mask[1] = 0x82;
    memset(image.memory, 0x55, sizeof(image.memory));
    assert_true(play(&image, load, MXCSR));
    assert_true(lane(&image, 0, 7) == UINT64_C(0x5555555555555555) && ~lane(&image, 0, 0) == 0);
    assert_true(play(&image, cleared, MXCSR));
    assert_true(lane(&image, 0, 1) == UINT64_C(0x5555555555555555) && lane(&image, 0, 6) == 0);
    assert_true(play(&image, store, MXCSR));
    assert_true(memcmp(image.memory + 8, image.file.vector[1] + 8, 8) == 0);
    assert_true(image.memory[7] == 0x55 && image.memory[16] == 0x55 && image.memory[55] == 0x55);
    memcpy(image.memory, image.file.vector[2], 8);
    assert_true(play(&image, all, MXCSR));
    assert_true(get_double(&image, 0, 1) == 12 && get_double(&image, 0, 7) == 18);
    assert_true(lane(&image, 0, 6) == 0);
}

/* SDM 2, VMASKMOV: elements whose mask has its highest bit set; the others become zero in a
 * register and stay in memory. */
static void signs_are_a_mask_too(void **state)
{
    static const uint8_t load[] = {0xc4, 0xe2, 0x75, 0x2d, 0x02}, /* vmaskmovpd ymm0, ymm1, [rdx] */
        store[] = {0xc4, 0xe2, 0x75, 0x2f, 0x12};                 /* [rdx], ymm1, ymm2 */
    struct register_image image;

    (void)state;
    numbers(&image);
    put_double(&image, 1, 2, -0.0);
    memset(image.memory, 0x55, sizeof(image.memory));
    assert_true(play(&image, load, MXCSR));
    assert_true(lane(&image, 0, 2) == UINT64_C(0x5555555555555555));
    assert_true(lane(&image, 0, 1) == 0 && lane(&image, 0, 3) == 0 && lane(&image, 0, 4) == 0);
    assert_true(play(&image, store, MXCSR));
    assert_true(memcmp(image.memory + 16, image.file.vector[2] + 16, 8) == 0);
    assert_true(image.memory[15] == 0x55 && image.memory[24] == 0x55);
}

/* Ones in the upper half of a block, so that a wrong half or a wrong count shows. */
static void blocks_go_where_the_constant_says(void **state)
{
    static const uint8_t insert[] = {0xc4, 0xe3, 0x75,
                                     0x18, 0xc2, 0x01},      /* vinsertf128 ymm0.., 1 */
        extract[] = {0xc4, 0xe3, 0x7d, 0x19, 0xcb, 0x01},    /* vextractf128 xmm3, ymm1 */
        wide[] = {0x62, 0xf3, 0x7d, 0x48, 0x19, 0xcb, 0x03}; /* vextractf32x4 xmm3, zmm1 */
    struct register_image image;

    (void)state;
    numbers(&image);
    assert_true(play(&image, insert, MXCSR));
    assert_true(get_double(&image, 0, 0) == 1 && get_double(&image, 0, 1) == 2 &&
                get_double(&image, 0, 2) == 10 && get_double(&image, 0, 3) == 20);
    assert_true(lane(&image, 0, 4) == 0);
    assert_true(play(&image, extract, MXCSR));
    assert_true(get_double(&image, 3, 0) == 3 && get_double(&image, 3, 1) == 4);
    assert_true(play(&image, wide, MXCSR));
    assert_true(get_double(&image, 3, 0) == 7 && get_double(&image, 3, 1) == 8);
    assert_true(lane(&image, 3, 2) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_clears_what_lies_above_it),
        cmocka_unit_test(zeroupper_leaves_the_lower_and_the_later_registers),
        cmocka_unit_test(a_fused_multiplication_rounds_once),
        cmocka_unit_test(mxcsr_says_how_to_round),
        cmocka_unit_test(what_is_no_number),
        cmocka_unit_test(exceptions_are_noted),
        cmocka_unit_test(a_mask_keeps_or_clears),
        cmocka_unit_test(a_mask_goes_for_memory_too),
        cmocka_unit_test(signs_are_a_mask_too),
        cmocka_unit_test(blocks_go_where_the_constant_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
