/* The log, on the host, too: TAP 14 lines, JSON records and comments. It has two forms, brief and
 * full, each with its own numbers of verdicts and records; most lines belong to both. Every CRC in
 * a form goes on from that of its first record, which has a number of the run and the form's name:
 * no line can be taken for one of another run or form. Only the boot processor calls these
 * functions, and never inside a measured window. */
#ifndef BOOT_LOG_H
#define BOOT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json_line.h"

#define LOG_VERSION 2

enum log_form { LOG_BRIEF = 1, LOG_FULL = 2, LOG_BOTH = 3 };

/* Verdicts of the full form, whether it is written or not. */
struct log_totals {
    uint64_t passed, failed, skipped;
};

/* How many verdicts and records of a form went out. */
struct log_numbers {
    uint64_t verdicts, records;
};

/* Where lines go. */
struct log_sink {
    /* One line of a form, its line feed included. */
    void (*send)(enum log_form form, const char *line, size_t length);
    /* Null: nothing to do. Not urgent: it may be left for a later call. */
    void (*flush)(bool urgent);
};
/* From here on lines go to that sink. Until then they are lost. */
void log_set_sink(const struct log_sink *sink);
/* Only these forms are sent from here on; nothing is built for another. At first both. */
void log_want(enum log_form forms);
/* From here on verdicts, records and comments belong to these forms only; at first to both.
 * Returns to which they belonged before. */
enum log_form log_into(enum log_form forms);
/* One place where the form is kept gets its end, while the form goes on elsewhere: until log_back
 * the lines are that form's alone, numbered on from where it is, and log_finish may be called. The
 * sink must take them to that place only. log_back makes the log what it was before log_aside. */
void log_aside(enum log_form form);
void log_back(void);
/* A place where the log may be cut, and gets its end then: log_aside_marked goes on from where
 * log_mark was called last, as if nothing had been logged since. */
void log_mark(void);
void log_aside_marked(enum log_form form);
/* Whether a line would be sent now. */
bool log_wanted(void);

/* Begins a log: all counts are 0, and "TAP version 14" and the first record are sent. The nonce is
 * a number that no other run has. */
void log_start(uint64_t nonce);
/* Sends "# ..." for people. */
void log_comment(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
/* Sends "ok N - ..." or "not ok N - ..."; "ok N - ... # SKIP reason". */
void log_verdict(bool ok, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void log_skip(const char *reason, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
/* Begins a record with the next "seq". Only one record exists at a time: the next call begins it
 * anew. */
struct json_line *log_record(const char *type);
/* Closes the record and sends it. An `error` record with its type replaces a record that
 * overflowed. Records after `end` are dropped. */
void log_send(struct json_line *record);
/* Begins an `error` record: what failed, where (register, file:line:column, core, ...), what was
 * expected. Any of them may be null. */
struct json_line *log_error_record(const char *what, const char *where, const char *expected);
/* Sends an `error` record of these members alone; behind the `end` record a comment. */
void log_error(const char *what, const char *where, const char *expected);
/* Begins a phase of bring-up: sends "# bring-up: ..." and waits until that line is safe on the
 * serial line and the stick. A log that ends with it was cut short in that phase. */
void log_phase(const char *phase);
/* The verdicts so far. */
struct log_totals log_totals(void);
struct log_numbers log_numbers(enum log_form form); /* of LOG_BRIEF or LOG_FULL */
/* The last failed verdicts and errors, newest first: the text of the one `back` before the newest;
 * null: there was none, or LOG_TROUBLES newer ones. For the screen; longer texts are cut. */
#define LOG_TROUBLES 12
const char *log_trouble(unsigned back);
/* Makes safe on the stick what was logged. */
void log_flush(void);
/* The same, unless the stick is so slow that this would slow the run: then a later call does it.
 * The harness calls it after each kernel. */
void log_flush_soon(void);
/* Sends the plan "1..N", after the `end` record. What is logged afterwards is dropped. */
void log_finish(void);

#endif
