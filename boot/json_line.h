/* Builds log records: one JSON object a line, "type" and "seq" first, "crc" last. Pure; log.h sends
 * them. A record that would be longer than 4096 bytes overflows: json_line_close refuses it, and
 * log_send sends an `error` record that names its type instead. Strings are escaped to ASCII. Keys
 * are not escaped: they are the code's literals, or names from a CPU description, for which the
 * parser allows only letters, digits, _ . : and #. */
#ifndef BOOT_JSON_LINE_H
#define BOOT_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_LINE_SIZE  4096
#define JSON_LINE_SLACK 128 /* for a value that proves too long only when it is written */

struct json_line {
    char text[JSON_LINE_SIZE + JSON_LINE_SLACK];
    size_t length;
    size_t seq_at, seq_end; /* where the digits of "seq" are */
    unsigned depth;
    bool comma; /* goes in front of the next member */
    bool overflow;
    uint32_t crc; /* once it is closed */
};

/* Begins a record with "type" and "seq". */
void json_line_open(struct json_line *record, const char *type, uint64_t seq);
/* A null value prints null. */
void json_line_text(struct json_line *record, const char *key, const char *value);
void json_line_unsigned(struct json_line *record, const char *key, uint64_t value);
/* As a string "0x...". */
void json_line_hex(struct json_line *record, const char *key, uint64_t value);
/* `decimals` 0..9 after the point; NaN and infinities print null. */
void json_line_real(struct json_line *record, const char *key, double value, unsigned decimals);
void json_line_null(struct json_line *record, const char *key);
/* An object of "min", "median" and "max". Most of the log is such objects, hence the function. */
void json_line_spread(struct json_line *record, const char *key, int64_t minimum, int64_t median,
                      int64_t maximum);
void json_line_bool(struct json_line *record, const char *key, bool value);
/* Open a nested object or array; `key` is null inside an array. */
void json_line_object(struct json_line *record, const char *key);
void json_line_array(struct json_line *record, const char *key);
/* Closes the innermost of them. */
void json_line_end(struct json_line *record);
/* Whether all of it has room and no nested value is open. */
bool json_line_is_whole(const struct json_line *record);
/* Adds "crc" and the closing brace. The CRC is that of the bytes before it, behind bytes whose CRC
 * is `before`; 0: none. False: the record is not whole. */
bool json_line_close(struct json_line *record, uint32_t before);
/* A copy of a whole record that is not closed yet, with another "seq". False: it would be too long.
 */
bool json_line_copy(struct json_line *copy, const struct json_line *record, uint64_t seq);

#endif
