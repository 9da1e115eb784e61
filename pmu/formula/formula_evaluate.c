#include "formula_evaluate.h"

#include "boot/format.h"

static bool fail(struct formula_result *result, const char *reason)
{
    result->finite = false;
    result->not_available = false;
    result->clamped = false;
    result->value = 0;
    result->reason = reason;
    return false;
}

static bool name_value(const struct formula *formula, const struct formula_step *step,
                       const struct formula_scope *scope, struct formula_number *number,
                       struct formula_result *result)
{
    const char *name = formula->names[step->name];
    const char *reason = NULL;

    number->error = 0;
    if (scope != NULL && scope->value(scope->context, name, number, &reason))
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

/* The error of binary(a, b), to first order, as if all errors went the same way. */
static double binary_error(uint8_t operation, struct formula_number a, struct formula_number b)
{
    switch (operation) {
    case STEP_ADD:
    case STEP_SUBTRACT:
        return a.error + b.error;
    case STEP_MULTIPLY:
        return __builtin_fabs(a.value) * b.error + __builtin_fabs(b.value) * a.error;
    case STEP_DIVIDE:
        return (a.error + __builtin_fabs(a.value / b.value) * b.error) / __builtin_fabs(b.value);
    case STEP_MIN:
        return a.value < b.value ? a.error : b.error;
    case STEP_MAX:
        return a.value > b.value ? a.error : b.error;
    default:
        return 0; /* a comparison */
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

/* `number` is the only one left on the stack. */
static void conclude(struct formula_result *result, struct formula_number number, bool clamped)
{
    if (__builtin_isnan(number.value)) {
        fail(result, "not available");
        result->not_available = true;
    } else if (!__builtin_isfinite(number.value)) {
        fail(result, "beyond the range of numbers");
    } else { /* `detail` stays unwritten: `reason` does not point to it */
        result->finite = true;
        result->not_available = false;
        result->clamped = clamped;
        result->value = number.value;
        result->error = number.error;
        result->reason = NULL;
    }
}

/* Why nothing can be divided by this; null: it can. */
static const char *why_no_divisor(struct formula_number divisor)
{
    if (is_zero(divisor.value))
        return "division by zero";
    return divisor.error > 0 && divisor.value <= divisor.error
               ? "division by what the counts cannot tell from zero"
               : NULL;
}

/* a becomes a OPERATION b. */
static bool combine(uint8_t operation, struct formula_number *a, struct formula_number b,
                    struct formula_result *result)
{
    const char *why;

    a->value = operand(a->value);
    b.value = operand(b.value);
    why = operation == STEP_DIVIDE ? why_no_divisor(b) : NULL;
    if (why != NULL)
        return fail(result, why);
    *a = (struct formula_number){binary(operation, a->value, b.value),
                                 binary_error(operation, *a, b)};
    return __builtin_isfinite(a->value) || fail(result, "beyond the range of numbers");
}

/* Which operands on the stack are numbers of the formula, and whether one was given for another
 * value. */
struct clamps {
    uint32_t literal; /* a bit for each place of the stack */
    bool happened;
};
_Static_assert(FORMULA_STACK <= 32, "a bit for each place");

static void set_literal(struct clamps *clamps, unsigned place, bool is_literal)
{
    clamps->literal = (clamps->literal & ~(1u << place)) | (uint32_t)is_literal << place;
}

/* Before the operation of stack[place] and stack[place + 1]. */
static void look_for_clamp(struct clamps *clamps, uint8_t operation,
                           const struct formula_number *stack, unsigned place)
{
    const double a = operand(stack[place].value), b = operand(stack[place + 1].value);
    const unsigned literals = clamps->literal >> place & 3;
    const double other = literals == 1 ? b : a;

    set_literal(clamps, place, false);
    if ((operation == STEP_MIN || operation == STEP_MAX) && (literals == 1 || literals == 2) &&
        !is_zero(binary(operation, a, b) - other))
        clamps->happened = true;
}

/* Evaluates steps first to last - 1, which must leave one value. */
static void run(const struct formula *formula, unsigned first, unsigned last,
                const struct formula_scope *scope, struct formula_result *result)
{
    struct formula_number stack[FORMULA_STACK];
    struct clamps clamps = {0, false};
    unsigned top = 0; /* stays within the stack: the compiler counted the operands */

    for (unsigned at = first; at < last; at++) {
        const struct formula_step *step = &formula->steps[at];

        switch (step->operation) {
        case STEP_NUMBER:
            set_literal(&clamps, top, true);
            stack[top++] = (struct formula_number){step->number, 0};
            continue;
        case STEP_NAME:
            if (!name_value(formula, step, scope, &stack[top], result))
                return;
            set_literal(&clamps, top++, false);
            continue;
        case STEP_NA:
            set_literal(&clamps, top, false);
            stack[top++] = (struct formula_number){FORMULA_NA, 0};
            continue;
        case STEP_NEGATE:
            stack[top - 1].value = -operand(stack[top - 1].value);
            continue;
        case STEP_UNLESS:
            if (is_zero(operand(stack[--top].value)))
                at += step->jump;
            continue;
        case STEP_SKIP:
            at += step->jump;
            continue;
        default:
            top--;
            look_for_clamp(&clamps, step->operation, stack, top - 1);
            if (!combine(step->operation, &stack[top - 1], stack[top], result))
                return;
        }
    }
    if (top == 1)
        conclude(result, stack[0], clamps.happened);
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

struct arms {
    const struct formula *formula;
    const struct formula_scope *scope;
    char *out;
    size_t length;
};

/* Recurses as deep as the formula nests, at most FORMULA_DEPTH. */
static void write_arms(struct arms *arms, unsigned first, unsigned last, bool selected)
{
    const struct formula_step *steps = arms->formula->steps;

    for (unsigned at = first; at < last; at++) {
        struct formula_result condition = {.finite = false};
        unsigned skip, end;
        bool holds;

        if (steps[at].operation != STEP_UNLESS)
            continue;
        skip = at + steps[at].jump;        /* the STEP_SKIP that ends the first arm */
        end = skip + 1 + steps[skip].jump; /* the step after the second arm */
        if (selected)
            run(arms->formula, at - steps[at].name, at, arms->scope, &condition);
        holds = condition.finite && !is_zero(condition.value);
        if (arms->length < FORMULA_ARMS)
            arms->length += format(arms->out + arms->length, FORMULA_ARMS - arms->length, "%s%s",
                                   arms->length > 0 ? " " : "",
                                   !selected           ? "-"
                                   : !condition.finite ? "?"
                                   : holds             ? "if"
                                                       : "else");
        write_arms(arms, at + 1, skip, holds);
        write_arms(arms, skip + 1, end, condition.finite && !holds);
        at = end - 1;
    }
}

bool formula_arms(const struct formula *formula, const struct formula_scope *scope,
                  char out[FORMULA_ARMS])
{
    struct arms arms = {formula, scope, out, 0};

    write_arms(&arms, 0, formula->step_count, true);
    return arms.length > 0;
}
