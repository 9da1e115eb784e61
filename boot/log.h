/* The log, version 1: TAP 14 lines, JSON records and comments, sent to serial, screen and stick
 * alike. Only the boot processor calls these. Nothing here may be called inside a measured
 * window. */
#ifndef BOOT_LOG_H
#define BOOT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json_line.h"

struct log_totals {
    uint64_t passed, failed, skipped, records;
};

/* Where lines go. */
struct log_sink {
    void (*send)(const char *line, size_t length); /* one line, its line feed included */
    void (*flush)(void);                           /* null: nothing to do */
};
/* From here on lines go to that sink. Until then they are lost. */
void log_set_sink(const struct log_sink *sink);

/* Sends "TAP version 14". Sinks that come up later (stick) get what was sent before, as far as
 * it was kept (64 KiB). */
void log_start(void);
/* "# ..." for people. */
void log_comment(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
/* "ok N - ..." / "not ok N - ..." / "ok N - ... # SKIP reason". */
void log_verdict(bool ok, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void log_skip(const char *reason, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
/* Begins a record with the next "seq". One record is built at a time. */
struct json_line *log_record(const char *type);
/* Closes and sends it. Records after `end` are dropped. */
void log_send(struct json_line *record);
/* An `error` record in one call: what failed, where (register, file:line:column, core, ...),
 * what was expected. Any may be null. */
void log_error(const char *what, const char *where, const char *expected);
/* Counts so far. */
struct log_totals log_totals(void);
/* Makes what was logged safe on the stick (flush); cheap when there is none. Called after each
 * kernel. */
void log_flush(void);
/* The plan "1..N", after the `end` record. What is logged afterwards is dropped. */
void log_finish(void);

#endif
