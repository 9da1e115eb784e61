/* The vendor's tables, where they lie beside the project (../shared/perfmon): read by the tests on
 * their own, with nothing of the image's parser. */
#ifndef TESTS_VENDOR_H
#define TESTS_VENDOR_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VENDOR_PLACE  "../shared/perfmon"
#define VENDOR_FIELDS 32

/* A CSV file as RFC 4180 quotes it; its first line names the columns. */
struct sheet {
    char *text;
    unsigned row_count;
    unsigned column_count;
    char *(*rows)[VENDOR_FIELDS]; /* row 0: the columns' names */
};

/* Takes one field out of the text and ends it; the separator that followed goes to *after. */
static inline char *vendor_field(char **at, char *after)
{
    char *field = *at, *to = *at, *from = *at;
    bool quoted = *from == '"';

    from += quoted;
    while (*from && (quoted || (*from != ',' && *from != '\n' && *from != '\r'))) {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                from++;
                break;
            }
            from++;
        }
        *to++ = *from++;
    }
    while (*from == '\r')
        from++;
    *after = *from;
    *at = from + (*from != 0);
    *to = 0;
    return field;
}

static inline bool vendor_open(struct sheet *sheet, const char *key, const char *file)
{
    char path[160], *at;
    FILE *stream;
    long size;
    unsigned room = 1;

    snprintf(path, sizeof(path), "%s/%s/%s", VENDOR_PLACE, key, file);
    *sheet = (struct sheet){0};
    stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    fseek(stream, 0, SEEK_END);
    size = ftell(stream);
    rewind(stream);
    sheet->text = calloc(1, (size_t)size + 1);
    if (sheet->text == NULL || fread(sheet->text, 1, (size_t)size, stream) != (size_t)size)
        abort();
    fclose(stream);
    for (at = sheet->text; *at; at++)
        room += *at == '\n';
    sheet->rows = calloc(room, sizeof(*sheet->rows));
    if (sheet->rows == NULL)
        abort();
    for (at = sheet->text; *at; sheet->row_count++) {
        unsigned column = 0;
        char after = ',';

        while (after == ',' && column < VENDOR_FIELDS)
            sheet->rows[sheet->row_count][column++] = vendor_field(&at, &after);
        if (sheet->row_count == 0)
            sheet->column_count = column;
    }
    return true;
}

static inline void vendor_close(struct sheet *sheet)
{
    free(sheet->rows);
    free(sheet->text);
    *sheet = (struct sheet){0};
}

/* "" when the sheet has no such column. */
static inline const char *vendor_at(const struct sheet *sheet, unsigned row, const char *column)
{
    for (unsigned i = 0; i < sheet->column_count; i++)
        if (strcmp(sheet->rows[0][i], column) == 0)
            return sheet->rows[row][i] != NULL ? sheet->rows[row][i] : "";
    return "";
}

/* The row whose `column` is `value`; 0 when there is none. */
static inline unsigned vendor_row(const struct sheet *sheet, const char *column, const char *value)
{
    for (unsigned row = 1; row < sheet->row_count; row++)
        if (strcmp(vendor_at(sheet, row, column), value) == 0)
            return row;
    return 0;
}

#endif
