/* Checks the form of a slotscope log: TAP 14; JSON, CRC, sequence number and size of every record;
 * the `end` record and the plan; and that no verdict holds that cannot (share_verdicts.h). In a
 * brief log a line may stand for several verdicts. It knows the format of the log (doc/log.md).
 *
 *   check_log [--quiet] FILE      exit status 0 when the form is right; every problem is a line on
 *                                 standard error */
#include <ctype.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "share_verdicts.h"

#define RECORD_LIMIT 4096

struct check {
    const char *file;
    unsigned long line, problems;
    unsigned long records, tests, passed, failed, skipped, plan;
    unsigned long verdicts; /* that did not fail, as the lines of a brief log count them */
    bool ended, planned, brief;
    json_int_t end_pass, end_fail, end_skip;
    unsigned long begin;               /* the CRC of the first record: all others go on from it */
    unsigned long texts, checked, crc; /* verdicts and comments; those whose CRC was there; that of
                                        * the others */
    struct share_verdicts shares;
};

static void problem(struct check *check, const char *pattern, ...)
{
    va_list arguments;

    check->problems++;
    fprintf(stderr, "%s:%lu: ", check->file, check->line);
    va_start(arguments, pattern);
    vfprintf(stderr, pattern, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The last member is "crc", over the bytes before its comma; the first record is `log`. */
static void check_crc(struct check *check, const char *text, size_t length)
{
    static const char tail[] = ",\"crc\":\"";
    const size_t end = strlen(tail) + 8 + 2;
    unsigned long stated, actual;

    if (length < end || memcmp(text + length - end, tail, strlen(tail)) != 0 ||
        strcmp(text + length - 2, "\"}") != 0) {
        problem(check, "the last member is not \"crc\" with eight digits");
        return;
    }
    for (size_t i = length - 10; i < length - 2; i++)
        if (!isxdigit((unsigned char)text[i]) || isupper((unsigned char)text[i]))
            problem(check, "crc digit '%c', expected lower-case hexadecimal", text[i]);
    stated = strtoul(text + length - 10, NULL, 16);
    actual = crc32(check->begin, (const unsigned char *)text, (unsigned)(length - end));
    if (check->records == 0) {
        check->begin = check->crc = stated;
        if (check->texts > 0 || !starts(text, "{\"type\":\"log\",\"seq\":0,\"log_version\":2,"))
            problem(check, "the log does not begin with its `log` record");
    }
    if (stated != actual)
        problem(check, "crc %08lx, but the bytes give %08lx", stated, actual);
}

static void check_record(struct check *check, const char *text, size_t length)
{
    json_error_t error;
    json_t *record = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    const char *type;

    if (length > RECORD_LIMIT)
        problem(check, "record of %zu bytes, expected at most %d", length, RECORD_LIMIT);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] > 0x7e) {
            problem(check, "byte 0x%02x in a record, expected printable ASCII",
                    (unsigned char)text[i]);
            break;
        }
    check_crc(check, text, length);
    if (record == NULL) {
        problem(check, "not JSON: %s", error.text);
        return;
    }
    if (!starts(text, "{\"type\":\""))
        problem(check, "the first member is not \"type\"");
    type = json_string_value(json_object_get(record, "type"));
    if (json_integer_value(json_object_get(record, "seq")) != (json_int_t)check->records ||
        !json_is_integer(json_object_get(record, "seq")))
        problem(check, "seq is not %lu", check->records);
    if (check->ended)
        problem(check, "a record after `end`");
    if (type != NULL && strcmp(type, "end") == 0) {
        check->ended = true;
        check->end_pass = json_integer_value(json_object_get(record, "pass"));
        check->end_fail = json_integer_value(json_object_get(record, "fail"));
        check->end_skip = json_integer_value(json_object_get(record, "skip"));
        if (json_integer_value(json_object_get(record, "texts")) != (json_int_t)check->texts ||
            check->checked != check->texts)
            problem(check, "`end` does not say how many texts have a crc");
    }
    if (type != NULL && strcmp(type, "machine") == 0) {
        const char *detail = json_string_value(json_object_get(record, "detail"));

        check->brief = detail != NULL && strcmp(detail, "brief") == 0;
    }
    share_verdicts_record(&check->shares, record);
    check->records++;
    json_decref(record);
}

/* How many verdicts a line of a brief log stands for: "... 9 verdicts", else 1. */
static unsigned long verdicts_of(const char *text)
{
    const char *end = strstr(text, " # SKIP"), *at;

    if (end == NULL)
        end = text + strlen(text);
    at = end - strlen(" verdicts");
    if (at <= text || strncmp(at, " verdicts", strlen(" verdicts")) != 0)
        return 1;
    while (at > text && isdigit((unsigned char)at[-1]))
        at--;
    return strtoul(at, NULL, 10);
}

