/* Whether a picture of the firmware's text screen shows a row of text: a cell with a character has
 * pixels of two colours, a blank cell of one.
 *
 *   check_screen PICTURE ROW TEXT
 *
 * PICTURE is a PPM (P6). Row 1 is the page's title: the top left corner of its blue bar is where
 * the text begins. A cell is 8 by 19 pixels, as UEFI's glyphs are (UEFI specification, "Human
 * Interface Infrastructure", EFI_GLYPH_WIDTH and EFI_GLYPH_HEIGHT).
 *
 * Exit status 0 when the row's characters stand exactly where TEXT has some, 1 when not, 2 when the
 * picture cannot be read. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_WIDTH  8u
#define CELL_HEIGHT 19u
#define COLUMNS     79u

struct picture {
    unsigned width, height;
    unsigned char *pixels; /* red, green, blue */
};

static const unsigned char *pixel(const struct picture *picture, unsigned x, unsigned y)
{
    return picture->pixels + 3 * ((size_t)y * picture->width + x);
}

static bool read_picture(struct picture *picture, const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t bytes = 0;
    bool read;

    if (file == NULL)
        return false;
    read = fscanf(file, "P6 %5u %5u 255", &picture->width, &picture->height) == 2 &&
           fgetc(file) == '\n';
    if (read) {
        bytes = (size_t)3 * picture->width * picture->height;
        picture->pixels = malloc(bytes + 1);
    }
    read = read && picture->pixels != NULL && fread(picture->pixels, 1, bytes, file) == bytes;
    (void)fclose(file);
    return read;
}

/* The first pixel, row by row, that is blue and nothing else. */
static bool find_title(const struct picture *picture, unsigned *x, unsigned *y)
{
    for (*y = 0; *y < picture->height; ++*y)
        for (*x = 0; *x < picture->width; ++*x) {
            const unsigned char *p = pixel(picture, *x, *y);

            if (p[0] == 0 && p[1] == 0 && p[2] > 64)
                return true;
        }
    return false;
}

static bool has_glyph(const struct picture *picture, unsigned x, unsigned y)
{
    for (unsigned i = 0; i < CELL_WIDTH * CELL_HEIGHT; i++)
        if (memcmp(pixel(picture, x, y), pixel(picture, x + i % CELL_WIDTH, y + i / CELL_WIDTH),
                   3) != 0)
            return true;
    return false;
}

int main(int count, char **words)
{
    struct picture picture = {0, 0, NULL};
    char shown[COLUMNS + 1] = "", wanted[COLUMNS + 1] = "";
    unsigned x, y, row;

    if (count != 4 || (row = (unsigned)strtoul(words[2], NULL, 10)) < 1 || row > 25 ||
        !read_picture(&picture, words[1]) || !find_title(&picture, &x, &y)) {
        fprintf(stderr, "check_screen: no page is in the picture, or wrong use\n");
        free(picture.pixels);
        return 2;
    }
    y += (row - 1) * CELL_HEIGHT;
    for (unsigned i = 0; i < COLUMNS; i++) {
        const unsigned left = x + i * CELL_WIDTH;

        shown[i] = left + CELL_WIDTH <= picture.width && y + CELL_HEIGHT <= picture.height &&
                           has_glyph(&picture, left, y)
                       ? 'x'
                       : ' ';
        wanted[i] = i < strlen(words[3]) && words[3][i] != ' ' ? 'x' : ' ';
    }
    free(picture.pixels);
    if (memcmp(shown, wanted, COLUMNS) == 0)
        return 0;
    printf("shown  |%s|\nwanted |%s|\n", shown, wanted);
    return 1;
}
