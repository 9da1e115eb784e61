#include "log.h"

#include "format.h"
#include "text.h"

#define LINE_SIZE 2048

static struct {
    struct json_line record;
    char line[LINE_SIZE];
    struct log_totals totals;
    struct log_sink sink;
    bool ended;    /* the `end` record went out: no record may follow it */
    bool finished; /* the plan went out: nothing may follow it */
} self;

/* `text` has room for a line feed in place of its 0 byte. */
static void send(char *text, size_t length)
{
    if (self.finished || self.sink.send == NULL)
        return;
    text[length] = '\n';
    self.sink.send(text, length + 1);
}

static void send_line(void)
{
    send(self.line, strlen(self.line));
}

/* Formats into self.line from `at` on. All but printable ASCII becomes blanks, so that one line
 * stays one line. A text that is too long ends in "...". */
static void fill(size_t at, const char *pattern, va_list arguments)
{
    size_t length = at + format_list(self.line + at, LINE_SIZE - at, pattern, arguments);

    if (length >= LINE_SIZE)
        memcpy(self.line + LINE_SIZE - 4, "...", 4);
    for (char *c = self.line + at; *c; c++)
        if ((uint8_t)*c < ' ' || (uint8_t)*c >= 0x7f)
            *c = ' ';
}

static size_t append(size_t at, const char *text)
{
    size_t length = at + format(self.line + at, LINE_SIZE - at, "%s", text);

    return length < LINE_SIZE ? length : LINE_SIZE - 1;
}

/* Puts a backslash before each #, which TAP would read as the start of a directive. */
static void escape_hashes(size_t at)
{
    size_t length = strlen(self.line);

    for (; self.line[at]; at++) {
        if (self.line[at] != '#')
            continue;
        if (length + 1 == LINE_SIZE)
            length--;
        memmove(self.line + at + 1, self.line + at, length - at);
        self.line[at++] = '\\';
        self.line[++length] = '\0';
    }
}

void log_set_sink(const struct log_sink *sink)
{
    self.sink = *sink;
}

void log_start(void)
{
    memset(&self.totals, 0, sizeof(self.totals));
    self.ended = false;
    self.finished = false;
    format(self.line, LINE_SIZE, "TAP version 14");
    send_line();
}

void log_comment(const char *pattern, ...)
{
    va_list arguments;

    va_start(arguments, pattern);
    fill(append(0, "# "), pattern, arguments);
    va_end(arguments);
    send_line();
}

/* Writes "ok 7 - " and returns its length. */
static size_t begin_verdict(bool ok)
{
    uint64_t number = self.totals.passed + self.totals.failed + self.totals.skipped;

    return format(self.line, LINE_SIZE, "%sok %llu - ", ok ? "" : "not ",
                  (unsigned long long)number);
}

void log_verdict(bool ok, const char *pattern, ...)
{
    va_list arguments;
    size_t at;

    if (ok)
        self.totals.passed++;
    else
        self.totals.failed++;
    at = begin_verdict(ok);
    va_start(arguments, pattern);
    fill(at, pattern, arguments);
    va_end(arguments);
    escape_hashes(at);
    send_line();
}

void log_skip(const char *reason, const char *pattern, ...)
{
    va_list arguments;
    size_t at, length;

    self.totals.skipped++;
    at = begin_verdict(true);
    va_start(arguments, pattern);
    fill(at, pattern, arguments);
    va_end(arguments);
    escape_hashes(at);

    length = strlen(self.line);
    if (length > LINE_SIZE / 2) /* room for the directive, however long the description is */
        length = LINE_SIZE / 2;
    at = append(length, " # SKIP ");
    append(at, reason != NULL ? reason : "");
    for (char *c = self.line + at; *c; c++)
        if ((uint8_t)*c < ' ' || (uint8_t)*c >= 0x7f)
            *c = ' ';
    send_line();
}

struct json_line *log_record(const char *type)
{
    if (strcmp(type, "end") == 0)
        log_flush(); /* an error of the sink comes before the `end` record */
    json_line_open(&self.record, type, self.totals.records);
    return &self.record;
}

void log_send(struct json_line *record)
{
    static const char end[] = "{\"type\":\"end\"";
    char what[96];

    if (self.ended)
        return;
    if (!json_line_close(record)) {
        char type[32] = "";
        const char *from = record->text + strlen("{\"type\":\"");
        size_t length = 0;

        while (length < sizeof(type) - 1 && from[length] != '"')
            length++;
        memcpy(type, from, length);
        format(what, sizeof(what), "a record of type %s was left out", type);
        json_line_open(record, "error", self.totals.records);
        json_line_text(record, "what", what);
        json_line_text(record, "where", "log");
        json_line_text(record, "expected", "closed objects and at most 4096 bytes");
        if (!json_line_close(record))
            return;
    }
    self.totals.records++; /* only now: a record that is never sent leaves no gap in "seq" */
    self.ended = strncmp(record->text, end, sizeof(end) - 1) == 0;
    send(record->text, record->length);
}

void log_error(const char *what, const char *where, const char *expected)
{
    struct json_line *record = log_record("error");

    json_line_text(record, "what", what);
    json_line_text(record, "where", where);
    json_line_text(record, "expected", expected);
    log_send(record);
}

struct log_totals log_totals(void)
{
    return self.totals;
}

void log_flush(void)
{
    if (self.sink.flush != NULL)
        self.sink.flush();
}

void log_finish(void)
{
    uint64_t verdicts = self.totals.passed + self.totals.failed + self.totals.skipped;

    format(self.line, LINE_SIZE, "1..%llu", (unsigned long long)verdicts);
    send_line();
    self.finished = true;
    log_flush();
}
