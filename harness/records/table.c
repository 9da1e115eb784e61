#include "table.h"

#include "boot/format.h"
#include "boot/text.h"

#define SHARE_WIDTH 6 /* "-0.003" */
#define CPI_WIDTH   7 /* "1234.56" */
#define GAP         2 /* between columns; 1 where the table would be too wide */

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

bool table_agree(const struct table_row *a, const struct table_row *b)
{
    const struct node *columns[TABLE_NODES];
    const unsigned count = table_columns(a->description, a->levels, columns);
    const double cpi = a->cpi < b->cpi ? a->cpi : b->cpi;

    for (unsigned i = 0; i < count; i++) {
        if (a->known[i] != b->known[i])
            return false;
        if (a->known[i] && __builtin_fabs(a->nodes[i] - b->nodes[i]) > TABLE_SHARE_TOLERANCE)
            return false;
    }
    return a->cpi_known == b->cpi_known &&
           (!a->cpi_known || __builtin_fabs(a->cpi - b->cpi) <= TABLE_CPI_TOLERANCE * cpi);
}

void table_cores(char *out, size_t size, const bool *cores, unsigned count)
{
    const char *separator = " ";
    unsigned set = 0;
    size_t length;

    for (unsigned i = 0; i < count; i++)
        set += cores[i];
    length = format(out, size, "%s", set == 1 ? "core" : "cores");
    for (unsigned first = 0; first < count; first++) {
        unsigned last = first;
        char range[24];

        if (!cores[first])
            continue;
        while (last + 1 < count && cores[last + 1])
            last++;
        if (last > first)
            format(range, sizeof(range), "%s%u-%u", separator, first, last);
        else
            format(range, sizeof(range), "%s%u", separator, first);
        if (length + strlen(range) + sizeof(",...") > size) {
            format(out + length, size - length, "%s...", separator);
            return;
        }
        length += format(out + length, size - length, "%s", range);
        separator = ",";
        first = last;
    }
}

/* Word number `number` of "tma_fetch_latency" without "tma_": its start and length; false: the name
 * has fewer words. */
static bool find_word(const char *name, unsigned number, const char **word, size_t *length)
{
    if (strncmp(name, "tma_", 4) == 0)
        name += 4;
    for (; number > 0; number--) {
        name = strchr(name, '_');
        if (name == NULL)
            return false;
        name++;
    }
    *word = name;
    *length = strchr(name, '_') != NULL ? (size_t)(strchr(name, '_') - name) : strlen(name);
    return true;
}

static unsigned word_count(const char *name)
{
    const char *word;
    size_t length;
    unsigned count = 0;

    while (find_word(name, count, &word, &length))
        count++;
    return count;
}

/* As wide as its longest word, or its values. */
static unsigned column_width(const struct node *node)
{
    unsigned width = SHARE_WIDTH;
    const char *word;
    size_t length;

    for (unsigned i = 0; find_word(node->name, i, &word, &length); i++)
        width = length > width ? (unsigned)length : width;
    return width;
}

/* The columns from table->first on that are of one level and fit with this gap. */
static unsigned columns_that_fit(const struct table *table, unsigned gap)
{
    unsigned width = table->name_width + (table->cpi ? gap + CPI_WIDTH : 0), count = 0;

    while (table->first + count < table->column_count) {
        const struct node *node = table->columns[table->first + count];

        if (node->level != table->columns[table->first]->level)
            break;
        width += gap + column_width(node);
        if (count > 0 && width > TABLE_WIDTH)
            break;
        count++;
    }
    return count;
}

static void choose_columns(struct table *table)
{
    const unsigned close = columns_that_fit(table, 1);

    table->count = columns_that_fit(table, GAP);
    table->gap = table->count == close ? GAP : 1;
    table->count = close;
}

void table_begin(struct table *table, const struct description *description, unsigned levels,
                 unsigned name_width)
{
    *table = (struct table){.cpi = true, .name_width = name_width};
    table->column_count = table_columns(description, levels, table->columns);
    choose_columns(table);
}

bool table_next(struct table *table)
{
    table->first += table->count;
    table->cpi = false;
    if (table->first >= table->column_count)
        return false;
    choose_columns(table);
    return true;
}

unsigned table_level(const struct table *table)
{
    return table->count > 0 ? table->columns[table->first]->level : 0;
}

unsigned table_heading_lines(const struct table *table)
{
    unsigned lines = 1;

    for (unsigned i = 0; i < table->count; i++) {
        const unsigned words = word_count(table->columns[table->first + i]->name);

        lines = words > lines ? words : lines;
    }
    return lines;
}

/* Appends the text at the right of a column, after a blank at least; a line that is full stays as
 * it is. */
static size_t append(char *out, size_t length, const struct table *table, unsigned width,
                     const char *text, size_t text_length)
{
    const size_t room = table->gap + width;
    const size_t blanks = room > text_length ? room - text_length : 1;

    if (length + blanks + text_length >= TABLE_LINE)
        return length;
    memset(out + length, ' ', blanks);
    memcpy(out + length + blanks, text, text_length);
    length += blanks + text_length;
    out[length] = '\0';
    return length;
}

static size_t append_name(char *out, const struct table *table, const char *name)
{
    return format(out, TABLE_LINE, "%-*s", (int)table->name_width, name);
}

/* Names with fewer words than the heading has lines take the last lines. */
void table_heading(char out[TABLE_LINE], const struct table *table, unsigned line)
{
    const unsigned lines = table_heading_lines(table);
    size_t length = append_name(out, table, line + 1 == lines ? "kernel" : "");

    for (unsigned i = 0; i < table->count; i++) {
        const struct node *node = table->columns[table->first + i];
        const unsigned above = lines - word_count(node->name);
        const char *word = "";
        size_t word_length = 0;

        if (line >= above)
            find_word(node->name, line - above, &word, &word_length);
        length = append(out, length, table, column_width(node), word, word_length);
    }
    if (table->cpi && line + 1 == lines)
        length = append(out, length, table, CPI_WIDTH, "CPI", 3);
    while (length > 0 && out[length - 1] == ' ')
        out[--length] = '\0';
}

/* "-": not known. What rounds to 0 has no sign. */
static size_t append_number(char *out, size_t length, const struct table *table, unsigned width,
                            bool known, double value, unsigned decimals)
{
    char cell[32] = "-";

    if (known)
        format(cell, sizeof(cell), "%.*f", (int)decimals,
               __builtin_fabs(value) < 0.0005 ? 0 : value);
    return append(out, length, table, width, cell, strlen(cell));
}

bool table_has_value(const struct table *table, const struct table_row *row)
{
    for (unsigned i = 0; i < table->count; i++)
        if (row->known[table->first + i])
            return true;
    return table->cpi && row->cpi_known;
}

void table_line(char out[TABLE_LINE], const struct table *table, const char *kernel,
                const struct table_row *row, const char *cores)
{
    size_t length = append_name(out, table, kernel);

    for (unsigned i = 0; i < table->count; i++) {
        const unsigned column = table->first + i;

        length = append_number(out, length, table, column_width(table->columns[column]),
                               row->known[column], row->nodes[column], 3);
    }
    if (table->cpi)
        length = append_number(out, length, table, CPI_WIDTH, row->cpi_known, row->cpi, 2);
    if (cores[0] != '\0')
        format(out + length, TABLE_LINE - length, "  %s", cores);
}
