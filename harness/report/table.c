#include "table.h"

#include "boot/format.h"
#include "boot/text.h"

#define CELL 9 /* characters of a column, the blank before it included */

unsigned table_columns(const struct description *description, unsigned levels,
                       const struct node *columns[TABLE_NODES])
{
    unsigned count = 0;

    for (unsigned level = 1; level <= levels && level <= 2; level++) {
        for (unsigned i = 0; i < description->node_count && count < TABLE_NODES; i++) {
            if (description->nodes[i].level == level)
                columns[count++] = &description->nodes[i];
        }
    }
    return count;
}

/* Appends; a line that is full stays as it is. */
static size_t append(char *out, size_t length, const char *text, size_t limit)
{
    size_t pad = 0, letters = strlen(text) < limit ? strlen(text) : limit;

    if (length + CELL >= TABLE_LINE)
        return length;
    for (pad = letters; pad < CELL; pad++)
        out[length++] = ' ';
    memcpy(out + length, text, letters);
    out[length + letters] = '\0';
    return length + letters;
}

/* The first word of "tma_fetch_latency", or the rest of it. */
static void heading_word(char *out, size_t size, const char *name, unsigned line)
{
    const char *cut;

    if (strncmp(name, "tma_", 4) == 0)
        name += 4;
    cut = strchr(name, '_');
    if (line == 0)
        format(out, size, "%.*s", (int)(cut != NULL ? (size_t)(cut - name) : strlen(name)), name);
    else
        format(out, size, "%s", cut != NULL ? cut + 1 : "");
}

void table_heading(char out[TABLE_LINE], const struct table_row *row, unsigned line)
{
    const struct node *columns[TABLE_NODES];
    unsigned count = table_columns(row->description, row->levels, columns);
    size_t length = format(out, TABLE_LINE, "%s", line == 0 ? "core" : "    ");

    for (unsigned i = 0; i < count; i++) {
        char word[DESCRIPTION_NAME];

        heading_word(word, sizeof(word), columns[i]->name, line);
        length = append(out, length, word, CELL - 1);
    }
    if (line == 0)
        append(out, length, "CPI", CELL - 1);
}

void table_line(char out[TABLE_LINE], const struct table_row *row)
{
    const struct node *columns[TABLE_NODES];
    unsigned count = table_columns(row->description, row->levels, columns);
    size_t length = format(out, TABLE_LINE, "%4u", row->core);

    for (unsigned i = 0; i < count; i++) {
        char cell[CELL + 18];

        format(cell, sizeof(cell), "%.3f", row->nodes[i]);
        length = append(out, length, row->known[i] ? cell : "-", CELL);
    }
    if (row->cpi_known && length + CELL < TABLE_LINE)
        format(out + length, TABLE_LINE - length, "%9.2f", row->cpi);
    else
        append(out, length, "-", CELL);
}
