#include "formula.h"

#include "boot/text.h"
#include "formula_tokens.h"
#include "number.h"

struct compiler {
    struct formula *formula;
    struct pool *pool;
    struct formula_error *error;
    struct token token; /* the next token, not consumed yet */
    unsigned depth;     /* nesting so far */
    unsigned operands;  /* height of the stack after the steps so far */
};

static const char an_operand[] = "a number, a name, min( , ), max( , ) or (";

static void advance(struct compiler *compiler)
{
    const struct formula *formula = compiler->formula;

    compiler->token = formula_token(formula->text, formula->length,
                                    compiler->token.start + compiler->token.length);
}

static bool refuse_at(struct compiler *compiler, size_t offset, const char *message,
                      const char *expected)
{
    *compiler->error = (struct formula_error){(uint32_t)offset, message, expected};
    return false;
}

static bool refuse(struct compiler *compiler, const char *message, const char *expected)
{
    return refuse_at(compiler, compiler->token.start, message, expected);
}

static bool expect(struct compiler *compiler, int kind, const char *message, const char *expected)
{
    if (compiler->token.kind != kind)
        return refuse(compiler, message, expected);
    advance(compiler);
    return true;
}

static struct formula_step *emit(struct compiler *compiler, uint8_t operation)
{
    struct formula_step *step = &compiler->formula->steps[compiler->formula->step_count++];

    *step = (struct formula_step){.operation = operation};
    return step;
}

static bool push(struct compiler *compiler, uint8_t operation, struct formula_step **step)
{
    if (++compiler->operands > FORMULA_STACK)
        return refuse(compiler, "formula holds too many operands at once",
                      "a shorter formula; use `let`");
    *step = emit(compiler, operation);
    return true;
}

static bool compile_name(struct compiler *compiler)
{
    struct formula *formula = compiler->formula;
    const char *text = formula->text + compiler->token.start;
    size_t length = compiler->token.length;
    struct formula_step *step;
    uint16_t index = 0;

    if (length > FORMULA_NAME)
        return refuse(compiler, "name too long", "at most 71 bytes");
    while (index < formula->name_count && (strncmp(formula->names[index], text, length) != 0 ||
                                           formula->names[index][length] != 0))
        index++;
    if (!push(compiler, STEP_NAME, &step))
        return false;
    step->name = index;
    if (index == formula->name_count) {
        formula->names[index] = pool_take(compiler->pool, length + 1);
        if (formula->names[index] == NULL)
            return refuse(compiler, NULL, NULL);
        memcpy(formula->names[index], text, length);
        formula->names[index][length] = 0;
        formula->name_count++;
    }
    advance(compiler);
    return true;
}

static bool compile_number(struct compiler *compiler)
{
    struct formula_step *step;
    double number;

    if (!number_real(compiler->formula->text + compiler->token.start, compiler->token.length,
                     &number))
        return refuse(compiler, "malformed number",
                      "decimal digits, 0x and hexadecimal digits, or digits.digits");
    if (!push(compiler, STEP_NUMBER, &step))
        return false;
    step->number = number;
    advance(compiler);
    return true;
}

static bool compile_choice(struct compiler *compiler);

/* min(A, B, ...) or max(A, B, ...), with two arguments or more. */
static bool compile_call(struct compiler *compiler, uint8_t operation)
{
    unsigned arguments = 0;

    advance(compiler);
    if (!expect(compiler, '(', "missing parenthesis", "( after min or max"))
        return false;
    do {
        if (arguments > 0)
            advance(compiler);
        if (!compile_choice(compiler))
            return false;
        if (arguments++ > 0) {
            emit(compiler, operation);
            compiler->operands--;
        }
    } while (compiler->token.kind == ',');
    if (arguments < 2)
        return refuse(compiler, "min and max compare at least two values", ", and another value");
    return expect(compiler, ')', "missing parenthesis", ") or ,");
}

