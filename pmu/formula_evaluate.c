#include "formula_evaluate.h"

#include "boot/format.h"

static bool fail(struct formula_result *result, const char *reason)
{
    result->finite = false;
    result->not_available = false;
    result->value = 0;
    result->reason = reason;
    return false;
}

static bool name_value(const struct formula *formula, const struct formula_step *step,
                       const struct formula_scope *scope, double *value,
                       struct formula_result *result)
{
    const char *name = formula->names[step->name];
    const char *reason = NULL;

    if (scope != NULL && scope->value(scope->context, name, value, &reason))
        return true;
    if (reason != NULL)
        format(result->detail, sizeof(result->detail), "%s", reason);
    else
        format(result->detail, sizeof(result->detail), "%s is unknown", name);
    return fail(result, result->detail);
}

static double binary(uint8_t operation, double a, double b)
{
    switch (operation) {
    case STEP_ADD:
        return a + b;
    case STEP_SUBTRACT:
        return a - b;
    case STEP_MULTIPLY:
        return a * b;
    case STEP_DIVIDE:
        return a / b;
    case STEP_LESS:
        return a < b;
    case STEP_MORE:
        return a > b;
    case STEP_AT_MOST:
        return a <= b;
    case STEP_AT_LEAST:
        return a >= b;
    case STEP_EQUAL:
        return a <= b && a >= b;
    case STEP_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b; /* STEP_MAX */
    }
}

/* NA counts as 0. Only NA is not a number here: an overflow ends the evaluation. */
static double operand(double value)
{
    return __builtin_isnan(value) ? 0 : value;
}

static bool is_zero(double value)
{
    return !(value < 0) && !(value > 0);
}

/* `value` is the only number left on the stack. */
static void conclude(struct formula_result *result, double value)
{
    if (__builtin_isnan(value)) {
        fail(result, "not available");
        result->not_available = true;
    } else if (!__builtin_isfinite(value)) {
        fail(result, "beyond the range of numbers");
    } else { /* `detail` stays unwritten: `reason` does not point to it */
        result->finite = true;
        result->not_available = false;
        result->value = value;
        result->reason = NULL;
    }
}

/* Evaluates steps first to last - 1, which must leave one value. */
static void run(const struct formula *formula, unsigned first, unsigned last,
                const struct formula_scope *scope, struct formula_result *result)
{
    double stack[FORMULA_STACK];
    unsigned top = 0; /* stays within the stack: the compiler counted the operands */

    for (unsigned at = first; at < last; at++) {
        const struct formula_step *step = &formula->steps[at];

        switch (step->operation) {
        case STEP_NUMBER:
            stack[top++] = step->number;
            continue;
        case STEP_NAME:
            if (!name_value(formula, step, scope, &stack[top], result))
                return;
            top++;
            continue;
        case STEP_NA:
            stack[top++] = FORMULA_NA;
            continue;
        case STEP_NEGATE:
            stack[top - 1] = -operand(stack[top - 1]);
            continue;
        case STEP_UNLESS:
            if (is_zero(operand(stack[--top])))
                at += step->jump;
            continue;
        case STEP_SKIP:
            at += step->jump;
            continue;
        default:
            break;
        }
        top--;
        if (step->operation == STEP_DIVIDE && is_zero(operand(stack[top]))) {
            fail(result, "division by zero");
            return;
        }
        stack[top - 1] = binary(step->operation, operand(stack[top - 1]), operand(stack[top]));
        if (!__builtin_isfinite(stack[top - 1])) {
            fail(result, "beyond the range of numbers");
            return;
        }
    }
    if (top == 1)
        conclude(result, stack[0]);
    else
        fail(result, "beyond the range of numbers");
}

void formula_evaluate(const struct formula *formula, const struct formula_scope *scope,
                      struct formula_result *result)
{
    run(formula, 0, formula->step_count, scope, result);
}

struct visitor {
    const struct formula *formula;
    const struct formula_scope *known;
    void (*visit)(void *context, const char *name);
    void *context;
};

/* Recurses as deep as the formula nests, at most FORMULA_DEPTH. */
static void visit_steps(const struct visitor *visitor, unsigned first, unsigned last)
{
    const struct formula_step *steps = visitor->formula->steps;

    for (unsigned at = first; at < last; at++) {
        struct formula_result condition = {.finite = false};
        unsigned skip, end;

        if (steps[at].operation == STEP_NAME)
            visitor->visit(visitor->context, visitor->formula->names[steps[at].name]);
        if (steps[at].operation != STEP_UNLESS)
            continue;
        skip = at + steps[at].jump;        /* the STEP_SKIP that ends the first arm */
        end = skip + 1 + steps[skip].jump; /* the step after the second arm */
        if (visitor->known != NULL)
            run(visitor->formula, at - steps[at].name, at, visitor->known, &condition);
        if (!condition.finite || !is_zero(condition.value))
            visit_steps(visitor, at + 1, skip);
        if (!condition.finite || is_zero(condition.value))
            visit_steps(visitor, skip + 1, end);
        at = end - 1;
    }
}

void formula_visit(const struct formula *formula, const struct formula_scope *known,
                   void (*visit)(void *context, const char *name), void *context)
{
    const struct visitor visitor = {formula, known, visit, context};

    visit_steps(&visitor, 0, formula->step_count);
}
