/* The text of a configuration file, pure. */
#ifndef HARNESS_CONFIGURE_CONFIG_TEXT_H
#define HARNESS_CONFIGURE_CONFIG_TEXT_H

#include <stddef.h>

/* Gives the bytes of the text, in place: one in UTF-16, of either order, which begins with a byte
 * order mark, becomes ASCII, with a question mark for each other unit. Any other text stays. */
size_t config_text(char *text, size_t size);

#endif
