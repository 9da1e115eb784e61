#include <string.h>

#include "export.h"

/* A spreadsheet takes a text that begins so for a formula, and works it out. */
static bool is_formula(const char *text)
{
    text += strspn(text, " ");
    return *text != 0 && strchr("=+-@", *text) != NULL;
}

void export_csv_field(FILE *file, const char *text)
{
    const bool formula = is_formula(text);
    const bool quoted = formula || strpbrk(text, ",\"\r\n") != NULL;

    if (quoted)
        fputc('"', file);
    if (formula)
        fputc('\'', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    if (quoted)
        fputc('"', file);
}

static void print_texts(FILE *file, const struct number *number)
{
    const char *const texts[] = {number->beside, number->scope, number_kind_name(number->kind),
                                 number->name, number_unit(number->kind)};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        export_csv_field(file, texts[i]);
        fputc(',', file);
    }
}

static void print_row(FILE *file, const struct number *number)
{
    const int digits = number->digits;

    fprintf(file, "%lld,", (long long)number->core);
    export_csv_field(file, number->kernel);
    fputc(',', file);
    if (number->dose >= 0)
        fprintf(file, "%lld", (long long)number->dose);
    fputc(',', file);
    print_texts(file, number);
    fprintf(file, "%lld,", (long long)number->iterations);
    if (number->has)
        fprintf(file, "%.*f", digits, number->value);
    fputc(',', file);
    if (number->ranged)
        fprintf(file, "%.*f,%.*f,", digits, number->low, digits, number->high);
    else
        fputs(",,", file);
    export_csv_field(file, number->reason);
    fprintf(file, ",%s\r\n", number->trusted ? "yes" : "no");
}

void export_csv(FILE *file, const struct whole_log *log, const struct numbers *numbers)
{
    (void)log;
    fputs("core,kernel,dose,beside,scope,kind,name,unit,iterations,value,low,high,reason,trusted"
          "\r\n",
          file);
    for (size_t i = 0; i < numbers->count; i++)
        print_row(file, &numbers->of[i]);
}