/* The verdicts that the `end` record counts, against the log's lines. */
static bool totals_agree(const struct check *check)
{
    if ((unsigned long)check->end_fail != check->failed)
        return false;
    if (check->brief)
        return (unsigned long)(check->end_pass + check->end_skip) == check->verdicts;
    return (unsigned long)check->end_pass == check->passed &&
           (unsigned long)check->end_skip == check->skipped;
}

/* A verdict or a comment. */
static void add_text(struct check *check, const char *text)
{
    check->crc = crc32(check->crc, (const unsigned char *)text, (unsigned)strlen(text));
    check->crc = crc32(check->crc, (const unsigned char *)"\n", 1);
    check->texts++;
}

static void check_verdict(struct check *check, const char *text)
{
    const bool ok = starts(text, "ok ");
    const char *number = text + (ok ? 3 : 7);
    const char *wrong =
        strstr(text, "# SKIP") == NULL ? share_verdicts_wrong(&check->shares, text) : NULL;

    if (wrong != NULL)
        problem(check, "%s: %s", wrong, text);
    check->tests++;
    add_text(check, text);
    if (ok)
        check->verdicts += verdicts_of(text);
    if (strtoul(number, NULL, 10) != check->tests)
        problem(check, "test number %lu, expected %lu", strtoul(number, NULL, 10), check->tests);
    if (strstr(text, "# SKIP") != NULL)
        check->skipped++;
    else if (ok)
        check->passed++;
    else
        check->failed++;
}

/* Each text is in one of these lines, the next one in the next. */
static void check_text_crc(struct check *check, const char *text)
{
    char expected[80];

    snprintf(expected, sizeof(expected), "# crc of texts %lu to %lu: %08lx", check->checked + 1,
             check->texts, check->crc);
    if (strcmp(text, expected) != 0)
        problem(check, "\"%s\", expected \"%s\"", text, expected);
    check->checked = check->texts;
    check->crc = check->begin;
}

static void check_line(struct check *check, const char *text, size_t length)
{
    if (check->line == 1 && strcmp(text, "TAP version 14") != 0)
        problem(check, "the first line is not \"TAP version 14\"");
    if (check->planned && length != 0)
        problem(check, "a line after the plan");
    if (text[0] == '{')
        check_record(check, text, length);
    else if (starts(text, "ok ") || starts(text, "not ok "))
        check_verdict(check, text);
    else if (starts(text, "# crc of "))
        check_text_crc(check, text);
    else if (text[0] == '#')
        add_text(check, text);
    else if (starts(text, "1..")) {
        check->planned = true;
        check->plan = strtoul(text + 3, NULL, 10);
    } else if (length != 0 && check->line != 1)
        problem(check, "neither a record, a verdict, a comment nor the plan: %.60s", text);
}

static void check_totals(struct check *check)
{
    if (!check->ended)
        problem(check, "no `end` record: the log was cut short");
    if (!check->planned)
        problem(check, "no plan: the log was cut short");
    if (check->ended && check->checked != check->texts)
        problem(check, "texts %lu to %lu have no crc", check->checked + 1, check->texts);
    if (check->planned && check->plan != check->tests)
        problem(check, "the plan says %lu verdicts, the log has %lu", check->plan, check->tests);
    if (check->ended && !totals_agree(check))
        problem(check,
                "`end` says %lld passed, %lld failed, %lld skipped; the log has %lu, %lu, %lu",
                (long long)check->end_pass, (long long)check->end_fail, (long long)check->end_skip,
                check->passed, check->failed, check->skipped);
}

int main(int argc, char **argv)
{
    const bool quiet = argc == 3 && strcmp(argv[1], "--quiet") == 0;
    struct check check = {.file = argv[argc - 1]};
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    FILE *file;

    if (argc != 2 && !quiet) {
        fprintf(stderr, "usage: check_log [--quiet] FILE\n");
        return 2;
    }
    file = fopen(check.file, "rb");
    if (file == NULL) {
        perror(check.file);
        return 2;
    }
    while ((length = getline(&text, &room, file)) >= 0) {
        check.line++;
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
            text[--length] = 0;
        check_line(&check, text, (size_t)length);
    }
    check_totals(&check);
    share_verdicts_free(&check.shares);
    free(text);
    fclose(file);
    if (!quiet)
        printf("%s: %lu records, %lu passed, %lu failed, %lu skipped, %lu problems\n", check.file,
               check.records, check.passed, check.failed, check.skipped, check.problems);
    return check.problems != 0;
}
