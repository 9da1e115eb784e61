/* One line of a log (doc/log.md), without its end. Pure. */
#ifndef SLOTLOG_READER_LOG_LINE_H
#define SLOTLOG_READER_LOG_LINE_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_RECORD_BYTES 4096  /* the longest record */
#define LINE_BYTES        65536 /* a longer line is no line of a log */
#define LINE_TEXT         200   /* bytes of a message about a line; a longer one is cut off */

#define LINE_VERSION_TEXT "TAP version 14"

enum line_kind {
    LINE_VERSION, /* LINE_VERSION_TEXT */
    LINE_RECORD,
    LINE_VERDICT,
    LINE_COMMENT,
    LINE_PLAN,
    LINE_EMPTY,
    LINE_OTHER
};

struct verdict_line {
    bool ok, skipped;
    unsigned long number;
    unsigned long verdicts; /* that it stands for: a line of the brief form may stand for several */
    const char *claim;      /* behind the dash, `claim_length` bytes, the directive left out */
    size_t claim_length;
    const char *reason; /* of a SKIP, else NULL: to the end of the line */
    size_t reason_length;
};

/* What kind of line these bytes are. A verdict or a plan whose number cannot be read is
 * LINE_OTHER. */
enum line_kind line_kind(const char *text, size_t length);

/* Whether the line is "TAP version 14", or ends in it: bytes that came before a log's first line,
 * and what is left of a line that a reset cut, have no line's end. */
bool line_ends_in_version(const char *text, size_t length);

/* Whether a log begins with this line: with its first one, or with one that no firmware prints, a
 * record or a verdict, where the lines before it are lost. */
bool line_begins_log(const char *text, size_t length);

/* Whether the last member of a record is the CRC-32 of the bytes before it, as eight lower-case
 * digits, behind bytes whose CRC-32 is `before`; if not, `why` says what is wrong. */
bool line_crc_holds(const char *text, size_t length, unsigned long before, char why[LINE_TEXT]);
/* What `before` must be for the CRC to hold. False: the last member is no CRC. */
bool line_crc_before(const char *text, size_t length, unsigned long *before);

/* Whether the record begins as the first one of a log does; its CRC holds with `before` 0. */
bool line_is_first(const char *text, size_t length);

/* Takes a LINE_VERDICT apart. */
struct verdict_line line_verdict(const char *text, size_t length);

/* A comment with the CRC-32 of the texts `from` to `to`: verdicts and comments. */
struct text_crc {
    unsigned long from, to, crc;
};
/* Whether the comment is one; a damaged one is none. */
bool line_text_crc(const char *text, size_t length, struct text_crc *crc);

/* The number of a LINE_PLAN. */
unsigned long line_plan(const char *text, size_t length);

#endif
