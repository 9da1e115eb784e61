/* A compiled formula, and what it comes to. The code is postfix, for a stack of numbers;
 * `A if C else B` is
 *     C  UNLESS(->B)  A  SKIP(->end)  B
 * with jumps counted from the step after the jump, so that code can be moved. Pure. */
#ifndef PMU_FORMULA_FORMULA_EVALUATE_H
#define PMU_FORMULA_FORMULA_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FORMULA_STACK 32 /* operands waiting at once; the compiler refuses a formula with more */
#define FORMULA_NAME  71 /* bytes of the longest name */

enum formula_operation {
    STEP_NUMBER,
    STEP_NAME,
    STEP_NA,
    STEP_NEGATE,
    STEP_ADD, /* from STEP_ADD to STEP_MAX: two operands */
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

struct formula_step {
    uint8_t operation; /* enum formula_operation */
    uint16_t name;     /* STEP_NAME: index into names; STEP_UNLESS: steps of its condition */
    uint16_t jump;     /* STEP_UNLESS, STEP_SKIP: steps to skip */
    double number;     /* STEP_NUMBER */
};

struct formula {
    const char *text; /* in its file: `length` bytes, no 0 at the end */
    uint32_t length;
    struct formula_step *steps;
    uint16_t step_count;
    char **names; /* every name of the formula, of both arms of a condition, each once */
    uint16_t name_count;
};

/* A number, and by how much it may be off, from 0: the noise of counts. */
struct formula_number {
    double value, error;
};

/* Values of names. `value` returns whether the name has a value; if so, *number is set (its value
 * to FORMULA_NA where it is "not available"), else *reason says why not
 * ("CYCLE_ACTIVITY.STALLS_TOTAL not measured"). The reason is copied before the next call. */
#define FORMULA_NA __builtin_nan("")
struct formula_scope {
    void *context;
    bool (*value)(void *context, const char *name, struct formula_number *number,
                  const char **reason);
};

/* Room for the longest reason: the longest name of an event, and why it is not measured. */
#define FORMULA_REASON 144
struct formula_result {
    bool finite;
    bool not_available; /* the result is NA; `finite` is false then */
    bool clamped; /* valid when finite: somewhere max() or min() gave its number in the formula
                   * for another value */
    double value; /* valid when finite */
    double error; /* valid when finite: the errors of all names together, to first order */
    const char *reason; /* null when finite; else "division by zero", "NAME not measured", ... */
    char detail[FORMULA_REASON]; /* storage for reason: a copied struct points into the original */
};

/* Evaluates the formula into *result. NA counts as 0 when it is an operand; a formula whose result
 * is NA has no value. Nor has a formula that divides by a number which is not above its own error:
 * counts are not below 0, and a quotient of noise may be anything. Only the arm that a
 * condition selects is evaluated. A null scope knows no names. */
void formula_evaluate(const struct formula *formula, const struct formula_scope *scope,
                      struct formula_result *result);

/* Writes which arm each condition of the formula selects, in the order in which they are asked,
 * with a blank between: "if", "else", "?" where the condition has no value, "-" where it stands in
 * an arm that was not selected. False: the formula has no condition. */
#define FORMULA_ARMS 64
bool formula_arms(const struct formula *formula, const struct formula_scope *scope,
                  char out[FORMULA_ARMS]);

/* Calls `visit` for every name whose value may be needed, in the order of the code. Where `known`
 * has values for all names of a condition, the arm that the condition does not select is left out;
 * with a null `known` both arms of every condition are visited. A name may be visited more than
 * once. */
void formula_visit(const struct formula *formula, const struct formula_scope *known,
                   void (*visit)(void *context, const char *name), void *context);

#endif
