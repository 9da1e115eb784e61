/* What BHive's harness adds to the cycles of a block. */
#define COPIES 200u
#define CODE   HARNESS_CODE
#include "straight_test.h"

#define IMUL "\x48\x0f\xaf\xc0" /* IMUL RAX, RAX: a chain of 3 cycles, of 4 bytes */

/* The first copy lies at 15, modulo 16. Behind a row are 5 bytes, then MOV ECX, 40000001H, also of
 * 5, which is fetched anew after CPUID: a cycle later where it begins at 12 or above. Rows of 100
 * and 200 copies put it, by the bytes of a copy, at
 *   4:  4 and  4    5:  8 and 12    6: 12 and  4    7:  0 and 12
 * and 100 copies more take as many cycles more or less. BHive's measurements show that: the most
 * frequent errors of blocks on Ivy Bridge, less the two cycles of HARNESS_SHORT, are these four by
 * the bytes of a copy modulo 4. */
static void what_is_behind_a_row_lies_in_one_block_of_code_or_two(void **state)
{
    static const char *const code[] = {IMUL, IMUL "\x90", IMUL "\x66\x90", IMUL "\x0f\x1f\x00"};
    static const int later[] = {0, 1, -1, 1};
    static const struct model_parameters *const cores[] = {&ivybridge_core, &haswell_core,
                                                           &skylakex_core};

    (void)state;
    for (unsigned core = 0; core < 3; core++)
        for (unsigned i = 0; i < 4; i++) {
            const double cycles = cycles_of(cores[core], code[i], 4 + i, 0);

            if (lround(100 * cycles) != 300 + later[i])
                fail_msg("%s: a copy of %u bytes takes %.2f cycles, not %.2f", cores[core]->name,
                         4 + i, cycles, 3 + later[i] / 100.0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_behind_a_row_lies_in_one_block_of_code_or_two),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
