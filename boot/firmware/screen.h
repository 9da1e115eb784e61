/* The screen: the firmware's text consoles that are not behind a UART. Without boot services there
 * is none. */
#ifndef BOOT_SCREEN_H
#define BOOT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the consoles. Firmware often copies its console to the UART that the log uses, so consoles
 * are taken one by one, without those behind a UART. When none is left, the firmware's common
 * console (ConOut) is taken if no UART takes the log (serial_used false), or if no console says
 * what it is behind. */
void screen_start(bool serial_used);
/* Sends `length` characters, then CR LF. */
void screen_send(const char *line, size_t length);

#endif
