/* The screen: a page of text on the firmware's text consoles that are not behind a UART, and the
 * key that ends the run. Without boot services there is neither. */
#ifndef BOOT_FIRMWARE_SCREEN_H
#define BOOT_FIRMWARE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every text console has a mode of 80 by 25; the last column stays free, because a character in
 * the last place of the screen would scroll it. */
#define SCREEN_ROWS    25
#define SCREEN_COLUMNS 79

/* Foreground, and background << 4, as the UEFI specification numbers them for SetAttribute. */
#define SCREEN_PLAIN 0x07 /* light grey on black */

struct screen_page {
    char text[SCREEN_ROWS][SCREEN_COLUMNS];          /* ASCII; 0 is a blank */
    uint8_t attributes[SCREEN_ROWS][SCREEN_COLUMNS]; /* 0 is SCREEN_PLAIN */
};

/* Finds the consoles. Firmware often copies its console to the UART that the log uses, so consoles
 * are taken one by one, without those behind a UART. When none is left, the firmware's common
 * console (ConOut) is taken if no UART takes the log (serial_used false), or if no console says
 * what it is behind. */
void screen_start(bool serial_used);
/* Whether a page can be drawn. */
bool screen_there(void);
/* Draws where the page differs from the page that was drawn last; the first time all of it, after
 * clearing the screen. A screen that does not take it
 * is left alone from then on, as a comment in the log says. Nothing when there is no screen. */
void screen_draw(const struct screen_page *page);
/* Draws the page that was drawn last, all of it, since the firmware may have written meanwhile. Its
 * last row is the text, of at most SCREEN_COLUMNS characters. Nothing when there is no screen. */
void screen_draw_again(const char *last_row);
/* Forgets the keys that wait: what was pressed for the firmware's boot menu is not for this
 * program.
 */
void screen_forget_keys(void);
/* Reads the keys that wait at the firmware's console. Returns whether ESC is among them. */
bool screen_escape_pressed(void);

#endif
