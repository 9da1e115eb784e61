/* The screen: the firmware's text consoles that are no serial line. Gone with boot services. */
#ifndef BOOT_SCREEN_H
#define BOOT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the consoles. Firmware likes to copy its console to the very UART that the log goes to,
 * so consoles are taken one by one and those behind a UART are left out. serial_used false: when
 * all are behind UARTs, or cannot be told, the common console is taken as it is. */
void screen_start(bool serial_used);
/* A line without its end, which is CR LF there. */
void screen_send(const char *line, size_t length);

#endif
