/* The text screen of the firmware's console: rows of characters and their colours, what scrolled
 * off it, and a picture of it. */
#ifndef RIG_FIRMWARE_TEXT_SCREEN_H
#define RIG_FIRMWARE_TEXT_SCREEN_H

#include <stdint.h>
#include <stdio.h>

#define SCREEN_COLUMNS 80
#define SCREEN_ROWS    25

/* All 0 is a blank screen. */
struct text_screen {
    uint16_t characters[SCREEN_ROWS][SCREEN_COLUMNS]; /* UCS-2; 0: blank */
    uint8_t attributes[SCREEN_ROWS][SCREEN_COLUMNS];  /* the UEFI's: foreground, background << 4 */
    FILE *scrolled;                                   /* gets the rows that leave; may be NULL */
};

void text_screen_put(struct text_screen *screen, unsigned row, unsigned column, uint16_t character,
                     uint8_t attribute);
/* Moves all rows up by one; the top row leaves. */
void text_screen_scroll(struct text_screen *screen);
/* Blanks all of the screen; its rows do not count as scrolled. */
void text_screen_clear(struct text_screen *screen, uint8_t attribute);
/* The rows as UTF-8 without the blanks at their ends, down to the last that is not blank. */
void text_screen_write(const struct text_screen *screen, FILE *out);
/* The same as a picture in SVG, with the colours of the UEFI specification's attributes. */
void text_screen_picture(const struct text_screen *screen, FILE *out);

#endif
