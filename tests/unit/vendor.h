/* The vendor's tables, where they are beside the project (../shared/perfmon). Read with libcsv, so
 * that nothing of the image's parser is used. */
#ifndef TESTS_UNIT_VENDOR_H
#define TESTS_UNIT_VENDOR_H

#include <csv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VENDOR_PLACE "../shared/perfmon"

/* A CSV file. Row 0 has the names of the columns; every row has as many fields. */
struct sheet {
    char **fields; /* row * column_count + column */
    size_t field_count, room;
    unsigned row_count, column_count;
};

static inline void vendor_field(void *text, size_t length, void *context)
{
    struct sheet *sheet = context;

    if (sheet->field_count == sheet->room) {
        sheet->room = sheet->room > 0 ? 2 * sheet->room : 4096;
        sheet->fields = realloc(sheet->fields, sheet->room * sizeof(*sheet->fields));
        if (sheet->fields == NULL)
            abort();
    }
    sheet->fields[sheet->field_count] = strndup(text, length);
    if (sheet->fields[sheet->field_count++] == NULL)
        abort();
}

static inline void vendor_row_end(int end, void *context)
{
    struct sheet *sheet = context;

    (void)end;
    if (sheet->row_count++ == 0)
        sheet->column_count = (unsigned)sheet->field_count;
    if (sheet->field_count != (size_t)sheet->row_count * sheet->column_count)
        abort();
}

/* Reads the file of that name in the folder `key`; false when it is not there. */
static inline bool vendor_open(struct sheet *sheet, const char *key, const char *file)
{
    char path[160], bytes[65536];
    struct csv_parser parser;
    size_t size;
    FILE *stream;

    snprintf(path, sizeof(path), "%s/%s/%s", VENDOR_PLACE, key, file);
    *sheet = (struct sheet){0};
    stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)
        abort();
    while ((size = fread(bytes, 1, sizeof(bytes), stream)) > 0)
        if (csv_parse(&parser, bytes, size, vendor_field, vendor_row_end, sheet) != size)
            abort();
    if (ferror(stream) || csv_fini(&parser, vendor_field, vendor_row_end, sheet) != 0)
        abort();
    csv_free(&parser);
    fclose(stream);
    return true;
}

static inline void vendor_close(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->field_count; i++)
        free(sheet->fields[i]);
    free(sheet->fields);
    *sheet = (struct sheet){0};
}

/* Returns the field; "" when the sheet has no such column. */
static inline const char *vendor_at(const struct sheet *sheet, unsigned row, const char *column)
{
    for (unsigned i = 0; i < sheet->column_count; i++)
        if (strcmp(sheet->fields[i], column) == 0)
            return sheet->fields[(size_t)row * sheet->column_count + i];
    return "";
}

/* Returns the first row whose `column` is `value`; 0 when there is none. */
static inline unsigned vendor_row(const struct sheet *sheet, const char *column, const char *value)
{
    for (unsigned row = 1; row < sheet->row_count; row++)
        if (strcmp(vendor_at(sheet, row, column), value) == 0)
            return row;
    return 0;
}

#endif
