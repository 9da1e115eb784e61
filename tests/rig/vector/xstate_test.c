/* The area of XSAVE and XRSTOR, by hand. Offsets: SDM 1, "Format of the Legacy Region of an XSAVE
 * Area", "XSAVE Header"; beyond the legacy region as CPUID leaf 0DH gives them on Skylake-SP, where
 * XSAVE writes 2688 bytes. */
#include "vector_test.h"
#include "vector/xstate.h"

#define ALL UINT64_C(0xe7)

static const struct xstate_layout skylake = {
    .offset = {[2] = 576, [5] = 1088, [6] = 1152, [7] = 1664}};

static struct vector_file file;
static uint8_t area[XSTATE_BYTES];

/* Every byte of a register holds the number of the register and the part that the byte belongs to.
 */
static struct xstate numbered(void)
{
    struct xstate state = {
        .fcw = 0x27f, .fsw = 0x3800, .ftw = 0x80, .mxcsr = 0x9fc0, .file = &file};

    for (unsigned i = 0; i < 32; i++)
        for (unsigned at = 0; at < 64; at++)
            file.vector[i][at] = (uint8_t)(i << 3 | at >> 4);
    for (unsigned i = 0; i < 8; i++) {
        file.mask[i] = UINT64_C(0x1111111111111111) * (i + 1);
        memset(state.st[i], (int)(0xc0 + i), sizeof(state.st[i]));
    }
    memset(area, 0xee, sizeof(area));
    memset(area + 512, 0, 64);
    return state;
}

static uint64_t header(unsigned at)
{
    uint64_t value;

    memcpy(&value, area + at, sizeof(value));
    return value;
}

static void set_header(unsigned at, uint64_t value)
{
    memcpy(area + at, &value, sizeof(value));
}

static void each_part_has_its_place(void **state)
{
    const struct xstate from = numbered();

    (void)state;
    xstate_save(&from, XSAVE_PLAIN, ALL, &skylake, area);
    assert_true(area[0] == 0x7f && area[1] == 0x02 && area[3] == 0x38 && area[4] == 0x80);
    assert_true(area[24] == 0xc0 && area[25] == 0x9f && area[26] == 0);
    assert_true(area[32] == 0xc0 && area[41] == 0xc0 && area[48] == 0xc1 && area[144] == 0xc7);
    assert_true(area[160] == 0 && area[176] == 1 << 3 && area[415] == 15 << 3);
    for (unsigned i = 464; i < 512; i++) /* for software */
        assert_int_equal(area[i], 0xee);
    assert_true(header(512) == ALL && header(520) == 0);
    assert_true(area[576] == 1 && area[592] == (1 << 3 | 1) && area[831] == (15 << 3 | 1));
    assert_true(area[832] == 0xee && area[1087] == 0xee); /* the place of MPX */
    assert_true(area[1088] == 0x11 && area[1151] == 0x88);
    assert_true(area[1152] == 2 && area[1183] == 3 && area[1663] == (15 << 3 | 3));
    assert_true(area[1664] == 16 << 3 && area[2687] == (uint8_t)(31 << 3 | 3));
}

/* Parts that are not requested stay as they are, in the area and in the header; MXCSR is also saved
 * with AVX. */
static void only_what_is_asked_for_is_written(void **state)
{
    const struct xstate from = numbered();

    (void)state;
    set_header(512, XSTATE_X87);
    xstate_save(&from, XSAVE_PLAIN, XSTATE_AVX, &skylake, area);
    assert_true(area[0] == 0xee && area[32] == 0xee && area[160] == 0xee && area[1088] == 0xee);
    assert_true(area[24] == 0xc0 && area[576] == 1);
    assert_true(header(512) == (XSTATE_X87 | XSTATE_AVX));
}

/* A reset leaves 37FH in the control word, all registers empty and zero, MXCSR 1F80H. */
static void what_the_header_lacks_is_reset(void **state)
{
    struct xstate to = numbered();

    (void)state;
    set_header(512, XSTATE_SSE | XSTATE_OPMASK);
    memset(area + 24, 0, 8);
    area[24] = 0x80, area[25] = 0x1f;
    xstate_load(&to, ALL & ~XSTATE_HI16_ZMM, &skylake, area);
    assert_true(to.fcw == 0x37f && to.fsw == 0 && to.ftw == 0 && to.st[7][9] == 0);
    assert_true(file.vector[0][0] == 0xee && file.vector[15][15] == 0xee);
    assert_true(file.vector[0][16] == 0 && file.vector[15][63] == 0);
    assert_true(file.mask[7] == UINT64_C(0xeeeeeeeeeeeeeeee));
    assert_true(file.vector[16][0] == 16 << 3); /* was not requested */
    assert_true(to.mxcsr == 0x1f80);
    assert_true(xstate_in_use(&to) == (XSTATE_SSE | XSTATE_OPMASK | XSTATE_HI16_ZMM));
}

