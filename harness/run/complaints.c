#include "complaints.h"

#include "boot/format.h"
#include "boot/log.h"

#define COMPLAINTS_LOGGED 100

void complaints_log(void *context, const struct complaint *complaint)
{
    struct complaints *complaints = context;
    struct json_line *record;
    char where[120];

    complaints->count++;
    if (complaints->count > COMPLAINTS_LOGGED)
        return;
    format(where, sizeof(where), "%s:%u:%u", complaint->file, complaint->line, complaint->column);
    record = log_error_record(complaint->message, where,
                              complaint->expected[0] != '\0' ? complaint->expected : NULL);
    json_line_text(record, "file", complaint->file);
    json_line_unsigned(record, "line", complaint->line);
    json_line_unsigned(record, "column", complaint->column);
    log_send(record);
}

void complaints_refuse(void *context, const struct complaint *complaint)
{
    struct complaints *complaints = context;

    complaints->refused = true;
    complaints_log(complaints, complaint);
}

void complaints_refuse_value(struct complaints *complaints, const struct config_place *place,
                             const char *message, const char *expected)
{
    struct complaint complaint = {.line = place->line, .column = place->column};

    format(complaint.file, sizeof(complaint.file), "%s", place->file);
    format(complaint.message, sizeof(complaint.message), "%s", message);
    format(complaint.expected, sizeof(complaint.expected), "%s", expected);
    complaints_refuse(complaints, &complaint);
}

void complaints_refuse_file(struct complaints *complaints, const char *file, const char *message,
                            const char *expected)
{
    const struct config_place place = {.file = file};

    complaints_refuse_value(complaints, &place, message, expected);
}