static bool compile_operand(struct compiler *compiler)
{
    struct formula_step *step;

    switch (compiler->token.kind) {
    case TOKEN_NUMBER:
        return compile_number(compiler);
    case TOKEN_NAME:
        return compile_name(compiler);
    case TOKEN_NA:
        if (!push(compiler, STEP_NA, &step))
            return false;
        advance(compiler);
        return true;
    case TOKEN_MIN:
        return compile_call(compiler, STEP_MIN);
    case TOKEN_MAX:
        return compile_call(compiler, STEP_MAX);
    case '(':
        advance(compiler);
        return compile_choice(compiler) &&
               expect(compiler, ')', "missing parenthesis", ") or an operator");
    case TOKEN_END:
        return refuse(compiler, "formula ends too early", an_operand);
    case TOKEN_BAD:
        return refuse(compiler, "unexpected character", an_operand);
    default:
        return refuse(compiler, "operand missing", an_operand);
    }
}

static bool compile_sign(struct compiler *compiler)
{
    unsigned signs = 0;

    for (; compiler->token.kind == '-'; advance(compiler))
        signs++;
    if (!compile_operand(compiler))
        return false;
    if (signs % 2)
        emit(compiler, STEP_NEGATE);
    return true;
}

/* Whether the steps from `first` on name nothing and come to zero. */
static bool always_zero(const struct formula *formula, unsigned first)
{
    const struct formula tail = {.steps = formula->steps + first,
                                 .step_count = (uint16_t)(formula->step_count - first)};
    struct formula_result result;

    for (unsigned i = 0; i < tail.step_count; i++)
        if (tail.steps[i].operation == STEP_NAME)
            return false;
    formula_evaluate(&tail, NULL, &result);
    return result.finite && !(result.value < 0) && !(result.value > 0);
}

static bool compile_product(struct compiler *compiler)
{
    if (!compile_sign(compiler))
        return false;
    while (compiler->token.kind == '*' || compiler->token.kind == '/') {
        uint8_t operation = compiler->token.kind == '*' ? STEP_MULTIPLY : STEP_DIVIDE;
        unsigned first = compiler->formula->step_count;
        size_t offset;

        advance(compiler);
        offset = compiler->token.start;
        if (!compile_sign(compiler))
            return false;
        if (operation == STEP_DIVIDE && always_zero(compiler->formula, first))
            return refuse_at(compiler, offset, "division by zero",
                             "a divisor that is not always zero");
        emit(compiler, operation);
        compiler->operands--;
    }
    return true;
}

static bool compile_sum(struct compiler *compiler)
{
    if (!compile_product(compiler))
        return false;
    while (compiler->token.kind == '+' || compiler->token.kind == '-') {
        uint8_t operation = compiler->token.kind == '+' ? STEP_ADD : STEP_SUBTRACT;

        advance(compiler);
        if (!compile_product(compiler))
            return false;
        emit(compiler, operation);
        compiler->operands--;
    }
    return true;
}

static uint8_t comparison(int kind)
{
    switch (kind) {
    case '<':
        return STEP_LESS;
    case '>':
        return STEP_MORE;
    case TOKEN_AT_MOST:
        return STEP_AT_MOST;
    case TOKEN_AT_LEAST:
        return STEP_AT_LEAST;
    case TOKEN_EQUAL:
        return STEP_EQUAL;
    default:
        return STEP_NUMBER; /* no comparison */
    }
}

static bool compile_comparison(struct compiler *compiler)
{
    uint8_t operation;

    if (!compile_sum(compiler))
        return false;
    operation = comparison(compiler->token.kind);
    if (operation == STEP_NUMBER)
        return true;
    advance(compiler);
    if (!compile_sum(compiler))
        return false;
    emit(compiler, operation);
    compiler->operands--;
    if (comparison(compiler->token.kind) != STEP_NUMBER)
        return refuse(compiler, "comparison of a comparison", "parentheses around one of them");
    return true;
}

