/* The verdicts of a kernel, in a table of fixed room. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/outcome/outcome_verdicts.h"
#include "tests/unit/seams.h"

static struct run run;

static void verdicts_beyond_the_room_are_left_out_and_an_error_says_so(void **state)
{
    (void)state;
    seams_reset();
    log_start(UINT64_MAX);
    outcome_verdicts_begin(&run.verdicts);
    for (unsigned i = 0; i < RUN_VERDICTS - 1; i++) {
        struct verdict *verdict = outcome_verdicts_next(&run.verdicts);

        assert_ptr_equal(verdict, &run.verdicts.of[i]);
        verdict->outcome = VERDICT_FAIL;
    }
    assert_null(strstr(seam_console(), "\"error\""));
    for (unsigned i = 0; i < 3; i++)
        assert_ptr_equal(outcome_verdicts_next(&run.verdicts), &run.verdicts.of[RUN_VERDICTS - 1]);
    assert_int_equal(run.verdicts.count, RUN_VERDICTS - 1);
    assert_non_null(strstr(seam_console(), "\"more verdicts than there is room for"));
    outcome_verdicts_keep_failures(&run.verdicts);
    assert_int_equal(run.verdicts.count, RUN_VERDICTS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_beyond_the_room_are_left_out_and_an_error_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
