#include "log.h"

#include "crc32.h"
#include "format.h"
#include "text.h"

#define LINE_SIZE    2048
#define TROUBLE_SIZE 160
#define COVERED      16  /* verdicts and comments after which a line with their CRC is due */
#define TABLE        128 /* comments in a row up to which they are not parted by one */

/* What the two forms number apart. */
struct form {
    enum log_form name;
    uint64_t verdicts, records, texts; /* texts: verdicts and comments */
    uint64_t covered;                  /* texts whose CRC went out */
    uint32_t begin;                    /* the CRC of the first record: all others go on from it */
    uint32_t crc;                      /* of the other texts' lines */
    bool ended;                        /* the `end` record went out: no record may follow it */
};

static struct {
    struct json_line record, copy;
    char line[LINE_SIZE];
    struct log_totals totals;
    struct log_sink sink;
    struct form forms[2];
    enum log_form wanted, into;
    bool finished; /* the plan went out: nothing may follow it */
    char troubles[LOG_TROUBLES][TROUBLE_SIZE];
    uint64_t trouble_count; /* since the log began; number n is in place n % LOG_TROUBLES */
} self = {.wanted = LOG_BOTH, .into = LOG_BOTH}, kept; /* of log_aside */

/* Where log_mark was. */
static struct {
    struct form forms[2];
    struct log_totals totals;
} mark;

/* Whether lines go into the form, and somebody wants it. */
static bool goes(const struct form *form)
{
    return !self.finished && self.into & self.wanted & form->name;
}

/* `text` has room for a line feed in place of its 0 byte. */
static void send(const struct form *form, char *text, size_t length)
{
    if (!goes(form) || self.sink.send == NULL)
        return;
    text[length] = '\n';
    self.sink.send(form->name, text, length + 1);
    text[length] = '\0';
}

/* The texts since the last such line: a verdict or a comment has no CRC of its own, and stays a
 * line for people. */
static void send_crc(struct form *form)
{
    char text[80]; /* with room for a line feed */
    size_t length;

    length =
        format(text, sizeof(text) - 1, "# crc of texts %llu to %llu: %08x",
               (unsigned long long)form->covered + 1, (unsigned long long)form->texts, form->crc);
    form->covered = form->texts;
    form->crc = form->begin;
    send(form, text, length);
}

static void cover(struct form *form, unsigned most)
{
    if (form->texts - form->covered >= most)
        send_crc(form);
}

static void cover_all(void)
{
    for (unsigned i = 0; i < COUNT_OF(self.forms); i++)
        cover(&self.forms[i], 1);
}

