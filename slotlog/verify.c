/* slotlog verify LOG...: what is damaged, by line. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "whole_log.h"

struct verifying {
    const char *name;
    struct reader *reader;
};

/* Of a file that is no log one line on standard error says so. */
static void say(void *context, unsigned long line, const char *text)
{
    const struct verifying *verifying = context;

    if (!reader_totals(verifying->reader)->begun)
        return;
    if (line > 0)
        printf("%s:%lu: %s\n", verifying->name, line, text);
    else
        printf("%s: %s\n", verifying->name, text);
}

static int refuse(const char *name, const char *why)
{
    fprintf(stderr, "slotlog: %s: %s\n", name, why);
    return STATUS_USAGE;
}

static int read_through(const char *name, FILE *file, struct reader *reader)
{
    char bytes[65536];
    size_t got, size = 0;

    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0) {
        reader_feed(reader, bytes, got);
        size += got;
    }
    if (ferror(file))
        return refuse(name, strerror(errno));
    if (size == 0)
        return refuse(name, "the file is empty, expected a log of slotscope");
    reader_end(reader);
    return STATUS_GOOD;
}

static int refuse_version(const char *name, json_int_t version)
{
    char why[LINE_TEXT];

    whole_log_refusal(version, why);
    return refuse(name, why);
}

static int judge(const char *name, const struct reader_totals *totals)
{
    if (totals->version != 0 && totals->version != LOG_VERSION)
        return refuse_version(name, totals->version);
    if (totals->records == 0)
        return refuse(name, "no log of slotscope: none of its lines is a record");
    if (totals->before > 0)
        printf("%s: %lu lines before the log are left out\n", name, totals->before);
    printf("%s: %lu records, %lu ok, %lu not ok, %lu skipped; %lu damaged lines, %lu records "
           "missing, %lu verdicts and comments not believed, %lu problems\n",
           name, totals->records, totals->verdict_lines - totals->failed - totals->skipped,
           totals->failed, totals->skipped, totals->damaged, totals->missing, totals->doubted,
           totals->problems);
    return totals->problems > 0 ? STATUS_FOUND : STATUS_GOOD;
}

static int verify(char *name)
{
    const bool standard = strcmp(name, "-") == 0;
    struct verifying verifying = {.name = name};
    const struct reader_sink sink = {&verifying, NULL, say};
    FILE *file = standard ? stdin : fopen(name, "rb");
    struct reader *reader;
    int status;

    if (file == NULL)
        return refuse(name, strerror(errno));
    reader = verifying.reader = reader_new(whole_log_schema(), &sink);
    status = reader != NULL ? read_through(name, file, reader) : refuse(name, "no memory");
    if (status == STATUS_GOOD)
        status = judge(name, reader_totals(reader));
    reader_free(reader);
    if (!standard)
        fclose(file);
    return status;
}

int command_verify(const struct settings *settings)
{
    int worst = STATUS_GOOD;

    for (unsigned i = 0; i < settings->file_count; i++) {
        const int status = verify(settings->files[i]);

        if (status > worst)
            worst = status;
    }
    return worst;
}
