#include "whole_log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BLOCK (1u << 20) /* more than the longest line */

extern const char slotlog_schema[], slotlog_schema_end[];

struct loading {
    struct whole_log *log;
    size_t room; /* for verdicts */
};

void *allocate_or_end(void *old, size_t count, size_t size)
{
    void *memory = reallocarray(old, count, size);

    if (memory == NULL) {
        fprintf(stderr, "slotlog: no memory\n");
        exit(STATUS_USAGE);
    }
    return memory;
}

json_t *json_made(json_t *made)
{
    if (made == NULL) {
        fprintf(stderr, "slotlog: no memory\n");
        exit(STATUS_USAGE);
    }
    return made;
}

const struct schema *whole_log_schema(void)
{
    static struct schema *schema;
    char why[SCHEMA_TEXT] = "";

    if (schema == NULL)
        schema = schema_read(slotlog_schema, (size_t)(slotlog_schema_end - slotlog_schema), why);
    if (schema == NULL) {
        fprintf(stderr, "slotlog: the log's schema: %s\n", why);
        exit(STATUS_USAGE);
    }
    return schema;
}

/* Texts lie behind each other: most are short, and an allocation for each would take more than
 * they do. */
struct text_block {
    struct text_block *older;
    size_t used;
    char text[TEXT_BLOCK];
};

static const char *copy(struct whole_log *log, const char *text, size_t length)
{
    char *made;

    if (length == 0)
        return "";
    if (log->texts == NULL || log->texts->used + length + 1 > TEXT_BLOCK) {
        struct text_block *block = allocate_or_end(NULL, 1, sizeof(*block));

        block->older = log->texts;
        block->used = 0;
        log->texts = block;
    }
    made = log->texts->text + log->texts->used;
    memcpy(made, text, length);
    made[length] = 0;
    log->texts->used += length + 1;
    return made;
}

static void keep_verdict(struct loading *loading, const struct reader_entry *entry)
{
    const struct verdict_line line = line_verdict(entry->text, entry->length);
    struct whole_log *log = loading->log;

    if (log->verdict_count == LOG_VERDICTS) {
        log->too_many = true;
        return;
    }
    if (log->verdict_count == loading->room) {
        loading->room = loading->room + loading->room / 2 + 256;
        log->verdicts = allocate_or_end(log->verdicts, loading->room, sizeof(*log->verdicts));
    }
    log->failed += !line.ok;
    log->skipped += line.skipped;
    log->verdicts[log->verdict_count++] = (struct log_verdict){
        .line = (unsigned)entry->line,
        .number = (unsigned)line.number,
        .verdicts = (unsigned)line.verdicts,
        .ok = line.ok,
        .skipped = line.skipped,
        .claim = copy(log, line.claim, line.claim_length),
        .reason = line.skipped ? copy(log, line.reason, line.reason_length) : "",
    };
}

static void keep(void *context, const struct reader_entry *entry)
{
    struct loading *loading = context;

    if (entry->kind == LINE_VERDICT && entry->believed)
        keep_verdict(loading, entry);
    else if (entry->kind == LINE_VERDICT)
        loading->log->doubted++;
    if (entry->record != NULL)
        json_array_append(loading->log->records, entry->record);
}

/* Returns false when it cannot be read. */
static bool feed_file(struct reader *reader, const char *name, size_t *size)
{
    const bool standard = strcmp(name, "-") == 0;
    FILE *file = standard ? stdin : fopen(name, "rb");
    char bytes[65536];
    bool read;
    size_t got;

    *size = 0;
    if (file == NULL)
        return false;
    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0) {
        reader_feed(reader, bytes, got);
        *size += got;
    }
    read = !ferror(file);
    if (!standard)
        fclose(file);
    return read;
}