static void reverse(struct formula_step *steps, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct formula_step step = steps[i];

        steps[i] = steps[count - 1 - i];
        steps[count - 1 - i] = step;
    }
}

/* In the text the first arm A comes before its condition C, in the code after it: steps A C become
 * C UNLESS A SKIP. Returns the index of SKIP. */
static unsigned place_condition(struct compiler *compiler, unsigned arm, unsigned condition)
{
    struct formula_step *steps = compiler->formula->steps;
    size_t arm_count = condition - arm, condition_count = compiler->formula->step_count - condition;

    reverse(steps + arm, arm_count);
    reverse(steps + condition, condition_count);
    reverse(steps + arm, arm_count + condition_count);
    memmove(steps + arm + condition_count + 1, steps + arm + condition_count,
            arm_count * sizeof(*steps));
    steps[arm + condition_count] = (struct formula_step){.operation = STEP_UNLESS,
                                                         .name = (uint16_t)condition_count,
                                                         .jump = (uint16_t)(arm_count + 1)};
    compiler->formula->step_count++;
    emit(compiler, STEP_SKIP);
    return compiler->formula->step_count - 1u;
}

static bool compile_arms(struct compiler *compiler)
{
    unsigned arm = compiler->formula->step_count, condition, skip;

    if (!compile_comparison(compiler))
        return false;
    if (compiler->token.kind != TOKEN_IF)
        return true;
    advance(compiler);
    condition = compiler->formula->step_count;
    if (!compile_comparison(compiler) ||
        !expect(compiler, TOKEN_ELSE, "`if` without `else`", "else or an operator"))
        return false;
    skip = place_condition(compiler, arm, condition);
    compiler->operands -= 2; /* UNLESS pops the condition, and only one arm leaves its value */
    if (!compile_choice(compiler))
        return false;
    compiler->formula->steps[skip].jump = (uint16_t)(compiler->formula->step_count - skip - 1u);
    return true;
}

static bool compile_choice(struct compiler *compiler)
{
    bool ok;

    if (compiler->depth == FORMULA_DEPTH)
        return refuse(compiler, "formula nested too deeply",
                      "at most 24 levels of parentheses and `else`");
    compiler->depth++;
    ok = compile_arms(compiler);
    compiler->depth--;
    return ok;
}

/* Every token makes at most one step (`if` makes UNLESS, `else` makes SKIP), so there are at most
 * as many steps as tokens. */
static bool make_room(struct compiler *compiler)
{
    struct formula *formula = compiler->formula;
    unsigned tokens = 0, names = 0;

    for (struct token token = formula_token(formula->text, formula->length, 0);
         token.kind != TOKEN_END;
         token = formula_token(formula->text, formula->length, token.start + token.length)) {
        names += token.kind == TOKEN_NAME;
        if (++tokens > FORMULA_TOKENS)
            return refuse_at(compiler, token.start, "formula too long",
                             "at most 2048 numbers, names and signs; use `let`");
    }
    formula->steps = pool_take(compiler->pool, (tokens + 1) * sizeof(*formula->steps));
    formula->names = pool_take(compiler->pool, (names + 1) * sizeof(*formula->names));
    return (formula->steps != NULL && formula->names != NULL) || refuse(compiler, NULL, NULL);
}

enum rc formula_compile(struct formula *formula, const char *text, size_t length, struct pool *pool,
                        struct formula_error *error)
{
    struct compiler compiler = {.formula = formula, .pool = pool, .error = error};

    *formula = (struct formula){.text = text, .length = (uint32_t)length};
    *error = (struct formula_error){0};
    if (length > UINT32_MAX)
        return RC_NO_SPACE;
    if (make_room(&compiler)) {
        advance(&compiler);
        if (compile_choice(&compiler) &&
            expect(&compiler, TOKEN_END, "text after the formula", "an operator or the end"))
            return RC_OK;
    }
    return error->message != NULL ? RC_BAD_INPUT : RC_NO_SPACE;
}
