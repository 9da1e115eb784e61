/* Which exceptions instructions of SSE raise, by SDM 2, the instructions' own pages, "SIMD
 * Floating-Point Exceptions". */
#include "vector/sse.h"

#include "vector/mxcsr.h"
#include "vector_test.h"

#define QUIET_SINGLE        0x7fc00000u
#define QUIET               0x7ff8000000000000u
#define ONE_SINGLE          0x3f800000u
#define THIRD_SINGLE        0x3eaaaaabu
#define ONE                 0x3ff0000000000000u
#define SMALL_SINGLE        0x00000001u
#define AS_SINGLE_TOO_SMALL 0x3730000000000000u /* 2 to the power -140: exact, denormal */

static uint32_t raised(const uint8_t *bytes, uint64_t first, uint64_t second, uint32_t mxcsr)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];
    struct sse_operands operands = {.wide = false};

    assert_true(decode(bytes, &decoded, list) && sse_computes(&decoded));
    operands.predicate =
        list[2].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? (uint8_t)list[2].imm.value.u : 0;
    operands.wide = list[0].size == 64;
    memcpy(operands.first, &first, sizeof(first));
    memcpy(operands.second, &second, sizeof(second));
    return sse_raises(&decoded, &operands, mxcsr);
}

static void quiet_nans_are_invalid_where_they_are_ordered(void **state)
{
    /* CMPPS by predicate: EQ, LT, LE, UNORD, NEQ, NLT, NLE, ORD */
    static const uint32_t wanted[8] = {0, MXCSR_IE, MXCSR_IE, 0, 0, MXCSR_IE, MXCSR_IE, 0};
    static const uint8_t minps[] = {0x0f, 0x5d, 0xc1}, addps[] = {0x0f, 0x58, 0xc1};
    uint8_t cmpps[] = {0x0f, 0xc2, 0xc1, 0};

    (void)state;
    for (cmpps[3] = 0; cmpps[3] < 8; cmpps[3]++)
        assert_int_equal(raised(cmpps, QUIET_SINGLE, ONE_SINGLE, MXCSR), wanted[cmpps[3]]);
    assert_int_equal(raised(minps, ONE_SINGLE, QUIET_SINGLE, MXCSR), MXCSR_IE);
    assert_int_equal(raised(addps, ONE_SINGLE, QUIET_SINGLE, MXCSR), 0);
}

/* Into an integer no denormal operand is an exception; 2^31 fits into 64 bits, not into 32. */
static void conversions(void **state)
{
    static const uint8_t cvtss2si[] = {0xf3, 0x0f, 0x2d, 0xc1}, cvtps2pd[] = {0x0f, 0x5a, 0xc1},
                         cvttsd2si[] = {0xf2, 0x0f, 0x2c, 0xc1},
                         cvttsd2si64[] = {0xf2, 0x48, 0x0f, 0x2c, 0xc1},
                         cvtpd2ps[] = {0x66, 0x0f, 0x5a, 0xc1};

    (void)state;
    assert_int_equal(raised(cvtss2si, 0, SMALL_SINGLE, MXCSR), MXCSR_PE);
    assert_int_equal(raised(cvtps2pd, 0, SMALL_SINGLE, MXCSR), MXCSR_DE);
    assert_int_equal(raised(cvtps2pd, 0, SMALL_SINGLE, MXCSR | MXCSR_DAZ), 0);
    assert_int_equal(raised(cvttsd2si, 0, 0x41e0000000000000, MXCSR), MXCSR_IE);
    assert_int_equal(raised(cvttsd2si64, 0, 0x41e0000000000000, MXCSR), 0);
    assert_int_equal(raised(cvtpd2ps, 0, AS_SINGLE_TOO_SMALL, MXCSR), 0);
    assert_int_equal(raised(cvtpd2ps, 0, AS_SINGLE_TOO_SMALL, MXCSR & ~MXCSR_UM), MXCSR_UE);
}

/* Of 1, 0 and 2^60 as doubles: which pairs lose bits, or are invalid. */
static void sums_within_an_operand(void **state)
{
    static const uint8_t haddpd[] = {0x66, 0x0f, 0x7c, 0xc1}, hsubpd[] = {0x66, 0x0f, 0x7d, 0xc1},
                         haddps[] = {0xf2, 0x0f, 0x7c, 0xc1}, addsubpd[] = {0x66, 0x0f, 0xd0, 0xc1},
                         addsubps[] = {0xf2, 0x0f, 0xd0, 0xc1};
    const uint64_t one_and_huge = (uint64_t)0x5d800000 << 32 | ONE_SINGLE,
                   infinities = (uint64_t)0x7f800000 << 32 | 0x7f800000;

    (void)state;
    assert_int_equal(raised(haddps, one_and_huge, 0, MXCSR), MXCSR_PE);
    assert_int_equal(raised(haddps, 0, one_and_huge, MXCSR), MXCSR_PE);
    assert_int_equal(raised(haddps, infinities, 0, MXCSR), 0);
    assert_int_equal(raised(addsubps, infinities, infinities, MXCSR), MXCSR_IE);
    assert_int_equal(raised(addsubps, infinities & ~UINT64_C(0xffffffff), infinities, MXCSR), 0);
    assert_int_equal(raised(haddpd, QUIET, 0, MXCSR), 0);
    assert_int_equal(raised(haddpd, 0x7ff0000000000001, 0, MXCSR), MXCSR_IE);
    assert_int_equal(raised(hsubpd, 0x7ff0000000000000, 0, MXCSR), 0);
    assert_int_equal(raised(addsubpd, 0x7ff0000000000000, 0x7ff0000000000000, MXCSR), MXCSR_IE);
}

static void strings_are_no_numbers(void **state)
{
    static const uint8_t cmpsd_string[] = {0xa7}, cmpsd[] = {0xf2, 0x0f, 0xc2, 0xc1, 0},
                         movaps[] = {0x0f, 0x28, 0xc1};
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand list[ZYDIS_MAX_OPERAND_COUNT];

    (void)state;
    assert_true(decode(cmpsd_string, &decoded, list) && !sse_computes(&decoded));
    assert_true(decode(movaps, &decoded, list) && !sse_computes(&decoded));
    assert_true(decode(cmpsd, &decoded, list) && sse_computes(&decoded));
}

static void operands_that_fault_hide_the_result(void **state)
{
    uint32_t flags = 0;

    (void)state;
    assert_false(mxcsr_faults(MXCSR, MXCSR_ZE | MXCSR_PE, &flags));
    assert_int_equal(flags, MXCSR_ZE | MXCSR_PE);
    assert_true(mxcsr_faults(MXCSR & ~0x200u, MXCSR_ZE | MXCSR_PE, &flags)); /* ZM */
    assert_int_equal(flags, MXCSR_ZE);
    assert_true(mxcsr_faults(MXCSR & ~0x1000u, MXCSR_DE | MXCSR_PE, &flags)); /* PM */
    assert_int_equal(flags, MXCSR_DE | MXCSR_PE);
    assert_false(mxcsr_faults(MXCSR_ZE, 0, &flags));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_nans_are_invalid_where_they_are_ordered),
        cmocka_unit_test(conversions),
        cmocka_unit_test(sums_within_an_operand),
        cmocka_unit_test(strings_are_no_numbers),
        cmocka_unit_test(operands_that_fault_hide_the_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