/* self.line as a verdict or a comment. */
static void send_text(struct form *form)
{
    const size_t length = strlen(self.line);

    form->crc = crc32_more(form->crc, self.line, length);
    form->crc = crc32_more(form->crc, "\n", 1);
    form->texts++;
    send(form, self.line, length);
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

void log_want(enum log_form forms)
{
    self.wanted = forms;
}

enum log_form log_into(enum log_form forms)
{
    const enum log_form before = self.into;

    self.into = forms;
    return before;
}

void log_aside(enum log_form form)
{
    kept = self;
    self.wanted = self.into = form;
}

void log_mark(void)
{
    memcpy(mark.forms, self.forms, sizeof(mark.forms));
    mark.totals = self.totals;
}

void log_aside_marked(enum log_form form)
{
    log_aside(form);
    memcpy(self.forms, mark.forms, sizeof(self.forms));
    self.totals = mark.totals;
}

void log_back(void)
{
    self = kept;
}

bool log_wanted(void)
{
    return self.into & self.wanted;
}

/* The first record: who has it knows of which run and form every other line is. */
static void send_first(struct form *form, uint64_t nonce)
{
    struct json_line *record = &self.record;

    json_line_open(record, "log", form->records++);
    json_line_unsigned(record, "log_version", LOG_VERSION);
    json_line_text(record, "form", form->name == LOG_BRIEF ? "brief" : "full");
    json_line_hex(record, "nonce", nonce);
    json_line_close(record, 0);
    form->begin = form->crc = record->crc;
    send(form, record->text, record->length);
}

void log_start(uint64_t nonce)
{
    static const char version[] = "TAP version 14";

    memset(&self.totals, 0, sizeof(self.totals));
    memset(self.forms, 0, sizeof(self.forms));
    self.trouble_count = 0;
    self.forms[0].name = LOG_BRIEF;
    self.forms[1].name = LOG_FULL;
    self.wanted = self.into = LOG_BOTH;
    self.finished = false;
    memcpy(self.line, version, sizeof(version));
    for (unsigned i = 0; i < COUNT_OF(self.forms); i++) {
        send(&self.forms[i], self.line, sizeof(version) - 1);
        send_first(&self.forms[i], nonce);
    }
}

void log_comment(const char *pattern, ...)
{
    va_list arguments;

    va_start(arguments, pattern);
    fill(append(0, "# "), pattern, arguments);
    va_end(arguments);
    for (unsigned i = 0; i < COUNT_OF(self.forms); i++) {
        struct form *form = &self.forms[i];

        if (!goes(form))
            continue;
        send_text(form);
        cover(form, TABLE);
    }
}

/* Writes "ok 7 - " and the text. */
static void fill_verdict(struct form *form, bool ok, const char *pattern, va_list arguments)
{
    const size_t at = format(self.line, LINE_SIZE, "%sok %llu - ", ok ? "" : "not ",
                             (unsigned long long)++form->verdicts);

    fill(at, pattern, arguments);
    escape_hashes(at);
}

/* Adds " # SKIP reason". */
static void add_skip(const char *reason)
{
    size_t length = strlen(self.line), at;

    if (length > LINE_SIZE / 2) /* room for the directive, however long the description is */
        length = LINE_SIZE / 2;
    at = append(length, " # SKIP ");
    append(at, reason != NULL ? reason : "");
    for (char *c = self.line + at; *c; c++)
        if ((uint8_t)*c < ' ' || (uint8_t)*c >= 0x7f)
            *c = ' ';
}

static void send_verdict(bool ok, bool skip, const char *reason, const char *pattern,
                         va_list arguments)
{
    for (unsigned i = 0; i < COUNT_OF(self.forms); i++) {
        struct form *form = &self.forms[i];
        va_list again;

        if (!goes(form))
            continue;
        cover(form, COVERED);
        va_copy(again, arguments);
        fill_verdict(form, ok, pattern, again);
        va_end(again);
        if (skip)
            add_skip(reason);
        send_text(form);
    }
}

static char *next_trouble(void)
{
    return self.troubles[self.trouble_count++ % LOG_TROUBLES];
}

const char *log_trouble(unsigned back)
{
    if (back >= self.trouble_count || back >= LOG_TROUBLES)
        return NULL;
    return self.troubles[(self.trouble_count - 1 - back) % LOG_TROUBLES];
}

void log_verdict(bool ok, const char *pattern, ...)
{
    va_list arguments;

    if (!ok) {
        va_start(arguments, pattern);
        format_list(next_trouble(), TROUBLE_SIZE, pattern, arguments);
        va_end(arguments);
    }
    if (self.into & LOG_FULL) {
        self.totals.passed += ok;
        self.totals.failed += !ok;
    }
    va_start(arguments, pattern);
    send_verdict(ok, false, NULL, pattern, arguments);
    va_end(arguments);
}

void log_skip(const char *reason, const char *pattern, ...)
{
    va_list arguments;

    self.totals.skipped += (self.into & LOG_FULL) != 0;
    va_start(arguments, pattern);
    send_verdict(true, true, reason, pattern, arguments);
    va_end(arguments);
}

/* The form whose numbers a record is built with: the first that it goes into; null: none. */
static struct form *first_form(void)
{
    for (unsigned i = 0; i < COUNT_OF(self.forms); i++)
        if (goes(&self.forms[i]) && !self.forms[i].ended)
            return &self.forms[i];
    return NULL;
}

struct json_line *log_record(const char *type)
{
    const struct form *form;

    if (strcmp(type, "end") == 0) {
        cover_all();
        log_flush(); /* an error of the sink comes before the `end` record */
    }
    form = first_form();
    json_line_open(&self.record, type, form != NULL ? form->records : 0);
    if (form == NULL)
        self.record.overflow = true; /* nobody wants it: nothing is built */
    return &self.record;
}

static bool is_of(const struct json_line *record, const char *type)
{
    const char *from = record->text + strlen("{\"type\":\"");
    const size_t length = strlen(type);

    return strncmp(from, type, length) == 0 && from[length] == '"';
}

/* Makes it an `error` record: it has no room, or is open. */
static void leave_out(struct json_line *record, uint64_t seq)
{
    const char *from = record->text + strlen("{\"type\":\"");
    char what[96], type[32] = "";
    size_t length = 0;

    while (length < sizeof(type) - 1 && from[length] != '"')
        length++;
    memcpy(type, from, length);
    format(what, sizeof(what), "a record of type %s was left out", type);
    json_line_open(record, "error", seq);
    json_line_text(record, "what", what);
    json_line_text(record, "where", "log");
    json_line_text(record, "expected", "closed objects and at most 4096 bytes");
}

static void send_record(struct form *form, struct json_line *record)
{
    const bool end = is_of(record, "end");

    cover(form, end ? 1 : COVERED);
    if (end) /* a line with a CRC that is lost at the end is not missed otherwise */
        json_line_unsigned(record, "texts", form->texts);
    if (!json_line_close(record, form->begin)) {
        leave_out(record, form->records);
        json_line_close(record, form->begin);
    }
    form->records++; /* only now: a record that is never sent leaves no gap in "seq" */
    send(form, record->text, record->length);
    form->ended = end;
}

void log_send(struct json_line *record)
{
    struct form *first = first_form();

    if (first == NULL)
        return;
    if (!json_line_is_whole(record))
        leave_out(record, first->records);
    for (struct form *form = first + 1; form < self.forms + COUNT_OF(self.forms); form++) {
        if (!goes(form) || form->ended)
            continue;
        json_line_copy(&self.copy, record, form->records);
        send_record(form, &self.copy);
    }
    send_record(first, record);
}

struct json_line *log_error_record(const char *what, const char *where, const char *expected)
{
    struct json_line *record = log_record("error");

    format(next_trouble(), TROUBLE_SIZE, "error: %s%s%s", what != NULL ? what : "",
           where != NULL ? ": " : "", where != NULL ? where : "");
    json_line_text(record, "what", what);
    json_line_text(record, "where", where);
    json_line_text(record, "expected", expected);
    return record;
}

void log_error(const char *what, const char *where, const char *expected)
{
    struct json_line *record = log_error_record(what, where, expected);

    if (first_form() != NULL)
        log_send(record);
    else
        log_comment("error: %s%s%s", what, where != NULL ? ": " : "", where != NULL ? where : "");
}

struct log_totals log_totals(void)
{
    return self.totals;
}

struct log_numbers log_numbers(enum log_form form)
{
    const struct form *of = &self.forms[form == LOG_BRIEF ? 0 : 1];

    return (struct log_numbers){of->verdicts, of->records};
}

static void flush(bool urgent)
{
    if (self.sink.flush != NULL)
        self.sink.flush(urgent);
}

void log_flush(void)
{
    flush(true);
}

void log_flush_soon(void)
{
    flush(false);
}

void log_phase(const char *phase)
{
    log_comment("bring-up: %s", phase);
    flush(true);
}

void log_finish(void)
{
    self.into = LOG_BOTH;
    cover_all();
    log_flush(); /* the sink may have something to say */
    cover_all();
    for (unsigned i = 0; i < COUNT_OF(self.forms); i++) {
        format(self.line, LINE_SIZE, "1..%llu", (unsigned long long)self.forms[i].verdicts);
        send(&self.forms[i], self.line, strlen(self.line));
    }
    self.finished = true;
    log_flush();
}
