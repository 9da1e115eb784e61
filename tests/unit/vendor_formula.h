/* A second evaluator of the vendor's formulas: straight from the rows of metrics.csv, sharing
 * nothing with pmu/formula/formula.c. A row is parsed once into a tree of terms, and evaluated once
 * for each vector of counts. */
#ifndef TESTS_UNIT_VENDOR_FORMULA_H
#define TESTS_UNIT_VENDOR_FORMULA_H

#include <ctype.h>
#include <math.h>

#include "tests/unit/vendor.h"

#define TERMS 65536
#define NAMES 1024

/* The value of a term. ABSENT is the sheet's NA: 0 as an operand, no value as the result. NONE: an
 * event is missing, or a divisor is 0. */
enum worth { UNKNOWN, NUMBER, ABSENT, NONE };
struct outcome {
    enum worth worth;
    double number;
};

struct term {
    char operation; /* # number, n name, N NA, ~ negate, + - * / < > l g = (<= >= ==) m M, ? if */
    int a, b, c;    /* terms; of ? the condition is c */
    double number;
    unsigned taken; /* of ?: arms evaluated so far, bit 0 the else arm, bit 1 the if arm */
    unsigned row;   /* of metrics.csv, which the term is part of */
};

struct name {
    char text[96];
    unsigned row;         /* of metrics.csv that defines the name; 0: a leaf */
    int term;             /* the row's formula; -1: not parsed yet */
    struct outcome value; /* with the present vector; UNKNOWN: not evaluated yet */
    struct outcome leaf;  /* the vector's value of a leaf or parameter */
};

struct tables {
    struct sheet metrics;
    struct term *terms;
    int term_count;
    struct name *names;
    unsigned name_count;
    const char *at; /* the rest of the formula being parsed */
};

static int parse_choice(struct tables *tables);

static int term(struct tables *tables, char operation, int a, int b, int c)
{
    if (tables->term_count == TERMS)
        abort();
    tables->terms[tables->term_count] =
        (struct term){.operation = operation, .a = a, .b = b, .c = c};
    return tables->term_count++;
}

static int name_of(struct tables *tables, const char *text, size_t length)
{
    struct name *name;

    for (unsigned i = 0; i < tables->name_count; i++)
        if (strlen(tables->names[i].text) == length &&
            memcmp(tables->names[i].text, text, length) == 0)
            return (int)i;
    if (tables->name_count == NAMES || length >= sizeof(name->text))
        abort();
    name = &tables->names[tables->name_count];
    memcpy(name->text, text, length);
    name->row = vendor_row(&tables->metrics, "name", name->text);
    name->term = -1;
    return (int)tables->name_count++;
}

static void blanks(struct tables *tables)
{
    while (*tables->at == ' ')
        tables->at++;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':' || c == '#';
}

/* Takes a sign, or a whole word, off the formula; false when something else comes. */
static bool eat(struct tables *tables, const char *text)
{
    size_t length = strlen(text);

    blanks(tables);
    if (strncmp(tables->at, text, length) != 0 ||
        (is_name_char(text[length - 1]) && is_name_char(tables->at[length])))
        return false;
    tables->at += length;
    return true;
}

static int parse_call(struct tables *tables, char operation)
{
    int left;

    if (!eat(tables, "("))
        abort();
    left = parse_choice(tables);
    while (eat(tables, ",")) {
        int right = parse_choice(tables);

        left = term(tables, operation, left, right, 0);
    }
    if (!eat(tables, ")"))
        abort();
    return left;
}

static int parse_operand(struct tables *tables)
{
    const char *start;
    int made;

    if (eat(tables, "-"))
        return term(tables, '~', parse_operand(tables), 0, 0);
    if (eat(tables, "(")) {
        made = parse_choice(tables);
        if (!eat(tables, ")"))
            abort();
        return made;
    }
    if (eat(tables, "min"))
        return parse_call(tables, 'm');
    if (eat(tables, "max"))
        return parse_call(tables, 'M');
    if (eat(tables, "NA"))
        return term(tables, 'N', 0, 0, 0);
    blanks(tables);
    start = tables->at;
    while (*tables->at && strchr(" ()", *tables->at) == NULL)
        tables->at++;
    if (tables->at == start)
        abort();
    if (strspn(start, "0123456789.") == (size_t)(tables->at - start)) {
        made = term(tables, '#', 0, 0, 0);
        tables->terms[made].number = strtod(start, NULL);
        return made;
    }
    made = term(tables, 'n', 0, 0, 0);
    tables->terms[made].a = name_of(tables, start, (size_t)(tables->at - start));
    return made;
}

/* Levels of precedence: 0 comparisons, 1 sums, 2 products, 3 operands. The sheet writes blanks
 * around every sign. */
