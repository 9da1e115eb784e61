#include "log_line.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define NUMBER_DIGITS 9 /* no log has a thousand million verdicts */

static bool starts(const char *text, size_t length, const char *with)
{
    return length >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* Reads a decimal number and returns how many digits it has, 0 for none or too many. */
static size_t read_number(const char *text, size_t length, unsigned long *number)
{
    size_t digits = 0;

    *number = 0;
    while (digits < length && isdigit((unsigned char)text[digits])) {
        *number = *number * 10 + (unsigned long)(text[digits] - '0');
        if (++digits > NUMBER_DIGITS)
            return 0;
    }
    return digits;
}

/* Where the number of a verdict begins; 0: it is no verdict. */
static size_t number_at(const char *text, size_t length)
{
    return starts(text, length, "ok ") ? 3 : starts(text, length, "not ok ") ? 7 : 0;
}

static bool is_verdict(const char *text, size_t length)
{
    const size_t at = number_at(text, length);
    unsigned long number;
    size_t digits = 0;

    if (at > 0)
        digits = read_number(text + at, length - at, &number);
    return digits > 0 && starts(text + at + digits, length - at - digits, " - ");
}

static bool is_plan(const char *text, size_t length)
{
    unsigned long number;

    return starts(text, length, "1..") &&
           read_number(text + 3, length - 3, &number) == length - 3 && length > 3;
}

enum line_kind line_kind(const char *text, size_t length)
{
    if (length == 0)
        return LINE_EMPTY;
    if (text[0] == '{')
        return LINE_RECORD;
    if (starts(text, length, "#"))
        return LINE_COMMENT;
    if (starts(text, length, LINE_VERSION_TEXT) && length == strlen(LINE_VERSION_TEXT))
        return LINE_VERSION;
    if (is_verdict(text, length))
        return LINE_VERDICT;
    return is_plan(text, length) ? LINE_PLAN : LINE_OTHER;
}

bool line_ends_in_version(const char *text, size_t length)
{
    const size_t version = strlen(LINE_VERSION_TEXT);

    return length >= version && memcmp(text + length - version, LINE_VERSION_TEXT, version) == 0;
}

bool line_begins_log(const char *text, size_t length)
{
    return line_ends_in_version(text, length) || starts(text, length, "{\"type\":") ||
           is_verdict(text, length);
}

bool line_crc_holds(const char *text, size_t length, char why[LINE_TEXT])
{
    static const char tail[] = ",\"crc\":\"";
    const size_t end = strlen(tail) + 8 + 2;
    char stated[9], actual[9];

    if (length < end || memcmp(text + length - end, tail, strlen(tail)) != 0 ||
        memcmp(text + length - 2, "\"}", 2) != 0) {
        snprintf(why, LINE_TEXT, "its last member is not \"crc\" with eight digits");
        return false;
    }
    snprintf(stated, sizeof(stated), "%.8s", text + length - 10);
    snprintf(actual, sizeof(actual), "%08lx",
             crc32(0, (const unsigned char *)text, (unsigned)(length - end)));
    snprintf(why, LINE_TEXT, "its crc is %s, its bytes give %s", stated, actual);
    return strcmp(stated, actual) == 0;
}

static const char *find(const char *text, size_t length, const char *what)
{
    return memmem(text, length, what, strlen(what));
}

/* How many verdicts a claim of the brief form stands for: "... 9 verdicts", else 1. */
static unsigned long verdicts_of(const char *claim, size_t length)
{
    static const char tail[] = " verdicts";
    size_t at = length, first;
    unsigned long number;

    if (length < strlen(tail) || memcmp(claim + length - strlen(tail), tail, strlen(tail)) != 0)
        return 1;
    at = first = length - strlen(tail);
    while (first > 0 && isdigit((unsigned char)claim[first - 1]))
        first--;
    return read_number(claim + first, at - first, &number) > 0 ? number : 1;
}

struct verdict_line line_verdict(const char *text, size_t length)
{
    static const char skip[] = " # SKIP";
    const size_t at = number_at(text, length);
    struct verdict_line verdict = {.ok = text[0] == 'o'};
    const size_t from = at + read_number(text + at, length - at, &verdict.number) + strlen(" - ");
    const char *directive = find(text + from, length - from, skip);

    verdict.claim = text + from;
    verdict.claim_length = directive != NULL ? (size_t)(directive - verdict.claim) : length - from;
    verdict.verdicts = verdicts_of(verdict.claim, verdict.claim_length);
    verdict.skipped = directive != NULL;
    if (directive != NULL) {
        verdict.reason = directive + strlen(skip);
        verdict.reason_length = (size_t)(text + length - verdict.reason);
        if (verdict.reason_length > 0) { /* the space */
            verdict.reason++;
            verdict.reason_length--;
        }
    }
    return verdict;
}

bool line_verdict_crc(const char *text, size_t length, struct verdict_crc *crc)
{
    static const char begin[] = "# crc of verdicts ", middle[] = " to ", end[] = ": ";
    size_t at = strlen(begin);

    if (length < at || memcmp(text, begin, at) != 0)
        return false;
    at += read_number(text + at, length - at, &crc->from);
    if (length - at < strlen(middle) || memcmp(text + at, middle, strlen(middle)) != 0)
        return false;
    at += strlen(middle);
    at += read_number(text + at, length - at, &crc->to);
    if (length - at != strlen(end) + 8 || memcmp(text + at, end, strlen(end)) != 0)
        return false;
    crc->crc = 0;
    for (at += strlen(end); at < length; at++) {
        const char *digits = "0123456789abcdef", *digit = memchr(digits, text[at], 16);

        if (digit == NULL)
            return false;
        crc->crc = crc->crc << 4 | (unsigned long)(digit - digits);
    }
    return true;
}

unsigned long line_plan(const char *text, size_t length)
{
    unsigned long number;

    read_number(text + 3, length - 3, &number);
    return number;
}