/* SDM 1, "Standard Form of XRSTOR": bits beyond XCR0, and bytes 8 to 23 of the header. */
static void the_header_must_be_well_formed(void **state)
{
    (void)state;
    numbered();
    set_header(512, ALL);
    assert_true(xstate_header_is_good(area, ALL, false));
    assert_false(xstate_header_is_good(area, 7, false));
    for (unsigned at = 520; at < 576; at++) {
        area[at] = 1;
        assert_int_equal(xstate_header_is_good(area, ALL, false), at >= 536);
        area[at] = 0;
    }
    set_header(520, XSTATE_COMPACTED | ALL);
    assert_false(xstate_header_is_good(area, ALL, false)); /* not offered */
    assert_true(xstate_header_is_good(area, ALL, true));
    set_header(520, XSTATE_COMPACTED | 7);
    assert_false(xstate_header_is_good(area, ALL, true)); /* holds a part that the format lacks */
    set_header(512, 7);
    assert_true(xstate_header_is_good(area, ALL, true));
    assert_false(xstate_header_is_good(area, 3, true));
    area[575] = 1;
    assert_false(xstate_header_is_good(area, ALL, true));
}

/* In the standard form MXCSR is loaded whenever SSE or AVX is requested, in the compacted form only
 * with the data of SSE. */
static void when_mxcsr_is_loaded(void **state)
{
    struct xstate to = numbered();

    (void)state;
    assert_true(xstate_loads_mxcsr(area, XSTATE_AVX) && xstate_loads_mxcsr(area, XSTATE_SSE));
    assert_false(xstate_loads_mxcsr(area, XSTATE_X87 | XSTATE_OPMASK));
    set_header(520, XSTATE_COMPACTED | 7);
    assert_false(xstate_loads_mxcsr(area, 7));
    xstate_load(&to, 7, &skylake, area);
    assert_int_equal(to.mxcsr, 0x1f80);
    set_header(512, XSTATE_SSE);
    assert_true(xstate_loads_mxcsr(area, 7));
    assert_false(xstate_loads_mxcsr(area, XSTATE_AVX));
}

/* Opmasks 64 bytes, ZMM's upper halves 512, the other sixteen 1024, AVX's 256. */
static void the_compacted_format_leaves_no_gap(void **state)
{
    struct xstate from = numbered();
    struct xstate_layout layout = xstate_compacted(ALL & ~XSTATE_AVX);

    (void)state;
    assert_true(layout.offset[5] == 576 && layout.offset[6] == 640 && layout.offset[7] == 1152);
    layout = xstate_compacted(ALL);
    assert_true(layout.offset[2] == 576 && layout.offset[5] == 832 && layout.offset[7] == 1408);
    memset(file.mask, 0, sizeof(file.mask)); /* initial: its place stays as it was */
    xstate_save(&from, XSAVE_COMPACTED, ALL, &layout, area);
    assert_true(header(512) == (ALL & ~XSTATE_OPMASK) && header(520) == (XSTATE_COMPACTED | ALL));
    assert_true(area[832] == 0xee && area[896] == 2 && area[1408] == 16 << 3);
}

/* Lines of 64 bytes: 0 to 7 the legacy region, 8 the header, 9 to 12 AVX, 17 the masks. */
static void only_lines_in_question_are_looked_for(void **state)
{
    (void)state;
    assert_true(xstate_lines(&skylake, 0) == 0x100);
    assert_true(xstate_lines(&skylake, XSTATE_X87) == 0x1ff);
    assert_true(xstate_lines(&skylake, XSTATE_AVX) == 0x1fff);
    assert_true(xstate_lines(&skylake, XSTATE_OPMASK) == 0x20100);
    assert_true(xstate_lines(&skylake, XSTATE_HI16_ZMM) == UINT64_C(0x3fffc000100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_has_its_place),
        cmocka_unit_test(only_what_is_asked_for_is_written),
        cmocka_unit_test(what_the_header_lacks_is_reset),
        cmocka_unit_test(the_header_must_be_well_formed),
        cmocka_unit_test(when_mxcsr_is_loaded),
        cmocka_unit_test(the_compacted_format_leaves_no_gap),
        cmocka_unit_test(only_lines_in_question_are_looked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
