#include "outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gap.h"

const char *stream_label(enum stream_name name)
{
    static const char *const labels[STREAMS] = {"stick", "serial"};

    return labels[name];
}

void stream_fill(struct stream *stream)
{
    const json_t *end;

    stream->reason = "";
    stream->there = stream->log.records != NULL && json_array_size(stream->log.records) > 0;
    if (!stream->there)
        return;
    stream->ended = stream->log.totals.ended && stream->log.totals.planned;
    stream->damaged = stream->log.totals.problems > 0;
    end = whole_log_record(&stream->log, "end");
    stream->reason = record_text(end, "reason", "");
    stream->discarded = json_integer_value(json_object_get(end, "discarded"));
    facts_add(&stream->facts, stream->log.records, 0);
    facts_sort(&stream->facts);
    facts_add(&stream->doubted, stream->log.left_out, 0);
    facts_sort(&stream->doubted);
    statements_add(&stream->statements, &stream->log);
}

static void read_stream(struct stream *stream, const char *folder, const char *name)
{
    char path[600];
    struct stat file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (stat(path, &file) == 0 && file.st_size > 0)
        whole_log_read(&stream->log, path);
    stream_fill(stream);
}

static bool file_has(const char *folder, const char *name, const char *text)
{
    char path[600], line[1024];
    bool has = false;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "r");
    while (file != NULL && !has && fgets(line, sizeof(line), file) != NULL)
        has = strstr(line, text) != NULL;
    if (file != NULL)
        fclose(file);
    return has;
}

void outcome_read(struct outcome *outcome, const char *folder, int status)
{
    *outcome = (struct outcome){.status = status};
    snprintf(outcome->folder, sizeof(outcome->folder), "%s", folder);
    read_stream(&outcome->streams[STREAM_STICK], folder, OUTCOME_STICK);
    read_stream(&outcome->streams[STREAM_SERIAL], folder, OUTCOME_SERIAL);
    outcome->no_file = file_has(folder, OUTCOME_SERIAL, "# no log file: ");
    outcome->no_handlers = file_has(folder, OUTCOME_ERRORS, "under the firmware's handlers");
}

/* Of the records that are believed: the log's own lines may be damaged. */
struct run *outcome_truth(struct outcome *outcome)
{
    char path[600];

    if (outcome->truth != NULL)
        return outcome->truth;
    snprintf(path, sizeof(path), "%s/%s", outcome->folder, OUTCOME_TRUTH);
    outcome->truth = calloc(1, sizeof(*outcome->truth));
    if (outcome->truth == NULL)
        abort();
    if (outcome->streams[STREAM_STICK].there)
        keep_records(outcome->truth, outcome->streams[STREAM_STICK].log.records);
    read_lines(outcome->truth, path, true);
    gap_fill(outcome->truth);
    return outcome->truth;
}

void outcome_free(struct outcome *outcome)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        statements_free(&outcome->streams[i].statements);
        facts_free(&outcome->streams[i].facts);
        facts_free(&outcome->streams[i].doubted);
        whole_log_free(&outcome->streams[i].log);
    }
    if (outcome->truth != NULL)
        run_free(outcome->truth);
    free(outcome->truth);
}
