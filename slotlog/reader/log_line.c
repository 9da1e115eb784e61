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

#define CRC_TAIL (sizeof(",\"crc\":\"01234567\"}") - 1)

/* Reads eight lower-case hexadecimal digits. */
static bool read_crc(const char *text, unsigned long *crc)
{
    static const char digits[] = "0123456789abcdef";

    *crc = 0;
    for (unsigned i = 0; i < 8; i++) {
        const char *digit = memchr(digits, text[i], 16);

        if (digit == NULL)
            return false;
        *crc = *crc << 4 | (unsigned long)(digit - digits);
    }
    return true;
}

/* The last member of a record. */
static bool read_tail(const char *text, size_t length, unsigned long *crc)
{
    static const char tail[] = ",\"crc\":\"";
    const char *at = text + length - CRC_TAIL;

    return length >= CRC_TAIL && memcmp(at, tail, strlen(tail)) == 0 &&
           memcmp(text + length - 2, "\"}", 2) == 0 && read_crc(at + strlen(tail), crc);
}

bool line_crc_holds(const char *text, size_t length, unsigned long before, char why[LINE_TEXT])
{
    unsigned long stated, actual;

    if (!read_tail(text, length, &stated)) {
        snprintf(why, LINE_TEXT, "its last member is not \"crc\" with eight digits");
        return false;
    }
    actual = crc32(before, (const unsigned char *)text, (unsigned)(length - CRC_TAIL));
    snprintf(why, LINE_TEXT, "its crc is %08lx, its bytes give %08lx", stated, actual);
    return stated == actual;
}

/* The step of a CRC takes its lowest byte away and mixes an entry of the table in, whose highest
 * byte no other entry has: so that byte says which one it was. */
bool line_crc_before(const char *text, size_t length, unsigned long *before)
{
    const z_crc_t *table = get_crc_table();
    unsigned char entry_of[256];
    unsigned long crc;

    if (!read_tail(text, length, &crc))
        return false;
    for (unsigned entry = 0; entry < 256; entry++)
        entry_of[table[entry] >> 24 & 0xff] = (unsigned char)entry;
    crc ^= 0xffffffff;
    for (size_t at = length - CRC_TAIL; at > 0; at--) {
        const unsigned char entry = entry_of[crc >> 24 & 0xff];

        crc = ((crc ^ table[entry]) << 8 & 0xffffffff) | (entry ^ (unsigned char)text[at - 1]);
    }
    *before = crc ^ 0xffffffff;
    return true;
}

bool line_is_first(const char *text, size_t length)
{
    return starts(text, length, "{\"type\":\"log\",");
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

bool line_text_crc(const char *text, size_t length, struct text_crc *crc)
{
    static const char begin[] = "# crc of texts ", middle[] = " to ", end[] = ": ";
    size_t at = strlen(begin);

    if (!starts(text, length, begin))
        return false;
    at += read_number(text + at, length - at, &crc->from);
    if (!starts(text + at, length - at, middle))
        return false;
    at += strlen(middle);
    at += read_number(text + at, length - at, &crc->to);
    return length - at == strlen(end) + 8 && starts(text + at, length - at, end) &&
           read_crc(text + at + strlen(end), &crc->crc);
}

unsigned long line_plan(const char *text, size_t length)
{
    unsigned long number;

    read_number(text + 3, length - 3, &number);
    return number;
}
