/* Log records: one JSON object a line, "type" and "seq" first, "crc" last. Pure: building only;
 * log.h sends them. A record that would pass 4096 bytes is marked overflowed and never sent cut
 * in half (log_record reports it as an error record naming the type). Strings are escaped to
 * ASCII. Keys are not: they are the code's own, or names of a description, which the parser allows
 * letters, digits, _ . : and # only. */
#ifndef BOOT_RECORD_H
#define BOOT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_SIZE  4096
#define RECORD_SLACK 128 /* what is found too long only once it is written */

struct record {
    char text[RECORD_SIZE + RECORD_SLACK];
    size_t length;
    unsigned depth;
    bool comma; /* the next member needs one */
    bool overflow;
};

void record_open(struct record *record, const char *type, uint64_t seq);
/* A null value prints null. */
void record_text(struct record *record, const char *key, const char *value);
void record_unsigned(struct record *record, const char *key, uint64_t value);
void record_signed(struct record *record, const char *key, int64_t value);
/* As a string "0x...". */
void record_hex(struct record *record, const char *key, uint64_t value);
/* `decimals` 0..9 after the point; NaN and infinities print null. */
void record_real(struct record *record, const char *key, double value, unsigned decimals);
void record_null(struct record *record, const char *key);
/* An object of "min", "median" and "max": most of the log is that. */
void record_spread(struct record *record, const char *key, int64_t minimum, int64_t median,
                   int64_t maximum);
void record_bool(struct record *record, const char *key, bool value);
/* Nested values; `key` is null inside an array. */
void record_object(struct record *record, const char *key);
void record_array(struct record *record, const char *key);
void record_end(struct record *record); /* of the innermost object or array */
/* Adds "crc" (CRC-32 of the bytes before it) and the closing brace. False when the record
 * overflowed. */
bool record_close(struct record *record);

/* CRC-32 as in zlib. */
uint32_t crc32_of(const void *data, size_t size);

#endif
