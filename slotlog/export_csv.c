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

/* The record of that core; null: the log has none. */
static const json_t *core_of(const struct whole_log *log, int64_t core)
{
    json_t *record;
    size_t i;

    json_array_foreach (log->records, i, record)
        if (strcmp(record_text(record, "type", ""), "core") == 0 &&
            json_integer_value(json_object_get(record, "core")) == core)
            return record;
    return NULL;
}

/* A core that is not of a hybrid part has no type. */
static void print_processor(FILE *file, const json_t *core)
{
    static const char *const members[] = {"brand", "signature", "microcode", "core_type"};

    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        fputc(',', file);
        export_csv_field(file, record_text(core, members[i], ""));
    }
}

static void print_row(FILE *file, const json_t *core, const struct number *number)
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
    fprintf(file, ",%s", number->trusted ? "yes" : "no");
    print_processor(file, core);
    fputs("\r\n", file);
}

void export_csv(FILE *file, const struct whole_log *log, const struct numbers *numbers)
{
    const json_t *core = NULL;

    fputs("core,kernel,dose,beside,scope,kind,name,unit,iterations,value,low,high,reason,trusted,"
          "brand,signature,microcode,core_type\r\n",
          file);
    for (size_t i = 0; i < numbers->count; i++) {
        const struct number *number = &numbers->of[i];

        if (i == 0 || number->core != numbers->of[i - 1].core)
            core = core_of(log, number->core);
        print_row(file, core, number);
    }
}
