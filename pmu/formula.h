/* Formulas as the vendor publishes them: numbers, names, + - * /, < > <= >= ==, unary -, min( , ),
 * max( , ), parentheses, `A if C else B` (binds weakest, right associative), and NA, which is "not
 * available": as an operand it counts as 0, as the result it is no value. Compiled once to postfix;
 * pure. */
#ifndef PMU_FORMULA_H
#define PMU_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/rc.h"

#define FORMULA_TOKENS 2048 /* longest formula */
#define FORMULA_DEPTH  24   /* parentheses within parentheses, `else` within `else` */
#define FORMULA_STACK  32   /* operands waiting at once */
#define FORMULA_NAME   71   /* longest name, bytes */

struct formula_step {
    uint8_t operation; /* see formula_steps.h */
    uint16_t name;     /* of a name: index into names; of a branch: steps of its condition */
    uint16_t jump;     /* of a branch step: steps to skip */
    double number;
};

struct formula {
    const char *text; /* where it stands in its file, `length` bytes */
    uint32_t length;
    struct formula_step *steps;
    uint16_t step_count;
    char **names; /* every name it mentions, both arms of a condition, each once */
    uint16_t name_count;
};

struct formula_error {
    uint32_t offset; /* into the text */
    const char *message, *expected;
};

/* RC_OK, RC_BAD_INPUT with *error, RC_NO_SPACE. A name is letters, digits, _ . : # and starts with
 * a letter, _ or #. A divisor that is zero whatever is counted is refused here. `text` must outlive
 * the formula. */
enum rc formula_compile(struct formula *formula, const char *text, size_t length,
                        void *(*allocate)(size_t), struct formula_error *error);
/* The same with memory from a pool. */
struct pool;
enum rc formula_compile_in(struct formula *formula, const char *text, size_t length,
                           struct pool *pool, struct formula_error *error);

/* The value of a name; false with *reason when there is none ("CYCLE_ACTIVITY.STALLS_TOTAL not
 * measured"). FORMULA_NA when that is its value. The reason is copied. */
#define FORMULA_NA __builtin_nan("")
struct formula_scope {
    void *context;
    bool (*value)(void *context, const char *name, double *value, const char **reason);
};
/* Room for the longest reason: the longest name of an event, and why it is not measured. */
#define FORMULA_REASON 144
struct formula_result {
    bool finite;
    bool not_available; /* the result is NA; `finite` is false */
    double value;
    const char *reason; /* when not finite: "division by zero", "CYCLE_ACTIVITY.STALLS_TOTAL not
                           measured", ... */
    char detail[FORMULA_REASON]; /* storage for reason: a copy of the struct must not outlive it */
};
/* Only the taken arm of a condition is evaluated. */
void formula_evaluate(const struct formula *formula, const struct formula_scope *scope,
                      struct formula_result *result);

/* Calls `visit` for the names whose values can be needed, in the order they stand: of a condition
 * that rests only on names `known` has a value for, the arm not taken is left out. With a null
 * `known` both arms of every condition. A name may come twice. */
void formula_visit(const struct formula *formula, const struct formula_scope *known,
                   void (*visit)(void *context, const char *name), void *context);

#endif
