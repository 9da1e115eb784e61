/* The log, version 1: TAP 14 lines, JSON records and comments, sent to serial, screen and stick
 * alike. Only the boot processor calls these. Nothing here may be called inside a measured
 * window. */
#ifndef BOOT_LOG_H
#define BOOT_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "json_line.h"

struct log_totals {
    uint64_t passed, failed, skipped, records;
};

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
/* What log_flush calls (the stick's part of the console); none at first. */
void log_set_flush(void (*flush)(void));
/* The plan "1..N", after the `end` record. What is logged afterwards is dropped. */
void log_finish(void);

/* A seam: one line, its end included, to serial line, screen and stick. The host tests collect
 * them. */
void console_send(const char *line, size_t length);

#endif
