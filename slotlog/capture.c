/* slotlog capture: a log as it comes, until its run is over.
 *
 * What is there is kept at once, line by line: a capture that is ended in the middle leaves all
 * that came. Lines before the log (the firmware's, a boot loader's) are left out. Where no log
 * came, no file is left. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "whole_log.h"
#include "port.h"

#define PLAN_WAIT_S 5 /* the plan follows the end record at once */

struct capture {
    const struct settings *settings;
    struct port port;
    struct reader *reader;
    FILE *output;
    bool begun;                     /* the log's first line has come */
    bool return_pending;            /* a CR that may belong to a line's end */
    size_t filled;                  /* of the line before the log */
    unsigned long before;           /* lines before the log */
    double last_byte, begin, shown; /* seconds */
    double ended;                   /* when the end record came */
    double noticed;                 /* seconds of silence that were said; 0: none */
    double gone;                    /* since when no byte has come from the port; 0: it is there */
    unsigned long received;         /* bytes */
    unsigned long bytes;            /* of the log */
    unsigned long estimated_kb;     /* of the whole log; 0: not known yet */
    char reason[64];                /* of the end record; "" */
    char line[LINE_BYTES];
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void say_problem(void *context, unsigned long line, const char *text)
{
    const struct capture *capture = context;

    if (line > 0)
        fprintf(stderr, "slotlog: %s: line %lu of the log: %s\n", capture->port.name, line, text);
    else
        fprintf(stderr, "slotlog: %s: %s\n", capture->port.name, text);
}

static void take_entry(void *context, const struct reader_entry *entry)
{
    struct capture *capture = context;
    const char *size = entry->kind == LINE_COMMENT ? strstr(entry->text, " s of it, ") : NULL;

    if (size != NULL && strncmp(entry->text, "# serial line: ", 15) == 0)
        sscanf(size, " s of it, %lu KB", &capture->estimated_kb);
    if (entry->record == NULL || strcmp(record_text(entry->record, "type", ""), "end") != 0)
        return;
    snprintf(capture->reason, sizeof(capture->reason), "%s",
             record_text(entry->record, "reason", ""));
}

/* ---- bytes ---- */

static void keep_byte(struct capture *capture, char byte)
{
    if (capture->return_pending && byte != '\n') {
        putc('\r', capture->output);
        reader_feed(capture->reader, "\r", 1);
    }
    capture->return_pending = byte == '\r';
    if (byte == '\r')
        return;
    putc(byte, capture->output);
    reader_feed(capture->reader, &byte, 1);
    capture->bytes++;
}

/* In front of the log's first line, on the same line, may be an escape sequence of firmware that
 * shows its screen there, what a terminal server sent, or noise. */
static void strip_front(struct capture *capture)
{
    if (!line_ends_in_version(capture->line, capture->filled))
        return;
    capture->filled = strlen(LINE_VERSION_TEXT);
    memcpy(capture->line, LINE_VERSION_TEXT, capture->filled);
}

/* Of a line that is not known to be the log's; the last one may have no end. */
static void take_line_before(struct capture *capture, bool ended)
{
    if (capture->filled > 0 && capture->line[capture->filled - 1] == '\r')
        capture->filled--;
    strip_front(capture);
    capture->begun = line_begins_log(capture->line, capture->filled);
    if (!capture->begun) {
        capture->before++;
    } else {
        for (size_t i = 0; i < capture->filled; i++)
            keep_byte(capture, capture->line[i]);
        if (ended)
            keep_byte(capture, '\n');
    }
    capture->filled = 0;
}

/* Of a long line the end may be the log's first line. */
static void add_byte_before(struct capture *capture, char byte)
{
    const size_t kept = sizeof(LINE_VERSION_TEXT "\r");

    if (capture->filled == LINE_BYTES) {
        memmove(capture->line, capture->line + capture->filled - kept, kept);
        capture->filled = kept;
    }
    capture->line[capture->filled++] = byte;
}

static void take_byte(struct capture *capture, char byte)
{
    if (capture->begun)
        keep_byte(capture, byte);
    else if (byte == '\n')
        take_line_before(capture, true);
    else
        add_byte_before(capture, byte);
}

static bool is_over(const struct capture *capture)
{
    const struct reader_totals *totals = reader_totals(capture->reader);

    return totals->ended && totals->planned;
}

/* ---- progress ---- */

static void show_progress(struct capture *capture)
{
    const struct reader_totals *totals = reader_totals(capture->reader);
    const double spent = now() - capture->begin;
    char left[64] = "";

    if (!isatty(STDERR_FILENO) || now() - capture->shown < 1)
        return;
    capture->shown = now();
    if (capture->estimated_kb * 1000 > capture->bytes && capture->bytes > 0)
        snprintf(left, sizeof(left), ", about %.0f s left",
                 spent * ((double)capture->estimated_kb * 1000 / (double)capture->bytes - 1));
    if (!capture->begun)
        fprintf(stderr, "\r\033[Kwaiting for the log's first line, %.0f s", spent);
    else
        fprintf(stderr, "\r\033[K%lu KB, %lu records, %lu verdicts, %lu not ok%s",
                capture->bytes / 1000, totals->records, totals->verdict_lines, totals->failed,
                left);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

/* ---- the loop ---- */

/* False: it did not come back in time. */
static bool wait_for_port(struct capture *capture)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    const char *why;

    port_close(&capture->port);
    end_progress();
    if (capture->gone == 0) {
        fprintf(stderr, "slotlog: %s: is gone; waiting up to %u s for it\n", capture->port.name,
                capture->settings->wait_s);
        capture->gone = now();
    }
    while (!interrupted && now() - capture->gone < capture->settings->wait_s) {
        nanosleep(&pause, NULL);
        if (port_open(&capture->port, &why))
            return true;
    }
    fprintf(stderr, "slotlog: %s: did not come back\n", capture->port.name);
    return false;
}

static bool plan_is_late(struct capture *capture)
{
    if (!reader_totals(capture->reader)->ended)
        return false;
    if (capture->ended == 0)
        capture->ended = now();
    return now() - capture->ended > PLAN_WAIT_S;
}

/* Says so. */
static bool is_silent(const struct capture *capture)
{
    const unsigned limit = capture->settings->silence_s;

    if (limit == 0 || now() - capture->last_byte < limit)
        return false;
    end_progress();
    if (capture->begun)
        fprintf(stderr, "slotlog: %s: nothing came for %u s: the capture ends\n",
                capture->port.name, limit);
    return true;
}

/* Says once that nothing comes, and again each time that has lasted twice as long: a line that is
 * silent for long may be one that is not connected, and looks like a machine that measures. */
static void notice_silence(struct capture *capture)
{
    const double silent = now() - capture->last_byte,
                 due = capture->noticed > 0 ? 2 * capture->noticed : capture->settings->notice_s;

    if (capture->gone > 0 || silent < due)
        return;
    capture->noticed = due;
    end_progress();
    fprintf(stderr, "slotlog: %s: nothing has come for %.0f s%s\n", capture->port.name, due,
            capture->begun ? "" : ", and no line of a log before");
}

static void end_notice(struct capture *capture)
{
    if (capture->noticed > 0) {
        end_progress();
        fprintf(stderr, "slotlog: %s: bytes come again, after %.0f s\n", capture->port.name,
                now() - capture->last_byte);
    }
    capture->noticed = 0;
}

/* Returns false when the output cannot be written. */
static bool take_bytes(struct capture *capture, const char *bytes, size_t size)
{
    if (capture->gone > 0)
        fprintf(stderr, "slotlog: %s: is back after %.1f s; what was sent meanwhile is lost\n",
                capture->port.name, now() - capture->gone);
    capture->gone = 0;
    end_notice(capture);
    capture->received += size;
    for (size_t i = 0; i < size && !is_over(capture); i++)
        take_byte(capture, bytes[i]);
    capture->last_byte = now();
    return fflush(capture->output) == 0;
}

static bool take_all(struct capture *capture)
{
    char bytes[4096];
    size_t got;

    while (!interrupted && !is_over(capture) && !plan_is_late(capture)) {
        const enum port_event event = port_read(&capture->port, bytes, sizeof(bytes), &got);

        if (event == PORT_ENDED || (event == PORT_GONE && !wait_for_port(capture)))
            break;
        if (event == PORT_BYTES && !take_bytes(capture, bytes, got))
            return false;
        if (event == PORT_SILENT && is_silent(capture))
            break;
        if (event == PORT_SILENT)
            notice_silence(capture);
        show_progress(capture);
    }
    return true;
}

static int fail(const char *name, const char *why)
{
    fprintf(stderr, "slotlog: %s: %s\n", name, why != NULL ? why : strerror(errno));
    return STATUS_USAGE;
}

/* A log is not written over: it may be the only copy of a measurement. */
static bool open_output(struct capture *capture)
{
    const char *name = capture->settings->output;
    const int descriptor =
        name != NULL ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : STDOUT_FILENO;

    capture->output = descriptor < 0 ? NULL : name != NULL ? fdopen(descriptor, "wb") : stdout;
    if (capture->output == NULL)
        fail(name, errno == EEXIST ? "is there already, and is not written over" : NULL);
    return capture->output != NULL;
}

/* A file that has nothing in it would be in the way of the next capture. */
static int refuse_no_log(const struct capture *capture)
{
    if (capture->settings->output != NULL)
        unlink(capture->settings->output);
    if (capture->received == 0)
        fprintf(stderr, "slotlog: %s: no log of slotscope: nothing came\n", capture->port.name);
    else
        fprintf(stderr,
                "slotlog: %s: no log of slotscope: %lu bytes came, and no line \"%s\", record or "
                "verdict\n",
                capture->port.name, capture->received, LINE_VERSION_TEXT);
    return STATUS_USAGE;
}

/* What came may be the only copy: it is kept for a slotlog that can read it. */
static int refuse_version(const struct capture *capture)
{
    char why[LINE_TEXT];

    whole_log_refusal(reader_totals(capture->reader)->version, why);
    fprintf(stderr, "slotlog: %s: %s; what came is kept\n", capture->port.name, why);
    return STATUS_USAGE;
}

static int judge(const struct capture *capture)
{
    const struct reader_totals *totals = reader_totals(capture->reader);
    const bool good = totals->problems == 0 && totals->failed == 0 && totals->doubts == 0 &&
                      whole_log_reason_is_good(capture->reason);

    if (totals->version != 0 && totals->version != LOG_VERSION)
        return refuse_version(capture);
    if (capture->before > 0)
        fprintf(stderr, "slotlog: %s: %lu lines before the log were left out\n", capture->port.name,
                capture->before);
    if (totals->runs > 1)
        fprintf(stderr, "slotlog: %s: a log of %lu runs, which only slotlog verify reads\n",
                capture->port.name, totals->runs);
    fprintf(stderr, "slotlog: %s: %lu records, %lu not ok, %lu skipped, %lu problems; %s\n",
            capture->port.name, totals->records, totals->failed, totals->skipped, totals->problems,
            totals->ended ? capture->reason : "no end record");
    if (totals->doubts > 0)
        fprintf(stderr, "slotlog: %s: the log doubts some of its numbers, %lu records say so\n",
                capture->port.name, totals->doubts);
    return good ? STATUS_GOOD : STATUS_FOUND;
}

static int run(struct capture *capture)
{
    int error;
    bool kept;

    capture->begin = capture->last_byte = now();
    kept = take_all(capture);
    error = errno;
    end_progress();
    if (!capture->begun && capture->filled > 0)
        take_line_before(capture, false);
    if (capture->settings->output != NULL && fclose(capture->output) != 0 && kept) {
        kept = false;
        error = errno;
    }
    if (!kept) { /* what came before stays */
        errno = error;
        return fail(capture->settings->output != NULL ? capture->settings->output
                                                      : "standard output",
                    NULL);
    }
    if (!capture->begun)
        return refuse_no_log(capture);
    reader_end(capture->reader);
    return judge(capture);
}

/* The port is opened before the output is made: a wrong device leaves no file. */
static int open_and_run(struct capture *capture)
{
    const struct reader_sink sink = {capture, take_entry, say_problem};
    const char *why;
    int status = STATUS_USAGE;

    if (!port_open(&capture->port, &why))
        return fail(capture->port.name, why);
    capture->reader = reader_new(whole_log_schema(), &sink);
    if (capture->reader == NULL)
        fail(capture->port.name, "no memory");
    else if (open_output(capture))
        status = run(capture);
    reader_free(capture->reader);
    port_close(&capture->port);
    return status;
}

int command_capture(const struct settings *settings)
{
    static struct capture capture;
    const struct sigaction action = {.sa_handler = interrupt};

    capture = (struct capture){.settings = settings,
                               .port = {.name = settings->files[0], .baud = settings->baud}};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    return open_and_run(&capture);
}
