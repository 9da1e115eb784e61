/* The texts of a record, made plain. A log can be made by anyone, and the machine's own texts, such
 * as the board's name, are its makers': nothing in them may steer a terminal or end a line, a field
 * or a file of another program. */
#ifndef SLOTLOG_READER_LOG_TEXT_H
#define SLOTLOG_READER_LOG_TEXT_H

#include <jansson.h>
#include <stdbool.h>

/* In every text of the record puts a question mark in place of each character that is not printable
 * ASCII. False when the name of a member has such a character, which no log of slotscope has, or
 * there is no memory. */
bool log_text_make_plain(json_t *record);

/* The same for a text, in place. A character of UTF-8 becomes one question mark. */
void log_text_plain(char *text);

/* The name of a file, which may be any bytes, as a text of JSON: as it is where it is UTF-8, else
 * plain. NULL: no memory. */
json_t *log_text_of_name(const char *name);

#endif