static int refuse(const char *name, const char *pattern, ...)
{
    va_list arguments;

    fprintf(stderr, "slotlog: %s: ", name);
    va_start(arguments, pattern);
    vfprintf(stderr, pattern, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return STATUS_USAGE;
}

/* A log of several rounds has as many records of each measurement: what a command prints is the
 * first round's. */
static void tell_rounds(const struct whole_log *log)
{
    const json_int_t rounds =
        json_integer_value(json_object_get(whole_log_record(log, "end"), "rounds"));

    if (rounds > 1)
        fprintf(stderr, "slotlog: %s: a log of %lld rounds: numbers are those of round 1\n",
                log->name, (long long)rounds);
}

/* Records of version 1 are not tied to their run, and nothing covers its comments. */
void whole_log_refusal(json_int_t version, char why[LINE_TEXT])
{
    snprintf(why, LINE_TEXT, "a log of version %lld%s, expected %d", (long long)version,
             version == 1 ? ", whose lines are not tied to their run" : "", LOG_VERSION);
}

static int refuse_version(const struct whole_log *log)
{
    char why[LINE_TEXT];

    whole_log_refusal(log->totals.version, why);
    return refuse(log->name, "%s", why);
}

static int examine(struct whole_log *log, size_t size)
{
    if (size == 0)
        return refuse(log->name, "the file is empty, expected a log of slotscope");
    if (log->totals.version != 0 && log->totals.version != LOG_VERSION)
        return refuse_version(log);
    if (log->totals.records == 0)
        return refuse(log->name, "no log of slotscope: none of its %lu lines is a record",
                      log->totals.lines);
    if (log->too_many)
        return refuse(log->name, "a log of over %d verdicts, expected fewer", LOG_VERDICTS);
    if (log->totals.runs > 1)
        return refuse(log->name,
                      "a log of %lu runs, expected one (slotlog verify says where "
                      "each begins)",
                      log->totals.runs);
    if (log->totals.problems > 0)
        fprintf(stderr,
                "slotlog: %s: damaged, %lu problems (slotlog verify names them), %zu verdicts not "
                "believed; what follows is of the rest\n",
                log->name, log->totals.problems, log->doubted);
    log->self_doubted = doubted_leave_out(log->name, log->records, log->left_out, log->verdicts,
                                          &log->verdict_count);
    log->doubted += log->self_doubted;
    tell_rounds(log);
    return STATUS_GOOD;
}

int whole_log_read(struct whole_log *log, const char *name)
{
    struct loading loading = {.log = log};
    const struct reader_sink sink = {&loading, keep, NULL};
    struct reader *reader = reader_new(whole_log_schema(), &sink);
    size_t size;
    bool read;

    *log = (struct whole_log){.name = name, .records = json_array(), .left_out = json_array()};
    if (reader == NULL || log->records == NULL || log->left_out == NULL)
        return refuse(name, "no memory");
    read = feed_file(reader, name, &size);
    if (read)
        reader_end(reader);
    log->totals = *reader_totals(reader);
    reader_free(reader);
    if (!read)
        return refuse(name, "%s", strerror(errno));
    return examine(log, size);
}

void whole_log_free(struct whole_log *log)
{
    while (log->texts != NULL) {
        struct text_block *older = log->texts->older;

        free(log->texts);
        log->texts = older;
    }
    free(log->verdicts);
    json_decref(log->records);
    json_decref(log->left_out);
    *log = (struct whole_log){0};
}

const char *record_text(const json_t *record, const char *member, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(record, member));

    return text != NULL ? text : otherwise;
}

const json_t *whole_log_record(const struct whole_log *log, const char *type)
{
    json_t *record;
    size_t i;

    json_array_foreach (log->records, i, record) {
        if (strcmp(record_text(record, "type", ""), type) == 0)
            return record;
    }
    return NULL;
}

bool whole_log_reason_is_good(const char *reason)
{
    return strcmp(reason, "complete") == 0 || strcmp(reason, "help") == 0;
}

bool whole_log_is_good(const struct whole_log *log)
{
    const json_t *end = whole_log_record(log, "end");

    return log->totals.problems == 0 && end != NULL && log->totals.failed == 0 &&
           log->totals.doubts == 0 && whole_log_reason_is_good(record_text(end, "reason", ""));
}
