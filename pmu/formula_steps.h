/* What compiler and evaluator of formulas share: the postfix code. `A if C else B` is
 *     C  UNLESS(->B)  A  SKIP(->end)  B
 * with jumps counted from the step after, so that code can be moved. */
#ifndef PMU_FORMULA_STEPS_H
#define PMU_FORMULA_STEPS_H

#include "formula.h"

enum formula_operation {
    STEP_NUMBER,
    STEP_NAME,
    STEP_NA,
    STEP_NEGATE,
    STEP_ADD, /* from here to STEP_MAX: two operands */
    STEP_SUBTRACT,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_LESS,
    STEP_MORE,
    STEP_AT_MOST,
    STEP_AT_LEAST,
    STEP_EQUAL,
    STEP_MIN,
    STEP_MAX,
    STEP_UNLESS,
    STEP_SKIP,
};

/* Evaluates steps first .. last-1, which must leave one value. A null scope knows no names. */
void formula_run(const struct formula *formula, unsigned first, unsigned last,
                 const struct formula_scope *scope, struct formula_result *result);

#endif
