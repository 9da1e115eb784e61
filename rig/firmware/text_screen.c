#include "text_screen.h"

#include <string.h>

/* Of the picture, in pixels. */
#define CELL_WIDTH  8
#define CELL_HEIGHT 17

/* By the numbers of the UEFI specification, "EFI_SIMPLE_TEXT_OUTPUT_PROTOCOL.SetAttribute". */
static const char *const colours[16] = {
    "#000000", "#0000aa", "#00aa00", "#00aaaa", "#aa0000", "#aa00aa", "#aa5500", "#aaaaaa",
    "#555555", "#5555ff", "#55ff55", "#55ffff", "#ff5555", "#ff55ff", "#ffff55", "#ffffff"};

static void write_utf8(FILE *out, unsigned c)
{
    if (c < 0x80) {
        fputc((int)c, out);
    } else if (c < 0x800) {
        fputc((int)(0xc0 | c >> 6), out);
        fputc((int)(0x80 | (c & 0x3f)), out);
    } else {
        fputc((int)(0xe0 | c >> 12), out);
        fputc((int)(0x80 | (c >> 6 & 0x3f)), out);
        fputc((int)(0x80 | (c & 0x3f)), out);
    }
}

static uint16_t character_at(const struct text_screen *screen, unsigned row, unsigned column)
{
    const uint16_t c = screen->characters[row][column];

    return c ? c : ' ';
}

static unsigned used_columns(const struct text_screen *screen, unsigned row)
{
    unsigned used = SCREEN_COLUMNS;

    while (used > 0 && character_at(screen, row, used - 1) == ' ')
        used--;
    return used;
}

static void write_row(const struct text_screen *screen, unsigned row, FILE *out)
{
    const unsigned used = used_columns(screen, row);

    for (unsigned i = 0; i < used; i++)
        write_utf8(out, character_at(screen, row, i));
    fputc('\n', out);
}

void text_screen_put(struct text_screen *screen, unsigned row, unsigned column, uint16_t character,
                     uint8_t attribute)
{
    screen->characters[row][column] = character;
    screen->attributes[row][column] = attribute;
}

void text_screen_scroll(struct text_screen *screen)
{
    if (screen->scrolled != NULL)
        write_row(screen, 0, screen->scrolled);
    memmove(screen->characters[0], screen->characters[1],
            sizeof(screen->characters) - sizeof(screen->characters[0]));
    memmove(screen->attributes[0], screen->attributes[1],
            sizeof(screen->attributes) - sizeof(screen->attributes[0]));
    memset(screen->characters[SCREEN_ROWS - 1], 0, sizeof(screen->characters[0]));
    memset(screen->attributes[SCREEN_ROWS - 1], 0, sizeof(screen->attributes[0]));
}

void text_screen_clear(struct text_screen *screen, uint8_t attribute)
{
    memset(screen->characters, 0, sizeof(screen->characters));
    memset(screen->attributes, attribute, sizeof(screen->attributes));
}

void text_screen_write(const struct text_screen *screen, FILE *out)
{
    unsigned rows = SCREEN_ROWS;

    while (rows > 0 && used_columns(screen, rows - 1) == 0)
        rows--;
    for (unsigned row = 0; row < rows; row++)
        write_row(screen, row, out);
}

/* How many cells from `column` on have the same colours. */
static unsigned alike(const struct text_screen *screen, unsigned row, unsigned column)
{
    unsigned count = 1;

    while (column + count < SCREEN_COLUMNS &&
           screen->attributes[row][column + count] == screen->attributes[row][column])
        count++;
    return count;
}

static void draw_cells(const struct text_screen *screen, unsigned row, unsigned column,
                       unsigned count, FILE *out)
{
    const uint8_t attribute = screen->attributes[row][column];
    const unsigned x = column * CELL_WIDTH, y = row * CELL_HEIGHT;

    if (attribute >> 4)
        fprintf(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n", x, y,
                count * CELL_WIDTH, CELL_HEIGHT, colours[attribute >> 4 & 7]);
    fprintf(out, "<text x=\"%u\" y=\"%u\" fill=\"%s\" textLength=\"%u\" xml:space=\"preserve\">", x,
            y + 13, colours[attribute & 15], count * CELL_WIDTH);
    for (unsigned i = 0; i < count; i++) {
        const uint16_t c = character_at(screen, row, column + i);

        if (c == '<' || c == '>' || c == '&')
            fprintf(out, "&#%u;", (unsigned)c);
        else
            write_utf8(out, c);
    }
    fputs("</text>\n", out);
}

void text_screen_picture(const struct text_screen *screen, FILE *out)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
            "font-family=\"monospace\" font-size=\"13\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#000000\"/>\n",
            SCREEN_COLUMNS * CELL_WIDTH, SCREEN_ROWS * CELL_HEIGHT);
    for (unsigned row = 0; row < SCREEN_ROWS; row++) {
        unsigned count;

        for (unsigned column = 0; column < SCREEN_COLUMNS; column += count) {
            count = alike(screen, row, column);
            draw_cells(screen, row, column, count, out);
        }
    }
    fputs("</svg>\n", out);
}
