/* Log records: one JSON object a line, "type" and "seq" first, "crc" last. Pure: building only;
 * log.h sends them. A record that would pass 4096 bytes is marked overflowed and never sent cut
 * in half (log_record reports it as an error record naming the type). Strings are escaped to
 * ASCII. Keys are not: they are the code's own, or names of a description, which the parser allows
 * letters, digits, _ . : and # only. */
#ifndef BOOT_JSON_LINE_H
#define BOOT_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_LINE_SIZE  4096
#define JSON_LINE_SLACK 128 /* what is found too long only once it is written */

struct json_line {
    char text[JSON_LINE_SIZE + JSON_LINE_SLACK];
    size_t length;
    unsigned depth;
    bool comma; /* the next member needs one */
    bool overflow;
};

void json_line_open(struct json_line *record, const char *type, uint64_t seq);
/* A null value prints null. */
void json_line_text(struct json_line *record, const char *key, const char *value);
void json_line_unsigned(struct json_line *record, const char *key, uint64_t value);
/* As a string "0x...". */
void json_line_hex(struct json_line *record, const char *key, uint64_t value);
/* `decimals` 0..9 after the point; NaN and infinities print null. */
void json_line_real(struct json_line *record, const char *key, double value, unsigned decimals);
void json_line_null(struct json_line *record, const char *key);
/* An object of "min", "median" and "max": most of the log is that. */
void json_line_spread(struct json_line *record, const char *key, int64_t minimum, int64_t median,
                      int64_t maximum);
void json_line_bool(struct json_line *record, const char *key, bool value);
/* Nested values; `key` is null inside an array. */
void json_line_object(struct json_line *record, const char *key);
void json_line_array(struct json_line *record, const char *key);
void json_line_end(struct json_line *record); /* of the innermost object or array */
/* Adds "crc" (CRC-32 of the bytes before it) and the closing brace. False when the record
 * overflowed. */
bool json_line_close(struct json_line *record);

#endif