static int parse_level(struct tables *tables, unsigned level)
{
    static const struct {
        const char *sign;
        char operation;
    } signs[3][6] = {
        {{"<= ", 'l'}, {">= ", 'g'}, {"== ", '='}, {"< ", '<'}, {"> ", '>'}},
        {{"+ ", '+'}, {"- ", '-'}},
        {{"* ", '*'}, {"/ ", '/'}},
    };
    int left = level == 3 ? parse_operand(tables) : parse_level(tables, level + 1);

    for (unsigned i = 0; level < 3 && i < 6 && signs[level][i].sign != NULL; i++)
        if (eat(tables, signs[level][i].sign)) {
            int right = parse_level(tables, level + 1);

            left = term(tables, signs[level][i].operation, left, right, 0);
            i = (unsigned)-1; /* left associative: start over with the signs of this level */
        }
    return left;
}

static int parse_choice(struct tables *tables)
{
    int arm = parse_level(tables, 0), condition, other;

    if (!eat(tables, "if"))
        return arm;
    condition = parse_level(tables, 0);
    if (!eat(tables, "else"))
        abort();
    other = parse_choice(tables);
    return term(tables, '?', arm, other, condition);
}

static struct outcome value_of_name(struct tables *tables, int index);

static struct outcome value_of(struct tables *tables, int index)
{
    struct term *t = &tables->terms[index];
    struct outcome a, b;

    switch (t->operation) {
    case '#':
        return (struct outcome){NUMBER, t->number};
    case 'N':
        return (struct outcome){ABSENT, 0};
    case 'n':
        return value_of_name(tables, t->a);
    case '?':
        a = value_of(tables, t->c);
        if (a.worth == NONE)
            return a;
        t->taken |= a.number != 0.0 ? 2 : 1;
        return value_of(tables, a.number != 0.0 ? t->a : t->b);
    default:
        a = value_of(tables, t->a);
        b = t->operation == '~' ? (struct outcome){NUMBER, 0} : value_of(tables, t->b);
        break;
    }
    if (a.worth == NONE || b.worth == NONE || (t->operation == '/' && b.number == 0.0))
        return (struct outcome){NONE, 0};
    a.worth = NUMBER;
    a.number = t->operation == '~'   ? -a.number
               : t->operation == '+' ? a.number + b.number
               : t->operation == '-' ? a.number - b.number
               : t->operation == '*' ? a.number * b.number
               : t->operation == '/' ? a.number / b.number
               : t->operation == '<' ? a.number < b.number
               : t->operation == '>' ? a.number > b.number
               : t->operation == 'l' ? a.number <= b.number
               : t->operation == 'g' ? a.number >= b.number
               : t->operation == '=' ? a.number == b.number
               : t->operation == 'm' ? fmin(a.number, b.number)
                                     : fmax(a.number, b.number);
    return a;
}

static void parse_row(struct tables *tables, int index)
{
    int first = tables->term_count, made;

    if (tables->names[index].row == 0 || tables->names[index].term >= 0)
        return;
    tables->at = vendor_at(&tables->metrics, tables->names[index].row, "formula");
    made = parse_choice(tables);
    blanks(tables);
    if (*tables->at)
        abort();
    tables->names[index].term = made;
    for (int i = first; i < tables->term_count; i++)
        tables->terms[i].row = tables->names[index].row;
}

/* Opens a table and parses every row that the tree needs. */
static bool tables_open(struct tables *tables, const char *key)
{
    *tables = (struct tables){0};
    if (!vendor_open(&tables->metrics, key, "metrics.csv"))
        return false;
    tables->terms = calloc(TERMS, sizeof(*tables->terms));
    tables->names = calloc(NAMES, sizeof(*tables->names));
    if (tables->terms == NULL || tables->names == NULL)
        abort();
    for (unsigned row = 1; row < tables->metrics.row_count; row++)
        if (strcmp(vendor_at(&tables->metrics, row, "kind"), "tree") == 0) {
            const char *name = vendor_at(&tables->metrics, row, "name");

            name_of(tables, name, strlen(name));
        }
    for (unsigned i = 0; i < tables->name_count; i++) /* parsing adds names */
        parse_row(tables, (int)i);
    return true;
}

static void tables_close(struct tables *tables)
{
    vendor_close(&tables->metrics);
    free(tables->terms);
    free(tables->names);
}

static struct outcome value_of_name(struct tables *tables, int index)
{
    struct name *name = &tables->names[index];

    if (name->value.worth != UNKNOWN)
        return name->value;
    name->value = name->leaf; /* a parameter is a row too: its formula is the default */
    if (name->row == 0 || name->leaf.worth != UNKNOWN)
        return name->value;
    parse_row(tables, index);
    tables->names[index].value = value_of(tables, tables->names[index].term);
    return tables->names[index].value;
}

#endif
